"""Compiled kernels: cached by the sources they came from, and the ways around them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TEACHING = Path(__file__).parent / "teaching_game"

TRACE = """
import sys
sys.path.insert(0, sys.argv[1])
from pebbles_copy import GAME
from alarife.engine.jit import INTERPRETED, RULE_SETTINGS
from alarife.engine.table import Table
from alarife.testing.kit import trace
print(INTERPRETED, "pipeline_class" in RULE_SETTINGS, trace(GAME, 3, GAME.make_options(), 5, INTERPRETED, 40),
      Table(GAME, 2, seed=1).state.piles[0])
"""


@pytest.fixture
def run(tmp_path):
    """Run the teaching game from a copy that a test may edit, with a cache of its own."""
    copy = tmp_path / "source" / "pebbles_copy"
    shutil.copytree(TEACHING, copy, ignore=shutil.ignore_patterns("__pycache__"))

    def go(**variables):
        settings = {"ALARIFE_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1", "ALARIFE_QUIET": ""}
        done = subprocess.run(
            [sys.executable, "-c", TRACE, str(copy.parent)],
            env=os.environ | settings | variables, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        interpreted, link_only, digest, pile = done.stdout.split()
        return {"interpreted": interpreted, "link_only": link_only, "digest": digest, "pile": pile,
                "compiled": "compiling pebbles" in done.stderr, "stderr": done.stderr}  # fmt: skip

    go.copy, go.cache = copy, tmp_path / "cache"
    return go


def entries(run):
    return sorted(run.cache.rglob("*.bin"))


def test_a_second_process_loads_what_the_first_compiled(run):
    first = run()
    assert first["compiled"]
    assert first["stderr"].count("compiling") == 1
    written = {path: path.stat().st_mtime_ns for path in entries(run)}
    assert written
    second = run()
    assert not second["compiled"]
    assert second["digest"] == first["digest"]
    assert {path: path.stat().st_mtime_ns for path in entries(run)} == written


def test_an_edited_rule_in_another_file_is_compiled_anew(run):
    before = run()
    source = run.copy / "components.py"
    source.write_text(source.read_text().replace("[3, 4, 5]", "[2, 4, 5]").replace("PEBBLES = 12", "PEBBLES = 11"))
    after = run()
    assert (before["pile"], after["pile"]) == ("3", "2")
    assert after["compiled"]
    assert after["digest"] != before["digest"]


def test_damaged_entries_are_compiled_anew(run):
    first = run()
    for number, path in enumerate(entries(run)):
        content = bytearray(path.read_bytes())
        if number % 2:
            content[len(content) // 2] ^= 255
        else:
            del content[len(content) // 2 :]
        path.write_bytes(content)
    second = run()
    assert second["compiled"]
    assert second["digest"] == first["digest"]
    assert not run()["compiled"]


def test_a_cache_that_cannot_be_written_stops_nobody(run, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert run(ALARIFE_CACHE_DIR=str(blocked / "below"))["digest"] == run()["digest"]


def test_old_folders_are_pruned(run):
    old = run.cache / "pebbles-0123456789abcdef0123"
    other = run.cache / "othergame-0123456789abcdef0123"
    for folder in (old, other):
        folder.mkdir(parents=True)
        os.utime(folder, (1, 1))
    run()
    assert not old.exists()
    assert other.exists()


def test_plain_compilation_gives_the_same_game(run):
    usual, plain = run(), run(ALARIFE_PLAIN_COMPILE="1")
    assert (usual["link_only"], plain["link_only"]) == ("True", "False")
    assert plain["compiled"]
    assert plain["digest"] == usual["digest"]


@pytest.mark.parametrize("variable", ["ALARIFE_INTERPRETED", "NUMBA_DISABLE_JIT"])
def test_without_compiling_the_game_is_the_same(run, variable):
    usual, python = run(), run(**{variable: "1"})
    assert (usual["interpreted"], python["interpreted"]) == ("False", "True")
    assert not python["compiled"]
    assert python["digest"] == usual["digest"]


@pytest.mark.parametrize(
    ("compiler", "name"),
    [("rule_compiler", "_finalize_dynamic_globals"), ("kernel_compiler", "_optimize_final_module")],
)
def test_a_missing_private_name_of_numba_falls_back_to_plain_compilation(monkeypatch, compiler, name):
    from numba.core import codegen

    from alarife.engine import link_only

    made = getattr(link_only, compiler)
    assert made() is not None
    monkeypatch.delattr(codegen.CPUCodeLibrary, name)
    made.cache_clear()
    try:
        assert made() is None
    finally:
        made.cache_clear()


def test_a_wrong_index_in_a_compiled_rule_is_an_index_error(pebbles):
    import dataclasses

    from alarife.engine.jit import rule
    from alarife.engine.table import Table

    @rule
    def beyond(s, r):
        r.score[0] = s.piles[s.seats + 5]

    broken = dataclasses.replace(pebbles, result=beyond)
    with pytest.raises(IndexError):
        Table(broken, 2, seed=1, interpreted=False).scores()


def test_a_rule_is_the_plain_function_when_python_calls_it():
    from alarife.engine.jit import rule

    def double(x):
        return 2 * x

    assert rule(double) is double
    assert double(4) == 8
