"""Palace of Viana: the Girl's walk (VIA-122 to VIA-130)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.games.viana.actions import ACTIONS
from alarife.games.viana.components import COURTS, HEDGES, MOST_STEPS, NONE

from .palace import court_takes, finish, hedge_takes, put_flower, take_flower, within

AT = ACTIONS.start


@rule
def begin_walk(s):
    """Up to three steps, nothing carried (VIA-122)."""
    s.left = MOST_STEPS
    s.walked = 0
    s.picked_up = 0


@rule
def homes_for(s, k, origin):
    """The courtyards, as bits, where a flower of type k taken from `origin` can be put down (VIA-124, VIA-126)."""
    found = 0
    for c in range(COURTS):
        if c != origin and c != s.marquis and court_takes(s, c, k):
            found |= 1 << c
    return found


@rule
def offer_walk(s, moves):
    """Steps, flowers to pick up, hedges to put one down, and the end of the walk (VIA-191)."""
    place = s.pawn[s.seat]
    if s.carried_owner != NONE:
        offer_steps_with_flower(s, place, moves)
        offer_drops(s, place, moves)
        return
    if s.left > 0:
        for c in range(COURTS):
            if within(s, place, 1) >> c & 1:
                offer(moves, AT.girl_step + c)
        if s.picked_up == 0 and place < COURTS and place != s.marquis:
            offer_flowers(s, place, moves)
    if s.walked:
        offer(moves, AT.done)


@rule
def offer_steps_with_flower(s, place, moves):
    """Steps after which the flower can still be put down, there or with the steps left then (VIA-127)."""
    if s.left == 0:
        return
    homes = homes_for(s, s.carried_kind, s.carried_from)
    for c in range(COURTS):
        if s.reach[0, place] >> c & 1:
            ahead = 1 << c
            if s.left > 1:
                ahead |= s.reach[s.left - 2, c]
            if (ahead & homes) != 0:
                offer(moves, AT.girl_step + c)


@rule
def offer_drops(s, place, moves):
    """Hedges that take the carried flower, in another courtyard than it comes from (VIA-124, VIA-126)."""
    if place != s.carried_from and place != s.marquis:
        for h in range(HEDGES):
            if hedge_takes(s, place, h, s.carried_kind):
                offer(moves, AT.girl_drop + h)


@rule
def offer_flowers(s, c, moves):
    """Unscored flowers in the pawn's courtyard that can be put down elsewhere (VIA-123, VIA-125, VIA-127)."""
    for h in range(HEDGES):
        if s.free[c, h] < s.spots[c, h] and can_be_carried(s, c, s.hedge_kind[c, h]):
            for i in range(s.seats):
                q = (s.seat + i) % s.seats
                if s.flower[q, c, h] > 0 and not is_protected(s, q, c):
                    offer(moves, AT.girl_pick + i * HEDGES + h)


@rule
def can_be_carried(s, c, k):
    """Whether some place for a flower of type k lies within the steps left."""
    return (s.reach[s.left - 1, c] & homes_for(s, k, c)) != 0


@rule
def is_protected(s, q, c):
    """In the final round nobody loses the thirteenth courtyard (VIA-129)."""
    return s.final_turns > 0 and s.courts[q] == COURTS and s.tokens[q, c] == 1


@rule
def step_with_girl(s, c):
    """One step, the first one from the street through its entrance (VIA-130)."""
    s.pawn[s.seat] = c
    s.left -= 1
    s.walked = 1
    end_walk(s)


@rule
def pick_up(s, i, h):
    """Take a flower of the i-th seat along (VIA-123)."""
    c = s.pawn[s.seat]
    q = (s.seat + i) % s.seats
    s.carried_owner = q
    s.carried_kind = s.hedge_kind[c, h]
    s.carried_from = c
    s.picked_up = 1
    take_flower(s, q, c, h)
    end_walk(s)


@rule
def put_down(s, h):
    """It is still unscored, and still its owner's (VIA-124)."""
    put_flower(s, s.carried_owner, s.pawn[s.seat], h, s.carried_kind)
    s.carried_owner = NONE
    s.carried_kind = NONE
    s.carried_from = NONE
    end_walk(s)


@rule
def end_walk(s):
    """Once no step is left and nothing is carried (VIA-192)."""
    if s.left == 0 and s.carried_owner == NONE:
        finish(s)
