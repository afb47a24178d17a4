"""Lisboa: what a reader of the rules easily gets wrong, one position for each (all sections)."""

from __future__ import annotations

import pytest

from alarife.games.lisboa.components import NONE, Act, Step
from alarife.games.lisboa.rules import (
    buildings,
    church,
    city,
    decrees,
    end,
    following,
    lacerda,
    means,
    periods,
    portfolio,
    sponsor,
    state_actions,
    turn,
    visit,
)
from alarife.games.lisboa.tables import shipped
from games.lisboa.positions import (
    BLUE,
    BOOKS,
    BUILDER,
    BUILDER_4_REIS,
    CLOTH,
    EVENT_DECREES,
    EVENT_FAVOR_AND_PLAN,
    EVENT_PRODUCE,
    EVENT_STORE,
    GOLD,
    KING,
    KING_2_WIGS,
    MINISTER,
    MINISTER_4_REIS,
    TOOLS,
    TREASURY,
    TSUNAMI,
    H,
    L,
    begun,
    clear_rubble,
    decide,
    do,
    fresh,
    give_clergy,
    give_favor,
    give_hand,
    give_ship,
    legal,
    no_buildings,
    own_cubes,
    phase,
    put_cubes,
    put_store,
    set_goods,
    show_building,
)

rules = pytest.mark.rules

BUILDER_RUBBLE = 21  # its reward is a cube of the pile

# --- 1 and 2. board, set-up -------------------------------------------------------------------------


@rules("LIS-040", "LIS-043")
def test_helper_and_courtier_go_where_their_cards_say():
    """The nobles of the blue deck are all Ministers: no seed may put the courtier elsewhere."""
    rows = [{**row, "kind": "minister" if row["deck"] == "blue" and row["kind"] != "treasury" else row["kind"]}
            for row in shipped()["political_cards"]["rows"]]  # fmt: skip
    helpers = set()
    for seed in range(12):
        s = fresh(seed, tables={"political_cards": {"rows": rows}}).state
        assert s.courtier == MINISTER
        helpers.add(s.helper)
    assert helpers == {MINISTER, TREASURY}


@rules("LIS-034", "LIS-175")
def test_the_backs_of_clergy_tiles():
    wigs = [row["wigs"] for row in shipped()["clergy"]["rows"]]
    assert wigs == [2, 2, 3, 3, 3, 3, 4, *[3] * 6, 4, *[2] * 3, *[2] * 4, *[2] * 3, *[2] * 3, *[3] * 6, 4, 4, 5, 4]


@rules("LIS-063", "LIS-131", "LIS-148", "LIS-161", "LIS-166")
def test_the_numbers_of_treasury_ships_spaces_sites_and_plans():
    """Copied from the tables of the rulebook."""
    tables = shipped()

    def effects(name):
        return [(row["effect"], row.get("n", 0)) for row in tables[name]["rows"]]

    assert [(row["influence"], row["reis"]) for row in tables["treasury"]["rows"]] == [
        (1, 2), (1, 3), (2, 4), (2, 4), (2, 5), (3, 6),
    ]  # fmt: skip
    assert [(row["size"], row["influence"], row["mod"]) for row in tables["ships"]["rows"]] == [
        (1, 2, 0), (2, 2, 1), (3, 3, 1), (4, 3, 2),
    ]  # fmt: skip
    assert effects("store_spaces") == [
        ("reis", 6), ("decree", 1), ("influence", 3), ("reis", 6), ("wigs", 3),
        ("reis", 6), ("good_any", 1), ("plan", 1), ("official", 1), ("rubble", 1),
        ("wigs", 3), ("influence", 3), ("good_any", 1), ("reis", 6), ("good", 1),
        ("influence", 3), ("plan", 1), ("rubble", 1), ("decree", 1), ("favor", 1),
    ]  # fmt: skip
    assert effects("construction_spaces") == [
        ("wigs", 4), ("good_any", 2), ("decree", 1), ("influence", 4),
        ("reis", 8), ("decree", 1), ("influence", 4), ("good_any", 2),
        ("reis", 8), ("favor", 1), ("official", 1), ("wigs", 4),
    ]  # fmt: skip
    regular = [(1, "reis", 3), (1, "influence", 3), (1, "wigs", 2), (1, "reis", 4), (2, "good_any", 2), (2, "wigs", 5),
               (3, "decree", 2)]  # fmt: skip
    plans = [(row["officials"], row["effect"], row.get("n", 0)) for row in tables["plans"]["rows"]]
    assert plans == [(1, "none", 0)] * 6 + regular + regular
    assert [row["architect"] for row in tables["plans"]["rows"]] == (
        ["blue"] * 3 + ["green"] * 3 + ["blue"] * 7 + ["green"] * 7
    )


@rules("LIS-007", "LIS-165")
def test_a_building_in_the_north_pays_only_stores_that_face_its_street():
    """Both stores stand in the columns beside street 1, in column 2; one faces street 2."""
    s = begun().state
    no_buildings(s)
    show_building(s, BLUE, (2, 2, 2, 2))
    put_store(s, H, 1, 0)
    put_store(s, H, 6, 1)
    assert buildings.line_wigs(s, H, s.tile_top[BLUE], 4) == 2
    assert buildings.line_wigs(s, H, s.tile_top[BLUE], 5) == 2
    assert buildings.line_wigs(s, H, s.tile_top[BLUE], 6) == 0


# --- 3. structure of a turn -------------------------------------------------------------------------


@rules("LIS-051", "LIS-186", "LIS-297")
@pytest.mark.parametrize("side", [H, L])
def test_a_turn_begins_with_docking_the_ships_of_whose_turn_it_is(side):
    s = begun().state
    for owner, ship, good in ((H, 0, GOLD), (L, 1, BOOKS)):
        give_ship(s, owner, ship, *[good] * (ship + 1))
        s.supply[good] -= ship + 1
        s.ship_at_sea[ship] = 1
    assert (s.supply[GOLD], s.supply[BOOKS]) == (15, 14)
    s.courtier, s.helper = KING, KING  # Lacerda only takes a plan and builds
    s.depth = 0
    periods.begin_turn(s, side)
    assert list(s.ship_at_sea)[:2] == ([0, 1] if side == H else [1, 0])
    assert (s.supply[GOLD], s.supply[BOOKS]) == ((16, 14) if side == H else (15, 16))


@rules("LIS-056")
def test_the_hand_is_refilled_up_to_five_one_card_at_a_time():
    table = begun()
    s = table.state
    decide(table, Step.DRAW)
    for _ in range(2):
        s.hand_size -= 1
        s.card_gone[s.hand[s.hand_size]] = 1
        s.hand[s.hand_size] = NONE
    assert s.hand_size == 2
    for held in (3, 4, 5):
        assert phase(table) == Step.DRAW
        do(table.refresh(), "draw(deck=0)")
        if held < 5:
            assert s.hand_size == held
    assert s.hand_size == 5
    assert s.deck_size[0] <= 1  # three Builders drawn, and the next one lies open


@rules("LIS-058", "LIS-179")
def test_the_church_is_refilled_at_the_end_of_a_turn_not_before():
    table = begun()
    s = table.state
    give_clergy(s)
    decide(table, Step.CARDINAL)
    do(table, "cardinal(steps=0, behind=0)")
    assert phase(table) == Step.DRAW
    assert list(s.church_slot).count(NONE) == 1
    s.courtier, s.helper = BUILDER, BUILDER  # Lacerda goes to the Minister
    do(table, "draw(deck=0)")
    assert list(s.church_slot).count(NONE) == 0


@rules("LIS-060", "LIS-054")
@pytest.mark.parametrize("card", [KING_2_WIGS, EVENT_DECREES])
def test_cards_played_to_the_court_leave_the_game(card):
    table = begun()
    s = table.state
    s.office[H, KING], s.officials[H] = 1, 7
    give_hand(s, card)
    s.card_gone[card] = 0
    do(table.refresh(), "main(slot=0, mode=1)")
    assert s.card_gone[card] == 1
    assert card not in (*s.top, *s.bottom, *s.hand)


# --- 4. portfolio -----------------------------------------------------------------------------------


@rules("LIS-061", "LIS-062", "LIS-066", "LIS-157")
@pytest.mark.parametrize(("sets", "top", "bottom"), [(0, 1, 1), (1, 2, 1), (2, 2, 2), (3, 3, 2), (4, 3, 3), (5, 3, 3)])
def test_so_many_slots_are_open_in_each_row(sets, top, bottom):
    for row, slots, card, place, discard in (
        ("top", top, BUILDER_4_REIS, portfolio.place_top, Step.TOP_DISCARD),
        ("bottom", bottom, EVENT_STORE, portfolio.place_bottom, Step.BOTTOM_DISCARD),
    ):
        s = begun().state
        own_cubes(s, H, sets, sets, sets)
        s.depth = 0
        for filled in range(slots):
            place(s, card)
            assert getattr(s, row)[filled] == card
        assert s.depth == 0
        place(s, card)
        assert s.waiting[s.depth - 1, 0] == discard


@rules("LIS-064", "LIS-066", "LIS-067")
def test_the_only_treasury_card_makes_room_for_the_next():
    table = begun()
    s = table.state
    s.bottom[0] = EVENT_PRODUCE  # subsidy +1, still there when the next card pays
    give_hand(s, EVENT_STORE)
    do(table.refresh(), "main(slot=0, mode=0)")
    assert s.reis == 10 + 4 + 1
    assert s.treasury == 2
    assert list(s.bottom) == [EVENT_STORE, NONE, NONE]
    assert s.card_gone[EVENT_PRODUCE] == 1


@rules("LIS-302", "LIS-301", "LIS-067")
def test_a_set_completed_by_the_reward_of_a_card_opens_the_slot_for_the_card():
    table = begun()
    s = table.state
    own_cubes(s, H, 1, 1, 0)
    for k in range(3):
        s.pile[k] = int(k == TSUNAMI)
    s.top[0] = MINISTER_4_REIS
    give_hand(s, BUILDER_RUBBLE)
    do(table.refresh(), "main(slot=0, mode=0)")
    assert list(s.cubes[H]) == [1, 1, 1]
    assert list(s.top) == [MINISTER_4_REIS, BUILDER_RUBBLE, NONE]


# --- 5 and 6. selling, trading ----------------------------------------------------------------------


@rules("LIS-073", "LIS-075")
def test_a_ship_sails_with_its_last_crate_and_not_before():
    table = begun()
    s = table.state
    give_ship(s, H, 2)  # three crates
    decide(table, Step.SELL)
    do(table, "sell(good=0, ship=2)", "sell(good=1, ship=2)")
    assert (s.ship_at_sea[2], s.wigs[H]) == (0, 0)
    do(table, "sell(good=2, ship=2)")
    assert (s.ship_at_sea[2], s.wigs[H]) == (1, 3)


@rules("LIS-071")
def test_a_sale_pays_the_price_the_ship_and_every_bonus():
    s = begun().state
    s.price[CLOTH] = 3
    give_clergy(s, 14, 15)  # sale +1 each
    s.bottom[0] = EVENT_DECREES  # sale +2
    assert [portfolio.sale_price(s, CLOTH, ship) for ship in range(4)] == [7, 8, 8, 9]


@rules("LIS-077", "LIS-082")
def test_after_two_trades_there_is_no_third():
    table = begun()
    s = table.state
    set_goods(s, 2, 2, 2, 2)
    decide(table, Step.TRADE, NONE)
    do(table, "trade(act=4, good=1)", "cardinal(steps=0, behind=0)")
    assert phase(table) == Step.TRADE
    do(table, "trade(act=0, good=3)", "take_plan(architect=0)")
    assert phase(table) == Step.DRAW
    assert list(s.goods) == [2, 1, 2, 1]


@rules("LIS-079")
def test_both_trades_may_be_with_one_noble_if_the_actions_differ():
    table = begun()
    decide(table, Step.TRADE, NONE)
    do(table, "trade(act=4, good=1)", "cardinal(steps=0, behind=0)")
    assert "trade(act=5, good=0)" in legal(table)
    assert "trade(act=4, good=0)" not in legal(table)


# --- 7 and 8. visits, events ------------------------------------------------------------------------


@rules("LIS-084", "LIS-117")
def test_each_side_pays_for_the_officials_of_the_other():
    s = begun().state
    s.office[H, KING], s.office[L, KING] = 1, 3
    assert visit.visit_cost(s, KING) == 2 + 3
    assert lacerda.take_noble_action(s, KING, s.log.visit)
    assert s.influence[L] == 8 - (2 + 1)


@rules("LIS-093")
def test_an_event_costs_no_influence_and_lacerda_does_not_follow_it():
    table = begun()
    s = table.state
    for n in range(3):
        give_favor(s, L, n)
    give_hand(s, EVENT_DECREES)
    do(table.refresh(), "main(slot=0, mode=1)", "decree(position=0)", "stop()")
    assert s.influence[H] == 8
    assert s.decrees_held[L] == 0
    assert list(s.favor[L]) == [1, 1, 1]


@rules("LIS-096", "LIS-095")
@pytest.mark.parametrize("left", ["favor", "plan"])
def test_one_part_of_favor_and_plan_suffices(left):
    table = begun()
    s = table.state
    give_hand(s, EVENT_FAVOR_AND_PLAN)
    if left == "plan":
        for n in range(3):
            s.favor_supply[n] = 0
    else:
        for a in range(2):
            s.plan_top[a] = NONE
    assert "main(slot=0, mode=1)" in legal(table.refresh())
    do(table, "main(slot=0, mode=1)")
    assert phase(table) == (Step.FAVOR if left == "favor" else Step.TAKE_PLAN)


@rules("LIS-096", "LIS-094")
def test_money_for_the_event_cannot_pay_the_land_again():
    """Level 3: 4 for the event and 4 for land without rubble; no space pays anything."""
    s = begun().state
    clear_rubble(s)
    for i in range(20):
        s.tables.space_effect[i] = 0
    for reis, influence, possible in ((8, 0, True), (7, 0, False), (5, 3, True), (5, 2, False), (2, 6, True)):
        s.reis, s.influence[H] = reis, influence
        assert sponsor.can_sponsor(s, Act.BUILD_STORE) == possible, (reis, influence)


# --- 9. state actions -------------------------------------------------------------------------------


@rules("LIS-099", "LIS-098")
def test_the_first_official_of_the_action_is_a_duty():
    table = begun()
    s = table.state
    decide(table, Step.STATE, BUILDER)
    do(table, "state(act=1)")
    assert legal(table) == {"office(noble=0)", "office(noble=1)", "office(noble=2)"}
    do(table, "office(noble=2)")
    assert "stop()" in legal(table)
    do(table, "office(noble=0)")
    assert list(s.office[H]) == [1, 0, 1]


@rules("LIS-099")
def test_an_office_has_five_seats():
    s = begun().state
    s.office[H, 0], s.office[L, 0] = 1, 3
    assert not buildings.is_full(s, 0)
    buildings.enter_office(s, L, 0)
    assert (s.office[H, 0], s.office[L, 0], s.plaza) == (1, 4, 0)
    assert buildings.is_full(s, 0)


@rules("LIS-102", "LIS-100")
def test_as_many_officials_as_lacerda_are_enough_to_enter_a_full_office():
    """With an even number of seats, as own tables may say."""
    s = begun().state
    s.tables.office_seats = 4
    s.office[H, KING] = s.office[L, KING] = 2
    assert buildings.can_enter(s, KING)
    buildings.enter_office(s, H, KING)
    assert (s.office[H, KING], s.office[L, KING], s.plaza) == (2, 2, 1)


@rules("LIS-106")
def test_two_goods_of_a_kind_lower_its_price_once():
    s = begun().state
    set_goods(s, 0, 0, 0, 0)
    put_store(s, H, 0, 0)
    put_store(s, H, 1, 0)
    state_actions.produce(s)
    assert list(s.goods) == [2, 0, 0, 0]
    assert list(s.price) == [4, 5, 5, 5]


@rules("LIS-107")
def test_the_tile_s_good_comes_with_any_store_not_only_with_one_of_its_kind():
    s = begun().state
    give_clergy(s, 18)  # cloth
    set_goods(s, 2, 0, 0, 0)  # no room for gold
    assert not state_actions.can_produce(s, NONE)
    put_store(s, H, 0, 0)
    assert state_actions.can_produce(s, NONE)
    state_actions.produce(s)
    assert list(s.goods) == [2, 1, 0, 0]
    assert list(s.price) == [5, 4, 5, 5]


# --- 11. following ----------------------------------------------------------------------------------


@rules("LIS-115")
def test_lacerda_does_not_follow_without_the_favor_of_that_noble():
    table = begun()
    s = table.state
    give_favor(s, L, KING)
    give_favor(s, L, BUILDER)
    give_hand(s, MINISTER_4_REIS)
    do(table.refresh(), "main(slot=0, mode=1)", "stop()", "stop()")
    assert s.decrees_held[L] == 0
    assert s.influence[L] == 8
    assert list(s.favor[L]) == [1, 0, 1]


@rules("LIS-122", "LIS-121")
def test_what_h_follows_with_must_be_doable_after_paying():
    """Following costs 2, land 4: 4 influence would pay either, not both."""
    s = begun().state
    clear_rubble(s)
    for i in range(20):
        s.tables.space_effect[i] = 0
    give_favor(s, H, BUILDER)
    s.reis, s.arg = 0, BUILDER
    for influence, builds in ((4, False), (5, False), (6, True)):
        s.influence[H] = influence
        assert (following.follow_choices(s) >> 6 & 1) == builds, influence


# --- 12. means --------------------------------------------------------------------------------------


@rules("LIS-129")
def test_reis_are_paid_first_and_influence_only_for_what_is_missing():
    s = begun().state
    s.reis, s.influence[H], s.wigs[H] = 5, 8, 3
    means.pay_reis(s, 5)
    assert (s.reis, s.influence[H], s.wigs[H]) == (0, 8, 3)
    means.pay_reis(s, 2)
    assert (s.reis, s.influence[H], s.wigs[H]) == (0, 6, 3)


@rules("LIS-141")
def test_a_cube_taken_from_the_pile_is_gone_from_it():
    s = begun().state
    own_cubes(s, H, 0, 0, 0)
    for k, count in enumerate((2, 0, 1)):
        s.pile[k] = count
    assert means.pile_choices(s) == 0b101
    means.choose_pile_cube(s, 2)
    assert list(s.pile) == [2, 0, 0]
    assert list(s.cubes[H]) == [0, 0, 1]


@rules("LIS-136", "LIS-134")
def test_a_good_of_choice_needs_room_and_supply():
    s = begun().state
    set_goods(s, 2, 1, 0, 0)
    s.supply[BOOKS] = 0
    assert means.good_choices(s) == 1 << CLOTH | 1 << TOOLS


# --- 13 to 15. stores, rubble, buildings ------------------------------------------------------------


@rules("LIS-147")
def test_a_cube_never_costs_less_than_nothing():
    """A discount of 5 for fires of cost 2 takes nothing off the earthquake beside them."""
    s = begun().state
    clear_rubble(s)
    put_cubes(s, s.row_cubes[0], 1, 1, 0)
    s.tables.clergy_n[4] = 5
    give_clergy(s, 4)
    assert city.land_cost(s, 0) == 4 + 3


@rules("LIS-146")
def test_land_counts_cubes_of_row_and_column_alike():
    s = begun().state
    clear_rubble(s)
    put_cubes(s, s.column_cubes[2], 0, 1)
    put_cubes(s, s.row_cubes[3], 2)
    assert [city.land_cost(s, space) for space in (0, 2, 15, 17)] == [4, 4 + 5, 4 + 1, 4 + 6]


@rules("LIS-155")
def test_every_kind_of_rubble_limits_the_sets():
    s = begun().state
    for counts in ((4, 4, 1), (4, 1, 4), (1, 4, 4)):
        own_cubes(s, H, *counts)
        assert means.sets_of(s) == 1


@rules("LIS-166")
def test_the_next_building_is_turned_up_after_the_rewards():
    table = begun()
    s = table.state
    no_buildings(s)
    clear_rubble(s)
    s.plan_gone[s.plans[0]] = 1
    s.plans[0] = NONE
    s.plans_held = 0
    s.plan_gone[11] = 1  # blue, 2 officials
    s.plaza, s.officials[H] = 2, 6
    show_building(s, BLUE, (0, 0, 0, 0))
    decide(table, Step.SITE, 11)
    do(table, "site(site=7)")  # two goods of choice
    assert phase(table) == Step.GOOD_ANY
    assert s.tile_top[BLUE] == NONE
    do(table, "good_any(good=0)", "good_any(good=1)")
    assert s.tile_top[BLUE] != NONE


@rules("LIS-161")
def test_exactly_the_officials_of_the_plan_are_hired():
    table = begun()
    s = table.state
    no_buildings(s)
    s.plans[0] = 12  # blue, 3 officials
    s.plaza, s.officials[H] = 2, 6
    assert buildings.use_plan_choices(s) == 0
    s.plaza, s.officials[H] = 3, 5
    assert buildings.use_plan_choices(s) == 1
    show_building(s, BLUE, (0, 0, 0, 0))
    s.plan_gone[12], s.plans[0], s.plans_held = 1, NONE, 0
    decide(table, Step.SITE, 12)
    do(table, "site(site=0)")
    assert (s.hired, s.plaza, s.site_hired[0], s.officials[H]) == (3, 0, 3, 5)


# --- 16 and 17. church, decrees ---------------------------------------------------------------------


@rules("LIS-170")
def test_reaching_the_icon_scores_the_church_once_in_that_turn():
    table = begun()
    s = table.state
    s.cardinal = 5
    s.top[0] = 3  # 2 influence
    s.influence[L] = 0
    s.church_due = 1
    church.move_cardinal(s, 1)
    s.depth = 0
    church.score_church(s)
    assert s.depth == 2  # H, then Lacerda
    church.score_church(s)
    assert s.depth == 2


@rules("LIS-180")
def test_a_threshold_counts_from_its_number_on():
    s = begun().state
    for reis, wigs in ((14, 0), (15, 3), (16, 3)):
        s.reis = reis
        assert decrees.decree_value(s, 58) == wigs  # 15 reis: 3 wigs
    for reis, wigs in ((4, 0), (5, 1), (24, 4), (40, 4)):
        s.reis = reis
        assert decrees.decree_value(s, 57) == wigs  # 1 wig for 5 reis, at most 4


@rules("LIS-184")
def test_plans_of_one_architect_are_one_colour():
    s = begun().state
    s.plans[0], s.plans[1], s.plans_held = 6, 7, 2
    assert decrees.decree_value(s, 37) == 0  # both architects: 3 wigs
    s.plans[1] = 13
    assert decrees.decree_value(s, 37) == 3


# --- 18. Lacerda ------------------------------------------------------------------------------------


@rules("LIS-196")
def test_lacerda_s_officials_push_out_only_those_of_h():
    s = begun().state
    for n, (own, his) in enumerate(((3, 2), (1, 4), (0, 3))):
        s.office[H, n], s.office[L, n] = own, his
    s.officials[L] = 3
    assert lacerda.place_officials(s)  # to the Builder, full, and to the King
    assert [list(row) for row in s.office] == [[2, 1, 0], [3, 4, 4]]
    assert (s.plaza, s.officials[L]) == (1, 1)


@rules("LIS-207", "LIS-209")
def test_lacerda_pays_influence_before_wigs_and_nothing_if_both_do_not_suffice():
    s = begun().state
    for influence, wigs, after in ((2, 9, (0, 9)), (1, 1, (0, 0)), (1, 0, (1, 0)), (5, 4, (3, 4))):
        s.influence[L], s.wigs[L] = influence, wigs
        paid = lacerda.take_noble_action(s, MINISTER, s.log.visit)
        assert (s.influence[L], s.wigs[L]) == after
        assert paid == (influence + wigs >= 2)


@rules("LIS-214", "LIS-150")
def test_lacerda_builds_for_nothing_where_h_could_not():
    s = begun().state
    no_buildings(s)
    clear_rubble(s)
    put_cubes(s, s.row_cubes[0], 0, 0, 1)
    s.influence[L], s.wigs[L] = 2, 0
    assert lacerda.take_noble_action(s, BUILDER, s.log.visit)
    assert (s.influence[L], s.wigs[L]) == (0, 0)
    assert s.store_owner[0] == L
    assert list(s.row_cubes[0]) == [2, 0, 0]  # the fire was the cheapest


# --- 19 to 22. period, end, scoring -----------------------------------------------------------------


@rules("LIS-245", "LIS-249")
def test_the_purple_deck_fills_the_hand_up_to_five():
    s = begun().state
    kept = [s.hand[0], s.hand[1]]
    for i in range(2, 5):
        s.card_gone[s.hand[i]] = 1
        s.hand[i] = NONE
    s.hand_size = 2
    periods.new_period(s)
    assert s.hand_size == 5
    assert list(s.hand)[:2] == kept
    assert len({s.hand[i] for i in range(2, 5)}) == 3
    assert all(41 <= s.hand[i] < 62 for i in range(2, 5))
    assert sum(s.card_gone[i] for i in range(41, 62)) == 21 - 3


@rules("LIS-256", "LIS-240")
def test_sets_pay_at_the_change_of_period_and_again_at_the_end():
    s = begun().state
    own_cubes(s, H, 2, 2, 2)
    own_cubes(s, L, 0, 0, 0)
    s.depth = 0
    periods.change_period(s)
    assert s.wigs[H] == 6
    s.reis = s.influence[H] = 0
    s.lacerda_plans_held = 0
    for n in range(3):
        s.favor[H, n] = 0
    assert end.final_wigs(s, H) == 6


# --- 24. doable -------------------------------------------------------------------------------------


def spoil_houses(s):
    s.houses[H] = 0


def spoil_display(s):
    for i in range(8):
        s.decree_display[i] = 0


def spoil_officials(s):
    s.plaza = 0


def spoil_sites(s):
    for i in range(12):
        s.site_tile[i] = 2 * 7


def spoil_supply_of_officials(s):
    s.officials[H] = 0


def spoil_plans(s):
    s.plan_top[0] = s.plan_top[1] = NONE


def spoil_kinds(s):
    set_goods(s, 0, 0, 0, 0)


def spoil_shipyard(s):
    for ship in range(4):
        s.ship_place[ship] = NONE


def spoil_room(s):
    set_goods(s, 2, 2, 2, 2)


def spoil_favors(s):
    for n in range(3):
        s.favor_supply[n] = 0


@rules("LIS-292")
@pytest.mark.parametrize(
    ("act", "spoil"),
    [
        (Act.PLANS, spoil_plans), (Act.OFFICIALS, spoil_supply_of_officials), (Act.SHIP, spoil_kinds),
        (Act.SHIP, spoil_shipyard), (Act.PRODUCE, spoil_room), (Act.FAVOR, spoil_favors),
        (Act.BUILD_STORE, spoil_houses), (Act.TAKE_DECREES, spoil_display),
        (Act.OPEN_PUBLIC_BUILDING, spoil_officials), (Act.OPEN_PUBLIC_BUILDING, spoil_sites),
    ],
)  # fmt: skip
def test_each_action_is_doable_until_one_thing_is_missing(act, spoil):
    s = begun().state
    clear_rubble(s)
    put_store(s, H, 0, 0)
    s.plaza, s.officials[H] = 1, 7  # enough for the starting plan
    assert state_actions.doable_now(s, act)
    spoil(s)
    assert not state_actions.doable_now(s, act)


@rules("LIS-293", "LIS-292")
def test_plans_that_cannot_be_staffed_are_masked():
    table = begun()
    s = table.state
    s.plans[1], s.plans[2], s.plans_held = 11, 12, 3  # 1, 2 and 3 officials
    s.plaza, s.officials[H] = 1, 6
    s.office[H, KING] = 1
    decide(table, Step.USE_PLAN)
    assert legal(table) == {"use_plan(plan=0)", "use_plan(plan=1)"}


@rules("LIS-295")
def test_costs_are_never_below_nothing():
    s = begun().state
    clear_rubble(s)
    s.treasury = 1
    give_clergy(s, 0, 1, 36, 13)  # land 2 less twice, events 1 less, following 1 less
    s.bottom[0] = 58  # event -2
    assert city.land_cost(s, 0) == 0
    assert sponsor.event_cost(s) == 0
    assert following.follow_cost(s, KING) == 0
    give_clergy(s, 11, 12)
    assert visit.visit_cost(s, KING) == 0


@rules("LIS-280")
def test_a_majority_is_a_street_with_more_stores_and_not_the_one_of_officials():
    s = begun().state
    s.hired = 8
    assert decrees.majorities(s) == 0
    put_store(s, H, 0, 0)
    put_store(s, L, 5, 0)
    assert decrees.majorities(s) == 0
    put_store(s, H, 1, 0)
    assert decrees.majorities(s) == 1


@rules("LIS-286", "LIS-291")
def test_an_effect_without_any_choice_is_skipped_and_one_with_a_single_choice_done():
    table = begun()
    s = table.state
    spoil_favors(s)
    s.favor_supply[KING] = 1
    decide(table, Step.FAVOR)
    s.phase = NONE
    state_actions.perform(s, Act.FAVOR)
    turn.proceed(s)
    assert s.favor[H, KING] == 1
    assert phase(table) == Step.DRAW
