"""VIVA: redraw what a seat cannot know, other hands and the stack.

The posterior is that of the view, which remembers no earlier plays: every unseen card is equally likely to lie in each
hidden place, except where the decision now due gives something away. A card that seeks its house is as good as face up,
and so is a last card on a blocking card; a seat asked for another copy holds one; a seat thinking about a card it took
took one that it can play; a seat choosing a blocking card holds two types.
"""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.random import draw_kind, happens, uniform

from .components import KINDS, Phase, Spot
from .rules import accepts, is_blocked, only_card

MOST_TRIES = 100


@rule
def resample(s, seat):
    """Put the hands of all other seats and the stack together, and deal them out again."""
    deal_unseen(s, seat)
    if s.phase == Phase.BLOCK and s.actor != seat:
        for _ in range(MOST_TRIES):
            if has_choice(s, s.actor):
                break
            deal_unseen(s, seat)
    if s.phase == Phase.CATCH:
        redraw_witnesses(s, seat)


@rule
def deal_unseen(s, seat):
    """The unseen cards, dealt at random as far as nothing shows."""
    for p in range(s.seats):
        if p != seat:
            gather_hand(s, p)
    shown = give_what_shows(s, s.actor) if s.actor != seat else 0
    for p in range(s.seats):
        if p != seat:
            for _ in range(s.held[p] - (shown if p == s.actor else 0)):
                give(s, p, draw_kind(s, s.stack, s.stack_size))


@rule
def has_choice(s, p):
    """Whether a hand holds two types, as that of a seat choosing a blocking card does."""
    return s.hand[p, only_card(s, p)] < s.held[p]


@rule
def redraw_witnesses(s, seat):
    """Whether the seats still to be asked noticed the illegal play; each knows only about itself."""
    for i in range(1, s.seats):
        q = (s.turn + i) % s.seats
        if q == s.actor:
            return
        if s.active[q] and q != seat:
            s.noticed &= ~(1 << q)
            if happens(s, s.options.bluff_notice_probability):
                s.noticed |= 1 << q


@rule
def gather_hand(s, p):
    """Shuffle a hand into the stack; how many cards it holds is remembered in `held`."""
    for k in range(KINDS):
        s.stack[k] += s.hand[p, k]
        s.stack_size += s.hand[p, k]
        s.hand[p, k] = 0


@rule
def give(s, p, k):
    """A card of that kind from the unseen ones."""
    s.stack[k] -= 1
    s.stack_size -= 1
    s.hand[p, k] += 1


@rule
def give_what_shows(s, p):
    """The cards that the decision now due proves to be in hand; returns how many they are."""
    if s.phase == Phase.DRAWN:
        s.drawn = draw_playable(s, p)
        give(s, p, s.drawn)
        return 1
    if s.phase == Phase.HOUSE or (s.phase == Phase.CATCH and s.spot != Spot.HOUSES):
        give(s, p, s.kind)
        return 1
    if s.phase == Phase.MORE:
        return give_copies(s, p, s.kind)
    return 0


@rule
def draw_playable(s, p):
    """An unseen card, among those that the seat could play after taking them."""
    total = 0
    for k in range(KINDS):
        if fits_somewhere(s, p, k):
            total += s.stack[k]
    left = int(uniform(s) * total)
    for k in range(KINDS):
        if fits_somewhere(s, p, k):
            left -= s.stack[k]
            if left < 0:
                return k
    return s.drawn


@rule
def fits_somewhere(s, p, k):
    """Whether the kind can be played, whatever else is in hand."""
    if s.options.bluff:
        return True
    if is_blocked(s, p, k):
        return False
    return accepts(s, 0, k) or accepts(s, 1, k) or accepts(s, 2, k)


@rule
def give_copies(s, p, k):
    """At least one copy, and a hand around it: the number of copies is hypergeometric, given that it is not 0."""
    copies, hand, unseen = s.stack[k], s.held[p], s.stack_size
    least, most = max(1, hand - (unseen - copies)), min(copies, hand)
    total = 0.0
    weight = 1.0
    for i in range(least, most + 1):
        if i > least:
            weight *= ratio(copies, hand, unseen, i)
        total += weight
    left = uniform(s) * total
    weight = 1.0
    count = least
    while count < most and left >= weight:
        left -= weight
        count += 1
        weight *= ratio(copies, hand, unseen, count)
    for _ in range(count):
        give(s, p, k)
    kept = s.stack[k]  # the rest of the hand holds no further copy
    s.stack_size -= kept
    s.stack[k] = 0
    for _ in range(hand - count):
        give(s, p, draw_kind(s, s.stack, s.stack_size))
    s.stack[k] = kept
    s.stack_size += kept
    return hand


@rule
def ratio(copies, hand, unseen, i):
    """How much likelier i copies are than i - 1, among `hand` cards drawn from `unseen`."""
    return float(copies - i + 1) * (hand - i + 1) / (i * (unseen - copies - hand + i))
