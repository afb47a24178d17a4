"""Players that look ahead: flat Monte Carlo and information-set Monte Carlo tree search.

They are named with a budget, and settings after further colons: ``mc:200``, ``ismcts:1000``, ``ismcts:500ms``,
``ismcts:1000:random:cut=100``. How the search works is told in `alarife.search.ismcts`.
"""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np

from alarife.engine.arrays import Scratch
from alarife.engine.game import Game
from alarife.engine.memory import BELIEFS
from alarife.engine.numbers import Array
from alarife.engine.random import Stream
from alarife.engine.result import OUTCOME, REWARDS, SCORE
from alarife.players.lookahead import (
    INFORMATION,
    LEAST,
    MOST_THREADS,
    Lookahead,
    Memory,
    add_up,
    best_by_gains,
    first_choice,
    in_turn,
    think_together,
)  # fmt: skip
from alarife.players.search_settings import MOST, ROLLOUTS, SCRIPTED, SearchSettings
from alarife.players.turns import Turns
from alarife.search.ismcts import Node, Plan, Tree, searchers
from alarife.search.tree import MOST_DEPTH, Outcome, Step, Tally

MOST_NODES = 2**17  # of a tree
EDGES = 4  # room for actions, for each node


@dataclass(frozen=True)
class Settings(SearchSettings):
    """What can be said of a search after its name.

    - ``playouts``, or ``milliseconds`` of a decision
    - ``rollout``: who plays on beyond the tree, ``random`` or ``scripted``
    - ``cut``: decisions of a rollout, after which the standing is its value; 0: play to the end
    - ``reward``: what is sought, a reward mode; by default ``outcome``, and ``score`` at a table for one
    - ``lead``: standard errors by which an action has to be ahead of the scripted player's
    - ``exploration``, ``widening``, ``patience``: see `alarife.search.ismcts`
    - ``information``: nodes hold what the ``own`` (the searching) seat sees, or what ``each`` seat to decide sees
    - ``belief``: how sure the redrawn states are, ``view``, ``memory`` or ``play``: see `alarife.engine.memory`
    - ``others``: who the other seats are believed to be where it is ``play``: see `alarife.players.believing`
    - ``threads``: how many think at once, each with a tree of its own, about a share of the rounds
    """

    renamed = {"trust": "lead"}

    playouts: int = 200
    milliseconds: int = 0
    rollout: str = "scripted"
    cut: int = 0
    reward: str = ""
    lead: float = 1.0
    exploration: float = 0.7
    widening: float = 0.5
    patience: int = 30
    information: str = "own"
    belief: str = "view"
    others: str = SCRIPTED
    threads: int = 1

    def __post_init__(self) -> None:
        from_zero = "milliseconds", "cut", "patience", "lead", "exploration", "widening"
        ranges = {"playouts": (1, MOST), "threads": (1, MOST_THREADS)} | dict.fromkeys(from_zero, (0, MOST))
        self.check(ranges, {"rollout": tuple(ROLLOUTS), "reward": ("", *REWARDS), "information": INFORMATION,
                            "belief": BELIEFS})  # fmt: skip

    def plan(self, game: Game, seats: int) -> Array:
        """The settings as the kernels take them."""
        plan = Plan.zeros(1)
        plan["exploration"], plan["widening"] = self.exploration, self.widening
        plan["scripted"] = ROLLOUTS[self.rollout]
        plan["cut"] = self.cut or MOST
        plan["mode"] = REWARDS.index(self.reward) if self.reward else SCORE if seats == 1 else OUTCOME
        plan["belief"] = self.redraw(game)
        plan["each"] = self.information == "each"
        plan["patience"] = self.patience
        return plan


@dataclass(frozen=True)
class _Task:
    """A decision to think about, and the states to begin from."""

    game: Game
    plan: Array
    states: Array


class _Thinker:
    """One of those who think at once: with a random stream and a tree of its own."""

    def __init__(self, nodes: int, share: float) -> None:
        self._share, self._next = share, 0
        self.stream, self.tallies = Stream.zeros(1), Tally.zeros(0)
        self._tree = Memory(Tree, Node, nodes, EDGES)
        self._scratch: dict[Game, Scratch] = {}
        self._outcome, self._path = Outcome.zeros(1), Step.zeros(MOST_DEPTH)

    def scratch(self, game: Game) -> Scratch:
        """What it works on in a game."""
        if game not in self._scratch:
            self._scratch[game] = Scratch(game)
        return self._scratch[game]

    def begin(self, task: _Task) -> None:
        """Forget the decision before."""
        self.tallies = Tally.zeros(task.game.actions.size)
        self._next = int(self._share * len(task.states))
        self._tree.clear(int(task.plan["mode"][0]))

    def think(self, task: _Task, order: Array, rounds: int) -> int:
        """Some rounds of playouts; returns the decisions taken in their rollouts."""
        tree, scratch, grow, taken = self._tree, self.scratch(task.game), searchers(task.game).grow, 0
        for number, count in in_turn(task.states, self._next, rounds):
            taken += grow(
                *scratch.thinking, self._outcome, self._path, self.tallies, self.stream, task.plan, tree.tree,
                tree.slots, tree.nodes, tree.edges, task.states, number, count, order,
            )  # fmt: skip
        self._next += rounds
        return taken


class Searcher(Lookahead):
    """What both searches share: settings, budget, seeded randomness, and how the root's actions are compared."""

    settings: Settings
    grows = False  # whether a tree grows below the root

    def __init__(self, settings: str | Settings = "", seed: int | None = None) -> None:
        self.settings = settings if isinstance(settings, Settings) else Settings.parse(settings)
        nodes = MOST_NODES if self.settings.milliseconds else min(MOST_NODES, self.settings.playouts)
        threads = self.settings.threads
        self._thinkers = [_Thinker(nodes if self.grows else 0, number / threads) for number in range(threads)]
        self._plans: dict[tuple[Game, int], Array] = {}  # by game and seats at the table
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Begin the player's random streams anew."""
        super().reset(seed)
        for number, thinker in enumerate(self._thinkers):
            thinker.stream = self.stream(number)

    def search(self, turns: Turns) -> tuple[Array, Array, Array]:
        """Actions to play ``[n]``; visits and mean values for the seat to decide ``[n, A]``, 0 where none was tried."""
        game = turns.game
        belief = self.settings.fork_belief(game)
        forks = turns.fork(self._random.integers(0, 2**64, len(turns), np.uint64), belief)
        worlds = self.worlds(turns, forks)
        actions = self._thinkers[0].scratch(game).advice(forks)
        visits, means = np.zeros(turns.action_mask.shape, np.int64), np.zeros(turns.action_mask.shape)
        self.playouts = self.decisions = 0
        with ThreadPoolExecutor(self.settings.threads) as pool:
            for row in np.flatnonzero(turns.action_mask.sum(1) > 1):
                task = _Task(game, self._plan(game, int(turns.players[row])), worlds[row])
                order = self._order(turns.action_mask[row], int(actions[row]))
                tallies = Tally.zeros(game.actions.size)
                for thinker in self._thinkers:
                    thinker.begin(task)
                grow = partial(self._grow, pool, task, tallies)
                actions[row] = best_by_gains(self.settings, order, grow, tallies, self.settings.lead)
                visits[row] = tallies["visits"]
                means[row] = tallies["total"] / np.maximum(1, visits[row])
        self.note(turns, actions)
        return actions, visits, means

    def _plan(self, game: Game, seats: int) -> Array:
        if (game, seats) not in self._plans:
            self._plans[game, seats] = self.settings.plan(game, seats)
        return self._plans[game, seats]

    def _order(self, mask: Array, advised: int) -> Array:
        """The actions to try: the advised one, then others in random order, as many as there are playouts for."""
        legal = np.flatnonzero(mask)
        others = self._random.permutation(legal[legal != advised])
        most = len(legal) if self.settings.milliseconds else max(2, self.settings.playouts // LEAST)
        return np.array([advised, *others[: most - 1]], np.int64)

    def _grow(self, pool: Executor, task: _Task, tallies: Array, order: Array, rounds: int) -> None:
        """Some rounds of playouts, shared out among those who think; `tallies` holds what all of them found out."""
        thoughts = [partial(thinker.think, task, order) for thinker in self._thinkers]
        self.decisions += think_together(pool, thoughts, rounds)
        self.playouts += rounds * len(order)
        add_up(tallies, [thinker.tallies for thinker in self._thinkers])


class MonteCarlo(Searcher):
    """Flat Monte Carlo: every playout goes on as the rollout does."""


class ISMCTS(Searcher):
    """Information-set Monte Carlo tree search: below the root a tree is grown.

    It is grown anew for each decision. Its nodes would still be true at the next one, so keeping them was tried, and
    gained nothing: against itself with new trees it won 47 % [41, 53] of 240 single rounds of VIVA and 49 % [39, 60]
    of 80 games of Patios, two players, 60 playouts a decision (`cut=30` in Patios).
    """

    grows = True


def compile_searches(game: Game) -> None:
    """Call each search kernel once, the way players call it."""
    turns = Turns.of_table(first_choice(game))
    for player in (MonteCarlo("2:cut=2"), ISMCTS("2:cut=2")):
        player.search(turns)
    if game.most_seats > 1:
        MonteCarlo("2:cut=2:belief=play:others=random").search(turns)
