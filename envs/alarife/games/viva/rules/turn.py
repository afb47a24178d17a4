"""VIVA: the table of decisions, and how a match goes on from one to the next (section 12). The file to open first."""

from __future__ import annotations

from alarife.engine.decisions import Decision, Decisions
from alarife.engine.jit import rule
from alarife.games.viva.actions import ACTIONS
from alarife.games.viva.components import HOUSES, MOST_TODOS, NONE, Phase, Spot, Todo

from .calling import ask_for_block, call_viva, next_turn, offer_blocks, offer_call, set_block
from .catching import ask_next_witness, offer_catch, take_back
from .end import end_round, stop_round
from .playing import (
    end_play,
    offer_drawn,
    offer_houses,
    offer_more,
    offer_turn,
    place,
    shed_general,
    shed_personal,
    start_play,
    take_card,
)
from .seats import seat_after
from .setup import set_up

DECISIONS = Decisions(
    ACTIONS,
    Decision(Phase.TURN, "a type, a blocking card for the last card, or a card of the stack", offer_turn,
             rules="VIV-040 to 046, VIV-131", play_type=start_play, general_block=shed_general,
             personal_block=shed_personal, draw=take_card),
    Decision(Phase.HOUSE, "the house for the first copy", offer_houses,
             rules="VIV-051 to 055", house=place),
    Decision(Phase.MORE, "a house for another copy, or the end of the play", offer_more,
             rules="VIV-054, VIV-130", house=place, end_play=end_play),
    Decision(Phase.DRAWN, "to play the card just taken, or to keep it", offer_drawn,
             rules="VIV-041 to 045", play_type=start_play, end_play=next_turn),
    Decision(Phase.VIVA, "to call VIVA, or not", offer_call,
             rules="VIV-061 to 070", call_viva=call_viva, decline_viva=next_turn),
    Decision(Phase.BLOCK, "the new general blocking card, out of the hand", offer_blocks,
             rules="VIV-083, VIV-094", who="who called VIVA, or begins without a blocking card",
             choose_block=set_block),
    Decision(Phase.CATCH, "to catch the illegal play, or to let it pass", offer_catch,
             rules="VIV-110 to 124", who="the others in turn, with the option bluff",
             catch=take_back, let_pass=ask_next_witness),
)  # fmt: skip
legal, choose = DECISIONS.legal, DECISIONS.choose


@rule
def reset(s):
    """A new match, up to the first decision."""
    set_up(s)
    proceed(s)


@rule
def apply(s, action):
    """Play one legal action, then go on to the next decision."""
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
        if todo == Todo.FIRST_TURN:
            begin_turn(s, s.starter, False)
        elif todo == Todo.NEXT_TURN:
            begin_turn(s, seat_after(s, s.turn_of), False)
        elif todo == Todo.INHERIT:
            begin_turn(s, seat_after(s, s.turn_of), True)
        else:
            end_round(s)
    assert s.todo == Todo.NOTHING, "the rules go round in a circle"


@rule
def begin_turn(s, p, inherits):
    """Seat p is to play; without a general blocking card p may have to put one down first (VIV-083, VIV-094)."""
    if s.turns >= s.options.max_turns_per_round:
        stop_round(s)
        return
    s.turns += 1
    s.turn_of = p
    s.seat = p
    s.phase = Phase.TURN
    s.kind = NONE
    s.drawn = NONE
    s.illegal = 0
    s.calling = 0
    s.spot = Spot.HOUSES
    for h in range(HOUSES):
        s.placed[h] = 0
        s.under[h] = NONE
    if s.general == NONE and (inherits or s.held[p] > 1):
        ask_for_block(s)
