"""Stable-Baselines3: many games on one native batch as a `VecEnv`.

``NativeVecEnv("viva", 256, opponents=["random", "scripted"])``. sb3-contrib finds the masks where it looks for them,
with ``env_method("action_masks")``; algorithms that know of no masks need ``illegal="random"``.

It shows the learner's decisions only; everybody else is played inside, in batches. Every array handed out is fresh:
Stable-Baselines3 stores an observation after the step that follows it. A finished game is replaced in the same step,
and masks always belong to the observations shown last. A game that is cut off ends as truncated, without a result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from alarife.engine.batch import Batch
from alarife.engine.errors import missing_extra
from alarife.engine.game import Game
from alarife.engine.numbers import Array, seed_number, switch
from alarife.engine.registry import find_game
from alarife.players.find import find_player
from alarife.players.turns import Player
from alarife.selfplay.conduct import Conduct
from alarife.selfplay.episodes import Episodes
from alarife.selfplay.learner import DrawnSeating, LearnerBatch, opponents_of, reseed, seat_of_learner

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError:
    raise missing_extra("environments for Stable-Baselines3 need", "train") from None


def box_of(game: Game, advised: bool, dtype: Any = np.float32) -> gymnasium.spaces.Box:
    """The space of what a network sees: floats, or whole numbers as the game writes them."""
    low, high = game.features.bounds(dtype)
    if advised:
        low, high = (np.append(bound, np.full(game.actions.size, edge, bound.dtype))
                     for bound, edge in ((low, 0), (high, 1)))  # fmt: skip
    return gymnasium.spaces.Box(low, high, dtype=low.dtype.type)


class EpisodesVecEnv(Episodes, VecEnv):
    """Episodes as Stable-Baselines3 wants them; one who mixes this in makes the episodes first."""

    render_mode = None

    def __init__(self) -> None:
        game, games = self.batch.game, self.batch.games
        self._actions, self._rows = np.zeros(games, np.int64), np.arange(games)
        self._deals = np.random.default_rng()
        seen = box_of(game, self.advised, self.batch.observation_dtype)
        VecEnv.__init__(self, games, seen, gymnasium.spaces.Discrete(game.actions.size))

    def reset(self) -> Array:
        """Begin anew in every row: the first games of the seed, or the next ones of the same stream."""
        return self.begin(int(self._deals.integers(2**63)))

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The seed of the next `reset`."""
        self._deals = np.random.default_rng(None if seed is None else seed_number(seed))
        return [seed] * self.num_envs

    def step_async(self, actions: Array) -> None:
        """Take the learner's actions."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """Play them, then everybody else, up to the learner's next decision."""
        wrong = self.play(self._actions)
        rewards = self.learner.reward * self.scale
        over, cut = self.ending(self._rows)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if len(ending := np.concatenate([over, cut])):
            self._tell_ends(over, self.seen_last(over), infos)
            self._tell_ends(cut, self.seen(cut), infos)
            for row in cut:
                infos[row]["TimeLimit.truncated"] = True
            self.renew(ending)
        for row in np.flatnonzero(wrong):
            infos[row]["illegal"] = True
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

    def close(self) -> None:
        """End the threads."""
        self.batch.close()


class NativeVecEnv(EpisodesVecEnv):
    """Many games on one native batch, one seat of each for the learner.

    `opponents` are players or their names (``"random"``, ``"scripted"``, ``"trained"``, ``"best.safetensors"``, ...):
    every seat that is not the learner's draws one of them anew for each game. `seat` is a number or ``"random"``, drawn
    anew for each game as well. `illegal`, `penalty` and `max_cycles` are those of `alarife.selfplay.conduct.Conduct`;
    where an illegal action is no error, the info of its row says ``illegal``. With `skip_forced` a lone legal action is
    played without asking. With ``observation_dtype=None`` views come in the whole numbers that the game writes.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 64,
        seat: int | str = "random",
        players: int | Sequence[int] | None = None,
        opponents: str | Player | Sequence[str | Player] = "scripted",
        reward: str = "outcome",
        luck: str | None = None,
        memory: bool = False,
        observation_dtype: str | None = "float32",
        illegal: str = "raise",
        penalty: float | None = None,
        max_cycles: int | None = None,
        skip_forced: bool = False,
        threads: int = 1,
        **options: Any,
    ) -> None:
        conduct = Conduct(illegal, penalty, max_cycles, reward)
        batch = Batch(find_game(game, memory), num_envs, players, 0, options, reward, restart=False, threads=threads,
                      luck=luck, observation_dtype=observation_dtype)  # fmt: skip
        self.opponents = [find_player(player) for player in opponents_of(opponents)]
        own = seat_of_learner(seat, batch)
        self.seating = DrawnSeating(own, len(self.opponents), batch.game.most_seats, np.random.default_rng())
        learner = LearnerBatch(batch, self.opponents, self.seating, switch(skip_forced, "skip_forced"))
        Episodes.__init__(self, learner, conduct)
        EpisodesVecEnv.__init__(self)

    def reseed(self, seed: int) -> None:
        """Begin the draws of seats and the players' random streams anew."""
        self.seating.random = np.random.default_rng([seed, 0])
        reseed(self.opponents, seed)
