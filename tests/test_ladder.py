"""The ladder: data and pages that the script makes, in short, and those that are committed."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

from alarife.engine.registry import find_game, game_names
from alarife.evaluation.match import play_fixture
from alarife.evaluation.run import Evaluation
from alarife.evaluation.schedule import Fixture, schedule
from teaching_game import GAME as PEBBLES
from toy_games import SAFE_OR_GUESS

ROOT = Path(__file__).resolve().parent.parent
spec = importlib.util.spec_from_file_location("update_ladder", ROOT / "scripts" / "update_ladder.py")
ladder = importlib.util.module_from_spec(spec)
spec.loader.exec_module(ladder)


def short_ladder(game, players, out, steps=("random", "scripted", "mc:4", "ismcts:4", "ismcts:12")):
    return ladder.play_ladder(game, players, 4, steps, None, out)


def test_a_ladder_is_played_and_written_on_the_page(tmp_path):
    tables = [short_ladder(PEBBLES, players, tmp_path / "runs") for players in ladder.tables_of(PEBBLES)]
    assert [table["players"] for table in tables] == [2, 4]
    ladder.write_data(PEBBLES, tmp_path, tables)
    assert json.loads((tmp_path / "made" / "ladder.json").read_text())["tables"] == ladder.bounded(tables)
    page = tmp_path / "README.md"
    assert ladder.write_page(tmp_path) == "no page"
    page.write_text("# Pebbles\n\nbefore\n")
    assert "no marks" in ladder.write_page(tmp_path)
    page.write_text("before\n<!-- ladder -->stale<!-- /ladder -->\nafter\n")
    assert ladder.write_page(tmp_path) == "page written"
    written = page.read_text()
    assert written.startswith(
        "before\n<!-- ladder -->\n2 players: 40 games over 2 deals, 4 or more of each line-up, seed 2026."
    )
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


@pytest.mark.slow
def test_the_script_plays_keeps_and_writes(tmp_path, monkeypatch, installed_pebbles, capsys):
    monkeypatch.setattr(ladder, "folder_of", lambda game: tmp_path)
    monkeypatch.setitem(ladder.PLAYERS, "pebbles", ("random", "scripted", "mc:2"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "README.md").write_text("<!-- ladder --><!-- /ladder -->\n")
    words = ["pebbles", "--games-each", "2", "--processes", "1", "--out", str(tmp_path / "runs")]

    def tables():
        return json.loads((tmp_path / "made" / "ladder.json").read_text())["tables"]

    assert ladder.main([*words, "--players", "4"]) == 0
    assert [(table["players"], table["games_each"], table["seed"]) for table in tables()] == [(4, 2, ladder.SEED)]
    four = tables()[0]
    assert ladder.main([*words, "--players", "2"]) == 0
    assert [table["players"] for table in tables()] == [2, 4]
    assert tables()[1] == four
    about = json.loads((tmp_path / "made" / "ladder.json").read_text())
    then = {"game": "pebbles_v0", "digest": "0123456789abcdef"}  # as if the rules had been changed since
    (tmp_path / "made" / "ladder.json").write_text(json.dumps(about | then))
    assert ladder.main([*words, "--players", "2"]) == 0
    assert tables()[1] == four | {"rules": then}
    assert "rules" not in tables()[0]
    assert ladder.main([*words, "--players", "4"]) == 0
    assert tables() == about["tables"]
    page = (tmp_path / "README.md").read_text()
    assert "2 players: 6 games over 1 deals, 2 or more of each line-up, seed 2026." in page
    assert "`python scripts/update_ladder.py pebbles --players 4 --games-each 2`" in page
    (tmp_path / "README.md").write_text("<!-- ladder -->gone<!-- /ladder -->\n")
    assert ladder.main(["pebbles", "--pages"]) == 0
    assert (tmp_path / "README.md").read_text() == page
    assert ladder.main([*words, "--players", "3"]) == 0
    assert [table["players"] for table in tables()] == [2, 3, 4]
    assert [tables()[0], tables()[2]] == about["tables"]
    assert ladder.main([*words, "--players", "9"]) == 1
    assert "a ladder of pebbles is played at a table of [2, 3, 4], got 9" in capsys.readouterr().err


OWN_GAMES = [name for name in game_names() if name != "pebbles"]


def tiny(rung):
    """A rung with next to no budget."""
    name, *settings = rung.split(":")
    if name == "guided":
        return f"{name}:{settings[0]}:2:cut=5"
    return f"{name}:2:cut=5" if settings else name


@pytest.mark.timeout(900)  # compiles the searches of a large game
@pytest.mark.parametrize("name", OWN_GAMES)
def test_players_of_the_ladder_play_every_game(name):
    """Every rung sits down, nobody forfeits."""
    game = find_game(name)
    players = ladder.tables_of(game)[0]
    steps = ladder.steps_of(game, players)
    who = {rung: tiny(rung) for rung in steps}
    setting = Evaluation.make(game, who, players, 1, 5, game.short).setting
    for first in range(0, len(steps), players):
        seats = tuple((first + seat) % len(steps) for seat in range(players))
        result = play_fixture(setting, Fixture(first, seats), set(range(len(steps))))
        assert "forfeit" not in result
        assert result["seats"] == [steps[entrant] for entrant in seats]


@pytest.mark.parametrize("name", OWN_GAMES)
def test_committed_ladders_are_whole(name):
    game = find_game(name)
    about = json.loads((game.folder / "made" / "ladder.json").read_text())
    assert about["format"] == ladder.FORMAT
    name_then, version = about["game"].rpartition("_v")[::2]
    assert name_then == game.name
    assert 0 <= int(version) <= game.version  # the page tells the version, if it is an earlier one
    assert re.fullmatch("[0-9a-f]{16}", about["digest"])  # the page tells it: the rules may have changed since
    sizes = [table["players"] for table in about["tables"]]
    assert sizes == sorted({*sizes, *ladder.tables_of(game)})
    for table in about["tables"]:
        if "rules" in table:
            assert re.fullmatch("[0-9a-f]{16}", table["rules"]["digest"])
        steps = {step["name"]: step for step in table["steps"]}
        assert set(steps) == set(ladder.steps_of(game, table["players"]))
        assert (table["seed"], table["options"]) == (ladder.SEED, game.short)
        planned = list(schedule(len(steps), table["players"], table["games_each"], table["seed"]))
        assert (table["games"], table["deals"]) == (len(planned), len({fixture.deal for fixture in planned}))
        assert not any(step["forfeits"] for step in steps.values())
        for step in steps.values():
            assert set(step["against"]) == set(steps) - {step["name"]}
            for estimate in (step["rating"], step["win"], step["score"], *step["against"].values()):
                value, low, high, deals = estimate
                assert low <= value <= high
                assert deals <= table["deals"]
        assert steps["scripted"]["against"]["random"][0] > 0.5
    assert ladder.page_table(about) in (game.folder / "README.md").read_text()


BETTER = [
    ("patios", 4, "mc:100", "scripted"),
    ("patios", 4, "trained", "scripted"),
    ("patios", 2, "ismcts:100", "scripted"),
    ("patios", 2, "guided:trained:100", "trained"),
    ("patios", 2, "trained", "scripted"),
    ("viana", 2, "ismcts:100", "scripted"),
    ("viana", 2, "guided:trained:100", "trained"),
    ("viana", 4, "guided:trained:100", "ismcts:100"),
    ("viana", 4, "trained", "scripted"),
    ("lisboa", 1, "guided:trained:100", "mc:100"),
]


@pytest.mark.parametrize(("name", "players", "better", "worse"), BETTER)
def test_thought_and_learning_add_strength(name, players, better, worse):
    """Beyond the intervals: searches and agents beat the script, and a search that an agent leads the agent."""
    tables = json.loads((find_game(name).folder / "made" / "ladder.json").read_text())["tables"]
    steps = next(table["steps"] for table in tables if table["players"] == players)
    against = {step["name"]: step["against"] for step in steps}
    assert against[better][worse][1] > 0.5
