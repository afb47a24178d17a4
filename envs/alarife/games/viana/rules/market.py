"""Palace of Viana: the market, with Coachman and Cook (VIA-112 to VIA-121, section 9)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.engine.random import below, draw_kind
from alarife.games.viana.actions import ACTIONS
from alarife.games.viana.components import (
    CARDS,
    DIE,
    FOUNTAIN,
    KINDS,
    MARKET,
    MARKET_PLACES,
    NONE,
    STAND_SIZE,
    STAND_START,
    STANDS,
    Card,
)

from .palace import finish

AT = ACTIONS.start


@rule
def fill_market(s):
    """The first tokens; a second fountain for a stand goes back into the bag and is drawn anew (VIA-034, VIA-035)."""
    for i in range(STANDS):
        for _ in range(STAND_START[i]):
            others = s.bag_size - s.bag[FOUNTAIN]
            put_on_stand(s, i, draw_kind(s, s.bag, others if s.stand[i, FOUNTAIN] > 0 else s.bag_size))


@rule
def put_on_stand(s, i, k):
    """A token goes from the bag to a stand."""
    s.bag[k] -= 1
    s.bag_size -= 1
    s.stand[i, k] += 1
    s.stand_size[i] += 1


@rule
def is_stand_taken(s, i):
    """Whether a pawn stands on stand i."""
    for p in range(s.seats):
        if s.pawn[p] == MARKET + i:
            return True
    return False


@rule
def offer_stands(s, moves):
    """Stands without a pawn, empty or full (VIA-112)."""
    for i in range(STANDS):
        if not is_stand_taken(s, i):
            offer(moves, AT.stand + i)


@rule
def swap_tokens(s, p, i):
    """Every token of the stand that seat p has an equal of in the common reserve (VIA-113)."""
    for k in range(KINDS):
        count = min(s.stand[i, k], s.common[p, k])
        s.stand[i, k] -= count
        s.stand_size[i] -= count
        s.swapped[k] += count
        s.common[p, k] -= count
        s.personal[p, k] += count


@rule
def drive(s, i):
    """The pawn goes to the stand and stays there (VIA-112 to VIA-114)."""
    s.pawn[s.seat] = MARKET + i
    swap_tokens(s, s.seat, i)
    finish(s)


@rule
def take_pile_back(s, p):
    """The whole pile returns to the hand (VIA-120)."""
    for k in range(CARDS):
        if k != Card.POET or s.poet:
            s.hand[p, k] = 1
    s.held[p] = CARDS - 1 + s.poet
    s.top[p] = NONE


@rule
def restock(s):
    """Roll the die and draw so many tokens, stand after stand; returns 1 if the bag was needed in vain (VIA-145)."""
    pointer = 0
    for _ in range(below(s, DIE) + 1):
        if is_market_full(s):
            return 0
        if s.bag_size == 0:
            return 1
        k = draw_kind(s, s.bag, s.bag_size)
        i = find_stand(s, k, pointer)
        if i == NONE:
            s.bag[k] -= 1
            s.bag_size -= 1
            s.unplaced += 1
        else:
            put_on_stand(s, i, k)
            pointer = (i + 1) % STANDS
    return 0


@rule
def is_market_full(s):
    """Whether all places are taken."""
    count = 0
    for i in range(STANDS):
        count += s.stand_size[i]
    return count == MARKET_PLACES


@rule
def find_stand(s, k, pointer):
    """The first stand from the pointer on that has room for the token, or NONE (VIA-145.3)."""
    for j in range(STANDS):
        i = (pointer + j) % STANDS
        if s.stand_size[i] < STAND_SIZE[i] and not (k == FOUNTAIN and s.stand[i, FOUNTAIN] > 0):
            return i
    return NONE


@rule
def serve_pawns(s):
    """After a restock, whoever stands on the market swaps again (VIA-116)."""
    for p in range(s.seats):
        if s.pawn[p] >= MARKET:
            swap_tokens(s, p, s.pawn[p] - MARKET)
