"""Players that lie in the current folder, as the installed command finds them."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from alarife.engine import named_modules

ROOT = Path(__file__).resolve().parent.parent
PLAYER = """
from helper import first

class Mine:
    def __init__(self, seed=None):
        pass

    def act(self, turns):
        return first(turns)
"""
HELPER = "def first(turns):\n    return turns.action_mask.argmax(1)\n"
SHORT = ("-o", "match=single_round", "-o", "max_turns_per_round=20", "--seed", "3")


@pytest.fixture
def command(tmp_path):
    """The installed command, begun in a folder with players, which Python does not know of."""
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    module, _, function = scripts["alarife"].partition(":")
    work = tmp_path / "work"
    (work / "package").mkdir(parents=True)
    for name, content in (("mine", PLAYER), ("helper", HELPER), ("package/inner", PLAYER), ("shlex", PLAYER)):
        (work / f"{name}.py").write_text(content)
    for name in ("numpy", "torch", "rich"):  # what a library is called that alarife might load
        (work / f"{name}.py").write_text("raise SystemExit('imported from the folder')")
    script = f"import sys\nfrom {module} import {function}\nif __name__ == '__main__':\n    sys.exit({function}())\n"
    (tmp_path / "alarife").write_text(script)
    known = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (ROOT / "envs", ROOT / "training")))}
    known |= {"ALARIFE_INTERPRETED": "1", "ALARIFE_QUIET": "1"}

    def run(*words, python=()):
        words = [sys.executable, *python, str(tmp_path / "alarife"), *words]
        return subprocess.run(words, cwd=work, env=known, capture_output=True, text=True, check=False)

    return run


@pytest.mark.parametrize("name", ["mine:Mine", "package.inner:Mine"])
def test_a_player_in_the_current_folder_plays(command, name):
    done = command("watch", "viva", "--with", f"{name},random", *SHORT, "--brief")
    assert done.returncode == 0, done.stderr
    assert name in done.stdout


def test_processes_of_an_evaluation_find_it_too(command, tmp_path):
    who = "mine:Mine,package.inner:Mine"
    done = command("evaluate", "viva", "--with", who, *SHORT, "--games", "2", "--processes", "2", "--out", "out")
    assert done.returncode == 0, done.stderr
    results = [json.loads(line) for line in (tmp_path / "work" / "out" / "results.jsonl").read_text().splitlines()]
    assert [result.get("forfeit") for result in results] == [None, None]


@pytest.mark.parametrize(("name", "sentence"), [
    ("shlex:Mine", "alarife: the player shlex:Mine cannot be imported: AttributeError: "),  # Python's own comes first
    ("mine:Yours", "alarife: the player mine:Yours cannot be imported: AttributeError: "),
    ("package.outer:Mine", "alarife: the player package.outer:Mine cannot be imported: ModuleNotFoundError: "),
    ("yours:Mine", "alarife: no player called 'yours:Mine', and no module 'yours' to import it from"),
])  # fmt: skip
def test_what_is_not_there_is_told_in_a_sentence(command, name, sentence):
    done = command("watch", "viva", "--with", f"{name},random")
    assert done.returncode == 1
    assert done.stderr.startswith(sentence)


def test_a_careful_python_does_not_look_there(command):
    done = command("watch", "viva", "--with", "mine:Mine,random", python=("-P",))
    assert done.stderr.startswith("alarife: no player called 'mine:Mine', and no module 'mine' to import it from")


def test_the_folder_comes_last_and_only_when_it_is_asked_for(tmp_path, monkeypatch):
    (tmp_path / "gardener.py").touch()
    (tmp_path / "shlex.py").touch()
    before = list(sys.path)
    monkeypatch.setattr(sys, "path", list(before))
    monkeypatch.setattr(named_modules, "_last", [])
    assert not named_modules.find_module("gardener")
    named_modules.look_last_in(str(tmp_path))
    for name, is_there in (("", False), ("shlex", True), ("nowhere", False), ("os.path", True)):
        assert named_modules.find_module(name) == is_there
        assert sys.path == before
    for _ in range(2):
        assert named_modules.find_module("gardener")
        assert sys.path == [*before, str(tmp_path)]
