"""VIVA: a play stands, and the last card with it (sections 5 and 8)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.viva.components import NONE, Phase, Spot, Todo

from .calling import clear_personal, houses_share_colour, next_turn
from .seats import highest, seat_after, still_in
from .stack import clear_table, give_up, to_discard


@rule
def settle_play(s):
    """The play stands."""
    if s.spot != Spot.HOUSES:
        go_out(s)
    elif houses_share_colour(s):
        s.seat = s.turn_of
        s.phase = Phase.VIVA
    else:
        next_turn(s)


@rule
def go_out(s):
    """The last card of the player whose turn it is is gone: clear the table without penalties (VIV-079 to VIV-082)."""
    p = s.turn_of
    give_up(s, p, s.kind)
    to_discard(s, s.kind)
    clear_table(s)
    leave_round(s, p)
    if still_in(s) > 1:
        s.todo = Todo.INHERIT
    else:
        leave_round(s, seat_after(s, p))
        s.todo = Todo.END_ROUND


@rule
def leave_round(s, p):
    """Seat p takes the next position of the round; its personal card goes (VIV-082, VIV-103)."""
    s.position[p] = highest(s.position) + 1
    s.active[p] = 0
    if s.owner == p:
        clear_personal(s)
        s.owner = NONE
