"""VIVA: illegal plays and who catches them, the variant `bluff` (section 11 of the rules)."""

from __future__ import annotations

import pytest

from alarife.games.viva.components import Phase
from games.viva.positions import do, hand, kind, legal, names, position, tops

ALWAYS = {"bluff": True, "bluff_notice_probability": 1.0}
NEVER = {"bluff": True, "bluff_notice_probability": 0.0}
ALL_HOUSES = {"house 0", "house 1", "house 2"}


def caught(table, *moves):
    """The table after an illegal play that the next seat catches."""
    return do(table, *moves, "catch")


@pytest.mark.rules("VIV-115")
def test_without_the_variant_illegal_cards_are_masked():
    assert legal(position("R B", "G", general="R")) == {"play B", "draw"}


@pytest.mark.rules("VIV-117", "VIV-124")
def test_any_type_and_any_house_can_be_chosen():
    table = position("R B", "G", general="R", houses=("G", "B", ""), options=ALWAYS)
    assert legal(table) == {"play R", "play B", "draw"}
    assert legal(do(table, "play R")) == ALL_HOUSES


@pytest.mark.rules("VIV-124")
def test_a_taken_card_may_always_be_played():
    table = do(position("R B", "G", general="V", houses=("G", "G", "G"), stack="V V", options=ALWAYS), "draw")
    assert legal(table) == {"play V", "end"}


@pytest.mark.rules("VIV-124", "VIV-120", "VIV-122")
def test_a_last_card_may_be_put_on_each_blocking_card_that_is_there():
    assert legal(position("R", "B", general="G", options=ALWAYS)) == {"general", "draw"}
    assert legal(position("R", "B", general="G", personal=(0, "Y"), options=ALWAYS)) == {"general", "personal", "draw"}
    assert legal(position("R", "B", general="G", personal=(1, "Y"), options=ALWAYS)) == {"general", "draw"}
    assert legal(position("R", "B", general="", options=ALWAYS)) == {"draw"}


@pytest.mark.rules("VIV-116", "VIV-118")
def test_who_is_caught_takes_the_card_back_and_three_more():
    table = position("R B", "G G", "G G", houses=("B G", "", ""), stack="Y Y Y Y", options=ALWAYS)
    do(table, "play R", "house 0")
    assert (table.seat, table.state.phase, legal(table)) == (1, Phase.CATCH, {"catch", "let pass"})
    assert tops(table) == ["R", "", ""]
    do(table, "catch")
    s = table.state
    assert (hand(table, 0), tops(table), s.height[0], names(s.covered)) == ("R Y Y Y B", ["G", "", ""], 2, "B")
    assert (table.seat, s.phase) == (1, Phase.TURN)


@pytest.mark.rules("VIV-116", "VIV-118", "VIV-020")
def test_a_catch_by_a_later_seat_leaves_the_turn_to_the_next_one():
    table = position("R B", "G G", "G G", houses=("G", "", ""), stack="Y Y Y Y", options=ALWAYS)
    do(table, "play R", "house 0", "let pass")
    assert table.seat == 2
    do(table, "catch")
    assert (table.seat, table.state.phase, hand(table, 0)) == (1, Phase.TURN, "R Y Y Y B")


@pytest.mark.rules("VIV-116", "VIV-093")
def test_the_three_cards_are_fewer_where_cards_run_out():
    table = position("R B", "G G", "", houses=("G", "", ""), stack="Y", discard="P", out=(2,), options=ALWAYS)
    assert hand(caught(table, "play R", "house 0"), 0) == "R P Y B"


@pytest.mark.rules("VIV-118", "VIV-029")
def test_witnesses_are_asked_clockwise_and_only_those_still_in():
    table = position("G G", "R B", "", "G G", "Y Y", houses=("G", "", ""), turn=1, out=(2,), options=ALWAYS)
    do(table, "play R", "house 0")
    asked = []
    while table.state.phase == Phase.CATCH:
        asked.append(table.seat)
        do(table, "let pass")
    assert asked == [3, 4, 0]
    assert (table.seat, tops(table)) == (3, ["R", "", ""])


@pytest.mark.rules("VIV-118", "VIV-119")
def test_nobody_is_asked_who_did_not_notice():
    table = do(position("R B", "G G", "G G", houses=("G", "", ""), options=NEVER), "play R", "house 0")
    assert (table.seat, table.state.phase, tops(table), hand(table, 0)) == (1, Phase.TURN, ["R", "", ""], "B")


@pytest.mark.rules("VIV-118")
def test_each_witness_notices_independently():
    """Two witnesses at probability one half: all four cases equally often (chi-square, 3 degrees of freedom)."""
    cases = {(): 0, (1,): 0, (2,): 0, (1, 2): 0}
    table = position("R B", "G G", "G G", houses=("G", "", ""), options={"bluff": True})
    do(table, "play R")
    for rng in range(800):
        copy = table.clone()
        copy.state.rng = rng * 7919
        copy.play("house(house=0)")
        asked = []
        while copy.state.phase == Phase.CATCH:
            asked.append(copy.seat)
            copy.play("let_pass()")
        cases[tuple(asked)] += 1
    assert sum((count - 200) ** 2 / 200 for count in cases.values()) < 16.27


@pytest.mark.rules("VIV-119")
def test_an_illegal_play_that_stands_may_make_a_viva():
    table = position("R B G", "G G", "G G", houses=("R", "R", "G"), options=ALWAYS)
    do(table, "play R", "house 2", "let pass", "let pass")
    assert (table.seat, legal(table)) == (0, {"call", "decline"})
    do(table, "call", "block B")
    assert table.seat == 1
    assert legal(do(position("R B G", "G", houses=("R", "R", "G"), options=NEVER), "play R", "house 2")) == {
        "call", "decline",
    }  # fmt: skip


@pytest.mark.rules("VIV-123")
def test_a_play_that_is_caught_makes_no_viva():
    table = caught(position("R B", "G G", "G G", houses=("R", "R", "G"), options=ALWAYS), "play R", "house 2")
    assert (table.seat, table.state.phase, tops(table)) == (1, Phase.TURN, ["R", "R", "G"])


@pytest.mark.rules("VIV-123", "VIV-122")
def test_all_copies_of_a_pile_return():
    table = position("R R R R B", "G G", houses=("P G", "Y", ""), stack="Y Y Y", options=ALWAYS)
    do(table, "play R", "house 0")
    assert legal(table) == {*ALL_HOUSES, "end"}
    assert legal(do(table, "house 0")) == {"house 0", "end"}
    do(table, "house 0", "end")
    assert table.state.phase == Phase.CATCH
    do(table, "catch")
    s = table.state
    assert (hand(table, 0), tops(table)) == ("R R R R Y Y Y B", ["G", "Y", ""])
    assert (list(s.height), names(s.covered)) == ([2, 1, 0], "P")


@pytest.mark.rules("VIV-123", "VIV-122")
def test_one_misplaced_copy_brings_back_the_whole_spread():
    table = position("R R R B", "G G", houses=("RP", "G", ""), stack="Y Y Y", options=ALWAYS)
    do(table, "play R", "house 0")
    assert legal(do(table, "house 1")) == {"house 2", "end"}
    do(table, "house 2", "catch")
    s = table.state
    assert (hand(table, 0), tops(table)) == ("R R R Y Y Y B", ["RP", "G", ""])
    assert (list(s.height), sum(s.covered)) == ([1, 1, 0], 0)


@pytest.mark.rules("VIV-123", "VIV-116")
def test_a_card_taken_before_stays_in_hand():
    table = position("R B", "G G", "", general="V", stack="V", discard="Y Y Y", out=(2,), options=ALWAYS)
    do(table, "draw", "play V", "house 0", "catch")
    assert (hand(table, 0), table.seat) == ("R Y Y Y B V", 1)


@pytest.mark.rules("VIV-117", "VIV-032", "VIV-123")
def test_a_blocked_colour_is_an_illegal_play_wherever_it_goes():
    table = do(position("R B", "G G", general="RP", options=ALWAYS), "play R", "house 0")
    assert table.state.phase == Phase.CATCH
    table = do(position("R B", "G G", general="V", personal=(0, "R"), options=ALWAYS), "play R", "house 0")
    assert table.state.phase == Phase.CATCH
    table = do(position("R B", "G G", general="V", personal=(1, "R"), options=ALWAYS), "play R", "house 0")
    assert (table.seat, table.state.phase) == (1, Phase.TURN)


@pytest.mark.rules("VIV-120", "VIV-116")
@pytest.mark.parametrize("block", ["general", "personal"])
def test_a_last_card_that_does_not_match_may_be_caught(block):
    table = position("R", "G G", general="B", personal=(0, "Y"), stack="Y Y Y", options=ALWAYS)
    do(table, block)
    assert (table.seat, table.state.phase) == (1, Phase.CATCH)
    assert table.state.active[0] == 1
    do(table, "catch")
    assert (hand(table, 0), table.state.active[0], table.seat) == ("R Y Y Y", 1, 1)
    assert (table.state.general, table.state.personal) == (kind("B"), kind("Y"))


@pytest.mark.rules("VIV-120", "VIV-119", "VIV-083")
def test_a_last_card_that_nobody_catches_is_out():
    table = position("R", "G B", "G G", general="B", discard="", stack="", houses=("P V", "", ""), options=ALWAYS)
    do(table, "general", "let pass", "let pass")
    assert (table.state.position[0], table.state.active[0]) == (1, 0)
    assert names(table.state.discard) == "R P B V"
    assert (table.seat, legal(table)) == (1, {"block G", "block B"})


@pytest.mark.rules("VIV-120", "VIV-110")
def test_an_uncaught_last_card_may_end_the_game():
    table = position("R", "G B", general="B", options={**ALWAYS, "match": "single_round"})
    assert do(table, "general", "let pass").places() == [1, 2]


@pytest.mark.rules("VIV-121")
def test_a_legal_play_cannot_be_caught():
    table = do(position("R R B", "G G", "G G", houses=("RP", "", ""), options=ALWAYS), "play R", "house 0", "house 1")
    assert (table.seat, table.state.phase) == (1, Phase.TURN)
    table = do(position("R", "G G", "G G", general="RP", options=ALWAYS), "general")
    assert table.state.position[0] == 1


@pytest.mark.rules("VIV-122", "VIV-056", "VIV-057")
def test_a_play_into_houses_still_leaves_a_card_in_hand():
    assert "play R" not in legal(position("R", "G", options=ALWAYS))
    table = do(position("R R", "G G", houses=("G", "G", "G"), options=NEVER), "play R", "house 0")
    assert (table.seat, hand(table, 0)) == (1, "R")


@pytest.mark.rules("VIV-122", "VIV-043")
def test_after_a_draw_still_only_the_taken_type_may_be_played():
    assert legal(do(position("R B", "G", stack="Y", options=ALWAYS), "draw")) == {"play Y", "end"}
