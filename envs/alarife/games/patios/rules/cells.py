"""Patios: sets of cells, as bits of one number."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.games.patios.components import CELLS, NEXT_TO


@rule
def count_of(cells):
    """How many cells a set holds."""
    count = 0
    for c in range(CELLS):
        count += cells >> c & 1
    return count


@rule
def first_of(cells):
    """The lowest cell of a set that is not empty."""
    for c in range(CELLS):
        if cells >> c & 1:
            return c
    raise AssertionError("a card is taken from a set that is empty")


@rule
def offer_cells(moves, first_action, cells):
    """An action for each cell of a set."""
    for c in range(CELLS):
        if cells >> c & 1:
            offer(moves, first_action + c)


@rule
def around(cells):
    """The cells next to any of a set."""
    near = 0
    for c in range(CELLS):
        if cells >> c & 1:
            near |= int(NEXT_TO[c])
    return near
