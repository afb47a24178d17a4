"""Palace of Viana: the Marquise, the Marquis, and scoring a courtyard (VIA-104 to VIA-108, section 8)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.games.viana.actions import ACTIONS
from alarife.games.viana.components import (
    CAT_POINTS,
    FOUNTAIN,
    HEDGES,
    MARQUIS_POINTS,
    NONE,
    POINTS,
    POT,
    STEPS,
    Card,
    Todo,
)

from .palace import finish, next_to, offer_courts

AT = ACTIONS.start


@rule
def offer_marquise(s, moves):
    """One or two steps, not to the Cat (VIA-104)."""
    courts = s.reach[1, s.marquise]
    if s.cat != NONE:
        courts &= ~(1 << s.cat)
    offer_courts(courts, AT.marquise_to, moves)


@rule
def crosses_cat(s, c):
    """Whether every way of two steps to courtyard c leads past the Cat (VIA-105)."""
    near = s.reach[0, s.marquise]
    if s.cat == NONE or near >> c & 1:
        return False
    return (next_to(s, near & ~(1 << s.cat)) >> c & 1) == 0


@rule
def move_marquise(s, c):
    """She goes to c, the Cat where she was, and her courtyard is scored (VIA-105 to VIA-107, VIA-135)."""
    if crosses_cat(s, c):
        s.score[s.turn_of] -= CAT_POINTS
    s.cat = s.marquise
    s.marquise = c
    if c != s.marquis:
        score_courtyard(s, c)
    s.todo = Todo.FLIP


@rule
def offer_marquis(s, moves):
    """Up to his steps (VIA-108)."""
    offer_courts(s.reach[STEPS[Card.MARQUIS] - 1, s.marquis], AT.marquis_to, moves)


@rule
def move_marquis(s, c):
    """Him to walk is worth a point (VIA-108)."""
    s.marquis = c
    s.score[s.turn_of] += MARQUIS_POINTS
    finish(s)


@rule
def score_courtyard(s, c):
    """Points for all unscored decorations; fountains and pots become scored, of the flowers one a seat (VIA-136)."""
    for p in range(s.seats):
        if s.tokens[p, c] > 0:
            flowers = unscored_flowers(s, p, c)
            s.score[p] += POINTS[0] * flowers + POINTS[POT] * s.pot[p, c] + POINTS[FOUNTAIN] * s.fountain[p, c]
            s.scored_pot[p, c] += s.pot[p, c]
            s.pot[p, c] = 0
            s.scored_fountain[p, c] += s.fountain[p, c]
            s.fountain[p, c] = 0
            if flowers > 0:
                s.flips |= 1 << p


@rule
def unscored_flowers(s, p, c):
    """How many unscored flowers seat p has in a courtyard."""
    count = 0
    for h in range(HEDGES):
        count += s.flower[p, c, h]
    return count


@rule
def ask_for_flips(s):
    """Clockwise from the active player; with flowers in one hedge only there is no choice. True: a seat must choose.

    VIA-138 to VIA-140.
    """
    for i in range(s.seats):
        p = (s.turn_of + i) % s.seats
        if s.flips >> p & 1:
            h = only_hedge(s, p, s.marquise)
            if h == NONE:
                s.seat = p
                return True
            flip_flower(s, p, h)
    s.seat = s.turn_of
    return False


@rule
def only_hedge(s, p, c):
    """The hedge that holds all unscored flowers of seat p in a courtyard; NONE if there are several."""
    found = NONE
    for h in range(HEDGES):
        if s.flower[p, c, h] > 0:
            if found != NONE:
                return NONE
            found = h
    return found


@rule
def offer_flips(s, moves):
    """The hedges with unscored flowers of the seat to decide."""
    for h in range(HEDGES):
        if s.flower[s.seat, s.marquise, h] > 0:
            offer(moves, AT.flip_flower + h)


@rule
def choose_flip(s, h):
    """The seat to decide chose the hedge; then the next one is asked (VIA-138)."""
    flip_flower(s, s.seat, h)
    s.todo = Todo.FLIP


@rule
def flip_flower(s, p, h):
    """One flower becomes scored; the seat owes no more (VIA-138)."""
    s.flower[p, s.marquise, h] -= 1
    s.scored_flower[p, s.marquise, h] += 1
    s.flips &= ~(1 << p)
