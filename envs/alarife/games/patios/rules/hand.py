"""Patios: the card in hand is placed, or used (PAT-040 to PAT-043, PAT-057 to PAT-060)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.patios.actions import ACTIONS
from alarife.games.patios.components import BALCONY_TOLD, CANE, NONE, POTS_TOLD, UNLIKE, Improvement, Phase, Todo

from .cards import discard_before, to_discard
from .cells import first_of, offer_each
from .patio import free_cells, has_room, lay_cane, lay_flower, make_room, turn_up
from .seats import everybody
from .stock import lies_in

AT = ACTIONS.start


@rule
def take_flower(s, p, k, is_up, is_open, after):
    """Seat p has a pot or balcony to place, with works if need be; without room it is discarded (PAT-043, PAT-047)."""
    if not has_room(s, p):
        discard_before(s, k, everybody(s) if is_open else 1 << p)
        if not is_open:
            s.gone[0, s.step - 1] = k
            s.gone_seen[0, s.step - 1] = 1 << p
        s.todo = after
        return
    make_room(s, p)
    hold(s, p, k, is_up, is_open, after)
    s.phase = Phase.PLACE


@rule
def take_cane(s, p, after):
    """Seat p has a cane to use or to place; where neither is possible it is discarded (PAT-057, PAT-060)."""
    if not can_take_cane(s, p):
        to_discard(s, CANE)
        s.todo = after
        return
    hold(s, p, CANE, 1, 1, after)
    s.phase = Phase.CANE


@rule
def take_card(s, p, k, is_open, after):
    """Seat p has a card to place: beautiful in his own turn, dry in another's (PAT-040)."""
    if k == CANE:
        take_cane(s, p, after)
    else:
        take_flower(s, p, k, p == s.turn_of, is_open, after)


@rule
def hold(s, p, k, is_up, is_open, after):
    """The card in hand, and what follows."""
    s.seat = p
    s.held = k
    s.held_up = is_up
    s.held_open = is_open
    s.after = after


@rule
def cane_cells(s, p):
    """Where a cane may be placed: an empty cell without starting works, or the own ladder (PAT-059)."""
    cells = free_cells(s, p)
    if lies_in(s, Improvement.LADDER, p):
        cells |= 1 << s.spot[Improvement.LADDER]
    return cells


@rule
def can_take_cane(s, p):
    """Whether a cane could be used or placed (PAT-060)."""
    return s.dry[p] != 0 or cane_cells(s, p) != 0


@rule
def offer_free_cells(s, moves):
    """The cells that may take the flower card in hand (PAT-042)."""
    offer_each(moves, AT.place, free_cells(s, int(s.seat)))


@rule
def place_flower(s, c):
    """The flower card in hand comes to lie in a cell (PAT-042)."""
    p = int(s.seat)
    if not s.held_up:
        s.seen[p, c] = everybody(s) if s.held_open else 1 << p
        s.told[p, c] = told_of_held(s, p)
        s.lot[p, c] = s.step if s.after == Todo.NEXT_DRAFT else 0
    lay_flower(s, p, c, s.held, s.held_up)
    s.held = NONE
    s.todo = s.after


@rule
def told_of_held(s, p):
    """What all can tell of the card that is placed dry: dealt beside another colour, or taken with a gardener."""
    if s.row_size == 0:
        return UNLIKE | (POTS_TOLD & ~(1 << s.card[p, first_of(s.flowers[p])]))
    return 1 << s.character | BALCONY_TOLD if s.held_open else 0


@rule
def offer_cane(s, moves):
    """The cells that may take the cane in hand, and the dry cards that it may water at once (PAT-057 to PAT-059)."""
    offer_each(moves, AT.place, cane_cells(s, int(s.seat)))
    offer_each(moves, AT.water_target, int(s.dry[s.seat]))


@rule
def place_cane(s, c):
    """The cane in hand is placed."""
    lay_cane(s, int(s.seat), c)
    s.held = NONE
    s.todo = s.after


@rule
def use_cane(s, c):
    """The cane in hand waters a card at once and is discarded (PAT-058)."""
    turn_up(s, int(s.seat), c)
    to_discard(s, CANE)
    s.held = NONE
    s.todo = s.after
