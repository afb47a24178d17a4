"""A game as one page that needs nothing else: every decision, with a bar to pull.

Pictures of one game have most of their lines in common: each line is written once, a picture is a list of lines, and
all of it is packed.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import AlarifeError
from .numbers import seat_number
from .printable import escape, printable
from .table import Table

if TYPE_CHECKING:
    from .replay import Replay

_PAGE = Path(__file__).with_name("film_page.html")


def film_page(replay: Replay, seat: int | None = None) -> str:
    """A replay as a page, as that seat saw and heard it; without a seat everything is open."""
    viewer = None if seat is None else seat_number(seat, replay.players)
    page = _PAGE.read_text(encoding="utf-8").replace("TITLE", escape(replay.game.title))
    return page.replace("FILM", base64.b64encode(_packed(replay, viewer)).decode())


def film_frame(replay: Replay, seat: int | None = None, height: int = 720) -> str:
    """The page in a frame, for notebooks and for other pages."""
    page = html.escape(film_page(replay, seat))
    return f'<iframe srcdoc="{page}" style="width:100%;height:{height}px;border:0" title="a game"></iframe>'


def _packed(replay: Replay, viewer: int | None) -> bytes:
    numbers: dict[str, int] = {}
    frames, told = [], []
    for table, phrase in _scenes(replay, viewer):
        lines = [numbers.setdefault(line, len(numbers)) for line in table.svg(viewer).split("\n")]
        frames.append([lines[0], *(after - before for before, after in pairwise(lines))])
        told += [] if phrase is None else [phrase]
    places = zip(replay.names, replay.places, strict=True)
    ends = ", ".join(f"{printable(name)}: place {place}" for name, place in places)
    who = [printable(name) for name in replay.names]
    content = {"lines": list(numbers), "frames": frames, "told": told, "who": who,
               "end": ends if replay.over else "the beginning of a game"}  # fmt: skip
    return gzip.compress(json.dumps(content, separators=(",", ":")).encode(), mtime=0)


def _scenes(replay: Replay, viewer: int | None) -> Iterator[tuple[Table, tuple[int, str] | None]]:
    """The table before the first decision and after each one, with who did what before it."""
    tables, number = replay.tables(), 0
    table = next(tables)
    yield table, None
    for number, decision in enumerate(replay.decisions, 1):
        phrase = printable(table.phrase(replay.game.actions.parse(decision.action), viewer))
        try:
            next(tables)
        except AlarifeError as error:
            raise AlarifeError(f"decision {number} of the replay: {error}") from None
        yield table, (decision.seat, phrase)


__all__ = ["film_frame", "film_page"]
