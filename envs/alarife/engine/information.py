"""What a seat has seen and done from the start: its information, with perfect recall.

A seat's information is the sequence of what it saw after every decision, with its own choices. Two games give a seat
equal information if and only if it cannot tell them apart: what others did is told by what changed in its view and by
whose turn it is, and by nothing else.
"""

from __future__ import annotations

import dataclasses
import hashlib
from base64 import b64decode, b64encode
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import AlarifeError
from .layout import Features
from .numbers import Array

if TYPE_CHECKING:
    from .chance import Draw
    from .table import Table

NOBODY = -1


@dataclass(frozen=True)
class Event:
    """A decision as one seat lived through it, or the beginning."""

    by: int | None  # the seat that decided; None: the deal, or the position that was set up by hand
    action: int | None  # what was chosen, where the seat chose itself
    seen: dict[str, float]  # the numbers of its view that changed, by name; at the beginning all that are not 0
    seat: int | None  # who is to decide then; None: the game is over
    legal: tuple[int, ...]  # its own legal actions, if it is its turn

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return dataclasses.asdict(self) | {"legal": list(self.legal)}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Event:
        """Read back what `to_dict` gave."""
        return cls(values["by"], values["action"], dict(values["seen"]), values["seat"], tuple(values["legal"]))


@dataclass(frozen=True)
class Trail:
    """What one seat has lived through up to a position. Never changed: who goes on makes a new one."""

    seat: int
    events: tuple[Event, ...]
    digest: bytes
    view: Array
    place: Table | None = None  # a table in that position, from which to go on
    walked: int = 0  # decisions since the beginning of the past that it belongs to

    def after(self, by: int, action: int, place: Table) -> Trail:
        """The trail with one more decision; `place` is the position that it led to."""
        view = place.observe(self.seat)
        is_mine = by == self.seat and by != NOBODY
        changed = np.flatnonzero(view != self.view)
        mine = place.seat == self.seat and not place.over
        turn = NOBODY if place.over else place.seat
        legal = tuple(place.legal()) if mine else ()
        numbers = [by, action if is_mine else NOBODY, turn, len(legal), *legal, len(changed), *changed]
        content = self.digest + np.array(numbers, "<i4").tobytes() + view[changed].astype("<f4").tobytes()
        names = names_of(place.game.features)
        seen = {names[i]: float(view[i]) for i in changed}
        event = Event(
            None if by == NOBODY else by, action if is_mine else None, seen, None if place.over else turn, legal
        )
        return Trail(self.seat, (*self.events, event), _digest(content), view, place, self.walked + 1)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON; where to go on from is left out."""
        return {"seat": self.seat, "events": [event.to_dict() for event in self.events], "digest": self.digest.hex(),
                "view": self.view.tolist()}  # fmt: skip

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Trail:
        """Read back what `to_dict` gave."""
        events = tuple(Event.from_dict(event) for event in values["events"])
        view = np.array(values["view"], np.float32)
        return cls(values["seat"], events, bytes.fromhex(values["digest"]), view)


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).digest()


@lru_cache(maxsize=64)
def names_of(features: Features) -> list[str]:
    """The name of every number of a view."""
    return [features.name(i) for i in range(features.size)]


class Past:
    """How a table came to its position: where its history begins, and the actions and forced chance since then."""

    def __init__(self, key: int, origin: bytes | None = None, before: Trail | None = None, seat: int = NOBODY) -> None:
        self.key, self.origin = key, origin  # the state that was set up; None: the start of the key
        self.before, self.seat = before, seat  # of a fork: what led to it, which only this seat may look back at
        self.actions: list[int] = []
        self.forced: dict[int, tuple[Draw, ...]] = {}  # by the number of the decision, 0: the deal
        self.trails: dict[int, Trail] = {}

    def copy(self) -> Past:
        """The same past, which goes on by itself."""
        twin = Past(self.key, self.origin, self.before, self.seat)
        twin.actions, twin.forced, twin.trails = self.actions[:], dict(self.forced), dict(self.trails)
        return twin

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        before = self.before
        return {
            "key": f"{self.key:016x}", "origin": None if self.origin is None else b64encode(self.origin).decode(),
            "actions": self.actions, "forced": [[number, *map(list, draws)] for number, draws in self.forced.items()],
            "before": None if before is None else before.to_dict(),
        }  # fmt: skip

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Past:
        """Read back what `to_dict` gave."""
        before = None if values["before"] is None else Trail.from_dict(values["before"])
        origin = None if values["origin"] is None else b64decode(values["origin"])
        past = cls(int(values["key"], 16), origin, before, NOBODY if before is None else before.seat)
        past.actions = [int(action) for action in values["actions"]]
        past.forced = {int(number): tuple((str(k), int(n), o) for k, n, o in draws)
                       for number, *draws in values["forced"]}  # fmt: skip
        return past


# --- from a table -------------------------------------------------------------------------------------


def trail_of(table: Table, seat: int) -> Trail:
    """What a seat of a table has lived through."""
    trail = _walk(table, table.past, seat)
    if trail.place is None or trail.place.to_bytes() != table.to_bytes():
        raise AlarifeError(_BY_HAND)
    return trail


def trail_before(table: Table, seat: int) -> Trail | None:
    """What a fork made for a seat keeps, without a way back to the true table; nothing of one changed by hand."""
    trail = _walk(table, table.past, seat)
    if trail.place is None or trail.place.to_bytes() != table.to_bytes():
        return None
    return replace(trail, place=None)


_BY_HAND = (
    "the position does not follow from the table's history: it was changed by hand, and `refresh` has not been called"
)


def _walk(table: Table, past: Past, seat: int) -> Trail:
    """The trail up to the present of a past, from where the last one ended; the table lends its game."""
    trail = past.trails.get(seat) or _begin(table, past, seat)
    if trail.walked < len(past.actions) and trail.place is not None:
        place = trail.place.clone()
        for number in range(trail.walked + 1, len(past.actions) + 1):
            by, action = place.seat, past.actions[number - 1]
            place.play(action, past.forced.get(number))
            trail = trail.after(by, action, place)
    past.trails[seat] = trail
    return trail


def _begin(table: Table, past: Past, seat: int) -> Trail:
    place = table.at_beginning(past)
    if past.before is None or seat != past.seat:
        start, nothing = _digest(f"{table.game.id} {seat}".encode()), np.zeros(table.game.features.size, np.float32)
        return Trail(seat, (), start, nothing, None, -1).after(NOBODY, NOBODY, place)
    return replace(past.before, place=place, walked=0)
