"""The colours of pages, charts and pictures; a game's own colours stand in its display."""

from __future__ import annotations

#: Of pages by name, in light and in dark. `p0` to `p7` tell seats, players and curves apart. On paper and on cards text
#: (`ink`, `quiet`) reaches a contrast of 4.5, marks one of 3.
LIGHT = {"paper": "#f6f3ec", "card": "#fffdf8", "ink": "#2b2620", "quiet": "#665c50", "line": "#d9d0bf",
         "main": "#8a4b2a", "soft": "#efe7d8",
         "p0": "#2f6fb3", "p1": "#c8372d", "p2": "#357f3d", "p3": "#7d4f9e", "p4": "#a8620c", "p5": "#2c7878",
         "p6": "#a0522d", "p7": "#5b6770"}  # fmt: skip
DARK = {"paper": "#191714", "card": "#24211d", "ink": "#efe8dc", "quiet": "#b5aa99", "line": "#453f37",
        "main": "#e0a078", "soft": "#322d27",
        "p0": "#6ba6e5", "p1": "#f08075", "p2": "#78c281", "p3": "#bd93dc", "p4": "#e5a84f", "p5": "#6cc0c0",
        "p6": "#d99268", "p7": "#a3b1bb"}  # fmt: skip
PAINTS = [name for name in LIGHT if name[1:].isdecimal()]

# Of pictures, which look the same in light and in dark.
PAPER, TABLE, CARD = "#f6efe2", "#e6d9c0", "#fffdf8"
INK, FAINT, RIM = LIGHT["ink"], "#5f564a", "#c8872d"  # RIM: around what is marked


def style_sheet() -> str:
    """The colours as a style sheet: ``var(--ink)`` and so on."""
    light, dark = (" ".join(f"--{name}: {value};" for name, value in colours.items()) for colours in (LIGHT, DARK))
    return (f":root {{ color-scheme: light dark; {light} }}\n"
            f"@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n")  # fmt: skip


__all__ = ["CARD", "DARK", "FAINT", "INK", "LIGHT", "PAINTS", "PAPER", "RIM", "TABLE", "style_sheet"]
