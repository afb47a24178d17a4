"""VIVA: setup of a match and of its rounds (sections 2 and 10). Ids in brackets are those of RULES.md."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.viva.components import COPIES, HAND_SIZE, HOUSES, KINDS, NONE, PLAYERS, Todo
from alarife.games.viva.memory import forget_hands

from .stack import draw_cards, take_from_stack


@rule
def set_up(s):
    """A new match: nobody has lost a round yet, seat 0 starts (VIV-017, VIV-018)."""
    s.champion = NONE
    s.owner = NONE
    for p in range(s.seats):
        s.active[p] = 1
    deal(s, 0)


@rule
def deal(s, starter):
    """Set up a round for the active seats: hands, general card, then the loser's personal card (VIV-010 to VIV-016)."""
    s.starter = starter
    s.turns = 0
    for k in range(KINDS):
        s.stack[k] = COPIES[s.options.edition]
        s.discard[k] = 0
        s.covered[k] = 0
        for p in range(PLAYERS):
            s.hand[p, k] = 0
    s.stack_size = KINDS * COPIES[s.options.edition]
    for h in range(HOUSES):
        s.top[h] = NONE
        s.height[h] = 0
    for p in range(PLAYERS):
        s.held[p] = 0
        s.position[p] = 0
    forget_hands(s)
    for p in range(s.seats):
        if s.active[p]:
            draw_cards(s, p, HAND_SIZE)
    s.general = take_from_stack(s)
    s.personal = NONE
    if s.owner != NONE:
        s.personal = take_from_stack(s)
    s.todo = Todo.FIRST_TURN
