"""Lisboa: box, set-up, turns, portfolio, selling, trading (sections 1 to 6 of the rules)."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from alarife.engine.table import Table
from alarife.games.lisboa import GAME
from alarife.games.lisboa.components import NONE, Step
from alarife.games.lisboa.rules import city, display_decks, portfolio, sponsor, state_actions, trade
from alarife.games.lisboa.tables import shipped
from games.lisboa.positions import (
    BOOKS,
    BUILDER_4_REIS,
    CLOTH,
    EVENT_DECREES,
    EVENT_STORE,
    GOLD,
    KING_2_WIGS,
    KING_LOSES_2_REIS,
    MINISTER_4_REIS,
    TOOLS,
    H,
    L,
    begun,
    decide,
    do,
    finish_turn,
    fresh,
    give_clergy,
    give_hand,
    give_ship,
    legal,
    own_cubes,
    phase,
    put_store,
    set_goods,
    take_ships_away,
)

rules = pytest.mark.rules

# --- 1. components and board ------------------------------------------------------------------------


@rules("LIS-001", "LIS-002", "LIS-003", "LIS-005")
def test_stores_of_column_1_face_right_of_column_5_left_others_either_street():
    for row in range(4):
        assert [city.street_of(5 * row + c, 0) for c in range(5)] == [NONE, 0, 1, 2, 3]
        assert [city.street_of(5 * row + c, 1) for c in range(5)] == [0, 1, 2, 3, NONE]


@rules("LIS-004")
def test_the_streets_sell_gold_cloth_books_and_tools():
    assert list(fresh().state.tables.street_good) == [GOLD, CLOTH, BOOKS, TOOLS]


@rules("LIS-006", "LIS-007", "LIS-008")
def test_a_building_serves_its_row_or_its_street():
    table = begun()
    s = table.state
    lines = {0: "D", 1: "C", 2: "B", 3: "A", 8: "A", 9: "B", 10: "C", 11: "D"}
    for site in range(12):
        for i in range(12):
            s.site_tile[i] = NONE
        s.site_tile[site] = 2 * 7  # side A of tile 7 shows 1 wig for each good
        for space in range(20):
            for street in (city.street_of(space, 0), city.street_of(space, 1)):
                if street != NONE:
                    serves = site - 4 == street if 4 <= site < 8 else lines[site] == "ABCD"[space // 5]
                    assert city.store_wigs(s, space, street) == serves


@rules("LIS-009", "LIS-010", "LIS-013", "LIS-014", "LIS-015", "LIS-016")
def test_the_box_holds_what_the_rules_say():
    tables = shipped()
    assert [row["count"] for row in tables["rubble"]["rows"]] == [21, 21, 21]
    kinds = Counter((row["deck"], row["kind"]) for row in tables["political_cards"]["rows"])
    assert sum(kinds.values()) == 82
    for year, total in (("blue", 21), ("red", 20), ("purple", 21), ("brown", 20)):
        assert sum(n for (deck, _), n in kinds.items() if deck == year) == total
    assert {kinds[year, kind] for year in ("red", "brown") for kind in ("builder", "minister", "king", "treasury")} == {
        5
    }
    s = fresh().state
    assert [s.goods[g] + s.supply[g] for g in range(4)] == [17, 17, 17, 17]
    assert list(s.houses) == [8, 8]
    assert list(s.officials) == [8, 8]


@rules("LIS-019")
def test_wigs_never_fall_below_nothing():
    table = begun()
    s = table.state
    give_hand(s, 30)  # a Minister that costs one wig
    do(table.refresh(), "main(slot=0, mode=0)")
    assert s.wigs[H] == 0


# --- 2. set-up --------------------------------------------------------------------------------------

SEEDS = range(40)


def total(cubes) -> int:
    return int(np.sum(np.asarray(cubes)))


@rules("LIS-020", "LIS-021", "LIS-041")
def test_rubble_lies_two_to_a_space_three_to_a_line_and_six_in_the_pile():
    for seed in SEEDS:
        s = fresh(seed).state
        first = 0 if s.helper < 2 else 11
        assert [total(cubes) for cubes in s.site_cubes] == [0 if site == first else 2 for site in range(12)]
        assert [total(cubes) for cubes in s.row_cubes] == [3, 3, 3, 3]
        assert [total(cubes) for cubes in s.column_cubes] == [3, 3, 3, 3, 2]
        assert total(s.pile) == 6
        assert total(s.cubes_gone) == 7 + 2  # left in the bag, and under the first building


@rules("LIS-022", "LIS-042")
def test_the_first_building_belongs_to_nobody_and_the_next_tiles_lie_open():
    sides = set()
    for seed in SEEDS:
        s = fresh(seed).state
        site = 0 if s.helper < 2 else 11
        assert [i for i in range(12) if s.site_tile[i] != NONE] == [site]
        assert s.site_owner[site] == 2
        assert s.tables.tile_architect[s.site_tile[site] // 2] == (0 if s.helper < 2 else 1)
        assert [s.tables.tile_architect[s.tile_top[a] // 2] for a in (0, 1)] == [0, 1]
        assert sorted(s.tile_stack_size) == [6, 7]
        assert list(s.wigs) == [0, 0]
        sides |= {s.tile_top[0] % 2}
    assert sides == {0, 1}


@rules("LIS-023", "LIS-024", "LIS-025", "LIS-026")
def test_h_takes_one_starting_plan_lacerda_two():
    seen = set()
    for seed in SEEDS:
        s = fresh(seed).state
        own, his = s.plans[0], [s.lacerda_plans[i] for i in range(s.lacerda_plans_held)]
        assert s.plans_held == 1
        assert len({own, *his}) == 3
        assert max(own, *his) < 6
        assert sum(s.plan_gone[i] for i in range(6)) == 3
        assert [s.tables.plan_architect[s.plan_top[a]] for a in (0, 1)] == [0, 1]
        assert list(s.plan_stack_size) == [6, 6]
        seen.add(own)
    assert seen == set(range(6))


@rules("LIS-027", "LIS-028")
def test_equal_scoring_tiles_are_never_neighbours():
    arrangements = Counter()
    for seed in range(240):
        s = fresh(seed).state
        values = tuple(s.tables.majority_first[s.scoring_tile[k]] for k in range(4))
        assert all(values[k] != values[k + 1] for k in range(3))
        arrangements[values] += 1
    assert len(arrangements) == 6
    assert min(arrangements.values()) > 20  # 40 expected of each


@rules("LIS-029", "LIS-030", "LIS-031", "LIS-032")
def test_both_sides_draw_a_royal_favor():
    for seed in SEEDS:
        s = fresh(seed).state
        assert [s.favor[H, n] + s.favor[L, n] + s.favor_supply[n] for n in range(3)] == [2, 2, 2]
        assert sum(s.favor[H]) == sum(s.favor[L]) == 1


@rules("LIS-033", "LIS-034", "LIS-050", "LIS-299")
def test_h_keeps_one_of_two_clergy_tiles_and_the_other_goes_into_the_bag():
    table = fresh(3)
    s = table.state
    assert phase(table) == Step.START_CLERGY
    one, other = s.arg, s.more
    track = list(s.church_slot)
    assert NONE not in track
    assert not {one, other} & set(track)
    assert s.cardinal == 0
    assert s.clergy_bag_size == 37 - 2 - 6
    table.play("start_clergy(tile=1)")
    assert [s.clergy[i] for i in range(s.clergy_held)] == [other]
    assert one in [s.clergy_bag[i] for i in range(s.clergy_bag_size)]
    assert list(s.church_slot) == track


@rules("LIS-035", "LIS-036", "LIS-037", "LIS-038", "LIS-039")
def test_what_both_sides_start_with():
    s = fresh().state
    assert s.reis == 10
    assert list(s.goods) == [1, 1, 1, 1]
    assert list(s.lacerda_goods) == [0, 0, 0, 0]
    assert list(s.influence) == [8, 8]
    assert list(s.wigs) == [0, 0]
    assert s.treasury == 3
    assert list(s.price) == [5, 5, 5, 5]
    assert s.hand_size == 5
    assert all(s.hand[i] < 21 for i in range(5))


@rules("LIS-040", "LIS-043", "LIS-044")
def test_blue_cards_place_helper_and_courtier_and_leave_the_game():
    helpers, courtiers = set(), set()
    for seed in SEEDS:
        s = fresh(seed).state
        helpers.add(s.helper)
        courtiers.add(s.courtier)
        assert sum(s.card_gone[i] for i in range(21)) == 16
    assert helpers == {0, 1, 2, 3}
    assert courtiers == {0, 1, 2}


@rules("LIS-012", "LIS-045")
def test_red_cards_lie_in_four_decks_of_five():
    s = fresh().state
    for d in range(4):
        cards = [s.deck_top[d], *(s.deck[d, i] for i in range(s.deck_size[d]))]
        assert len(cards) == 5
        assert all(21 <= card < 41 and s.tables.card_kind[card] == d for card in cards)


@rules("LIS-046")
def test_the_blue_ship_lies_on_the_red_one():
    s = fresh().state
    assert list(s.ship_place) == [state_actions.IN_SHIPYARD, state_actions.IN_SHIPYARD, NONE, NONE]
    assert state_actions.top_ship(s) == 0


@rules("LIS-047", "LIS-048")
def test_eight_decrees_lie_open_and_never_number_69():
    for seed in SEEDS:
        s = fresh(seed).state
        assert len({d for d in s.decree_display if d}) == 8
        assert 69 not in list(s.decree_display)


@rules("LIS-049", "LIS-185")
def test_h_plays_first_and_lacerda_after_him_in_every_round():
    table = begun()
    s = table.state
    assert (s.round, s.turn_of, s.log.round) == (1, H, 0)
    do(table, "main(slot=0, mode=2)")
    finish_turn(table)
    assert (s.round, s.turn_of, s.log.round) == (2, H, 1)


# --- 3. structure of a turn -------------------------------------------------------------------------


@rules("LIS-051", "LIS-186")
def test_ships_at_sea_dock_empty_when_their_owner_s_turn_begins():
    table = begun()
    s = table.state
    give_ship(s, L, 1, GOLD, GOLD)
    s.supply[GOLD] -= 2
    s.ship_at_sea[1] = 1
    portfolio.dock_ships(s, H)
    assert s.ship_at_sea[1] == 1
    supply = s.supply[GOLD]
    portfolio.dock_ships(s, L)
    assert s.ship_at_sea[1] == 0
    assert list(s.ship_goods[1]) == [0, 0, 0, 0]
    assert s.supply[GOLD] == supply + 2


@rules("LIS-052", "LIS-053", "LIS-054", "LIS-287")
def test_each_card_may_go_to_the_portfolio_to_the_court_or_for_gold():
    table = begun()
    s = table.state
    give_hand(s, BUILDER_4_REIS, MINISTER_4_REIS, KING_2_WIGS, EVENT_DECREES, EVENT_STORE)
    s.reis = 60
    table.refresh()
    assert legal(table) == {f"main(slot={i}, mode={m})" for i in range(5) for m in range(3)}
    do(table, "main(slot=0, mode=0)")
    assert phase(table) == Step.SELL_OR_TRADE


@rules("LIS-056", "LIS-282")
def test_the_hand_is_refilled_by_an_open_card_and_the_next_one_is_turned_up():
    table = begun()
    s = table.state
    do(table, "main(slot=0, mode=2)")
    assert phase(table) == Step.DRAW
    assert legal(table) == {f"draw(deck={d})" for d in range(4)}
    card = s.deck_top[1]
    below = {s.deck[1, i] for i in range(s.deck_size[1])}
    display_decks.draw(s, 1)
    assert s.hand[4] == card
    assert s.deck_top[1] in below
    assert s.deck_size[1] == 3


@rules("LIS-057")
def test_without_cards_in_the_display_h_plays_on_with_fewer():
    table = begun()
    s = table.state
    do(table, "main(slot=0, mode=2)")
    for d in range(4):
        s.deck_top[d], s.deck_size[d] = NONE, 0
    assert display_decks.draw_choices(s) == 0


@rules("LIS-059", "LIS-060")
def test_a_card_is_discarded_for_gold_as_far_as_there_is_room():
    for gold, tiles, expected in ((0, (), 1), (1, (35,), 2), (2, (), 2), (0, (35,), 2)):
        table = begun()
        s = table.state
        set_goods(s, gold, 0, 0, 0)
        give_clergy(s, *tiles)
        card = s.hand[0]
        do(table.refresh(), "main(slot=0, mode=2)")
        assert s.goods[GOLD] == expected
        assert s.card_gone[card] == 1


# --- 4. portfolio -----------------------------------------------------------------------------------


@rules("LIS-061", "LIS-062", "LIS-063", "LIS-157")
def test_a_noble_card_pays_its_reward_and_goes_into_the_top_row():
    table = begun()
    s = table.state
    assert list(s.tables.top_open) == [1, 2, 2, 3, 3, 3]
    assert list(s.tables.bottom_open) == [1, 1, 2, 2, 3, 3]
    give_hand(s, BUILDER_4_REIS)
    do(table.refresh(), "main(slot=0, mode=0)")
    assert s.reis == 14
    assert list(s.top) == [BUILDER_4_REIS, NONE, NONE]


@rules("LIS-063", "LIS-143")
def test_a_penalty_is_suffered_as_far_as_possible():
    table = begun()
    s = table.state
    s.reis = 1
    give_hand(s, KING_LOSES_2_REIS)
    do(table.refresh(), "main(slot=0, mode=0)")
    assert s.reis == 0
    assert s.influence[H] == 8


@rules("LIS-064", "LIS-065", "LIS-131")
def test_a_treasury_card_pays_the_treasury_value_then_the_marker_falls():
    table = begun()
    s = table.state
    own_cubes(s, H, 4, 4, 4)
    s.bottom[0] = 59  # subsidy +2
    give_hand(s, 18)  # subsidy +1, which does not yet count
    do(table.refresh(), "main(slot=0, mode=0)")
    assert s.reis == 10 + 4 + 2
    assert s.treasury == 2
    assert list(s.bottom) == [59, 18, NONE]


@rules("LIS-066", "LIS-067")
def test_without_a_free_slot_h_clears_one_after_the_reward_and_before_selling():
    table = begun()
    s = table.state
    own_cubes(s, H, 1, 1, 1)
    s.supply[GOLD] -= 1
    give_ship(s, H, 1, GOLD)
    s.top[1] = MINISTER_4_REIS
    give_hand(s, BUILDER_4_REIS)
    do(table.refresh(), "main(slot=0, mode=0)")
    assert s.reis == 14
    assert legal(table) == {"top_discard(slot=0)", "top_discard(slot=1)"}
    supply = s.supply[GOLD]
    do(table, "top_discard(slot=0)")
    assert list(s.top) == [BUILDER_4_REIS, MINISTER_4_REIS, NONE]
    assert s.ship_place[1] == NONE
    assert s.supply[GOLD] == supply + 1
    assert s.wigs[H] == 0
    assert phase(table) == Step.SELL_OR_TRADE


@rules("LIS-068", "LIS-069", "LIS-147")
def test_equal_powers_in_the_bottom_row_add_up():
    table = begun()
    s = table.state
    own_cubes(s, H, 4, 4, 4)
    before = city.land_cost(s, 0)
    s.bottom[0], s.bottom[1], s.bottom[2] = 15, 36, 77  # land -2, -3, -3
    assert city.land_cost(s, 0) == max(0, before - 8)
    s.bottom[0], s.bottom[1], s.bottom[2] = 16, 78, NONE  # sale +2, +3
    assert portfolio.sale_price(s, GOLD, 0) == 5 + 0 + 5
    s.bottom[0], s.bottom[1] = 17, 38  # event -1, -1
    assert sponsor.event_cost(s) == 4 - 2


# --- 5. selling -------------------------------------------------------------------------------------


@rules("LIS-070", "LIS-071", "LIS-072", "LIS-076")
def test_goods_are_sold_one_at_a_time_onto_either_side_s_ships():
    table = begun()
    s = table.state
    give_ship(s, L, 1)
    give_ship(s, H, 2)
    decide(table, Step.SELL)
    assert legal(table) == {f"sell(good={g}, ship={i})" for g in range(4) for i in (1, 2)} | {"stop()"}
    give_clergy(s, 14)  # sale +1
    do(table, "sell(good=0, ship=1)")
    assert s.reis == 10 + 5 + 1 + 1
    assert list(s.price) == [5, 5, 5, 5]
    assert list(s.goods) == [0, 1, 1, 1]
    assert phase(table) == Step.SELL


@rules("LIS-073", "LIS-074", "LIS-075")
def test_a_full_ship_sets_sail_for_a_wig_per_crate_and_cannot_be_loaded():
    table = begun()
    s = table.state
    give_ship(s, L, 1, TOOLS)
    s.supply[TOOLS] -= 1
    give_ship(s, H, 2)
    decide(table, Step.SELL)
    do(table, "sell(good=0, ship=1)")
    assert list(s.wigs) == [0, 2]
    assert s.ship_at_sea[1] == 1
    assert list(s.ship_goods[1]) == [1, 0, 0, 1]
    assert legal(table) == {f"sell(good={g}, ship=2)" for g in (1, 2, 3)} | {"stop()"}
    do(table, "sell(good=1, ship=2)", "stop()")
    finish_turn(table)
    assert portfolio.load_of(s, 2) == 1  # still waiting for two more


@rules("LIS-076", "LIS-286")
def test_where_nothing_can_be_sold_or_traded_selling_ends_by_itself():
    table = begun()
    s = table.state
    take_ships_away(s)
    set_goods(s, 0, 0, 0, 0)
    give_hand(s, BUILDER_4_REIS)
    do(table.refresh(), "main(slot=0, mode=0)")
    assert phase(table) == Step.DRAW


# --- 6. trading -------------------------------------------------------------------------------------


@rules("LIS-077", "LIS-078", "LIS-284")
def test_each_noble_accepts_gold_and_his_own_good():
    table = begun()
    s = table.state
    put_store(s, H, 0, 0)
    decide(table, Step.TRADE, NONE)
    wanted = {0: (3, 0), 1: (3, 0), 2: (2, 0), 3: (2, 0), 4: (1, 0), 5: (1, 0)}
    assert legal(table) == {f"trade(act={act}, good={g})" for act, goods in wanted.items() for g in goods}
    assert GAME.actions.parse("trade(act=4, good=1)") - GAME.actions.parse("trade(act=0, good=0)") == 4 * 4 + 1


@rules("LIS-174")
def test_with_a_wild_trade_tile_every_noble_accepts_every_good():
    table = begun()
    give_clergy(table.state, 31)
    put_store(table.state, H, 0, 0)
    decide(table, Step.TRADE, NONE)
    assert legal(table) == {f"trade(act={act}, good={g})" for act in range(6) for g in range(4)}


@rules("LIS-079", "LIS-080", "LIS-082", "LIS-083")
def test_a_second_trade_is_different_and_optional():
    table = begun()
    s = table.state
    decide(table, Step.TRADE, NONE)
    do(table, "trade(act=5, good=0)")  # gold for a favor
    assert s.goods[GOLD] == 0
    assert s.supply[GOLD] == 17
    assert phase(table) == Step.FAVOR
    do(table, "favor(noble=0)")
    assert phase(table) == Step.TRADE
    assert "stop()" in legal(table)
    assert not any(name.startswith("trade(act=5") for name in legal(table))
    do(table, "trade(act=4, good=1)", "cardinal(steps=0, behind=0)")
    assert phase(table) == Step.DRAW
    assert list(s.influence) == [8, 8]


@rules("LIS-081")
def test_trading_needs_a_good_and_an_action_that_is_doable_without_it():
    table = begun()
    s = table.state
    set_goods(s, 0, 0, 1, 0)  # one book: for a ship it would be both price and cargo
    decide(table, Step.TRADE, NONE)
    assert not any(name.startswith("trade(act=2") for name in legal(table))
    set_goods(s, 0, 0, 0, 0)
    assert trade.sell_or_trade_choices(s) == 1
    set_goods(s, 0, 0, 2, 0)
    put_store(s, H, 2, 2)  # a book store: room is made by the book given
    table.refresh()
    assert state_actions.can_produce(s, NONE) is False
    assert "trade(act=3, good=2)" in legal(table)


def test_the_same_seed_gives_the_same_game_compiled_and_interpreted():
    compiled, interpreted = Table(GAME, seed=5), Table(GAME, seed=5, interpreted=True)
    for _ in range(120):
        if compiled.over:
            break
        assert compiled.legal() == interpreted.legal()
        action = compiled.legal()[compiled.state.decisions * 7 % len(compiled.legal())]
        compiled.play(action)
        interpreted.play(action)
        assert compiled.to_bytes() == interpreted.to_bytes()
        assert np.array_equal(compiled.observe(), interpreted.observe())
