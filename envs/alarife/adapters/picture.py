"""SVG made into pixels, and shown. Needs the extra ``[render]``; fonts are shipped: pictures look alike anywhere."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from alarife.engine.errors import AlarifeError, missing_extra, nearest
from alarife.engine.numbers import seat_number
from alarife.engine.printable import printable

if TYPE_CHECKING:
    from alarife.engine.table import Table

FONTS = Path(__file__).resolve().parent / "fonts"
WIDTH = 1000
RENDER_MODES = "ansi", "rgb_array", "human"
ALL = "all"  # as `render_seat`: everything open, secrets included


def png(svg: str, width: int = WIDTH) -> bytes:
    """An SVG picture as a PNG file of that width."""
    try:
        import resvg_py
    except ImportError:
        raise missing_extra("pictures need", "render") from None
    fonts = [str(path) for path in sorted(FONTS.glob("*.ttf"))]
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True, font_files=fonts))


def pixels(svg: str, width: int = WIDTH) -> np.ndarray:
    """An SVG picture as an array ``[height, width, 3]`` of uint8."""
    content = png(svg, width)
    try:
        from PIL import Image
    except ImportError:
        raise missing_extra("pictures need", "render") from None
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))


def check_rendering(mode: Any, seat: Any, players: int, modes: Sequence[str] = RENDER_MODES) -> None:
    """Make sure of a render mode (or None), and of a seat, ``"all"`` or None for the seat to decide."""
    if mode is not None and mode not in modes:
        raise AlarifeError(f"no render mode called {mode!r}{nearest(mode, modes)}")
    if isinstance(seat, str) and seat != ALL:
        raise AlarifeError(f"render_seat takes a seat from 0 to {players - 1}, {ALL!r} or None, got {seat!r}")
    if seat is not None and seat != ALL:
        seat_number(seat, players)


def viewer_of(render_seat: int | str | None, due: int) -> int | None:
    """Who looks, None being someone who sees all: the seat asked for, all, or else the one whose turn it is."""
    if render_seat is None:
        return due
    return None if isinstance(render_seat, str) else render_seat


def frame(table: Table, mode: str, viewer: int | None) -> str | np.ndarray:
    """The position as text or as pixels."""
    return table.text(viewer) if mode == "ansi" else pixels(table.svg(viewer))


def fitting_width(svg: str, across: int, down: int) -> int:
    """The width at which a picture fits into a space."""
    found = re.search(r'width="([\d.]+)" height="([\d.]+)"', svg)
    width, height = (float(number) for number in found.groups()) if found else (WIDTH, WIDTH)
    return max(1, int(width * min(across / width, down / height)))


class Screen:
    """A window with the table; where there is no screen (or no tkinter), the terminal.

    The picture fits on the screen. Whoever closes the window wants to see no more: later positions are not shown.
    """

    def __init__(self, title: str) -> None:
        self._label: Any = None
        self._closed = False
        try:
            import tkinter

            if sys.platform.startswith("linux") and not (
                os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
            ):
                return
            self._window = tkinter.Tk()
            self._window.title(title)
            self._window.protocol("WM_DELETE_WINDOW", self.close)
            self._label = tkinter.Label(self._window)
            self._label.pack()
        except Exception:
            self._label = None

    def show(self, table: Table, seat: int | None) -> None:
        """Show the position."""
        if self._closed:
            return
        if self._label is None:
            print(printable(table.text(seat), lines=True), end="\n\n", flush=True)
            return
        import tkinter

        svg = table.svg(seat)
        try:
            room = int(self._window.winfo_screenwidth() * 0.95), int(self._window.winfo_screenheight() * 0.85)
            image = tkinter.PhotoImage(data=png(svg, fitting_width(svg, *room)))
            self._label.configure(image=image)
            self._label.image = image
            self._window.update()
        except tkinter.TclError:  # closed from outside
            self._label, self._closed = None, True

    def close(self) -> None:
        """Close the window."""
        if self._label is not None:
            self._window.destroy()
        self._label, self._closed = None, True
