"""The long script in its short form; and it finds what it is there to find."""

from __future__ import annotations

import numpy as np
import pytest

import alarife
import soak
from alarife.engine.batch import Batch
from alarife.engine.registry import find_game, game_names, is_installed
from soak import Row, Setting, both, environments, judge_memory, large, play, processes, processors

LEAST = Setting(0, 20, 50, 6)
INSTALLED = [name for name in game_names() if is_installed(name)]


@pytest.mark.parametrize("kind", ["play", "environments", "large", "both"])
def test_nothing_breaks_in_the_least_of_everything(kind, pebbles):
    (row,) = soak.soak([pebbles], [kind], LEAST)
    assert row.defects == []
    assert row.tried


@pytest.mark.slow
def test_processes_and_processors_play_the_same_games(installed_pebbles, capsys):
    assert soak.main(["--game", "pebbles", "--minutes", "0", "--only", "processes,async,processors"]) == 0
    told = capsys.readouterr().out
    assert "| processes | pebbles | 4 threads, " in told
    assert "spawn" in told
    assert "unset, generic" in told


@pytest.mark.parametrize("name", INSTALLED)
def test_every_value_of_every_option_is_played_at_some_table(name):
    assert soak.left_out(find_game(name)) == []


def test_values_that_do_not_go_together_are_tried_apart():
    game = find_game("viva")
    tables = soak.variants(game, 3)
    most = {"standard": 12, "pocket": 8}  # winner's cards (VIV-002)
    assert {options["rounds"] for options in tables if "rounds" in options} == {1, 5, most["standard"]}
    assert {options.get("edition") for options in tables} >= set(most)
    assert all(soak.accepts(game, 3, options) for options in tables)


# --- what it finds ----------------------------------------------------------------------------------------


def test_an_invariant_that_breaks_is_found(monkeypatch, pebbles):
    def broken(batch):
        raise AssertionError("PEB-001: a pebble is lost")

    monkeypatch.setattr(Batch, "check", broken)
    row = play(pebbles, LEAST, 1)
    assert len(row.defects) == len(soak.tables_of(pebbles))
    assert "AssertionError: PEB-001" in row.defects[0]


@pytest.mark.parametrize(
    ("grown", "told", "defects"),
    [(128 << 20, "+128.0 MB", ["memory grew by 128 MB"]), (1 << 20, "+1.0 MB", []), (-(3 << 20), "-3.0 MB", [])],
)
def test_memory_that_grows_is_found(monkeypatch, grown, told, defects):
    row, before = Row("play", "pebbles"), 500 << 20
    monkeypatch.setattr(soak, "memory", lambda: before + grown)  # what a system tells may lag behind
    judge_memory(row, before)
    assert (row.memory, row.defects) == (told, defects)


def test_memory_that_no_system_tells_is_no_defect(monkeypatch):
    row = Row("play", "pebbles")
    monkeypatch.setattr(soak, "memory", lambda: None)
    judge_memory(row, None)
    assert (row.memory, row.defects) == ("not told", [])


def test_files_and_threads_that_stay_are_found(monkeypatch, pebbles, tmp_path):
    held = []

    def careless(game, seed):
        held.append((tmp_path / "log").open("w"))
        held.append(alarife.make_batch(game, games=4, seed=seed, threads=2))
        held[-1].step(held[-1].sample())

    monkeypatch.setattr(soak, "MADE", [careless])
    row = environments(pebbles, Setting(0, 3, 0, 1), 1)
    held[0].close()
    for one in held:
        one.close()
    assert row.defects[0] == "3 files stayed open"
    assert row.defects[1].endswith(" threads stayed alive")


def test_a_batch_that_differs_from_its_tables_is_found(monkeypatch, pebbles):
    key_of = Batch.key_of
    monkeypatch.setattr(Batch, "key_of", lambda batch, row: key_of(batch, 0))
    assert large(pebbles, LEAST, 1).defects[0].startswith("row 25 differs from its table at step 0")


def test_rules_that_differ_when_interpreted_are_found(monkeypatch, pebbles):
    def another(game, games, players, seed, *more, interpreted):
        return Batch(game, games, players, seed + interpreted, *more, interpreted=interpreted)

    monkeypatch.setattr(soak, "Batch", another)
    row = both(pebbles, LEAST, 1)
    assert len(row.defects) == len(soak.tables_of(pebbles))
    assert "interpreted and compiled games differ at step 1" in row.defects[0]


def test_other_digests_in_threads_and_processors_are_found(monkeypatch, pebbles):
    told = iter(range(99))
    monkeypatch.setattr(soak, "digest", lambda *_: str(next(told)))
    monkeypatch.setattr(soak, "is_installed", lambda name: False)
    assert processes(pebbles, LEAST, 1).defects == ["a thread plays other games"]
    monkeypatch.setattr(soak, "is_installed", lambda name: True)
    monkeypatch.setattr(soak, "can_run", lambda processor: processor != "x86-64-v3")
    answers = iter("ab")
    monkeypatch.setattr(soak.subprocess, "run", lambda *_, **__: soak.subprocess.CompletedProcess([], 0, next(answers)))
    assert processors(pebbles, LEAST, 1).defects == ["hashes differ: unset a, generic b"]


def test_a_defect_is_told_and_makes_the_command_fail(monkeypatch, capsys):
    def fails(game, setting, seed):
        raise ValueError("something foreign")

    monkeypatch.setitem(soak.KINDS, "play", fails)
    assert soak.main(["--game", "pebbles", "--minutes", "0", "--only", "play"]) == 1
    told = capsys.readouterr()
    assert "| play | pebbles | it broke off |  | 1 |" in told.out
    assert "ValueError: something foreign" in told.err


@pytest.mark.parametrize(("words", "sentence"), [
    (["--only", "plya"], "no kind 'plya'; there are play, environments"),
    (["--minutes", "nan"], "minutes are 0 or more, got nan"),
])  # fmt: skip
def test_a_command_that_means_nothing_is_refused(words, sentence, capsys):
    with pytest.raises(SystemExit):
        soak.main(words)
    assert sentence in capsys.readouterr().err


def test_games_are_told_apart_by_all_that_they_show(pebbles):
    one, two = Batch(pebbles, 2, 3, 1), Batch(pebbles, 2, 3, 1)
    assert soak.hash_of(one) == soak.hash_of(two)
    two.step(two.sample(), np.array([1]))
    assert soak.hash_of(one) != soak.hash_of(two)
