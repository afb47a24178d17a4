"""Lisboa: Lacerda's turn, each choice and each tie-break, and his choices against a slow search (section 18)."""

from __future__ import annotations

import random

import numpy as np
import pytest

from alarife.engine.batch import Batch
from alarife.engine.layout import view_of
from alarife.engine.table import Table
from alarife.games.lisboa import GAME
from alarife.games.lisboa.components import NONE, Act, Deck, Deed, Step
from alarife.games.lisboa.rules import buildings, lacerda
from alarife.games.lisboa.tables import shipped
from games.lisboa.positions import (
    BLUE,
    BUILDER,
    CLOTH,
    EARTHQUAKE,
    FIRE,
    GOLD,
    GREEN,
    KING,
    KING_2_WIGS,
    MINISTER,
    TREASURY,
    TSUNAMI,
    H,
    L,
    begun,
    clear_rubble,
    decide,
    do,
    give_favor,
    give_hand,
    give_ship,
    legal,
    no_buildings,
    own_cubes,
    phase,
    put_building,
    put_cubes,
    put_store,
    show_building,
    take_ships_away,
)

rules = pytest.mark.rules


def quiet():
    """Neither buildings nor rubble, H at his first turn."""
    s = begun().state
    no_buildings(s)
    clear_rubble(s)
    return s


# --- the turn ---------------------------------------------------------------------------------------


@rules("LIS-187")
def test_the_courtier_moves_to_the_right_and_from_the_king_to_the_builder():
    for start, after in ((BUILDER, MINISTER), (MINISTER, KING), (KING, BUILDER)):
        s = begun().state
        s.courtier = start
        lacerda.take_turn(s)
        assert s.courtier == after


@rules("LIS-188", "LIS-189", "LIS-190")
@pytest.mark.parametrize("noble", [BUILDER, MINISTER, KING])
@pytest.mark.parametrize("helper", [BUILDER, MINISTER, KING, TREASURY])
def test_the_helper_decides_between_the_top_and_the_bottom_action_of_the_office(noble, helper):
    s = begun().state
    s.courtier, s.helper = (noble + 2) % 3, helper
    lacerda.take_turn(s)
    top, bottom = {
        BUILDER: (Act.PLANS, Act.OFFICIALS),
        MINISTER: (Act.SHIP, Act.PRODUCE),
        KING: (Act.CARDINAL, Act.FAVOR),
    }[noble]
    assert s.log.act == (top if helper in (KING, TREASURY) else bottom)


@rules("LIS-188", "LIS-191", "LIS-294")
def test_an_impossible_state_action_is_skipped_and_not_replaced():
    s = begun().state
    take_ships_away(s)
    s.courtier, s.helper = MINISTER, KING
    before = (s.influence[L], s.treasury, list(s.supply))
    lacerda.take_state_action(s)
    assert s.log.deed == Deed.IMPOSSIBLE
    assert (s.influence[L], s.treasury, list(s.supply)) == before


# --- state actions ----------------------------------------------------------------------------------


@rules("LIS-192", "LIS-193")
@pytest.mark.parametrize(
    ("blue", "green", "taken"),
    [(6, 13, 6), (6, 17, 17), (12, 17, 12), (10, 17, 10), (NONE, 13, 13), (12, NONE, 12), (NONE, NONE, None)],
)
def test_the_plan_with_the_most_officials_blue_on_a_tie(blue, green, taken):
    s = begun().state
    s.plan_top[BLUE], s.plan_top[GREEN] = blue, green
    assert lacerda.take_plan(s) == (taken is not None)
    if taken is not None:
        assert s.lacerda_plans[s.lacerda_plans_held - 1] == taken


@rules("LIS-194", "LIS-195")
@pytest.mark.parametrize(
    ("offices", "left", "after"),
    [
        ((0, 0, 0), 8, (1, 1, 0)), ((1, 1, 0), 6, (2, 1, 1)), ((1, 0, 0), 7, (1, 1, 1)), ((2, 0, 1), 5, (2, 1, 2)),
        ((0, 2, 1), 5, (1, 2, 2)), ((2, 2, 3), 1, (3, 2, 3)), ((3, 3, 2), 0, (3, 3, 2)),
    ],
)  # fmt: skip
def test_two_officials_go_to_the_offices_with_the_fewest_of_his_from_the_left(offices, left, after):
    s = begun().state
    for n in range(3):
        s.office[L, n] = offices[n]
    s.officials[L] = left
    assert lacerda.place_officials(s) == (left > 0)
    assert tuple(s.office[L]) == after
    assert s.officials[L] == left - (sum(after) - sum(offices))


@rules("LIS-196", "LIS-100", "LIS-101")
def test_lacerda_enters_a_full_office():
    for own, his, after in ((3, 2, (2, 3, 1)), (2, 3, (2, 4, 0)), (5, 0, (4, 1, 1))):
        s = begun().state
        s.office[H, 0], s.office[L, 0] = own, his
        buildings.enter_office(s, L, 0)
        assert (s.office[H, 0], s.office[L, 0], s.plaza) == after


@rules("LIS-197", "LIS-198", "LIS-199")
def test_the_top_ship_brings_its_influence_and_that_of_h_s_portfolio():
    s = begun().state
    s.top[0] = 3  # 2 influence
    s.influence[L] = 1
    assert lacerda.take_ship(s)
    assert s.ship_place[0] == L
    assert s.treasury == 4
    assert s.influence[L] == 1 + 2 + 2
    assert lacerda.take_ship(s)
    assert list(s.ship_place)[:2] == [L, L]
    assert not lacerda.take_ship(s)


@rules("LIS-197", "LIS-070")
def test_h_may_load_lacerda_s_ship():
    table = begun()
    give_ship(table.state, L, 0)
    decide(table, Step.SELL)
    do(table, "sell(good=2, ship=0)")
    assert list(table.state.wigs) == [0, 1]


@rules("LIS-200", "LIS-201")
def test_his_stores_produce_out_of_the_game_as_far_as_the_supply_goes():
    s = begun().state
    for space, street in ((0, 0), (1, 0), (7, 1)):
        put_store(s, L, space, street)
    put_store(s, H, 9, 3)
    s.supply[GOLD], s.lacerda_goods[GOLD] = 1, 15
    assert lacerda.produce(s)
    assert list(s.lacerda_goods) == [16, 1, 0, 0]
    assert list(s.price) == [4, 4, 5, 5]
    s.supply[GOLD] = s.supply[CLOTH] = 0
    assert not lacerda.produce(s)
    assert list(s.price) == [4, 4, 5, 5]


@rules("LIS-202", "LIS-203", "LIS-204", "LIS-178")
def test_worked_example_10_the_cardinal_passes_the_church_icon():
    table = begun()
    s = table.state
    s.cardinal, s.helper, s.courtier = 5, KING, MINISTER
    s.church_slot[1] = 35  # 5 wigs
    s.influence[L] = 8
    lacerda.take_turn(s)
    assert s.cardinal == 1
    assert s.church_slot[1] == NONE
    assert s.clergy_discard[s.clergy_discard_size - 1] == 35
    assert s.church_due == 1
    assert s.log.wigs == 5
    assert s.wigs[L] >= 5


@rules("LIS-202", "LIS-204")
def test_an_empty_slot_gives_him_nothing():
    s = begun().state
    s.cardinal = 0
    s.church_slot[2] = NONE
    assert lacerda.use_cardinal(s)
    assert s.wigs[L] == 0


@rules("LIS-205", "LIS-206")
@pytest.mark.parametrize(
    ("held", "supply", "taken"),
    [
        ((0, 0, 0), (1, 1, 1), 0), ((1, 0, 0), (1, 1, 1), 1), ((0, 0, 0), (0, 2, 1), 1), ((1, 0, 0), (1, 0, 2), 2),
        ((1, 1, 1), (1, 1, 1), None), ((1, 1, 0), (1, 1, 0), None),
    ],
)  # fmt: skip
def test_the_favor_of_the_first_noble_whose_favor_he_lacks(held, supply, taken):
    s = begun().state
    for n in range(3):
        s.favor[L, n], s.favor_supply[n] = held[n], supply[n]
    assert lacerda.take_royal_favor(s) == (taken is not None)
    assert list(s.favor[L]) == [held[n] + (n == taken) for n in range(3)]


# --- noble actions ----------------------------------------------------------------------------------


@rules("LIS-207", "LIS-208")
def test_he_pays_the_usual_influence_and_the_rest_in_wigs():
    s = begun().state
    s.office[H, MINISTER] = 2
    s.influence[L], s.wigs[L] = 3, 5
    assert lacerda.take_noble_action(s, MINISTER, s.log.visit)
    assert (s.influence[L], s.wigs[L]) == (0, 4)


@rules("LIS-208")
def test_the_cost_is_read_after_the_state_action():
    s = begun().state
    s.courtier, s.helper = BUILDER, KING  # to the Minister, ship: treasury from 3 to 4, 2 influence for the blue ship
    s.treasury, s.influence[L] = 5, 5
    lacerda.take_turn(s)
    assert s.treasury == 6
    assert s.influence[L] == 5 + 2 - 3


@rules("LIS-209", "LIS-294")
def test_without_means_or_possibility_he_skips_and_pays_nothing():
    s = begun().state
    s.influence[L], s.wigs[L] = 1, 0
    assert not lacerda.take_noble_action(s, MINISTER, s.log.visit)
    assert (s.influence[L], s.decrees_held[L]) == (1, 0)
    s.influence[L], s.houses[L] = 9, 0
    assert not lacerda.take_noble_action(s, BUILDER, s.log.visit)
    assert s.influence[L] == 9
    show_building(s, BLUE, None)
    show_building(s, GREEN, None)
    assert not lacerda.take_noble_action(s, KING, s.log.visit)


@rules("LIS-210", "LIS-211", "LIS-212", "LIS-213")
def test_worked_example_5_without_buildings_he_takes_the_first_space_from_the_top_left():
    s = quiet()
    for space, street in ((0, 0), (1, 0), (2, 1)):  # A1 faces right, the others left
        lacerda.build_store(s, s.log.visit)
        assert (s.log.visit.what, s.store_street[space], s.store_owner[space]) == (space, street, L)
    assert s.log.visit.ties == 18


@rules("LIS-210", "LIS-211", "LIS-218")
def test_he_builds_where_he_scores_most_at_once():
    s = quiet()
    put_building(s, 9, (0, 0, 2, 0), L, 0)  # east of B: books
    put_building(s, 10, (0, 0, 2, 0), L, 1)  # east of C: books
    lacerda.build_store(s, s.log.visit)
    assert s.log.visit.what == 8  # B4, the topmost, the only space of row B facing books to the left
    assert s.wigs[L] == 2
    assert s.log.visit.ties == 2
    lacerda.build_store(s, s.log.visit)
    assert s.log.visit.what == 13  # C4


@rules("LIS-211", "LIS-212", "LIS-213")
def test_the_topmost_row_goes_before_the_leftmost_space():
    s = quiet()
    put_building(s, 7, (0, 0, 0, 3), L, 0)  # street 4: tools, which only column 5 faces to the left
    put_building(s, 1, (3, 0, 0, 0), L, 1)  # west of C: gold, C1 and C2
    lacerda.build_store(s, s.log.visit)
    assert s.log.visit.what == 4  # A5 before C1
    for row in (1, 3):
        put_store(s, H, 5 * row + 4, 3)
    put_store(s, H, 14, 3)
    lacerda.build_store(s, s.log.visit)
    assert s.log.visit.what == 10  # C1 before C2
    assert s.store_street[10] == 0


@rules("LIS-213")
def test_a_space_that_would_score_only_facing_right_does_not_count():
    s = quiet()
    put_building(s, 3, (0, 4, 0, 0), L, 0)  # west of A: cloth
    put_store(s, H, 2, 1)  # A3, which faces cloth to the left
    lacerda.build_store(s, s.log.visit)
    assert s.log.visit.what == 0  # not A2, whose right would be cloth


@rules("LIS-214", "LIS-219")
def test_he_ignores_reward_and_price_and_needs_a_house_and_a_space():
    s = quiet()
    put_cubes(s, s.row_cubes[0], EARTHQUAKE, EARTHQUAKE)
    reis, display = s.reis, list(s.decree_display)
    put_store(s, H, 0, 0)
    lacerda.build_store(s, s.log.visit)  # A2, whose reward is a decree
    assert s.log.visit.what == 1
    assert (s.reis, list(s.decree_display), s.decrees_held[L]) == (reis, display, 0)
    s.houses[L] = 0
    assert not lacerda.is_possible(s, BUILDER)
    s.houses[L] = 1
    for i in range(20):
        s.store_owner[i] = H
    assert not lacerda.is_possible(s, BUILDER)


@rules("LIS-215", "LIS-216", "LIS-217", "LIS-159")
@pytest.mark.parametrize(
    ("row", "column", "kind", "from_row"),
    [
        ([EARTHQUAKE], [FIRE], FIRE, False), ([TSUNAMI], [FIRE], TSUNAMI, True), ([FIRE], [FIRE], FIRE, False),
        ([TSUNAMI, FIRE], [TSUNAMI, TSUNAMI], TSUNAMI, False), ([EARTHQUAKE], [], EARTHQUAKE, True),
        ([], [], NONE, None),
    ],
)  # fmt: skip
def test_he_takes_the_cheapest_cube_the_column_s_on_a_tie(row, column, kind, from_row):
    s = quiet()
    own_cubes(s, L, 0, 0, 0)
    put_cubes(s, s.row_cubes[1], *row)
    put_cubes(s, s.column_cubes[2], *column)
    assert lacerda.take_cheapest_cube(s, 7) == kind
    assert sum(s.cubes[L]) == (kind != NONE)
    if kind != NONE:
        assert sum(s.row_cubes[1]) == len(row) - from_row
        assert sum(s.column_cubes[2]) == len(column) - (not from_row)


@rules("LIS-220", "LIS-182")
def test_he_takes_the_two_leftmost_decrees():
    s = begun().state
    row = list(s.decree_display)
    assert lacerda.take_noble_action(s, MINISTER, s.log.visit)
    assert s.decree_owner[row[0]] == s.decree_owner[row[1]] == L
    assert list(s.decree_display)[:6] == row[2:]
    assert 0 not in list(s.decree_display)


def example_6():
    """Gold stores: L on A1 and B1, H on B2 facing left; the blue building pays gold 3, green is used up."""
    s = quiet()
    for owner, space in ((L, 0), (L, 5), (H, 6)):
        put_store(s, owner, space, 0)
    show_building(s, BLUE, (3, 0, 0, 0))
    show_building(s, GREEN, None)
    return s


@rules("LIS-222", "LIS-224", "LIS-225", "LIS-228", "LIS-230")
def test_worked_example_6_the_first_of_the_best_spaces_clockwise():
    s = example_6()
    values = [lacerda.relative_wigs(s, BLUE, site) for site in range(12)]
    assert values == [0, 0, 0, 3, 3, 0, 0, 0, 3, 0, 0, 0]
    assert lacerda.choose_architect(s) == BLUE
    lacerda.open_building(s, s.log.visit)
    assert s.log.visit.where == 3
    assert s.log.visit.ties == 3
    assert list(s.wigs) == [0, 3]
    assert s.site_owner[3] == L


@rules("LIS-224")
def test_a_used_up_space_is_passed_over():
    s = example_6()
    put_building(s, 3, (0, 0, 0, 0), 2, 4)
    lacerda.open_building(s, s.log.visit)
    assert s.log.visit.where == 4
    assert list(s.wigs) == [3, 6]


@rules("LIS-223", "LIS-225")
@pytest.mark.parametrize("helper", [BUILDER, MINISTER, KING, TREASURY])
def test_between_equal_buildings_the_helper_decides(helper):
    s = quiet()
    put_store(s, L, 0, 0)  # A1 gold
    put_store(s, L, 9, 3)  # B5 tools
    show_building(s, BLUE, (3, 0, 0, 0))
    show_building(s, GREEN, (0, 0, 0, 3), tile=10)
    s.helper = helper
    lacerda.open_building(s, s.log.visit)
    green = helper in (KING, TREASURY)
    assert s.tables.tile_architect[s.log.visit.what // 2] == green
    assert s.log.visit.where == (2 if green else 3)


@rules("LIS-222", "LIS-225")
@pytest.mark.parametrize(("blue", "green", "taken"), [(2, 1, BLUE), (1, 2, GREEN)])
@pytest.mark.parametrize("helper", [BUILDER, KING])
def test_the_building_with_the_higher_best_value_wins_whatever_the_helper(blue, green, taken, helper):
    s = quiet()
    put_store(s, L, 0, 0)
    s.helper = helper
    show_building(s, BLUE, (blue, 0, 0, 0))
    show_building(s, GREEN, (green, 0, 0, 0), tile=10)
    assert lacerda.choose_architect(s) == taken


@rules("LIS-225", "LIS-229")
def test_he_opens_even_at_a_loss_and_a_missing_building_is_ignored():
    s = quiet()
    for i in range(20):
        put_store(s, H, i, max(0, i % 5 - 1))
    show_building(s, BLUE, None)
    show_building(s, GREEN, (1, 1, 1, 1), tile=10)
    # A row pays H five wigs, streets 1 holds eight stores, the others four.
    assert lacerda.is_possible(s, KING)
    lacerda.open_building(s, s.log.visit)
    assert s.log.visit.where == 5
    assert list(s.wigs) == [4, 0]
    for i in range(12):
        s.site_tile[i] = 0
    assert not lacerda.is_possible(s, KING)


@rules("LIS-226", "LIS-227", "LIS-164")
def test_he_takes_the_cubes_and_neither_reward_nor_plan_nor_officials():
    s = example_6()
    own_cubes(s, L, 0, 0, 0)
    put_cubes(s, s.site_cubes[3], EARTHQUAKE, TSUNAMI)
    s.influence[L] = 5
    s.officials[L] = 8
    plans = s.lacerda_plans_held
    lacerda.open_building(s, s.log.visit)
    assert list(s.cubes[L]) == [1, 0, 1]
    assert (s.influence[L], s.officials[L], s.lacerda_plans_held) == (5, 8, plans)
    assert s.tile_top[BLUE] != s.log.visit.what


# --- end of his turn --------------------------------------------------------------------------------


@rules("LIS-232", "LIS-233")
def test_the_card_below_the_helper_goes_and_he_moves_up():
    s = begun().state
    s.helper = MINISTER
    card = s.deck_top[MINISTER]
    lacerda.end_turn(s)
    assert s.card_gone[card] == 1
    assert s.deck_size[MINISTER] == 3
    assert s.helper == KING


@rules("LIS-232", "LIS-233")
def test_worked_example_8_empty_decks_are_skipped():
    s = begun().state
    s.helper = TREASURY
    s.deck_top[BUILDER], s.deck_size[BUILDER] = NONE, 0
    lacerda.end_turn(s)
    assert s.helper == MINISTER
    s.helper = BUILDER
    lacerda.end_turn(s)
    assert s.log.card == NONE
    assert s.helper == MINISTER


@rules("LIS-234")
def test_without_another_deck_the_helper_stays():
    s = begun().state
    s.helper = KING
    for d in (BUILDER, MINISTER, TREASURY):
        s.deck_top[d], s.deck_size[d] = NONE, 0
    lacerda.end_turn(s)
    assert s.helper == KING
    assert s.deck_top[KING] != NONE


@rules("LIS-185", "LIS-231", "LIS-235", "LIS-283")
def test_h_follows_after_step_3_and_church_scoring_comes_after_step_5():
    table = begun()
    s = table.state
    s.courtier, s.helper, s.cardinal = MINISTER, TREASURY, 4
    give_favor(s, H, KING)
    s.clergy[0], s.clergy_held = 13, 1
    give_hand(s, KING_2_WIGS)
    do(table.refresh(), "main(slot=0, mode=2)", "draw(deck=1)")
    assert phase(table) == Step.FOLLOW
    assert s.turn_of == L
    assert "state(act=4)" in legal(table)
    assert s.log.visit.deed == Deed.DONE
    assert s.helper == TREASURY
    do(table, "stop()")
    assert phase(table) == Step.CHURCH
    assert s.helper == BUILDER
    do(table, "clergy(tile=0)")
    assert s.wigs[H] == 4
    assert phase(table) == Step.MAIN
    assert NONE not in list(s.church_slot)


@rules("LIS-236")
def test_his_influence_is_capped_like_h_s():
    s = begun().state
    s.influence[L] = 9
    assert lacerda.take_ship(s)
    assert (s.influence[L], s.wigs[L]) == (10, 1)


# --- his choices against a slow search --------------------------------------------------------------

ROWS, COLUMNS = "ABCD", "12345"
CLOCKWISE = ["WD", "WC", "WB", "WA", "N1", "N2", "N3", "N4", "EA", "EB", "EC", "ED"]


def stores_of(s):
    """Every store as (owner, row, column, good), the good worked out from the names of the streets."""
    goods = {street: GOLD + street for street in range(4)}
    return [(s.store_owner[i], ROWS[i // 5], COLUMNS[i % 5], goods[s.store_street[i]])
            for i in range(20) if s.store_owner[i] != NONE]  # fmt: skip


def shows(tile):
    """Wigs by good, read from the shipped table."""
    pays = shipped()["public_buildings"]["rows"][tile // 2][("side_a", "side_b")[tile % 2]]
    return [pays[name] for name in ("gold", "cloth", "books", "tools")]


def in_line(site, row, good):
    """Whether a store lies in the line of a construction space."""
    return good == int(site[1]) - 1 if site[0] == "N" else row == site[1]


def slow_store(s):
    """All spaces, scored one by one: most wigs, then the topmost, then the leftmost."""
    options = []
    for r, row in enumerate(ROWS):
        for c in range(5):
            if s.store_owner[5 * r + c] == NONE:
                good = max(0, c - 1)
                wigs = sum(shows(s.site_tile[i])[good] for i, site in enumerate(CLOCKWISE)
                           if s.site_tile[i] != NONE and in_line(site, row, good))  # fmt: skip
                options.append((-wigs, r, c, good))
    return min(options)


def slow_building(s):
    """All buildings on all spaces: most relative wigs, then the Helper's colour, then the first clockwise."""
    wanted = GREEN if s.helper in (Deck.KING, Deck.TREASURY) else BLUE
    options = []
    for architect in (BLUE, GREEN):
        for i, site in enumerate(CLOCKWISE):
            if s.tile_top[architect] != NONE and s.site_tile[i] == NONE:
                pays = shows(s.tile_top[architect])
                wigs = sum((1 if owner == L else -1) * pays[good] for owner, row, _, good in stores_of(s)
                           if in_line(site, row, good))  # fmt: skip
                options.append((-wigs, architect != wanted, i, architect))
    return min(options)


def slow_cube(s, row, column):
    """Row and column laid side by side: cheapest first, the column's before the row's."""
    cost = (3, 2, 1)
    lying = [(cost[k], place, k) for place, cubes in enumerate((s.column_cubes[column], s.row_cubes[row]))
             for k in range(3) for _ in range(cubes[k])]  # fmt: skip
    return min(lying, default=None)


@rules("LIS-210", "LIS-211", "LIS-212", "LIS-213", "LIS-215", "LIS-216", "LIS-222", "LIS-223", "LIS-224", "LIS-225")
def test_his_stores_cubes_and_buildings_agree_with_a_slow_search():
    batch = Batch(GAME, 20, seed=17)
    chance = random.Random(5)
    checked = 0
    for _ in range(9):
        for _ in range(11):
            batch.step(batch.script() if chance.random() < 0.6 else batch.sample())
        for i in range(40):
            game = i % 20
            states = batch.arrays.states[game : game + 1].view(np.uint8).copy().view(GAME.state.dtype)
            s = view_of(states)
            scatter(s, chance)
            checked += agrees(s)
    assert checked > 600


def scatter(s, chance):
    """Helper anywhere, a few more stores and buildings so that ties and losses are frequent."""
    s.helper = chance.randrange(4)
    for _ in range(chance.randrange(6)):
        space = chance.randrange(20)
        if s.store_owner[space] == NONE:
            put_store(s, chance.randrange(2), space, max(0, space % 5 - chance.randrange(2)) if space % 5 < 4 else 3)
    s.houses[L] = max(1, s.houses[L])


def agrees(s):
    """Whether both noble actions with a choice come out as by the slow search; how many were compared."""
    compared = 0
    if lacerda.is_possible(s, KING):
        wigs, _, site, architect = slow_building(s)
        tile = s.tile_top[architect]
        lacerda.open_building(s, s.log.visit)
        assert (s.log.visit.what, s.log.visit.where) == (tile, site)
        assert s.log.visit.wigs - s.log.visit.given == -wigs
        compared += 1
    if lacerda.is_possible(s, BUILDER):
        wigs, row, column, street = slow_store(s)
        cube = slow_cube(s, row, column)
        lying = sum(s.row_cubes[row])
        lacerda.build_store(s, s.log.visit)
        assert (s.log.visit.what, s.log.visit.where, s.log.visit.wigs) == (5 * row + column, street, -wigs)
        assert s.log.visit.cube == (cube[2] if cube else NONE)
        assert sum(s.row_cubes[row]) == lying - (cube is not None and cube[1])
        compared += 1
    return compared


@rules("LIS-194", "LIS-205")
def test_his_officials_and_favors_agree_with_sorting():
    chance = random.Random(3)
    for _ in range(300):
        s = begun_state()
        counts = [chance.randrange(4) for _ in range(3)]
        left = chance.randrange(4)
        for n in range(3):
            s.office[L, n] = counts[n]
            s.office[H, n] = 0
            s.favor[L, n], s.favor_supply[n] = chance.randrange(2), chance.randrange(2)
        s.officials[L] = left
        fewest = sorted(range(3), key=lambda n: (counts[n], n))[: min(2, left)]
        favors = [n for n in range(3) if s.favor[L, n] == 0 and s.favor_supply[n] > 0]
        held = list(s.favor[L])
        lacerda.place_officials(s)
        lacerda.take_royal_favor(s)
        assert list(s.office[L]) == [counts[n] + (n in fewest) for n in range(3)]
        assert list(s.favor[L]) == [held[n] + (n in favors[:1]) for n in range(3)]


_BEGUN = begun()


def begun_state():
    """A copy of one position: making a new game takes longer."""
    return _BEGUN.clone().state


@rules("LIS-290")
def test_lacerda_draws_no_lots():
    """Only what is turned up is random: his choices are the same whatever the random stream."""
    table = Table(GAME, seed=8)
    while table.state.round < 5:
        table.play(table.legal()[0])
    results = set()
    for seed in range(8):
        s = table.fork(0, seed).state
        s.courtier, s.helper = KING, BUILDER
        lacerda.take_turn(s)
        results.add((s.log.deed, s.log.first, s.log.visit.what, s.log.visit.where, s.log.visit.wigs))
    assert len(results) == 1


def test_the_story_of_his_turn_can_be_told():
    table = Table(GAME, seed=2)
    text = ""
    while not table.over:
        table.play(table.legal()[table.state.decisions % len(table.legal())])
        text += table.text()
    for words in ("the courtier goes to", "Helper above", "discards", "the Helper goes above", "leftmost decrees",
                  "builds a", "opens"):  # fmt: skip
        assert words in text, words
