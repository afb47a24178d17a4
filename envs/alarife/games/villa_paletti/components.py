"""What is in the box: a base plate, five floors, twenty columns, and the numbers of the physics (PAL-010 to PAL-018).

Sizes, masses and outlines stand in `components.toml`, each with its source. Here they become tables, together with
all that follows from them alone: which poses of a floor keep it over the base plate, which cells of a floor hold
which column, how far a point is from an outline. Only sums, products, quotients and square roots are used, so that
every machine gets the same tables.
"""

from __future__ import annotations

import enum
import math
import tomllib
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np

DATA: dict[str, Any] = tomllib.loads((Path(__file__).parent / "components.toml").read_text(encoding="utf-8"))

PLAYERS = 4  # the largest table
NONE = -1
NEUTRAL = -2  # in place of a seat: the fourth colour of a table of three

# --- columns (PAL-011 to PAL-016) -------------------------------------------------------------------

COLOUR_NAMES = tuple(DATA["columns"]["colours"])
COLOURS = len(COLOUR_NAMES)
KIND_NAMES = tuple(DATA["column_kinds"])
KINDS = len(KIND_NAMES)
THIN, MEDIUM, THICK = range(KINDS)
SLOTS = tuple(KIND_NAMES.index(name) for name in DATA["columns"]["kind_of_slot"])
COLUMNS = COLOURS * len(SLOTS)

_KIND_DATA = [DATA["column_kinds"][name] for name in KIND_NAMES]
INRADIUS = np.array([kind.get("across_flats", 2 * kind["circumradius"]) / 2 for kind in _KIND_DATA])
MASS = np.array([kind["mass"] for kind in _KIND_DATA])
POINTS = np.array([kind["points"] for kind in _KIND_DATA], np.int64)
HEIGHT = float(_KIND_DATA[THIN]["height"])

KIND = np.array(SLOTS * COLOURS, np.int64)  # of each column
COLOUR = np.array([colour for colour in range(COLOURS) for _ in SLOTS], np.int64)
#: The order in which columns are put on the base plate: thick, medium, thin (PAL-025).
SETUP_ORDER = np.array(sorted(range(COLUMNS), key=lambda c: (-KIND[c], c)), np.int64)


def _round(number: float) -> float:
    """Twelve decimals: the last digit of a machine's own cosine does not matter."""
    return round(number, 12)


def _ring(corners: int, radius: float, first: float) -> list[tuple[float, float]]:
    """The corners of a regular polygon, from left to right and from near to far, as hulls are built."""
    angles = [math.radians(first) + 2 * math.pi * i / corners for i in range(corners)]
    return sorted((_round(radius * math.cos(a)), _round(radius * math.sin(a))) for a in angles)


_SIX = _round(math.cos(math.pi / 6))  # from the circle inside a hexagon to the one around it
RADIUS = np.array([r / _SIX if kind["shape"] == "hexagon" else r for kind, r in zip(_KIND_DATA, INRADIUS, strict=True)])
WIDEST = float(max(RADIUS))

#: Footprints: round columns are polygons of twelve corners, medium ones hexagons.
CORNERS = np.array([6 if kind["shape"] == "hexagon" else 12 for kind in _KIND_DATA], np.int64)
MOST_CORNERS = 12
FOOT = np.zeros((KINDS, MOST_CORNERS, 2))
for _k, _data in enumerate(_KIND_DATA):
    FOOT[_k, : CORNERS[_k]] = _ring(int(CORNERS[_k]), float(RADIUS[_k]), _data.get("first_vertex_angle_deg", 0.0))
#: The same corners counter-clockwise, for cutting.
AROUND = np.zeros_like(FOOT)
for _k in range(KINDS):
    _corners = FOOT[_k, : CORNERS[_k]]
    AROUND[_k, : CORNERS[_k]] = sorted(_corners.tolist(), key=lambda p: math.atan2(p[1], p[0]))
#: The twelve directions in which corners lie, as the corners of round columns are sorted; all kinds share them.
WAY = FOOT[THIN] / RADIUS[THIN]
WAY_X, WAY_Y = np.ascontiguousarray(WAY[:, 0]), np.ascontiguousarray(WAY[:, 1])
NOWHERE = -1e6
#: Which corner of a kind lies in a direction, or NONE, and how far out; a far negative number if there is none.
CORNER = np.full((KINDS, MOST_CORNERS), NONE, np.int64)
TIP = np.full((KINDS, MOST_CORNERS), NOWHERE)
for _k in range(KINDS):
    for _i in range(CORNERS[_k]):
        _nearest = int(np.argmax(WAY @ FOOT[_k, _i]))
        CORNER[_k, _nearest], TIP[_k, _nearest] = _i, RADIUS[_k]
#: Tangent of half the angle between the sides' normals that meet in a corner.
SPREAD = np.array([math.tan(math.pi / int(corners)) for corners in CORNERS])
HEX_NORMALS = np.array([(_round(math.cos(a)), _round(math.sin(a))) for a in (0.0, math.pi / 3, 2 * math.pi / 3)])

# --- base plate and floors (PAL-014, PAL-015) -------------------------------------------------------

PLATE_RADIUS = float(DATA["base_plate"]["radius"])
SITE_RADIUS = float(DATA["base_plate"]["building_site_radius"])
ORDERS = tuple(DATA["floor_order"]["order"]), tuple(DATA["floor_order"]["alternative_order"])  # PAL-001, PAL-002
FLOORS = len(ORDERS[0])
RED = FLOORS  # the level on which columns may stand on columns (PAL-079)
#: The level where the contest for the Seal starts, by floor order: that of the green floor (PAL-131).
CONTEST = np.array([order.index(DATA["floor_order"]["contest_starts_with"]) + 1 for order in ORDERS], np.int64)

_FLOOR_DATA = [DATA["floors"][name] for name in ORDERS[0]]  # outlines stay with positions
THICKNESS = float(_FLOOR_DATA[0]["thickness"])
STOREY = HEIGHT + THICKNESS
FLOOR_MASS = np.array([floor["mass"] for floor in _FLOOR_DATA])
FLOOR_RADIUS = np.array([floor["outline_radius"] for floor in _FLOOR_DATA])
PITCH = np.array([floor["cell_pitch"] for floor in _FLOOR_DATA])  # of the grid for columns
SIDES = np.array([len(floor["outline"]) for floor in _FLOOR_DATA], np.int64)
OUTLINE = np.zeros((FLOORS, int(max(SIDES)), 2))  # in the floor's own frame, its centroid at the origin
for _f, _floor in enumerate(_FLOOR_DATA):
    OUTLINE[_f, : SIDES[_f]] = _floor["outline"]
#: Each side of an outline: where it starts, where it leads, one over its length squared.
SIDE = np.zeros((FLOORS, int(max(SIDES)), 5))
for _f in range(FLOORS):
    _start = OUTLINE[_f, : SIDES[_f]]
    _way = np.roll(_start, -1, axis=0) - _start
    SIDE[_f, : SIDES[_f], :2] = _start
    SIDE[_f, : SIDES[_f], 2:4] = _way
    SIDE[_f, : SIDES[_f], 4] = 1.0 / (_way[:, 0] * _way[:, 0] + _way[:, 1] * _way[:, 1])

# --- grids (PAL-025, PAL-082, PAL-108) --------------------------------------------------------------

GRID = int(DATA["placement"]["grid"])
MIDDLE = (GRID - 1) / 2
SITE_PITCH = 2 * SITE_RADIUS / GRID
ROTATIONS = int(DATA["placement"]["rotations"])
POSE_PITCH = float(DATA["placement"]["floor_pose_pitch"])
TURN = np.array([(_round(math.cos(2 * math.pi * i / ROTATIONS)), _round(math.sin(2 * math.pi * i / ROTATIONS)))
                 for i in range(ROTATIONS)])  # fmt: skip
DIRECTIONS = 32  # in which the balance of a pose is tested
DIRECTION_X, DIRECTION_Y = (np.array([_round(part(2 * math.pi * i / DIRECTIONS)) for i in range(DIRECTIONS)])
                            for part in (math.cos, math.sin))  # fmt: skip

POSE_AT = (np.arange(GRID) - MIDDLE) * POSE_PITCH  # where the rows and columns of the pose grid lie

GAP = float(DATA["placement"]["column_gap"])
SETUP_GAP = float(DATA["setup"]["column_gap"])
OVERLAP = float(DATA["placement"]["support_overlap_min"])
LEAST_COLUMNS = int(DATA["placement"]["min_support_columns"])
LEAST_COLUMNS_VARIANT = int(DATA["placement"]["min_support_columns_variant"])
VARIANT_FROM = 4  # orange and red (PAL-107)
LEAST_MARGIN = float(DATA["placement"]["min_balance_margin"])
BLUE_COLUMNS = int(DATA["setup"]["blue_min_columns"])
BLUE_MARGIN = float(DATA["setup"]["blue_min_margin"])


def signed_distances(floor: int, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """How far points of a floor's frame lie outside its outline; negative inside."""
    nearest = np.full(x.shape, np.inf)
    inside = np.zeros(x.shape, bool)
    for start_x, start_y, way_x, way_y, shrink in SIDE[floor, : SIDES[floor]]:
        u, v = x - start_x, y - start_y
        t = np.clip((u * way_x + v * way_y) * shrink, 0.0, 1.0)
        p, q = u - way_x * t, v - way_y * t
        nearest = np.minimum(nearest, p * p + q * q)
        crossed = (start_y > y) != (start_y + way_y > y)
        inside ^= crossed & (x < (way_x * (y - start_y) / way_y if way_y else np.inf) + start_x)
    return np.where(inside, -np.sqrt(nearest), np.sqrt(nearest))


def _bits(cells: np.ndarray) -> np.ndarray:
    """Rows of cells as whole numbers: bit i is column i."""
    return (cells.astype(np.int32) << np.arange(GRID, dtype=np.int32)).sum(axis=-1).astype(np.int32)


_STEPS = np.arange(GRID) - MIDDLE


def _cells_that_hold() -> np.ndarray:
    """HOLDS[floor, rotation, kind, row]: the cells of a floor whose column lies wholly inside the outline (PAL-076)."""
    holds = np.zeros((FLOORS, ROTATIONS, KINDS, GRID), np.int32)
    for f in range(FLOORS):
        right, up = np.meshgrid(_STEPS * PITCH[f], _STEPS * PITCH[f])
        for i, (cosine, sine) in enumerate(TURN):
            distance = signed_distances(f, right * cosine + up * sine, up * cosine - right * sine)
            for k in range(KINDS):
                holds[f, i, k] = _bits(distance <= -RADIUS[k])
    return holds


def _poses_over_plate() -> np.ndarray:
    """OVER_PLATE[floor, rotation, row]: the cells of a pose that keep the floor over the base plate (PAL-106)."""
    over = np.zeros((FLOORS, ROTATIONS, GRID), np.int32)
    right, up = np.meshgrid(_STEPS * POSE_PITCH, _STEPS * POSE_PITCH)
    for f in range(FLOORS):
        for i, (cosine, sine) in enumerate(TURN):
            fits = np.ones((GRID, GRID), bool)
            for x, y in OUTLINE[f, : SIDES[f]]:
                p, q = right + (x * cosine - y * sine), up + (x * sine + y * cosine)
                fits &= p * p + q * q <= PLATE_RADIUS * PLATE_RADIUS
            over[f, i] = _bits(fits)
    return over


HOLDS = _cells_that_hold()
OVER_PLATE = _poses_over_plate()
#: Cells of the building site that hold each kind (PAL-022).
_RIGHT, _UP = np.meshgrid(_STEPS * SITE_PITCH, _STEPS * SITE_PITCH)
_FROM_MIDDLE = _RIGHT * _RIGHT + _UP * _UP
SITE_HOLDS = np.array([_bits((SITE_RADIUS - r) * (SITE_RADIUS - r) >= _FROM_MIDDLE) for r in RADIUS])
#: Poses of the blue floor over the base plate, as (rotation * GRID + row) * GRID + column.
BLUE_POSES = np.array([(i * GRID + row) * GRID + column for i in range(ROTATIONS) for row in range(GRID)
                       for column in range(GRID) if OVER_PLATE[0, i, row] >> column & 1], np.int64)  # fmt: skip

#: A coarse map of `signed_distances` around each floor, in quarters of a millimetre: it decides the clear cases.
MAP_STEP = 2.0
MAP_SIZE = 128
MAP_ERROR = MAP_STEP * 0.7072 + 0.13  # half the diagonal of a field, and rounding
MAP_MOST = 31.0
_AT = (np.arange(MAP_SIZE) - MAP_SIZE / 2 + 0.5) * MAP_STEP
_X, _Y = np.meshgrid(_AT, _AT)
DISTANCE_MAP = np.array([np.rint(np.clip(signed_distances(f, _X, _Y), -MAP_MOST, MAP_MOST) * 4)
                         for f in range(FLOORS)]).astype(np.int8)  # fmt: skip

#: Of each outline, the sides that meet a strip of the map, a MAP_STEP high: how many, then which.
_LOW = np.minimum(SIDE[:, :, 1], SIDE[:, :, 1] + SIDE[:, :, 3])
_HIGH = np.maximum(SIDE[:, :, 1], SIDE[:, :, 1] + SIDE[:, :, 3])
_MARGIN = 0.001
_meets = np.zeros((FLOORS, MAP_SIZE, SIDE.shape[1]), bool)
for _f in range(FLOORS):
    for _j in range(MAP_SIZE):
        _meets[_f, _j, : SIDES[_f]] = ((_LOW[_f] <= _AT[_j] + MAP_STEP / 2 + _MARGIN)
                                       & (_HIGH[_f] >= _AT[_j] - MAP_STEP / 2 - _MARGIN))[: SIDES[_f]]  # fmt: skip
STRIP = np.zeros((FLOORS, MAP_SIZE, 1 + int(_meets.sum(axis=2).max())), np.int8)
for _f in range(FLOORS):
    for _j in range(MAP_SIZE):
        _found = np.flatnonzero(_meets[_f, _j])
        STRIP[_f, _j, 0] = len(_found)
        STRIP[_f, _j, 1 : 1 + len(_found)] = _found


def _nearby(floor: int) -> np.ndarray:
    """For each field of the map, two runs of sides of an outline: the first and how many, in cyclic order.

    The first run holds all sides that can be nearest to a point of the field, the second all that come within
    the widest column's radius of it. Fields further from the outline than that have runs of no length.
    """
    runs = np.zeros((MAP_SIZE, MAP_SIZE, 4), np.int8)
    blur = 2 * 0.7072 * MAP_STEP / 2 + _MARGIN  # half the diagonal of a field, there and back
    near = np.abs(DISTANCE_MAP[floor] * 0.25) < WIDEST + 2 * MAP_ERROR
    x, y = _X[near], _Y[near]
    n = int(SIDES[floor])
    far = np.empty((n, x.size))
    for i, (start_x, start_y, way_x, way_y, shrink) in enumerate(SIDE[floor, :n]):
        u, v = x - start_x, y - start_y
        t = np.clip((u * way_x + v * way_y) * shrink, 0.0, 1.0)
        p, q = u - way_x * t, v - way_y * t
        far[i] = np.sqrt(p * p + q * q)
    order = (far.argmax(axis=0) + np.arange(n)[:, None]) % n  # from the farthest side on
    for at, most in ((0, far.min(axis=0) + 2 * blur), (2, np.full(x.size, WIDEST + blur))):
        inside = np.take_along_axis(far <= most, order, axis=0)
        first, last = inside.argmax(axis=0), n - 1 - inside[::-1].argmax(axis=0)
        runs[near, at] = np.where(inside.any(axis=0), np.take_along_axis(order, first[None], axis=0)[0], 0)
        runs[near, at + 1] = np.where(inside.any(axis=0), last - first + 1, 0)
    return runs


NEARBY = np.array([_nearby(f) for f in range(FLOORS)])
#: Where in NEARBY the run of sides begins that can be nearest, and of those within a column's reach.
NEAREST, WITHIN = 0, 2

# --- chance ([tremor], [imperfection]) --------------------------------------------------------------

FACTOR_PULL_LOADED = float(DATA["tremor"]["factor_pull_loaded"])
FACTOR_PULL_FREE = float(DATA["tremor"]["factor_pull_free"])
FACTOR_LIFT = float(DATA["tremor"]["factor_lift"])
FACTOR_HOOK = float(DATA["tremor"]["factor_hook"])
FACTOR_PLACE_COLUMN = float(DATA["tremor"]["factor_place_column"])
FACTOR_PLACE_FLOOR = float(DATA["tremor"]["factor_place_floor"])
HOOK_DEPTH = float(DATA["tremor"]["hook_depth"])
READING_CUTS = np.array(DATA["tremor"]["probe_cuts"])
SIGMA = float(DATA["tremor"]["sigma"])
READING_NOISE = float(DATA["tremor"]["probe_noise"])
CENTRE_SD = float(DATA["imperfection"]["floor_centre_sd"])
MASS_SD = float(DATA["imperfection"]["column_mass_sd"])

MOST_SIGMA = 0.1  # the strongest jolts that can be chosen
#: Of any jolt: no two of these factors apply at once but the hook's and that of a loaded pull.
MOST_SCALE = (
    MOST_SIGMA
    * max(FACTOR_PULL_LOADED, 1.0)
    * max(FACTOR_HOOK, 1.0)
    * max(FACTOR_PULL_FREE, FACTOR_LIFT, FACTOR_PLACE_COLUMN, FACTOR_PLACE_FLOOR, 1.0)
)
#: A normal number is one of 1,024 equally likely ones: the middles of the normal distribution's slices, scaled to a
#: variance of 1 and written with six decimals, so that no logarithm of any machine has a say.
SLICES = 1024
_middles = [NormalDist().inv_cdf((i + 0.5) / SLICES) for i in range(SLICES // 2, SLICES)]
_spread = math.sqrt(sum(z * z for z in _middles) / len(_middles))
_upper = [round(z / _spread, 6) for z in _middles]
NORMAL = np.array([-z for z in reversed(_upper)] + _upper)
MOST_OFF_CENTRE = CENTRE_SD * float(max(NORMAL))
MOST_EXCESS = MASS_SD * float(max(NORMAL))
MOST_MARK = COLUMNS * (4 * PLATE_RADIUS + 7 * FLOORS)  # of `lock_mark`

# --- decisions --------------------------------------------------------------------------------------

MOST_TURNS = int(DATA["limits"]["max_turns"])  # PAL-148
MOST_DECISIONS = 15  # of a turn (PAL-162)
MOST_CHANGES = 20  # of the building that are counted since a column was felt
SETUP_DECISIONS = 2 * COLUMNS + 3 + COLOURS  # columns, the blue floor's pose, colours


# --- bounds of loops --------------------------------------------------------------------------------

MOST_TODOS = 16  # between two decisions: a turn ends, and everybody passes
MOST_TRIES = 100_000  # at placing columns by chance, far more than it ever takes
QUICK_TRIES = 100  # at a random pose of the blue floor before all are listed

# --- hulls: how many edges they can have is shown in `rules.statics` --------------------------------

MOST_CARRIERS = COLUMNS - 1  # columns that can carry one floor
MOST_FEET = int(CORNERS[THIN] + CORNERS[MEDIUM]) + 2 * MOST_CARRIERS - 2  # edges of a hull of feet
MOST_CONTACTS = MOST_FEET + int(max(SIDES))  # edges of a hull of contacts
#: Corners of hulls are known by number: corners of footprints, such corners seen from the floor above, which cuts the
#: column, corners of an outline, and where a side of an outline crosses one of a footprint.
RING_CORNERS = COLUMNS * MOST_CORNERS
OUTLINE_CORNERS = 2 * RING_CORNERS
MOST_SIDES = int(max(SIDES))
CROSSINGS = OUTLINE_CORNERS + MOST_SIDES
CORNER_NUMBERS = CROSSINGS + COLUMNS * MOST_SIDES * MOST_CORNERS
UNBOUNDED = 1000.0  # margin and index of nothing at all


class Phase(enum.IntEnum):
    """What is being decided (section 10 of RULES.md)."""

    SETUP_ROW = 0  # where to put a column before the game
    SETUP_COLUMN = 1
    COLOUR = 2  # C0
    TURN = 3  # T1
    READING = 4  # R1: after the reading
    LIFTED = 5  # R2: after a lift
    ROW = 6  # P1
    COLUMN = 7  # P2
    OBJECT = 8  # O1
    DEMONSTRATE = 9  # O2
    PENALTY = 10  # X1
    ROTATION = 11  # F1
    FLOOR_ROW = 12  # F2
    FLOOR_COLUMN = 13  # F3


class Act(enum.IntEnum):
    """Why a column is being moved, or what others are asked about."""

    BUILD = 0  # an own column goes up
    NEUTRAL = 1  # three players: a neutral one goes up first
    DISPROVE = 2  # an objector shows that the proposer could have moved a column (PAL-096)
    SHOW_NEUTRAL = 3  # an objector shows that another neutral column can be moved (PAL-121)
    PENALTY = 4  # the proposer takes a column of a failed objector (PAL-100)


class Cover(enum.IntEnum):
    """How a column stands to the floor above it."""

    FREE = 0
    PARTLY = 1
    WHOLLY = 2


class Reading(enum.IntEnum):
    """What a column feels like (PAL-060)."""

    NOT_FELT = 0
    FALLS = 1
    SHAKY = 2
    FAIR = 3
    FIRM = 4


class Proof(enum.IntEnum):
    """What is known for certain about the building without a column (PAL-062)."""

    NOTHING = 0
    STANDS = 1
    FALLS = 2


class Todo(enum.IntEnum):
    """What the rules still have to do before the next decision. Rules may not call one another in a circle."""

    NOTHING = 0
    NEXT_TURN = 1
    OWN_STEP = 2  # three players: after the neutral column
    FLOOR = 3  # the proposer lays the floor
