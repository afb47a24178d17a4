"""Patios: the row of characters (sections 3 and 4)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.patios.components import FACE_DOWN, PLAYGROUND_FACE_DOWN


@rule
def table_number(s):
    """d: how many characters lie face down (PAT-027, PAT-183)."""
    return PLAYGROUND_FACE_DOWN if s.options.playground else int(FACE_DOWN[s.seats])


@rule
def move_in_row(s, start, end):
    """A character moves to another position, those between shift by one."""
    moved = int(s.row[start])
    step = 1 if end > start else -1
    for k in range(start, end, step):
        s.row[k] = s.row[k + step]
    s.row[end] = moved


@rule
def position_of(s, character):
    """Where a character lies in the row, counted from 0."""
    for k in range(s.row_size):
        if s.row[k] == character:
            return k
    raise AssertionError("PAT-221: a character is not in the row")


@rule
def send_behind(s, a):
    """A character goes face down behind all the others; everybody saw it (PAT-032, PAT-195)."""
    move_in_row(s, position_of(s, a), s.row_size - 1)
    s.face_up[a] = 0
    s.public[a] = 1


@rule
def turn_up_next(s):
    """The face-down character nearest the front is turned up."""
    for k in range(s.row_size):
        a = int(s.row[k])
        if not s.face_up[a]:
            s.face_up[a] = 1
            s.public[a] = 1
            return
