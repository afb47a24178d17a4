"""A pencil for SVG pictures. The first font is the one shipped with alarife, the second as wide: text fits anywhere."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from .errors import AlarifeError
from .printable import escape, printable

FONT = "DejaVu Sans, Verdana, sans-serif"
PLACE = re.compile(r"[A-Za-z0-9_.:-]{1,40}")


class Picture:
    """Shapes added one after another; `finish` gives the SVG text. Coordinates in pixels, y downwards."""

    def __init__(self, width: float, height: float, paper: str) -> None:
        self.width, self.height = width, height
        self._parts = [f'<rect width="{width:g}" height="{height:g}" fill="{paper}"/>']

    def add(self, shape: str) -> None:
        """A shape written in SVG."""
        self._parts.append(shape)

    @contextmanager
    def place(self, name: str) -> Iterator[None]:
        """The shapes drawn inside are a place, where actions are clicked: ``with picture.place("house:3"):``.

        Several groups may be one place; a place within a place is found first. Empty shapes of it catch clicks, too.
        """
        if not PLACE.fullmatch(name):
            raise AlarifeError(f"a place has 1 to 40 letters, digits and _ . : - in its name, got {name!r}")
        self.add(f'<g data-place="{name}" pointer-events="all">')
        yield
        self.add("</g>")

    def box(self, x: float, y: float, width: float, height: float, fill: str, line: str = "none", *,
            round: float = 0, dashed: bool = False, thick: float = 2) -> None:  # fmt: skip
        """A rectangle."""
        dash = ' stroke-dasharray="6 5"' if dashed else ""
        self.add(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{round:g}" '
                 f'fill="{fill}" stroke="{line}" stroke-width="{thick:g}"{dash}/>')  # fmt: skip

    def card(self, x: float, y: float, width: float, height: float, fill: str, *, round: float = 8) -> None:
        """A card: a box with a white rim."""
        self.box(x, y, width, height, fill, "#ffffff", round=round, thick=3)

    def half_card(self, x: float, y: float, width: float, height: float, fill: str, *, round: float = 8) -> None:
        """The lower right half of a card in a second colour."""
        r = round
        self.add(f'<path d="M{x + width:.1f} {y + r:.1f} V{y + height - r:.1f} '
                 f'A{r} {r} 0 0 1 {x + width - r:.1f} {y + height:.1f} H{x + r:.1f} L{x + width:.1f} {y + r:.1f}Z" '
                 f'fill="{fill}"/>')  # fmt: skip
        self.box(x, y, width, height, "none", "#ffffff", round=round, thick=3)

    def roof(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        """A triangle, base down."""
        self.polygon([(x, y + height), (x + width / 2, y), (x + width, y + height)], fill)

    def polygon(self, points: list[tuple[float, float]], fill: str, line: str = "none", thick: float = 2) -> None:
        """A closed shape with straight sides."""
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.add(f'<polygon points="{corners}" fill="{fill}" stroke="{line}" stroke-width="{thick:g}"/>')

    def circle(self, x: float, y: float, radius: float, fill: str, line: str = "none", thick: float = 2) -> None:
        """A disc."""
        self.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}" stroke="{line}" '
                 f'stroke-width="{thick:g}"/>')  # fmt: skip

    def line(self, x1: float, y1: float, x2: float, y2: float, paint: str, thick: float = 2) -> None:
        """A straight line."""
        self.add(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{paint}" '
                 f'stroke-width="{thick:g}" stroke-linecap="round"/>')  # fmt: skip

    def text(self, x: float, y: float, words: str, size: float, paint: str, *, bold: bool = False,
             middle: bool = False, end: bool = False) -> None:  # fmt: skip
        """Words on a baseline, from x on, centred on x, or up to x."""
        anchor = "middle" if middle else "end" if end else "start"
        weight = ' font-weight="bold"' if bold else ""
        self.add(f'<text x="{x:.1f}" y="{y:.1f}" font-family="{FONT}" font-size="{size:g}" fill="{paint}" '
                 f'text-anchor="{anchor}"{weight}>{escape(words)}</text>')  # fmt: skip

    def badge(self, x: float, y: float, words: str, fill: str, *, size: float = 17, paint: str = "#ffffff") -> None:
        """Words in a small filled box, from x on, on a baseline: ``you``."""
        width = size * (0.64 * len(words) + 0.8)
        self.box(x, y - size * 1.05, width, size * 1.45, fill, round=size * 0.35)
        self.text(x + width / 2, y, words, size, paint, bold=True, middle=True)

    def sheet(self, x: float, y: float, width: float, height: float, rows: Sequence[Sequence[object]], paint: str,
              paper: str, line: str, *, size: float = 20, bold: Sequence[int] = (0, -1)) -> None:  # fmt: skip
        """A table in a frame: words on the left, numbers on the right, and some rows in bold letters."""
        self.box(x, y, width, height, paper, line, round=12, thick=2)
        first, most = max(len(str(row[0])) for row in rows), max(len(str(cell)) for row in rows for cell in row[1:])
        count = len(rows[0]) - 1
        high = min(size * 1.6, (height - 16) / len(rows))
        size = min(size, high * 0.72, (width - 36 - 14 * count) / (0.64 * first + 0.72 * most * count))
        step = (width - 36 - 0.64 * size * first) / count
        for i, row in enumerate(rows):
            low = y + 8 + high * (i + 0.74)
            strong = i in bold or i - len(rows) in bold
            self.text(x + 16, low, str(row[0]), size, paint, bold=strong)
            for j, cell in enumerate(row[1:], 1):
                self.text(x + width - 16 - step * (count - j), low, str(cell), size, paint, bold=strong, end=True)

    def finish(self) -> str:
        """The whole picture."""
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width:g}" height="{self.height:g}" '
                f'viewBox="0 0 {self.width:g} {self.height:g}">')  # fmt: skip
        return "\n".join([head, *self._parts, "</svg>"]) + "\n"


def places_in(svg: str) -> set[str]:
    """The names of the places that a picture shows."""
    return set(re.findall(r'data-place="([^"]*)"', svg))


def described(svg: str, title: str, text: str) -> str:
    """The picture with a name and a description for those who cannot see it."""
    head, end, rest = svg.partition(">")
    lines = html.escape(printable(text, lines=True))
    return f"{head}{end}\n<title>{escape(title)}</title>\n<desc>{lines}</desc>{rest}" if end else svg
