"""What suites are summed up by: figures worked out by hand, intervals that hold, ranks that tell no order too many."""

import itertools
import math

import numpy as np
import pytest

from alarife.engine.errors import AlarifeError
from alarife.evaluation.aggregate import (
    by_table,
    differences,
    draw,
    errors_apart,
    figures,
    improvement,
    interquartile_mean,
    lead,
    profile,
    ranked,
)
from alarife.evaluation.power import deals_needed, smallest_difference, widest_variance


def runs(*tables):
    """Scores of runs, one deal each."""
    return [np.asarray(table, float)[:, None] for table in tables]


@pytest.mark.parametrize(("scores", "middle"), [
    ([0, 1, 2, 3, 4, 5, 6, 7], 3.5),  # two fall off at each end
    ([100, 1, 2, 3, 4, -50], 2.5),  # six quarters are one and a half: one falls off
    ([1, 2, 6], 3),  # nothing falls off
    ([7], 7),
])  # fmt: skip
def test_the_interquartile_mean_is_that_of_the_middle_half(scores, middle):
    assert interquartile_mean(np.asarray(scores, float)) == middle
    assert figures(runs(scores))["interquartile mean"].value == middle


def test_the_other_figures_by_hand():
    """Three tables with two training seeds each: means 0.5, 1 and 3."""
    found = figures(runs([0.0, 1.0], [0.5, 1.5], [2.0, 4.0]))
    assert found["mean"].value == 1.5
    assert found["median"].value == 1
    assert found["interquartile mean"].value == (0.5 + 1 + 1.5 + 2) / 4
    assert found["optimality gap"].value == pytest.approx((1 + 0 + 0.5 + 0 + 0 + 0) / 6)
    assert [estimate.value for estimate in by_table(runs([0.0, 1.0], [2.0, 4.0]))] == [0.5, 3]


def test_the_score_of_a_run_is_its_mean_over_deals():
    scores = [np.array([[0.0, 1.0, 1.0, 2.0], [1.0, 1.0, 1.0, 1.0]])]
    assert draw(scores).tables[0][0].tolist() == [1, 1]


def test_a_profile_counts_runs_above_a_mark():
    found = profile(runs([0.2, 1.0], [1.0, 2.5]), [0, 0.2, 1.0, 2])
    assert [estimate.value for estimate in found] == [1, 0.75, 0.25, 0.25]


def test_the_probability_of_improvement_by_hand():
    """At the first table 3 of 4 pairs are won, at the second one is level and one lost."""
    found = improvement(runs([1.0, 4.0], [2.0]), runs([0.0, 3.0], [2.0, 5.0]))
    assert found.value == (0.75 + 0.25) / 2
    assert improvement(runs([2.0]), runs([1.0])).value == 1
    assert improvement(runs([1.0]), runs([1.0])).value == 0.5


def test_intervals_hold_the_true_mean():
    """Of 150 players with scores drawn at three tables about 95 % have the truth in their interval."""
    random, held = np.random.default_rng(3), 0
    for _ in range(150):
        held += (estimate := figures(list(random.normal(1, 1, (3, 1, 100))))["mean"]).low <= 1 <= estimate.high
    assert 0.89 <= held / 150 <= 0.99


def test_intervals_know_the_luck_of_training():
    """Two players with the same mean: where training seeds differ, the interval is wider."""
    deals = np.tile([0.0, 1.0], 200)
    alike, apart = np.stack([deals] * 3), np.stack([deals - 1, deals, deals + 1])
    one, other = (figures([scores] * 4)["mean"] for scores in (alike, apart))
    assert one.value == other.value
    assert other.width > 3 * one.width


def test_two_players_are_compared_on_the_same_deals():
    """Luck of the deal that both share falls out: a lead on every deal is sure, however the deals differ."""
    luck = np.random.default_rng(1).normal(0, 5, (1, 200))
    ahead = lead([luck + 0.1], [luck])
    assert ahead.value == pytest.approx(0.1)
    assert ahead.error < 1e-9
    assert figures([luck])["mean"].width > 0.4


def test_differences_at_tables_by_hand():
    """Two seeds against one: means of 2 and 1 at the first table; at the second both have the same scores."""
    luck = np.random.default_rng(1).normal(0, 5, (1, 200))
    apart, level = differences([np.array([[0.0, 2.0], [2.0, 4.0]]), luck], [np.array([[1.0, 1.0]]), luck])
    assert apart.value == 1
    assert apart.low < apart.value < apart.high
    assert (level.value, level.low, level.high) == pytest.approx((0, 0, 0), abs=1e-12)


# --- power --------------------------------------------------------------------------------------------


def test_the_power_calculation_by_hand():
    """(1.95996 + 0.84162) squared is 7.8489; 5 points at a variance of 1/4 take 7.8489 * 0.25 / 0.0025 = 784.9."""
    assert widest_variance(2) == 0.25
    assert widest_variance(1) == 0.5
    assert deals_needed(0.05, 0.25) == 785
    assert deals_needed(0.10, 0.25) == 197
    assert deals_needed(0.05, 0.5) == 1570
    assert smallest_difference(785, 0.25) == pytest.approx(0.05, abs=1e-4)
    assert deals_needed(0.05, 0.25, power=0.5) == math.ceil(1.95996**2 * 100)
    with pytest.raises(AlarifeError, match=r"lie between 0 and 1, got 0, 0.8, 0.05"):
        deals_needed(0, 0.25)


def test_so_many_deals_find_the_difference_four_times_in_five():
    """Players who win 55 and 50 % of games against the same others, 785 deals, each on both seats."""
    random, deals, found = np.random.default_rng(5), deals_needed(0.05, 0.25), 0
    for _ in range(400):
        one, other = (random.binomial(2, share, deals) / 2 for share in (0.55, 0.50))
        apart = one - other
        found += apart.mean() > 1.96 * apart.std(ddof=1) / math.sqrt(deals)
    assert 0.74 < found / 400 < 0.87


# --- ranks --------------------------------------------------------------------------------------------


def ahead_by(strength, least):
    return lambda a, b: strength[a] - strength[b] >= least


def test_players_that_are_told_apart_stand_in_order():
    ranks = ranked("abc", ahead_by({"a": 3, "b": 2, "c": 1}, 1))
    assert [(rank.name, rank.group, str(rank)) for rank in ranks] == [("a", 1, "1"), ("b", 2, "2"), ("c", 3, "3")]


def test_equals_stand_in_one_group_without_an_order():
    ranks = ranked(["d", "b", "a", "c"], ahead_by({"d": 9, "b": 5, "a": 4, "c": 0}, 3))
    assert [(rank.name, rank.group, str(rank)) for rank in ranks] == [
        ("d", 1, "1"), ("a", 2, "2-3"), ("b", 2, "2-3"), ("c", 3, "4"),
    ]  # fmt: skip


def test_a_chain_of_equals_is_one_group_whose_places_tell_who_is_apart():
    """The first is ahead of the third, but the second is level with both."""
    ranks = ranked("abc", ahead_by({"a": 4, "b": 2, "c": 0}, 3))
    assert [(rank.name, rank.group, str(rank)) for rank in ranks] == [("a", 1, "1-2"), ("b", 1, "1-3"), ("c", 1, "2-3")]


@pytest.mark.parametrize("seed", range(20))
def test_no_order_is_told_between_players_that_are_not_apart(seed):
    random = np.random.default_rng(seed)
    strength = dict(zip("abcdefg", random.random(7), strict=True))
    is_ahead = ahead_by(strength, 0.2)
    group = {rank.name: rank.group for rank in ranked(sorted(strength, key=strength.get)[::-1], is_ahead)}
    for a, b in itertools.permutations(group, 2):
        assert group[a] >= group[b] or is_ahead(a, b)


def test_among_many_pairs_of_equals_hardly_one_is_told_apart():
    assert errors_apart(1) == pytest.approx(1.96, abs=1e-3)
    assert errors_apart(10) == pytest.approx(2.807, abs=1e-3)
    random, found = np.random.default_rng(2), 0
    for _ in range(400):
        means = random.normal(size=5)
        found += max(abs(a - b) / math.sqrt(2) for a, b in itertools.combinations(means, 2)) > errors_apart(10)
    assert found / 400 < 0.08
