"""What a runner plays in a league: games in which every seat of the newest self learns.

RLlib knows an agent by name and asks which module decides for it. A name is the module and the seat, ``main@2``, so a
seat's agent says who plays it. In each game one seat is the newest self's; each other seat is the newest self's too,
by the share of `rllib.mirror`, or its player is drawn from the pool. Frozen selves are modules of their own; anchors
decide with what only players get to see, so they play inside the environment and RLlib does not know them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from alarife.engine.errors import AlarifeError
from alarife.engine.numbers import Array
from alarife.engine.table import Table
from alarife.players import ScriptedPlayer, Turns
from alarife.players.policy import inputs_of, with_advice
from alarife.players.turns import decide
from alarife_training.config import Config
from alarife_training.opponents import Clock
from alarife_training.rllib.games import RunnerPool, spaces_of

Told = dict[str, Any]
MAIN = "main"
_INSIDE = ""  # the module of a seat that an anchor plays
_MIRROR = -1  # stands for the newest self where other seats name a member of the pool
_MOST_DEALS = 1000  # games in a row that may end before the newest self's first decision


def module_names(config: Config) -> list[str]:
    """The newest self and one name for each frozen self that the pool can hold."""
    return [MAIN, *(self_name(number) for number in range(config.pool.snapshots))]


def self_name(number: int) -> str:
    """The module of the pool's n-th frozen self."""
    return f"self_{number}"


def module_of(agent: str, episode: Any = None, **_: Any) -> str:
    """The module that decides for an agent."""
    return agent.split("@")[0]


class LeagueEnv(MultiAgentEnv):
    """One game, one agent for each seat that a network plays."""

    def __init__(self, config: Config, runner: int = 0) -> None:
        self.config, self.game, self.runner = config, config.find_game(), runner
        self.pool = RunnerPool(config.pool, self.game.most_seats, 1)
        self.anchors = len(self.pool.members)
        self.tables = [Table(self.game, n, config.options, 0, config.reward) for n in config.counts]
        seats = range(max(config.counts))
        self.possible_agents = [f"{module}@{seat}" for module in module_names(config) for seat in seats]
        seen, chosen = spaces_of(config)
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = dict.fromkeys(self.possible_agents, chosen)
        super().__init__()
        self.agents: list[str] = []
        self.longest = config.longest or self.game.longest + 1
        self.clock, self.decisions = Clock(), 0
        self._adviser = ScriptedPlayer(config.seed)
        self.ended: list[tuple[float, int]] = []  # return and length of the games that ended, until somebody clears it
        self._random = np.random.default_rng(config.seed)

    @property
    def pools(self) -> list[RunnerPool]:
        """The pool of this game."""
        return [self.pool]

    def reset(self, *, seed: int | None = None, options: Told | None = None) -> tuple[Told, Told]:
        """Begin a game in which the newest self gets to decide."""
        if seed is not None:
            self._random = np.random.default_rng([seed, self.runner])
            self.pool.reset(int(self._random.integers(2**63)))
        with self.clock.running():
            return self._begin(), {}

    def _begin(self) -> Told:
        for _ in range(_MOST_DEALS):
            self._deal()
            self._play_inside()
            if not self.table.over:
                return {self._agent(): self._shown(self.table.seat)}
            self._report()
        raise AlarifeError(f"{self.game.id}: {_MOST_DEALS} games in a row ended before a network's first move")

    def _deal(self) -> None:
        self.table = self.tables[int(self._random.integers(len(self.tables)))]
        self.table.reset(int(self._random.integers(2**63)))
        count = self.table.players
        own, self.sits = self.pool.seating(np.zeros(1, np.int64), np.array([count]))
        self.own = int(own[0])
        self.sits[0, self._random.random(self.sits.shape[1]) < self.config.rllib.mirror] = _MIRROR
        self.modules = [MAIN if seat == self.own else self._module(int(self.sits[0, seat])) for seat in range(count)]
        self.agents = [f"{module}@{seat}" for seat, module in enumerate(self.modules) if module != _INSIDE]
        self.due, self.returns = np.zeros(count), np.zeros(count)
        self.asked = np.zeros(count, np.int64)  # decisions of each seat so far

    def _module(self, slot: int) -> str:
        if slot == _MIRROR:
            return MAIN
        return _INSIDE if slot < self.anchors else self_name(slot - self.anchors)

    def _agent(self) -> str:
        seat = self.table.seat
        return f"{self.modules[seat]}@{seat}"

    def _shown(self, seat: int) -> Told:
        table = self.table
        if seat == table.seat and not table.over:
            return {"action_mask": table.masks[0].copy(), "observation": self._advised(table.views[0])}
        view = table.observe(seat)
        view = np.pad(view, (0, inputs_of(self.game, self.config.advice) - len(view)))
        return {"action_mask": np.zeros_like(table.masks[0]), "observation": view}

    def _advised(self, view: Array) -> Array:
        """What the network of the seat to decide sees, fresh."""
        if not self.config.advice:
            return view.copy()
        advice = self._adviser.act(Turns.of_table(self.table, self._adviser))
        return np.asarray(with_advice(view[None], advice, self.game)[0])

    # --- playing ------------------------------------------------------------------------------------

    def step(self, action_dict: dict[str, Any]) -> tuple[Told, Told, Told, Told, Told]:
        """Play the action of the agent to decide, then the anchors, up to the next agent's decision."""
        with self.clock.running():
            return self._step(action_dict)

    def _step(self, action_dict: dict[str, Any]) -> tuple[Told, Told, Told, Told, Told]:
        seat = self.table.seat
        action = int(action_dict[self._agent()])
        self.decisions += self.modules[seat] == MAIN
        self.asked[seat] += 1
        self._advance(action)
        self._play_inside()
        over = self.table.over
        cut = not over and bool(self.asked[self.own] >= self.longest)
        seats = np.flatnonzero(self.asked) if over or cut else np.array([self.table.seat])
        shown = {f"{self.modules[s]}@{s}": self._shown(int(s)) for s in seats}
        paid = {f"{self.modules[s]}@{s}": self._pay(int(s)) for s in seats if self.asked[s]}
        if over or cut:
            self.ended.append((float(self.returns[self.own]), int(self.asked[self.own])))
        if over:
            self._report()
        return shown, paid, {"__all__": over}, {"__all__": cut}, {}

    def _advance(self, action: int) -> None:
        table = self.table
        table.play(action)
        if table.over or table.mode >= 2:
            self.due += table.rewards[0][: table.players]

    def _play_inside(self) -> None:
        table = self.table
        while not table.over and self.modules[table.seat] == _INSIDE:
            slot = int(self.sits[0, table.seat])
            player = self.pool.players[slot]
            self._advance(decide(player, table, self.pool.members[slot].name))

    def _pay(self, seat: int) -> float:
        paid, self.due[seat] = float(self.due[seat]), 0.0
        self.returns[seat] += paid
        return paid * self.config.reward_scale

    def _report(self) -> None:
        places = np.zeros((1, self.game.most_seats), np.int64)
        places[0, : self.table.players] = self.table.places()
        self.pool.report(np.zeros(1, np.int64), np.array([self.own]), self.sits,
                         np.array([self.table.players]), places)  # fmt: skip
