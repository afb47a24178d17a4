"""Games on file.

A replay is a start key, options and named actions, together with every chance outcome in order: obtained by running
the rules interpreted, so that another program can follow the game without our generator. Rules that changed show as a
difference when a replay is verified. A save is one position. Both are checked before use and hold no code.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.files import write_whole
from alarife.engine.film_page import film_frame
from alarife.engine.game import ORDER, Game
from alarife.engine.information import Past
from alarife.engine.numbers import clipped, seed_number, short
from alarife.engine.random import listening
from alarife.engine.reading import MOST_TEXT, Arrays, parse_json, read_bytes, text_of
from alarife.engine.registry import find_game
from alarife.engine.result import SCORE
from alarife.engine.steps import Steps
from alarife.engine.table import Table

REPLAY, SAVE = "alarife replay", "alarife save"
FORMATS = {REPLAY: 1, SAVE: 2}
ZIP = b"PK"
PAID = "<f4"
MOST_POINTS = 2**32  # a difference of two scores

Path = str | os.PathLike[str]
Draw = list[Any]  # [kind of draw, among how many (0: a continuum), what came out]


@dataclass
class Decision:
    """One action of a replay."""

    seat: int
    action: str
    chance: list[Draw] = field(default_factory=list)


@dataclass
class Replay:
    """A whole game, or its beginning."""

    game: Game
    players: int
    options: dict[str, Any]
    key: int
    digest: str
    setup: list[Draw]
    decisions: list[Decision]
    scores: list[int]
    places: list[int]
    over: bool
    state: str  # digest of the last state's bytes
    names: list[str]  # who sat where
    forced: list[int] = field(default_factory=list)  # decisions whose chance was forced, 0: the deal

    def write(self, path: Path) -> None:
        """Write the replay as JSON."""
        about = {
            "format": REPLAY, "format_version": FORMATS[REPLAY], "game": self.game.name, "version": self.game.version,
            "digest": self.digest, "players": self.players, "options": self.options, "key": f"{self.key:016x}",
            "names": self.names, "over": self.over, "scores": self.scores, "places": self.places, "state": self.state,
        }  # fmt: skip
        about |= {"forced": self.forced} if self.forced else {}
        about |= {"luck": self.game.luck} if self.game.luck != ORDER else {}
        rows = [json.dumps([d.seat, d.action, d.chance]) for d in self.decisions]
        head = json.dumps(about, indent=1)[:-2]
        body = ",\n  ".join(rows)
        text = f'{head},\n "setup": {json.dumps(self.setup)},\n "decisions": [\n  {body}\n ]\n}}\n'
        write_whole(path, text.encode())

    @classmethod
    def read(cls, path: Path) -> Replay:
        """Read a replay; everything in it is checked except that the rules give the same game: see `verify`."""
        content = read_bytes(path, "replay")
        if content[:2] == ZIP:
            raise FileError(f"{path} is not a replay; a save is read by alarife.load")
        about = _checked(_parsed(text_of(content, path, "replay"), f"{path} is not a replay"), REPLAY, path)
        game = _game_of(about, path)
        try:
            _check_entries({"forced": [], **about}, REPLAY_ENTRIES)
            decisions = [_decision(game, number, row) for number, row in enumerate(about["decisions"], 1)]
            options = game.options_of_file(about["options"])
            game.template(about["players"], options)
            if len(about["names"]) != about["players"]:
                raise FileError(f"it names {len(about['names'])} of {about['players']} players")
        except AlarifeError as error:
            raise FileError(f"{path} is a damaged replay: {error}") from None
        return cls(
            game, about["players"], options.to_dict(), int(about["key"], 16), about["digest"], about["setup"],
            decisions, about["scores"], about["places"], about["over"], about["state"], about["names"],
            about.get("forced", []),
        )  # fmt: skip

    def tables(self) -> Iterator[Table]:
        """The table before the first decision and after each one; always the same object."""
        table = Table(self.game, self.players, self.options, 0).start(self.key, self.forced_chance(0))
        yield table
        for number, decision in enumerate(self.decisions, 1):
            table.play(decision.action, self.forced_chance(number))
            yield table

    def _repr_html_(self) -> str:
        """The game in a notebook, all open, with a bar to pull."""
        return film_frame(self)

    def steps(self) -> Steps:
        """The positions of the game by number, forwards and backwards: ``replay.steps().at(37)``."""
        steps = Steps(Table(self.game, self.players, self.options, 0).start(self.key, self.forced_chance(0)))
        for number, decision in enumerate(self.decisions, 1):
            steps.foresee(decision.action, self.forced_chance(number))
        return steps

    def forced_chance(self, number: int) -> list[Draw] | None:
        """The outcomes that were forced in a decision, 0: in the deal; None where they follow from the key."""
        if number not in self.forced:
            return None
        return self.decisions[number - 1].chance if number else self.setup


def record(table: Table, names: Sequence[str] | None = None) -> Replay:
    """The replay of a table's game so far."""
    _expect_table(table, "record")
    if table.history is None:
        raise AlarifeError("a position that was set up by hand has no replay: it does not follow from a start")
    game = table.game.plain or table.game
    names = _names(table, names)
    setup, decisions, last = _run_interpreted(table, table.history)
    forced = sorted(table.past.forced)
    if last.to_bytes() != table.to_bytes():
        raise AlarifeError("the interpreted rules give another game than the compiled ones; please report this")
    return Replay(game, table.players, table.options.to_dict(), table.key, game.digest, setup, decisions,
                  last.scores(), last.places(), last.over, _state_digest(last), names, forced)  # fmt: skip


def _names(table: Table, given: Any) -> list[str]:
    """Who sits where: a text for each seat."""
    if given is None:
        return [f"player_{p}" for p in range(table.players)]
    is_list = isinstance(given, Sequence) and not isinstance(given, (str, bytes))
    if not is_list or len(given) != table.players or not all(isinstance(name, str) for name in given):
        raise AlarifeError(f"a record names all {table.players} players, each by a text, got {short(given)}")
    return list(given)


def _expect_table(given: Any, what: str) -> None:
    if not isinstance(given, Table):
        raise AlarifeError(f"{what} takes a Table, got {type(given).__name__}; an environment has one as "
                           "`env.unwrapped.table`, a batch gives one for each row as `batch.table(row)`")  # fmt: skip


def _run_interpreted(table: Table, history: Sequence[int]) -> tuple[list[Draw], list[Decision], Table]:
    told: list[Draw] = []
    decisions = []
    with listening(lambda kind, among, outcome: told.append([kind, int(among), _number(outcome)])):
        copy = Table(table.game, table.players, table.options, 0, interpreted=True)
        told.clear()
        copy.start(table.key, table.past.forced.get(0))
        setup = told[:]
        for number, action in enumerate(history, 1):
            told.clear()
            seat, name = copy.seat, copy.game.actions.name(action)
            copy.play(action, table.past.forced.get(number))
            decisions.append(Decision(seat, name, told[:]))
    return setup, decisions, copy


def _number(outcome: Any) -> int | float:
    return float(outcome) if isinstance(outcome, (float, np.floating)) else int(outcome)


def _state_digest(table: Table) -> str:
    return hashlib.sha256(table.to_bytes()).hexdigest()[:32]


def verify(replay: Replay | Path) -> str:
    """Play a replay again, step by step; returns a sentence if it is sound, else raises one naming the difference."""
    if not isinstance(replay, Replay):
        replay = Replay.read(replay)
    table = Table(replay.game, replay.players, replay.options, 0, interpreted=True)
    told: list[Draw] = []
    with listening(lambda kind, among, outcome: told.append([kind, int(among), _number(outcome)])):
        table.start(replay.key, replay.forced_chance(0))
        _compare(told, replay.setup, "setting up")
        for number, decision in enumerate(replay.decisions, 1):
            where = f"decision {number}, {decision.action} of player_{decision.seat}"
            if table.over:
                raise FileError(f"{where}: the game is over before it")
            if table.seat != decision.seat:
                raise FileError(f"{where}: player_{table.seat} is to decide")
            told.clear()
            try:
                table.play(decision.action, replay.forced_chance(number))
            except AlarifeError as error:
                raise FileError(f"{where}: {error}") from None
            _compare(told, decision.chance, where)
    _compare_end(table, replay)
    rules = "the present rules" if _is_of_present_rules(replay) else "rules whose files have changed since"
    return f"{len(replay.decisions)} decisions of {replay.game.id} agree with {rules}"


def _compare(told: list[Draw], written: list[Draw], where: str) -> None:
    for ours, theirs in zip(told, written, strict=False):
        if ours != theirs:
            raise FileError(f"{where}: the file says {_draw(theirs)}, the rules give {_draw(ours)}")
    if len(told) != len(written):
        raise FileError(f"{where}: the file has {len(written)} chance outcomes, the rules give {len(told)}")


def _draw(draw: Any) -> str:
    try:
        kind, among, outcome = draw
        return f"{_brief(kind)} -> {_brief(outcome)}" + (f" of {_brief(among)}" if among else "")
    except (TypeError, ValueError):
        return short(draw)


def _brief(value: Any) -> str:
    """A value of a file on one line, or the beginning of it."""
    return clipped(" ".join(str(value).split()))


def _is_of_present_rules(replay: Replay) -> bool:
    return replay.digest == replay.game.digest


def _compare_end(table: Table, replay: Replay) -> None:
    ends = [
        ("over", table.over, replay.over),
        ("scores", table.scores(), replay.scores),
        ("places", table.places(), replay.places),
    ]
    if _is_of_present_rules(replay):  # states of others may have had other fields
        ends.append(("digest of the last state", _state_digest(table), replay.state))
    for what, ours, theirs in ends:
        if ours != theirs:
            raise FileError(
                f"after the last decision: the file says {what} {_brief(theirs)}, the rules give {_brief(ours)}"
            )


# --- saves --------------------------------------------------------------------------------------------


def save(table: Table, path: Path) -> None:
    """Write a position."""
    _expect_table(table, "save")
    about = {
        "format": SAVE, "format_version": FORMATS[SAVE], "game": table.game.name, "version": table.game.version,
        "memory": table.game.remembers, "digest": table.game.digest, "record": table.game.record_digest,
        "players": table.players, "options": table.options.to_dict(),
        "key": f"{table.key:016x}", "seed": table.seed, "reward": table.reward,
        "state": hashlib.sha256(table.to_bytes()).hexdigest(), "past": table.past.to_dict(),
    }  # fmt: skip
    about |= {"luck": table.game.luck} if table.game.luck != ORDER else {}
    content = io.BytesIO()
    np.savez_compressed(
        content,
        about=np.frombuffer(json.dumps(about).encode(), np.uint8),
        state=np.frombuffer(table.to_bytes(), np.uint8),
        paid=table.paid.astype(PAID),
    )
    write_whole(path, content.getvalue())


def load(path: Path) -> Table:
    """Read a position; a file of another game, version or set of rules is refused."""
    content = read_bytes(path, "save")
    try:
        arrays = Arrays(content, ("about", "state", "paid"))
        words = arrays.read("about", np.uint8, MOST_TEXT).tobytes()
    except FileError as error:
        raise FileError(f"{path} is not a save{_what_else(content, error)}") from None
    about = _checked(_parsed(text_of(words, path, "save"), f"{path} is not a save"), SAVE, path)
    game = _game_of(about, path)
    if about.get("record") != game.record_digest:
        raise FileError(f"{path} was saved when states of {game.id} had other fields (record "
                        f"{short(about.get('record'))}, now {game.record_digest})")  # fmt: skip
    try:
        _check_entries(about, SAVE_ENTRIES)
        state = arrays.read("state", np.uint8, game.state.dtype.itemsize).tobytes()
        if hashlib.sha256(state).hexdigest() != about["state"]:
            raise FileError("its state is not the one that was saved")
        table = Table(game, about["players"], game.options_of_file(about["options"]), 0, about["reward"])
        table.set_up(table.record_of(state))
        table.seed, table.key = seed_number(about["seed"]), int(about["key"], 16)
        table.paid[:] = _paid(table, arrays.read("paid", PAID, table.paid.size))
        table.past = _past_of(about, table)
    except AlarifeError as error:
        raise FileError(f"{path} is a damaged save: {error}") from None
    return table


def _paid(table: Table, paid: Any) -> Any:
    """The rewards paid so far, if they can be so."""
    if paid.shape != table.paid.shape:
        raise FileError("its rewards do not fit the table")
    most = MOST_POINTS if table.mode >= SCORE else 1
    if not (np.abs(paid) <= most).all():  # nor is it so for what is no number
        raise FileError(f"rewards paid in mode {table.reward} lie between {-most} and {most}, got {paid[0].tolist()}")
    return paid


def _past_of(about: dict[str, Any], table: Table) -> Past:
    """How the position came about, told by the save."""
    given = about["past"]
    if not _is_wholes(actions := given.get("actions")):
        raise FileError(f"its history is a list of whole numbers, got {short(actions)}")
    try:
        past = Past.from_dict(given)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise FileError(f"its past cannot be read: {type(error).__name__}: {error}") from None
    if past.key != table.key:
        raise FileError("its past is not the one of its key")
    if past.origin is not None:
        table.clone().set_up(table.record_of(past.origin))
    _follow(table, past)
    return past


def _follow(table: Table, past: Past) -> None:
    """Play a game's actions again: they lead to its position, and from the start to the rewards paid."""
    again = table.at_beginning(past)
    for number, action in enumerate(past.actions, 1):
        try:
            again.play(action, past.forced.get(number))
        except AlarifeError as error:
            raise FileError(f"action {number} of its history: {error}") from None
    if again.to_bytes() != table.to_bytes():
        raise FileError("its history leads to another position")
    if past.origin is None and not np.array_equal(again.paid, table.paid):
        raise FileError(f"its history pays {again.paid[0].tolist()}, not {table.paid[0].tolist()}")


# --- what files hold ----------------------------------------------------------------------------------

Kind = tuple[str, Callable[[Any], bool]]  # of an entry, in words and as a question


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_wholes(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_whole, value))


def _is_draws(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_draw, value))


def _is_draw(value: Any) -> bool:
    return (isinstance(value, list) and len(value) == 3 and isinstance(value[0], str) and _is_whole(value[1])
            and (_is_whole(value[2]) or isinstance(value[2], float)))  # fmt: skip


WHOLE: Kind = "a whole number", _is_whole
WORD: Kind = "text", lambda value: isinstance(value, str)
WHOLES: Kind = "a list of whole numbers", _is_wholes
TABLE: Kind = "a table of names and values", lambda value: isinstance(value, dict)
KEY: Kind = "16 hexadecimal digits", lambda value: isinstance(value, str) and bool(re.fullmatch("[0-9a-f]{16}", value))
REPLAY_ENTRIES: dict[str, Kind] = {
    "players": WHOLE, "options": TABLE, "key": KEY, "digest": WORD, "scores": WHOLES, "places": WHOLES, "state": WORD,
    "over": ("true or false", lambda value: isinstance(value, bool)),
    "names": ("a list of texts", lambda value: isinstance(value, list) and all(isinstance(v, str) for v in value)),
    "setup": ("a list of chance outcomes", _is_draws), "forced": WHOLES,
    "decisions": ("a list", lambda value: isinstance(value, list)),
}  # fmt: skip
SAVE_ENTRIES: dict[str, Kind] = {
    "players": WHOLE, "options": TABLE, "key": KEY, "digest": WORD, "seed": WHOLE, "reward": WORD, "state": WORD,
    "past": TABLE,
}  # fmt: skip


def _check_entries(about: dict[str, Any], entries: dict[str, Kind]) -> None:
    for name, (words, fits) in entries.items():
        if name not in about:
            raise FileError(f"it has no entry {name!r}")
        if not fits(about[name]):
            raise FileError(f"{name} is {words}, got {clipped(json.dumps(about[name]))}")


def _parsed(text: str, sentence: str) -> Any:
    try:
        return parse_json(text)
    except FileError as error:
        raise FileError(f"{sentence}: {error}") from None


def _decision(game: Game, number: int, row: Any) -> Decision:
    if not (isinstance(row, list) and len(row) == 3 and _is_whole(row[0]) and isinstance(row[1], str)
            and _is_draws(row[2])):  # fmt: skip
        raise FileError(f"decision {number} is a seat, an action and its chance outcomes, got {json.dumps(row)[:80]}")
    try:
        game.actions.parse(row[1])
    except ValueError as error:
        raise FileError(f"decision {number}: {error}") from None
    return Decision(*row)


def _what_else(content: bytes, error: FileError) -> str:
    """The end of a sentence about a file that is no save: what it is."""
    if f'"{REPLAY}"'.encode() in content:
        return "; a replay is read by alarife.Replay.read"
    return f" or is damaged: {error}"


def _checked(about: Any, kind: str, path: Path) -> dict[str, Any]:
    what = kind.split()[-1]
    if not isinstance(about, dict) or about.get("format") != kind:
        raise FileError(f"{path} is not a {what} of alarife")
    if about.get("format_version") != FORMATS[kind]:
        raise FileError(
            f"{path} is a {what} of format {short(about.get('format_version'))}; this version reads {FORMATS[kind]}"
        )
    return about


def _game_of(about: dict[str, Any], path: Path) -> Game:
    try:
        game = find_game(str(about.get("game"))[:80], about.get("memory") is True)
    except AlarifeError as error:
        raise FileError(f"{path}: {error}") from None
    if about.get("version") != game.version:
        raise FileError(f"{path} is of {game.name} version {short(about.get('version'))}, the rules here are of "
                        f"version {game.version}")  # fmt: skip
    try:
        return game.with_luck(about.get("luck", ORDER))
    except AlarifeError as error:
        raise FileError(f"{path}: {error}") from None


__all__ = ["Decision", "Replay", "load", "record", "save", "verify"]
