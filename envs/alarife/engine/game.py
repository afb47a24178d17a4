"""What a game declares."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from .decisions import Decisions
from .digest import digest_of_behaviour
from .errors import AlarifeError, OptionError
from .layout import Actions, Features, Record, View, i8, i32, u64, view_of
from .memory import Memory
from .numbers import is_whole, one_of, short
from .options import GameOptions
from .play import observe_and_remember
from .random import LUCK
from .result import SEATS

Rule = Callable[..., Any]
_OF_DECISIONS: Any = None
LUCKS = ORDER, EVENT = "order", "event"


def digest_of_layout(table: dict[str, Any]) -> str:
    """The digest of a layout that is told as a table."""
    actions = {name: tuple(shape) for name, shape in table["actions"].items()}
    bounds = [(name, tuple(shape), low, high) for name, (shape, low, high) in table["blocks"].items()]
    return hashlib.sha256(repr((table["game"], actions, bounds)).encode()).hexdigest()[:16]


class GameState(Record):
    """The fields that every state record has; a game subclasses it and adds its own, among them ``options``.

    Every field says which numbers it may hold (`Field.between`). ``prepared`` names the fields that `Game.prepare`
    writes and no rule changes.
    """

    prepared: ClassVar[Sequence[str]] = ()

    rng = u64.anything()  # the random stream (engine.random)
    decisions = i32.between(0, 2**31 - 1)  # decisions taken so far, counted by the engine
    seats = i8.between(1, SEATS)  # seats at the table
    seat = i8.between(0, SEATS - 1)  # seat to decide
    over = i8.between(0, 1)  # 1 once the game has ended


class Display:
    """How a game is shown. Every game subclasses it; `seat` is who looks or listens, None for someone who knows all."""

    def of(self, options: Any) -> Display:
        """The display for a game with these options; games with replaceable tables hand back one that knows them."""
        return self

    def text(self, state: View, seat: int | None = None) -> str:
        """The position as lines for a terminal."""
        raise NotImplementedError

    def svg(self, state: View, seat: int | None = None) -> str:
        """The position as an SVG picture."""
        raise NotImplementedError

    def phrase(self, state: View, action: int, seat: int | None = None) -> str:
        """What the action does, as that seat may hear it, before it is played: ``takes a card``.

        Whoever plays the action hears all of it; to the others it tells no more than they will see and know.
        """
        raise NotImplementedError

    def place(self, state: View, action: int) -> str | tuple[str, ...]:
        """Where a legal action is clicked in the picture of the seat to decide; empty where it is a button.

        A name is one that `Picture.place` drew. One legal action at a place is played by a click, several open a menu
        of their phrases. A tuple is a way in steps, the first place first. What lies face down is named by where it
        lies, never by what it is.
        """
        return ""

    def points(self, state: View) -> list[str]:
        """What the players of the board game call the result so far, a line for each seat: ``26.5 points``.

        Empty: the engine's scores as they are. It is told when the game is over.
        """
        return []

    def story(self, state: View) -> list[str]:
        """What an automa did in its last turn, line by line, for all to hear; empty in games without one."""
        return []


@dataclass(frozen=True, eq=False, kw_only=True)
class Game:
    """The table of contents of a game. Rules are functions made by `rule`.

    - ``reset(s)``: set up; the state comes zeroed, with ``seats``, ``options`` and ``rng`` in place
    - ``decisions``: the table of `Decisions`, which gives the two rules that follow
    - ``legal(s, moves)``: offer each action that the seat to decide may take
    - ``apply(s, action)``: play one legal action, chance included, and go on to the next decision
    - ``observe(s, seat, view)``: write what a seat may know; the view comes zeroed
    - ``resample(s, seat)``: redraw, from the right distribution, all that the seat cannot know
    - ``result(s, r)``: scores and places so far
    - ``check(s)``: assert the invariants
    - ``advise(s, moves)``: the scripted player's action; may look only at what the seat to decide may know
    - ``blindfold(s, seat)``: wipe out what the seat cannot know, quicker than `resample` draws it; for a game whose
      advice can do without
    """

    name: str
    version: int
    title: str
    seats: Sequence[int]
    state: type[GameState]
    actions: Actions
    features: Features
    reset: Rule
    observe: Rule
    resample: Rule
    result: Rule
    check: Rule
    advise: Rule
    display: Display
    longest: int  # no game takes more decisions than this
    decisions: Decisions | None = None  # what is decided in each phase; it gives `legal`, and `apply` if that is all
    legal: Rule = _OF_DECISIONS
    apply: Rule = _OF_DECISIONS
    options: type[GameOptions] = GameOptions
    prepare: Callable[[View, Any], None] | None = None  # writes tables of the options into a blank state
    summary: Callable[[View], dict[str, Any]] | None = None  # what more a finished game's info tells
    open_information: bool = False  # True where every seat knows everything but the future
    luck: str = ORDER  # "event": see `with_luck`
    short: Mapping[str, Any] = field(default_factory=dict)  # options of a short game, for golden games, ladders, tests
    blindfold: Rule | None = None
    memory: Memory | None = None  # what seats remember beyond their view; None where the view holds all that counts
    plain: Game | None = None  # for a game whose views show the memory: the same game without; see `with_memory`

    def __post_init__(self) -> None:
        if self.decisions is not None:
            for name, given in (("legal", self.decisions.legal), ("apply", self.decisions.choose)):
                if getattr(self, name) is _OF_DECISIONS:
                    object.__setattr__(self, name, given)
        if _OF_DECISIONS in (self.legal, self.apply):
            raise OptionError(f"{self.name}: a game declares its decisions, or the rules legal and apply")
        if not 1 <= min(self.seats) <= max(self.seats) <= SEATS:
            raise OptionError(f"{self.name}: tables have 1 to {SEATS} seats, got {list(self.seats)}")
        if "options" not in self.state.fields:
            raise OptionError(f"{self.name}: the state needs a field `options = settings_of(Options)`")
        if problem := _deaf(self.display):
            raise OptionError(f"{self.name}: {problem}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by name: whoever loads it has the game's package."""
        from alarife.engine.registry import find_game

        is_itself = self.luck == ORDER and not self.remembers
        return (find_game, (self.id,)) if is_itself else (_variant, (self.id, self.luck, self.remembers))

    @property
    def remembers(self) -> bool:
        """Whether views show what the seats remember."""
        return self.plain is not None

    def with_luck(self, luck: str | None) -> Game:
        """The same game with luck by ``"order"`` (the default) or by ``"event"``; None leaves it as it is.

        By event, two lines of play of one deal meet the same luck: the k-th card of a pile is the same in both,
        whatever else was drawn before. By order, the k-th draw of the game is the same, whichever pile it is from.
        """
        if luck is None or one_of(luck, LUCKS, "luck") == self.luck:
            return self
        if self.plain is not None:
            return self.plain.with_luck(luck).with_memory
        return self._base if luck == ORDER else self._by_event

    @cached_property
    def _by_event(self) -> Game:
        state = type(self.state.__name__, (self.state,), {"luck": LUCK, "__module__": self.state.__module__})
        game = replace(self, state=state, luck=EVENT)
        game.__dict__["_base"], game.__dict__["folder"] = self, self.folder
        return game

    @cached_property
    def _base(self) -> Game:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """A game is a constant: copies of what is played with it share it."""
        return self

    @property
    def id(self) -> str:
        """Name and version, as environments are called: ``viva_v1``."""
        return f"{self.name}_v{self.version}"

    @property
    def most_seats(self) -> int:
        """The largest table; arrays by seat have this length."""
        return max(self.seats)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The functions that kernels are built of."""
        own = self.reset, self.legal, self.apply, self.observe, self.resample, self.result, self.check, self.advise
        return own + (self.memory.rules if self.memory else ())

    def decided(self, state: View) -> list[str]:
        """The line that says who decides what; none in a game that has ended or does not tell its decisions."""
        return (
            []
            if state.over or self.decisions is None
            else [f"player_{state.seat} decides: {self.decisions.words(state)}"]
        )

    @cached_property
    def with_memory(self) -> Game:
        """The same game with views that show, behind all else, what the seat remembers; so forks agree with it."""
        if self.remembers:
            return self
        if self.memory is None:
            raise AlarifeError(f"{self.id} has no memory to show: it declares nothing that seats know beyond a view")
        if twice := self.features.blocks.keys() & self.memory.features.blocks.keys():
            raise AlarifeError(f"{self.id}: the memory names a block that the view has already, {min(twice)}")
        both = Features(**self.features.blocks, **self.memory.features.blocks)
        observe, resample = observe_and_remember(self), self.memory.recall
        game = replace(self, features=both, observe=observe, resample=resample, plain=self)
        game.__dict__["folder"] = self.folder
        return game

    def showing(self, memory: bool) -> Game:
        """The same game with or without the memory in its views."""
        return self.with_memory if memory else self.plain or self

    @cached_property
    def folder(self) -> Path:
        """Where the sources of this game lie."""
        return Path(inspect.getfile(self.state)).resolve().parent

    @cached_property
    def digest(self) -> str:
        """Digest of what the rules say, of tables and layouts: results and files tell under which one they were made.

        Comments, docstrings, displays and advice are no part of it.
        """
        return digest_of_behaviour(self)

    def about(self) -> dict[str, Any]:
        """What a user has to know of the game, as JSON: ``alarife show viva --json``."""
        tables = (
            ("options", ("option", "values", "default", "meaning"), self.options.describe()),
            ("decisions", ("decision", "what is decided", "who decides", "actions", "rules"),
             self.decisions.table() if self.decisions else []),
            ("actions", ("ids", "family", "parameters", "meaning"), self.actions.table()),
            ("observation", ("indices", "block", "shape", "bounds", "meaning"), self.features.table()),
        )  # fmt: skip
        about: dict[str, Any] = {
            "id": self.id, "name": self.name, "version": self.version, "title": self.title, "players": list(self.seats),
            "digest": self.digest, "layout": self.layout_digest, "longest": self.longest,
            "state_bytes": self.state.dtype.itemsize, "action_count": self.actions.size,
            "observation_size": self.features.size, "remembers": self.memory is not None,
        }  # fmt: skip
        return about | {name: [dict(zip(head, row, strict=True)) for row in rows] for name, head, rows in tables}

    def __repr__(self) -> str:
        return f"<Game {self.id}: {self.title}, {self.seat_words}>"

    @cached_property
    def record_digest(self) -> str:
        """Digest of the fields of a state: a save is refused if it differs."""
        return hashlib.sha256(repr((self.id, self.state.dtype.descr)).encode()).hexdigest()[:16]

    @cached_property
    def layout_digest(self) -> str:
        """Digest of what a network sees and chooses from; it outlives edits that change neither."""
        return digest_of_layout(self.layout_table)

    @cached_property
    def layout_table(self) -> dict[str, Any]:
        """What a network sees and chooses from, as JSON: families of actions, blocks with shape and bounds."""
        return {"game": self.id, "actions": {name: list(shape) for name, shape in self.actions.shapes.items()},
                "blocks": {name: [list(block.shape), block.low, block.high]
                           for name, block in self.features.blocks.items()}}  # fmt: skip

    def template(self, players: int | None, options: GameOptions) -> np.ndarray:
        """A blank state (one row) with seats and options written in: what `reset` starts from."""
        players = self.default_players if players is None else players
        if not is_whole(players) or players not in self.seats:
            raise OptionError(f"{self.name} is for {self.seat_words}, got {short(players)}")
        blank = self.state.zeros(1)
        view = view_of(blank)
        view.seats = int(players)
        options.write(view.options)
        if self.prepare is not None:
            self.prepare(view, options)
        return blank

    @property
    def seat_words(self) -> str:
        """How many may play, in words: ``2 to 6 players``."""
        counts = sorted(self.seats)
        if len(counts) > 1 and counts == list(range(counts[0], counts[-1] + 1)):
            return f"{counts[0]} to {counts[-1]} players"
        return f"{' or '.join(map(str, counts))} {'player' if counts == [1] else 'players'}"

    @property
    def default_players(self) -> int:
        """The smallest table for more than one, or the solo table."""
        return min((n for n in self.seats if n > 1), default=min(self.seats))

    def make_options(self, options: GameOptions | dict[str, Any] | None = None) -> GameOptions:
        """Options checked; None means the defaults."""
        if isinstance(options, self.options):
            return options
        if options is not None and not isinstance(options, Mapping):
            raise OptionError(f"{self.name}: options are names with values, got {short(options)}")
        try:
            return self.options.parse({} if options is None else options)
        except OptionError as error:
            raise OptionError(f"{self.name}: {error}") from None

    def options_of_file(self, options: dict[str, Any]) -> GameOptions:
        """Options that a file tells, checked; whatever they name, no other file is opened."""
        try:
            return self.options.of_file(options)
        except OptionError as error:
            raise OptionError(f"{self.name}: {error}") from None


def _deaf(display: Display) -> str | None:
    """Why a display cannot tell phrases to those who may hear them, as a sentence; None if it can."""
    given = inspect.signature(display.phrase)
    try:
        given.bind(None, 0)
        given.bind(None, 0, seat=None)
    except TypeError:
        takes = ", ".join(given.parameters)
        return f"its display's phrase takes ({takes}), expected (state, action, seat=None): what that seat may hear"
    if hasattr(display, "is_public"):
        return "its display declares is_public, which nobody asks: phrase(state, action, seat=None) says what who hears"
    return None


def _variant(name: str, luck: str, memory: bool) -> Game:
    from alarife.engine.registry import find_game

    return find_game(name, memory).with_luck(luck)
