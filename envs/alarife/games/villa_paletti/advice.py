"""Villa Paletti: the scripted player.

It weighs what a column brings, the Seal above all, against the risk of being the one who makes the building collapse.
Risks come from nominal balance, corrected by the readings: the imperfections are as unknown to it as to anybody.
"""

from __future__ import annotations

import numpy as np

from alarife.engine.decisions import best_by, by_number
from alarife.engine.jit import rule

from .actions import ACTIONS
from .components import (
    COLOUR,
    COLUMNS,
    CONTEST,
    FACTOR_LIFT,
    FACTOR_PLACE_COLUMN,
    GRID,
    KIND,
    MIDDLE,
    NONE,
    POINTS,
    POSE_PITCH,
    READING_CUTS,
    ROTATIONS,
    Act,
    Cover,
    Phase,
    Proof,
    Reading,
)
from .rules.places import cell_x, cell_y, find_poses, props_for, stack_at, stack_height, steadiness
from .rules.removing import pull_scale
from .rules.seal import points_of
from .rules.statics import (
    balance,
    blank_hulls,
    build_hulls,
    clear_hulls,
    column_leaves,
    floor_laid,
    keep_spare,
    put_spare,
    spare_column,
    weigh,
)
from .rules.taking import may_take
from .rules.tremor import exp_minus, fall_chance

AT = ACTIONS.start

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
def risk_of_taking(s, c, margin, index):
    """The smaller risk of pulling and lifting, and of going on to place the column, from nominal balance without it."""
    believed = felt_index(s, c, index)
    believed_margin = margin + (believed - index) * LEVER
    risk = risk_of(believed_margin, believed, pull_scale(s, c))
    if s.cover[c] != Cover.FREE:
        risk = min(risk, risk_of_lifting(s, c))
    later = fall_chance(max(believed, 0.0), s.options.sigma * FACTOR_PLACE_COLUMN)
    return min(1.0, risk + later + 0.5 * static_risk(believed_margin))


@rule
def risk_of_lifting(s, c):
    """How likely the jolt of a lift brings down what stands above."""
    balanced = balance(s, NONE, False, s.level[c] + 2, False)
    return fall_chance(balanced[1], s.options.sigma * FACTOR_LIFT)


@rule
def risk_without(s, c):
    """`risk_of_taking` for a column not yet chosen."""
    spare_column(s, c)
    margin, index = weigh(s, c, False)
    return risk_of_taking(s, c, margin, index)


# --- decisions --------------------------------------------------------------------------------------


@rule
def advise_setup(s, moves):
    """Before the game nobody has an interest."""
    return moves.at[(5 * s.laid + 3) % moves.count]


@rule
def worth_in_turn(s, action):
    """Of a column, the proposal, or the end of the turn."""
    if action < AT.propose:
        return worth_of_column(s, action - AT.column)
    return worth_of_proposal(s) if action == AT.propose else 0.0


best_in_turn = best_by(worth_in_turn)


@rule
def advise_turn(s, moves):
    """What is worth most; the hulls of columns tried out are put back."""
    contacts, feet, counts = blank_hulls()
    keep_spare(s, contacts, feet, counts)
    best = best_in_turn(s, moves)
    put_spare(s, contacts, feet, counts)
    return best


@rule
def worth_of_column(s, c):
    """What going up with a column is worth: the Seal, points, and the risk."""
    return gain_of(s, c) - DREAD * risk_without(s, c)


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
        lifting = (gain - DREAD * later) * (1.0 - fails) - LOST_TURN * fails - DREAD * risk_of_lifting(s, c)
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
def smallest_risk(s):
    """The smallest risk among the columns that an objector could demonstrate with."""
    contacts, feet, counts = blank_hulls()
    keep_spare(s, contacts, feet, counts)
    least = 1.0
    for c in range(COLUMNS):
        if may_take(s, c):
            least = min(least, risk_without(s, c))
    put_spare(s, contacts, feet, counts)
    return least


@rule
def is_worth_objecting(s):
    """The owner of the Seal defends the floor; others let things pass."""
    return s.owner == s.seat and smallest_risk(s) < SAFE


@rule
def advise_answer(s, moves):
    """Object, or agree."""
    return AT.object_to if is_worth_objecting(s) else AT.agree


@rule
def advise_safest(s, moves):
    """The column with the smallest risk; a penalty is taken only if it is safe."""
    contacts, feet, counts = blank_hulls()
    keep_spare(s, contacts, feet, counts)
    best = moves.at[moves.count - 1]
    least = SAFE if s.phase == Phase.PENALTY else 2.0
    for i in range(moves.count):
        action = moves.at[i]
        if action < AT.propose:
            risk = risk_without(s, action - AT.column)
            if s.phase == Phase.PENALTY:  # rather one that counts
                risk -= 0.001 * POINTS[KIND[action]] * (s.level[action] == s.floors)
            if risk < least:
                best = action
                least = risk
    put_spare(s, contacts, feet, counts)
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
    column_leaves(s, c)
    s.level[c] = s.floors
    best_row = 0
    best_cell = 0
    most = -1e9
    for row in range(GRID):
        if s.phase == Phase.ROW or row == s.row:
            for column in range(GRID):
                if s.room[KIND[c], row] >> column & 1:
                    value = worth_of_cell(s, c, row, column)
                    if value > most:
                        best_row = row
                        best_cell = column
                        most = value
    s.level[c] = level
    s.cover[c] = cover
    s.storey[c] = 0
    s.x[c] = x
    s.y[c] = y
    if cover != Cover.FREE:
        build_hulls(s, level, NONE, s.contacts[level], s.feet[level], s.edges[level])
    return AT.row + best_row if s.phase == Phase.ROW else AT.cell + best_cell


@rule
def worth_of_cell(s, c, row, column):
    """Tilt index with the column there, and a little for leaving room: cells far from the middle of the floor."""
    s.level[c] = NONE
    under = stack_at(s, row, column)
    height = 0 if under == NONE else stack_height(s, under)
    s.level[c] = s.floors
    s.storey[c] = height
    s.x[c] = cell_x(s, column) if under == NONE else s.x[under]
    s.y[c] = cell_y(s, row) if under == NONE else s.y[under]
    margin, index = weigh(s, NONE, False)
    away = abs(row - MIDDLE) + abs(column - MIDDLE)
    return min(index, 0.2) - 0.5 * static_risk(margin) + 0.0005 * away


@rule
def advise_pose(s, moves):
    """Of the best-balanced pose in each rotation, the one that leaves the building with the best nominal balance."""
    kept = np.empty(GRID, np.int64)
    for row in range(GRID):
        kept[row] = s.poses[row]
    best_turn = 0
    best_row = 0
    best_cell = 0
    most = -1e9
    for i in range(ROTATIONS):
        if (s.turnings >> i & 1) if s.phase == Phase.ROTATION else i == s.pose_turn:
            find_poses(s, i)
            row, column = steadiest_pose(s, i)
            value = worth_of_pose(s, i, row, column)
            if value > most:
                best_turn = i
                best_row = row
                best_cell = column
                most = value
    for row in range(GRID):
        s.poses[row] = kept[row]
    if s.phase == Phase.ROTATION:
        return AT.rotation + best_turn
    return AT.row + best_row if s.phase == Phase.FLOOR_ROW else AT.cell + best_cell


@rule
def steadiest_pose(s, i):
    """The pose of a rotation whose floor lies best on its own columns."""
    props = props_for()
    best_row = 0
    best_cell = 0
    most = -1e9
    for row in range(GRID):
        if s.poses[row] != 0 and (s.phase != Phase.FLOOR_COLUMN or row == s.row):
            for column in range(GRID):
                if s.poses[row] >> column & 1:
                    value = steadiness(s, i, row, column, props)
                    if value > most:
                        best_row = row
                        best_cell = column
                        most = value
    return best_row, best_cell


@rule
def worth_of_pose(s, i, row, column):
    """Tilt index of the building with the floor laid there; it is laid and taken off again."""
    f = s.floors
    s.rotation[f] = i
    s.floor_x[f] = (column - MIDDLE) * POSE_PITCH
    s.floor_y[f] = (row - MIDDLE) * POSE_PITCH
    s.floors += 1
    floor_laid(s)
    margin, index = weigh(s, NONE, False)
    s.floors -= 1
    s.rotation[f] = 0
    s.floor_x[f] = 0.0
    s.floor_y[f] = 0.0
    for c in range(COLUMNS):
        if s.level[c] == f:
            s.cover[c] = Cover.FREE
    clear_hulls(s, f)
    return min(index, 0.2) - static_risk(margin)


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

ADVICE = {
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
}
advise_in_phase = by_number(list(ADVICE), list(ADVICE.values()))


@rule
def advise(s, moves):
    """The scripted player's action."""
    if moves.count == 1:
        return moves.at[0]
    return advise_in_phase(s.phase, s, moves)
