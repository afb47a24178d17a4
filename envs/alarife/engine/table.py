"""One game on the table: what environments, tests, the terminal and replays hold."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np

from .arrays import Arrays, Scratch, bytes_copy, same_bytes
from .batch import illegal_sentence, reward_mode
from .chance import MOST, Chance, Drawn, Forced, Outcome, outcomes_of
from .errors import ChanceError, IllegalAction, StateError
from .game import Game
from .hearing import Heard, hear
from .information import Event, Past, trail_before, trail_of
from .jit import INTERPRETED
from .kernels import kernels
from .layout import View, from_dict, to_dict, view_of
from .numbers import Array, action_number, key_number, key_numbers, seat_number, seed_number, short, whole_number
from .options import GameOptions
from .play import play_of
from .random import deciding, stream_key
from .result import SCORE, value
from .soundness import check_positions, rule_error, settings_words
from .svg import described

_ROW = np.zeros(1, np.int64)
_FORK = 2**60  # the index of a seed's stream for forks: a fork of the same seed as the game draws other numbers


class Table:
    """A single game: play, look, copy, fork.

    ``state`` shows the record with its fields as attributes, secrets included; after writing to it by hand, call
    `refresh`. With ``luck="event"`` deals are duplicate: see `Game.with_luck`. Views are float32, or with
    ``observation_dtype=None`` in the whole numbers that the game writes.
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
        observation_dtype: str | None = "float32",
    ) -> None:
        self.game = game = game.with_luck(luck)
        self.reward, self.mode = reward, reward_mode(reward)
        self.options = game.make_options(options)
        self.display = game.display.of(self.options)
        self.template = game.template(players, self.options)
        self.players = int(self.template[0]["seats"])
        self.interpreted = interpreted
        self._hold(Arrays(game, 1, self.mode, kernels(game, interpreted), game.features.dtype_named(observation_dtype)))
        self.key = 0
        self.reset(seed)

    def _hold(self, arrays: Arrays) -> None:
        """Take these arrays for this table's own."""
        self.arrays = arrays
        self.states, self.moves, self.masks, self.views = arrays.shown
        self.results, self.rewards, self.paid = arrays.results, arrays.rewards, arrays.paid
        self._seat, self._over = self.states["seat"], self.states["over"]
        self.view_row: Array = self.views[0]
        self.mask_row: Array = self.masks[0]

    def __repr__(self) -> str:
        now = "over" if self.over else f"player_{self.seat} to decide"
        seats = f"{self.players} player{'s' * (self.players > 1)}"
        return f"<Table {self.game.id}, {seats}, seed {self.seed}, {self.state.decisions} decisions, {now}>"

    # --- playing ----------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> Self:
        """Begin a new game; without a seed, one that cannot be foreseen."""
        self.seed = secrets.randbits(63) if seed is None else seed_number(seed)
        return self.start(int(stream_key(np.uint64(self.seed), 0)))

    def start(self, key: int, chance: Chance | None = None) -> Self:
        """Begin the game of a stream key; `chance` is the deal, if it is not to be the key's."""
        key = key_number(key)
        if chance is None:
            self.arrays.begin(self.template, np.array([key], np.uint64), _ROW)
            forced = None
        else:
            states, forced = self._force(chance, "the deal", lambda states: self._deal(states, key))
            same_bytes(self.states, states)
            self.paid[:] = 0
        self.arrays.look(_ROW)
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
        return int(self._seat.item())

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._over.item())

    @property
    def mask(self) -> Array:
        """The legal actions as ones, ``[A]`` int8. Valid until the next action."""
        return self.mask_row

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
        self._carry_out(action, self.arrays.act, action)

    def _carry_out(self, action: int, run: Callable[..., None], *given: Any) -> None:
        """Run an action wholly or not at all, and remember it."""
        before = self.states.tobytes()
        try:
            run(*given)
        except BaseException as error:
            same_bytes(self.states, np.frombuffer(before, self.states.dtype))
            self.arrays.look(_ROW)
            if isinstance(error, Exception) and not isinstance(error, ChanceError):
                raise rule_error(self.game, error, before, action, self._where()) from error
            raise
        self.past.actions.append(action)

    def _where(self) -> str:
        """Where a game stands, in the words of an error."""
        begun = f"{self.players} players{settings_words(self.options)}, seed {self.seed}, key {self.key}"
        actions = "set up by hand" if self.history is None else f"actions so far {self.history}"
        return f"{begun}, decision {self.state.decisions}, {actions}"

    def refresh(self) -> Self:
        """Mask and view anew, after the state was changed by hand; such a game has no replay.

        What seats remember (`information`) begins here.
        """
        self.past = Past(self.key, self.to_bytes())
        self.arrays.look(_ROW)
        return self

    def script(self, seed: int = 0) -> int:
        """The scripted player's action, chosen on a fork that is made with this seed for the seat to decide."""
        fork = self.fork_states(self.seat, np.array([seed_number(seed)], np.uint64))
        return int(Scratch(self.game, interpreted=self.interpreted).advice(fork)[0])

    # --- chance -----------------------------------------------------------------------------------

    def chance(self, action: int | str | None = None, most: int = MOST) -> list[Outcome]:
        """What may come of an action, or of the deal, each with its probability, which add up to 1.

        Ways that lead to the same state are one outcome. Where there are more than `most`, or a number is drawn from
        a continuum, a `ChanceError` says so. `play(action, chance=outcome)` and `deal(outcome)` make one happen.
        """
        most = whole_number(most, "outcomes are told up to a number {}", 1, 2**31 - 1)
        if action is None:
            blank = self.game.state.zeros(1)
            return outcomes_of(lambda: self._deal(blank, self.key), "the deal", most)
        number = self._legal(action)
        draft = bytes_copy(self.states)

        def run() -> Array:
            same_bytes(draft, self.states)
            return self._rule_play(draft, number)

        return outcomes_of(run, self.game.actions.name(number), most)

    def deal(self, chance: Chance) -> Self:
        """Begin a new game with a deal that came out so; all later chance is that of the present key."""
        return self.start(self.key, chance)

    def _deal(self, states: Array, key: int) -> Array:
        same_bytes(states, self.template)
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
            states = run(bytes_copy(self.states))
        return states, decider.finish()

    def _advance_as(self, action: int, chance: Chance) -> None:
        """Play an action whose draws come out as given: by the rules run interpreted, which agree byte for byte."""
        what, forced = self.game.actions.name(action), ()

        def run() -> None:
            nonlocal forced
            states, forced = self._force(chance, what, lambda states: self._rule_play(states, action))
            same_bytes(self.states, states)
            self.arrays.settle()

        self._carry_out(action, run)
        if forced:
            self.past.forced[len(self.past.actions)] = forced

    # --- looking ----------------------------------------------------------------------------------

    def observe(self, seat: int | None = None) -> Array:
        """What a seat (by default the one to decide) sees, ``[F]``, in the table's `observation_dtype`; fresh."""
        if seat is None or seat_number(seat, self.players) == self.seat:
            return np.array(self.views[0])
        views = np.zeros_like(self.views)
        self.arrays.view(_ROW, np.array([seat]), views)
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
        table = self._twin(self.arrays.copy())
        if past.origin is None:
            return table.start(past.key, past.forced.get(0))
        return table.from_bytes(past.origin)

    def result(self) -> View:
        """Scores and places so far; final once the game is over."""
        self.arrays.judge(_ROW)
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
        self.arrays.verify(_ROW)

    def check_memory(self, seat: int) -> None:
        """Assert that the position contradicts nothing that a seat remembers."""
        self.arrays.remembers(_ROW, np.array([seat_number(seat, self.players)]))

    def text(self, seat: int | None = None) -> str:
        """The position as lines of text, as a seat sees it; without a seat everything is open, secrets included."""
        return self.display.text(self.state, self._viewer(seat))

    def svg(self, seat: int | None = None) -> str:
        """The position as an SVG picture, as a seat sees it; without a seat everything is open, secrets included."""
        return described(self.display.svg(self.state, self._viewer(seat)), self.game.title, self.text(seat))

    def _repr_svg_(self) -> str:
        """The picture in a notebook: what the seat to decide sees, and everything when the game is over."""
        return self.svg(None if self.over else self.seat)

    def _viewer(self, seat: int | None) -> int | None:
        return None if seat is None else seat_number(seat, self.players)

    def phrase(self, action: int | str, seat: int | None = None) -> str:
        """What an action does now, as a seat may hear it; without a seat all of it, secrets included."""
        number = self.game.actions.parse(action) if isinstance(action, str) else action_number(action)
        if number is None:
            raise IllegalAction(f"an action is a number or a name, got {short(action)}")
        self.game.actions.find(number)
        return self.display.phrase(self.state, number, self._viewer(seat))

    def places_of(self, action: int) -> tuple[str, ...]:
        """The places of the picture where a legal action is clicked, one for each step; none: a button."""
        place = self.display.place(self.state, action)
        return (place,) if isinstance(place, str) and place else tuple(place)

    def last_moves(self, count: int = 1, seat: int | None = None) -> list[Heard]:
        """The last decisions as a seat heard them, the newest last; without a seat all of it, secrets included."""
        viewer, past = self._viewer(seat), self.past
        table, heard = self.at_beginning(past), []
        for number, action in enumerate(past.actions, 1):
            if number > len(past.actions) - count:
                heard.append(hear(table, action, viewer))
            table.play(action, past.forced.get(number))
        return heard

    # --- copies -----------------------------------------------------------------------------------

    def __deepcopy__(self, memo: Any) -> Self:
        return self.clone()

    def _twin(self, arrays: Arrays) -> Self:
        """The same table with other arrays."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._hold(arrays)
        twin.past = self.past.copy()
        return twin

    def clone(self) -> Self:
        """The same game with the same future."""
        return self._twin(self.arrays.copy())

    def fork(self, seat: int, seed: int, belief: str = "view") -> Self:
        """A copy that a seat may search: what it cannot know is redrawn, the future is the seed's.

        `belief` is ``view``, ``memory`` or ``play``: see `alarife.engine.memory`. The fork is a table of its own:
        nothing in it leads to the seed, the start, the secrets or the future of this one.
        """
        twin = self._twin(self.arrays.blank())
        twin.seed = seed_number(seed)
        twin.key = int(stream_key(np.uint64(twin.seed), _FORK))
        seats, keys = np.array([seat_number(seat, self.players)]), np.array([twin.key], np.uint64)
        self.arrays.fork_into(twin.states, _ROW, seats, keys, belief)
        twin.pay_so_far()
        twin.refresh()
        twin.past.seat, twin.past.before = seat, trail_before(self, seat)
        return twin

    def pay_so_far(self) -> None:
        """Count what the standing is worth as paid; what was paid to others may be secret."""
        self.paid[:] = 0
        if self.over or self.mode >= SCORE:
            standing = self.result()
            self.paid[0, : self.players] = [value(standing, self.players, p, self.mode) for p in range(self.players)]

    def fork_states(self, seat: int, keys: Array, belief: str = "view") -> Array:
        """Forks as bare records, one for each key."""
        keys = key_numbers(keys, np.size(keys))
        rows = np.zeros(len(keys), np.int64)
        return self.arrays.forks(rows, np.full(len(keys), seat_number(seat, self.players)), keys, belief)

    def seal(self) -> Array:
        """A fork for the seat to decide that may be handed to a player: the true state cannot be found from it."""
        return self.arrays.seals(_ROW)

    def blind(self) -> Array:
        """A state that may be handed to a player, for the scripted player to decide on and for nothing else."""
        return self.arrays.blinds(_ROW)

    def to_dict(self) -> dict[str, Any]:
        """The whole state by field names, ready for JSON."""
        return to_dict(self.game.state, self.state)

    def from_dict(self, values: Mapping[str, Any]) -> Self:
        """Set fields from a dictionary such as `to_dict` gives; fields left out keep their value.

        What is not a position of the game is refused, and the table stays as it was.
        """
        draft = bytes_copy(self.states)
        from_dict(self.game.state, values, draft[0])
        return self.set_up(draft)

    def set_up(self, states: Array) -> Self:
        """Take over a record, as an array of one; what is not a position of the game is refused."""
        if not isinstance(states, np.ndarray) or states.dtype != self.states.dtype or states.shape != (1,):
            raise StateError(f"a record of {self.game.id} is an array of one of its states, got {short(states)}")
        check_positions(self.game, states, self.options, self.interpreted)
        return self._take_over(states)

    def _take_over(self, states: Array) -> Self:
        if int(states[0]["seats"]) != self.players:
            self.template = self.game.template(int(states[0]["seats"]), self.options)
            self.players = int(states[0]["seats"])
        same_bytes(self.states, states)
        return self.refresh()

    def to_bytes(self) -> bytes:
        """The state's bytes."""
        return self.states.tobytes()

    def from_bytes(self, content: bytes) -> Self:
        """Take over a state's bytes as they are, such as `to_bytes` gave; for those of others, see `set_up`."""
        return self._take_over(self.record_of(content))

    def record_of(self, content: bytes) -> Array:
        """A state's bytes as a record, an array of one."""
        if not isinstance(content, (bytes, bytearray, memoryview)):
            raise StateError(f"a state of {self.game.id} is read from bytes, got {short(content)}")
        if len(content) != self.states.nbytes:
            raise StateError(f"a state of {self.game.id} has {self.states.nbytes} bytes, got {len(content)}")
        return np.frombuffer(bytearray(content), self.game.state.dtype)

    def __getstate__(self) -> dict[str, Any]:
        """What a copy needs; kernels are found again on loading."""
        return {"game": self.game, "players": self.players, "options": self.options.to_dict(), "seed": self.seed,
                "key": self.key, "reward": self.reward, "interpreted": self.interpreted,
                "observation_dtype": self.views.dtype.name, "state": self.to_bytes(),
                "past": self.past.to_dict(), "paid": self.paid.tolist(),
                "rewards": self.rewards.tolist()}  # fmt: skip

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__init__(  # type: ignore[misc]
            saved["game"], saved["players"], saved["options"], 0, saved["reward"], saved["interpreted"],
            observation_dtype=saved["observation_dtype"],
        )  # fmt: skip
        self.from_bytes(saved["state"])
        self.seed, self.key, self.past = saved["seed"], saved["key"], Past.from_dict(saved["past"])
        self.paid[:], self.rewards[:] = saved["paid"], saved["rewards"]
