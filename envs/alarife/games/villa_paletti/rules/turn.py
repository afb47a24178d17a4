"""Villa Paletti: the table of decisions, and how a turn goes on (sections 4 and 10). Open it first."""

from __future__ import annotations

from alarife.engine.decisions import Decision, Decisions
from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.games.villa_paletti.actions import ACTIONS
from alarife.games.villa_paletti.components import MOST_TODOS, NONE, Act, Phase, Todo

from .colours import offer_colours, take_colour
from .end import end_game
from .floors import (
    ask_for_pose,
    choose_pose_row,
    offer_pose_rows,
    offer_poses,
    offer_rotations,
    place_floor,
    turn_floor,
)
from .places import offer_cells
from .placing import choose_row, offer_rows, place_column
from .proposing import ask_next, demonstrate, may_propose, offer_answers, offer_penalty, propose, take_no_penalty
from .removing import choose_column, commit, give_back, lift, offer_lifted, offer_removal, pull
from .setup import ask_for_column, choose_site_row, clear_table, offer_site_rows, put_down, set_up_at_random
from .taking import has_column, offer_columns
from .tremor import draw_imperfections

AT = ACTIONS.start
PLAYED = 1  # index in Options.setup


@rule
def offer_turn(s, moves):
    """T1: a column, a proposal, or the end of the turn."""
    offer_columns(s, moves)
    if may_propose(s):
        offer(moves, AT.propose)
    if may_stop(s):
        offer(moves, AT.stop)


@rule
def may_stop(s):
    """Three players: after the neutral step, or when it is skipped and no own column offered (PAL-117, PAL-118)."""
    if s.seats != 3:
        return False
    return s.own_step == 1 or (s.act == Act.BUILD and not has_column(s))


@rule
def stop(s):
    """Stop after the neutral step, or pass (PAL-117, PAL-118)."""
    if s.own_step:
        s.todo = Todo.NEXT_TURN
    else:
        pass_turn(s)


DECISIONS = Decisions(
    ACTIONS,
    Decision(Phase.SETUP_ROW, "the row of the building site for the next column", offer_site_rows,
             rules="PAL-025", who="the seats in turn, in a played setup", row=choose_site_row),
    Decision(Phase.SETUP_COLUMN, "the cell of that row", offer_cells,
             rules="PAL-022, PAL-023, PAL-025", who="the seats in turn, in a played setup", cell=put_down),
    Decision(Phase.COLOUR, "the colour to take", offer_colours,
             rules="PAL-031 to 035, PAL-038", who="the seats in turn, from the second on", colour=take_colour),
    Decision(Phase.TURN, "a column, a proposal, or the end of the turn", offer_turn,
             rules="PAL-046 to 055, PAL-092, PAL-115 to 118", column=choose_column, propose=propose, stop=stop),
    Decision(Phase.READING, "to pull the column felt, to lift the floor above it, or to leave it", offer_removal,
             rules="PAL-060 to 068", who="whoever has chosen the column", pull=pull, lift=lift, abort=give_back),
    Decision(Phase.LIFTED, "to take the column from under the lifted floor, or to leave it", offer_lifted,
             rules="PAL-062, PAL-064, PAL-070", who="whoever has chosen the column", abort=give_back, commit=commit),
    Decision(Phase.ROW, "the row of the top level for the column, or to give it back", offer_rows,
             rules="PAL-072, PAL-075 to 082", who="whoever has chosen the column", row=choose_row, abort=give_back),
    Decision(Phase.COLUMN, "the cell of that row", offer_cells,
             rules="PAL-075 to 086", who="whoever has chosen the column", cell=place_column),
    Decision(Phase.OBJECT, "to object, or to agree", offer_answers,
             rules="PAL-093 to 096, PAL-120", who="the others, clockwise", object_to=demonstrate, agree=ask_next),
    Decision(Phase.DEMONSTRATE, "the column to demonstrate with", offer_columns,
             rules="PAL-095, PAL-096, PAL-121", who="whoever has objected", column=choose_column),
    Decision(Phase.PENALTY, "a column of the objector to take out of the game, or none", offer_penalty,
             rules="PAL-100 to 103", who="the proposer", column=choose_column, stop=take_no_penalty),
    Decision(Phase.ROTATION, "how the floor is turned", offer_rotations,
             rules="PAL-105 to 109", who="the proposer; before the game the last seat", rotation=turn_floor),
    Decision(Phase.FLOOR_ROW, "the row for the centre of the floor", offer_pose_rows,
             rules="PAL-105 to 109", who="the proposer; before the game the last seat", row=choose_pose_row),
    Decision(Phase.FLOOR_COLUMN, "the cell of that row", offer_poses,
             rules="PAL-105 to 112", who="the proposer; before the game the last seat", cell=place_floor),
)  # fmt: skip
legal, choose = DECISIONS.legal, DECISIONS.choose


@rule
def reset(s):
    """A base plate with twenty columns and the blue floor, then the choice of colours."""
    clear_table(s)
    draw_imperfections(s)
    if s.options.setup == PLAYED:
        ask_for_column(s)
    else:
        set_up_at_random(s)


@rule
def apply(s, action):
    """Play one legal action."""
    choose(s, action)
    proceed(s)


@rule
def proceed(s):
    """Go on to the next decision."""
    for _ in range(MOST_TODOS):
        if s.todo == Todo.NOTHING:
            return
        todo = s.todo
        s.todo = Todo.NOTHING
        if todo == Todo.NEXT_TURN:
            begin_turn(s, (s.turn_of + 1) % s.seats)
        elif todo == Todo.OWN_STEP:
            begin_own_step(s)
        else:
            ask_for_pose(s)
    assert s.todo == Todo.NOTHING, "the rules go round in a circle"


@rule
def begin_turn(s, p):
    """Seat p is to play, passes, or the game ends (PAL-034, PAL-055, PAL-142, PAL-148)."""
    if s.turns >= s.options.turns:
        s.capped = 1
        end_game(s)
        return
    s.turns += 1
    s.turn_of = p
    s.seat = p
    s.phase = Phase.TURN
    s.objector = NONE
    s.proposing = 0
    s.own_step = 0
    s.act = Act.NEUTRAL
    if s.seats != 3 or not has_column(s):
        s.act = Act.BUILD  # the neutral step is skipped (PAL-118, PAL-127)
    if not has_column(s) and not may_propose(s):
        pass_turn(s)


@rule
def pass_turn(s):
    """Nothing was done; a whole round of that ends the game (PAL-142)."""
    s.passes += 1
    if s.passes >= s.seats:
        end_game(s)
    else:
        s.todo = Todo.NEXT_TURN


@rule
def begin_own_step(s):
    """Three players: the turn goes on with an own column, if one is offered (PAL-117, PAL-123)."""
    s.seat = s.turn_of
    s.objector = NONE
    s.act = Act.BUILD
    s.own_step = 1
    s.phase = Phase.TURN
    if not has_column(s):
        s.todo = Todo.NEXT_TURN
