"""Patios: when it ends, scores and places (section 17)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.result import place_by_key
from alarife.games.patios.components import (
    ABOVE_ALL_SCORES,
    COLOURS,
    ROUNDS,
    ROUNDS_IN_MAY,
    SET_OF_THREE,
    SET_OF_TWO,
    SINGLE_TRIO,
    Todo,
)


@rule
def trio_points(a, b, c):
    """The best value of trio tokens: sets of three colours, then of two, then single ones (PAT-171)."""
    low, high = min(a, b, c), max(a, b, c)
    middle = a + b + c - low - high
    return SET_OF_THREE * low + SET_OF_TWO * (middle - low) + SINGLE_TRIO * (high - middle)


@rule
def half_points(s, p):
    """Trio tokens, loose points and half a point for each coin, doubled (PAT-171 to PAT-173)."""
    points = trio_points(int(s.trio[p, 0]), int(s.trio[p, 1]), int(s.trio[p, 2])) + s.loose[p]
    return 2 * points + s.coins[p]


@rule
def end_scoring(s):
    """The game ends after the last round, or with all three colours in one (PAT-170, PAT-181, PAT-182)."""
    s.round += 1
    s.step = 0
    rounds = ROUNDS_IN_MAY if s.options.may_has_31_days else ROUNDS
    s.over = s.round == rounds
    if s.options.not_a_nitpicker_end:
        for p in range(s.seats):
            if s.earned[p] == (1 << COLOURS) - 1:
                s.champion[p] = 1
                s.over = 1
    s.seat = s.turn_of
    s.todo = Todo.NOTHING if s.over else Todo.NEXT_CARRY


@rule
def standing(s, p):
    """What places the seats: the score, but whoever won before the end is above all, and equal to such (PAT-182)."""
    return ABOVE_ALL_SCORES if s.champion[p] else half_points(s, p)


@rule
def result(s, r):
    """Scores in half points; most points win. All who won before the end share the win (PAT-174, PAT-182)."""
    for p in range(s.seats):
        r.score[p] = half_points(s, p)
        r.key[p] = standing(s, p)
    r.capped = s.capped
    place_by_key(r, s.seats)
