"""VIVA: stack, discard, and the cards of a hand (section 9)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.random import draw_kind
from alarife.games.viva.components import HOUSES, KINDS, NONE
from alarife.games.viva.memory import lay_open, lose, take_in


@rule
def refill_stack(s):
    """The discard becomes the stack; failing that, the covered cards of the houses (VIV-091, VIV-092)."""
    if s.seats == 2:
        lay_open(s)
    for k in range(KINDS):
        s.stack[k] = s.discard[k]
        s.stack_size += s.discard[k]
        s.discard[k] = 0
    if s.stack_size > 0:
        return
    for k in range(KINDS):
        s.stack[k] = s.covered[k]
        s.stack_size += s.covered[k]
        s.covered[k] = 0
    for h in range(HOUSES):
        s.height[h] = min(1, s.height[h])


@rule
def card_can_be_had(s):
    """Whether the stack, refilled if need be, holds a card (VIV-093)."""
    if s.stack_size == 0:
        refill_stack(s)
    return s.stack_size > 0


@rule
def take_from_stack(s):
    """The top card of the stack, or NONE."""
    if not card_can_be_had(s):
        return NONE
    k = draw_kind(s, s.stack, s.stack_size)
    s.stack[k] -= 1
    s.stack_size -= 1
    return k


@rule
def draw_card(s, p):
    """Seat p takes a card; returns its kind, or NONE."""
    k = take_from_stack(s)
    if k != NONE:
        s.hand[p, k] += 1
        s.held[p] += 1
        take_in(s, p)
    return k


@rule
def draw_cards(s, p, count):
    """Seat p takes cards, as far as there are any (VIV-093)."""
    for _ in range(count):
        draw_card(s, p)


@rule
def give_up(s, p, k):
    """A card leaves the hand of seat p."""
    s.hand[p, k] -= 1
    s.held[p] -= 1
    lose(s, p, k)


@rule
def to_discard(s, k):
    """A card, if there is one, goes out of play (VIV-090)."""
    if k != NONE:
        s.discard[k] += 1


@rule
def clear_table(s):
    """Houses and general blocking card go to the discard (VIV-064, VIV-080)."""
    for h in range(HOUSES):
        to_discard(s, s.top[h])
        s.top[h] = NONE
        s.height[h] = 0
        s.placed[h] = 0
    for k in range(KINDS):
        s.discard[k] += s.covered[k]
        s.covered[k] = 0
    to_discard(s, s.general)
    s.general = NONE
