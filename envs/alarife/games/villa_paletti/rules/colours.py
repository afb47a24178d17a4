"""Villa Paletti: whose colours they are (section 3)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.engine.random import below
from alarife.games.villa_paletti.actions import ACTIONS
from alarife.games.villa_paletti.components import COLOURS, NEUTRAL, NONE, Phase, Todo

AT = ACTIONS.start


@rule
def roll_seal(s):
    """Seat 0 takes the colour that the Seal shows; the others choose (PAL-030, PAL-031)."""
    s.seat_of[below(s, COLOURS)] = 0
    s.taken = 1
    s.seat = 1
    s.phase = Phase.COLOUR


@rule
def offer_colours(s, moves):
    """The colours that nobody has taken."""
    for colour in range(COLOURS):
        if s.seat_of[colour] == NONE:
            offer(moves, AT.colour + colour)


@rule
def chooser(s):
    """Who takes the next colour: two seats alternate, nobody takes the fourth colour of three (PAL-035, PAL-038)."""
    if s.seats == 2:
        return s.taken % 2
    return s.taken if s.taken < s.seats else NEUTRAL


@rule
def take_colour(s, colour):
    """Take a colour; the last one is not chosen. Who took last starts (PAL-031 to PAL-035, PAL-038)."""
    s.seat_of[colour] = chooser(s)
    s.taken += 1
    if s.taken < COLOURS - 1:
        s.seat = chooser(s)
        return
    for last in range(COLOURS):
        if s.seat_of[last] == NONE:
            s.seat_of[last] = chooser(s)
    s.taken = COLOURS
    s.turn_of = s.seats - 2
    s.todo = Todo.NEXT_TURN
