"""Villa Paletti: a column is placed on the top level (section 6)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.games.villa_paletti.actions import ACTIONS
from alarife.games.villa_paletti.components import FACTOR_PLACE_COLUMN, KIND, NONE, Act, Phase, Todo

from .building import building_changed, top_changed
from .end import collapse
from .places import cell_x, cell_y, offer_filled, room_after, stack_at, stack_height
from .removing import leave_game
from .seal import settle_seal
from .statics import balance, column_leaves, room_for_edges, write_building
from .tremor import jolt_fells

AT = ACTIONS.start


@rule
def offer_rows(s, moves):
    """P1: rows of the top level with a cell for the column, or to give it back (PAL-072, PAL-163)."""
    offer_filled(moves, s.room[KIND[s.chosen]])
    offer(moves, AT.abort)


@rule
def choose_row(s, row):
    """In which row the column is placed; a cell of it is next."""
    s.row = row
    s.phase = Phase.COLUMN


@rule
def place_column(s, column):
    """Put the column on the top level; the jolt acts on the whole building (PAL-075 to PAL-086)."""
    c = s.chosen
    move_up(s, c, column)
    scale = s.options.sigma * FACTOR_PLACE_COLUMN
    edges = room_for_edges()
    write_building(s, edges, 1)
    margin, index = balance(s, edges, NONE, True, 1, False)
    if margin < 0.0 or jolt_fells(s, index, scale):
        collapse(s)
        return
    if s.act == Act.DISPROVE:
        leave_game(s)
        s.todo = Todo.NEXT_TURN
        return
    s.chosen = NONE
    room_after(s, c)
    building_changed(s, edges, scale)
    top_changed(s)
    if s.act == Act.NEUTRAL:
        s.todo = Todo.OWN_STEP
    else:
        if s.act == Act.BUILD:
            settle_seal(s, c)
        s.todo = Todo.NEXT_TURN


@rule
def move_up(s, c, column):
    """The column stands on its cell, or on the stack whose footprint holds the cell's centre (PAL-080)."""
    under = stack_at(s, s.row, column)
    column_leaves(s, c)
    s.level[c] = s.floors
    if under == NONE:
        s.x[c] = cell_x(s, column)
        s.y[c] = cell_y(s, s.row)
    else:
        s.storey[c] = stack_height(s, under)
        s.x[c] = s.x[under]
        s.y[c] = s.y[under]
