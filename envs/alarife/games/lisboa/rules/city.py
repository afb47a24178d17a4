"""Stores, streets and rubble (sections 13 and 14)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.lisboa.components import COLUMNS, EAST, NONE, NORTH, ROWS, RUBBLE, SPACES, Effect, Power, Side, Step
from alarife.games.lisboa.rules.means import both_powers, clergy_power, gain_wigs, pay_reis, purse, treasury_reis
from alarife.games.lisboa.rules.pending import push

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
    return s.tables.tile_pays[tile, good] if tile != NONE else 0


@rule
def store_wigs(s, space, street):
    """What a store on a space, facing a street, scores at once (LIS-152)."""
    row, good = space // COLUMNS, s.tables.street_good[street]
    return pays_at(s, west_site(row), good) + pays_at(s, EAST + row, good) + pays_at(s, NORTH + street, good)


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
def rubble_cost(s, space, earthquake, fire, tsunami):
    """What the cubes in the way of a space cost, at so much for each kind."""
    return cubes_by(s, space, 0) * earthquake + cubes_by(s, space, 1) * fire + cubes_by(s, space, 2) * tsunami


@rule
def base_cost(s):
    """What land costs without rubble; below zero where discounts are higher than T.reis."""
    return treasury_reis(s) - both_powers(s, Power.LAND_DISCOUNT)


@rule
def land_cost(s, space):
    """What H pays for a space (LIS-146, LIS-147)."""
    return max(0, base_cost(s) + rubble_cost(s, space, cube_cost(s, 0), cube_cost(s, 1), cube_cost(s, 2)))


@rule
def affordable(s, space, price, reis, influence):
    """Whether so much money pays a price, with the reward of the space gained first (LIS-149)."""
    if s.tables.space_effect[space] == Effect.REIS:
        reis += s.tables.space_n[space]
    elif s.tables.space_effect[space] == Effect.INFLUENCE:
        influence = min(s.tables.influence_max, influence + s.tables.space_n[space])
    return purse(s, reis, influence) >= price


@rule
def buildable(s, reis, influence):
    """The spaces that H could build on with so much money, as bits (LIS-145)."""
    if s.houses[Side.HUMAN] == 0:
        return 0
    base, earthquake, fire, tsunami = base_cost(s), cube_cost(s, 0), cube_cost(s, 1), cube_cost(s, 2)
    bits = 0
    for i in range(SPACES):
        if s.store_owner[i] == NONE:
            price = max(0, base + rubble_cost(s, i, earthquake, fire, tsunami))
            if affordable(s, i, price, reis, influence):
                bits |= 1 << i
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
