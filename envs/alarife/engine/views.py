"""Rules that write views: whole rows at once, marks by index, shares in parts.

A view comes zeroed, made of whole numbers or of float32; the game writes whole numbers into either. Rows are written
without a check for each number, so that eight or more are moved at once; one check for the row makes sure that it lies
in the view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba.core import types
from numba.extending import overload, register_jitable

from .jit import RULE_SETTINGS, rule

if TYPE_CHECKING:
    from .layout import Features

#: Settings of rules that index in loops of their own making only, so that several numbers are worked out at once.
UNCHECKED: dict[str, Any] = {**RULE_SETTINGS, "boundscheck": False}
PARTS = 100  # a share is told in hundredths, and hundredths of those
SHARE = {"high": (1.0, (PARTS - 1) / PARTS**2), "scale": (1 / PARTS, 1 / PARTS**2)}  # of the block of a share


@register_jitable(**UNCHECKED)  # type: ignore[untyped-decorator]
def write_row(view: Any, at: Any, numbers: Any) -> None:
    """Copy a row of numbers into the view."""
    size = len(numbers)
    if at < 0 or at + size > len(view):
        raise IndexError("a row does not fit into the view")
    start = np.uint64(at)
    for k in range(size):
        view[start + np.uint64(k)] = numbers[np.uint64(k)]


@register_jitable(**UNCHECKED)  # type: ignore[untyped-decorator]
def write_grid(view: Any, at: Any, grid: Any) -> None:
    """Copy rows of numbers into the view, one behind the other."""
    rows, columns = grid.shape
    if at < 0 or at + rows * columns > len(view):
        raise IndexError("a grid does not fit into the view")
    start = np.uint64(at)
    for r in range(rows):
        for c in range(columns):
            view[start + np.uint64(r * columns + c)] = grid[np.uint64(r), np.uint64(c)]


@register_jitable(**UNCHECKED)  # type: ignore[untyped-decorator]
def write_bits(view: Any, at: Any, bits: Any, size: Any) -> None:
    """Copy the lowest bits of a number into the view, a place for each."""
    if at < 0 or at + size > len(view):
        raise IndexError("bits do not fit into the view")
    start, word = np.uint64(at), np.uint32(bits)
    for k in range(size):
        view[start + np.uint64(k)] = word >> np.uint32(k) & np.uint32(1)


@rule
def mark(view: Any, at: Any, index: Any) -> None:
    """A one at the index of a block that is blank so far; nothing for NONE, which is -1."""
    view[at + max(index, 0)] = index >= 0


@rule
def after(q: Any, seat: Any, seats: Any) -> Any:
    """How many places a seat sits after another one."""
    distance = int(q) - int(seat)
    return distance + seats if distance < 0 else distance


@rule
def write_share(view: Any, at: Any, part: Any, whole: Any) -> None:
    """A share of something, 1 at most, in two numbers: hundredths, and hundredths of those."""
    if part > 0:
        share = min(PARTS * PARTS, (2 * PARTS * PARTS * int(part) + int(whole)) // (2 * int(whole)))
        view[at] = share // PARTS
        view[at + 1] = share % PARTS


# --- whole numbers and what they stand for --------------------------------------------------------------


def stand_for(view: Any, scale: Any) -> None:
    """In a view of floats, what its whole numbers stand for; others stay as they are."""
    if view.dtype.kind == "f":
        view[: len(scale)] *= scale


@overload(stand_for, jit_options=UNCHECKED, strict=False)  # type: ignore[untyped-decorator]
def _stand_for(view: Any, scale: Any) -> Any:
    if not isinstance(view.dtype, types.Float):
        return lambda view, scale: None

    def run(view: Any, scale: Any) -> None:
        for i in range(min(len(view), len(scale))):
            view[i] *= scale[i]

    return run


_WORD = 8  # bytes that `digest` takes at a time


def blank_views(features: Features, rows: int = 1, width: int = 0) -> np.ndarray[Any, Any]:
    """Room for views as a game writes them, at least `width` numbers long, in whole words: digests read those."""
    in_word = _WORD // features.dtype.itemsize
    longest = max(width, features.size)
    return np.zeros((rows, -(-longest // in_word) * in_word), features.dtype)
