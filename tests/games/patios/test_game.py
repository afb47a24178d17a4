"""Patios: box, setup, turns, placing, gardeners, Water carrier, Assistant, Children (sections 1 to 9 of RULES.md)."""

import itertools
import json

import numpy as np
import pytest

from alarife.engine.errors import OptionError
from alarife.engine.table import Table
from alarife.games.patios import GAME
from alarife.games.patios.actions import ACTIONS
from alarife.games.patios.components import (
    BALCONY_CARDS,
    CELLS,
    FIRST_ELSE,
    FIRST_HIT,
    IMPROVEMENTS,
    INNER_CELLS,
    NEXT_TO,
    POSITIONS,
    SECOND_ELSE,
    SECOND_HIT,
    Phase,
)
from alarife.games.patios.rules.scoring import is_met
from games.patios.positions import KIND, NE, NW, SE, SW, E, N, S, Scene, W


def cells_of(bits):
    return {c for c in range(CELLS) if int(bits) >> c & 1}


def new_game(players, seed, **options):
    return Table(GAME, players, options, seed=seed, interpreted=True)


def after_setup(players, seed, **options):
    table = new_game(players, seed, **options)
    while table.state.turns == 0:
        table.play(table.legal()[0])
    return table


# --- 1. components and data -----------------------------------------------------------------------------


@pytest.mark.rules("PAT-001", "PAT-002", "PAT-004", "PAT-005")
def test_the_box_holds_76_flower_cards_five_coins_seven_improvements_and_nine_characters():
    s = new_game(2, 1).state
    dealt = [int(k) for k in s.dealt[:2].flatten()]
    assert [int(s.deck[c]) + dealt.count(c) for c in range(3)] == [17, 17, 17]
    assert s.deck[3] == 14
    assert list(s.deck[4:]) == [1] * 11
    assert s.deck_size + len(dealt) == 76
    assert s.reserve + s.coins[0] + s.coins[1] == 5
    row = after_setup(2, 1)
    assert sorted(int(a) for a in row.state.row) == list(range(9))
    assert sorted(int(i) for i in row.state.stock) == list(range(7))


@pytest.mark.rules("PAT-003")
def test_points_of_one_and_five_are_one_number_without_limit():
    scene = Scene().pile(0, 9, 9, 9, loose=500)
    assert scene.table.scores()[0] == 2 * (9 * 15 + 500) + 1


@pytest.mark.rules("PAT-006")
def test_a_patio_is_five_by_five_round_the_well_numbered_in_reading_order():
    assert len(POSITIONS) == 24
    assert (2, 2) not in POSITIONS
    assert sorted(POSITIONS) == POSITIONS
    assert INNER_CELLS == [NW, N, NE, W, E, SW, S, SE]


@pytest.mark.rules("PAT-007")
def test_adjacent_is_orthogonal_and_the_well_links_nothing():
    adjacent = {0: [1, 5], 2: [1, 3, 7], 6: [1, 5, 7, 11], 7: [2, 6, 8], 8: [3, 7, 9, 12], 11: [6, 10, 15],
                12: [8, 13, 17], 16: [15, 17, 21], 20: [15, 19, 21], 23: [18, 22]}  # fmt: skip
    for cell, others in adjacent.items():
        assert cells_of(NEXT_TO[cell]) == set(others)
    for a, b in itertools.product(range(24), repeat=2):
        steps = abs(POSITIONS[a][0] - POSITIONS[b][0]) + abs(POSITIONS[a][1] - POSITIONS[b][1])
        assert (b in cells_of(NEXT_TO[a])) == (steps == 1)


@pytest.mark.rules("PAT-008")
def test_a_taken_cell_is_not_offered():
    scene = Scene().sample("blue").lay(0, red=N, cane=E).call("blue").take("blue")
    assert set(scene.options("place")) == set(INNER_CELLS) - {N, E}


def meets(need, group, pots):
    """Brute force: hand every pot to a named colour, to the clay group, or to nothing."""
    cards = [c for c in range(3) for _ in range(pots[c])]
    for uses in itertools.product((0, 1, 2), repeat=len(cards)):
        named = [sum(1 for card, use in zip(cards, uses, strict=True) if use == 1 and card == c) for c in range(3)]
        clay = [card for card, use in zip(cards, uses, strict=True) if use == 2]
        if named == list(need) and len(clay) == group and len(set(clay)) <= 1:
            return True
    return False


@pytest.mark.rules("PAT-009", "PAT-010")
def test_a_balcony_is_met_exactly_when_pots_can_be_assigned_to_its_demand():
    s = new_game(2, 1).state
    for b, (need, group) in enumerate(BALCONY_CARDS):
        assert s.worth[b] == sum(need) + group
        for pots in itertools.product(range(5), repeat=3):
            if sum(pots) <= 8:
                assert bool(is_met(s, b, *pots)) == meets(need, group, pots), (b, pots)


@pytest.mark.rules("PAT-010", "PAT-225")
def test_the_clay_group_needs_pots_beside_the_named_one():
    s = new_game(2, 1).state
    assert not is_met(s, 0, 3, 0, 0)
    assert is_met(s, 0, 4, 0, 0)
    assert is_met(s, 0, 1, 3, 0)
    assert not is_met(s, 0, 0, 4, 0)


@pytest.mark.rules("PAT-011")
def test_the_eleven_balconies_name_each_colour_nine_times():
    assert len(BALCONY_CARDS) == 11
    assert [sum(need[c] for need, _ in BALCONY_CARDS) for c in range(3)] == [9, 9, 9]
    assert [sum(need) + group for need, group in BALCONY_CARDS] == [4, 4, 4, 3, 3, 3, 4, 4, 4, 3, 4]


@pytest.mark.rules("PAT-011")
def test_each_balcony_asks_what_the_rules_list():
    s = new_game(2, 1).state
    asked = [((1, 0, 0), 3), ((0, 1, 0), 3), ((0, 0, 1), 3), ((2, 1, 0), 0), ((0, 2, 1), 0), ((1, 0, 2), 0),
             ((2, 2, 0), 0), ((0, 2, 2), 0), ((2, 0, 2), 0), ((1, 1, 1), 0), ((0, 0, 0), 4)]  # fmt: skip
    assert [(tuple(int(n) for n in s.need[b]), int(s.group[b])) for b in range(11)] == asked
    assert list(s.worth) == [4, 4, 4, 3, 3, 3, 4, 4, 4, 3, 4]


@pytest.mark.rules("PAT-011")
def test_the_balconies_of_a_user_replace_those_of_the_box(tmp_path):
    file = tmp_path / "balconies.toml"
    file.write_text("[[balconies]]\nneed = [5, 0, 0]\ncopies = 10\n[[balconies]]\nany = 2\n")
    table = after_setup(3, 5, balconies=str(file))
    assert list(table.state.copies) == [10, 1] + [0] * 9
    assert list(table.state.worth[:2]) == [5, 2]
    table.check()
    as_json = tmp_path / "balconies.json"
    as_json.write_text(json.dumps({"balconies": [{"need": [1, 1, 1], "any": 1, "copies": 11, "points": 4}]}))
    assert GAME.make_options({"balconies": str(as_json)}).balconies[0] == {"need": [1, 1, 1], "any": 1, "copies": 11}
    again = GAME.make_options(json.loads(json.dumps(table.options.to_dict())))
    assert again == table.options


@pytest.mark.parametrize(("cards", "complaint"), [
    ([{"need": [1, 0, 0], "copies": 10}], "the copies make 11 cards, got 10"),
    ([{"need": [1, 0], "copies": 11}], "need takes 3 numbers"),
    ([{"need": [0, 0, 0], "copies": 11}], "asks for 1 to 12 pots, got 0"),
    ([{"need": [9, 9, 9], "copies": 11}], "asks for 1 to 12 pots, got 27"),
    ([{"any": -1, "copies": 11}], "any takes a number"),
    ([{"any": 2, "copies": 0}], "copies takes a number from 1"),
    ([{"any": 2, "copies": 11, "points": 3}], "worth the 2 pots"),
    ([{"sny": 2}], "nothing is called 'sny'"),
    ([3], "need, any and copies are expected"),
    ([], "1 to 11 entries"),
    ({"cards": []}, "a list called balconies"),
    (7, "1 to 11 entries"),
])  # fmt: skip
@pytest.mark.rules("PAT-011")
def test_a_wrong_list_of_balconies_is_refused_in_a_sentence(cards, complaint):
    with pytest.raises(OptionError, match=complaint):
        GAME.make_options({"balconies": cards})


@pytest.mark.rules("PAT-011")
def test_a_file_of_balconies_that_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(OptionError, match="cannot read the balconies"):
        GAME.make_options({"balconies": str(tmp_path / "none.toml")})
    broken = tmp_path / "broken.toml"
    broken.write_text("balconies = [")
    with pytest.raises(OptionError, match="holds no balconies"):
        GAME.make_options({"balconies": str(broken)})


# --- 3. setup ------------------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-020", "PAT-025")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_everybody_begins_without_works_and_with_one_coin(players):
    s = new_game(players, 3).state
    assert list(s.works[:players]) == [0] * players
    assert list(s.coins[:players]) == [1] * players
    assert s.reserve == 5 - players


@pytest.mark.rules("PAT-021", "PAT-200")
def test_the_first_player_is_random_and_turns_follow_seat_numbers():
    first = [new_game(3, seed).seat for seed in range(60)]
    assert set(first) == {0, 1, 2}
    assert new_game(3, 7).to_bytes() == new_game(3, 7).to_bytes()
    scene = Scene(3).row("blue", "red", "green", "water", "assistant", "children", "sun", "neighbour", "visitors")
    scene.deck("red", "red", "red", "red", "red", "red").call("children").do("place", N)
    assert scene.seat == 1


@pytest.mark.rules("PAT-022")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_two_pots_of_different_colours_are_dealt_out_of_n_of_each(players):
    seen = set()
    for seed in range(40):
        s = new_game(players, seed).state
        pairs = [tuple(int(k) for k in s.dealt[p]) for p in range(players)]
        seen.update(pairs)
        assert all(a < b < 3 for a, b in pairs)
        assert all(sum(pair.count(c) for pair in pairs) <= players for c in range(3))
    assert seen == {(0, 1), (0, 2), (1, 2)}


@pytest.mark.rules("PAT-023")
def test_in_order_each_puts_one_card_up_and_the_other_down_in_two_inner_cells():
    table = new_game(3, 4)
    first = table.seat
    for turn in range(3):
        p = (first + turn) % 3
        assert table.seat == p
        low, high = (int(k) for k in table.state.dealt[p])
        assert table.legal() == [ACTIONS.encode("setup_up", card=0), ACTIONS.encode("setup_up", card=1)]
        table.play(ACTIONS.encode("setup_up", card=1))
        assert [ACTIONS.decode(a)[1]["cell"] for a in table.legal()] == INNER_CELLS
        table.play(ACTIONS.encode("place", cell=E))
        assert [ACTIONS.decode(a)[1]["cell"] for a in table.legal()] == [c for c in INNER_CELLS if c != E]
        table.play(ACTIONS.encode("place", cell=SW))
        assert (table.state.card[p, E], table.state.card[p, SW]) == (high, low)
        assert table.state.dry[p] == 1 << SW
    assert table.state.phase == Phase.TURN
    assert table.seat == first


@pytest.mark.rules("PAT-024", "PAT-026")
@pytest.mark.parametrize(("players", "size"), [(2, 4), (3, 5), (4, 7), (5, 8)])
def test_the_deck_holds_all_other_cards_and_the_sample_comes_from_it(players, size):
    s = after_setup(players, 2).state
    assert s.sampled == sum(s.sample) == size
    assert s.deck_size == 76 - 2 * players - size
    assert s.discard_size == 0


@pytest.mark.rules("PAT-027")
@pytest.mark.parametrize(("players", "up"), [(2, 4), (3, 5), (4, 4), (5, 5)])
def test_the_row_shows_four_or_five_characters_and_ends_with_visitors(players, up):
    for seed in range(20):
        s = after_setup(players, seed).state
        shown = [int(s.face_up[s.row[k]]) for k in range(9)]
        assert shown == [1] * up + [0] * (8 - up) + [1]
        assert s.row[8] == 8


@pytest.mark.rules("PAT-028")
def test_the_sun_is_moved_behind_the_face_up_characters_from_the_first_three_places_only():
    places = {2: set(), 3: set()}
    for players, up in ((2, 4), (3, 5)):
        for seed in range(80):
            s = after_setup(players, seed).state
            place = [int(a) for a in s.row].index(6)
            places[players].add(place)
            assert place >= up - 1 or place >= 3
    assert places[2] == {3, 4, 5, 6, 7}
    assert places[3] == {3, 4, 5, 6, 7}


@pytest.mark.rules("PAT-029")
def test_the_improvement_deck_is_shuffled():
    firsts = {int(after_setup(2, seed).state.stock[0]) for seed in range(60)}
    assert firsts == set(range(7))


# --- 4. turn structure ---------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-030", "PAT-032", "PAT-221")
def test_a_used_character_goes_face_down_behind_all_and_the_next_hidden_one_turns_up():
    scene = Scene().row("red", "water", "children", "blue", "sun", "green", "assistant", "neighbour", "visitors",
                        down=["sun", "green", "assistant", "neighbour"])  # fmt: skip
    scene.deck("red", "red", "blue", "blue", "cane", "green").call("children").do("place", N)
    assert scene.names_of_row() == ["red", "water", "blue", "sun", "green", "assistant", "neighbour", "visitors",
                                    "children"]  # fmt: skip
    assert scene.face_down() == ["green", "assistant", "neighbour", "children"]
    assert scene.state.sampled == 4
    assert scene.seat == 1
    scene.table.check()


@pytest.mark.rules("PAT-030", "PAT-032")
def test_a_character_from_in_front_of_visitors_moves_them_one_place_forward_and_one_behind_them_does_not():
    row = ["red", "sun", "blue", "visitors", "green", "children", "assistant", "water", "neighbour"]
    front = Scene().row(*row, down=["green", "neighbour", "assistant"]).sun("N")
    assert front.names_of_row() == ["red", "blue", "visitors", "green", "children", "assistant", "water", "neighbour",
                                    "sun"]  # fmt: skip
    assert front.face_down() == ["assistant", "neighbour", "sun"]
    behind = Scene().row(*row, down=["assistant"]).deck("cane").call("children").do("place", N)
    assert behind.names_of_row() == ["red", "sun", "blue", "visitors", "green", "assistant", "water", "neighbour",
                                     "children"]  # fmt: skip
    assert behind.face_down() == ["children"]


@pytest.mark.rules("PAT-031")
def test_visitors_cannot_be_chosen_and_face_down_characters_neither():
    scene = Scene().row("red", "visitors", "water", "children", "blue", "sun", "green", "assistant", "neighbour",
                        down=["sun", "green", "assistant", "neighbour"])  # fmt: skip
    assert scene.options("character") == [0, 1, 3, 5]
    assert ACTIONS.families["character"].parameters["character"] == 8


@pytest.mark.rules("PAT-033")
def test_an_empty_deck_is_made_of_the_discards_and_without_both_one_goes_on_with_fewer_cards():
    scene = Scene().deck().call("children")
    assert scene.phase in (Phase.PLACE, Phase.CANE)
    assert scene.state.discard_size == 0
    assert scene.state.deck_size == 75
    bare = Scene(5).deck(rest=False).call("children")
    assert bare.phase == Phase.TURN
    assert bare.state.sampled == 0


@pytest.mark.rules("PAT-033")
def test_the_last_card_of_the_deck_is_drawn_before_the_discards_are_shuffled():
    for seed in range(6):
        scene = Scene(seed=seed).sample("red", "red", "red", "red").deck("b09").call("children")
        assert (scene.state.held, scene.state.deck_size) == (KIND["b09"], 0)
        scene.do("place", N)
        assert scene.state.discard_size == 71  # 76 without the sample and the card just placed


@pytest.mark.rules("PAT-034")
def test_the_sample_is_refilled_after_the_action_only_and_up_to_its_size():
    scene = Scene(3).sample("blue", "blue", "blue", "red", "red").call("blue").take("blue")
    assert scene.state.sampled == 4
    scene.do("place", N).take("blue").do("place", N)
    assert scene.state.sampled == 3
    scene.take("blue").do("place", N)
    assert scene.state.sampled == 5


@pytest.mark.rules("PAT-035", "PAT-193")
def test_improvements_are_played_before_the_character_or_after_the_action():
    scene = Scene().hold(0, "awning", "hose").sample("blue").deck("red", "red", "red", "red")
    assert scene.options("play_improvement") == [0, 3]
    scene.do("play_improvement", 0).do("place", S)
    assert scene.phase == Phase.TURN
    scene.call("blue").take("blue").do("place", N)
    assert scene.phase == Phase.WINDOW
    assert scene.seat == 0
    scene.do("play_improvement", 3).do("place", E)
    assert scene.seat == 1
    assert scene.patio(0) == {N: "blue", S: "awning", E: "hose"}


@pytest.mark.rules("PAT-035")
def test_in_each_window_any_number_of_improvements_is_played():
    scene = Scene().hold(0, "awning", "hose", "tub", "ladder")
    for i, cell in ((3, E), (6, N)):
        scene.do("play_improvement", i).do("place", cell)
    assert (scene.phase, scene.options("play_improvement")) == (Phase.TURN, [0, 4])
    scene.deck("cane").call("children").do("place", NE)
    for i, cell in ((0, S), (4, W)):
        assert scene.phase == Phase.WINDOW
        scene.do("play_improvement", i).do("place", cell)
    assert scene.patio(0) == {N: "tub", NE: "cane", E: "hose", S: "awning", W: "ladder"}
    assert (scene.seat, scene.phase) == (1, Phase.TURN)


@pytest.mark.rules("PAT-036")
def test_the_dancer_is_played_before_the_action_only_the_guitarist_in_both_windows():
    scene = Scene().hold(0, "flamenco", "guitarist")
    assert scene.options("play_improvement") == [1, 2]
    assert Scene().hold(0, "flamenco", "guitarist").second_window().options("play_improvement") == [1]


@pytest.mark.rules("PAT-037")
def test_a_lost_action_still_uses_up_the_character():
    scene = Scene().sample("red", "red", "cane", "cane").deck("green", "green", "green", "green", rest=False)
    scene.row("red", "blue", "water", "children", "sun", "green", "assistant", "neighbour", "visitors",
              down=["sun", "green", "assistant", "neighbour"])  # fmt: skip
    scene.call("blue")
    assert scene.names_of_row()[-1] == "blue"
    assert scene.seat == 1
    assert scene.patio(0) == {}


# --- 5. placing cards -------------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-040", "PAT-050", "PAT-051")
def test_cards_taken_in_ones_own_turn_are_beautiful_in_anothers_dry():
    scene = Scene(3).sample("blue", "blue", "b04").call("blue").take("blue").do("place", N)
    assert scene.seat == 1
    scene.take("b04").do("place", E)
    assert scene.seat == 2
    assert scene.options("kind") == [KIND["blue"]]
    scene.take("blue").do("place", W)
    assert [scene.patio(p) for p in range(3)] == [{N: "blue"}, {E: "(b04)"}, {W: "(blue)"}]


@pytest.mark.rules("PAT-041")
def test_canes_lie_face_up_even_in_anothers_turn():
    scene = Scene().sample("cane", "cane").call("water").do("place", N)
    assert scene.seat == 1
    scene.do("place", S)
    assert scene.at(1, S) == "cane"


@pytest.mark.rules("PAT-042")
def test_any_empty_cell_will_do_without_contact_and_all_24_under_works():
    scene = Scene().sample("blue").lay(0, red=N).call("blue").take("blue")
    assert scene.options("place") == [c for c in INNER_CELLS if c != N]
    scene = Scene().sample("blue").works(0).lay(0, red=N).call("blue").take("blue")
    assert scene.options("place") == [c for c in range(24) if c != N]


@pytest.mark.rules("PAT-043", "PAT-044", "PAT-222")
def test_a_flower_card_for_a_full_patio_starts_works_whatever_fills_it():
    scene = Scene().sample("blue").lay(0, red=[NW, N, NE], cane=[W, E], b01=SW, awning=S, tub=SE)
    scene.call("blue").take("blue")
    assert scene.state.works[0] == 1
    assert scene.options("place") == [c for c in range(24) if c not in INNER_CELLS]
    scene.do("place", 0)
    scene.check()


@pytest.mark.rules("PAT-043", "PAT-044")
def test_the_eighth_card_needs_no_works():
    scene = Scene().sample("blue").lay(0, red=[NW, N, NE], cane=[W, E], b01=SW, awning=S).call("blue").take("blue")
    assert (scene.state.works[0], scene.options("place")) == (0, [SE])
    assert scene.do("place", SE).state.works[0] == 0


@pytest.mark.rules("PAT-045")
def test_canes_and_improvements_never_start_works():
    full = {"red": [NW, N, NE], "blue": [W, E, SW, S, SE]}
    scene = Scene().sample("cane").lay(0, **full).call("water")
    assert scene.state.works[0] == 0
    assert scene.seat == 1  # no dry card and no cell: passed over
    held = Scene().lay(0, **full).hold(0, "awning", "hose", "ladder", "can", "tub")
    assert held.options("play_improvement") == [6]


@pytest.mark.rules("PAT-046")
def test_an_inner_cell_freed_under_works_may_be_used_again():
    scene = Scene().sample("blue").works(0).lay(0, red=[NW, N, NE, W], blue=[E, SW, S])
    assert SE in scene.call("blue").take("blue").options("place")


@pytest.mark.rules("PAT-047", "PAT-053")
def test_with_all_24_cells_taken_one_is_passed_over_and_a_drawn_card_is_discarded():
    full = {"red": list(range(12)), "green": list(range(12, 24))}
    scene = Scene(3).sample("blue", "blue").works(0).lay(0, **full).call("blue")
    assert scene.seat == 1
    scene.take("blue").do("place", N)
    assert scene.seat == 2
    drawn = Scene(3).works(0).lay(0, **full).deck("blue").call("children")
    assert drawn.seat == 1
    assert drawn.phase == Phase.TURN
    assert len(drawn.patio(0)) == 24


@pytest.mark.rules("PAT-047", "PAT-060")
@pytest.mark.parametrize("name", ["b01", "cane"])
def test_with_all_24_cells_taken_a_drawn_or_drafted_card_goes_to_the_discards(name):
    full = {"red": list(range(12)), "green": list(range(12, 24))}
    scene = Scene(2).sample(*["blue"] * 4).works(0).lay(0, **full).deck(name, rest=False).call("children")
    assert (scene.seat, scene.state.deck_size, scene.state.discard_size) == (1, 0, 1)
    assert scene.state.discard[KIND[name]] == 1
    draft = Scene(2).sample(*["blue"] * 4).works(1).lay(1, **full).deck("b02", name, "b03", rest=False)
    draft.call("assistant").take("b02").do("place", N)
    assert draft.seat == 1
    draft.take(name)
    assert (draft.seat, draft.phase, draft.state.discard_size) == (1, Phase.TURN, 2)
    assert draft.state.discard[KIND[name]] == draft.state.discard[KIND["b03"]] == 1


@pytest.mark.rules("PAT-048", "PAT-196")
def test_the_owner_sees_his_dry_cards_and_others_do_not():
    scene = Scene().lay(0, dry=True, green=N)
    mine, theirs = (GAME.features.describe(scene.table.observe(p))["cells"] for p in range(2))
    assert list(mine[0, N]) == [0, 0, 1, 0, -1, 0]
    assert list(theirs[1, N]) == [0, 0, 0, 0, -1, 0]
    assert "7:(G)" in scene.table.text(0)
    assert "7:(?)" in scene.table.text(1)


# --- 6. gardeners -------------------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-050", "PAT-191")
def test_a_gardener_takes_a_pot_of_the_colour_or_any_balcony_equal_cards_being_one_choice():
    scene = Scene().sample("blue", "blue", "red", "cane", "b05", "b11").call("blue")
    assert scene.options("kind") == [KIND["blue"], KIND["b05"], KIND["b11"]]


@pytest.mark.rules("PAT-051")
def test_taking_is_compulsory_even_if_it_starts_works_and_ends_with_the_last_card():
    scene = Scene(4).sample("red", "red").lay(1, green=INNER_CELLS).call("red").take("red").do("place", N)
    assert not scene.can_stop()
    scene.take("red")
    assert scene.state.works[1] == 1
    scene.do("place", 0)
    assert scene.phase == Phase.TURN  # nothing is left for the others


@pytest.mark.rules("PAT-052")
def test_a_sample_without_a_suitable_card_is_renewed_once():
    scene = Scene().sample("red", "green", "cane", "cane").deck("blue", "red", "red", "red").call("blue")
    assert scene.phase == Phase.TAKE
    assert [scene.count(name) for name in ("blue", "red", "cane")] == [1, 3, 0]
    assert scene.options("kind") == [KIND["blue"]]


@pytest.mark.rules("PAT-052", "PAT-037")
def test_a_new_sample_without_a_suitable_card_stays_and_the_action_is_lost():
    for seed in range(4):
        scene = Scene(seed=seed).sample("red", "red", "red", "cane").deck(*["green"] * 4).call("blue")
        assert (scene.seat, scene.phase) == (1, Phase.TURN)
        assert scene.count("green") == scene.state.sampled == 4  # the blue pots lie among the discards


@pytest.mark.rules("PAT-052")
def test_a_balcony_alone_keeps_the_sample():
    scene = Scene().sample("red", "red", "cane", "b08").call("green")
    assert scene.options("kind") == [KIND["b08"]]
    assert [scene.count(name) for name in ("red", "cane", "b08")] == [2, 1, 1]


# --- 7. Water carrier and canes -------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-055")
def test_in_order_everybody_takes_a_cane_while_there_are_any():
    scene = Scene(3).sample("cane", "cane", "red").call("water").do("place", N)
    assert scene.seat == 1
    scene.do("place", N)
    assert scene.phase == Phase.TURN
    assert [scene.patio(p) for p in range(3)] == [{N: "cane"}, {N: "cane"}, {}]


@pytest.mark.rules("PAT-056")
def test_a_sample_without_canes_is_renewed_once_and_then_the_action_is_lost():
    scene = Scene().sample("red", "red").deck("cane", "cane", "red", "red").call("water")
    assert scene.phase == Phase.CANE
    assert scene.count("cane") == 1
    lost = Scene().sample("red", "red", "red", "red").deck("b01", "b02", "b03", "b04", rest=False).call("water")
    assert (lost.seat, lost.phase) == (1, Phase.TURN)
    assert lost.state.discard[1] == 4  # the first sample is gone
    assert [lost.count(name) for name in ("b01", "b02", "b03", "b04")] == [1, 1, 1, 1]


@pytest.mark.rules("PAT-057", "PAT-058")
def test_a_cane_used_at_once_waters_any_dry_flower_card_and_is_discarded():
    scene = Scene().sample("cane").lay(0, dry=True, blue=N, b01=SE, tub=W).call("water")
    assert scene.options("water_target") == [N, W, SE]
    assert scene.options("place") == [c for c in INNER_CELLS if c not in (N, W, SE)]
    discards = int(scene.state.discard[3])
    scene.do("water_target", W)
    assert scene.at(0, W) == "tub"
    assert scene.state.discard[3] == discards + 1


@pytest.mark.rules("PAT-056")
def test_a_new_sample_without_canes_stays():
    for seed in range(4):
        scene = Scene(seed=seed).sample("red", "red", "red", "red").deck(*["green"] * 4).call("water")
        assert (scene.seat, scene.phase) == (1, Phase.TURN)
        assert scene.count("green") == scene.state.sampled == 4


@pytest.mark.rules("PAT-056")
def test_a_single_cane_keeps_the_sample():
    scene = Scene(3).sample("cane", "red", "red", "green", "green").deck(*["cane"] * 9).call("water")
    assert [scene.count(name) for name in ("cane", "red", "green")] == [0, 2, 2]
    assert scene.do("place", N).phase == Phase.TURN


@pytest.mark.rules("PAT-055", "PAT-021")
def test_canes_go_round_from_the_active_seat_in_the_order_of_play():
    scene = Scene(4).active(2).sample(*["cane"] * 3).call("water").do("place", N)
    assert scene.seat == 3
    assert scene.do("place", N).seat == 0
    scene.do("place", N)
    assert [scene.patio(p) for p in range(4)] == [{N: "cane"}, {}, {N: "cane"}, {N: "cane"}]


@pytest.mark.rules("PAT-058")
def test_a_cane_reaches_outer_cells_under_works():
    scene = Scene().sample("cane").works(0).lay(0, dry=True, blue=[0, 23], b01=E).call("water")
    assert scene.options("water_target") == [0, E, 23]
    assert scene.do("water_target", 23).at(0, 23) == "blue"


@pytest.mark.rules("PAT-059", "PAT-161")
def test_a_cane_is_not_put_on_the_ladder_of_another():
    scene = Scene().sample("cane").lay(0, red=N).lay(1, ladder=N).call("water")
    assert N not in scene.options("place")


@pytest.mark.rules("PAT-060", "PAT-053")
def test_an_active_player_who_cannot_take_a_cane_does_not_stop_the_others():
    full = {"red": [NW, N, NE], "blue": [W, E, SW, S, SE]}
    scene = Scene(3).active(1).sample("cane", "cane").lay(1, **full).call("water")
    assert (scene.seat, scene.phase) == (2, Phase.CANE)
    assert scene.do("place", N).seat == 0


@pytest.mark.rules("PAT-059")
def test_a_cane_is_placed_in_an_empty_cell_or_on_the_own_ladder():
    scene = Scene().sample("cane").lay(0, red=[NW, N, NE, W], blue=[E, SW, S], ladder=SE).call("water")
    assert scene.options("place") == [SE]
    scene.do("place", SE)
    assert scene.at(0, SE) == "ladder"
    assert scene.state.ladder_canes == 1
    scene.check()


@pytest.mark.rules("PAT-060")
def test_a_cane_that_can_be_neither_used_nor_placed_is_left_or_discarded():
    full = {"red": [NW, N, NE], "blue": [W, E, SW, S, SE]}
    scene = Scene().sample("cane", "cane").lay(0, **full).call("water")
    assert (scene.seat, scene.phase) == (1, Phase.CANE)
    drawn = Scene().lay(0, **full).lay(1, green=N).deck("cane", rest=False).call("children")
    assert drawn.phase == Phase.SWAP
    assert drawn.state.discard[3] == 1
    dry = Scene().sample("cane").lay(0, red=[NW, N, NE], blue=[W, E, SW, S]).lay(0, dry=True, green=SE).call("water")
    assert (dry.options("place"), dry.options("water_target")) == ([], [SE])


@pytest.mark.rules("PAT-061", "PAT-062")
def test_a_placed_cane_waters_two_orthogonal_neighbours_at_the_end_of_the_round():
    scene = Scene().works(0).lay(0, cane=N).lay(0, dry=True, blue=NW, red=NE, green=2, b01=E).end_round()
    assert scene.phase == Phase.WATER
    scene.do("waterer", N)
    assert scene.options("water_target") == [2, NW, NE]
    scene.do("water_target", 2).do("water_target", NE)
    assert scene.phase != Phase.WATER_TARGET
    assert scene.at(0, N) is None


# --- 8. Assistant gardener -----------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-040", "PAT-065", "PAT-066", "PAT-067")
def test_the_assistants_cards_go_round_against_the_order_of_play():
    scene = Scene(3).sample(*["cane"] * 5).deck("blue", "red", "green", "b01", rest=False).call("assistant")
    assert scene.options("kind") == [0, 1, 2, 4]
    scene.take("red").do("place", N)
    assert scene.seat == 2
    assert scene.options("kind") == [0, 2, 4]
    scene.take("b01").do("place", N)
    assert scene.seat == 1
    assert scene.options("kind") == [0, 2]
    scene.take("blue").do("place", N)
    assert [scene.patio(p) for p in range(3)] == [{N: "red"}, {N: "(blue)"}, {N: "(b01)"}]
    assert scene.state.drafted == 0
    assert (scene.state.discard[2], scene.state.discard_size) == (1, 1)


@pytest.mark.rules("PAT-065", "PAT-066")
def test_a_drafted_cane_is_used_or_placed():
    scene = Scene().deck("cane", "cane", "cane").lay(1, dry=True, blue=E).call("assistant").take("cane").do("place", N)
    assert scene.seat == 1
    scene.take("cane")
    assert scene.options("water_target") == [E]
    scene.do("water_target", E)
    assert (scene.patio(0), scene.patio(1)) == ({N: "cane"}, {E: "blue"})


@pytest.mark.rules("PAT-068")
def test_with_too_few_cards_the_players_take_as_long_as_cards_last():
    scene = Scene(4).deck("blue", "red", rest=False).call("assistant")
    assert scene.state.drafted == 2
    scene.take("blue").do("place", N)
    assert scene.seat == 3
    scene.take("red").do("place", N)
    assert scene.phase == Phase.TURN
    assert scene.patio(3) == {N: "(red)"}
    assert scene.patio(1) == scene.patio(2) == {}


# --- 9. Children -----------------------------------------------------------------------------------------------------


@pytest.mark.rules("PAT-070")
def test_the_children_give_the_top_card_beautiful_or_a_cane():
    assert Scene().deck("b02", "red", "red", "red").call("children").phase == Phase.PLACE
    scene = Scene().deck("green").call("children").do("place", W)
    assert scene.at(0, W) == "green"
    cane = Scene().deck("cane").lay(0, dry=True, b07=N).call("children")
    assert cane.phase == Phase.CANE
    assert cane.do("water_target", N).at(0, N) == "b07"


@pytest.mark.rules("PAT-071", "PAT-073")
def test_one_card_may_be_swapped_and_takes_the_cell_and_side_of_the_other():
    scene = Scene(3).deck("cane").lay(0, red=N).lay(1, green=E).lay(2, dry=True, blue=S)
    scene.call("children").do("place", W)
    assert scene.can_stop()
    assert scene.options("swap_own") == [N]
    scene.do("swap_own", N)
    assert scene.options("swap_player") == [0]
    scene.do("swap_player", 0)
    assert scene.options("swap_their") == [E]
    scene.do("swap_their", E)
    assert (scene.at(0, N), scene.at(1, E)) == ("green", "red")
    assert scene.seat == 1


@pytest.mark.rules("PAT-071", "PAT-072")
def test_every_patio_with_a_card_of_the_same_sort_is_open_to_a_swap():
    scene = Scene(4).active(1).deck("cane").lay(1, red=N).lay(1, dry=True, blue=S)
    scene.lay(0, green=E).lay(2, dry=True, b01=W).lay(3, blue=SW, b02=N)
    scene.call("children").do("place", NW)
    assert scene.options("swap_own") == [N, S]
    scene.do("swap_own", N)
    assert scene.options("swap_player") == [1, 2]  # seats 3 and 0, counted from seat 1
    scene.do("swap_player", 2).do("swap_their", E)
    assert (scene.at(1, N), scene.at(0, E)) == ("green", "red")


@pytest.mark.rules("PAT-072")
def test_a_card_without_a_partner_of_its_sort_is_not_offered():
    scene = Scene().deck("cane").lay(0, red=N).lay(0, dry=True, blue=S).lay(1, green=E).call("children")
    assert scene.do("place", NW).options("swap_own") == [N]
    dry = Scene().deck("cane").lay(0, red=N).lay(0, dry=True, blue=S).lay(1, dry=True, green=E).call("children")
    assert dry.do("place", NW).options("swap_own") == [S]
    tubs = Scene().deck("cane").lay(0, red=N, tub=E).lay(1, green=E).call("children").do("place", NW)
    assert tubs.options("swap_own") == [N]


@pytest.mark.rules("PAT-072")
def test_only_cards_of_one_sort_are_swapped_and_never_canes_open_balconies_improvements_or_the_tub():
    scene = Scene().deck("cane").lay(0, red=N, b01=E, hose=W).lay(0, dry=True, b02=S, tub=SW)
    scene.lay(1, green=N, b03=E, cane=W).lay(1, dry=True, blue=S)
    scene.call("children").do("place", NW)
    assert scene.options("swap_own") == [N, S]
    scene.do("swap_own", S).do("swap_player", 0)
    assert scene.options("swap_their") == [S]
    lonely = Scene().deck("cane").lay(0, dry=True, blue=N).lay(0, red=S).lay(1, b01=N).call("children").do("place", NW)
    assert lonely.seat == 1  # nothing to swap against: not asked


@pytest.mark.rules("PAT-073", "PAT-074")
def test_in_a_dry_swap_each_receiver_sees_the_card_he_gets():
    scene = Scene().deck("cane").lay(0, dry=True, blue=N).lay(1, dry=True, b05=E).call("children").do("place", NW)
    before = scene.table.fork(0, 3).state
    assert before.card[0, N] == KIND["blue"]
    scene.do("swap_own", N).do("swap_player", 0).do("swap_their", E)
    assert (scene.at(0, N), scene.at(1, E)) == ("(b05)", "(blue)")
    view = GAME.features.describe(scene.table.observe(0))["cells"]
    assert list(view[0, N]) == [0, 0, 0, 1, -1, 0]
    assert not np.any(view[1, E, :4])  # what he gave is not remembered with dry_visibility=owner


# --- tables of the Sun (section 10), checked here beside the other geometry ------------------------------------------


@pytest.mark.rules("PAT-081", "PAT-082")
def test_the_lists_of_the_sun_are_those_of_the_rules():
    lists = [
        (7, [6, 8], [1, 2, 3], [0, 4]),
        (8, [7, 12], [2, 3, 4, 9, 13], [1, 18]),
        (12, [8, 17], [9, 13, 18], [4, 23]),
        (17, [12, 16], [13, 18, 21, 22, 23], [9, 20]),
        (16, [15, 17], [20, 21, 22], [19, 23]),
        (15, [11, 16], [10, 14, 19, 20, 21], [5, 22]),
        (11, [6, 15], [5, 10, 14], [0, 19]),
        (6, [7, 11], [0, 1, 2, 5, 10], [3, 14]),
    ]
    for d, (first, first_else, second, second_else) in enumerate(lists):
        assert cells_of(FIRST_HIT[d]) == {first}
        assert cells_of(FIRST_ELSE[d]) == set(first_else)
        assert cells_of(SECOND_HIT[d]) == set(second)
        assert cells_of(SECOND_ELSE[d]) == set(second_else)


def test_a_scene_loses_no_card():
    scene = Scene(3).sample("blue", "cane").lay(0, blue=N, cane=[E, S]).lay(1, dry=True, b03=N).hold(1, "hose")
    scene.lay(2, ladder=E)
    scene.check()
    assert scene.state.stock_size == IMPROVEMENTS - 2
