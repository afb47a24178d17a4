"""Patios: purchases at the end of a round (PAT-147)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.games.patios.actions import ACTIONS
from alarife.games.patios.components import CANE, COINS_PER_PURCHASE, Phase, Todo

from .cards import take_from_sample
from .cells import offer_each, present
from .hand import take_flower
from .patio import has_room
from .seats import seat_of

AT = ACTIONS.start


@rule
def next_buyer(s):
    """In order each may buy as long as he can pay and there is a pot or a balcony."""
    while s.step < s.seats:
        p = seat_of(s, s.step)
        if s.coins[p] >= COINS_PER_PURCHASE and has_room(s, p) and s.sampled > s.sample[CANE]:
            s.seat = p
            s.phase = Phase.BUY
            return
        s.step += 1
    s.step = 0
    s.todo = Todo.BEGIN_ROUND


@rule
def offer_purchases(s, moves):
    """Pots and balconies of the sample; or nothing."""
    offer_each(moves, AT.kind, present(s.sample) & ~(1 << CANE))
    offer(moves, AT.done)


@rule
def buy(s, k):
    """Two coins to the reserve, and the card beautiful into the patio."""
    p = int(s.seat)
    s.coins[p] -= COINS_PER_PURCHASE
    s.reserve += COINS_PER_PURCHASE
    take_from_sample(s, k)
    take_flower(s, p, k, 1, 1, Todo.NEXT_BUYER)


@rule
def buy_no_more(s):
    """The next seat may buy."""
    s.step += 1
    s.todo = Todo.NEXT_BUYER
