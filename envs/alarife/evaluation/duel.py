"""One player against a table of others of one kind, many games side by side: how training judges its agents.

Every game is a deal of its own and the player's seat moves on from game to game, so all games are independent. Results
are those of `alarife.evaluation.match` and are counted by `alarife.evaluation.statistics`, as in any evaluation; what a
batch does without is times of decisions and forfeits: a player that fails stops the duel.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from alarife.engine.batch import Batch
from alarife.engine.game import Game
from alarife.engine.numbers import Array
from alarife.engine.options import GameOptions
from alarife.evaluation.statistics import Estimate, Result, mean_of, share_of, wins_of
from alarife.players import Player, Turns, find_player
from alarife.players.turns import ask
from alarife.selfplay.learner import LearnerBatch

SIDE_BY_SIDE = 512  # games in one batch
PLAYER, OTHER = "player", "other"


@dataclass(frozen=True)
class Duel:
    """How a duel came out for the player."""

    games: int
    win: Estimate  # its part of the first place, or at a table for one how often it won
    score: Estimate
    decisions: float  # mean length of a game, all seats


def duel(
    player: Player,
    other: str,
    game: Game,
    players: int,
    games: int,
    seed: int,
    options: GameOptions | dict[str, Any] | None = None,
) -> Duel:
    """Play `games` games of the player on one seat, in turn on each, and the named player on all others."""
    results = [result for part, begin in enumerate(range(0, games, SIDE_BY_SIDE))
               for result in _side_by_side(player, other, game, players, min(SIDE_BY_SIDE, games - begin), seed + part,
                                           options)]  # fmt: skip
    own = [result["seats"].index(PLAYER) for result in results]
    return Duel(
        games,
        share_of([wins_of(result)[seat] for result, seat in zip(results, own, strict=True)]),
        mean_of([result["scores"][seat] for result, seat in zip(results, own, strict=True)]),
        float(np.mean([result["decisions"] for result in results])),
    )


def _side_by_side(
    player: Player, other: str, game: Game, players: int, games: int, seed: int, options: Any
) -> Iterator[Result]:
    """The results of one batch of games."""
    batch = Batch(game, games, players, seed, options, "outcome", restart=False)
    learner = LearnerBatch(
        batch, [find_player(other, seed)] if players > 1 else [], partial(_seats_in_turn, game.most_seats)
    )
    learner.reset(seed)
    if hasattr(player, "reset"):
        player.reset(seed)
    actions = np.zeros(games, np.int64)
    while len(rows := np.flatnonzero(~learner.done)):
        actions[rows] = ask(player, Turns.of_batch(batch, rows, player), "the policy")
        learner.step(actions, rows)
    for row, seat in enumerate(learner.own):
        yield _result(batch, row, int(seat), players)


def _seats_in_turn(most: int, rows: Array, players: Array) -> tuple[Array, Array]:
    return rows % players, np.zeros((len(rows), most), np.int64)


def _result(batch: Batch, row: int, seat: int, players: int) -> Result:
    """A game as evaluations note it."""
    told = {"deal": row, "seats": [PLAYER if p == seat else OTHER for p in range(players)],
            "scores": batch.final_score[row, :players].tolist(), "places": batch.final_place[row, :players].tolist(),
            "decisions": int(batch.final_decisions[row])}  # fmt: skip
    return told | ({"won": bool(batch.results[row]["won"])} if players == 1 else {})
