"""The rooms of every game: whoever knows one game knows where to look in the others."""

from importlib import import_module
from pathlib import Path

import pytest

from alarife.engine.registry import find_game, game_names, is_installed

ROOT = Path(__file__).resolve().parent.parent
GAMES = ROOT / "envs" / "alarife" / "games"
OWN = [name for name in game_names() if is_installed(name) and find_game(name).folder.parent == GAMES]

ROOMS = {"__init__", "components", "actions", "state", "observation", "resample", "advice", "display"}
#: Rooms that a game has where it needs them: CONTRIBUTING.md says when.
MORE_ROOMS = {"tables", "memory", "words", "simulator"}
RULES = {"__init__", "setup", "turn", "end", "invariants"}
PAGES = {"README.md", "RULES.md"}
MORE_MADE = {"exploiter.json", "from_nothing.json", "from_nothing.svg"}
MADE = {"picture.svg", "facts.json", "ladder.json", "agent.json", "agent.safetensors", "agent.svg"}


def modules(folder, ending=".py"):
    return {path.name.removesuffix(ending) for path in folder.glob(f"*{ending}")}


def test_every_folder_of_a_game_is_a_game():
    assert {path.name for path in GAMES.iterdir() if path.is_dir() and path.name != "__pycache__"} == set(OWN)
    assert len(OWN) == 5


@pytest.mark.parametrize("name", OWN)
def test_a_game_has_the_rooms_and_no_others(name):
    folder = GAMES / name
    assert modules(folder) >= ROOMS
    assert modules(folder) <= ROOMS | MORE_ROOMS
    assert modules(folder / "rules") >= RULES
    assert {path.name for path in folder.glob("*.md")} == PAGES
    assert {path.name for path in (folder / "made").iterdir()} - MORE_MADE == MADE
    assert {path.name for path in folder.iterdir() if path.is_dir()} - {"__pycache__"} == {"rules", "made"}


@pytest.mark.parametrize("name", OWN)
def test_the_tests_of_a_game_lie_in_its_folder_with_its_positions(name):
    folder = ROOT / "tests" / "games" / name
    assert {"__init__", "positions"} <= modules(folder)
    assert all(module.startswith("test_") for module in modules(folder) - {"__init__", "positions"})


@pytest.mark.parametrize("name", OWN)
def test_each_thing_stands_in_its_room(name):
    """The table of decisions in turn.py, results in end.py, invariants in theirs, and so on."""
    game = find_game(name)
    package = f"alarife.games.{name}"
    rooms = {
        game.apply: "rules.turn", game.result: "rules.end", game.check: "rules.invariants", game.observe: "observation",
        game.resample: "resample", game.state: "state", game.options: "state", type(game.display): "display",
    }  # fmt: skip
    for thing, room in rooms.items():
        assert thing.__module__ == f"{package}.{room}", thing.__name__
    assert import_module(f"{package}.advice").advise is game.advise
    assert "DECISIONS = Decisions(" in (GAMES / name / "rules" / "turn.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", OWN)
def test_tables_are_there_where_a_user_may_replace_them(name):
    takes_tables = any(row[1] == "a file or a dictionary" for row in find_game(name).options.describe())
    assert (GAMES / name / "tables.py").exists() == takes_tables


def test_a_new_game_begins_with_the_same_rooms():
    template = ROOT / "envs" / "alarife" / "templates" / "game"
    assert modules(template / "NAME", ".py.txt") == ROOMS
    assert modules(template / "NAME" / "rules", ".py.txt") == RULES
    assert (template / "NAME" / "RULES.md.txt").exists()
    assert (template / "tests" / "positions.py.txt").exists()
