"""Set-up (section 2)."""

from __future__ import annotations

import numpy as np

from alarife.engine.jit import rule
from alarife.engine.random import below, draw_kind, shuffle, stream_key
from alarife.games.lisboa.components import (
    ARCHITECTS,
    BLUE_CARDS,
    CARDS,
    CLERGY,
    CLERGY_SLOTS,
    COLUMN_CUBES,
    COLUMNS,
    DECREES,
    EAST,
    FAVORS,
    GOODS,
    HAND_SIZE,
    HOUSES,
    MOST_CLERGY,
    MOST_PLANS,
    NOBLES,
    NONE,
    OFFICIALS,
    PILE_CUBES,
    PLANS,
    ROW_CUBES,
    ROW_SLOTS,
    ROWS,
    RUBBLE,
    SHIPS,
    SITE_CUBES,
    SITES,
    SPACES,
    STARTING_PLANS,
    STREETS,
    TILES,
    Deck,
    Side,
    Step,
)
from alarife.games.lisboa.rules.buildings import put_tile, reveal_plan, reveal_tile
from alarife.games.lisboa.rules.church import gain_clergy, refill_church
from alarife.games.lisboa.rules.decrees import slide_decrees
from alarife.games.lisboa.rules.display_decks import add_to_hand, fill_year, lay_out_period, put_year_away
from alarife.games.lisboa.rules.means import take_favor
from alarife.games.lisboa.rules.pending import push, take_any
from alarife.games.lisboa.rules.state_actions import IN_SHIPYARD

FIXED = 1  # index in Options.setup
#: Streets of the two tiles that may not be neighbours (LIS-027, LIS-028).
PAIRS = np.array([[0, 2], [0, 3], [1, 3]], np.int8)
COLUMN_CUBE_COUNTS = np.array(COLUMN_CUBES, np.int8)


@rule
def set_up(s):
    """Lay everything out; a fixed set-up draws from the stream of its number."""
    kept = s.rng
    if s.options.setup == FIXED:
        s.rng = stream_key(s.options.setup_number, 0)
    clear(s)
    lay_out_cubes(s)
    stack_tiles_and_plans(s)
    deal_starting_plans(s)
    deal_scoring_tiles(s)
    deal_favors(s)
    give_means(s)
    lay_out_church(s)
    deal_blue_cards(s)
    lay_out_period(s)
    lay_out_decrees(s)
    if s.options.setup == FIXED:
        s.rng = kept


@rule
def clear(s):
    """Nothing lies anywhere yet."""
    s.phase = NONE
    s.period = 1
    s.rank = NONE
    for i in range(CARDS):
        s.card_gone[i] = 1 if i < BLUE_CARDS else 0
    for i in range(HAND_SIZE):
        s.hand[i] = NONE
    for i in range(ROW_SLOTS):
        s.top[i] = NONE
        s.bottom[i] = NONE
    for i in range(MOST_PLANS):
        s.plans[i] = NONE
    for i in range(MOST_CLERGY):
        s.clergy[i] = NONE
    for i in range(SPACES):
        s.store_owner[i] = NONE
        s.store_street[i] = NONE
    for i in range(SITES):
        s.site_tile[i] = NONE
        s.site_owner[i] = NONE
    for i in range(CLERGY_SLOTS):
        s.church_slot[i] = NONE
    s.log.card = NONE
    s.log.first = NONE
    s.log.second = NONE


@rule
def draw_cube(s, cubes):
    """A cube from the bag; what stays in the bag is out of the game (LIS-020, LIS-021)."""
    left = 0
    for k in range(RUBBLE):
        left += s.cubes_gone[k]
    kind = draw_kind(s, s.cubes_gone, left)
    s.cubes_gone[kind] -= 1
    cubes[kind] += 1


@rule
def lay_out_cubes(s):
    """Rubble around the city and in the pile (LIS-020)."""
    for k in range(RUBBLE):
        s.cubes_gone[k] = s.tables.rubble_count[k]
    for i in range(SITES):
        for _ in range(SITE_CUBES):
            draw_cube(s, s.site_cubes[i])
    for r in range(ROWS):
        for _ in range(ROW_CUBES):
            draw_cube(s, s.row_cubes[r])
    for c in range(COLUMNS):
        for _ in range(COLUMN_CUBE_COUNTS[c]):
            draw_cube(s, s.column_cubes[c])
    for _ in range(PILE_CUBES):
        draw_cube(s, s.pile)


@rule
def stack_tiles_and_plans(s):
    """Public buildings and regular plans by architect, the top ones turned up (LIS-022, LIS-023)."""
    for tile in range(TILES):
        a = s.tables.tile_architect[tile]
        s.tile_stack[a, s.tile_stack_size[a]] = tile
        s.tile_stack_size[a] += 1
    for plan in range(STARTING_PLANS, PLANS):
        a = s.tables.plan_architect[plan]
        s.plan_stack[a, s.plan_stack_size[a]] = plan
        s.plan_stack_size[a] += 1
    for a in range(ARCHITECTS):
        reveal_tile(s, a)
        reveal_plan(s, a)


@rule
def deal_starting_plans(s):
    """One for H, two for Lacerda, the others go (LIS-024 to LIS-026)."""
    for i in range(STARTING_PLANS):
        s.lacerda_plans[i] = i
    shuffle(s, s.lacerda_plans, STARTING_PLANS)
    s.plans[0] = s.lacerda_plans[2]
    s.plans_held = 1
    s.lacerda_plans_held = 2
    for i in range(2, STARTING_PLANS):
        s.plan_gone[s.lacerda_plans[i]] = i > 2
        s.lacerda_plans[i] = 0


@rule
def deal_scoring_tiles(s):
    """The two equal tiles apart, the others in either order (LIS-027, LIS-028)."""
    arrangement = below(s, 6)
    pair, other = arrangement // 2, 2 + arrangement % 2
    for k in range(STREETS):
        if k == PAIRS[pair, 0]:
            s.scoring_tile[k] = 0
        elif k == PAIRS[pair, 1]:
            s.scoring_tile[k] = 1
        else:
            s.scoring_tile[k] = other
            other = 5 - other


@rule
def deal_favors(s):
    """One for each side, the others to their nobles (LIS-029 to LIS-032)."""
    for n in range(NOBLES):
        s.favor_supply[n] = FAVORS
    take_favor(s, Side.HUMAN, draw_kind(s, s.favor_supply, FAVORS * NOBLES))
    take_favor(s, Side.LACERDA, draw_kind(s, s.favor_supply, FAVORS * NOBLES - 1))


@rule
def give_means(s):
    """Money, goods, influence, officials, houses; treasury, prices, ships (LIS-035 to LIS-038, LIS-046)."""
    s.reis = s.tables.reis
    s.influence[Side.HUMAN] = s.tables.influence
    s.influence[Side.LACERDA] = min(s.options.lacerda_influence, s.tables.influence_max)
    s.wigs[Side.HUMAN] = s.tables.wigs
    s.wigs[Side.LACERDA] = s.options.lacerda_wigs
    for side in range(2):
        s.officials[side] = OFFICIALS
        s.houses[side] = HOUSES
    for g in range(GOODS):
        s.goods[g] = s.tables.goods_each
        s.supply[g] = s.tables.goods_supply - s.tables.goods_each
        s.price[g] = s.tables.price
    s.treasury = s.tables.treasury_level
    for ship in range(SHIPS):
        s.ship_place[ship] = IN_SHIPYARD if ship < SHIPS // 2 else NONE


@rule
def lay_out_church(s):
    """Two clergy tiles for H to look at, then one on each slot (LIS-033, LIS-034, LIS-050, LIS-299)."""
    for i in range(CLERGY):
        s.clergy_bag[i] = i
    one = take_any(s, s.clergy_bag, CLERGY)
    other = take_any(s, s.clergy_bag, CLERGY - 1)
    s.clergy_bag_size = CLERGY - 2
    refill_church(s)
    s.cardinal = s.tables.start_space
    push(s, Step.BEGIN_TURN, Side.HUMAN, 0, 0)
    push(s, Step.START_CLERGY, one, other, 0)


@rule
def keep_clergy(s, i):
    """H keeps one of the two tiles, the other goes back into the bag (LIS-033)."""
    kept, returned = (s.more, s.arg) if i else (s.arg, s.more)
    s.clergy_bag[s.clergy_bag_size] = returned
    s.clergy_bag_size += 1
    gain_clergy(s, kept)


@rule
def deal_blue_cards(s):
    """H's hand; then cards show where Helper and courtier begin (LIS-039, LIS-040, LIS-043, LIS-044)."""
    fill_year(s, 0, BLUE_CARDS)
    left = BLUE_CARDS
    for _ in range(HAND_SIZE):
        add_to_hand(s, take_any(s, s.year_cards, left))
        left -= 1
    s.helper = s.tables.card_kind[reveal_blue(s, left)]
    left -= 1
    place_first_building(s)
    s.courtier = Deck.TREASURY
    while s.courtier == Deck.TREASURY:  # at most until the blue cards run out
        s.courtier = s.tables.card_kind[reveal_blue(s, left)]
        left -= 1
    put_year_away(s, left)


@rule
def reveal_blue(s, left):
    """The next blue card, which leaves the game."""
    card = take_any(s, s.year_cards, left)
    s.card_gone[card] = 1
    return card


@rule
def place_first_building(s):
    """By the Helper: the blue one west of row D or the green one east of it; its cubes go (LIS-041, LIS-042)."""
    architect = 1 if s.helper >= Deck.KING else 0
    site = EAST + ROWS - 1 if architect else 0
    put_tile(s, Side.NOBODY, architect, site)
    reveal_tile(s, architect)
    for k in range(RUBBLE):
        s.cubes_gone[k] += s.site_cubes[site, k]
        s.site_cubes[site, k] = 0


@rule
def lay_out_decrees(s):
    """Eight decrees in a row (LIS-047, LIS-048)."""
    for d in range(DECREES):
        s.decree_deck[d] = d + 1
    s.decree_deck_size = DECREES
    for d in range(DECREES + 1):
        s.decree_owner[d] = NONE
    slide_decrees(s)
