"""Self-play for trainers: episodes against the pool, and these as a `VecEnv` for Stable-Baselines3."""

from __future__ import annotations

from typing import Any

import numpy as np

from alarife.adapters.sb3 import EpisodesVecEnv
from alarife.engine.batch import Batch
from alarife.engine.numbers import Array
from alarife.selfplay.conduct import Conduct
from alarife.selfplay.episodes import Episodes
from alarife.selfplay.learner import LearnerBatch
from alarife_training.config import Config
from alarife_training.opponents import Clock, Pool


class SelfPlay(Episodes):
    """Games in which one seat learns and a pool of others plays the rest; whoever steps them begins them anew."""

    def __init__(self, config: Config, pool: Pool, observation_dtype: str | None = None) -> None:
        game = config.find_game()
        batch = Batch(game, config.games, config.counts, config.seed, config.options, config.reward, restart=False,
                      observation_dtype=observation_dtype)  # fmt: skip
        self.pool, self.clock = pool, Clock()
        learner = LearnerBatch(batch, [], pool.seating, config.skip_forced)
        learner.opponents = pool.players  # the pool's own list: it grows
        conduct = Conduct(max_cycles=config.longest or game.longest + 1)
        Episodes.__init__(self, learner, conduct, config.reward_scale, config.advice)

    def reseed(self, seed: int) -> None:
        """Begin the pool's random streams anew."""
        self.pool.reset(seed)

    def report(self, over: Array) -> None:
        """Tell the pool who came out how."""
        batch, learner = self.batch, self.learner
        self.pool.report(over, learner.own[over], learner.sits[over], batch.players[over], batch.final_place[over])


class SelfPlayVecEnv(SelfPlay, EpisodesVecEnv):
    """Thousands of games in which one seat learns, as Stable-Baselines3 wants them."""

    def __init__(self, config: Config) -> None:
        SelfPlay.__init__(self, config, Pool(config.pool, config.find_game().most_seats, config.games))
        EpisodesVecEnv.__init__(self)

    def reset(self) -> Array:
        """Begin anew in every row, with the same games each time."""
        return self.begin(self.batch.seed)

    def seed(self, seed: int | None = None) -> list[int | None]:
        """The seed of the next `reset`."""
        self.batch.seed = self.batch.seed if seed is None else seed
        return [seed] * self.num_envs

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """Play the learner's actions, then everybody else, on the clock."""
        with self.clock.running():
            return super().step_wait()


def views_of_play(config: Config, games: int = 64, decisions: int = 256) -> Array:
    """What seats see in games of the script with random moves in between, ``[m, F]`` floats, without advice."""
    batch = Batch(config.find_game(), games, config.counts, config.seed, config.options)
    views = []
    for number in range(decisions):
        views.append(batch.game.features.decode(batch.observation).copy())
        batch.step(batch.sample() if number % 4 == 3 else batch.script())
    return np.concatenate(views)
