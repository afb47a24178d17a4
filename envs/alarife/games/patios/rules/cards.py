"""Patios: the flower deck, the discards and the sample (PAT-033, PAT-034)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.random import draw_kind
from alarife.games.patios.components import (
    ANYTHING_TOLD,
    CELLS,
    FIRST_BALCONY,
    FLOWER_CARDS,
    KINDS,
    LOTS,
    MOST_REMEMBERED,
    NONE,
    PLAYERS,
    SAMPLE_SIZE,
    SHUFFLED,
)

from .seats import everybody


@rule
def draw_card(s):
    """The top card of the flower deck, made anew from the discards if need be, or NONE."""
    if s.deck_size == 0:
        for k in range(KINDS):
            s.deck[k] = s.discard[k]
            s.discard[k] = 0
        s.deck_size = s.discard_size
        s.discard_size = 0
        forget_discards(s)
        if s.deck_size == 0:
            return NONE
    k = int(draw_kind(s, s.deck, s.deck_size))
    s.deck[k] -= 1
    s.deck_size -= 1
    return k


@rule
def to_discard(s, k):
    """A flower card goes to the discards, before everybody's eyes."""
    discard_unseen(s, k)
    s.thrown[k] = min(MOST_REMEMBERED, s.thrown[k] + 1)


@rule
def discard_unseen(s, k):
    """A flower card goes to the discards face down."""
    s.discard[k] += 1
    s.discard_size += 1


@rule
def discard_before(s, k, seats):
    """A flower card goes to the discards; some seats, as bits, know it."""
    if seats == everybody(s):
        to_discard(s, k)
        return
    discard_unseen(s, k)
    for p in range(s.seats):
        if seats >> p & 1:
            see_go(s, p, k)


@rule
def see_go(s, p, k):
    """A seat knows of one more card that it lies in the discards, and counts as far as there can be cards."""
    s.spent[p, k] = min(MOST_REMEMBERED, s.spent[p, k] + 1)


@rule
def hint(s, sorts, seats):
    """Of a card that was discarded dry all could tell the sorts, as bits; some seats know it, the others no more."""
    for p in range(s.seats):
        if seats >> p & 1 == 0:
            s.hinted[p, sorts] = min(FLOWER_CARDS, s.hinted[p, sorts] + 1)


@rule
def forget_discards(s):
    """The discards are shuffled: whatever was known of them lies in the deck."""
    for k in range(KINDS):
        s.thrown[k] = 0
        for p in range(s.seats):
            s.spent[p, k] = 0
    for p in range(s.seats):
        for sorts in range(ANYTHING_TOLD):
            s.hinted[p, sorts] = 0
    for lot in range(LOTS):
        for i in range(PLAYERS + 1):
            if s.gone[lot, i] != NONE:
                s.gone_seen[lot, i] |= SHUFFLED


@rule
def forget_drafts(s):
    """Of the Assistant's cards nothing is remembered any more."""
    for p in range(s.seats):
        for c in range(CELLS):
            s.lot[p, c] = 0
    for lot in range(LOTS):
        s.caller[lot] = NONE
        for i in range(PLAYERS + 1):
            s.gone[lot, i] = NONE
            s.gone_seen[lot, i] = 0


@rule
def refill_sample(s):
    """Draw up to the size of the sample, as far as there are cards."""
    for _ in range(s.sampled, SAMPLE_SIZE[s.seats]):
        k = draw_card(s)
        if k == NONE:
            return
        s.sample[k] += 1
        s.sampled += 1


@rule
def renew_sample(s):
    """Discard the sample and deal a new one."""
    for k in range(KINDS):
        s.discard[k] += s.sample[k]
        s.thrown[k] = min(MOST_REMEMBERED, s.thrown[k] + s.sample[k])
        s.sample[k] = 0
    s.discard_size += s.sampled
    s.sampled = 0
    refill_sample(s)


@rule
def take_from_sample(s, k):
    """A card leaves the sample."""
    s.sample[k] -= 1
    s.sampled -= 1


@rule
def balconies_in(cards):
    """How many balconies a pile of cards holds."""
    count = 0
    for k in range(FIRST_BALCONY, KINDS):
        count += cards[k]
    return count
