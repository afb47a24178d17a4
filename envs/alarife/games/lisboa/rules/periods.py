"""Turns and the change of period (sections 3, 19 and 20)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.lisboa.components import (
    DECKS,
    FIRST_PURPLE,
    HAND_SIZE,
    NONE,
    PURPLE_CARDS,
    RUBBLE,
    SHIPS,
    Deck,
    Deed,
    Effect,
    Side,
    Step,
)
from alarife.games.lisboa.rules.display_decks import (
    add_to_hand,
    discard_top,
    fill_year,
    lay_out_period,
    put_year_away,
)
from alarife.games.lisboa.rules.end import finish, is_triggered
from alarife.games.lisboa.rules.lacerda import take_turn
from alarife.games.lisboa.rules.means import gain_wigs, sets_of
from alarife.games.lisboa.rules.pending import push, take_any
from alarife.games.lisboa.rules.portfolio import dock_ships, leave_hand
from alarife.games.lisboa.rules.state_actions import IN_SHIPYARD

# --- turns ----------------------------------------------------------------------------------------


@rule
def begin_turn(s, side):
    """Dock, then the steps of a turn (LIS-051 to LIS-058, LIS-185, LIS-186)."""
    s.turn_of = side
    dock_ships(s, side)
    push(s, Step.END_TURN, 0, 0, 0)
    push(s, Step.REFILL_CHURCH, 0, 0, 0)
    if side == Side.HUMAN:
        s.round += 1
        s.log.follow.deed = Deed.NOT_YET
        push(s, Step.DRAW, 0, 0, 0)
        push(s, Step.CHURCH_SCORING, 0, 0, 0)
        push(s, Step.MAIN, 0, 0, 0)
    else:
        push(s, Step.CHURCH_SCORING, 0, 0, 0)
        take_turn(s)


@rule
def end_turn(s):
    """Check the triggers, then the other side's turn, or the final scoring (LIS-238, LIS-251 to LIS-253)."""
    push(s, Step.BEGIN_TURN, 1 - s.turn_of, 0, 0)
    if s.period == 1:
        if is_triggered(s):
            change_period(s)
    elif s.final_turns > 0:
        s.final_turns -= 1
        if s.final_turns == 0:
            finish(s)
    elif is_triggered(s):
        s.final_turns = 3 if s.turn_of == Side.HUMAN else 2


# --- change of period -----------------------------------------------------------------------------


@rule
def change_period(s):
    """Clear the display, score rubble, new ships; then H discards what he likes (LIS-239 to LIS-244)."""
    for d in range(DECKS):
        while s.deck_top[d] != NONE:
            discard_top(s, d)
    gain_wigs(s, Side.HUMAN, s.tables.wigs_per_rubble_set * sets_of(s))
    for k in range(RUBBLE):
        gain_wigs(s, Side.LACERDA, s.tables.lacerda_wigs_per_cube * s.cubes[Side.LACERDA, k])
    for ship in range(SHIPS):
        if ship >= SHIPS // 2:
            s.ship_place[ship] = IN_SHIPYARD
        elif s.ship_place[ship] == IN_SHIPYARD:
            s.ship_place[ship] = NONE
    push(s, Step.NEW_PERIOD, 0, 0, 0)
    push(s, Step.HAND_DISCARD, 0, 0, 0)


@rule
def hand_choices(s):
    """The cards in hand."""
    return (1 << s.hand_size) - 1


@rule
def discard_from_hand(s, slot):
    """The first card of each noble whose effect is a reward pays it (LIS-243, LIS-244)."""
    paid = s.arg
    card = leave_hand(s, slot)
    s.card_gone[card] = 1
    kind, effect = s.tables.card_kind[card], s.tables.card_effect[card]
    pays = kind != Deck.TREASURY and not paid >> kind & 1 and Effect.NOTHING < effect < Effect.LOSE_REIS
    if pays:
        paid |= 1 << kind
    push(s, Step.HAND_DISCARD, paid, 0, 0)
    if pays:
        push(s, Step.EFFECT, effect, s.tables.card_n[card], s.tables.card_good[card])


@rule
def new_period(s):
    """Up to five cards of the purple deck, then the brown display (LIS-245, LIS-246)."""
    s.period = 2
    fill_year(s, FIRST_PURPLE, PURPLE_CARDS)
    left = PURPLE_CARDS
    while s.hand_size < HAND_SIZE:
        add_to_hand(s, take_any(s, s.year_cards, left))
        left -= 1
    put_year_away(s, left)
    lay_out_period(s)
