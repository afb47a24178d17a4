"""Palace of Viana: what a seat remembers, all cards that were played.

So it knows every hand but for a secret first card, and which restriction cards are still to come. The option
`buried_cards_visible` shows the same in every view.
"""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.layout import Block, Features, Flags
from alarife.engine.views import write_row

from .components import CARDS, NONE, PLAYERS, RESTRICTION_COPIES
from .observation import show_hand
from .resample import redraw_first_card

FEATURES = Features(
    remembered_hand=Flags((PLAYERS - 1, CARDS), "hands of the seats after me, from the cards that they played"),
    remembered_deck=Block(CARDS, "restriction cards still to come, in halves", scale=1 / RESTRICTION_COPIES),
)
AT = FEATURES.start


@rule
def observe(s, seat, view):
    """What the seat remembers."""
    for i in range(1, s.seats):
        show_hand(s, (seat + i) % s.seats, AT.remembered_hand + (i - 1) * CARDS, view)
    if s.seats == 2:
        write_row(view, AT.remembered_deck, s.restriction_deck)


@rule
def recall(s, seat):
    """Secret first cards are all that is unknown."""
    for p in range(s.seats):
        if p != seat and s.picked[p] != NONE:
            redraw_first_card(s, p)


@rule
def agrees(s, seat):
    """Hands and decks are what is remembered: the record keeps no second account of them."""
