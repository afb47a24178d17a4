"""One game on the table: what environments, tests, the terminal and replays hold."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np

from .batch import Array, illegal_sentence, reward_mode
from .chance import MOST, Chance, Drawn, Forced, Outcome, outcomes_of
from .errors import IllegalAction, StateError
from .game import Game
from .information import Event, Past, trail_of
from .jit import INTERPRETED
from .kernels import kernels
from .layout import View, check_names, from_dict, to_dict, view_of
from .moves import moves_record
from .numbers import action_number, key_numbers, seat_number, seed_number
from .options import GameOptions
from .play import play_of
from .random import deciding, stream_key
from .result import Result

_ROW = np.zeros(1, np.int64)


class Table:
    """A single game: play, look, copy, fork.

    ``state`` shows the record with its fields as attributes, secrets included; after writing to it by hand, call
    `refresh`. With ``luck="event"`` deals are duplicate: see `Game.with_luck`.
    """

    def __init__(
        self,
        game: Game,
        players: int | None = None,
        options: GameOptions | dict[str, Any] | None = None,
        seed: int | None = None,
        reward: str = "outcome",
        interpreted: bool = INTERPRETED,
        luck: str | None = None,
    ) -> None:
        self.game = game = game.with_luck(luck)
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
        return self.start(int(stream_key(np.uint64(self.seed % 2**64), 0)))

    def start(self, key: int, chance: Chance | None = None) -> Self:
        """Begin the game of a stream key; `chance` is the deal, if it is not to be the key's."""
        arrays = (np.array([key], np.uint64), _ROW, self.moves, self.masks, self.views, self.paid)
        if chance is None:
            self._run.start(self.states, self.template, *arrays)
            forced = None
        else:
            states, forced = self._force(chance, "the deal", lambda states: self._deal(states, key))
            self.states.view(np.uint8)[:] = states.view(np.uint8)
            self.paid[:] = 0
            self._run.look(self.states, _ROW, self.moves, self.masks, self.views)
        self.key, self.past = key, Past(key)
        if forced is not None:
            self.past.forced[0] = forced
        return self

    @property
    def history(self) -> list[int] | None:
        """The actions since the start; None for a position that was set up by hand."""
        return self.past.actions if self.past.origin is None else None

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

    def play(self, action: int | str, chance: Chance | None = None) -> Self:
        """Play a legal action, given by number or by name.

        `chance` makes its draws come out so: an outcome of `chance(action)`, or what comes out, draw by draw. A NumPy
        generator draws them anew, so that the table's own stream does not decide.
        """
        number = self._legal(action)
        if chance is None:
            self.advance(number)
        else:
            self._advance_as(number, chance)
        return self

    def _legal(self, action: int | str) -> int:
        number = self.game.actions.parse(action) if isinstance(action, str) else action_number(action)
        if number is None or not (0 <= number < self.masks.shape[1] and self.masks[0, number]):
            raise IllegalAction(illegal_sentence(self.game, self.masks[0], self.seat, action))
        return number

    def advance(self, action: int) -> None:
        """Play an action that is known to be legal."""
        self._run.act(self.states, action, self.moves, self.masks, self.views, self.rewards, self.paid,
                      self.results, self.mode)  # fmt: skip
        self.past.actions.append(action)

    def refresh(self) -> Self:
        """Mask and view anew, after the state was changed by hand; such a game has no replay.

        What seats remember (`information`) begins here.
        """
        self.past = Past(self.key, self.to_bytes())
        self._run.look(self.states, _ROW, self.moves, self.masks, self.views)
        return self

    # --- chance -----------------------------------------------------------------------------------

    def chance(self, action: int | str | None = None, most: int = MOST) -> list[Outcome]:
        """What may come of an action, or of the deal, each with its probability, which add up to 1.

        Ways that lead to the same state are one outcome. Where there are more than `most`, or a number is drawn from
        a continuum, a `ChanceError` says so. `play(action, chance=outcome)` and `deal(outcome)` make one happen.
        """
        if action is None:
            blank = self.game.state.zeros(1)
            return outcomes_of(lambda: self._deal(blank, self.key), "the deal", most)
        number = self._legal(action)
        draft = _bytes_copy(self.states)

        def run() -> Array:
            draft.view(np.uint8)[:] = self.states.view(np.uint8)
            return self._rule_play(draft, number)

        return outcomes_of(run, self.game.actions.name(number), most)

    def deal(self, chance: Chance) -> Self:
        """Begin a new game with a deal that came out so; all later chance is that of the present key."""
        return self.start(self.key, chance)

    def _deal(self, states: Array, key: int) -> Array:
        states.view(np.uint8)[:] = self.template.view(np.uint8)
        state = view_of(states)
        state.rng = key
        self.game.reset(state)
        return states

    def _rule_play(self, states: Array, action: int) -> Array:
        play_of(self.game).play(view_of(states), action)
        return states

    def _force(self, chance: Chance, what: str, run: Callable[[Array], Array]) -> tuple[Array, Any]:
        decider = Drawn(chance) if isinstance(chance, np.random.Generator) else Forced(chance, what)
        with deciding(decider):
            states = run(_bytes_copy(self.states))
        return states, decider.finish()

    def _advance_as(self, action: int, chance: Chance) -> None:
        """Play an action whose draws come out as given: by the rules run interpreted, which agree byte for byte."""
        what = self.game.actions.name(action)
        states, forced = self._force(chance, what, lambda states: self._rule_play(states, action))
        self.states.view(np.uint8)[:] = states.view(np.uint8)
        self._run.settle(self.states, self.moves, self.masks, self.views, self.rewards, self.paid, self.results,
                         self.mode)  # fmt: skip
        self.past.actions.append(action)
        if forced:
            self.past.forced[len(self.past.actions)] = forced

    # --- looking ----------------------------------------------------------------------------------

    def observe(self, seat: int | None = None) -> Array:
        """What a seat (by default the one to decide) sees, ``[F]`` float32, a fresh array."""
        if seat is None or seat == self.seat:
            return np.array(self.views[0])
        views = np.zeros_like(self.views)
        self._run.view(self.states, _ROW, np.array([seat_number(seat, self.players)]), views)
        return np.asarray(views[0])

    def information(self, seat: int) -> list[Event]:
        """What a seat has seen and done, from the start of the game or from the position that was set up by hand.

        Perfect recall: equal in two games if and only if the seat cannot tell them apart. A fork made for a seat keeps
        what that seat has lived through; nobody knows what the others have, and theirs begins with the fork.
        """
        return list(trail_of(self, seat_number(seat, self.players)).events)

    def information_key(self, seat: int) -> str:
        """A digest of `information`, 32 hexadecimal digits: the key of the seat's information set."""
        return trail_of(self, seat_number(seat, self.players)).digest.hex()

    def at_beginning(self, past: Past) -> Self:
        """A table of the same game in the position where a past begins."""
        table = self._twin()
        if past.origin is None:
            return table.start(past.key, past.forced.get(0))
        return table.from_bytes(past.origin)

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
        """What the game tells of itself at its end; empty before, and in games that have nothing to add."""
        return self.game.summary(self.state) if self.over and self.game.summary is not None else {}

    def check(self) -> None:
        """Assert the game's invariants."""
        self._run.verify(self.states, _ROW)

    def text(self, seat: int | None = None) -> str:
        """The position as lines of text, as a seat sees it or with everything open."""
        return self.display.text(self.state, self._viewer(seat))

    def svg(self, seat: int | None = None) -> str:
        """The position as an SVG picture, as a seat sees it or with everything open."""
        return self.display.svg(self.state, self._viewer(seat))

    def _viewer(self, seat: int | None) -> int | None:
        return None if seat is None else seat_number(seat, self.players)

    def phrase(self, action: int) -> str:
        """What an action does now, in the words of the rulebook."""
        return self.display.phrase(self.state, action)

    # --- copies -----------------------------------------------------------------------------------

    def __deepcopy__(self, memo: Any) -> Self:
        return self.clone()

    def _twin(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        for name in ("states", "moves", "masks", "views", "results", "rewards", "paid"):
            setattr(twin, name, _bytes_copy(getattr(self, name)))
        twin.past = self.past.copy()
        twin._turn, twin._over = twin.states["turn"], twin.states["over"]
        return twin

    def clone(self) -> Self:
        """The same game with the same future."""
        return self._twin()

    def fork(self, seat: int, seed: int) -> Self:
        """A copy that a seat may search: what it cannot know is redrawn, the future is the seed's."""
        twin = self._twin()
        keys = np.array([stream_key(np.uint64(seed_number(seed) % 2**64), 0)], np.uint64)
        self._run.fork(self.states, _ROW, np.array([seat_number(seat, self.players)]), keys, twin.states)
        before = twin.past
        twin.refresh()
        twin.past.before, twin.past.seat = before, seat
        return twin

    def fork_states(self, seat: int, keys: Array) -> Array:
        """Forks as bare records, one for each key."""
        keys = key_numbers(keys, np.size(keys))
        copies = self.game.state.zeros(len(keys))
        rows = np.zeros(len(keys), np.int64)
        self._run.fork(self.states, rows, np.full(len(keys), seat_number(seat, self.players)), keys, copies)
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
        self._examine(states)
        return self._take_over(states)

    def _examine(self, states: Array) -> None:
        """Raise unless the record holds a position of the game, with the options of this table."""
        record, game = states[0], self.game
        seats = int(record["seats"])
        if seats not in game.seats:
            raise StateError(f"seats: {game.name} is for {game.seat_words}, got {seats}")
        for name, most in (("turn", seats - 1), ("over", 1)):
            if not 0 <= record[name] <= most:
                raise StateError(f"{name} goes from 0 to {most}, got {record[name]}")
        if record["decisions"] < 0:
            raise StateError(f"decisions are counted from 0 on, got {record['decisions']}")
        if record["options"].tobytes() != self.template[0]["options"].tobytes():
            raise StateError("options are chosen when a table is made and stay as they are")
        check_names(game.state, record)
        self._try_out(states)

    def _try_out(self, states: Array) -> None:
        """The game's own invariants, what the seats see, and a legal action unless the game is over."""
        moves, masks, views = (_bytes_copy(array) for array in (self.moves, self.masks, self.views))
        try:
            self._run.verify(states, _ROW)
            self._run.judge(states, _ROW, Result.zeros(1))
            for seat in range(int(states[0]["seats"])):
                self._run.view(states, _ROW, np.array([seat]), views)
            self._run.look(states, _ROW, moves, masks, views)
        except Exception as error:
            raise StateError(f"this is no position of {self.game.id}: {error or type(error).__name__}") from None
        if not states[0]["over"] and not masks.any():
            raise StateError(f"this is no position of {self.game.id}: the game goes on, but nothing is legal")

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
                "past": self.past.to_dict(self), "paid": self.paid.tolist(),
                "rewards": self.rewards.tolist()}  # fmt: skip

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__init__(saved["game"], saved["players"], saved["options"], 0, saved["reward"], saved["interpreted"])  # type: ignore[misc]
        self.from_bytes(saved["state"])
        self.seed, self.key, self.past = saved["seed"], saved["key"], Past.from_dict(saved["past"])
        self.paid[:], self.rewards[:] = saved["paid"], saved["rewards"]


def _bytes_copy(array: Array) -> Array:
    """A copy through bytes: NumPy copies records field by field, ten times slower."""
    return array.view(np.uint8).copy().view(array.dtype).reshape(array.shape)
