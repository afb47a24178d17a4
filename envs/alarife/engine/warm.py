"""Compile every kernel of a game ahead of its first use, for containers and clusters."""

from __future__ import annotations

import numpy as np

from alarife.engine.batch import Batch
from alarife.engine.game import Game
from alarife.engine.kernels import kernels
from alarife.engine.random import Stream
from alarife.engine.result import Result
from alarife.engine.table import Table


def compile_all(game: Game) -> None:
    """Call each kernel once, the way batches, tables and players call it."""
    players = game.default_players
    batch = Batch(game, 2, players)
    rows, seats = np.arange(2), batch.seat.astype(np.int64)
    batch.step(batch.sample())
    batch.script()
    batch.view(rows, seats)
    batch.clone()
    forks = batch.fork(rows, seats, np.arange(2, dtype=np.uint64))
    batch.seal(rows)
    batch.load(forks)
    batch.check()
    run = kernels(game)
    run.count(batch._states, rows, batch._moves, np.zeros(2, np.int64))
    run.redraw(forks, rows, seats)
    run.remembers(forks, rows, seats)
    run.advice(forks, batch._moves, np.zeros(2, np.int64))
    values = np.zeros((2, game.most_seats))
    run.playouts(forks, rows, Stream.zeros(1), batch._moves, game.state.zeros(1), Result.zeros(1), 0, 10, values)
    table = Table(game, players, seed=1)
    table.play(table.legal()[0])
    table.fork(table.seat, 1)
    table.scores()
    lengths = np.zeros(2, np.int64)
    run.rollout(table.states, table.template, Stream.zeros(1), table.moves, 10, np.uint64(1), lengths)
