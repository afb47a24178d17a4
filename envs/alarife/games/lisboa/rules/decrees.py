"""Decrees: the display, and what they count (section 17)."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from alarife.engine.jit import rule
from alarife.engine.stack_array import stack_array
from alarife.games.lisboa.components import (
    COLUMNS,
    DECREE_DISPLAY,
    EAST,
    FIRST_SHIP,
    GOODS,
    HOUSES,
    METRIC_NAMES,
    NOBLES,
    NONE,
    NORTH,
    ROW_SLOTS,
    ROWS,
    RUBBLE,
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

#: Where each of METRIC_NAMES stands among the amounts.
METRIC: Any = namedtuple("Metric", METRIC_NAMES)(*range(len(METRIC_NAMES)))  # noqa: PYI024 - named by a list
room_for_amounts = stack_array(np.int32, len(METRIC_NAMES))
PART = 8  # bits of a count, where several lie side by side in a number

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


# --- what they pay ---------------------------------------------------------------------------------


@rule
def decree_value(s, decree):
    """What a decree would pay H now (LIS-180)."""
    return wigs_for(s, decree, metric(s, s.tables.decree_metric[decree]))


@rule
def wigs_for(s, decree, amount):
    """What a decree pays for an amount: for each so many, up to its cap, or from so many on (LIS-180)."""
    unit = s.tables.decree_unit[decree]
    often, reached = amount // max(1, unit), 1 if amount >= unit else 0
    times = often if s.tables.decree_is_per[decree] else reached
    return min(times * s.tables.decree_wigs[decree], s.tables.decree_cap[decree])


# --- what they count (LIS-184): all at once, since most of it follows from the same few looks ------


@rule
def metric(s, m):
    """The m-th of METRIC_NAMES, for H."""
    amounts = room_for_amounts()
    count_all(s, amounts)
    return int(amounts[m])


@rule
def count_all(s, amounts):
    """What H has of all that decrees count, in the order of METRIC_NAMES."""
    count_stores(s, amounts)
    count_buildings(s, amounts)
    count_people(s, amounts)
    count_goods(s, amounts)
    count_cards(s, amounts)


@rule
def is_own(s, space):
    """1 if H has a store on a space."""
    return 1 if s.store_owner[space] == Side.HUMAN else 0


@rule
def count_stores(s, amounts):
    """Stores by good, row and column, and in all; rows and streets with one; majorities."""
    own, other = stores_by_street(s, Side.HUMAN), stores_by_street(s, Side.LACERDA)
    streets = 0
    for k in range(STREETS):
        amounts[METRIC.stores_gold + s.tables.street_good[k]] = of_part(own, k)
        streets += of_part(own, k) > 0
    rows, columns = 0, 0
    for r in range(ROWS):
        count = 0
        for c in range(COLUMNS):
            mine = is_own(s, r * COLUMNS + c)
            count += mine
            columns += mine << PART * c
        amounts[METRIC.stores_row_A + r] = count
        rows += count > 0
    for c in range(COLUMNS):
        amounts[METRIC.stores_col_1 + c] = of_part(columns, c)
    amounts[METRIC.stores_total] = HOUSES - s.houses[Side.HUMAN]
    amounts[METRIC.rows_with_store] = rows
    amounts[METRIC.streets_with_store] = streets
    amounts[METRIC.street_majorities] = more_on_streets(own, other)


@rule
def count_buildings(s, amounts):
    """Buildings opened by H: blue, green, in all, west, north, east."""
    green = 0
    for i in range(SITES):
        green += s.tables.tile_architect[max(0, s.site_tile[i]) // 2] if s.site_owner[i] == Side.HUMAN else 0
    west, north, east = opened(s, 0, NORTH), opened(s, NORTH, EAST), opened(s, EAST, SITES)
    total = west + north + east
    amounts[METRIC.pb_blue] = total - green
    amounts[METRIC.pb_green] = green
    amounts[METRIC.pb_total] = total
    amounts[METRIC.pb_west] = west
    amounts[METRIC.pb_north] = north
    amounts[METRIC.pb_east] = east


@rule
def opened(s, first, behind):
    """Buildings that H has opened, from one construction space to the one before another."""
    count = 0
    for i in range(first, behind):
        count += s.site_owner[i] == Side.HUMAN
    return count


@rule
def count_people(s, amounts):
    """Officials hired, in offices, in each office; plans, their colours; clergy, favors; ships, their sizes."""
    office, favor = s.office[Side.HUMAN], s.favor[Side.HUMAN]
    amounts[METRIC.officials_hired] = s.hired
    amounts[METRIC.officials_in_offices] = office[0] + office[1] + office[2]
    for n in range(NOBLES):
        amounts[METRIC.officials_builder + n] = office[n]
    amounts[METRIC.plans_held] = s.plans_held
    amounts[METRIC.plan_colours_held] = plan_colours(s)
    amounts[METRIC.clergy_held] = s.clergy_held
    amounts[METRIC.favors_held] = favor[0] + favor[1] + favor[2]
    amounts[METRIC.ships_owned] = ships_of(s, Side.HUMAN, False)
    amounts[METRIC.ship_hulls] = ships_of(s, Side.HUMAN, True)


@rule
def count_goods(s, amounts):
    """Rubble sets, rubble by kind and in all; goods in all, by kind, kinds; reis; influence."""
    total, kinds = 0, 0
    for g in range(GOODS):
        amounts[METRIC.goods_gold + g] = s.goods[g]
        total += s.goods[g]
        kinds += s.goods[g] > 0
    amounts[METRIC.goods_total] = total
    amounts[METRIC.goods_kinds] = kinds
    total = 0
    for k in range(RUBBLE):
        amounts[METRIC.rubble_earthquake + k] = s.cubes[Side.HUMAN, k]
        total += s.cubes[Side.HUMAN, k]
    amounts[METRIC.rubble_total] = total
    amounts[METRIC.rubble_sets] = sets_of(s)
    amounts[METRIC.reis] = s.reis
    amounts[METRIC.influence] = s.influence[Side.HUMAN]


@rule
def count_cards(s, amounts):
    """Decrees; noble and treasury cards in the portfolio, noble cards by kind, PI; Lacerda's decrees."""
    kinds, nobles, treasury = 0, 0, 0
    for i in range(ROW_SLOTS):
        card = s.top[i]
        is_noble = 1 if NONE < card < FIRST_SHIP else 0
        kinds += is_noble << PART * s.tables.card_kind[card * is_noble]
        nobles += is_noble
        treasury += s.bottom[i] != NONE
    for n in range(NOBLES):
        amounts[METRIC.portfolio_builder + n] = of_part(kinds, n)
    amounts[METRIC.portfolio_nobles] = nobles
    amounts[METRIC.portfolio_treasury] = treasury
    amounts[METRIC.portfolio_influence] = portfolio_influence(s)
    amounts[METRIC.decrees_held] = s.decrees_held[Side.HUMAN]
    amounts[METRIC.opponent_decrees] = s.decrees_held[Side.LACERDA]


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


# --- stores and streets ----------------------------------------------------------------------------


@rule
def stores_by_street(s, side):
    """How many stores of a side face each street: a part of one number for each street."""
    counts = 0
    for i in range(SPACES):
        counts += (1 if s.store_owner[i] == side else 0) << PART * max(0, s.store_street[i])
    return counts


@rule
def of_part(counts, part):
    """One of the counts that lie side by side in a number."""
    return counts >> PART * part & (1 << PART) - 1


@rule
def stores_on(s, side, street):
    """Stores of a side that face a street."""
    return of_part(stores_by_street(s, side), street)


@rule
def stores_selling(s, side, good):
    """Stores of a side that sell a good."""
    counts, count = stores_by_street(s, side), 0
    for k in range(STREETS):
        if s.tables.street_good[k] == good:
            count += of_part(counts, k)
    return count


@rule
def majorities(s):
    """Streets where H has more stores than Lacerda (LIS-280)."""
    return more_on_streets(stores_by_street(s, Side.HUMAN), stores_by_street(s, Side.LACERDA))


@rule
def more_on_streets(own, other):
    """On how many streets there are more stores of one side than of the other, both counted by street."""
    count = 0
    for k in range(STREETS):
        count += of_part(own, k) > of_part(other, k)
    return count
