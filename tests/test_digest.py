"""The digest of behaviour: what changes it, and what does not."""

import importlib
import shutil
import sys
from pathlib import Path

import pytest

TEACHING = Path(__file__).parent / "teaching_game"


@pytest.fixture
def digest_of(tmp_path, monkeypatch):
    """The digest of the teaching game after a change to one of its files."""
    monkeypatch.syspath_prepend(tmp_path)
    made = 0

    def digest(file=None, old="", new=""):
        nonlocal made
        made += 1
        name = "copy_of_pebbles"
        folder = tmp_path / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(TEACHING, folder, ignore=shutil.ignore_patterns("__pycache__"))
        if file:
            path = folder / file
            assert old in path.read_text()
            path.write_text(path.read_text().replace(old, new))
        for module in [module for module in sys.modules if module.partition(".")[0] == name]:
            del sys.modules[module]
        importlib.invalidate_caches()
        monkeypatch.setattr(sys, "dont_write_bytecode", True)
        return importlib.import_module(name).GAME.digest

    return digest


@pytest.mark.parametrize(("file", "old", "new"), [
    ("rules.py", "% s.seats", "% s.seats  # clockwise"),
    ("rules.py", '"""How many pebbles a player has taken."""', '"""Pebbles of a player."""'),
    ("display.py", 'return "passes"', 'return "does nothing"'),
    ("advice.py", "2 * (more + 1)", "3 * (more + 1)"),
    ("README.md", "Pebbles", "Stones"),
    ("rules.py", "    count = more + 1", "    count = (more + 1)\n"),
])  # fmt: skip
def test_what_changes_no_rule_changes_no_digest(digest_of, file, old, new):
    assert digest_of(file, old, new) == digest_of()


@pytest.mark.parametrize(("file", "old", "new"), [
    ("rules.py", "s.seat + 1", "s.seat + 2"),
    ("components.py", "PEBBLES = 12", "PEBBLES = 13"),
    ("components.py", "MOST_TAKEN = 3", "MOST_TAKEN = 2"),
    ("observation.py", "scale=1 / PEBBLES", "scale=1 / PILES"),
    ("resample.py", "if p != seat", "if p == seat"),
    ("state.py", "taken = i8[PLAYERS, PILES]", "taken_by = i8[PLAYERS, PILES]"),
])  # fmt: skip
def test_a_rule_a_table_or_a_layout_changes_it(digest_of, file, old, new):
    assert digest_of(file, old, new) != digest_of()


def test_a_table_of_the_game_is_part_of_it_and_what_playing_made_is_not(digest_of, tmp_path):
    from alarife.engine.digest import digest_of_behaviour

    before = digest_of()
    folder = tmp_path / "copy_of_pebbles"
    game = sys.modules["copy_of_pebbles"].GAME
    (folder / "made").mkdir()
    (folder / "made" / "facts.json").write_text("{}")
    assert digest_of_behaviour(game) == before
    (folder / "board.toml").write_text("width = 3")
    assert digest_of_behaviour(game) != before
