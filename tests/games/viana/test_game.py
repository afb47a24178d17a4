"""Palace of Viana: components, setup, first round, turns, movement and placing (sections 1 to 6 of the ledger).

The helpers on top serve the other files too. Courtyards are called by their numbers, 1 to 13.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from alarife.engine.batch import Batch
from alarife.engine.errors import OptionError
from alarife.engine.table import Table
from alarife.games.viana import GAME
from alarife.games.viana.actions import ACTIONS
from alarife.games.viana.components import (
    BAG,
    BAG_FOR_TWO,
    FOUNTAIN,
    MARKET,
    NONE,
    STAND_SIZE,
    SUPPLY,
    Card,
    Phase,
)
from alarife.games.viana.rules import setup
from alarife.games.viana.state import Options
from alarife.games.viana.tables import own_board
from games.viana.positions import (
    PLAZA,
    REAR,
    B,
    C,
    P,
    choices,
    do,
    doorway,
    families,
    finish_setup,
    is_legal,
    lay_top,
    plant,
    play,
    put_figures,
    put_pawn,
    ready,
    scores,
    stock,
    table,
)

# --- helpers ----------------------------------------------------------------------------------------


# --- 1. components ----------------------------------------------------------------------------------


@pytest.mark.rules("VIA-001")
def test_two_to_five_players_with_thirty_decorations_each():
    assert list(GAME.seats) == [2, 3, 4, 5]
    assert SUPPLY.tolist() == [7, 7, 7, 6, 5]
    for players in (1, 6):
        with pytest.raises(OptionError, match="2 to 5 players"):
            table(players)


@pytest.mark.rules("VIA-005")
def test_ten_characters():
    assert [card.name for card in Card] == [
        "MASTER_GARDENER", "GARDENER", "APPRENTICE", "HOUSEKEEPER", "MARQUISE", "MARQUIS", "GIRL", "COACHMAN", "COOK",
        "POET",
    ]  # fmt: skip


@pytest.mark.rules("VIA-007", "VIA-171")
def test_ninety_market_tokens_or_fifty_nine_for_two():
    assert BAG.tolist() == [20, 20, 20, 17, 13]
    assert BAG.sum() == 90
    assert (BAG - BAG_FOR_TWO).tolist() == [7, 7, 7, 6, 4]
    assert BAG_FOR_TWO.sum() == 59


@pytest.mark.rules("VIA-008")
def test_six_stands_hold_twenty_nine_tokens():
    assert STAND_SIZE.tolist() == [4, 5, 5, 5, 5, 5]
    assert STAND_SIZE.sum() == 29


@pytest.mark.rules("VIA-010")
def test_scores_start_at_zero():
    assert scores(table(5)) == [0, 0, 0, 0, 0]


#: Courtyard: doorways to, spots of the hedges, pots, fountains (table of VIA-021).
COURTYARDS = {
    1: ({2, 12}, [3, 3, 1], 2, 1), 2: ({1, 3, 11}, [2, 2, 2], 1, 1), 3: ({2, 4, 5}, [2, 1], 2, 1),
    4: ({3, 5}, [3, 1], 1, 1), 5: ({3, 4, 6}, [4, 2], 1, 1), 6: ({5, 7, 13}, [2, 2], 2, 1),
    7: ({6, 8}, [3, 2], 1, 2), 8: ({7, 13}, [4, 4], 2, 1), 9: ({10, 13}, [3, 2, 1], 1, 1),
    10: ({9, 11}, [3, 2], 2, 1), 11: ({2, 10, 12}, [3, 3], 1, 1), 12: ({1, 11}, [2, 1, 1], 2, 1),
    13: ({6, 8, 9}, [5, 4, 4, 3], 1, 1),
}  # fmt: skip


@pytest.mark.rules("VIA-012", "VIA-013", "VIA-014", "VIA-017", "VIA-019", "VIA-020")
def test_the_board_is_that_of_the_table():
    s = table().state
    board = own_board()
    assert len(board["courtyards"]) == len(COURTYARDS) == 13
    assert s.doorways == len(board["doorways"]) == 16
    for number, (doorways, hedges, pots, fountains) in COURTYARDS.items():
        c = number - 1
        joined = {other + 1 for pair in s.side.tolist() if c in pair for other in pair if other != c}
        assert joined == doorways
        assert [spots for spots in s.spots[c].tolist() if spots] == hedges
        assert (s.pot_spots[c], s.fountain_spots[c]) == (pots, fountains)
    assert sum(int((s.spots[c] > 0).sum()) for c in range(13)) == 32
    assert (s.spots.sum(), s.pot_spots.sum(), s.fountain_spots.sum()) == (80, 19, 14)


@pytest.mark.rules("VIA-015")
def test_the_courtyards_have_names():
    names = {court["id"]: court["name"] for court in own_board()["courtyards"]}
    assert (names[1], names[13]) == ("Main Court", "The Garden")
    assert [names[n].rsplit(" ", 1)[1] for n in (7, 8, 9)] == ["Pool", "Columns", "Madam"]


@pytest.mark.rules("VIA-016")
def test_the_main_door_leads_to_1_and_the_rear_entrance_to_8():
    assert [court + 1 for court in table().state.entrance] == [1, 8]


@pytest.mark.rules("VIA-018", "VIA-100")
def test_one_token_a_spot():
    t = put_pawn(stock(ready(), 0, [0, 0, 3, 2, 2]), 0, 4)
    play(t, Card.MASTER_GARDENER)
    do(t, "move_pawn", court=3)  # hedges of 2 and 1, two pots, one fountain
    do(t, "place_fountain")
    assert not is_legal(t, "place_fountain")
    do(t, "place_flower", flower=P, hedge=1)
    assert not is_legal(t, "place_flower", flower=P, hedge=1)
    assert is_legal(t, "place_flower", flower=P, hedge=0)


@pytest.mark.rules("VIA-100", "VIA-018")
def test_a_pot_needs_a_free_spot_for_pots():
    t = put_pawn(stock(ready(), 0, [0, 0, 0, 3, 1]), 0, 4)
    play(t, Card.MASTER_GARDENER)
    do(t, "move_pawn", court=3)  # two spots for pots
    do(t, "place_pot")
    assert is_legal(t, "place_pot")
    do(t, "place_pot")
    assert t.state.pot[0, 2] == 2
    assert families(t) == {"place_fountain", "done"}


# --- 2. setup ---------------------------------------------------------------------------------------


@pytest.mark.rules("VIA-030")
@pytest.mark.parametrize("seat", range(4))
def test_a_fixed_first_player_is_the_seat_of_that_number(seat):
    t = table(4, first_player=str(seat))
    assert [t.state.first, t.seat] == [seat, seat]


@pytest.mark.rules("VIA-030")
def test_the_first_player_is_drawn_or_fixed():
    firsts = Counter(Batch(GAME, 400, 4, seed=1).state["first"].tolist())
    # chi-square with three degrees of freedom stays below 16.3 in 999 of 1000 cases
    assert sum((firsts[p] - 100) ** 2 / 100 for p in range(4)) < 16.3
    t = table(4, first_player="2")
    assert [t.state.first, t.seat] == [2, 2]


@pytest.mark.rules("VIA-031", "VIA-032")
@pytest.mark.parametrize(
    ("players", "poet", "cards"),
    [(5, "auto", 10), (5, "on", 10), (4, "auto", 9), (4, "on", 10), (3, "off", 9), (2, "auto", 9), (2, "on", 10)],
)
def test_the_poet_is_for_five_and_optional_for_fewer(players, poet, cards):
    s = table(players, poet=poet).state
    assert [s.held[p] for p in range(players)] == [cards] * players
    assert s.hand[0, Card.POET] == (cards == 10)


@pytest.mark.rules("VIA-032")
def test_five_players_cannot_do_without_the_poet():
    with pytest.raises(OptionError, match="five players always play with the Poet"):
        table(5, poet="off")


@pytest.mark.rules("VIA-033", "VIA-034", "VIA-035", "VIA-009")
@pytest.mark.parametrize(("players", "left"), [(2, 38), (3, 69), (4, 69), (5, 69)])
def test_the_market_starts_with_twenty_one_tokens(players, left):
    for seed in range(20):
        s = table(players, seed).state
        assert s.stand_size.tolist() == [3, 3, 3, 4, 4, 4]
        assert s.bag_size == left
        assert s.stand[:, FOUNTAIN].max() <= 1


@pytest.mark.rules("VIA-035", "VIA-036")
def test_a_stand_with_a_fountain_draws_among_the_other_tokens():
    """The other tokens by their shares: 20, 20, 20 and 17 of 77."""
    stands = Batch(GAME, 20_000, 3, seed=1).state["stand"][:, 0]
    seen = stands[stands[:, FOUNTAIN] == 1].sum(0)
    # The two other tokens of stand 1 come from bags that have lost at most three tokens: shares are close to these.
    shares = np.array([20, 20, 20, 17]) / 77
    assert np.abs(seen[:4] / seen[:4].sum() - shares).max() < 0.02


@pytest.mark.rules("VIA-037", "VIA-038", "VIA-039")
def test_each_player_returns_one_of_six_flowers_in_seat_order():
    t = table(3, first_player="1")
    assert [t.state.personal[p].tolist() for p in range(3)] == [[2, 2, 2, 0, 0]] * 3
    for seat, flower in ((1, B), (2, P), (0, C)):
        assert t.seat == seat
        assert t.legal() == [ACTIONS.encode("return_flower", flower=k) for k in (B, C, P)]
        do(t, "return_flower", flower=flower)
    s = t.state
    assert [s.personal[p].tolist() for p in range(3)] == [[2, 1, 2, 0, 0], [1, 2, 2, 0, 0], [2, 2, 1, 0, 0]]
    for p in range(3):
        assert s.common[p, :3].sum() == 16
        assert s.common[p, 3:].tolist() == [6, 5]
    assert s.phase == Phase.FIRST_CARD


@pytest.mark.rules("VIA-041", "VIA-042", "VIA-046", "VIA-047")
def test_startup_2():
    s = table(startup="2").state
    assert s.pawn[:3].tolist() == [PLAZA] * 3
    assert s.door == doorway(9, 13)
    assert (s.marquise + 1, s.marquis + 1, s.cat) == (13, 1, NONE)


@pytest.mark.rules("VIA-047", "VIA-106")
def test_the_cat_comes_down_from_the_roof_when_the_marquise_moves():
    t = ready(startup="2")
    put_figures(t, marquise=13, marquis=1)
    t.state.cat = NONE
    t.refresh()
    play(t, Card.MARQUISE)
    assert sorted(choices(t, "marquise_to")) == [5, 6, 7, 8]  # 9 lies behind the door
    do(t, "marquise_to", court=5)
    assert (t.state.cat + 1, scores(t)) == (13, [0, 0, 0])


@pytest.mark.rules("VIA-043", "VIA-044")
def test_he_starts_next_to_her_and_the_cat_one_or_two_steps_away_through_any_door(monkeypatch):
    """She rolls 9, whose doorway to 13 is closed; the last of the possible courtyards is drawn each time."""
    near = {court: doors for court, (doors, *_) in COURTYARDS.items()}
    around = set.union(near[9], *(near[court] for court in near[9])) - {9, 13}
    s = table().state
    asked = []

    def last(state, n):
        asked.append(n)
        return 8 if len(asked) == 1 else n - 1

    monkeypatch.setattr(setup, "below", last)
    setup.place_figures(s)
    assert asked == [12, len(near[9]), len(around)]
    assert (s.marquise + 1, s.marquis + 1, s.cat + 1) == (9, 13, max(around))


@pytest.mark.rules("VIA-006", "VIA-043", "VIA-044", "VIA-048")
def test_startup_1_draws_every_possible_place_of_the_figures_uniformly():
    """Counted by hand of the graph: she in 1..12, he next to her, the Cat one or two steps away, the door ignored."""
    near = {court: doors for court, (doors, *_) in COURTYARDS.items()}
    chances = Counter()
    for her in range(1, 13):
        for him in near[her]:
            around = set.union(near[her], *(near[court] for court in near[her])) - {her, him}
            for cat in around:
                chances[her, him, cat] += 1 / 12 / len(near[her]) / len(around)
    assert sum(chances.values()) == pytest.approx(1)
    games = 20_000
    states = Batch(GAME, games, 3, seed=2).state
    seen = Counter(
        tuple(row) for row in (np.array([states[name] for name in ("marquise", "marquis", "cat")]).T + 1).tolist()
    )
    assert set(seen) <= set(chances)
    assert (9, 13) in {place[:2] for place in seen}  # through the closed doorway
    chi = sum((seen[place] - games * chance) ** 2 / (games * chance) for place, chance in chances.items())
    freedom = len(chances) - 1
    assert chi < freedom + 4 * np.sqrt(2 * freedom)


@pytest.mark.rules("VIA-045")
def test_the_first_game_advice_puts_the_marquise_into_the_main_court():
    for seed in range(30):
        s = table(seed=seed, startup="1_main").state
        assert s.marquise + 1 == 1
        assert s.marquis + 1 in (2, 12)
        assert s.cat + 1 in {2, 12, 3, 11} - {s.marquis + 1}


# --- 3. first round ---------------------------------------------------------------------------------


@pytest.mark.rules("VIA-060", "VIA-061", "VIA-065")
def test_first_cards_are_picked_secretly_and_may_be_the_same():
    t = finish_setup(table(3), [])
    play(t, Card.GARDENER)
    assert t.state.top[:3].tolist() == [NONE] * 3  # nothing is turned up yet
    assert (t.seat, t.state.held[:3].tolist()) == (1, [8, 9, 9])
    assert choices(t, "play_card") == list(range(9))
    play(t, Card.GARDENER)
    play(t, Card.GARDENER)
    assert t.state.top[:3].tolist() == [Card.GARDENER] * 3
    assert t.state.picked[:3].tolist() == [NONE] * 3
    assert (t.seat, t.state.phase, t.state.card) == (0, Phase.MOVE, Card.GARDENER)


@pytest.mark.rules("VIA-062", "VIA-066", "VIA-070")
def test_the_picked_cards_are_carried_out_from_the_first_player_on():
    t = finish_setup(table(3, first_player="1"), [Card.MARQUIS, Card.HOUSEKEEPER, Card.MARQUIS])
    assert (t.seat, t.state.phase) == (1, Phase.MARQUIS)
    t.play(t.legal()[0])
    assert (t.seat, t.state.phase) == (2, Phase.DOOR)
    t.play(t.legal()[0])
    assert (t.seat, t.state.phase) == (0, Phase.MARQUIS)
    t.play(t.legal()[0])
    assert (t.seat, t.state.phase, t.state.first) == (1, Phase.CARD, 1)  # round 2


@pytest.mark.rules("VIA-063")
def test_a_useless_first_card_is_carried_out_as_far_as_possible():
    t = finish_setup(table(2, startup="2"), [Card.MASTER_GARDENER, Card.MARQUIS])
    do(t, "move_pawn", court=1)  # the Marquis is there: nothing can be placed
    assert (t.seat, t.state.phase, t.state.pawn[0] + 1) == (1, Phase.MARQUIS, 1)


@pytest.mark.rules("VIA-064")
def test_a_cook_picked_first_lies_there_until_its_owner_s_turn():
    t = finish_setup(table(2), [Card.HOUSEKEEPER, Card.COOK])
    assert t.state.top[:2].tolist() == [Card.HOUSEKEEPER, Card.COOK]
    t.play(t.legal()[0])
    assert (t.state.top[1], t.state.held[1], t.seat) == (NONE, 9, 0)


# --- 4. turns ---------------------------------------------------------------------------------------


@pytest.mark.rules("VIA-071", "VIA-072", "VIA-073", "VIA-115")
def test_a_turn_returns_the_pawn_then_plays_a_card_on_top_of_the_pile():
    t = ready()
    lay_top(t, 0, Card.GARDENER)
    t.state.pawn[0] = MARKET + 2
    t.state.phase = Phase.ENTRANCE
    t.refresh()
    assert families(t) == {"return_palace"}
    do(t, "return_palace", entrance=1)
    assert (t.state.pawn[0], families(t)) == (REAR, {"play_card"})
    play(t, Card.MARQUIS)
    assert (t.state.top[0], t.state.held[0]) == (Card.MARQUIS, 7)
    assert not t.state.hand[0, Card.MARQUIS]


@pytest.mark.rules("VIA-074", "VIA-075", "VIA-076", "VIA-077", "VIA-078")
def test_the_main_rule_bans_the_top_cards_of_the_others():
    t = lay_top(lay_top(lay_top(ready(), 0, Card.MARQUISE), 1, Card.GIRL), 2, Card.COACHMAN)
    assert choices(t, "play_card") == [0, 1, 2, Card.HOUSEKEEPER, Card.MARQUIS, Card.COOK]
    assert families(t) == {"play_card"}  # no pass


@pytest.mark.rules("VIA-074")
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_every_seat_is_banned_by_all_others_wherever_they_sit(turn):
    t = ready(turn=turn)
    tops = {0: Card.MARQUISE, 1: Card.GIRL, 2: Card.COACHMAN}
    for seat, card in tops.items():
        lay_top(t, seat, card)
    assert t.seat == turn
    # Two of the three are banned, and the own one is not in hand.
    assert choices(t, "play_card") == [0, 1, 2, Card.HOUSEKEEPER, Card.MARQUIS, Card.COOK]


@pytest.mark.rules("VIA-079", "VIA-200")
def test_the_cook_is_never_banned_and_always_in_hand():
    t = ready(2)
    for card in range(8):
        t.state.hand[0, card] = 0
    t.state.held[0] = 1
    t.state.top[0] = Card.GARDENER
    t.state.top[1] = Card.COOK  # cannot happen after round 1; even then
    t.refresh()
    assert choices(t, "play_card") == [Card.COOK]


# --- 5. movement ------------------------------------------------------------------------------------


@pytest.mark.rules("VIA-085", "VIA-086", "VIA-087")
@pytest.mark.parametrize(
    ("card", "courts"),
    [
        (Card.MASTER_GARDENER, [6, 8]),
        (Card.GARDENER, [5, 6, 7, 8]),
        (Card.APPRENTICE, [3, 4, 5, 6, 7, 8]),
        (Card.POET, [5, 6, 7, 8]),
    ],
)
def test_pawns_go_through_open_doorways_only(card, courts):
    t = put_pawn(ready(5), 0, 13)  # the door closes 9-13
    play(t, card)
    assert choices(t, "move_pawn") == courts


@pytest.mark.rules("VIA-086", "VIA-108")
def test_the_marquis_does_not_pass_the_closed_doorway():
    t = put_figures(ready(), marquis=9)
    play(t, Card.MARQUIS)
    assert choices(t, "marquis_to") == [2, 10, 11, 12]
    do(t, "marquis_to", court=2)
    assert (t.state.marquis + 1, scores(t)) == (2, [1, 0, 0])


@pytest.mark.rules("VIA-088")
@pytest.mark.parametrize("card", [0, 1, 2, Card.MARQUISE, Card.MARQUIS, Card.POET, Card.GIRL])
def test_moving_is_compulsory(card):
    t = put_pawn(ready(5), 0, 3)
    play(t, card)
    here = {Card.MARQUISE: 5, Card.MARQUIS: 9}.get(card, 3)
    for family in ("move_pawn", "girl_step", "marquise_to", "marquis_to"):
        assert here not in choices(t, family)
    assert "done" not in families(t)


@pytest.mark.rules("VIA-089", "VIA-016")
@pytest.mark.parametrize(
    ("street", "card", "courts"),
    [
        (PLAZA, Card.MASTER_GARDENER, [1]),
        (PLAZA, Card.GARDENER, [1, 2, 12]),
        (PLAZA, Card.APPRENTICE, [1, 2, 3, 11, 12]),
        (REAR, Card.MASTER_GARDENER, [8]),
        (REAR, Card.GARDENER, [7, 8, 13]),
        (REAR, Card.APPRENTICE, [6, 7, 8, 13]),
    ],
)
def test_the_first_step_from_the_street_leads_through_the_entrance(street, card, courts):
    t = ready()
    t.state.pawn[0] = street
    play(t, card)
    assert choices(t, "move_pawn") == courts


@pytest.mark.rules("VIA-090")
def test_nobody_steps_into_the_street():
    t = put_pawn(ready(), 0, 1)
    play(t, Card.APPRENTICE)
    assert choices(t, "move_pawn") == [2, 3, 4, 5, 10, 11, 12]  # there is no action for the street


@pytest.mark.rules("VIA-091", "VIA-092")
def test_pawns_and_figures_may_share_a_courtyard():
    t = put_figures(put_pawn(put_pawn(ready(), 0, 5), 1, 6), marquise=6, marquis=6)
    play(t, Card.GARDENER)
    assert 6 in choices(t, "move_pawn")
    assert 13 in choices(t, "move_pawn")  # past the Marquis


# --- 6. placing -------------------------------------------------------------------------------------


@pytest.mark.rules("VIA-095", "VIA-096", "VIA-102", "VIA-103")
def test_a_gardener_places_from_the_reserve_where_the_move_ends():
    t = put_pawn(stock(ready(), 0, [1, 2, 2, 1, 1]), 0, 4)
    play(t, Card.MASTER_GARDENER)
    do(t, "move_pawn", court=5)
    assert families(t) == {"place_flower", "place_pot", "place_fountain", "done"}
    do(t, "place_pot")
    do(t, "place_flower", flower=C, hedge=0)
    do(t, "place_fountain")
    s = t.state
    assert (s.pot[0, 4], s.flower[0, 4, 0], s.fountain[0, 4], s.tokens[0, 4], s.courts[0]) == (1, 1, 1, 3, 1)
    assert s.personal[0].tolist() == [1, 1, 2, 0, 0]
    assert t.seat == 1  # three at most
    t.check()


@pytest.mark.rules("VIA-097")
def test_a_hedge_holds_one_type_of_any_players():
    t = plant(put_pawn(ready(), 0, 4), 1, 5, 0, C)
    play(t, Card.GARDENER)
    do(t, "move_pawn", court=5)
    assert choices(t, "place_flower") == [(B, 1), (C, 0), (C, 1), (P, 1)]


@pytest.mark.rules("VIA-099")
def test_scored_flowers_keep_their_spot_and_fix_the_type():
    t = plant(put_pawn(ready(), 0, 4), 1, 5, 1, C, scored=1, unscored=0)
    play(t, Card.GARDENER)
    do(t, "move_pawn", court=5)
    assert choices(t, "place_flower") == [(B, 0), (C, 0), (C, 1), (P, 0)]
    assert t.state.free[4, 1] == 1


@pytest.mark.rules("VIA-098")
def test_a_hedge_that_the_girl_empties_is_free_for_any_type():
    t = plant(put_pawn(ready(), 0, 5), 1, 5, 0, C)
    play(t, Card.GIRL)
    do(t, "girl_pick", owner=1, hedge=0)
    assert (t.state.hedge_kind[4, 0], t.state.free[4, 0]) == (NONE, 4)


@pytest.mark.rules("VIA-101")
def test_nothing_is_placed_in_the_courtyard_of_the_marquis():
    t = put_figures(put_pawn(ready(), 0, 4), marquis=5)
    play(t, Card.MASTER_GARDENER)
    do(t, "move_pawn", court=5)
    assert (t.seat, t.state.pawn[0] + 1, t.state.personal[0].sum()) == (1, 5, 5)


@pytest.mark.rules("VIA-102", "VIA-191", "VIA-192")
def test_placing_stops_on_request_or_when_nothing_fits():
    t = put_pawn(ready(), 0, 4)
    play(t, Card.MASTER_GARDENER)
    do(t, "move_pawn", court=5)
    do(t, "done")
    assert (t.seat, t.state.tokens[0, 4]) == (1, 0)
    t = put_pawn(stock(ready(), 0, [0, 0, 0, 2, 0]), 0, 4)
    play(t, Card.MASTER_GARDENER)
    do(t, "move_pawn", court=5)
    do(t, "place_pot")  # the only pot spot of 5
    assert t.seat == 1
    t = put_pawn(stock(ready(), 0, [0, 0, 0, 0, 0]), 0, 4)
    play(t, Card.GARDENER)
    do(t, "move_pawn", court=5)
    assert t.seat == 1  # an empty reserve


@pytest.mark.rules("VIA-103")
@pytest.mark.parametrize(("card", "most"), [(Card.MASTER_GARDENER, 3), (Card.GARDENER, 2), (Card.APPRENTICE, 1)])
def test_three_gardeners_place_up_to_three_two_and_one(card, most):
    t = put_pawn(stock(ready(), 0, [4, 0, 0, 0, 0]), 0, 4)
    play(t, card)
    do(t, "move_pawn", court=5)
    for _ in range(most):
        assert t.seat == 0
        do(t, "place_flower", flower=B, hedge=0)
    assert t.seat == 1


def test_options_are_refused_with_a_reason():
    for values, reason in [
        ({"honk": "loud"}, "option honk takes mask, auto, call, got 'loud'"),
        ({"startup": "3"}, "option startup takes 1, 1_main, 2"),
        ({"max_rounds": 0}, "option max_rounds takes 1 to 300, got 0"),
        ({"buried": True}, "no option called 'buried'. Allowed: poet"),
        ({"first_player": "3"}, "first_player is a seat from 0 to 2 at this table"),
    ]:
        with pytest.raises(OptionError, match=reason):
            Table(GAME, 3, values, interpreted=True)
    assert Options().to_dict() == {
        "poet": "auto", "startup": "1", "honk": "mask", "buried_cards_visible": False, "first_player": "random",
        "max_rounds": 100, "board": None,
    }  # fmt: skip
