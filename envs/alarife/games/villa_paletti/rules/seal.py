"""Villa Paletti: points, and who holds the Master Builder's Seal (section 9)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.villa_paletti.components import COLOUR, COLUMNS, CONTEST, KIND, NEUTRAL, POINTS


@rule
def points_of(s, p):
    """Points of the own columns on the top level, from the green floor on (PAL-131, PAL-133)."""
    points = 0
    if s.floors >= CONTEST[s.options.floor_order]:
        for c in range(COLUMNS):
            if s.level[c] == s.floors and s.seat_of[COLOUR[c]] == p:
                points += POINTS[KIND[c]]
    return points


@rule
def settle_seal(s, c):
    """First on a floor, or better than the owner: the Seal changes hands (PAL-132 to PAL-141)."""
    p = s.seat_of[COLOUR[c]]
    if p == NEUTRAL or s.floors < CONTEST[s.options.floor_order]:
        return
    is_first = not s.opened
    s.opened = 1
    if s.owner == p:
        return
    if is_first or points_of(s, p) > points_of(s, s.owner):
        s.former = s.owner
        s.owner = p
