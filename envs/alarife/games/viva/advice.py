"""VIVA: the scripted player.

It plays as many cards as it can, leaves the next player few ways to a VIVA, keeps a last card that shares a colour with
a blocking card, and calls VIVA whenever it may: a call takes one card off its hand and gives the others three. It looks
at its own hand and at the table only.
"""

from __future__ import annotations

import numpy as np

from alarife.engine.decisions import always, best_by, by_family
from alarife.engine.jit import rule
from alarife.engine.views import count_bits

from .actions import ACTIONS
from .components import ALL_KINDS, COLOURS, HOUSES, KINDS, NONE, SHARING
from .rules.matching import accepts, colours_of, is_blocked, only_card

#: The types, as bits, that a house takes, by the colours on top of it: an empty one takes any.
TAKEN = np.array([ALL_KINDS, *SHARING[1:]], np.int32)


@rule
def worth_of_type(s, k):
    """Types with many copies first, those that make a VIVA or leave a way out more; never an illegal one."""
    p = s.seat
    if is_blocked(s, p, k):
        return -1.0
    fitting = 0
    best = 0.0
    for h in range(HOUSES):
        if accepts(s, h, k):
            value = promise(s, h, k)
            best = value if fitting == 0 else max(best, value)
            fitting += 1
    if fitting == 0:
        return -1.0
    copies = min(s.hand[p, k], s.held[p] - 1)
    value = 20.0 + 3.0 * copies + best
    if fitting == HOUSES and copies >= HOUSES:
        value += 4.0
    if s.held[p] - copies == 1:
        value += 8.0 if leaves_a_way_out(s, p, k) else -2.0
    return value - 0.1 * friends(s, p, k)


@rule
def leaves_a_way_out(s, p, k):
    """Whether the one card left, after as many copies of the kind as possible, can go on a blocking card."""
    for j in range(KINDS):
        if s.hand[p, j] > 0 and (j != k or s.hand[p, k] == s.held[p]):
            return is_blocked(s, p, j)
    return False


@rule
def worth_of_house(s, h):
    """A house that makes a VIVA, else one that opens few to others and whose new top still takes most of the hand."""
    p = s.seat
    if not accepts(s, h, s.kind) or is_blocked(s, p, s.kind):
        return -1.0
    value = 20.0
    if s.placed[h] == 0:
        value += 2.0 * promise(s, h, s.kind)
        if may_spread(s, p):
            value += 4.0
    return value - 0.2 * friends_of_top(s, p, h)


@rule
def promise(s, h, k):
    """What the kind on house h is worth: a VIVA, or else the few types with which the next player could make one."""
    own = colours_of(k)
    left, right = colours_of(s.top[(h + 1) % HOUSES]), colours_of(s.top[(h + 2) % HOUSES])
    if (own & left & right) != 0:
        return 4.0
    return -0.15 * count_bits(types_for_viva(own, left, right) & ~SHARING[colours_of(s.general)])


@rule
def types_for_viva(own, left, right):
    """The types, as bits, that make a VIVA on top of a card with these colours, or on one of the houses beside it."""
    on_top = SHARING[own] & SHARING[left & right]
    return on_top | (TAKEN[left] & SHARING[own & right]) | (TAKEN[right] & SHARING[own & left])


@rule
def may_spread(s, p):
    """Whether copies for every house are at hand, which makes a VIVA by itself."""
    placed = 0
    for h in range(HOUSES):
        placed += s.placed[h]
        if s.placed[h] == 0 and not accepts(s, h, s.kind):
            return False
    return placed + min(s.hand[p, s.kind], s.held[p] - 1) >= HOUSES


@rule
def friends(s, p, k):
    """How many cards of the hand share a colour with the kind."""
    count = 0
    for j in range(KINDS):
        if (colours_of(j) & colours_of(k)) != 0:
            count += s.hand[p, j]
    return count


@rule
def friends_of_top(s, p, h):
    """How many cards of the hand fit on house h as it is."""
    return 0 if s.top[h] == NONE else friends(s, p, s.top[h])


@rule
def worth_of_general(s):
    """To go out on the general blocking card, within the rules."""
    return worth_of_going_out(s, s.general)


@rule
def worth_of_personal(s):
    """To go out on one's own blocking card, within the rules."""
    return worth_of_going_out(s, s.personal)


@rule
def worth_of_going_out(s, block):
    """All, if the last card shares a colour with the blocking card."""
    return 1000.0 if (colours_of(only_card(s, s.seat)) & colours_of(block)) != 0 else -1.0


@rule
def worth_of_block(s, k):
    """A blocking card that one other card of the hand matches, to go out on, and that blocks nothing else."""
    matching = friends(s, s.seat, k) - 1
    value = -3.0 * abs(matching - 1)
    if matching == 0:
        value -= 6.0
    for c in range(COLOURS):
        if colours_of(k) >> c & 1:
            value -= 0.1
    return value


worth = by_family(
    ACTIONS, play_type=worth_of_type, house=worth_of_house, general_block=worth_of_general,
    personal_block=worth_of_personal, draw=always(0.0), end_play=always(0.5), call_viva=always(1.0),
    decline_viva=always(0.0), choose_block=worth_of_block, catch=always(1.0), let_pass=always(0.0),
)  # fmt: skip
advise = best_by(worth)
