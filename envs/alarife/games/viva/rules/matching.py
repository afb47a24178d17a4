"""VIVA: blocked colours and matching (section 4)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.viva.components import COLOURS_OF, HOUSES, KINDS, NONE


@rule
def colours_of(k):
    """The colours of a kind as bits; none for NONE."""
    if k == NONE:
        return 0
    return int(COLOURS_OF[k])


@rule
def blocked_colours(s, p):
    """Colours that seat p may not play into houses (VIV-032, VIV-034)."""
    colours = colours_of(s.general)
    if s.owner == p:
        colours |= colours_of(s.personal)
    return colours


@rule
def accepts(s, h, k):
    """Whether house h is empty or shares a colour with the kind (VIV-030, VIV-031)."""
    return s.top[h] == NONE or (colours_of(s.top[h]) & colours_of(k)) != 0


@rule
def is_blocked(s, p, k):
    """Whether any colour of the kind is blocked for seat p (VIV-033)."""
    return (colours_of(k) & blocked_colours(s, p)) != 0


@rule
def is_playable(s, p, k):
    """Whether seat p may play the kind into some house now, keeping a card (VIV-056, VIV-131)."""
    if s.held[p] < 2:
        return False
    if s.options.bluff:
        return True
    if is_blocked(s, p, k):
        return False
    for h in range(HOUSES):
        if accepts(s, h, k):
            return True
    return False


@rule
def can_shed(s, p, block):
    """Whether the last card of seat p may go on this blocking card (VIV-075, VIV-076)."""
    if block == NONE or s.held[p] != 1:
        return False
    return s.options.bluff or (colours_of(block) & colours_of(only_card(s, p))) != 0


@rule
def only_card(s, p):
    """The first kind in the hand of seat p."""
    for k in range(KINDS):
        if s.hand[p, k] > 0:
            return k
    return NONE
