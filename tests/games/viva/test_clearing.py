"""VIVA: calling VIVA, going out, and the stack (sections 7 to 9 of the rules)."""

from __future__ import annotations

import pytest

from alarife.games.viva.components import Phase
from games.viva.positions import NONE, TYPES, do, hand, kind, legal, names, position, tops

MATCHING = "R", "RP", ""  # an R on the empty house makes a VIVA
EMPTY = ["", "", ""]


def general(table):
    """The general blocking card in letters."""
    return TYPES[table.state.general] if table.state.general != NONE else ""


def personal(table):
    """The personal blocking card in letters, and its owner."""
    s = table.state
    return s.owner, TYPES[s.personal] if s.personal != NONE else ""


# --- VIVA -------------------------------------------------------------------------------------------


@pytest.mark.rules("VIV-060", "VIV-062")
@pytest.mark.parametrize(
    ("houses", "exists"),
    [
        (("R", "RP", "RB"), True),
        (("RP", "RP", ""), True),
        (("P", "RP", ""), False),  # no colour on all three
        (("RP", "PB", ""), False),  # each two share one, all three do not
        (("R", "", ""), False),  # a house is empty
    ],
)
def test_a_viva_is_one_colour_on_three_occupied_houses(houses, exists):
    table = do(position("RB G G", "G", houses=houses), "play RB", "house 2")
    assert (table.state.phase == Phase.VIVA) is exists
    assert legal(table) == {"call", "decline"} if exists else table.seat == 1


@pytest.mark.rules("VIV-061")
def test_a_viva_is_looked_for_after_the_whole_play():
    table = do(position("R R R B", "B", houses=MATCHING), "play R", "house 2")
    assert legal(table) == {"house 0", "house 1", "house 2", "end"}
    do(table, "house 2")
    assert legal(table) == {"house 2", "end"}
    do(table, "end")
    assert legal(table) == {"call", "decline"}


@pytest.mark.rules("VIV-061", "VIV-044")
def test_the_card_just_taken_may_make_a_viva():
    table = do(position("G G", "B", houses=MATCHING, stack="RB"), "draw", "play RB", "house 2")
    assert (table.seat, legal(table)) == (0, {"call", "decline"})


@pytest.mark.rules("VIV-062", "VIV-063")
def test_a_declined_viva_is_gone_until_a_new_play_makes_one():
    table = do(position("RB G", "RY B", "B B", houses=MATCHING, stack="V V"), "play RB", "house 2", "decline")
    assert (table.seat, tops(table)) == (1, ["R", "RP", "RB"])
    taken = do(table.clone(), "draw")
    assert (taken.seat, taken.state.phase) == (2, Phase.TURN)
    do(table, "play RY", "house 0")
    assert (table.seat, legal(table)) == (1, {"call", "decline"})


@pytest.mark.rules("VIV-064", "VIV-090")
def test_a_call_clears_houses_and_blocking_card_to_the_discard():
    table = position("RB G Y", "B", "B", houses=("P R", "RP", ""), general="V", stack="G G G G", discard="Y")
    do(table, "play RB", "house 2", "call")
    s = table.state
    assert tops(table) == EMPTY
    assert (list(s.height), sum(s.covered), general(table)) == ([0, 0, 0], 0, "")
    assert names(s.discard) == "R P Y V RP RB"


@pytest.mark.rules("VIV-065", "VIV-027")
def test_the_seat_before_takes_two_cards_and_the_seat_after_one():
    table = position("Y", "RB G G", "B", "B", "B", houses=MATCHING, turn=1)
    do(table, "play RB", "house 2", "call")
    assert list(table.state.held[:5]) == [3, 1, 2, 1, 1]


@pytest.mark.rules("VIV-026")
def test_with_two_players_the_other_takes_two_cards_in_all():
    table = do(position("RB G G", "B", houses=MATCHING), "play RB", "house 2", "call")
    assert list(table.state.held[:2]) == [1, 3]


@pytest.mark.rules("VIV-028", "VIV-029")
def test_with_two_players_left_the_other_takes_two_cards_in_all():
    table = position("", "RB G G", "", "B", houses=MATCHING, turn=1, out=(2, 0))
    do(table, "play RB", "house 2", "call")
    assert list(table.state.held[:4]) == [0, 1, 0, 3]


@pytest.mark.rules("VIV-029", "VIV-020")
def test_seats_that_are_out_are_passed_over_by_penalties():
    table = position("", "RB G Y", "", "B", "B", "", houses=MATCHING, turn=1, out=(2, 0, 5))
    do(table, "play RB", "house 2", "call", "block Y")
    assert list(table.state.held[:6]) == [0, 1, 0, 2, 3, 0]
    assert table.seat == 3


@pytest.mark.rules("VIV-066", "VIV-091")
def test_the_seat_before_takes_its_cards_first():
    table = position("RB G Y", "B", "B", "", houses=MATCHING, stack="G G", discard="", out=(3,))
    do(table, "play RB", "house 2", "call")
    assert hand(table, 2) == "G G B"
    assert "G" not in hand(table, 1)


@pytest.mark.rules("VIV-067", "VIV-068", "VIV-066")
def test_a_call_gives_the_owner_a_new_personal_card_after_the_penalties():
    table = position("RB G Y", "B", "B", "", houses=MATCHING, personal=(1, "P"), stack="G G G", discard="", out=(3,))
    do(table, "play RB", "house 2", "call")
    assert (hand(table, 1), hand(table, 2)) == ("G B", "G G B")
    owner, card = personal(table)
    assert owner == 1
    assert card in {"R", "RP", "RB", "V", "P"}  # the stack is what the call cleared


@pytest.mark.rules("VIV-067", "VIV-064")
def test_the_old_personal_card_is_cleared_with_the_table():
    table = position("RB G Y", "B", "B", "", houses=MATCHING, personal=(1, "P"), stack="G G", discard="", out=(3,))
    do(table, "play RB", "house 2", "call")  # seat 1 takes its card from a new stack of five
    assert (names(table.state.discard), table.state.stack_size) == ("", 3)


@pytest.mark.rules("VIV-069", "VIV-067")
def test_a_call_of_the_owner_takes_the_personal_card_away_for_good():
    table = position("RB G Y", "RB Y Y", "Y Y", houses=MATCHING, personal=(0, "V"))
    do(table, "play RB", "house 2", "call")
    assert personal(table) == (NONE, "")
    assert table.state.discard[kind("V")] == 2  # the personal and the general one
    do(table, "block G")
    assert personal(table) == (NONE, "")


@pytest.mark.rules("VIV-070", "VIV-072", "VIV-073")
def test_the_caller_makes_any_card_of_the_hand_the_blocking_card():
    table = do(position("RB G Y BV", "B", "B", houses=MATCHING), "play RB", "house 2", "call")
    assert (table.seat, legal(table)) == (0, {"block G", "block Y", "block BV"})
    do(table, "block BV")
    assert (table.seat, table.state.phase) == (1, Phase.TURN)
    assert (general(table), hand(table, 0)) == ("BV", "Y G")


@pytest.mark.rules("VIV-071", "VIV-132")
def test_a_single_card_becomes_the_blocking_card_and_one_is_taken():
    table = position("RB G", "B", "B", houses=MATCHING, stack="Y Y Y Y Y")
    do(table, "play RB", "house 2", "call")
    assert (general(table), hand(table, 0), table.state.active[0]) == ("G", "Y", 1)
    assert table.seat == 1


@pytest.mark.rules("VIV-132", "VIV-070")
def test_identical_cards_leave_no_choice_of_a_blocking_card():
    table = do(position("RB G G", "B", "B", houses=MATCHING), "play RB", "house 2", "call")
    assert (general(table), hand(table, 0), table.seat) == ("G", "G", 1)


# --- the last card ----------------------------------------------------------------------------------


@pytest.mark.rules("VIV-075", "VIV-079", "VIV-080", "VIV-081")
def test_the_last_card_goes_on_a_blocking_card_of_its_colour_and_clears_the_table():
    table = position("RB", "B G", "B B", houses=("P R", "RP", ""), general="R", discard="V")
    do(table, "general")
    s = table.state
    assert (s.active[0], s.position[0], s.held[0]) == (0, 1, 0)
    assert (tops(table), sum(s.covered)) == (EMPTY, 0)
    assert names(s.discard) == "R R P V RP RB"
    assert list(s.held[1:3]) == [2, 2]


@pytest.mark.rules("VIV-075")
def test_two_cards_are_one_too_many_to_go_out():
    assert legal(position("R R", "B", general="R")) == {"draw"}


@pytest.mark.rules("VIV-075", "VIV-086")
def test_a_last_card_of_another_colour_stays_in_the_hand():
    assert legal(position("RB", "B G", "B B", general="G")) == {"draw"}
    assert legal(position("RB", "B G", "B B", general="BV")) == {"general", "draw"}


@pytest.mark.rules("VIV-076", "VIV-077")
def test_the_owner_may_go_out_on_the_personal_card():
    table = position("RB", "B G", "B B", general="V", personal=(0, "B"))
    assert legal(table) == {"personal", "draw"}
    assert legal(position("RB", "B G", "B B", general="R", personal=(0, "B"))) == {"general", "personal", "draw"}
    assert legal(position("RB", "B G", "B B", general="V", personal=(1, "B"))) == {"draw"}
    do(table, "personal")
    assert table.state.position[0] == 1


@pytest.mark.rules("VIV-076", "VIV-121")
@pytest.mark.parametrize("options", [{}, {"bluff": True, "bluff_notice_probability": 1.0}])
@pytest.mark.parametrize(("block", "general_card", "own_card"), [("personal", "V", "B"), ("general", "B", "V")])
def test_a_last_card_is_judged_by_the_card_that_it_goes_on(options, block, general_card, own_card):
    # The other blocking card does not match. Judged by that one the play would be illegal, and noticed for certain.
    for seed in range(8):
        table = position("RB", "B G", "B B", general=general_card, personal=(0, own_card), seed=seed, options=options)
        do(table, block)
        assert (table.state.position[0], table.state.phase) == (1, Phase.BLOCK)
        assert table.seat == 1


@pytest.mark.rules("VIV-078")
def test_a_last_card_never_goes_into_a_house():
    assert legal(position("R", "B", houses=("R", "R", ""))) == {"draw"}


@pytest.mark.rules("VIV-082")
def test_the_personal_card_of_another_stays_when_somebody_goes_out():
    table = do(position("R", "B G", "B B", general="R", personal=(2, "Y")), "general")
    assert personal(table) == (2, "Y")


@pytest.mark.rules("VIV-082", "VIV-080", "VIV-143")
@pytest.mark.parametrize("block", ["general", "personal"])
def test_the_personal_card_goes_with_its_owner(block):
    table = do(position("RY", "B G", "B B", general="R", personal=(0, "Y"), stack="", discard=""), block)
    assert personal(table) == (NONE, "")
    assert names(table.state.discard) == "R Y RY"


@pytest.mark.rules("VIV-083")
def test_the_next_player_puts_down_a_blocking_card_and_then_takes_a_turn():
    table = do(position("R", "B G Y", "B B", general="R"), "general")
    assert (table.seat, legal(table)) == (1, {"block B", "block G", "block Y"})
    do(table, "block G")
    assert (table.seat, general(table)) == (1, "G")
    assert legal(table) == {"play B", "play Y", "draw"}


@pytest.mark.rules("VIV-083", "VIV-075")
def test_who_inherits_with_two_cards_may_go_out_in_the_same_turn():
    table = position("R", "B GB", "B B", general="R", options={"match": "single_round"})
    do(table, "general", "block B")
    assert (table.seat, legal(table)) == (1, {"general", "draw"})
    assert do(table, "general").places() == [1, 2, 3]


@pytest.mark.rules("VIV-084", "VIV-132")
def test_who_inherits_with_one_card_puts_it_down_and_takes_one():
    table = do(position("R", "B", "B B", general="R", stack="Y Y"), "general")
    assert (table.seat, table.state.phase) == (1, Phase.TURN)
    assert (general(table), hand(table, 1), legal(table)) == ("B", "Y", {"draw"})


@pytest.mark.rules("VIV-085")
def test_a_hand_may_come_down_to_one_by_any_means():
    table = position("RB G GV", "B B", houses=MATCHING, stack="P P P")
    do(table, "play RB", "house 2", "call", "block G", "draw")
    assert (table.seat, legal(table)) == (1, {"play P", "end"})
    assert legal(do(table, "end")) == {"general", "draw"}


# --- stack and discard ------------------------------------------------------------------------------


@pytest.mark.rules("VIV-090")
def test_the_discard_lies_still_while_the_stack_lasts():
    table = do(position("R B", "R", stack="V", discard="G G"), "draw")
    assert (hand(table, 0), names(table.state.discard)) == ("R B V", "G G")


@pytest.mark.rules("VIV-091")
def test_an_empty_stack_is_made_anew_from_the_discard():
    table = do(position("R B", "R", stack="", discard="G G", houses=("P V", "", "")), "draw")
    s = table.state
    assert hand(table, 0) == "R G B"
    assert (s.stack_size, names(s.stack), sum(s.discard), list(s.height)) == (1, "G", 0, [2, 0, 0])


@pytest.mark.rules("VIV-092")
def test_without_a_discard_the_covered_cards_are_the_new_stack():
    table = do(position("R B", "R", stack="", discard="", houses=("G G R", "G B", "")), "draw")
    s = table.state
    assert hand(table, 0) == "R G B"
    assert (names(s.stack), sum(s.covered), list(s.height)) == ("G G", 0, [1, 1, 0])
    assert tops(table) == ["R", "B", ""]


@pytest.mark.rules("VIV-092", "VIV-091")
def test_covered_cards_stay_where_they_are_while_the_discard_has_cards():
    table = do(position("R B", "R", stack="", discard="Y Y", houses=("G G R", "G B", "")), "draw")
    s = table.state
    assert hand(table, 0) == "R Y B"
    assert (names(s.stack), names(s.discard), names(s.covered)) == ("Y", "", "G G G")
    assert list(s.height) == [3, 2, 0]


@pytest.mark.rules("VIV-093", "VIV-150", "VIV-042")
def test_without_any_card_to_be_had_taking_one_is_a_pass():
    table = position("R B", "R", stack="", discard="", houses=("G", "G", "G"))
    assert legal(table) == {"draw"}
    do(table, "draw")
    assert (table.seat, hand(table, 0)) == (1, "R B")


@pytest.mark.rules("VIV-093")
def test_a_penalty_is_shortened_where_cards_run_out():
    table = position("RB G Y", "B", "B", "", houses=MATCHING, general="", stack="", discard="", out=(3,))
    held = list(table.state.held[:3])
    do(table, "play RB", "house 2", "call")  # three tops: two for seat 2, one for seat 1
    assert list(table.state.held[:3]) == [held[0] - 1, 2, 3]
    assert table.state.stack_size == sum(table.state.discard) == 0


@pytest.mark.rules("VIV-093", "VIV-068")
def test_a_personal_card_that_cannot_be_had_is_tried_again_at_the_next_call_of_another():
    table = position("RB G Y", "RB Y V", "B", "", houses=MATCHING, general="", stack="", discard="", out=(3,), owner=2)
    assert personal(do(table, "play RB", "house 2", "call", "block G")) == (2, "")
    table = position("Y Y", "RB Y V", "B", houses=MATCHING, owner=2, turn=1, general="G")
    do(table, "play RB", "house 2", "call")
    assert personal(table)[0] == 2
    assert personal(table)[1] in TYPES


@pytest.mark.rules("VIV-093", "VIV-069")
def test_a_personal_card_that_is_due_is_forgotten_when_its_owner_calls():
    table = do(position("RB G Y", "B", "B", houses=MATCHING, owner=0), "play RB", "house 2", "call")
    assert personal(table) == (NONE, "")


@pytest.mark.rules("VIV-094")
def test_a_caller_who_can_take_no_card_keeps_the_last_one():
    table = position("RB G", "B Y", "B", "", houses=MATCHING, general="", stack="", discard="", out=(3,))
    do(table, "play RB", "house 2", "call")
    assert (general(table), hand(table, 0)) == ("", "G")
    assert (table.seat, table.state.phase) == (1, Phase.BLOCK)  # seat 1 holds three cards now
    do(table, "block B")
    assert (table.seat, table.state.phase, general(table)) == (1, Phase.TURN, "B")


@pytest.mark.rules("VIV-094")
def test_who_begins_a_turn_with_one_card_owes_no_blocking_card():
    table = position("R B", "G", "B B", general="", houses=("Y", "Y", "Y"), stack="V V V V")
    do(table, "draw")  # nothing goes on yellow
    assert (table.seat, table.state.phase) == (1, Phase.TURN)
    assert (general(table), hand(table, 1), legal(table)) == ("", "G", {"draw"})


@pytest.mark.rules("VIV-094")
def test_nobody_goes_out_without_a_blocking_card_and_one_card_is_too_few_to_place_one():
    table = position("R", "B G", "B", general="", houses=("R", "G", "G"), stack="V V")
    assert legal(table) == {"draw"}
    do(table, "draw")
    assert (table.seat, legal(table)) == (1, {"block B", "block G"})
    do(table, "block G")
    assert (table.seat, legal(table)) == (1, {"draw"})  # one card, which does not match
