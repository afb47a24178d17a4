"""What callers hand over, checked where it comes in: seats, seeds, keys, actions, rows, counts, switches, paths."""

from __future__ import annotations

import operator
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from .errors import AlarifeError, FileError, OptionError, nearest

SEED_BITS = 64
MOST_PATH = 1024  # letters of a file's name, folders included
Array = np.ndarray[Any, Any]


def seat_number(seat: Any, players: int) -> int:
    """A seat of a table for so many players."""
    if not is_whole(seat) or not 0 <= seat < players:
        raise OptionError(f"seats go from 0 to {players - 1}, got {short(seat)}")
    return int(seat)


def seed_number(seed: Any) -> int:
    """A seed: 64 bits, none of them folded away."""
    if not is_whole(seed) or not 0 <= seed < 2**SEED_BITS:
        raise AlarifeError(f"a seed is a whole number from 0 to 2**{SEED_BITS} - 1, got {short(seed)}")
    return int(seed)


def key_number(key: Any) -> int:
    """A key of a stream: 64 bits."""
    if not is_whole(key) or not 0 <= key < 2**SEED_BITS:
        raise AlarifeError(f"a key is a whole number from 0 to 2**{SEED_BITS} - 1, got {short(key)}")
    return int(key)


def switch(value: Any, name: str) -> bool:
    """True or False, and nothing that passes for one of them."""
    if not isinstance(value, (bool, np.bool_)):
        raise OptionError(f"{name} is True or False, got {short(value)}")
    return bool(value)


def one_of(name: Any, allowed: Sequence[str], what: str) -> str:
    """A word of a short list; the sentence names the nearest, as in ``no belief called 'pley'``."""
    if not isinstance(name, str) or name not in allowed:
        raise OptionError(f"no {what} called {short(name)}{nearest(str(name)[:80], allowed)}")
    return name


def path_name(path: Any) -> str:
    """The name of a file: a text or a path."""
    name = path if isinstance(path, str) else os.fspath(path) if isinstance(path, os.PathLike) else None
    if not isinstance(name, str) or not name:
        raise FileError(f"a file is named by a text or a path, got {short(path)}")
    if "\0" in name:
        raise FileError(f"no name of a file holds a zero byte, got {short(path)}")
    if len(name) > MOST_PATH:
        raise FileError(f"a file's name has at most {MOST_PATH:,} letters, got {short(name)}")
    return name


def whole_number(value: Any, sentence: str, low: int, high: int) -> int:
    """A whole number within limits; the sentence tells them as ``{}``, as in ``rows go {}``."""
    if not is_whole(value) or not low <= value <= high:
        raise AlarifeError(f"{sentence.format(f'from {low} to {high}')}, got {short(value)}")
    return int(value)


def action_number(action: Any) -> int | None:
    """An action as a number, a whole one of any kind, arrays without dimensions among them; None for anything else."""
    if type(action) is int:
        return action
    if isinstance(action, (bool, np.bool_)):
        return None
    try:
        number = operator.index(action)
    except TypeError:
        return None
    return None if getattr(action, "dtype", None) == np.bool_ else number


def row_numbers(given: Any, games: int, repeated: bool = False) -> Array:
    """Rows of a batch; each of them once, unless they may be `repeated`."""
    rows: Array = np.asarray(given)
    if rows.shape == (0,):
        return rows.astype(np.int64)
    if rows.ndim != 1 or rows.dtype.kind not in "iu" or rows.min() < 0 or rows.max() >= games:
        raise AlarifeError(f"rows are whole numbers from 0 to {games - 1}, got {short(given)}")
    if not repeated and rows.size > 1 and np.bincount(rows.astype(np.int64)).max() > 1:
        raise AlarifeError(f"each row is named once, got {short(given)}")
    return rows.astype(np.int64, copy=False)


def seat_numbers(given: Any, players: Array) -> Array:
    """A seat for each of some tables with so many players."""
    seats: Array = np.asarray(given)
    if seats.shape != players.shape or (seats.size and seats.dtype.kind not in "iu"):
        raise OptionError(f"there has to be one seat, a whole number, for each of {players.size} rows, "
                          f"got {short(given)}")  # fmt: skip
    if (wrong := (seats < 0) | (seats >= players)).any():
        row = int(np.argmax(wrong))
        raise OptionError(f"seats of a table for {players[row]} go from 0 to {players[row] - 1}, got {seats[row]}")
    return seats.astype(np.int64, copy=False)


def key_numbers(given: Any, count: int) -> Array:
    """A key, 64 bits, for each of some rows."""
    keys: Array = np.asarray(given)
    is_whole = keys.dtype.kind == "u" or (keys.dtype.kind == "i" and (keys >= 0).all())
    if keys.shape != (count,) or (count and not is_whole):
        raise AlarifeError(f"there has to be one key, a whole number from 0 to 2**64 - 1, for each of {count} rows, "
                           f"got {short(given)}")  # fmt: skip
    return keys.astype(np.uint64, copy=False)


def short(value: Any) -> str:
    """A value in a sentence, on one line and not too long."""
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # Python writes no whole numbers of thousands of digits
        text = "a number of thousands of digits"
    return clipped(text)


def clipped(text: str) -> str:
    """A text that is not too long for a sentence, or its beginning."""
    return text if len(text) < 80 else text[:77] + "..."


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number, of Python or of NumPy; True and False are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)
