"""Pebbles: redraw what a player cannot know, the lucky piles of the others. Nothing in the game gives them away."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.random import below

from .components import PILES
from .rules import pebbles


@rule
def resample(s, seat):
    """Every pile is equally likely; at the end all is open."""
    if s.over:
        return
    for p in range(s.seats):
        if p != seat:
            s.lucky[p] = below(s, PILES)
            s.points[p] = pebbles(s, p) + s.taken[p, s.lucky[p]]
