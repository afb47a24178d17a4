"""Villa Paletti: the imperfections and their posterior (PAL-165 to PAL-167)."""

import numpy as np
import pytest

from alarife.engine.arrays import Scratch
from alarife.engine.batch import Batch
from alarife.engine.layout import view_of
from alarife.engine.table import Table
from alarife.games.villa_paletti import GAME
from alarife.games.villa_paletti.components import COLUMNS, FLOORS, NONE, Phase, Proof
from alarife.games.villa_paletti.resample import resample
from alarife.games.villa_paletti.rules import statics, tremor
from alarife.testing import check_game
from games.villa_paletti.positions import build

HIDDEN = ("centre", "excess")


def table(players=2, seed=1, **options):
    return Table(GAME, players, options, seed=seed, interpreted=True)


@pytest.mark.rules("PAL-165")
def test_imperfections_are_drawn_once_with_their_deviations():
    centre, excess = [], []
    for seed in range(60):
        s = table(seed=seed).state
        centre += np.asarray(s.centre).ravel().tolist()
        excess += np.asarray(s.excess).tolist()
    assert np.std(centre) == pytest.approx(1.5, abs=0.16)
    assert np.std(excess) == pytest.approx(0.05, abs=0.004)
    t = table(seed=3)
    before = np.array(t.state.centre)
    random = np.random.default_rng(1)
    while not t.over:
        t.play(int(random.choice(t.legal())))
    assert np.array_equal(t.state.centre, before)


@pytest.mark.rules("PAL-167")
def test_without_chance_games_of_two_streams_are_the_same():
    calm = {"sigma": 0.0, "reading_noise": 0.0, "imperfection": False}
    t = table(**calm)
    assert not np.any(t.state.centre)
    assert not np.any(t.state.excess)
    u = t.clone()
    u.state.rng = np.uint64(99)
    random = np.random.default_rng(2)
    while not t.over:
        assert t.legal() == u.legal()
        action = int(random.choice(t.legal()))
        t.play(action)
        u.play(action)
    t.state.rng = u.state.rng
    assert t.to_bytes() == u.to_bytes()


@pytest.mark.rules("PAL-165")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_redrawing_changes_the_imperfections_and_nothing_else(players):
    batch = Batch(GAME, 48, players, seed=7)
    rows, random = np.arange(48), np.random.default_rng(3)
    for number in range(90):
        actions = batch.sample().copy()
        if random.random() < 0.5:
            actions = batch.script().copy()
        batch.step(actions)
        if number % 6:
            continue
        before, copies = batch.clone(), batch.clone()
        batch.arrays.run.redraw(copies, rows, batch.seat.astype(np.int64))
        batch.arrays.run.verify(copies, rows)
        for name in GAME.state.fields:
            if name not in ("rng", *HIDDEN):
                assert np.array_equal(before[name], copies[name]), name
        if number > 3:
            assert np.any(before["centre"] != copies["centre"])


def one_reading(back=22.85):
    """Blue needs the thin column 10 in front more or less: without it the hull begins at y = back - 15.

    Blue, green and three thin columns on blue have their centre of gravity at y = (62.13 * 14 + 7.42 * 65) / 164.04,
    which is 8.24 mm, 31.5 mm above the contacts: a margin of 0.39 mm and a tilt index of 0.0125, give or take 0.03.
    """
    t = table(reading_noise=0.01)
    build(t.state, {4: (0, -60.0, back), 9: (0, 60.0, back), 14: (0, 0.0, 50.0), 10: (0, 0.0, -10.0),
                    11: (1, -50.0, 10.0), 12: (1, 50.0, 10.0), 15: (1, 0.0, 45.0), 3: (0, 0.0, -60.0)},
          [(0.0, 0.0, 0), (0.0, 14.0, 0)], seat=0)  # fmt: skip
    s = t.refresh().state
    s.shaken = 0.01
    return t, s


def test_the_building_of_these_tests_is_as_described():
    _, s = one_reading()
    statics.spare_column(s, 10)
    margin, index = statics.weigh(s, 10, False)
    assert margin == pytest.approx((62.13 * 14 + 7.42 * 65) / 164.04 - 7.85, abs=1e-9)
    assert index == pytest.approx(0.0125, abs=0.0003)


def prior_and_weights(s, likelihood, count):
    """Draws of the prior, with what makes them draws of the posterior."""
    rows, weights = [], []
    for _ in range(count):
        tremor.draw_imperfections(s)
        rows.append(np.concatenate([np.ravel(s.centre), s.excess]))
        weights.append(likelihood())
    return np.array(rows), np.array(weights)


@pytest.mark.rules("PAL-165", "PAL-060")
@pytest.mark.parametrize("reading", [1, 2, 3])
def test_the_posterior_given_a_reading_is_that_of_weighted_draws(reading):
    _, s = one_reading()
    c = 10
    s.chosen, s.phase, s.felt[c] = c, Phase.READING, reading
    statics.spare_column(s, c)

    def likelihood():
        stands = 1.0 - tremor.fall_chance(statics.weigh(s, NONE, True)[1], 0.01)
        return stands * tremor.reading_chance(s, reading, statics.weigh(s, c, True)[1])

    prior, weights = prior_and_weights(s, likelihood, 1500)
    expected = np.average(prior, axis=0, weights=weights)
    enough = weights.sum() ** 2 / (weights**2).sum()
    assert enough > 150
    drawn = []
    for _ in range(400):
        resample(s, 0)
        drawn.append(np.concatenate([np.ravel(s.centre), s.excess]))
    drawn = np.array(drawn)
    deviation = np.concatenate([np.full(2 * FLOORS, 1.5), np.full(COLUMNS, 0.05)])
    error = deviation * np.sqrt(1 / enough + 1 / 400)
    assert np.all(np.abs(drawn.mean(axis=0) - expected) < 4.5 * error)
    # the direction that matters: the centre of blue, across the edge on which it would tip
    assert abs(expected[1]) > 0.1
    spread = np.sqrt(np.average((prior[:, 1] - expected[1]) ** 2, weights=weights))
    assert drawn[:, 1].std() == pytest.approx(spread, abs=5 * 1.5 / np.sqrt(2 * 150))


@pytest.mark.rules("PAL-165", "PAL-062")
def test_a_proof_leaves_only_imperfections_that_agree_with_it():
    _, s = one_reading()
    c = 10
    s.chosen, s.phase, s.felt[c] = c, Phase.LIFTED, 2
    statics.spare_column(s, c)
    for proof in (Proof.STANDS, Proof.FALLS):
        s.proof[c] = proof
        tremor.draw_imperfections(s)
        for _ in range(300):
            if (statics.weigh(s, c, True)[0] >= 0) == (proof == Proof.STANDS):
                break
            tremor.draw_imperfections(s)
        else:
            continue
        for _ in range(20):
            resample(s, 0)
            assert (statics.weigh(s, c, True)[0] >= 0) == (proof == Proof.STANDS)
            assert statics.weigh(s, NONE, True)[0] >= 0


def test_truth_and_redrawn_imperfections_cannot_be_told_apart():
    """Over many games the truth is one more draw of the posterior: ranks among redrawn ones are even."""
    batch = Batch(GAME, 256, 2, seed=12)
    rows = np.arange(256)
    for _ in range(60):
        batch.step(batch.script())
    ranks = []
    redrawn = []
    for _ in range(9):
        copies = batch.clone()
        copies["rng"] += np.uint64(17 * len(redrawn) + 1)
        batch.arrays.run.redraw(copies, rows, batch.seat.astype(np.int64))
        redrawn.append([[statics.weigh(view_of(copies, int(i)), NONE, True)[1]] for i in rows[:200]])
    for i in range(200):
        truth = statics.weigh(view_of(batch.clone(), i), NONE, True)[1]
        ranks.append(sum(draw[i][0] < truth for draw in redrawn))
    counts = np.bincount(ranks, minlength=10)
    assert ((counts - 20) ** 2 / 20).sum() < 27.9  # chi-square, nine degrees of freedom, 0.1 %


def test_rare_facts_are_met_by_metropolis_from_the_present_imperfections():
    _, s = one_reading(back=15.2)  # 8 mm of margin without the column: it falls with no imperfections that are likely
    c = 10
    s.options.reading_noise = 0.0
    statics.spare_column(s, c)
    s.centre[0, 1], s.centre[1, 1] = -12.0, -10.0
    assert statics.weigh(s, c, True)[1] < 0 < statics.weigh(s, NONE, True)[1]
    s.chosen, s.phase, s.felt[c] = c, Phase.READING, 1
    before = np.array(s.centre), np.array(s.excess)
    resample(s, 0)
    assert statics.weigh(s, c, True)[1] < 0 < statics.weigh(s, NONE, True)[1]
    assert np.mean(before[1] != np.array(s.excess)) > 0.9


def test_the_scripted_player_decides_on_states_without_imperfections():
    batch, rows = Batch(GAME, 48, [2, 3, 4], seed=5), np.arange(48)
    for number in range(60):
        blind, scratch = batch.blind(rows), Scratch(GAME)
        assert not blind["centre"].any() and not blind["excess"].any() and not blind["rng"].any()
        assert np.array_equal(scratch.advice(batch.seal(rows)), scratch.advice(blind))
        batch.step(batch.sample() if number % 4 == 3 else batch.script())


def test_nothing_hidden_reaches_views_pictures_or_advice():
    check_game(GAME, [2, 3], only=["hidden_information"])
