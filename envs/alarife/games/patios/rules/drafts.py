"""Patios: what seats remember of the Assistant's cards (PAT-066, PAT-067, PAT-197).

Whoever has taken one of a lot has seen all those that he passed on. Later takers lay theirs dry, and what is left goes
to the discards unseen: so he knows which cards these are together, but not which is where. The last lot is number 0.
"""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.views import lowest_bit
from alarife.games.patios.components import LOTS, NONE, PLAYERS, SHUFFLED, Phase, Todo

from .cards import see_go
from .patio import dry_cards


@rule
def place_in_draft(s, seat, lot):
    """As how many-th the seat took one of a lot; a large number if that is forgotten."""
    return (s.caller[lot] - seat + s.seats) % s.seats + 1 if s.caller[lot] != NONE else PLAYERS + 2


@rule
def is_drafting(s):
    """Whether the Assistant's cards still go round."""
    places = s.phase == Phase.PLACE or s.phase == Phase.CANE
    return s.drafted > 0 and (s.phase == Phase.DRAFT or (places and s.after == Todo.NEXT_DRAFT))


@rule
def has_passed_on(s, seat):
    """Whether the seat has seen the cards that still go round, but not what became of them."""
    return is_drafting(s) and place_in_draft(s, seat, 0) < s.step


@rule
def lot_of(s, p, c):
    """The lot that a dry card was taken from."""
    return (int(s.lot[p, c]) - 1) // PLAYERS


@rule
def was_passed(s, seat, p, c):
    """Whether a dry card is one of those that the seat passed on, and has not seen since."""
    if s.lot[p, c] == 0 or s.seen[p, c] >> seat & 1:
        return False
    taker = (s.lot[p, c] - 1) % PLAYERS
    return taker + 1 > place_in_draft(s, seat, lot_of(s, p, c)) and dry_cards(s, p) >> c & 1 == 1


@rule
def went_unseen(s, seat, lot, i):
    """Whether a discarded card is one of those that the seat passed on, and has not seen since."""
    return s.gone[lot, i] != NONE and i + 1 > place_in_draft(s, seat, lot) and s.gone_seen[lot, i] >> seat & 1 == 0


@rule
def lots_missed(s):
    """By seat the lots of which a card that it passed on still lies dry in a patio, as bits of a `seat_lot`."""
    missed = 0
    for p in range(s.seats):
        cells = int(s.dry[p])
        while cells:
            c = lowest_bit(cells)
            cells &= cells - 1
            if s.lot[p, c] > 0:
                for seat in range(s.seats):
                    if was_passed(s, seat, p, c):
                        missed |= 1 << seat_lot(seat, lot_of(s, p, c))
    return missed


@rule
def seat_lot(seat, lot):
    """A number for a seat and a lot together."""
    return seat * LOTS + lot


@rule
def begin_draft(s):
    """New cards of the Assistant: they take the place of a lot of which nothing is missed, else of the oldest one."""
    missed = lots_missed(s)
    free = 0
    while free < LOTS - 1 and is_missed(s, missed, free):
        free += 1
    settle(s, missed, free)
    make_room_for_lot(s, free)
    s.caller[0] = NONE
    for i in range(PLAYERS + 1):
        s.gone[0, i] = NONE
        s.gone_seen[0, i] = 0


@rule
def is_missed(s, missed, lot):
    """Whether a seat misses a card of a lot."""
    for seat in range(s.seats):
        if missed >> seat_lot(seat, lot) & 1:
            return True
    return False


@rule
def settle(s, missed, lot):
    """Of a lot that is forgotten, whoever misses nothing in a patio knows what lies in the discards."""
    for p in range(s.seats):
        if missed >> seat_lot(p, lot) & 1 == 0:
            for i in range(PLAYERS + 1):
                if went_unseen(s, p, lot, i) and s.gone_seen[lot, i] & SHUFFLED == 0:
                    see_go(s, p, int(s.gone[lot, i]))


@rule
def make_room_for_lot(s, free):
    """The lots before one that is forgotten become older by one."""
    for p in range(s.seats):
        cells = int(s.dry[p])
        while cells:
            c = lowest_bit(cells)
            cells &= cells - 1
            if s.lot[p, c] > 0 and lot_of(s, p, c) <= free:
                s.lot[p, c] = s.lot[p, c] + PLAYERS if lot_of(s, p, c) < free else 0
    for lot in range(free, 0, -1):
        s.caller[lot] = s.caller[lot - 1]
        for i in range(PLAYERS + 1):
            s.gone[lot, i] = s.gone[lot - 1, i]
            s.gone_seen[lot, i] = s.gone_seen[lot - 1, i]
