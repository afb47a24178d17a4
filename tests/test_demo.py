"""The demo: its commands are sound, a tiny one runs to its end, and a weak agent is called weak."""

import json
import shutil

import pytest

pytest.importorskip("sb3_contrib")

import demo
from alarife.__main__ import main, make_parser
from alarife_training.config import read_config

SMALL = ["steps=512", "games=16", "hidden=[8]", "ppo.steps=16", "ppo.minibatch=128", "imitation.decisions=1024",
         "evaluation.games=16", "evaluation.final_games=16"]  # fmt: skip


def test_a_tiny_demo_runs_to_its_end(tmp_path, monkeypatch, capsys):
    done = []

    def here(*command, **settings):
        words = [str(word) for word in command]
        assert words[1:3] == ["-m", "alarife"]
        make_parser().parse_args(words[3:])
        if words[3] in ("train", "replay"):
            assert main([*words[3:], *(SMALL if words[3] == "train" else [])]) == 0
        done.append(words[3])

    shutil.copytree(demo.ROOT / "configs", tmp_path / "configs")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(demo, "ROOT", tmp_path)
    monkeypatch.setattr(demo, "ready", lambda extra: tmp_path / "bin" / "python")
    monkeypatch.setattr(demo, "run", here)
    demo.main()
    assert done == ["list", "compile", "train", "replay"]
    (folder,) = (tmp_path / "runs").iterdir()
    assert f"runs/{folder.name}/report.html" in capsys.readouterr().out
    assert (folder / "report.html").exists()


@pytest.mark.parametrize(("share", "is_weak"), [(0.89, True), (0.9, False)])
def test_a_weak_agent_is_called_weak(share, is_weak, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(demo, "ROOT", tmp_path)
    verdict = {"win_share": share, "low": share - 0.01, "high": share + 0.01, "games": 2000}
    verdicts = [verdict | {"against": "random"}, verdict | {"against": "scripted", "win_share": 0.4}]
    (tmp_path / "result.json").write_text(json.dumps({"verdicts": verdicts}))
    write_evaluations(tmp_path, [(0, 0.2), (0, 0.7), (5000, 0.8)])
    demo.tell(tmp_path, "bin/alarife")
    said = capsys.readouterr().out
    assert ("weaker than it should be" in said) == is_weak


def write_evaluations(folder, shares):
    lines = []
    for steps, share in shares:
        verdict = {"against": "random", "win_share": share, "low": share - 0.1, "high": share + 0.1, "games": 500}
        lines.append(json.dumps({"steps": steps, "taught": 100, "verdicts": [verdict]}))
    (folder / "evaluations.jsonl").write_text("\n".join(lines) + "\n")


def test_the_teachers_part_is_told_apart(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(demo, "ROOT", tmp_path)
    verdict = {"against": "random", "win_share": 0.93, "low": 0.92, "high": 0.94, "games": 2000}
    (tmp_path / "result.json").write_text(json.dumps({"verdicts": [verdict]}))
    write_evaluations(tmp_path, [(0, 0.2), (0, 0.7), (5000, 0.8)])
    demo.tell(tmp_path, "bin/alarife")
    _, _, told = capsys.readouterr().out.partition("What the teacher had taught it")
    assert "against random    70.0 % [60.0 %, 80.0 %] of 500" in told
    assert "20.0 %" not in told
    assert "80.0 % [" not in told


def test_the_teacher_leaves_time_for_play():
    config = read_config(demo.ROOT / demo.CONFIG)
    assert config.imitation.minutes < config.minutes
