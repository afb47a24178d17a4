"""Positions that random play reaches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from alarife.engine.batch import Batch
from alarife.engine.game import Game
from alarife.engine.options import GameOptions
from alarife.engine.table import Table

VARIED_GAMES = 64  # random games that are searched for positions with other actions
OFFERED = 8  # positions in which an action is offered, of those as late in the game


def sample_positions(
    game: Game,
    players: int,
    options: GameOptions | dict[str, Any] | None = None,
    *,
    games: int = 6,
    each: int = 12,
    seed: int = 0,
) -> Iterator[Table]:
    """Tables in positions of random games, from the first decision to the end, about `each` of every game."""
    for index in range(games):
        random = np.random.default_rng([seed, index])
        table = Table(game, players, options, seed=int(random.integers(2**62)))
        marks = _marks(table.clone(), random, each)
        random = np.random.default_rng([seed, index, 1])
        while True:
            if table.state.decisions in marks or table.over:
                yield table
            if table.over:
                break
            table.play(int(random.choice(table.legal())))


def varied_positions(
    game: Game, players: int, options: GameOptions | dict[str, Any] | None = None, *, seed: int = 0
) -> Iterator[Table]:
    """Tables in positions of random games that offer, early and late, each action several times."""
    batch, table = Batch(game, VARIED_GAMES, players, seed, options), Table(game, players, options, seed=0)
    offered = np.zeros((64, game.actions.size), np.int64)
    ended = np.zeros(batch.games, np.bool_)
    for _ in range(game.longest):
        for row in np.flatnonzero(~ended):
            times = offered[int(batch.state["decisions"][row]).bit_length()]
            if (batch.action_mask[row] * (times < OFFERED)).any():
                times += batch.action_mask[row]
                yield table.from_bytes(batch.state[row].tobytes())
        batch.step(batch.sample())
        ended |= batch.finished
        if ended.all():
            return


def _marks(table: Table, random: np.random.Generator, each: int) -> set[int]:
    """Numbers of decisions to look at: the first ones, and others spread over a game of usual length."""
    batch = Batch(table.game, 8, table.players, int(random.integers(2**31)), table.options)
    for _ in range(table.game.longest):
        batch.step(batch.sample())
        if batch.final_decisions.all():
            break
    usual = int(np.median(batch.final_decisions))
    spread = random.integers(0, max(1, usual), max(1, each - 3))
    return {0, 1, 2, *(int(n) for n in spread)}
