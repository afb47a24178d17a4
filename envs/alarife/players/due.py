"""A decision in words, as the seat that is asked may hear it: the table, what is decided, and each choice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from alarife.engine.game import Game
from alarife.engine.layout import View
from alarife.engine.numbers import Array
from alarife.engine.options import GameOptions
from alarife.engine.printable import printable
from alarife.players.speech import as_you


@dataclass
class Due:
    """The decision that somebody is asked for."""

    game: Game
    seat: int
    decisions: int  # decisions of the game before this one
    decided: list[str]  # who decides what
    text: list[str]  # the table, as the seat sees it
    legal: list[int]  # the actions that may be taken
    phrases: list[str]  # and what each of them does


def due_of(game: Game, options: GameOptions, state: View, seat: int, mask: Array) -> Due:
    """What a seat is asked for in a position, or in a fork that was made for it."""
    display = game.display.of(options)
    legal = [int(action) for action in np.flatnonzero(mask)]
    text = as_you(printable(display.text(state, seat), lines=True), seat).strip("\n").split("\n")
    decided = [as_you(printable(line), seat) for line in game.decided(state)]
    phrases = [printable(display.phrase(state, action, seat)) for action in legal]
    return Due(game, seat, int(state.decisions), decided, text, legal, phrases)
