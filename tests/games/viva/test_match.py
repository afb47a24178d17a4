"""VIVA: long rounds, the end of a round, the match, options and invariants (sections 9, 10, 13 and 14 of the rules)."""

from __future__ import annotations

import numpy as np
import pytest

from alarife.engine.batch import Batch
from alarife.engine.errors import OptionError
from alarife.games.viva import GAME
from alarife.games.viva.components import COLOURS_OF, Phase
from games.viva.positions import NONE, do, fresh, hand, kind, position, tops

ONE_ROUND = {"match": "single_round"}
STUCK = "G", "G", "G"  # houses


def last_round(*hands, wins, position_sum=(0,) * 6, turn=0, rounds=5, **more):
    """The last round of a match; seat `turn` may go out now."""
    return position(*hands, wins=wins, round=sum(wins), position_sum=position_sum, turn=turn, general="R",
                    options={"rounds": rounds}, **more)  # fmt: skip


def tie_break(*hands, wins, turn=0, **more):
    """The tie-break round after five rounds; seat `turn` may go out now."""
    return position(*hands, wins=wins, round=5, tie_break=1, turn=turn, general="R", **more)


# --- rounds that are stopped ------------------------------------------------------------------------


@pytest.mark.rules("VIV-095")
def test_a_round_is_stopped_after_600_turns():
    cards = {"houses": STUCK, "stack": "R R R", "options": ONE_ROUND}
    assert not do(position("B B", "B B", turns=599, **cards), "draw").over
    assert do(position("B B", "B B", turns=600, **cards), "draw").over


@pytest.mark.rules("VIV-096")
def test_a_stopped_round_ranks_those_still_in_by_fewer_cards_then_from_the_starter():
    table = position("P P", "", "B B B", "B B", houses=STUCK, stack="R", out=(1,), starter=2, turns=600,
                     options=ONE_ROUND)  # fmt: skip
    do(table, "draw")  # seats 0 and 2 hold three cards, seat 3 two
    assert table.places() == [4, 1, 3, 2]


@pytest.mark.rules("VIV-096", "VIV-101", "VIV-102", "VIV-019")
def test_the_first_and_last_of_a_stopped_round_have_won_and_lost():
    table = do(position("B B B", "B B", "B", houses=STUCK, stack="R", turns=600), "draw")
    s = table.state
    assert (list(s.wins[:3]), s.starter, table.seat, s.owner) == ([0, 0, 1], 2, 2, 0)
    assert (s.turns, s.round) == (1, 1)
    assert list(s.position_sum[:3]) == [3, 2, 1]


@pytest.mark.rules("VIV-095", "VIV-096", "VIV-083")
def test_nobody_inherits_a_turn_beyond_the_600th():
    table = position("B", "G G", "G G G", general="B", turns=600, starter=2, options=ONE_ROUND)
    assert do(table, "general").places() == [1, 2, 3]


@pytest.mark.rules("VIV-095", "VIV-100")
def test_a_round_that_ends_with_its_600th_turn_ends_as_any_other():
    table = position("B", "B B", general="B", turns=600, options=ONE_ROUND)
    assert do(table, "general").places() == [1, 2]


# --- the end of a round -----------------------------------------------------------------------------


@pytest.mark.rules("VIV-100", "VIV-103", "VIV-110", "VIV-079")
def test_a_round_ends_when_one_player_remains():
    table = position("R", "B GB", "P P", "", general="R", out=(3,), options=ONE_ROUND)
    do(table, "general", "block B")
    assert not table.over
    do(table, "general")
    assert table.over
    assert table.places() == [2, 3, 4, 1]


@pytest.mark.rules("VIV-103", "VIV-110", "VIV-101")
def test_the_order_of_going_out_is_the_result_of_a_single_round():
    table = position("B B", "R", "", "", general="R", out=(3, 2), turn=1, options=ONE_ROUND)
    do(table, "general")
    assert table.over
    assert (table.places(), table.scores()) == ([4, 3, 2, 1], [0, 1, 2, 3])
    assert list(table.state.wins[:4]) == [0, 0, 0, 1]


@pytest.mark.rules("VIV-101", "VIV-103", "VIV-109")
def test_round_positions_are_added_up():
    table = do(position("B B", "R", "", general="R", out=(2,), turn=1, position_sum=(1, 2, 3), wins=(1, 0, 0), round=1),
               "general")  # fmt: skip
    assert list(table.state.position_sum[:3]) == [4, 4, 4]
    assert list(table.state.wins[:3]) == [1, 0, 1]


# --- the match --------------------------------------------------------------------------------------


@pytest.mark.rules("VIV-104", "VIV-105")
@pytest.mark.parametrize("rounds", [1, 2])
def test_a_match_has_the_number_of_rounds_agreed_on(rounds):
    table = do(position("R", "B B", general="R", options={"rounds": rounds}), "general")
    assert table.over is (rounds == 1)


@pytest.mark.rules("VIV-105")
def test_most_winner_cards_win_the_match_whoever_wins_its_last_round():
    table = do(last_round("R", "", "B B", wins=(0, 1, 3), out=(1,)), "general")
    assert (table.over, table.state.champion, table.scores(), table.places()[2]) == (True, 2, [0, 2, 3], 1)


@pytest.mark.rules("VIV-109", "VIV-105")
@pytest.mark.parametrize(
    ("sums", "places"), [((12, 9), [1, 3, 2]), ((11, 9), [1, 2, 2]), ((9, 9), [1, 2, 3])], ids=["12", "shared", "21"]
)
def test_below_the_winner_cards_come_first_then_position_sums_then_a_shared_place(sums, places):
    table = last_round("R", "", "B B", wins=(3, 0, 1), position_sum=(15, *sums), out=(1,))
    do(table, "general")  # seats 1 and 2 have one card each now; seat 1 adds 1 to its sum, seat 2 adds 3
    assert (table.over, table.scores()) == (True, [3, 1, 1])
    assert list(table.state.position_sum[:3]) == [17, sums[0] + 1, sums[1] + 3]
    assert table.places() == places


@pytest.mark.rules("VIV-106", "VIV-107", "VIV-108")
def test_those_who_share_the_most_cards_play_a_tie_break():
    table = do(last_round("R", "B B", "", wins=(2, 2, 0), out=(2,)), "general")
    s = table.state
    assert (table.over, s.tie_break, s.round, list(s.wins[:3])) == (False, 1, 5, [2, 2, 1])
    assert list(s.active[:3]) == [1, 1, 0]
    assert list(s.held[:3]) == [5, 5, 0]
    assert s.stack_size == 126 - 10 - 2


@pytest.mark.rules("VIV-108")
def test_the_loser_of_the_last_round_has_a_personal_card_in_the_tie_break_if_he_takes_part():
    joins = do(last_round("R", "B B", "", wins=(2, 2, 0), out=(2,)), "general").state
    assert joins.owner == 1
    assert joins.personal in range(21)
    watches = do(last_round("R", "", "B B", wins=(2, 1, 1), out=(1,)), "general").state
    assert (watches.tie_break, list(watches.active[:3])) == (1, [1, 1, 0])
    assert watches.owner == watches.personal == NONE


@pytest.mark.rules("VIV-108", "VIV-020")
@pytest.mark.parametrize(
    ("wins", "winner", "starter"),
    [((1, 2, 1, 0), 0, 0), ((2, 0, 2, 0), 1, 2), ((2, 0, 2, 0), 3, 0), ((0, 2, 0, 2), 2, 3)],
)
def test_the_tie_break_is_started_by_the_tied_player_next_from_the_last_winner(wins, winner, starter):
    hands = ["", "", "", ""]
    others = [seat for seat in range(4) if seat != winner]
    hands[others[0]], hands[others[1]] = "R", "B B"
    table = last_round(*hands, wins=wins, turn=others[0], out=(winner, others[2]))
    do(table, "general")
    assert (table.state.tie_break, table.state.starter, table.seat) == (1, starter, starter)


@pytest.mark.rules("VIV-107", "VIV-109", "VIV-105")
def test_first_out_in_the_tie_break_wins_the_match_without_a_card():
    table = tie_break("R", "B B", "", wins=(2, 2, 1), position_sum=(12, 8, 10), absent=(2,))
    do(table, "general")
    s = table.state
    assert (table.over, s.champion, s.round) == (True, 0, 5)
    assert (list(s.wins[:3]), list(s.position_sum[:3])) == ([2, 2, 1], [12, 8, 10])
    assert (table.scores(), table.places()) == ([2, 2, 1], [1, 2, 3])


@pytest.mark.rules("VIV-106", "VIV-100")
def test_a_tie_break_of_three_goes_on_until_one_remains():
    table = position("RB", "B", "", "B B", general="R", wins=(1, 1, 1, 1), round=4, tie_break=1, absent=(2,),
                     options={"rounds": 4}, stack="G", discard="V V")  # fmt: skip
    do(table, "general")
    assert (table.over, table.seat) == (False, 1)


@pytest.mark.rules("VIV-028", "VIV-029", "VIV-106")
def test_players_who_watch_the_tie_break_take_no_penalties():
    table = position("RB G G", "", "B B", "", houses=("R", "R", ""), wins=(2, 0, 2, 1), round=5, tie_break=1,
                     absent=(1, 3))  # fmt: skip
    do(table, "play RB", "house 2", "call")
    assert list(table.state.held[:4]) == [1, 0, 4, 0]
    assert table.seat == 2


@pytest.mark.rules("VIV-111", "VIV-096", "VIV-154")
def test_a_stopped_tie_break_is_won_by_fewer_cards():
    table = position("B B B", "", "B B", houses=STUCK, stack="R", wins=(2, 1, 2), round=5, tie_break=1, absent=(1,),
                     turns=600, starter=0)  # fmt: skip
    do(table, "draw")
    assert (table.over, table.state.champion, table.places()) == (True, 2, [2, 3, 1])


@pytest.mark.rules("VIV-111", "VIV-096")
def test_equal_hands_in_a_stopped_tie_break_are_ranked_from_its_starter():
    table = position("B B", "", "B B B", houses=STUCK, stack="R", wins=(2, 1, 2), round=5, tie_break=1, absent=(1,),
                     turns=600, starter=2)  # fmt: skip
    assert do(table, "draw").state.champion == 2


# --- options ----------------------------------------------------------------------------------------


@pytest.mark.rules("VIV-112", "VIV-104", "VIV-115")
def test_the_options_have_these_defaults():
    assert fresh().options.to_dict() == {
        "edition": "standard", "match": "rounds", "rounds": 5, "bluff": False, "bluff_notice_probability": 0.5,
        "max_turns_per_round": 600,
    }  # fmt: skip


@pytest.mark.rules("VIV-112", "VIV-104")
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"edition": "travel"}, "viva: option edition takes standard, pocket, got 'travel'"),
        ({"match": "best_of"}, "viva: option match takes rounds, single_round, got 'best_of'"),
        ({"rounds": 0}, "viva: option rounds takes 1 to 12, got 0"),
        ({"rounds": 13}, "viva: option rounds takes 1 to 12, got 13"),
        (
            {"edition": "pocket", "rounds": 9},
            "viva: the pocket edition has winner's cards for 8 rounds, got rounds=9",
        ),
        ({"bluff": 1}, "viva: option bluff takes true, false, got 1"),
        ({"bluff_notice_probability": 1.5}, "viva: option bluff_notice_probability takes 0 to 1, got 1.5"),
        ({"bluf": True}, "viva: no option called 'bluf'. Did you mean 'bluff'?"),
    ],
)
def test_other_options_are_refused_with_a_sentence(options, sentence):
    with pytest.raises(OptionError) as error:
        fresh(2, **options)
    assert str(error.value).startswith(sentence)


@pytest.mark.rules("VIV-112", "VIV-104")
def test_the_limits_themselves_are_allowed():
    assert fresh(2, rounds=12).state.options.rounds == 12
    assert fresh(2, edition="pocket", rounds=8).state.options.rounds == 8
    for probability in (0, 1):
        table = fresh(2, bluff=True, bluff_notice_probability=probability)
        assert table.state.options.bluff_notice_probability == probability


@pytest.mark.rules("VIV-001", "VIV-011", "VIV-112")
def test_the_pocket_edition_is_dealt_from_84_cards():
    assert fresh(6, edition="pocket").state.stack_size == 84 - 30 - 1


# --- what must never occur --------------------------------------------------------------------------


@pytest.mark.rules("VIV-140", "VIV-144")
@pytest.mark.parametrize("players", [2, 6])
def test_the_cards_add_up_at_the_start(players):
    fresh(players).check()


@pytest.mark.rules("VIV-140")
@pytest.mark.parametrize("field", ["stack", "discard", "covered", "hand"])
def test_a_card_too_many_is_found(field):
    table = position("R B", "G")
    getattr(table.state, field)[(0, 0) if field == "hand" else 0] += 1
    with pytest.raises(AssertionError, match="VIV-140"):
        table.check()


@pytest.mark.rules("VIV-140")
@pytest.mark.parametrize("field", ["held", "stack_size", "height"])
def test_wrong_sums_are_found(field):
    table = position("R B", "G", houses=("P R", "", ""))
    if field == "stack_size":
        table.state.stack_size += 1
    else:
        getattr(table.state, field)[0] += 1
    with pytest.raises(AssertionError, match="VIV-140"):
        table.check()


@pytest.mark.rules("VIV-141")
def test_a_card_that_does_not_match_the_one_below_is_found_unless_bluff_let_it_stand():
    misplaced = {"houses": ("R B", "", ""), "placed": (1, 0, 0), "under": (kind("R"), NONE, NONE)}
    with pytest.raises(AssertionError, match="VIV-141"):
        position("R B", "G", **misplaced).check()
    going_on = {"phase": Phase.MORE, "placed": (1, 0, 0), "under": (kind("R"), NONE, NONE)}
    position("R B", "G", houses=("R B", "", ""), kind=kind("B"), **going_on, options={"bluff": True}).check()
    position("R RB", "G", houses=("R RB", "", ""), kind=kind("RB"), **going_on).check()


@pytest.mark.rules("VIV-142")
def test_an_active_player_without_cards_is_found():
    with pytest.raises(AssertionError, match="VIV-142"):
        position("", "G").check()


@pytest.mark.rules("VIV-143")
def test_a_player_who_is_out_with_a_personal_card_is_found():
    with pytest.raises(AssertionError, match="VIV-143"):
        position("", "G", "G", out=(0,), personal=(0, "B")).check()


@pytest.mark.rules("VIV-144")
def test_winner_cards_that_do_not_fit_the_rounds_are_found():
    with pytest.raises(AssertionError, match="VIV-144"):
        position("R", "G", wins=(1, 0), round=2).check()
    position("R", "G", wins=(1, 1), round=2).check()


@pytest.mark.rules("VIV-147")
@pytest.mark.parametrize(("field", "value"), [
    ("turn_of", 2), ("turn_of", NONE), ("starter", 77), ("owner", 2), ("champion", 2), ("turns", -5), ("turns", 601),
])  # fmt: skip
def test_a_seat_that_is_not_there_and_too_many_turns_are_found(field, value):
    with pytest.raises(AssertionError, match="VIV-147"):
        position("R", "G", **{field: value}).check()


@pytest.mark.rules("VIV-146")
def test_a_personal_card_in_front_of_nobody_is_found():
    with pytest.raises(AssertionError, match="VIV-146"):
        position("R", "G", personal=(NONE, "B")).check()


# --- over random games ------------------------------------------------------------------------------


def random_games(steps=400, **options):
    """Games at 2 to 6 players before each step: every second one is half scripted, so that rounds end."""
    batch = Batch(GAME, games=40, players=[2, 3, 4, 5, 6], seed=3, options=options)
    numbers = np.random.default_rng(4)
    for _ in range(steps):
        yield batch
        actions = batch.sample().copy()
        scripted = np.flatnonzero((numbers.random(40) < 0.5) & (np.arange(40) % 2 == 1))
        actions[scripted] = batch.script(scripted)[scripted]
        batch.step(actions)


@pytest.mark.rules("VIV-145", "VIV-030", "VIV-033")
def test_no_blocked_or_unmatched_type_is_ever_legal():
    for batch in random_games():
        s = batch.state
        bits = np.append(COLOURS_OF, 0)  # the last one for no card
        owned = np.where(s["owner"] == s["seat"], bits[s["personal"]], 0)
        blocked = bits[s["general"]] | owned
        for k in range(21):
            offered = batch.action_mask[:, k] == 1
            fits = ((bits[s["top"]] & bits[k]) != 0) | (s["top"] == NONE)
            assert not np.any(offered & ((bits[k] & blocked) != 0))
            assert not np.any(offered & ~fits.any(axis=1))


@pytest.mark.rules("VIV-150", "VIV-142")
@pytest.mark.parametrize("bluff", [False, True])
def test_there_is_always_a_legal_action_and_draw_in_every_turn(bluff):
    for batch in random_games(bluff=bluff):
        assert batch.action_mask.any(axis=1).all()
        assert (batch.action_mask[batch.state["phase"] == Phase.TURN, 26] == 1).all()


@pytest.mark.rules("VIV-140", "VIV-141", "VIV-142", "VIV-143", "VIV-144", "VIV-146")
@pytest.mark.parametrize("options", [{}, {"edition": "pocket"}, {"bluff": True}, {"match": "single_round"}])
def test_the_invariants_hold_in_random_games(options):
    for batch in random_games(**options):
        batch.check()


@pytest.mark.rules("VIV-151", "VIV-134")
@pytest.mark.parametrize(("bluff", "most"), [(False, 11), (True, 16)])
def test_a_turn_has_few_decisions(bluff, most):
    turn, begun = None, None
    for batch in random_games(bluff=bluff):
        s = batch.state
        now = np.stack([s["turns"], s["round"], s["turn_of"]])
        if turn is None:
            turn, begun = now, s["decisions"].copy()
        changed = (now != turn).any(axis=0) | (s["decisions"] < begun)
        begun = np.where(changed, s["decisions"], begun)
        turn = now
        assert (s["decisions"] - begun < most).all()


@pytest.mark.rules("VIV-095", "VIV-152")
def test_rounds_and_matches_are_finite():
    assert GAME.longest >= 13 * 600 * 11
    batch = Batch(GAME, games=10, players=[2, 6], seed=1, options={"match": "single_round"}, restart=False)
    for _ in range(600 * 11):
        rows = np.flatnonzero(batch.over == 0)
        if not len(rows):
            break
        batch.step(batch.sample(), rows)
    assert batch.over.all()
    assert batch.state["turns"].max() <= 600


def test_helpers_read_what_they_write():
    table = position("R RB", "B", houses=("P R", "", "V"), general="Y", personal=(1, "G"))
    assert (hand(table, 0), tops(table), table.state.height[0]) == ("R RB", ["R", "", "V"], 2)
    table.check()
