"""How good a policy is: games against the rungs of a ladder, seats rotated, with intervals."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from alarife.engine.batch import Batch
from alarife.engine.numbers import Array
from alarife.evaluation.statistics import Z, wilson
from alarife.players import Player, Turns, find_player
from alarife.players.turns import ask
from alarife.selfplay.learner import LearnerBatch
from alarife_training.config import Config

_SIDE_BY_SIDE = 512
TRAINED, THE_GAME = "trained", "the game"


@dataclass(frozen=True)
class Verdict:
    """Games against one rung; a shared first place counts in parts, a solo game as won or lost."""

    against: str
    players: int
    games: int
    win_share: float
    low: float  # 95 % interval of the share
    high: float
    score: float  # mean points
    score_width: float  # half of its 95 % interval
    decisions: float  # mean length of a game, all seats
    player: str = TRAINED

    def facts(self) -> dict[str, Any]:
        """The numbers, ready for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        shown = f"{100 * self.win_share:.1f} % [{100 * self.low:.1f}, {100 * self.high:.1f}]"
        if self.players == 1:
            return (f"{self.player} won {shown} of {self.games} games alone, mean score "
                    f"{self.score:.1f} ± {self.score_width:.1f}")  # fmt: skip
        return f"{shown} of {self.games} games against {self.against}, {self.players} players, seats rotated"


def judge(player: Player, config: Config, games: int, seed: int) -> list[Verdict]:
    """The player on one seat, each rung on all others, for every player count of the config."""
    rungs: list[str] = list(config.evaluation.against)
    return [_duel(player, rung, count, config, games, seed) for count in config.counts
            for rung in (rungs if count > 1 else [THE_GAME])]  # fmt: skip


def judge_at_length(player: Player, config: Config) -> list[Verdict]:
    """The judgement at the end of a run, in new games; players for comparison come after the ladder's rungs."""
    about = config.evaluation
    games, seed = about.also_games, about.seed + 1_000_000
    verdicts = judge(player, config, about.final_games, seed)
    for count, name in product(config.counts, about.also_against):
        if count > 1:
            verdicts.append(_duel(player, name, count, config, games, seed))
        else:
            verdicts.append(replace(_duel(find_player(name, seed), THE_GAME, 1, config, games, seed), player=name))
    return verdicts


def _duel(player: Player, rung: str, count: int, config: Config, games: int, seed: int) -> Verdict:
    left, parts = games, []
    for part in range(math.ceil(games / _SIDE_BY_SIDE)):
        size = min(left, _SIDE_BY_SIDE)
        parts.append(_play(player, rung, count, config, size, seed + part))
        left -= size
    shares, scores, lengths = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    low, high = wilson(float(shares.mean()), games)
    spread = Z * float(scores.std(ddof=1)) / math.sqrt(games)
    return Verdict(rung, count, games, float(shares.mean()), low, high, float(scores.mean()), spread,
                   float(lengths.mean()))  # fmt: skip


def _play(player: Player, rung: str, count: int, config: Config, games: int, seed: int) -> tuple[Array, Array, Array]:
    """Share of the win, score and length of some games, seats in turn."""

    def seating(rows: Array, players: Array) -> tuple[Array, Array]:
        return rows % players, np.zeros((len(rows), batch.game.most_seats), np.int64)

    batch = Batch(config.find_game(), games, count, seed, config.options, "outcome", restart=False)
    opponents = [find_player(rung, seed)] if count > 1 else []
    learner = LearnerBatch(batch, opponents, seating)
    learner.reset(seed)
    if hasattr(player, "reset"):
        player.reset(seed)
    actions = np.zeros(games, np.int64)
    while len(rows := np.flatnonzero(~learner.done)):
        actions[rows] = ask(player, Turns.of_batch(batch, rows, player), "the policy")
        learner.step(actions, rows)
    won = (learner.returns + 1) / 2 if count == 1 else _shares(batch.final_place[:, :count], learner.own)
    return won, batch.final_score[np.arange(games), learner.own], batch.final_decisions.copy()


def _shares(places: Array, own: Array) -> Array:
    """1 for a win, an equal part of it where winners tie, 0 for less."""
    won = places == 1
    share: Array = won[np.arange(len(own)), own] / won.sum(1)
    return share
