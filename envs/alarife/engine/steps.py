"""A game forwards and backwards."""

from __future__ import annotations

from .chance import Chance
from .errors import AlarifeError
from .numbers import is_whole, short
from .table import Table

EVERY = 50  # decisions between two positions that are kept


class Steps:
    """The positions of a game by number: 0 is where it begins, `number` is after so many decisions.

    A position is kept every 50 decisions, so that any other is at most as many decisions away.
    """

    def __init__(self, start: Table) -> None:
        self._kept = {0: start.clone()}
        self._now = 0, start.clone()  # the position looked at last: the next one is mostly beside it
        self._moves: list[tuple[int | str, Chance | None]] = []

    def __len__(self) -> int:
        """How many decisions there are."""
        return len(self._moves)

    def at(self, number: int) -> Table:
        """The table after so many decisions, a copy."""
        if not is_whole(number) or not 0 <= number <= len(self):
            raise AlarifeError(f"this game has decisions 0 to {len(self)}, got {short(number)}")
        near = max(kept for kept in self._kept if kept <= number)
        at, table = self._now
        if not near <= at <= number:
            at, table = near, self._kept[near].clone()
        while at < number:
            action, chance = self._moves[at]
            at += 1
            try:
                table.play(action, chance)
            except AlarifeError as error:
                self._now = 0, self._kept[0].clone()
                raise AlarifeError(f"decision {at}: {error}") from None
            if at % EVERY == 0:
                self._kept.setdefault(at, table.clone())
        self._now = at, table
        return table.clone()

    def add(self, action: int | str, after: Table, chance: Chance | None = None) -> None:
        """Add a decision that was played elsewhere, from the last position to the table given."""
        self._moves.append((action, chance))
        self._now = len(self), after.clone()
        if len(self) % EVERY == 0:
            self._kept[len(self)] = after.clone()

    def foresee(self, action: int | str, chance: Chance | None = None) -> None:
        """Note a decision at the end without playing it: `at` does that once it is looked at."""
        self._moves.append((action, chance))

    def cut(self, number: int, table: Table | None = None) -> None:
        """Take back what came after so many decisions; a game may go on from another table in its place."""
        now = self.at(number) if table is None else table.clone()
        del self._moves[number:]
        self._kept = {kept: old for kept, old in self._kept.items() if kept < number or not kept}
        if number or table is not None:
            self._kept[number] = now
        self._now = number, now.clone()
