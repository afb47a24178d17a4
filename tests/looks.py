"""What can be measured of a picture: where its words stand, on which colour, and whether they can be read."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
from PIL import ImageFont

from alarife.adapters.picture import FONTS, pixels

LARGE, LARGE_BOLD = 24.0, 18.66  # pixels from which letters are large (WCAG 2, 1.4.3)


class Words(NamedTuple):
    """A piece of text: the corners of its box, its colour, and the size of its letters."""

    words: str
    left: float
    top: float
    right: float
    bottom: float
    paint: str
    size: float
    bold: bool

    @property
    def least(self) -> float:
        """The contrast that it needs."""
        return 3.0 if self.size >= (LARGE_BOLD if self.bold else LARGE) else 4.5


@cache
def _font(bold: bool) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONTS / f"DejaVuSans{'-Bold' * bold}.ttf", 100)


def size_of(svg: str) -> tuple[float, float]:
    """Width and height."""
    width, height = re.search(r'width="([\d.]+)" height="([\d.]+)"', svg).groups()
    return float(width), float(height)


def words_of(svg: str) -> list[Words]:
    """All texts of a picture."""
    found: list[Words] = []
    _collect(ElementTree.fromstring(svg), np.eye(3), found)
    return found


def _collect(node, matrix, found):
    matrix = matrix @ _transform(node.get("transform", ""))
    if node.tag.endswith("}text"):
        found.append(_measured(node, matrix))
    for child in node:
        _collect(child, matrix, found)


def _transform(text):
    matrix = np.eye(3)
    for name, given in re.findall(r"(\w+)\(([^)]*)\)", text):
        numbers = [float(number) for number in given.split()]
        step = np.eye(3)
        if name == "translate":
            step[:2, 2] = numbers
        elif name == "scale":
            step[0, 0] = step[1, 1] = numbers[0]
        else:
            turn, x, y = np.radians(numbers[0]), *numbers[1:]
            step[:2, :2] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
            step[:2, 2] = np.array([x, y]) - step[:2, :2] @ np.array([x, y])
        matrix = matrix @ step
    return matrix


def _measured(node, matrix):
    words, bold, size = node.text or "", node.get("font-weight") == "bold", float(node.get("font-size"))
    left, top, right, bottom = (number * size / 100 for number in _font(bold).getbbox(words, anchor="ls"))
    shift = {"start": 0.0, "middle": -(left + right) / 2, "end": -right}[node.get("text-anchor")]
    x, y = float(node.get("x")) + shift, float(node.get("y"))
    corners = [matrix @ (x + u, y + v, 1) for u in (left, right) for v in (top, bottom)]
    xs, ys = [corner[0] for corner in corners], [corner[1] for corner in corners]
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2]))))
    return Words(words, min(xs), min(ys), max(xs), max(ys), node.get("fill"), size * scale, bold)


def faint(svg: str) -> list[tuple[str, str, str, float]]:
    """Words that stand out too little: with their colour, that of the ground, and the contrast."""
    width = int(size_of(svg)[0])
    whole, ground = pixels(svg, width), pixels(re.sub(r"<text.*?</text>", "", svg, flags=re.DOTALL), width)
    words = [word for word in words_of(svg) if word.words.strip()]
    return [told for word in words if (told := _too_faint(word, ground, whole))]


def _too_faint(word, ground, whole):
    """What counts is the ground under the letters, where nothing else covers them."""
    rows = slice(max(0, int(word.top)), int(word.bottom) + 1)
    columns = slice(max(0, int(word.left)), int(word.right) + 1)
    paint = tuple(int(word.paint[i : i + 2], 16) for i in (1, 3, 5))
    part, letters = ground[rows, columns].reshape(-1, 3), whole[rows, columns].reshape(-1, 3)
    shown = part[(np.abs(letters.astype(int) - paint) < 30).all(axis=1)]
    if not len(shown):
        return None
    colour = Counter(map(tuple, shown.tolist())).most_common(1)[0][0]
    ratio = contrast(paint, colour)
    return (word.words, word.paint, "#" + bytes(colour).hex(), round(ratio, 2)) if ratio < word.least else None


def contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """The contrast of two colours (WCAG 2)."""
    low, high = sorted((_light(one), _light(other)))
    return (high + 0.05) / (low + 0.05)


def _light(colour):
    parts = [part / 255 for part in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def outside(svg: str) -> list[str]:
    """Words that leave the picture."""
    width, height = size_of(svg)
    return [w.words for w in words_of(svg) if w.left < 0 or w.top < 0 or w.right > width or w.bottom > height]


def on_each_other(svg: str) -> list[tuple[str, str]]:
    """Pairs of words that overlap."""
    words = [w for w in words_of(svg) if w.words.strip()]
    return [(a.words, b.words) for i, a in enumerate(words) for b in words[:i] if _overlap(a, b)]


def _overlap(a, b):
    wide = min(a.right, b.right) - max(a.left, b.left)
    return wide > 1 and min(a.bottom, b.bottom) - max(a.top, b.top) > 1
