"""VIVA: redraw what a seat cannot know, other hands and the stack.

`resample`: the posterior is that of the view, which remembers no earlier plays: every unseen card is equally likely to
lie in each hidden place, except where the decision now due gives something away. A card that seeks its house is as good
as face up, and so is a last card on a blocking card; a seat asked for another copy holds one; a seat thinking about a
card it took took one that it can play; a seat choosing a blocking card holds two types.

`recall` and `infer` deal hands that agree with what everybody remembers of them (memory.py): known cards first, then
the others of a hand from that which has been there for longest, as it may be of the fewest kinds. So all deals to one
other hand that agree are equally likely; among several other hands the shares of such deals differ a little.
"""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.random import below, draw_kind, happens, uniform

from .components import KINDS, NONE, Phase, Spot
from .memory import as_many_as
from .rules.matching import accepts, is_blocked, only_card

MOST_TRIES = 100


@rule
def resample(s, seat):
    """Put the hands of all other seats and the stack together, and deal them out again."""
    deal_unseen(s, seat)
    if s.phase == Phase.BLOCK and s.turn_of != seat:
        for _ in range(MOST_TRIES):
            if has_choice(s, s.turn_of):
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
    shown = give_what_shows(s, s.turn_of) if s.turn_of != seat else 0
    for p in range(s.seats):
        if p != seat:
            for _ in range(s.held[p] - (shown if p == s.turn_of else 0)):
                give(s, p, draw_kind(s, s.stack, s.stack_size))


@rule
def recall(s, seat):
    """As `resample`, in agreement with what everybody remembers of the hands."""
    if not deal_in_agreement(s, seat, s.proven):
        resample(s, seat)


@rule
def infer(s, seat):
    """As `recall`, and as if all others had played as the scripted player does."""
    if not deal_in_agreement(s, seat, s.likely):
        recall(s, seat)


@rule
def deal_in_agreement(s, seat, digits):
    """Deal until all cards find a place and the decision now due is possible; returns False if that never happens."""
    for _ in range(MOST_TRIES):
        if deal_remembered(s, seat, digits) and (s.turn_of == seat or can_decide(s, s.turn_of)):
            if s.phase == Phase.CATCH:
                redraw_witnesses(s, seat)
            return True
    return False


@rule
def can_decide(s, p):
    """Whether seat p can play the card that it took, or has a choice of blocking cards, if that is what is due."""
    if s.phase == Phase.DRAWN:
        return fits_somewhere(s, p, s.drawn)
    return s.phase != Phase.BLOCK or has_choice(s, p)


@rule
def deal_remembered(s, seat, digits):
    """Known cards go back to where they are, the others follow one by one; returns whether there was one each time.

    The next card is always for the hand that can take the fewest of those that are left.
    """
    for p in range(s.seats):
        if p != seat:
            gather_hand(s, p)
    for p in range(s.seats):
        if p != seat:
            for k in range(KINDS):
                for _ in range(min(s.known[p, k], s.stack[k])):
                    give(s, p, k)
    while True:
        choosiest = NONE
        kinds = 0
        fewest = 0
        for p in range(s.seats):
            lacking = 0 if p == seat else cards_lacking(s, p)
            if lacking > 0:
                allowed = as_many_as(digits, p, lacking)  # of all that lack, the first has been there for longest
                count = count_unseen(s, allowed)
                if choosiest == NONE or count < fewest:
                    choosiest = p
                    kinds = allowed
                    fewest = count
        if choosiest == NONE:
            return True
        if fewest == 0:
            return False
        k = draw_among(s, kinds, fewest)
        give(s, choosiest, k)
        if s.phase == Phase.DRAWN and choosiest == s.turn_of:
            s.drawn = k  # in the end the newest


@rule
def cards_lacking(s, p):
    """How many cards of a hand are still to be dealt."""
    count = s.held[p]
    for k in range(KINDS):
        count -= s.hand[p, k]
    return count


@rule
def count_unseen(s, kinds):
    """How many cards of these kinds are left to be dealt."""
    count = 0
    for k in range(KINDS):
        if kinds >> k & 1:
            count += s.stack[k]
    return count


@rule
def draw_among(s, kinds, count):
    """One of the cards of these kinds, of which there are so many."""
    left = below(s, count)
    kind = 0
    while not kinds >> kind & 1 or left >= s.stack[kind]:
        if kinds >> kind & 1:
            left -= s.stack[kind]
        kind += 1
    return kind


@rule
def has_choice(s, p):
    """Whether a hand holds two types, as that of a seat choosing a blocking card does."""
    return s.hand[p, only_card(s, p)] < s.held[p]


@rule
def redraw_witnesses(s, seat):
    """Whether the seats still to be asked noticed the illegal play; each knows only about itself."""
    for i in range(1, s.seats):
        q = (s.seat + i) % s.seats
        if q == s.turn_of:
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
