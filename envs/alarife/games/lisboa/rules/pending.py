"""Steps that wait for others. Rules may not call one another in a circle: they leave behind what is to be done next."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.random import below


@rule
def push(s, step, a, b, c):
    """Do a step next, before everything that waits already."""
    s.waiting[s.depth, 0] = step
    s.waiting[s.depth, 1] = a
    s.waiting[s.depth, 2] = b
    s.waiting[s.depth, 3] = c
    s.depth += 1


@rule
def take_any(s, items, size):
    """A random one of the first `size` items; the last one moves into its place."""
    i = below(s, size)
    item = items[i]
    items[i] = items[size - 1]
    items[size - 1] = 0
    return item
