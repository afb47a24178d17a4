"""Villa Paletti: the building from above and from the side, as text and as a picture, actions as phrases."""

from __future__ import annotations

import math
from typing import Any

from alarife.engine.game import Display
from alarife.engine.svg import FONT, Picture

from .actions import ACTIONS
from .components import (
    AROUND,
    COLOUR,
    COLOUR_NAMES,
    COLOURS,
    COLUMNS,
    CORNERS,
    FLOORS,
    GRID,
    HEIGHT,
    KIND,
    KIND_NAMES,
    MEDIUM,
    MIDDLE,
    NEUTRAL,
    NONE,
    ORDERS,
    OUTLINE,
    PLATE_RADIUS,
    POSE_PITCH,
    RADIUS,
    SIDES,
    SITE_RADIUS,
    STOREY,
    THICK,
    THICKNESS,
    THIN,
    TURN,
    Act,
    Phase,
    Proof,
    Reading,
)
from .rules.places import cell_x, cell_y
from .rules.seal import points_of
from .rules.statics import is_inside, weigh

PAPER, INK, FAINT, LAWN, SITE = "#f6efe2", "#2b2620", "#8c8173", "#a9c187", "#c9a77c"
PAINT = {"blue": "#3f76b5", "green": "#4f9a58", "yellow": "#eebb2a", "orange": "#e58a32", "red": "#c4463a"}
SHADE = {"blue": "#2b5283", "green": "#356b3d", "yellow": "#b98a10", "orange": "#aa5f18", "red": "#8b2b22"}
PALE = {"blue": "#a9c4e4", "green": "#b3d5b4", "yellow": "#f8e3a4", "orange": "#f6cfa3", "red": "#e8aaa3"}
CHOSEN = "#d01f6b"  # the column in hand
READING_WORDS = "not felt", "falls", "shaky", "fair", "firm"
Point = tuple[float, float]

PLAN_COLUMNS, PLAN_ROWS = 31, 15  # characters of a plan
CHAR_X, CHAR_Y = 10.0, 20.0  # millimetres that one stands for
FELT = " !?~="  # by Reading
FOR_COLUMN = Phase.SETUP_ROW, Phase.SETUP_COLUMN, Phase.ROW, Phase.COLUMN  # a place is being chosen
FOR_FLOOR = Phase.FLOOR_ROW, Phase.FLOOR_COLUMN


def owner_name(state: Any, colour: int) -> str:
    """Whose a colour is."""
    seat = state.seat_of[colour]
    return "neutral" if seat == NEUTRAL else "free" if seat == NONE else f"player_{seat}"


def column_name(c: int) -> str:
    """A column in words: ``thick blue column 4``."""
    return f"{KIND_NAMES[KIND[c]]} {COLOUR_NAMES[COLOUR[c]]} column {c}"


def floor_name(state: Any, f: int) -> str:
    """The colour of a floor, counted from 0."""
    return str(ORDERS[state.options.floor_order][f])


def outline_of(state: Any, f: int) -> list[Point]:
    """A floor's outline as it lies."""
    cosine, sine = (float(part) for part in TURN[state.rotation[f]])
    x, y = float(state.floor_x[f]), float(state.floor_y[f])
    return [(x + u * cosine - v * sine, y + u * sine + v * cosine) for u, v in OUTLINE[f, : SIDES[f]].tolist()]


def is_on_floor(state: Any, f: int, x: float, y: float) -> bool:
    """Whether a point lies on a floor."""
    cosine, sine = (float(part) for part in TURN[state.rotation[f]])
    p, q = x - float(state.floor_x[f]), y - float(state.floor_y[f])
    return bool(is_inside(f, p * cosine + q * sine, q * cosine - p * sine))


def columns_on(state: Any, level: int) -> list[int]:
    """The columns of a level, lower ones of stacks first."""
    return sorted((c for c in range(COLUMNS) if state.level[c] == level), key=lambda c: (state.storey[c], c))


def mark_of(c: int) -> str:
    """A column in a plan: b thin, B medium, (B) thick."""
    letter = COLOUR_NAMES[COLOUR[c]][0]
    return {THIN: letter, MEDIUM: letter.upper(), THICK: f"({letter.upper()})"}[int(KIND[c])]


def plan_place(state: Any, c: int) -> tuple[int, int]:
    """Row, from the front, and character of a plan in which a column stands, both from 0."""
    row = round((PLAN_ROWS - 1) / 2 + float(state.y[c]) / CHAR_Y)
    return row, round((PLAN_COLUMNS - 1) / 2 + float(state.x[c]) / CHAR_X)


class VillaPalettiDisplay(Display):
    """Everything that Villa Paletti shows a person."""

    # --- words --------------------------------------------------------------------------------------

    def phrase(self, state: Any, action: int, seat: int | None = None) -> str:
        """An action in the words of the rulebook; everybody sees all of it (PAL-164)."""
        family, values = ACTIONS.decode(action)
        number = next(iter(values.values()), 0)
        taken = column_name(state.chosen) if state.chosen != NONE else "column"
        floor = floor_name(state, min(int(state.floors), FLOORS - 1))
        if family == "column":
            verb = "takes hold of" if state.phase != Phase.PENALTY else "wants to take out"
            return f"{verb} the {column_name(number)}"
        if family == "stop":
            return "takes no column out" if state.phase == Phase.PENALTY else "stops" if state.own_step else "passes"
        thing = f"{floor} floor" if state.phase in FOR_FLOOR else taken
        if family == "row":
            return f"chooses row {number + 1} for the {thing}"
        if family == "cell":
            return f"puts the {thing} on cell {number + 1} of row {state.row + 1}"
        return {
            "propose": f"proposes to lay the {floor} floor",
            "pull": f"pulls out the {taken}",
            "lift": f"lifts the floor above the {taken}",
            "abort": f"leaves the {taken} where it was",
            "commit": f"takes out the {taken} and lets the floor down",
            "object_to": "objects",
            "agree": "does not object",
            "rotation": f"turns the {floor} floor by {22.5 * number:g} degrees",
            "colour": f"takes {COLOUR_NAMES[number % COLOURS]}",
        }[family]

    def headline(self, state: Any) -> str:
        """What is going on, in a line."""
        if state.over:
            winner = f"player_{state.winner} has won" if state.winner != NONE else "nobody has won"
            why = f"player_{state.causer} made the building collapse" if state.collapsed else "nobody can build further"
            return f"{why}: {winner}"
        what = {
            Phase.SETUP_ROW: "puts down a column", Phase.SETUP_COLUMN: "puts down a column",
            Phase.COLOUR: "chooses a colour", Phase.TURN: "to play", Phase.READING: "has felt",
            Phase.LIFTED: "has lifted the floor above", Phase.ROW: "places", Phase.COLUMN: "places",
            Phase.OBJECT: "may object", Phase.DEMONSTRATE: "must show a column that can be moved",
            Phase.PENALTY: "may take out a column", Phase.ROTATION: "lays a floor", Phase.FLOOR_ROW: "lays a floor",
            Phase.FLOOR_COLUMN: "lays a floor",
        }[Phase(state.phase)]  # fmt: skip
        if state.phase == Phase.TURN and state.act == Act.NEUTRAL:
            what = "to play a neutral column"
        line = f"player_{state.seat} {what}"
        if state.chosen != NONE and Phase.READING <= state.phase <= Phase.COLUMN:
            line += f" the {column_name(state.chosen)} ({READING_WORDS[state.felt[state.chosen]]}"
            line += {Proof.NOTHING: "", Proof.STANDS: ", stands without it", Proof.FALLS: ", falls without it"}[
                Proof(state.proof[state.chosen])
            ] + ")"
        return line

    def balance_line(self, state: Any, seat: int | None) -> str:
        """Margins and tilt index; the true ones for someone who sees all."""
        if not state.floors:
            return "no floor yet"
        margins = " ".join(f"{state.margin[f]:.1f}" for f in range(state.floors))
        line = f"balance {margins} mm   tilt index {state.index:.3f}"
        if seat is None:
            margin, index = weigh(state, NONE, True)
            line += f"   (truly {margin:.1f} mm, {index:.3f})"
        return line

    def seat_line(self, state: Any, p: int) -> str:
        """Colours, points and Seal of a seat."""
        colours = " and ".join(COLOUR_NAMES[k] for k in range(COLOURS) if state.seat_of[k] == p) or "no colour yet"
        seal = "   Master Builder's Seal" if state.owner == p else "   former owner" if state.former == p else ""
        return f"player_{p}  {colours}   {points_of(state, p)} points{seal}"

    # --- text ---------------------------------------------------------------------------------------

    def text(self, state: Any, seat: int | None = None) -> str:
        """Headline, seats, the building from the front, plans, where each column is, and cells to choose from."""
        lines = [f"Villa Paletti  turn {state.turns}, {self.headline(state)}", self.balance_line(state, seat)]
        for p in range(state.seats):
            lines.append(("> " if p == state.seat and not state.over else "  ") + self.seat_line(state, p))
        lines += self.elevation(state)
        plans = [self.plan(state, level) for level in range(state.floors + 1)]
        for i in range(0, len(plans), 3):
            for row in zip(*plans[i : i + 3], strict=True):
                if any(part[1:].strip() for part in row):
                    lines.append("  ".join(row).rstrip())
        return "\n".join(lines + self.column_lines(state) + self.cell_lines(state))

    def column_lines(self, state: Any) -> list[str]:
        """Each column with its number: its level, its place in the plan there, and what is known of it."""
        lines = ["columns: number, level, place in its plan (*2: on another); x locked, ! falls ? shaky ~ fair = firm"]
        for k in range(COLOURS):
            words = [
                f"{c:>2} {mark_of(c):<3} {self._whereabouts(state, c):<9}" for c in range(COLUMNS) if COLOUR[c] == k
            ]
            lines.append(f"{COLOUR_NAMES[k]:<7} {' '.join(words)}".rstrip())
        return lines

    def _whereabouts(self, state: Any, c: int) -> str:
        if state.level[c] == NONE:
            return "out"
        row, at = plan_place(state, c)
        stack = f"*{state.storey[c] + 1}" if state.storey[c] else ""
        known = "x" if state.locked[c] else FELT[state.felt[c]].strip()
        return f"{state.level[c]} {chr(ord('a') + row)}{at + 1}{stack}{known}"

    def cell_lines(self, state: Any) -> list[str]:
        """While a place is being chosen: the cells with their rows, + where the column or the floor's middle may go."""
        phase = state.phase
        if state.over or phase not in FOR_COLUMN + FOR_FLOOR:
            return []
        grid = [[self._cell_mark(state, phase in FOR_FLOOR, row, i) for i in range(GRID)] for row in range(GRID)]
        for c in columns_on(state, int(state.floors)):
            row, i = self._cell_of(state, phase in FOR_FLOOR, c)
            if 0 <= row < GRID and 0 <= i < GRID and grid[row][i] != "+":
                grid[row][i] = mark_of(c).strip("()")
        what = f"{floor_name(state, state.floors)} floor" if phase in FOR_FLOOR else column_name(state.chosen)
        head = f"cells for the {what}, + may be chosen; rows on the left, cells above"
        rows = [f"{row + 1:>4} {' '.join(f'{mark:>2}' for mark in grid[row]).rstrip()}" for row in reversed(range(GRID))
                if "".join(grid[row]).strip()]  # fmt: skip
        return [head, "     " + " ".join(f"{i + 1:>2}" for i in range(GRID)), *rows]

    def _cell_mark(self, state: Any, is_floor: bool, row: int, i: int) -> str:
        bits = state.poses[row] if is_floor else state.room[KIND[state.chosen], row]
        if bits >> i & 1:
            return "+"
        point = (
            ((i - MIDDLE) * POSE_PITCH, (row - MIDDLE) * POSE_PITCH)
            if is_floor
            else (cell_x(state, i), cell_y(state, row))
        )
        return self._ground(state, int(state.floors), float(point[0]), float(point[1]))

    def _cell_of(self, state: Any, is_floor: bool, c: int) -> tuple[int, int]:
        """The cell nearest to a column."""
        x, y = (0.0, 0.0) if is_floor else (cell_x(state, MIDDLE), cell_y(state, MIDDLE))
        pitch = POSE_PITCH if is_floor else cell_x(state, 1) - cell_x(state, 0)
        return round(float((state.y[c] - y) / pitch + MIDDLE)), round(float((state.x[c] - x) / pitch + MIDDLE))

    def plan(self, state: Any, level: int) -> list[str]:
        """A level from above: b thin, B medium, (B) thick; ':' lies under the next floor, '.' is free."""
        grid = [[self._ground(state, level, *self._place(row, column)) for column in range(PLAN_COLUMNS)]
                for row in range(PLAN_ROWS)]  # fmt: skip
        for c in columns_on(state, level):
            row, column = plan_place(state, c)
            marks = mark_of(c)
            for i, mark in enumerate(marks):
                at = column + i - len(marks) // 2
                if 0 <= row < PLAN_ROWS and 0 <= at < PLAN_COLUMNS:
                    grid[PLAN_ROWS - 1 - row][at] = mark
        name = "base plate" if level == 0 else f"{floor_name(state, level - 1)} floor"
        count = len(columns_on(state, level))
        head = f"{level} {name}, {count} column{'s' * (count != 1)}"
        ruler = "".join(f"{i:>{5 if i > 1 else 1}}" for i in (1, *range(6, PLAN_COLUMNS + 1, 5)))
        letters = (chr(ord("a") + row) for row in reversed(range(PLAN_ROWS)))
        rows = (f"{letter} {''.join(row)}" for letter, row in zip(letters, grid, strict=True))
        return [head.ljust(PLAN_COLUMNS + 2), f"  {ruler}", *rows]

    def _place(self, row: int, column: int) -> Point:
        return (column - (PLAN_COLUMNS - 1) / 2) * CHAR_X, ((PLAN_ROWS - 1) / 2 - row) * CHAR_Y

    def _ground(self, state: Any, level: int, x: float, y: float) -> str:
        if level == 0 and x * x + y * y > SITE_RADIUS**2:
            return " "
        if level > 0 and not is_on_floor(state, level - 1, x, y):
            return " "
        return ":" if level < state.floors and is_on_floor(state, level, x, y) else "."

    def elevation(self, state: Any) -> list[str]:
        """The building from the front: floors as lines, columns by their colour's letter."""
        lines: list[str] = []
        for level in range(state.floors + 1):
            stacks = max([int(state.storey[c]) for c in columns_on(state, level)], default=0)
            low, high = -SITE_RADIUS, SITE_RADIUS
            if level:
                across = [x for x, _ in outline_of(state, level - 1)]
                low, high = min(across), max(across)
            lines.append(self._across(low, high))
            for storey in range(stacks + 1):
                row = [" "] * PLAN_COLUMNS
                for c in columns_on(state, level):
                    if state.storey[c] == storey:
                        at = round((PLAN_COLUMNS - 1) / 2 + float(state.x[c]) / CHAR_X)
                        letter = COLOUR_NAMES[COLOUR[c]][0]
                        row[at] = letter if KIND[c] == THIN else letter.upper()
                lines.append("".join(row).rstrip())
        return [line for line in reversed(lines) if line.strip()]

    def _across(self, low: float, high: float) -> str:
        middle = (PLAN_COLUMNS - 1) / 2
        return "".join("=" if low <= (i - middle) * CHAR_X <= high else " " for i in range(PLAN_COLUMNS)).rstrip()

    # --- picture ------------------------------------------------------------------------------------

    def svg(self, state: Any, seat: int | None = None) -> str:
        """The tower on the left, the plans of its levels on the right, the seats below."""
        rows = int(state.seats)
        picture = Picture(1200, 880 + 46 * rows, PAPER)
        picture.text(36, 54, "Villa Paletti", 34, INK, bold=True)
        picture.text(290, 52, self.headline(state), 22, INK)
        self._tower(picture, state, 290, 720)
        for level in range(FLOORS + 1):
            self._plan(picture, state, level, 745 + 300 * (level % 2), 205 + 242 * (level // 2))
        self._legend(picture)
        picture.text(36, 806, self.balance_line(state, seat), 20, INK)
        for p in range(rows):
            self._seat(picture, state, p, 852 + 46 * p)
        return picture.finish()

    def _tower(self, picture: Picture, state: Any, x: float, y: float) -> None:
        """The building seen from the front left and from above."""
        across, up = math.radians(24), math.radians(24)
        height = state.floors * STOREY + HEIGHT * (1 + max(int(n) for n in state.storey))
        scale = min(1.55, 545 / (PLATE_RADIUS * math.sin(up) + height * math.cos(up)))

        def project(point: Point, z: float) -> Point:
            right = point[0] * math.cos(across) - point[1] * math.sin(across)
            back = point[0] * math.sin(across) + point[1] * math.cos(across)
            return x + scale * right, y - 130 - scale * (back * math.sin(up) + z * math.cos(up))

        def depth(c: int) -> float:
            return float(state.x[c]) * math.sin(across) + float(state.y[c]) * math.cos(across)

        circle = [(math.cos(i * math.pi / 40), math.sin(i * math.pi / 40)) for i in range(80)]
        for radius, z, fill in ((PLATE_RADIUS, -8.0, "#86a164"), (PLATE_RADIUS, 0.0, LAWN), (SITE_RADIUS, 0.0, SITE)):
            picture.polygon([project((radius * u, radius * v), z) for u, v in circle], fill, "#7b9658", 1)
        for level in range(state.floors + 1):
            if level:
                self._slab(picture, state, level - 1, project)
            for c in sorted(columns_on(state, level), key=lambda c: (-depth(c), state.storey[c])):
                self._column(picture, state, c, project)

    def _slab(self, picture: Picture, state: Any, f: int, project: Any) -> None:
        name, points = floor_name(state, f), outline_of(state, f)
        top = (f + 1) * STOREY
        for a, b in zip(points, points[1:] + points[:1], strict=True):
            quad = [project(a, top - THICKNESS), project(b, top - THICKNESS), project(b, top), project(a, top)]
            picture.polygon(quad, SHADE[name], SHADE[name], 1)
        picture.polygon([project(p, top) for p in points], PAINT[name], SHADE[name], 1.5)

    def _column(self, picture: Picture, state: Any, c: int, project: Any) -> None:
        name, foot = COLOUR_NAMES[COLOUR[c]], state.level[c] * STOREY + state.storey[c] * HEIGHT
        corners = [(float(state.x[c]) + u, float(state.y[c]) + v) for u, v in self._footprint(c)]
        body = [project(p, z) for z in (foot, foot + HEIGHT) for p in corners]
        line = CHOSEN if c == state.chosen else SHADE[name]
        picture.polygon(_hull(body), SHADE[name], line, 3 if c == state.chosen else 1)
        picture.polygon([project(p, foot + HEIGHT) for p in corners], PAINT[name], line, 1)

    def _footprint(self, c: int) -> list[Point]:
        if KIND[c] == MEDIUM:
            return [(float(u), float(v)) for u, v in AROUND[MEDIUM, : CORNERS[MEDIUM]]]
        r = float(RADIUS[KIND[c]])
        return [(r * math.cos(i * math.pi / 16), r * math.sin(i * math.pi / 16)) for i in range(32)]

    def _plan(self, picture: Picture, state: Any, level: int, x: float, y: float) -> None:
        """A level from above, with the outline of the next floor."""
        scale = 0.70

        def at(point: Point) -> Point:
            return x + scale * point[0], y - scale * point[1]

        title = "base plate" if level == 0 else floor_name(state, level - 1)
        there = level <= state.floors
        picture.text(
            x, y - 112, f"{level}  {title}", 18, INK if there else FAINT, middle=True, bold=level == state.floors
        )
        picture.circle(x, y, scale * PLATE_RADIUS, LAWN if level == 0 else "none", "#c7bba6", 1)
        if level == 0:
            picture.circle(x, y, scale * SITE_RADIUS, SITE)
        if not there:
            return
        if level:
            name = floor_name(state, level - 1)
            picture.polygon([at(p) for p in outline_of(state, level - 1)], PALE[name], SHADE[name], 1.5)
        for c in columns_on(state, level):
            self._dot(picture, state, c, at, scale)
        if level < state.floors:
            corners = " ".join(f"{u:.1f},{v:.1f}" for u, v in (at(p) for p in outline_of(state, level)))
            picture.add(f'<polygon points="{corners}" fill="#ffffff" fill-opacity="0.28" stroke="{INK}" '
                        f'stroke-width="1.5" stroke-dasharray="5 4"/>')  # fmt: skip

    def _dot(self, picture: Picture, state: Any, c: int, at: Any, scale: float) -> None:
        name = COLOUR_NAMES[COLOUR[c]]
        x, y = float(state.x[c]), float(state.y[c])
        line = CHOSEN if c == state.chosen else INK
        picture.polygon(
            [at((x + u, y + v)) for u, v in self._footprint(c)], PAINT[name], line, 3 if c == state.chosen else 1
        )
        u, v = at((x, y))
        if state.storey[c]:
            picture.text(u, v + 4, str(state.storey[c] + 1), 12, INK, middle=True, bold=True)
        if state.locked[c]:
            for slope in (-1, 1):
                picture.line(u - 5, v - 5 * slope, u + 5, v + 5 * slope, INK, 2)
        elif state.felt[c] != Reading.NOT_FELT:
            picture.text(u, v + 4, FELT[state.felt[c]], 13, INK, middle=True, bold=True)

    def _legend(self, picture: Picture) -> None:
        picture.add(f'<text x="36" y="834" font-family="{FONT}" font-size="16" fill="{FAINT}">dashed line: the next '
                    "floor, x locked, felt: ! falls ? shaky ~ fair = firm</text>")  # fmt: skip

    def _seat(self, picture: Picture, state: Any, p: int, y: float) -> None:
        due = p == state.seat and not state.over
        if due:
            picture.box(26, y - 2, 1148, 42, "#fffaf0", "#c8872d", round=10)
        picture.text(44, y + 27, f"player_{p}", 22, INK, bold=due)
        x = 190.0
        for k in range(COLOURS):
            if state.seat_of[k] == p:
                picture.box(x, y + 7, 24, 24, PAINT[COLOUR_NAMES[k]], INK, round=5, thick=1)
                x += 34
        picture.text(290, y + 27, f"{points_of(state, p)} points", 22, INK)
        if state.owner == p:
            self._seal(picture, state, 440, y + 19)
            picture.text(462, y + 27, "Master Builder's Seal", 22, INK, bold=True)
        elif state.former == p:
            picture.text(440, y + 27, "former owner", 22, FAINT)
        on = sum(1 for c in range(COLUMNS) if state.seat_of[COLOUR[c]] == p and state.level[c] == state.floors)
        left = sum(1 for c in range(COLUMNS) if state.seat_of[COLOUR[c]] == p and 0 <= state.level[c] < state.floors)
        picture.text(1150, y + 27, f"columns: {on} on top, {left} below", 20, FAINT, end=True)

    def _seal(self, picture: Picture, state: Any, x: float, y: float) -> None:
        """The Seal shows the former owner's colour."""
        shown = [COLOUR_NAMES[k] for k in range(COLOURS) if state.former != NONE and state.seat_of[k] == state.former]
        picture.box(x - 10, y - 13, 20, 26, PAINT[shown[0]] if shown else "#ffffff", INK, round=3, thick=2)


def _hull(points: list[Point]) -> list[Point]:
    """The convex hull, for silhouettes."""
    chains = []
    for ordered in (sorted(points), sorted(points, reverse=True)):
        chain: list[Point] = []
        for p in ordered:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        chains.append(chain[:-1])
    return chains[0] + chains[1]


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
