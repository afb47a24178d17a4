"""Villa Paletti: which columns may be taken (sections 4, 7 and 8)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.games.villa_paletti.actions import ACTIONS
from alarife.games.villa_paletti.components import COLOUR, COLUMNS, KIND, NEUTRAL, NONE, Act

from .places import is_under_another

AT = ACTIONS.start


@rule
def can_go_up(s, c):
    """Whether a column may be used for building: unlocked, below the top level, with a place up there."""
    return s.level[c] != NONE and s.level[c] < s.floors and not s.locked[c] and s.rooms[KIND[c]]


@rule
def is_neutral(s, c):
    """Whether a column belongs to nobody at a table of three."""
    return s.seat_of[COLOUR[c]] == NEUTRAL


@rule
def is_spare_neutral(s, c):
    """Whether a neutral column may go up: another one stays on its level (PAL-115, PAL-125)."""
    if not is_neutral(s, c) or not can_go_up(s, c):
        return False
    for other in range(COLUMNS):
        if other != c and is_neutral(s, other) and s.level[other] == s.level[c]:
            return True
    return False


@rule
def is_for(s, p, c):
    """Whether seat p may build with a column (PAL-047 to PAL-052)."""
    if is_neutral(s, c):
        return s.options.any_colour and is_spare_neutral(s, c)
    return (s.options.any_colour or s.seat_of[COLOUR[c]] == p) and can_go_up(s, c)


@rule
def may_take(s, c):
    """Whether a column may be chosen for what is being done."""
    if s.act == Act.BUILD:
        return is_for(s, s.turn_of, c)
    if s.act == Act.NEUTRAL or s.act == Act.SHOW_NEUTRAL:
        return is_spare_neutral(s, c)
    if s.act == Act.DISPROVE:
        return is_for(s, s.turn_of, c) or is_spare_neutral(s, c)
    owner = s.seat_of[COLOUR[c]]
    return owner == s.objector and s.level[c] != NONE and not s.locked[c] and not is_under_another(s, c)


@rule
def has_column(s):
    """Whether any column may be chosen for what is being done."""
    for c in range(COLUMNS):
        if may_take(s, c):
            return True
    return False


@rule
def offer_columns(s, moves):
    """The columns that may be chosen for what is being done."""
    for c in range(COLUMNS):
        if may_take(s, c):
            offer(moves, AT.column + c)
