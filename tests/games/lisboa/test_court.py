"""Lisboa: visits, events, state and noble actions, following, influence, money and effects (sections 7 to 12)."""

from __future__ import annotations

import pytest

from alarife.games.lisboa.components import NONE, Act, Deed, Effect, Step
from alarife.games.lisboa.rules import (
    buildings,
    church,
    city,
    following,
    lacerda,
    means,
    sponsor,
    state_actions,
    turn,
    visit,
)
from games.lisboa.positions import (
    BOOKS,
    BUILDER,
    BUILDER_4_REIS,
    CLOTH,
    EVENT_BUILDING,
    EVENT_CARDINAL,
    EVENT_DECREES,
    EVENT_FAVOR_AND_PLAN,
    EVENT_PRODUCE,
    EVENT_SHIP,
    EVENT_STORE,
    GOLD,
    KING,
    KING_2_WIGS,
    MINISTER,
    MINISTER_4_REIS,
    TOOLS,
    H,
    L,
    begun,
    clear_rubble,
    decide,
    do,
    drop_clergy,
    give_clergy,
    give_favor,
    give_hand,
    legal,
    no_buildings,
    own_cubes,
    phase,
    put_store,
    set_goods,
    take_ships_away,
)

rules = pytest.mark.rules

# --- 7. visits --------------------------------------------------------------------------------------


@rules("LIS-084", "LIS-086")
def test_worked_example_1_a_visit_takes_influence_and_the_rest_in_wigs():
    table = begun()
    s = table.state
    s.office[L, KING] = 2
    s.influence[H], s.wigs[H] = 3, 2
    assert visit.visit_cost(s, KING) == 4
    visit.visit(s, KING)
    assert (s.influence[H], s.wigs[H]) == (0, 1)


@rules("LIS-085", "LIS-090", "LIS-295")
def test_discounts_lower_the_cost_of_one_noble_never_below_nothing():
    table = begun()
    s = table.state
    give_clergy(s, 11, 12)  # King, 1 each
    s.treasury = 1
    for helper in range(4):
        s.helper = helper
        assert [visit.visit_cost(s, n) for n in range(3)] == [1, 1, 0]


@rules("LIS-086", "LIS-287")
def test_a_visit_that_cannot_be_paid_is_illegal():
    table = begun()
    s = table.state
    give_hand(s, BUILDER_4_REIS, MINISTER_4_REIS, KING_2_WIGS)
    s.influence[H], s.wigs[H] = 1, 0
    assert not {f"main(slot={i}, mode=1)" for i in range(3)} & legal(table.refresh())
    s.wigs[H] = 1
    assert {f"main(slot={i}, mode=1)" for i in range(3)} <= legal(table.refresh())


@rules("LIS-087", "LIS-282")
def test_a_visit_gives_a_state_action_of_that_noble_and_then_his_noble_action():
    table = begun()
    s = table.state
    give_hand(s, KING_2_WIGS)
    s.office[H, KING], s.officials[H] = 1, 7
    do(table.refresh(), "main(slot=0, mode=1)")
    assert phase(table) == Step.STATE
    assert legal(table) == {"state(act=4)", "state(act=5)", "stop()"}
    do(table, "state(act=5)", "favor(noble=1)")
    assert phase(table) == Step.NOBLE
    assert legal(table) == {"noble()", "stop()"}


@rules("LIS-088", "LIS-291")
def test_a_visit_needs_something_doable_after_paying():
    table = begun()
    s = table.state
    s.officials[H], s.hired = 0, 8
    s.plan_top[0] = s.plan_top[1] = NONE
    clear_rubble(s)
    s.reis, s.influence[H] = 0, 4
    for i in range(20):
        s.tables.space_effect[i] = Effect.NOTHING
    # The visit costs 2, land 4: 4 influence would pay either, not both.
    assert not visit.can_visit(s, BUILDER)
    s.influence[H] = 6
    assert visit.can_visit(s, BUILDER)


@rules("LIS-089")
def test_the_noble_action_is_looked_at_again_after_the_state_action():
    table = begun()
    s = table.state
    give_hand(s, BUILDER_4_REIS)
    s.plans[0], s.plans_held = NONE, 0
    s.houses[H] = 0
    do(table.refresh(), "main(slot=0, mode=1)", "state(act=0)", "take_plan(architect=0)")
    assert phase(table) == Step.DRAW


# --- 8. events --------------------------------------------------------------------------------------


@rules("LIS-091", "LIS-092", "LIS-093")
def test_an_event_costs_the_treasury_value_and_moves_no_marker():
    table = begun()
    s = table.state
    give_hand(s, EVENT_DECREES)
    do(table.refresh(), "main(slot=0, mode=1)")
    assert s.reis == 6
    assert s.treasury == 3
    assert s.influence[H] == 8
    assert phase(table) == Step.DECREE


@rules("LIS-092", "LIS-295")
def test_event_discounts_of_tiles_and_cards_add_up():
    table = begun()
    s = table.state
    give_clergy(s, 36)
    s.bottom[0] = 58  # event -2
    assert sponsor.event_cost(s) == 4 - 3
    s.treasury = 1
    assert sponsor.event_cost(s) == 0


@rules("LIS-094")
def test_worked_example_4_a_store_by_event_pays_the_treasury_twice():
    table = begun()
    s = table.state
    clear_rubble(s)
    give_hand(s, EVENT_STORE)
    do(table.refresh(), "main(slot=0, mode=1)")
    assert s.reis == 6
    do(table, "build(space=10, right=1)")
    assert s.reis == 2
    assert s.store_owner[10] == H


@rules("LIS-095", "LIS-301")
def test_the_event_favor_and_plan_skips_what_is_not_doable():
    table = begun()
    s = table.state
    give_hand(s, EVENT_FAVOR_AND_PLAN)
    do(table.refresh(), "main(slot=0, mode=1)", "favor(noble=2)")
    assert phase(table) == Step.TAKE_PLAN
    table = begun()
    s = table.state
    give_hand(s, EVENT_FAVOR_AND_PLAN)
    for n in range(3):
        s.favor_supply[n] = 0
    do(table.refresh(), "main(slot=0, mode=1)")
    assert phase(table) == Step.TAKE_PLAN


@rules("LIS-096")
@pytest.mark.parametrize(
    ("card", "spoil"),
    [
        (EVENT_STORE, lambda s: s.houses.__setitem__(H, 0)),
        (EVENT_DECREES, lambda s: [s.decree_display.__setitem__(i, 0) for i in range(8)]),
        (EVENT_BUILDING, lambda s: [s.office.__setitem__((H, n), 0) for n in range(3)]),
        (EVENT_PRODUCE, lambda s: [s.store_owner.__setitem__(i, NONE) for i in range(20)]),
        (EVENT_SHIP, take_ships_away),
        (EVENT_FAVOR_AND_PLAN, lambda s: [s.favor_supply.__setitem__(n, 0) for n in range(3)]
         + [s.plan_top.__setitem__(a, NONE) for a in range(2)]),
    ],
)  # fmt: skip
def test_an_event_must_be_payable_and_doable(card, spoil):
    table = begun()
    s = table.state
    clear_rubble(s)
    s.reis = 20
    s.office[H, KING], s.officials[H] = 2, 6
    put_store(s, H, 0, 0)
    give_hand(s, card)
    assert "main(slot=0, mode=1)" in legal(table.refresh())
    spoil(s)
    assert "main(slot=0, mode=1)" not in legal(table.refresh())


@rules("LIS-096", "LIS-130")
def test_an_event_may_be_paid_with_up_to_six_influence():
    table = begun()
    s = table.state
    give_hand(s, EVENT_CARDINAL)
    s.treasury, s.reis = 6, 0
    s.influence[H] = 5
    assert "main(slot=0, mode=1)" not in legal(table.refresh())
    s.influence[H] = 6
    do(table.refresh(), "main(slot=0, mode=1)")
    assert s.influence[H] == 0


# --- 9. state actions -------------------------------------------------------------------------------


@rules("LIS-097")
def test_plans_are_taken_from_the_top_of_a_stack_up_to_four():
    table = begun()
    s = table.state
    decide(table, Step.TAKE_PLAN)
    top = s.plan_top[1]
    do(table, "take_plan(architect=1)")
    assert [s.plans[i] for i in range(s.plans_held)][-1] == top
    assert s.plan_top[1] != top
    s.plans_held = 4
    assert not state_actions.doable_now(s, Act.PLANS)


@rules("LIS-098", "LIS-099", "LIS-293")
def test_one_or_two_officials_go_into_different_offices():
    table = begun()
    decide(table, Step.OFFICE, 2)
    assert legal(table) == {f"office(noble={n})" for n in range(3)}
    do(table, "office(noble=1)")
    assert legal(table) == {"office(noble=0)", "office(noble=2)", "stop()"}
    do(table, "office(noble=0)")
    assert list(table.state.office[H]) == [1, 1, 0]
    assert table.state.officials[H] == 6


@rules("LIS-100", "LIS-101", "LIS-102", "LIS-103")
def test_entering_a_full_office_sends_one_of_h_s_officials_to_the_plaza():
    table = begun()
    s = table.state
    s.office[H, KING], s.office[L, KING] = 3, 2
    s.officials[H], s.officials[L] = 5, 6
    decide(table, Step.OFFICE, 2)
    do(table, "office(noble=2)", "stop()")
    assert (s.office[H, KING], s.office[L, KING], s.plaza) == (3, 2, 1)
    assert s.officials[H] == 4
    s.office[H, KING], s.office[L, KING] = 2, 3
    assert not buildings.can_enter(s, KING)
    lacerda_pays = means.treasury_influence(s) + s.office[H, KING]
    assert lacerda_pays == 2 + 2  # those on the plaza cost nobody anything


@rules("LIS-104", "LIS-127")
def test_a_ship_costs_goods_of_as_many_kinds_as_it_has_crates():
    table = begun()
    s = table.state
    s.ship_place[0] = NONE
    s.influence[H] = 2
    own_cubes(s, H, 1, 1, 1)
    s.top[0] = BUILDER_4_REIS
    decide(table, Step.STATE, MINISTER)
    do(table, "state(act=2)", "ship_pay(good=0)")
    assert legal(table) == {f"ship_pay(good={g})" for g in (1, 2, 3)}
    do(table, "ship_pay(good=3)")
    assert list(s.goods) == [0, 1, 1, 0]
    assert list(s.top) == [BUILDER_4_REIS, 83, NONE]
    assert s.ship_place[1] == H
    assert s.treasury == 4
    assert s.influence[H] == 2 + 1 + 2  # PI counts the new ship


@rules("LIS-105", "LIS-066")
def test_a_ship_discount_saves_a_kind_and_a_full_row_is_cleared_first():
    table = begun()
    s = table.state
    s.ship_place[0] = NONE
    give_clergy(s, 33)
    assert state_actions.kinds_for_ship(s, 0) == 1
    assert state_actions.kinds_for_ship(s, 1) == 1
    s.top[0] = BUILDER_4_REIS
    decide(table, Step.STATE, MINISTER)
    do(table, "state(act=2)", "ship_pay(good=0)")  # the only card in the top row goes by itself
    assert list(s.top) == [83, NONE, NONE]
    assert s.card_gone[BUILDER_4_REIS] == 1
    assert s.ship_at_sea[1] == 0


@rules("LIS-106", "LIS-108", "LIS-133", "LIS-134")
def test_stores_produce_and_each_kind_gained_becomes_cheaper():
    table = begun()
    s = table.state
    for space, street in ((0, 0), (1, 0), (2, 1), (7, 2)):
        put_store(s, H, space, street)
    set_goods(s, 1, 0, 2, 0)
    s.price[CLOTH] = 2
    state_actions.produce(s)
    assert list(s.goods) == [2, 1, 2, 0]  # one gold too many, no room for a book
    assert list(s.price) == [4, 2, 5, 5]


@rules("LIS-107")
def test_a_tile_adds_a_good_if_there_is_any_store():
    table = begun()
    s = table.state
    give_clergy(s, 20)  # tools
    state_actions.produce(s)
    assert s.goods[TOOLS] == 1
    put_store(s, H, 0, 0)
    state_actions.produce(s)
    assert s.goods[TOOLS] == 2
    assert s.price[TOOLS] == 4
    assert not state_actions.can_produce(s, NONE) or s.goods[GOLD] < 2


@rules("LIS-109", "LIS-110", "LIS-284")
def test_the_cardinal_moves_one_or_two_spaces_three_with_a_tile():
    table = begun()
    decide(table, Step.CARDINAL)
    assert legal(table) == {f"cardinal(steps={i}, behind={b})" for i in range(2) for b in range(2)}
    give_clergy(table.state, 34)
    assert legal(table.refresh()) == {f"cardinal(steps={i}, behind={b})" for i in range(3) for b in range(2)}


@rules("LIS-111")
def test_a_favor_is_taken_from_a_noble_with_a_supply_whose_favor_h_lacks():
    table = begun()
    s = table.state
    give_favor(s, H, MINISTER)
    s.favor_supply[KING] = 0
    assert means.favor_choices(s) == 1 << BUILDER
    s.favor_supply[BUILDER] = 0
    assert not state_actions.doable_now(s, Act.FAVOR)


# --- 10. noble actions ------------------------------------------------------------------------------


@rules("LIS-011", "LIS-112", "LIS-114")
def test_the_builder_builds_and_the_king_opens():
    table = begun()
    s = table.state
    clear_rubble(s)
    state_actions.perform(s, Act.BUILD_STORE + BUILDER)
    assert s.waiting[s.depth - 1, 0] == Step.BUILD
    state_actions.perform(s, Act.BUILD_STORE + KING)
    assert s.waiting[s.depth - 1, 0] == Step.USE_PLAN


@rules("LIS-113", "LIS-182")
def test_the_minister_gives_one_decree_and_a_second_if_h_likes():
    table = begun()
    s = table.state
    row = list(s.decree_display)
    decide(table, Step.NOBLE, MINISTER)
    do(table, "noble()")
    assert legal(table) == {f"decree(position={i})" for i in range(8)}
    do(table, "decree(position=1)")
    assert legal(table) == {f"decree(position={i})" for i in range(8) if i != 1} | {"stop()"}
    do(table, "decree(position=4)")
    assert s.decrees_held[H] == 2
    assert s.decree_owner[row[1]] == s.decree_owner[row[4]] == H
    assert list(s.decree_display)[:6] == [row[i] for i in (0, 2, 3, 5, 6, 7)]
    assert 0 not in list(s.decree_display)


# --- 11. following ----------------------------------------------------------------------------------


@rules("LIS-115", "LIS-116", "LIS-117", "LIS-123", "LIS-124")
def test_lacerda_follows_a_visit_after_all_of_it():
    table = begun()
    s = table.state
    give_hand(s, MINISTER_4_REIS)
    give_favor(s, L, MINISTER)
    s.office[H, MINISTER], s.officials[H] = 1, 7
    s.influence[L], s.wigs[L] = 1, 3
    row = list(s.decree_display)
    do(table.refresh(), "main(slot=0, mode=1)", "stop()")
    assert s.decrees_held[L] == 0
    do(table, "stop()")
    assert s.decrees_held[L] == 2
    assert s.decree_owner[row[0]] == s.decree_owner[row[1]] == L
    assert (s.influence[L], s.wigs[L]) == (0, 1)  # 2 and one official of H: 3, of which 1 influence
    assert s.favor[L, MINISTER] == 0
    assert s.favor_supply[MINISTER] == 2
    assert s.log.follow.deed == Deed.DONE
    assert phase(table) == Step.DRAW  # nobody follows a follow


@rules("LIS-118", "LIS-294")
@pytest.mark.parametrize("spoil", ["poor", "impossible"])
def test_lacerda_keeps_his_favor_if_he_cannot_follow(spoil):
    table = begun()
    s = table.state
    give_favor(s, L, MINISTER)
    if spoil == "poor":
        s.influence[L], s.wigs[L] = 0, 1
    else:
        for i in range(8):
            s.decree_display[i] = 0
    before = (s.influence[L], s.wigs[L])
    lacerda.follow(s, MINISTER)
    assert (s.influence[L], s.wigs[L]) == before
    assert s.favor[L, MINISTER] == 1
    assert s.decrees_held[L] == 0


@rules("LIS-119", "LIS-120", "LIS-122", "LIS-283")
def test_h_follows_with_the_favor_of_the_noble_whom_lacerda_visited():
    table = begun()
    s = table.state
    give_favor(s, H, MINISTER)
    set_goods(s, 1, 1, 1, 1)
    decide(table, Step.FOLLOW, MINISTER)
    assert legal(table) == {"state(act=2)", "noble()", "stop()"}  # no store, no production
    do(table, "noble()")
    assert s.influence[H] == 6
    assert s.favor[H, MINISTER] == 0
    assert s.favor_supply[MINISTER] == 2
    assert phase(table) == Step.DECREE


@rules("LIS-119", "LIS-120", "LIS-231")
def test_without_the_favor_or_without_a_noble_action_of_lacerda_nobody_asks():
    for favor, wigs in ((False, 20), (True, 0)):
        table = begun()
        s = table.state
        s.courtier = s.helper = BUILDER  # he comes to the Minister, and produces nothing
        if favor:
            give_favor(s, H, MINISTER)
        s.influence[L], s.wigs[L] = 0, wigs
        lacerda.take_turn(s)
        if wigs == 0:
            assert s.log.visit.deed == Deed.TOO_DEAR
            assert s.waiting[s.depth - 1, 0] == Step.LACERDA_ENDS
        else:
            assert s.waiting[s.depth - 1, 0] == Step.FOLLOW
            decide(table, Step.FOLLOW, MINISTER)
            assert following.follow_choices(s) == 0


@rules("LIS-121", "LIS-300")
def test_a_follow_costs_what_a_visit_costs_less_a_follow_discount_as_things_are_then():
    table = begun()
    s = table.state
    s.office[L, KING] = 2
    give_clergy(s, 13, 11)
    assert following.follow_cost(s, KING) == 4 - 1 - 1
    assert following.follow_cost(s, MINISTER) == 2 - 1
    s.treasury = 6
    assert following.follow_cost(s, KING) == 5 - 1 - 1


# --- 12. means --------------------------------------------------------------------------------------


@rules("LIS-125")
def test_worked_example_2_influence_at_the_limit_gives_one_wig():
    s = begun().state
    means.gain_influence(s, H, 5)
    assert (s.influence[H], s.wigs[H]) == (10, 1)
    means.gain_influence(s, H, 1)
    assert (s.influence[H], s.wigs[H]) == (10, 2)
    s.influence[H] = 7
    means.gain_influence(s, H, 3)
    assert (s.influence[H], s.wigs[H]) == (10, 3)
    means.gain_influence(s, L, 1)
    assert (s.influence[L], s.wigs[L]) == (9, 0)


@rules("LIS-126", "LIS-236")
def test_a_gain_of_nothing_is_no_gain_for_either_side():
    s = begun().state
    for side in (H, L):
        s.influence[side] = 10
        means.gain_influence(s, side, 0)
        assert (s.influence[side], s.wigs[side]) == (10, 0)


@rules("LIS-127", "LIS-128")
def test_bonus_tiles_add_to_the_influence_of_the_portfolio_for_h_only():
    s = begun().state
    own_cubes(s, H, 3, 3, 3)
    s.top[0], s.top[1], s.top[2] = 4, 25, 82  # 2 + 3 + 2
    give_clergy(s, 21, 22)
    s.influence[H] = s.influence[L] = 0
    means.gain_portfolio_influence(s)
    assert s.influence[H] == 7 + 2
    church.score_church_for_lacerda(s)
    assert s.influence[L] == 7


@rules("LIS-129", "LIS-130")
def test_missing_reis_are_paid_in_influence_up_to_six():
    s = begun().state
    s.reis, s.influence[H], s.wigs[H] = 3, 8, 9
    assert means.purse(s, 3, 8) == 9
    means.pay_reis(s, 9)
    assert (s.reis, s.influence[H], s.wigs[H]) == (0, 2, 9)
    assert means.purse(s, 0, 2) == 2


@rules("LIS-296")
def test_a_payment_that_turns_out_impossible_is_an_error():
    s = begun().state
    s.reis, s.influence[H] = 0, 8
    with pytest.raises(AssertionError, match="LIS-296"):
        means.pay_reis(s, 7)
    with pytest.raises(AssertionError, match="LIS-296"):
        means.pay_influence(s, H, 9)


@rules("LIS-131", "LIS-132")
def test_the_treasury_marker_stops_at_both_ends():
    s = begun().state
    for _ in range(9):
        means.raise_treasury(s)
    assert s.treasury == 6
    assert (means.treasury_influence(s), means.treasury_reis(s)) == (3, 6)
    for _ in range(9):
        means.lower_treasury(s)
    assert (s.treasury, means.treasury_influence(s), means.treasury_reis(s)) == (1, 1, 2)


@rules("LIS-134", "LIS-156")
def test_the_warehouse_grows_with_rubble_sets():
    s = begun().state
    assert means.gain_goods(s, BOOKS, 5) == 1
    own_cubes(s, H, 2, 2, 2)
    assert means.gain_goods(s, BOOKS, 5) == 2
    assert s.goods[BOOKS] == 4
    s.supply[TOOLS] = 1
    assert means.gain_goods(s, TOOLS, 5) == 1


@rules("LIS-135")
def test_simple_rewards():
    s = begun().state
    s.influence[H] = 0
    for effect, n, good in (
        (Effect.NOTHING, 3, NONE), (Effect.REIS, 3, NONE), (Effect.INFLUENCE, 4, NONE), (Effect.WIGS, 5, NONE),
        (Effect.GOOD, 1, CLOTH),
    ):  # fmt: skip
        means.do_effect(s, effect, n, good)
    assert (s.reis, s.influence[H], s.wigs[H], list(s.goods)) == (13, 4, 5, [1, 2, 1, 1])


def after_effect(effect, n, prepare=lambda s: None):
    """A table at the first choice of an effect."""
    table = begun()
    s = table.state
    prepare(s)
    decide(table, Step.BUILD)
    s.phase = NONE
    means.do_effect(s, effect, n, NONE)
    while s.phase == NONE:
        turn.proceed(s)
    return table.refresh()


@rules("LIS-136", "LIS-144")
def test_good_any_is_chosen_one_at_a_time_while_there_is_room():
    table = after_effect(Effect.GOOD_ANY, 3, lambda s: set_goods(s, 1, 2, 1, 2))
    assert legal(table) == {"good_any(good=0)", "good_any(good=2)"}
    do(table, "good_any(good=0)")  # then books without asking, then nothing
    assert list(table.state.goods) == [2, 2, 2, 2]
    assert phase(table) == Step.DRAW


@rules("LIS-137")
def test_an_effect_takes_decrees_without_stopping_and_refills_the_display_afterwards():
    table = after_effect(Effect.DECREE, 2)
    do(table, "decree(position=0)")
    assert "stop()" not in legal(table)
    assert table.state.decree_display[0] == 0
    do(table, "decree(position=7)")
    assert 0 not in list(table.state.decree_display)
    empty = after_effect(Effect.DECREE, 1, lambda s: no_decrees(s))
    assert phase(empty) == Step.DRAW


def no_decrees(s):
    """Neither display nor deck."""
    for i in range(8):
        s.decree_display[i] = 0
    s.decree_deck_size = 0


@rules("LIS-138", "LIS-140", "LIS-141", "LIS-291")
def test_rewards_that_are_impossible_are_lost():
    def spoil(s):
        s.plan_top[0] = s.plan_top[1] = NONE
        for i in range(3):
            s.favor_supply[i] = s.pile[i] = 0

    for effect in (Effect.PLAN, Effect.FAVOR, Effect.RUBBLE):
        assert phase(after_effect(effect, 1, spoil)) == Step.DRAW


@rules("LIS-138", "LIS-140", "LIS-141", "LIS-144")
def test_rewards_with_a_choice_are_mandatory():
    for effect, step in ((Effect.PLAN, Step.TAKE_PLAN), (Effect.FAVOR, Step.FAVOR), (Effect.RUBBLE, Step.PILE_CUBE)):
        table = after_effect(effect, 1, lambda s: [s.pile.__setitem__(k, 1) for k in range(3)])
        assert phase(table) == step
        assert "stop()" not in legal(table)


@rules("LIS-139")
def test_officials_by_an_effect_are_optional_at_once():
    table = after_effect(Effect.OFFICIAL, 2)
    assert "stop()" in legal(table)
    do(table, "office(noble=0)")
    assert legal(table) == {"office(noble=1)", "office(noble=2)", "stop()"}


@rules("LIS-141", "LIS-302")
def test_a_cube_of_the_pile_may_complete_a_set_at_once():
    table = after_effect(Effect.RUBBLE, 1, lambda s: (own_cubes(s, H, 1, 1, 0), s.pile.__setitem__(2, 1)))
    do(table, "pile_cube(kind=2)")
    assert means.sets_of(table.state) == 1
    assert means.room_for(table.state, GOLD) == 2


@rules("LIS-142")
def test_prices_rise_one_at_a_time_up_to_six():
    def prepare(s):
        for g, price in enumerate((6, 5, 2, 6)):
            s.price[g] = price

    table = after_effect(Effect.PRICE_UP, 3, prepare)
    assert legal(table) == {"price_up(good=1)", "price_up(good=2)"}
    do(table, "price_up(good=1)")  # from then on only books may rise
    assert list(table.state.price) == [6, 6, 4, 6]


@rules("LIS-143")
def test_penalties():
    s = begun().state
    s.reis, s.influence[H], s.wigs[H] = 2, 1, 1
    for effect in (Effect.LOSE_REIS, Effect.LOSE_INFLUENCE, Effect.LOSE_WIGS):
        means.do_effect(s, effect, 3, NONE)
    means.do_effect(s, Effect.TREASURY_UP, 1, NONE)
    assert (s.reis, s.influence[H], s.wigs[H], s.treasury) == (0, 0, 0, 4)


@rules("LIS-173")
def test_powers_work_as_long_as_the_tile_is_held():
    s = begun().state
    no_buildings(s)
    clear_rubble(s)
    give_clergy(s, 0, 1)
    assert city.land_cost(s, 0) == 0
    drop_clergy(s)
    assert city.land_cost(s, 0) == 4
