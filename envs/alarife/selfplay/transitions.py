"""What every seat lived through: complete transitions, to the end, for learners that store experience.

A seat's transition runs from one of its decisions to its next one, or to the end of the game. The reward is all that
came in for the seat meanwhile, also while others were deciding, so that a seat's rewards add up to its final value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError
from alarife.engine.numbers import Array
from alarife.players.turns import Player, Turns, ask


@dataclass(frozen=True)
class Transitions:
    """Transitions that were completed together, one row each."""

    game: Array  # row of the batch
    seat: Array
    observation: Array  # [k, F], when the seat decided
    action_mask: Array  # [k, A]
    action: Array
    reward: Array  # since that decision
    done: Array  # the game has ended
    next_observation: Array  # [k, F], at the seat's next decision or at the end
    next_action_mask: Array  # [k, A], zeros at the end


class _Open:
    """Decisions whose transition is not complete yet, by row and seat."""

    def __init__(self, batch: Batch) -> None:
        shape = batch.games, batch.game.most_seats
        self.there = np.zeros(shape, np.bool_)
        self.observation = np.zeros((*shape, batch.game.features.size), np.float32)
        self.action_mask = np.zeros((*shape, batch.game.actions.size), np.int8)
        self.action = np.zeros(shape, np.int64)
        self.reward = np.zeros(shape, np.float32)

    def close(self, rows: Array, seats: Array, done: bool, views: Array, masks: Array) -> Transitions:
        """Complete these decisions."""
        closed = Transitions(
            rows, seats, self.observation[rows, seats], self.action_mask[rows, seats], self.action[rows, seats],
            self.reward[rows, seats], np.full(len(rows), done), views, masks,
        )  # fmt: skip
        self.there[rows, seats] = False
        return closed


def transitions(batch: Batch, player: Player, steps: int) -> Iterator[Transitions]:
    """Let one player decide for all seats, `steps` times in every game, and hand out what was completed.

    Games restart as they end, so `steps` counts over many games. What is still open after the last step is dropped.
    """
    if not batch.restart:
        raise AlarifeError("transitions need a batch with restart=True")
    pending = _Open(batch)
    rows = np.arange(batch.games)
    for _ in range(steps):
        seats = batch.seat.astype(np.int64)
        again = np.flatnonzero(pending.there[rows, seats])
        if len(again):
            yield pending.close(again, seats[again], False, batch.observation[again], batch.action_mask[again])
        actions = ask(player, Turns.of_batch(batch, rows))
        pending.there[rows, seats] = True
        pending.observation[rows, seats], pending.action_mask[rows, seats] = batch.observation, batch.action_mask
        pending.action[rows, seats], pending.reward[rows, seats] = actions, 0
        batch.step(actions)
        pending.reward += batch.reward
        if len(over := np.flatnonzero(batch.finished)):
            ended, at = np.nonzero(pending.there[over])
            ended = over[ended]
            masks = np.zeros((len(ended), batch.game.actions.size), np.int8)
            yield pending.close(ended, at, True, batch.final_view(ended, at), masks)
