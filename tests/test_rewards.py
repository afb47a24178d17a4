"""Results and the four reward modes, with values worked out by hand."""

import numpy as np
import pytest

from alarife.engine.layout import view_of
from alarife.engine.result import MARGIN, OUTCOME, RANK, SCORE, Result, place_by_key, value


def values(mode, scores, keys=None):
    r = view_of(Result.zeros(1))
    for p, score in enumerate(scores):
        r.score[p] = score
        r.key[p] = score if keys is None else keys[p]
    place_by_key(r, len(scores))
    return [value(r, len(scores), p, mode) for p in range(len(scores))], list(r.place[: len(scores)])


@pytest.mark.parametrize(("scores", "places", "outcome", "rank"), [
    ([7, 3], [1, 2], [1, -1], [1, -1]),
    ([4, 4], [1, 1], [0, 0], [0, 0]),
    ([9, 5, 7], [1, 3, 2], [1, -1 / 2, -1 / 2], [1, -1, 0]),
    ([9, 9, 7], [1, 1, 3], [1 / 4, 1 / 4, -1 / 2], [1 / 2, 1 / 2, -1]),
    ([9, 5, 5], [1, 2, 2], [1, -1 / 2, -1 / 2], [1, -1 / 2, -1 / 2]),
    ([1, 2, 3, 4], [4, 3, 2, 1], [-1 / 3, -1 / 3, -1 / 3, 1], [-1, -1 / 3, 1 / 3, 1]),
    ([5, 5, 5, 0], [1, 1, 1, 4], [1 / 9, 1 / 9, 1 / 9, -1 / 3], [1 / 3, 1 / 3, 1 / 3, -1]),
    ([0] * 6, [1] * 6, [0] * 6, [0] * 6),
])  # fmt: skip
def test_winners_and_places_share(scores, places, outcome, rank):
    assert values(OUTCOME, scores)[1] == places
    assert values(OUTCOME, scores)[0] == pytest.approx(outcome)
    assert values(RANK, scores)[0] == pytest.approx(rank)
    assert sum(values(OUTCOME, scores)[0]) == pytest.approx(0)
    assert sum(values(RANK, scores)[0]) == pytest.approx(0)


def test_a_tie_break_decides_places_but_not_points():
    assert values(OUTCOME, [4, 4], keys=[40, 41]) == ([-1, 1], [2, 1])
    assert values(SCORE, [4, 4], keys=[40, 41])[0] == [4, 4]


@pytest.mark.parametrize(("places", "outcome"), [
    ([1, 2], [1, -1]),
    ([1, 1, 3], [1 / 2, 1 / 2, -1]),
    ([4, 1, 1, 1], [-1, 1 / 3, 1 / 3, 1 / 3]),
    ([1, 3, 1, 3], [1 / 3, -1 / 3, 1 / 3, -1 / 3]),
    ([1, 1], [0, 0]),
])  # fmt: skip
def test_where_nobody_has_won_those_behind_pay_the_others(places, outcome):
    r = view_of(Result.zeros(1))
    r.no_winner = 1
    for p, place in enumerate(places):
        r.place[p] = place
    assert [value(r, len(places), p, OUTCOME) for p in range(len(places))] == pytest.approx(outcome)


def test_margin_is_measured_against_the_best_other_seat():
    assert values(MARGIN, [10, 7, 3])[0] == [3, -3, -7]
    assert values(MARGIN, [-2, -5])[0] == [3, -3]


@pytest.mark.parametrize(("won", "place", "outcome", "rank"), [(1, 1, 1, 1), (1, 2, 1, 1 / 3), (0, 4, -1, -1)])
def test_a_game_for_one_has_a_rival_and_ranks(won, place, outcome, rank):
    r = view_of(Result.zeros(1))
    r.score[0], r.rival, r.won, r.place[0], r.places = 80, 95, won, place, 4
    assert value(r, 1, 0, OUTCOME) == outcome
    assert value(r, 1, 0, RANK) == pytest.approx(rank)
    assert value(r, 1, 0, MARGIN) == -15
    assert value(r, 1, 0, SCORE) == 80
    assert np.isfinite(value(r, 1, 0, MARGIN))
