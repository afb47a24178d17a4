"""Patios: what is kept at the end of a round (PAT-140 to PAT-146)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.engine.random import shuffle
from alarife.engine.views import count_bits, lowest_bit
from alarife.games.patios.actions import ACTIONS
from alarife.games.patios.components import (
    CANE,
    COLOURS,
    IMPROVEMENTS,
    INNER,
    NEAREST_INNER,
    NONE,
    TRIO,
    UNLIKE,
    UP_AND_DRY,
    Improvement,
    Phase,
    Place,
    Todo,
)

from .cards import to_discard
from .cells import offer_each
from .patio import cells_of, clear_cell, discard_flower, lay_flower, leave_patio
from .seats import seat_of
from .stock import has_awning, lies_in

AT = ACTIONS.start


@rule
def next_carry(s):
    """In order each owner chooses what he keeps; then what was given back is shuffled (PAT-146)."""
    s.chosen = 0
    s.kept_dry = 0
    s.colour = NONE
    if s.step == s.seats:
        shuffle_returned(s)
        s.step = 0
        s.todo = Todo.NEXT_BUYER
        return
    s.seat = seat_of(s, s.step)
    s.step += 1
    s.todo = Todo.CARRY_COLOUR


@rule
def pots_left(s, p, c):
    """How many pots of a colour remain after those of a trio are gone; a Tub of it is one of three (PAT-141)."""
    count = count_bits(s.flowers[p] & cells_of(s, p, c, c + 1))
    if s.earned[p] >> c & 1 == 0:
        return count
    if lies_in(s, Improvement.TUB, p) and s.tub_colour == c:
        count += 1
    return count - TRIO


@rule
def carry_colour(s):
    """The next colour of which something may be kept; at last the Awning's card (PAT-142 to PAT-144)."""
    p = int(s.seat)
    while s.colour + 1 < COLOURS:
        s.colour += 1
        if pots_left(s, p, int(s.colour)) > 0:
            s.phase = Phase.KEEP_UP
            return
    s.colour = NONE
    if has_awning(s, p) and awning_cells(s, p) != 0:
        s.phase = Phase.AWNING_KEEP
    else:
        end_carry(s)


@rule
def offer_pots(s, moves, first_action):
    """The pots of the colour being decided that are not kept yet; or none."""
    p = int(s.seat)
    offer_each(moves, first_action, cells_of(s, p, s.colour, s.colour + 1) & s.flowers[p] & ~s.chosen)
    offer(moves, AT.done)


@rule
def offer_pots_up(s, moves):
    """The pots that may be kept beautiful (PAT-142)."""
    offer_pots(s, moves, AT.keep_up)


@rule
def offer_pots_dry(s, moves):
    """The pots that may be kept dry beside one kept beautiful (PAT-143)."""
    offer_pots(s, moves, AT.keep_dry)


@rule
def keep_up(s, c):
    """A pot kept beautiful; of two or more another may be kept dry (PAT-143)."""
    s.chosen |= 1 << c
    if s.options.carry_over == UP_AND_DRY and pots_left(s, int(s.seat), int(s.colour)) >= 2:
        s.phase = Phase.KEEP_DRY
    else:
        s.todo = Todo.CARRY_COLOUR


@rule
def keep_dry(s, c):
    """A pot kept, turned face down."""
    s.kept_dry |= 1 << c
    s.todo = Todo.CARRY_COLOUR


@rule
def keep_no_more(s):
    """No more pots of the colour are kept."""
    s.todo = Todo.CARRY_COLOUR


@rule
def awning_cells(s, p):
    """The flower cards that would be discarded, without the Tub (PAT-144)."""
    cells = s.flowers[p] & ~s.chosen & ~s.kept_dry
    if lies_in(s, Improvement.TUB, p):
        cells &= ~(1 << s.spot[Improvement.TUB])
    return cells


@rule
def offer_saved(s, moves):
    """The cards that the Awning may save; or none (PAT-144)."""
    offer_each(moves, AT.awning_keep, awning_cells(s, int(s.seat)))
    offer(moves, AT.done)


@rule
def keep_under_awning(s, c):
    """One more beautiful card."""
    s.chosen |= 1 << c
    end_carry(s)


@rule
def end_carry(s):
    """Everything else leaves the patio, and the Well returns to its side without works (PAT-140, PAT-145)."""
    p = int(s.seat)
    colours = kept_colours(s, p)
    for i in range(IMPROVEMENTS):
        if lies_in(s, i, p):
            if i == Improvement.LADDER:
                for _ in range(s.ladder_canes):
                    to_discard(s, CANE)
                s.ladder_canes = 0
            leave_patio(s, i)
    cells = s.canes[p] | s.flowers[p]
    while cells != 0:
        c = lowest_bit(cells)
        if s.canes[p] >> c & 1:
            clear_cell(s, p, c)
            to_discard(s, CANE)
        elif s.kept_dry >> c & 1:
            s.dry[p] |= 1 << c
            s.seen[p, c] = (1 << s.seats) - 1
            s.told[p, c] = UNLIKE | colours
        elif s.flowers[p] >> c & 1 and s.chosen >> c & 1 == 0:
            discard_flower(s, p, c)
        cells &= cells - 1
    s.works[p] = 0
    move_inwards(s, p)
    s.todo = Todo.NEXT_CARRY


@rule
def kept_colours(s, p):
    """The colours, as bits, of the pots kept beautiful: one kept dry is of one of them (PAT-143)."""
    colours = 0
    pots = s.chosen & cells_of(s, p, 0, COLOURS)
    while pots != 0:
        colours |= 1 << s.card[p, lowest_bit(pots)]
        pots &= pots - 1
    return colours


@rule
def move_inwards(s, p):
    """Cards in outer cells go to the nearest empty inner cell (PAT-145)."""
    outer = s.filled[p] & ~INNER
    while outer != 0:
        c = lowest_bit(outer)
        k = 0
        while s.filled[p] >> NEAREST_INNER[c, k] & 1:
            k += 1
        to = int(NEAREST_INNER[c, k])
        known, told = int(s.seen[p, c]), int(s.told[p, c])
        lay_flower(s, p, to, s.card[p, c], s.dry[p] >> c & 1 == 0)
        clear_cell(s, p, c)
        s.seen[p, to] = known
        s.told[p, to] = told
        outer &= outer - 1


@rule
def shuffle_returned(s):
    """All improvements given back since the round ended go under the deck in random order (PAT-146)."""
    start = int(s.stock_size)
    for i in range(IMPROVEMENTS):
        if s.place[i] == Place.RETURNED:
            s.place[i] = Place.STOCK
            s.stock[s.stock_size] = i
            s.stock_size += 1
    shuffle(s, s.stock[start:], s.stock_size - start)
