"""Many games at once: whose arrays, and when they speak of which game."""

import copy
import pickle

import numpy as np
import pytest

from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError, IllegalAction, StateError
from alarife.engine.registry import find_game, game_names
from alarife.engine.table import Table


def play(batch, steps):
    for _ in range(steps):
        batch.step(batch.sample())


def test_what_a_batch_shows_cannot_be_written(pebbles):
    batch = Batch(pebbles, 4)
    for array in (batch.observation, batch.action_mask, batch.seat, batch.reward, batch.finished, batch.state):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_a_finished_game_restarts_in_the_same_step(pebbles):
    batch = Batch(pebbles, 16, 3, seed=2)
    for _ in range(40):
        batch.step(batch.sample())
        over = np.flatnonzero(batch.finished)
        assert not batch.state["over"].any()
        for row in over:
            assert batch.state[row]["decisions"] == 0
            assert batch.state[row]["piles"].tolist() == [3, 4, 5]
            assert batch.final_decisions[row] == batch.final_state[row]["decisions"] > 0
            assert batch.final_state[row]["piles"].tolist() == [0, 0, 0]
            points = batch.final_state[row]["points"]
            assert batch.final_score[row, :3].tolist() == points[:3].tolist()
            assert batch.reward[row].sum() == pytest.approx(0, abs=1e-6)
            assert batch.reward[row, np.argmax(points[:3])] > 0 or len(set(points[:3].tolist())) < 3
        idle = np.setdiff1d(np.arange(16), over)
        assert not batch.reward[idle].any()


def test_the_results_are_those_of_the_last_games(pebbles):
    batch = Batch(pebbles, 8, 3, seed=2)
    while not batch.finished.any():
        batch.step(batch.sample())
    for row in np.flatnonzero(batch.finished):
        place = batch.results["place"][row, :3]
        score = batch.results["score"][row, :3]
        assert place.tolist() == [1 + int((score > own).sum()) for own in score]
        assert 12 <= score.sum() <= 24  # all twelve pebbles are taken, each counts one point or two
    with pytest.raises(ValueError, match="read-only"):
        batch.results["place"][0] = 1
    batch.check_ended(np.flatnonzero(batch.finished))


def test_an_impossible_end_is_found(pebbles):
    batch = Batch(pebbles, 2, 2, seed=2)
    batch.arrays.last_states[:] = batch.state
    batch.arrays.last_states["piles"][1, 0] = 0
    batch.check_ended(np.array([0]))
    with pytest.raises(AssertionError, match="PEB-001"):
        batch.check_ended(np.array([1]))


def test_legal_actions_are_counted(pebbles):
    """At the start piles of 3, 4 and 5 give three ways each to take one to three, and there is the pass (PEB-003)."""
    assert Batch(pebbles, 3, 2, seed=1).count_legal().tolist() == [10, 10, 10]


def test_without_restart_a_finished_game_waits(pebbles):
    batch = Batch(pebbles, 2, seed=3, restart=False)
    while not batch.finished[0]:
        actions = batch.sample()
        batch.step(actions, np.array([0]))
    assert batch.over.tolist() == [1, 0]
    assert batch.action_mask[0].sum() == 0
    assert batch.state[1]["decisions"] == 0
    with pytest.raises(IllegalAction, match="game 0 has ended"):
        batch.step(np.zeros(2, int), np.array([0]))
    first = batch.key_of(0)
    batch.renew(np.array([0]))
    assert batch.over.tolist() == [0, 0]
    assert batch.key_of(0) != first


def test_an_illegal_action_is_named_with_the_legal_ones(pebbles):
    batch = Batch(pebbles, 3)
    actions = np.array([pebbles.actions.parse("take(pile=0, count=2)")] * 3)
    batch.step(actions)
    before = batch.state.tobytes()
    with pytest.raises(IllegalAction) as caught:
        batch.step(actions)
    assert str(caught.value).startswith(
        "game 0: player_1 played take(pile=0, count=2), which is not legal. Legal now: "
    )
    assert "take(pile=1, count=0)" in str(caught.value)
    assert batch.state.tobytes() == before


@pytest.mark.parametrize(
    "actions", [np.zeros(3, float), np.zeros(2, int), np.zeros((3, 1), int), [2**40, 0, 0], [-1, 0, 0]]
)
def test_actions_of_the_wrong_kind_are_refused(pebbles, actions):
    with pytest.raises(IllegalAction):
        Batch(pebbles, 3).step(actions)


def test_several_player_counts_share_a_batch(pebbles):
    batch = Batch(pebbles, 6, players=[2, 3, 4], seed=1)
    assert batch.players.tolist() == [2, 3, 4, 2, 3, 4]
    play(batch, 100)
    assert batch.players.tolist() == [2, 3, 4, 2, 3, 4]
    alone = Batch(pebbles, 6, players=3, seed=1)
    play(alone, 100)
    assert alone.state[1].tobytes() == batch.state[1].tobytes()


def test_positions_set_up_elsewhere_are_loaded(pebbles):
    batch = Batch(pebbles, 2)
    table = Table(pebbles, 2, seed=1)
    for pile, count in ((0, 2), (1, 2), (2, 2), (2, 1)):
        table.play(f"take(pile={pile}, count={count})")
    batch.load(table.states, np.array([1]))
    legal = [pebbles.actions.name(a) for a in np.flatnonzero(batch.action_mask[1])]
    assert legal == ["take(pile=1, count=0)", "pass_turn()"]
    with pytest.raises(AlarifeError, match="load takes 2 states"):
        batch.load(table.states)


@pytest.mark.parametrize(("field", "index", "value", "sentence"), [
    ("piles", 1, -1, r"row 1: piles\[1\] goes from 0 to 5, got -1"),
    ("lucky", 0, 3, r"row 1: lucky\[0\] goes from 0 to 2, got 3"),
    ("piles", 1, 1, "PEB-001: a pebble is lost"),
    ("seat", ..., 2, "seat goes from 0 to 1, got 2"),
])  # fmt: skip
def test_what_is_no_position_is_not_loaded(pebbles, field, index, value, sentence):
    batch = Batch(pebbles, 3)
    states = batch.clone(np.array([0, 1]))
    states[field][1, index] = value
    before = batch.state.tobytes()
    with pytest.raises(StateError, match=sentence):
        batch.load(states, np.array([0, 2]))
    assert batch.state.tobytes() == before


def test_forks_differ_in_what_is_hidden_and_in_the_future_only(pebbles):
    batch = Batch(pebbles, 1, 4, seed=4)
    forks = batch.fork(np.zeros(60, int), np.full(60, 2), np.arange(60))
    assert set(forks["lucky"][:, 2]) == {batch.state[0]["lucky"][2]}
    for seat in (0, 1, 3):
        assert set(forks["lucky"][:, seat]) == {0, 1, 2}
    assert len(set(forks["rng"].tolist())) == 60
    assert (forks["piles"] == batch.state[0]["piles"]).all()


def test_a_batch_of_nothing_or_with_too_many_threads_is_refused(pebbles):
    with pytest.raises(AlarifeError, match="a batch has from 1 to 2147483647 games, got 0"):
        Batch(pebbles, 0)
    with pytest.raises(AlarifeError, match="threads go from 1"):
        Batch(pebbles, 2, threads=3)


@pytest.mark.parametrize("name", game_names())
def test_arrays_have_the_very_types_of_their_records(name):
    # Numba knows a type of records at once if it is the same object; an equal one is compared at each call of a kernel.
    batch = Batch(find_game(name), 3)
    for one in (batch, copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))):
        arrays = one.arrays
        for states in (arrays.states, arrays.last_states, arrays.templates, arrays.work, one.clone()):
            assert states.dtype is batch.game.state.dtype
        assert arrays.moves.dtype is batch.arrays.moves.dtype
    table = Table(batch.game)
    for one in (table, copy.deepcopy(table), pickle.loads(pickle.dumps(table)), table.fork(table.seat, 1)):
        assert one.arrays.states.dtype is batch.game.state.dtype
        assert one.arrays.moves.dtype is batch.arrays.moves.dtype
