"""Lisboa: stores, rubble, public buildings, clergy and Cardinal, decrees (sections 13 to 17)."""

from __future__ import annotations

import numpy as np
import pytest

from alarife.games.lisboa import GAME
from alarife.games.lisboa.components import METRIC_NAMES, NONE, Act, Effect, Step
from alarife.games.lisboa.display import in_words
from alarife.games.lisboa.rules import buildings, church, city, decrees, lacerda, means, state_actions, turn
from alarife.games.lisboa.tables import shipped
from alarife.games.lisboa.words import decree_name
from games.lisboa.positions import (
    BLUE,
    BOOKS,
    CLOTH,
    EARTHQUAKE,
    FIRE,
    GOLD,
    GREEN,
    KING,
    MINISTER,
    TOOLS,
    TSUNAMI,
    H,
    L,
    begun,
    clear_rubble,
    decide,
    do,
    give_clergy,
    give_ship,
    legal,
    no_buildings,
    own_cubes,
    phase,
    put_building,
    put_cubes,
    put_store,
    set_goods,
    show_building,
)

rules = pytest.mark.rules

A1, A2, A4, B1, B2, B4, C1, C5, D5 = 0, 1, 3, 5, 6, 8, 10, 14, 19

# --- 13. building a store ---------------------------------------------------------------------------


def example_3(space):
    """Row of the space: 3 + 2 + 1, column 4: 1 + 1, level 3."""
    table = begun()
    s = table.state
    clear_rubble(s)
    no_buildings(s)
    put_cubes(s, s.row_cubes[space // 5], EARTHQUAKE, FIRE, TSUNAMI)
    put_cubes(s, s.column_cubes[3], TSUNAMI, TSUNAMI)
    for i in range(20):
        if i != space:
            put_store(s, L, i, max(0, i % 5 - 1))
    s.reis, s.influence[H] = 5, 4
    return table


@rules("LIS-146", "LIS-148", "LIS-149")
def test_worked_example_3_the_reward_of_a_space_helps_to_pay_for_it():
    table = example_3(A4)
    s = table.state
    assert city.land_cost(s, A4) == 12
    decide(table, Step.BUILD)
    assert legal(table) == {"build(space=3, right=0)", "build(space=3, right=1)"}
    do(table, "build(space=3, right=0)")
    assert (s.reis, s.influence[H]) == (0, 3)
    assert phase(table) == Step.CUBE
    table = example_3(B4)
    assert city.land_cost(table.state, B4) == 12
    assert city.buildable(table.state, 5, 4) == 0


@rules("LIS-149")
def test_influence_as_a_reward_helps_to_pay_too():
    table = begun()
    s = table.state
    clear_rubble(s)
    assert city.affordable(s, 15, 4, 0, 1)  # D1 gives 3 influence
    assert not city.affordable(s, 15, 5, 0, 1)
    assert not city.affordable(s, 15, 7, 0, 9)  # at most six influence


@rules("LIS-145", "LIS-292")
def test_a_store_needs_a_house_and_an_empty_space():
    table = begun()
    s = table.state
    clear_rubble(s)
    assert state_actions.doable_now(s, Act.BUILD_STORE)
    s.houses[H] = 0
    assert not state_actions.doable_now(s, Act.BUILD_STORE)
    s.houses[H] = 8
    put_store(s, L, A1, 0)
    decide(table, Step.BUILD)
    assert not any(name.startswith("build(space=0,") for name in legal(table))


@rules("LIS-005", "LIS-151", "LIS-284")
def test_a_house_faces_a_street_that_its_space_touches():
    table = begun()
    s = table.state
    clear_rubble(s)
    decide(table, Step.BUILD)
    names = legal(table)
    assert "build(space=0, right=0)" not in names
    assert "build(space=4, right=1)" not in names
    assert len(names) == 40 - 8
    do(table, "build(space=2, right=1)")
    assert (s.store_owner[2], s.store_street[2]) == (H, 2)
    assert s.houses[H] == 7


@rules("LIS-147")
def test_discounts_for_rubble_and_land():
    table = example_3(A4)
    s = table.state
    give_clergy(s, 2, 6)  # earthquakes and tsunamis 1 less
    assert city.land_cost(s, A4) == 4 + (2 + 2 + 0) + 0
    give_clergy(s, 4, 5, 0, 1)  # fire 1 less twice, land 2 less twice
    assert city.land_cost(s, A4) == 4 + (3 + 0 + 1) + 2 - 4
    s.bottom[0] = 77
    assert city.land_cost(s, A4) == 10 - 4 - 3
    s.treasury = 1
    s.bottom[0] = 77
    assert city.land_cost(s, 0) >= 0


@rules("LIS-150")
def test_h_takes_a_cube_of_the_row_or_the_column():
    table = begun()
    s = table.state
    clear_rubble(s)
    put_cubes(s, s.row_cubes[0], FIRE)
    put_cubes(s, s.column_cubes[0], EARTHQUAKE, TSUNAMI)
    own_cubes(s, H, 0, 0, 0)
    decide(table, Step.CUBE, A1)
    assert legal(table) == {"cube(row=0, kind=0)", "cube(row=0, kind=2)", "cube(row=1, kind=1)"}
    do(table, "cube(row=1, kind=1)")
    assert list(s.cubes[H]) == [0, 1, 0]
    assert list(s.row_cubes[0]) == [0, 0, 0]
    clear_rubble(s)
    pile = list(s.pile)
    assert turn.choices(decide(table, Step.CUBE, A1).state) == 0
    assert list(s.pile) == pile


@rules("LIS-152")
def test_a_new_store_scores_at_the_open_buildings_of_its_row_and_street():
    s = begun().state
    no_buildings(s)
    put_building(s, 3, (3, 0, 0, 0), L, 0)  # west of A
    put_building(s, 8, (1, 1, 0, 0), 2, 1)  # east of A
    put_building(s, 4, (2, 0, 0, 0), H, 2)  # street 1
    put_building(s, 2, (4, 0, 0, 0), H, 3)  # west of B: another row
    assert city.place_store(s, H, A2, 0) == 6
    assert city.place_store(s, L, 2, 1) == 1
    assert list(s.wigs) == [6, 1]


@rules("LIS-148", "LIS-301")
def test_reward_payment_cube_house_in_this_order():
    table = begun()
    s = table.state
    clear_rubble(s)
    no_buildings(s)
    put_building(s, 5, (0, 3, 0, 0))
    put_cubes(s, s.row_cubes[1], FIRE, TSUNAMI)
    decide(table, Step.BUILD)
    do(table, "build(space=6, right=1)")  # a good of choice first
    assert phase(table) == Step.GOOD_ANY
    assert s.reis == 10
    do(table, "good_any(good=3)")
    assert phase(table) == Step.CUBE
    assert s.reis == 10 - 4 - 2 - 1
    assert s.wigs[H] == 0
    do(table, "cube(row=1, kind=2)")
    assert s.wigs[H] == 3


@rules("LIS-153", "LIS-154")
def test_a_space_serves_once():
    table = begun()
    s = table.state
    put_store(s, L, A1, 0)
    assert not city.buildable(s, 99, 10) & 1
    assert city.buildable(s, 99, 10) == (1 << 20) - 2


# --- 14. rubble -------------------------------------------------------------------------------------


@rules("LIS-155", "LIS-158", "LIS-156")
def test_a_set_is_one_cube_of_each_kind_and_counts_up_to_five():
    s = begun().state
    for counts, sets in (((0, 4, 4), 0), ((1, 4, 2), 1), ((3, 4, 3), 3), ((7, 6, 8), 5)):
        own_cubes(s, H, *counts)
        assert means.sets_of(s) == sets
    assert means.room_for(s, GOLD) == 2 + 5 - 1


@rules("LIS-159", "LIS-237")
def test_cubes_of_lacerda_are_no_sets():
    s = begun().state
    own_cubes(s, H, 0, 0, 0)
    own_cubes(s, L, 3, 3, 3)
    assert means.sets_of(s) == 0


# --- 15. public buildings ---------------------------------------------------------------------------


def ready_to_open():
    """H: a blue plan for two officials, one with the King, two on the plaza."""
    table = begun()
    s = table.state
    no_buildings(s)
    clear_rubble(s)
    s.plan_gone[s.plans[0]] = 1
    s.plans[0] = 11  # blue, 2 officials, 5 wigs
    s.office[H, KING], s.plaza, s.officials[H] = 1, 2, 5
    show_building(s, BLUE, (3, 0, 0, 1))
    return table


@rules("LIS-160", "LIS-162", "LIS-163", "LIS-166", "LIS-285")
def test_h_opens_a_building_with_a_plan_and_its_officials():
    table = ready_to_open()
    s = table.state
    s.plans[1], s.plans_held = 13, 2  # green, 1 official
    tile = s.tile_top[BLUE]
    decide(table, Step.USE_PLAN)
    assert legal(table) == {"use_plan(plan=0)", "use_plan(plan=1)"}
    do(table, "use_plan(plan=0)")
    assert list(s.plans)[:2] == [13, NONE]
    assert legal(table) == {f"site(site={i})" for i in range(12)}
    do(table, "site(site=4)")
    assert legal(table) == {"hire(source=2)", "hire(source=3)"}
    do(table, "hire(source=3)", "hire(source=2)")
    assert (s.hired, s.plaza, s.office[H, KING], s.site_hired[4]) == (2, 1, 0, 2)
    assert (s.site_tile[4], s.site_owner[4]) == (tile, H)
    assert s.tile_top[BLUE] not in (tile, NONE)
    assert s.reis == 10 + 8  # the space
    assert s.wigs[H] == 5  # the plan


@rules("LIS-161", "LIS-293")
def test_officials_to_hire_are_those_of_the_plan_less_discounts_at_least_one():
    table = ready_to_open()
    s = table.state
    assert buildings.officials_to_hire(s, 12) == 3
    give_clergy(s, 27, 28)
    assert buildings.officials_to_hire(s, 12) == 1
    assert buildings.officials_to_hire(s, 13) == 1
    give_clergy(s)
    s.clergy_held = 0
    s.plaza = 0
    assert buildings.use_plan_choices(s) == 0


@rules("LIS-164", "LIS-165", "LIS-007")
def test_the_opener_takes_the_cubes_and_every_store_of_the_line_scores():
    table = ready_to_open()
    s = table.state
    put_cubes(s, s.site_cubes[4], FIRE, TSUNAMI)
    own_cubes(s, H, 0, 0, 0)
    put_store(s, H, A1, 0)
    put_store(s, L, B2, 0)
    put_store(s, H, C1, 0)
    put_store(s, L, B1, 0)
    put_store(s, L, C5, 3)  # another street
    decide(table, Step.SITE, 11)
    do(table, "site(site=4)", "hire(source=3)", "hire(source=3)")
    assert list(s.cubes[H]) == [0, 1, 1]
    assert list(s.wigs) == [3 + 3 + 5, 3 + 3]


@rules("LIS-165")
def test_a_side_building_pays_the_stores_of_its_row():
    s = begun().state
    no_buildings(s)
    show_building(s, GREEN, (0, 2, 0, 1))
    for owner, space, street in ((H, 5, 0), (H, 6, 1), (L, 9, 3), (L, 3, 3)):
        put_store(s, owner, space, street)
    for site in (2, 9):
        assert buildings.line_wigs(s, H, s.tile_top[GREEN], site) == 2
        assert buildings.line_wigs(s, L, s.tile_top[GREEN], site) == 1


@rules("LIS-166")
def test_tiles_add_wigs_for_opening():
    table = ready_to_open()
    s = table.state
    give_clergy(s, 24, 25)
    decide(table, Step.SITE, 11)
    do(table, "site(site=4)", "hire(source=3)", "hire(source=3)")
    assert s.wigs[H] == 2 + 2 + 5


@rules("LIS-167")
def test_an_empty_stack_makes_its_architect_unavailable():
    table = ready_to_open()
    show_building(table.state, BLUE, None)
    assert not state_actions.doable_now(table.state, Act.OPEN_PUBLIC_BUILDING)


@rules("LIS-166", "LIS-301")
def test_the_reward_of_the_space_comes_before_the_effect_of_the_plan():
    table = ready_to_open()
    s = table.state
    s.plan_gone[11], s.plans[0] = 0, 12  # blue, 3 officials, 2 decrees
    decide(table, Step.SITE, 12)
    do(table, "site(site=1)", "hire(source=3)", "hire(source=3)")  # two goods of choice; the King's man goes by himself
    assert phase(table) == Step.GOOD_ANY
    do(table, "good_any(good=0)", "good_any(good=1)")
    assert phase(table) == Step.DECREE


# --- 16. church -------------------------------------------------------------------------------------


@rules("LIS-168", "LIS-169", "LIS-109", "LIS-131")
def test_worked_example_9_onto_the_treasury_symbol():
    table = begun()
    s = table.state
    s.cardinal = 2
    front, behind = s.church_slot[3], s.church_slot[2]
    decide(table, Step.CARDINAL)
    twin = table.clone()
    do(table, "cardinal(steps=0, behind=0)")
    assert s.clergy[0] == front
    assert s.treasury == 4
    do(twin, "cardinal(steps=0, behind=1)")
    assert twin.state.clergy[0] == behind


@rules("LIS-169", "LIS-170", "LIS-203", "LIS-204")
def test_symbols_count_when_reached_or_passed():
    for start, steps, level, due in (
        (1, 2, 4, 0),
        (2, 2, 4, 0),
        (3, 2, 3, 0),
        (4, 2, 3, 1),
        (5, 2, 3, 1),
        (0, 2, 3, 0),
    ):
        s = begun().state
        s.cardinal = start
        church.move_cardinal(s, steps)
        assert (s.treasury, s.church_due) == (level, due)


@rules("LIS-171")
def test_the_chosen_side_must_hold_a_tile_if_either_does():
    table = begun()
    s = table.state
    s.church_slot[1] = NONE  # in front after one step
    decide(table, Step.CARDINAL)
    assert legal(table) == {"cardinal(steps=0, behind=1)", "cardinal(steps=1, behind=0)"}
    s.church_slot[0] = NONE
    assert "cardinal(steps=0, behind=0)" in legal(table.refresh())
    do(table, "cardinal(steps=0, behind=0)")
    assert s.clergy_held == 0


@rules("LIS-172", "LIS-285")
def test_a_fifth_tile_replaces_one_or_is_refused():
    table = begun()
    s = table.state
    give_clergy(s, 7, 8, 9, 10)
    tile = s.church_slot[1]
    decide(table, Step.CARDINAL)
    do(table, "cardinal(steps=0, behind=0)")
    assert legal(table) == {f"clergy(tile={i})" for i in range(4)} | {"stop()"}
    twin = table.clone()
    do(table, "clergy(tile=1)")
    assert list(s.clergy) == [7, 9, 10, tile]
    assert s.wigs[H] == 0
    assert s.clergy_discard[s.clergy_discard_size - 1] == 8
    do(twin, "stop()")
    assert list(twin.state.clergy) == [7, 8, 9, 10]


@rules("LIS-175", "LIS-176")
def test_h_gives_up_tiles_for_wigs_and_then_gains_influence_once():
    table = begun()
    s = table.state
    give_clergy(s, 13, 21, 35)  # 4 wigs; influence bonus; 5 wigs
    s.top[0] = 3  # 2 influence
    s.influence[H] = 0
    decide(table, Step.CHURCH)
    do(table, "clergy(tile=2)", "clergy(tile=0)")
    assert s.wigs[H] == 9
    assert s.influence[H] == 0
    do(table, "stop()")
    assert s.influence[H] == 2 + 1


@rules("LIS-176")
def test_who_gives_up_nothing_gains_no_influence():
    table = begun()
    s = table.state
    give_clergy(s, 13)
    s.top[0], s.influence[H] = 3, 0
    decide(table, Step.CHURCH)
    do(table, "stop()")
    assert s.influence[H] == 0


@rules("LIS-055", "LIS-170", "LIS-177", "LIS-178")
def test_church_scoring_comes_at_the_end_of_the_turn_for_h_then_for_lacerda():
    table = begun()
    s = table.state
    s.cardinal = 5
    give_clergy(s, 13)
    give_ship(s, L, 1)
    s.top[0] = 3
    s.influence[L] = 0
    decide(table, Step.CARDINAL)
    do(table, "cardinal(steps=0, behind=0)")
    assert phase(table) == Step.CHURCH
    assert s.influence[L] == 0
    do(table, "stop()")
    assert s.influence[L] == 2 + 2
    assert phase(table) == Step.DRAW
    assert s.church_due == 0


@rules("LIS-058", "LIS-179")
def test_empty_slots_are_refilled_from_the_bag_and_the_bag_from_the_discard():
    s = begun().state
    s.church_slot[2] = s.church_slot[4] = NONE
    s.clergy_bag_size = 0
    s.clergy_discard[0], s.clergy_discard_size = 33, 1
    church.refill_church(s)
    assert s.church_slot[2] == 33
    assert s.church_slot[4] == NONE
    assert (s.clergy_bag_size, s.clergy_discard_size) == (0, 0)


# --- 17. decrees ------------------------------------------------------------------------------------


@rules("LIS-180", "LIS-181", "LIS-183")
def test_decrees_cost_nothing_and_the_display_may_shrink():
    table = begun()
    s = table.state
    s.decree_deck_size = 0
    decide(table, Step.NOBLE, MINISTER)
    do(table, "noble()", "decree(position=0)", "decree(position=1)")
    assert s.decrees_held[H] == 2
    assert (s.reis, s.influence[H]) == (10, 8)
    assert [d > 0 for d in s.decree_display] == [True] * 6 + [False] * 2


@rules("LIS-174")
def test_a_tile_pays_a_wig_for_each_decree_taken():
    table = begun()
    give_clergy(table.state, 29, 30)
    decide(table, Step.DECREE, 2, 1)
    do(table, "decree(position=0)", "decree(position=1)")
    assert table.state.wigs[H] == 4


@rules("LIS-048")
def test_decree_69_is_thrown_out_whenever_it_comes_up():
    s = begun().state
    s.decree_display[0] = 0
    s.decree_deck[0], s.decree_deck[1], s.decree_deck_size = 69, 69, 2
    decrees.slide_decrees(s)
    assert s.decree_display[7] == 0
    assert s.decree_deck_size == 0


def busy():
    """A position in which every metric is something of its own."""
    s = begun().state
    no_buildings(s)
    for space, street in ((0, 0), (1, 0), (2, 1), (8, 3), (14, 3)):  # A1 A2 gold, A3 cloth, B4 C5 tools
        put_store(s, H, space, street)
    for space, street in ((15, 0), (16, 0), (3, 2), (19, 3)):
        put_store(s, L, space, street)
    for site, tile in ((0, 0), (1, 8), (4, 9), (5, 10), (8, 11)):
        s.site_tile[site], s.site_owner[site] = 2 * tile, H
    s.site_tile[9], s.site_owner[9] = 2 * 12, L
    s.site_tile[11], s.site_owner[11] = 2 * 13, 2
    s.hired, s.plaza = 2, 1
    for n, count in enumerate((1, 2, 0)):
        s.office[H, n] = count
    s.plans[0], s.plans[1], s.plans[2], s.plans_held = 6, 7, 13, 3
    give_clergy(s, 0, 2)
    s.favor[H, 0] = s.favor[H, 2] = 1
    give_ship(s, H, 1)
    give_ship(s, H, 2)
    give_ship(s, L, 0)
    own_cubes(s, H, 2, 3, 5)
    set_goods(s, 3, 0, 1, 2)
    s.reis, s.influence[H] = 17, 9
    s.decrees_held[H], s.decrees_held[L] = 5, 4
    s.top[2] = 23  # a Builder, 2 influence
    s.bottom[0] = 15
    return s


@rules("LIS-184")
def test_what_decrees_count():
    s = busy()
    expected = {
        "stores_gold": 2, "stores_cloth": 1, "stores_books": 0, "stores_tools": 2,
        "stores_row_A": 3, "stores_row_B": 1, "stores_row_C": 1, "stores_row_D": 0,
        "stores_col_1": 1, "stores_col_2": 1, "stores_col_3": 1, "stores_col_4": 1, "stores_col_5": 1,
        "stores_total": 5, "rows_with_store": 3, "streets_with_store": 3,
        "pb_blue": 1, "pb_green": 4, "pb_total": 5, "pb_west": 2, "pb_north": 2, "pb_east": 1,
        "officials_hired": 2, "officials_in_offices": 3, "officials_builder": 1, "officials_minister": 2,
        "officials_king": 0, "plans_held": 3, "plan_colours_held": 2, "clergy_held": 2, "favors_held": 2,
        "ships_owned": 2, "ship_hulls": 5, "rubble_sets": 2, "rubble_earthquake": 2, "rubble_fire": 3,
        "rubble_tsunami": 5, "rubble_total": 10, "goods_total": 6, "goods_gold": 3, "goods_cloth": 0,
        "goods_books": 1, "goods_tools": 2, "goods_kinds": 3, "reis": 17, "influence": 9, "decrees_held": 5,
        "portfolio_nobles": 1, "portfolio_treasury": 1, "portfolio_builder": 1, "portfolio_minister": 0,
        "portfolio_king": 0, "portfolio_influence": 2 + 3 + 2, "street_majorities": 2, "opponent_decrees": 4,
    }  # fmt: skip
    assert set(expected) == set(METRIC_NAMES)
    for number, name in enumerate(METRIC_NAMES):
        assert decrees.metric(s, number) == expected[name], name


@rules("LIS-180", "LIS-184")
def test_decrees_pay_per_so_many_up_to_a_cap_or_from_a_threshold():
    s = busy()
    # per: wigs * floor(metric / per), at most cap; threshold: wigs from min on
    for decree, wigs in ((1, 4), (2, 2), (3, 0), (5, 0), (18, 5), (20, 3), (19, 0), (23, 2), (50, 4), (57, 3), (58, 3),
                         (59, 4), (60, 3), (62, 0), (70, 4), (16, 2)):  # fmt: skip
        assert decrees.decree_value(s, decree) == wigs, decree
    rows = shipped()["decrees"]["rows"]
    assert [row["id"] for row in rows if row.get("excluded")] == [69]


@rules("LIS-220", "LIS-221")
def test_lacerda_takes_the_leftmost_decrees_wherever_they_lie():
    s = begun().state
    for i in range(7):
        s.decree_display[i] = 0
    s.decree_deck_size = 0
    last = s.decree_display[7]
    lacerda.take_decrees(s, s.log.visit)
    assert s.decree_owner[last] == L
    assert s.decrees_held[L] == 1
    assert s.wigs[L] == 0
    assert not lacerda.is_possible(s, MINISTER)


def test_goods_and_effects_have_the_numbers_of_the_tables():
    s = begun().state
    assert (GOLD, CLOTH, BOOKS, TOOLS) == (0, 1, 2, 3)
    assert s.tables.space_effect[D5] == Effect.FAVOR
    assert s.tables.space_good[C5] == TOOLS


# --- what H sees of it (LIS-289) --------------------------------------------------------------------


def building_store(space):
    """H has chosen the space of a store whose reward is any good, and has not paid yet: 16 reis, no rubble."""
    table = begun()
    s = table.state
    clear_rubble(s)
    no_buildings(s)
    s.reis = 16
    decide(table, Step.BUILD)
    do(table, f"build(space={space}, right=1)")
    assert phase(table) == Step.GOOD_ANY
    return table


@rules("LIS-148", "LIS-289")
def test_the_view_shows_where_a_store_is_built_before_it_is_paid():
    """B2 and C3 both pay a good of choice, and cost different sums."""
    b2, c3 = building_store(6), building_store(12)
    put_cubes(b2.state, b2.state.row_cubes[1], TSUNAMI, FIRE)
    put_cubes(c3.state, c3.state.row_cubes[1], TSUNAMI, FIRE)
    assert legal(b2.refresh()) == legal(c3.refresh())
    left = []
    for table in (b2, c3):
        after = table.clone()
        do(after, "good_any(good=0)")
        left.append(int(after.state.reis))
    assert left[0] < left[1]  # row B has rubble, row C has none
    shown = [GAME.features.describe(table.observe(0)) for table in (b2, c3)]
    assert [np.flatnonzero(blocks["store_space"]).tolist() for blocks in shown] == [[6], [12]]
    assert [blocks["store_right"].tolist() for blocks in shown] == [[1], [1]]
    for table, space, reis in zip((b2, c3), ("B2", "C3"), left, strict=True):
        words = f"pays {16 - reis} for {space}; takes a cube; builds on {space}, facing right"
        assert f"then  {words}" in table.text(0)
        assert f"then: {words}" in table.svg(0)


@rules("LIS-162", "LIS-289")
def test_the_view_shows_for_which_site_officials_are_hired():
    """WC and N4 have the same reward, two goods."""
    shown, texts = [], []
    for site, name in ((1, "WC"), (7, "N4")):
        table = ready_to_open()
        decide(table, Step.USE_PLAN)
        if phase(table) == Step.USE_PLAN and "use_plan(plan=0)" in legal(table):
            do(table, "use_plan(plan=0)")
        do(table, f"site(site={site})")
        assert phase(table) == Step.HIRE
        blocks = GAME.features.describe(table.observe(0))
        shown.append(np.flatnonzero(blocks["site"]).tolist())
        assert blocks["plan_used"].any()
        assert f"for {name} with the blue plan" in table.text(0)
        texts.append(table.text(0))
    assert shown == [[1], [7]]
    assert texts[0] != texts[1]


@rules("LIS-289")
def test_decrees_that_were_taken_are_told_to_h():
    """In the text, in the picture and in the view, those of both sides."""
    table = begun()
    s = table.state
    mine, his = (int(d) for d in s.decree_display[:2])
    decide(table, Step.DECREE, arg=1, more=1)
    do(table, "decree(position=0)")
    words = decree_name(s, mine)
    assert f"your decrees  {words}" in table.text(0)
    assert f"your decrees: {in_words(words)}" in table.svg(0)
    s.decree_owner[his] = L
    assert f"decrees of Lacerda  {decree_name(s, his)}" in table.text(0)
    assert f"decrees of Lacerda: {in_words(decree_name(s, his))}" in table.svg(0)
    owner = GAME.features.describe(table.refresh().observe(0))["decree_owner"]
    assert (owner[mine - 1], owner[his - 1]) == (1, -1)
