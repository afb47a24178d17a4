"""Patios: sets of cells, or of other things, as bits of one number."""

from __future__ import annotations

from numba.extending import register_jitable

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.engine.views import UNCHECKED, lowest_bit
from alarife.games.patios.components import NEXT_TO


@register_jitable(**UNCHECKED)
def present(counts):
    """The set of all that there is one of at least."""
    found = 0
    for k in range(len(counts)):
        found |= int(counts[k] > 0) << k
    return found


@rule
def first_of(cells):
    """The lowest cell of a set that is not empty."""
    assert cells != 0, "a card is taken from a set that is empty"
    return lowest_bit(cells)


@rule
def offer_each(moves, first_action, members):
    """An action for each member of a set: of cells, of kinds, of characters."""
    while members != 0:
        offer(moves, first_action + lowest_bit(members))
        members &= members - 1


@rule
def around(cells):
    """The cells next to any of a set."""
    near = 0
    while cells != 0:
        near |= int(NEXT_TO[lowest_bit(cells)])
        cells &= cells - 1
    return near
