"""Text that is safe on a terminal."""

from __future__ import annotations

import html
import os
import sys
import unicodedata

_HIDDEN = "Cc", "Cf", "Cs", "Zl", "Zp"  # control, format and half characters, separators of lines and paragraphs


def printable(text: object, lines: bool = False) -> str:
    r"""A name, phrase or path as a terminal may show it, whoever wrote it.

    Characters that would move the cursor, change colours, turn the direction of writing or stay unseen are shown as
    ``\x1b``, and so is the end of a line, unless the text may have several `lines`.
    """
    words = str(text)
    return words if words.isprintable() else "".join(_shown(letter, lines) for letter in words)


def escape(text: object) -> str:
    """Text that a page or a picture shows as it is: no markup, and nothing unseen."""
    return html.escape(printable(text))


def warn(sentence: str) -> None:
    """A line on stderr about what was done to go on; ``ALARIFE_QUIET=1`` keeps it away."""
    if os.environ.get("ALARIFE_QUIET", "0") in ("", "0"):
        print(f"alarife: {printable(sentence)}", file=sys.stderr)


def _shown(letter: str, lines: bool) -> str:
    if letter.isprintable() or (lines and letter == "\n") or unicodedata.category(letter) not in _HIDDEN:
        return letter
    return letter.encode("unicode_escape").decode()
