"""Pebbles: what a player may know. Seats are counted from the observer: 0 is always oneself."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.layout import Block, Features, Flags
from alarife.engine.views import write_row

from .components import MOST_IN_PILE, PEBBLES, PILES, PLAYERS

FEATURES = Features(
    piles=Block(PILES, "pebbles left in each pile, in fifths", scale=1 / MOST_IN_PILE),
    lucky=Flags(PILES, "my lucky pile"),
    taken=Block((PLAYERS, PILES), "pebbles taken, in fifths", scale=1 / MOST_IN_PILE),
    passed=Flags(PLAYERS, "who has passed"),
    seat=Flags(PLAYERS, "who is to decide"),
    seats=Flags(PLAYERS, "who takes part"),
    left=Block(1, "pebbles left, as a share of all", scale=1 / PEBBLES),
    passing=Flags(1, "1 if passing is allowed"),
    revealed=Flags((PLAYERS, PILES), "the lucky piles of all, once the game is over"),
)
AT = FEATURES.start


@rule
def observe(s, seat, view):
    """Fill the view of one seat, in whole numbers; it comes zeroed."""
    write_row(view, AT.piles, s.piles)
    for pile in range(PILES):
        view[AT.left] += s.piles[pile]
    view[AT.lucky + s.lucky[seat]] = 1
    view[AT.passing] = s.options.passing
    for i in range(s.seats):
        q = (seat + i) % s.seats
        write_row(view, AT.taken + i * PILES, s.taken[q])
        view[AT.passed + i] = s.passed[q]
        view[AT.seat + i] = q == s.seat
        view[AT.seats + i] = 1
        if s.over:
            view[AT.revealed + i * PILES + s.lucky[q]] = 1
