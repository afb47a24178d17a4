"""Palace of Viana: restocking, the end, two players, honks, decisions, invariants (sections 9 to 16 of the ledger)."""

from __future__ import annotations

from collections import Counter

import pytest

from alarife.engine.table import Table
from alarife.games.viana import GAME
from alarife.games.viana.actions import ACTIONS
from alarife.games.viana.components import COURT_POINTS, FOUNTAIN, MARKET, NONE, POT, STAND_SIZE, Card, Phase
from alarife.games.viana.rules import cards, market
from alarife.games.viana.rules.end import score_end
from alarife.games.viana.rules.palace import take_flower
from games.viana.positions import (
    B,
    C,
    P,
    adorn,
    choices,
    do,
    families,
    finish_setup,
    is_legal,
    lay_top,
    plant,
    play,
    put_pawn,
    ready,
    scores,
    set_stand,
    stock,
    table,
)


def script_draws(monkeypatch, module, kinds):
    """The next tokens or cards drawn in a module."""
    left = list(kinds)
    monkeypatch.setattr(module, "draw_kind", lambda s, counts, total: left.pop(0))
    return left


def roll(monkeypatch, number):
    """The next rolls of the Cook's die."""
    monkeypatch.setattr(market, "below", lambda s, n: number - 1)


def stands(t):
    """Tokens on each stand."""
    return t.state.stand_size.tolist()


# --- 9. restocking ----------------------------------------------------------------------------------


@pytest.mark.rules("VIA-121", "VIA-145")
def test_tokens_go_to_one_stand_after_the_other(monkeypatch):
    t = ready()
    for i in range(1, 7):
        set_stand(t, i, [0, 0, 0, 0, 0])
    roll(monkeypatch, 8)
    script_draws(monkeypatch, market, [B, C, P, POT, FOUNTAIN, B, C, P])
    play(t, Card.COOK)
    assert [[k for k in range(5) for _ in range(t.state.stand[i, k])] for i in range(6)] == [
        [B, C], [C, P], [P], [POT], [FOUNTAIN], [B],
    ]  # fmt: skip
    assert t.state.bag_size == 90 - 8
    t.check()


@pytest.mark.rules("VIA-145")
def test_full_stands_are_skipped_and_the_next_token_goes_behind_the_stand_used(monkeypatch):
    t = ready()
    for i, size in enumerate(STAND_SIZE.tolist()):
        set_stand(t, i + 1, [size if i in (0, 1, 3) else 0, 0, 0, 0, 0])
    roll(monkeypatch, 3)
    script_draws(monkeypatch, market, [P, P, P])
    play(t, Card.COOK)
    assert [t.state.stand[i, P] for i in range(6)] == [0, 0, 1, 0, 1, 1]


@pytest.mark.rules("VIA-145", "VIA-009", "VIA-212")
def test_a_fountain_skips_stands_that_have_one(monkeypatch):
    t = ready()
    for i in range(6):
        set_stand(t, i + 1, [0, 0, 0, 0, 1 if i < 4 else 0])
    roll(monkeypatch, 3)
    script_draws(monkeypatch, market, [FOUNTAIN, B, FOUNTAIN])
    play(t, Card.COOK)
    assert t.state.stand[:, FOUNTAIN].tolist() == [1, 1, 1, 1, 1, 1]
    assert t.state.stand[:, B].tolist() == [0, 0, 0, 0, 0, 1]  # the pointer moved on behind stand 5
    t.check()


@pytest.mark.rules("VIA-145", "VIA-211")
def test_a_fountain_that_fits_nowhere_leaves_the_game_and_counts(monkeypatch):
    t = ready()
    for i in range(6):
        set_stand(t, i + 1, [0, 0, 0, 0, 1])
    roll(monkeypatch, 2)
    script_draws(monkeypatch, market, [FOUNTAIN, C])
    play(t, Card.COOK)
    s = t.state
    assert (s.unplaced, s.stand[:, C].tolist(), s.bag_size) == (1, [1, 0, 0, 0, 0, 0], 82)
    t.check()


def full_market(t, bag):
    """All 29 places taken by flowers; the bag holds the given tokens, the rest is out of the game."""
    s = t.state
    for i, size in enumerate(STAND_SIZE.tolist()):
        set_stand(t, i + 1, [size if i < 2 else 0, size if 1 < i < 4 else 0, size if i > 3 else 0, 0, 0])
    return empty_bag(t, bag) if s else t


def empty_bag(t, bag):
    """The bag holds the given tokens only, the rest is out of the game."""
    s = t.state
    for kind in range(5):
        s.swapped[kind] += s.bag[kind] - bag[kind]
        s.bag[kind] = bag[kind]
    s.bag_size = sum(bag)
    return t.refresh()


@pytest.mark.rules("VIA-145", "VIA-146")
def test_a_full_market_draws_nothing_and_triggers_nothing(monkeypatch):
    for bag in ([0, 0, 0, 0, 0], [1, 0, 0, 0, 0]):
        t = full_market(ready(), bag)
        roll(monkeypatch, 12)
        play(t, Card.COOK)
        assert (t.state.final_turns, t.state.bag_size, stands(t)) == (0, sum(bag), STAND_SIZE.tolist())


@pytest.mark.rules("VIA-145", "VIA-147", "VIA-150")
@pytest.mark.parametrize(("number", "triggered"), [(2, False), (3, True)])
def test_needing_a_token_in_vain_triggers_the_end_taking_the_last_one_does_not(monkeypatch, number, triggered):
    t = full_market(ready(), [0, 0, 0, 0, 0])
    set_stand(t, 6, [0, 0, 0, 0, 0])
    empty_bag(t, [2, 0, 0, 0, 0])
    roll(monkeypatch, number)
    script_draws(monkeypatch, market, [B, B])
    play(t, Card.COOK)
    assert (t.state.bag_size, t.state.stand_size[5]) == (0, 2)
    assert (t.state.final_turns > 0) == triggered


@pytest.mark.rules("VIA-148", "VIA-116")
def test_pawns_are_served_after_a_restock_that_ends_early(monkeypatch):
    t = full_market(ready(), [0, 0, 0, 0, 0])
    t.state.pawn[1] = MARKET
    set_stand(t, 6, [0, 0, 0, 0, 0])
    empty_bag(t, [0, 0, 0, 0, 0])
    roll(monkeypatch, 1)
    play(t, Card.COOK)
    assert t.state.final_turns == 3  # of four, the triggering turn is over
    assert t.state.personal[1].tolist() == [5, 2, 2, 0, 0]  # stand 1 had four B, all of them could be swapped


@pytest.mark.rules("VIA-149", "VIA-193")
def test_bag_count_and_composition_are_public():
    t = ready()
    shown = GAME.features.describe(t.observe(2))
    assert shown["bag"] * [20, 20, 20, 17, 13] == pytest.approx(t.state.bag.tolist())
    assert shown["bag_size"][0] * 90 == pytest.approx(69)


# --- 10. the end ------------------------------------------------------------------------------------


def everywhere(t, p, courts=13):
    """Seat p has a decoration in each of the first courtyards: seven B, then C."""
    for court in range(1, courts + 1):
        plant(t, p, court, 0, B if court <= 7 else C)
    return t


def quick_turn(t):
    """The seat to decide plays the Marquis, or a card that is over as quickly."""
    play(t, next(card for card in (Card.MARQUIS, Card.HOUSEKEEPER, Card.COOK) if is_legal(t, "play_card", card=card)))
    if t.state.phase in (Phase.MARQUIS, Phase.DOOR):
        t.play(t.legal()[0])


@pytest.mark.rules("VIA-151", "VIA-152")
def test_thirteen_courtyards_may_be_announced_now_or_later():
    t = everywhere(stock(ready(), 0, [0, 0, 0, 0, 0]), 0)
    quick_turn(t)
    assert (t.seat, choices(t, "announce")) == (0, [0, 1])
    do(t, "announce", answer=0)
    assert (t.seat, t.state.final_turns) == (1, 0)
    for _ in range(2):
        quick_turn(t)
    quick_turn(t)
    assert (t.seat, choices(t, "announce")) == (0, [0, 1])  # in the next turn again
    do(t, "announce", answer=1)
    assert (t.seat, t.state.final_turns) == (1, 3)


@pytest.mark.rules("VIA-151")
def test_twelve_courtyards_or_another_player_s_turn_do_not_do():
    t = everywhere(ready(turn=1), 0)
    quick_turn(t)
    assert (t.seat, t.state.phase) == (2, Phase.CARD)
    t = everywhere(ready(), 0, courts=12)
    quick_turn(t)
    assert (t.seat, t.state.phase) == (1, Phase.CARD)


@pytest.mark.rules("VIA-153", "VIA-154")
def test_after_the_trigger_everybody_has_one_more_turn(monkeypatch):
    t = everywhere(stock(ready(turn=1), 1, [0, 0, 0, 0, 0]), 1)
    quick_turn(t)
    do(t, "announce", answer=1)
    assert t.state.final_turns == 3
    seats = []
    roll(monkeypatch, 12)
    while not t.over and len(seats) < 9:
        seats.append(t.seat)
        if t.seat == 0:
            empty_bag(t, [0, 0, 0, 0, 0])
            play(t, Card.COOK)  # a second trigger
        else:
            quick_turn(t)
    assert seats == [2, 0, 1]


@pytest.mark.rules("VIA-156", "VIA-205")
def test_the_safety_cap_ends_the_game_after_full_rounds():
    t = Table(GAME, 3, {"max_rounds": 2, "first_player": "1"}, seed=3, interpreted=True)
    finish_setup(t, [Card.MARQUIS] * 3)
    turns = 0
    while not t.over:
        assert t.state.turns < 6
        turns = t.state.turns
        t.play(t.legal()[0])
    assert (turns, t.state.turns, t.state.final_turns) == (5, 6, 0)


@pytest.mark.rules("VIA-156")
def test_a_final_round_that_is_running_at_the_cap_is_played_out():
    t = everywhere(stock(ready(2, turn=1, max_rounds=2), 1, [0, 0, 0, 0, 0]), 1)
    t.state.turns = 3  # the last turn before the cap
    quick_turn(t)
    do(t, "announce", answer=1)
    assert not t.over
    quick_turn(t)
    quick_turn(t)
    assert (t.over, t.state.turns) == (True, 6)


@pytest.mark.rules("VIA-160", "VIA-161", "VIA-155")
def test_the_garden_and_the_courtyards_are_scored_at_the_end():
    t = ready()
    plant(plant(t, 0, 13, 0, B, scored=1, unscored=2), 0, 13, 1, C)
    adorn(t, 0, 13, POT)
    adorn(t, 0, 13, FOUNTAIN)
    everywhere(t, 1, courts=8)
    t.state.marquise = t.state.marquis = 12
    score_end(t.state)
    assert scores(t) == [2 * 3, 5, 0]  # reserves and cards count nothing
    assert t.state.flower[0, 12].sum() == 3  # nothing is flipped


@pytest.mark.rules("VIA-160", "VIA-161")
def test_points_have_no_end():
    """More than a byte holds: 120 points, 20 for thirteen courtyards, 2 for the flower in the Garden."""
    t = everywhere(ready(), 2)
    t.state.score[2] = 120
    score_end(t.state)
    assert scores(t)[2] == 142


@pytest.mark.rules("VIA-161")
def test_what_courtyards_are_worth():
    assert COURT_POINTS.tolist() == [0, 0, 0, 0, 0, 0, 0, 4, 5, 6, 8, 11, 15, 20]
    t = everywhere(ready(), 2)
    score_end(t.state)
    assert scores(t) == [0, 0, 20 + 2]  # the one in the Garden is an unscored flower


@pytest.mark.rules("VIA-161")
def test_a_courtyard_counts_as_long_as_a_decoration_is_left_there():
    t = plant(everywhere(ready(), 1, courts=8), 1, 3, 0, B)
    take_flower(t.state, 1, 2, 0)  # one of two
    assert t.state.courts[1] == 8
    take_flower(t.state, 1, 2, 0)
    assert t.state.courts[1] == 7
    score_end(t.state)
    assert scores(t)[1] == 4


@pytest.mark.rules("VIA-011", "VIA-162", "VIA-163")
def test_most_points_win_and_equal_points_share_a_place():
    t = ready(5)
    for p, score in enumerate([30, -4, 85, 85, 30]):
        t.state.score[p] = score
    assert t.places() == [3, 5, 1, 1, 3]
    assert t.scores() == [30, -4, 85, 85, 30]


# --- 11. two players --------------------------------------------------------------------------------


@pytest.mark.rules("VIA-172", "VIA-173")
@pytest.mark.parametrize(("poet", "size"), [("off", 17), ("on", 19)])
def test_the_restriction_deck(poet, size):
    t = table(2, poet=poet)
    s = t.state
    assert s.restriction_deck.tolist() == [2] * 8 + [1, 2 if poet == "on" else 0]
    assert s.restriction_deck_size == size
    finish_setup(t, [Card.MARQUIS, Card.MARQUIS])
    t.play(t.legal()[0])
    assert s.restriction == NONE  # round 1


@pytest.mark.rules("VIA-170", "VIA-174", "VIA-176")
def test_a_restriction_card_at_the_start_of_each_turn_of_the_first_player(monkeypatch):
    t = finish_setup(table(2), [Card.HOUSEKEEPER, Card.HOUSEKEEPER])
    script_draws(monkeypatch, cards, [Card.GIRL, Card.POET, Card.GARDENER])
    t.play(t.legal()[0])
    t.play(t.legal()[0])
    assert (t.seat, t.state.restriction, t.state.restriction_deck_size) == (0, Card.GIRL, 16)
    assert Card.GIRL not in choices(t, "play_card")
    quick_turn(t)
    assert (t.seat, t.state.restriction) == (1, Card.GIRL)
    assert Card.GIRL not in choices(t, "play_card")
    assert all(table(players).state.restriction_deck_size == 0 for players in (3, 4, 5))


@pytest.mark.rules("VIA-170")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_more_than_two_players_turn_up_no_restriction_card(players):
    t = ready(players, turn=players - 1)
    quick_turn(t)
    assert (t.seat, t.state.restriction, sum(t.state.restriction_pile)) == (0, NONE, 0)


@pytest.mark.rules("VIA-174")
def test_the_restriction_card_comes_with_the_first_player_whichever_seat_that_is(monkeypatch):
    t = finish_setup(table(2, first_player="1"), [Card.HOUSEKEEPER, Card.HOUSEKEEPER])
    script_draws(monkeypatch, cards, [Card.GIRL, Card.POET, Card.GARDENER])
    t.play(t.legal()[0])
    t.play(t.legal()[0])
    assert (t.seat, t.state.first, t.state.restriction) == (1, 1, Card.GIRL)
    quick_turn(t)
    assert (t.seat, t.state.restriction, t.state.restriction_deck_size) == (0, Card.GIRL, 16)
    quick_turn(t)
    assert (t.seat, t.state.restriction) == (1, Card.POET)


def second_round(monkeypatch, first_cards, draws):
    """Both first cards are carried out; then these restriction cards are drawn."""
    t = finish_setup(table(2), first_cards)
    left = script_draws(monkeypatch, cards, draws)
    while t.state.turns < 2:
        t.play(t.legal()[0])
    return t, left


@pytest.mark.rules("VIA-175")
def test_a_card_that_equals_a_top_card_stays_and_another_is_drawn(monkeypatch):
    t, left = second_round(
        monkeypatch, [Card.HOUSEKEEPER, Card.MARQUIS], [Card.MARQUIS, Card.HOUSEKEEPER, Card.GIRL, Card.GIRL]
    )
    s = t.state
    assert (s.restriction, len(left)) == (Card.GIRL, 1)
    assert s.restriction_pile.tolist() == [0, 0, 0, 1, 0, 1, 1, 0, 0, 0]
    t.check()


@pytest.mark.rules("VIA-175", "VIA-079")
def test_the_cook_shuffles_all_restriction_cards(monkeypatch):
    t, _ = second_round(
        monkeypatch, [Card.HOUSEKEEPER, Card.MARQUIS], [Card.MARQUIS, Card.COOK, Card.COOK, Card.COACHMAN]
    )
    s = t.state
    assert (s.restriction, s.restriction_deck_size) == (Card.COACHMAN, 16)
    assert s.restriction_deck.tolist() == [2, 2, 2, 2, 2, 2, 2, 1, 1, 0]
    t.check()


@pytest.mark.rules("VIA-177")
def test_restriction_cards_go_on_in_the_final_round():
    t = ready(2, turn=1)
    t.state.final_turns = 2
    quick_turn(t)
    assert (t.seat, t.state.final_turns, t.state.restriction_deck_size) == (0, 1, 16)
    assert t.state.restriction != NONE


@pytest.mark.rules("VIA-178")
@pytest.mark.parametrize("poet", ["off", "on"])
def test_the_restriction_deck_never_runs_out(poet):
    t = ready(2, poet=poet)
    s = t.state
    drawn = Counter()
    for number in range(600):
        s.top[0], s.top[1] = number % 8, (number // 8) % 9 - 1
        cards.draw_restriction(s)
        assert s.restriction not in (NONE, Card.COOK, s.top[0], s.top[1])
        drawn[s.restriction] += 1
    assert len(drawn) == 8 + (poet == "on")


# --- 12. honks --------------------------------------------------------------------------------------


def honk_table(honk, players=3):
    """Seat 0 may play a card; seat 1 shows the Girl."""
    return lay_top(lay_top(ready(players, honk=honk), 1, Card.GIRL), 0, Card.GARDENER)


@pytest.mark.rules("VIA-180")
def test_by_default_banned_cards_are_masked():
    assert Card.GIRL not in choices(honk_table("mask"), "play_card")


@pytest.mark.rules("VIA-181", "VIA-185")
def test_auto_a_banned_card_returns_and_some_opponent_gains_a_point():
    t = honk_table("auto")
    assert Card.GIRL in choices(t, "play_card")
    honkers = Counter()
    for seed in range(300):
        again = t.fork(0, seed)
        play(again, Card.GIRL)
        s = again.state
        assert (again.seat, s.phase, s.top[0], s.held[0]) == (0, Phase.CARD, Card.GARDENER, 8)
        assert Card.GIRL not in choices(again, "play_card")  # masked now
        assert scores(again)[0] == 0
        honkers[tuple(scores(again))] += 1
        again.check()
    assert set(honkers) == {(0, 1, 0), (0, 0, 1)}
    assert abs(honkers[0, 1, 0] - 150) < 45


@pytest.mark.rules("VIA-182")
def test_call_the_first_opponent_who_honks_gains_a_point():
    t = honk_table("call")
    play(t, Card.GIRL)
    assert (t.seat, choices(t, "honk"), t.state.top[0]) == (1, [0, 1], Card.GIRL)
    do(t, "honk", answer=0)
    assert t.seat == 2
    do(t, "honk", answer=1)
    s = t.state
    assert (scores(t), t.seat, s.phase, s.top[0], s.honked) == ([0, 0, 1], 0, Phase.CARD, Card.GARDENER, Card.GIRL)
    assert Card.GIRL not in choices(t, "play_card")
    quick_turn(t)
    assert t.state.honked == NONE
    t.check()


@pytest.mark.rules("VIA-182")
def test_call_if_nobody_honks_the_card_stays():
    t = honk_table("call")
    play(t, Card.GIRL)
    do(t, "honk", answer=0)
    do(t, "honk", answer=0)
    assert (t.seat, t.state.phase, t.state.top[0], scores(t)) == (0, Phase.GIRL, Card.GIRL, [0, 0, 0])


@pytest.mark.rules("VIA-183")
@pytest.mark.parametrize("honk", ["auto", "call"])
def test_a_restriction_card_counts_for_the_honk(honk):
    t = ready(2, honk=honk)
    s = t.state
    s.restriction = Card.MARQUIS
    s.restriction_deck[Card.MARQUIS] -= 1
    s.restriction_deck_size -= 1
    s.restriction_pile[Card.MARQUIS] += 1
    t.refresh()
    play(t, Card.MARQUIS)
    if honk == "call":
        do(t, "honk", answer=1)
    assert (scores(t), t.state.phase) == ([0, 1], Phase.CARD)
    t.check()


@pytest.mark.rules("VIA-184")
def test_legal_cards_are_never_honked_at():
    t = honk_table("call")
    play(t, Card.MARQUIS)
    assert (t.seat, t.state.phase) == (0, Phase.MARQUIS)


# --- 13. decisions, 15. a legal action always exists ------------------------------------------------


@pytest.mark.rules("VIA-190")
def test_the_action_space():
    starts = {
        "play_card": 0, "return_flower": 10, "return_palace": 13, "move_pawn": 15, "girl_step": 28, "girl_pick": 41,
        "girl_drop": 61, "marquise_to": 65, "marquis_to": 78, "door_to": 91, "place_flower": 107, "place_pot": 119,
        "place_fountain": 120, "flip_flower": 121, "stand": 125, "announce": 131, "honk": 133, "done": 135,
    }  # fmt: skip
    assert {name: ACTIONS.span(name).start for name in starts} == starts
    assert ACTIONS.size == 136


@pytest.mark.rules("VIA-191")
def test_masks_of_the_card_decision():
    t = honk_table("call")
    assert choices(t, "play_card") == [0, 2, 3, 4, 5, 6, 7, 8]
    assert choices(table(3), "play_card") == []
    assert families(table(3)) == {"return_flower"}


@pytest.mark.rules("VIA-201")
def test_every_pawn_has_a_step_wherever_the_door_is():
    t = ready()
    for d in range(16):
        if d != t.state.door:
            play(t, Card.HOUSEKEEPER) if is_legal(t, "play_card", card=Card.HOUSEKEEPER) else None
            if t.state.phase == Phase.DOOR:
                do(t, "door_to", doorway=d)
        assert all(t.state.reach[0, c] > 0 for c in range(13))


@pytest.mark.rules("VIA-204")
def test_a_turn_takes_few_decisions():
    assert GAME.longest == 2 * 5 + 14 * 5 * 301


# --- 16. invariants ---------------------------------------------------------------------------------


@pytest.mark.rules("VIA-210", "VIA-211", "VIA-212", "VIA-213", "VIA-214")
@pytest.mark.parametrize(
    ("rule", "break_it"),
    [
        ("VIA-210", lambda s: s.common.__setitem__((0, 0), s.common[0, 0] - 1)),
        ("VIA-210", lambda s: s.personal.__setitem__((1, 4), s.personal[1, 4] + 1)),
        ("VIA-211", lambda s: s.bag.__setitem__(2, s.bag[2] - 1)),
        ("VIA-212", lambda s: setattr(s, "cat", s.marquise)),
        ("VIA-213", lambda s: s.hand.__setitem__((1, 3), 0)),
        ("VIA-085|VIA-214", lambda s: setattr(s, "door", 0)),
    ],
)
def test_check_finds_what_is_broken(rule, break_it):
    t = put_pawn(ready(), 0, 4)
    t.check()
    break_it(t.state)
    with pytest.raises(AssertionError, match=rule):
        t.check()
