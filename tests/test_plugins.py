"""A game in somebody else's package gets everything."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGING = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "gardens-for-alarife"
version = "1.0"
[project.entry-points."alarife.players"]
hasty = "my_package.hasty:Hasty"
[tool.hatch.build.targets.wheel]
packages = ["my_package"]
"""
PLAYER = '''
import numpy as np

class Hasty:
    """Takes the first legal action."""
    def __init__(self, setting="0", seed=None):
        self.setting = setting
    def act(self, turns):
        return np.argmax(turns.action_mask, 1)
'''
USE = """
import alarife, gymnasium, numpy as np
assert "gardens_v0" in alarife.game_ids(), alarife.game_ids()
env = alarife.make("gardens_v0", players=3, passing=False)
env.reset(seed=1)
env.step(0)
assert alarife.gardens_v0.raw_env().game.title == "Gardens"
one = gymnasium.make("alarife/Gardens-v0", opponents=["hasty", "hasty:3"], players=3)
one.reset(seed=1)
many = gymnasium.make_vec("alarife/Gardens-v0", num_envs=3, opponents="hasty:7")
assert many.reset(seed=1)[0].shape == (3, alarife.find_game("gardens").features.size)
batch = alarife.make_batch("gardens", games=5)
batch.step(batch.sample())
table = alarife.table("gardens", seed=1)
alarife.save(table, "game.npz")
assert alarife.load("game.npz").to_bytes() == table.to_bytes()
from alarife.__main__ import main
assert main(["check", "gardens"]) == 0
assert main(["watch", "gardens", "--with", "hasty,random", "--brief"]) == 0
print("all is well")
"""


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """A package outside of this project, made by new_game.py and installed into a folder of its own."""
    folder = tmp_path_factory.mktemp("elsewhere")
    source = folder / "source"
    source.mkdir()
    make = [sys.executable, ROOT / "scripts" / "new_game.py", "gardens", "--into", source / "my_package"]
    told = subprocess.run(make, capture_output=True, text=True, check=True).stdout
    assert "python -m alarife check gardens" in told
    for of_this_project in ("tests/games", "update_pages", "record_golden"):
        assert of_this_project not in told
    entry_point = re.search(r'^\[project\.entry-points\."alarife\.games"\]\n.+$', told, re.MULTILINE)
    assert entry_point
    (source / "pyproject.toml").write_text(f"{PACKAGING}\n{entry_point[0]}\n")
    (source / "my_package" / "hasty.py").write_text(PLAYER)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([*pip, "--target", folder / "site", source], check=True, capture_output=True)
    return folder


def test_a_foreign_game_gets_adapters_players_files_and_the_kit(elsewhere):
    settings = os.environ | {"PYTHONPATH": os.pathsep.join([str(elsewhere / "site"), str(ROOT / "envs")])}
    done = subprocess.run([sys.executable, "-c", USE], env=settings, cwd=elsewhere, capture_output=True, text=True,
                          check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.rstrip().endswith("all is well")
    assert "pebbles" not in done.stdout.lower()


def test_a_plugin_that_cannot_be_loaded_is_reported_and_passed_over(tmp_path):
    info = tmp_path / "broken-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[alarife.games]\nruins = ruins_of_nothing:GAME\n")
    settings = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT / "envs")])}
    code = "import alarife; alarife.make('viva_v0').reset(seed=1); print('plays')"
    done = subprocess.run([sys.executable, "-c", code], env=settings, capture_output=True, text=True, check=False)
    assert done.stdout == "plays\n"
    assert "the game 'ruins' of another package cannot be loaded: No module named 'ruins_of_nothing'" in done.stderr


def test_a_name_that_is_taken_or_malformed_is_refused():
    for name, sentence in (("viva", "exists already"), ("My Game", "lower case letters"), ("class", "got 'class'")):
        make = [sys.executable, ROOT / "scripts" / "new_game.py", name]
        done = subprocess.run(make, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert sentence in done.stderr
        assert name == "viva" or not (ROOT / "envs" / "alarife" / "games" / name).exists()
