"""PettingZoo's AEC environment.

Agents are ``player_0`` to ``player_{n-1}``, in seat order. A seat may decide several times in a row, and a seat that
waits or is out of a round is passed over: all agents terminate in the same step. An agent's reward is the sum of what
came in since its own last decision, as PettingZoo accumulates it; over a game it adds up to the final value exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import pettingzoo
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from alarife.adapters.picture import RENDER_MODES, Screen, check_rendering, frame, viewer_of
from alarife.engine.batch import illegal_sentence
from alarife.engine.errors import AlarifeError, IllegalAction
from alarife.engine.game import Game
from alarife.engine.numbers import action_number, seed_number, short
from alarife.engine.options import check_reset
from alarife.engine.registry import find_game, game_names, id_of
from alarife.engine.table import Table
from alarife.selfplay.conduct import cycles_number


class AlarifeAEC(AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """One game as a PettingZoo environment; with `memory`, agents see what they remember behind what they see.

    `render` shows what the seat to decide sees; `render_seat` fixes a seat, and ``"all"`` opens everything. After
    `max_cycles`, a decision for each seat making one, all agents are truncated.
    """

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        reward: str = "outcome",
        render_mode: str | None = None,
        render_seat: int | str | None = None,
        interpreted: bool | None = None,
        luck: str | None = None,
        memory: bool = False,
        observation_dtype: str | None = "float32",
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        cycles = cycles_number(max_cycles)
        game = find_game(game, memory)
        self.render_mode, self.render_seat = render_mode, render_seat
        self.metadata = {"render_modes": list(RENDER_MODES), "name": game.id, "is_parallelizable": False,
                         "render_fps": 2}  # fmt: skip
        kind = {} if interpreted is None else {"interpreted": interpreted}
        self.table = Table(game, players, options, seed=0, reward=reward, luck=luck,
                           observation_dtype=observation_dtype, **kind)  # fmt: skip
        check_rendering(render_mode, render_seat, self.table.players)
        self.game, self._fresh = self.table.game, True
        self.possible_agents = [f"player_{i}" for i in range(self.table.players)]
        self._last_decision = None if cycles is None else cycles * self.table.players
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._spaces()
        self.agents: list[str] = []
        self._screen: Screen | None = None
        self._next_seeds = np.random.default_rng()

    def _spaces(self) -> None:
        dtype = self.table.views.dtype
        low, high = self.game.features.bounds(dtype)
        size = self.game.actions.size
        self.action_spaces = {agent: gymnasium.spaces.Discrete(size) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict({
                "observation": gymnasium.spaces.Box(low, high, dtype=dtype.type),
                "action_mask": gymnasium.spaces.Box(0, 1, (size,), np.int8),
            })
            for agent in self.possible_agents
        }  # fmt: skip
        seats = len(self.possible_agents)
        self.state_space = gymnasium.spaces.Box(np.tile(low, seats), np.tile(high, seats), dtype=dtype.type)
        self._no_moves = np.zeros(size, np.int8)

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """A dictionary of ``observation`` and ``action_mask``."""
        return self.observation_spaces[self._name(agent)]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """All actions of the game."""
        return self.action_spaces[self._name(agent)]

    def _name(self, agent: Any) -> str:
        if not isinstance(agent, str) or agent not in self._seat_of:
            raise AlarifeError(f"no agent called {short(agent)}. Allowed: {', '.join(self.possible_agents)}")
        return agent

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. Without a seed the next game of the same random stream; options of the game are kept."""
        check_reset(self.game.options, options)
        seed = None if seed is None else seed_number(seed)
        if seed is None and not self._fresh:
            seed = int(self._next_seeds.integers(2**63))
        elif seed is not None or self._fresh:
            self._next_seeds = np.random.default_rng(seed)
        self._fresh = False
        self.table.reset(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.table.seat]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees; the mask of an agent that is not to decide is empty."""
        seat, table = self._seat_of[self._name(agent)], self.table
        if seat == table.seat:
            return {"observation": table.view_row.copy(), "action_mask": table.mask_row.copy()}
        return {"observation": table.observe(seat), "action_mask": self._no_moves.copy()}

    def step(self, action: int | None) -> None:
        """Play the action of the agent to decide; an agent of a finished game takes None."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        table = self.table
        table.advance(self._checked(action))
        self._cumulative_rewards[agent] = 0.0
        if table.over:
            self._finish()
        elif table.mode >= 2:
            self._pay()
        if self._last_decision is not None and not table.over and table.state.decisions >= self._last_decision:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[table.seat]
        if self.render_mode == "human":
            self.render()

    def _checked(self, action: Any) -> int:
        mask, number = self.table.mask_row, action_number(action)
        if number is None or not (0 <= number < len(mask) and mask[number]):
            raise IllegalAction(illegal_sentence(self.game, mask, self.table.seat, action))
        return number

    def _pay(self) -> None:
        self.rewards = dict(zip(self.agents, self.table.rewards[0].tolist(), strict=False))
        self._accumulate_rewards()

    def _finish(self) -> None:
        self._pay()
        self.terminations = dict.fromkeys(self.agents, True)
        scores, places, more = self.table.scores(), self.table.places(), self.table.summary()
        for seat, agent in enumerate(self.agents):
            self.infos[agent] = {"score": scores[seat], "place": places[seat], **more}

    def state(self) -> np.ndarray:
        """What all seats together see, one view after another."""
        return np.concatenate([self.table.observe(seat) for seat in range(len(self.possible_agents))])

    def render(self) -> str | np.ndarray | None:
        """The table as text, as pixels, or on the screen: as the seat to decide sees it, or as `render_seat` says."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode: ansi, rgb_array or human")
            return None
        viewer = viewer_of(self.render_seat, self.table.seat)
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
            self._screen = None

    def __str__(self) -> str:
        return self.game.id


#: What an environment tells beside its calls, once it has been reset.
_TOLD = {"agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "_cumulative_rewards"}


class CheckedAEC(OrderEnforcingWrapper[str, dict[str, Any], int]):  # type: ignore[misc]
    """The environment with PettingZoo's checks of the calling order. PettingZoo tells no types: these are its.

    In the right order the environment is asked at once; PettingZoo looks for each name here first, five times a call.
    """

    if TYPE_CHECKING:
        agents: list[str]
        possible_agents: list[str]
        agent_selection: str
        rewards: dict[str, float]
        terminations: dict[str, bool]
        truncations: dict[str, bool]
        infos: dict[str, dict[str, Any]]

        @property
        def unwrapped(self) -> AlarifeAEC: ...  # noqa: D102
        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None: ...  # noqa: D102
        def step(self, action: int | None) -> None: ...  # noqa: D102
        def observe(self, agent: str) -> dict[str, Any]: ...  # noqa: D102
        def last(self, observe: bool = True) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]: ...  # noqa: D102

    else:

        def __getattr__(self, name):
            if name in _TOLD and self.__dict__.get("_has_reset"):
                return getattr(self.env, name)
            return super().__getattr__(name)

        def last(self, observe=True):  # noqa: D102
            own = type(self) is CheckedAEC and self._has_reset  # a subclass may observe otherwise
            return self.env.last(observe) if own else super().last(observe)

        def step(self, action):  # noqa: D102
            if self._has_reset and self.env.agents:
                self._has_updated = True
                self.env.step(action)
            else:
                super().step(action)


class GameModule:
    """What ``alarife.viva_v1`` is: the two makers that PettingZoo users expect of a module."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.__name__ = f"alarife.{game.id}"
        self.__doc__ = game.title

    def raw_env(self, **settings: Any) -> AlarifeAEC:
        """The bare environment."""
        return AlarifeAEC(self.game, **settings)

    def env(self, **settings: Any) -> CheckedAEC:
        """The environment with PettingZoo's checks of the calling order."""
        return CheckedAEC(self.raw_env(**settings))

    def __repr__(self) -> str:
        return f"<{self.__name__}: env, raw_env>"


def register_games() -> None:
    """Make every game known to PettingZoo from 1.27 on: ``pettingzoo.make("aec", "alarife/viva_v1")``."""
    for name in game_names():
        with suppress(Exception):  # a plug-in that cannot be loaded has been reported by Gymnasium's adapter
            _register(id_of(name), partial(make, name))


def register_one(game: Game) -> None:
    """Make one game known to PettingZoo."""
    _register(game.id, partial(make, game))


def _register(id: str, maker: Callable[..., CheckedAEC]) -> None:
    if not hasattr(pettingzoo, "aec_registry"):
        return  # older ones have none
    name = "-v".join(f"alarife/{id}".rsplit("_v", 1))
    if name not in pettingzoo.aec_registry:
        pettingzoo.register("aec", name, maker)


def make(game: str | Game, **settings: Any) -> CheckedAEC:
    """The environment of a game, which is loaded now if only its name was known."""
    return GameModule(find_game(game)).env(**settings)
