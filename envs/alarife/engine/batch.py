"""Many games stepped by one call.

A batch owns its arrays and writes them in place. Those it shows are read-only views of the present moment: copy what
must outlive the next step. A finished game restarts inside the same `step`: `reward`, `finished` and the `final_*`
arrays speak of the old game, `observation`, `action_mask` and `seat` of the new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import BatchArrays, same_bytes
from .board import CHECK, SAMPLE, STEP
from .crew import Crew, Failure
from .errors import AlarifeError, IllegalAction, OptionError, StateError
from .game import Game
from .jit import INTERPRETED
from .kernels import kernels
from .layout import View, view_of
from .numbers import (
    Array,
    action_number,
    key_numbers,
    one_of,
    row_numbers,
    seat_numbers,
    seed_number,
    short,
    switch,
    whole_number,
)
from .options import GameOptions
from .random import stream_key
from .result import REWARDS, SEATS, Result
from .soundness import check_positions, rule_error, settings_words

if TYPE_CHECKING:
    from .table import Table

MOST_GAMES = 2**31 - 1
_SAMPLER = 2**62  # the index of a row's stream for random actions, out of reach of game numbers


def reward_mode(name: str) -> int:
    """The number of a reward mode."""
    return REWARDS.index(one_of(name, REWARDS, "reward mode"))


class Batch:
    """Games of one kind side by side.

    Shapes: n games, F features, A actions, P the seats of the largest table.

    - ``observation [n, F]`` and ``action_mask [n, A]`` int8: what the seat to decide sees and may do; views come in the
      whole numbers that the game writes (``game.features.decode`` says what they stand for), or with
      ``observation_dtype="float32"`` as what they stand for
    - ``seat [n]``: the seat to decide
    - ``reward [n, P]`` float32: what the last action brought to each seat
    - ``finished [n]`` bool: the last action ended the game (and, with `restart`, a new one has begun)
    - ``final_score [n, P]``, ``final_place [n, P]``, ``final_decisions [n]``: the last game that ended in each row
    - ``final_capped [n]``: how many rounds of that game (or 1 for the game) were ended by a cap on their length
    - ``results [n]``: the whole records of how that game came out, `alarife.engine.result.Result`
    - ``state [n]``: the records themselves, all secrets included
    """

    def __init__(
        self,
        game: Game,
        games: int = 1024,
        players: int | Sequence[int] | None = None,
        seed: int = 0,
        options: GameOptions | dict[str, Any] | None = None,
        reward: str = "outcome",
        restart: bool = True,
        threads: int = 1,
        interpreted: bool = INTERPRETED,
        luck: str | None = None,
        observation_dtype: str | None = None,
    ) -> None:
        game = game.with_luck(luck)
        self.observation_dtype = game.features.dtype_named(observation_dtype)
        self.game, self.seed = game, seed_number(seed)
        self.games = whole_number(games, "a batch has {} games", 1, MOST_GAMES)
        self.threads = whole_number(threads, "threads go {} here", 1, self.games)
        self.options, self.interpreted = game.make_options(options), interpreted
        self.restart, self.mode = switch(restart, "restart"), reward_mode(reward)
        templates = [game.template(n, self.options) for n in _tables(players)]
        self._allocate(len(templates))
        same_bytes(self.arrays.templates, np.concatenate(templates))
        self.reset()

    def __repr__(self) -> str:
        tables = ", ".join(str(count) for count in sorted({int(count) for count in self.players}))
        return f"<Batch of {self.games} games of {self.game.id}, {tables} players>"

    def kernels(self) -> SimpleNamespace:
        """What plays the games: the kernels of the game. An oracle in another language may stand in for them."""
        return kernels(self.game, self.interpreted)

    def _allocate(self, tables: int) -> None:
        # All states have the very type of their record: Numba compares one that only equals it at each call.
        templates = self.game.state.zeros(tables)
        arrays = BatchArrays(self.game, self.games, self.mode, self.kernels(), templates, self.restart,
                             self.observation_dtype, self.threads)  # fmt: skip
        self.arrays, self._all = arrays, np.arange(self.games)
        self._crew = Crew(arrays, self.threads)
        self.state = _read_only(arrays.states)
        self.seat = _read_only(arrays.states["seat"])
        self.over = _read_only(arrays.states["over"])
        self.players = _read_only(arrays.states["seats"])
        self.observation = _read_only(arrays.views)
        self.action_mask = _read_only(arrays.masks)
        self.reward = _read_only(arrays.rewards)
        self.finished = _read_only(arrays.finished)
        self.results = _read_only(arrays.results)
        self.final_state = _read_only(self._ended)
        self.final_score = _read_only(arrays.results["score"][:, : self.game.most_seats])
        self.final_place = _read_only(arrays.results["place"][:, : self.game.most_seats])
        self.final_decisions = _read_only(self.final_state["decisions"])
        self.final_capped = _read_only(arrays.results["capped"])

    @property
    def _ended(self) -> Array:
        """Where the states of games that have ended lie."""
        return self.arrays.last_states if self.restart else self.arrays.states

    def reset(self, seed: int | None = None) -> None:
        """Begin anew in every row. Game k of row i depends on (seed, i, k) alone."""
        self.seed = self.seed if seed is None else seed_number(seed)
        self.arrays.seeds[:] = stream_key(np.uint64(self.seed), self._all)
        self.arrays.streams["rng"] = stream_key(self.arrays.seeds, _SAMPLER)
        self.arrays.episodes[:] = 0
        self.begin(self._all)

    def begin(self, rows: Array) -> None:
        """Begin the present game of these rows from its start."""
        rows = self._rows(rows)
        self.arrays.begin(self.arrays.templates, stream_key(self.arrays.seeds, self.arrays.episodes), rows)
        self.arrays.look(rows)
        self.arrays.finished[rows] = False
        self.arrays.rewards[rows] = 0

    def renew(self, rows: Array) -> None:
        """Begin the next game of these rows."""
        rows = self._rows(rows)
        self.arrays.episodes[rows] += 1
        self.begin(rows)

    def step(self, actions: Array, rows: Array | None = None) -> None:
        """Play one action in every game, or in those of `rows` only; `actions` has one entry for each game.

        If a rule fails, that game stays as it was, all others are stepped, and a `RuleError` names the rows.
        """
        actions = np.asarray(actions)
        if actions.shape != (self.games,) or actions.dtype.kind not in "iu":
            raise IllegalAction(f"step takes {self.games} whole numbers, got {actions.dtype} of shape {actions.shape}")
        rows = self._rows(rows)
        with self._crew:
            self.arrays.actions[:] = actions
            self._do(CHECK | STEP, rows)

    def step_random(self, rows: Array | None = None) -> Array:
        """Play a random legal action in every game, or in those of `rows` only; returns what was played.

        The same games as ``step(sample())`` plays, in one call; where `rows` are named, the others draw nothing, and 0
        stands for them.
        """
        rows = self._rows(rows)
        with self._crew:
            self.arrays.actions[:] = 0
            self._do(SAMPLE | CHECK | STEP, rows)
            return self.arrays.actions.copy()

    def play_on(self, rows: Array, scripted: Array, lone: Array) -> None:
        """Play on in these rows for seats that are not asked, up to the next decision of one that is.

        For each game, `scripted` has the seats, as bits, that play as the scripted player does, and `lone` those for
        which a lone legal action is played. `reward` is what all of that brought. Nothing begins anew. Where a rule
        fails, or the script has an illegal answer, the game stays where it was: the next step tells what is wrong.
        """
        if self.restart:
            raise OptionError("play_on is for a batch made with restart=False: a game that ends is not begun anew")
        scripted, lone = (self._bits(seats) for seats in (scripted, lone))
        rows, done, verdict = self._rows(rows), np.zeros(1, np.int64), Result.zeros(1)
        self.arrays.rewards[rows] = 0
        while done[0] < len(rows):
            try:
                self.arrays.play_on(verdict, rows, scripted, lone, done)
            except BaseException as error:
                self.arrays.look(rows[done[0] :][:1])
                if not isinstance(error, Exception):
                    raise
                done[0] += 1

    def _bits(self, seats: Array) -> Array:
        """Sets of seats, one for each game."""
        seats = np.asarray(seats)
        if seats.shape != (self.games,) or seats.dtype.kind not in "iu":
            raise AlarifeError(f"play_on takes {self.games} sets of seats, bits of whole numbers, got {seats.dtype} of "
                               f"shape {seats.shape}")  # fmt: skip
        return seats.astype(np.int64)

    def _do(self, wish: int, rows: Array) -> None:
        if (bad := self._crew.do(wish, rows)) >= 0:
            raise IllegalAction(self._complaint(bad, int(self.arrays.actions[bad])))
        if failures := self._crew.failures():
            self._report(failures)

    def _report(self, failures: list[Failure]) -> None:
        """Raise an error that names the rows in which a rule failed, and tells of the first."""
        row, state, error = min(failures, key=lambda failure: failure[0])
        rows = tuple(sorted(failed for failed, _, _ in failures))
        others = f" ({len(rows)} rows failed: {', '.join(map(str, rows))}; all others were stepped)"
        where = (f"{self.players[row]} players{settings_words(self.options)}, row {row} of a batch of seed "
                 f"{self.seed}, game {self.arrays.episodes[row]} of that row, key {self.key_of(row)}, decision "
                 f"{self.arrays.states[row]['decisions']}{others}")  # fmt: skip
        raise rule_error(self.game, error, state, int(self.arrays.actions[row]), where, rows) from error

    def _complaint(self, row: int, action: int) -> str:
        if self.arrays.states[row]["over"]:
            return f"game {row} has ended; only games that go on can be stepped"
        return f"game {row}: {illegal_sentence(self.game, self.arrays.masks[row], int(self.seat[row]), action)}"

    def sample(self) -> Array:
        """A random legal action for each game, from streams of the batch's own."""
        if self.threads == 1:
            actions = np.zeros(self.games, np.int64)
            self.arrays.sample(self._all, actions)
            return actions
        with self._crew:
            self._crew.do(SAMPLE, self._all)
            return self.arrays.actions.copy()

    def count_legal(self) -> Array:
        """How many actions are legal in each game, counted by the rules."""
        counts = np.zeros(self.games, np.int64)
        self.arrays.count(self._all, counts)
        return counts

    def script(self, rows: Array | None = None) -> Array:
        """The scripted player's action for each game, or for those of `rows`; 0 for the others."""
        actions = np.zeros(self.games, np.int64)
        self.arrays.script(self._rows(rows), actions)
        return actions

    def view(self, rows: Array, seats: Array) -> Array:
        """What the given seats see in the given rows, ``[len(rows), F]``."""
        return self._seen(self.arrays.states, rows, seats)

    def final_view(self, rows: Array, seats: Array) -> Array:
        """What the given seats saw at the end of the game that the given rows finished last."""
        return self._seen(self._ended, rows, seats)

    def _seen(self, states: Array, rows: Array, seats: Array) -> Array:
        rows = self._rows(rows, repeated=True)
        seats = seat_numbers(seats, self.players[rows])
        views = np.zeros((len(rows), self.game.features.size), self.observation_dtype)
        self.arrays.run.view(states, rows, seats, views)
        return views

    def _rows(self, rows: Any, repeated: bool = False) -> Array:
        return self._all if rows is None or rows is self._all else row_numbers(rows, self.games, repeated)

    def clone(self, rows: Array | None = None) -> Array:
        """Copies of the states, secrets and future included."""
        return self.arrays.clones(self._rows(rows, repeated=True))

    def fork(self, rows: Array, seats: Array, keys: Array, belief: str = "view") -> Array:
        """Copies that the seats may search: what they cannot know is redrawn, the future is the key's."""
        rows = self._rows(rows, repeated=True)
        seats, keys = seat_numbers(seats, self.players[rows]), key_numbers(keys, len(rows))
        return self.arrays.forks(rows, seats, keys, belief)

    def seal(self, rows: Array) -> Array:
        """Forks for the seats to decide that may be handed to players: the true states cannot be found from them."""
        return self.arrays.seals(self._rows(rows, repeated=True))

    def blind(self, rows: Array) -> Array:
        """States that may be handed to players, for the scripted player to decide on and for nothing else."""
        return self.arrays.blinds(self._rows(rows, repeated=True))

    def load(self, states: Array, rows: Array | None = None) -> None:
        """Set up positions, for instance those that `clone` gave; what is not a position of the game is refused."""
        rows = self._rows(rows)
        states = np.asarray(states)
        if states.dtype != self.game.state.dtype or states.shape != rows.shape:
            other = "" if states.dtype == self.game.state.dtype else " of another type"
            raise AlarifeError(f"load takes {len(rows)} states of {self.game.id}, got shape {states.shape}{other}")
        check_positions(self.game, states, self.options, self.interpreted)
        self.arrays.states[rows] = states
        self.arrays.paid[rows] = 0
        self.arrays.look(rows)

    def key_of(self, row: int) -> int:
        """The key that began the present game of a row: `Table.start` plays the same game from it."""
        whole_number(row, "rows go {}", 0, self.games - 1)
        return int(stream_key(self.arrays.seeds[row], self.arrays.episodes[row]))

    def at(self, row: int) -> View:
        """One state with its fields as attributes. Call `load` after changing it."""
        return view_of(self.arrays.states, whole_number(row, "rows go {}", 0, self.games - 1))

    def table(self, row: int) -> Table:
        """The present game of a row as a table of its own, a copy."""
        from .table import Table

        states = self.arrays.states[whole_number(row, "rows go {}", 0, self.games - 1), None]
        table = Table(self.game, int(states["seats"][0]), self.options, 0, REWARDS[self.mode], self.interpreted)
        table.from_bytes(states.tobytes())
        table.paid[0] = self.arrays.paid[row]
        return table

    def check(self) -> None:
        """Assert the invariants of every game."""
        self.arrays.verify(self._all)

    def check_ended(self, rows: Array) -> None:
        """Assert the invariants at the end of the games that the given rows finished last."""
        self.arrays.run.verify(self._ended, self._rows(rows, repeated=True))

    def close(self) -> None:
        """End the threads; the next step begins new ones."""
        self._crew.close()

    def __getstate__(self) -> dict[str, Any]:
        """What a copy needs: copies made by `copy` and `pickle` own their arrays and go on as this batch does."""
        chosen = {name: getattr(self, name) for name in _CHOSEN}
        return chosen | {"arrays": {name: np.array(getattr(self.arrays, name)) for name in BatchArrays.NAMES}}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update({name: saved[name] for name in _CHOSEN})
        self._allocate(len(saved["arrays"]["templates"]))
        for name, array in saved["arrays"].items():
            mine = getattr(self.arrays, name)
            if array.dtype != mine.dtype or array.shape != mine.shape:
                raise StateError(f"this copy of a batch of {self.game.id} was made under another layout of its states")
            mine[...] = array


#: What describes a batch.
_CHOSEN = "game", "games", "threads", "options", "interpreted", "restart", "mode", "seed", "observation_dtype"


def _tables(players: Any) -> list[Any]:
    """The player counts that take turns over the rows."""
    if players is None or isinstance(players, (str, bytes)) or not isinstance(players, Iterable):
        return [players]
    tables = list(players) if getattr(players, "ndim", 1) == 1 else []
    if not tables or any(count is None for count in tables):
        raise OptionError(f"name at least one number of players, got {short(players)}")
    return tables


def _read_only(array: Array) -> Array:
    shown = array.view()
    shown.flags.writeable = False
    return shown


def illegal_sentence(game: Game, mask: Array, seat: int, action: Any) -> str:
    """What was played and what is legal now."""
    number = action_number(action)
    is_known = number is not None and 0 <= number < game.actions.size
    name = game.actions.name(number) if is_known else short(action)  # type: ignore[arg-type]
    legal = [game.actions.name(int(a)) for a in np.flatnonzero(mask)]
    shown = ", ".join(legal[:12]) + (f" and {len(legal) - 12} more" if len(legal) > 12 else "")
    return f"player_{seat} played {name}, which is not legal. Legal now: {shown or 'nothing, the game is over'}"


__all__ = ["SEATS", "Batch", "illegal_sentence", "reward_mode"]
