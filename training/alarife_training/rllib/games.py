"""What a runner plays with one learner a game: a native batch with everybody else inside.

RLlib takes every vector environment to be one that begins finished games with the next step, and passes over the row's
action then. This one does: the last view comes with the end, the first view of the next game one step later.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from alarife.adapters.sb3 import box_of
from alarife.engine.numbers import Array
from alarife.players import Player
from alarife_training.config import Config
from alarife_training.config import Pool as PoolConfig
from alarife_training.opponents import Member, Pool
from alarife_training.vec_env import SelfPlay


def spaces_of(config: Config) -> tuple[gymnasium.spaces.Dict, Any]:
    """What a seat sees, its mask included, and what it answers."""
    game = config.find_game()
    size = game.actions.size
    seen = gymnasium.spaces.Dict({
        "action_mask": gymnasium.spaces.Box(0, 1, (size,), np.int8),
        "observation": box_of(game, config.advice),
    })  # fmt: skip
    return seen, gymnasium.spaces.Discrete(size)


class RunnerPool(Pool):
    """A runner's copy of the pool: the driver says who is in it, results go back to the driver."""

    def __init__(self, config: PoolConfig, most_seats: int, games: int) -> None:
        super().__init__(config, most_seats, games)
        self.heard: list[tuple[int, str, Array]] = []  # slot and name of a member, points against it

    def report(self, rows: Array, own: Array, sits: Array, players: Array, places: Array) -> None:
        """Keep the results of games that ended for the driver."""
        for slot, points in self.results(rows, own, sits, players, places):
            if len(points):
                self.heard.append((slot, self.members[slot].name, points))

    def put(self, slot: int, name: str, player: Player) -> None:
        """Seat a snapshot in a slot; games begun before do not count for it."""
        self._clock += 1
        member = Member(name, player, False, joined=self._clock)
        timed = self.timed(player)
        if slot == len(self.members):
            self.members.append(member)
            self.players.append(timed)
        else:
            self.members[slot], self.players[slot] = member, timed


class RunnerEnv(SelfPlay, gymnasium.vector.VectorEnv[Any, Array, Array]):
    """Games side by side in which one seat learns, finished ones begun anew with the next step."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}

    def __init__(self, config: Config) -> None:
        game = config.find_game()
        SelfPlay.__init__(self, config, RunnerPool(config.pool, game.most_seats, config.games), "float32")
        self.num_envs, self._seed = config.games, config.seed
        self.single_observation_space, self.single_action_space = spaces_of(config)
        self.observation_space = batch_space(self.single_observation_space, config.games)
        self.action_space = batch_space(self.single_action_space, config.games)
        self._waiting = np.zeros(0, np.int64)  # rows whose game ended with the last step
        self.decisions = 0  # of the learner, until somebody clears it

    @property
    def pools(self) -> list[RunnerPool]:
        """The one pool of all games."""
        assert isinstance(self.pool, RunnerPool)
        return [self.pool]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game in every row; without a seed, the next ones of the same streams."""
        if seed is None:
            seed, self._seed = self._seed, self._seed + 1
        with self.clock.running():
            self.begin(seed)
            self._waiting = np.zeros(0, np.int64)
            return self._shown(), {}

    def step(self, actions: Array) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        """One decision of the learner in every row whose game goes on; the others begin a game."""
        with self.clock.running():
            return self._step(actions)

    def _step(self, actions: Array) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        waiting, learner = self._waiting, self.learner
        playing = np.setdiff1d(np.arange(self.num_envs), waiting)
        rewards, over, cut = np.zeros(self.num_envs, np.float32), playing[:0], playing[:0]
        if len(playing):
            learner.step(np.asarray(actions, np.int64), playing)
            rewards[playing] = learner.reward[playing] * self.scale
            over, cut = self.ending(playing)
        if len(waiting):
            self.renew(waiting)
        self.decisions += len(playing)
        self._waiting = np.concatenate([over, cut])
        terminated, truncated = np.zeros((2, self.num_envs), np.bool_)
        terminated[over], truncated[cut] = True, True
        return self._shown(), rewards, terminated, truncated, {}

    def _shown(self) -> dict[str, Array]:
        over = np.flatnonzero(self.learner.done)
        alive = np.flatnonzero(~self.learner.done)
        views = np.zeros((self.num_envs, self.inputs), np.float32)
        views[alive] = self.seen(alive)
        if len(over):
            views[over] = self.seen_last(over)
        return {"action_mask": self.learner.action_mask.copy(), "observation": views}

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self.batch.close()
