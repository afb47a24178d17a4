"""Palace of Viana: the door, movement and placing decorations (sections 5 and 6)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.games.viana.actions import ACTIONS
from alarife.games.viana.components import (
    COURTS,
    FLOWERS,
    FOUNTAIN,
    HEDGES,
    HOUSEKEEPER_POINTS,
    MOST_STEPS,
    NONE,
    POT,
    STREET,
    Todo,
)

AT = ACTIONS.start


@rule
def close_doorway(s, d):
    """The door stands in doorway d, all others are open (VIA-085, VIA-109)."""
    s.door = d
    for c in range(COURTS):
        s.reach[0, c] = 0
    for i in range(s.doorways):
        if i != d:
            s.reach[0, s.side[i, 0]] |= 1 << s.side[i, 1]
            s.reach[0, s.side[i, 1]] |= 1 << s.side[i, 0]
    for k in range(1, MOST_STEPS):
        for c in range(COURTS):
            near = s.reach[k - 1, c]
            s.reach[k, c] = (near | next_to(s, near)) & ~(1 << c)


@rule
def next_to(s, courts):
    """The courtyards, as bits, one open step away from any of these."""
    found = 0
    for c in range(COURTS):
        if courts >> c & 1:
            found |= s.reach[0, c]
    return found


@rule
def neighbours_of(s, c):
    """The courtyards, as bits, that doorways join with c, whether open or closed (VIA-013)."""
    found = 0
    for i in range(s.doorways):
        if s.side[i, 0] == c:
            found |= 1 << s.side[i, 1]
        elif s.side[i, 1] == c:
            found |= 1 << s.side[i, 0]
    return found


@rule
def within(s, place, steps):
    """The courtyards, as bits, that a pawn reaches in 1 to `steps` steps (VIA-087, VIA-089, VIA-090)."""
    if place < COURTS:
        return int(s.reach[steps - 1, place])
    c = s.entrance[place - STREET]
    if steps == 1:
        return 1 << c
    return 1 << c | s.reach[steps - 2, c]


@rule
def offer_courts(courts, first, moves):
    """One action for each of the courtyards given as bits; `first` is the action of courtyard 0."""
    for c in range(COURTS):
        if courts >> c & 1:
            offer(moves, first + c)


@rule
def hedge_takes(s, c, h, k):
    """Whether a flower of type k fits hedge h: a free spot, and no other type (VIA-097 to VIA-099)."""
    return s.free[c, h] > 0 and (s.hedge_kind[c, h] == k or s.hedge_kind[c, h] == NONE)


@rule
def court_takes(s, c, k):
    """Whether any hedge of the courtyard takes a flower of type k."""
    for h in range(HEDGES):
        if hedge_takes(s, c, h, k):
            return True
    return False


@rule
def can_place(s, p, c):
    """Whether seat p may place anything from the personal reserve in courtyard c (VIA-100 to VIA-102)."""
    if c == s.marquis:
        return False
    if s.personal[p, POT] > 0 and s.pot_free[c] > 0:
        return True
    if s.personal[p, FOUNTAIN] > 0 and s.fountain_free[c] > 0:
        return True
    for k in range(FLOWERS):
        if s.personal[p, k] > 0 and court_takes(s, c, k):
            return True
    return False


@rule
def offer_placements(s, moves):
    """What the seat to decide may place where its pawn is, or stop (VIA-191)."""
    p = s.seat
    c = s.pawn[p]
    for k in range(FLOWERS):
        if s.personal[p, k] > 0:
            for h in range(HEDGES):
                if hedge_takes(s, c, h, k):
                    offer(moves, AT.place_flower + k * HEDGES + h)
    if s.personal[p, POT] > 0 and s.pot_free[c] > 0:
        offer(moves, AT.place_pot)
    if s.personal[p, FOUNTAIN] > 0 and s.fountain_free[c] > 0:
        offer(moves, AT.place_fountain)
    offer(moves, AT.done)


@rule
def put_flower(s, p, c, h, k):
    """An unscored flower of seat p takes a spot of a hedge."""
    s.flower[p, c, h] += 1
    s.free[c, h] -= 1
    s.hedge_kind[c, h] = k
    count_in(s, p, c)


@rule
def take_flower(s, p, c, h):
    """An unscored flower of seat p leaves its hedge; an empty hedge is free for any type (VIA-098)."""
    s.flower[p, c, h] -= 1
    s.free[c, h] += 1
    if s.free[c, h] == s.spots[c, h]:
        s.hedge_kind[c, h] = NONE
    s.tokens[p, c] -= 1
    if s.tokens[p, c] == 0:
        s.courts[p] -= 1


@rule
def place_flower(s, p, c, h, k):
    """A flower comes from the personal reserve (VIA-095)."""
    s.personal[p, k] -= 1
    put_flower(s, p, c, h, k)


@rule
def place_pot(s, p, c):
    """A flowerpot comes from the personal reserve (VIA-100)."""
    s.personal[p, POT] -= 1
    s.pot[p, c] += 1
    s.pot_free[c] -= 1
    count_in(s, p, c)


@rule
def place_fountain(s, p, c):
    """A fountain comes from the personal reserve (VIA-100)."""
    s.personal[p, FOUNTAIN] -= 1
    s.fountain[p, c] += 1
    s.fountain_free[c] -= 1
    count_in(s, p, c)


@rule
def plant_flower(s, k, h):
    """A flower of the personal reserve goes to a hedge of the pawn's courtyard (VIA-095)."""
    place_flower(s, s.seat, s.pawn[s.seat], h, k)
    after_placing(s)


@rule
def set_pot(s):
    """A flowerpot of the personal reserve (VIA-100)."""
    place_pot(s, s.seat, s.pawn[s.seat])
    after_placing(s)


@rule
def set_fountain(s):
    """A fountain of the personal reserve (VIA-100)."""
    place_fountain(s, s.seat, s.pawn[s.seat])
    after_placing(s)


@rule
def after_placing(s):
    """The card is done when no more may be placed (VIA-102, VIA-192)."""
    s.left -= 1
    if s.left == 0 or not can_place(s, s.seat, s.pawn[s.seat]):
        finish(s)


@rule
def finish(s):
    """The card is done."""
    s.todo = Todo.ANNOUNCE


@rule
def offer_doorways(s, moves):
    """All but the one that is closed (VIA-109)."""
    for d in range(s.doorways):
        if d != s.door:
            offer(moves, AT.door_to + d)


@rule
def move_door(s, d):
    """The door moves, for points (VIA-109)."""
    close_doorway(s, d)
    s.score[s.seat] += HOUSEKEEPER_POINTS
    finish(s)


@rule
def count_in(s, p, c):
    """One decoration more of seat p in courtyard c."""
    s.tokens[p, c] += 1
    if s.tokens[p, c] == 1:
        s.courts[p] += 1
