"""The legal actions of one position, as a list that the rules fill in."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from .jit import rule
from .layout import Record, i16, i32
from .random import _below


@lru_cache
def moves_record(size: int) -> type[Record]:
    """The record of a move list for an action space of that size."""

    class Moves(Record):
        count = i32
        at = i16[size]

    return Moves


@rule
def offer(moves: Any, action: Any) -> None:
    """Make an action legal. Each action may be offered once."""
    moves.at[moves.count] = action
    moves.count += 1


@rule
def is_offered(moves: Any, action: Any) -> Any:
    """Whether an action is legal."""
    for i in range(moves.count):
        if moves.at[i] == action:
            return True
    return False


@rule
def pick(stream: Any, moves: Any) -> Any:
    """A random legal action; the stream is the player's, never the game's."""
    return moves.at[_below(stream, moves.count)]


@rule
def write_mask(moves: Any, mask: Any) -> None:
    """The move list as a mask of ones and zeros."""
    mask[:] = 0
    for i in range(moves.count):
        mask[moves.at[i]] = 1
