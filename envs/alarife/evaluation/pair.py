"""Two entries of one suite side by side: what one wins more than the other on the same deals."""

from __future__ import annotations

from alarife.engine.errors import AlarifeError
from alarife.engine.numbers import Array
from alarife.evaluation.aggregate import LEVEL, differences, errors_apart, improvement, lead
from alarife.evaluation.challenge import shares_of
from alarife.evaluation.entry_file import Entry
from alarife.evaluation.scorecard import against
from alarife.evaluation.statistics import Estimate, percent, share_and_interval

COLUMNS = ["table", "against", "players", "first wins", "second wins", "first wins more, in points"]


def require_same_suite(first: Entry, second: Entry) -> None:
    """Refuse entries that did not play the same deals."""
    if first.suite.digest != second.suite.digest:
        one, other = (f"{entry.suite.name} ({entry.suite.digest})" for entry in (first, second))
        raise AlarifeError(f"two entries of one suite are compared, got one of {one} and one of {other}")


def shares(entry: Entry) -> list[Array]:
    """Shares of wins by table: ``[seeds, deals]``."""
    return [shares_of(table, [run["wins"] for run in entry.runs(table)]) for table in entry.suite.tables]


def pair_rows(first: Entry, second: Entry) -> list[list[str]]:
    """A row for each table."""
    one, other = shares(first), shares(second)
    return [
        [table.name, against(table), str(table.players), percent(float(a.mean()), 1), percent(float(b.mean()), 1),
         points(more)]
        for table, a, b, more in zip(first.suite.tables, one, other, differences(one, other), strict=True)
    ]  # fmt: skip


def points(estimate: Estimate) -> str:
    """A difference of two shares in percent points: ``+4.0 [1.5, 6.4]``."""
    return f"{100 * estimate.value:+.1f} [{100 * estimate.low:.1f}, {100 * estimate.high:.1f}]"


def pair_sentences(first: Entry, second: Entry) -> list[str]:
    """The whole suite in words, and what the intervals hold."""
    ahead, better = lead(first.scores, second.scores), improvement(first.scores, second.scores)
    half = errors_apart(1) * ahead.error
    seeds = [f"{len(entry.seeds)} training seed{'s' * (len(entry.seeds) > 1)}" for entry in (first, second)]
    return [
        f"interquartile mean of the scores: {ahead.value:+.3f} [{ahead.value - half:.3f}, {ahead.value + half:.3f}]; "
        f"a run of the first beats one of the second at {share_and_interval(better.value, better.low, better.high)} of "
        "the tables",
        f"Intervals are at {percent(1 - LEVEL)}, each for itself: a stratified bootstrap over deals, the same for "
        f"both, and training seeds; the first has {seeds[0]}, the second {seeds[1]}, and one seed shows the luck of "
        "deals only.",
    ]
