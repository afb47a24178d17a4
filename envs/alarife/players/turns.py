"""What a player is given, and the protocol it follows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from alarife.engine.batch import Batch, illegal_sentence
from alarife.engine.errors import IllegalAction
from alarife.engine.game import Game
from alarife.engine.table import Table

Array = np.ndarray[Any, Any]
Forker = Callable[[Array], Array]


class Turns:
    """The decisions due at some tables, one row each.

    - ``observation [n, F]`` float32 and ``action_mask [n, A]`` int8: copies, each for the seat to decide
    - ``seat [n]``: the seat to decide; ``players [n]``: how many seats the table has
    """

    def __init__(
        self, game: Game, observation: Array, action_mask: Array, seat: Array, players: Array, fork: Forker
    ) -> None:
        self.game = game
        self.observation, self.action_mask, self.seat, self.players = observation, action_mask, seat, players
        self._fork = fork

    def __len__(self) -> int:
        return len(self.seat)

    def fork(self, keys: Array) -> Array:
        """One state for each row, made for its seat: what it cannot know is redrawn, the future is the key's."""
        if np.shape(keys) != (len(self),):
            raise ValueError(f"fork takes one key for each of the {len(self)} rows, got shape {np.shape(keys)}")
        return self._fork(np.asarray(keys, np.uint64))

    @classmethod
    def of_batch(cls, batch: Batch, rows: Array) -> Turns:
        """The decisions due in some rows of a batch."""
        rows = np.asarray(rows)
        seat = batch.seat[rows]
        return cls(batch.game, batch.observation[rows], batch.action_mask[rows], seat, batch.players[rows],
                   lambda keys: batch.fork(rows, seat, keys))  # fmt: skip

    @classmethod
    def of_table(cls, table: Table) -> Turns:
        """The decision due at one table."""
        seat = np.array([table.seat])

        def fork(keys: Array) -> Array:
            states: Array = table.fork_states(table.seat, keys)
            return states

        return cls(table.game, table.observe()[None], table.mask.copy()[None], seat, np.array([table.players]), fork)


@runtime_checkable
class Player(Protocol):
    """Anything with a method `act`; a `reset(seed)` is called before a series of games where there is one."""

    def act(self, turns: Turns) -> Array:
        """One legal action for each row."""
        ...


def ask(player: Player, turns: Turns, name: str = "the player") -> Array:
    """The player's actions, checked: right shape, whole numbers, legal."""
    actions = np.asarray(player.act(turns))
    if actions.shape != (len(turns),) or actions.dtype.kind not in "iu":
        raise IllegalAction(
            f"{name} has to answer {len(turns)} whole numbers, got {actions.dtype} of shape {actions.shape}"
        )
    size = turns.action_mask.shape[1]
    inside = np.clip(actions, 0, size - 1)
    illegal = (actions != inside) | (turns.action_mask[np.arange(len(turns)), inside] == 0)
    if illegal.any():
        row = int(np.argmax(illegal))
        sentence = illegal_sentence(turns.game, turns.action_mask[row], int(turns.seat[row]), int(actions[row]))
        raise IllegalAction(f"{name}: {sentence}")
    return actions


def play_out(table: Table, players: Sequence[Player], most: int | None = None) -> Table:
    """Let the players, one for each seat, finish the game (or play `most` decisions of it)."""
    left = most
    while not table.over and (left is None or left > 0):
        table.play(int(ask(players[table.seat], Turns.of_table(table), f"player_{table.seat}")[0]))
        left = None if left is None else left - 1
    return table
