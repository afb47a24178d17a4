"""Players that look ahead: flat Monte Carlo and information-set Monte Carlo tree search.

They are named with a budget, and settings after further colons: ``mc:200``, ``ismcts:1000``, ``ismcts:500ms``,
``ismcts:1000:random:cut=100``. How the search works is told in `alarife.engine.search`.
"""

from __future__ import annotations

import dataclasses
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from alarife.engine.errors import AlarifeError, nearest
from alarife.engine.game import Game
from alarife.engine.moves import moves_record
from alarife.engine.random import Stream, stream_key
from alarife.engine.result import OUTCOME, REWARDS, SCORE, Result
from alarife.engine.search import MOST_DEPTH, NONE, Edge, Node, Outcome, Plan, Step, Tally, Tree, searchers
from alarife.engine.table import Table
from alarife.players.turns import Array, Turns

ROLLOUTS = {"random": 0.0, "scripted": 1.0}
INFORMATION = "own", "each"
MOST_TREES = 64  # tables whose trees are kept
MOST_NODES = 2**17  # of a tree that grows by the clock
CHUNK = 32  # playouts between two looks at the clock


@dataclass(frozen=True)
class Settings:
    """What can be said of a search after its name.

    - ``playouts``, or ``milliseconds`` of a decision
    - ``rollout``: who plays on beyond the tree, ``random`` or ``scripted``
    - ``cut``: decisions of a rollout, after which the standing is its value; 0: play to the end
    - ``reward``: what is sought, a reward mode; by default ``outcome``, and ``score`` at a table for one
    - ``exploration``, ``width``, ``widening``, ``patience``: see `alarife.engine.search`
    - ``information``: nodes hold what the ``own`` (the searching) seat sees, or what ``each`` seat to decide sees
    - ``reuse``: whether a tree is kept for the next decision
    """

    playouts: int = 200
    milliseconds: int = 0
    rollout: str = "scripted"
    cut: int = 0
    reward: str = ""
    exploration: float = 0.7
    width: float = 4.0
    widening: float = 0.5
    patience: int = 10
    information: str = "own"
    reuse: bool = True

    def __post_init__(self) -> None:
        lowest = {"playouts": 1} | dict.fromkeys(
            ("milliseconds", "cut", "patience", "exploration", "width", "widening"), 0
        )
        for name, low in lowest.items():
            if getattr(self, name) < low:
                raise AlarifeError(f"a search takes {name} from {low} on, got {getattr(self, name)}")
        words = {"rollout": tuple(ROLLOUTS), "reward": ("", *REWARDS), "information": INFORMATION}
        for name, allowed in words.items():
            if getattr(self, name) not in allowed:
                raise AlarifeError(f"no {name} called {getattr(self, name)!r}{nearest(getattr(self, name), allowed)}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Settings from words between colons: ``1000``, ``500ms``, ``random``, ``cut=100``."""
        values: dict[str, Any] = {}
        for word in filter(None, text.split(":")):
            name, equals, value = word.partition("=")
            if equals:
                values[name] = cls._read(name, value)
            elif found := re.fullmatch(r"(\d+)(ms)?", word):
                values["milliseconds" if found[2] else "playouts"] = int(found[1])
            else:
                values["rollout"] = word
        return cls(**values)

    @classmethod
    def _read(cls, name: str, value: str) -> Any:
        fields = {field.name: field for field in dataclasses.fields(cls)}
        if name not in fields:
            raise AlarifeError(f"a search has no setting called {name!r}{nearest(name, fields)}")
        kind: type[Any] = type(fields[name].default)
        try:
            return {"true": True, "false": False}[value] if kind is bool else kind(value)
        except (KeyError, ValueError):
            raise AlarifeError(f"the setting {name} of a search takes a {kind.__name__}, got {value!r}") from None

    def plan(self, seats: int) -> Array:
        """The settings as the kernels take them."""
        plan = Plan.zeros(1)
        plan["exploration"], plan["width"], plan["widening"] = self.exploration, self.width, self.widening
        plan["scripted"] = ROLLOUTS[self.rollout]
        plan["cut"] = self.cut or 2**31 - 1
        plan["mode"] = REWARDS.index(self.reward) if self.reward else SCORE if seats == 1 else OUTCOME
        plan["each"] = self.information == "each"
        plan["patience"] = self.patience
        return plan


class _Work:
    """Arrays that the kernels need for one game."""

    def __init__(self, game: Game) -> None:
        self.kernels = searchers(game)
        self.moves = moves_record(game.actions.size).zeros(1)
        self.marks = np.zeros(game.actions.size, np.int8)
        self.views = np.zeros((1, game.features.size), np.float32)
        self.start, self.state = game.state.zeros(1), game.state.zeros(1)
        self.results, self.outcomes = Result.zeros(1), Outcome.zeros(1)
        self.path = Step.zeros(MOST_DEPTH)
        self.tallies = Tally.zeros(game.actions.size)


class _Tree:
    """The memory of one tree."""

    def __init__(self, nodes: int) -> None:
        self.tree, self.nodes, self.edges = Tree.zeros(1), Node.zeros(nodes), Edge.zeros(2 * nodes)
        self.slots = np.zeros(2 * nodes, np.int32)
        self.about: Any = None

    def clear(self, mode: int, about: Any) -> None:
        """Forget everything. Values of bounded modes lie between -1 and 1; the range of others is found out."""
        self.slots[:] = NONE
        self.tree["nodes"] = self.tree["edges"] = 0
        self.tree["low"], self.tree["high"] = (-1, 1) if mode < SCORE else (np.inf, -np.inf)
        self.about = about

    def has_room(self, playouts: int) -> bool:
        """Whether it can grow by that many playouts, by all experience."""
        return bool(self.tree["nodes"][0] + playouts <= len(self.nodes))


class Searcher:
    """What both searches share: settings, budget, seeded randomness, workspaces."""

    def __init__(self, settings: str | Settings = "", seed: int | None = None) -> None:
        self.settings = settings if isinstance(settings, Settings) else Settings.parse(settings)
        self._work: dict[str, _Work] = {}
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Begin the player's random stream anew."""
        self._random = np.random.default_rng(seed)
        self._stream = Stream.zeros(1)
        self._stream["rng"] = stream_key(self._random.integers(0, 2**64, dtype=np.uint64), 0)
        #: Playouts of the last call, and the decisions taken in their rollouts.
        self.playouts = self.decisions = 0

    def act(self, turns: Turns) -> Array:
        """The best action found for each row; a row with one legal action is not searched."""
        visits, means = self.search(turns)
        return self.choose(visits, means, turns.action_mask)

    def choose(self, visits: Array, means: Array, mask: Array) -> Array:
        """The action to play, given visits and mean values ``[n, A]``."""
        raise NotImplementedError

    def search(self, turns: Turns) -> tuple[Array, Array]:
        """Visits and mean values for the seat to decide, ``[n, A]`` each, 0 where nothing was tried."""
        game = turns.game
        if game.id not in self._work:
            self._work[game.id] = _Work(game)
        work = self._work[game.id]
        visits = np.zeros(turns.action_mask.shape, np.int64)
        means = np.zeros(turns.action_mask.shape)
        forks = turns.fork(self._random.integers(0, 2**64, len(turns), np.uint64))
        self.playouts = self.decisions = 0
        for row in np.flatnonzero(turns.action_mask.sum(1) > 1):
            self._search_row(turns, int(row), forks, work)
            visits[row] = work.tallies["visits"]
            means[row] = work.tallies["total"] / np.maximum(1, visits[row])
        return visits, means

    def _search_row(self, turns: Turns, row: int, forks: Array, work: _Work) -> None:
        raise NotImplementedError

    def _spend(self, run: Callable[[int], int], at_once: int = CHUNK) -> None:
        """Call `run` with numbers of playouts until the budget is spent; `at_once` between two looks at the clock."""
        if not self.settings.milliseconds:
            self.decisions += run(self.settings.playouts)
            self.playouts += self.settings.playouts
            return
        end = time.perf_counter() + self.settings.milliseconds / 1000
        while time.perf_counter() < end:
            self.decisions += run(at_once)
            self.playouts += at_once


class MonteCarlo(Searcher):
    """Flat Monte Carlo: playouts spread evenly over the legal actions, the best mean is played."""

    def choose(self, visits: Array, means: Array, mask: Array) -> Array:
        """The highest mean among the actions tried; the only legal action where nothing was."""
        tried = np.where(visits > 0, means, -np.inf)
        best: Array = np.where(visits.any(1), tried.argmax(1), mask.argmax(1))
        return best

    def _search_row(self, turns: Turns, row: int, forks: Array, work: _Work) -> None:
        plan = self.settings.plan(int(turns.players[row]))
        order = self._random.permutation(np.flatnonzero(turns.action_mask[row]))
        work.tallies["visits"], work.tallies["total"] = 0, 0

        def run(playouts: int) -> int:
            taken: int = work.kernels.flat(forks, row, playouts, order, self._stream, plan, work.moves, work.start,
                                           work.state, work.results, work.outcomes, work.tallies)  # fmt: skip
            return taken

        self._spend(run, at_once=max(1, CHUNK // len(order)) * len(order))


class ISMCTS(Searcher):
    """Information-set Monte Carlo tree search; the action visited most is played."""

    def reset(self, seed: int | None = None) -> None:
        """Begin the player's random stream anew, and forget all trees."""
        super().reset(seed)
        self._trees: dict[int, _Tree] = {}

    def choose(self, visits: Array, means: Array, mask: Array) -> Array:
        """The legal action visited most, the better mean among equals."""
        scale = 1 + 2 * np.abs(means).max(initial=1.0)
        best: Array = np.where(mask != 0, visits + means / scale, -np.inf).argmax(1)
        return best

    def _search_row(self, turns: Turns, row: int, forks: Array, work: _Work) -> None:
        plan = self.settings.plan(int(turns.players[row]))
        tree = self._tree_of(turns, row, int(plan["mode"][0]))

        def run(playouts: int) -> int:
            taken: int = work.kernels.grow(
                forks, row, playouts, self._stream, plan, tree.tree, tree.slots, tree.nodes, tree.edges, work.path,
                work.moves, work.marks, work.views, work.state, work.results, work.outcomes,
            )  # fmt: skip
            return taken

        self._spend(run)
        work.kernels.tally(forks, row, tree.slots, tree.nodes, tree.edges, work.moves, work.views, work.tallies)

    def _tree_of(self, turns: Turns, row: int, mode: int) -> _Tree:
        """The tree of a table: kept from its last decision if it still fits, else cleared."""
        settings, table = self.settings, int(turns.table[row])
        about = turns.game.id, turns.options, int(turns.players[row])
        if table in self._trees:
            tree = self._trees.pop(table)
        elif len(self._trees) >= MOST_TREES:
            tree = self._trees.pop(next(iter(self._trees)))
            tree.about = None
        else:
            tree = _Tree(MOST_NODES if settings.milliseconds else 4 * settings.playouts)
        playouts = MOST_NODES // 2 if settings.milliseconds else settings.playouts
        if not settings.reuse or tree.about != about or not tree.has_room(playouts):
            tree.clear(mode, about)
        self._trees[table] = tree
        return tree


def compile_searches(game: Game) -> None:
    """Call each search kernel once, the way players call it."""
    table = Table(game, seed=1)
    while len(table.legal()) < 2:
        table.play(table.legal()[0])
    for player in (MonteCarlo("2:cut=2"), ISMCTS("2:cut=2")):
        player.search(Turns.of_table(table))
