"""VIVA: the call of VIVA and the new blocking card (section 7)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.games.viva.actions import ACTIONS
from alarife.games.viva.components import ALL_KINDS, HOUSES, KINDS, NONE, PENALTY_AFTER, PENALTY_BEFORE, Phase, Todo
from alarife.games.viva.memory import holds_no_more

from .matching import colours_of, only_card
from .seats import seat_after, seat_before, still_in
from .stack import card_can_be_had, clear_table, draw_card, draw_cards, give_up, take_from_stack, to_discard

AT = ACTIONS.start


@rule
def houses_share_colour(s):
    """Whether one colour is on the tops of all three houses (VIV-060)."""
    shared = ~0
    for h in range(HOUSES):
        shared &= colours_of(s.top[h])
    return shared != 0


@rule
def offer_call(s, moves):
    """D5: call VIVA, or let it pass."""
    offer(moves, AT.call_viva)
    offer(moves, AT.decline_viva)


@rule
def call_viva(s):
    """Clear the table, hand out penalties, replace the personal card, then choose a blocking card (VIV-064 to 070)."""
    p = s.turn_of
    clear_table(s)
    clear_personal(s)
    draw_cards(s, seat_before(s, p), PENALTY_BEFORE)
    if still_in(s) > 2:
        draw_cards(s, seat_after(s, p), PENALTY_AFTER)
    replace_personal(s, p)
    s.calling = 1
    ask_for_block(s)


@rule
def clear_personal(s):
    """The personal blocking card, if there is one, goes to the discard (VIV-067, VIV-082)."""
    to_discard(s, s.personal)
    s.personal = NONE


@rule
def replace_personal(s, caller):
    """The owner gets a new personal card, unless the owner called: then there is none (VIV-068, VIV-069, VIV-093)."""
    if s.owner == caller:
        s.owner = NONE
    elif s.owner != NONE:
        s.personal = take_from_stack(s)


@rule
def offer_blocks(s, moves):
    """D6: the types in hand."""
    for k in range(KINDS):
        if s.hand[s.seat, k] > 0:
            offer(moves, AT.choose_block + k)


@rule
def ask_for_block(s):
    """A general blocking card is owed; where there is no choice it is put down at once (VIV-071, VIV-132)."""
    p = s.turn_of
    s.phase = Phase.BLOCK
    if s.held[p] == 1 and not card_can_be_had(s):
        after_block(s)
        return
    k = only_card(s, p)
    if s.hand[p, k] == s.held[p]:
        holds_no_more(s, p, ALL_KINDS & ~(1 << k))
        set_block(s, k)


@rule
def set_block(s, k):
    """Put down the general blocking card; a hand that is empty now takes a card (VIV-071, VIV-072, VIV-084)."""
    p = s.turn_of
    give_up(s, p, k)
    s.general = k
    if s.held[p] == 0:
        draw_card(s, p)
    after_block(s)


@rule
def after_block(s):
    """After a call the next seat plays, otherwise the turn begins now (VIV-073, VIV-083)."""
    if s.calling:
        next_turn(s)
    else:
        s.phase = Phase.TURN


@rule
def next_turn(s):
    """Clockwise over the active seats."""
    s.todo = Todo.NEXT_TURN
