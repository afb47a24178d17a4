"""One seat of every game of a batch, with players on all other seats.

This is the single-agent side of a table: the other seats are played in here, batched, so that whoever steps this sees
only its own decisions. Gymnasium's environments and training stand on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError, OptionError
from alarife.engine.numbers import Array, seat_number
from alarife.players.basic import is_script
from alarife.players.turns import Player, Turns, ask

#: Who sits where in the games about to begin: (rows, players) -> the learner's seat in each, and for each seat of each
#: row the index of its player.
Seating = Callable[[Array, Array], tuple[Array, Array]]


@dataclass
class FixedSeating:
    """The learner on one seat (or ``"random"``), the opponents on the others, in turn clockwise from the learner."""

    seat: int | str
    opponents: int
    most_seats: int
    random: np.random.Generator

    def __call__(self, rows: Array, players: Array) -> tuple[Array, Array]:
        """The learner's seat in each row, and for each seat the index of its player."""
        own = self.random.integers(0, players) if self.seat == "random" else np.full(len(rows), self.seat)
        after = (np.arange(self.most_seats)[None] - own[:, None]) % players[:, None]
        return own, (np.maximum(after, 1) - 1) % max(1, self.opponents)


@dataclass
class DrawnSeating:
    """The learner on one seat (or ``"random"``); every other seat draws its player anew for each game."""

    seat: int | str
    opponents: int
    most_seats: int
    random: np.random.Generator

    def __call__(self, rows: Array, players: Array) -> tuple[Array, Array]:
        """The learner's seat in each row, and for each seat the index of its player."""
        own = self.random.integers(0, players) if self.seat == "random" else np.full(len(rows), self.seat)
        return own, self.random.integers(0, self.opponents, (len(rows), self.most_seats))


def opponents_of(given: str | Player | Sequence[str | Player]) -> list[str | Player]:
    """Opponents as a list, from one or several."""
    named: list[Any] = [*given] if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    if not named:
        raise AlarifeError("name at least one opponent, such as opponents='scripted'")
    return named


def seat_of_learner(given: int | str, batch: Batch) -> int | str:
    """A seat that every table of the batch has, or ``"random"``."""
    return given if isinstance(given, str) and given == "random" else seat_number(given, int(batch.players.min()))


def reseed(players: Sequence[Player], seed: int) -> None:
    """Begin the random streams of players anew, of those that have any."""
    for number, player in enumerate(players):
        if hasattr(player, "reset"):
            player.reset(int(np.random.SeedSequence([seed, 1, number]).generate_state(1)[0]))


class LearnerBatch:
    """The learner's view of a batch.

    ``observation``, ``action_mask`` and ``seat`` are the batch's own arrays: they hold the learner's decision in every
    row whose game goes on. ``reward [n]`` is what came in for the learner since its last decision, ``done [n]`` tells
    that the game has ended; such a row waits for `renew`. With `skip_forced` a lone legal action is played for the
    learner, too: it is asked only where it has a choice.
    """

    def __init__(self, batch: Batch, opponents: Sequence[Player], seating: Seating, skip_forced: bool = False) -> None:
        if batch.restart:
            raise OptionError("a learner's batch is made with restart=False: it restarts games itself")
        self.batch, self.opponents, self._seating = batch, list(opponents), seating
        self._skip_forced = skip_forced
        self._all, self._seats = np.arange(batch.games), np.arange(batch.game.most_seats)
        # seats of each row, as bits, for which the batch plays by itself: the scripted player's, and the learner's
        # where it has no choice
        self._scripted, self._lone = np.zeros((2, batch.games), np.int64)
        self.own = np.zeros(batch.games, np.int64)
        self.sits = np.zeros((batch.games, batch.game.most_seats), np.int64)
        self.reward = np.zeros(batch.games, np.float32)
        self.done = np.zeros(batch.games, np.bool_)
        self.decisions = np.zeros(batch.games, np.int64)
        self.returns = np.zeros(batch.games, np.float64)

    @property
    def observation(self) -> Array:
        """The batch's own array."""
        return self.batch.observation

    @property
    def action_mask(self) -> Array:
        """The batch's own array."""
        return self.batch.action_mask

    def reset(self, seed: int | None = None) -> None:
        """Begin anew in every row; the learner is to decide afterwards."""
        self.batch.reset(seed)
        self._seat(self._all)

    def renew(self, rows: Array) -> None:
        """Begin the next game in these rows."""
        self.batch.renew(rows)
        self._seat(rows)

    def _seat(self, rows: Array) -> None:
        self.own[rows], self.sits[rows] = self._seating(rows, self.batch.players[rows].astype(np.int64))
        self.reward[rows], self.returns[rows], self.decisions[rows], self.done[rows] = 0, 0, 0, False
        others = self._seats != self.own[rows, None]
        is_scripted = np.array([is_script(player) for player in self.opponents] or [False])
        self._scripted[rows] = (is_scripted[self.sits[rows]] * others) @ (1 << self._seats)
        self._lone[rows] = self._skip_forced << self.own[rows]
        self._play_others(rows)

    def step(self, actions: Array, rows: Array | None = None) -> None:
        """Play the learner's actions (one entry for each game), then everybody else, up to its next decision."""
        rows = self._all if rows is None else rows
        self.reward[rows] = 0
        self._advance(actions, rows)
        self.decisions[rows] += 1
        self._play_others(rows)
        self.returns[rows] += self.reward[rows]

    def fine(self, rows: Array, amount: float) -> None:
        """Take something from what the last decision brought."""
        self.reward[rows] -= amount
        self.returns[rows] -= amount

    def forfeit(self, rows: Array, reward: float) -> None:
        """A decision that plays nothing and ends the learner's game, without a result but with this reward."""
        self.reward[rows] = reward
        self.decisions[rows] += 1
        self.returns[rows] += reward
        self.stop(rows)

    def stop(self, rows: Array) -> None:
        """The game of these rows ends here for the learner, unfinished."""
        self.done[rows] = True

    def _advance(self, actions: Array, rows: Array) -> None:
        self.batch.step(actions, rows)
        self._count(rows)

    def _count(self, rows: Array) -> None:
        """Count what the batch has just paid, and the games that ended."""
        self.reward[rows] += self.batch.reward[rows, self.own[rows]]
        self.done[rows] = self.batch.finished[rows]

    def _play_others(self, rows: Array) -> None:
        batch = self.batch
        actions = np.zeros(batch.games, np.int64)
        due = self._left_by_the_batch(np.sort(rows) if self._skip_forced else rows)
        while len(due):
            mine = batch.seat[due] == self.own[due]
            forced, asked = due[mine], due[~mine]
            actions[forced] = batch.action_mask[forced].argmax(1)
            sitting = self.sits[asked, batch.seat[asked]]
            for k in np.flatnonzero(np.bincount(sitting)):
                group = asked[sitting == k]
                player = self.opponents[k]
                actions[group] = ask(player, Turns.of_batch(batch, group, player), f"opponent {k}")
            self._advance(actions, due)
            due = self._left_by_the_batch(due)

    def _left_by_the_batch(self, rows: Array) -> Array:
        """The rows in which somebody else has to be asked, once the batch has played whatever it can by itself."""
        due = self._due(rows)
        unasked = due[(self._scripted[due] | self._lone[due]) >> self.batch.seat[due] & 1 != 0]
        if not len(unasked):
            return due
        self.batch.play_on(unasked, self._scripted, self._lone)
        self._count(unasked)
        return self._due(due)

    def _due(self, rows: Array) -> Array:
        """The rows of games that go on in which somebody else decides, or nobody has a choice."""
        going = rows[~self.done[rows]]
        is_due = self.batch.seat[going] != self.own[going]
        if self._skip_forced:
            is_due |= self.batch.arrays.moves["count"][going] == 1
        due: Array = going[is_due]
        return due

    def view(self, rows: Array | None = None) -> Array:
        """What the learner sees in these rows, finished games included."""
        rows = self._all if rows is None else rows
        return self.batch.view(rows, self.own[rows])

    def summary(self, row: int) -> dict[str, Any]:
        """How the game of a finished row came out for the learner."""
        batch, own = self.batch, self.own[row]
        return {"score": int(batch.final_score[row, own]), "place": int(batch.final_place[row, own]),
                "decisions": int(batch.final_decisions[row]), "capped": int(batch.final_capped[row])}  # fmt: skip
