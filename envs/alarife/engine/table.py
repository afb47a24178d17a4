"""One game on the table: what environments, tests, the terminal and replays hold."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from .batch import Array, illegal_sentence, reward_mode
from .errors import IllegalAction, StateError
from .game import Game
from .jit import INTERPRETED
from .kernels import kernels
from .layout import View, from_dict, to_dict, view_of
from .memory import belief_number
from .moves import moves_record
from .numbers import action_number, key_numbers, seat_number, seed_number
from .options import GameOptions
from .random import stream_key
from .result import SCORE, Result, value
from .soundness import check_positions, rule_error, settings_words

_ROW = np.zeros(1, np.int64)
_FORK = 2**60  # the index of a seed's stream for forks: a fork of the same seed as the game draws other numbers


class Table:
    """A single game: play, look, copy, fork.

    ``state`` shows the record with its fields as attributes, secrets included; after writing to it by hand, call
    `refresh`.
    """

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        options: GameOptions | dict[str, Any] | None = None,
        seed: int | None = None,
        reward: str = "outcome",
        interpreted: bool = INTERPRETED,
    ) -> None:
        self.game = game
        self.reward, self.mode = reward, reward_mode(reward)
        self.options = game.make_options(options)
        self.display = game.display.of(self.options)
        self.template = game.template(players, self.options)
        self.players = int(self.template[0]["seats"])
        self.interpreted = interpreted
        self._run = kernels(game, interpreted)
        self.states = game.state.zeros(1)
        self.moves = moves_record(game.actions.size).zeros(1)
        self.masks = np.zeros((1, game.actions.size), np.int8)
        self.views = np.zeros((1, game.features.size), np.float32)
        self.results = Result.zeros(1)
        self.rewards = np.zeros((1, game.most_seats), np.float32)
        self.paid = np.zeros((1, game.most_seats), np.float32)
        self._turn, self._over = self.states["turn"], self.states["over"]
        self.key = 0
        self.reset(seed)

    # --- playing ----------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> Self:
        """Begin a new game; without a seed, one that cannot be foreseen."""
        self.seed = secrets.randbits(63) if seed is None else seed_number(seed)
        return self.start(int(stream_key(np.uint64(self.seed), 0)))

    def start(self, key: int) -> Self:
        """Begin the game of a stream key."""
        self.key = key
        self.history: list[int] | None = []
        keys = np.array([key], np.uint64)
        self._run.start(self.states, self.template, keys, _ROW, self.moves, self.masks, self.views, self.paid)
        return self

    @property
    def state(self) -> View:
        """The record with its fields as attributes."""
        return view_of(self.states)

    @property
    def seat(self) -> int:
        """The seat to decide."""
        return int(self._turn[0])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._over[0])

    @property
    def mask(self) -> Array:
        """The legal actions as ones, ``[A]`` int8. Valid until the next action."""
        mask: Array = self.masks[0]
        return mask

    def legal(self) -> list[int]:
        """The legal actions, in increasing order."""
        return [int(action) for action in np.flatnonzero(self.masks[0])]

    def play(self, action: int | str) -> Self:
        """Play a legal action, given by number or by name."""
        number = self.game.actions.parse(action) if isinstance(action, str) else action_number(action)
        if number is None or not (0 <= number < self.masks.shape[1] and self.masks[0, number]):
            raise IllegalAction(illegal_sentence(self.game, self.masks[0], self.seat, action))
        self.advance(number)
        return self

    def advance(self, action: int) -> None:
        """Play an action that is known to be legal."""
        before = _bytes_copy(self.states)
        try:
            self._run.act(self.states, action, self.moves, self.masks, self.views, self.rewards, self.paid,
                          self.results, self.mode)  # fmt: skip
        except BaseException as error:
            self.states.view(np.uint8)[:] = before.view(np.uint8)
            self._run.look(self.states, _ROW, self.moves, self.masks, self.views)
            if isinstance(error, Exception):
                raise rule_error(self.game, error, before.tobytes(), action, self._where()) from error
            raise
        if self.history is not None:
            self.history.append(action)

    def _where(self) -> str:
        """Where a game stands, in the words of an error."""
        begun = f"{self.players} players{settings_words(self.options)}, seed {self.seed}, key {self.key}"
        actions = "set up by hand" if self.history is None else f"actions so far {self.history}"
        return f"{begun}, decision {self.state.decisions}, {actions}"

    def refresh(self) -> Self:
        """Mask and view anew, after the state was changed by hand; such a game has no replay."""
        self.history = None
        self._run.look(self.states, _ROW, self.moves, self.masks, self.views)
        return self

    # --- looking ----------------------------------------------------------------------------------

    def observe(self, seat: int | None = None) -> Array:
        """What a seat (by default the one to decide) sees, ``[F]`` float32, a fresh array."""
        if seat is None or seat == self.seat:
            return np.array(self.views[0])
        views = np.zeros_like(self.views)
        self._run.view(self.states, _ROW, np.array([seat_number(seat, self.players)]), views)
        return np.asarray(views[0])

    def result(self) -> View:
        """Scores and places so far; final once the game is over."""
        self._run.judge(self.states, _ROW, self.results)
        return view_of(self.results)

    def scores(self) -> list[int]:
        """The points of each seat so far."""
        return list(self.result().score[: self.players])

    def places(self) -> list[int]:
        """The place of each seat so far, 1 is best, ties share the better place."""
        return list(self.result().place[: self.players])

    def summary(self) -> dict[str, Any]:
        """What a finished game tells of itself: ``capped``, and what else it has to add; empty before the end."""
        if not self.over:
            return {}
        more = {} if self.game.summary is None else self.game.summary(self.state)
        return {"capped": self.result().capped, **more}

    def check(self) -> None:
        """Assert the game's invariants."""
        self._run.verify(self.states, _ROW)

    def check_memory(self, seat: int) -> None:
        """Assert that the position contradicts nothing that a seat remembers."""
        self._run.remembers(self.states, _ROW, np.array([seat_number(seat, self.players)]))

    def text(self, seat: int | None = None) -> str:
        """The position as lines of text, as a seat sees it; without a seat everything is open, secrets included."""
        return self.display.text(self.state, self._viewer(seat))

    def svg(self, seat: int | None = None) -> str:
        """The position as an SVG picture, as a seat sees it; without a seat everything is open, secrets included."""
        return self.display.svg(self.state, self._viewer(seat))

    def _viewer(self, seat: int | None) -> int | None:
        return None if seat is None else seat_number(seat, self.players)

    def phrase(self, action: int, seat: int | None = None) -> str:
        """What an action does now, as a seat may hear it; without a seat all of it, secrets included."""
        return self.display.phrase(self.state, action, self._viewer(seat))

    # --- copies -----------------------------------------------------------------------------------

    def _twin(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        for name in ("states", "moves", "masks", "views", "results", "rewards", "paid"):
            setattr(twin, name, _bytes_copy(getattr(self, name)))
        twin.history = None if self.history is None else self.history[:]
        twin._turn, twin._over = twin.states["turn"], twin.states["over"]
        return twin

    def clone(self) -> Self:
        """The same game with the same future."""
        return self._twin()

    def fork(self, seat: int, seed: int, belief: str = "view") -> Self:
        """A copy that a seat may search: what it cannot know is redrawn, the future is the seed's.

        `belief` is ``view``, ``memory`` or ``play``: see `alarife.engine.memory`. The fork is a table of its own:
        nothing in it leads to the seed, the start, the secrets or the future of this one.
        """
        twin = self._twin()
        twin.seed = seed_number(seed)
        twin.key = int(stream_key(np.uint64(twin.seed), _FORK))
        keys = np.array([twin.key], np.uint64)
        self._run.fork(self.states, _ROW, np.array([seat_number(seat, self.players)]), keys,
                       belief_number(self.game, belief), twin.states)  # fmt: skip
        for array in (twin.moves, twin.masks, twin.views, twin.results, twin.rewards):
            array.view(np.uint8)[:] = 0
        twin._pay_so_far()
        return twin.refresh()

    def _pay_so_far(self) -> None:
        """Count what the standing is worth as paid; what was paid to others may be secret."""
        self.paid[:] = 0
        if self.over or self.mode >= SCORE:
            standing = self.result()
            self.paid[0, : self.players] = [value(standing, self.players, p, self.mode) for p in range(self.players)]

    def fork_states(self, seat: int, keys: Array, belief: str = "view") -> Array:
        """Forks as bare records, one for each key."""
        keys = key_numbers(keys, np.size(keys))
        copies = self.game.state.zeros(len(keys))
        rows = np.zeros(len(keys), np.int64)
        self._run.fork(self.states, rows, np.full(len(keys), seat_number(seat, self.players)), keys,
                       belief_number(self.game, belief), copies)  # fmt: skip
        return copies

    def seal(self) -> Array:
        """A fork for the seat to decide that may be handed to a player: the true state cannot be found from it."""
        copies = self.game.state.zeros(1)
        self._run.seal(self.states, _ROW, self._turn.astype(np.int64), copies)
        return copies

    def to_dict(self) -> dict[str, Any]:
        """The whole state by field names, ready for JSON."""
        return to_dict(self.game.state, self.state)

    def from_dict(self, values: Mapping[str, Any]) -> Self:
        """Set fields from a dictionary such as `to_dict` gives; fields left out keep their value.

        What is not a position of the game is refused, and the table stays as it was.
        """
        draft = _bytes_copy(self.states)
        from_dict(self.game.state, values, draft[0])
        return self.set_up(draft)

    def set_up(self, states: Array) -> Self:
        """Take over a record, as an array of one; what is not a position of the game is refused."""
        check_positions(self.game, states, self.options, self.interpreted)
        return self._take_over(states)

    def _take_over(self, states: Array) -> Self:
        if int(states[0]["seats"]) != self.players:
            self.template = self.game.template(int(states[0]["seats"]), self.options)
            self.players = int(states[0]["seats"])
        self.states.view(np.uint8)[:] = states.view(np.uint8)
        return self.refresh()

    def to_bytes(self) -> bytes:
        """The state's bytes."""
        return self.states.tobytes()

    def from_bytes(self, content: bytes) -> Self:
        """Take over a state's bytes as they are, such as `to_bytes` gave; for those of others, see `set_up`."""
        return self._take_over(self.record_of(content))

    def record_of(self, content: bytes) -> Array:
        """A state's bytes as a record, an array of one."""
        if len(content) != self.states.nbytes:
            raise StateError(f"a state of {self.game.id} has {self.states.nbytes} bytes, got {len(content)}")
        return np.frombuffer(bytearray(content), self.game.state.dtype)

    def __getstate__(self) -> dict[str, Any]:
        """What a copy needs; kernels are found again on loading."""
        return {"game": self.game, "players": self.players, "options": self.options.to_dict(), "seed": self.seed,
                "key": self.key, "reward": self.reward, "interpreted": self.interpreted, "state": self.to_bytes(),
                "history": self.history, "paid": self.paid.tolist(), "rewards": self.rewards.tolist()}  # fmt: skip

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__init__(saved["game"], saved["players"], saved["options"], 0, saved["reward"], saved["interpreted"])  # type: ignore[misc]
        self.from_bytes(saved["state"])
        self.seed, self.key, self.history = saved["seed"], saved["key"], saved["history"]
        self.history = None if self.history is None else self.history[:]
        self.paid[:], self.rewards[:] = saved["paid"], saved["rewards"]


def _bytes_copy(array: Array) -> Array:
    """A copy through bytes: NumPy copies records field by field, ten times slower."""
    return array.view(np.uint8).copy().view(array.dtype).reshape(array.shape)
