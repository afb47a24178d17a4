"""training/examples/ppo_in_one_file.py: its sums by hand, and that it learns."""

import ast
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

import alarife
from alarife.evaluation.statistics import wilson
from teaching_game import GAME as PEBBLES

FILE = Path(__file__).parent.parent / "training" / "examples" / "ppo_in_one_file.py"


@pytest.fixture(scope="module")
def ppo():
    torch.set_num_threads(1)
    spec = importlib.util.spec_from_file_location("ppo_in_one_file", FILE)
    module = importlib.util.module_from_spec(spec)
    sys.modules["ppo_in_one_file"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["ppo_in_one_file"]


def test_it_can_be_read_in_one_go():
    text = FILE.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 300
    tops = {name.split(".")[0] for node in ast.walk(ast.parse(text)) for name in (
        [alias.name for alias in node.names] if isinstance(node, ast.Import)
        else [node.module] if isinstance(node, ast.ImportFrom) else [])}  # fmt: skip
    assert tops - sys.stdlib_module_names == {"alarife", "numpy", "torch"}


def test_advantages_follow_each_seat_along_its_own_decisions(ppo):
    """One game of two seats: 0, 1, 1, 0 decide; the third action ends the game, the fourth belongs to the next one."""
    empty = np.zeros((4, 1, 1), np.int8)
    played = ppo.Played(
        seen=empty, mask=empty, seat=np.array([[0], [1], [1], [0]]), own=np.ones((4, 1), bool),
        action=torch.zeros(4, 1, dtype=torch.long),
        log=torch.zeros(4, 1), value=torch.tensor([[0.1], [0.2], [0.3], [0.4]]),
        reward=np.array([[[0, 0]], [[0, 0]], [[-1, 1]], [[0.25, 0]]], np.float32),
        finished=np.array([[False], [False], [True], [False]]), last_value=np.array([[0.8, -0.8]], np.float32),
    )  # fmt: skip
    found = ppo.advantages(played, gamma=0.5, gae_lambda=0.5)[:, 0].tolist()
    # The fourth: 0.25 now, and half of what the game is worth to seat 0 afterwards: 0.25 + 0.4 - 0.4.
    # The third: the game ends with 1 for seat 1: 1 - 0.3. The second: 0.5 * 0.3 - 0.2 + 0.25 * 0.7.
    # The first: seat 0 gets -1 before it decides again, and the game is over: -1 - 0.1.
    assert found == pytest.approx([-1.1, 0.125, 0.7, 0.25])


def test_what_is_played_is_what_the_batch_showed(ppo):
    batch = alarife.make_batch(PEBBLES, 5, 3, seed=1)
    network = ppo.Network(PEBBLES, 8)
    learning = np.array([[True] * 3] * 2 + [[True, False, False], [False, True, False], [False, False, True]])
    played = ppo.play(network, batch, 30, learning, 0.5)
    again = alarife.make_batch(PEBBLES, 5, 3, seed=1)
    for t in range(30):
        assert np.array_equal(played.seen[t], again.observation)
        assert np.array_equal(played.seat[t], again.seat)
        actions = played.action[t].numpy()
        assert again.action_mask[np.arange(5), actions].all()
        others = ~learning[np.arange(5), again.seat]
        assert np.array_equal(played.own[t], ~others)
        assert np.array_equal(actions[others], again.script()[others])
        again.step(actions)
        assert np.array_equal(played.reward[t], again.reward[:, :3] / 2)
        assert np.array_equal(played.finished[t], again.finished)
    assert played.finished.sum() > 5
    logs, values = network(torch.from_numpy(played.seen[7]), torch.from_numpy(played.mask[7]))
    assert logs.exp().sum(-1).tolist() == pytest.approx([1] * 5)
    assert played.value[7].tolist() == pytest.approx(values.tolist(), abs=1e-6)
    assert logs.exp()[torch.from_numpy(played.mask[7]) == 0].max().item() == 0


def test_some_updates_on_the_smallest_game_beat_random_play(ppo, tmp_path, capsys):
    """15 updates of self-play took three seeds to 92 or 93 %."""
    file = tmp_path / "policy.pt"
    words = ["--game", "pebbles", "--hidden", "32", "--games", "64", "--steps", "16", "--minibatch", "256",
             "--judged", "500", "--scripted", "0", "--reward", "outcome", "--reward-scale", "1"]  # fmt: skip
    trained = ppo.main([*words, "--updates", "15", "--save", str(file)])
    assert trained["random"][1] > 0.75  # the lower end of the interval
    assert ppo.main([*words, "--evaluate", str(file)]) == trained
    assert "wins against scripted" in capsys.readouterr().out
    assert ppo.main([*words, "--updates", "0"])["random"][2] < 0.75


def test_wilsons_interval_is_that_of_the_evaluation(ppo):
    assert ppo.interval(0.8, 500)[1:] == pytest.approx(wilson(0.8, 500), abs=1e-4)
