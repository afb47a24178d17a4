"""Settings of searches, read from words between colons."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Self

from alarife.engine.errors import AlarifeError, nearest
from alarife.engine.game import Game
from alarife.engine.memory import BELIEFS, GIVEN, PLAY, belief_number, beliefs_of, surest

SCRIPTED = "scripted"
ROLLOUTS = {"random": 0.0, SCRIPTED: 1.0}
MOST = 2**31 - 1  # what fields of 32 bits hold
_KINDS = {int: "a whole number", float: "a number", bool: "true or false"}
_BUDGET = re.compile(r"(\d{1,18})(ms)?")


def apart(text: str) -> tuple[str, str | None]:
    """The settings of a search without ``others``, and the player that it names, whose name may hold colons."""
    before, named, others = text.partition("others=")
    return (before, others) if named and (not before or before.endswith(":")) else (text, None)


class SearchSettings:
    """A dataclass of settings with a budget, `playouts` or `milliseconds`, and a `rollout`, which need no name.

    All of them have a `belief`, and `others`: who the other seats are believed to be where it is ``play``.
    """

    renamed: ClassVar[Mapping[str, str]] = {}  # settings by the names that they had before
    playouts: int
    milliseconds: int
    belief: str
    others: str = SCRIPTED
    threads: int = 1

    @classmethod
    def parse(cls, text: str) -> Self:
        """Settings from words between colons: ``1000``, ``500ms``, ``random``, ``cut=100``; ``others=`` is the last."""
        words, others = apart(text)
        values: dict[str, Any] = {} if others is None else {"others": others}
        for word in filter(None, words.split(":")):
            name, value = cls._setting(word)
            if name in values:
                raise AlarifeError(f"a search is told its {name} once, got {text!r}")
            values[name] = value
        if {"playouts", "milliseconds"} <= values.keys():
            raise AlarifeError(f"a search has one budget, playouts or milliseconds, got both in {text!r}")
        if values.get("milliseconds") == 0:
            raise AlarifeError(f"a search takes milliseconds from 1 to {MOST}, got 0")
        return cls(**values)

    @classmethod
    def _setting(cls, word: str) -> tuple[str, Any]:
        """Name and value that a word stands for."""
        name, equals, value = word.partition("=")
        if equals:
            return name, cls._read(name, value)
        if found := _BUDGET.fullmatch(word):
            return "milliseconds" if found[2] else "playouts", int(found[1])
        if word in ROLLOUTS:
            return "rollout", word
        raise AlarifeError("a search takes a number of playouts such as 100, a time such as 500ms, a rollout "
                           f"({' or '.join(ROLLOUTS)}), or settings such as cut=50, got {word!r}")  # fmt: skip

    @classmethod
    def _read(cls, name: str, value: str) -> Any:
        fields: dict[str, Any] = {field.name: field for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
        if name in cls.renamed:
            raise AlarifeError(f"the setting {name} of a search is called {cls.renamed[name]} now")
        if name not in fields:
            raise AlarifeError(f"a search has no setting called {name!r}{nearest(name, fields)}")
        kind: type[Any] = type(fields[name].default)
        try:
            return {"true": True, "false": False}[value] if kind is bool else kind(value)
        except (KeyError, ValueError):
            raise AlarifeError(f"the setting {name} of a search takes {_KINDS[kind]}, got {value!r}") from None

    def check(self, ranges: Mapping[str, tuple[float, float]], allowed: Mapping[str, Iterable[str]]) -> None:
        """Refuse numbers out of their range, and words that are not allowed."""
        for name, (low, high) in ranges.items():
            if not low <= getattr(self, name) <= high:
                raise AlarifeError(f"a search takes {name} from {low} to {high}, got {getattr(self, name)}")
        for name, words in allowed.items():
            if getattr(self, name) not in words:
                raise AlarifeError(f"no {name} called {getattr(self, name)!r}{nearest(getattr(self, name), words)}")
        if self.others != SCRIPTED and self.belief != BELIEFS[PLAY]:
            raise AlarifeError(f"others says who belief=play takes the other seats for, got others={self.others} with "
                               f"belief={self.belief}")  # fmt: skip

    # --- belief ---------------------------------------------------------------------------------------

    def needs_particles(self, game: Game) -> bool:
        """Whether belief in play is found out by playing: the game cannot tell it of these players."""
        is_native = self.others == SCRIPTED and BELIEFS[PLAY] in beliefs_of(game)
        return self.belief == BELIEFS[PLAY] and not is_native and game.most_seats > 1

    def fork_belief(self, game: Game) -> str:
        """The grade of belief that forks are asked for."""
        return surest(game) if self.needs_particles(game) else self.belief

    def redraw(self, game: Game) -> int:
        """How playouts redraw the states that they begin from, as kernels take it."""
        return GIVEN if self.needs_particles(game) else belief_number(game, self.belief)
