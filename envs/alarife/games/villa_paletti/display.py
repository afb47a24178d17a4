"""Villa Paletti: the building from above and from the side, as text and as a picture, actions as phrases."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from alarife.engine.game import Display
from alarife.engine.palette import CARD, FAINT, INK, PAPER, RIM
from alarife.engine.sheet import columns, counted
from alarife.engine.svg import Picture

from .actions import ACTIONS
from .components import (
    AROUND,
    COLOUR,
    COLOUR_NAMES,
    COLOURS,
    COLUMNS,
    CORNERS,
    FLOOR_RADIUS,
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
    POINTS,
    POSE_PITCH,
    RADIUS,
    ROTATIONS,
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
)
from .rules.places import cell_x, cell_y
from .rules.seal import points_of
from .rules.statics import weigh

LAWN, SITE = "#a9c187", "#d3b48c"
MAY = "#ffffff"  # MAY: where something may go
PAINT = {"blue": "#3670b0", "green": "#37803f", "yellow": "#eebb2a", "orange": "#e58a32", "red": "#bf4035"}
ON_PAINT = {"yellow": INK, "orange": INK}  # white on the others
SHADE = {"blue": "#264d7d", "green": "#285d2e", "yellow": "#b98a10", "orange": "#aa5f18", "red": "#8b2b22"}
PALE = {"blue": "#a9c4e4", "green": "#b3d5b4", "yellow": "#f8e3a4", "orange": "#f6cfa3", "red": "#e8aaa3"}
CHOSEN = "#d01f6b"  # the column in hand
READING_WORDS = "not felt", "falls", "shaky", "fair", "firm"
Point = tuple[float, float]

PLAN_COLUMNS, PLAN_ROWS = 31, 15  # characters of a plan
CHAR_X, CHAR_Y = 10.0, 20.0  # millimetres that one stands for
FELT = " !?~="  # by Reading
FOR_COLUMN = Phase.SETUP_ROW, Phase.SETUP_COLUMN, Phase.ROW, Phase.COLUMN  # a place is being chosen
FOR_FLOOR = Phase.FLOOR_ROW, Phase.FLOOR_COLUMN
IN_ROW = Phase.SETUP_COLUMN, Phase.COLUMN, Phase.FLOOR_COLUMN  # the row is chosen

WIDTH, HEIGHT_OF_ALL = 1640.0, 1000.0
PLAN, PLAN_X, PLAN_Y = 160.0, 790.0, 262.0  # half a plan in the picture; the middle of the first one
PLAN_STEP_X, PLAN_STEP_Y = 336.0, 366.0
TOWER, TOWERS = 0.92, ((150.0, 24.0, "from the front"), (440.0, 204.0, "from behind"))  # pixels a millimetre; x, angle


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


def is_inside(outline: list[Point], x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Which points lie inside an outline: an odd number of its sides is crossed on the way out."""
    inside = np.zeros(x.shape, bool)
    for (x1, y1), (x2, y2) in zip(outline, outline[1:] + outline[:1], strict=True):
        if y1 != y2:
            inside ^= ((y1 > y) != (y2 > y)) & (x < (x2 - x1) * (y - y1) / (y2 - y1) + x1)
    return inside


def ground(state: Any, level: int, x: np.ndarray, y: np.ndarray) -> list[list[str]]:
    """What lies at points of a level: ':' under the next floor, '.' free, ' ' nothing."""
    marks = np.full(x.shape, ".")
    if level < state.floors:
        marks[is_inside(outline_of(state, level), x, y)] = ":"
    there = is_inside(outline_of(state, level - 1), x, y) if level else x * x + y * y <= SITE_RADIUS**2
    marks[~there] = " "
    return [[str(mark) for mark in row] for row in marks]


def columns_on(state: Any, level: int) -> list[int]:
    """The columns of a level, lower ones of stacks first."""
    return sorted((c for c in range(COLUMNS) if state.level[c] == level), key=lambda c: (state.storey[c], c))


def mark_of(c: int) -> str:
    """A column in a plan: b thin, B medium, (B) thick."""
    letter = COLOUR_NAMES[COLOUR[c]][0]
    return {THIN: letter, MEDIUM: letter.upper(), THICK: f"({letter.upper()})"}[int(KIND[c])]


def at_words(x: float, y: float) -> str:
    """A point in millimetres from the middle of the base plate: to the right, and to the back."""
    return f"{x:+.0f},{y:+.0f}"


def spot_of(state: Any, row: int, i: int) -> Point:
    """Where a cell lies of which one is being chosen: of the top level, or for the middle of the next floor."""
    if state.phase in FOR_FLOOR:
        return float((i - MIDDLE) * POSE_PITCH), float((row - MIDDLE) * POSE_PITCH)
    return float(cell_x(state, i)), float(cell_y(state, row))


def cells_of(state: Any, row: int) -> list[int]:
    """The cells of a row that may be chosen."""
    bits = int(state.poses[row] if state.phase in FOR_FLOOR else state.room[KIND[state.chosen], row])
    return [i for i in range(GRID) if bits >> i & 1]


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
            return f"chooses row {spot_of(state, number, 0)[1]:+.0f} for the {thing}"
        if family == "cell":
            return f"puts the {thing} on {at_words(*spot_of(state, int(state.row), number))}"
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

    def place(self, state: Any, action: int) -> str | tuple[str, ...]:
        """Columns; rows and cells of a plan; the plan of the next floor; a floor as it would be turned."""
        family, values = ACTIONS.decode(action)
        number = next(iter(values.values()), 0)
        if family == "cell":
            return f"cell:{state.row}:{number}"
        if family in ("column", "row", "colour"):
            return f"{family}:{number}"
        if family == "rotation":
            return f"turn:{number}"
        if family == "propose":
            return f"level:{state.floors + 1}"
        is_there = state.chosen != NONE and state.level[state.chosen] != NONE
        return f"column:{state.chosen}" if is_there and family in ("pull", "lift", "abort", "commit") else ""

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
        return f"player_{p}  {colours}   {counted(points_of(state, p), 'point')}{seal}"

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
                if any(part[5:].strip() for part in row):
                    lines.append("  ".join(row).rstrip())
        sheet = ["", *columns(self.sheet(state))] if state.over else []
        return "\n".join(lines + self.column_lines(state) + self.cell_lines(state) + sheet)

    def points(self, state: Any) -> list[str]:
        """Points of the top floor, and who holds the Master Builder's Seal."""
        return [
            f"{counted(points_of(state, p), 'point')}{', the Seal' * (state.owner == p)}" for p in range(state.seats)
        ]

    def sheet(self, state: Any) -> list[list[object]]:
        """What each seat's points are made of: the own columns on the top floor (PAL-131, PAL-133)."""
        seats = range(state.seats)
        rows: list[list[object]] = [["on the top floor", *(f"player_{p}" for p in seats)]]
        for k, name in enumerate(KIND_NAMES):
            counts = [sum(1 for c in columns_on(state, int(state.floors)) if KIND[c] == k
                          and state.seat_of[COLOUR[c]] == p) for p in seats]  # fmt: skip
            rows.append([f"{name} columns, {POINTS[k]} each", *counts])
        rows.append(["points", *(int(points_of(state, p)) for p in seats)])
        return [*rows, ["Master Builder's Seal", *("holds it" if state.owner == p else "-" for p in seats)]]

    def column_lines(self, state: Any) -> list[str]:
        """Each column with its number: its level, its place in the plan there, and what is known of it."""
        lines = [
            "columns: number, level, mm to the right and to the back of the middle (*2: on another); x locked, "
            "! falls ? shaky ~ fair = firm"
        ]
        for k in range(COLOURS):
            words = [
                f"{c:>2} {mark_of(c):<3} {self._whereabouts(state, c):<14}" for c in range(COLUMNS) if COLOUR[c] == k
            ]
            lines.append(f"{COLOUR_NAMES[k]:<7} {' '.join(words)}".rstrip())
        return lines

    def _whereabouts(self, state: Any, c: int) -> str:
        if state.level[c] == NONE:
            return "out"
        stack = f"*{state.storey[c] + 1}" if state.storey[c] else ""
        known = "x" if state.locked[c] else FELT[state.felt[c]].strip()
        return f"{state.level[c]} {at_words(float(state.x[c]), float(state.y[c]))}{stack}{known}"

    def cell_lines(self, state: Any) -> list[str]:
        """While a place is being chosen: the cells with their rows, + where the column or the floor's middle may go."""
        phase = state.phase
        if state.over or phase not in FOR_COLUMN + FOR_FLOOR:
            return []
        across, back = [spot_of(state, 0, i)[0] for i in range(GRID)], [spot_of(state, i, 0)[1] for i in range(GRID)]
        grid = ground(state, int(state.floors), *np.meshgrid(across, back))
        for row in range(GRID):
            for i in cells_of(state, row):
                grid[row][i] = "+"
        for c in columns_on(state, int(state.floors)):
            row, i = self._cell_of(state, phase in FOR_FLOOR, c)
            if 0 <= row < GRID and 0 <= i < GRID and grid[row][i] != "+":
                grid[row][i] = mark_of(c).strip("()")
        what = f"{floor_name(state, state.floors)} floor" if phase in FOR_FLOOR else column_name(state.chosen)
        head = f"mm for the {what}, + may be chosen; to the back on the left, to the right above"
        rows = [f"{back[row]:>+5.0f} {' '.join(f'{mark:>2}' for mark in grid[row]).rstrip()}"
                for row in reversed(range(GRID)) if "".join(grid[row]).strip()]  # fmt: skip
        ruler = "".join(f"{across[i]:>+5.0f}    " for i in range(1, GRID, 3)).rstrip()
        return [head, f"      {ruler}", *rows]

    def _cell_of(self, state: Any, is_floor: bool, c: int) -> tuple[int, int]:
        """The cell nearest to a column."""
        x, y = (0.0, 0.0) if is_floor else (cell_x(state, MIDDLE), cell_y(state, MIDDLE))
        pitch = POSE_PITCH if is_floor else cell_x(state, 1) - cell_x(state, 0)
        return round(float((state.y[c] - y) / pitch + MIDDLE)), round(float((state.x[c] - x) / pitch + MIDDLE))

    def plan(self, state: Any, level: int) -> list[str]:
        """A level from above: b thin, B medium, (B) thick; ':' lies under the next floor, '.' is free."""
        spots = np.array([[self._place(row, column) for column in range(PLAN_COLUMNS)] for row in range(PLAN_ROWS)])
        grid = ground(state, level, spots[..., 0], spots[..., 1])
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
        ruler = "".join(f"{self._place(0, i)[0]:^+10.0f}" for i in range(5, PLAN_COLUMNS - 5, 10))
        rows = (f"{self._place(row, 0)[1]:>+5.0f} {''.join(line)}" for row, line in enumerate(grid))
        return [head.ljust(PLAN_COLUMNS + 6), f"      {ruler}".ljust(PLAN_COLUMNS + 6), *rows]

    def _place(self, row: int, column: int) -> Point:
        return (column - (PLAN_COLUMNS - 1) / 2) * CHAR_X, ((PLAN_ROWS - 1) / 2 - row) * CHAR_Y

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
        """The building from two sides, the plans of its levels, and the seats below."""
        picture = Picture(WIDTH, HEIGHT_OF_ALL, PAPER)
        picture.text(36, 54, "Villa Paletti", 34, INK, bold=True)
        picture.text(290, 52, self.headline(state), 24, INK)
        for x, angle, name in TOWERS:
            picture.text(x, 104, name, 18, FAINT, middle=True)
            self._tower(picture, state, x, 690, math.radians(angle))
        for level in range(FLOORS + 1):
            at = PLAN_X + PLAN_STEP_X * (level % 3), PLAN_Y + PLAN_STEP_Y * (level // 3)
            with picture.place(f"level:{level}"):
                self._plan(picture, state, level, *at)
        picture.text(36, 826, self.balance_line(state, seat), 20, INK)
        for p in range(int(state.seats)):
            self._seat(picture, state, p, 838 + 40 * p, seat)
        if state.over:
            picture.sheet(840, 836, 780, 156, self.sheet(state), INK, CARD, RIM, size=18)
        else:
            self._legend(picture, state)
        return picture.finish()

    def _tower(self, picture: Picture, state: Any, x: float, y: float, across: float) -> None:
        """The building seen from one side and from above."""
        up = math.radians(24)

        def project(point: Point, z: float) -> Point:
            right = point[0] * math.cos(across) - point[1] * math.sin(across)
            back = point[0] * math.sin(across) + point[1] * math.cos(across)
            return x + TOWER * right, y - TOWER * (back * math.sin(up) + z * math.cos(up))

        def depth(c: int) -> float:
            return float(state.x[c]) * math.sin(across) + float(state.y[c]) * math.cos(across)

        circle = [(math.cos(i * math.pi / 40), math.sin(i * math.pi / 40)) for i in range(80)]
        for radius, z, fill in ((PLATE_RADIUS, -8.0, "#86a164"), (PLATE_RADIUS, 0.0, LAWN), (SITE_RADIUS, 0.0, SITE)):
            picture.polygon([project((radius * u, radius * v), z) for u, v in circle], fill, "#7b9658", 1)
        for level in range(state.floors + 1):
            if level:
                self._slab(picture, state, level - 1, project)
            for c in sorted(columns_on(state, level), key=lambda c: (-depth(c), state.storey[c])):
                with picture.place(f"column:{c}"):
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
        middle = float(state.x[c]), float(state.y[c])
        corners = [(middle[0] + u, middle[1] + v) for u, v in self._footprint(c)]
        body = [project(p, z) for z in (foot, foot + HEIGHT) for p in corners]
        line = CHOSEN if c == state.chosen else SHADE[name]
        picture.polygon(_hull(body), SHADE[name], line, 4 if c == state.chosen else 1)
        picture.polygon([project(p, foot + HEIGHT) for p in corners], PAINT[name], line, 1)
        x, y = project(middle, foot + HEIGHT / 2)
        picture.text(x, y + 4, str(c), 10, ON_PAINT.get(name, "#ffffff"), middle=True, bold=True)

    def _footprint(self, c: int) -> list[Point]:
        if KIND[c] == MEDIUM:
            return [(float(u), float(v)) for u, v in AROUND[MEDIUM, : CORNERS[MEDIUM]]]
        r = float(RADIUS[KIND[c]])
        return [(r * math.cos(i * math.pi / 16), r * math.sin(i * math.pi / 16)) for i in range(32)]

    def _plan(self, picture: Picture, state: Any, level: int, x: float, y: float) -> None:
        """A level from above with the outline of the next floor, and where something may go."""
        top = level == state.floors and not state.over
        zooms = top and level and state.phase in FOR_COLUMN
        f = level - 1
        scale = (PLAN - 12) / (float(FLOOR_RADIUS[f]) if zooms else PLATE_RADIUS)
        middle = (float(state.floor_x[f]), float(state.floor_y[f])) if zooms else (0.0, 0.0)

        def at(point: Point) -> Point:
            return x + scale * (point[0] - middle[0]), y - scale * (point[1] - middle[1])

        title = "base plate" if level == 0 else f"{floor_name(state, f)} floor"
        there = level <= state.floors
        words = f"{level}  {title}{', enlarged' if zooms else ''}{'' if there else ', not built yet'}"
        picture.text(x, y - PLAN - 8, words, 18, INK if there else FAINT, middle=True, bold=top)
        if not zooms:
            picture.circle(x, y, scale * PLATE_RADIUS, LAWN if level == 0 else CARD, "#c7bba6", 1)
        if level == 0:
            picture.circle(x, y, scale * SITE_RADIUS, SITE)
        if there:
            if level:
                name = floor_name(state, f)
                picture.polygon([at(p) for p in outline_of(state, f)], PALE[name], SHADE[name], 1.5)
            for c in columns_on(state, level):
                with picture.place(f"column:{c}"):
                    self._dot(picture, state, c, at, scale)
            if level < state.floors:
                corners = " ".join(f"{u:.1f},{v:.1f}" for u, v in (at(p) for p in outline_of(state, level)))
                picture.add(f'<polygon points="{corners}" fill="none" stroke="{INK}" '
                            f'stroke-width="1.5" stroke-dasharray="5 4" pointer-events="none"/>')  # fmt: skip
        if top and state.phase in FOR_COLUMN + FOR_FLOOR:
            self._cells(picture, state, at, x, scale)
        elif top and state.phase == Phase.ROTATION:
            self._turns(picture, state, x, y)

    def _cells(self, picture: Picture, state: Any, at: Any, x: float, scale: float) -> None:
        """The rows with their cells, each with its millimetres; once a row is chosen, its cells only."""
        pitch = scale * (spot_of(state, 0, 1)[0] - spot_of(state, 0, 0)[0])
        rows = [int(state.row)] if state.phase in IN_ROW else list(range(GRID))
        shown = [row for row in rows if cells_of(state, row)]
        if state.phase in FOR_FLOOR and shown:
            self._ghost(picture, state, at, [spot_of(state, row, i) for row in shown for i in cells_of(state, row)])
        for row in shown:
            y = at(spot_of(state, row, 0))[1]
            if pitch > 11.5 or row % 2 == shown[0] % 2:
                picture.text(x - PLAN - 2, y + 4, f"{spot_of(state, row, 0)[1]:+.0f}", 11, INK, end=True)
            with picture.place(f"row:{row}"):
                picture.box(x - PLAN, y - pitch / 2, 2 * PLAN, pitch, "none")
                for i in cells_of(state, row):
                    u, v = at(spot_of(state, row, i))
                    with picture.place(f"cell:{row}:{i}"):
                        picture.circle(u, v, max(2.6, min(0.34 * pitch, 6.0)), MAY, INK, 1)
        if state.phase in IN_ROW:
            for i in cells_of(state, int(state.row)):
                u, v = at(spot_of(state, int(state.row), i))
                if pitch > 26 or i % 3 == 0:
                    picture.text(u, v - 9, f"{spot_of(state, 0, i)[0]:+.0f}", 11, INK, middle=True)

    def _ghost(self, picture: Picture, state: Any, at: Any, spots: list[Point]) -> None:
        """The next floor as it is turned, its middle amid the places for it."""
        f, (cosine, sine) = int(state.floors), (float(part) for part in TURN[state.pose_turn])
        x, y = (sum(part) / len(spots) for part in zip(*spots, strict=True))
        outline = [
            at((x + u * cosine - v * sine, y + u * sine + v * cosine)) for u, v in OUTLINE[f, : SIDES[f]].tolist()
        ]
        corners = " ".join(f"{u:.1f},{v:.1f}" for u, v in outline)
        picture.add(f'<polygon points="{corners}" fill="{PAINT[floor_name(state, f)]}" fill-opacity="0.2" '
                    f'stroke="{INK}" stroke-width="1.5" pointer-events="none"/>')  # fmt: skip

    def _turns(self, picture: Picture, state: Any, x: float, y: float) -> None:
        """The next floor in each rotation that leaves a place for it, around the plan."""
        f = int(state.floors)
        name, small = floor_name(state, f), 21.0 / float(FLOOR_RADIUS[f])
        for i in range(ROTATIONS):
            if state.turnings >> i & 1:
                angle = math.radians(90 - 360 / ROTATIONS * i)
                u, v = x + 132 * math.cos(angle), y - 132 * math.sin(angle)
                cosine, sine = (float(part) for part in TURN[i])
                with picture.place(f"turn:{i}"):
                    picture.circle(u, v, 25, CARD, INK, 1)
                    outline = [(u + small * (p * cosine - q * sine), v - small * (p * sine + q * cosine))
                               for p, q in OUTLINE[f, : SIDES[f]].tolist()]  # fmt: skip
                    picture.polygon(outline, PAINT[name], SHADE[name], 1)
                    picture.text(u, v + 4, f"{360 / ROTATIONS * i:g}", 11, ON_PAINT.get(name, "#ffffff"), middle=True,
                                 bold=True)  # fmt: skip

    def _dot(self, picture: Picture, state: Any, c: int, at: Any, scale: float) -> None:
        """A column from above with its number; over it whether it is locked or what was felt."""
        name = COLOUR_NAMES[COLOUR[c]]
        x, y = float(state.x[c]), float(state.y[c])
        line = CHOSEN if c == state.chosen else INK
        right, up = 7.0 * float(state.storey[c]), 9.0 * float(state.storey[c])  # those that stand on others
        corners = [at((x + u, y + v)) for u, v in self._footprint(c)]
        picture.polygon([(u + right, v - up) for u, v in corners], PAINT[name], line, 4 if c == state.chosen else 1)
        u, v = at((x, y))
        u, v = u + right, v - up
        size = min(14.0, 1.35 * scale * float(RADIUS[KIND[c]]))
        picture.text(u, v + 0.36 * size, str(c), size, ON_PAINT.get(name, "#ffffff"), middle=True, bold=True)
        mark = "x" if state.locked[c] else FELT[state.felt[c]].strip()
        if mark:
            high = v - scale * float(RADIUS[KIND[c]]) - 5
            picture.circle(u, high, 7, CARD, INK, 0.5)
            picture.text(u, high + 4, mark, 12, INK, middle=True, bold=True)

    def _legend(self, picture: Picture, state: Any) -> None:
        """What the marks are, the next step of the game, and colours that are still free."""
        lines = ("numbers: columns; places in mm from the middle, to the right and to the back",
                 "dashed line: the next floor;  x: locked;  columns on columns are set off",
                 "felt:  ! falls   ? shaky   ~ fair   = firm;  thin 1, medium 2, thick 3 points")  # fmt: skip
        for i, line in enumerate(lines):
            picture.text(850, 864 + 28 * i, line, 18, INK)
        if state.phase == Phase.COLOUR:
            picture.text(850, 964, "free colours:", 18, INK)
            for k in range(COLOURS):
                if state.seat_of[k] == NONE:
                    with picture.place(f"colour:{k}"):
                        picture.box(990 + 100 * k, 940, 90, 36, PAINT[COLOUR_NAMES[k]], INK, round=7, thick=1)
                        picture.text(1035 + 100 * k, 964, COLOUR_NAMES[k], 17,
                                     ON_PAINT.get(COLOUR_NAMES[k], "#ffffff"), middle=True, bold=True)  # fmt: skip

    def _seat(self, picture: Picture, state: Any, p: int, y: float, seat: int | None) -> None:
        due = p == state.seat and not state.over
        if due:
            picture.box(26, y, 796, 38, "#fffaf0", RIM, round=10)
        picture.text(44, y + 27, f"player_{p}", 21, INK, bold=due)
        if p == seat:
            picture.badge(164, y + 26, "you", INK, size=16)
        for i, k in enumerate(k for k in range(COLOURS) if state.seat_of[k] == p):
            picture.box(222 + 30 * i, y + 7, 24, 24, PAINT[COLOUR_NAMES[k]], INK, round=5, thick=1)
        picture.text(380, y + 27, counted(points_of(state, p), "point"), 21, INK, end=True)
        if state.owner == p:
            self._seal(picture, state, 408, y + 19)
            picture.text(426, y + 26, "Seal", 19, INK, bold=True)
        elif state.former == p:
            picture.text(398, y + 26, "had it", 17, FAINT)
        on = sum(1 for c in range(COLUMNS) if state.seat_of[COLOUR[c]] == p and state.level[c] == state.floors)
        left = sum(1 for c in range(COLUMNS) if state.seat_of[COLOUR[c]] == p and 0 <= state.level[c] < state.floors)
        picture.text(808, y + 26, f"columns: {on} on top, {left} below", 18, FAINT, end=True)

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
