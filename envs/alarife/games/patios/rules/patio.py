"""Patios: a patio and what lies in it (section 5)."""

from __future__ import annotations

from numba.extending import register_jitable

from alarife.engine.jit import rule
from alarife.engine.views import UNCHECKED, lowest_bit, place, small, word
from alarife.games.patios.components import (
    ALL,
    ANYTHING_TOLD,
    CANE,
    CELLS,
    COLOURS,
    FIRST_BALCONY,
    INNER,
    KINDS,
    LADDER,
    NONE,
    PLAYERS,
    POTS_TOLD,
    RECALL,
    TUB,
    UNLIKE,
    Improvement,
    Place,
)

from .cards import discard_before, hint
from .seats import everybody
from .stock import hose_on_ladder, lies_in, put_under


@rule
def free_cells(s, p):
    """The cells that may take a card: the inner ones, all under works (PAT-042)."""
    open_cells = ALL if s.works[p] else INNER
    return open_cells & ~s.filled[p]


@rule
def has_room(s, p):
    """Whether a flower card can be placed, with works if need be (PAT-043, PAT-047)."""
    return s.filled[p] != ALL


@rule
def make_room(s, p):
    """Turn the Well over if every cell that may take a card is taken (PAT-043)."""
    if free_cells(s, p) == 0:
        s.works[p] = 1


@rule
def lay_flower(s, p, c, thing, is_up):
    """A pot, a balcony or the Tub comes to lie in a cell."""
    s.card[p, c] = thing
    s.filled[p] |= 1 << c
    s.flowers[p] |= 1 << c
    if not is_up:
        s.dry[p] |= 1 << c


@rule
def clear_cell(s, p, c):
    """Whatever lay in a cell is gone."""
    kept = ~(1 << c)
    s.card[p, c] = NONE
    s.filled[p] &= kept
    s.flowers[p] &= kept
    s.dry[p] &= kept
    s.canes[p] &= kept
    s.glimpse[p] &= kept
    s.seen[p, c] = 0
    s.told[p, c] = 0
    s.lot[p, c] = 0


@rule
def lay_cane(s, p, c):
    """A cane comes to lie in an empty cell or on the ladder (PAT-059, PAT-161)."""
    if s.card[p, c] == LADDER:
        s.ladder_canes += 1
        return
    s.card[p, c] = CANE
    s.filled[p] |= 1 << c
    s.canes[p] |= 1 << c


@rule
def discard_flower(s, p, c):
    """A flower card leaves the patio; the Tub goes under the improvement deck (PAT-083)."""
    thing = int(s.card[p, c])
    if thing == TUB:
        leave_patio(s, Improvement.TUB)
        return
    if s.dry[p] >> c & 1 == 0:
        seats = everybody(s)
    else:
        seats = int(s.seen[p, c])
        if s.lot[p, c] > 0:
            lot, taker = divmod(int(s.lot[p, c]) - 1, PLAYERS)
            s.gone[lot, taker] = thing
            s.gone_seen[lot, taker] = seats
        elif sorts_told(s, p, c) != ANYTHING_TOLD:
            hint(s, sorts_told(s, p, c), seats)
    clear_cell(s, p, c)
    discard_before(s, thing, seats)


@rule
def turn_up(s, p, c):
    """A dry card becomes beautiful."""
    s.dry[p] &= ~(1 << c)
    s.glimpse[p] &= ~(1 << c)
    s.told[p, c] = 0
    s.lot[p, c] = 0


@rule
def turn_down(s, p, c):
    """A beautiful card becomes dry, before everybody's eyes."""
    s.dry[p] |= 1 << c
    s.seen[p, c] = everybody(s)


@rule
def dry_cards(s, p):
    """The dry cells without the Tub, whose back shows what it is (PAT-163)."""
    cells = s.dry[p]
    if lies_in(s, Improvement.TUB, p):
        cells &= ~(1 << s.spot[Improvement.TUB])
    return cells


@rule
def is_balcony(thing):
    """Whether a thing is a balcony."""
    return FIRST_BALCONY <= thing < KINDS


@rule
def cells_of(s, p, first, end):
    """The cells of a patio that hold one of the things from `first` on, before `end`."""
    return cells_within(s.card[p], first, end)


@register_jitable(**UNCHECKED)
def cells_within(cards, first, end):
    """The places of a row of cards that hold one of some things. No branches."""
    found, first, end = word(0), small(first), small(end)
    for c in range(CELLS):
        thing = cards[place(c)]
        found |= word((thing >= first) & (thing < end)) << word(c)
    return int(found)


@rule
def balconies_among(s, p, cells):
    """The cells of a set that hold a balcony."""
    return int(cells) & cells_of(s, p, FIRST_BALCONY, KINDS)


@rule
def beautiful_pots(s, p):
    """The cells with a beautiful pot; the Tub is none."""
    return int(s.flowers[p]) & ~int(s.dry[p]) & cells_of(s, p, 0, COLOURS)


@rule
def sees_dry(s, viewer, p, c):
    """Whether a seat may know the dry card of a cell (PAT-048, PAT-163, PAT-180, PAT-196)."""
    if s.card[p, c] == TUB:
        return True
    if viewer == p and (not s.options.monument_to_memory or s.glimpse[p] >> c & 1):
        return True
    return s.options.dry_visibility == RECALL and s.seen[p, c] >> viewer & 1 == 1


@rule
def known_cards(s, viewer, p):
    """The cells of a patio whose flower card a seat may know, as `sees_dry` has it; the Tub is known anyway."""
    dry = int(s.dry[p])
    cells = int(s.flowers[p]) & ~dry
    if dry != 0:
        if viewer == p:
            cells |= dry & int(s.glimpse[p]) if s.options.monument_to_memory else dry
        if s.options.dry_visibility == RECALL:
            for c in range(CELLS):
                cells |= dry & (int(s.seen[p, c]) >> viewer & 1) << c
    return cells


@rule
def sorts_told(s, p, c):
    """The sorts, as bits, that a dry card may be for all that everybody saw."""
    sorts = s.told[p, c] & ANYTHING_TOLD
    return sorts if sorts != 0 else ANYTHING_TOLD


@rule
def tell(s, p, c, sorts):
    """Everybody has seen that a dry card is of one of these sorts."""
    s.told[p, c] = (s.told[p, c] & UNLIKE) | (sorts_told(s, p, c) & sorts)


@rule
def tell_no_balconies(s, p):
    """Everybody has seen that no balcony lies dry in a patio."""
    cells = dry_cards(s, p)
    while cells != 0:
        tell(s, p, lowest_bit(cells), POTS_TOLD)
        cells &= cells - 1


@rule
def look_at_dry_cards(s, p):
    """An owner who may not look any more sees all his dry cards once (PAT-184)."""
    if s.options.monument_to_memory:
        s.glimpse[p] = s.dry[p]
        cells = s.dry[p]
        while cells != 0:
            s.seen[p, lowest_bit(cells)] |= 1 << p
            cells &= cells - 1


@rule
def lay_improvement(s, i, p, c):
    """A played improvement comes to lie in a patio; hose and ladder may share a cell (PAT-160, PAT-161)."""
    s.place[i] = Place.PATIO
    s.keeper[i] = p
    s.spot[i] = c
    if i == Improvement.LADDER and s.card[p, c] == CANE:
        s.ladder_canes += 1
        s.canes[p] &= ~(1 << c)
    if i != Improvement.HOSE or s.card[p, c] != LADDER:
        s.card[p, c] = KINDS + i
    s.filled[p] |= 1 << c


@rule
def leave_patio(s, i):
    """An improvement leaves the patio where it lies; what shared the ladder's cell stays."""
    pick_up(s, i)
    put_under(s, i)


@rule
def pick_up(s, i):
    """An improvement is taken out of its cell, and used."""
    if i != Improvement.HOSE or not hose_on_ladder(s):
        clear_cell(s, int(s.keeper[i]), int(s.spot[i]))
    s.place[i] = Place.PLAYED
