"""Colours on a terminal: none where the output is no terminal, nor where ``NO_COLOR`` is set (no-color.org)."""

from __future__ import annotations

import os
from typing import TextIO

_CODES = {"bold": "1", "faint": "2", "green": "32", "yellow": "33", "blue": "34", "magenta": "35", "cyan": "36"}
_SEATS = "cyan", "magenta", "green", "yellow", "blue"


class Ink:
    """Paints text for one stream. Whatever is painted has to be printable before."""

    def __init__(self, stream: TextIO) -> None:
        self.is_coloured = (
            stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "") not in ("", "dumb")
        )

    def __call__(self, text: str, *looks: str) -> str:
        """The text in these looks."""
        if not self.is_coloured or not text:
            return text
        return f"\x1b[{';'.join(_CODES[look] for look in looks)}m{text}\x1b[0m"

    def seat(self, text: str, seat: int) -> str:
        """Text in a seat's colour."""
        return self(text, _SEATS[seat % len(_SEATS)])
