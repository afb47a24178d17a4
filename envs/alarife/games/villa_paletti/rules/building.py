"""Villa Paletti: what is known of the building, and what changes with it."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.villa_paletti.components import COLUMNS, MOST_CHANGES, Proof, Reading

from .statics import note_balance_on


@rule
def prove(s, c, proof):
    """Everybody knows now what the building does without a column."""
    s.proof[c] = proof
    s.last_proof[c] = proof


@rule
def building_changed(s, edges, scale):
    """Readings and proofs spoke of another building; this one has survived a jolt of that scale."""
    s.shaken = scale
    s.pulled = 0.0
    s.held = 0.0
    for c in range(COLUMNS):
        s.felt[c] = Reading.NOT_FELT
        s.proof[c] = Proof.NOTHING
        if s.last_felt[c] != Reading.NOT_FELT:
            s.changes[c] = min(s.changes[c] + 1, MOST_CHANGES)
    note_balance_on(s, edges)


@rule
def top_changed(s):
    """Floors that found no pose may be proposed again (PAL-110)."""
    for p in range(s.seats):
        s.barred[p] = 0


@rule
def lock_mark(s, c):
    """A number that changes when a column moves."""
    return s.x[c] + 3.0 * s.y[c] + 7.0 * s.level[c]
