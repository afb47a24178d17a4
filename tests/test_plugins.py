"""A game in somebody else's package gets everything."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from alarife.__main__ import main

ROOT = Path(__file__).parent.parent
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
env = alarife.make("gardens_v0", players=3, secrets=False)
env.reset(seed=1)
env.step(0)
assert alarife.gardens_v0.raw_env().game.title == "Gardens of Delight"
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
    """A package outside of this project, made by `alarife new` from the wheel alone, and installed into a folder."""
    folder = tmp_path_factory.mktemp("elsewhere")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([*pip, "--target", folder / "wheel", ROOT], check=True, capture_output=True)
    new = [sys.executable, "-m", "alarife", "new", "gardens", "--title", "Gardens of Delight"]
    told = subprocess.run(new, capture_output=True, text=True, check=True, cwd=folder, env=_alone(folder)).stdout
    assert "alarife check gardens" in told
    source = folder / "gardens"
    packaging = source / "pyproject.toml"
    packaging.write_text(
        packaging.read_text() + '\n[project.entry-points."alarife.players"]\nhasty = "gardens.hasty:Hasty"\n'
    )
    (source / "gardens" / "hasty.py").write_text(PLAYER)
    subprocess.run([*pip, "--target", folder / "site", source], check=True, capture_output=True)
    return folder


def _alone(folder):
    """An environment in which the wheel and the new package are all there is of alarife."""
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(folder / "site"), str(folder / "wheel")])}


def test_a_foreign_game_gets_adapters_players_files_and_the_kit(elsewhere):
    done = subprocess.run([sys.executable, "-c", USE], env=_alone(elsewhere), cwd=elsewhere, capture_output=True,
                          text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.rstrip().endswith("all is well")
    assert "pebbles" not in done.stdout.lower()


def test_a_new_game_passes_its_own_tests_and_holds_nobody_elses_words(elsewhere):
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run(tests, env=_alone(elsewhere) | {"PYTEST_ADDOPTS": ""}, cwd=elsewhere / "gardens",
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    files = [path for path in (elsewhere / "gardens").rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert {"pyproject.toml", "README.md", "RULES.md", "turn.py", "test.yml", "py.typed"} <= {
        path.name for path in files
    }
    for path in files:
        text = path.read_text()
        assert not re.search("pebble|teaching|@[A-Z]+@", text, re.IGNORECASE), path
    assert "Gardens of Delight" in (elsewhere / "gardens" / "README.md").read_text()


def test_a_plugin_that_cannot_be_loaded_is_reported_and_passed_over(tmp_path):
    info = tmp_path / "broken-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[alarife.games]\nruins = ruins_of_nothing:GAME\n")
    settings = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT / "envs")])}
    code = "import alarife; alarife.make('viva_v1').reset(seed=1); print('plays')"
    done = subprocess.run([sys.executable, "-c", code], env=settings, capture_output=True, text=True, check=False)
    assert done.stdout == "plays\n"
    assert "the game 'ruins' of another package cannot be loaded: No module named 'ruins_of_nothing'" in done.stderr


def test_a_game_of_this_package_that_cannot_be_loaded_is_not_said_to_be_of_another(tmp_path):
    site = tmp_path / "site"
    shutil.copytree(ROOT / "envs", site, ignore=shutil.ignore_patterns("__pycache__"))
    (site / "alarife" / "games" / "ruins").mkdir()
    (site / "alarife" / "games" / "ruins" / "__init__.py").write_text("import nothing_there\n")
    done = subprocess.run([sys.executable, "-c", "import alarife; print('imported')"], capture_output=True, text=True,
                          env=os.environ | {"PYTHONPATH": str(site)}, check=False)  # fmt: skip
    assert done.stdout == "imported\n", done.stderr
    assert "the game 'ruins' cannot be loaded: No module named 'nothing_there'" in done.stderr


@pytest.mark.parametrize(("words", "sentence"), [
    (["viva"], "there is a game called 'viva' already"),
    (["My Game"], "names are lower case letters, digits and underscores and no word of Python, got 'My Game'"),
    (["class"], "got 'class'"),
    (["gardens", "--title", 'The "Gardens"'], "a title is one line without quotation marks"),
    (["taken"], "taken exists already"),
])  # fmt: skip
def test_a_name_that_is_taken_or_malformed_is_refused(tmp_path, monkeypatch, capsys, words, sentence):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").mkdir()
    assert main(["new", *words]) == 1
    assert sentence in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
