"""The ladder: data and pages that the script makes, in short, and those that are committed."""

import importlib.util
import json
from pathlib import Path

import pytest

from alarife.engine.registry import find_game, game_names
from alarife.evaluation.run import Evaluation
from teaching_game import GAME as PEBBLES
from toy_games import SAFE_OR_GUESS

ROOT = Path(__file__).resolve().parent.parent
spec = importlib.util.spec_from_file_location("update_ladder", ROOT / "scripts" / "update_ladder.py")
ladder = importlib.util.module_from_spec(spec)
spec.loader.exec_module(ladder)


def short_ladder(game, players, out, steps=("random", "scripted", "mc:4", "ismcts:4", "ismcts:12")):
    return ladder.play_ladder(game, players, 4, steps, 1, out)


def test_a_ladder_is_played_and_written_on_the_page(tmp_path):
    tables = [short_ladder(PEBBLES, players, tmp_path / "runs") for players in ladder.tables_of(PEBBLES)]
    assert [table["players"] for table in tables] == [2, 4]
    ladder.write_data(PEBBLES, tmp_path, tables)
    assert json.loads((tmp_path / "ladder.json").read_text())["tables"] == tables
    page = tmp_path / "README.md"
    assert ladder.write_page(tmp_path) == "no page"
    page.write_text("# Pebbles\n\nbefore\n")
    assert "no marks" in ladder.write_page(tmp_path)
    page.write_text("before\n<!-- ladder -->stale<!-- /ladder -->\nafter\n")
    assert ladder.write_page(tmp_path) == "page written"
    written = page.read_text()
    assert written.startswith("before\n<!-- ladder -->\n2 players: 40 games over 2 deals.")
    assert written.endswith("<!-- /ladder -->\nafter\n")
    assert "stale" not in written
    assert "| `ismcts:12` |" in written
    ladder.write_page(tmp_path)
    assert page.read_text() == written


def test_a_game_for_one_has_a_ladder_too(tmp_path):
    assert ladder.tables_of(SAFE_OR_GUESS) == [1]
    table = short_ladder(SAFE_OR_GUESS, 1, tmp_path)
    assert table["games"] == 20
    assert {step["name"]: len(step["against"]) for step in table["steps"]} == dict.fromkeys(
        ["random", "scripted", "mc:4", "ismcts:4", "ismcts:12"], 4
    )


@pytest.mark.timeout(900)  # compiles the searches of a large game
@pytest.mark.parametrize("name", [name for name in game_names() if name != "pebbles"])
def test_players_of_the_ladder_play_every_game(name, tmp_path):
    """A game or two: every rung sits down, nobody forfeits."""
    game = find_game(name)
    options = ladder.OPTIONS.get(name, {})
    players = ladder.tables_of(game)[0]
    who = ["scripted", "mc:2:cut=10", "ismcts:3:cut=10"]
    evaluation = Evaluation.make(game, who[: 2 if players > 1 else 3], players, 1, 5, options)
    summary = evaluation.run(tmp_path)
    assert not summary.forfeits


@pytest.mark.parametrize("name", [name for name in game_names() if (find_game(name).folder / "ladder.json").exists()])
def test_committed_ladders_are_whole(name):
    game = find_game(name)
    about = json.loads((game.folder / "ladder.json").read_text())
    assert about["format"] == ladder.FORMAT
    assert about["game"] == game.id
    for table in about["tables"]:
        assert table["players"] in game.seats
        steps = {step["name"]: step for step in table["steps"]}
        assert not any(step["forfeits"] for step in steps.values())
        for step in steps.values():
            for estimate in (step["rating"], step["win"], step["score"], *step["against"].values()):
                value, low, high, deals = estimate
                assert low <= value <= high
                assert deals <= table["deals"]
        assert steps["scripted"]["against"]["random"][1] > 0.5
    page = game.folder / "README.md"
    if page.exists() and "<!-- ladder -->" in page.read_text():
        assert ladder.page_table(about) in page.read_text()


@pytest.mark.parametrize("name", ["viana", "patios"])
def test_strength_grows_with_the_budget(name):
    """Beyond the intervals: five times the budget beats it, and both beat the script."""
    steps = json.loads((find_game(name).folder / "ladder.json").read_text())["tables"][0]["steps"]
    against = {step["name"]: step["against"] for step in steps}
    assert against["ismcts:100"]["ismcts:20"][1] > 0.5
    assert against["ismcts:100"]["scripted"][1] > 0.5
    assert against["ismcts:20"]["scripted"][1] > 0.5
