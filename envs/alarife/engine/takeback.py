"""Going back in a game: take-backs of one who plays, and steps through a replay.

Nobody may learn by a take-back what he could not know: the next card of a pile, a secret, what another will answer.
So a take-back is free only where all that followed could be foreseen: no chance was drawn, no other seat decided, and
nothing hidden came to light. Else the game goes on from a fork: what the seat cannot know, and the whole future, is
drawn anew, and the game is marked.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import numpy as np

from .errors import AlarifeError, IllegalAction
from .memory import beliefs_of
from .numbers import SEED_BITS
from .replay import Replay
from .table import Table

_WORLDS = 16  # in which the same act has to look the same, if nothing hidden came to light by it


class Course:
    """The course of a game that is played at a table, with the position before each decision.

    ``table`` is where the game stands; a take-back puts another table there. ``is_marked`` says that the game went on
    from a fork at least once: then it is not a game to be compared with others, and it has no replay.
    """

    def __init__(self, table: Table) -> None:
        self.table, self.is_marked = table, table.history is None
        self._before: list[Table] = []
        self._actions: list[int] = []
        self._forked_at = 0  # what lies before this decision belongs to the game before the fork

    def play(self, action: int | str) -> None:
        """Play a legal action."""
        before = self.table.clone()
        self.table.play(action)
        self._before.append(before)
        self._actions.append(self.table.past.actions[-1])

    def last_of(self, seat: int) -> int | None:
        """The number of the last decision of a seat, counted from 0; None if it has not decided yet."""
        return next((n for n in reversed(range(len(self._before))) if self._before[n].seat == seat), None)

    def is_free(self, seat: int) -> bool:
        """Whether the seat may take its last decision back without a mark."""
        number = self._last(seat)
        return number >= self._forked_at and could_be_foreseen(self._before[number], self._actions[number:], seat)

    def take_back(self, seat: int, seed: int | None = None) -> bool:
        """Put the seat before its last decision; returns whether that was free. The seed is that of the fork."""
        number, is_free = self._last(seat), self.is_free(seat)
        before = self._before[number]
        if is_free:
            self.table = before
        else:
            self.table = anew(before, seat, seed)
            self.is_marked, self._forked_at = True, number
        del self._before[number:], self._actions[number:]
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


def steps(replay: Replay) -> list[Table]:
    """The tables of a replay: before the first decision, and after each one."""
    tables: list[Table] = []
    try:
        for table in replay.tables():
            tables.append(table.clone())
    except IllegalAction as error:
        raise AlarifeError(f"decision {len(tables)}: {error}") from None
    return tables


__all__ = ["Course", "anew", "could_be_foreseen", "steps"]
