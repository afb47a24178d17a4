"""Lacerda's turn: five steps, each choice fixed (section 18)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.lisboa.components import (
    ARCHITECTS,
    COLUMNS,
    DECKS,
    DECREE_DISPLAY,
    GOODS,
    NOBLES,
    NONE,
    RUBBLE,
    SITES,
    SPACES,
    Act,
    Deck,
    Deed,
    Side,
    Step,
)
from alarife.games.lisboa.rules.buildings import (
    enter_office,
    line_wigs,
    put_tile,
    reveal_plan,
    reveal_tile,
    score_building,
    take_site_cubes,
)
from alarife.games.lisboa.rules.church import discard_clergy, move_cardinal, take_tile
from alarife.games.lisboa.rules.city import cubes_by, place_store, store_wigs, street_of, take_cube
from alarife.games.lisboa.rules.decrees import decree_choices, slide_decrees, stores_selling, take_decree
from alarife.games.lisboa.rules.display_decks import discard_top
from alarife.games.lisboa.rules.means import (
    can_pay_influence,
    gain_influence,
    gain_wigs,
    lower_price,
    pay_influence,
    portfolio_influence,
    raise_treasury,
    return_favor,
    take_favor,
    treasury_influence,
)
from alarife.games.lisboa.rules.pending import push
from alarife.games.lisboa.rules.state_actions import top_ship

BLUE, GREEN = 0, 1

# --- the turn -------------------------------------------------------------------------------------


@rule
def take_turn(s):
    """Courtier, state action, noble action; then H may follow (LIS-185, LIS-187, LIS-231)."""
    s.courtier = (s.courtier + 1) % NOBLES
    s.log.round = s.round
    s.log.helper = s.helper
    take_state_action(s)
    push(s, Step.LACERDA_ENDS, 0, 0, 0)
    if take_noble_action(s, s.courtier, s.log.visit):
        push(s, Step.FOLLOW, s.courtier, 0, 0)


@rule
def end_turn(s):
    """The card below the Helper goes, the Helper moves up (LIS-232 to LIS-234)."""
    s.log.card = s.deck_top[s.helper]
    if s.deck_top[s.helper] != NONE:
        discard_top(s, s.helper)
    for i in range(1, DECKS):
        deck = (s.helper + i) % DECKS
        if s.deck_top[deck] != NONE:
            s.helper = deck
            return


@rule
def helper_is_high(s):
    """Whether the Helper stands above King or Treasury (LIS-189, LIS-223)."""
    return s.helper >= Deck.KING


# --- step 2: state actions ------------------------------------------------------------------------


@rule
def take_state_action(s):
    """The top one of the office if the Helper stands high, else the bottom one; free of cost (LIS-188 to LIS-191)."""
    act = 2 * s.courtier + (0 if helper_is_high(s) else 1)
    s.log.act = act
    s.log.first = NONE
    s.log.second = NONE
    s.log.wigs = 0
    if act == Act.PLANS:
        done = take_plan(s)
    elif act == Act.OFFICIALS:
        done = place_officials(s)
    elif act == Act.SHIP:
        done = take_ship(s)
    elif act == Act.PRODUCE:
        done = produce(s)
    elif act == Act.CARDINAL:
        done = use_cardinal(s)
    else:
        done = take_royal_favor(s)
    s.log.deed = Deed.DONE if done else Deed.IMPOSSIBLE


@rule
def take_plan(s):
    """The visible plan with the most officials, blue on a tie (LIS-192, LIS-193)."""
    blue, green = s.plan_top[BLUE], s.plan_top[GREEN]
    if blue == NONE and green == NONE:
        return False
    architect = BLUE
    if blue == NONE or (green != NONE and s.tables.plan_officials[green] > s.tables.plan_officials[blue]):
        architect = GREEN
    plan = s.plan_top[architect]
    s.lacerda_plans[s.lacerda_plans_held] = plan
    s.lacerda_plans_held += 1
    s.log.first = plan
    reveal_plan(s, architect)
    return True


@rule
def place_officials(s):
    """Two officials into the two offices with the fewest of his, from the left (LIS-194 to LIS-196)."""
    if s.officials[Side.LACERDA] == 0:
        return False
    first = loneliest_office(s, NONE)
    second = loneliest_office(s, first)
    enter_office(s, Side.LACERDA, first)
    s.log.first = first
    if s.officials[Side.LACERDA] > 0:
        enter_office(s, Side.LACERDA, second)
        s.log.second = second
    return True


@rule
def loneliest_office(s, other):
    """The office with the fewest officials of Lacerda, from the left, another one left out."""
    best = NONE
    for n in range(NOBLES):
        if n != other and (best == NONE or s.office[Side.LACERDA, n] < s.office[Side.LACERDA, best]):
            best = n
    return best


@rule
def take_ship(s):
    """The top ship, treasury up, then influence: the ship's and PI (LIS-197 to LIS-199)."""
    ship = top_ship(s)
    if ship == NONE:
        return False
    s.ship_place[ship] = Side.LACERDA
    s.log.first = ship
    raise_treasury(s)
    gain_influence(s, Side.LACERDA, s.tables.ship_influence[ship] + portfolio_influence(s))
    return True


@rule
def produce(s):
    """A good for each store, out of the game; prices fall (LIS-200, LIS-201)."""
    produced = False
    for g in range(GOODS):
        got = min(stores_selling(s, Side.LACERDA, g), s.supply[g])
        s.log.goods[g] = got
        s.supply[g] -= got
        s.lacerda_goods[g] += got
        if got > 0:
            lower_price(s, g)
            produced = True
    return produced


@rule
def use_cardinal(s):
    """Two spaces; the tile in front is discarded for the wigs on its back (LIS-202 to LIS-204)."""
    move_cardinal(s, s.tables.lacerda_steps)
    s.log.first = s.cardinal
    tile = take_tile(s, s.cardinal)
    if tile != NONE:
        s.log.second = tile
        s.log.wigs = s.tables.clergy_wigs[tile]
        gain_wigs(s, Side.LACERDA, s.tables.clergy_wigs[tile])
        discard_clergy(s, tile)
    return True


@rule
def take_royal_favor(s):
    """The first noble's from the left whose favor he lacks and the supply has (LIS-205, LIS-206)."""
    for n in range(NOBLES):
        if s.favor[Side.LACERDA, n] == 0 and s.favor_supply[n] > 0:
            take_favor(s, Side.LACERDA, n)
            s.log.first = n
            return True
    return False


# --- step 3, and following: noble actions ---------------------------------------------------------


@rule
def take_noble_action(s, noble, log):
    """Pay as H would, and act; returns whether he did (LIS-207 to LIS-209, LIS-117, LIS-118)."""
    cost = treasury_influence(s) + s.office[Side.HUMAN, noble]
    log.noble = noble
    log.influence = min(cost, s.influence[Side.LACERDA])
    log.wigs_paid = cost - log.influence
    log.ties = 0
    log.wigs = 0
    log.given = 0
    if not is_possible(s, noble):
        log.deed = Deed.IMPOSSIBLE
        return False
    if not can_pay_influence(s, Side.LACERDA, cost):
        log.deed = Deed.TOO_DEAR
        return False
    log.deed = Deed.DONE
    pay_influence(s, Side.LACERDA, cost)
    if noble == Deck.BUILDER:
        build_store(s, log)
    elif noble == Deck.MINISTER:
        take_decrees(s, log)
    else:
        open_building(s, log)
    return True


@rule
def is_possible(s, noble):
    """Whether Lacerda could carry out a noble action (LIS-219, LIS-221, LIS-229)."""
    if noble == Deck.BUILDER:
        if s.houses[Side.LACERDA] > 0:
            for i in range(SPACES):
                if s.store_owner[i] == NONE:
                    return True
        return False
    if noble == Deck.MINISTER:
        return decree_choices(s) != 0
    if s.tile_top[BLUE] == NONE and s.tile_top[GREEN] == NONE:
        return False
    for i in range(SITES):
        if s.site_tile[i] == NONE:
            return True
    return False


@rule
def facing(space):
    """The street Lacerda's store would face: the one on its left, if there is one (LIS-212, LIS-213)."""
    return street_of(space, 0 if space % COLUMNS > 0 else 1)


@rule
def build_store(s, log):
    """On the free space with the most immediate wigs, the topmost, then the leftmost (LIS-210 to LIS-218)."""
    best = NONE
    most = 0
    for i in range(SPACES):
        if s.store_owner[i] == NONE:
            wigs = store_wigs(s, i, facing(i))
            if best == NONE or wigs > most:
                best = i
                most = wigs
                log.ties = 0
            log.ties += wigs == most
    log.cube = take_cheapest_cube(s, best)
    log.what = best
    log.where = facing(best)
    log.wigs = place_store(s, Side.LACERDA, best, facing(best))


@rule
def take_cheapest_cube(s, space):
    """The least expensive cube of row and column, the column's if both have one (LIS-215 to LIS-217); its kind."""
    kind = NONE
    for k in range(RUBBLE):
        if cubes_by(s, space, k) > 0 and (kind == NONE or s.tables.rubble_cost[k] < s.tables.rubble_cost[kind]):
            kind = k
    if kind != NONE:
        take_cube(s, Side.LACERDA, space, s.column_cubes[space % COLUMNS, kind] == 0, kind)
    return kind


@rule
def take_decrees(s, log):
    """The leftmost decrees (LIS-220, LIS-221)."""
    taken = 0
    for i in range(DECREE_DISPLAY):
        if taken < s.tables.lacerda_decrees and s.decree_display[i] > 0:
            take_decree(s, Side.LACERDA, i)
            taken += 1
    log.what = taken
    slide_decrees(s)


@rule
def relative_wigs(s, architect, site):
    """What Lacerda would gain minus what H would (LIS-222)."""
    tile = s.tile_top[architect]
    return line_wigs(s, Side.LACERDA, tile, site) - line_wigs(s, Side.HUMAN, tile, site)


@rule
def best_site(s, architect):
    """The empty space with the most relative wigs for the visible building, the first clockwise (LIS-224)."""
    best = NONE
    most = 0
    for i in range(SITES):
        if s.site_tile[i] == NONE:
            wigs = relative_wigs(s, architect, i)
            if best == NONE or wigs > most:
                best = i
                most = wigs
    return best


@rule
def choose_architect(s):
    """The building with the higher best value; on a tie the Helper decides (LIS-223, LIS-225)."""
    if s.tile_top[BLUE] == NONE:
        return GREEN
    if s.tile_top[GREEN] == NONE:
        return BLUE
    blue = relative_wigs(s, BLUE, best_site(s, BLUE))
    green = relative_wigs(s, GREEN, best_site(s, GREEN))
    if blue == green:
        return GREEN if helper_is_high(s) else BLUE
    return BLUE if blue > green else GREEN


@rule
def open_building(s, log):
    """Open the best building on its best space; H's stores score as usual (LIS-222 to LIS-230)."""
    architect = choose_architect(s)
    site = best_site(s, architect)
    tile = s.tile_top[architect]
    best = relative_wigs(s, architect, site)
    for a in range(ARCHITECTS):
        for i in range(SITES):
            if s.tile_top[a] != NONE and s.site_tile[i] == NONE:
                log.ties += relative_wigs(s, a, i) == best
    log.what = tile
    log.where = site
    log.wigs = line_wigs(s, Side.LACERDA, tile, site)
    log.given = line_wigs(s, Side.HUMAN, tile, site)
    put_tile(s, Side.LACERDA, architect, site)
    take_site_cubes(s, Side.LACERDA, site)
    score_building(s, site)
    reveal_tile(s, architect)


@rule
def follow(s, noble):
    """With that noble's favor Lacerda always follows H's visit, if he can (LIS-115 to LIS-118, LIS-123, LIS-124)."""
    if s.favor[Side.LACERDA, noble] > 0 and take_noble_action(s, noble, s.log.follow):
        return_favor(s, Side.LACERDA, noble)
