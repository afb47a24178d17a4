"""VIVA: the box, setting up a round, matching and blocking, turns and plays (sections 1 to 6 of the rules)."""

from __future__ import annotations

import pytest

from alarife.engine.errors import IllegalAction, OptionError
from alarife.engine.random import listening
from alarife.games.viva import GAME
from alarife.games.viva.components import COLOUR_NAMES, COLOURS_OF, COPIES, WINNER_CARDS, Phase
from games.viva.positions import NONE, TYPES, do, fresh, hand, kind, legal, names, position, tops

# --- components -------------------------------------------------------------------------------------


@pytest.mark.rules("VIV-001", "VIV-002", "VIV-006")
@pytest.mark.parametrize(
    ("edition", "cards", "winner_cards"), [("standard", 126, 12), ("pocket", 84, 8)], ids=["standard", "pocket"]
)
def test_the_box_holds_play_cards_and_apart_from_them_winner_cards(edition, cards, winner_cards):
    table = fresh(3, edition=edition, rounds=winner_cards)
    s = table.state
    assert s.stack_size + sum(s.held) + 1 == cards
    assert WINNER_CARDS[["standard", "pocket"].index(edition)] == winner_cards
    with pytest.raises(OptionError):
        fresh(3, edition=edition, rounds=winner_cards + 1)


@pytest.mark.rules("VIV-003", "VIV-004", "VIV-005", "VIV-007")
def test_there_are_21_types_of_one_or_two_colours_in_equal_copies():
    letters = "RPYGBV"
    assert len(COLOUR_NAMES) == 6
    assert [int(bits) for bits in COLOURS_OF] == [sum(1 << letters.index(c) for c in name) for name in TYPES]
    assert sorted(len(name) for name in TYPES) == [1] * 6 + [2] * 15
    assert len(set(COLOURS_OF.tolist())) == 21
    assert COPIES.tolist() == [6, 4]


# --- setup ------------------------------------------------------------------------------------------


@pytest.mark.rules("VIV-010", "VIV-011", "VIV-012", "VIV-013", "VIV-014", "VIV-025", "VIV-027")
@pytest.mark.parametrize("players", range(2, 7))
def test_a_round_begins_with_five_cards_each_one_blocking_card_and_empty_houses(players):
    s = fresh(players).state
    assert list(s.held) == [5] * players + [0] * (6 - players)
    assert s.general in range(21)
    assert s.stack_size == 126 - 5 * players - 1
    assert list(s.top) == [NONE] * 3
    assert sum(s.discard) == sum(s.covered) == sum(s.wins) == 0


@pytest.mark.rules("VIV-017", "VIV-018")
def test_seat_0_starts_the_first_round_and_nobody_has_a_personal_card():
    for players in range(2, 7):
        table = fresh(players, seed=players)
        assert table.seat == table.state.starter == 0
        assert table.state.owner == table.state.personal == NONE


@pytest.mark.rules("VIV-025")
@pytest.mark.parametrize("players", [0, 1, 7])
def test_other_tables_are_refused(players):
    with pytest.raises(OptionError, match=f"viva is for 2 to 6 players, got {players}"):
        fresh(players)


@pytest.mark.rules("VIV-010", "VIV-015", "VIV-019", "VIV-101", "VIV-102")
def test_the_winner_starts_the_next_round_and_the_loser_takes_a_personal_card():
    table = do(position("B B", "R", "R", general="RP", out=(2,), turn=1), "general")
    s = table.state
    assert (s.round, list(s.wins[:3])) == (1, [0, 0, 1])
    assert table.seat == s.starter == 2
    assert s.owner == 0
    assert s.personal in range(21)
    assert list(s.held[:3]) == [5, 5, 5]
    assert s.stack_size == 126 - 15 - 2
    assert sum(s.discard) == 0
    assert tops(table) == ["", "", ""]


@pytest.mark.rules("VIV-016", "VIV-137")
def test_hands_are_dealt_first_then_the_general_then_the_personal_card():
    table = position("R", "B B", general="RP")
    dealt = []
    with listening(lambda draw, among, outcome: dealt.append((among, int(outcome)))):
        do(table, "general")
    s = table.state
    assert [among for among, _ in dealt] == list(range(126, 126 - 12, -1))
    kinds = [outcome for _, outcome in dealt]
    for seat in 0, 1:
        mine = kinds[5 * seat : 5 * seat + 5]
        assert [mine.count(k) for k in range(21)] == list(s.hand[seat])
    assert (kinds[10], kinds[11]) == (s.general, s.personal)


@pytest.mark.rules("VIV-010", "VIV-137")
def test_the_same_seed_deals_the_same_cards_another_seed_others():
    assert fresh(3, seed=5).to_bytes() == fresh(3, seed=5).to_bytes()
    assert fresh(3, seed=5).to_bytes() != fresh(3, seed=6).to_bytes()


@pytest.mark.rules("VIV-020")
def test_play_goes_clockwise_over_the_seats_still_in_the_round():
    table = position("B B", "", "B B", "B B", general="R", houses=("G", "G", "G"), out=(1,), stack="R R R")
    seats = [table.seat]
    for _ in range(3):
        do(table, "draw")
        seats.append(table.seat)
    assert seats == [0, 2, 3, 0]


# --- blocked colours and matching -------------------------------------------------------------------


@pytest.mark.rules("VIV-030")
def test_a_card_goes_on_a_house_whose_top_shares_a_colour():
    table = position("RP G Y", "R", houses=("R", "PB", "G"))
    assert legal(table) == {"play RP", "play G", "draw"}
    assert legal(do(table, "play RP")) == {"house 0", "house 1"}


@pytest.mark.rules("VIV-031", "VIV-032", "VIV-033")
def test_an_empty_house_takes_any_card_without_a_blocked_colour():
    table = position("R P RB PV B YG", "R", general="RP")
    assert legal(table) == {"play B", "play YG", "draw"}
    assert legal(do(table, "play YG")) == {"house 0", "house 1", "house 2"}


@pytest.mark.rules("VIV-032", "VIV-033", "VIV-030")
def test_a_card_that_matches_its_house_may_still_be_blocked():
    table = position("RB B", "R", houses=("B", "B", "B"), general="R")
    assert legal(table) == {"play B", "draw"}


@pytest.mark.rules("VIV-034")
def test_a_personal_card_blocks_its_colours_for_its_owner_only():
    cards = "R B G"
    owner = position(cards, cards, general="R", personal=(0, "YB"))
    other = position(cards, cards, general="R", personal=(0, "YB"), turn=1)
    assert legal(owner) == {"play G", "draw"}
    assert legal(other) == {"play B", "play G", "draw"}


@pytest.mark.rules("VIV-035")
def test_blocked_colours_do_not_keep_a_last_card_from_the_blocking_card():
    table = position("R", "B B", general="R", houses=("R", "", ""))
    assert legal(table) == {"general", "draw"}


@pytest.mark.rules("VIV-036")
def test_covered_cards_have_no_effect():
    table = position("B Y", "R", houses=("B R", "B R", "YB R"))
    assert legal(table) == {"draw"}


# --- turns ------------------------------------------------------------------------------------------


@pytest.mark.rules("VIV-040", "VIV-041")
def test_a_turn_is_one_play_or_one_card_taken():
    table = position("R B G", "R G", stack="V V V")
    assert legal(table) == {"play R", "play B", "play G", "draw"}
    assert do(table.clone(), "play R", "house 0").seat == 1
    taken = do(table, "draw")
    assert (taken.seat, hand(taken, 0)) == (1, "R G B V")


@pytest.mark.rules("VIV-042")
def test_taking_a_card_is_compulsory_if_nothing_can_be_played():
    assert legal(position("R G", "R", houses=("B", "B", "B"))) == {"draw"}


@pytest.mark.rules("VIV-043", "VIV-045", "VIV-133")
def test_only_the_card_just_taken_may_be_played_at_once():
    table = do(position("R B", "R", stack="G G"), "draw")
    assert legal(table) == {"play G", "end"}
    do(table, "play G", "house 1")
    assert (table.seat, hand(table, 0), tops(table)) == (1, "R B", ["", "G", ""])


@pytest.mark.rules("VIV-045")
def test_after_a_card_that_cannot_be_played_it_is_the_next_turn():
    table = do(position("R B", "R", houses=("Y", "Y", "Y"), stack="G G"), "draw")
    assert (table.seat, hand(table, 0), hand(table, 1)) == (1, "R G B", "R")


@pytest.mark.rules("VIV-043")
def test_the_card_just_taken_may_be_kept():
    table = do(position("R B", "R", stack="G G"), "draw", "end")
    assert (table.seat, hand(table, 0), tops(table)) == (1, "R G B", ["", "", ""])


@pytest.mark.rules("VIV-044")
def test_identical_copies_in_hand_may_join_the_card_just_taken():
    table = do(position("G G B", "R", stack="G G"), "draw", "play G", "house 0", "house 0", "house 0")
    assert (table.seat, hand(table, 0), table.state.height[0]) == (1, "B", 3)


@pytest.mark.rules("VIV-133")
def test_a_taken_card_that_cannot_be_played_ends_the_turn():
    table = do(position("R B", "R", stack="V V"), "draw")
    assert (table.seat, table.state.phase, hand(table, 0)) == (1, Phase.TURN, "R B V")


@pytest.mark.rules("VIV-046", "VIV-086", "VIV-056")
def test_with_one_card_there_is_the_blocking_card_or_taking_a_card():
    assert legal(position("R", "B", general="R")) == {"general", "draw"}
    assert legal(position("R", "B", general="B")) == {"draw"}


@pytest.mark.rules("VIV-046", "VIV-043")
def test_after_one_card_more_only_that_card_may_be_played():
    table = do(position("R", "B", general="V", stack="G G"), "draw")
    assert legal(table) == {"play G", "end"}


# --- plays ------------------------------------------------------------------------------------------


@pytest.mark.rules("VIV-050", "VIV-051")
def test_one_copy_goes_on_one_accepting_house():
    table = do(position("R B", "B", houses=("RP", "R", "G")), "play R")
    assert legal(table) == {"house 0", "house 1"}
    do(table, "house 0")
    assert (tops(table), hand(table, 0), table.seat) == (["R", "R", "G"], "B", 1)
    assert names(table.state.covered) == "RP"
    assert list(table.state.height) == [2, 1, 1]


@pytest.mark.rules("VIV-052", "VIV-130")
def test_copies_may_pile_up_in_one_house():
    table = do(position("R R R R B", "B", houses=("RP", "RG", "G")), "play R", "house 0")
    assert legal(table) == {"house 0", "house 1", "end"}
    assert legal(do(table, "house 0")) == {"house 0", "end"}
    assert legal(do(table, "house 0")) == {"house 0", "end"}
    do(table, "house 0")
    assert (table.seat, hand(table, 0), list(table.state.height)) == (1, "B", [5, 1, 1])


@pytest.mark.rules("VIV-053", "VIV-054", "VIV-130")
def test_copies_may_spread_over_different_houses():
    table = do(position("RB RB RB RB G", "B", houses=("R", "B", "")), "play RB", "house 1")
    assert legal(do(table, "house 2")) == {"house 0", "end"}
    do(table, "house 0")
    assert (tops(table), hand(table, 0)) == (["RB", "RB", "RB"], "G RB")
    assert table.state.phase == Phase.VIVA


@pytest.mark.rules("VIV-053", "VIV-054")
def test_each_copy_must_match_its_own_house():
    table = do(position("R R R B", "B", houses=("RP", "R", "G")), "play R", "house 0", "house 1")
    assert (table.seat, hand(table, 0)) == (1, "R B")


@pytest.mark.rules("VIV-055", "VIV-050")
def test_the_player_decides_how_many_copies_to_play():
    table = do(position("R R R B", "B"), "play R", "house 0", "end")
    assert (table.seat, hand(table, 0)) == (1, "R R B")
    table = do(position("R R R B", "B"), "play R", "house 0", "house 1", "end")
    assert (table.seat, hand(table, 0)) == (1, "R B")


@pytest.mark.rules("VIV-056", "VIV-057", "VIV-130")
def test_a_play_into_houses_leaves_a_card_in_hand():
    table = do(position("R R", "B"), "play R", "house 0")
    assert (table.seat, hand(table, 0)) == (1, "R")
    table = do(position("R R R", "B"), "play R", "house 0", "house 0")
    assert (table.seat, hand(table, 0)) == (1, "R")


# --- decision points --------------------------------------------------------------------------------


@pytest.mark.rules("VIV-130")
def test_no_further_copy_is_asked_for_where_none_can_be_placed():
    assert do(position("R B B", "B", houses=("R", "R", "")), "play R", "house 0").seat == 1  # none held
    spread = do(position("R R R R B", "B", houses=("G", "RG", "RY")), "play R", "house 1")
    assert legal(spread) == {"house 1", "house 2", "end"}
    assert do(spread, "house 2").seat == 1  # house 0 does not accept it


@pytest.mark.rules("VIV-131")
def test_a_type_needs_an_accepting_house_and_a_second_card():
    assert legal(position("R", "B")) == {"draw"}
    assert legal(position("R R", "B")) == {"play R", "draw"}
    assert legal(position("R G", "B", houses=("G", "B", "B"))) == {"play G", "draw"}


@pytest.mark.rules("VIV-132")
def test_a_single_possible_house_is_taken_without_asking():
    table = do(position("R B", "B", houses=("R", "G", "G")), "play R")
    assert (table.seat, tops(table), table.state.height[0]) == (1, ["R", "G", "G"], 2)
    copies = do(position("R R R B", "B", houses=("R", "G", "G")), "play R")
    assert legal(copies) == {"house 0", "end"}


@pytest.mark.rules("VIV-132")
def test_a_turn_in_which_only_draw_is_legal_is_still_shown():
    table = position("R G", "R", houses=("B", "B", "B"))
    assert (table.seat, table.state.phase, legal(table)) == (0, Phase.TURN, {"draw"})


@pytest.mark.rules("VIV-134", "VIV-151")
def test_an_inherited_turn_with_a_viva_has_eight_decisions():
    table = do(position("G", "R R B G V", "B B", general="G", stack="R R R R"), "general")
    begin = table.state.decisions
    do(table, "block V", "draw", "play R", "house 0", "house 1", "house 2", "call", "block B")
    assert table.state.decisions - begin == 8
    assert (table.seat, hand(table, 1)) == (2, "G")


@pytest.mark.rules("VIV-134", "VIV-151")
def test_the_longest_turn_has_eleven_decisions():
    table = position("R R R R R B G V", "B B", "B B", houses=("RP", "RY", "RG"), general="", stack="R",
                     phase=Phase.BLOCK)  # fmt: skip
    do(table, "block V", "draw", "play R", "house 0", *["house 0"] * 5, "call", "block B")
    assert table.state.decisions == 11
    assert (table.seat, hand(table, 0)) == (1, "G")


@pytest.mark.rules("VIV-115", "VIV-150")
def test_an_illegal_card_is_refused_with_a_sentence():
    table = position("R B", "B", general="R")
    with pytest.raises(IllegalAction, match=r"player_0 played play_type\(kind=0\), which is not legal. Legal now: "):
        table.play(kind("R"))


@pytest.mark.rules("VIV-112")
def test_the_actions_have_the_numbers_of_the_table():
    start = GAME.actions.start
    assert GAME.actions.size == 53
    assert (start.play_type, start.house, start.general_block, start.personal_block) == (0, 21, 24, 25)
    assert (start.draw, start.end_play, start.call_viva, start.decline_viva) == (26, 27, 28, 29)
    assert (start.choose_block, start.catch, start.let_pass) == (30, 51, 52)


@pytest.mark.rules("VIV-030", "VIV-043", "VIV-053", "VIV-056")
def test_compiled_rules_play_the_same_positions():
    spread = do(position("RB RB RB RB G", "B", houses=("R", "B", ""), interpreted=False), "play RB", "house 1")
    assert legal(do(spread, "house 2")) == {"house 0", "end"}
    taken = do(position("R B", "R", stack="G G", interpreted=False), "draw")
    assert legal(taken) == {"play G", "end"}
    assert legal(position("R", "B", general="R", interpreted=False)) == {"general", "draw"}
