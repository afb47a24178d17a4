"""Scores of several tables as one figure, and how surely: the recipe of Agarwal et al. 2021 (rliable).

Scores of a player are given table by table: an array ``[seeds, deals]`` of what it reached on each deal with each of
its training seeds, normalised so that random play has 0 and the reference 1. The score of a run, one seed at one table,
is the mean over its deals. Then

- the interquartile mean is the mean of the middle half of all runs, of all tables together;
- the median is that of the tables' means, the optimality gap how far runs stay below 1 on average;
- a performance profile tells for each score the share of runs that are above it;
- the probability of improvement is how often a run of one player beats one of the other at the same table, tables
  weighing the same, and equal runs counting half.

Intervals are percentiles of a stratified bootstrap: within each table training seeds are drawn anew, and the table's
deals, too. All players are given the same deals in the same repeat, so that a difference of two players is one on the
same deals. With one deal for each table this is rliable's bootstrap; with one seed it knows the luck of deals only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from alarife.engine.numbers import Array
from alarife.evaluation.statistics import Estimate

Scores = Sequence[Array]  # by table: [seeds, deals]
REPEATS = 2000
LEVEL = 0.05
_DEALS, _SEEDS = 1, 2  # streams of the bootstrap
_ALONE, _BESIDE = 0, 1  # whose training seeds are drawn


def interquartile_mean(runs: Array) -> Array:
    """The mean of the middle half, along the last axis."""
    ordered = np.sort(runs, -1)
    cut = runs.shape[-1] // 4
    return np.asarray(ordered[..., cut : runs.shape[-1] - cut].mean(-1))


@dataclass(frozen=True)
class Drawn:
    """Scores of runs, ``[repeats, runs]``: those that were reached in the first row, those drawn anew below it."""

    tables: list[Array]  # [repeats + 1, seeds] each

    @property
    def runs(self) -> Array:
        """All tables together."""
        return np.concatenate(self.tables, 1)

    def estimate(self, figure: Array, count: int) -> Estimate:
        """A figure of each repeat as its value and interval; `count` is how many runs it is of."""
        low, high = np.percentile(figure[1:], [50 * LEVEL, 100 - 50 * LEVEL])
        return Estimate(float(figure[0]), float(low), float(high), count)


def draw(scores: Scores, whose: int = _ALONE, repeats: int = REPEATS) -> Drawn:
    """Draw training seeds and deals anew, table by table."""
    tables = []
    for number, table in enumerate(scores):
        seeds, deals = table.shape
        means = _times_drawn(number, deals, repeats).astype(float) @ table.T / deals
        random = np.random.default_rng([_SEEDS, whose, number])
        picked = np.concatenate([np.arange(seeds)[None], random.integers(0, seeds, (repeats, seeds))])
        tables.append(np.take_along_axis(means, picked, 1))
    return Drawn(tables)


@lru_cache(maxsize=32)
def _times_drawn(table: int, deals: int, repeats: int) -> Array:
    """How often each deal is drawn, once each in the first row and anew in each repeat: the same for all players."""
    random = np.random.default_rng([_DEALS, table])
    drawn = random.multinomial(deals, np.full(deals, 1 / deals), repeats)
    return np.concatenate([np.ones((1, deals)), drawn]).astype(np.uint16)


# --- figures of one player ----------------------------------------------------------------------------

Figure = Callable[[Drawn], Array]


def _iqm(drawn: Drawn) -> Array:
    return interquartile_mean(drawn.runs)


def _mean(drawn: Drawn) -> Array:
    return np.asarray(drawn.runs.mean(1))


def _median(drawn: Drawn) -> Array:
    return np.asarray(np.median(np.stack([table.mean(1) for table in drawn.tables]), 0))


def _gap(drawn: Drawn) -> Array:
    return np.asarray(1 - np.minimum(drawn.runs, 1).mean(1))


FIGURES: dict[str, Figure] = {
    "interquartile mean": _iqm, "median": _median, "mean": _mean, "optimality gap": _gap,
}  # fmt: skip


def figures(scores: Scores) -> dict[str, Estimate]:
    """The four figures of a player, with their intervals."""
    drawn = draw(scores)
    return {name: drawn.estimate(figure(drawn), drawn.runs.shape[1]) for name, figure in FIGURES.items()}


def by_table(scores: Scores) -> list[Estimate]:
    """The mean score at each table."""
    drawn = draw(scores)
    return [drawn.estimate(table.mean(1), table.shape[1]) for table in drawn.tables]


def profile(scores: Scores, marks: Sequence[float]) -> list[Estimate]:
    """The share of runs whose score is above each mark, by more than rounding."""
    drawn = draw(scores)
    runs = drawn.runs
    return [drawn.estimate((runs > mark + 1e-9).mean(1), runs.shape[1]) for mark in marks]


# --- two players --------------------------------------------------------------------------------------


def improvement(first: Scores, second: Scores) -> Estimate:
    """How probably a run of the first beats one of the second at a table drawn among those of the suite."""
    one, other = draw(first), draw(second, _BESIDE)
    shares = [_beaten(a, b) for a, b in zip(one.tables, other.tables, strict=True)]
    return one.estimate(np.mean(shares, 0), len(shares))


def differences(first: Scores, second: Scores) -> list[Estimate]:
    """How far the first player's mean lies above the second's at each table, on the same deals."""
    one, other = draw(first), draw(second, _BESIDE)
    return [one.estimate(a.mean(1) - b.mean(1), a.shape[1]) for a, b in zip(one.tables, other.tables, strict=True)]


def _beaten(first: Array, second: Array) -> Array:
    apart = first[:, :, None] - second[:, None, :]
    ahead = np.sign(np.where(np.abs(apart) < 1e-9, 0, apart))
    return np.asarray(0.5 + 0.5 * ahead.mean((1, 2)))


@dataclass(frozen=True)
class Lead:
    """How far one player's interquartile mean lies above the other's on the same deals."""

    value: float
    error: float  # standard error of the bootstrap

    def is_sure(self, pairs: int) -> bool:
        """Whether the first is ahead, where so many pairs are looked at."""
        return self.value > max(errors_apart(pairs) * self.error, 1e-9)


def redrawn_iqm(scores: Scores, whose: int) -> Array:
    """The interquartile mean, and below it that of each repeat; training seeds are drawn for `whose` number it is."""
    return _iqm(draw(scores, whose))


def lead_of(first: Array, second: Array) -> Lead:
    """The difference of two interquartile means, each with its repeats."""
    apart = first - second
    return Lead(float(apart[0]), float(apart[1:].std(ddof=1)))


def lead(first: Scores, second: Scores) -> Lead:
    """The difference of two players' interquartile means."""
    return lead_of(redrawn_iqm(first, _ALONE), redrawn_iqm(second, _BESIDE))


# --- who is told apart --------------------------------------------------------------------------------


def errors_apart(pairs: int, level: float = LEVEL) -> float:
    """How many standard errors a lead has to have so that among so many pairs of equals hardly one is told apart.

    Bonferroni's correction: with the probability 1 - `level` no pair of equals has such a lead.
    """
    return NormalDist().inv_cdf(1 - level / 2 / max(1, pairs))


@dataclass(frozen=True)
class Rank:
    """A player's group, from 1, and the places that it may have: those ahead of it and behind it are told apart."""

    name: str
    group: int
    best: int
    worst: int

    def __str__(self) -> str:
        return str(self.best) if self.best == self.worst else f"{self.best}-{self.worst}"


def ranked(names: Sequence[str], is_ahead: Callable[[str, str], bool]) -> list[Rank]:
    """Players in groups, given best first.

    Between two groups everybody in the first is surely ahead of everybody in the second. Within a group no order is
    told, so its names stand by the alphabet.
    """
    ranks, group, rest = [], 0, list(names)
    while rest:
        size = next(n for n in range(1, len(rest) + 1)
                    if all(is_ahead(a, b) for a in rest[:n] for b in rest[n:]))  # fmt: skip
        group += 1
        for name in sorted(rest[:size]):
            ahead = sum(is_ahead(other, name) for other in names if other != name)
            behind = sum(is_ahead(name, other) for other in names if other != name)
            ranks.append(Rank(name, group, 1 + ahead, len(names) - behind))
        rest = rest[size:]
    return ranks
