"""The simulated arena of scripts/simulate_arena.py: its filter, its pairs, and what its two ways of pairing tell."""

import numpy as np
import pytest

from simulate_arena import Belief, games_until, known, pairs_of, simulate

SPREAD = 2.0
SEEDS = range(5)


def test_a_game_moves_both_beliefs_by_what_it_tells():
    """Variances 4 and 4: damp² = 1 / (1 + pi), half a win expected, so it tells 1 / 4 / (1 + pi) of each."""
    belief = Belief.at_first(2, SPREAD)
    belief.learn(np.array([0]), np.array([1]), np.array([1.0]))
    variance = 1 / (1 / 4 + 1 / (4 * (1 + np.pi)))
    assert belief.variance == pytest.approx([variance, variance])
    gain = variance / np.sqrt(1 + np.pi) / 2
    assert belief.mean == pytest.approx([gain, -gain])


@pytest.mark.parametrize("way", ["random", "informative"])
@pytest.mark.parametrize("agents", [10, 11])
def test_a_round_pairs_everybody_but_one_at_most_once(way, agents):
    random = np.random.default_rng(3)
    for _ in range(20):
        met = np.concatenate(pairs_of(way, Belief.at_first(agents, SPREAD), random))
        assert len({*met.tolist()}) == len(met)
        assert len(met) in {agents - 1, agents} if agents % 2 else {agents - 2, agents}


def test_agents_far_apart_do_not_meet_once_that_is_known():
    belief = Belief(np.array([0.0, 50.0, 0.1, 50.1]), np.full(4, 1e-6))
    for seed in range(20):
        for one, other in zip(*pairs_of("informative", belief, np.random.default_rng(seed)), strict=True):
            assert {int(one), int(other)} in ({0, 2}, {1, 3}, {1, 2})  # the last where the outer two rest


def test_what_is_known_is_counted_by_hand():
    """Strongest first. Two of four stand in each other's place, so one of three pairs of neighbours is wrong."""
    told = known(Belief(np.array([3.0, 1.0, 2.0, 0.0]), np.full(4, 0.01)), np.array([3.0, 2.0, 1.0, 0.0]))
    assert told["rank_error"] == pytest.approx((0 + 1 + 1 + 0) / 4 / 4)
    assert told["near_parted"] == pytest.approx(2 / 3)
    assert told["near_parted_wrongly"] == pytest.approx(1 / 3)


def test_games_until_a_value_lie_between_two_rows():
    told = [{"games": 8.0, "near": 0.0}, {"games": 16.0, "near": 0.2}, {"games": 32.0, "near": 0.8}]
    assert games_until(told, "near", 0.2) == pytest.approx(16)
    assert games_until(told, "near", 0.5) == pytest.approx(16 * 2**0.5)  # half of the way, by ratio
    assert games_until(told, "near", 0.9) is None
    assert games_until([row | {"near": 1 - row["near"]} for row in told], "near", 0.5) == pytest.approx(16 * 2**0.5)


def test_informative_pairing_recovers_ranks_better():
    """By a third on average over seeds, and for none of them worse; the errors of a seed vary by a tenth."""
    error = {way: [simulate(way, 200, 600 / 173.7, [128], seed)[0]["rank_error"] for seed in SEEDS]
             for way in ("random", "informative")}  # fmt: skip
    assert all(a < b for a, b in zip(error["informative"], error["random"], strict=True))
    assert np.mean(error["informative"]) < 0.85 * np.mean(error["random"])
