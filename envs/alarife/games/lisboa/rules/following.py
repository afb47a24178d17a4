"""Following a visit of Lacerda (section 11)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.lisboa.components import NONE, STATE_ACTIONS, Act, Power, Side, Step
from alarife.games.lisboa.rules.means import (
    can_pay_influence,
    clergy_power,
    pay_influence,
    return_favor,
    treasury_influence,
)
from alarife.games.lisboa.rules.pending import push
from alarife.games.lisboa.rules.state_actions import doable
from alarife.games.lisboa.rules.visit import state_choices


@rule
def follow_choices(s):
    """With the noble's favor: one of his state actions, or his noble action (LIS-119, LIS-122)."""
    noble = s.arg
    cost = follow_cost(s, noble)
    if s.favor[Side.HUMAN, noble] == 0 or not can_pay_influence(s, Side.HUMAN, cost):
        return 0
    left = max(0, s.influence[Side.HUMAN] - cost)
    bits = state_choices(s, noble, left)
    if doable(s, Act.BUILD_STORE + noble, s.reis, left):
        bits |= 1 << STATE_ACTIONS
    return bits


@rule
def follow(s, choice):
    """Pay, give the favor back, act (LIS-121 to LIS-124)."""
    noble = s.arg
    pay_influence(s, Side.HUMAN, follow_cost(s, noble))
    return_favor(s, Side.HUMAN, noble)
    push(s, Step.ACT, choice if choice < STATE_ACTIONS else Act.BUILD_STORE + noble, 0, 0)


@rule
def follow_cost(s, noble):
    """Influence for following Lacerda (LIS-121, LIS-300)."""
    return max(0, visit_cost_before_discounts(s, noble) - clergy_power(s, Power.VISIT_DISCOUNT, noble)
               - clergy_power(s, Power.FOLLOW_DISCOUNT, NONE))  # fmt: skip


@rule
def visit_cost_before_discounts(s, noble):
    """T.inf and Lacerda's officials."""
    return treasury_influence(s) + s.office[Side.LACERDA, noble]
