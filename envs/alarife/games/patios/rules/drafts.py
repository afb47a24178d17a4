"""Patios: what seats remember of the Assistant's last cards (PAT-066, PAT-067, PAT-197).

Whoever has taken one has seen all those that he passed on. Later takers lay theirs dry, and what is left goes to the
discards unseen: so he knows which cards these are together, but not which is where.
"""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.patios.components import CELLS, NONE, PLAYERS, Phase, Todo

from .cards import forget_draft
from .patio import dry_cards


@rule
def place_in_draft(s, seat):
    """As how many-th the seat took one of the Assistant's last cards; a large number if that is forgotten."""
    return (s.caller - seat + s.seats) % s.seats + 1 if s.caller != NONE else PLAYERS + 2


@rule
def is_drafting(s):
    """Whether the Assistant's cards still go round."""
    places = s.phase == Phase.PLACE or s.phase == Phase.CANE
    return s.drafted > 0 and (s.phase == Phase.DRAFT or (places and s.after == Todo.NEXT_DRAFT))


@rule
def has_passed_on(s, seat):
    """Whether the seat has seen the cards that still go round, but not what became of them."""
    return is_drafting(s) and place_in_draft(s, seat) < s.step


@rule
def was_passed(s, seat, p, c):
    """Whether a dry card is one of those that the seat passed on, and has not seen since."""
    if s.lot[p, c] <= place_in_draft(s, seat) or s.seen[p, c] >> seat & 1:
        return False
    return dry_cards(s, p) >> c & 1 == 1


@rule
def went_unseen(s, seat, i):
    """Whether a discarded card is one of those that the seat passed on, and has not seen since."""
    return s.gone[i] != NONE and i + 1 > place_in_draft(s, seat) and s.gone_seen[i] >> seat & 1 == 0


@rule
def is_anywhere(s, seat):
    """Whether a card that the seat passed on still lies dry in a patio."""
    for p in range(s.seats):
        if s.dry[p] != 0:
            for c in range(CELLS):
                if was_passed(s, seat, p, c):
                    return True
    return False


@rule
def settle_draft(s):
    """New cards of the Assistant: of the last ones a seat remembers those that it knows to lie in the discards."""
    for p in range(s.seats):
        if not is_anywhere(s, p):
            for i in range(PLAYERS + 1):
                if went_unseen(s, p, i):
                    s.spent[p, s.gone[i]] += 1
    forget_draft(s)
