"""VIVA: what everybody remembers of the hands, and forks that agree with it."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from alarife.games.viva import memory
from alarife.games.viva.components import ALL_KINDS, DIGITS, KINDS, PLAYERS
from alarife.games.viva.memory import MOST, number_of
from games.viva.positions import TYPES, do, hand, kind, position


def forked_hands(table, viewer, seat, belief, count=60):
    """The cards of another seat in forks of some belief, each a list of letters."""
    return [hand(table.fork(viewer, key, belief), seat).split() for key in range(count)]


# --- cards that were seen ----------------------------------------------------------------------------


@pytest.mark.rules("VIV-130", "VIV-055")
def test_whoever_is_asked_for_another_copy_and_plays_none_is_known_to_hold_one():
    table = do(position("R R GB PB", "Y Y G"), "play R", "house 0", "end")
    assert table.state.known[0, kind("R")] == 1
    assert all("R" in cards for cards in forked_hands(table, 1, 0, "memory"))
    assert not all("R" in cards for cards in forked_hands(table, 1, 0, "view"))


@pytest.mark.rules("VIV-130")
def test_whoever_is_not_asked_for_another_copy_holds_none():
    table = do(position("R GB PB YB YG", "Y Y G"), "play R", "house 0")
    assert number_of(table.state.proven, 0, kind("R")) == 0
    assert not any("R" in cards for cards in forked_hands(table, 1, 0, "memory", 150))
    assert any("R" in cards for cards in forked_hands(table, 1, 0, "view", 150))


def test_a_card_taken_later_may_be_of_any_kind_again():
    table = do(position("R GB PB", "Y Y G", stack="R R R R"), "play R", "house 0", "draw", "end", "draw", "end")
    assert number_of(table.state.proven, 0, kind("R")) == 1
    table.check_memory(1)


@pytest.mark.rules("VIV-116", "VIV-123")
def test_cards_taken_back_after_a_caught_bluff_are_known_and_a_played_one_is_not_any_more():
    bluff = {"bluff": True, "bluff_notice_probability": 1.0}
    table = position("V V GB PB YB", "Y Y G", houses=("Y", "", ""), general="V", options=bluff)
    do(table, "play V", "house 0", "house 0", "catch")
    assert table.state.known[0, kind("V")] == 2
    assert all(cards.count("V") >= 2 for cards in forked_hands(table, 1, 0, "memory"))
    do(table, "draw", "end", "play V", "house 1", "end", "let pass")
    assert table.state.known[0, kind("V")] == 1


@pytest.mark.rules("VIV-091", "VIV-136")
def test_two_players_know_each_other_when_the_stack_runs_out():
    table = position("V RV", "Y Y G", stack="", discard="BV BV BV BV")
    do(table, "draw")
    assert table.state.known[1].tolist() == table.state.hand[1].tolist()
    assert all(cards == hand(table, 1).split() for cards in forked_hands(table, 0, 1, "memory", 20))
    assert all(sorted(cards) == ["BV", "RV", "V"] for cards in forked_hands(table, 1, 0, "memory", 20))


def test_three_players_do_not():
    """Each knows the others' hands together, but not who holds what: that is not kept."""
    table = do(position("V RV", "Y Y G", "Y R", stack="", discard="BV BV BV BV"), "draw")
    assert not np.any(table.state.known)


@pytest.mark.rules("VIV-010", "VIV-011")
def test_new_hands_are_unknown():
    table = do(position("R R GB PB", "Y Y G"), "play R", "house 0", "end")
    memory.forget_hands(table.state)
    assert not np.any(table.state.known)
    assert np.all(table.state.proven == ALL_KINDS)
    assert np.all(table.state.likely == ALL_KINDS)


# --- as the scripted player plays ---------------------------------------------------------------------


@pytest.mark.rules("VIV-041")
def test_whoever_takes_a_card_holds_none_that_the_script_would_have_played():
    table = do(position("V RV PV", "Y Y G", general="V", stack="YV YV YV R R R R G G B B"), "draw")
    assert all("V" in card for cards in forked_hands(table, 1, 0, "play") for card in cards)
    assert not all("V" in card for cards in forked_hands(table, 1, 0, "memory") for card in cards)


@pytest.mark.rules("VIV-075")
def test_whoever_keeps_a_last_card_holds_none_that_goes_on_the_blocking_card():
    table = do(position("R", "Y Y G", general="V", stack="R R R V V V G"), "draw")
    s = table.state
    ruled_out = {TYPES[k] for k in range(KINDS) if number_of(s.likely, 0, k) < number_of(s.proven, 0, k)}
    assert ruled_out >= {name for name in TYPES if "V" in name}


def test_a_seat_that_plays_otherwise_is_judged_by_what_is_proven():
    table = position("R B GB PB", "YB YB G", general="V", stack="V V V V V")
    do(table, "draw")  # though it could have played
    assert number_of(table.state.likely, 0, kind("R")) == 0
    do(table, "play G", "house 0", "play R", "house 1")
    assert table.state.likely[0].tolist() == table.state.proven[0].tolist()
    table.check_memory(1)


def test_forks_of_every_belief_can_be_made_where_the_play_was_no_ones():
    """Memory that contradicts the cards, as positions set up by hand may, is passed over."""
    table = position("R B", "YB YB G")
    memory.rule_out(table.state.proven, 0, ALL_KINDS)
    memory.rule_out(table.state.likely, 0, ALL_KINDS)
    table.refresh()
    for belief in ("view", "memory", "play"):
        table.fork(1, 3, belief).check()
    with pytest.raises(AssertionError, match="a hand holds cards that were proven not to be there"):
        table.check_memory(1)


def test_deals_to_one_hand_that_agree_are_equally_likely():
    """R, G and B are unseen, two in the hand, the older one no R: GR and BR in one deal of four each, GB in two."""
    own = " ".join(name for name in TYPES for _ in range(6 - (name in {"R", "G", "B"})))
    table = position("G R", own.replace("V ", "", 1), general="V", stack="B", discard="")
    memory.rule_out(table.state.proven, 0, 1 << kind("R"))
    memory.allow_one_more(table.state.proven, 0)
    for k in range(KINDS):
        if k != kind("R"):
            for i in range(DIGITS):
                table.state.proven[0, i] |= 1 << k
    table.refresh()
    found = Counter("".join(cards) for cards in forked_hands(table, 1, 0, "memory", 2000))
    assert set(found) == {"RG", "RB", "GB"}
    for cards, share in (("RG", 0.25), ("RB", 0.25), ("GB", 0.5)):
        assert abs(found[cards] / 2000 - share) < 5 * (share * (1 - share) / 2000) ** 0.5


# --- numbers across kinds -----------------------------------------------------------------------------


class Numbers:
    """The same numbers, one for each kind."""

    def __init__(self):
        self.of = [MOST] * KINDS

    def allow_one_more(self):
        self.of = [min(MOST, n + 1) for n in self.of]

    def rule_out(self, kinds):
        self.of = [0 if kinds >> k & 1 else n for k, n in enumerate(self.of)]

    def allow_one_less(self, k):
        count = self.of[k]
        if count > 0:
            self.of = [n - 1 if count <= n < MOST else n for n in self.of]


def test_numbers_kept_as_digits_across_kinds_are_the_same_as_one_by_one():
    chance = random.Random(4)
    digits, numbers = np.full((PLAYERS, DIGITS), ALL_KINDS, np.int64), Numbers()
    for _ in range(3000):
        deed = chance.randrange(3)
        if deed == 0:
            memory.allow_one_more(digits, 2)
            numbers.allow_one_more()
        elif deed == 1:
            kinds = chance.getrandbits(KINDS) & chance.getrandbits(KINDS)
            memory.rule_out(digits, 2, kinds)
            numbers.rule_out(kinds)
        else:
            k = chance.randrange(KINDS)
            assert memory.allow_one_less(digits, 2, k) == (numbers.of[k] > 0)
            numbers.allow_one_less(k)
        assert [number_of(digits, 2, k) for k in range(KINDS)] == numbers.of
        count = chance.randrange(1, 30)
        expected = sum(1 << k for k, n in enumerate(numbers.of) if n >= min(count, MOST))
        assert memory.as_many_as(digits, 2, count) == expected


# --- the view ------------------------------------------------------------------------------------------


@pytest.mark.rules("VIV-095", "VIV-135")
def test_turns_are_shown_as_a_share_of_the_cap():
    for cap, share in ((600, 0.05), (60, 0.5)):
        table = position("R GB PB", "Y Y G", options={"max_turns_per_round": cap})
        table.state.turns = 30
        table.refresh()
        assert table.observe(0)[table.game.features.span("turns")].tolist() == pytest.approx([share, 0])
