"""Curves as a picture of its own, on paper: for the pages of games."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from alarife.engine.palette import LIGHT, PAINTS
from alarife.engine.svg import Picture
from alarife.evaluation.charts import Curve, short

PAPER, INK, RULE = "#ffffff", LIGHT["ink"], LIGHT["line"]
COLOURS = [LIGHT[name] for name in PAINTS]
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 160.0, 20.0, 44.0


def plot(curves: Sequence[Curve], low: float, high: float, unit: str = "", width: int = 820, height: int = 320) -> str:
    """Lines over decisions; the names stand at their ends."""
    picture = Picture(width, height, PAPER)
    last = max((max(curve.x) for curve in curves if curve.x), default=1.0) or 1.0
    span = (high - low) or 1.0

    def at(x: float, y: float) -> tuple[float, float]:
        return (_LEFT + (width - _LEFT - _RIGHT) * x / last,
                height - _BOTTOM - (height - _TOP - _BOTTOM) * (min(max(y, low), high) - low) / span)  # fmt: skip

    for i in range(5):
        value = low + span * i / 4
        x, y = at(0, value)
        picture.line(x, y, width - _RIGHT, y, RULE, 1)
        picture.text(x - 8, y + 4, f"{value:g}{unit}" if span > 1 else f"{value:.2f}{unit}", 12, INK, end=True)
        x, y = at(last * i / 4, low)
        picture.text(x, y + 20, short(last * i / 4), 12, INK, middle=True)
    picture.text((width + _LEFT - _RIGHT) / 2, height - 6, "decisions learnt from", 12, INK, middle=True)
    for number, curve in enumerate(curves):
        _line(picture, curve, COLOURS[number % len(COLOURS)], at)
    for number, y in _labels([at(last, c.y[-1])[1] if c.y else height for c in curves]):
        if curves[number].y:
            said = f"{curves[number].name} {curves[number].y[-1]:.3g}{unit}"
            picture.text(width - _RIGHT + 10, y + 4, said, 12, COLOURS[number % len(COLOURS)], bold=True)
    return picture.finish()


def _line(picture: Picture, curve: Curve, paint: str, at: Callable[[float, float], tuple[float, float]]) -> None:
    if curve.low and len(curve.x) > 1:
        edge = [at(x, y) for x, y in zip(curve.x, curve.high, strict=True)]
        edge += [at(x, y) for x, y in zip(reversed(curve.x), reversed(curve.low), strict=True)]
        picture.add(f'<polygon points="{_points(edge)}" fill="{paint}" fill-opacity="0.16"/>')
    line = [at(x, y) for x, y in zip(curve.x, curve.y, strict=True)]
    picture.add(f'<polyline points="{_points(line)}" fill="none" stroke="{paint}" stroke-width="2.5"/>')
    if len(line) <= 60:
        for x, y in line:
            picture.circle(x, y, 2.6, paint)


def _points(line: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in line)


def _labels(heights: Sequence[float]) -> list[tuple[int, float]]:
    """Heights for labels, pushed apart where they would cover each other."""
    placed: list[tuple[int, float]] = []
    for number, y in sorted(enumerate(heights), key=lambda item: item[1]):
        placed.append((number, max(y, placed[-1][1] + 15) if placed else y))
    return placed
