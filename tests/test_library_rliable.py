"""The figures of suites are those of rliable, where each run has one deal for each table."""

import numpy as np
import pytest

pytest.importorskip("rliable")

from rliable import library, metrics

from alarife.evaluation.aggregate import figures, improvement

pytestmark = [pytest.mark.libraries, pytest.mark.filterwarnings("ignore")]


def test_the_figures_are_those_of_rliable():
    random = np.random.default_rng(7)
    first, second = random.gamma(2, 0.5, (5, 8)), random.gamma(2, 0.6, (4, 8))  # [seeds, tables]
    ours = figures(list(first.T[:, :, None]))
    theirs = {"interquartile mean": metrics.aggregate_iqm, "median": metrics.aggregate_median,
              "mean": metrics.aggregate_mean, "optimality gap": metrics.aggregate_optimality_gap}  # fmt: skip
    values, intervals = library.get_interval_estimates(
        {"first": first}, lambda scores: np.array([theirs[name](scores) for name in ours]), reps=4000
    )
    for number, (name, estimate) in enumerate(ours.items()):
        assert estimate.value == pytest.approx(values["first"][number]), name
        low, high = intervals["first"][:, number]
        assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=0.15 * (high - low)), name
    found = improvement(list(first.T[:, :, None]), list(second.T[:, :, None]))
    assert found.value == pytest.approx(metrics.probability_of_improvement(first, second))
