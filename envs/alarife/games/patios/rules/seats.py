"""Patios: who sits where. Ids in brackets are those of RULES.md."""

from __future__ import annotations

from alarife.engine.jit import rule


@rule
def everybody(s):
    """All seats as bits."""
    return (1 << s.seats) - 1


@rule
def seat_of(s, step):
    """The seat that comes that many places after the active player in play order (PAT-021)."""
    return int((s.turn_of + step) % s.seats)
