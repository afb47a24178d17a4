"""Cards played to the court, and sponsoring events (section 8)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.lisboa.components import Deck, Power, Side, Step
from alarife.games.lisboa.rules.means import both_powers, pay_reis, purse, treasury_reis
from alarife.games.lisboa.rules.pending import push
from alarife.games.lisboa.rules.state_actions import doable
from alarife.games.lisboa.rules.visit import can_visit, visit


@rule
def can_play_to_court(s, card):
    """Whether the court is open to a card (LIS-287)."""
    if s.tables.card_kind[card] == Deck.TREASURY:
        return can_sponsor(s, s.tables.card_event[card])
    return can_visit(s, s.tables.card_kind[card])


@rule
def play_to_court(s, card):
    """A noble card visits, a treasury card sponsors; either is gone (LIS-054, LIS-060, LIS-093)."""
    s.card_gone[card] = 1
    if s.tables.card_kind[card] == Deck.TREASURY:
        pay_reis(s, event_cost(s))
        push(s, Step.ACT, s.tables.card_event[card], 0, 0)
    else:
        visit(s, s.tables.card_kind[card])


@rule
def event_cost(s):
    """Reis for sponsoring an event (LIS-091, LIS-092)."""
    return max(0, treasury_reis(s) - both_powers(s, Power.EVENT_DISCOUNT))


@rule
def can_sponsor(s, act):
    """Whether H can pay for an event and carry it out afterwards (LIS-094, LIS-096)."""
    cost = event_cost(s)
    if purse(s, s.reis, s.influence[Side.HUMAN]) < cost:
        return False
    missing = max(0, cost - s.reis)
    return doable(s, act, s.reis - cost + missing, s.influence[Side.HUMAN] - missing)
