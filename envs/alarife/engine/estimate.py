"""About how long a game takes to compile."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import ModuleType
from typing import Any

from . import kernels
from .fingerprint import Survey
from .game import Game

#: Bytes of Python code that are compiled in a second, by one core of 2025 that has nothing else to do.
PER_SECOND = 5000
STARTS_WITH = "begin", "look", "step"  # nearly all that a table or a batch waits for at first


@lru_cache(maxsize=64)
def _seconds(game: Game, sets: tuple[ModuleType, ...]) -> dict[tuple[str, str], float]:
    """By set of kernels and by kernel: each takes as long as the code is that it may call."""
    survey, taken = Survey(), {}
    for module in sets:

        def note(function: Callable[..., Any], module: ModuleType = module) -> Callable[..., Any]:
            size = sum(part.size for part in survey.parts_of(function))
            taken[module.__name__, function.__name__] = size / PER_SECOND
            return function

        module._define(game, note)
    return taken


def seconds_to_start(game: Game) -> float:
    """Until a table or a batch plays."""
    taken = _seconds(game, (kernels,))
    return max(1.0, sum(taken[kernels.__name__, name] for name in STARTS_WITH))


def seconds_for(game: Game, *more: ModuleType) -> float:
    """For all of these sets of kernels, the engine's own among them."""
    return max(1.0, sum(_seconds(game, (kernels, *more)).values()))
