"""One game after another, in each row of a batch, one seat of each learning: what trainers step.

Games that end before the learner has had a say teach nothing and are dealt anew. Games that take too long are cut off
and have no result.
"""

from __future__ import annotations

import numpy as np

from alarife.engine.errors import AlarifeError
from alarife.engine.numbers import Array
from alarife.players.policy import inputs_of, with_advice
from alarife.selfplay.conduct import Conduct
from alarife.selfplay.learner import LearnerBatch

_MOST_RENEWALS = 1000  # games in a row that may end before the learner's first decision


class Episodes:
    """Games in which one seat learns; whoever steps them begins them anew."""

    def __init__(
        self, learner: LearnerBatch, conduct: Conduct, reward_scale: float = 1.0, advised: bool = False
    ) -> None:
        self.learner, self.batch, self.conduct = learner, learner.batch, conduct
        self.scale = np.float32(reward_scale)
        self.ended: list[tuple[float, int]] = []  # return and length of the games that ended, until somebody clears it
        self.advised = advised
        self.inputs = inputs_of(self.batch.game, advised)
        self.random = np.random.default_rng()  # draws what is played instead of illegal actions

    def reseed(self, seed: int) -> None:
        """Begin the random streams of whoever sits on the other seats anew."""

    def begin(self, seed: int) -> Array:
        """Begin anew in every row, all random streams included."""
        self.reseed(seed)
        self.random = np.random.default_rng([seed, 2])
        self.learner.reset(seed)
        rows = np.arange(self.batch.games)
        self._skip_ended(rows)
        return self.seen(rows)

    def play(self, actions: Array, rows: Array | None = None) -> Array:
        """Play the learner's actions, then everybody else; says for each row whether its action was illegal."""
        return self.conduct.step(self.learner, actions, self.random, rows)

    def seen(self, rows: Array) -> Array:
        """What the network sees in these rows, whose games go on; fresh."""
        views = self.learner.observation[rows]
        return with_advice(views, self.batch.script(rows)[rows], self.batch.game) if self.advised else views

    def seen_last(self, rows: Array) -> Array:
        """What the network sees of games that ended, in which nothing can be advised."""
        views = self.learner.view(rows)
        return np.pad(views, ((0, 0), (0, self.inputs - views.shape[1])))

    def ending(self, rows: Array) -> tuple[Array, Array]:
        """Those of the rows whose game has ended, and those whose game is cut off; both are counted."""
        learner = self.learner
        over, cut = rows[learner.done[rows]], self.conduct.cut(learner, rows)
        for row in (*over, *cut):
            self.ended.append((float(learner.returns[row]), int(learner.decisions[row])))
        self.report(over)
        return over, cut

    def renew(self, rows: Array) -> None:
        """Begin the next game in these rows."""
        self.learner.renew(rows)
        self._skip_ended(rows)

    def _skip_ended(self, rows: Array) -> None:
        for _ in range(_MOST_RENEWALS):
            over = rows[self.learner.done[rows]]
            if not len(over):
                return
            self.report(over)
            self.learner.renew(over)
        raise AlarifeError(
            f"{self.batch.game.id}: {_MOST_RENEWALS} games in a row ended before the learner's first move"
        )

    def report(self, over: Array) -> None:
        """Hear of the games that ended in these rows."""

    def action_masks(self) -> Array:
        """The legal actions of the observations shown last, ``[n, A]`` bool."""
        return np.asarray(self.learner.action_mask != 0)
