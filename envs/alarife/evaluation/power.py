"""How many deals it takes to tell two players apart.

Two players each sit at a table of ``n`` seats, once on every seat of each deal, against the same others. A player with
a share of wins ``p`` wins a game with variance ``p (1 - p)``, at most 1/4, so the mean of a deal's ``n`` games has at
most the variance ``1 / (4 n)``, and the difference of two players at most twice that. (Luck that both share in a deal
takes from it; nothing is counted on that.) A two-sided test at the level ``a`` finds a true difference ``d`` with the
power ``b`` if there are

    deals = (z(1 - a / 2) + z(b))^2 * variance / d^2
"""

from __future__ import annotations

import math
from statistics import NormalDist

from alarife.engine.errors import AlarifeError

POWER, LEVEL = 0.8, 0.05
_NORMAL = NormalDist()


def widest_variance(players: int) -> float:
    """The largest variance of the difference of two players in one deal, each having sat on all seats."""
    return 2 * 0.25 / players


def deals_needed(difference: float, variance: float, power: float = POWER, level: float = LEVEL) -> int:
    """How many deals find a true difference of this size, at a variance of the difference in one deal."""
    if not 0 < difference < 1 or not 0 < power < 1 or not 0 < level < 1:
        raise AlarifeError(f"a difference, a power and a level lie between 0 and 1, got {difference}, {power}, {level}")
    return math.ceil(_spread(power, level) * variance / difference**2)


def smallest_difference(deals: int, variance: float, power: float = POWER, level: float = LEVEL) -> float:
    """The true difference that so many deals find."""
    return math.sqrt(_spread(power, level) * variance / deals)


def _spread(power: float, level: float) -> float:
    return (_NORMAL.inv_cdf(1 - level / 2) + _NORMAL.inv_cdf(power)) ** 2
