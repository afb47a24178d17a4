"""Rules that write views: whole rows at once, marks by index, shares in parts.

A view comes zeroed, made of whole numbers or of float32; the game writes whole numbers into either. Rows are written
without a check for each number, so that eight or more are moved at once; one check for the row makes sure that it lies
in the view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic, overload, register_jitable
from numba.np.arrayobj import make_array

from .jit import RULE_SETTINGS, rule

if TYPE_CHECKING:
    from .layout import Features

#: Settings of rules that index in loops of their own making only, so that several numbers are worked out at once.
UNCHECKED: dict[str, Any] = {**RULE_SETTINGS, "boundscheck": False}
PARTS = 100  # a share is told in hundredths, and hundredths of those
SHARE = {"high": (1.0, (PARTS - 1) / PARTS**2), "scale": (1 / PARTS, 1 / PARTS**2)}  # of the block of a share


# --- numbers of a width -----------------------------------------------------------------------------------
#
# Loops that write views run eight and more places at once where their numbers are narrow, and where no place may count
# from the end. Python has one kind of whole number, and takes it as it is.


def place(at: Any) -> Any:
    """A place in a view, which never counts from the end."""
    return at


def word(bits: Any) -> Any:
    """A set of up to 32 bits."""
    return bits


def small(number: Any) -> Any:
    """A number as a view of bytes holds it."""
    return number


def _cast(function: Any, kind: Any) -> None:
    @overload(function, jit_options=UNCHECKED, strict=False)  # type: ignore[untyped-decorator]
    def _(_number: Any) -> Any:
        return lambda _number: kind(_number)


_cast(place, np.uint64)
_cast(word, np.uint32)
_cast(small, np.int8)


# --- rows -------------------------------------------------------------------------------------------------


def write_row(view: Any, at: Any, numbers: Any) -> None:
    """Copy a row of numbers into the view."""
    size = len(numbers)
    if at < 0 or at + size > len(view):
        raise IndexError("a row does not fit into the view")
    view[at : at + size] = numbers


def write_grid(view: Any, at: Any, grid: Any) -> None:
    """Copy rows of numbers into the view, one behind the other."""
    if at < 0 or at + grid.size > len(view):
        raise IndexError("a grid does not fit into the view")
    view[at : at + grid.size] = grid.ravel()


@overload(write_row, jit_options=UNCHECKED, strict=False)  # type: ignore[untyped-decorator]
def _write_row(view: Any, at: Any, numbers: Any) -> Any:
    def copy(view: Any, at: Any, numbers: Any) -> None:
        if at < 0 or at + numbers.size > len(view):
            raise IndexError("a row does not fit into the view")
        _copy_bytes(view, at, numbers)

    def convert(view: Any, at: Any, numbers: Any) -> None:
        size = len(numbers)
        if at < 0 or at + size > len(view):
            raise IndexError("a row does not fit into the view")
        start = place(at)
        for k in range(size):
            view[start + place(k)] = numbers[place(k)]

    return copy if _is_alike(view, numbers) else convert


@overload(write_grid, jit_options=UNCHECKED, strict=False)  # type: ignore[untyped-decorator]
def _write_grid(view: Any, at: Any, grid: Any) -> Any:
    def copy(view: Any, at: Any, grid: Any) -> None:
        if at < 0 or at + grid.size > len(view):
            raise IndexError("a grid does not fit into the view")
        _copy_bytes(view, at, grid)

    def convert(view: Any, at: Any, grid: Any) -> None:
        rows, columns = grid.shape
        for r in range(rows):
            write_row(view, at + r * columns, grid[place(r)])

    return copy if _is_alike(view, grid) else convert


def _is_alike(view: Any, numbers: Any) -> bool:
    """Whether the bytes of the numbers are those that belong into the view."""
    return bool(view.dtype == numbers.dtype and view.layout == numbers.layout == "C")


@intrinsic  # type: ignore[untyped-decorator]
def _copy_bytes(_typing: Any, view: Any, at: Any, numbers: Any) -> Any:
    """Copy all the numbers to a place of the view, where there is room: one instruction moves many of a known count."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        to = make_array(signature.args[0])(context, builder, args[0])
        source = make_array(signature.args[2])(context, builder, args[2])
        start = builder.gep(to.data, [args[1]])
        cgutils.raw_memcpy(builder, start, source.data, source.nitems, source.itemsize)
        return context.get_dummy_value()

    return types.none(view, types.intp, numbers), generate


@register_jitable(**UNCHECKED)  # type: ignore[untyped-decorator]
def write_bits(view: Any, at: Any, bits: Any, size: Any) -> None:
    """Copy the lowest bits of a number into the view, a place for each."""
    if at < 0 or at + size > len(view):
        raise IndexError("bits do not fit into the view")
    start, bits = place(at), word(bits)
    for k in range(size):
        view[start + place(k)] = bits >> word(k) & word(1)


def lowest_bit(bits: Any) -> Any:
    """The place of the lowest bit that is set; there has to be one."""
    return (int(bits) & -int(bits)).bit_length() - 1


@overload(lowest_bit, jit_options=UNCHECKED, strict=False)  # type: ignore[untyped-decorator]
def _lowest_bit(bits: Any) -> Any:
    return lambda bits: _zeros_below(np.int64(bits))


@intrinsic  # type: ignore[untyped-decorator]
def _zeros_below(_typing: Any, word: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], cgutils.true_bit)

    return types.int64(types.int64), generate


def count_bits(bits: Any) -> Any:
    """How many bits are set, of a number that is not negative."""
    return int(bits).bit_count()


@overload(count_bits, jit_options=UNCHECKED, strict=False)  # type: ignore[untyped-decorator]
def _count_bits(bits: Any) -> Any:
    return lambda bits: _ones(np.int64(bits))


@intrinsic  # type: ignore[untyped-decorator]
def _ones(_typing: Any, word: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


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
