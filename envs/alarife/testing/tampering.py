"""Positions with one number changed by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from alarife.engine.layout import leaves_of, limits_of
from alarife.engine.numbers import Array
from alarife.engine.table import Table


@dataclass
class Change:
    """One number of a position that is set to another value."""

    name: str
    before: Any
    after: Any

    def __str__(self) -> str:
        return f"{self.name} from {self.before} to {self.after}"


def change(table: Table, random: np.random.Generator) -> tuple[Array, Change]:
    """The position with one number changed: a little, to the ends of its type or range, or to any number of it."""
    states = table.states.view(np.uint8).copy().view(table.states.dtype)
    leaves = leaves_of(table.game.state)
    while True:
        leaf = leaves[int(random.integers(len(leaves)))]
        base, index = leaf.field.dtype.base, int(random.integers(leaf.size))
        at = leaf.offset + index * base.itemsize
        number = states.view(np.uint8)[at : at + base.itemsize].view(base)
        before = number[0].item()
        number[0] = another(before, leaf.field, random)
        if number[0].tobytes() != np.array(before, base).tobytes():
            return states, Change(leaf.at(index), before, number[0].item())


def another(value: Any, field: Any, random: np.random.Generator) -> Any:
    """Another number for a field."""
    base = field.dtype.base
    low, high = limits_of(field)
    if base.kind == "f":
        choices = [value + 1e-9, value + 0.5, value - 1.0, -value, value * 1.5, 0.0, low, high, float("nan"),
                   float("inf"), -1e308, value + random.normal() * 10]  # fmt: skip
        return choices[int(random.integers(len(choices)))]
    about = np.iinfo(base)
    inside = int(random.integers(int(low), int(high), endpoint=True, dtype=base.type))
    choices = [value + 1, value - 1, value + 2, value - 2, 0, -1, low, high, low - 1, high + 1, int(about.min),
               int(about.max), value ^ 1 << int(random.integers(8 * base.itemsize - 1)), inside, inside, inside,
               inside, inside]  # fmt: skip
    return np.array(int(choices[int(random.integers(len(choices)))]) % 2 ** (8 * base.itemsize), np.uint64).astype(
        base, casting="unsafe"
    )
