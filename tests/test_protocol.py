"""Whole algorithms by a suite's protocol; policies in ONNX files at the table."""

import json
from pathlib import Path

import numpy as np
import pytest

import alarife
import learners
from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.registry import find_game
from alarife.engine.table import Table
from alarife.evaluation.benchmark import run_benchmark
from alarife.evaluation.entry_file import read_entry
from alarife.evaluation.suite import parse_suite
from alarife.evaluation.verifying import verify_benchmark
from alarife.players import Turns, find_player
from alarife.players.policy import FORMAT, FORMAT_VERSION, Policy, inputs_of, shapes_of
from alarife_training.checkpoint import write_policy
from alarife_training.export import export_onnx
from alarife_training.protocol import Budget, TrainTable, train_by_protocol
from teaching_game import GAME as PEBBLES
from test_benchmark import SUITE

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def suite():
    return parse_suite(SUITE, "here")


def trained(suite, algorithm, out, budget=None, seeds=(0, 1, 2), name="mine"):
    told = []
    return train_by_protocol(suite, algorithm, budget or Budget(decisions=100), list(seeds), out, name, told.append)


def test_an_algorithm_is_trained_for_each_game_and_seed_and_judged(suite, tmp_path):
    learners.CALLS.clear()
    who = trained(suite, "learners:learn", tmp_path)
    assert [(table.game, table.players, seed, budget.decisions) for table, budget, seed in learners.CALLS] == [
        ("pebbles_v0", (2, 3), seed, 100) for seed in range(3)
    ]
    table = learners.CALLS[0][0]
    assert (table.training, table.tuning) == (range(0, 10), range(10, 20))
    run_benchmark(suite, who, tmp_path, None)
    entry = read_entry(tmp_path)
    assert entry.seeds == [0, 1, 2]
    assert entry.about["training"]["budget"] == "100 decisions"
    assert len(entry.about["training"]["seconds"]["pebbles_v0"]) == 3
    assert len({run["player"] for run in entry.runs(suite.table("two"))}) == 3  # each seed has its policy
    assert len(entry.about["files"]) == 3
    moved = tmp_path.rename(tmp_path.with_name("moved"))  # as on another machine
    found = verify_benchmark(moved, 8, 1, processes=0)
    assert not found.wrong
    assert not found.unseen
    weights = moved / next(iter(entry.about["files"]))
    weights.write_bytes(weights.read_bytes()[:-4] + b"abcd")
    assert any("has the digest" in sentence for sentence in verify_benchmark(moved, 0, 1, processes=0).wrong)


def test_training_that_was_stopped_goes_on_with_what_is_missing(suite, tmp_path, monkeypatch):
    learners.CALLS.clear()
    monkeypatch.setattr(learners, "going", learners.stop_at_seed_two, raising=False)
    with pytest.raises(KeyboardInterrupt):
        trained(suite, "learners:going", tmp_path)
    monkeypatch.setattr(learners, "going", learners.learn)
    trained(suite, "learners:going", tmp_path)
    assert [seed for _, _, seed in learners.CALLS] == [0, 1, 2]  # none twice
    with pytest.raises(FileError, match=r"was trained by another budget .'100 decisions', not '200 decisions'."):
        trained(suite, "learners:going", tmp_path, Budget(decisions=200))


@pytest.mark.parametrize(("algorithm", "how", "sentence"), [
    ("learners:learn", {"seeds": (0, 1)}, r"trained with 3 seeds or more, got \[0, 1\]"),
    ("learners:learn", {"seeds": (0, 1, 99)}, "pebbles-v1 has 10 seeds for training, got the seed 99"),
    ("learners:learn", {"budget": Budget()}, "give --decisions or --minutes, one of them"),
    ("learners:learn", {"budget": Budget(5, 5)}, "give --decisions or --minutes, one of them"),
    ("learners:returns_nothing", {}, r"returns the path of a .safetensors or .onnx file, got None"),
    ("learners:nothing", {}, "the algorithm learners:nothing cannot be imported"),
    ("nowhere:learn", {}, "the algorithm nowhere:learn cannot be imported"),
    ("learners:CALLS", {}, "learners:CALLS cannot be called"),
    ("learners", {}, r"an algorithm is a config or module:function: no config called 'learners'. Allowed: ba"),
    ("{game}-none.yaml", {}, "there is no config pebbles-none.yaml"),
])  # fmt: skip
def test_what_the_protocol_refuses_is_one_sentence(suite, tmp_path, algorithm, how, sentence):
    with pytest.raises(AlarifeError, match=sentence):
        trained(suite, algorithm, tmp_path, **how)


@pytest.mark.slow
def test_a_config_is_trained_on_the_protocols_seeds_and_budget(suite, tmp_path):
    config = """
game: pebbles
seed: 77
steps: 9999999
games: 8
hidden: [8]
ppo: {steps: 8, minibatch: 32, epochs: 1}
evaluation: {every: 1000000, games: 4, final_games: 4, seed: 5}
"""
    (tmp_path / "pebbles.yaml").write_text(config)
    trained(suite, str(tmp_path / "{game}.yaml"), tmp_path / "out", Budget(decisions=128), (0, 1, 2))
    written = (tmp_path / "out/training/pebbles_v0/seed-2/run/config.yaml").read_text()
    assert "\nseed: 2\n" in written
    assert "\nsteps: 128\n" in written
    assert "  seed: 10\n" in written  # of the judgement: a seed for tuning
    note = json.loads((tmp_path / "out/training/pebbles_v0/seed-2/trained.json").read_text())
    assert note["policy"] == "training/pebbles_v0/seed-2/policy.safetensors"
    (tmp_path / "pebbles.yaml").write_text(config + "imitation: {decisions: 500}\n")
    with pytest.raises(AlarifeError, match="500 decisions of teachers leave nothing of a budget of 128 decisions"):
        trained(suite, str(tmp_path / "{game}.yaml"), tmp_path / "other", Budget(decisions=128))


def test_a_config_may_leave_out_the_game(suite, tmp_path, monkeypatch):
    seen = []

    def look(config, run, resume):
        seen.append(config)
        learners.learn(TrainTable("pebbles_v0", (2, 3), {}, range(10), range(10, 20), run), None, 0)
        return run.joinpath("mine.safetensors").rename(run / "best.safetensors").is_file()

    monkeypatch.setattr("alarife_training.train.train", look)
    trained(suite, "baseline-ppo", tmp_path, Budget(decisions=4000))
    assert [(one.find_game().id, one.counts, one.seed, one.steps) for one in seen] == [
        ("pebbles_v0", [2, 3], seed, 4000) for seed in range(3)
    ]
    assert not any(one.imitation.decisions or one.refinement.decisions or one.advice or one.init for one in seen)
    (tmp_path / "other.yaml").write_text("game: viva\n")
    with pytest.raises(FileError, match=r"other.yaml is not a config for pebbles_v0"):
        trained(suite, str(tmp_path / "other.yaml"), tmp_path / "out")


# --- ONNX ---------------------------------------------------------------------------------------------


def written(path, game, advised=False, greedy=True, hidden=(6,)):
    """A policy drawn at random, and its file."""
    random = np.random.default_rng(4)
    tensors = {name: random.normal(size=shape).astype(np.float32)
               for name, shape in shapes_of(game, list(hidden), advised).items()}  # fmt: skip
    tensors["input.scale"][:] = 1
    card = {"format": FORMAT, "format_version": FORMAT_VERSION, "game": game.name, "version": game.version,
            "layout": game.layout_digest, "hidden": list(hidden), "steps": 0, "advice": advised,
            "greedy": greedy}  # fmt: skip
    return write_policy(path, Policy(game, card, tensors))


@pytest.mark.parametrize("advised", [False, True])
@pytest.mark.parametrize("greedy", [False, True])
def test_a_policy_plays_the_same_from_an_onnx_file(tmp_path, advised, greedy):
    pytest.importorskip("onnxruntime")
    path = written(tmp_path / "a.safetensors", PEBBLES, advised, greedy)
    other = export_onnx(path, tmp_path / "a.onnx")
    ours, theirs = find_player(str(path), 3), find_player(str(other), 3)
    table, decisions = Table(PEBBLES, 3, seed=5), 0
    while not table.over:
        turns, again = Turns.of_table(table), Turns.of_table(table)
        action = int(ours.act(turns)[0])
        assert int(theirs.act(again)[0]) == action
        table.play(action)
        decisions += 1
    assert decisions > 5
    assert inputs_of(PEBBLES, True) > inputs_of(PEBBLES, False)


def test_onnx_files_for_something_else_are_one_sentence(tmp_path):
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    other = export_onnx(written(tmp_path / "a.safetensors", PEBBLES), tmp_path / "a.onnx")
    viva = alarife.table("viva", players=2, seed=1, match="single_round")
    with pytest.raises(AlarifeError, match=r"a.onnx is for layout '.*' with \d+ numbers, viva_v1 shows 204"):
        find_player(str(other), 1).act(Turns.of_table(viva))
    (tmp_path / "noise.onnx").write_bytes(b"noise" * 10)
    with pytest.raises(FileError, match=r"noise.onnx is not an ONNX file"):
        find_player(str(tmp_path / "noise.onnx"), 1)
    with pytest.raises(AlarifeError, match=r"there is no checkpoint nowhere.onnx"):
        find_player("nowhere.onnx", 1)
    helper, kind = onnx.helper, onnx.TensorProto.FLOAT
    take = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "g",
                             [helper.make_tensor_value_info("x", kind, ["n", 3])],
                             [helper.make_tensor_value_info("y", kind, ["n", 3])])  # fmt: skip
    model = helper.make_model(take, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    (tmp_path / "x.onnx").write_bytes(model.SerializeToString())
    with pytest.raises(FileError, match=r"a policy takes observation and action_mask, this one takes \['x'\]"):
        find_player(str(tmp_path / "x.onnx"), 1)


def test_scores_of_another_shape_are_one_sentence(tmp_path):
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    helper, kind, size = onnx.helper, onnx.TensorProto.FLOAT, find_game("pebbles").features.size
    take = helper.make_graph([helper.make_node("Identity", ["observation"], ["y"])], "g",
                             [helper.make_tensor_value_info("observation", kind, ["n", size])],
                             [helper.make_tensor_value_info("y", kind, ["n", size])])  # fmt: skip
    model = helper.make_model(take, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    (tmp_path / "x.onnx").write_bytes(model.SerializeToString())
    with pytest.raises(
        AlarifeError, match=rf"scores are numbers of shape \(1, \d+\), got float32 of shape \(1, {size}\)"
    ):
        find_player(str(tmp_path / "x.onnx"), 1).act(Turns.of_table(Table(PEBBLES, 2, seed=1)))
