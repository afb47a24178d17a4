"""The arrays that kernels work on: one place makes them, owns them and binds them to the kernels of a game.

A kernel takes first the arrays that it always works on, and then what differs from call to call. `functools.partial`
holds the first part, so a call names only the second: `arrays.act(action)`, `arrays.look(rows)`. A kernel is bound when
it is first asked for.

Kernels write without asking. What is shown to users is copied or read-only; these arrays are for the engine, for
searches, and for those who measure them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from .board import board_for
from .jit import INTERPRETED
from .kernels import kernels
from .memory import GIVEN, belief_number
from .moves import moves_record
from .numbers import Array
from .random import Stream
from .result import Result
from .views import blank_views

if TYPE_CHECKING:
    from .game import Game

Bound = Callable[..., Any]


def bytes_copy(array: Array) -> Array:
    """A copy, of records through bytes: NumPy copies them field by field, ten times slower."""
    if array.dtype.names is None:
        return array.copy()
    return array.view(np.uint8).copy().view(array.dtype).reshape(array.shape)


def same_bytes(array: Array, other: Array) -> None:
    """Write the bytes of another array of the same kind into an array."""
    array.view(np.uint8)[...] = other.view(np.uint8)


class Arrays:
    """Some games side by side, and what goes with them: row i of each array belongs to game i.

    Views come in the whole numbers that the game writes, or, if `dtype` is float32, as what they stand for.
    """

    def __init__(
        self, game: Game, rows: int, mode: int, run: SimpleNamespace, dtype: np.dtype[Any] | None = None
    ) -> None:
        self.game, self.rows, self.mode, self.run = game, rows, mode, run
        self.states = game.state.zeros(rows)
        self.moves = moves_record(game.actions.size).zeros(rows)
        self.masks = np.zeros((rows, game.actions.size), np.int8)
        self.views = np.zeros((rows, game.features.size), dtype or game.features.dtype)
        self.rewards = np.zeros((rows, game.most_seats), np.float32)
        self.paid = np.zeros((rows, game.most_seats), np.float32)
        self.results = Result.zeros(rows)

    #: The arrays by name, the states first.
    NAMES: tuple[str, ...] = "states", "moves", "masks", "views", "results", "rewards", "paid"

    def copy(self) -> Self:
        """The same in arrays of its own; kernels are bound anew."""
        twin = type(self).__new__(type(self))
        twin.game, twin.rows, twin.mode, twin.run = self.game, self.rows, self.mode, self.run
        for name in self.NAMES:
            setattr(twin, name, bytes_copy(getattr(self, name)))
        return twin

    def blank(self) -> Self:
        """Arrays of the same kind that hold nothing."""
        return type(self)(self.game, self.rows, self.mode, self.run, self.views.dtype)

    @property
    def shown(self) -> tuple[Array, ...]:
        """What a position shows: the states, and the move lists, masks and views of the seats to decide."""
        return self.states, self.moves, self.masks, self.views

    @cached_property
    def begin(self) -> Bound:
        """``(templates, keys, rows)``: begin games; `look` shows them."""
        return partial(self.run.begin, self.states, self.paid)

    @cached_property
    def act(self) -> Bound:
        """``(action)``: play a legal action in row 0."""
        return partial(self.run.act, *self.shown, self.rewards, self.paid, self.results, self.mode)

    @cached_property
    def settle(self) -> Bound:
        """``()``: the end of `act`, for an action that was played by other means."""
        return partial(self.run.settle, *self.shown, self.rewards, self.paid, self.results, self.mode)

    @cached_property
    def look(self) -> Bound:
        """``(rows)``: move lists, masks and views anew."""
        return partial(self.run.look, *self.shown)

    @cached_property
    def judge(self) -> Bound:
        """``(rows)``: scores and places so far, into `results`."""
        return partial(self.run.judge, self.states, self.results)

    @cached_property
    def count(self) -> Bound:
        """``(rows, counts)``: how many actions are legal."""
        return partial(self.run.count, self.states, self.moves)

    @cached_property
    def view(self) -> Bound:
        """``(rows, seats, views)``: what any seats see."""
        return partial(self.run.view, self.states)

    @cached_property
    def verify(self) -> Bound:
        """``(rows)``: assert the invariants."""
        return partial(self.run.verify, self.states)

    @cached_property
    def remembers(self) -> Bound:
        """``(rows, seats)``: assert that nothing contradicts what the seats remember."""
        return partial(self.run.remembers, self.states)

    def all_rows(self) -> Array:
        """The numbers of all rows."""
        return np.arange(self.rows)

    # --- copies of states ---------------------------------------------------------------------------

    def clones(self, rows: Array) -> Array:
        """Copies of the states of these rows, secrets and future included."""
        copies = self.game.state.zeros(len(rows))
        self.run.clone(self.states, rows, copies)
        return copies

    def forks(self, rows: Array, seats: Array, keys: Array, belief: str) -> Array:
        """Copies that the seats may search: see `Batch.fork`."""
        copies = self.game.state.zeros(len(rows))
        self.fork_into(copies, rows, seats, keys, belief)
        return copies

    def fork_into(self, copies: Array, rows: Array, seats: Array, keys: Array, belief: str) -> None:
        """The same, into states that are there."""
        self.run.fork(self.states, rows, seats, keys, belief_number(self.game, belief), copies)

    def seals(self, rows: Array) -> Array:
        """Forks for the seats to decide from which the true states cannot be found: see `Batch.seal`."""
        copies = self.game.state.zeros(len(rows))
        self.run.seal(self.states, rows, self.states["seat"][rows].astype(np.int64), copies)
        return copies

    def blinds(self, rows: Array) -> Array:
        """States for the scripted player to decide on: see `Batch.blind`."""
        copies = self.game.state.zeros(len(rows))
        self.run.blind(self.states, rows, self.states["seat"][rows].astype(np.int64), copies)
        return copies


class BatchArrays(Arrays):
    """The arrays of a batch, where games that end begin anew."""

    NAMES = (*Arrays.NAMES, "last_states", "finished", "streams", "seeds", "episodes", "templates")

    def __init__(
        self, game: Game, rows: int, mode: int, run: SimpleNamespace, templates: Array, restart: bool,
        dtype: np.dtype[Any] | None = None, threads: int = 1,
    ) -> None:  # fmt: skip
        super().__init__(game, rows, mode, run, dtype)
        self.board = board_for(threads)
        self.actions, self.rows_wanted = np.zeros(rows, np.int64), np.zeros(rows, np.int64)
        self.templates, self.restart = templates, restart
        self.last_states = game.state.zeros(rows)
        self.finished = np.zeros(rows, np.bool_)
        self.streams = Stream.zeros(rows)
        self.seeds = np.zeros(rows, np.uint64)
        self.episodes = np.zeros(rows, np.int64)
        self.work = game.state.zeros(2)

    @cached_property
    def step(self) -> Bound:
        """``(done, kept, verdict, me, patience, wish, count)``: a thread's share of a wish for `rows_wanted`."""
        return partial(
            self.run.step, *self.shown, self.rewards, self.finished, self.paid, self.results, self.mode,
            self.templates, self.seeds, self.episodes, self.last_states, self.restart, self.streams, self.board,
            self.actions, self.rows_wanted,
        )  # fmt: skip

    @cached_property
    def sample(self) -> Bound:
        """``(rows, actions)``: random legal actions."""
        return partial(self.run.sample, self.streams, self.moves)

    @cached_property
    def script(self) -> Bound:
        """``(rows, actions)``: the scripted player's actions."""
        return partial(self.run.script, self.states, self.moves, self.streams, self.work)

    @cached_property
    def play_on(self) -> Bound:
        """``(verdict, rows, scripted, lone, done)``: play for seats that are not asked, up to those that are."""
        return partial(self.run.play_on, *self.shown, self.rewards, self.finished, self.paid, self.results, self.mode,
                       self.work)  # fmt: skip

    @cached_property
    def rollout(self) -> Bound:
        """``(steps, seed, lengths)``: random play in row 0, one game after another."""
        return partial(self.run.rollout, self.states, self.templates, self.streams, self.moves)

    @cached_property
    def playouts(self) -> Bound:
        """``(rows, most, values)``: copies of these rows, played at random to the end."""
        return partial(self.run.playouts, self.states, self.streams, self.moves, self.work, self.results, self.mode)


class Scratch:
    """What a player thinks with: room for one state of a game and for all that follows from it.

    `width` is that of a view, where a player sees more than the game shows.
    """

    def __init__(self, game: Game, width: int | None = None, interpreted: bool = INTERPRETED) -> None:
        self.game, self.interpreted = game, interpreted
        self.moves = moves_record(game.actions.size).zeros(1)
        self.marks = np.zeros(game.actions.size, np.int8)
        self.views = blank_views(game.features, width=width or 0)
        self.start, self.state = game.state.zeros(1), game.state.zeros(1)
        self.results = Result.zeros(1)

    @property
    def thinking(self) -> tuple[Array, ...]:
        """The arrays of this scratch, in the order in which searches take them."""
        return self.moves, self.marks, self.views, self.start, self.state, self.results

    def advice(self, forks: Array) -> Array:
        """The scripted player's action for each of some forks, made for the seats to decide."""
        actions = np.zeros(len(forks), np.int64)
        kernels(self.game, self.interpreted).advice(self.moves, forks, actions)
        return actions


def forks_of(game: Game, states: Array, seats: Array, keys: Array, belief: str) -> Array:
    """Copies of these states that the seats may search: what they cannot know is redrawn, the future is the key's."""
    copies = game.state.zeros(len(states))
    kernels(game).fork(states, np.arange(len(states)), seats, keys, belief_number(game, belief), copies)
    return copies


def futures_of(game: Game, states: Array, rows: Array, keys: Array) -> Array:
    """Copies of the states of these rows as they are, but for the future, which is the key's."""
    copies = game.state.zeros(len(rows))
    kernels(game).fork(states, rows, states["seat"][rows].astype(np.int64), keys, GIVEN, copies)
    return copies


def advice_of(game: Game, states: Array) -> Array:
    """The scripted player's action for each of some states, made for the seats to decide."""
    actions = np.zeros(len(states), np.int64)
    kernels(game).advice(moves_record(game.actions.size).zeros(1), states, actions)
    return actions


def views_of(game: Game, states: Array, seats: Array) -> Array:
    """What a seat sees in each of some states."""
    views = np.zeros((len(states), game.features.size), game.features.dtype)
    kernels(game).view(states, np.arange(len(states)), seats, views)
    return views
