"""The learner's side of a native batch as a vectorised environment for Stable-Baselines3.

It shows the learner's decisions only; everybody else is played inside, in batches. Every array handed out is fresh:
Stable-Baselines3 stores an observation after the step that follows it. A finished game is replaced in the same step,
and masks always belong to the observations shown last. A game that is cut off ends as truncated, without a result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError
from alarife.engine.game import Game
from alarife.engine.numbers import Array
from alarife.players.policy import inputs_of, with_advice
from alarife.selfplay.learner import LearnerBatch
from alarife_training.config import Config
from alarife_training.opponents import Clock, Pool

_MOST_RENEWALS = 1000  # games in a row that may end before the learner's first decision


class SelfPlay:
    """Games in which one seat learns and a pool of others plays the rest; whoever steps them begins them anew."""

    def __init__(self, config: Config, pool: Pool, observation_dtype: str | None = None) -> None:
        game = config.find_game()
        self.batch = Batch(game, config.games, config.counts, config.seed, config.options, config.reward, restart=False,
                           observation_dtype=observation_dtype)  # fmt: skip
        self.pool = pool
        self.learner = LearnerBatch(self.batch, [], pool.seating, config.skip_forced)
        self.learner.opponents = pool.players  # the pool's own list: it grows
        self.scale = np.float32(config.reward_scale)
        self.longest = config.longest or game.longest + 1
        self.clock = Clock()
        self.ended: list[tuple[float, int]] = []  # return and length of the games that ended, until somebody clears it
        self.advised = config.advice
        self.inputs = inputs_of(game, self.advised)

    def begin(self, seed: int) -> Array:
        """Begin anew in every row, all random streams included."""
        self.pool.reset(seed)
        self.learner.reset(seed)
        rows = np.arange(self.batch.games)
        self._skip_ended(rows)
        return self.seen(rows)

    def seen(self, rows: Array) -> Array:
        """What the network sees in these rows, whose games go on; fresh."""
        views = self.learner.observation[rows]
        return with_advice(views, self.batch.script(rows)[rows], self.batch.game) if self.advised else views

    def seen_last(self, rows: Array) -> Array:
        """What the network sees of finished games, in which nothing can be advised."""
        views = self.learner.view(rows)
        return np.pad(views, ((0, 0), (0, self.inputs - views.shape[1])))

    def ending(self, rows: Array) -> tuple[Array, Array]:
        """Those of the rows whose game has ended, and those whose game is cut off; both are counted."""
        learner = self.learner
        over = rows[learner.done[rows]]
        cut = rows[~learner.done[rows] & (learner.decisions[rows] >= self.longest)]
        for row in (*over, *cut):
            self.ended.append((float(learner.returns[row]), int(learner.decisions[row])))
        self._report(over)
        return over, cut

    def renew(self, rows: Array) -> None:
        """Begin the next game in these rows."""
        self.learner.renew(rows)
        self._skip_ended(rows)

    def _skip_ended(self, rows: Array) -> None:
        """Games that ended before the learner had a say teach nothing: deal again."""
        for _ in range(_MOST_RENEWALS):
            over = rows[self.learner.done[rows]]
            if not len(over):
                return
            self._report(over)
            self.learner.renew(over)
        raise AlarifeError(
            f"{self.batch.game.id}: {_MOST_RENEWALS} games in a row ended before the learner's first move"
        )

    def _report(self, over: Array) -> None:
        batch, learner = self.batch, self.learner
        self.pool.report(over, learner.own[over], learner.sits[over], batch.players[over], batch.final_place[over])

    def action_masks(self) -> Array:
        """The legal actions of the observations shown last, ``[n, A]`` bool."""
        return np.asarray(self.learner.action_mask != 0)


def box_of(game: Game, advised: bool, dtype: Any = np.float32) -> gymnasium.spaces.Box:
    """The space of what a network sees: floats, or whole numbers as the game writes them."""
    low, high = game.features.bounds(dtype)
    if advised:
        low, high = (np.append(bound, np.full(game.actions.size, edge, bound.dtype))
                     for bound, edge in ((low, 0), (high, 1)))  # fmt: skip
    return gymnasium.spaces.Box(low, high, dtype=low.dtype.type)


class SelfPlayVecEnv(SelfPlay, VecEnv):
    """Thousands of games in which one seat learns, as Stable-Baselines3 wants them."""

    render_mode = None

    def __init__(self, config: Config) -> None:
        game = config.find_game()
        SelfPlay.__init__(self, config, Pool(config.pool, game.most_seats, config.games))
        self._actions, self._rows = np.zeros(config.games, np.int64), np.arange(config.games)
        seen = box_of(game, config.advice, self.batch.observation_dtype)
        VecEnv.__init__(self, config.games, seen, gymnasium.spaces.Discrete(game.actions.size))

    def reset(self) -> Array:
        """Begin anew in every row."""
        return self.begin(self.batch.seed)

    def step_async(self, actions: Array) -> None:
        """Take the learner's actions."""
        self._actions = actions

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """Play them, then everybody else, up to the learner's next decision."""
        with self.clock.running():
            learner = self.learner
            learner.step(np.asarray(self._actions))
            rewards = learner.reward * self.scale
            over, cut = self.ending(self._rows)
            infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
            if len(ending := np.concatenate([over, cut])):
                self._tell_ends(over, self.seen_last(over), infos)
                self._tell_ends(cut, self.seen(cut), infos)
                for row in cut:
                    infos[row]["TimeLimit.truncated"] = True
                self.renew(ending)
            dones = np.zeros(self.num_envs, np.bool_)
            dones[ending] = True
            return self.seen(self._rows), rewards, dones, infos

    def _tell_ends(self, rows: Array, views: Array, infos: list[dict[str, Any]]) -> None:
        learner = self.learner
        for row, view in zip(rows, views, strict=True):
            told = {"r": float(learner.returns[row]), "l": int(learner.decisions[row]), "t": 0.0}
            infos[row] = {"terminal_observation": view, "episode": told}

    # --- what Stable-Baselines3 asks for ---------------------------------------------------------------

    def has_attr(self, attr_name: str) -> bool:
        """Masks are all that is offered by name."""
        return attr_name == "action_masks"

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> Any:
        """The masks, as one array."""
        if method_name != "action_masks":
            raise AttributeError(f"this environment offers action_masks, not {method_name}")
        masks = self.action_masks()
        return masks if indices is None else masks[indices]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """One attribute, the same for each row."""
        return [getattr(self, attr_name)] * len(np.arange(self.num_envs)[slice(None) if indices is None else indices])

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refused: rows are not objects of their own."""
        raise AttributeError(f"rows of a native batch have no attributes of their own, got {attr_name}")

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: Any = None
    ) -> list[bool]:
        """Whether rows are wrapped: they never are."""
        return [False] * self.num_envs

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The seed of the next `reset`."""
        self.batch.seed = self.batch.seed if seed is None else seed
        return [seed] * self.num_envs

    def close(self) -> None:
        """End the threads."""
        self.batch.close()


def views_of_play(config: Config, games: int = 64, decisions: int = 256) -> Array:
    """What seats see in games of the script with random moves in between, ``[m, F]`` floats, without advice."""
    batch = Batch(config.find_game(), games, config.counts, config.seed, config.options)
    views = []
    for number in range(decisions):
        views.append(batch.game.features.decode(batch.observation).copy())
        batch.step(batch.sample() if number % 4 == 3 else batch.script())
    return np.concatenate(views)
