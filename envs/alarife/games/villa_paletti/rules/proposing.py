"""Villa Paletti: a new floor is proposed, and the others object (sections 7 and 8)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.games.villa_paletti.actions import ACTIONS
from alarife.games.villa_paletti.components import FLOORS, Act, Phase, Todo

from .places import columns_needed, columns_on_top
from .taking import has_column, offer_columns

AT = ACTIONS.start


@rule
def may_propose(s):
    """Whether the player whose turn it is may propose the next floor (PAL-053, PAL-092, PAL-110, PAL-128)."""
    if s.own_step or s.floors == FLOORS or s.barred[s.turn_of]:
        return False
    return columns_on_top(s) >= columns_needed(s)


@rule
def propose(s):
    """Propose the next floor: the others may object (PAL-090 to PAL-094)."""
    s.passes = 0
    s.proposing = 1
    s.act = Act.DISPROVE
    ask_others(s)


@rule
def ask_others(s):
    """The others answer clockwise, if there is a column to demonstrate with (PAL-093, PAL-094, PAL-120)."""
    s.phase = Phase.OBJECT
    if has_column(s):
        s.seat = s.turn_of
        ask_next(s)
    else:
        no_objection(s)


@rule
def offer_answers(s, moves):
    """O1: object, or agree."""
    offer(moves, AT.object_to)
    offer(moves, AT.agree)


@rule
def ask_next(s):
    """The next of the others answers; after the last one nobody has objected."""
    s.seat = (s.seat + 1) % s.seats
    if s.seat == s.turn_of:
        no_objection(s)


@rule
def no_objection(s):
    """The floor is laid (PAL-105), or the turn goes on with an own column (PAL-120)."""
    s.todo = Todo.FLOOR if s.act == Act.DISPROVE else Todo.OWN_STEP


@rule
def demonstrate(s):
    """The first to object must show it (PAL-095, PAL-096, PAL-121)."""
    s.objector = s.seat
    s.phase = Phase.DEMONSTRATE


@rule
def ask_for_penalty(s):
    """The objector failed: the proposer may take a column of the objector out of the game (PAL-100, PAL-101)."""
    s.seat = s.turn_of
    s.act = Act.PENALTY
    s.phase = Phase.PENALTY
    if not has_column(s):
        s.todo = Todo.FLOOR


@rule
def offer_penalty(s, moves):
    """X1: a column of the objector, or none (PAL-100, PAL-103)."""
    offer_columns(s, moves)
    offer(moves, AT.stop)


@rule
def take_no_penalty(s):
    """The proposer takes no column of the objector, and lays the floor (PAL-103)."""
    s.todo = Todo.FLOOR
