"""Pebbles: the scripted player takes as much as it can from its lucky pile, else from the largest."""

from __future__ import annotations

from alarife.engine.jit import rule

from .components import ACTIONS, MOST_TAKEN

AT = ACTIONS.start


@rule
def advise(s, moves):
    """The legal action worth most points now; the first one among equals."""
    best = moves.at[0]
    for i in range(1, moves.count):
        if worth(s, moves.at[i]) > worth(s, best):
            best = moves.at[i]
    return best


@rule
def worth(s, action):
    """The points that an action brings."""
    if action == AT.pass_turn:
        return 0
    count = action % MOST_TAKEN + 1
    return 2 * count if action // MOST_TAKEN == s.lucky[s.turn] else count
