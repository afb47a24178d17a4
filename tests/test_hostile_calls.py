"""Calls with what is not meant for them: one sentence each, and nothing has changed. Copies own what they show."""

import copy
import importlib.util
import pickle
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest

import alarife
from alarife.adapters.gym import NativeVectorEnv, OneSeatEnv
from alarife.engine import registry
from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError, IllegalAction, OptionError, StateError
from alarife.engine.table import Table
from toy_games import KUHN

GAMES = ["viva", "viana", "patios", "villa_paletti", "lisboa"]


def refused(kind, sentence, call, *arguments, **named):
    with pytest.raises(kind) as caught:
        call(*arguments, **named)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


# --- copies -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
@pytest.mark.parametrize("name", GAMES)
def test_a_copied_batch_is_no_frozen_picture(name, make):
    batch = alarife.make_batch(name, games=8, seed=3)
    twin = make(batch)
    before, old = batch.observation.copy(), batch.state.tobytes()
    for _ in range(20):
        twin.step(twin.sample())
    assert not (twin.observation == before).all()
    assert np.shares_memory(twin.observation, twin.arrays.views)
    assert batch.state.tobytes() == old
    for _ in range(20):
        batch.step(batch.sample())
    assert batch.state.tobytes() == twin.state.tobytes()
    assert (batch.observation == twin.observation).all()


def test_a_batch_pickled_under_another_layout_is_refused(pebbles):
    saved = Batch(pebbles, 2).__getstate__()
    saved["arrays"]["views"] = saved["arrays"]["views"][:, :-1]
    with pytest.raises(StateError, match="another layout"):
        Batch.__new__(Batch).__setstate__(saved)


@pytest.mark.parametrize("opponents", ["random", "scripted", "mc:4:cut=3"])
def test_a_copied_environment_has_opponents_of_its_own(pebbles, opponents):
    env = OneSeatEnv(pebbles, "random", 3, opponents)
    env.reset(seed=5)
    twin = copy.deepcopy(env)
    for _ in range(12):
        told = []
        for one in (env, twin):
            view, reward, over, _, info = one.step(int(np.argmax(one.action_masks())))
            told.append((view.tolist(), reward, over, info["action_mask"].tolist()))
            if over:
                one.reset()
        assert told[0] == told[1]


def test_a_table_is_copied_with_what_its_last_action_brought(pebbles):
    table = Table(pebbles, 3, seed=3, reward="score").play("take(pile=2, count=1)")
    assert table.rewards.any()
    twin = copy.deepcopy(table)
    assert (twin.rewards == table.rewards).all()
    twin.history.append(0)
    assert len(table.history) == len(twin.history) - 1


# --- memory of its own ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_sampled_and_scripted_actions_lie_in_arrays_of_their_own(name):
    batch = alarife.make_batch(name, games=32, seed=4)
    random, script, again = batch.sample(), batch.script(), batch.sample()
    assert not np.shares_memory(random, script)
    assert not np.shares_memory(random, again)
    kept = random.copy()
    batch.step(np.where(np.arange(32) % 2 == 0, random, script))
    assert (random == kept).all()


def test_writing_into_the_mask_told_does_not_change_what_is_drawn(pebbles):
    env = OneSeatEnv(pebbles, 0, 3)
    _, info = env.reset(seed=1)
    legal = set(np.flatnonzero(info["action_mask"]).tolist())
    info["action_mask"][:] = 1
    assert {int(env.action_space.sample()) for _ in range(200)} == legal
    envs = NativeVectorEnv(pebbles, 4, 0, 3)
    _, infos = envs.reset(seed=1)
    masks = infos["action_mask"].copy()
    infos["action_mask"][:] = 1
    for _ in range(100):
        assert masks[np.arange(4), envs.action_space.sample()].all()


# --- the batch --------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [[0, 0], [3], [-1], [0.0], [True, False, True], [[0]], 1, "all", [None], [2**40]])
def test_rows_that_cannot_be_are_refused_everywhere(pebbles, rows):
    batch = Batch(pebbles, 3, 2, seed=1)
    before = batch.state.tobytes()
    actions, seats, keys = batch.sample(), np.zeros(2, int), np.zeros(2, np.uint64)
    calls = [lambda: batch.step(actions, rows), lambda: batch.script(rows), lambda: batch.begin(rows),
             lambda: batch.renew(rows), lambda: batch.load(batch.clone()[:2], rows)]  # fmt: skip
    if rows != [0, 0]:
        calls += [lambda: batch.view(rows, seats), lambda: batch.final_view(rows, seats), lambda: batch.clone(rows),
                  lambda: batch.fork(rows, seats, keys), lambda: batch.seal(rows)]  # fmt: skip
    for number, call in enumerate(calls):
        if rows == [0, 0] and number == 1:
            continue  # advice twice for the same row changes nothing
        refused(AlarifeError, "row", call)
    assert batch.state.tobytes() == before


def test_a_row_may_be_looked_at_twice(pebbles):
    batch = Batch(pebbles, 3, 2, seed=1)
    views = batch.view([1, 1], [0, 1])
    assert (views[0] == batch.observation[1]).all()
    assert batch.fork([2, 2], [0, 1], [7, 8])["rng"].tolist() != [0, 0]
    assert len(batch.clone([])) == 0


@pytest.mark.parametrize("seats", [[9, 0], [-1, 0], [0.0, 1.0], [0], [True, False], [2, 0], "ab", None])
def test_seats_that_cannot_be_are_refused(pebbles, seats):
    batch = Batch(pebbles, 2, 2)
    for call in (batch.view, batch.final_view, lambda rows, seats: batch.fork(rows, seats, [1, 2])):
        refused(OptionError, "seat", call, [0, 1], seats)


@pytest.mark.parametrize("keys", [[-1, 2], [1.5, 2], [1], "ab", None, [True, False]])
def test_keys_that_cannot_be_are_refused(pebbles, keys):
    refused(AlarifeError, "one key", Batch(pebbles, 2, 2).fork, [0, 1], [0, 1], keys)


@pytest.mark.parametrize("named", [
    {"games": 0}, {"games": 1.5}, {"games": True}, {"games": "4"}, {"games": 10**12}, {"threads": 1.5}, {"threads": 0},
    {"threads": 9}, {"threads": True}, {"players": 2.0}, {"players": []}, {"players": "23"}, {"players": [2, 9]},
    {"players": True}, {"seed": -1}, {"seed": 1.0}, {"reward": "gold"}, {"options": {"bluff": 1}},
])  # fmt: skip
def test_a_batch_that_cannot_be_is_refused(pebbles, named):
    refused(AlarifeError, "", Batch, pebbles, **({"games": 4} | named))


def test_numbers_of_numpy_are_numbers(pebbles):
    two = np.int64(2)
    assert Batch(pebbles, two, two, np.int64(7), threads=two).players.tolist() == [2, 2]
    assert Table(pebbles, two, seed=np.uint64(3)).players == 2
    assert Batch(pebbles, 4, np.array([2, 3])).players.tolist() == [2, 3, 2, 3]
    table = Table(pebbles, 2, seed=1)
    table.play(np.int8(table.legal()[0])).play(np.array(table.legal()[0]))
    assert table.history == [0, table.history[1]]


def test_a_row_becomes_a_table():
    batch = alarife.make_batch("viana", games=3, players=[2, 3], seed=5, reward="score")
    for _ in range(30):
        batch.step(batch.sample())
    table = batch.table(1)
    assert (table.players, table.reward) == (3, "score")
    assert table.to_bytes() == batch.state[1].tobytes()
    action = table.legal()[0]
    table.play(action)
    actions = batch.sample()
    actions[1] = action
    batch.step(actions)
    assert table.to_bytes() == batch.state[1].tobytes()
    assert (table.rewards[0] == batch.reward[1]).all()
    refused(AlarifeError, "rows go from 0 to 2", batch.table, 3)


# --- tables and environments ------------------------------------------------------------------------

NO_ACTIONS = [1.0, True, None, "²", "1e3", b"1", [0], np.array([0]), np.float64(0), np.True_, -1, 10**30, "take(",
              "take(pile=0, pile=1)", "take(pile=0)", "9" * 5000, "no(" + "x" * 5000, object()]  # fmt: skip


@pytest.mark.parametrize("action", NO_ACTIONS, ids=lambda action: repr(action)[:20])
def test_what_is_no_action_is_refused_and_nothing_happens(pebbles, action):
    table = Table(pebbles, 3, seed=1)
    before = table.to_bytes()
    refused(AlarifeError, "", table.play, action)
    assert table.to_bytes() == before
    if isinstance(action, (str, bytes)):
        return
    env = alarife.make(pebbles, players=3)
    env.reset(seed=1)
    before = env.unwrapped.table.to_bytes()
    if action is not None:
        refused(IllegalAction, "not legal", env.step, action)
    assert env.unwrapped.table.to_bytes() == before
    one = OneSeatEnv(pebbles, 0, 3)
    one.reset(seed=1)
    refused(IllegalAction, "", one.step, action)


@pytest.mark.parametrize("make", [
    lambda: alarife.make("viva_v1"), lambda: gymnasium.make("alarife/Viva-v1"),
    lambda: gymnasium.make_vec("alarife/Viva-v1", num_envs=2),
])  # fmt: skip
def test_a_reset_takes_no_options(make):
    env = make()
    env.reset(seed=1, options={})
    with pytest.warns(UserWarning, match="passes them over: {'colour': 'red'}"):
        env.reset(seed=1, options={"colour": "red"})
    refused(OptionError, "when it is made", env.reset, seed=1, options={"match": "single_round"})


def test_an_environment_has_one_number_of_players():
    refused(OptionError, "an environment has one number of players", gymnasium.make, "alarife/Viva-v1", players=[2, 3])
    envs = gymnasium.make_vec("alarife/Viva-v1", num_envs=4, players=[2, 3])
    assert envs.unwrapped.batch.players.tolist() == [2, 3, 2, 3]


def test_a_table_takes_the_reward_that_others_take():
    assert alarife.table("viva", reward="margin").reward == "margin"
    refused(AlarifeError, "no reward mode called 'gold'", alarife.table, "viva", reward="gold")


def test_a_registered_game_is_known_to_gymnasium():
    try:
        alarife.register(KUHN)
        env = gymnasium.make("alarife/Kuhn-v0", opponents="random")
        observation, _ = env.reset(seed=1)
        assert observation.shape == (KUHN.features.size,)
    finally:
        registry._added.pop("kuhn", None)
        gymnasium.registry.pop("alarife/Kuhn-v0", None)
    refused(AlarifeError, "register takes a Game", alarife.register, "kuhn")


@pytest.mark.parametrize("make", [lambda: alarife.make_batch("viva", games=2), lambda: alarife.make("viva"), dict])
def test_what_has_no_file_says_what_has(make, tmp_path):
    refused(AlarifeError, "takes a Table", alarife.save, make(), tmp_path / "game.npz")
    refused(AlarifeError, "takes a Table", alarife.record, make())
    assert list(tmp_path.iterdir()) == []


# --- all calls, by the script that tries more ---------------------------------------------------------


@pytest.fixture
def fuzz_calls(monkeypatch):
    """scripts/fuzz_calls.py as a module."""
    path = Path(__file__).resolve().parent.parent / "scripts" / "fuzz_calls.py"
    spec = importlib.util.spec_from_file_location("fuzz_calls", path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "fuzz_calls", module)
    spec.loader.exec_module(module)
    return module


def test_every_parameter_of_every_call_refuses_what_is_not_meant_in_a_sentence(pebbles, fuzz_calls):
    told = []
    found = fuzz_calls.fuzz(pebbles, 3, odd=10, seed=7, tell=told.append)
    assert told == []
    assert found["refused"] > 5000


@pytest.mark.parametrize(("run", "what", "word"), [
    (lambda path: len(path), "foreign", "TypeError"),
    (lambda path: path, "silent", "taken"),
    (lambda path: refuse("two\nlines"), "foreign", "a sentence of 9 letters, 2 lines"),
])  # fmt: skip
def test_what_is_no_refusal_is_told_apart(fuzz_calls, run, what, word):
    found, told = fuzz_calls.outcome_of(fuzz_calls.Call("call", run, {"path": "x"}), "path", 3)
    assert found == what
    assert told.startswith(word)


def refuse(sentence):
    raise AlarifeError(sentence)


def test_a_refusal_that_has_changed_something_is_told_apart(fuzz_calls):
    log = bytearray()

    def run(path):
        log.append(1)
        refuse("no")

    call = fuzz_calls.Call("call", run, {"path": "x"}, state=lambda: bytes(log))
    assert fuzz_calls.outcome_of(call, "path", 3) == ("silent", "refused, but something has changed")


def test_a_call_that_does_not_return_is_told_apart(fuzz_calls, monkeypatch):
    monkeypatch.setattr(fuzz_calls, "SECONDS", 1)

    def run(path):
        while True:
            pass

    assert fuzz_calls.outcome_of(fuzz_calls.Call("call", run, {"path": "x"}), "path", 3) == ("hung", "")
