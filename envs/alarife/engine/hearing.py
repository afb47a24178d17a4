"""What seats hear of decisions, and where in the picture they see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .printable import printable

if TYPE_CHECKING:
    from .table import Table


class Heard(NamedTuple):
    """A decision as somebody heard it."""

    seat: int  # who decided
    phrase: str
    places: tuple[str, ...]  # where in the picture, for those who hear all of it


def hear(table: Table, action: int, viewer: int | None) -> Heard:
    """What a viewer hears when a legal action is played from here; None hears all."""
    phrase = printable(table.phrase(action, viewer))
    hears_all = viewer in (None, table.seat) or phrase == printable(table.phrase(action))
    return Heard(table.seat, phrase, table.places_of(action) if hears_all else ())
