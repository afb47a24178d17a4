"""Palace of Viana: redraw what a seat cannot know: secret first cards, hands of others, the restriction deck.

The posterior is that of the view. Every card is as likely to have been picked first. Without `buried_cards_visible` the
view remembers no buried card, so each set of cards that may lie under a visible one is as likely as any other of its
size; a Cook never lies there (VIA-120), nor does a card that a honk has just sent back to the hand. With
`buried_cards_visible` hands and restriction deck are known. The bag has no order: tokens are drawn from counts.
"""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.random import below, draw_kind

from .components import CARDS, NONE, Card, Phase
from .rules.cards import pick_first_card


@rule
def resample(s, seat):
    """Redraw in place; what the seat sees stays as it is."""
    for p in range(s.seats):
        if p != seat:
            if s.picked[p] != NONE:
                redraw_first_card(s, p)
            elif s.phase > Phase.FIRST_CARD and not s.options.buried_cards_visible:
                redraw_hand(s, p)
    if s.restriction != NONE and not s.options.buried_cards_visible:
        redraw_restriction_deck(s)


@rule
def redraw_first_card(s, p):
    """Any card may have been picked (VIA-061)."""
    s.hand[p, s.picked[p]] = 1
    s.held[p] += 1
    left = below(s, s.held[p])
    for k in range(CARDS):
        if s.hand[p, k]:
            if left == 0:
                turn = s.seat
                s.seat = p
                pick_first_card(s, k)
                s.seat = turn
                return
            left -= 1


@rule
def redraw_hand(s, p):
    """Choose anew which cards lie under the visible one."""
    buried = CARDS - 1 + s.poet - s.held[p] - 1
    if p == s.turn_of and s.under != NONE:
        buried -= 1
    if buried <= 0:
        return
    candidates = 0
    for k in range(CARDS):
        candidates += 1 if may_be_buried(s, p, k) else 0
    for k in range(CARDS):
        if may_be_buried(s, p, k):
            # Chosen one after another, each with the share of cards still needed: every set is as likely.
            lies_there = below(s, candidates) < buried
            s.hand[p, k] = 0 if lies_there else 1
            buried -= 1 if lies_there else 0
            candidates -= 1


@rule
def may_be_buried(s, p, k):
    """Whether the view leaves open where the card of seat p is."""
    if k == Card.COOK or k == s.top[p] or (k == Card.POET and not s.poet):
        return False
    return p != s.turn_of or (k != s.under and k != s.honked)


@rule
def redraw_restriction_deck(s):
    """Choose anew which restriction cards lie under the visible one; the Cook is in the deck (VIA-175)."""
    buried = -1
    for k in range(CARDS):
        buried += s.restriction_pile[k]
        s.restriction_deck[k] += s.restriction_pile[k]
        s.restriction_pile[k] = 0
    s.restriction_deck[s.restriction] -= 1
    s.restriction_deck[Card.COOK] -= 1
    s.restriction_pile[s.restriction] += 1
    for i in range(buried):
        k = draw_kind(s, s.restriction_deck, s.restriction_deck_size + buried - 1 - i)
        s.restriction_deck[k] -= 1
        s.restriction_pile[k] += 1
    s.restriction_deck[Card.COOK] += 1
