"""Who sits on the other seats: a pool of anchors that stay and of frozen earlier selves.

For every game each seat that is not the learner's draws its member anew, the harder ones more often. After the game
the learner's place is compared with that of every other seat: 1 for ahead, 0.5 for a shared place, 0 for behind. A
member's score is the running mean of that. When the learner does well enough against the whole pool it is frozen as a
new member; if there is no more room, the easiest snapshot leaves.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from alarife.engine.numbers import Array
from alarife.players import Player, Turns, find_player
from alarife.players.basic import is_script
from alarife.players.turns import wants_forks
from alarife.selfplay.learner import reseed
from alarife_training.checkpoint import MemberFacts
from alarife_training.config import Pool as PoolConfig
from alarife_training.weights import with_torch

WINDOW = 500  # games that a running mean looks back, about


@dataclass
class Member:
    """One who may be drawn, and how the learner does against it."""

    name: str
    player: Player
    is_anchor: bool
    score: float = 0.5
    games: int = 0  # games since it joined
    joined: int = 0  # the pool's clock when it joined
    file: str | None = None  # where a snapshot is kept

    def count(self, points: Array) -> None:
        """Take the results of some games into the running mean."""
        for point in points:
            self.games += 1
            self.score += (float(point) - self.score) / min(self.games + 1, WINDOW)

    def facts(self) -> MemberFacts:
        """What has to be remembered of it."""
        return MemberFacts(name=self.name, score=self.score, games=self.games, file=self.file)


@dataclass
class Clock:
    """Seconds spent on something."""

    seconds: float = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count the time that the block takes."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds += time.perf_counter() - start


@dataclass
class _Timed:
    """A player whose thinking time is counted."""

    player: Player
    clock: Clock = field(repr=False)

    @property
    def forks(self) -> bool | str:
        return wants_forks(self.player)

    def act(self, turns: Turns) -> Array:
        with self.clock.running():
            return self.player.act(turns)


class Pool:
    """The members, and who plays in which game.

    `players` has one slot for each member; a slot keeps its number, so that games that are going on know their seats.
    """

    def __init__(self, config: PoolConfig, most_seats: int, games: int) -> None:
        self.config, self.most_seats = config, most_seats
        self.thinking = Clock()
        anchors = config.anchors if most_seats > 1 else []
        self.members = [Member(name, with_torch(find_player(name)), True) for name in anchors]
        self._drawn_at = np.zeros(games, np.int64)
        self._clock = 0
        self.players: list[Player] = [self.timed(member.player) for member in self.members]
        self.reset(0)

    def timed(self, player: Player) -> Player:
        """The player with its thinking time counted; but the scripted one is played by the batch itself."""
        return player if is_script(player) else _Timed(player, self.thinking)

    def reset(self, seed: int) -> None:
        """Begin all random streams anew."""
        self._random = np.random.default_rng([seed, 0])
        reseed([member.player for member in self.members], seed)

    # --- drawing ------------------------------------------------------------------------------------

    def chances(self) -> Array:
        """How likely each member is to be drawn: by hardness."""
        scores = np.array([member.score for member in self.members])
        weights = (1 - scores) ** self.config.hardness + self.config.floor
        shares: Array = weights / weights.sum()
        return shares

    def seating(self, rows: Array, players: Array) -> tuple[Array, Array]:
        """The learner's seat and everybody else's member in the games about to begin."""
        own = self._random.integers(0, players)
        sits = np.zeros((len(rows), self.most_seats), np.int64)
        if self.members:
            sits = self._random.choice(len(self.members), sits.shape, p=self.chances())
        self._drawn_at[rows] = self._clock
        return own, sits

    # --- results ------------------------------------------------------------------------------------

    def report(self, rows: Array, own: Array, sits: Array, players: Array, places: Array) -> None:
        """Count games that ended; all arguments but `rows` have one entry for each of these rows."""
        for number, points in self.results(rows, own, sits, players, places):
            self.members[number].count(points)

    def results(
        self, rows: Array, own: Array, sits: Array, players: Array, places: Array
    ) -> Iterator[tuple[int, Array]]:
        """The learner's points against each member, by its slot; arguments are those of `report`."""
        seats = np.arange(self.most_seats)[None]
        other = (seats != own[:, None]) & (seats < players[:, None])
        mine = places[np.arange(len(rows)), own][:, None]
        points = np.where(places > mine, 1.0, np.where(places == mine, 0.5, 0.0))
        for number, member in enumerate(self.members):
            met = other & (sits == number) & (self._drawn_at[rows] >= member.joined)[:, None]
            yield number, points[met]

    @property
    def snapshots(self) -> list[Member]:
        """The frozen earlier selves."""
        return [member for member in self.members if not member.is_anchor]

    def earns_snapshot(self) -> bool:
        """Whether the learner beats the pool.

        That is every snapshot on average; as long as there is none, at least one anchor. A member counts once enough
        games have been played against it.
        """
        if not self.config.snapshots or not self.members:
            return False
        rivals = self.snapshots
        if any(member.games < self.config.games for member in rivals or self.members):
            return False
        scores = [member.score for member in rivals or self.members]
        measure = np.mean(scores) if rivals else max(scores)
        return bool(measure >= self.config.gate)

    def add(self, name: str, player: Player, file: str) -> Member:
        """Take in a snapshot; when there is no room, in the place of the easiest one."""
        self._clock += 1
        member = Member(name, player, False, joined=self._clock, file=file)
        timed = self.timed(player)
        if len(self.snapshots) < self.config.snapshots:
            self.members.append(member)
            self.players.append(timed)
            return member
        slot = self.members.index(max(self.snapshots, key=lambda old: old.score))
        self.members[slot] = member
        self.players[slot] = timed
        return member
