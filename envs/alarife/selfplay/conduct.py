"""How a learner is treated: what an illegal action brings, and after how many of its decisions a game is cut off.

Most learners outside of board games have never heard of masks. For them an illegal action can be answered with
something else than an error. An action that is no number of the game's actions is an error in any case.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alarife.engine.errors import IllegalAction, OptionError
from alarife.engine.numbers import Array, one_of, short, whole_number
from alarife.selfplay.learner import LearnerBatch

ILLEGAL = ("raise", "random", "lose", "penalty")
MOST_CYCLES = 10**9
MOST_PENALTY = 10**9


class Conduct:
    """What is done with the learner's actions.

    - ``raise``: an illegal action is an error that names the legal ones
    - ``random``: a legal action is drawn and played in its place
    - ``penalty``: the same, and `penalty` is taken from the reward
    - ``lose``: nothing is played, the game ends at once, and its reward is ``-penalty``

    A `penalty` is 1 if nothing is said: where rewards are outcomes or ranks, nobody can do worse than -1. Scores and
    margins have no such number, so there it has to be said. A game of `max_cycles` own decisions is cut off.
    """

    def __init__(
        self,
        illegal: str = "raise",
        penalty: float | None = None,
        max_cycles: int | None = None,
        reward: str = "outcome",
    ) -> None:
        self.illegal = one_of(illegal, ILLEGAL, "answer to illegal actions")
        self.penalty = self._checked(penalty, reward)
        self.max_cycles = cycles_number(max_cycles)

    def _checked(self, penalty: Any, reward: str) -> float:
        costs = self.illegal in ("lose", "penalty")
        if penalty is None:
            if costs and reward in ("score", "margin"):
                raise OptionError(f"with reward={reward!r} say what an illegal action costs, such as penalty=100")
            return 1.0 if costs else 0.0
        if not costs:
            raise OptionError(f"a penalty goes with illegal='lose' or illegal='penalty', got illegal={self.illegal!r}")
        is_number = isinstance(penalty, (int, float, np.integer, np.floating)) and not isinstance(penalty, bool)
        if not is_number or not 0 <= penalty <= MOST_PENALTY:
            raise OptionError(f"a penalty is a number from 0 to {MOST_PENALTY:,}, got {short(penalty)}")
        return float(penalty)

    def step(
        self, learner: LearnerBatch, actions: Array, random: np.random.Generator, rows: Array | None = None
    ) -> Array:
        """Step the learner in these rows; says for each row whether its action was illegal."""
        wrong = np.zeros(len(learner.done), np.bool_)
        rows = np.arange(len(wrong)) if rows is None else rows
        if learner.done[rows].any():
            raise IllegalAction(f"game {rows[learner.done[rows]][0]} has ended; call reset() before step()")
        if self.illegal != "raise":
            wrong[rows] = _are_illegal(actions, learner.action_mask, rows)
        if not wrong.any():
            learner.step(actions, rows)
        elif self.illegal == "lose":
            if len(going := rows[~wrong[rows]]):
                learner.step(actions, going)
            learner.forfeit(np.flatnonzero(wrong), -self.penalty)
        else:
            actions = np.array(actions, np.int64)
            actions[wrong] = any_legal(learner.action_mask[wrong], random)
            learner.step(actions, rows)
            learner.fine(np.flatnonzero(wrong), self.penalty)
        return wrong

    def cut(self, learner: LearnerBatch, rows: Array | None = None) -> Array:
        """Those of the rows whose game goes on and has had its decisions."""
        rows = np.arange(len(learner.done)) if rows is None else rows
        if self.max_cycles is None:
            return rows[:0]
        found: Array = rows[~learner.done[rows] & (learner.decisions[rows] >= self.max_cycles)]
        return found


def cycles_number(given: int | None) -> int | None:
    """After how many cycles a game is cut off; None for never."""
    return None if given is None else whole_number(given, "max_cycles goes {}, or None", 1, MOST_CYCLES)


def any_legal(masks: Array, random: np.random.Generator) -> Array:
    """A random legal action for each mask; any action where none is legal."""
    allowed = masks.astype(np.bool_)
    allowed[~allowed.any(1)] = True
    which = random.integers(0, allowed.sum(1))
    return np.asarray(np.argmax(np.cumsum(allowed, 1) > which[:, None], 1))


def _are_illegal(actions: Array, masks: Array, rows: Array) -> Array:
    """For each of the rows, whether its action is one of the game's and not legal; nowhere if any is none of them."""
    actions = np.asarray(actions)
    if actions.shape != (len(masks),) or actions.dtype.kind not in "iu":
        return np.zeros(len(rows), np.bool_)
    chosen = actions[rows]
    if len(chosen) == 0 or chosen.min() < 0 or chosen.max() >= masks.shape[1]:
        return np.zeros(len(rows), np.bool_)
    return np.asarray(masks[rows, chosen.astype(np.int64)] == 0)
