"""Pebbles: what a player may know. Seats are counted from the observer: 0 is always oneself."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.layout import Block, Features

from .components import PEBBLES, PILES, PLAYERS

FEATURES = Features(
    piles=Block(PILES, "pebbles left in each pile, in fifths"),
    lucky=Block(PILES, "my lucky pile"),
    taken=Block((PLAYERS, PILES), "pebbles taken, in fifths"),
    passed=Block(PLAYERS, "who has passed"),
    seat=Block(PLAYERS, "who is to decide"),
    seats=Block(PLAYERS, "who takes part"),
    left=Block(1, "pebbles left, as a share of all"),
    passing=Block(1, "1 if passing is allowed"),
    revealed=Block((PLAYERS, PILES), "the lucky piles of all, once the game is over"),
)
AT = FEATURES.start


@rule
def observe(s, seat, view):
    """Fill the view of one seat."""
    count = 0
    for pile in range(PILES):
        view[AT.piles + pile] = s.piles[pile] / 5
        count += s.piles[pile]
    view[AT.left] = count / PEBBLES
    view[AT.lucky + s.lucky[seat]] = 1
    view[AT.passing] = s.options.passing
    for i in range(s.seats):
        q = (seat + i) % s.seats
        for pile in range(PILES):
            view[AT.taken + i * PILES + pile] = s.taken[q, pile] / 5
        view[AT.passed + i] = s.passed[q]
        view[AT.seat + i] = q == s.seat
        view[AT.seats + i] = 1
        if s.over:
            view[AT.revealed + i * PILES + s.lucky[q]] = 1
