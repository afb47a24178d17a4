"""Pebbles: the scripted player takes as much as it can from its lucky pile, else from the largest."""

from __future__ import annotations

from alarife.engine.decisions import always, best_by, by_family
from alarife.engine.jit import rule

from .components import ACTIONS


@rule
def worth_of_pebbles(s, pile, more):
    """The points that they bring."""
    return 2 * (more + 1) if pile == s.lucky[s.seat] else more + 1


advise = best_by(by_family(ACTIONS, take=worth_of_pebbles, pass_turn=always(0)))
