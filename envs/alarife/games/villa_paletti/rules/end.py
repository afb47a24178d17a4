"""Villa Paletti: the building falls, or nobody can go on; the result (section 9)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.result import place_by_key
from alarife.games.villa_paletti.components import NONE

from .seal import points_of


@rule
def collapse(s):
    """The building is down: the owner wins, or the former owner if the owner did it (PAL-130, PAL-143 to PAL-146)."""
    s.collapsed = 1
    s.causer = s.seat
    s.winner = s.former if s.owner == s.causer else s.owner
    s.over = 1


@rule
def end_game(s):
    """Nobody can build further: the owner of the Seal wins (PAL-142, PAL-143, PAL-145)."""
    s.winner = s.owner
    s.seat = s.turn_of
    s.over = 1


@rule
def result(s, r):
    """Points on the top level; places follow the Seal alone (PAL-143 to PAL-147)."""
    winner = s.winner if s.over else s.owner
    for p in range(s.seats):
        r.score[p] = points_of(s, p)
        r.key[p] = 0
        if p == winner:
            r.key[p] = 1
        elif winner == NONE and p == s.causer:
            r.key[p] = -1
    r.no_winner = winner == NONE
    r.capped = s.capped
    place_by_key(r, s.seats)
