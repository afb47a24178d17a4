"""The baselines in training/examples that a benchmark trains: their sums by hand, their budgets, their files."""

import importlib
import sys
from math import log
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

import alarife
from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError
from alarife.evaluation.statistics import wilson
from alarife.players import RandomPlayer, ScriptedPlayer, Turns, find_player
from alarife.players.policy import CHECKSUM, read_policy, read_tensors
from alarife.selfplay.learner import DrawnSeating, LearnerBatch
from alarife_training.layers import write_layers
from alarife_training.protocol import Budget, TrainTable
from teaching_game import GAME as PEBBLES

EXAMPLES = Path(__file__).resolve().parent.parent / "training" / "examples"
LEARNERS = ["mmd", "dqn_in_one_file"]


@pytest.fixture
def example(monkeypatch):
    """The module of an example, imported as `--train` imports it with the folder on the path."""
    threads = torch.get_num_threads()
    monkeypatch.syspath_prepend(str(EXAMPLES))
    yield importlib.import_module
    torch.set_num_threads(threads)
    for name in (*LEARNERS, "ppo_in_one_file"):
        sys.modules.pop(name, None)


def table_in(folder, game="pebbles_v0", players=(2, 3)):
    folder.mkdir()
    return TrainTable(game, players, {}, range(10), range(10, 20), folder)


@pytest.mark.parametrize("name", LEARNERS)
def test_the_same_seed_gives_the_same_policy_which_plays_at_every_table(name, example, tmp_path):
    learn, budget = example(name).learn, Budget(decisions=400)
    first = learn(table_in(tmp_path / "first"), budget, 0)
    again, other = learn(table_in(tmp_path / "again"), budget, 0), learn(table_in(tmp_path / "other"), budget, 1)
    checksums = [read_tensors(path)[1][CHECKSUM] for path in (first, again, other)]  # of all numbers and texts
    assert checksums[0] == checksums[1] != checksums[2]
    assert read_policy(first).tables == [2, 3]
    for players in (2, 3):
        table, player = alarife.table(PEBBLES, players=players, seed=4), find_player(str(first), 1)
        while not table.over:
            table.play(int(player.act(Turns.of_table(table))[0]))  # refuses what is not legal
        assert len(table.scores()) == players


@pytest.mark.parametrize(("name", "budget", "most"), [
    ("mmd", 130, 100),  # a whole step of all 50 games at a time
    ("dqn_in_one_file", 130, 130),
    ("mmd", 2100, 2100),
    ("dqn_in_one_file", 2100, 2100),
])  # fmt: skip
def test_no_more_is_decided_than_the_budget_allows(name, budget, most, example, tmp_path, monkeypatch):
    decided = []

    def counted(cls, count):
        step = cls.step

        def counting(self, actions, rows=None):
            decided.append(count(self, rows))
            step(self, actions, rows)

        monkeypatch.setattr(cls, "step", counting)

    if name == "mmd":  # all seats learn
        counted(Batch, lambda batch, rows: batch.games if rows is None else len(rows))
    else:
        counted(LearnerBatch, lambda games, rows: len(rows))
    path = example(name).learn(table_in(tmp_path / "here"), Budget(decisions=budget), 0)
    assert sum(decided) == most
    assert read_policy(path).card["steps"] == most


@pytest.mark.parametrize("name", LEARNERS)
def test_a_budget_of_minutes_ends(name, example, tmp_path):
    path = example(name).learn(table_in(tmp_path / "here"), Budget(minutes=0.001), 0)
    assert read_policy(path).card["steps"] > 0


@pytest.mark.parametrize("name", LEARNERS)
def test_some_thousand_decisions_beat_random_play(name, example, tmp_path):
    """Five seeds of each won 90 to 94 % of 1,000 games for two."""
    player = find_player(str(example(name).learn(table_in(tmp_path / "here"), Budget(decisions=12_000), 0)), 1)
    batch = alarife.make_batch(PEBBLES, 1000, 2, seed=12, restart=False)
    rows = np.arange(1000)
    own = rows % 2
    while len(going := rows[batch.over == 0]):
        actions, mine = batch.sample(), going[batch.seat[going] == own[going]]
        if len(mine):
            actions[mine] = player.act(Turns.of_batch(batch, mine, player))
        batch.step(actions, going)
    first = batch.final_place[:, :2] == 1
    won = np.where(first[rows, own], 1 / first.sum(1), 0).mean()
    assert wilson(won, 1000)[0] > 0.75


def test_a_budget_says_how_much_of_it_is_spent():
    assert Budget(decisions=200).share(50, 1e9) == 0.25
    assert Budget(minutes=2).share(10**9, 30) == 0.25


# --- DQN ----------------------------------------------------------------------------------------------


def test_the_next_choice_is_the_networks_and_its_worth_the_targets(example):
    dqn = example("dqn_in_one_file")
    mask = torch.tensor([[1, 1, 0], [1, 0, 1], [0, 0, 0]], dtype=torch.int8)
    liked = torch.tensor([[3.0, 5.0, 9.0], [2.0, 7.0, 1.0], [4.0, 4.0, 4.0]])
    worth = torch.tensor([[10.0, 20.0, 30.0], [40.0, 50.0, 60.0], [70.0, 80.0, 90.0]])

    def masked(values):
        return lambda seen, legal: values.masked_fill(legal == 0, dqn.NEVER)

    # Legal and liked best: the second, the first; in a game that is over nothing is legal, and nothing follows.
    assert dqn.next_worth(masked(liked), masked(worth), torch.zeros(3, 1), mask).tolist() == [20, 40, 0]


def test_the_oldest_decisions_make_room(example):
    dqn = example("dqn_in_one_file")
    batch = alarife.make_batch(PEBBLES, 2, 2, seed=1)
    replay = dqn.Replay(batch, 3, np.random.default_rng(0))
    for number in (1, 2):
        told = batch.observation, batch.action_mask, np.full(2, number), np.full(2, 0.5 * number)
        replay.add(*told, batch.observation, batch.action_mask, np.array([True, False]))
    assert replay.action.tolist() == [2, 1, 2]  # the first of four was overwritten by the last
    assert replay.reward.tolist() == [1, 0.5, 1]
    assert replay.goes_on.tolist() == [0, 0, 1]
    assert set(replay.draw(50)[2].tolist()) == {1, 2}


def test_what_is_remembered_leads_from_one_own_decision_to_the_next(example):
    dqn = example("dqn_in_one_file")
    batch = alarife.make_batch(PEBBLES, 40, [2, 3], seed=3, restart=False)
    random = np.random.default_rng(5)
    seating = DrawnSeating("random", 2, PEBBLES.most_seats, random)
    games = LearnerBatch(batch, [RandomPlayer(1), ScriptedPlayer()], seating)
    games.reset()
    torch.manual_seed(1)
    network, replay, rows = dqn.Network(PEBBLES, 8), dqn.Replay(batch, 800, random), np.arange(40)
    ended, highest = 0, 0.0
    for number in range(20):
        seats, now = batch.seat.copy(), slice(40 * number, 40 * number + 40)
        assert np.array_equal(seats, games.own)
        dqn.decide(games, rows, network, 0.5, replay, 0.25)
        chosen = replay.mask[now][rows, replay.action[now]]
        assert chosen.all()  # legal
        over = replay.goes_on[now] == 0
        ended += over.sum()
        paid = replay.reward[now]
        assert not paid[~over].any()  # the outcome is paid at the end, a quarter of it here
        assert np.abs(paid).max() <= 0.25
        highest = max(highest, paid.max())
        assert np.array_equal(batch.observation[~over], replay.next_seen[now][~over])
        assert np.array_equal(batch.action_mask[~over], replay.next_mask[now][~over])
    assert ended > 20
    assert highest == 0.25


# --- MMD ----------------------------------------------------------------------------------------------


def test_divergences_by_hand(example):
    mmd = example("mmd")
    even, sure, most = ([0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.75, 0.25, 0.0])
    logs = torch.tensor([even, sure, most]).clamp(min=1e-30).log()
    mask = torch.tensor([[1, 1, 0]] * 3, dtype=torch.int8)
    other = 0.75 * log(1.5) + 0.25 * log(0.5)
    assert mmd.from_uniform(logs, mask).tolist() == pytest.approx([0, log(2), other], abs=1e-6)
    assert mmd.divergence(logs, logs[[0, 0, 0]]).tolist() == pytest.approx([0, log(2), other], abs=1e-6)


def test_a_strong_magnet_draws_the_policy_to_uniform(example):
    mmd, ppo = example("mmd"), example("ppo_in_one_file")
    batch = alarife.make_batch(PEBBLES, 50, 2, seed=2)
    torch.manual_seed(3)
    network = ppo.Network(PEBBLES, 16)
    torch.nn.init.normal_(network.policy.weight, std=2.0)
    played = ppo.play(network, batch, 40, np.ones((50, 2), bool))
    rows = np.flatnonzero(played.mask.sum(-1, dtype=np.int64) > 1)
    seen, mask = (torch.from_numpy(part).flatten(0, 1)[rows] for part in (played.seen, played.mask))
    optimizer = torch.optim.Adam(network.parameters(), 1e-2)
    far = mmd.from_uniform(network(seen, mask)[0], mask).mean().item()
    settings = mmd.Settings(magnet=100.0, inertia=0.0, epochs=20)
    mmd.climb(network, optimizer, played, settings, np.random.default_rng(1))
    assert mmd.from_uniform(network(seen, mask)[0], mask).mean().item() < far / 4


# --- files --------------------------------------------------------------------------------------------


def test_layers_are_written_as_the_network_that_they_are(example, tmp_path):
    ppo = example("ppo_in_one_file")
    torch.manual_seed(2)
    network = ppo.Network(PEBBLES, 8)
    torch.nn.init.normal_(network.policy.weight)
    path = write_layers(tmp_path / "policy.safetensors", PEBBLES, network.layers, 7, (2,))
    player = find_player(str(path), 1)
    batch = alarife.make_batch(PEBBLES, 30, 3, seed=6)
    for _ in range(5):
        logs, _ = network(torch.tensor(batch.observation), torch.tensor(batch.action_mask))
        best = player.act(Turns.of_batch(batch, np.arange(30), player))
        assert best.tolist() == logs.argmax(-1).tolist()
        batch.step(best)
    with pytest.raises(AlarifeError, match=r"a network for pebbles_v0 has policy.weight of shape \(\d+, 8\), got"):
        write_layers(path, PEBBLES, network.layers[:2], 7)
