"""The two fixed points of every ladder: random play and the game's scripted player."""

from __future__ import annotations

from typing import Any

import numpy as np

from alarife.engine.numbers import Array
from alarife.players.turns import ADVICE, Turns


class RandomPlayer:
    """Every legal action is equally likely."""

    forks = False

    def __init__(self, seed: int | None = None) -> None:
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Begin the player's random stream anew."""
        self._random = np.random.default_rng(seed)

    def act(self, turns: Turns) -> Array:
        """A random legal action for each row."""
        mask = turns.action_mask != 0
        which = self._random.integers(0, mask.sum(1))
        picked: Array = np.argmax(np.cumsum(mask, 1) > which[:, None], 1)
        return picked


def is_script(player: Any) -> bool:
    """Whether a player is the scripted one itself, so that a batch may play for it without asking."""
    return type(player) is ScriptedPlayer


class ScriptedPlayer:
    """The player that a game brings along. It is handed no true state, so it cannot see what its seat does not know."""

    forks = ADVICE

    def __init__(self, seed: int | None = None) -> None:
        pass

    def act(self, turns: Turns) -> Array:
        """The game's advice for each row."""
        return turns.advice()
