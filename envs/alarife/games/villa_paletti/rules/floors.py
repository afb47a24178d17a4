"""Villa Paletti: a floor is laid (section 7)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.villa_paletti.actions import ACTIONS
from alarife.games.villa_paletti.components import (
    FACTOR_PLACE_FLOOR,
    GRID,
    MIDDLE,
    NONE,
    POSE_PITCH,
    ROTATIONS,
    Phase,
    Todo,
)

from .building import building_changed, top_changed
from .colours import roll_seal
from .end import collapse
from .places import find_poses, find_room, find_turnings, offer_bits, offer_filled
from .statics import balance, floor_laid, room_for_edges, write_building
from .tremor import jolt_fells

AT = ACTIONS.start


@rule
def ask_for_pose(s):
    """The proposer lays the floor; where no pose exists the idea is given up (PAL-103, PAL-105, PAL-109, PAL-110)."""
    s.seat = s.turn_of
    find_turnings(s)
    if s.turnings == 0:
        s.barred[s.turn_of] = 1
        s.todo = Todo.NEXT_TURN
    else:
        s.phase = Phase.ROTATION


@rule
def offer_rotations(s, moves):
    """F1: rotations with a legal pose (PAL-163)."""
    offer_bits(moves, AT.rotation, s.turnings, ROTATIONS)


@rule
def turn_floor(s, i):
    """In which rotation the floor is laid; a row of the pose grid is next."""
    s.pose_turn = i
    find_poses(s, i)
    s.phase = Phase.FLOOR_ROW


@rule
def offer_pose_rows(s, moves):
    """F2: rows with a legal pose (PAL-163)."""
    offer_filled(moves, s.poses)


@rule
def choose_pose_row(s, row):
    """In which row the centre of the floor lies; a cell of it is next."""
    s.row = row
    s.phase = Phase.FLOOR_COLUMN


@rule
def offer_poses(s, moves):
    """F3: the legal poses in the chosen row."""
    offer_bits(moves, AT.cell, s.poses[s.row], GRID)


@rule
def place_floor(s, column):
    """Lay the floor; the jolt acts on the whole building, except before the game (PAL-111, PAL-112)."""
    if s.floors == 0:
        lay_floor(s, s.pose_turn, s.row, column)
        roll_seal(s)
        return
    edges = room_for_edges()
    lay_floor_on(s, s.pose_turn, s.row, column, edges)
    scale = s.options.sigma * FACTOR_PLACE_FLOOR
    margin, index = balance(s, edges, NONE, True, 1, False)
    if margin < 0.0 or jolt_fells(s, index, scale):
        collapse(s)
        return
    s.shaken = scale
    s.todo = Todo.NEXT_TURN


@rule
def lay_floor(s, i, row, column):
    """The next floor lies on the columns of the top level, and becomes the top level."""
    lay_floor_on(s, i, row, column, room_for_edges())


@rule
def lay_floor_on(s, i, row, column, edges):
    """`lay_floor`; the edges of all hulls are worked out on the way."""
    s.rotation[s.floors] = i
    s.floor_x[s.floors] = (column - MIDDLE) * POSE_PITCH
    s.floor_y[s.floors] = (row - MIDDLE) * POSE_PITCH
    s.floors += 1
    s.opened = 0
    floor_laid(s)
    write_building(s, edges, 1)
    building_changed(s, edges, 0.0)
    top_changed(s)
    find_room(s)
