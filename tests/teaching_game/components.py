"""What is in the box, and what can be done."""

from __future__ import annotations

import numpy as np

from alarife.engine.layout import Actions, Choice

PLAYERS = 4
START_PILES = np.array([3, 4, 5], np.int8)
PILES = len(START_PILES)
PEBBLES = 12  # in all
MOST_IN_PILE = int(max(START_PILES))
MOST_POINTS = PEBBLES + MOST_IN_PILE  # all pebbles, those of the lucky pile twice
MOST_TAKEN = 3
MOST_DECISIONS = PEBBLES + PLAYERS  # each takes a pebble, or is the one pass of a seat

ACTIONS = Actions(
    take=Choice("take count + 1 pebbles from a pile", pile=PILES, count=MOST_TAKEN),
    pass_turn=Choice("do nothing, once in the game"),
)
