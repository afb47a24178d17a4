"""Clergy tiles, the Cardinal, church scoring (sections 9 and 16)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.lisboa.components import CLERGY_SLOTS, MOST_CLERGY, NONE, SHIPS, Power, Side, Step
from alarife.games.lisboa.rules.means import (
    clergy_power,
    gain_influence,
    gain_portfolio_influence,
    gain_wigs,
    portfolio_influence,
    raise_treasury,
)
from alarife.games.lisboa.rules.pending import push, take_any

CARDINAL_STEPS = 2  # LIS-109
MOST_STEPS = 3

# --- the ring -------------------------------------------------------------------------------------


@rule
def slot_behind(space):
    """The slot behind a Cardinal on a space; the one in front has the number of the space (LIS-168)."""
    return (space + CLERGY_SLOTS - 1) % CLERGY_SLOTS


@rule
def move_cardinal(s, steps):
    """Forward; the treasury symbol and the church icon count when reached or passed (LIS-169, LIS-170)."""
    for _ in range(steps):
        s.cardinal = (s.cardinal + 1) % CLERGY_SLOTS
        if s.cardinal == s.tables.treasury_symbol_space:
            raise_treasury(s)
        if s.cardinal == s.tables.church_icon_space:
            s.church_due = 1


@rule
def cardinal_choices(s):
    """Steps and tiles: 2 * (steps - 1) + side; without a tile on either side he just moves (LIS-109 to 110, 171)."""
    bits = 0
    for steps in range(1, min(MOST_STEPS, CARDINAL_STEPS + clergy_power(s, Power.CARDINAL_EXTRA_STEP, NONE)) + 1):
        space = (s.cardinal + steps) % CLERGY_SLOTS
        front, behind = s.church_slot[space] != NONE, s.church_slot[slot_behind(space)] != NONE
        if front or not behind:
            bits |= 1 << (2 * (steps - 1))
        if behind:
            bits |= 2 << (2 * (steps - 1))
    return bits


@rule
def choose_cardinal(s, further, behind):
    """Move one step and as many further, then take the tile of the chosen side."""
    move_cardinal(s, further + 1)
    tile = take_tile(s, slot_behind(s.cardinal) if behind else s.cardinal)
    if tile != NONE:
        gain_clergy(s, tile)


@rule
def take_tile(s, slot):
    """The tile of a slot, or NONE."""
    tile = s.church_slot[slot]
    s.church_slot[slot] = NONE
    return tile


@rule
def gain_clergy(s, tile):
    """A tile for H; with a full row he must choose which one to do without (LIS-172)."""
    if s.clergy_held < s.tables.clergy_held:
        s.clergy[s.clergy_held] = tile
        s.clergy_held += 1
    else:
        push(s, Step.CLERGY_FULL, tile, 0, 0)


@rule
def held_clergy(s):
    """The tiles that H holds, as bits."""
    return (1 << s.clergy_held) - 1


@rule
def lose_clergy(s, i):
    """A held tile goes to the discard, the later ones close up (LIS-179, LIS-285); returns it."""
    tile = s.clergy[i]
    for j in range(i, MOST_CLERGY - 1):
        s.clergy[j] = s.clergy[j + 1]
    s.clergy[MOST_CLERGY - 1] = NONE
    s.clergy_held -= 1
    discard_clergy(s, tile)
    return tile


@rule
def discard_clergy(s, tile):
    """A tile goes to the discard."""
    s.clergy_discard[s.clergy_discard_size] = tile
    s.clergy_discard_size += 1


@rule
def replace_clergy(s, i):
    """Throw away a held tile for the fifth one."""
    tile = s.arg
    lose_clergy(s, i)
    gain_clergy(s, tile)


@rule
def refill_church(s):
    """New tiles for the empty slots (LIS-058, LIS-179)."""
    for slot in range(CLERGY_SLOTS):
        if s.church_slot[slot] == NONE:
            if s.clergy_bag_size == 0:
                refill_clergy_bag(s)
            if s.clergy_bag_size > 0:
                s.church_slot[slot] = take_any(s, s.clergy_bag, s.clergy_bag_size)
                s.clergy_bag_size -= 1


@rule
def refill_clergy_bag(s):
    """The discard goes back into the bag."""
    for i in range(s.clergy_discard_size):
        s.clergy_bag[i] = s.clergy_discard[i]
        s.clergy_discard[i] = 0
    s.clergy_bag_size = s.clergy_discard_size
    s.clergy_discard_size = 0


# --- church scoring -------------------------------------------------------------------------------


@rule
def score_church(s):
    """If it is due: H gives up tiles, then Lacerda gains (LIS-055, LIS-178)."""
    if s.church_due:
        s.church_due = 0
        push(s, Step.LACERDA_CHURCH, 0, 0, 0)
        push(s, Step.CHURCH, 0, 0, 0)


@rule
def give_up_clergy(s, i):
    """H gives up a tile for the wigs on its back (LIS-175)."""
    gain_wigs(s, Side.HUMAN, s.tables.clergy_wigs[lose_clergy(s, i)])
    push(s, Step.CHURCH, 1, 0, 0)


@rule
def end_church(s):
    """Whoever gave up a tile gains influence (LIS-176)."""
    if s.arg:
        gain_portfolio_influence(s)


@rule
def score_church_for_lacerda(s):
    """Lacerda gains PI and the influence of his ships (LIS-177)."""
    influence = portfolio_influence(s)
    for ship in range(SHIPS):
        if s.ship_place[ship] == Side.LACERDA:
            influence += s.tables.ship_influence[ship]
    gain_influence(s, Side.LACERDA, influence)
