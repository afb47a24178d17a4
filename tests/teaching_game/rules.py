"""Pebbles: the rules, in the order of play. Ids in brackets are those of RULES.md."""

from __future__ import annotations

from alarife.engine.decisions import Decision, Decisions
from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.engine.random import below
from alarife.engine.result import place_by_key

from .components import ACTIONS, MOST_TAKEN, PEBBLES, PILES, START_PILES

AT = ACTIONS.start
at_take = ACTIONS.encoder("take")


@rule
def reset(s):
    """Fill the piles and draw the lucky ones in secret (PEB-001, PEB-002)."""
    for pile in range(PILES):
        s.piles[pile] = START_PILES[pile]
    for p in range(s.seats):
        s.lucky[p] = below(s, PILES)


# --- the decision -------------------------------------------------------------------------------------


@rule
def offer_pebbles(s, moves):
    """One to three pebbles from one pile, or the pass (PEB-003, PEB-004)."""
    for pile in range(PILES):
        for count in range(min(MOST_TAKEN, s.piles[pile])):
            offer(moves, at_take(pile, count))
    if s.options.passing and not s.passed[s.seat]:
        offer(moves, AT.pass_turn)


@rule
def take(s, pile, more):
    """A pebble counts one point, two from the own lucky pile; the last one ends the game (PEB-005, PEB-006)."""
    count = more + 1
    s.piles[pile] -= count
    s.taken[s.seat, pile] += count
    s.points[s.seat] += 2 * count if s.lucky[s.seat] == pile else count
    s.over = left(s) == 0


@rule
def pass_turn(s):
    """Nothing is taken, once in the game (PEB-004)."""
    s.passed[s.seat] = 1


DECISIONS = Decisions(
    ACTIONS,
    Decision(None, "pebbles of one pile, or to pass", offer_pebbles,
             rules="PEB-003, PEB-004", take=take, pass_turn=pass_turn),
)  # fmt: skip
legal, choose = DECISIONS.legal, DECISIONS.choose


@rule
def apply(s, action):
    """Play one legal action; then it is the next player's turn."""
    choose(s, action)
    s.seat = (s.seat + 1) % s.seats


# --- pebbles and points -------------------------------------------------------------------------------


@rule
def left(s):
    """Pebbles on the table."""
    count = 0
    for pile in range(PILES):
        count += s.piles[pile]
    return count


@rule
def result(s, r):
    """Most points win, ties are shared (PEB-007). Before the end only pebbles count, for luck is secret."""
    for p in range(s.seats):
        r.score[p] = s.points[p] if s.over else pebbles(s, p)
        r.key[p] = r.score[p]
    place_by_key(r, s.seats)


@rule
def pebbles(s, p):
    """How many pebbles a player has taken."""
    count = 0
    for pile in range(PILES):
        count += s.taken[p, pile]
    return count


@rule
def check(s):
    """No pebble is lost, points follow from pebbles."""
    count = left(s)
    for p in range(s.seats):
        count += pebbles(s, p)
        assert s.points[p] == pebbles(s, p) + s.taken[p, s.lucky[p]], "PEB-005: points and pebbles differ"
    assert count == PEBBLES, "PEB-001: a pebble is lost"
