"""Stores, streets and rubble (sections 13 and 14)."""

from __future__ import annotations

import numpy as np

from alarife.engine.jit import rule
from alarife.engine.stack_array import stack_array
from alarife.games.lisboa.components import (
    COLUMNS,
    EAST,
    NONE,
    NORTH,
    ROWS,
    RUBBLE,
    SPACES,
    STREETS,
    Effect,
    Power,
    Side,
    Step,
)
from alarife.games.lisboa.rules.means import both_powers, clergy_power, gain_wigs, pay_reis, purse, treasury_reis
from alarife.games.lisboa.rules.pending import push

room_for_prices = stack_array(np.int32, SPACES)
room_for_wigs = stack_array(np.int32, ROWS, STREETS)

# --- the map --------------------------------------------------------------------------------------


@rule
def street_of(space, right):
    """The street that a store on a space faces, looking left or right; NONE where there is none (LIS-005)."""
    column = space % COLUMNS
    if right:
        return column if column < COLUMNS - 1 else NONE
    return column - 1


@rule
def west_site(row):
    """The construction space at the west end of a row (LIS-008)."""
    return ROWS - 1 - row


@rule
def pays_at(s, site, good):
    """What the building on a construction space shows for a good; 0 without one."""
    tile = s.site_tile[site]
    return s.tables.tile_pays[max(0, tile), good] * (1 if tile != NONE else 0)


@rule
def store_wigs(s, space, street):
    """What a store on a space, facing a street, scores at once (LIS-152)."""
    row, good = space // COLUMNS, s.tables.street_good[street]
    return pays_at(s, west_site(row), good) + pays_at(s, EAST + row, good) + pays_at(s, NORTH + street, good)


@rule
def wigs_of_stores(s, wigs):
    """What a store would score at once in each row, facing each street: on both sides of it alike (LIS-152)."""
    for k in range(STREETS):
        good = s.tables.street_good[k]
        from_north = pays_at(s, NORTH + k, good)
        for r in range(ROWS):
            wigs[r, k] = pays_at(s, west_site(r), good) + pays_at(s, EAST + r, good) + from_north


@rule
def place_store(s, side, space, street):
    """A house on a space scores at once; returns the wigs (LIS-151, LIS-152)."""
    s.houses[side] -= 1
    s.store_owner[space] = side
    s.store_street[space] = street
    wigs = store_wigs(s, space, street)
    gain_wigs(s, side, wigs)
    return wigs


# --- land -----------------------------------------------------------------------------------------


@rule
def cube_cost(s, kind):
    """What a cube in the way costs H (LIS-146, LIS-147)."""
    return max(0, s.tables.rubble_cost[kind] - clergy_power(s, Power.RUBBLE_DISCOUNT, kind))


@rule
def cubes_by(s, space, kind):
    """Cubes of a kind in the row and the column of a space."""
    return s.row_cubes[space // COLUMNS, kind] + s.column_cubes[space % COLUMNS, kind]


@rule
def price_of(cubes, earthquake, fire, tsunami):
    """What the cubes in the way cost, at so much for each kind."""
    return cubes[0] * earthquake + cubes[1] * fire + cubes[2] * tsunami


@rule
def land_prices(s, prices):
    """What H would pay for each space, free or not: for its row, its column and the land (LIS-146, LIS-147).

    Without rubble land may cost less than nothing, where discounts are higher than T.reis; in all it never does.
    """
    earthquake, fire, tsunami = cube_cost(s, 0), cube_cost(s, 1), cube_cost(s, 2)
    base = treasury_reis(s) - both_powers(s, Power.LAND_DISCOUNT)
    for c in range(COLUMNS):
        of_column = base + price_of(s.column_cubes[c], earthquake, fire, tsunami)
        for r in range(ROWS):
            prices[r * COLUMNS + c] = of_column
    for r in range(ROWS):
        of_row = price_of(s.row_cubes[r], earthquake, fire, tsunami)
        for c in range(COLUMNS):
            prices[r * COLUMNS + c] = max(0, prices[r * COLUMNS + c] + of_row)


@rule
def land_cost(s, space):
    """What H pays for a space."""
    prices = room_for_prices()
    land_prices(s, prices)
    return int(prices[space])


@rule
def affordable(s, space, price, reis, influence):
    """1 if so much money pays a price, with the reward of the space gained first (LIS-149)."""
    effect, n = s.tables.space_effect[space], s.tables.space_n[space]
    if effect == Effect.REIS:
        reis += n
    elif effect == Effect.INFLUENCE:
        influence = min(s.tables.influence_max, influence + n)
    return 1 if purse(s, reis, influence) >= price else 0


@rule
def buildable(s, reis, influence):
    """The spaces that H could build on with so much money, as bits (LIS-145)."""
    if s.houses[Side.HUMAN] == 0:
        return 0
    prices, bits = room_for_prices(), 0
    land_prices(s, prices)
    for i in range(SPACES):
        free = 1 if s.store_owner[i] == NONE else 0
        bits |= (free & affordable(s, i, prices[i], reis, influence)) << i
    return bits


@rule
def build_choices(s):
    """Spaces and facings: 2 * space + facing."""
    spaces = buildable(s, s.reis, s.influence[Side.HUMAN])
    bits = 0
    for i in range(SPACES):
        if spaces >> i & 1:
            for right in range(2):
                if street_of(i, right) != NONE:
                    bits |= 1 << (2 * i + right)
    return bits


@rule
def build(s, space, right):
    """The reward of the space, then its price, then a cube, then the house (LIS-148)."""
    push(s, Step.PLACE_STORE, space, right, 0)
    push(s, Step.CUBE, space, 0, 0)
    push(s, Step.PAY_LAND, space, 0, 0)
    push(s, Step.EFFECT, s.tables.space_effect[space], s.tables.space_n[space], s.tables.space_good[space])


@rule
def pay_land(s, space):
    """Pay for the space."""
    pay_reis(s, land_cost(s, space))


# --- rubble ---------------------------------------------------------------------------------------


@rule
def cube_choices(s):
    """Cubes of the column and of the row: 3 * source + kind (LIS-150)."""
    bits = 0
    for k in range(RUBBLE):
        if s.column_cubes[s.arg % COLUMNS, k] > 0:
            bits |= 1 << k
        if s.row_cubes[s.arg // COLUMNS, k] > 0:
            bits |= 1 << (3 + k)
    return bits


@rule
def take_cube(s, side, space, from_row, kind):
    """A cube of the column or the row of a space goes to a side."""
    if from_row:
        s.row_cubes[space // COLUMNS, kind] -= 1
    else:
        s.column_cubes[space % COLUMNS, kind] -= 1
    s.cubes[side, kind] += 1
