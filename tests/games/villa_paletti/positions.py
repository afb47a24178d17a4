"""Villa Paletti: how tests set up a building, and its usual columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from alarife.games.villa_paletti.components import (
    COLOURS,
    COLUMNS,
    NEUTRAL,
    NONE,
    Act,
    Cover,
    Phase,
    Proof,
    Reading,
    Todo,
)
from alarife.games.villa_paletti.rules.places import find_room, gather_props, list_top, look_around, room_for_poses
from alarife.games.villa_paletti.rules.statics import floor_laid, note_balance
from alarife.games.villa_paletti.rules.turn import begin_turn, proceed

#: Where three columns of each level of `tower` stand, under floors that lie one above the other.
CORNERS_OF_TOWER = (-28.0, -5.0), (28.0, -5.0), (0.0, 20.0)
#: The columns that carry blue, green, yellow, orange and red in `tower`.
CARRIERS = (4, 9, 14), (0, 1, 2), (5, 6, 7), (10, 11, 12), (15, 16, 17)
#: Free-standing on the building site, clear of the blue floor.
OUTSIDE = {
    3: (0.0, -60.0), 8: (0.0, -95.0), 13: (30.0, 95.0), 18: (-30.0, 95.0), 0: (-25.0, -60.0), 1: (25.0, -60.0),
    2: (0.0, 95.0), 5: (-25.0, -95.0), 6: (25.0, -95.0), 7: (60.0, 95.0), 10: (-95.0, 60.0), 11: (-20.0, -78.0),
    12: (20.0, -78.0), 15: (-45.0, -95.0), 16: (45.0, -95.0), 17: (0.0, 115.0), 19: (-65.0, 85.0),
}  # fmt: skip


def build(
    state: Any,
    columns: Mapping[int, Sequence[float]],
    floors: Sequence[Sequence[float]] = ((0.0, 0.0, 0),),
    seat: int = 0,
) -> None:
    """Set up a building and begin the turn of a seat.

    `columns` gives level, x and y of each column in the building, and its storey if it stands on others; `floors`
    gives x, y and rotation of each floor from below. Colour k belongs to seat k; at a table of two, seat 0 owns colours
    0 and 2; at one of three, colour 3 is neutral. Imperfections and options stay as they are. Call `Table.refresh`
    afterwards.
    """
    for k in range(COLOURS):
        state.seat_of[k] = k % 2 if state.seats == 2 else k if k < state.seats else NEUTRAL
    state.taken, state.laid, state.removed = COLOURS, 0, COLUMNS - len(columns)
    state.lock_mark = 0.0
    for c in range(COLUMNS):
        place = columns.get(c, (NONE, 0.0, 0.0))
        state.level[c], state.x[c], state.y[c] = int(place[0]), float(place[1]), float(place[2])
        state.storey[c] = int(place[3]) if len(place) > 3 else 0
        state.locked[c], state.cover[c] = 0, Cover.FREE
        state.felt[c], state.proof[c] = Reading.NOT_FELT, Proof.NOTHING
    state.floors = 0
    state.contacts[:] = 0
    state.feet[:] = 0
    state.edges[:] = 0
    for f, (x, y, rotation) in enumerate(floors):
        state.floor_x[f], state.floor_y[f], state.rotation[f] = float(x), float(y), int(rotation)
        state.floors = f + 1
        floor_laid(state)
    find_room(state)
    note_balance(state)
    state.owner = state.former = state.causer = state.winner = state.chosen = NONE
    state.opened = state.over = state.collapsed = state.passes = state.turns = 0
    state.barred[:] = 0
    state.shaken = state.pulled = state.held = 0.0
    state.act, state.phase, state.todo = Act.BUILD, Phase.TURN, Todo.NOTHING
    begin_turn(state, seat)
    proceed(state)


def props_of_pose(state: Any, rotation: int, row: int, column: int) -> int:
    """How many columns the next floor would rest on; -1 where one would be covered partly and that is not allowed."""
    scratch = room_for_poses()
    many = list_top(state, scratch)
    possible = look_around(state, scratch, many, rotation, row, column, -1e9, 0)
    return int(gather_props(state, scratch, many, rotation, possible, 0))


def tower(state: Any, floors: int, seat: int = 0, more: Mapping[int, Sequence[float]] | None = None) -> None:
    """`build` a tower: each floor on three columns, the other columns free-standing on the building site, or `more`."""
    columns: dict[int, Sequence[float]] = {c: (0, *place) for c, place in OUTSIDE.items()}
    for level in range(floors):
        for c, place in zip(CARRIERS[level], CORNERS_OF_TOWER, strict=True):
            columns[c] = (level, *place)
    build(state, columns | dict(more or {}), [(0.0, 0.0, 0)] * floors, seat)
