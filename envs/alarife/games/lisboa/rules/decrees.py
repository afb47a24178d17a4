"""Decrees: the display, and what they count (section 17)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.lisboa.components import (
    COLUMNS,
    DECREE_DISPLAY,
    EAST,
    FIRST_SHIP,
    GOODS,
    HOUSES,
    NONE,
    NORTH,
    ROW_SLOTS,
    ROWS,
    SHIPS,
    SITES,
    SPACES,
    STREETS,
    Power,
    Side,
    Step,
)
from alarife.games.lisboa.rules.means import clergy_power, gain_wigs, portfolio_influence, sets_of
from alarife.games.lisboa.rules.pending import push, take_any

# --- the display ----------------------------------------------------------------------------------


@rule
def reveal_decree(s):
    """The next decree of the deck, or 0; one that is not used is thrown out (LIS-048, LIS-183)."""
    while s.decree_deck_size > 0:
        decree = take_any(s, s.decree_deck, s.decree_deck_size)
        s.decree_deck_size -= 1
        if not s.tables.decree_excluded[decree]:
            return decree
    return 0


@rule
def slide_decrees(s):
    """The decrees left slide to the left, new ones fill the display from the right (LIS-182)."""
    count = 0
    for i in range(DECREE_DISPLAY):
        decree = s.decree_display[i]
        if decree > 0:
            s.decree_display[i] = 0
            s.decree_display[count] = decree
            count += 1
    for i in range(count, s.tables.decree_display):
        s.decree_display[i] = reveal_decree(s)


@rule
def decree_choices(s):
    """The decrees that lie in the display."""
    bits = 0
    for i in range(DECREE_DISPLAY):
        if s.decree_display[i] > 0:
            bits |= 1 << i
    return bits


@rule
def take_decree(s, side, position):
    """A decree of the display goes to a side; returns it."""
    decree = s.decree_display[position]
    s.decree_display[position] = 0
    s.decree_owner[decree] = side
    s.decrees_held[side] += 1
    return decree


@rule
def choose_decree(s, position):
    """H takes a decree; with a noble action he may stop after the first (LIS-113, LIS-137, LIS-174)."""
    take_decree(s, Side.HUMAN, position)
    gain_wigs(s, Side.HUMAN, clergy_power(s, Power.DECREE_WIGS, NONE))
    if s.arg > 1:
        push(s, Step.DECREE, s.arg - 1, 2 if s.more else 0, 0)


# --- what they count (LIS-184) --------------------------------------------------------------------


@rule
def decree_value(s, decree):
    """What a decree would pay H now (LIS-180)."""
    amount = metric(s, s.tables.decree_metric[decree])
    if s.tables.decree_is_per[decree]:
        wigs = amount // s.tables.decree_unit[decree] * s.tables.decree_wigs[decree]
        return min(wigs, s.tables.decree_cap[decree])
    return s.tables.decree_wigs[decree] if amount >= s.tables.decree_unit[decree] else 0


@rule
def metric(s, m):
    """The m-th of METRIC_NAMES, for H."""
    if m < 16:
        return store_metric(s, m)
    if m < 22:
        return building_metric(s, m)
    if m < 33:
        return people_metric(s, m)
    if m < 46:
        return goods_metric(s, m)
    return card_metric(s, m)


@rule
def is_own(s, space):
    """Whether H has a store on a space."""
    return s.store_owner[space] == Side.HUMAN


@rule
def stores_selling(s, side, good):
    """Stores of a side that sell a good."""
    count = 0
    for i in range(SPACES):
        if s.store_owner[i] == side and s.tables.street_good[s.store_street[i]] == good:
            count += 1
    return count


@rule
def stores_in_row(s, row):
    """Stores of H in a row."""
    count = 0
    for c in range(COLUMNS):
        count += is_own(s, row * COLUMNS + c)
    return count


@rule
def store_metric(s, m):
    """Stores by good, row, column; in all; rows and streets with one."""
    if m < 4:
        return stores_selling(s, Side.HUMAN, m)
    if m < 8:
        return stores_in_row(s, m - 4)
    count = 0
    if m < 13:
        for r in range(ROWS):
            count += is_own(s, r * COLUMNS + m - 8)
    elif m == 13:
        count = HOUSES - s.houses[Side.HUMAN]
    elif m == 14:
        for r in range(ROWS):
            count += stores_in_row(s, r) > 0
    else:
        for k in range(STREETS):
            count += stores_on(s, Side.HUMAN, k) > 0
    return count


@rule
def stores_on(s, side, street):
    """Stores of a side that face a street."""
    count = 0
    for i in range(SPACES):
        if s.store_owner[i] == side and s.store_street[i] == street:
            count += 1
    return count


@rule
def building_metric(s, m):
    """Buildings opened by H: blue, green, in all, west, north, east."""
    count = 0
    for i in range(SITES):
        if s.site_owner[i] == Side.HUMAN:
            if m < 18:
                count += s.tables.tile_architect[s.site_tile[i] // 2] == m - 16
            elif m == 18:
                count += 1
            elif m == 19:
                count += i < NORTH
            elif m == 20:
                count += NORTH <= i < EAST
            else:
                count += i >= EAST
    return count


@rule
def people_metric(s, m):
    """Officials hired, in offices, in each office; plans, their colours; clergy, favors; ships, their sizes."""
    if m == 22:
        return int(s.hired)
    if m == 23:
        return int(s.office[0, 0] + s.office[0, 1] + s.office[0, 2])
    if m < 27:
        return int(s.office[0, m - 24])
    if m == 27:
        return int(s.plans_held)
    if m == 28:
        return plan_colours(s)
    if m == 29:
        return int(s.clergy_held)
    if m == 30:
        return int(s.favor[0, 0] + s.favor[0, 1] + s.favor[0, 2])
    return ships_of(s, Side.HUMAN, m == 32)


@rule
def plan_colours(s):
    """Architects among the plans held."""
    bits = 0
    for i in range(s.plans_held):
        bits |= 1 << s.tables.plan_architect[s.plans[i]]
    return (bits & 1) + (bits >> 1)


@rule
def ships_of(s, side, hulls):
    """Ships of a side, or the sum of their sizes."""
    count = 0
    for ship in range(SHIPS):
        if s.ship_place[ship] == side:
            count += s.tables.ship_size[ship] if hulls else 1
    return count


@rule
def goods_metric(s, m):
    """Rubble sets, rubble by kind and in all; goods in all, by kind, kinds; reis; influence."""
    if m == 33:
        return sets_of(s)
    if m < 37:
        return int(s.cubes[0, m - 34])
    if m == 37:
        return int(s.cubes[0, 0] + s.cubes[0, 1] + s.cubes[0, 2])
    if m == 44:
        return int(s.reis)
    if m == 45:
        return int(s.influence[0])
    if m > 38 and m < 43:
        return int(s.goods[m - 39])
    count = 0
    for g in range(GOODS):
        count += s.goods[g] if m == 38 else s.goods[g] > 0
    return count


@rule
def card_metric(s, m):
    """Decrees; noble and treasury cards in the portfolio, noble cards by kind, PI; majorities; Lacerda's decrees."""
    if m == 46:
        return int(s.decrees_held[Side.HUMAN])
    if m == 52:
        return portfolio_influence(s)
    if m == 53:
        return majorities(s)
    if m == 54:
        return int(s.decrees_held[Side.LACERDA])
    count = 0
    for i in range(ROW_SLOTS):
        if m == 48:
            count += s.bottom[i] != NONE
        elif s.top[i] != NONE and s.top[i] < FIRST_SHIP:
            count += m == 47 or s.tables.card_kind[s.top[i]] == m - 49
    return count


@rule
def majorities(s):
    """Streets where H has more stores than Lacerda (LIS-280)."""
    count = 0
    for k in range(STREETS):
        count += stores_on(s, Side.HUMAN, k) > stores_on(s, Side.LACERDA, k)
    return count
