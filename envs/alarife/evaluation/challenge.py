"""One player against a table of others of one kind, on every seat of every deal: how suites judge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from alarife.engine.errors import FileError
from alarife.engine.numbers import Array
from alarife.evaluation.match import Maker
from alarife.evaluation.results import Result
from alarife.evaluation.run import Evaluation
from alarife.evaluation.schedule import Fixture
from alarife.evaluation.statistics import wins_of
from alarife.evaluation.suite import SuiteTable

ENTRY, REFERENCE = "entry", "reference"  # the names of who plays, in results
PARTS = 60  # of a win: whatever the number of those who share it, up to six, their parts are whole


class Challenge(Evaluation):
    """An evaluation with other games: the first player takes every seat in turn, the second all others."""

    def planned(self) -> Iterator[Fixture]:
        """All games, deal by deal."""
        players = self.setting.players
        for deal in range(self.games // players):
            for seat in range(players):
                yield Fixture(deal, tuple(int(other != seat) for other in range(players)))


def challenge(table: SuiteTable, maker: Maker, limit: float | None = None, memory: float | None = None) -> Challenge:
    """The games of a player at a suite's table."""
    makers: dict[str, Maker] = {ENTRY: maker} | ({REFERENCE: table.reference} if table.players > 1 else {})
    made = Challenge.make(table.game, makers, table.players, table.games, table.seed, table.options, limit, memory)
    assert isinstance(made, Challenge)
    return made


def wins_by_deal(results: Iterable[Result], deals: int) -> list[int]:
    """What the entry won in each deal, summed over its seats, in sixtieths of a game."""
    wins = np.zeros(deals)
    for result in results:
        wins[result["deal"]] += wins_of(result)[result["seats"].index(ENTRY)]
    return [round(PARTS * won) for won in wins]


def shares_of(table: SuiteTable, wins: Sequence[Sequence[int]]) -> Array:
    """Shares of games won ``[seeds, deals]`` from the wins of each training seed."""
    return np.asarray(wins, float) / (PARTS * table.players)


def scores_of(table: SuiteTable, wins: Sequence[Sequence[int]]) -> Array:
    """Normalised scores ``[seeds, deals]`` from the wins of each training seed."""
    return np.asarray(table.score(shares_of(table, wins)))


def require_whole(table: SuiteTable, results: Sequence[Mapping[str, Any]]) -> None:
    """Refuse results in which a game is missing or stands that is none of the table's."""
    held = {(result["deal"], tuple(result["seats"])) for result in results}
    wanted = set(seatings(table))
    if held != wanted:
        missing, more = len(wanted - held), len(held - wanted)
        raise FileError(f"{table.name}: {missing} of {len(wanted)} games are missing"
                        f"{f', {more} are none of this table' if more else ''}")  # fmt: skip


def seatings(table: SuiteTable) -> Iterator[tuple[int, tuple[str, ...]]]:
    """All games of a table: the deal, and who sits where."""
    for deal in range(table.deals):
        for seat in range(table.players):
            yield deal, tuple(ENTRY if other == seat else REFERENCE for other in range(table.players))
