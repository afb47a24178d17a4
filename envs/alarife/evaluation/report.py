"""The report of an evaluation: one HTML file that needs nothing else, its plots drawn here as SVG."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from alarife.engine.files import write_whole
from alarife.engine.printable import escape
from alarife.engine.svg import Picture
from alarife.evaluation.statistics import Estimate, PlayerSummary, Summary, percent, share_and_interval

PAPER, INK, FAINT, GRID = "#fffdf8", "#2b2620", "#8c8173", "#e6dfd0"
PAINTS = "#2f6fb3", "#c8372d", "#4a9a52", "#7d4f9e", "#d98a1f", "#3d8f8f", "#a0522d", "#5b6770"
WIDTH, LEFT, RIGHT, ROW = 860, 210, 110, 34

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>
body {{ font: 16px/1.5 "DejaVu Sans", system-ui, sans-serif; color: {ink}; background: {paper}; margin: 2em auto;
  max-width: 900px; padding: 0 1em }}
h1 {{ font-size: 1.7em; margin-bottom: 0 }} h2 {{ font-size: 1.15em; margin: 2em 0 .4em }}
table {{ border-collapse: collapse; font-size: .9em }} td, th {{ padding: .25em .8em; border-bottom: 1px solid {grid} }}
td {{ text-align: right }} td:first-child, th:first-child {{ text-align: left }} p {{ color: #5b5348; max-width: 46em }}
svg {{ max-width: 100%; height: auto }} code {{ background: {grid}; padding: .1em .3em; border-radius: 4px }}
.wide {{ overflow-x: auto }}
</style></head><body>
{body}
</body></html>
"""


def write_report(path: str | os.PathLike[str], about: dict[str, Any], summary: Summary) -> Path:
    """Write the report."""
    return write_whole(path, report(about, summary).encode())


def report(about: dict[str, Any], summary: Summary) -> str:
    """The report as HTML."""
    title = f"{about['title']}: {len(summary.players)} players compared"
    parts = [
        f"<h1>{escape(title)}</h1>",
        _introduction(about, summary),
        _section("Players", _table(PLAYER_COLUMNS, player_rows(summary))),
        _section("Ratings", _ratings(summary), RATINGS),
        _section("Head to head", _matrix(summary),
                 "How often the player of the row did better than that of the column; level counts half. Below, the "
                 "interval."),
        _section("Scores", _scores(summary), "All final scores of each player; the line is the mean."),
        _section("Score differences", _table(DIFFERENCE_COLUMNS, _difference_rows(summary)),
                 "On the same deals, the first player's score minus the second's."),
        _section("Seats", _seats(summary), "Share of wins on each seat, over all players; the line is an equal share."),
        _section("Length", _lengths(summary), "Decisions of a game."),
    ]  # fmt: skip
    if summary.forfeits:
        rows = [[f["player"], str(f["deal"]), str(f["seat"]), f["why"]] for f in summary.forfeits]
        parts.append(_section("Forfeits", _table(["player", "deal", "seat", "why"], rows)))
    return _PAGE.format(title=escape(title), body="\n".join(parts), ink=INK, paper=PAPER, grid=GRID)


def _introduction(about: dict[str, Any], summary: Summary) -> str:
    options = ", ".join(f"{name}={value}" for name, value in about["options"].items()) or "none"
    luck = " Whoever plays a deal meets the same luck in it." if about.get("luck") == "event" else ""
    return (f"<p><code>{escape(about['game'])}</code> at tables of {about['players']}, seed {about['seed']}, "
            f"{summary.games} games over {summary.deals} deals. Options: {escape(options)}. Every line-up plays the "
            f"same deals, with the seats changed.{luck} Intervals are at 95 %, their units are deals.</p>")  # fmt: skip


def _section(title: str, body: str, about: str = "") -> str:
    said = f"<p>{escape(about)}</p>" if about else ""
    return f'<h2>{escape(title)}</h2>{said}<div class="wide">{body}</div>' if body else ""


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    top = "".join(f"<th>{escape(head)}</th>" for head in heads)
    lines = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
    return f"<table><tr>{top}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


# --- numbers in words -----------------------------------------------------------------------------------

RATINGS = (
    "Plackett-Luce ratings. Unlike all others, their 95 % intervals take all games for independent, so with few deals "
    "they are too narrow."
)
PLAYER_COLUMNS = ["player", "rating", "wins", "mean place", "mean score", "games", "decisions/s", "forfeits"]
DIFFERENCE_COLUMNS = ["players", "difference", "deals"]


def share(estimate: Estimate) -> str:
    """A share with its interval, if there is one: ``62 % [55, 68]``."""
    return share_and_interval(estimate.value, estimate.low, estimate.high) if estimate.count else "-"


def plain(estimate: Estimate, digits: int = 2) -> str:
    """A number with its interval."""
    if not estimate.count:
        return "-"
    if not math.isfinite(estimate.low):
        return f"{estimate.value:.{digits}f}"
    return f"{estimate.value:.{digits}f} [{estimate.low:.{digits}f}, {estimate.high:.{digits}f}]"


def player_rows(summary: Summary) -> list[list[str]]:
    """The table of players, in the terminal and in the report."""
    return [
        [p.name, plain(p.rating, 1), share(p.win), plain(p.place), plain(p.score), str(p.games),
         "-" if math.isnan(p.decisions_per_second) else f"{p.decisions_per_second:,.0f}", str(p.forfeits)]
        for p in summary.players
    ]  # fmt: skip


def _difference_rows(summary: Summary) -> list[list[str]]:
    order = [player.name for player in summary.players]
    return [[f"{a} - {b}", plain(estimate), str(estimate.count)] for (a, b), estimate in summary.difference.items()
            if order.index(a) < order.index(b)]  # fmt: skip


# --- plots ----------------------------------------------------------------------------------------------


class _Scale:
    """Numbers onto pixels, with a grid of round numbers."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        if not high > low:
            low, high = low - 0.5, high + 0.5
        self.low, self.high, self.start, self.end = low, high, start, end

    def __call__(self, value: float) -> float:
        inside = min(max(value, self.low), self.high)
        return self.start + (inside - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, least: float, count: int = 6) -> list[float]:
        """Round numbers within the scale, at least so far apart."""
        rough = max(least, (self.high - self.low) / count)
        power = 10 ** math.floor(math.log10(rough))
        step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough)
        first = math.ceil(self.low / step)
        return [k * step for k in range(first, math.floor(self.high / step + 1e-9) + 1)]


def _axis(picture: Picture, scale: _Scale, top: float, bottom: float, spell: Callable[[float], str],
          least: float = 0.01) -> None:  # fmt: skip
    for tick in scale.ticks(least):
        picture.line(scale(tick), top, scale(tick), bottom, GRID, 1)
        picture.text(scale(tick), bottom + 18, spell(tick), 12, FAINT, middle=True)


def _points(rows: Sequence[tuple[str, Estimate, str]], low: float, high: float, spell: Callable[[float], str],
            mark: float | None = None) -> str:  # fmt: skip
    """A row for each estimate: name, point and interval on a common scale, and the number in words."""
    height = ROW * len(rows) + 40
    picture = Picture(WIDTH, height, PAPER)
    scale = _Scale(low, high, LEFT, WIDTH - RIGHT - 60)
    bottom = height - 28
    _axis(picture, scale, 6, bottom, spell)
    if mark is not None:
        picture.line(scale(mark), 6, scale(mark), bottom, FAINT, 2)
    for i, (name, estimate, words) in enumerate(rows):
        y, paint = 24 + ROW * i, PAINTS[i % len(PAINTS)]
        picture.text(LEFT - 14, y + 5, name, 14, INK, end=True)
        if estimate.count:
            picture.line(scale(estimate.low), y, scale(estimate.high), y, paint, 3)
            picture.circle(scale(estimate.value), y, 6, paint)
            picture.text(WIDTH - RIGHT - 46, y + 5, words, 12, INK)
    return picture.finish()


def _span(estimates: Sequence[Estimate]) -> tuple[float, float]:
    ends = [end for e in estimates if e.count for end in (e.low, e.high) if math.isfinite(end)]
    if not ends:
        return 0.0, 1.0
    room = 0.05 * (max(ends) - min(ends))
    return min(ends) - room, max(ends) + room


def _ratings(summary: Summary) -> str:
    rows = [(p.name, p.rating, plain(p.rating, 1)) for p in summary.players]
    return _points(rows, *_span([p.rating for p in summary.players]), lambda v: f"{v:g}")


def _seats(summary: Summary) -> str:
    if len(summary.seats) < 2:
        return ""
    rows = [(f"seat {seat}", estimate, share(estimate)) for seat, estimate in enumerate(summary.seats)]
    high = max(estimate.high for estimate in summary.seats)
    return _points(rows, 0.0, min(1.0, 1.15 * high), percent, 1 / len(summary.seats))


def _matrix(summary: Summary) -> str:
    names = [player.name for player in summary.players]
    if len(names) < 2:
        return ""
    cell, high = max(74, min(110, (WIDTH - LEFT) // len(names))), 52
    picture = Picture(LEFT + cell * len(names) + 10, 40 + high * len(names), PAPER)
    for j, name in enumerate(names):
        picture.text(LEFT + cell * (j + 0.5), 24, _short(name, cell), 12, INK, middle=True)
    for i, first in enumerate(names):
        picture.text(LEFT - 14, 40 + high * (i + 0.5) + 5, first, 14, INK, end=True)
        for j, second in enumerate(names):
            better = summary.against.get((first, second))
            x, y = LEFT + cell * j, 40 + high * i
            picture.box(x + 2, y + 2, cell - 4, high - 4, GRID if better is None else _heat(better.value), round=6)
            if better is not None:
                paint = "#ffffff" if abs(better.value - 0.5) > 0.3 else INK
                picture.text(x + cell / 2, y + 24, percent(better.value), 15, paint, middle=True, bold=True)
                interval = f"{100 * better.low:.0f} to {100 * better.high:.0f}"
                picture.text(x + cell / 2, y + 40, interval, 11, paint, middle=True)
    return picture.finish()


def _short(name: str, cell: float) -> str:
    most = int(cell / 7.5)
    return name if len(name) <= most else name[: most - 1] + "…"


def _heat(share: float) -> str:
    """From red (loses) over paper to blue (wins)."""
    ends = (200, 55, 45), (243, 238, 226), (47, 111, 179)
    part = 2 * min(max(share, 0.0), 1.0)
    a, b = ends[:2] if part < 1 else ends[1:]
    part -= part >= 1
    return "#" + "".join(f"{round(x + (y - x) * part):02x}" for x, y in zip(a, b, strict=True))


def _histogram(picture: Picture, values: Sequence[float], scale: _Scale, edges: Any, bottom: float, high: float,
               paint: str) -> None:  # fmt: skip
    counts, _ = np.histogram(values, edges)
    top = max(1, counts.max())
    for count, start, end in zip(counts, edges[:-1], edges[1:], strict=True):
        if count:
            x, width = scale(start), scale(end) - scale(start)
            picture.box(x, bottom - high * count / top, max(1.0, width - 1), high * count / top, paint)


def _edges(values: Sequence[float]) -> Any:
    """Bins of whole width for whole numbers, about forty of them."""
    low, high = math.floor(min(values)), math.ceil(max(values))
    width = max(1, math.ceil((high - low + 1) / 40))
    return np.arange(low - 0.5, high + width + 0.5, width)


def _scores(summary: Summary) -> str:
    shown: list[PlayerSummary] = [player for player in summary.players if player.scores]
    if not shown:
        return ""
    edges = _edges([score for player in shown for score in player.scores])
    high, scale = 58, _Scale(float(edges[0]), float(edges[-1]), LEFT, WIDTH - RIGHT)
    picture = Picture(WIDTH, (high + 12) * len(shown) + 34, PAPER)
    bottom = (high + 12) * len(shown) + 6
    _axis(picture, scale, 6, bottom, lambda v: f"{v:g}", least=1)
    for i, player in enumerate(shown):
        base, paint = (high + 12) * (i + 1), PAINTS[i % len(PAINTS)]
        _histogram(picture, player.scores, scale, edges, base, high, paint)
        picture.line(LEFT, base, WIDTH - RIGHT, base, GRID, 1)
        picture.line(scale(player.score.value), base - high, scale(player.score.value), base, INK, 2)
        picture.text(LEFT - 14, base - high / 2 + 5, player.name, 14, INK, end=True)
        picture.text(WIDTH - RIGHT + 10, base - high / 2 + 5, f"{player.score.value:.2f}", 13, INK)
    return picture.finish()


def _lengths(summary: Summary) -> str:
    if not summary.lengths:
        return ""
    edges = _edges(summary.lengths)
    scale = _Scale(float(edges[0]), float(edges[-1]), LEFT, WIDTH - RIGHT)
    picture = Picture(WIDTH, 140, PAPER)
    _axis(picture, scale, 6, 112, lambda v: f"{v:g}", least=1)
    _histogram(picture, summary.lengths, scale, edges, 112, 96, PAINTS[0])
    middle = float(np.median(summary.lengths))
    picture.line(scale(middle), 10, scale(middle), 112, INK, 2)
    picture.text(LEFT - 14, 60, f"median {middle:.0f}", 14, INK, end=True)
    return picture.finish()
