"""Palace of Viana: what lies where at the start, and the first choices (section 2)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.engine.random import below
from alarife.games.viana.actions import ACTIONS
from alarife.games.viana.components import (
    BAG,
    BAG_FOR_TWO,
    COURTS,
    DIE,
    FLOWERS,
    FLOWERS_AT_START,
    GARDEN,
    HEDGES,
    KINDS,
    NONE,
    PLAYERS,
    STREET,
    SUPPLY,
    Phase,
    Todo,
)
from alarife.games.viana.state import FIRST_RANDOM, STARTUP_1, STARTUP_2

from .cards import deal_hands, pick_first_card, stack_restriction_cards, turn_up_first_cards
from .market import fill_market
from .palace import close_doorway, neighbours_of

AT = ACTIONS.start


@rule
def set_up(s):
    """Everything in its place (VIA-030 to VIA-047)."""
    s.first = below(s, s.seats) if s.options.first_player == FIRST_RANDOM else s.options.first_player - 1
    clear_board(s)
    for k in range(KINDS):
        s.bag[k] = BAG_FOR_TWO[k] if s.seats == 2 else BAG[k]
        s.bag_size += s.bag[k]
    fill_market(s)
    fill_reserves(s)
    deal_hands(s)
    if s.seats == 2:
        stack_restriction_cards(s)
    close_doorway(s, s.door_start)
    place_figures(s)


@rule
def clear_board(s):
    """Every spot is free, every pawn in the Plaza, nothing on the piles (VIA-041)."""
    for c in range(COURTS):
        for h in range(HEDGES):
            s.free[c, h] = s.spots[c, h]
            s.hedge_kind[c, h] = NONE
        s.pot_free[c] = s.pot_spots[c]
        s.fountain_free[c] = s.fountain_spots[c]
    for p in range(PLAYERS):
        s.pawn[p] = STREET
        s.top[p] = NONE
        s.picked[p] = NONE
    s.restriction = NONE
    clear_turn(s)


@rule
def clear_turn(s):
    """Nothing has been chosen yet."""
    s.card = NONE
    s.under = NONE
    s.honked = NONE
    s.left = 0
    s.walked = 0
    s.picked_up = 0
    s.carried_owner = NONE
    s.carried_kind = NONE
    s.carried_from = NONE


@rule
def fill_reserves(s):
    """Two flowers of each type are personal, the rest is in the common reserve (VIA-037 to VIA-039)."""
    for p in range(s.seats):
        for k in range(KINDS):
            s.personal[p, k] = FLOWERS_AT_START if k < FLOWERS else 0
            s.common[p, k] = SUPPLY[k] - s.personal[p, k]


@rule
def place_figures(s):
    """VIA-043 to VIA-047; the door is ignored here."""
    if s.options.startup == STARTUP_2:
        s.marquise = GARDEN
        s.marquis = 0
        s.cat = NONE
        return
    s.marquise = below(s, DIE) if s.options.startup == STARTUP_1 else 0
    near = neighbours_of(s, s.marquise)
    s.marquis = draw_court(s, near)
    around = near
    for c in range(COURTS):
        if near >> c & 1:
            around |= neighbours_of(s, c)
    s.cat = draw_court(s, around & ~(1 << s.marquise) & ~(1 << s.marquis))


@rule
def draw_court(s, courts):
    """One of the courtyards given as bits, each as likely."""
    count = 0
    for c in range(COURTS):
        count += courts >> c & 1
    left = below(s, count)
    for c in range(COURTS):
        if courts >> c & 1:
            if left == 0:
                return c
            left -= 1
    return NONE


@rule
def offer_returns(s, moves):
    """One of the six flowers, two of each type (VIA-038)."""
    for k in range(FLOWERS):
        offer(moves, AT.return_flower + k)


@rule
def return_flower(s, k):
    """One of the six flowers goes back to the common reserve, seat after seat (VIA-038)."""
    s.personal[s.seat, k] -= 1
    s.common[s.seat, k] += 1
    s.seat = (s.seat + 1) % s.seats
    if s.seat == s.first:
        s.phase = Phase.FIRST_CARD


@rule
def pick_card(s, k):
    """After the last pick all cards are turned up, and the first player carries out the first one (VIA-060 to 062)."""
    pick_first_card(s, k)
    s.seat = (s.seat + 1) % s.seats
    if s.seat == s.first:
        turn_up_first_cards(s)
        s.todo = Todo.BEGIN_TURN
