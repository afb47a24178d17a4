"""Somebody at the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from alarife.engine.errors import AlarifeError
from alarife.engine.layout import view_of
from alarife.engine.numbers import Array
from alarife.engine.printable import printable
from alarife.players.turns import Turns


class LeftTable(AlarifeError):
    """A person has gone home."""


class PersonPlayer:
    """Shows the table as the seat sees it and asks for the number of an action; ``q`` leaves."""

    def __init__(self, seed: int | None = None, ask: Callable[[str], str] = input) -> None:
        self._ask = ask

    def act(self, turns: Turns) -> Array:
        """One answer for each row."""
        forks = turns.fork(np.zeros(len(turns), np.uint64))
        display = turns.game.display.of(turns.options)
        actions = np.zeros(len(turns), np.int64)
        for row in range(len(turns)):
            seat, state = int(turns.seat[row]), view_of(forks, row)
            legal = np.flatnonzero(turns.action_mask[row])
            phrases = [printable(display.phrase(state, int(action), seat)) for action in legal]
            lines = [f"  {number:3d}  {phrase}" for number, phrase in enumerate(phrases)]
            decided = turns.game.decided(state)
            print(f"\n{printable(display.text(state, seat), lines=True)}\n", *decided, *lines, sep="\n")
            actions[row] = legal[self._number(seat, len(legal))]
        return actions

    def _number(self, seat: int, count: int) -> int:
        while True:
            try:
                answer = self._ask(f"player_{seat}> ").strip()
            except EOFError:
                answer = "q"
            if answer in ("q", "quit"):
                raise LeftTable(f"player_{seat} has left the table")
            if answer.isdigit() and int(answer) < count:
                return int(answer)
            print(f"Type a number from 0 to {count - 1}, or q.", file=sys.stderr)


def is_person(player: object) -> bool:
    """Whether a player is somebody at the terminal, under whatever name it was found."""
    return isinstance(player, PersonPlayer)
