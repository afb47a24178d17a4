"""VIVA: illegal plays are caught, in the variant (section 11)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.engine.random import happens
from alarife.games.viva.actions import ACTIONS
from alarife.games.viva.components import HOUSES, NONE, PENALTY_CAUGHT, Phase

from .calling import next_turn
from .settling import settle_play
from .stack import draw_cards

AT = ACTIONS.start


@rule
def call_witnesses(s):
    """Each other active seat notices by chance, clockwise (VIV-118)."""
    s.noticed = 0
    for i in range(1, s.seats):
        q = (s.turn_of + i) % s.seats
        if s.active[q] and happens(s, s.options.bluff_notice_probability):
            s.noticed |= 1 << q
    s.seat = s.turn_of
    ask_next_witness(s)


@rule
def offer_catch(s, moves):
    """D7: catch the illegal play, or let it pass."""
    offer(moves, AT.catch)
    offer(moves, AT.let_pass)


@rule
def ask_next_witness(s):
    """The next seat clockwise that noticed decides; without one the play stands (VIV-119)."""
    for i in range(1, s.seats):
        q = (s.seat + i) % s.seats
        if q == s.turn_of:
            break
        if s.noticed >> q & 1:
            s.noticed &= ~(1 << q)
            s.seat = q
            s.phase = Phase.CATCH
            return
    settle_play(s)


@rule
def take_back(s):
    """Caught: all copies of the play return to the hand, three cards more, and the turn ends (VIV-116, VIV-123)."""
    p = s.turn_of
    for h in range(HOUSES):
        copies = s.placed[h]
        if copies > 0:
            s.hand[p, s.kind] += copies
            s.held[p] += copies
            s.known[p, s.kind] += copies
            s.covered[s.kind] -= copies - 1
            s.height[h] -= copies
            s.top[h] = s.under[h]
            if s.top[h] != NONE:
                s.covered[s.top[h]] -= 1
    s.noticed = 0
    draw_cards(s, p, PENALTY_CAUGHT)
    next_turn(s)
