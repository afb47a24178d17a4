"""What all searches share: randomness and counters, the memory of a tree, and how a budget is spent."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor

import numpy as np

from alarife.engine.game import Game
from alarife.engine.layout import Record
from alarife.engine.memory import BELIEFS, PLAY
from alarife.engine.numbers import Array
from alarife.engine.random import Stream, stream_key
from alarife.engine.result import SCORE
from alarife.engine.table import Table
from alarife.players.believing import Believer
from alarife.players.search_settings import SearchSettings
from alarife.players.turns import Turns
from alarife.search.tree import NONE, Edge

INFORMATION = "own", "each"
CHUNK = 32  # playouts of a thread between two looks at the clock
MOST_THREADS = 256
_BELIEVER = 2**32  # the number of the stream that particles are drawn from
LEAST = 4  # playouts that there are for each action considered
Grow = Callable[[Array, int], None]  # so many rounds of playouts over an order of actions


class Lookahead(ABC):
    """A player that searches."""

    settings: SearchSettings
    _believer: Believer | None = None

    def reset(self, seed: int | None = None) -> None:
        """Begin the player's random stream anew."""
        self._random = np.random.default_rng(seed)
        self._word = self._random.integers(0, 2**64, dtype=np.uint64)
        self._stream = self.stream(0)
        #: Playouts of the last call, and the decisions taken in their rollouts.
        self.playouts = self.decisions = 0
        if self.settings.belief == BELIEFS[PLAY]:
            self._believer = Believer(self.settings.others, int(stream_key(self._word, _BELIEVER)))

    def stream(self, number: int) -> Array:
        """A random stream of this player's for its playouts, by number."""
        stream = Stream.zeros(1)
        stream["rng"] = stream_key(self._word, number)
        return stream

    def act(self, turns: Turns) -> Array:
        """The best action found for each row; a row with one legal action is not searched."""
        return self.search(turns)[0]

    def worlds(self, turns: Turns, forks: Array) -> list[Array]:
        """For each row the states that its playouts begin from: its fork, or particles."""
        if self._believer is None or not self.settings.needs_particles(turns.game):
            return [forks[row : row + 1] for row in range(len(turns))]
        return [self._believer.particles(turns, row) for row in range(len(turns))]

    def note(self, turns: Turns, actions: Array) -> None:
        """Note what is done in each row, where it is asked for at the next decision."""
        if self._believer is not None and self.settings.needs_particles(turns.game):
            for row in range(len(turns)):
                self._believer.note(turns, row, int(actions[row]))

    @abstractmethod
    def search(self, turns: Turns) -> tuple[Array, Array, Array]:
        """Actions to play ``[n]``; visits and mean values for the seat to decide ``[n, A]``, 0 where none was tried."""


class Memory:
    """The memory of a tree: what it knows of itself, its nodes and edges, and the slots where nodes are found."""

    def __init__(self, tree: type[Record], node: type[Record], nodes: int, edges: int) -> None:
        self.tree, self.nodes, self.edges = tree.zeros(1), node.zeros(nodes), Edge.zeros(edges * nodes)
        self.slots = np.zeros(2 * nodes, np.int32)

    def clear(self, mode: int) -> None:
        """Forget everything. Values of bounded modes lie between -1 and 1; the range of others is found out."""
        self.slots[:] = NONE
        self.tree[:] = 0
        self.tree["low"], self.tree["high"] = (-1, 1) if mode < SCORE else (np.inf, -np.inf)


def best_by_halving(
    settings: SearchSettings, order: Array, grow: Grow, worth: Callable[[Array], Array], kept: int = 0
) -> int:
    """The best of some actions, by sequential halving: each part of the budget goes to the better half that is left.

    The first `kept` of them are never dropped.
    """
    start, spent = time.perf_counter(), 0
    parts = (len(order) - 1).bit_length()
    for part in range(parts):
        if part:
            better = np.argsort(-worth(order)[kept:], kind="stable")[: (len(order) + 1) // 2 - kept]
            order = np.append(order[:kept], order[kept:][better])
        if settings.milliseconds:
            grow_until(start + settings.milliseconds / 1000 * (part + 1) / parts, order, grow, settings.threads)
        else:
            left = settings.playouts - spent
            rounds = min(max(1, left // (parts - part) // len(order)), left // len(order))
            grow(order, rounds)
            spent += rounds * len(order)
    return int(order[worth(order).argmax()])


def best_by_gains(settings: SearchSettings, order: Array, grow: Grow, tallies: Array, lead: float) -> int:
    """The action with the surest gain on the first of the order, which is never dropped; the first where none has one.

    What an action gained on the same deals counts less `lead` standard errors.
    """

    def gains(actions: Array) -> Array:
        met = tallies[actions]
        return np.asarray((met["gain"] - lead * np.sqrt(met["square"])) / np.maximum(1, met["visits"]))

    return best_by_halving(settings, order, grow, gains, kept=1)


def grow_until(end: float, order: Array, grow: Grow, threads: int = 1) -> None:
    """Rounds until a time, and one at least."""
    grow(order, 1)
    while time.perf_counter() < end:
        grow(order, max(1, CHUNK // max(1, len(order))) * threads)


def in_turn(states: Array, first: int, rounds: int) -> Iterator[tuple[int, int]]:
    """The numbers of the states that rounds begin from, and of how many rounds; several states take turns."""
    if len(states) == 1:
        yield 0, rounds
    else:
        for number in range(first, first + rounds):
            yield number % len(states), 1


def think_together(pool: Executor, thoughts: Sequence[Callable[[int], int]], rounds: int) -> int:
    """Rounds of playouts shared out among some who think at once; returns the decisions taken in their rollouts."""
    count = len(thoughts)
    shares = [rounds * (i + 1) // count - rounds * i // count for i in range(count)]
    taken = [pool.submit(think, share) for think, share in zip(thoughts[1:], shares[1:], strict=True) if share]
    return thoughts[0](shares[0]) + sum(future.result() for future in taken)


def add_up(tallies: Array, parts: Sequence[Array]) -> None:
    """Write into `tallies` what several found out about the same actions."""
    for name in ("total", "gain", "square", "visits"):
        tallies[name] = sum(part[name] for part in parts)


def first_choice(game: Game) -> Table:
    """A table at its first decision with a choice, or at its end where the game has none."""
    table = Table(game, seed=1)
    while not table.over and len(table.legal()) < 2:
        table.play(table.legal()[0])
    return table
