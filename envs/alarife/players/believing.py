"""What a seat believes if the others play as a given player does: particles, states that could be the true one.

They are drawn by rejection, as in POMCP (Silver and Veness, "Monte-Carlo Planning in Large POMDPs", NIPS 2010). From
the particles of its last decision a seat plays on with new luck: first its own action, then the given player on the
other seats. Those states are kept in which it sees and remembers what it does now, and may do the same; all weigh
alike. Where too few are kept, forks that agree with its memory join them: at its first decision, in the next game,
where much lies between two decisions, and where the others turn out to play in another way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from alarife.engine.arrays import futures_of, same_bytes, views_of
from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError
from alarife.engine.game import Game
from alarife.engine.memory import surest
from alarife.engine.numbers import Array
from alarife.players.person import is_person
from alarife.players.turns import Turns, ask

KEPT = 256  # particles of a decision at most
LEAST = 32  # and at least, with forks
TRIES = 2000  # particles played on for a decision at most
CHUNK = 500  # of them at once
MOST_TABLES = 64  # whose particles are kept
NONE = -1


@dataclass(frozen=True)
class _Decision:
    """A decision of a seat."""

    seat: int
    number: int  # decisions of the game before it
    view: Array  # what the seat sees and remembers
    mask: Array
    particles: Array  # states that could be true
    action: int = NONE  # what was done

    def looks_like(self, other: _Decision) -> bool:
        """Whether the seat knows the same at both, and may do the same."""
        return np.array_equal(self.view, other.view) and np.array_equal(self.mask, other.mask)


class Believer:
    """Keeps particles for the tables where a search sits."""

    def __init__(self, others: str, seed: int) -> None:
        from alarife.players.find import find_player

        self.player = find_player(others, seed)
        if is_person(self.player):
            raise AlarifeError("others names a player that computes, got 'person'")
        self._random = np.random.default_rng(seed)
        self._batches: dict[tuple[Game, int], Batch] = {}  # by game and seats at the table
        self._last: dict[tuple[int, int], _Decision] = {}  # by table and seat

    def particles(self, turns: Turns, row: int) -> Array:
        """States that could be true at the decision of a row, in random order, each with a future of its own."""
        place = int(turns.table[row]), int(turns.seat[row])
        last, now = self._last.pop(place, None), self._decision(turns, row)
        found = self._found(turns, row, last, now)
        lacking = max(LEAST - len(found), 0) if len(found) else KEPT
        states = np.concatenate([found, self._forks(turns, row, lacking)])
        states = futures_of(turns.game, states, self._random.permutation(len(states)), self._keys(len(states)))
        self._last[place] = replace(now, particles=states)
        if len(self._last) > MOST_TABLES:
            self._last.pop(next(iter(self._last)))
        return states

    def note(self, turns: Turns, row: int, action: int) -> None:
        """Note what is done at the decision of a row, if its particles are kept."""
        place = int(turns.table[row]), int(turns.seat[row])
        if place in self._last:
            self._last[place] = replace(self._last[place], action=action)

    # --- particles ------------------------------------------------------------------------------------

    def _decision(self, turns: Turns, row: int) -> _Decision:
        """The decision of a row, as yet without particles."""
        fork, seat = self._forks(turns, row, 1), int(turns.seat[row])
        view = _seen(turns.game, fork, seat)[0]
        return _Decision(seat, int(fork["decisions"][0]), view, turns.action_mask[row].copy(), fork[:0])

    def _found(self, turns: Turns, row: int, last: _Decision | None, now: _Decision) -> Array:
        """Particles that led from the last decision to this one."""
        found = now.particles
        if last is None or last.number > now.number or (last.number < now.number and last.action == NONE):
            return found
        if last.number == now.number:  # asked once more
            return last.particles if last.looks_like(now) else found
        batch = self._batch(turns, row)
        for _ in range(TRIES // CHUNK):
            if len(found) >= KEPT:
                break
            found = np.concatenate([found, self._led_here(batch, last, now)])
        return found[:KEPT]

    def _led_here(self, batch: Batch, last: _Decision, now: _Decision) -> Array:
        """Play on from particles of the last decision, and keep what looks as it does now."""
        drawn = self._random.integers(0, len(last.particles), CHUNK)
        same_bytes(batch.arrays.states, futures_of(batch.game, last.particles, drawn, self._keys(CHUNK)))
        rows, actions = np.arange(CHUNK), np.full(CHUNK, last.action)
        batch.arrays.look(rows)
        while len(rows):
            batch.step(actions, rows)
            rows = rows[~batch.over[rows].astype(bool) & (batch.state["decisions"][rows] < now.number)]
            rows = self._choose(batch, rows, now.seat, actions)
        states = batch.state
        arrived = (states["decisions"] == now.number) & (states["seat"] == now.seat) & (states["over"] == 0)
        here = np.flatnonzero(arrived & (batch.action_mask == now.mask).all(1))
        states = batch.clone(here)
        alike = (_seen(batch.game, states, now.seat) == now.view).all(1)
        return np.asarray(states[alike])

    def _choose(self, batch: Batch, rows: Array, seat: int, actions: Array) -> Array:
        """Write down what is played in these rows; returns those where the seat itself had no choice in between."""
        is_lone = batch.action_mask[rows].sum(1) == 1
        actions[rows] = batch.action_mask[rows].argmax(1)
        asked = rows[~is_lone & (batch.seat[rows] != seat)]
        if len(asked):
            actions[asked] = ask(self.player, Turns.of_batch(batch, asked, self.player), "the player of others")
        return np.asarray(rows[is_lone | (batch.seat[rows] != seat)])

    # --- what it works on -----------------------------------------------------------------------------

    def _keys(self, count: int) -> Array:
        return self._random.integers(0, 2**64, count, np.uint64)

    def _forks(self, turns: Turns, row: int, count: int) -> Array:
        """Forks of a row that agree with all that its seat remembers."""
        return turns.at(np.full(count, row)).fork(self._keys(count), surest(turns.game))

    def _batch(self, turns: Turns, row: int) -> Batch:
        """Room to play on in."""
        about = turns.game, int(turns.players[row])
        if about not in self._batches or self._batches[about].options != turns.options:
            self._batches[about] = Batch(turns.game, CHUNK, about[1], 0, turns.options, restart=False)
        return self._batches[about]


def _seen(game: Game, states: Array, seat: int) -> Array:
    """What a seat sees and remembers in each of some states."""
    return views_of(game.with_memory if game.memory else game, states, np.full(len(states), seat))
