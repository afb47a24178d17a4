"""The building as rigid bodies in MuJoCo: a second opinion on the statics, a picture in three dimensions, a collapse.

Nothing in the game needs this module. It imports MuJoCo when it is first used (`pip install "mujoco>=4,<5"`).
Pictures also need an off-screen OpenGL: Mesa's EGL (Debian and Ubuntu: `libegl1 libgl1-mesa-dri`, with
``MUJOCO_GL=egl``) or OSMesa (`libosmesa6`, with ``MUJOCO_GL=osmesa``).

    from alarife.games.villa_paletti import simulator
    simulator.save_picture(table.state, "villa.png")
    simulator.save_collapse(table.state, "collapse.gif")
"""

from __future__ import annotations

import math
import os
import sys
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np

from alarife.engine.errors import AlarifeError

from .components import (
    AROUND,
    COLOUR,
    COLOUR_NAMES,
    COLUMNS,
    CORNERS,
    FLOOR_MASS,
    FLOORS,
    HEIGHT,
    KIND,
    KIND_NAMES,
    MASS,
    NONE,
    ORDERS,
    OUTLINE,
    PLATE_RADIUS,
    SIDES,
    SITE_RADIUS,
    STOREY,
    THICKNESS,
    TURN,
    Phase,
)
from .rules.statics import CONTACTS, FEET, balance, room_for_edges, write_building, write_spare

CM = 0.1  # MuJoCo's numbers are best near one: lengths in centimetres, weights in ten grams
GRAVITY = 981.0
FRICTION = 0.5
STEP = 0.0005  # seconds
STIFF = 'solref="0.001 1" solimp="0.99 0.999 0.001"'
FALLEN = 1.0  # millimetres by which a floor has come down
TILTED = math.cos(math.radians(10))
SLACK = 1.0  # square millimetres by which a part of a floor may differ from a convex one

PAINT = {
    "blue": "0.16 0.40 0.66 1", "green": "0.25 0.55 0.30 1", "yellow": "0.93 0.73 0.16 1",
    "orange": "0.90 0.48 0.14 1", "red": "0.75 0.20 0.17 1",
}  # fmt: skip


def load_mujoco() -> ModuleType:
    """MuJoCo, or one sentence about what is missing."""
    if sys.platform == "linux":
        os.environ.setdefault("MUJOCO_GL", "egl")
    try:
        import mujoco
    except ImportError:
        raise AlarifeError('this needs MuJoCo: pip install "mujoco>=4,<5"') from None
    return mujoco


# --- floors as convex parts -------------------------------------------------------------------------

Points = list[tuple[float, float]]


def _area(points: Points) -> float:
    ahead = points[1:] + points[:1]
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(points, ahead, strict=True)) / 2


def _hull(points: Points) -> Points:
    """The convex hull, counter-clockwise."""
    chains = []
    for ordered in (sorted(points), sorted(points, reverse=True)):
        chain: Points = []
        for p in ordered:
            while len(chain) > 1 and _area([chain[-2], chain[-1], p]) <= 0:
                chain.pop()
            chain.append(p)
        chains.append(chain[:-1])
    return chains[0] + chains[1]


def _triangles(outline: Points) -> list[list[int]]:
    """A simple polygon, given counter-clockwise, cut into triangles: ears first."""
    left, found = list(range(len(outline))), []
    while len(left) > 3:
        for i, b in enumerate(left):
            a, c = left[i - 1], left[(i + 1) % len(left)]
            corner = [outline[j] for j in (a, b, c)]
            if _area(corner) > 1e-9 and not any(_is_in(corner, outline[j]) for j in left if j not in (a, b, c)):
                found.append([a, b, c])
                left.pop(i)
                break
        else:
            raise AlarifeError("an outline crosses itself")
    return [*found, left]


def _is_in(corner: Points, point: tuple[float, float]) -> bool:
    return all(_area([corner[i - 1], corner[i], point]) >= 0 for i in range(3))


def _joined(one: list[int], other: list[int]) -> list[int] | None:
    """Two polygons joined at a side that they share, or None."""
    for i, a in enumerate(one):
        b = one[(i + 1) % len(one)]
        for j, c in enumerate(other):
            if c == b and other[(j + 1) % len(other)] == a:
                turned = other[j:] + other[:j]
                return one[i + 1 :] + one[: i + 1] + turned[2:]
    return None


@lru_cache
def convex_parts(floor: int) -> tuple[Points, ...]:
    """An outline as a few convex polygons."""
    outline = [(float(x), float(y)) for x, y in OUTLINE[floor, : SIDES[floor]]]
    if _area(outline) < 0:
        outline.reverse()
    if _area(_hull(outline)) - _area(outline) < 0.004 * _area(outline):
        return (_hull(outline),)
    parts = _triangles(outline)
    i = 0
    while i < len(parts):
        for j in range(i + 1, len(parts)):
            whole = _joined(parts[i], parts[j])
            if whole is not None:
                corners = [outline[k] for k in whole]
                if _area(_hull(corners)) - _area(corners) < SLACK:
                    parts[i] = whole
                    parts.pop(j)
                    break
        else:
            i += 1
    return tuple(_hull([outline[k] for k in part]) for part in parts)


# --- the model --------------------------------------------------------------------------------------


def _numbers(*values: float) -> str:
    return " ".join(f"{value:.7f}" for value in values)


def _prism(name: str, points: Points, height: float) -> str:
    corners = [(x * CM, y * CM, z * CM) for z in (-height / 2, height / 2) for x, y in points]
    return f'<mesh name="{name}" vertex="{" ".join(_numbers(*corner) for corner in corners)}"/>'


def _inertia(floor: int) -> tuple[float, float, float]:
    """Mean squares of x and y, and mean of xy, over a floor's outline (square millimetres)."""
    xx = yy = xy = area = 0.0
    points = OUTLINE[floor, : SIDES[floor]]
    for (ax, ay), (bx, by) in zip(points, np.roll(points, -1, axis=0), strict=True):
        cross = ax * by - bx * ay
        area += cross / 2
        xx += cross * (ax * ax + ax * bx + bx * bx) / 12
        yy += cross * (ay * ay + ay * by + by * by) / 12
        xy += cross * (ax * by + 2 * ax * ay + 2 * bx * by + bx * ay) / 24
    return xx / area, yy / area, xy / area


def _floor_body(state: Any, f: int, real: bool, held: bool) -> str:
    order = ORDERS[state.options.floor_order]
    x, y = (float(state.centre[f, axis]) * CM if real else 0.0 for axis in range(2))
    mass, flat = float(FLOOR_MASS[f]) / 10, THICKNESS * THICKNESS / 12
    xx, yy, xy = _inertia(f)
    inertia = [mass * CM * CM * part for part in (yy + flat, xx + flat, xx + yy, -xy, 0.0, 0.0)]
    angle = math.atan2(TURN[state.rotation[f], 1], TURN[state.rotation[f], 0])
    place = float(state.floor_x[f]) * CM, float(state.floor_y[f]) * CM, ((f + 1) * STOREY - THICKNESS / 2) * CM
    geoms = "".join(f'<geom type="mesh" mesh="floor{f}_{i}" rgba="{PAINT[order[f]]}"/>'
                    for i in range(len(convex_parts(f))))  # fmt: skip
    joint = "" if held else "<freejoint/>"
    turned = _numbers(math.cos(angle / 2), 0, 0, math.sin(angle / 2))
    return (f'<body name="floor{f}" pos="{_numbers(*place)}" quat="{turned}">{joint}'
            f'<inertial pos="{_numbers(x, y, 0)}" mass="{mass:.7f}" fullinertia="{_numbers(*inertia)}"/>'
            f"{geoms}</body>")  # fmt: skip


def _column_body(state: Any, c: int, real: bool) -> str:
    kind, mass = int(KIND[c]), float(MASS[KIND[c]]) * (1 + (float(state.excess[c]) if real else 0.0)) / 10
    paint = PAINT[COLOUR_NAMES[COLOUR[c]]]
    z = state.level[c] * STOREY + (state.storey[c] + 0.5) * HEIGHT
    place = float(state.x[c]) * CM, float(state.y[c]) * CM, z * CM
    return (f'<body name="column{c}" pos="{_numbers(*place)}"><freejoint/><geom type="mesh" '
            f'mesh="{KIND_NAMES[kind]}" mass="{mass:.7f}" rgba="{paint}"/></body>')  # fmt: skip


def model_xml(state: Any, *, real: bool = True, without: int = NONE, held: int = 0) -> str:
    """The building in MuJoCo's language: with or without its imperfections, without a column, a floor held in the hand.

    `held` counts floors from 1; 0 is none. Columns are the prisms of the statics, floors unions of convex prisms.
    """
    meshes = [_prism(name, [(float(x), float(y)) for x, y in AROUND[k, : CORNERS[k]]], HEIGHT)
              for k, name in enumerate(KIND_NAMES)]  # fmt: skip
    for f in range(state.floors):
        meshes += [_prism(f"floor{f}_{i}", part, THICKNESS) for i, part in enumerate(convex_parts(f))]
    bodies = [_floor_body(state, f, real, held == f + 1) for f in range(state.floors)]
    bodies += [_column_body(state, c, real) for c in range(COLUMNS) if state.level[c] != NONE and c != without]
    through = 'contype="0" conaffinity="0"'  # painted on the table
    return f"""<mujoco><compiler angle="radian" boundmass="0" boundinertia="0"/>
<option timestep="{STEP}" gravity="0 0 -{GRAVITY}" cone="elliptic" impratio="10" iterations="60" ls_iterations="30"
 tolerance="1e-10" integrator="implicitfast"><flag multiccd="enable" nativeccd="enable"/></option>
<default><geom {STIFF} friction="{FRICTION} 0.005 0.0001" condim="3"/></default>
<visual><global offwidth="1600" offheight="1200"/><headlight ambient="0.35 0.35 0.35" diffuse="0.5 0.5 0.5"/>
<quality shadowsize="4096"/></visual>
<asset><texture type="skybox" builtin="flat" rgb1="0.96 0.94 0.89" rgb2="0.96 0.94 0.89" width="8" height="8"/>
{"".join(meshes)}</asset>
<worldbody><light directional="true" pos="-30 -40 90" dir="0.3 0.4 -0.9" diffuse="0.5 0.5 0.5"/>
<geom type="plane" size="0 0 1" rgba="0.93 0.90 0.83 1"/>
<geom type="cylinder" size="{PLATE_RADIUS * CM} 0.05" pos="0 0 -0.04" rgba="0.5 0.65 0.36 1" {through}/>
<geom type="cylinder" size="{SITE_RADIUS * CM} 0.05" pos="0 0 -0.03" rgba="0.6 0.47 0.33 1" {through}/>
{"".join(bodies)}</worldbody></mujoco>"""


# --- does it stand ----------------------------------------------------------------------------------


def stands(state: Any, *, seconds: float = 1.2, real: bool = True, without: int = NONE, held: int = 0) -> bool:
    """Whether the building, left alone for a while, keeps its floors and stacks where they are."""
    mujoco = load_mujoco()
    model = mujoco.MjModel.from_xml_string(model_xml(state, real=real, without=without, held=held))
    data = mujoco.MjData(model)
    bodies = [model.body(f"floor{f}").id for f in range(state.floors)]
    bodies += [model.body(f"column{c}").id for c in range(COLUMNS)
               if state.level[c] != NONE and state.storey[c] and c != without]  # fmt: skip
    mujoco.mj_forward(model, data)
    start = data.xpos[bodies, 2].copy()
    for _ in range(round(seconds / STEP / 40)):
        mujoco.mj_step(model, data, 40)
        if (start - data.xpos[bodies, 2]).max() > FALLEN * CM or data.xmat[bodies, 8].min() < TILTED:
            return False
    return True


# --- pictures ---------------------------------------------------------------------------------------

Frame = np.ndarray[Any, Any]


class _Camera:
    """An off-screen window on a model."""

    def __init__(self, model: Any, height: int, width: int, floors: int) -> None:
        mujoco = load_mujoco()
        try:
            self.renderer = mujoco.Renderer(model, height, width)
        except Exception as error:
            raise AlarifeError(
                f"MuJoCo found no off-screen OpenGL ({error}): install libegl1 and libgl1-mesa-dri and set "
                "MUJOCO_GL=egl, or install libosmesa6 and set MUJOCO_GL=osmesa, before MuJoCo is first imported"
            ) from None
        self.view = mujoco.MjvCamera()
        tall = max(2, floors) * STOREY + HEIGHT
        self.view.lookat[:] = 0, 0, 0.45 * tall * CM
        self.view.distance = 34 + 0.11 * tall
        self.view.azimuth, self.view.elevation = 118, -22

    def shot(self, data: Any) -> Frame:
        """The picture of a moment, ``[height, width, 3]`` uint8."""
        self.renderer.update_scene(data, self.view)
        return np.array(self.renderer.render())

    def close(self) -> None:
        """Give the window back."""
        self.renderer.close()


def picture(state: Any, width: int = 800, height: int = 800) -> Frame:
    """The building in three dimensions, ``[height, width, 3]`` uint8."""
    mujoco = load_mujoco()
    model = mujoco.MjModel.from_xml_string(model_xml(state))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    camera = _Camera(model, height, width, int(state.floors))
    try:
        return camera.shot(data)
    finally:
        camera.close()


def weakest_direction(state: Any, without: int = NONE) -> tuple[float, float, float]:
    """The direction in which the building tips first, and its true tilt index."""
    edges = room_for_edges()
    write_building(state, edges, 1)
    if without != NONE:
        write_spare(state, without, edges)
    _, index = balance(state, edges, without, True, 1, False)
    best, way = math.inf, (1.0, 0.0)
    for f in range(state.floors):
        gone = without != NONE and state.level[without] == f and state.cover[without]
        here = FLOORS if gone else f
        above = [c for c in range(COLUMNS) if state.level[c] > f and c != without]
        weights = [float(MASS[KIND[c]]) for c in above] + [float(mass) for mass in FLOOR_MASS[f : state.floors]]
        xs = [float(state.x[c]) for c in above] + [float(x) for x in state.floor_x[f : state.floors]]
        ys = [float(state.y[c]) for c in above] + [float(y) for y in state.floor_y[f : state.floors]]
        x, y = np.average(xs, weights=weights), np.average(ys, weights=weights)
        for h in (CONTACTS, FEET):
            for i in range(state.edges[here, h]):
                u, v, offset = (float(part) for part in edges[here, h, :, i])
                share = (u * x + v * y - offset) / (STOREY * (state.floors - f + h))
                if share < best:
                    best, way = share, (-u, -v)
    return way[0], way[1], index


def collapse_frames(
    state: Any, seconds: float = 1.6, rate: int = 25, width: int = 480, height: int = 480
) -> list[Frame]:
    """The building coming down, as it would on from this moment, ``[height, width, 3]`` uint8 each.

    A column that is being felt, pulled or taken from under a lifted floor is gone at the start. A building that would
    stand meets a jolt, half as strong again as it can bear, in its weakest direction.
    """
    mujoco = load_mujoco()
    in_hand = state.chosen != NONE and state.phase in (Phase.READING, Phase.LIFTED)
    without = int(state.chosen) if in_hand else NONE
    model = mujoco.MjModel.from_xml_string(model_xml(state, without=without))
    data = mujoco.MjData(model)
    right, back, index = weakest_direction(state, without)
    jolt = 1.5 * max(0.0, index) + 0.02
    camera = _Camera(model, height, width, int(state.floors))
    frames = []
    try:
        mujoco.mj_forward(model, data)
        for number in range(round(seconds * rate)):
            frames.append(camera.shot(data))
            push = jolt if number < 0.6 * seconds * rate else 0.0
            model.opt.gravity[:] = GRAVITY * push * right, GRAVITY * push * back, -GRAVITY
            mujoco.mj_step(model, data, round(1 / rate / STEP))
    finally:
        camera.close()
    return frames


def save_picture(state: Any, path: str | os.PathLike[str], width: int = 800, height: int = 800) -> None:
    """Write `picture` to a file; needs Pillow."""
    from PIL import Image

    Image.fromarray(picture(state, width, height)).save(path)


def save_collapse(state: Any, path: str | os.PathLike[str], seconds: float = 1.6, rate: int = 25) -> None:
    """Write `collapse_frames` to an animated GIF; needs Pillow."""
    from PIL import Image

    first, *others = [Image.fromarray(frame) for frame in collapse_frames(state, seconds, rate)]
    first.save(path, save_all=True, append_images=others, duration=1000 // rate, loop=0)
