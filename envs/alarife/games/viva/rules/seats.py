"""VIVA: who sits next, and who is still in."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.viva.components import PLAYERS


@rule
def seat_after(s, p):
    """The nearest active seat clockwise (VIV-020, VIV-029)."""
    for i in range(1, s.seats + 1):
        q = (p + i) % s.seats
        if s.active[q]:
            return q
    raise AssertionError("VIV-142: nobody is active")


@rule
def seat_before(s, p):
    """The nearest active seat counter-clockwise."""
    for i in range(1, s.seats + 1):
        q = (p - i + s.seats) % s.seats
        if s.active[q]:
            return q
    raise AssertionError("VIV-142: nobody is active")


@rule
def highest(values):
    """The largest number of an array by seat."""
    most = 0
    for p in range(PLAYERS):
        most = max(most, values[p])
    return most


@rule
def still_in(s):
    """How many seats are active."""
    count = 0
    for p in range(s.seats):
        count += s.active[p]
    return count
