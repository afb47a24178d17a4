"""Where a column may go, and how the next floor may lie: grids of cells and poses, kept as bits."""

from __future__ import annotations

import numpy as np

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.engine.stack_array import stack_array as array_for
from alarife.games.villa_paletti.actions import ACTIONS
from alarife.games.villa_paletti.components import (
    BLUE_COLUMNS,
    BLUE_MARGIN,
    COLUMNS,
    DIRECTION_X,
    DIRECTION_Y,
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
    MAP_ERROR,
    MEDIUM,
    MIDDLE,
    NONE,
    OVER_PLATE,
    OVERLAP,
    PITCH,
    POSE_AT,
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

from .statics import (
    NEARLY,
    SURE,
    distance_outside,
    frame_x,
    frame_y,
    is_on_axis,
    rests_on,
    rough_distance,
    touches,
    unchecked_rule,
)

AT = ACTIONS.start
REFUSED = -1e9
#: Room to look for poses, a row for each of these: where the columns of the top level stand, and their radius; where
#: they lie from a pose, and in its frame, how far outside, roughly; where those that carry it lie, and how far they
#: reach; how far the pose reaches in each direction; in which one the last pose was weakest.
X, Y, R, P, Q, U, V, ROUGH, PROP_P, PROP_Q, PROP_R, REACH, LEAST, WEAKEST = range(14)
room_for_poses = array_for(np.float64, 14, DIRECTIONS)
#: How far the columns under a pose can reach at most, by row and cell.
room_for_bounds = array_for(np.float64, GRID, GRID)
#: Half of the directions, in which poses are bounded before their columns are looked at closely.
HALF_X, HALF_Y = np.ascontiguousarray(DIRECTION_X[::2]), np.ascontiguousarray(DIRECTION_Y[::2])
EVERY = 4  # so many directions are left out, but for one, where all poses are bounded

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
    middle_x = nearest_cell(s.x[c] - cell_x(s, 0), cell_x(s, 1) - cell_x(s, 0))
    middle_y = nearest_cell(s.y[c] - cell_y(s, 0), cell_y(s, 1) - cell_y(s, 0))
    for k in range(KINDS):
        clear = RADIUS[k] + RADIUS[KIND[c]] + gap
        row = middle_y
        while row < GRID and shut_row(s, c, k, row, middle_x, clear * clear):
            row += 1
        row = middle_y - 1
        while row >= 0 and shut_row(s, c, k, row, middle_x, clear * clear):
            row -= 1


@rule
def nearest_cell(way, pitch):
    """The cell nearest to a point, given how far the point is from the first cell."""
    return max(0, min(GRID - 1, int(way / pitch + 0.5)))


@rule
def shut_row(s, c, k, row, middle, clear):
    """Close the cells of a row for a kind: from the nearest to both sides, as far as too near; False if none can be."""
    y = cell_y(s, row) - s.y[c]
    if y * y >= clear:
        return False
    shut = 0
    column = middle
    while column < GRID and is_near_cell(s, c, column, y, clear):
        shut |= 1 << column
        column += 1
    column = middle - 1
    while column >= 0 and is_near_cell(s, c, column, y, clear):
        shut |= 1 << column
        column -= 1
    s.room[k, row] &= ~shut
    return True


@rule
def is_near_cell(s, c, column, y, clear):
    """Whether a column is nearer to a cell than it may be, given how far away the row is."""
    x = cell_x(s, column) - s.x[c]
    return x * x + y * y < clear


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
    for row in range(GRID):
        y = cell_y(s, row) - s.y[c]
        if abs(y) <= RADIUS[KIND[c]]:
            bits = 0
            for column in range(GRID):
                if is_on_foot(KIND[c], cell_x(s, column) - s.x[c], y):
                    bits |= 1 << column
            for k in range(KINDS):
                if bits != 0 and stack_takes(s, c, k):
                    s.room[k, row] |= bits


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
def list_top(s, scratch):
    """Begin to look for poses: where the columns of the top level stand, and their radius; how many."""
    scratch[WEAKEST, 0] = 0.0
    count = 0
    for c in range(COLUMNS):
        if s.level[c] == s.floors:
            scratch[X, count] = s.x[c]
            scratch[Y, count] = s.y[c]
            scratch[R, count] = RADIUS[KIND[c]]
            count += 1
    return count


@unchecked_rule
def look_around(s, scratch, many, i, row, column, least, needed):
    """See roughly where the columns lie from a pose: how many it may cover.

    0 where those are fewer than needed, or where none of them reaches so far, even wholly, in the direction in which
    the last pose was weakest.
    """
    see_from(scratch, many, POSE_AT[column], POSE_AT[row], TURN[i, 0], TURN[i, 1])
    j = int(scratch[WEAKEST, 0])
    count = 0
    is_weak = True
    for n in range(many):
        r = scratch[R, n]
        rough = rough_distance(s.floors, scratch[U, n], scratch[V, n], r)
        scratch[ROUGH, n] = rough
        is_near = rough < r + MAP_ERROR
        count += is_near
        is_weak &= (not is_near) | (DIRECTION_X[j] * scratch[P, n] + DIRECTION_Y[j] * scratch[Q, n] + r < least)
    return 0 if is_weak or count < needed else count


@unchecked_rule
def see_from(scratch, many, x, y, cosine, sine):
    """Where the columns lie from a pose, and in the frame of the floor that lies there; several at once."""
    for n in range(many):
        p = scratch[X, n] - x
        q = scratch[Y, n] - y
        scratch[P, n] = p
        scratch[Q, n] = q
        scratch[U, n] = p * cosine + q * sine
        scratch[V, n] = q * cosine - p * sine


@unchecked_rule
def falls_short(scratch, many, least):
    """Whether the columns that a pose may cover surely reach less far in one of the directions, which is noted."""
    for j in range(DIRECTIONS // 2):
        scratch[REACH, j] = REFUSED
    for n in range(many):
        r = scratch[R, n]
        rough = scratch[ROUGH, n]
        if rough < r + MAP_ERROR:
            if rough > 0.0:  # 0 off the map
                r = min(r, 0.5 * (r - rough + MAP_ERROR))
            x = scratch[P, n]
            y = scratch[Q, n]
            for j in range(DIRECTIONS // 2):
                far = HALF_X[j] * x + HALF_Y[j] * y + r
                most = scratch[REACH, j]
                scratch[REACH, j] = far if far > most else most
    for j in range(DIRECTIONS // 2):
        if scratch[REACH, j] < least - NEARLY:
            scratch[WEAKEST, 0] = 2 * j
            return True
    return False


@unchecked_rule
def gather_props(s, scratch, many, i, possible, needed):
    """The columns that the next floor would rest on: where they lie from its centre, how far they reach; how many.

    Fewer than needed as soon as that is sure; -1 where a column would be covered partly and that is not allowed
    (PAL-029). `look_around` comes first and says how many are possible.
    """
    f = s.floors
    left = possible
    count = 0
    for n in range(many):
        r = scratch[R, n]
        rough = scratch[ROUGH, n]
        if rough >= r + MAP_ERROR:
            continue
        left -= 1
        u = scratch[U, n]
        v = scratch[V, n]
        distance = rough if rough <= -r - MAP_ERROR else distance_outside(f, u, v)
        if -r < distance < r and not s.options.partial_cover_allowed and touches(f, u, v, i, r, distance):
            return -1
        if rests_on(f, u, v, i, r, distance):
            scratch[PROP_P, count] = scratch[P, n]
            scratch[PROP_Q, count] = scratch[Q, n]
            scratch[PROP_R, count] = r if distance <= -r else 0.5 * (r - distance)
            count += 1
        elif count + left < needed:
            break
    return count


@unchecked_rule
def reach_of(scratch, count):
    """How far the props of a pose reach beyond its centre in the worst of 32 directions, which is noted."""
    for j in range(DIRECTIONS):
        scratch[REACH, j] = REFUSED
    for n in range(count):
        x = scratch[PROP_P, n]
        y = scratch[PROP_Q, n]
        r = scratch[PROP_R, n]
        for j in range(DIRECTIONS):
            far = DIRECTION_X[j] * x + DIRECTION_Y[j] * y + r
            most = scratch[REACH, j]
            scratch[REACH, j] = far if far > most else most
    least = least_reached(scratch)
    worst = 0
    while scratch[REACH, worst] > least:
        worst += 1
    scratch[WEAKEST, 0] = worst
    return least


@unchecked_rule
def least_reached(scratch):
    """How far a pose reaches in the worst direction: half of them are compared with the other half, and so on."""
    half = DIRECTIONS // 2
    for j in range(half):
        scratch[LEAST, j] = min(scratch[REACH, j], scratch[REACH, j + half])
    keep_lesser(scratch, DIRECTIONS // 4)
    keep_lesser(scratch, DIRECTIONS // 8)
    return min(min(scratch[LEAST, 0], scratch[LEAST, 1]), min(scratch[LEAST, 2], scratch[LEAST, 3]))


@unchecked_rule
def keep_lesser(scratch, half):
    """Of numbers half a row apart the lesser ones."""
    for j in range(half):
        scratch[LEAST, j] = min(scratch[LEAST, j], scratch[LEAST, j + half])


@rule
def steadiness(s, scratch, many, i, row, column, least):
    """How far the columns under a pose reach beyond its centre; REFUSED if it is not legal, or not at least so far.

    Many poses are refused by the direction in which the last one was weakest, before any column is looked at closely.
    """
    needed = columns_needed(s)
    possible = look_around(s, scratch, many, i, row, column, least, needed)
    if possible < needed or falls_short(scratch, many, least):
        return REFUSED
    return look_closely(s, scratch, many, i, possible, needed, least)


@rule
def look_closely(s, scratch, many, i, possible, needed, least):
    """`steadiness`, once `look_around` has found enough columns."""
    count = gather_props(s, scratch, many, i, possible, needed)
    if count < needed or (s.floors == 0 and count == COLUMNS):
        return REFUSED
    reached = reach_of(scratch, count)
    return reached if reached >= least else REFUSED


@rule
def least_reach(s):
    """How far columns have to reach beyond the centre of the next floor (PAL-027, PAL-108)."""
    return BLUE_MARGIN if s.floors == 0 else LEAST_MARGIN


@rule
def is_pose(s, scratch, many, i, row, column):
    """Whether the next floor, turned by i, may lie with its centre on a cell of the pose grid (PAL-107, PAL-108)."""
    needed = columns_needed(s)
    least = least_reach(s)
    possible = look_around(s, scratch, many, i, row, column, least, needed)
    if possible < needed:
        return False
    if s.floors > 0 and s.options.partial_cover_allowed:
        count = sure_props(scratch, many)
        if count >= needed and reach_of(scratch, count) >= least + NEARLY:
            return True
    return look_closely(s, scratch, many, i, possible, needed, least) != REFUSED


@unchecked_rule
def sure_props(scratch, many):
    """`gather_props`, of the columns alone that the map shows to carry the floor, reaching as far as they surely do."""
    count = 0
    for n in range(many):
        r = scratch[R, n]
        rough = scratch[ROUGH, n]
        outside = rough + MAP_ERROR  # at most; off the map all is unknown, and the rough distance 0
        if outside < min(r - OVERLAP, SURE) and rough != 0.0:
            scratch[PROP_P, count] = scratch[P, n]
            scratch[PROP_Q, count] = scratch[Q, n]
            scratch[PROP_R, count] = r if outside <= -r else 0.5 * (r - outside)
            count += 1
    return count


@rule
def try_pose(s, scratch, many, pose):
    """Whether a pose given as one number is legal."""
    return is_pose(s, scratch, many, pose // (GRID * GRID), pose // GRID % GRID, pose % GRID)


@rule
def pose_window(scratch, many):
    """First and last row, first and last column of the pose grid between the columns of the top level."""
    low_x = 1e9
    low_y = 1e9
    high_x = -1e9
    high_y = -1e9
    for n in range(many):
        low_x = min(low_x, scratch[X, n])
        low_y = min(low_y, scratch[Y, n])
        high_x = max(high_x, scratch[X, n])
        high_y = max(high_y, scratch[Y, n])
    return (
        max(0, int((low_y - WIDEST) / POSE_PITCH + MIDDLE)),
        min(GRID - 1, int((high_y + WIDEST) / POSE_PITCH + MIDDLE)),
        max(0, int((low_x - WIDEST) / POSE_PITCH + MIDDLE)),
        min(GRID - 1, int((high_x + WIDEST) / POSE_PITCH + MIDDLE)),
    )


@unchecked_rule
def bound_poses(scratch, many, low, high, bounds):
    """How far all columns reach beyond the centre of each pose of some rows, were they all covered: at most."""
    for j in range(0, DIRECTIONS, EVERY):
        most = REFUSED
        for n in range(many):
            most = max(most, DIRECTION_X[j] * scratch[X, n] + DIRECTION_Y[j] * scratch[Y, n] + scratch[R, n])
        scratch[REACH, j] = most + NEARLY
    for row in range(low, high + 1):
        for column in range(GRID):
            bounds[row, column] = -REFUSED
        for j in range(0, DIRECTIONS, EVERY):
            far = scratch[REACH, j] - DIRECTION_Y[j] * POSE_AT[row]
            x = DIRECTION_X[j]
            for column in range(GRID):
                reached = far - x * POSE_AT[column]
                least = bounds[row, column]
                bounds[row, column] = reached if reached < least else least


@rule
def find_turnings(s):
    """Rotations of the next floor that leave a legal pose (F1)."""
    s.turnings = 0
    if s.floors == FLOORS or columns_on_top(s) < columns_needed(s):
        return
    scratch = room_for_poses()
    many = list_top(s, scratch)
    window = pose_window(scratch, many)
    bounds = room_for_bounds()
    bound_poses(scratch, many, window[0], window[1], bounds)
    pose = max(0, most_bounded(s, bounds, 0, *window))
    for i in range(ROTATIONS):
        found = pose  # it mostly serves the next rotation, too
        if not is_pose_over_plate(s, scratch, many, i, pose // GRID, pose % GRID):
            found = first_pose(s, scratch, many, i, window, bounds, pose)
        if found != NONE:
            s.turnings |= 1 << i
            pose = found


@rule
def is_pose_over_plate(s, scratch, many, i, row, column):
    """Whether any cell of the pose grid is a legal pose: `is_pose`, and PAL-106."""
    return OVER_PLATE[s.floors, i, row] >> column & 1 and is_pose(s, scratch, many, i, row, column)


@rule
def first_pose(s, scratch, many, i, window, bounds, near):
    """A legal pose in one rotation, as row and cell in one number, or NONE; the rows near another one come first."""
    low, high, first, last = window
    middle = near % GRID
    for step in range(2 * GRID):
        row = near // GRID + (step + 1) // 2 * (1 - 2 * (step % 2))
        if low <= row <= high and OVER_PLATE[s.floors, i, row] != 0:
            column = pose_in_row(s, scratch, many, i, row, middle, last + 1, 1, bounds)
            if column == NONE:
                column = pose_in_row(s, scratch, many, i, row, middle - 1, first - 1, -1, bounds)
            if column != NONE:
                return row * GRID + column
    return NONE


@rule
def pose_in_row(s, scratch, many, i, row, first, end, step, bounds):
    """The first cell of a row with a legal pose in one rotation, from one cell up to another, or NONE."""
    least = least_reach(s)
    for column in range(first, end, step):
        if bounds[row, column] >= least and is_pose_over_plate(s, scratch, many, i, row, column):
            return column
    return NONE


@rule
def find_poses(s, i):
    """Legal poses of the next floor in one rotation (F2, F3)."""
    scratch = room_for_poses()
    many = list_top(s, scratch)
    low, high, first, last = pose_window(scratch, many)
    bounds = room_for_bounds()
    bound_poses(scratch, many, low, high, bounds)
    least = least_reach(s)
    for row in range(GRID):
        s.poses[row] = 0
        if low <= row <= high and OVER_PLATE[s.floors, i, row] != 0:
            bits = 0
            for column in range(first, last + 1):
                if bounds[row, column] >= least and is_pose_over_plate(s, scratch, many, i, row, column):
                    bits |= 1 << column
            s.poses[row] = bits


@rule
def steadiest_pose(s, scratch, many, bounds, i, low, high, seed):
    """The pose of a rotation whose floor lies best on its own columns, in rows from low to high: row, cell.

    The first one among equals; 0, 0 if none is legal. A good pose, the seed, is looked at first if there is one.
    """
    window = pose_window(scratch, many)
    first_row = max(low, window[0])
    last_row = min(high, window[1])
    most = least_reach(s)
    best = NONE
    if seed == NONE:
        seed = most_bounded(s, bounds, i, first_row, last_row, window[2], window[3])
    if (
        seed != NONE
        and first_row <= seed // GRID <= last_row
        and OVER_PLATE[s.floors, i, seed // GRID] >> seed % GRID & 1
    ):
        value = steadiness(s, scratch, many, i, seed // GRID, seed % GRID, most)
        if value != REFUSED:
            best = seed
            most = value
    for row in range(first_row, last_row + 1):
        cells = OVER_PLATE[s.floors, i, row]
        if cells != 0:
            for column in range(window[2], window[3] + 1):
                if bounds[row, column] >= most and cells >> column & 1:
                    value = steadiness(s, scratch, many, i, row, column, most)
                    if value > most or (value == most and (best == NONE or row * GRID + column < best)):
                        best = row * GRID + column
                        most = value
    return max(best, 0) // GRID, max(best, 0) % GRID


@unchecked_rule
def most_bounded(s, bounds, i, first_row, last_row, first, last):
    """The pose of a rotation that all columns together would carry best, as row and cell in one number, or NONE."""
    best = NONE
    most = REFUSED
    for row in range(first_row, last_row + 1):
        cells = OVER_PLATE[s.floors, i, row]
        for column in range(first, last + 1):
            if bounds[row, column] > most and cells >> column & 1:
                most = bounds[row, column]
                best = row * GRID + column
    return best


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
