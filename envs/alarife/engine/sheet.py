"""A score sheet as lines of text."""

from __future__ import annotations

from collections.abc import Sequence


def columns(rows: Sequence[Sequence[object]]) -> list[str]:
    """Rows of cells as lines: the first cells begin alike, the others end alike."""
    widths = [max(len(str(row[j])) for row in rows) for j in range(len(rows[0]))]
    lines = []
    for row in rows:
        first, *others = (str(cell) for cell in row)
        cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))]
        lines.append("  " + "  ".join(cells))
    return lines


def counted(number: object, thing: str) -> str:
    """A number of things, or whatever stands for one, such as "1 card" and "2 cards"."""
    return f"{number} {thing}" if str(number) == "1" else f"{number} {thing}s"
