"""Tables in the terminal, as plain text: what stands in them means itself, and nothing of it is ever cut."""

from __future__ import annotations

from collections.abc import Sequence

from alarife.commands.arguments import say
from alarife.engine.printable import printable

GAP = 2
LEAST = 12  # letters of a column that is folded

Rows = Sequence[Sequence[str]]


def print_columns(rows: Rows, right: int = 99, width: int | None = None) -> None:
    """A table with a line of heads; columns from `right` on stand at the right. See `columns`."""
    for line in columns(rows, right, width):
        say(line)


def columns(rows: Rows, right: int = 99, width: int | None = None) -> list[str]:
    """The lines of a table. The last column is not filled up.

    What is too wide for the width has its widest column on the left folded within its cells. If that is not enough,
    the columns at the right go into further tables below, each with the first column again. Numbers are never folded.
    """
    rows = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if width is None or _total(widths) <= width:
        return _lines(rows, widths, right)
    folded = max(range(min(right, len(widths))), key=lambda i: widths[i], default=0)
    widths[folded] = max(min(widths[folded], LEAST), widths[folded] - (_total(widths) - width))
    if _total(widths) <= width or right >= len(widths):
        return _lines(rows, widths, right)
    return _in_parts(rows, right, width)


def _in_parts(rows: Rows, right: int, width: int) -> list[str]:
    """Several tables below each other, each beginning with the columns on the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    widest = max(widths[right:]) + GAP
    left = [min(size, max(LEAST, (width - widest - GAP * right) // max(1, right))) for size in widths[:right]]
    parts: list[list[int]] = [[]]
    for column in range(right, len(widths)):
        if parts[-1] and _total([*left, *(widths[c] for c in [*parts[-1], column])]) > width:
            parts.append([])
        parts[-1].append(column)
    lines: list[str] = []
    for part in parts:
        chosen = [[*row[:right], *(row[c] for c in part)] for row in rows]
        lines += [*([""] if lines else []), *_lines(chosen, [*left, *(widths[c] for c in part)], right)]
    return lines


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _lines(rows: Rows, widths: Sequence[int], right: int) -> list[str]:
    lines = []
    for row in rows:
        cells = [_folded(cell, size) for cell, size in zip(row, widths, strict=True)]
        for part in range(max(map(len, cells))):
            words = [cell[part] if part < len(cell) else "" for cell in cells]
            sized = enumerate(zip(words, widths, strict=True))
            line = (" " * GAP).join(f"{word:<{size}}" if i < right else f"{word:>{size}}" for i, (word, size) in sized)
            lines.append(line.rstrip())
    return lines


def _folded(text: str, width: int) -> list[str]:
    """Text in parts of a width, broken between words where there are any, else anywhere."""
    parts = []
    while len(text) > width:
        at = text.rfind(" ", 1, width + 1)
        at = at if at > 0 else width
        parts.append(text[:at].rstrip())
        text = text[at:].lstrip()
    return [*parts, text]
