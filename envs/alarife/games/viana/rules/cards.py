"""Palace of Viana: first cards, the Main Rule, honks, restriction cards (sections 3, 4, 11 and 12)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.engine.random import below, draw_kind
from alarife.games.viana.actions import ACTIONS
from alarife.games.viana.components import CARDS, HONK_POINTS, MOST_DRAWS, NONE, RESTRICTION_COPIES, Card
from alarife.games.viana.state import HONK_MASK

AT = ACTIONS.start


@rule
def deal_hands(s):
    """Each character once for each player; the Poet if he takes part (VIA-005, VIA-031)."""
    for p in range(s.seats):
        for k in range(CARDS):
            s.hand[p, k] = 1
        s.hand[p, Card.POET] = s.poet
        s.held[p] = CARDS - 1 + s.poet


@rule
def leave_hand(s, p, k):
    """A card leaves the hand of seat p."""
    s.hand[p, k] = 0
    s.held[p] -= 1


@rule
def offer_first_cards(s, moves):
    """Any card in hand (VIA-060)."""
    for k in range(CARDS):
        if s.hand[s.seat, k]:
            offer(moves, AT.play_card + k)


@rule
def pick_first_card(s, k):
    """The seat to decide picks in secret (VIA-060, VIA-061)."""
    leave_hand(s, s.seat, k)
    s.picked[s.seat] = k


@rule
def turn_up_first_cards(s):
    """All together (VIA-060)."""
    for p in range(s.seats):
        s.top[p] = s.picked[p]
        s.picked[p] = NONE


@rule
def is_banned(s, p, k):
    """Whether a character lies on top of another pile or on the restriction pile; never the Cook (VIA-074 to 079)."""
    if k == Card.COOK:
        return False
    if s.restriction == k:
        return True
    for q in range(s.seats):
        if q != p and s.top[q] == k:
            return True
    return False


@rule
def offer_cards(s, moves):
    """Cards in hand; banned ones only where honks are played, and before this turn's honk (VIA-077, VIA-191)."""
    p = s.seat
    all_cards = s.options.honk != HONK_MASK and s.honked == NONE
    for k in range(CARDS):
        if s.hand[p, k] and (all_cards or not is_banned(s, p, k)):
            offer(moves, AT.play_card + k)


@rule
def lay_card(s, k):
    """The active player's card goes on top of the pile (VIA-071, VIA-072)."""
    p = s.turn_of
    leave_hand(s, p, k)
    s.under = s.top[p]
    s.top[p] = k
    s.card = k


@rule
def honk(s, q):
    """Seat q honks: a point for it, and the card returns to the hand (VIA-181, VIA-182)."""
    p = s.turn_of
    s.score[q] += HONK_POINTS
    s.hand[p, s.card] = 1
    s.held[p] += 1
    s.top[p] = s.under
    s.honked = s.card
    s.card = NONE
    s.under = NONE
    s.seat = p


@rule
def draw_honker(s):
    """Any opponent, each as likely (VIA-181)."""
    return (s.turn_of + 1 + below(s, s.seats - 1)) % s.seats


@rule
def stack_restriction_cards(s):
    """Two unused sets of characters without one Cook (VIA-172)."""
    for k in range(CARDS):
        s.restriction_deck[k] = RESTRICTION_COPIES
    s.restriction_deck[Card.COOK] -= 1
    s.restriction_deck[Card.POET] *= s.poet
    for k in range(CARDS):
        s.restriction_deck_size += s.restriction_deck[k]


@rule
def draw_restriction(s):
    """Draw until a card matches no pile; the Cook brings all cards back into the deck (VIA-174, VIA-175)."""
    for _ in range(MOST_DRAWS):
        k = draw_kind(s, s.restriction_deck, s.restriction_deck_size)
        s.restriction_deck[k] -= 1
        s.restriction_deck_size -= 1
        s.restriction_pile[k] += 1
        s.restriction = k
        if k == Card.COOK:
            reshuffle_restriction(s)
        elif k != s.top[0] and k != s.top[1]:
            return
    raise AssertionError("VIA-174: no restriction card can be found")


@rule
def reshuffle_restriction(s):
    """Deck, pile and this Cook become a new deck."""
    s.restriction = NONE
    for k in range(CARDS):
        s.restriction_deck[k] += s.restriction_pile[k]
        s.restriction_deck_size += s.restriction_pile[k]
        s.restriction_pile[k] = 0
