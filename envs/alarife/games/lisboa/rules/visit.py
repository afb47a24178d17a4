"""Visiting a noble (section 7)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.lisboa.components import Act, Power, Side, Step
from alarife.games.lisboa.rules.means import can_pay_influence, clergy_power, pay_influence, treasury_influence
from alarife.games.lisboa.rules.pending import push
from alarife.games.lisboa.rules.state_actions import doable, doable_now


@rule
def visit_cost(s, noble):
    """Influence for H's visit (LIS-084, LIS-085)."""
    discount = clergy_power(s, Power.VISIT_DISCOUNT, noble)
    return max(0, treasury_influence(s) + s.office[Side.LACERDA, noble] - discount)


@rule
def can_visit(s, noble):
    """Whether H may visit a noble (LIS-086, LIS-088)."""
    cost = visit_cost(s, noble)
    return can_pay_influence(s, Side.HUMAN, cost) and anything_at(s, noble, cost)


@rule
def anything_at(s, noble, cost):
    """Whether a state action or the noble action of a noble is doable after paying (LIS-088, LIS-122)."""
    left = max(0, s.influence[Side.HUMAN] - cost)
    for act in range(2 * noble, 2 * noble + 2):
        if doable(s, act, s.reis, left):
            return True
    return doable(s, Act.BUILD_STORE + noble, s.reis, left)


@rule
def visit(s, noble):
    """Pay, then a state action and the noble action, both free; Lacerda may follow (LIS-087, LIS-116)."""
    pay_influence(s, Side.HUMAN, visit_cost(s, noble))
    push(s, Step.LACERDA_FOLLOWS, noble, 0, 0)
    push(s, Step.NOBLE, noble, 0, 0)
    push(s, Step.STATE, noble, 0, 0)


@rule
def state_choices(s, noble, influence):
    """The state actions of a noble that are doable, by their numbers."""
    bits = 0
    for act in range(2 * noble, 2 * noble + 2):
        if doable(s, act, s.reis, influence):
            bits |= 1 << act
    return bits


@rule
def noble_choices(s):
    """The noble action, if it is doable (LIS-089)."""
    return 1 if doable_now(s, Act.BUILD_STORE + s.arg) else 0
