"""Whether a building stands: contacts, hulls, margins and the tilt index (the README explains the physics).

A floor lies level on columns of one height, contacts can only push, so a building stands if and only if, for every
floor, the centre of gravity of all that the columns below it carry lies inside the convex hull of its contacts. The
margin of a floor is how far inside, in millimetres. The tilt index is the sideways share of gravity that would bring
the first floor, or its columns, to the brink if each were tested by itself: an upper bound of what it withstands.

Only sums, products, quotients and square roots are used, in one order: results are the same interpreted and compiled,
and on any machine whose numbers follow IEEE 754.

How many edges a hull can have
------------------------------
Let n columns carry a floor. Each presses on a convex region K: its footprint F, or the hull of what F and the outline
O of the floor share. The regions are disjoint, as footprints are (PAL-077). Edges of the hull H of all regions are of
three kinds.

*Between two columns*: at most 2n - 2. Two disjoint convex regions have exactly two common tangents that leave both on
one side, so the supporting lines of the regions, as the direction turns once around, make a cyclic sequence of columns
in which no two alternate twice, a Davenport-Schinzel sequence of order 2: at most 2n - 2 pieces.

*Along the side of a footprint*: at most 18. Columns never turn, so that the sides of all footprints have 12 directions
of round columns and 6 of hexagons, and H has one edge in a direction at most.

*Cut by the outline*, on no side of a footprint: at most one for each side of O. Go around O and H with what is inside
on the left, and let such an edge of H lead from p to q, both on O and in one F. From p the boundary of what F and O
share goes on along a side a of O (along F it would stay outside the edge, or on it), to the left of the edge or on it,
so that q lies to the right of the line through a, or on it. If on it, the edge is the one that H has in the direction
of a. If to the right, that line does not support H: no edge lies along a, and no other such edge begins on a, for of
two points p on a the first would lie to the right of the edge that leaves the second. Each side of O is charged once.

Together 18 + 2n - 2 + the sides of O. The blue floor has the most sides, 60, and rests on 19 columns at most; so does
any other, as the floor below it needs a column, too. So MOST_FEET is 18 + 36 = 54 and MOST_CONTACTS 54 + 60 = 114.
Corners on one straight line may make some edges more by rounding; `write_hull` would leave out the straightest ones.
"""

from __future__ import annotations

import math

import numpy as np
from numba.extending import register_jitable

from alarife.engine.jit import RULE_SETTINGS, rule
from alarife.engine.stack_array import stack_array as scratch
from alarife.games.villa_paletti.components import (
    AROUND,
    COLUMNS,
    CORNER,
    CORNERS,
    CROSSINGS,
    DISTANCE_MAP,
    FLOOR_MASS,
    FLOOR_RADIUS,
    FLOORS,
    FOOT,
    HEIGHT,
    HOOK_DEPTH,
    INRADIUS,
    KIND,
    MAP_ERROR,
    MAP_MOST,
    MAP_SIZE,
    MAP_STEP,
    MASS,
    MEDIUM,
    MOST_CONTACTS,
    MOST_CORNERS,
    MOST_FEET,
    MOST_SIDES,
    NEARBY,
    NEAREST,
    NONE,
    NOWHERE,
    OUTLINE_CORNERS,
    OVERLAP,
    RADIUS,
    RED,
    RING_CORNERS,
    SIDE,
    SIDES,
    SPREAD,
    STOREY,
    STRIP,
    THICKNESS,
    TIP,
    TURN,
    UNBOUNDED,
    WAY_X,
    WAY_Y,
    WITHIN,
    Cover,
)

MOST_POINTS = 480  # of the contacts of one floor
SURE = 9.5  # millimetres: a hexagon whose axis is nearer than that to a floor carries it
NEARLY = 1e-6  # millimetres: corners so near to a hull are listed, whether or not they lie on it

CONTACTS = 0  # hull of the contact regions below a floor
FEET = 1  # hull of the feet of the columns below it

#: Of which column a corner of a footprint is, and where it lies from the axis.
COLUMN_OF = np.arange(RING_CORNERS) // MOST_CORNERS
FOOT_OF = FOOT[KIND].reshape(RING_CORNERS, 2)

ANYWHERE = (0.0, 0.0, 0.0, 0.0, -1.0)  # a way that all points lie behind

#: Room for points of a hull (x, y, number), for the chain of its corners, for columns, and for `outer_corners`.
room_for_points = scratch(np.float64, MOST_POINTS, 3)
room_for_chain = scratch(np.uint32, 2 * MOST_POINTS)
room_for_order = scratch(np.uint32, MOST_POINTS + 1)
room_for_columns = scratch(np.int64, COLUMNS)
room_for_far = scratch(np.float64, 2 + 2 * COLUMNS, MOST_CORNERS)
room_for_ring = scratch(np.float64, MOST_CORNERS, 2)
#: Room for both hulls of a level, and their sizes.
room_for_contacts = scratch(np.int16, MOST_CONTACTS)
room_for_feet = scratch(np.int16, MOST_FEET)
room_for_sizes = scratch(np.int64, 2)
#: Which corners of a hull are those of a column.
room_for_marks = scratch(np.int8, MOST_CONTACTS)
room_for_corners = scratch(np.float64, 2, MOST_CONTACTS + 1)
#: Room for the edges of both hulls of all levels: inward normals and offsets, the last entry how many.
room_for_edges = scratch(np.float64, FLOORS + 1, 2, 3, MOST_CONTACTS + 1)
room_for_weights = scratch(np.float64, 2, COLUMNS)
room_for_loads = scratch(np.float64, FLOORS + 1, 7)

#: Inner loops whose indices cannot be wrong, so that several numbers are worked out at once.
unchecked_rule = register_jitable(**{**RULE_SETTINGS, "boundscheck": False})


# --- outlines ---------------------------------------------------------------------------------------


@unchecked_rule
def field_of(u):
    """The row or column of the map that a point of a floor's frame lies in; -1 if none."""
    i = u / MAP_STEP + MAP_SIZE / 2
    return int(i) if 0.0 <= i < MAP_SIZE else -1


@unchecked_rule
def crosses(f, i, u, v):
    """Whether a way from a point to the right crosses side i of an outline."""
    y = SIDE[f, i, 1]
    rise = SIDE[f, i, 3]
    return (y > v) != (y + rise > v) and u < SIDE[f, i, 2] * (v - y) / rise + SIDE[f, i, 0]


@unchecked_rule
def is_inside(f, u, v):
    """Whether a point of floor f's frame lies inside its outline."""
    inside = False
    j = field_of(v)
    if j < 0:
        for i in range(SIDES[f]):
            inside = inside != crosses(f, i, u, v)
        return inside
    i = field_of(u)
    if i >= 0 and abs(DISTANCE_MAP[f, j, i]) * 0.25 >= MAP_ERROR:
        return DISTANCE_MAP[f, j, i] < 0
    for n in range(STRIP[f, j, 0]):
        inside = inside != crosses(f, STRIP[f, j, 1 + n], u, v)
    return inside


@unchecked_rule
def distance_outside(f, u, v):
    """How far a point of floor f's frame lies outside its outline; negative inside."""
    i = field_of(u)
    j = field_of(v)
    if i >= 0 and j >= 0 and NEARBY[f, j, i, NEAREST + 1] > 0:
        nearest = nearest_of(f, NEARBY[f, j, i, NEAREST], NEARBY[f, j, i, NEAREST + 1], u, v)
    else:
        nearest = nearest_of(f, 0, SIDES[f], u, v)
    return -nearest if is_inside(f, u, v) else nearest


@unchecked_rule
def nearest_of(f, first, count, u, v):
    """How far a point is from the nearest of a run of sides."""
    nearest = 1e18
    i = int(first)
    for _ in range(count):
        x = u - SIDE[f, i, 0]
        y = v - SIDE[f, i, 1]
        run = SIDE[f, i, 2]
        rise = SIDE[f, i, 3]
        t = (x * run + y * rise) * SIDE[f, i, 4]
        t = min(1.0, max(0.0, t))
        p = x - run * t
        q = y - rise * t
        nearest = min(nearest, p * p + q * q)
        i += 1
        if i == SIDES[f]:
            i = 0
    return math.sqrt(nearest)


@unchecked_rule
def rough_distance(f, u, v, r):
    """`distance_outside` by the map, at most MAP_ERROR wrong where it is not far off; r + MAP_ERROR off the map."""
    far = FLOOR_RADIUS[f] + r
    i = u / MAP_STEP + MAP_SIZE / 2
    j = v / MAP_STEP + MAP_SIZE / 2
    is_on_map = (i >= 0.0) & (i < MAP_SIZE) & (j >= 0.0) & (j < MAP_SIZE)
    rough = DISTANCE_MAP[f, nearest_field(j), nearest_field(i)] * 0.25
    rough = rough if is_on_map else 0.0
    return r + MAP_ERROR if u * u + v * v >= far * far else rough


@unchecked_rule
def nearest_field(i):
    """The row or column of the map nearest to a place in steps of it."""
    return int(min(max(i, 0.0), MAP_SIZE - 1.0))


@unchecked_rule
def reach(f, u, v, r):
    """`distance_outside` where a circle of radius r meets the outline; elsewhere a number on the same side of it."""
    rough = rough_distance(f, u, v, r)
    if rough >= r + MAP_ERROR or rough <= -r - MAP_ERROR:
        return rough
    return distance_outside(f, u, v)


@rule
def frame_x(s, f, x, y):
    """Abscissa of a point of the base plate in the frame of floor f."""
    i = s.rotation[f]
    return (x - s.floor_x[f]) * TURN[i, 0] + (y - s.floor_y[f]) * TURN[i, 1]


@rule
def frame_y(s, f, x, y):
    """Ordinate of a point of the base plate in the frame of floor f."""
    i = s.rotation[f]
    return (y - s.floor_y[f]) * TURN[i, 0] - (x - s.floor_x[f]) * TURN[i, 1]


@rule
def is_deep(s, c):
    """Whether the axis of a column lies so deep under the floor above that the hook is used (PAL-066)."""
    f = s.level[c]
    u = frame_x(s, f, s.x[c], s.y[c])
    v = frame_y(s, f, s.x[c], s.y[c])
    if rough_distance(f, u, v, HOOK_DEPTH) > MAP_ERROR - MAP_MOST:
        return False
    return -distance_outside(f, u, v) > HOOK_DEPTH


@rule
def cover_of(s, c, f):
    """How floor f covers a column of the level below it (PAL-029)."""
    r = RADIUS[KIND[c]]
    u = frame_x(s, f, s.x[c], s.y[c])
    v = frame_y(s, f, s.x[c], s.y[c])
    distance = reach(f, u, v, r)
    if not rests_on(f, u, v, s.rotation[f], r, distance):
        return Cover.FREE
    return Cover.WHOLLY if distance <= -r else Cover.PARTLY


@rule
def rests_on(f, u, v, i, r, distance):
    """Whether floor f, turned by i, rests on a column of radius r at a point of its frame, so far outside its outline.

    A millimetre of the footprint has to lie under the floor. Of a hexagon the corners reach further than the sides, so
    that at the edge the footprint itself is asked (PAL-029).
    """
    if distance >= r - OVERLAP:
        return False
    return r != RADIUS[MEDIUM] or distance <= SURE or deepest_of_hexagon(f, u, v, i) > OVERLAP


@rule
def touches(f, u, v, i, r, distance):
    """Whether any of a column's footprint lies under a floor: `rests_on`, without the millimetre."""
    if distance >= r:
        return False
    return r != RADIUS[MEDIUM] or distance <= SURE or deepest_of_hexagon(f, u, v, i) > 0.0


@rule
def deepest_of_hexagon(f, u, v, i):
    """How deep a hexagon reaches inside the outline of floor f, turned by i.

    Along a side of the hexagon that is most at an end, or where two sides of the outline are equally far away.
    """
    ring = room_for_ring()
    write_ring(MEDIUM, u, v, i, ring)
    first, some = sides_within(f, u, v)
    most = -UNBOUNDED
    for a in range(CORNERS[MEDIUM]):
        b = a + 1 if a + 1 < CORNERS[MEDIUM] else 0
        most = max(most, -distance_outside(f, ring[a, 0], ring[a, 1]))
        for m in range(some):
            for n in range(m):
                one = first + m if first + m < SIDES[f] else first + m - SIDES[f]
                other = first + n if first + n < SIDES[f] else first + n - SIDES[f]
                before = inset(f, one, ring[a, 0], ring[a, 1]) - inset(f, other, ring[a, 0], ring[a, 1])
                after = inset(f, one, ring[b, 0], ring[b, 1]) - inset(f, other, ring[b, 0], ring[b, 1])
                if (before < 0.0) != (after < 0.0):
                    t = before / (before - after)
                    p = ring[a, 0] + (ring[b, 0] - ring[a, 0]) * t
                    q = ring[a, 1] + (ring[b, 1] - ring[a, 1]) * t
                    most = max(most, -distance_outside(f, p, q))
    return most


@rule
def inset(f, side, u, v):
    """How far a point lies to one side of the line along a side of an outline."""
    return offset(f, side, u, v) * math.sqrt(SIDE[f, side, 4])


@rule
def write_ring(k, u, v, i, ring):
    """The corners of a footprint at a point of the frame of a floor turned by i, counter-clockwise."""
    for n in range(CORNERS[k]):
        ring[n, 0] = u + (AROUND[k, n, 0] * TURN[i, 0] + AROUND[k, n, 1] * TURN[i, 1])
        ring[n, 1] = v + (AROUND[k, n, 1] * TURN[i, 0] - AROUND[k, n, 0] * TURN[i, 1])


# --- corners by number ------------------------------------------------------------------------------


@unchecked_rule
def foot_corner(s, number):
    """Where the corner of a footprint lies."""
    c = COLUMN_OF[number]
    return s.x[c] + FOOT_OF[number, 0], s.y[c] + FOOT_OF[number, 1]


@unchecked_rule
def corner_at(s, f, number):
    """Where the corner of that number lies, of a hull under floor f."""
    if number < RING_CORNERS:
        return foot_corner(s, number)
    if number < OUTLINE_CORNERS:
        u, v = ring_corner(s, f, (number - RING_CORNERS) // MOST_CORNERS, number % MOST_CORNERS)
    elif number < CROSSINGS:
        u = SIDE[f, number - OUTLINE_CORNERS, 0]
        v = SIDE[f, number - OUTLINE_CORNERS, 1]
    else:
        place = (number - CROSSINGS) // MOST_CORNERS
        u, v = crossing(s, f, place // MOST_SIDES, place % MOST_SIDES, (number - CROSSINGS) % MOST_CORNERS)
    return base_x(s, f, u, v), base_y(s, f, u, v)


@rule
def base_x(s, f, u, v):
    """Abscissa of a point of floor f's frame in that of the base plate."""
    return s.floor_x[f] + (u * TURN[s.rotation[f], 0] - v * TURN[s.rotation[f], 1])


@rule
def base_y(s, f, u, v):
    """Ordinate of a point of floor f's frame in that of the base plate."""
    return s.floor_y[f] + (u * TURN[s.rotation[f], 1] + v * TURN[s.rotation[f], 0])


@unchecked_rule
def ring_corner(s, f, c, i):
    """Corner i of a footprint, counter-clockwise, in the frame of floor f."""
    x = AROUND[KIND[c], i, 0]
    y = AROUND[KIND[c], i, 1]
    cosine = TURN[s.rotation[f], 0]
    sine = TURN[s.rotation[f], 1]
    return (
        frame_x(s, f, s.x[c], s.y[c]) + (x * cosine + y * sine),
        frame_y(s, f, s.x[c], s.y[c]) + (y * cosine - x * sine),
    )


@unchecked_rule
def offset(f, side, u, v):
    """On which side of a side of an outline a point lies, and how far, in multiples of its length."""
    return SIDE[f, side, 2] * (v - SIDE[f, side, 1]) - SIDE[f, side, 3] * (u - SIDE[f, side, 0])


@unchecked_rule
def crossing(s, f, c, side, i):
    """Where the side of a footprint that leaves its corner i meets the line through a side of the outline."""
    u, v = ring_corner(s, f, c, i)
    p, q = ring_corner(s, f, c, (i + 1) % CORNERS[KIND[c]])
    before = offset(f, side, u, v)
    t = before / (before - offset(f, side, p, q))
    return u + (p - u) * t, v + (q - v) * t


@unchecked_rule
def place_corners(s, f, numbers, count, corners):
    """Where the corners of a hull under floor f lie."""
    for i in range(count):
        number = int(numbers[i])
        if number < RING_CORNERS:
            corners[0, i], corners[1, i] = foot_corner(s, number)
        else:
            corners[0, i], corners[1, i] = corner_at(s, f, number)


@rule
def owns_corner(s, f, c, number):
    """Whether a corner of the outline, on a hull under floor f, is one of a column: columns keep clear."""
    x, y = corner_at(s, f, number)
    x -= s.x[c]
    y -= s.y[c]
    far = RADIUS[KIND[c]] + NEARLY
    return x * x + y * y < far * far


@unchecked_rule
def mark_owned(s, f, c, numbers, count, marks):
    """Mark the corners of a hull under floor f that are those of a column; returns how many."""
    owned = 0
    for i in range(count):
        number = int(numbers[i])
        if OUTLINE_CORNERS <= number < CROSSINGS:
            is_mine = owns_corner(s, f, c, number)
        else:
            is_mine = is_numbered_for(c, number)
        marks[i] = is_mine
        owned += is_mine
    return owned


@unchecked_rule
def is_numbered_for(c, number):
    """Whether a number is one of a column's: its corners, those seen from the floor above, and its crossings."""
    corner = number - c * MOST_CORNERS
    crossing = number - CROSSINGS - c * (MOST_CORNERS * MOST_SIDES)
    is_corner = ((corner >= 0) & (corner < MOST_CORNERS)) | (
        (corner >= RING_CORNERS) & (corner < RING_CORNERS + MOST_CORNERS)
    )
    return is_corner | ((crossing >= 0) & (crossing < MOST_CORNERS * MOST_SIDES))


# --- contact regions --------------------------------------------------------------------------------


@unchecked_rule
def put_sorted(points, count, x, y, number):
    """Insert a corner into a list sorted by x, then y; returns the new length."""
    i = count
    while i > 0 and (points[i - 1, 0] > x or (points[i - 1, 0] == x and points[i - 1, 1] > y)):
        for j in range(3):
            points[i, j] = points[i - 1, j]
        i -= 1
    points[i, 0] = x
    points[i, 1] = y
    points[i, 2] = number
    return count + 1


@unchecked_rule
def is_behind(way, x, y):
    """Whether a point lies to the right of a way, or nearly so: x, y, run, rise and how far at least, all by length."""
    return way[3] * (x - way[0]) - way[2] * (y - way[1]) > way[4]


@unchecked_rule
def foot_points(s, c, way, points, count):
    """Insert the corners of a footprint behind a way; returns the new length of the list."""
    k = KIND[c]
    for i in range(CORNERS[k]):
        x = s.x[c] + FOOT[k, i, 0]
        y = s.y[c] + FOOT[k, i, 1]
        if is_behind(way, x, y):
            count = put_sorted(points, count, x, y, c * MOST_CORNERS + i)
    return count


@rule
def contact_points(s, c, f, way, points, count):
    """Insert points whose hull is that of footprint and outline together; returns the new length of the list.

    Where a floor covers a column partly these are the corners of the footprint inside the outline, the corners of the
    outline inside the footprint, and the crossings of the two. Those behind the way are inserted alone.
    """
    if s.cover[c] == Cover.WHOLLY:
        return foot_points(s, c, way, points, count)
    k = KIND[c]
    corners = CORNERS[k]
    axis_x = frame_x(s, f, s.x[c], s.y[c])
    axis_y = frame_y(s, f, s.x[c], s.y[c])
    ring = room_for_ring()
    write_ring(k, axis_x, axis_y, s.rotation[f], ring)
    for i in range(corners):
        x, y = base_x(s, f, ring[i, 0], ring[i, 1]), base_y(s, f, ring[i, 0], ring[i, 1])
        if is_behind(way, x, y) and is_inside(f, ring[i, 0], ring[i, 1]):
            count = put_sorted(points, count, x, y, RING_CORNERS + c * MOST_CORNERS + i)
    first, some = sides_within(f, axis_x, axis_y)
    side = int(first)
    for _ in range(some):
        if is_near_side(f, side, axis_x, axis_y, RADIUS[k]):
            u = SIDE[f, side, 0]
            v = SIDE[f, side, 1]
            x, y = base_x(s, f, u, v), base_y(s, f, u, v)
            if is_behind(way, x, y) and is_in_ring(ring, corners, u, v):
                count = put_sorted(points, count, x, y, OUTLINE_CORNERS + side)
            count = put_crossings(s, c, f, side, ring, way, points, count)
        side += 1
        if side == SIDES[f]:
            side = 0
    return count


@rule
def sides_within(f, u, v):
    """A run of sides of an outline, the first and how many, with all that come within a column's radius of a point."""
    i = field_of(u)
    j = field_of(v)
    if i >= 0 and j >= 0 and NEARBY[f, j, i, WITHIN + 1] > 0:
        return int(NEARBY[f, j, i, WITHIN]), int(NEARBY[f, j, i, WITHIN + 1])
    return 0, int(SIDES[f])


@unchecked_rule
def is_near_side(f, side, u, v, r):
    """Whether a side of an outline comes within a radius of a point."""
    x = SIDE[f, side, 0] - u
    y = SIDE[f, side, 1] - v
    run = SIDE[f, side, 2]
    rise = SIDE[f, side, 3]
    t = min(1.0, max(0.0, -(x * run + y * rise) * SIDE[f, side, 4]))
    p = x + run * t
    q = y + rise * t
    return p * p + q * q < r * r


@unchecked_rule
def is_in_ring(ring, corners, u, v):
    """Whether a point lies in a convex polygon, given counter-clockwise."""
    for i in range(corners):
        j = i + 1 if i + 1 < corners else 0
        run = ring[j, 0] - ring[i, 0]
        rise = ring[j, 1] - ring[i, 1]
        if run * (v - ring[i, 1]) - rise * (u - ring[i, 0]) < 0.0:
            return False
    return True


@unchecked_rule
def put_crossings(s, c, f, side, ring, way, points, count):
    """Insert the points behind a way where a side of the outline crosses the footprint of a column."""
    corners = CORNERS[KIND[c]]
    x = SIDE[f, side, 0]
    y = SIDE[f, side, 1]
    run = SIDE[f, side, 2]
    rise = SIDE[f, side, 3]
    after = offset(f, side, ring[0, 0], ring[0, 1])
    for i in range(corners):
        j = i + 1 if i + 1 < corners else 0
        before = after
        after = offset(f, side, ring[j, 0], ring[j, 1])
        if (before < 0.0) != (after < 0.0):
            t = before / (before - after)
            u = ring[i, 0] + (ring[j, 0] - ring[i, 0]) * t
            v = ring[i, 1] + (ring[j, 1] - ring[i, 1]) * t
            along = (u - x) * run + (v - y) * rise
            if along >= 0.0 and along * SIDE[f, side, 4] <= 1.0:
                p, q = base_x(s, f, u, v), base_y(s, f, u, v)
                if is_behind(way, p, q):
                    number = CROSSINGS + (c * MOST_SIDES + side) * MOST_CORNERS + i
                    count = put_sorted(points, count, p, q, number)
    return count


# --- hulls ------------------------------------------------------------------------------------------


@rule
def list_carriers(s, level, skip, least, carriers):
    """The columns of a level that carry the floor above and are covered at least so much, one left out; how many."""
    count = 0
    for c in range(COLUMNS):
        if s.level[c] == level and s.cover[c] >= least and c != skip:
            carriers[count] = c
            count += 1
    return count


@unchecked_rule
def outer_corners(s, carriers, many, points):
    """The corners of footprints that may lie on their hull, sorted; returns how many.

    In each of twelve directions the footprint that reaches furthest is found. A corner in that direction is left out
    if it lies behind that one's corner as seen from every direction for which it could be the outermost of its own
    footprint. Corners within NEARLY of the hull are kept, as if all had been listed.
    """
    far = room_for_far()
    for i in range(MOST_CORNERS):
        far[0, i] = NOWHERE
    for n in range(many):
        c = carriers[n]
        k = KIND[c]
        x = s.x[c]
        y = s.y[c]
        for i in range(MOST_CORNERS):
            out = WAY_X[i] * x + WAY_Y[i] * y + TIP[k, i]
            across = WAY_X[i] * y - WAY_Y[i] * x
            far[2 + 2 * n, i] = out
            far[3 + 2 * n, i] = across
            far[1, i] = across if out > far[0, i] else far[1, i]
            far[0, i] = out if out > far[0, i] else far[0, i]
    count = 0
    for i in range(MOST_CORNERS):
        for n in range(many):
            c = carriers[n]
            k = KIND[c]
            if far[0, i] - far[2 + 2 * n, i] <= abs(far[1, i] - far[3 + 2 * n, i]) * SPREAD[k] + NEARLY:
                corner = CORNER[k, i]
                x = s.x[c] + FOOT[k, corner, 0]
                y = s.y[c] + FOOT[k, corner, 1]
                count = put_sorted(points, count, x, y, c * MOST_CORNERS + corner)
    return count


@unchecked_rule
def turns_left(points, a, b, c):
    """Whether the way from point a over b to c turns left."""
    run = points[b, 0] - points[a, 0]
    rise = points[b, 1] - points[a, 1]
    return run * (points[c, 1] - points[a, 1]) - rise * (points[c, 0] - points[a, 0]) > 0.0


@rule
def leave_out_straightest(points, chain, size):
    """Leave out the corner of a closed chain that lies nearest to a line between its neighbours; returns the length."""
    least = 1e18
    corner = 0
    for i in range(size - 1):
        before = chain[i - 1] if i > 0 else chain[size - 2]
        run = points[chain[i + 1], 0] - points[before, 0]
        rise = points[chain[i + 1], 1] - points[before, 1]
        x = points[chain[i], 0] - points[before, 0]
        y = points[chain[i], 1] - points[before, 1]
        bend = abs(run * y - rise * x) / math.sqrt(run * run + rise * rise)
        if bend < least:
            least = bend
            corner = i
    for i in range(corner, size - 1):
        chain[i] = chain[i + 1]
    chain[size - 2] = chain[0]
    return size - 1


@unchecked_rule
def write_hull(points, count, numbers):
    """The hull of sorted points, as the numbers of its corners; returns how many. Fewer than three are none."""
    if count < 3:
        return 0
    chain = room_for_chain()
    order = room_for_order()
    size = 0
    for n in range(list_side(points, count, 1.0, order)):
        size = lengthen(points, chain, size, 2, order[n])
    lower = size + 1
    for n in range(list_side(points, count, -1.0, order) - 2, -1, -1):
        size = lengthen(points, chain, size, lower, order[n])
    if size < 4:
        return 0
    while size - 1 > numbers.shape[0]:
        size = leave_out_straightest(points, chain, size)
    for i in range(size - 1):
        numbers[i] = int(points[chain[i], 2])
    return size - 1


@unchecked_rule
def list_side(points, count, side, order):
    """Those of sorted points that lie to one side of the way from the first to the last, or nearly so; how many."""
    last = count - 1
    run = side * (points[last, 0] - points[0, 0])
    rise = side * (points[last, 1] - points[0, 1])
    least = -NEARLY * (abs(run) + abs(rise))
    found = 0
    for i in range(count):
        order[found] = i
        found += rise * (points[i, 0] - points[0, 0]) - run * (points[i, 1] - points[0, 1]) >= least
    return found


@unchecked_rule
def lengthen(points, chain, size, least, i):
    """Go on to a point with a chain that turns left everywhere, at least so long before; returns its new length."""
    while size >= least and not turns_left(points, chain[size - 2], chain[size - 1], i):
        size -= 1
    chain[size] = i
    return size + 1


@rule
def build_feet(s, level, skip, numbers):
    """The hull of the feet of the columns of a level that carry the floor above, one left out; returns its size."""
    points = room_for_points()
    carriers = room_for_columns()
    many = list_carriers(s, level, skip, Cover.PARTLY, carriers)
    return write_hull(points, outer_corners(s, carriers, many, points), numbers)


@rule
def build_contacts(s, level, skip, numbers):
    """The hull of the contacts under the floor above a level, one column left out; returns its size."""
    points = room_for_points()
    carriers = room_for_columns()
    many = list_carriers(s, level, skip, Cover.WHOLLY, carriers)
    count = outer_corners(s, carriers, many, points)
    for c in range(COLUMNS):
        if c != skip and s.level[c] == level and s.cover[c] == Cover.PARTLY:
            count = contact_points(s, c, level, ANYWHERE, points, count)
    return write_hull(points, count, numbers)


@rule
def has_partly(s, level, skip):
    """Whether the floor above a level covers a column of it partly, one left out."""
    for c in range(COLUMNS):
        if c != skip and s.level[c] == level and s.cover[c] == Cover.PARTLY:
            return True
    return False


@rule
def build_hulls(s, level, skip, contacts, feet, counts):
    """Both hulls of the columns of a level that carry the floor above, one column left out."""
    counts[FEET] = build_feet(s, level, skip, feet)
    if has_partly(s, level, skip):
        counts[CONTACTS] = build_contacts(s, level, skip, contacts)
    else:
        copy_numbers(feet, counts[FEET], contacts)
        counts[CONTACTS] = counts[FEET]


@rule
def spare_hulls(s, c, contacts, feet, counts):
    """Both hulls of a column's level without it."""
    level = s.level[c]
    counts[FEET] = spare_hull(s, c, FEET, s.feet[level], s.edges[level, FEET], feet)
    if has_partly(s, level, c):
        counts[CONTACTS] = spare_hull(s, c, CONTACTS, s.contacts[level], s.edges[level, CONTACTS], contacts)
    else:
        copy_numbers(feet, counts[FEET], contacts)
        counts[CONTACTS] = counts[FEET]


@rule
def spare_hull(s, c, h, numbers, count, target):
    """A hull without a column; returns its size. It stays as it is where no corner of the column lies on it."""
    level = s.level[c]
    marks = room_for_marks()
    owned = mark_owned(s, level, c, numbers, count, marks)
    if owned == 0:
        copy_numbers(numbers, count, target)
        return int(count)
    if count - owned < 3:
        return build_feet(s, level, c, target) if h == FEET else build_contacts(s, level, c, target)
    return mend_hull(s, c, h, numbers, count, marks, target)


@rule
def mend_hull(s, c, h, numbers, count, marks, target):
    """A hull without the corners of a column, marked: the others stay, gaps are closed by what lies behind them."""
    corners = room_for_corners()
    place_corners(s, s.level[c], numbers, count, corners)
    points = room_for_points()
    found = list_kept(corners, numbers, count, marks, points)
    for i in range(count):
        before = i - 1 if i > 0 else count - 1
        if marks[before] and not marks[i]:
            while marks[before]:
                before = before - 1 if before > 0 else count - 1
            found = put_behind(
                s, c, h, corners[0, before], corners[1, before], corners[0, i], corners[1, i], points, found
            )
    return write_hull(points, found, target)


@unchecked_rule
def list_kept(corners, numbers, count, marks, points):
    """The corners of a hull that are not marked, sorted; returns how many.

    The hull leads from its first point in that order to the last one and back, so its two ends are compared.
    """
    low = 0
    high = count - 1
    found = 0
    for _ in range(count):
        x, y, p, q = corners[0, low], corners[1, low], corners[0, high], corners[1, high]
        is_low = (x < p) | ((x == p) & (y <= q))
        points[found, 0] = x if is_low else p
        points[found, 1] = y if is_low else q
        i = low if is_low else high
        points[found, 2] = numbers[i]
        found += not marks[i]
        low += is_low
        high -= not is_low
    return found


@rule
def put_behind(s, c, h, x, y, p, q, points, count):
    """Insert what other columns have to the right of the way from one point to another, or nearly so."""
    level = s.level[c]
    run = p - x
    rise = q - y
    length = math.sqrt(run * run + rise * rise)
    way = (x, y, run, rise, -NEARLY * length)
    for other in range(COLUMNS):
        if other != c and s.level[other] == level and s.cover[other] != Cover.FREE:
            out = rise * (s.x[other] - x) - run * (s.y[other] - y)
            if out > -(RADIUS[KIND[other]] + NEARLY) * length:
                if h == FEET:
                    count = foot_points(s, other, way, points, count)
                else:
                    count = contact_points(s, other, level, way, points, count)
    return count


@rule
def copy_numbers(source, count, target):
    """Copy the corners of a hull."""
    for i in range(count):
        target[i] = source[i]


@rule
def same_numbers(one, other, count):
    """Whether two hulls agree in so many corners."""
    for i in range(count):
        if one[i] != other[i]:
            return False
    return True


# --- edges, worked out from corners where buildings are weighed ---------------------------------------------


@unchecked_rule
def write_edges(s, f, numbers, count, edges, here, h):
    """The edges of a hull under floor f."""
    edges[here, h, 0, MOST_CONTACTS] = count
    if count == 0:
        return
    corners = room_for_corners()
    place_corners(s, f, numbers, count, corners)
    corners[0, count] = corners[0, 0]
    corners[1, count] = corners[1, 0]
    write_normals(corners, count, edges, here, h)


@unchecked_rule
def write_normals(corners, count, edges, here, h):
    """Inward normals and offsets of the edges of a closed chain, several at once."""
    for i in range(count):
        x = corners[0, i]
        y = corners[1, i]
        run = corners[0, i + 1] - x
        rise = corners[1, i + 1] - y
        length = math.sqrt(run * run + rise * rise)
        across = -rise / length
        along = run / length
        edges[here, h, 0, i] = across
        edges[here, h, 1, i] = along
        edges[here, h, 2, i] = across * x + along * y


@unchecked_rule
def depth(edges, here, h, x, y):
    """How far a point lies inside a hull; negative outside."""
    count = int(edges[here, h, 0, MOST_CONTACTS])
    if count == 0:
        return -UNBOUNDED
    least = UNBOUNDED
    for i in range(count):
        d = edges[here, h, 0, i] * x + edges[here, h, 1, i] * y - edges[here, h, 2, i]
        least = d if d < least else least
    return least


@rule
def copy_edges(source, i, target, j):
    """Copy the edges of both hulls of a level."""
    for h in range(2):
        copy_hull(source, i, h, target, j, h)


@unchecked_rule
def copy_hull(source, i, g, target, j, h):
    """Copy the edges of a hull."""
    count = int(source[i, g, 0, MOST_CONTACTS])
    target[j, h, 0, MOST_CONTACTS] = count
    for axis in range(3):
        for n in range(count):
            target[j, h, axis, n] = source[i, g, axis, n]


@rule
def write_level(s, f, edges, here):
    """The edges of the hulls under floor f, out of entry `here` of the caches."""
    count = s.edges[here, FEET]
    write_edges(s, f, s.feet[here], count, edges, here, FEET)
    if count == s.edges[here, CONTACTS] and same_numbers(s.contacts[here], s.feet[here], count):
        copy_hull(edges, here, FEET, edges, here, CONTACTS)
    else:
        write_edges(s, f, s.contacts[here], s.edges[here, CONTACTS], edges, here, CONTACTS)


@rule
def write_building(s, edges, first):
    """The edges of all hulls of the building, from that floor up."""
    for k in range(first, s.floors + 1):
        write_level(s, k - 1, edges, k - 1)


@rule
def write_without(s, c, edges):
    """The edges of all hulls of the building without a spared column."""
    gone = NONE if s.cover[c] == Cover.FREE else s.level[c]
    for f in range(s.floors):
        if f != gone:
            write_level(s, f, edges, f)
    write_spare(s, c, edges)


@rule
def write_spare(s, c, edges):
    """The edges of the hulls without a column, if it carries a floor, from the last entry of the caches."""
    if s.cover[c] != Cover.FREE:
        write_level(s, s.level[c], edges, FLOORS)


# --- caches: invalidated where a floor is laid, a column leaves, a column is placed -----------------------


@rule
def cover_columns(s):
    """The top floor has just been laid: which columns carry it, and their hulls."""
    f = s.floors - 1
    for c in range(COLUMNS):
        if s.level[c] == f:
            s.cover[c] = cover_of(s, c, f)


@rule
def floor_laid(s):
    """The top floor has just been laid: which columns carry it, and their hulls."""
    f = s.floors - 1
    cover_columns(s)
    build_hulls(s, f, NONE, s.contacts[f], s.feet[f], s.edges[f])


@rule
def spare_column(s, c):
    """Work out the hulls of a column's level without it: the last entry of the caches."""
    if s.cover[c] != Cover.FREE:
        spare_hulls(s, c, s.contacts[FLOORS], s.feet[FLOORS], s.edges[FLOORS])


@rule
def column_leaves(s, c):
    """A spared column leaves its level: the hulls without it become those of the level."""
    if s.cover[c] != Cover.FREE:
        level = s.level[c]
        copy_numbers(s.contacts[FLOORS], s.edges[FLOORS, CONTACTS], s.contacts[level])
        copy_numbers(s.feet[FLOORS], s.edges[FLOORS, FEET], s.feet[level])
        for h in range(2):
            s.edges[level, h] = s.edges[FLOORS, h]
    s.cover[c] = Cover.FREE


@rule
def keep_hulls(s, here, contacts, feet, counts):
    """Remember an entry of the caches."""
    copy_numbers(s.contacts[here], MOST_CONTACTS, contacts)
    copy_numbers(s.feet[here], MOST_FEET, feet)
    for h in range(2):
        counts[h] = s.edges[here, h]


@rule
def put_hulls(s, here, contacts, feet, counts):
    """Put remembered hulls into the caches."""
    copy_numbers(contacts, MOST_CONTACTS, s.contacts[here])
    copy_numbers(feet, MOST_FEET, s.feet[here])
    for h in range(2):
        s.edges[here, h] = counts[h]


# --- margin and tilt index --------------------------------------------------------------------------


@rule
def weight_of(s, c, real):
    """Weight of a column, with or without its hidden error."""
    return MASS[KIND[c]] * (1.0 + s.excess[c]) if real else MASS[KIND[c]]


@rule
def load(s, skip, real, loads):
    """What stands on each level, one column left out: weight, moments about x, y, height; of its carrying columns."""
    weights = room_for_weights()
    for c in range(COLUMNS):
        weights[0, c] = weight_of(s, c, real)
    if skip != NONE:
        weights[0, skip] = 0.0
    for c in range(COLUMNS):
        weights[1, c] = weights[0, c] * ((s.storey[c] + 0.5) * HEIGHT)
    for k in range(s.floors + 1):
        load_level(s, k, weights, loads)


@unchecked_rule
def load_level(s, k, weights, loads):
    """What stands on one level, as columns of these weights and moments about the height weigh; others count as 0."""
    total = x = y = z = carrying = carrying_x = carrying_y = 0.0
    for c in range(COLUMNS):
        weight, moment = weights[0, c], weights[1, c]
        is_here = s.level[c] == k
        weight = weight if is_here else 0.0
        total += weight
        x += weight * s.x[c]
        y += weight * s.y[c]
        z += moment if is_here else 0.0
        weight = weight if s.cover[c] != Cover.FREE else 0.0
        carrying += weight
        carrying_x += weight * s.x[c]
        carrying_y += weight * s.y[c]
    loads[k, 0], loads[k, 1], loads[k, 2], loads[k, 3] = total, x, y, z
    loads[k, 4], loads[k, 5], loads[k, 6] = carrying, carrying_x, carrying_y


@rule
def balance(s, edges, skip, real, first, noted):
    """Margin and tilt index of the floors from `first` up to the top.

    Column `skip` is left out; the edges of its level without it must be in the last entry. `real` counts the hidden
    errors, `noted` writes down the margin of each floor.
    """
    loads = room_for_loads()
    load(s, skip, real, loads)
    return balance_under(s, edges, loads, skip, real, first, s.floors, noted, -2 * UNBOUNDED)


@rule
def balance_under(s, edges, loads, skip, real, first, last, noted, enough):
    """`balance` of the floors up to `last` under known loads, given up where the tilt index is less than enough."""
    margin = UNBOUNDED
    index = stack_index(s, skip, real) if s.floors == RED else UNBOUNDED
    weight = 0.0
    x = 0.0
    y = 0.0
    z = 0.0
    for k in range(s.floors, first - 1, -1):
        f = k - 1
        mass = FLOOR_MASS[f]
        z += weight * STOREY + mass * (0.5 * THICKNESS) + (loads[k, 0] * THICKNESS + loads[k, 3])
        weight += mass + loads[k, 0]
        x += mass * centre_x(s, f, real) + loads[k, 1]
        y += mass * centre_y(s, f, real) + loads[k, 2]
        if k > last:
            continue
        here = FLOORS if skip != NONE and s.level[skip] == f and s.cover[skip] != Cover.FREE else f
        d = depth(edges, here, CONTACTS, x / weight, y / weight)
        feet = weight + loads[f, 4]
        foot_d = depth(edges, here, FEET, (x + loads[f, 5]) / feet, (y + loads[f, 6]) / feet)
        foot_z = z + (weight + 0.5 * loads[f, 4]) * HEIGHT
        if noted:
            s.margin[f] = d
        margin = min(margin, d)
        index = min(index, min(d * weight / z, foot_d * feet / foot_z))
        if index < enough:
            break
    return margin, index


@rule
def centre_x(s, f, real):
    """Where the weight of a floor acts."""
    if not real:
        return s.floor_x[f]
    i = s.rotation[f]
    return s.floor_x[f] + (s.centre[f, 0] * TURN[i, 0] - s.centre[f, 1] * TURN[i, 1])


@rule
def centre_y(s, f, real):
    """Where the weight of a floor acts."""
    if not real:
        return s.floor_y[f]
    i = s.rotation[f]
    return s.floor_y[f] + (s.centre[f, 0] * TURN[i, 1] + s.centre[f, 1] * TURN[i, 0])


@rule
def is_on_axis(s, a, b):
    """Whether two columns of the red floor stand in one stack."""
    return s.level[a] == RED and s.level[b] == RED and s.x[a] == s.x[b] and s.y[a] == s.y[b]


@rule
def stack_index(s, skip, real):
    """Tilt index of the stacks on the red floor: at the foot of each, and between its columns."""
    index = UNBOUNDED
    for c in range(COLUMNS):
        if s.level[c] != RED or c == skip:
            continue
        radius = INRADIUS[KIND[c]]
        weight = 0.0
        z = 0.0
        count = 0
        for other in range(COLUMNS):
            if other != skip and is_on_axis(s, c, other):
                count += 1
                if s.storey[other] >= s.storey[c]:
                    mass = weight_of(s, other, real)
                    weight += mass
                    z += mass * ((s.storey[other] - s.storey[c] + 0.5) * HEIGHT)
                elif s.storey[other] == s.storey[c] - 1:
                    radius = min(radius, INRADIUS[KIND[other]])
        if count > 1:
            index = min(index, radius * weight / z)
    return index


@rule
def weigh(s, skip, real):
    """Margin and tilt index of the whole building, one spared column left out."""
    edges = room_for_edges()
    if skip == NONE:
        write_building(s, edges, 1)
    else:
        write_without(s, skip, edges)
    return balance(s, edges, skip, real, 1, False)


@rule
def weigh_above(s, k):
    """True margin and tilt index of what stands on floor k while that floor is held in the hand."""
    edges = room_for_edges()
    write_building(s, edges, k + 1)
    return balance(s, edges, NONE, True, k + 1, False)


@rule
def note_balance(s):
    """The nominal margins and tilt index, which everybody may work out."""
    edges = room_for_edges()
    write_building(s, edges, 1)
    note_balance_on(s, edges)


@rule
def note_balance_on(s, edges):
    """`note_balance` with edges that are known."""
    for f in range(s.floors, FLOORS):
        s.margin[f] = 0.0
    s.index = balance(s, edges, NONE, False, 1, True)[1]
