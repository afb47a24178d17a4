"""Trading with nobles (section 6)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.lisboa.components import GOODS, NONE, STATE_ACTIONS, Act, Power, Step
from alarife.games.lisboa.rules.means import clergy_power, give_good
from alarife.games.lisboa.rules.pending import push
from alarife.games.lisboa.rules.state_actions import can_produce, can_take_ship, doable


@rule
def sell_or_trade_choices(s):
    """Selling is always possible, trading if there is a pair (LIS-076, LIS-081)."""
    return 3 if trade_choices(s, NONE) != 0 else 1


@rule
def sell_or_trade(s, trade):
    """After a card for the portfolio: one of the two (LIS-053)."""
    if trade:
        push(s, Step.TRADE, NONE, 0, 0)
    else:
        push(s, Step.SELL, 0, 0, 0)


@rule
def trade_choices(s, before):
    """State actions and goods for them: 4 * action + good; a second action differs from the first (LIS-077 to 082)."""
    wild = clergy_power(s, Power.WILD_TRADE, NONE) > 0
    bits = 0
    for act in range(STATE_ACTIONS):
        if act != before:
            if act == Act.SHIP or act == Act.PRODUCE:
                possible = True
            else:
                possible = doable(s, act, 0, 0)
            if possible:
                for g in range(GOODS):
                    if s.goods[g] > 0 and (wild or s.tables.accepts[act // 2, g]) and worth_giving(s, act, g):
                        bits |= 1 << (4 * act + g)
    return bits


@rule
def worth_giving(s, act, good):
    """Whether an action that uses goods or room is doable after a good is gone (LIS-081)."""
    if act == Act.SHIP:
        return can_take_ship(s, good)
    if act == Act.PRODUCE:
        return can_produce(s, good)
    return True


@rule
def trade(s, act, good):
    """The good goes back to the supply, then comes the action, then perhaps a second trade (LIS-080, LIS-082)."""
    give_good(s, good)
    if s.arg == NONE:
        push(s, Step.TRADE, act, 0, 0)
    push(s, Step.ACT, act, 0, 0)
