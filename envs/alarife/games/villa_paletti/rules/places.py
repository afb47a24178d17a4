"""Where a column may go, and how the next floor may lie: grids of cells and poses, kept as bits."""

from __future__ import annotations

import numpy as np

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.games.villa_paletti.actions import ACTIONS
from alarife.games.villa_paletti.components import (
    BLUE_COLUMNS,
    BLUE_MARGIN,
    COLUMNS,
    DIRECTION,
    DIRECTIONS,
    FLOORS,
    GAP,
    GRID,
    HEX_NORMALS,
    HOLDS,
    INRADIUS,
    KIND,
    KINDS,
    LEAST_COLUMNS,
    LEAST_COLUMNS_VARIANT,
    LEAST_MARGIN,
    MEDIUM,
    MIDDLE,
    NONE,
    OVER_PLATE,
    OVERLAP,
    PITCH,
    POSE_PITCH,
    RADIUS,
    RED,
    ROTATIONS,
    SETUP_GAP,
    SITE_HOLDS,
    SITE_PITCH,
    TURN,
    VARIANT_FROM,
    WIDEST,
)

from .statics import distance_outside, frame_x, frame_y, is_on_axis, reach

AT = ACTIONS.start

# --- cells for columns (PAL-076 to PAL-082) ---------------------------------------------------------


@rule
def cell_x(s, column):
    """Where a cell of the top level lies, in the base plate's frame."""
    if s.floors == 0:
        return (column - MIDDLE) * SITE_PITCH
    return s.floor_x[s.floors - 1] + (column - MIDDLE) * PITCH[s.floors - 1]


@rule
def cell_y(s, row):
    """Where a cell of the top level lies, in the base plate's frame."""
    if s.floors == 0:
        return (row - MIDDLE) * SITE_PITCH
    return s.floor_y[s.floors - 1] + (row - MIDDLE) * PITCH[s.floors - 1]


@rule
def find_room(s):
    """All cells of the top level where a column of each kind may be placed."""
    for k in range(KINDS):
        for row in range(GRID):
            if s.floors == 0:
                s.room[k, row] = SITE_HOLDS[k, row]
            else:
                s.room[k, row] = HOLDS[s.floors - 1, s.rotation[s.floors - 1], k, row]
    for c in range(COLUMNS):
        if s.level[c] == s.floors and s.storey[c] == 0:
            narrow_room(s, c)
    if s.floors == RED:
        for c in range(COLUMNS):
            if s.level[c] == RED and s.storey[c] == 0:
                open_stack(s, c)
    note_rooms(s)


@rule
def narrow_room(s, c):
    """Close the cells that a column of the top level keeps others from."""
    gap = SETUP_GAP if s.floors == 0 else GAP
    for row in range(GRID):
        y = cell_y(s, row) - s.y[c]
        for k in range(KINDS):
            clear = RADIUS[k] + RADIUS[KIND[c]] + gap
            if y * y < clear * clear:
                shut = 0
                for column in range(GRID):
                    x = cell_x(s, column) - s.x[c]
                    if x * x + y * y < clear * clear:
                        shut |= 1 << column
                s.room[k, row] &= ~shut


@rule
def room_after(s, c):
    """The cells of the top level after column c was placed there."""
    if s.floors == RED:
        find_room(s)
    else:
        narrow_room(s, c)
        note_rooms(s)


@rule
def note_rooms(s):
    """For which kinds the top level has a place (PAL-052)."""
    for k in range(KINDS):
        s.rooms[k] = 0
        for row in range(GRID):
            if s.room[k, row] != 0:
                s.rooms[k] = 1
                break


# --- stacks on red (PAL-079 to PAL-081, PAL-085, PAL-086) -------------------------------------------


@rule
def is_on_foot(k, x, y):
    """Whether a point, seen from the axis, lies in the footprint of a kind."""
    if k == MEDIUM:
        for i in range(3):
            if abs(x * HEX_NORMALS[i, 0] + y * HEX_NORMALS[i, 1]) > INRADIUS[k]:
                return False
        return True
    return x * x + y * y <= RADIUS[k] * RADIUS[k]


@rule
def stack_height(s, c):
    """How many columns stand in the stack of a column of the red floor."""
    count = 0
    for other in range(COLUMNS):
        count += is_on_axis(s, c, other)
    return count


@rule
def is_under_another(s, c):
    """Whether a column stands on this one."""
    return s.level[c] == RED and s.storey[c] < stack_height(s, c) - 1


@rule
def stack_takes(s, c, k):
    """Whether a column of kind k may go on the stack whose lowest column is c."""
    f = FLOORS - 1
    if distance_outside(f, frame_x(s, f, s.x[c], s.y[c]), frame_y(s, f, s.x[c], s.y[c])) > -RADIUS[k]:
        return False
    storey = stack_height(s, c)
    for other in range(COLUMNS):
        if s.level[other] == RED and s.storey[other] == storey and not is_on_axis(s, c, other):
            x = s.x[other] - s.x[c]
            y = s.y[other] - s.y[c]
            clear = RADIUS[k] + RADIUS[KIND[other]] + GAP
            if x * x + y * y < clear * clear:
                return False
    return True


@rule
def open_stack(s, c):
    """Open the cells over the lowest column of a stack for the kinds that may go on it."""
    for k in range(KINDS):
        if stack_takes(s, c, k):
            for row in range(GRID):
                for column in range(GRID):
                    if is_on_foot(KIND[c], cell_x(s, column) - s.x[c], cell_y(s, row) - s.y[c]):
                        s.room[k, row] |= 1 << column


@rule
def stack_at(s, row, column):
    """The lowest column of the stack under a cell of the red floor, or NONE."""
    if s.floors == RED:
        for c in range(COLUMNS):
            if s.level[c] == RED and s.storey[c] == 0:
                if is_on_foot(KIND[c], cell_x(s, column) - s.x[c], cell_y(s, row) - s.y[c]):
                    return c
    return NONE


# --- poses of the next floor (PAL-106 to PAL-109) ---------------------------------------------------


@rule
def columns_on_top(s):
    """How many columns stand on the top level."""
    count = 0
    for c in range(COLUMNS):
        count += s.level[c] == s.floors
    return count


@rule
def columns_needed(s):
    """How many columns the next floor must rest on (PAL-107)."""
    if s.floors == 0:
        return BLUE_COLUMNS
    if s.options.two_column_floors and s.floors + 1 >= VARIANT_FROM:
        return LEAST_COLUMNS_VARIANT
    return LEAST_COLUMNS


@rule
def gather_props(s, i, row, column, props):
    """The columns that the next floor would rest on: where they lie from its centre, how far they reach; how many.

    -1 where a column would be covered partly and that is not allowed (PAL-029).
    """
    f = s.floors
    x = (column - MIDDLE) * POSE_PITCH
    y = (row - MIDDLE) * POSE_PITCH
    count = 0
    for c in range(COLUMNS):
        if s.level[c] == f:
            r = RADIUS[KIND[c]]
            p = s.x[c] - x
            q = s.y[c] - y
            distance = reach(f, p * TURN[i, 0] + q * TURN[i, 1], q * TURN[i, 0] - p * TURN[i, 1], r)
            if -r < distance < r and not s.options.partial_cover_allowed:
                return -1
            if distance < r - OVERLAP:
                props[count, 0] = p
                props[count, 1] = q
                props[count, 2] = r if distance <= -r else 0.5 * (r - distance)
                count += 1
    return count


@rule
def is_pose(s, i, row, column, props):
    """Whether the next floor, turned by i, may lie with its centre on a cell of the pose grid (PAL-107, PAL-108)."""
    count = gather_props(s, i, row, column, props)
    if count < columns_needed(s) or (s.floors == 0 and count == COLUMNS):
        return False
    return reach_of(props, count, BLUE_MARGIN if s.floors == 0 else LEAST_MARGIN) >= 0.0


@rule
def reach_of(props, count, margin):
    """How much further than a margin columns reach beyond a floor's centre, in the worst of 32 directions.

    The search ends where it is less than nothing.
    """
    least = 1e9
    for j in range(DIRECTIONS):
        most = -1e9
        for i in range(count):
            most = max(most, DIRECTION[j, 0] * props[i, 0] + DIRECTION[j, 1] * props[i, 1] + props[i, 2])
        least = min(least, most - margin)
        if least < 0.0:
            return least
    return least


@rule
def steadiness(s, i, row, column, props):
    """How far the columns under a legal pose reach beyond its centre."""
    return reach_of(props, gather_props(s, i, row, column, props), 0.0)


@rule
def props_for():
    """Scratch for `is_pose`: where the columns lie that a floor would rest on, and how far they reach."""
    return np.empty((COLUMNS, 3))


@rule
def try_pose(s, pose, props):
    """Whether a pose given as one number is legal."""
    return is_pose(s, pose // (GRID * GRID), pose // GRID % GRID, pose % GRID, props)


@rule
def pose_window(s):
    """First and last row, first and last column of the pose grid between the columns of the top level."""
    low_x = 1e9
    low_y = 1e9
    high_x = -1e9
    high_y = -1e9
    for c in range(COLUMNS):
        if s.level[c] == s.floors:
            low_x = min(low_x, s.x[c])
            low_y = min(low_y, s.y[c])
            high_x = max(high_x, s.x[c])
            high_y = max(high_y, s.y[c])
    return (
        max(0, int((low_y - WIDEST) / POSE_PITCH + MIDDLE)),
        min(GRID - 1, int((high_y + WIDEST) / POSE_PITCH + MIDDLE)),
        max(0, int((low_x - WIDEST) / POSE_PITCH + MIDDLE)),
        min(GRID - 1, int((high_x + WIDEST) / POSE_PITCH + MIDDLE)),
    )


@rule
def poses_in_row(s, i, row, first, last, props, one):
    """The legal poses of a row as bits; the first one only, if one is enough."""
    bits = 0
    over = OVER_PLATE[s.floors, i, row]
    if over == 0:
        return 0
    for column in range(first, last + 1):
        if over >> column & 1 and is_pose(s, i, row, column, props):
            bits |= 1 << column
            if one:
                return bits
    return bits


@rule
def find_turnings(s):
    """Rotations of the next floor that leave a legal pose (F1)."""
    s.turnings = 0
    if s.floors == FLOORS or columns_on_top(s) < columns_needed(s):
        return
    props = props_for()
    low, high, first, last = pose_window(s)
    for i in range(ROTATIONS):
        for row in range(low, high + 1):
            if poses_in_row(s, i, row, first, last, props, True) != 0:
                s.turnings |= 1 << i
                break


@rule
def find_poses(s, i):
    """Legal poses of the next floor in one rotation (F2, F3)."""
    props = props_for()
    low, high, first, last = pose_window(s)
    for row in range(GRID):
        s.poses[row] = 0
        if low <= row <= high:
            s.poses[row] = poses_in_row(s, i, row, first, last, props, False)


# --- rows and cells that are offered (PAL-163) ------------------------------------------------------


@rule
def offer_filled(moves, rows):
    """The rows in which a bit is set."""
    for row in range(GRID):
        if rows[row] != 0:
            offer(moves, AT.row + row)


@rule
def offer_bits(moves, first, bits, count):
    """An action for each bit that is set."""
    for i in range(count):
        if bits >> i & 1:
            offer(moves, first + i)


@rule
def offer_cells(s, moves):
    """The free cells of the chosen row, for a column."""
    offer_bits(moves, AT.cell, s.room[KIND[s.chosen], s.row], GRID)
