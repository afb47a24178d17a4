"""Patios: where improvements are, the deck they come from, and coins (sections 12 and 16)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.patios.components import NONE, Improvement, Place


@rule
def lies_in(s, i, p):
    """Whether an improvement lies in a patio."""
    return s.place[i] == Place.PATIO and s.keeper[i] == p


@rule
def has_awning(s, p):
    """Whether the patio is protected from the Sun (PAT-157)."""
    return lies_in(s, Improvement.AWNING, p)


@rule
def hose_on_ladder(s):
    """Whether the hose shares the cell of the ladder."""
    ladder = Improvement.LADDER
    if s.place[ladder] != Place.PATIO or not lies_in(s, Improvement.HOSE, s.keeper[ladder]):
        return False
    return s.spot[Improvement.HOSE] == s.spot[ladder]


@rule
def give_improvement(s, i, p, informed):
    """An improvement joins the unused ones of a seat; some seats know it (PAT-155)."""
    s.place[i] = Place.HAND
    s.keeper[i] = p
    s.informed[i] = informed
    s.unused[p] += 1


@rule
def put_under(s, i):
    """An improvement goes under its deck; at the end of a round it waits for the others (PAT-146, PAT-164)."""
    s.keeper[i] = NONE
    s.spot[i] = NONE
    s.informed[i] = 0
    if s.ending:
        s.place[i] = Place.RETURNED
        return
    s.place[i] = Place.STOCK
    s.stock[s.stock_size] = i
    s.stock_size += 1


@rule
def take_top(s):
    """The top card of the improvement deck, which is no longer known to who put it there (PAT-197, PAT-201)."""
    i = int(s.stock[0])
    s.stock_size -= 1
    for j in range(s.stock_size):
        s.stock[j] = s.stock[j + 1]
    s.stock[s.stock_size] = 0  # what lay there is told to nobody
    s.informed[i] = 0
    return i


@rule
def put_on_top(s, i, informed):
    """An improvement goes back on top of the improvement deck."""
    for j in range(s.stock_size, 0, -1):
        s.stock[j] = s.stock[j - 1]
    s.stock[0] = i
    s.stock_size += 1
    s.place[i] = Place.STOCK
    s.keeper[i] = NONE
    s.informed[i] = informed


@rule
def earn_coin(s, p):
    """A coin from the reserve, unless it is empty (PAT-158, PAT-159)."""
    if s.reserve > 0:
        s.reserve -= 1
        s.coins[p] += 1
