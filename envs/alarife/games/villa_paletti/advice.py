"""Villa Paletti: the scripted player.

It weighs what a column brings, the Seal above all, against the risk of being the one who makes the building collapse.
Risks come from nominal balance, corrected by the readings: the imperfections are as unknown to it as to anybody.
"""

from __future__ import annotations

import numpy as np

from alarife.engine.decisions import best_by, by_phase
from alarife.engine.jit import rule
from alarife.engine.stack_array import stack_array as scratch

from .actions import ACTIONS
from .components import (
    COLOUR,
    COLUMNS,
    CONTEST,
    FACTOR_LIFT,
    FACTOR_PLACE_COLUMN,
    FLOOR_MASS,
    FLOORS,
    GRID,
    HEIGHT,
    KIND,
    MASS,
    MIDDLE,
    MOST_CONTACTS,
    NONE,
    POINTS,
    POSE_PITCH,
    READING_CUTS,
    RED,
    ROTATIONS,
    STOREY,
    THICKNESS,
    UNBOUNDED,
    Act,
    Cover,
    Phase,
    Proof,
    Reading,
)
from .rules.places import (
    bound_poses,
    cell_x,
    cell_y,
    list_top,
    room_for_bounds,
    room_for_poses,
    stack_at,
    stack_height,
    steadiest_pose,
)
from .rules.removing import pull_scale
from .rules.seal import points_of
from .rules.statics import (
    CONTACTS,
    FEET,
    balance,
    balance_under,
    build_hulls,
    column_leaves,
    cover_columns,
    keep_hulls,
    load,
    put_hulls,
    room_for_contacts,
    room_for_edges,
    room_for_feet,
    room_for_loads,
    room_for_sizes,
    spare_column,
    unchecked_rule,
    write_building,
    write_edges,
    write_spare,
)
from .rules.taking import may_take
from .rules.tremor import exp_minus, fall_chance

AT = ACTIONS.start
room_for_gains = scratch(np.float64, COLUMNS)
room_for_moments = scratch(np.float64, COLUMNS, 4)
room_for_walls = scratch(np.float64, 6, 3)

DOUBT = 1.5  # millimetres by which nominal margins are trusted
LEVER = 120.0  # millimetres of margin that one unit of tilt index is worth, about
DREAD = 4.0  # what a collapse costs, in units of the Seal
SEAL = 1.0
POINT = 0.06
LOST_TURN = 0.08
MANY_COLUMNS = 5  # on which a new floor lies well
FEW_COLUMNS = 0.12  # what each missing one costs
NEW_FLOOR = 0.05
LOST_SEAL = 0.6  # a new floor voids the points of the owner
NOTHING = -1e9  # worth less than anything
BEST_INDEX = 0.2  # beyond which a steadier building is worth no more
AWAY = 0.0005  # what it is worth to put a column a cell further from the middle of the floor
ROUNDING = 1e-9
SOME_CELLS = 4  # each fourth row and column: cells that are weighed before the others
WALLS = 6  # that are remembered
SAFE = 0.02  # risk that a demonstration or a penalty may have


# --- risks ------------------------------------------------------------------------------------------


@rule
def static_risk(margin):
    """How likely a building of that nominal margin does not stand."""
    if margin <= 0.0:
        return 1.0
    return 0.5 * exp_minus(min(700.0, 0.5 * (margin / DOUBT) * (margin / DOUBT)))


@rule
def risk_of(margin, index, scale):
    """How likely a building of that nominal balance falls under a jolt."""
    return min(1.0, static_risk(margin) + fall_chance(index, scale))


@rule
def felt_index(s, c, index):
    """A nominal tilt index, moved half way towards what the reading says."""
    reading = s.felt[c]
    if reading == Reading.NOT_FELT:
        return index
    felt = index
    if reading > Reading.FALLS:
        felt = max(felt, READING_CUTS[reading - 2])
    if reading < Reading.FIRM:
        felt = min(felt, READING_CUTS[reading - 1])
    return 0.5 * (index + felt)


@rule
def risk_of_taking(s, edges, c, margin, index):
    """The smaller risk of pulling and lifting, and of going on to place the column, from nominal balance without it."""
    believed = felt_index(s, c, index)
    believed_margin = margin + (believed - index) * LEVER
    risk = risk_of(believed_margin, believed, pull_scale(s, c))
    if s.cover[c] != Cover.FREE:
        risk = min(risk, risk_of_lifting(s, edges, c))
    later = fall_chance(max(believed, 0.0), s.options.sigma * FACTOR_PLACE_COLUMN)
    return min(1.0, risk + later + 0.5 * static_risk(believed_margin))


@rule
def risk_of_lifting(s, edges, c):
    """How likely the jolt of a lift brings down what stands above."""
    balanced = balance(s, edges, NONE, False, s.level[c] + 2, False)
    return fall_chance(balanced[1], s.options.sigma * FACTOR_LIFT)


@rule
def risk_without(s, edges, c):
    """`risk_of_taking` for a column not yet chosen; the caches then hold the hulls without it."""
    spare_column(s, c)
    write_spare(s, c, edges)
    margin, index = balance(s, edges, c, False, 1, False)
    return risk_of_taking(s, edges, c, margin, index)


# --- decisions --------------------------------------------------------------------------------------


@rule
def advise_setup(s, moves):
    """Before the game nobody has an interest."""
    return moves.at[(5 * s.laid + 3) % moves.count]


@rule
def advise_turn(s, moves):
    """What is worth most, the first one among equals; the hulls of columns tried out are put back."""
    contacts, feet, counts = room_for_contacts(), room_for_feet(), room_for_sizes()
    keep_hulls(s, FLOORS, contacts, feet, counts)
    columns = 0
    while columns < moves.count and moves.at[columns] < AT.propose:
        columns += 1
    best, most = best_column(s, moves, columns, worth_of_rest(s, moves, columns))
    for i in range(columns, moves.count):
        value = worth_of_other(s, moves.at[i])
        if value > most:
            best = moves.at[i]
            most = value
    put_hulls(s, FLOORS, contacts, feet, counts)
    return best


@rule
def worth_of_other(s, action):
    """What the proposal, or the end of the turn, is worth."""
    return worth_of_proposal(s) if action == AT.propose else 0.0


@rule
def worth_of_rest(s, moves, first):
    """What the best of the actions from the first on is worth."""
    most = NOTHING
    for i in range(first, moves.count):
        most = max(most, worth_of_other(s, moves.at[i]))
    return most


@rule
def best_column(s, moves, columns, rest):
    """The column that is worth most, and how much: what it brings, less the risk.

    Columns that bring more are weighed first, and those not at all that bring less than the best one, or the rest, is
    worth.
    """
    edges = room_for_edges()
    write_building(s, edges, 1)
    gains = room_for_gains()
    for i in range(columns):
        gains[i] = gain_of(s, moves.at[i] - AT.column)
    best = 0
    most = NOTHING
    for _ in range(columns):
        i = 0
        for j in range(1, columns):
            if gains[j] > gains[i]:
                i = j
        if gains[i] < max(rest, most):
            break
        value = gains[i] - DREAD * risk_without(s, edges, moves.at[i] - AT.column)
        gains[i] = NOTHING
        if value > most or (value == most and i < best):
            best = i
            most = value
    return moves.at[best], most


@rule
def gain_of(s, c):
    """What a column on the top level brings its mover; below the green floor small ones go up first."""
    points = POINTS[KIND[c]]
    p = s.turn_of
    if s.seat_of[COLOUR[c]] != p:
        return 0.0
    if s.floors < CONTEST[s.options.floor_order]:
        return -0.1 * POINT * points
    gain = POINT * points
    if s.owner != p and (not s.opened or points_of(s, p) + points > points_of(s, s.owner)):
        gain += SEAL
    return gain


@rule
def worth_of_proposal(s):
    """A new floor needs a broad base, and takes the points from the owner of the Seal."""
    columns = 0
    for c in range(COLUMNS):
        columns += s.level[c] == s.floors
    value = -NEW_FLOOR - FEW_COLUMNS * max(0, MANY_COLUMNS - columns)
    if s.owner == s.turn_of:
        value -= LOST_SEAL
    return value


@rule
def advise_taking(s, moves):
    """Pull, lift or abort, by the reading."""
    c = s.chosen
    believed = felt_index(s, c, s.spare_index)
    margin = s.spare_margin + (believed - s.spare_index) * LEVER
    pulling = risk_of(margin, believed, pull_scale(s, c))
    later = fall_chance(max(believed, 0.0), s.options.sigma * FACTOR_PLACE_COLUMN)
    best = AT.abort
    most = -LOST_TURN
    if s.act == Act.PENALTY or s.act == Act.DISPROVE:
        gain = 0.0
    else:
        gain = gain_of(s, c)
    if gain - DREAD * (pulling + later) > most:
        best = AT.pull
        most = gain - DREAD * (pulling + later)
    if s.cover[c] != Cover.FREE:
        # a lift that shows the building to fall is aborted: that costs the turn, not the game
        fails = static_risk(margin)
        edges = room_for_edges()
        write_building(s, edges, s.level[c] + 2)
        risk = risk_of_lifting(s, edges, c)
        lifting = (gain - DREAD * later) * (1.0 - fails) - LOST_TURN * fails - DREAD * risk
        if lifting > most:
            best = AT.lift
    return best


@rule
def advise_lifted(s, moves):
    """Take the column, or leave it."""
    return AT.commit if is_worth_committing(s) else AT.abort


@rule
def is_worth_committing(s):
    """Whether the building stands without the column, and would survive placing it."""
    c = s.chosen
    if s.proof[c] == Proof.FALLS:
        return False
    if s.act == Act.PENALTY:
        return True
    believed = max(0.0, felt_index(s, c, s.spare_index))
    gain = 0.0 if s.act == Act.DISPROVE else gain_of(s, c)
    return gain - DREAD * fall_chance(believed, s.options.sigma * FACTOR_PLACE_COLUMN) > -LOST_TURN


# --- others -----------------------------------------------------------------------------------------


@rule
def has_safe_column(s):
    """Whether an objector could demonstrate with a column of little risk."""
    contacts, feet, counts = room_for_contacts(), room_for_feet(), room_for_sizes()
    keep_hulls(s, FLOORS, contacts, feet, counts)
    edges = room_for_edges()
    write_building(s, edges, 1)
    found = False
    for c in range(COLUMNS):
        if may_take(s, c) and risk_without(s, edges, c) < SAFE:
            found = True
            break
    put_hulls(s, FLOORS, contacts, feet, counts)
    return found


@rule
def is_worth_objecting(s):
    """The owner of the Seal defends the floor; others let things pass."""
    return s.owner == s.seat and has_safe_column(s)


@rule
def advise_answer(s, moves):
    """Object, or agree."""
    return AT.object_to if is_worth_objecting(s) else AT.agree


@rule
def advise_safest(s, moves):
    """The column with the smallest risk; a penalty is taken only if it is safe."""
    contacts, feet, counts = room_for_contacts(), room_for_feet(), room_for_sizes()
    keep_hulls(s, FLOORS, contacts, feet, counts)
    edges = room_for_edges()
    write_building(s, edges, 1)
    best = moves.at[moves.count - 1]
    least = SAFE if s.phase == Phase.PENALTY else 2.0
    for i in range(moves.count):
        action = moves.at[i]
        if action < AT.propose:
            risk = risk_without(s, edges, action - AT.column)
            if s.phase == Phase.PENALTY:  # rather one that counts
                risk -= 0.001 * POINTS[KIND[action]] * (s.level[action] == s.floors)
            if risk < least:
                best = action
                least = risk
    put_hulls(s, FLOORS, contacts, feet, counts)
    return best


# --- places -----------------------------------------------------------------------------------------


@rule
def advise_place(s, moves):
    """The cell that leaves the building with the best nominal balance; it is tried out and taken back."""
    c = s.chosen
    level = s.level[c]
    cover = s.cover[c]
    x = s.x[c]
    y = s.y[c]
    contacts, feet, counts = room_for_contacts(), room_for_feet(), room_for_sizes()
    if cover != Cover.FREE:
        keep_hulls(s, level, contacts, feet, counts)
    column_leaves(s, c)
    s.level[c] = NONE
    row, column = best_cell(s, c)
    s.level[c] = level
    s.cover[c] = cover
    s.storey[c] = 0
    s.x[c] = x
    s.y[c] = y
    if cover != Cover.FREE:
        put_hulls(s, level, contacts, feet, counts)
    return AT.row + row if s.phase == Phase.ROW else AT.cell + column


@rule
def best_cell(s, c):
    """The cell that is worth most for a column that has been taken out, the first one among equals: row, column.

    A few cells all over the floor are weighed first. Of the others those alone that may be worth as much: each edge
    over which the building was found to fall first bounds the tilt index of all cells, as a plane does.
    """
    edges = room_for_edges()
    write_building(s, edges, 1)
    loads = room_for_loads()
    load(s, NONE, False, loads)
    moments = room_for_moments()
    place, many = list_moments(s, c, moments)
    walls = room_for_walls()
    found = 0
    best = GRID * GRID
    most = NOTHING
    for step in (SOME_CELLS, 1):
        for row in range(0, GRID, step):
            cells = s.room[KIND[c], row]
            if cells != 0 and (s.phase == Phase.ROW or row == s.row):
                for column in range(0, GRID, step):
                    if cells >> column & 1 and may_be_worth(s, walls, found, row, column, most, best):
                        put_on_cell(s, c, row, column)
                        put_moments(s, c, moments, place)
                        value = worth_of_cell(s, edges, loads, moments, many, row, column, most)
                        if value > most or (value == most and row * GRID + column < best):
                            best = row * GRID + column
                            most = value
                        if s.floors != RED:
                            write_wall(s, c, edges, loads, walls, found % WALLS)
                            found += 1
    return best // GRID, best % GRID


@rule
def away_of(row, column):
    """What a cell is worth for leaving room: those far from the middle of the floor are worth most."""
    return AWAY * (abs(row - MIDDLE) + abs(column - MIDDLE))


@unchecked_rule
def may_be_worth(s, walls, found, row, column, most, best):
    """Whether a cell may be worth more than `most`, or as much and come before the best one so far."""
    away = away_of(row, column)
    if BEST_INDEX + away < most or (BEST_INDEX + away == most and row * GRID + column >= best):
        return False
    x = cell_x(s, column)
    y = cell_y(s, row)
    enough = most - away - 2.0 * ROUNDING
    for n in range(min(found, WALLS)):
        if walls[n, 0] * x + walls[n, 1] * y + walls[n, 2] < enough:
            return False
    return True


@unchecked_rule
def write_wall(s, c, edges, loads, walls, n):
    """The edge over which the building falls first, as a plane: the tilt index over it by the place of column c."""
    least = UNBOUNDED
    weight = 0.0
    x = 0.0
    y = 0.0
    z = 0.0
    moved = MASS[KIND[c]]
    for k in range(s.floors, 0, -1):
        f = k - 1
        mass = FLOOR_MASS[f]
        z += weight * STOREY + mass * (0.5 * THICKNESS) + (loads[k, 0] * THICKNESS + loads[k, 3])
        weight += mass + loads[k, 0]
        x += mass * s.floor_x[f] + loads[k, 1]
        y += mass * s.floor_y[f] + loads[k, 2]
        for h in range(2):
            mine, p, q, high = weight, x, y, z
            if h == FEET:
                mine, p, q = weight + loads[f, 4], x + loads[f, 5], y + loads[f, 6]
                high = z + (weight + 0.5 * loads[f, 4]) * HEIGHT
            for i in range(int(edges[f, h, 0, MOST_CONTACTS])):
                across, along = edges[f, h, 0, i], edges[f, h, 1, i]
                index = (across * p + along * q - edges[f, h, 2, i] * mine) / high
                if index < least:
                    least = index
                    walls[n, 0] = across * moved / high
                    walls[n, 1] = along * moved / high
                    walls[n, 2] = index - walls[n, 0] * s.x[c] - walls[n, 1] * s.y[c]


@rule
def list_moments(s, c, moments):
    """`put_moments` of the columns of the top level, with room for one more: where that is, in order, and how many."""
    place = 0
    many = 0
    for other in range(COLUMNS):
        if other == c:
            place = many
            many += 1
        elif s.level[other] == s.floors:
            put_moments(s, other, moments, many)
            many += 1
    return place, many


@rule
def put_moments(s, c, moments, n):
    """Weight of a column, and its moments about x, y and height."""
    weight = MASS[KIND[c]]
    moments[n, 0] = weight
    moments[n, 1] = weight * s.x[c]
    moments[n, 2] = weight * s.y[c]
    moments[n, 3] = weight * ((s.storey[c] + 0.5) * HEIGHT)


@rule
def put_on_cell(s, c, row, column):
    """The column stands on a cell of the top level, or on the stack there."""
    s.level[c] = NONE
    under = stack_at(s, row, column)
    s.storey[c] = 0 if under == NONE else stack_height(s, under)
    s.level[c] = s.floors
    s.x[c] = cell_x(s, column) if under == NONE else s.x[under]
    s.y[c] = cell_y(s, row) if under == NONE else s.y[under]


@rule
def worth_of_cell(s, edges, loads, moments, many, row, column, most):
    """Tilt index with the column there, and a little for leaving room: cells far from the middle of the floor.

    Floors are weighed from above as long as the cell may be worth more than `most`.
    """
    for i in range(4):
        total = 0.0
        for n in range(many):
            total += moments[n, i]
        loads[s.floors, i] = total
    away = away_of(row, column)
    enough = most - away - ROUNDING
    margin, index = balance_under(s, edges, loads, NONE, False, 1, s.floors, False, enough)
    if index < enough:
        return NOTHING
    return min(index, BEST_INDEX) - 0.5 * static_risk(margin) + away


@rule
def advise_pose(s, moves):
    """Of the best-balanced pose in each rotation, the one that leaves the building with the best nominal balance."""
    scratch = room_for_poses()
    many = list_top(s, scratch)
    bounds = room_for_bounds()
    bound_poses(scratch, many, 0, GRID - 1, bounds)
    if s.phase == Phase.FLOOR_ROW:
        return AT.row + steadiest_pose(s, scratch, many, bounds, s.pose_turn, 0, GRID - 1, NONE)[0]
    if s.phase == Phase.FLOOR_COLUMN:
        return AT.cell + steadiest_pose(s, scratch, many, bounds, s.pose_turn, s.row, s.row, NONE)[1]
    edges = room_for_edges()
    write_building(s, edges, 1)
    best_turn = 0
    most = NOTHING
    pose = NONE
    for i in range(ROTATIONS):
        if s.turnings >> i & 1 and most < BEST_INDEX:
            row, column = steadiest_pose(s, scratch, many, bounds, i, 0, GRID - 1, pose)
            pose = row * GRID + column
            value = worth_of_pose(s, edges, i, row, column, most)
            if value > most:
                best_turn = i
                most = value
    return AT.rotation + best_turn


@rule
def worth_of_pose(s, edges, i, row, column, most):
    """Tilt index of the building with the floor laid there, less the risk; the floor is laid and taken off again.

    NOTHING if that is not more than `most` because of the floors below alone.
    """
    f = s.floors
    s.rotation[f] = i
    s.floor_x[f] = (column - MIDDLE) * POSE_PITCH
    s.floor_y[f] = (row - MIDDLE) * POSE_PITCH
    s.floors += 1
    loads = room_for_loads()
    load(s, NONE, False, loads)
    margin, index = balance_under(s, edges, loads, NONE, False, 1, f, False, -2 * UNBOUNDED)
    value = NOTHING
    if worth_of_balance(margin, index) + ROUNDING > most:
        contacts, feet, counts = room_for_contacts(), room_for_feet(), room_for_sizes()
        cover_columns(s)
        build_hulls(s, f, NONE, contacts, feet, counts)
        write_edges(s, f, contacts, counts[CONTACTS], edges, f, CONTACTS)
        write_edges(s, f, feet, counts[FEET], edges, f, FEET)
        margin, index = balance(s, edges, NONE, False, 1, False)
        value = worth_of_balance(margin, index)
        for c in range(COLUMNS):
            if s.level[c] == f:
                s.cover[c] = Cover.FREE
    s.floors -= 1
    s.rotation[f] = 0
    s.floor_x[f] = 0.0
    s.floor_y[f] = 0.0
    return value


@rule
def worth_of_balance(margin, index):
    """Tilt index of a building, less the risk that it does not stand: BEST_INDEX at most."""
    return min(index, BEST_INDEX) - static_risk(margin)


# --- colours ----------------------------------------------------------------------------------------


@rule
def worth_of_colour(s, action):
    """How many of its columns stand free, the heavy ones counting more."""
    value = 0.0
    for c in range(COLUMNS):
        if COLOUR[c] == action - AT.colour:
            value += (1.0 + POINTS[KIND[c]]) * (1.0 if s.cover[c] == Cover.FREE else 0.4)
    return value


# --- every decision ---------------------------------------------------------------------------------

advise = by_phase({
    Phase.SETUP_ROW: advise_setup,
    Phase.SETUP_COLUMN: advise_setup,
    Phase.COLOUR: best_by(worth_of_colour),
    Phase.TURN: advise_turn,
    Phase.READING: advise_taking,
    Phase.LIFTED: advise_lifted,
    Phase.ROW: advise_place,
    Phase.COLUMN: advise_place,
    Phase.OBJECT: advise_answer,
    Phase.DEMONSTRATE: advise_safest,
    Phase.PENALTY: advise_safest,
    Phase.ROTATION: advise_pose,
    Phase.FLOOR_ROW: advise_pose,
    Phase.FLOOR_COLUMN: advise_pose,
})  # fmt: skip


@rule
def blindfold(s, seat):
    """Wipe out the imperfections: advice goes by nominal balance and by readings."""
    for f in range(FLOORS):
        for axis in range(2):
            s.centre[f, axis] = 0.0
    for c in range(COLUMNS):
        s.excess[c] = 0.0
