"""Evaluations among players that lie, crash, hang and kill: the judge is not moved, and the run comes to its end."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from multiprocessing import resource_tracker
from pathlib import Path

import numpy as np
import pytest

import alarife
from alarife.engine.batch import Batch
from alarife.engine.errors import IllegalAction
from alarife.engine.registry import find_game
from alarife.engine.table import Table
from alarife.evaluation import evaluate
from alarife.evaluation.results import key_of, read_results
from alarife.evaluation.run import Evaluation
from alarife.evaluation.schedule import Fixture
from alarife.evaluation.workers import Crew
from alarife.players import RandomPlayer, Turns
from alarife.players.turns import ask
from alarife.selfplay.transitions import transitions
from marked_processes import MARK, end_marked, marked
from teaching_game import GAME as PEBBLES

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="these systems have no processes that fork")

# --- what a player holds is its own -------------------------------------------------------------------


class Forger(RandomPlayer):
    """Makes an illegal action legal, wherever it can reach, and plays it."""

    def act(self, turns):
        bad = turns.action_mask.argmin(1)
        turns.action_mask[:] = 1
        turns.observation[:] = 7
        for array in (turns.seat, turns.players, turns.table):
            array[:] = 1
        for name in ("game", "options", "action_mask", "seat", "players", "table", "observation"):
            setattr(turns, name, np.ones((len(turns), 900)))
        return bad


@pytest.mark.parametrize("name", ["viva", "viana", "lisboa"])
def test_a_mask_that_a_player_has_written_makes_nothing_legal(name):
    table = Table(find_game(name), seed=3, interpreted=True)
    with pytest.raises(IllegalAction, match=r"the cheat: player_\d played .*, which is not legal\. Legal now: "):
        ask(Forger(1), Turns.of_table(table, Forger), "the cheat")


def test_a_forger_forfeits(tmp_path):
    summary = evaluate(PEBBLES, {"random": "random", "forger": Forger}, 2, games=4, seed=1, out=tmp_path)
    assert summary.of("forger").forfeits == 4
    assert all("which is not legal" in forfeit["why"] for forfeit in summary.forfeits)


class Scribbler(RandomPlayer):
    """Plays as random does, and leaves nothing as it was."""

    def act(self, turns):
        answer = super().act(turns)
        for array in (turns.action_mask, turns.observation, turns.seat, turns.players, turns.table):
            array[:] = 0
        if hasattr(turns.options, "__dict__"):
            for value in vars(turns.options).values():
                if isinstance(value, dict):
                    value.clear()
        self.held = answer  # and writes into its answer later
        return answer


def test_what_a_player_scribbles_into_its_turns_changes_no_game():
    def history(kind):
        table, players = Table(PEBBLES, 3, seed=5, interpreted=True), [kind(seat) for seat in range(3)]
        while not table.over:
            table.play(int(ask(players[table.seat], Turns.of_table(table, players[table.seat]))[0]))
        return table.history

    assert history(Scribbler) == history(RandomPlayer)


def test_what_a_player_scribbles_reaches_no_batch_and_no_recorded_transition():
    def told(kind):
        batch = Batch(PEBBLES, 4, 2, seed=3, interpreted=True)
        return [(t.observation.tolist(), t.action_mask.tolist(), t.action.tolist(), t.reward.tolist())
                for t in transitions(batch, kind(2), 8)]  # fmt: skip

    assert told(Scribbler) == told(RandomPlayer)
    rows = np.arange(4)
    batch = Batch(PEBBLES, 4, 2, seed=3, interpreted=True)
    ask(Scribbler(1), Turns.of_batch(batch, rows))
    assert rows.tolist() == [0, 1, 2, 3]


def test_tables_among_the_options_are_the_players_own():
    table = Table(find_game("lisboa"), seed=1, interpreted=True)
    before = json.dumps(table.options.to_dict(), default=str)
    turns = Turns.of_table(table, RandomPlayer)
    tables = [value for value in vars(turns.options).values() if isinstance(value, dict)]
    for value in tables:
        value.clear()
    assert json.dumps(table.options.to_dict(), default=str) == before
    assert tables or not any(isinstance(value, dict) for value in vars(table.options).values())


def test_an_answer_that_is_written_to_later_stays_what_it_was():
    player = Scribbler(1)
    actions = ask(player, Turns.of_table(Table(PEBBLES, 2, seed=1, interpreted=True)))
    given = actions.tolist()
    player.held[:] = -5
    assert actions.tolist() == given


# --- processes ----------------------------------------------------------------------------------------


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Two of the tests' games as packages that other processes find, and a mark on all processes begun from here."""
    info = tmp_path / "site" / "theirs-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    points = "[alarife.games]\npebbles = teaching_game:GAME\nsafe_or_guess = toy_games:SAFE_OR_GUESS\n"
    (info / "entry_points.txt").write_text(points)
    monkeypatch.syspath_prepend(tmp_path / "site")
    paths = [str(tmp_path / "site"), *(str(ROOT / folder) for folder in ("envs", "tests"))]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.setenv("ALARIFE_INTERPRETED", "1")  # of the workers: small games play sooner than they compile
    resource_tracker.ensure_running()  # it stays as long as this process does, so it is not to be marked
    mark = str(tmp_path)
    monkeypatch.setenv(MARK, mark)
    alarife.engine.registry._plugins.cache_clear()
    yield mark
    monkeypatch.undo()
    alarife.engine.registry._plugins.cache_clear()
    assert end_marked(mark) == []


def nobody_left(mark, patience=20.0):
    """Whether all processes with the mark go, this one apart."""
    end = time.monotonic() + patience
    while (left := set(marked(mark)) - {os.getpid()}) and time.monotonic() < end:
        time.sleep(0.1)
    return not left


CULPRITS = {
    "exits_on_import:Anybody": "its process died twice while it got ready (exit code 5)",
    "hostile_players:ExitsWhenMade": "its process died twice while it got ready (exit code 3)",
    "hostile_players:CrashesWhenMade": f"its process died twice while it got ready (exit code {-signal.SIGSEGV})",
    "hostile_players:HangsWhenMade": "OutOfTime: took longer than 4 s to get ready",
    "hostile_players:ClosesFilesWhenMade": "it closed the line between its process and the judge",
    "hostile_players:ClosesFiles": "it closed the line between its process and the judge",
    "hostile_players:SleepsInC": "OutOfTime: took longer than 4 s to get ready",
    "hostile_players:Spins": "OutOfTime: took longer than 4 s to get ready",
    "hostile_players:FillsMemory": "MemoryError",
    "hostile_players:KillsItsParent": f"its process died twice while it got ready (exit code {-signal.SIGKILL})",
    "hostile_players:KillsItsGroup": f"its process died twice while it got ready (exit code {-signal.SIGKILL})",
    "hostile_players:Interrupts": "GeneratorExit",
}
HARMLESS = "random", "hostile_players:ForksAndBothAnswer", "hostile_players:ForksAndLeavesOne", "hostile_players:Prints"


@pytest.mark.slow
def test_nothing_that_a_player_does_to_its_process_ends_the_run(tmp_path, installed, capfd):
    """Each sits alone at a table: the culprit forfeits and one sentence says why; the others play theirs."""
    evaluation = Evaluation.make("safe_or_guess", [*CULPRITS, *HARMLESS], games=1, seed=1, limit=2, memory=1)
    evaluation.setting = dataclasses.replace(evaluation.setting, making=2.0)
    capfd.readouterr()
    summary = evaluation.run(tmp_path / "out", processes=2)
    assert "NOISE" not in capfd.readouterr().out
    results = read_results(tmp_path / "out" / "results.jsonl")
    assert len(results) == len({key_of(result) for result in results}) == summary.games == 16
    whys = {
        name: {r["forfeit"]["why"] for r in results if r["seats"] == [name] and "forfeit" in r} for name in CULPRITS
    }
    assert {name: [CULPRITS[name] in why for why in told] for name, told in whys.items()} == {
        name: [True] for name in CULPRITS
    }, whys
    for name in HARMLESS:
        assert summary.of(name).forfeits == 0, summary.forfeits
    assert not {name.partition(":")[0] for name in CULPRITS} & set(sys.modules)
    assert nobody_left(installed)


def test_where_one_stranger_shares_a_process_with_our_own_it_is_he_who_ended_it():
    evaluation = Evaluation.make(PEBBLES, {"random": "random", "mine": RandomPlayer, "his": RandomPlayer}, 3, 1)
    crew = Crew(evaluation.setting, 1)
    assert crew._culprit(Fixture(0, (0, 1, 0)), 2) == 1
    assert crew._culprit(Fixture(0, (0, 1, 2)), 0) == 0  # two of them: whoever was asked
    assert crew._culprit(Fixture(0, (0, 1, 2)), 2) == 2


# --- ended from outside -------------------------------------------------------------------------------


MANY = 96  # games: a run does not come to its end before a signal reaches it


def command(out, who="random,scripted,mc:5", games=24):
    words = ["evaluate", "pebbles", "--players", "3", "--with", who, "--games", str(games), "--seed", "1"]
    words += ["--processes", "2", "--out", str(out)]
    return subprocess.Popen([sys.executable, "-m", "alarife", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, preexec_fn=heed_interrupts)  # fmt: skip


def heed_interrupts():
    """A shell that starts these tests in the background makes all that they start ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_for(path, lines):
    end = time.monotonic() + 120
    while not path.exists() or path.read_bytes().count(b"\n") < lines:
        assert time.monotonic() < end
        time.sleep(0.005)


def plain(results):
    return sorted(json.dumps({k: v for k, v in r.items() if k != "seconds"}, sort_keys=True) for r in results)


@pytest.mark.slow
def test_a_run_ended_at_any_moment_loses_nothing_and_leaves_nobody(tmp_path, installed):
    path = tmp_path / "a" / "results.jsonl"
    before = b""
    for lines, number in ((0, signal.SIGKILL), (3, signal.SIGTERM), (9, signal.SIGKILL), (14, signal.SIGINT)):
        process = command(tmp_path / "a", games=MANY)
        wait_for(path, lines) if lines else time.sleep(0.5)
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
        if number != signal.SIGKILL:
            assert process.returncode == 128 + number, err
            assert f"stopped; what was played is in {tmp_path / 'a'}, and the same command goes on with the rest" in err
            assert "Traceback" not in err
            assert "Error" not in err
        assert nobody_left(installed)
        if path.exists():
            content = path.read_bytes()
            whole = content[: content.rfind(b"\n") + 1]
            assert whole.startswith(before[: before.rfind(b"\n") + 1])
            before = content
    process = command(tmp_path / "a", games=MANY)
    assert process.wait(timeout=120) == 0, process.stderr.read()
    results = read_results(path)
    assert len(results) == len({key_of(result) for result in results}) == MANY
    evaluate(PEBBLES, ["random", "scripted", "mc:5"], 3, games=MANY, seed=1, out=tmp_path / "b")
    assert plain(results) == plain(read_results(tmp_path / "b" / "results.jsonl"))


@pytest.mark.slow
def test_a_player_that_spins_does_not_outlive_the_run(tmp_path, installed):
    process = command(tmp_path / "a", "random,scripted,hostile_players:Spins")
    wait_for(tmp_path / "a" / "evaluation.json", 1)
    time.sleep(1)
    assert len(marked(installed)) > 3  # this one, the run, a keeper and a worker at least
    process.kill()
    process.communicate(timeout=60)
    assert nobody_left(installed)
