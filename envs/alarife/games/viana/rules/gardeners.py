"""Palace of Viana: gardeners and the Poet walk (VIA-087 to VIA-111)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.viana.actions import ACTIONS
from alarife.games.viana.components import PLACEMENTS, STEPS, Card, Phase, Todo

from .palace import can_place, offer_courts, within

AT = ACTIONS.start


@rule
def offer_destinations(s, moves):
    """Courtyards that the pawn reaches with the steps of the card (VIA-087)."""
    offer_courts(within(s, s.pawn[s.seat], STEPS[s.card]), AT.move_pawn, moves)


@rule
def move_pawn(s, c):
    """A gardener may place decorations now, the Poet tells of the people he meets (VIA-096, VIA-103, VIA-111)."""
    s.pawn[s.seat] = c
    if s.card == Card.POET:
        s.score[s.seat] += audience(s, s.seat, c)
        s.todo = Todo.ANNOUNCE
    else:
        s.left = PLACEMENTS[s.card]
        s.phase = Phase.PLACE
        if not can_place(s, s.seat, c):
            s.todo = Todo.ANNOUNCE


@rule
def audience(s, p, c):
    """Other pawns, the Marquise and the Marquis in courtyard c (VIA-111)."""
    count = (1 if s.marquise == c else 0) + (1 if s.marquis == c else 0)
    for q in range(s.seats):
        if q != p and s.pawn[q] == c:
            count += 1
    return count
