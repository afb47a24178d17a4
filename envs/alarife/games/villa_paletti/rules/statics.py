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

from alarife.engine.jit import rule
from alarife.games.villa_paletti.components import (
    AROUND,
    COLUMNS,
    CORNERS,
    DISTANCE_MAP,
    FLOOR_MASS,
    FLOOR_RADIUS,
    FLOORS,
    FOOT,
    HEIGHT,
    INRADIUS,
    KIND,
    MAP_ERROR,
    MAP_SIZE,
    MAP_STEP,
    MASS,
    MOST_CONTACTS,
    MOST_FEET,
    NONE,
    OVERLAP,
    RADIUS,
    RED,
    SIDE,
    SIDES,
    STOREY,
    THICKNESS,
    TURN,
    UNBOUNDED,
    Cover,
)

MOST_POINTS = 480  # of the contacts of one floor
MOST_CUT = 40  # of one column that a floor covers partly

CONTACTS = 0  # hull of the contact regions below a floor
FEET = 1  # hull of the feet of the columns below it


# --- outlines ---------------------------------------------------------------------------------------


@rule
def is_inside(f, u, v):
    """Whether a point of floor f's frame lies inside its outline."""
    inside = False
    for i in range(SIDES[f]):
        y = SIDE[f, i, 1]
        rise = SIDE[f, i, 3]
        if (y > v) != (y + rise > v) and u < SIDE[f, i, 2] * (v - y) / rise + SIDE[f, i, 0]:
            inside = not inside
    return inside


@rule
def distance_outside(f, u, v):
    """How far a point of floor f's frame lies outside its outline; negative inside."""
    nearest = 1e18
    inside = False
    for i in range(SIDES[f]):
        x = u - SIDE[f, i, 0]
        y = v - SIDE[f, i, 1]
        run = SIDE[f, i, 2]
        rise = SIDE[f, i, 3]
        t = (x * run + y * rise) * SIDE[f, i, 4]
        t = min(1.0, max(0.0, t))
        p = x - run * t
        q = y - rise * t
        nearest = min(nearest, p * p + q * q)
        if (y < 0.0) != (y - rise < 0.0) and x < run * y / rise:
            inside = not inside
    return -math.sqrt(nearest) if inside else math.sqrt(nearest)


@rule
def reach(f, u, v, r):
    """`distance_outside` where a circle of radius r meets the outline; elsewhere a number on the same side of it."""
    far = FLOOR_RADIUS[f] + r
    if u * u + v * v >= far * far:
        return r + 1.0
    i = u / MAP_STEP + MAP_SIZE / 2
    j = v / MAP_STEP + MAP_SIZE / 2
    if 0.0 <= i < MAP_SIZE and 0.0 <= j < MAP_SIZE:
        rough = DISTANCE_MAP[f, int(j), int(i)] * 0.25
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
def depth_under(s, c):
    """How deep the axis of a column lies inside the outline of the floor above; negative outside."""
    f = s.level[c]
    return -distance_outside(f, frame_x(s, f, s.x[c], s.y[c]), frame_y(s, f, s.x[c], s.y[c]))


@rule
def cover_of(s, c, f):
    """How floor f covers a column of the level below it: it rests on it from a millimetre of reach on (PAL-029)."""
    r = RADIUS[KIND[c]]
    distance = reach(f, frame_x(s, f, s.x[c], s.y[c]), frame_y(s, f, s.x[c], s.y[c]), r)
    if distance >= r - OVERLAP:
        return Cover.FREE
    return Cover.WHOLLY if distance <= -r else Cover.PARTLY


# --- contact regions --------------------------------------------------------------------------------


@rule
def put_sorted(points, count, x, y):
    """Insert a point into a list sorted by x, then y; returns the new length."""
    i = count
    while i > 0 and (points[i - 1, 0] > x or (points[i - 1, 0] == x and points[i - 1, 1] > y)):
        points[i, 0] = points[i - 1, 0]
        points[i, 1] = points[i - 1, 1]
        i -= 1
    points[i, 0] = x
    points[i, 1] = y
    return count + 1


@rule
def foot_points(s, c, points):
    """The corners of a footprint, sorted; returns how many."""
    k = KIND[c]
    for i in range(CORNERS[k]):
        points[i, 0] = s.x[c] + FOOT[k, i, 0]
        points[i, 1] = s.y[c] + FOOT[k, i, 1]
    return int(CORNERS[k])


@rule
def contact_points(s, c, f, points):
    """Points whose hull is that of footprint and outline together, sorted; returns how many.

    Where a floor covers a column partly these are the corners of the footprint inside the outline, the corners of the
    outline inside the footprint, and the crossings of the two.
    """
    if s.cover[c] == Cover.WHOLLY:
        return foot_points(s, c, points)
    k = KIND[c]
    corners = CORNERS[k]
    axis_x = frame_x(s, f, s.x[c], s.y[c])
    axis_y = frame_y(s, f, s.x[c], s.y[c])
    cosine = TURN[s.rotation[f], 0]
    sine = TURN[s.rotation[f], 1]
    ring = np.empty((12, 2))  # the footprint in the frame of the floor, counter-clockwise
    for i in range(corners):
        ring[i, 0] = axis_x + (AROUND[k, i, 0] * cosine + AROUND[k, i, 1] * sine)
        ring[i, 1] = axis_y + (AROUND[k, i, 1] * cosine - AROUND[k, i, 0] * sine)
    count = 0
    for i in range(corners):
        if is_inside(f, ring[i, 0], ring[i, 1]):
            count = put_in_base(s, f, ring[i, 0], ring[i, 1], points, count)
    r = RADIUS[k]
    for i in range(SIDES[f]):
        x = SIDE[f, i, 0] - axis_x
        y = SIDE[f, i, 1] - axis_y
        run = SIDE[f, i, 2]
        rise = SIDE[f, i, 3]
        t = min(1.0, max(0.0, -(x * run + y * rise) * SIDE[f, i, 4]))
        p = x + run * t
        q = y + rise * t
        if p * p + q * q < r * r:
            if is_in_ring(ring, corners, SIDE[f, i, 0], SIDE[f, i, 1]):
                count = put_in_base(s, f, SIDE[f, i, 0], SIDE[f, i, 1], points, count)
            count = put_crossings(s, f, i, ring, corners, points, count)
    return count


@rule
def put_in_base(s, f, u, v, points, count):
    """Insert a point of floor f's frame as a point of the base plate."""
    cosine = TURN[s.rotation[f], 0]
    sine = TURN[s.rotation[f], 1]
    x = s.floor_x[f] + (u * cosine - v * sine)
    y = s.floor_y[f] + (u * sine + v * cosine)
    return put_sorted(points, count, x, y)


@rule
def is_in_ring(ring, corners, u, v):
    """Whether a point lies in a convex polygon, given counter-clockwise."""
    for i in range(corners):
        j = (i + 1) % corners
        run = ring[j, 0] - ring[i, 0]
        rise = ring[j, 1] - ring[i, 1]
        if run * (v - ring[i, 1]) - rise * (u - ring[i, 0]) < 0.0:
            return False
    return True


@rule
def put_crossings(s, f, side, ring, corners, points, count):
    """Insert the points where a side of the outline crosses the footprint."""
    x = SIDE[f, side, 0]
    y = SIDE[f, side, 1]
    run = SIDE[f, side, 2]
    rise = SIDE[f, side, 3]
    for i in range(corners):
        j = (i + 1) % corners
        before = run * (ring[i, 1] - y) - rise * (ring[i, 0] - x)
        after = run * (ring[j, 1] - y) - rise * (ring[j, 0] - x)
        if (before < 0.0) != (after < 0.0):
            t = before / (before - after)
            u = ring[i, 0] + (ring[j, 0] - ring[i, 0]) * t
            v = ring[i, 1] + (ring[j, 1] - ring[i, 1]) * t
            along = (u - x) * run + (v - y) * rise
            if along >= 0.0 and along * SIDE[f, side, 4] <= 1.0:
                count = put_in_base(s, f, u, v, points, count)
    return count


# --- hulls ------------------------------------------------------------------------------------------


@rule
def merge(points, count, more, extra):
    """Merge a sorted list of points into another one; returns the new length."""
    i = count - 1
    j = extra - 1
    k = count + extra - 1
    while j >= 0:
        if i >= 0 and (points[i, 0] > more[j, 0] or (points[i, 0] == more[j, 0] and points[i, 1] > more[j, 1])):
            points[k, 0] = points[i, 0]
            points[k, 1] = points[i, 1]
            i -= 1
        else:
            points[k, 0] = more[j, 0]
            points[k, 1] = more[j, 1]
            j -= 1
        k -= 1
    return count + extra


@rule
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


@rule
def write_hull(points, count, edges):
    """The hull of sorted points as edges: inward normal and offset; returns how many. Fewer than three are none."""
    chain = np.empty(2 * MOST_POINTS, np.int32)
    size = 0
    for i in range(count):
        while size >= 2 and not turns_left(points, chain[size - 2], chain[size - 1], i):
            size -= 1
        chain[size] = i
        size += 1
    lower = size + 1
    for step in range(count - 1):
        i = count - 2 - step
        while size >= lower and not turns_left(points, chain[size - 2], chain[size - 1], i):
            size -= 1
        chain[size] = i
        size += 1
    if size < 4:
        return 0
    while size - 1 > edges.shape[0]:
        size = leave_out_straightest(points, chain, size)
    for i in range(size - 1):
        a = chain[i]
        b = chain[i + 1]
        run = points[b, 0] - points[a, 0]
        rise = points[b, 1] - points[a, 1]
        length = math.sqrt(run * run + rise * rise)
        edges[i, 0] = -rise / length
        edges[i, 1] = run / length
        edges[i, 2] = edges[i, 0] * points[a, 0] + edges[i, 1] * points[a, 1]
    return size - 1


@rule
def depth(edges, count, x, y):
    """How far a point lies inside a hull; negative outside."""
    if count == 0:
        return -UNBOUNDED
    least = UNBOUNDED
    for i in range(count):
        least = min(least, edges[i, 0] * x + edges[i, 1] * y - edges[i, 2])
    return least


@rule
def build_hulls(s, level, skip, contacts, feet, counts):
    """Both hulls of the columns of a level that carry the floor above, one column left out."""
    points = np.empty((MOST_POINTS, 2))
    some = np.empty((MOST_CUT, 2))
    partly = False
    count = 0
    for c in range(COLUMNS):
        if c != skip and s.level[c] == level and s.cover[c] != Cover.FREE:
            partly = partly or s.cover[c] == Cover.PARTLY
            count = merge(points, count, some, foot_points(s, c, some))
    counts[FEET] = write_hull(points, count, feet)
    if partly:
        count = 0
        for c in range(COLUMNS):
            if c != skip and s.level[c] == level and s.cover[c] != Cover.FREE:
                count = merge(points, count, some, contact_points(s, c, level, some))
        counts[CONTACTS] = write_hull(points, count, contacts)
    else:
        copy_edges(feet, counts[FEET], contacts)
        counts[CONTACTS] = counts[FEET]


@rule
def blank_hulls():
    """Room for both hulls of a level and their numbers of edges."""
    return np.empty((MOST_CONTACTS, 3)), np.empty((MOST_FEET, 3)), np.zeros(2, np.int64)


@rule
def copy_edges(source, count, target):
    """Copy the edges of a hull."""
    for i in range(count):
        for j in range(3):
            target[i, j] = source[i, j]


@rule
def same_edges(one, other, count):
    """Whether two hulls agree in so many edges."""
    for i in range(count):
        for j in range(3):
            if one[i, j] != other[i, j]:
                return False
    return True


# --- caches: invalidated where a floor is laid, a column leaves, a column is placed -----------------------


@rule
def floor_laid(s):
    """The top floor has just been laid: which columns carry it, and their hulls."""
    f = s.floors - 1
    for c in range(COLUMNS):
        if s.level[c] == f:
            s.cover[c] = cover_of(s, c, f)
    build_hulls(s, f, NONE, s.contacts[f], s.feet[f], s.edges[f])


@rule
def spare_column(s, c):
    """Work out the hulls of a column's level without it: the last entry of the caches."""
    if s.cover[c] != Cover.FREE:
        build_hulls(s, s.level[c], c, s.contacts[FLOORS], s.feet[FLOORS], s.edges[FLOORS])


@rule
def column_leaves(s, c):
    """A spared column leaves its level: the hulls without it become those of the level."""
    if s.cover[c] != Cover.FREE:
        level = s.level[c]
        copy_edges(s.contacts[FLOORS], s.edges[FLOORS, CONTACTS], s.contacts[level])
        copy_edges(s.feet[FLOORS], s.edges[FLOORS, FEET], s.feet[level])
        for h in range(2):
            s.edges[level, h] = s.edges[FLOORS, h]
    s.cover[c] = Cover.FREE


@rule
def keep_spare(s, contacts, feet, counts):
    """Remember the hulls without a column that the caches hold."""
    copy_edges(s.contacts[FLOORS], MOST_CONTACTS, contacts)
    copy_edges(s.feet[FLOORS], MOST_FEET, feet)
    for h in range(2):
        counts[h] = s.edges[FLOORS, h]


@rule
def put_spare(s, contacts, feet, counts):
    """Put remembered hulls into the caches."""
    copy_edges(contacts, MOST_CONTACTS, s.contacts[FLOORS])
    copy_edges(feet, MOST_FEET, s.feet[FLOORS])
    for h in range(2):
        s.edges[FLOORS, h] = counts[h]


@rule
def clear_hulls(s, f):
    """Forget the hulls under a floor that was laid for trial only."""
    for h in range(2):
        s.edges[f, h] = 0
    for axis in range(3):
        for i in range(MOST_CONTACTS):
            s.contacts[f, i, axis] = 0.0
        for i in range(MOST_FEET):
            s.feet[f, i, axis] = 0.0


# --- margin and tilt index --------------------------------------------------------------------------


@rule
def weight_of(s, c, real):
    """Weight of a column, with or without its hidden error."""
    return MASS[KIND[c]] * (1.0 + s.excess[c]) if real else MASS[KIND[c]]


@rule
def balance(s, skip, real, first, noted):
    """Margin and tilt index of the floors from `first` up to the top.

    Column `skip` is left out; its level's hulls without it must be in the caches. `real` counts the hidden errors,
    `noted` writes down the margin of each floor.
    """
    loads = np.zeros((FLOORS + 1, 7))  # of a level: weight, moments about x, y, height; of its carrying columns
    for c in range(COLUMNS):
        level = s.level[c]
        if c != skip and level != NONE:
            weight = weight_of(s, c, real)
            loads[level, 0] += weight
            loads[level, 1] += weight * s.x[c]
            loads[level, 2] += weight * s.y[c]
            loads[level, 3] += weight * ((s.storey[c] + 0.5) * HEIGHT)
            if s.cover[c] != Cover.FREE:
                loads[level, 4] += weight
                loads[level, 5] += weight * s.x[c]
                loads[level, 6] += weight * s.y[c]
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
        here = FLOORS if skip != NONE and s.level[skip] == f and s.cover[skip] != Cover.FREE else f
        d = depth(s.contacts[here], s.edges[here, CONTACTS], x / weight, y / weight)
        feet = weight + loads[f, 4]
        foot_d = depth(s.feet[here], s.edges[here, FEET], (x + loads[f, 5]) / feet, (y + loads[f, 6]) / feet)
        foot_z = z + (weight + 0.5 * loads[f, 4]) * HEIGHT
        if noted:
            s.margin[f] = d
        margin = min(margin, d)
        index = min(index, min(d * weight / z, foot_d * feet / foot_z))
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
    """Margin and tilt index of the whole building, one column left out."""
    return balance(s, skip, real, 1, False)


@rule
def weigh_above(s, k):
    """True margin and tilt index of what stands on floor k while that floor is held in the hand."""
    return balance(s, NONE, True, k + 1, False)


@rule
def note_balance(s):
    """The nominal margins and tilt index, which everybody may work out."""
    for f in range(s.floors, FLOORS):
        s.margin[f] = 0.0
    s.index = balance(s, NONE, False, 1, True)[1]
