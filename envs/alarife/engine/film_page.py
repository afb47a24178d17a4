"""A game as one page that needs nothing else: every decision, with a bar to pull."""

from __future__ import annotations

import html
from pathlib import Path
from typing import TYPE_CHECKING

from .numbers import seat_number
from .palette import style_sheet
from .printable import escape, printable
from .scenes import READER, packed, places, scenes

if TYPE_CHECKING:
    from .replay import Replay

_PAGE = Path(__file__).with_name("film_page.html")


def film_page(replay: Replay, seat: int | None = None) -> str:
    """A replay as a page, as that seat saw and heard it; without a seat everything is open."""
    viewer = None if seat is None else seat_number(seat, replay.players)
    page = _PAGE.read_text(encoding="utf-8").replace("PALETTE", style_sheet()).replace("READER", READER)
    return page.replace("TITLE", escape(replay.game.title)).replace("FILM", _film(replay, viewer))


def film_frame(replay: Replay, seat: int | None = None, height: int = 720) -> str:
    """The page in a frame, for notebooks and for other pages."""
    page = html.escape(film_page(replay, seat))
    return f'<iframe srcdoc="{page}" style="width:100%;height:{height}px;border:0" title="a game"></iframe>'


def _film(replay: Replay, viewer: int | None) -> str:
    shown = list(scenes(replay, viewer))
    return packed([picture for picture, _ in shown], {
        "told": [told for _, told in shown if told], "who": [printable(name) for name in replay.names],
        "end": printable(places(replay)) if replay.over else "the beginning of a game",
    })  # fmt: skip


__all__ = ["film_frame", "film_page"]
