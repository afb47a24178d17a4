"""Patios: the Children (section 9)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.games.patios.actions import ACTIONS
from alarife.games.patios.components import ANYTHING_TOLD, NONE, Phase, Todo

from .cards import draw_card
from .cells import offer_each
from .hand import take_card
from .patio import beautiful_pots, dry_cards
from .seats import seat_of

AT = ACTIONS.start


@rule
def call_children(s):
    """The top flower card is placed, then one swap is possible (PAT-070)."""
    k = draw_card(s)
    if k == NONE:
        s.todo = Todo.OFFER_SWAP
    else:
        take_card(s, int(s.turn_of), k, 1, Todo.OFFER_SWAP)


@rule
def swap_sources(s):
    """The own cells that find a partner of the same sort in another patio (PAT-072)."""
    pots, dry = 0, 0
    for p in range(s.seats):
        if p != s.turn_of:
            pots |= beautiful_pots(s, p)
            dry |= dry_cards(s, p)
    cells = 0
    if pots != 0:
        cells |= beautiful_pots(s, int(s.turn_of))
    if dry != 0:
        cells |= dry_cards(s, int(s.turn_of))
    return cells


@rule
def offer_swap(s):
    """Ask for a swap if there is a legal one (PAT-071)."""
    s.seat = s.turn_of
    if swap_sources(s) != 0:
        s.phase = Phase.SWAP
    else:
        s.todo = Todo.AFTER_ACTION


@rule
def swap_partners(s, p):
    """The cells of a patio that may be swapped against the chosen own card."""
    if s.dry[s.turn_of] >> s.swap_own & 1:
        return dry_cards(s, p)
    return beautiful_pots(s, p)


@rule
def offer_swap_sources(s, moves):
    """The own cards that find a partner; or no swap (PAT-071, PAT-072)."""
    offer_each(moves, AT.swap_own, swap_sources(s))
    offer(moves, AT.done)


@rule
def offer_swap_players(s, moves):
    """The seats with a matching card."""
    for i in range(1, s.seats):
        if swap_partners(s, seat_of(s, i)) != 0:
            offer(moves, AT.swap_player + i - 1)


@rule
def choose_swap_card(s, c):
    """The own card that is given."""
    s.swap_own = c
    s.phase = Phase.SWAP_PLAYER


@rule
def choose_swap_player(s, i):
    """The seat that must swap."""
    s.swap_player = seat_of(s, i + 1)
    s.phase = Phase.SWAP_THEIRS


@rule
def offer_swap_partners(s, moves):
    """The cards of the chosen player that match (PAT-072)."""
    offer_each(moves, AT.swap_their, swap_partners(s, int(s.swap_player)))


@rule
def swap(s, theirs):
    """Both cards change places and keep their sides; of dry ones each receiver sees what he gets (PAT-073, PAT-074)."""
    p, q, own = int(s.turn_of), int(s.swap_player), int(s.swap_own)
    given = int(s.card[p, own])
    s.card[p, own] = s.card[q, theirs]
    s.card[q, theirs] = given
    if s.dry[p] >> own & 1:
        known = s.seen[p, own]
        s.seen[p, own] = s.seen[q, theirs] | 1 << p
        s.seen[q, theirs] = known | 1 << q
        told = s.told[p, own] & ANYTHING_TOLD
        s.told[p, own] = s.told[q, theirs] & ANYTHING_TOLD
        s.told[q, theirs] = told
        lot = s.lot[p, own]
        s.lot[p, own] = s.lot[q, theirs]
        s.lot[q, theirs] = lot
        if s.options.monument_to_memory:
            s.glimpse[p] |= 1 << own
            s.glimpse[q] |= 1 << theirs
    s.swap_own = NONE
    s.swap_player = NONE
    s.todo = Todo.AFTER_ACTION


@rule
def swap_nothing(s):
    """No card is swapped (PAT-071)."""
    s.todo = Todo.AFTER_ACTION
