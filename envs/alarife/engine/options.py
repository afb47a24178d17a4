"""What can be chosen before a game: variants, start-ups, caps.

A game subclasses `GameOptions` as a frozen dataclass whose fields are made by the functions below. Every value is
checked when the options are made. `settings` turns the class into the record that states carry, so that rules read
``s.options.rounds``; named choices are stored as their index.
"""

from __future__ import annotations

import dataclasses
import os
import warnings
from collections.abc import Callable, Mapping
from typing import Any, Self

from .errors import FileError, OptionError, nearest
from .layout import Field, Record, View, f64, i8, i16
from .numbers import short
from .reading import plain, read_table


def switch(default: bool, meaning: str) -> Any:
    """An option that is on or off."""
    return dataclasses.field(
        default=default, metadata={"kind": "switch", "meaning": meaning, "field": i8.between(0, 1)}
    )


def choice(*words: str, meaning: str) -> Any:
    """One of some words; the first is the default."""
    return dataclasses.field(
        default=words[0],
        metadata={"kind": "choice", "words": words, "meaning": meaning, "field": i8.between(0, len(words) - 1)},
    )


def whole(default: int, low: int, high: int, meaning: str) -> Any:
    """A whole number within limits."""
    about = {"kind": "whole", "low": low, "high": high, "meaning": meaning, "field": i16.between(low, high)}
    return dataclasses.field(default=default, metadata=about)


def number(default: float, low: float, high: float, meaning: str) -> Any:
    """A number within limits."""
    about = {"kind": "number", "low": low, "high": high, "meaning": meaning, "field": f64.between(low, high)}
    return dataclasses.field(default=default, metadata=about)


def table(load: Callable[[Any], Any], meaning: str) -> Any:
    """A table that the user may replace: `load` turns plain data, or None for the game's own, into what the game uses.

    A path is read first, so that options, and all files that hold them, have the table whole. The game's `prepare`
    writes it into the state.
    """
    return dataclasses.field(default=None, metadata={"kind": "table", "load": load, "meaning": meaning})


@dataclasses.dataclass(frozen=True)
class GameOptions:
    """The options of a game that has none; others subclass it."""

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            object.__setattr__(self, field.name, _checked(field, getattr(self, field.name)))
        if problem := self.problem():
            raise OptionError(problem)

    def problem(self) -> str | None:
        """Why these values do not go together, as a sentence; None if they do."""
        return None

    @classmethod
    def parse(cls, values: Mapping[str, Any]) -> Self:
        """Options from names and values, unknown names refused."""
        names = [field.name for field in dataclasses.fields(cls)]
        for name in values:
            if name not in names:
                raise OptionError(
                    f"no option called {short(name)}{nearest(str(name)[:80], names) if names else '; there are none'}"
                )
        return cls(**values)

    @classmethod
    def of_file(cls, values: Mapping[str, Any]) -> Self:
        """Options that a file tells: tables stand in it whole, and a path in it is not followed."""
        for field in dataclasses.fields(cls):
            if field.metadata["kind"] == "table" and isinstance(values.get(field.name), str):
                raise OptionError(f"option {field.name}: a file holds its table whole and names no other file, got "
                                  f"{short(values[field.name])}")  # fmt: skip
        return cls.parse(values)

    def to_dict(self) -> dict[str, Any]:
        """Names and values, ready for JSON."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    def write(self, settings: View) -> None:
        """Write the values into the record that `settings_of` made."""
        for field in dataclasses.fields(self):
            given = getattr(self, field.name)
            if field.metadata["kind"] == "choice":
                given = field.metadata["words"].index(given)
            if field.metadata["kind"] != "table":
                setattr(settings, field.name, given)

    @classmethod
    def describe(cls) -> list[tuple[str, str, str, str]]:
        """Rows of the options table: name, values, default, meaning."""
        return [(field.name, _allowed(field), str(field.default), field.metadata["meaning"])
                for field in dataclasses.fields(cls)]  # fmt: skip


def settings_of(options: type[GameOptions]) -> type[Record]:
    """The record of option values that a state carries as ``options``."""
    fields: dict[str, Field] = {field.name: field.metadata["field"] for field in dataclasses.fields(options)
                                if field.metadata["kind"] != "table"}  # fmt: skip
    return type("Settings", (Record,), fields or {"none": i8.between(0, 0)})


#: What else environments are told when they are made.
_SETTINGS = "players", "reward", "seat", "opponents", "luck", "memory"


def check_reset(kind: type[GameOptions], options: Any) -> None:
    """What environments say to options at a reset: those of the game belong to its making, others it does not know."""
    if options is None or (isinstance(options, Mapping) and not options):
        return
    names = {*_SETTINGS, *(field.name for field in dataclasses.fields(kind))}
    if not isinstance(options, Mapping) or any(name in names for name in options):
        raise OptionError("an environment is told the game's options when it is made, such as make('viva_v1', "
                          f"match='single_round'), and keeps them; reset got options={short(options)}")  # fmt: skip
    warnings.warn(f"reset knows none of these options and passes them over: {short(options)}", stacklevel=3)


def _allowed(field: dataclasses.Field[Any]) -> str:
    about = field.metadata
    if about["kind"] == "switch":
        return "true, false"
    if about["kind"] == "choice":
        return ", ".join(about["words"])
    if about["kind"] == "table":
        return "a file or a dictionary"
    return f"{about['low']} to {about['high']}"


def _checked(field: dataclasses.Field[Any], given: Any) -> Any:
    about = field.metadata
    if about["kind"] == "table":
        return about["load"](_table(field.name, given))
    kind = about["kind"]
    if kind == "choice" and isinstance(given, int) and not isinstance(given, bool):
        given = str(given)  # words may be numbers
    if kind == "switch":
        fits = isinstance(given, bool)
    elif kind == "choice":
        fits = given in about["words"]
    else:
        types = int if kind == "whole" else (int, float)
        fits = isinstance(given, types) and not isinstance(given, bool) and about["low"] <= given <= about["high"]
    if not fits:
        raise OptionError(f"option {field.name} takes {_allowed(field)}, got {short(given)}")
    return float(given) if about["kind"] == "number" else given


def _table(name: str, given: Any) -> Any:
    """A table as plain data, read from a file where a path is given."""
    try:
        return read_table(given, name) if isinstance(given, (str, os.PathLike)) else plain(given)
    except FileError as error:
        raise OptionError(f"option {name}: {error}") from None
