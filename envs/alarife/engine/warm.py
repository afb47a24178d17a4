"""Compile every kernel of a game ahead of its first use, for containers and clusters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from alarife.engine.arrays import Scratch
from alarife.engine.batch import Batch
from alarife.engine.game import Game
from alarife.engine.table import Table

Step = tuple[str, Callable[[Game], None]]


def _play_batches(game: Game) -> None:
    batch = Batch(game, 2, game.default_players)
    batch.step(batch.sample())


def _copy(game: Game) -> None:
    batch = Batch(game, 2, game.default_players)
    rows, seats = np.arange(2), batch.seat.astype(np.int64)
    batch.view(rows, seats)
    batch.clone()
    forks = batch.fork(rows, seats, np.arange(2, dtype=np.uint64))
    batch.seal(rows)
    batch.load(forks)
    batch.check()
    batch.arrays.run.redraw(forks, rows, seats)
    batch.arrays.remembers(rows, seats)


def _ask_the_script(game: Game) -> None:
    batch = Batch(game, 2, game.default_players)
    batch.script()
    alone = Batch(game, 1, game.default_players, restart=False)
    alone.play_on(np.arange(1), np.full(1, 1), np.zeros(1, np.int64))
    Scratch(game).advice(batch.blind(np.arange(2)))


def _play_tables(game: Game) -> None:
    table = Table(game, game.default_players, seed=1)
    table.clone().play(table.legal()[0], chance=np.random.default_rng(1))
    table.play(table.legal()[0])
    table.fork(table.seat, 1)
    table.scores()


def _play_on(game: Game) -> None:
    batch = Batch(game, 2, game.default_players)
    batch.count_legal()
    batch.arrays.playouts(np.arange(2), 10, np.zeros((2, game.most_seats)))
    batch.arrays.rollout(10, np.uint64(1), np.zeros(2, np.int64))


#: What is compiled together, by calling each kernel once as batches, tables and players call it.
STEPS: tuple[Step, ...] = (
    ("batches", _play_batches),
    ("views and copies", _copy),
    ("the scripted player", _ask_the_script),
    ("tables", _play_tables),
    ("random play", _play_on),
)


def compile_all(game: Game) -> None:
    """Compile what batches, tables and plain players need; searches bring steps of their own."""
    for _, compile_step in STEPS:
        compile_step(game)
