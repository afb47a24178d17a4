"""Palace of Viana: when it ends, the last points and the result (section 10)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.result import place_by_key
from alarife.games.viana.components import COURT_POINTS, GARDEN, GARDEN_POINTS

from .marquise import unscored_flowers


@rule
def trigger_end(s):
    """After the present turn everybody has one more; a second trigger changes nothing (VIA-153, VIA-154)."""
    if s.final_turns == 0:
        s.final_turns = s.seats + 1


@rule
def score_end(s):
    """The Garden's unscored flowers, and the courtyards (VIA-160, VIA-161)."""
    for p in range(s.seats):
        s.score[p] += GARDEN_POINTS * unscored_flowers(s, p, GARDEN) + COURT_POINTS[s.courts[p]]


@rule
def result(s, r):
    """Most points win; equal points share a place (VIA-162, VIA-163)."""
    r.capped = s.capped
    for p in range(s.seats):
        r.score[p] = s.score[p]
        r.key[p] = s.score[p]
    place_by_key(r, s.seats)
