"""Seats and seeds, checked where they come in."""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import AlarifeError, OptionError
from .reading import short

SEED_BITS = 64


def seat_number(seat: Any, players: int) -> int:
    """A seat of a table for so many players."""
    if not _is_whole(seat) or not 0 <= seat < players:
        raise OptionError(f"seats go from 0 to {players - 1}, got {seat!r}")
    return int(seat)


def seed_number(seed: Any) -> int:
    """A seed: 64 bits, none of them folded away."""
    if not _is_whole(seed) or not 0 <= seed < 2**SEED_BITS:
        raise AlarifeError(f"a seed is a whole number from 0 to 2**{SEED_BITS} - 1, got {short(seed)}")
    return int(seed)


def _is_whole(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)
