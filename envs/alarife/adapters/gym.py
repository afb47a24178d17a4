"""Gymnasium: one seat as a single-agent environment, alone or many at once.

``gymnasium.make("alarife/Viva-v1", seat=0, opponents="scripted")`` and ``gymnasium.make_vec`` with the same id.
Observations are the plain vector; the mask is in ``info["action_mask"]`` and in `action_masks()`, where sb3-contrib
looks for it. With ``observation="dict"`` an observation is a dictionary of ``observation`` and ``action_mask``, as in
PettingZoo. `action_space.sample()` draws an action that is legal in the present state. `illegal` says what an illegal
action brings (`alarife.selfplay.conduct`), `max_cycles` after how many own decisions a game is cut off as truncated.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from alarife.adapters.picture import RENDER_MODES, Screen, check_rendering, frame, viewer_of
from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError, OptionError
from alarife.engine.game import Game
from alarife.engine.numbers import Array, is_whole, one_of, seed_number, short
from alarife.engine.options import check_reset
from alarife.engine.registry import find_game, game_names, id_of, words_of
from alarife.engine.table import Table
from alarife.players.find import find_player
from alarife.players.turns import Player
from alarife.selfplay.conduct import Conduct, any_legal
from alarife.selfplay.learner import FixedSeating, LearnerBatch, opponents_of, seat_of_learner

OBSERVATIONS = ("vector", "dict")
VECTOR_RENDER_MODES = RENDER_MODES[:2]  # no screen shows many tables


class LegalDiscrete(gymnasium.spaces.Discrete):
    """All actions of a game; sampled without a mask it draws one that is legal now."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.legal = np.ones(size, np.int8)

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """A random action, by default a legal one."""
        if mask is None and probability is None and self.legal.any():
            mask = self.legal
        return super().sample(mask, probability)

    def __getstate__(self) -> dict[str, Any]:
        return dict(self.__dict__)


class Seats:
    """Who sits where: the learner on a seat or a ``"random"`` one, players on the others, all found at once."""

    def __init__(self, seat: int | str, opponents: str | Player | Sequence[str | Player], batch: Batch) -> None:
        self.opponents, self.seat, self.batch = opponents_of(opponents), seat_of_learner(seat, batch), batch
        self._learner: LearnerBatch | None = None
        self._find(0)

    def _find(self, seed: int) -> list[Player]:
        seeds = np.random.SeedSequence(seed).generate_state(len(self.opponents))
        return [find_player(player, int(s)) for player, s in zip(self.opponents, seeds, strict=True)]

    @property
    def is_begun(self) -> bool:
        """Whether games have begun."""
        return self._learner is not None

    def deal(self, random: np.random.Generator, is_seeded: bool) -> LearnerBatch:
        """The learner's batch with a game begun in every row; a seed, and the first games, bring the players anew."""
        if is_seeded or self._learner is None:
            self._learner = self._begin(random)
        else:
            self._learner.renew(np.arange(self.batch.games))
        return self._learner

    def _begin(self, random: np.random.Generator) -> LearnerBatch:
        words = random.integers(0, 2**32, 3)
        players = self._find(int(words[1]))
        most = self.batch.game.most_seats
        seating = FixedSeating(self.seat, len(players), most, np.random.default_rng(words[0]))
        learner = LearnerBatch(self.batch, players, seating)
        learner.reset(int(words[2]))
        return learner


class OneSeatEnv(gymnasium.Env[Any, int]):
    """One seat of one game, with players on the others.

    `seat` is a number or ``"random"``; `opponents` one player, or a list that takes turns, clockwise
    from the seat after the learner's. `render` shows what the learner sees; `render_seat` fixes a seat, and ``"all"``
    opens everything. With `memory`, observations show what the seat remembers behind what it sees. They are float32, or
    with ``observation_dtype=None`` in the whole numbers that the game writes.

    Where an illegal action is no error, ``info["illegal"]`` tells whether the last one was illegal. A game that was
    lost by one, or cut off, has no score and no place.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}

    def __init__(
        self,
        game: str | Game,
        seat: int | str = 0,
        players: int | None = None,
        opponents: str | Player | Sequence[str | Player] = "scripted",
        reward: str = "outcome",
        render_mode: str | None = None,
        render_seat: int | str | None = None,
        luck: str | None = None,
        memory: bool = False,
        observation_dtype: str | None = "float32",
        observation: str = "vector",
        illegal: str = "raise",
        penalty: float | None = None,
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        self._conduct = Conduct(illegal, penalty, max_cycles, reward)
        self.game, self.render_mode = find_game(game, memory).with_luck(luck), render_mode
        self.render_seat = render_seat
        self._screen: Screen | None = None
        if players is not None and not is_whole(players):
            raise OptionError(f"an environment has one number of players, got players={short(players)}; make_vec takes "
                              "several, for its rows in turn")  # fmt: skip
        self.batch = Batch(self.game, 1, players, 0, options, reward, restart=False)
        self._dtype = self.game.features.dtype_named(observation_dtype)
        check_rendering(render_mode, render_seat, int(self.batch.players[0]))
        self._seats = Seats(seat, opponents, self.batch)
        self.observation_space, self._is_dict = space_of(self.game, self._dtype, observation)
        self.action_space: Any = LegalDiscrete(self.game.actions.size)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game; it is the learner's turn afterwards."""
        check_reset(self.game.options, options)
        super().reset(seed=None if seed is None else seed_number(seed))
        self.learner = self._seats.deal(self.np_random, is_seeded=seed is not None)
        return self._seen()

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        over = bool(self.learner.done[0])
        view = self.game.features.shown(self.learner.view()[0] if over else self.learner.observation[0], self._dtype)
        mask = self.action_masks()
        self.action_space.legal = mask.copy()
        if self.render_mode == "human":
            self.render()
        info = {"action_mask": mask} | (self.learner.summary(0) | self.table.summary() if self.batch.over[0] else {})
        return ({"observation": view, "action_mask": mask.copy()} if self._is_dict else view), info

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, then everybody else up to its next decision."""
        if not self._seats.is_begun:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        learner = self.learner
        wrong = self._conduct.step(learner, np.array([action]), self.np_random)
        terminated, cut = bool(learner.done[0]), self._conduct.cut(learner)
        learner.stop(cut)
        view, info = self._seen()
        if self._conduct.illegal != "raise":
            info["illegal"] = bool(wrong[0])
        return view, float(learner.reward[0]), terminated, len(cut) > 0, info

    def action_masks(self) -> Array:
        """The legal actions as ones."""
        return np.asarray(self.learner.action_mask[0].copy())

    @property
    def table(self) -> Table:
        """The game as a table, a copy."""
        return self.batch.table(0)

    def render(self) -> Any:
        """The table as the learner sees it, or as `render_seat` says."""
        if self.render_mode is None:
            return None
        viewer = viewer_of(self.render_seat, int(self.learner.own[0]))
        if self.render_mode != "human":
            return frame(self.table, self.render_mode, viewer)
        if self._screen is None:
            self._screen = Screen(f"alarife: {self.game.title}")
        self._screen.show(self.table, viewer)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._screen is not None:
            self._screen.close()


class NativeVectorEnv(gymnasium.vector.VectorEnv[Any, Array, Array]):
    """Many one-seat environments on one native batch.

    With `AutoresetMode.SAME_STEP` a finished game is replaced at once: the observation is that of the new game and the
    last one of the old game is in ``infos["final_obs"]``. With `NEXT_STEP` the last observation is returned, and the
    next step ignores the action of that row and begins a game.

    `render` gives one frame for each row: what the learner there sees; `render_seat` fixes a seat, and ``"all"`` opens
    everything. Where an illegal action is no error, ``infos["illegal"]`` tells whose last one was illegal. A game that
    was lost by one, or cut off, has no score and no place.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 64,
        seat: int | str = 0,
        players: int | Sequence[int] | None = None,
        opponents: str | Player | Sequence[str | Player] = "scripted",
        reward: str = "outcome",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        render_seat: int | str | None = None,
        luck: str | None = None,
        memory: bool = False,
        observation_dtype: str | None = "float32",
        observation: str = "vector",
        illegal: str = "raise",
        penalty: float | None = None,
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        self._conduct = Conduct(illegal, penalty, max_cycles, reward)
        self.game, self.num_envs = find_game(game, memory).with_luck(luck), num_envs
        self.render_mode, self.render_seat = render_mode, render_seat
        mode = AutoresetMode(autoreset_mode)
        if mode not in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
            raise AlarifeError(f"autoreset is NextStep or SameStep, got {mode.value}")
        self.autoreset_mode = mode
        self.metadata = {"autoreset_mode": mode, "render_modes": list(VECTOR_RENDER_MODES), "render_fps": 2}
        self.batch = Batch(self.game, num_envs, players, 0, options, reward, restart=False)
        self._dtype = self.game.features.dtype_named(observation_dtype)
        check_rendering(render_mode, render_seat, int(self.batch.players.min()), VECTOR_RENDER_MODES)
        self._seats = Seats(seat, opponents, self.batch)
        self.single_observation_space, self._is_dict = space_of(self.game, self._dtype, observation)
        self.single_action_space = LegalDiscrete(self.game.actions.size)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space: Any = LegalMultiDiscrete(self.game.actions.size, num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game in every row."""
        check_reset(self.game.options, options)
        super().reset(seed=None if seed is None else seed_number(seed))
        self.learner = self._seats.deal(self.np_random, is_seeded=seed is not None)
        return self._observed(), self._infos()

    def _observed(self) -> Any:
        features = self.game.features
        views = features.shown(self.learner.observation, self._dtype)
        if len(over := np.flatnonzero(self.learner.done)):
            views[over] = features.shown(self.learner.view(over), self._dtype)
        return {"observation": views, "action_mask": self.action_masks()} if self._is_dict else views

    def _infos(self) -> dict[str, Any]:
        mask = self.action_masks()
        self.action_space.legal = mask.copy()
        return {"action_mask": mask, "_action_mask": np.ones(self.num_envs, np.bool_)}

    def action_masks(self) -> Array:
        """The legal actions as ones, ``[num_envs, A]``."""
        return np.asarray(self.learner.action_mask.copy())

    def step(self, actions: Array) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        """One decision of the learner in every row."""
        if not self._seats.is_begun:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        learner = self.learner
        playing, waiting = np.flatnonzero(~learner.done), np.flatnonzero(learner.done)
        if len(waiting):
            learner.renew(waiting)
        wrong = self._conduct.step(learner, np.asarray(actions), self.np_random, playing)
        terminated, cut = learner.done.copy(), self._conduct.cut(learner)
        learner.stop(cut)
        reward, truncated = learner.reward.astype(np.float64), learner.done & ~terminated
        told = self._ends(np.flatnonzero(learner.done))
        if self._conduct.illegal != "raise":
            told |= {"illegal": wrong, "_illegal": np.ones(self.num_envs, np.bool_)}
        return self._observed(), reward, terminated, truncated, self._infos() | told

    def _ends(self, over: Array) -> dict[str, Any]:
        """What is told of the games that ended; where these are replaced at once, they are."""
        if not len(over):
            return {}
        told = self._final(over)
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            self.learner.renew(over)
            return told
        return {key: value for key, value in told.items() if not key.lstrip("_").startswith("final")}

    def _final(self, over: Array) -> dict[str, Any]:
        learner, n = self.learner, self.num_envs
        told = {name: np.zeros(n, np.int64) for name in ("score", "place", "decisions", "capped")}
        observed = np.full(n, None, object)
        masks = self.action_masks()
        for view, row in zip(self.game.features.shown(learner.view(over), self._dtype), over, strict=True):
            observed[row] = {"observation": view, "action_mask": masks[row]} if self._is_dict else view
        finished = over[self.batch.over[over] != 0]
        for row in finished:
            about = learner.summary(row)
            for name, column in told.items():
                column[row] = about[name]
        final = {"score": told["score"], "place": told["place"]}
        there = _marked(finished, n)
        columns: dict[str, Any] = {"final_info": final, **told}
        return ({"final_obs": observed, "_final_obs": _marked(over, n)}
                | columns | {f"_{name}": there for name in columns})  # fmt: skip

    def render(self) -> tuple[Any, ...] | None:
        """One frame for each row: as the learner there sees its table, or as `render_seat` says."""
        if self.render_mode is None:
            return None
        seats = [viewer_of(self.render_seat, int(own)) for own in self.learner.own]
        return tuple(frame(self.batch.table(row), self.render_mode, seat) for row, seat in enumerate(seats))

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing to close but threads."""
        self.batch.close()


def _marked(rows: Array, count: int) -> Array:
    """True for these rows."""
    marks = np.zeros(count, np.bool_)
    marks[rows] = True
    return marks


def space_of(game: Game, dtype: np.dtype[Any], observation: str) -> tuple[gymnasium.spaces.Space[Any], bool]:
    """The space of observations, and whether they are dictionaries."""
    box = box_of(game, dtype)
    if one_of(observation, OBSERVATIONS, "form of observations") == "vector":
        return box, False
    mask = gymnasium.spaces.Box(0, 1, (game.actions.size,), np.int8)
    return gymnasium.spaces.Dict({"observation": box, "action_mask": mask}), True


def box_of(game: Game, dtype: np.dtype[Any]) -> gymnasium.spaces.Box:
    """The space of a view: bounds in the type that it comes in."""
    low, high = game.features.bounds(dtype)
    return gymnasium.spaces.Box(low, high, dtype=dtype.type)


class LegalMultiDiscrete(gymnasium.spaces.MultiDiscrete):
    """One action for each row; sampled without a mask it draws legal ones."""

    def __init__(self, size: int, rows: int) -> None:
        super().__init__(np.full(rows, size))
        self.legal = np.ones((rows, size), np.int8)

    def sample(self, mask: Any = None, probability: Any = None) -> Array:
        """Random actions, by default legal ones; a row whose game is over draws any."""
        if mask is not None or probability is not None:
            return super().sample(mask, probability)
        return any_legal(self.legal, self.np_random).astype(self.dtype)


def gym_id(game: Game) -> str:
    """The id under which Gymnasium knows a game: ``alarife/Viva-v1``."""
    return _gym_id(game.id)


def _gym_id(id: str) -> str:
    name, _, version = id.rpartition("_v")
    return f"alarife/{''.join(word.capitalize() for word in name.split('_'))}-v{version}"


def register_games() -> None:
    """Make every game known to Gymnasium; one that cannot be loaded is reported and passed over."""
    for name in game_names():
        try:
            _register(name, id_of(name))
        except Exception as error:
            warnings.warn(f"{words_of(name)} cannot be loaded: {error}", stacklevel=2)


def register_one(game: Game) -> None:
    """Make one game known to Gymnasium."""
    _register(game.name, game.id)


def _register(name: str, id: str) -> None:
    if _gym_id(id) not in gymnasium.registry:
        here = "alarife.adapters.gym"
        gymnasium.register(_gym_id(id), f"{here}:OneSeatEnv", vector_entry_point=f"{here}:NativeVectorEnv",
                           kwargs={"game": name}, disable_env_checker=True)  # fmt: skip
