"""What always holds between decisions: nothing is lost, nothing is made up (sections 1 and 24)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.lisboa.components import (
    ARCHITECTS,
    CARDS,
    CLERGY,
    CLERGY_SLOTS,
    COLUMNS,
    DECKS,
    DECREE_DISPLAY,
    DECREES,
    FAVORS,
    FIRST_PURPLE,
    FIRST_SHIP,
    GOODS,
    HAND_SIZE,
    HOUSES,
    LEVELS,
    MOST_CLERGY,
    MOST_PLANS,
    NOBLES,
    NONE,
    OFFICIALS,
    PLANS,
    ROW_SLOTS,
    ROWS,
    RUBBLE,
    SHIPS,
    SITES,
    SPACES,
    TILES,
    Side,
    Step,
)
from alarife.games.lisboa.rules.city import street_of
from alarife.games.lisboa.rules.means import sets_of
from alarife.games.lisboa.rules.portfolio import load_of
from alarife.games.lisboa.rules.state_actions import IN_SHIPYARD
from alarife.games.lisboa.rules.waiting import check_decision, check_progress


@rule
def check(s):
    """Assert all invariants."""
    check_means(s)
    check_rubble(s)
    check_goods(s)
    check_cards(s)
    check_portfolio(s)
    check_buildings(s)
    check_people(s)
    check_church(s)
    check_decrees(s)
    if not s.over:
        check_progress(s)
        check_decision(s)


@rule
def count_of(items, size, item):
    """How often an item is among the first `size`."""
    count = 0
    for i in range(size):
        count += items[i] == item
    return count


@rule
def on_its_way(s, card):
    """1 if a card or ship waits for a slot."""
    for i in range(s.depth):
        step = s.waiting[i, 0]
        if (step == Step.PLACE_TOP or step == Step.PLACE_BOTTOM) and s.waiting[i, 1] == card:
            return 1
    return 0


@rule
def check_means(s):
    """Stocks and markers."""
    assert s.reis >= 0, "LIS-295: reis below zero"
    for side in range(2):
        assert s.wigs[side] >= 0, "LIS-019: wigs below zero"
        assert 0 <= s.influence[side] <= s.tables.influence_max, "LIS-125: influence outside its track"
    assert 1 <= s.treasury <= LEVELS, "LIS-132: the treasury marker left its track"
    for g in range(GOODS):
        assert s.tables.price_min <= s.price[g] <= s.tables.price_max, "LIS-133: a price left its track"


@rule
def check_rubble(s):
    """Cubes by kind (LIS-009)."""
    for k in range(RUBBLE):
        count = s.pile[k] + s.cubes_gone[k] + s.cubes[0, k] + s.cubes[1, k]
        for i in range(SITES):
            count += s.site_cubes[i, k]
            assert s.site_tile[i] == NONE or s.site_cubes[i, k] == 0, "LIS-164: rubble lies under a building"
        for r in range(ROWS):
            count += s.row_cubes[r, k]
        for c in range(COLUMNS):
            count += s.column_cubes[c, k]
        assert count == s.tables.rubble_count[k], "LIS-009: the cubes of a kind are not all there"


@rule
def check_goods(s):
    """Goods by kind (LIS-010), ships and their loads."""
    for g in range(GOODS):
        assert min(s.goods[g], s.supply[g]) >= 0, "LIS-295: goods below zero"
        room = s.tables.room_base + s.tables.room_per_set * sets_of(s)
        assert s.goods[g] <= room, "LIS-134: a warehouse is too full"
        count = s.goods[g] + s.supply[g] + s.lacerda_goods[g]
        for ship in range(SHIPS):
            count += s.ship_goods[ship, g]
        assert count == s.tables.goods_supply, "LIS-010: the goods of a kind are not all there"
    for ship in range(SHIPS):
        load, size, place = load_of(s, ship), s.tables.ship_size[ship], s.ship_place[ship]
        assert load == 0 or place == Side.HUMAN or place == Side.LACERDA, "LIS-297: goods on a ship out of play"
        assert s.ship_at_sea[ship] == (load == size and load > 0), "LIS-073: a ship is at sea when it is full"
        owned = count_of(s.top, ROW_SLOTS, FIRST_SHIP + ship) + on_its_way(s, FIRST_SHIP + ship)
        if s.phase != Step.SHIP_PAY and owned == 1:
            assert place == Side.HUMAN, "LIS-104: a ship in the portfolio is H's"
        assert owned == 1 or place != Side.HUMAN, "LIS-104: a ship of H lies in the portfolio"
        assert place != IN_SHIPYARD or (ship < SHIPS // 2) == (s.period == 1) or waits_for_period(s), (
            "LIS-242: a ship of the other period is in the shipyard"
        )


@rule
def waits_for_period(s):
    """Whether the change of period is under way."""
    for i in range(s.depth):
        if s.waiting[i, 0] == Step.NEW_PERIOD:
            return True
    return False


@rule
def check_cards(s):
    """Every political card is in one place (LIS-013)."""
    for card in range(CARDS):
        count = int(s.card_gone[card]) + count_of(s.hand, s.hand_size, card) + on_its_way(s, card)
        count += count_of(s.top, ROW_SLOTS, card) + count_of(s.bottom, ROW_SLOTS, card)
        for d in range(DECKS):
            count += (s.deck_top[d] == card) + count_of(s.deck[d], s.deck_size[d], card)
        due = 1 if card < FIRST_PURPLE or s.period == 2 else 0
        assert count == due, "LIS-013: a political card is lost, or there twice"
    assert 0 <= s.hand_size <= HAND_SIZE, "LIS-056: too many cards in hand"
    if s.phase == Step.MAIN:
        assert s.hand_size == HAND_SIZE, "LIS-056: a turn begins with five cards"
    for i in range(HAND_SIZE):
        assert (s.hand[i] != NONE) == (i < s.hand_size), "LIS-285: a card lies behind a gap"
    for d in range(DECKS):
        assert s.deck_top[d] != NONE or s.deck_size[d] == 0, "LIS-056: a deck has no open card"
        for i in range(s.deck_size[d]):
            assert s.tables.card_kind[s.deck[d, i]] == d, "LIS-045: a card lies in another deck"
        assert s.deck_top[d] == NONE or s.tables.card_kind[s.deck_top[d]] == d, "LIS-045: a card lies in another deck"


@rule
def check_portfolio(s):
    """Noble cards and ships above, treasury cards below, in open slots (LIS-061, LIS-156, LIS-157)."""
    for i in range(ROW_SLOTS):
        if s.top[i] != NONE:
            assert i < s.tables.top_open[sets_of(s)], "LIS-157: a card lies in a closed slot"
            if s.top[i] < FIRST_SHIP:
                assert s.tables.card_kind[s.top[i]] < NOBLES, "LIS-061: a treasury card lies in the top row"
        if s.bottom[i] != NONE:
            assert i < s.tables.bottom_open[sets_of(s)], "LIS-157: a card lies in a closed slot"
            assert s.tables.card_kind[s.bottom[i]] == NOBLES, "LIS-061: a noble card lies in the bottom row"


@rule
def check_buildings(s):
    """Tiles, plans, stores (LIS-001, LIS-022, LIS-023)."""
    for tile in range(TILES):
        count = 0
        for a in range(ARCHITECTS):
            count += count_of(s.tile_stack[a], s.tile_stack_size[a], tile)
            count += s.tile_top[a] != NONE and s.tile_top[a] // 2 == tile
        for i in range(SITES):
            count += s.site_tile[i] != NONE and s.site_tile[i] // 2 == tile
        assert count == 1, "LIS-022: a public building is lost, or there twice"
    for i in range(SITES):
        assert (s.site_tile[i] == NONE) == (s.site_owner[i] == NONE), "LIS-164: a building belongs to nobody"
        hiring = s.phase == Step.HIRE and s.extra == i
        assert s.site_hired[i] == 0 or hiring or s.site_owner[i] == Side.HUMAN, "LIS-163: officials work nowhere"
    for plan in range(PLANS):
        count = int(s.plan_gone[plan]) + count_of(s.plans, s.plans_held, plan)
        count += count_of(s.lacerda_plans, s.lacerda_plans_held, plan)
        for a in range(ARCHITECTS):
            count += (s.plan_top[a] == plan) + count_of(s.plan_stack[a], s.plan_stack_size[a], plan)
        assert count == 1, "LIS-023: a plan is lost, or there twice"
    assert s.plans_held <= s.tables.plans_held, "LIS-097: too many plans"
    for i in range(MOST_PLANS):
        assert (s.plans[i] != NONE) == (i < s.plans_held), "LIS-285: a plan lies behind a gap"
    for side in range(2):
        stores = count_of(s.store_owner, SPACES, side)
        assert stores + s.houses[side] == HOUSES, "LIS-145: houses and stores do not add up"
    for i in range(SPACES):
        if s.store_owner[i] != NONE:
            street = s.store_street[i]
            assert street != NONE, "LIS-005: a store faces no street"
            assert street == street_of(i, 0) or street == street_of(i, 1), "LIS-005: a store faces no street"


@rule
def check_people(s):
    """Officials (LIS-015, LIS-016) and royal favors (LIS-029)."""
    human = s.officials[0] + s.office[0, 0] + s.office[0, 1] + s.office[0, 2] + s.plaza + s.hired
    assert human == OFFICIALS, "LIS-015: H's officials are not all there"
    assert min(s.officials[0], s.plaza) >= 0, "LIS-295: officials below zero"
    lacerda = s.officials[1] + s.office[1, 0] + s.office[1, 1] + s.office[1, 2]
    assert lacerda == OFFICIALS, "LIS-101: Lacerda's officials are not all there"
    working = 0
    for i in range(SITES):
        working += s.site_hired[i]
    assert working == s.hired, "LIS-163: hired officials left their buildings"
    for n in range(NOBLES):
        assert min(s.office[0, n], s.office[1, n]) >= 0, "LIS-295: officials below zero"
        assert s.favor_supply[n] + s.favor[0, n] + s.favor[1, n] == FAVORS, "LIS-029: a royal favor is lost"
        assert max(s.favor[0, n], s.favor[1, n]) <= 1, "LIS-111: two favors of one noble"


@rule
def check_church(s):
    """Clergy tiles (LIS-034), the Cardinal."""
    assert 0 <= s.cardinal < CLERGY_SLOTS, "LIS-168: the Cardinal left the ring"
    assert s.clergy_held <= s.tables.clergy_held, "LIS-172: too many clergy tiles"
    for i in range(MOST_CLERGY):
        assert (s.clergy[i] != NONE) == (i < s.clergy_held), "LIS-285: a clergy tile lies behind a gap"
    for tile in range(CLERGY):
        count = count_of(s.clergy_bag, s.clergy_bag_size, tile)
        count += count_of(s.clergy_discard, s.clergy_discard_size, tile)
        count += count_of(s.church_slot, CLERGY_SLOTS, tile) + count_of(s.clergy, s.clergy_held, tile)
        if s.phase == Step.START_CLERGY:
            count += (s.arg == tile) + (s.more == tile)
        if s.phase == Step.CLERGY_FULL:
            count += s.arg == tile
        assert count == 1, "LIS-034: a clergy tile is lost, or there twice"


@rule
def check_decrees(s):
    """Decrees (LIS-047, LIS-182)."""
    for side in range(2):
        held = count_of(s.decree_owner, DECREES + 1, side)
        assert held == s.decrees_held[side], "LIS-180: decrees and their number differ"
    for d in range(1, DECREES + 1):
        count = count_of(s.decree_deck, s.decree_deck_size, d) + count_of(s.decree_display, DECREE_DISPLAY, d)
        count += s.decree_owner[d] != NONE
        assert count == 1 or (count == 0 and s.tables.decree_excluded[d]), "LIS-047: a decree is lost, or there twice"
    for i in range(DECREE_DISPLAY):
        d = s.decree_display[i]
        assert d == 0 or not s.tables.decree_excluded[d], "LIS-048: a decree that is not used lies in the display"
