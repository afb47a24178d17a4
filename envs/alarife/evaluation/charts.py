"""Charts as SVG within a page: they take their colours from it, and say in words what they show.

They are drawn narrow, names above what is drawn of them, so that a phone shows them legibly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from alarife.engine.printable import escape
from alarife.evaluation.page import figure, paint, table
from alarife.evaluation.statistics import Estimate

WIDTH, SIDE, ROW, TEXT = 480.0, 14.0, 46.0, 14.0
INK, FAINT, GRID = "var(--ink)", "var(--quiet)", "var(--line)"


class Chart:
    """Shapes on no paper of their own."""

    def __init__(self, height: float, title: str, words: str) -> None:
        self.height, self.title, self.words = height, title, words
        self._parts: list[str] = []

    def add(self, shape: str) -> None:
        """A shape written in SVG."""
        self._parts.append(shape)

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str, thick: float = 1) -> None:
        """A straight line."""
        self.add(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
                 f'stroke-width="{thick:g}"/>')  # fmt: skip

    def dot(self, x: float, y: float, radius: float, colour: str) -> None:
        """A disc."""
        self.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{colour}"/>')

    def box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """A rectangle."""
        self.add(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>')

    def text(self, x: float, y: float, words: str, colour: str = INK, anchor: str = "start", size: float = TEXT,
             bold: bool = False) -> None:  # fmt: skip
        """Words on a baseline."""
        weight = ' font-weight="bold"' if bold else ""
        self.add(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" fill="{colour}" text-anchor="{anchor}"{weight}>'
                 f"{escape(words)}</text>")  # fmt: skip

    def finish(self) -> str:
        """The whole chart, for a page."""
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(self.title)}: '
                f'{escape(self.words)}" viewBox="0 0 {WIDTH:g} {self.height:g}" font-family="inherit">')  # fmt: skip
        return "\n".join([head, f"<title>{escape(self.title)}</title>", *self._parts, "</svg>"])


class Scale:
    """Numbers onto pixels, with a grid of round numbers."""

    def __init__(self, low: float, high: float, start: float = SIDE, end: float = WIDTH - SIDE) -> None:
        if not high > low:
            low, high = low - 0.5, high + 0.5
        self.low, self.high, self.start, self.end = low, high, start, end

    def __call__(self, value: float) -> float:
        """Where a number lies; numbers outside lie on the edge."""
        inside = min(max(value, self.low), self.high)
        return self.start + (inside - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, least: float = 0.0, count: int = 5) -> list[float]:
        """Round numbers within the scale, at least so far apart."""
        rough = max(least, (self.high - self.low) / count)
        power = 10 ** math.floor(math.log10(rough))
        step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough * 0.999)
        first = math.ceil(self.low / step - 1e-9)
        return [k * step for k in range(first, math.floor(self.high / step + 1e-9) + 1)]


def _axis(chart: Chart, scale: Scale, top: float, bottom: float, spell: Callable[[float], str], least: float) -> None:
    for tick in scale.ticks(least):
        chart.line(scale(tick), top, scale(tick), bottom, GRID)
        x = min(max(scale(tick), 2 * SIDE), WIDTH - 2 * SIDE)
        chart.text(x, bottom + 17, spell(tick), FAINT, "middle", 12)


def _clip(name: str, room: float) -> str:
    """A name that fits in so many pixels: its end is what tells players apart; the table behind has all of it."""
    most = int(room / (0.62 * TEXT))
    return name if len(name) <= most else f"…{name[-most + 1 :]}"


# --- estimates ----------------------------------------------------------------------------------------


def estimates(title: str, rows: Sequence[tuple[str, Estimate, str]], span: tuple[float, float],
              spell: Callable[[float], str], mark: float | None = None) -> str:  # fmt: skip
    """A row for each estimate: its name and the number in words, below them the point with its interval."""
    if not rows:
        return ""
    chart = Chart(ROW * len(rows) + 34, title, "; ".join(f"{name} {words}" for name, _, words in rows))
    scale, bottom = Scale(*span), ROW * len(rows) + 8
    _axis(chart, scale, 4, bottom, spell, 0.01)
    if mark is not None:
        chart.line(scale(mark), 4, scale(mark), bottom, FAINT, 2)
    for i, (name, estimate, words) in enumerate(rows):
        y = ROW * i + 20
        chart.text(SIDE, y, _clip(name, WIDTH - 2 * SIDE - 0.62 * TEXT * (len(words) + 2)))
        chart.text(WIDTH - SIDE, y, words, anchor="end")
        if estimate.count:
            chart.line(scale(estimate.low), y + 14, scale(estimate.high), y + 14, paint(i), 3)
            chart.dot(scale(estimate.value), y + 14, 6, paint(i))
    return figure(title, chart.finish(), table(["", title.lower()], [(name, words) for name, _, words in rows]))


# --- how often ----------------------------------------------------------------------------------------


def histograms(title: str, rows: Sequence[tuple[str, Sequence[float], float]], mark: str) -> str:
    """How often each value came out, a row for each name; a line marks its mean or median."""
    rows = [row for row in rows if len(row[1])]
    if not rows:
        return ""
    edges = _edges([value for _, values, _ in rows for value in values])
    scale, high = Scale(float(edges[0]), float(edges[-1])), 90.0
    words = "; ".join(f"{name} {mark} {middle:.4g}" for name, _, middle in rows)
    chart = Chart(high * len(rows) + 34, title, words)
    bottom = high * len(rows) + 8
    _axis(chart, scale, 4, bottom, lambda v: f"{v:g}", 1)
    for i, (name, values, middle) in enumerate(rows):
        base = high * (i + 1) + 4
        said = f"{mark} {middle:.4g}"
        chart.text(SIDE, base - high + 20, _clip(name, WIDTH - 2 * SIDE - 0.62 * TEXT * (len(said) + 2)))
        chart.text(WIDTH - SIDE, base - high + 20, said, anchor="end")
        _bars(chart, values, scale, edges, base, high - 30, paint(i))
        chart.line(SIDE, base, WIDTH - SIDE, base, GRID)
        chart.line(scale(middle), base - high + 28, scale(middle), base, INK, 2)
    heads = ["", "games", mark, "least", "lower quarter", "median", "upper quarter", "most"]
    return figure(title, chart.finish(), table(heads, [_quarters(*row) for row in rows]))


def _bars(chart: Chart, values: Sequence[float], scale: Scale, edges: Any, base: float, high: float,
          colour: str) -> None:  # fmt: skip
    counts, _ = np.histogram(values, edges)
    top = max(1, counts.max())
    for count, start, end in zip(counts, edges[:-1], edges[1:], strict=True):
        if count:
            width = max(1.0, scale(end) - scale(start) - 1)
            chart.box(scale(start), base - high * count / top, width, high * count / top, colour)


def _quarters(name: str, values: Sequence[float], middle: float) -> list[str]:
    parts = np.percentile(values, [0, 25, 50, 75, 100])
    return [name, f"{len(values):,}", f"{middle:.4g}", *(f"{part:g}" for part in parts)]


def _edges(values: Sequence[float]) -> Any:
    """Bins of whole width for whole numbers, about forty of them."""
    low, high = math.floor(min(values)), math.ceil(max(values))
    width = max(1, math.ceil((high - low + 1) / 40))
    return np.arange(low - 0.5, high + width + 0.5, width)


# --- curves -------------------------------------------------------------------------------------------

MOST_ROWS = 60  # of the table behind a chart
_TOP, _LEFT, _HIGH = 14.0, 48.0, 250.0


@dataclass
class Curve:
    """Points of one line, with an interval around each where there is one."""

    name: str
    x: list[float] = field(default_factory=list)
    y: list[float] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)


def curves(title: str, lines: Sequence[Curve], low: float, high: float, unit: str = "",
           across: str = "decisions learnt from") -> str:  # fmt: skip
    """Lines over decisions, their names with the last value below; the numbers behind."""
    lines = [curve for curve in lines if curve.y]
    if not lines:
        return ""
    words = "; ".join(f"{curve.name} ends at {curve.y[-1]:.3g}{unit}" for curve in lines)
    chart = Chart(_HIGH + 62 + 22 * len(lines), title, words)
    x = Scale(0, max(max(curve.x) for curve in lines) or 1.0, _LEFT, WIDTH - SIDE)
    y = Scale(low, high, _HIGH, _TOP)
    for tick in y.ticks():
        chart.line(_LEFT, y(tick), WIDTH - SIDE, y(tick), GRID)
        chart.text(_LEFT - 6, y(tick) + 4, f"{tick:g}{unit}", FAINT, "end", 12)
    for tick in x.ticks(count=4):
        chart.text(min(x(tick), WIDTH - 2 * SIDE), _HIGH + 18, short(tick), FAINT, "middle", 12)
    chart.text((_LEFT + WIDTH) / 2, _HIGH + 38, across, FAINT, "middle", 12)
    for number, curve in enumerate(lines):
        _line(chart, curve, number, x, y)
        base = _HIGH + 62 + 22 * number
        chart.line(_LEFT, base - 5, _LEFT + 26, base - 5, paint(number), 3)
        _mark(chart, number, _LEFT + 13, base - 5)
        chart.text(_LEFT + 34, base, f"{_clip(curve.name, WIDTH - 210)}: {curve.y[-1]:.3g}{unit} at the end")
    return figure(title, chart.finish(), _numbers(lines, unit, across))


def _line(chart: Chart, curve: Curve, number: int, x: Scale, y: Scale) -> None:
    if curve.low and len(curve.x) > 1:
        edge = list(zip(map(x, curve.x), map(y, curve.high), strict=True))
        edge += list(zip(map(x, reversed(curve.x)), map(y, reversed(curve.low)), strict=True))
        chart.add(f'<polygon points="{_points(edge)}" fill="{paint(number)}" fill-opacity="0.16"/>')
    line = list(zip(map(x, curve.x), map(y, curve.y), strict=True))
    chart.add(f'<polyline points="{_points(line)}" fill="none" stroke="{paint(number)}" stroke-width="2.5"/>')
    if len(line) <= 60:
        for at in line:
            _mark(chart, number, *at)


def _mark(chart: Chart, number: int, x: float, y: float) -> None:
    """A point of a curve; its shape tells curves apart where colours do not."""
    colour = paint(number)
    if number % 3 == 0:
        chart.dot(x, y, 3.2, colour)
    elif number % 3 == 1:
        chart.box(x - 3, y - 3, 6, 6, colour)
    else:
        chart.add(f'<path d="M{x - 4:.1f} {y + 3:.1f} H{x + 4:.1f} L{x:.1f} {y - 4:.1f}Z" fill="{colour}"/>')


def _points(line: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in line)


def _numbers(lines: Sequence[Curve], unit: str, across: str) -> str:
    """All points of the curves, or so many of them, evenly spread, as a table holds."""
    tables = []
    for curve in lines:
        every = max(1, -(-len(curve.x) // MOST_ROWS))
        kept = sorted({*range(0, len(curve.x), every), len(curve.x) - 1})
        rows = [[f"{curve.x[k]:,.0f}", f"{curve.y[k]:.3g}{unit}", *([f"{curve.low[k]:.3g} to {curve.high[k]:.3g}{unit}"]
                 if curve.low else [])] for k in kept]  # fmt: skip
        heads = [across, curve.name, *(["95 % interval"] if curve.low else [])]
        tables.append(table(heads, rows, f"{curve.name}, {len(kept)} of {len(curve.x)} points"))
    return "".join(tables)


def short(number: float) -> str:
    """A number of decisions in few letters: 1.5M."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}"
