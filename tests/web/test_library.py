"""What can be opened, and how the command begins."""

import json
import sys

import pytest

from alarife.__main__ import main
from alarife.engine.errors import AlarifeError
from alarife.evaluation.run import Evaluation
from alarife.web.library import Library, play_again


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory):
    """A folder with an evaluation in it, and its results."""
    folder = tmp_path_factory.mktemp("runs")
    out = folder / "first"
    evaluation = Evaluation.make("viva", ["random", "mc:8", "scripted"], 2, 2, 5, {"match": "single_round"})
    evaluation.run(out)
    return folder, [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]


def test_games_of_an_evaluation_are_played_again_and_come_out_the_same(evaluated):
    folder, results = evaluated
    library = Library(folder)
    (found,) = library.listing()["evaluations"]
    assert found == {"file": "first/evaluation.json", "title": "VIVA", "players": ["random", "mc:8", "scripted"]}
    games = library.games_of(found["file"])
    assert [game["seats"] for game in games] == [result["seats"] for result in results]
    for line in (0, len(results) - 1):
        session = library.open(found["file"], [], line)
        assert (session.who, session.n) == (results[line]["seats"], results[line]["decisions"])
        assert session.table.scores() == results[line]["scores"]
    with pytest.raises(AlarifeError, match="this evaluation has games 0 to"):
        library.open(found["file"], [], len(results))


def test_games_that_cannot_be_played_again_say_why(evaluated):
    folder, results = evaluated
    about = json.loads((folder / "first" / "evaluation.json").read_text())
    other = results[0] | {"scores": [score + 1 for score in results[0]["scores"]]}
    with pytest.raises(AlarifeError, match="played again, the game ends"):
        play_again(about, other)
    with pytest.raises(AlarifeError, match="forfeited"):
        play_again(about, results[0] | {"forfeit": {"seat": 0, "why": "x"}})
    makers = about["with"] | {results[0]["seats"][0]: "failing_players:Hanging"}
    with pytest.raises(AlarifeError, match="code of others"):
        play_again(about | {"with": makers}, results[0])
    with pytest.raises(AlarifeError, match="cannot be played again"):
        play_again(about | {"seed": "x"}, results[0])


def test_files_that_are_something_else_are_not_listed(tmp_path):
    (tmp_path / "a.json").write_text('{"format": "shopping list"}')
    (tmp_path / "evaluation.json").write_text("[]")
    (tmp_path / "best.safetensors").write_bytes(b"x")
    assert Library(tmp_path).listing() == {
        "replays": [], "saves": [], "evaluations": [], "agents": [{"file": "best.safetensors"}],
    }  # fmt: skip
    assert Library(tmp_path / "nothing").listing()["replays"] == []


def test_other_machines_are_let_in_by_an_explicit_word_only(capsys):
    assert main(["serve", "--host", "0.0.0.0", "--no-open"]) == 1
    assert "add --open-to-others" in capsys.readouterr().err


def test_without_the_extra_one_sentence_says_what_to_install(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["serve", "--no-open"]) == 1
    assert capsys.readouterr().err == (
        "alarife: the table in the browser needs the extra [web]: pip install 'alarife[web]'\n"
    )


def test_a_port_that_is_taken_is_told(capsys):
    assert main(["serve", "--no-open", "--port", "99999"]) == 1
    assert "cannot listen at 127.0.0.1, port 99999" in capsys.readouterr().err
