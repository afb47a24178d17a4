"""Going back in a game that is played: take-backs.

Nobody may learn by a take-back what he could not know: the next card of a pile, a secret, what another will answer.
So a take-back is free only where all that followed could be foreseen: no chance was drawn, no other seat decided, and
nothing hidden came to light. Else the game goes on from a fork: what the seat cannot know, and the whole future, is
drawn anew, and the game is marked.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence

import numpy as np

from .chance import Chance
from .errors import AlarifeError
from .memory import beliefs_of
from .numbers import SEED_BITS
from .steps import Steps
from .table import Table

FREE, MARKED = "free", "marked"  # what a take-back costs
_WORLDS = 16  # in which the same act has to look the same, if nothing hidden came to light by it


class Course:
    """The course of a game that is played at a table, with the positions that led to it.

    ``table`` is where the game stands; a take-back puts another table there. ``is_marked`` says that the game went on
    from a fork at least once: then it is not a game to be compared with others, and it has no replay.
    """

    def __init__(self, table: Table) -> None:
        self.table, self.is_marked = table, table.history is None
        self._steps = Steps(table)
        self._seats: list[int] = []
        self._actions: list[int] = []
        self._forked_at = 0  # what lies before this decision belongs to the game before the fork
        self._free: dict[int, bool] = {}  # by decision, until something else is played

    def __len__(self) -> int:
        """How many decisions were played."""
        return len(self._steps)

    def at(self, number: int) -> Table:
        """The table after so many decisions, a copy."""
        return self._steps.at(number)

    def play(self, action: int | str) -> None:
        """Play a legal action."""
        seat = self.table.seat
        self.table.play(action)
        self._note(seat, self.table.past.actions[-1])

    def add(self, action: int, after: Table, chance: Chance | None = None) -> None:
        """Add a decision that was played on a copy of the table, which is the table from now on."""
        seat, self.table = self.table.seat, after
        self._note(seat, action, chance)

    def _note(self, seat: int, action: int, chance: Chance | None = None) -> None:
        self._steps.add(action, self.table, chance)
        self._seats.append(seat)
        self._actions.append(action)
        self._free.clear()

    def last_of(self, seat: int) -> int | None:
        """The number of the last decision of a seat, counted from 0; None if it has not decided yet."""
        return next((n for n in reversed(range(len(self._seats))) if self._seats[n] == seat), None)

    def is_free(self, seat: int) -> bool:
        """Whether the seat may take its last decision back without a mark."""
        number = self._last(seat)
        if number < self._forked_at:
            return False
        if number not in self._free:
            self._free[number] = could_be_foreseen(self.at(number), self._actions[number:], seat)
        return self._free[number]

    def price(self, seat: int, persons: Collection[int]) -> str:
        """What it costs the seat to take its last decision back: `FREE` or `MARKED`; "" where that cannot be.

        It cannot be where the seat has not decided yet, nor where a fork would change the secrets of other persons.
        """
        if self.last_of(seat) is None:
            return ""
        if self.is_free(seat):
            return FREE
        return MARKED if set(persons) == {seat} else ""

    def take_back(self, seat: int, seed: int | None = None) -> bool:
        """Put the seat before its last decision; returns whether that was free. The seed is that of the fork."""
        number, is_free = self._last(seat), self.is_free(seat)
        self.table = self.at(number)
        if not is_free:
            self.table = anew(self.table, seat, seed)
            self.is_marked, self._forked_at = True, number
        self._steps.cut(number, self.table)
        del self._seats[number:], self._actions[number:]
        self._free.clear()
        return is_free

    def _last(self, seat: int) -> int:
        if (number := self.last_of(seat)) is None:
            raise AlarifeError(f"player_{seat} has nothing to take back: no decision of that seat has been played")
        return number


def could_be_foreseen(before: Table, actions: Sequence[int], seat: int) -> bool:
    """Whether the seat, to decide in a position, knew all that came of these actions before it played them."""
    course, stream = before.clone(), _stream(before)
    for action in actions:
        if course.seat != seat:
            return False
        course.play(action)
    if _stream(course) != stream:
        return False
    return before.game.open_information or all(
        _looks_as(course, world, actions, seat) for world in _worlds(before, seat)
    )


def _stream(table: Table) -> list[bytes]:
    """How far chance has been drawn: the stream's word, and where luck is by event how often each event was drawn."""
    fields: tuple[str, ...] = table.states.dtype.names or ()
    return [table.states[name].tobytes() for name in ("rng", "luck") if name in fields]


def _worlds(table: Table, seat: int) -> list[Table]:
    """Tables in positions that the seat cannot tell from this one."""
    keys = np.array([secrets.randbits(SEED_BITS) for _ in range(_WORLDS)], np.uint64)
    return [table.clone().from_bytes(state.tobytes()) for state in table.fork_states(seat, keys, _belief(table))]


def _looks_as(course: Table, world: Table, actions: Sequence[int], seat: int) -> bool:
    """Whether the same actions can be played in another world, and lead to what the seat sees here."""
    for action in actions:
        if world.over or world.seat != seat or not world.mask[action]:
            return False
        world.play(action)
    return (world.seat, world.over) == (course.seat, course.over) and np.array_equal(
        world.observe(seat), course.observe(seat)
    )


def _belief(table: Table) -> str:
    """The closest grade of belief that does not guess how others play."""
    return beliefs_of(table.game)[:2][-1]


def anew(before: Table, seat: int, seed: int | None = None) -> Table:
    """The position with all redrawn that the seat cannot know, and another future."""
    return before.fork(seat, secrets.randbits(SEED_BITS) if seed is None else seed, _belief(before))


__all__ = ["FREE", "MARKED", "Course", "anew", "could_be_foreseen"]
