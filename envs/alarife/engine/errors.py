"""What can go wrong, each said in one sentence: what happened, what was given, what is allowed."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any


class AlarifeError(ValueError):
    """Base of everything that alarife refuses."""


class UnknownGame(AlarifeError):
    """No such game."""


class OptionError(AlarifeError):
    """An option or a player count that the game does not offer."""


class IllegalAction(AlarifeError):
    """An action that the rules do not allow now."""


class StateError(AlarifeError):
    """A state that cannot be read or written."""


class ChanceError(AlarifeError):
    """Chance that cannot be enumerated, or cannot come out so."""


class RuleError(AlarifeError):
    """A rule failed: a fault of the game, not of whoever plays it. Nothing has changed.

    ``state`` and ``action`` reproduce it: `Table.from_bytes` takes the state's bytes, `Table.advance` plays the action.
    In a batch ``rows`` are the rows that failed, with a state and an action for the first of them; `Batch.renew`
    goes on with those rows.
    """

    def __init__(self, sentence: str, state: bytes, action: int, rows: Sequence[int] = ()) -> None:
        super().__init__(sentence)
        self.state, self.action, self.rows = state, action, list(rows)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled whole: it may come from another process."""
        return type(self), (str(self), self.state, self.action, self.rows)


class FileError(AlarifeError):
    """A save, replay or checkpoint that cannot be used."""


class WriteError(FileError):
    """A file that cannot be written, as on a full disk."""


class MissingExtra(AlarifeError):
    """A part of alarife that was not installed."""


def missing_extra(what: str, extra: str, error: ImportError | None = None) -> MissingExtra:
    """The error that says what to install: ``pictures need the extra [render]: pip install 'alarife[render]'``."""
    lacking = "" if error is None else f" (no {error.name} here)"
    return MissingExtra(f"{what} the extra [{extra}]: pip install 'alarife[{extra}]'{lacking}")


class ConformanceError(AssertionError):
    """A game that breaks the contract; the message says where and how."""


def nearest(word: str, allowed: Iterable[str]) -> str:
    """The end of a sentence about an unknown word: a suggestion and all that is allowed."""
    names = [str(name) for name in allowed]
    spelt = {name.lower(): name for name in names}
    close = difflib.get_close_matches(str(word).lower(), spelt, 1)
    guess = f" Did you mean {spelt[close[0]]!r}?" if close else ""
    return f".{guess} Allowed: {', '.join(names)}"
