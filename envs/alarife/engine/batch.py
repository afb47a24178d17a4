"""Many games stepped by one call.

A batch owns its arrays and writes them in place. Those it shows are read-only views of the present moment: copy what
must outlive the next step. A finished game restarts inside the same `step`: `reward`, `finished` and the `final_*`
arrays speak of the old game, `observation`, `action_mask` and `seat` of the new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from .errors import AlarifeError, IllegalAction, nearest
from .game import Game
from .jit import INTERPRETED
from .kernels import kernels
from .layout import View, view_of
from .memory import belief_number
from .moves import moves_record
from .numbers import seed_number
from .options import GameOptions
from .random import Stream, stream_key
from .result import REWARDS, SEATS, Result

Array = np.ndarray[Any, Any]
_SAMPLER = 2**62  # the index of a row's stream for random actions, out of reach of game numbers


def reward_mode(name: str) -> int:
    """The number of a reward mode."""
    if name not in REWARDS:
        raise AlarifeError(f"no reward mode called {name!r}{nearest(name, REWARDS)}")
    return REWARDS.index(name)


class Batch:
    """Games of one kind side by side.

    Shapes: n games, F features, A actions, P the seats of the largest table.

    - ``observation [n, F]`` float32 and ``action_mask [n, A]`` int8: what the seat to decide sees and may do
    - ``seat [n]``: the seat to decide
    - ``reward [n, P]`` float32: what the last action brought to each seat
    - ``finished [n]`` bool: the last action ended the game (and, with `restart`, a new one has begun)
    - ``final_score [n, P]``, ``final_place [n, P]``, ``final_decisions [n]``: the last game that ended in each row
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
    ) -> None:
        if games < 1:
            raise AlarifeError(f"a batch has at least one game, got {games}")
        if not 1 <= threads <= games:
            raise AlarifeError(f"threads go from 1 to the number of games, got {threads}")
        self.game, self.games, self.seed = game, games, seed_number(seed)
        self.options = game.make_options(options)
        self.restart, self.mode = restart, reward_mode(reward)
        self._run = kernels(game, interpreted)
        tables = [players] if players is None or isinstance(players, int) else list(players)
        self._templates = np.concatenate([game.template(n, self.options) for n in tables])
        self._allocate()
        self._threads = ThreadPoolExecutor(threads) if threads > 1 else None
        self._shares = np.array_split(self._all, threads)
        self.reset()

    def _allocate(self) -> None:
        n, game = self.games, self.game
        self._all = np.arange(n)
        self._states = game.state.zeros(n)
        self._last_states = game.state.zeros(n)
        self._moves = moves_record(game.actions.size).zeros(n)
        self._masks = np.zeros((n, game.actions.size), np.int8)
        self._views = np.zeros((n, game.features.size), np.float32)
        self._rewards = np.zeros((n, game.most_seats), np.float32)
        self._paid = np.zeros((n, game.most_seats), np.float32)
        self._finished = np.zeros(n, np.bool_)
        self._results = Result.zeros(n)
        self._actions = np.zeros(n, np.int64)
        self._streams = Stream.zeros(n)
        self._work = game.state.zeros(1)
        self._seeds = np.zeros(n, np.uint64)
        self._episodes = np.zeros(n, np.int64)
        self.state = _read_only(self._states)
        self.seat = _read_only(self._states["turn"])
        self.over = _read_only(self._states["over"])
        self.players = _read_only(self._states["seats"])
        self.observation = _read_only(self._views)
        self.action_mask = _read_only(self._masks)
        self.reward = _read_only(self._rewards)
        self.finished = _read_only(self._finished)
        self.final_state = _read_only(self._last_states if self.restart else self._states)
        self.final_score = _read_only(self._results["score"][:, : game.most_seats])
        self.final_place = _read_only(self._results["place"][:, : game.most_seats])
        self.final_decisions = _read_only(self.final_state["decisions"])

    def reset(self, seed: int | None = None) -> None:
        """Begin anew in every row. Game k of row i depends on (seed, i, k) alone."""
        self.seed = self.seed if seed is None else seed_number(seed)
        self._seeds[:] = stream_key(_word(self.seed), self._all)
        self._streams["rng"] = stream_key(self._seeds, _SAMPLER)
        self._episodes[:] = 0
        self.begin(self._all)

    def begin(self, rows: Array) -> None:
        """Begin the present game of these rows from its start."""
        keys = stream_key(self._seeds, self._episodes)
        self._run.start(self._states, self._templates, keys, np.asarray(rows), self._moves, self._masks, self._views,
                        self._paid)  # fmt: skip
        self._finished[rows] = False
        self._rewards[rows] = 0

    def renew(self, rows: Array) -> None:
        """Begin the next game of these rows."""
        self._episodes[rows] += 1
        self.begin(rows)

    def step(self, actions: Array, rows: Array | None = None) -> None:
        """Play one action in every game, or in those of `rows` only; `actions` has one entry for each game."""
        actions = np.asarray(actions)
        if actions.shape != (self.games,) or actions.dtype.kind not in "iu":
            raise IllegalAction(f"step takes {self.games} whole numbers, got {actions.dtype} of shape {actions.shape}")
        actions = actions.astype(np.int64, copy=False)
        rows = self._all if rows is None else np.asarray(rows)
        if (bad := self._run.first_illegal(rows, actions, self._masks)) >= 0:
            raise IllegalAction(self._complaint(int(bad), actions[bad]))
        if self._threads is None:
            self._step(actions, rows)
        else:
            shares = self._shares if rows is self._all else np.array_split(rows, len(self._shares))
            list(self._threads.map(lambda share: self._step(actions, share), shares))

    def _step(self, actions: Array, rows: Array) -> None:
        self._run.step(
            self._states, actions, rows, self._moves, self._masks, self._views, self._rewards, self._finished,
            self._paid, self._results, self.mode, self._templates, self._seeds, self._episodes, self._last_states,
            self.restart,
        )  # fmt: skip

    def _complaint(self, row: int, action: int) -> str:
        if self._states[row]["over"]:
            return f"game {row} has ended; only games that go on can be stepped"
        return f"game {row}: {illegal_sentence(self.game, self._masks[row], int(self.seat[row]), action)}"

    def sample(self) -> Array:
        """A random legal action for each game, from streams of the batch's own. Valid until the next call."""
        self._run.sample(self._streams, self._all, self._moves, self._actions)
        return self._actions

    def script(self, rows: Array | None = None) -> Array:
        """The scripted player's action for each game. Valid until the next call."""
        rows = self._all if rows is None else np.asarray(rows)
        self._run.script(self._states, rows, self._moves, self._streams, self._work, self._actions)
        return self._actions

    def view(self, rows: Array, seats: Array) -> Array:
        """What the given seats see in the given rows, ``[len(rows), F]``."""
        views = np.zeros((len(rows), self.game.features.size), np.float32)
        self._run.view(self._states, np.asarray(rows), np.asarray(seats), views)
        return views

    def final_view(self, rows: Array, seats: Array) -> Array:
        """What the given seats saw at the end of the game that the given rows finished last."""
        views = np.zeros((len(rows), self.game.features.size), np.float32)
        states = self._last_states if self.restart else self._states
        self._run.view(states, np.asarray(rows), np.asarray(seats), views)
        return views

    def clone(self, rows: Array | None = None) -> Array:
        """Copies of the states, secrets and future included."""
        rows = self._all if rows is None else np.asarray(rows)
        copies = self.game.state.zeros(len(rows))
        self._run.clone(self._states, rows, copies)
        return copies

    def fork(self, rows: Array, seats: Array, keys: Array, belief: str = "view") -> Array:
        """Copies that the seats may search: what they cannot know is redrawn, the future is the key's."""
        copies = self.game.state.zeros(len(rows))
        self._run.fork(self._states, np.asarray(rows), np.asarray(seats), np.asarray(keys, np.uint64),
                       belief_number(self.game, belief), copies)  # fmt: skip
        return copies

    def seal(self, rows: Array) -> Array:
        """Forks for the seats to decide that may be handed to players: the true states cannot be found from them."""
        copies = self.game.state.zeros(len(rows))
        self._run.seal(self._states, np.asarray(rows), self.seat[rows].astype(np.int64), copies)
        return copies

    def load(self, states: Array, rows: Array | None = None) -> None:
        """Set up positions, for instance those that `clone` gave."""
        rows = self._all if rows is None else np.asarray(rows)
        if states.dtype != self.game.state.dtype or len(states) != len(rows):
            raise AlarifeError(f"load takes {len(rows)} states of {self.game.id}, got {len(states)} of {states.dtype}")
        self._states[rows] = states
        self._paid[rows] = 0
        self._run.look(self._states, rows, self._moves, self._masks, self._views)

    def key_of(self, row: int) -> int:
        """The key that began the present game of a row: `Table.start` plays the same game from it."""
        return int(stream_key(self._seeds[row], self._episodes[row]))

    def at(self, row: int) -> View:
        """One state with its fields as attributes. Call `load` after changing it."""
        return view_of(self._states, row)

    def check(self) -> None:
        """Assert the invariants of every game."""
        self._run.verify(self._states, self._all)

    def close(self) -> None:
        """End the threads."""
        if self._threads is not None:
            self._threads.shutdown()


def _read_only(array: Array) -> Array:
    shown = array.view()
    shown.flags.writeable = False
    return shown


def _word(seed: int) -> np.uint64:
    return np.uint64(seed % 2**64)


def illegal_sentence(game: Game, mask: Array, seat: int, action: Any) -> str:
    """What was played and what is legal now."""
    is_known = isinstance(action, (int, np.integer)) and 0 <= action < game.actions.size
    name = game.actions.name(int(action)) if is_known else repr(action)
    legal = [game.actions.name(int(a)) for a in np.flatnonzero(mask)]
    shown = ", ".join(legal[:12]) + (f" and {len(legal) - 12} more" if len(legal) > 12 else "")
    return f"player_{seat} played {name}, which is not legal. Legal now: {shown or 'nothing, the game is over'}"


__all__ = ["SEATS", "Batch", "illegal_sentence", "reward_mode"]
