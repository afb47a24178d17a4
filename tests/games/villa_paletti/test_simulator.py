"""Villa Paletti: the statics against rigid bodies in MuJoCo, and its pictures. Needs ``mujoco``."""

import os
import sys

import numpy as np
import pytest

from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError
from alarife.engine.layout import view_of
from alarife.engine.table import Table
from alarife.games.villa_paletti import GAME, simulator
from alarife.games.villa_paletti.components import COLUMNS, DATA, NONE, ORDERS, RED, Phase
from alarife.games.villa_paletti.rules import statics
from games.villa_paletti.positions import tower

if sys.platform == "linux":
    os.environ.setdefault("MUJOCO_GL", "egl")  # read when mujoco is first imported

#: How often random play puts off aborting, objecting, proposing while there is something else to do.
SELDOM = {24: 0.95, 26: 0.8, 20: 0.5}
CALM = {"sigma": 0.0, "reading_noise": 0.0, "imperfection": False}


def random_play(seed, players):
    """States of a game of random actions that takes back whatever makes the building collapse.

    It seldom aborts, objects or proposes, so that buildings grow.
    """
    random = np.random.default_rng(seed)
    table = Table(GAME, players, {"sigma": 0.0}, seed=seed)
    while not table.over and table.state.decisions < 900:
        yield view_of(table.states.copy())
        actions = table.legal()
        order = sorted(actions, key=lambda a: (random.random() < SELDOM.get(a, 0.0), random.random()))
        for action in order:
            after = table.clone().play(action)
            if not after.state.collapsed:
                break
        table = after


def towers(seed, players, stacks_only):
    """What there is to compare in a game: (name, state, what to leave out or hold, margin)."""
    for s in random_play(seed, players):
        if not s.floors or s.phase < Phase.TURN or (stacks_only and not any(s.storey)):
            continue
        yield "standing", s, {}, statics.weigh(s, NONE, True)[0]
        if s.phase == Phase.READING:
            c = int(s.chosen)
            margin = statics.weigh(s, c, True)[0]
            yield "without a column", s, {"without": c}, margin
            if s.cover[c]:
                k = int(s.level[c]) + 1
                yield "lifted", s, {"held": k}, statics.weigh_above(s, k)[0]
                if margin >= 0:
                    yield "lifted, column out", s, {"held": k, "without": c}, margin


def chosen_towers(count, games, first, stacks_only):
    """Towers of all cases alike, falling ones and those with stacks first; none within a millimetre of the brink."""
    bins = {}
    for seed in range(first, first + games):
        for name, s, options, margin in towers(seed, 2 + seed % 3, stacks_only):
            if abs(margin) > 1.0:
                stacked = bool(max(int(n) for n in s.storey))
                bins.setdefault((name, margin < 0, margin < 6, stacked), []).append((s, options, margin))
    random = np.random.default_rng(first)
    for found in bins.values():
        random.shuffle(found)
    chosen = []
    while len(chosen) < count and any(bins.values()):
        chosen += [(key, *found.pop()) for key, found in bins.items() if found]
    return chosen[:count]


def agreement(count, games, first, stacks_only=False):
    """How many of the towers MuJoCo judges as the statics do."""
    return [(key, simulator.stands(s, **options) == (margin >= 0))
            for key, s, options, margin in chosen_towers(count, games, first, stacks_only)]  # fmt: skip


@pytest.mark.rules("PAL-064", "PAL-067", "PAL-130")
def test_mujoco_agrees_on_a_few_towers():
    pytest.importorskip("mujoco")
    results = agreement(12, 4, 40)
    assert len(results) == 12
    assert all(same for _, same in results)


@pytest.mark.slow
@pytest.mark.rules("PAL-064", "PAL-067", "PAL-081", "PAL-130")
def test_mujoco_agrees_on_ninety_nine_of_a_hundred_towers():
    pytest.importorskip("mujoco")
    results = agreement(200, 40, 100) + agreement(12, 120, 500, stacks_only=True)
    assert len(results) >= 200
    assert {name for (name, *_), _ in results} == {"standing", "without a column", "lifted", "lifted, column out"}
    assert sum(falls for (_, falls, *_), _ in results) >= 20
    assert sum(stacked for (*_, stacked), _ in results) >= 5
    assert sum(same for _, same in results) >= 0.99 * len(results)


@pytest.mark.rules("PAL-081")
def test_stacks_on_red_stand_in_mujoco():
    pytest.importorskip("mujoco")
    table = Table(GAME, 4, CALM, seed=1, interpreted=True)
    tower(
        table.state, 5, 0, {19: (RED, 0.0, 0.0), 3: (RED, 0.0, 0.0, 1), 8: (RED, 0.0, 0.0, 2), 13: (RED, 0.0, 0.0, 3)}
    )
    assert simulator.stands(table.state, real=False)


@pytest.mark.rules("PAL-062", "PAL-064")
def test_a_held_floor_keeps_what_lies_below_it_from_rising():
    """Thick columns at the rim of blue tip it, unless the green floor above, held in the hand, stops their rising."""
    pytest.importorskip("mujoco")
    from games.villa_paletti.positions import build

    table = Table(GAME, 4, CALM, seed=1, interpreted=True)
    carriers = {4: (0, -60.0, 20.0), 9: (0, 60.0, 20.0), 14: (0, 0.0, 50.0)}  # blue's centre lies 5 mm before them
    top = {0: (1, -45.0, 0.0), 5: (1, 45.0, 0.0), 19: (1, 0.0, 45.0)}
    build(table.state, carriers | top, [(0.0, 0.0, 0), (0.0, 20.0, 0)])
    s = table.state
    assert statics.weigh(s, NONE, False)[0] > 1
    assert simulator.stands(s, real=False, held=2)
    s.level[19] = NONE  # without the load blue would fall by itself
    s.floors = 1
    assert statics.weigh(s, NONE, False)[0] < -1
    assert not simulator.stands(s, real=False)
    s.floors = 2
    assert simulator.stands(s, real=False, held=2)


def test_floors_are_covered_by_their_convex_parts():
    for f, name in enumerate(ORDERS[0]):
        area = sum(simulator._area(part) for part in simulator.convex_parts(f))
        assert area == pytest.approx(DATA["floors"][name]["area_mm2"], rel=0.003)


def test_the_model_holds_every_body():
    batch = Batch(GAME, 4, 2, seed=3)
    text = simulator.model_xml(view_of(batch.state.copy()), without=0)
    assert text.count("<freejoint/>") == COLUMNS
    assert '"column0"' not in text


def test_a_missing_simulator_is_named(monkeypatch):
    import builtins

    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name == "mujoco":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(AlarifeError, match="pip install"):
        simulator.load_mujoco()


def test_a_picture_and_a_collapse(tmp_path):
    pytest.importorskip("mujoco")
    table = Table(GAME, 4, CALM, seed=1, interpreted=True)
    tower(table.state, 3, 0)
    try:
        picture = simulator.picture(table.state, 120, 90)
    except AlarifeError as error:
        pytest.skip(str(error))
    assert picture.shape == (90, 120, 3)
    assert picture.std() > 10
    frames = simulator.collapse_frames(table.state, seconds=0.8, rate=10, width=120, height=90)
    assert len(frames) == 8
    assert np.abs(frames[-1].astype(int) - frames[0].astype(int)).mean() > 3
    pytest.importorskip("PIL")
    simulator.save_collapse(table.state, tmp_path / "collapse.gif", seconds=0.2, rate=10)
    assert (tmp_path / "collapse.gif").stat().st_size > 1000
