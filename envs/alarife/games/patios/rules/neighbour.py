"""Patios: the Neighbour and the apprentice (section 12)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.engine.random import below
from alarife.games.patios.actions import ACTIONS
from alarife.games.patios.components import IMPROVEMENTS, NONE, Phase, Place, Todo, Window

from .cells import first_of
from .seats import seat_of
from .stock import give_improvement, put_on_top, take_top

AT = ACTIONS.start


@rule
def call_neighbour(s):
    """Two cards and perhaps an apprentice, the last card alone, or one of another player's (PAT-100 to PAT-105)."""
    if s.stock_size >= 2:
        s.offers = 0
        s.step = 1
        s.todo = Todo.NEXT_OFFER
        return
    s.todo = Todo.AFTER_ACTION
    if s.stock_size == 1:
        s.kept = take_top(s)
        give_improvement(s, int(s.kept), int(s.turn_of), 1 << s.turn_of)
        return
    for p in range(s.seats):
        if p != s.turn_of and s.unused[p] > 0:
            s.todo = Todo.NOTHING
            s.seat = s.turn_of
            s.phase = Phase.STEAL
            return


@rule
def next_offer(s):
    """Every other seat with a coin offers it or not; of several one is chosen, a single one is taken (PAT-101)."""
    while s.step < s.seats:
        p = seat_of(s, s.step)
        s.step += 1
        if s.coins[p] > 0:
            s.seat = p
            s.phase = Phase.OFFER
            return
    s.seat = s.turn_of
    if s.offers == 0:
        draw_two(s)
    elif s.offers & (s.offers - 1) == 0:
        take_apprentice(s, first_of(s.offers))
    else:
        s.phase = Phase.APPRENTICE


@rule
def offer_answers(s, moves):
    """No coin, or a coin (PAT-101)."""
    offer(moves, AT.offer)
    offer(moves, AT.offer + 1)


@rule
def answer(s, coin):
    """Offer a coin, or not."""
    if coin:
        s.offers |= 1 << s.seat
    s.todo = Todo.NEXT_OFFER


@rule
def offer_apprentices(s, moves):
    """The seats that offered a coin (PAT-101)."""
    for i in range(1, s.seats):
        if s.offers >> seat_of(s, i) & 1:
            offer(moves, AT.apprentice + i - 1)


@rule
def choose_apprentice(s, i):
    """One of several who offered (PAT-101)."""
    take_apprentice(s, seat_of(s, i + 1))


@rule
def take_apprentice(s, p):
    """The apprentice's coin goes to the active player (PAT-102)."""
    s.apprentice = p
    s.coins[p] -= 1
    s.coins[s.turn_of] += 1
    draw_two(s)


@rule
def draw_two(s):
    """The active player looks at two improvements (PAT-103)."""
    s.offers = 0
    for k in range(2):
        i = take_top(s)
        s.drawn[k] = i
        s.place[i] = Place.DRAWN
        s.informed[i] = 1 << s.turn_of
    s.phase = Phase.KEEP


@rule
def offer_drawn(s, moves):
    """The two improvements drawn, the lower number first."""
    low, high = min(s.drawn[0], s.drawn[1]), max(s.drawn[0], s.drawn[1])
    offer(moves, AT.keep_improvement + low)
    offer(moves, AT.keep_improvement + high)


@rule
def keep(s, i):
    """One is kept, the other goes to the apprentice or back on top (PAT-103)."""
    p = int(s.turn_of)
    other = int(s.drawn[1] if s.drawn[0] == i else s.drawn[0])
    s.drawn[0] = NONE
    s.drawn[1] = NONE
    s.kept = i
    give_improvement(s, i, p, 1 << p)
    if s.apprentice == NONE:
        put_on_top(s, other, 1 << p)
        s.todo = Todo.AFTER_ACTION
        return
    q = int(s.apprentice)
    give_improvement(s, other, q, 1 << p | 1 << q)
    s.passed = other
    s.seat = q
    s.window = Window.APPRENTICE
    s.phase = Phase.APPRENTICE_WINDOW


@rule
def end_apprentice_window(s):
    """The apprentice does not play what he received (PAT-106)."""
    s.todo = Todo.AFTER_ACTION


@rule
def steal(s, i):
    """One of another seat's unused improvements, drawn at random (PAT-105)."""
    p, q = int(s.turn_of), seat_of(s, i + 1)
    left = below(s, s.unused[q])
    taken = NONE
    for j in range(IMPROVEMENTS):
        if s.place[j] == Place.HAND and s.keeper[j] == q:
            if left == 0:
                taken = j
            left -= 1
    several = s.unused[q] > 1
    s.unused[q] -= 1
    for j in range(IMPROVEMENTS):
        if several and s.place[j] == Place.HAND and s.keeper[j] == q:
            s.informed[j] &= 1 << p | 1 << q  # others can no longer tell which card is where
    known = 1 << q if several else int(s.informed[taken])
    s.kept = taken
    give_improvement(s, taken, p, known | 1 << p)
    s.todo = Todo.AFTER_ACTION


@rule
def offer_victims(s, moves):
    """The other seats with an unused improvement."""
    for i in range(1, s.seats):
        if s.unused[seat_of(s, i)] > 0:
            offer(moves, AT.steal_from + i - 1)
