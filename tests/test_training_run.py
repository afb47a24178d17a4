"""Whole runs, small: they learn, repeat, stop, go on, and survive being killed."""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from safetensors.numpy import save
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from alarife.__main__ import main
from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.registry import find_game
from alarife.evaluation import duel as duels
from alarife.evaluation.duel import duel
from alarife.evaluation.statistics import wins_of
from alarife.players import RandomPlayer, ScriptedPlayer, Turns, find_player
from alarife.players.guiding import Guided
from alarife.players.policy import AGENT, NetworkPlayer, read_policy, read_tensors, with_checksum
from alarife_training import checkpoint as files
from alarife_training import train as training
from alarife_training.config import make_config, write_config
from alarife_training.evaluate import Verdict, judge, judge_at_length
from alarife_training.lessons import advise
from alarife_training.log import read_result
from alarife_training.run_report import write_report
from alarife_training.train import Trainer, make_trainer, run_command, train
from teaching_game import GAME as PEBBLES
from tiny_runs import TINY, quiet, tiny


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    run = tmp_path_factory.mktemp("runs") / "whole"
    assert train(tiny(), run, tell=quiet)
    return run


def test_a_run_leaves_config_tables_policies_and_a_report(finished):
    assert (finished / "config.yaml").read_text().startswith("game: viva\nplayers: null\n")
    with (finished / "progress.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [int(row["steps"]) for row in rows] == [512 * k for k in range(1, 9)]
    judged = [json.loads(line) for line in (finished / "evaluations.jsonl").read_text().splitlines()]
    assert [line["steps"] for line in judged] == [0, 2048, 4096]
    assert [path.name for path in files.checkpoints(finished)] == [files.name_of(s) for s in (2048, 3072, 4096)]
    assert list((finished / "tensorboard").iterdir())
    assert "<svg" in (finished / "report.html").read_text()
    result = json.loads((finished / "result.json").read_text())
    assert [(v["against"], v["games"]) for v in result["verdicts"]] == [("scripted", 16), ("random", 20)]
    assert NetworkPlayer(finished / "best.safetensors").policy.card["steps"] == result["steps"]
    assert read_policy(finished / "last.safetensors").card["steps"] == 4096


def test_a_run_with_memory_leaves_a_policy_that_sees_it(tmp_path):
    assert train(tiny(memory=True, advice=False, steps=512, checkpoint_every=512), tmp_path / "run", tell=quiet)
    policy = read_policy(tmp_path / "run" / "last.safetensors")
    game = find_game("viva", memory=True)
    assert policy.game.remembers
    assert policy.game.layout_digest == game.layout_digest != find_game("viva").layout_digest


def same_weights(one, two):
    first, second = read_tensors(one)[0], read_tensors(two)[0]
    assert sorted(first) == sorted(second)
    return all(np.array_equal(first[name], second[name]) for name in first)


def test_the_same_seed_is_the_same_run_and_another_seed_is_not(finished, tmp_path):
    train(tiny(), tmp_path / "again", tell=quiet)
    last = f"checkpoints/{files.name_of(4096)}"
    assert same_weights(finished / last, tmp_path / "again" / last)
    train(tiny(seed=2), tmp_path / "other", tell=quiet)
    assert not same_weights(finished / last, tmp_path / "other" / last)


def start(run, *words):
    command = [sys.executable, "-m", "alarife", "train", *words]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "ALARIFE_QUIET": "1"}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env, cwd=run.parent
    )


def wait_for(path, process):
    end = time.monotonic() + 120
    while not path.exists():
        assert process.poll() is None, process.stdout.read()
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_killed_run_goes_on_as_if_nothing_had_happened(finished, tmp_path):
    run, config = tmp_path / "run", tmp_path / "tiny.yaml"
    config.write_bytes(write_config(tiny()))
    process = start(run, "--config", str(config), "--run", str(run))
    wait_for(run / "checkpoints" / files.name_of(2048), process)
    process.kill()
    process.wait()
    for path in [*files.checkpoints(run), run / "last.safetensors", run / "best.safetensors"]:
        read_policy(path)
    assert files.newest_checkpoint(run, quiet).name >= files.name_of(2048)
    process = start(run, "--resume", str(run))
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0, out
    assert f"going on from {run}/checkpoints/step-" in out
    last = f"checkpoints/{files.name_of(4096)}"
    assert same_weights(finished / last, run / last)
    assert same_weights(finished / "best.safetensors", run / "best.safetensors")
    with (run / "progress.csv").open() as file:
        assert [int(row["steps"]) for row in csv.DictReader(file)] == [512 * k for k in range(1, 9)]
    judged = [json.loads(line)["steps"] for line in (run / "evaluations.jsonl").read_text().splitlines()]
    assert judged == [0, 2048, 4096]
    board = EventAccumulator(str(run / "tensorboard")).Reload()
    assert [event.step for event in board.Scalars("run/return")] == [512 * k for k in range(1, 9)]
    assert [event.step for event in board.Scalars("win_share/scripted_2p")] == [0, 2048, 4096]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_ctrl_c_saves_and_says_so(tmp_path):
    run, config = tmp_path / "run", tmp_path / "tiny.yaml"
    config.write_bytes(write_config(tiny(steps=10_000_000, checkpoint_every=10_000_000)))
    process = start(run, "--config", str(config), "--run", str(run))
    wait_for(run / "progress.csv", process)
    while (run / "progress.csv").read_text().count("\n") < 3:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130, out
    assert "stopped by Ctrl-C: saved at " in out
    assert f"alarife train --resume {run}" in out
    trainer = Trainer(tiny(steps=10_000_000), run)
    trainer.load(files.newest_checkpoint(run, quiet))
    assert trainer.steps == read_policy(run / "last.safetensors").card["steps"] > 1000


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_a_head_start_that_is_stopped_begins_anew(tmp_path):
    run, config = tmp_path / "run", tmp_path / "tiny.yaml"
    lessons = {"imitation": {"decisions": 40 * 65_536, "epochs": 1, "minibatch": 8192}}
    config.write_bytes(write_config(tiny(**lessons)))
    process = start(run, "--config", str(config), "--run", str(run))
    wait_for(run / "evaluations.jsonl", process)
    while (run / "evaluations.jsonl").read_text().count("\n") < 2:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 130, out
    assert "stopped by Ctrl-C during the head start, of which nothing is kept" in out
    assert not list((run / "checkpoints").glob("*"))
    assert train(tiny(), run, resume=True, tell=quiet)  # a config without a teacher, to be quick
    judged = [json.loads(line) for line in (run / "evaluations.jsonl").read_text().splitlines()]
    assert [(line["taught"], line["steps"]) for line in judged] == [(0, 0), (0, 2048), (0, 4096)]


def test_a_damaged_newest_checkpoint_is_passed_over(finished, tmp_path):
    folder = tmp_path / "checkpoints"
    folder.mkdir()
    good = (finished / "checkpoints" / files.name_of(3072)).read_bytes()
    (folder / files.name_of(3072)).write_bytes(good)
    (folder / files.name_of(4096)).write_bytes(good[:-5])
    said = []
    assert files.newest_checkpoint(tmp_path, said.append).name == files.name_of(3072)
    assert "is cut off" in said[0]
    assert sorted(path.name for path in folder.iterdir()) == [
        "step-000000003072.safetensors",
        "step-000000004096.damaged",
    ]


def test_a_checkpoint_that_does_not_tell_how_far_the_run_was_is_damaged(finished, tmp_path):
    tensors, texts = read_tensors(files.checkpoints(finished)[-1])
    facts = json.loads(texts[files.TRAINER])
    del facts["steps"]
    path = tmp_path / "checkpoint.safetensors"
    told = {files.CARD: texts[files.CARD], files.TRAINER: json.dumps(facts)}
    path.write_bytes(with_checksum(save(tensors, told)))
    with pytest.raises(FileError, match=r"is a damaged checkpoint: trainer\.steps: Field required"):
        files.read_checkpoint(path)


def test_a_run_without_a_sound_checkpoint_stops_and_keeps_its_tables(finished, tmp_path):
    run = copied(finished, tmp_path)
    for path in files.checkpoints(run):
        path.write_bytes(path.read_bytes()[:-5])
    before = (run / "progress.csv").read_bytes()
    with pytest.raises(FileError, match=r"cannot go on, none of its 3 checkpoints can be read: .* is cut off"):
        run_command(None, None, str(run), [])
    assert (run / "progress.csv").read_bytes() == before
    assert len(files.checkpoints(run)) == 3


def test_what_has_just_been_written_stays_whatever_lies_beside_it(finished, tmp_path):
    policy, facts = files.read_checkpoint(files.checkpoints(finished)[-1])
    folder = tmp_path / "checkpoints"
    folder.mkdir()
    for steps in (1, 2, 5000, 6000):
        (folder / files.name_of(steps)).write_bytes(b"not a checkpoint")
    files.write_checkpoint(tmp_path, policy, {}, facts, keep=2)
    assert [path.name for path in files.checkpoints(tmp_path)] == [files.name_of(s) for s in (2, 4096, 5000, 6000)]


def test_snapshots_that_no_checkpoint_names_are_not_kept(finished):
    named = {member.file for path in files.checkpoints(finished) for member in files.read_checkpoint(path)[1].pool}
    assert {f"pool/{path.name}" for path in (finished / "pool").iterdir()} == named - {None}


def test_half_a_line_at_the_end_of_a_table_is_forgotten(finished, tmp_path):
    run = copied(finished, tmp_path)
    for name, half in (("progress.csv", b"4608,9,1.5"), ("evaluations.jsonl", b'{"steps": 40')):
        with (run / name).open("ab") as file:
            file.write(half)
    assert run_command(None, None, str(run), []) == 0
    for name in ("progress.csv", "evaluations.jsonl"):
        assert (run / name).read_bytes() == (finished / name).read_bytes()


@pytest.mark.parametrize(("name", "line", "sentence"), [
    ("progress.csv", "512,9,1.5", "line 4 is not a row of 18 numbers, got '512,9,1.5'; without this line"),
    ("progress.csv", ",".join(["x"] * 18), "line 4 is not a row of 18 numbers"),
    ("evaluations.jsonl", '{"steps": 40', "line 3 is not an evaluation: "),
    ("evaluations.jsonl", '{"steps": 40}', "line 3 is not an evaluation: taught: Field required"),
    ("evaluations.jsonl", "[" * 5000, "line 3 is not an evaluation: tables and lists lie at most 32 deep"),
])  # fmt: skip
def test_half_a_line_inside_a_table_is_told(finished, tmp_path, name, line, sentence):
    run = copied(finished, tmp_path)
    lines = (run / name).read_text().splitlines()
    at = int(sentence.split()[1]) - 1
    (run / name).write_text("\n".join([*lines[:at], line, *lines[at:]]) + "\n")
    before = (run / name).read_bytes()
    with pytest.raises(FileError) as caught:
        run_command(None, None, str(run), [])
    assert sentence in str(caught.value)
    assert (run / name).read_bytes() == before


def test_a_result_names_no_file_but_its_runs_best(finished, tmp_path):
    run = copied(finished, tmp_path)
    told = json.loads((run / "result.json").read_text())
    assert read_result(run) == told
    (run / "result.json").write_text(json.dumps(told | {"policy": "../other/best.safetensors"}))
    with pytest.raises(FileError, match=r"result\.json is not a result: policy: Input should be 'best\.safetensors'"):
        write_report(run)


def test_a_checkpoint_names_no_file_outside_of_its_run(finished, tmp_path):
    tensors, texts = read_tensors(files.checkpoints(finished)[-1])
    facts = json.loads(texts[files.TRAINER])
    facts["pool"].append({"name": "x", "score": 0.5, "games": 1, "file": "../pool/step-000000000512.safetensors"})
    path = tmp_path / "checkpoint.safetensors"
    told = {files.CARD: texts[files.CARD], files.TRAINER: json.dumps(facts)}
    path.write_bytes(with_checksum(save(tensors, told)))
    with pytest.raises(FileError, match=r"is a damaged checkpoint: trainer\.pool\.\d\.file: String should match"):
        files.read_checkpoint(path)


def test_a_damaged_checkpoint_is_refused_wherever_the_bit_is(finished, tmp_path):
    content = files.checkpoints(finished)[-1].read_bytes()
    random, path = np.random.default_rng(5), tmp_path / "checkpoint.safetensors"
    for bit in random.integers(0, 8 * len(content), 60).tolist():
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        with pytest.raises(FileError):
            files.read_checkpoint(path)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
@pytest.mark.parametrize(("where", "room"), [("checkpoint", 30_000), ("policy", 5_000), ("log", 700)])
def test_a_run_on_a_full_disk_ends_in_a_sentence_and_goes_on_as_if_nothing_had_happened(
    finished, tmp_path, capsys, monkeypatch, where, room
):
    """No file may grow beyond a limit: that of a checkpoint, of a policy, or of a table."""
    import resource

    run, config, limits = tmp_path / "run", tmp_path / "tiny.yaml", resource.getrlimit(resource.RLIMIT_FSIZE)
    config.write_bytes(write_config(tiny()))
    iterate = Trainer.iterate

    def iterate_until_full(trainer):
        row = iterate(trainer)
        if trainer.steps == 2048:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, limits[1]))
        return row

    monkeypatch.setattr(Trainer, "iterate", iterate_until_full)
    try:
        assert main(["train", "--config", str(config), "--run", str(run)]) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    monkeypatch.undo()
    told = capsys.readouterr().err
    assert re.fullmatch(rf"alarife: cannot write {run}/.*: File too large; what was saved before is whole, go on with: "
                        rf"alarife train --resume {run}\n", told)  # fmt: skip
    assert [path.name for path in files.checkpoints(run)] == [files.name_of(s) for s in (0, 1024)]
    for path in [*files.checkpoints(run), run / "last.safetensors", run / "best.safetensors"]:
        read_policy(path)
    assert not list(run.rglob(".*"))  # no drafts
    for name in ("progress.csv", "evaluations.jsonl"):
        assert (run / name).read_bytes().endswith(b"\n")
    EventAccumulator(str(run / "tensorboard")).Reload()
    assert run_command(None, None, str(run), []) == 0
    last = f"checkpoints/{files.name_of(4096)}"
    assert same_weights(finished / last, run / last)
    board = EventAccumulator(str(run / "tensorboard")).Reload()
    assert [event.step for event in board.Scalars("run/return")] == [512 * k for k in range(1, 9)]


def test_a_new_best_policy_goes_with_a_checkpoint(tmp_path, monkeypatch):
    shares = iter([0.5, 0.4, 0.7, 0.6])
    monkeypatch.setattr(training, "measure_of", lambda verdicts, config: next(shares))
    about = TINY["evaluation"] | {"every": 512}
    train(tiny(steps=1536, checkpoint_every=100_000, evaluation=about), tmp_path, tell=quiet)
    assert [path.name for path in files.checkpoints(tmp_path)] == [files.name_of(s) for s in (0, 1024, 1536)]
    assert [files.read_checkpoint(path)[1].best for path in files.checkpoints(tmp_path)] == [0.5, 0.7, 0.7]
    assert read_policy(tmp_path / "best.safetensors").card["steps"] == 1024


def test_a_policy_that_is_written_again_is_the_same_bytes(tmp_path):
    """Digests of files name policies; the library that writes them shuffles their texts."""
    policy = read_policy(find_game("viva").folder / AGENT)
    written = {files.write_policy(tmp_path / f"{n}.safetensors", policy).read_bytes() for n in range(12)}
    assert len(written) == 1


def test_what_is_learnt_for_points_alone_is_chosen_by_points():
    early, late = (
        Verdict("the game", 1, 400, share, 0, 1, score, 2.0, 150) for share, score in ((0.9, 140), (0.7, 170))
    )
    for reward, best in (("score", late), ("margin", early), ("outcome", early)):
        config = make_config({"game": "lisboa", "players": 1, "reward": reward})
        assert max([early, late], key=lambda verdict: training.measure_of([verdict], config)) is best
    two = make_config({"game": "viva", "players": 2, "reward": "score"})
    assert training.measure_of([Verdict("scripted", 2, 400, 0.6, 0, 1, 3.0, 1.0, 40)], two) == 0.6


def test_a_run_that_failed_before_its_first_decision_can_be_tried_again(tmp_path):
    config, run = tmp_path / "tiny.yaml", tmp_path / "run"
    config.write_bytes(write_config(tiny(steps=512, hidden=[8])))
    run.mkdir()
    (run / "config.yaml").write_bytes(write_config(tiny()))
    assert run_command(str(config), str(run), None, []) == 0
    assert read_policy(run / "last.safetensors").card["hidden"] == [8]


def test_ctrl_c_while_the_best_policy_is_judged_says_how_to_go_on(finished, tmp_path, monkeypatch, capsys):
    def stopped(*_):
        raise KeyboardInterrupt

    run = copied(finished, tmp_path)
    monkeypatch.setattr(training, "finish", stopped)
    assert run_command(None, None, str(run), []) == 130
    assert f"stopped at once; go on with: alarife train --resume {run}" in capsys.readouterr().err


def copied(finished, folder):
    return shutil.copytree(finished, folder / "run")


def test_a_run_that_is_over_may_be_made_longer(finished, tmp_path, capsys):
    run = copied(finished, tmp_path)
    assert run_command(None, None, str(run), ["steps=5120"]) == 0
    assert read_policy(run / "last.safetensors").card["steps"] == 5120


@pytest.mark.parametrize(("words", "sentence"), [
    ((None, None, None, []), "takes --config FILE, --resume FOLDER, or init=POLICY"),
    ((None, None, "{run}", ["seed=2"]), "may change steps, minutes, rllib.runners"),
    ((None, None, "{run}/pool", []), "is not the folder of a run"),
    ((None, "{run}", "{run}", []), "goes on in the folder of the run; it takes no --run"),
    (("{run}/config.yaml", "{run}", None, []), "holds a run already; go on with it by --resume"),
    (("{run}/nothing.yaml", None, None, []), "cannot read the config"),
])  # fmt: skip
def test_what_cannot_be_run_is_one_sentence(finished, words, sentence):
    told = [word.format(run=finished) if isinstance(word, str) else word for word in words]
    with pytest.raises(AlarifeError) as caught:
        run_command(*told)
    assert sentence in str(caught.value)


def test_without_ray_a_scaled_run_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)  # as if it were not installed
    monkeypatch.delitem(sys.modules, "alarife_training.rllib.trainer", raising=False)
    with pytest.raises(
        AlarifeError, match=r"needs the extra \[rllib\]: pip install 'alarife\[rllib\]' \(no ray here\)"
    ):
        make_trainer(tiny(trainer="rllib"), tmp_path)


@pytest.mark.parametrize("part", ["imitation", "refinement"])
def test_without_ray_lessons_on_a_cluster_are_refused_before_the_run_begins(tmp_path, monkeypatch, capsys, part):
    monkeypatch.setitem(sys.modules, "ray", None)  # as if it were not installed
    config, run = tmp_path / "tiny.yaml", tmp_path / "run"
    config.write_bytes(write_config(tiny()))
    words = ["train", "--config", str(config), "--run", str(run), f"{part}.decisions=64", f"{part}.address=nobody:1"]
    assert main(words) == 1
    sentence = f"alarife: {part}.address needs the extra [rllib]: pip install 'alarife[rllib]'\n"
    assert capsys.readouterr().err == sentence
    assert not run.exists()


def test_words_may_stand_between_options_and_keys_are_listed(tmp_path, capsys):
    config, run = tmp_path / "tiny.yaml", tmp_path / "run"
    config.write_bytes(write_config(tiny()))
    assert main(["train", "steps=512", "--config", str(config), "seed=4", "--run", str(run), "hidden=[8]"]) == 0
    assert read_policy(run / "best.safetensors").card["hidden"] == [8]
    assert read_policy(run / "best.safetensors").card["seed"] == 4
    assert main(["train", "--keys"]) == 0
    assert "ppo.gamma                  0.995" in capsys.readouterr().out


def test_a_policy_is_no_checkpoint_and_a_checkpoint_is_a_player(finished):
    with pytest.raises(FileError, match="is a policy to play with"):
        files.read_checkpoint(finished / "best.safetensors")
    path = files.checkpoints(finished)[-1]
    assert find_player(str(path)).policy.card["steps"] == 4096
    trainer = files.read_checkpoint(path)[1]
    assert [member.name for member in trainer.pool][:2] == ["random", "scripted"]
    assert len(trainer.pool) == 4  # the low gate let two snapshots in


def test_a_checkpoint_of_another_network_is_refused(finished, tmp_path):
    trainer = Trainer(tiny(hidden=[8]), tmp_path)
    with pytest.raises(FileError, match=r"holds a network \[16\] for viva_v1 .* asks for a network \[8\]"):
        trainer.load(files.checkpoints(finished)[-1])


def test_a_checkpoint_of_another_config_is_refused(finished, tmp_path):
    path = files.checkpoints(finished)[-1]
    with pytest.raises(FileError, match=r"for viva_v1 with advice, the config asks for .* for viva_v1 without advice"):
        Trainer(tiny(advice=False), tmp_path).load(path)
    with pytest.raises(FileError, match=r"with pool.anchors \['random', 'scripted'\], the config says \['scripted'\]"):
        Trainer(tiny(pool={"anchors": ["scripted"]}), tmp_path).load(path)


def test_a_run_that_goes_on_may_keep_fewer_snapshots(finished):
    trainer = Trainer(tiny(pool={"snapshots": 1}), finished)
    trainer.load(files.checkpoints(finished)[-1])
    assert [member.is_anchor for member in trainer.pool.members] == [True, True, False]


def test_weights_that_are_not_finite_are_not_written(finished, tmp_path):
    policy = read_policy(finished / "best.safetensors")
    policy.tensors["value.bias"] = np.array([np.nan], np.float32)
    with pytest.raises(FileError, match=r"was not written: value\.bias holds numbers that are not finite"):
        files.write_policy(tmp_path / "policy.safetensors", policy)
    assert not list(tmp_path.iterdir())


def test_training_that_diverges_stops_with_a_sentence(tmp_path):
    with pytest.raises(AlarifeError, match="training has diverged"):
        train(tiny(reward_scale=3e38), tmp_path / "run", tell=quiet)


def test_led_by_itself_a_network_learns_its_own_choice_moved_by_the_search(finished):
    """Worths 0.2 apart at a temperature of 0.1 move the network's own choice by e^2; the untried count as the mean."""
    policy = read_policy(finished / "last.safetensors")
    turns = Turns.of_batch(Batch(policy.game, 20, 2, 1, {"match": "single_round"}), np.arange(20))
    row = int(np.argmax(turns.action_mask.sum(1)))
    legal = np.flatnonzero(turns.action_mask[row])

    class Told(Guided):
        def search(self, turns):
            visits, means = np.zeros(turns.action_mask.shape, np.int64), np.zeros(turns.action_mask.shape)
            visits[row, legal[:2]], means[row, legal[:2]] = 5, (0.5, 0.3)
            return np.zeros(len(turns), np.int64), visits, means

    _, target = advise(Told(policy, "10"), turns, 0.1)
    own = np.exp(NetworkPlayer(policy).scores(turns)[row].astype(float))
    assert len(legal) > 2
    assert target[row, legal[0]] / target[row, legal[1]] == pytest.approx(
        np.exp(2) * own[legal[0]] / own[legal[1]], 1e-4
    )
    assert target[row, legal[0]] / target[row, legal[2]] == pytest.approx(
        np.exp(1) * own[legal[0]] / own[legal[2]], 1e-4
    )
    assert target.sum(1) == pytest.approx(np.ones(20))
    assert not target[turns.action_mask == 0].any()


def test_a_network_can_be_its_own_teacher(tmp_path):
    lessons = {"refinement": {"decisions": 3072, "player": "guided:self:4", "lesson": 1024, "window": 2, "epochs": 1}}
    train(tiny(**lessons, steps=512), tmp_path / "run", tell=quiet)
    lines = [json.loads(line) for line in (tmp_path / "run" / "evaluations.jsonl").read_text().splitlines()]
    assert [line["taught"] for line in lines] == [0, 1024, 2048, 3072, 3072]
    told = read_tensors(tmp_path / "run" / "checkpoints" / files.name_of(512))[0]
    assert np.isfinite(told["policy.weight"]).all()


def test_training_learns(pebbles, tmp_path):
    """The expected value: random play wins half of the games, one point in eight more is far beyond chance."""
    config = make_config({
        "game": "pebbles", "players": 2, "steps": 40_960, "games": 64, "hidden": [32], "checkpoint_every": 40_960,
        "replays": 0, "ppo": {"steps": 16, "minibatch": 256, "learning_rate": 0.003, "gamma": 1.0},
        "pool": {"anchors": ["random"]},
        "evaluation": {"every": 40_960, "games": 1000, "final_games": 2000, "against": ["random"]},
    })  # fmt: skip
    train(config, tmp_path / "run", tell=quiet)
    before = json.loads((tmp_path / "run" / "evaluations.jsonl").read_text().splitlines()[0])["verdicts"][0]
    after = json.loads((tmp_path / "run" / "result.json").read_text())["verdicts"][0]
    assert before["high"] < 0.6
    assert after["low"] > 0.65


@pytest.mark.parametrize(("longest", "warnings"), [(2, 1), (None, 0)])
def test_a_run_says_once_that_most_games_are_cut_off(longest, warnings, tmp_path):
    """A round of VIVA takes a seat more than two decisions; without a limit nothing is cut off."""
    told = []
    train(tiny(longest=longest, steps=8192), tmp_path / "run", tell=told.append)
    rows = list(csv.DictReader((tmp_path / "run" / "progress.csv").open()))
    assert sum(int(row["games"]) for row in rows) > 1000 or longest is None
    assert len([words for words in told if "were cut off after 2 decisions (longest)" in words]) == warnings
    assert len([words for words in told if "were cut off" in words]) == warnings


# --- judging ------------------------------------------------------------------------------------------


def test_a_shared_first_place_counts_in_part():
    games = [([1, 2, 3], 0, 1), ([1, 1, 3], 1, 1 / 2), ([2, 1, 3], 0, 0), ([1, 1, 1], 2, 1 / 3)]
    for places, own, won in games:
        assert wins_of({"seats": ["a", "b", "c"], "places": places})[own] == pytest.approx(won)


def test_a_duel_counts_the_players_own_wins_scores_and_lengths(monkeypatch):
    """Won alone, won with another and lost: 1 + 1/2 + 0 of three games, 5 + 4 + 2 points, 10 + 20 + 30 decisions."""
    me, other = duels.PLAYER, duels.OTHER
    games = [
        {"deal": 0, "seats": [me, other, other], "scores": [5, 3, 1], "places": [1, 2, 3], "decisions": 10},
        {"deal": 1, "seats": [other, me, other], "scores": [4, 4, 2], "places": [1, 1, 3], "decisions": 20},
        {"deal": 2, "seats": [other, other, me], "scores": [6, 5, 2], "places": [1, 2, 3], "decisions": 30},
    ]
    monkeypatch.setattr(duels, "_side_by_side", lambda *_: iter(games))
    found = duel(ScriptedPlayer(1), "random", PEBBLES, 3, 3, 5)
    assert (found.games, found.win.value, found.decisions) == (3, 0.5, 20)
    assert found.score.value == pytest.approx(11 / 3)


def test_a_duel_repeats():
    one, again = (duel(ScriptedPlayer(1), "random", PEBBLES, 3, 30, 5) for _ in range(2))
    assert one == again
    assert one.games == one.win.count == one.score.count == 30


@pytest.mark.parametrize(("games", "parts"), [(3, [3]), (8, [4, 4]), (9, [4, 4, 1])])
def test_a_duel_is_played_in_parts_and_every_game_counts_once(monkeypatch, games, parts):
    sizes = []

    def counting(*arguments):
        sizes.append(arguments[4])
        return played(*arguments)

    played = duels._side_by_side
    monkeypatch.setattr(duels, "SIDE_BY_SIDE", 4)
    monkeypatch.setattr(duels, "_side_by_side", counting)
    assert duel(RandomPlayer(1), "random", PEBBLES, 2, games, 1).win.count == games
    assert sizes == parts


def test_random_against_random_wins_its_even_share():
    config = tiny(players=[2, 4], evaluation={"against": ["random"]}, options={"match": "rounds", "rounds": 1})
    for verdict in judge(RandomPlayer(1), config, 300, 5):
        assert verdict.low < 1 / verdict.players < verdict.high
        assert verdict.games == 300


def test_scripted_beats_random_as_its_page_says():
    (verdict,) = judge(find_player("scripted", 1), tiny(evaluation={"against": ["random"]}), 400, 5)
    assert verdict.low > 0.88


def test_alone_others_play_the_same_games_for_comparison():
    """The scripted player judged as the agent and as its comparison has played the same games."""
    about = {"games": 100, "final_games": 30, "also_games": 30, "also_against": ["scripted"]}
    settings = make_config({"game": "lisboa", "players": 1, "evaluation": about})
    agent, compared = judge_at_length(ScriptedPlayer(1), settings)
    assert (agent.player, compared.player) == ("trained", "scripted")
    assert agent.against == compared.against == "the game"
    assert agent.score == compared.score
    assert agent.win_share == compared.win_share
    assert agent.score_width > 0


def test_scores_have_an_interval():
    """The width is that of the mean of the scores that were seen: 1.9659 standard errors, Student's t of 400 games."""
    (verdict,) = judge(RandomPlayer(1), tiny(evaluation={"against": ["random"]}), 400, 3)
    won = verdict.score  # the score of a single round is 1 for the winner and 0 for the other
    assert verdict.score_width == pytest.approx(1.9659 * (won * (1 - won) / 399) ** 0.5, rel=1e-4)
