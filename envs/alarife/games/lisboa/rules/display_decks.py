"""The four display decks and H's hand (sections 3, 19)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.lisboa.components import DECKS, FIRST_BROWN, FIRST_RED, HAND_SIZE, NONE, PILE, Step
from alarife.games.lisboa.rules.pending import push, take_any


@rule
def lay_out_decks(s, first):
    """Sort 20 cards from `first` on into the decks and turn up the top cards (LIS-045, LIS-246)."""
    for d in range(DECKS):
        s.deck_size[d] = 0
    for card in range(first, first + DECKS * PILE):
        d = s.tables.card_kind[card]
        s.deck[d, s.deck_size[d]] = card
        s.deck_size[d] += 1
    for d in range(DECKS):
        turn_up(s, d)


@rule
def turn_up(s, deck):
    """The next card of a deck face up; drawing it now is the same as having shuffled before."""
    s.deck_top[deck] = NONE
    if s.deck_size[deck] > 0:
        s.deck_top[deck] = take_any(s, s.deck[deck], s.deck_size[deck])
        s.deck_size[deck] -= 1


@rule
def discard_top(s, deck):
    """The top card of a deck leaves the game."""
    s.card_gone[s.deck_top[deck]] = 1
    turn_up(s, deck)


@rule
def empty_decks(s):
    """How many decks have run out."""
    count = 0
    for d in range(DECKS):
        count += s.deck_top[d] == NONE
    return count


@rule
def add_to_hand(s, card):
    """A card goes to the end of the hand."""
    s.hand[s.hand_size] = card
    s.hand_size += 1


@rule
def draw_choices(s):
    """Decks to draw from, while the hand is short (LIS-056, LIS-057)."""
    bits = 0
    if s.hand_size < HAND_SIZE:
        for d in range(DECKS):
            if s.deck_top[d] != NONE:
                bits |= 1 << d
    return bits


@rule
def draw(s, deck):
    """Take a top card, and go on."""
    add_to_hand(s, s.deck_top[deck])
    turn_up(s, deck)
    push(s, Step.DRAW, 0, 0, 0)


@rule
def fill_year(s, first, count):
    """The cards of a year, ready to be dealt."""
    for i in range(count):
        s.year_cards[i] = first + i
        s.card_gone[first + i] = 0


@rule
def put_year_away(s, count):
    """What is left of a year leaves the game (LIS-044, LIS-245)."""
    for i in range(count):
        s.card_gone[s.year_cards[i]] = 1
        s.year_cards[i] = 0


@rule
def lay_out_period(s):
    """The display of the period that begins."""
    lay_out_decks(s, FIRST_RED if s.period == 1 else FIRST_BROWN)
