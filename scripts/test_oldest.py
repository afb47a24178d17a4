"""Try the oldest versions of the dependencies that pyproject.toml allows: ``python3 scripts/test_oldest.py``.

An environment with the lower bound of each dependency of the core; there every game is compiled, and plays the golden
game of its smallest table, and passes PettingZoo's test. So a bound that is not true is found.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import venv

from setup_venv import ROOT, python_of, run

PLAY = """
import sys
import alarife
from alarife.engine.registry import find_game, game_names
from alarife.engine.batch import Batch
from pettingzoo.test import api_test
from record_golden import golden_file, golden_game
for name in game_names():
    game = find_game(name)
    batch = Batch(game, 4, game.default_players, seed=1)
    for _ in range(50):
        batch.step(batch.sample())
    batch.check()
    players = min(game.seats)
    assert golden_game(game, players) == golden_file(game, players).read_text(encoding="utf-8"), name
    api_test(alarife.make(game, interpreted=True), 50)
    print(f"{name}: plays as recorded")
"""


def oldest() -> list[str]:
    """The core's dependencies at their lower bounds."""
    named = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    found = [re.fullmatch(r"([\w-]+)>=([\d.]+),<.*", words) for words in named]
    if not all(found):
        sys.exit(f"write dependencies as name>=lower,<upper, got {named}")
    return [f"{match[1]}=={match[2]}{'.*' if match[2].count('.') == 1 else ''}" for match in found if match]


def main() -> None:
    """Make the environment anew and play."""
    folder = ROOT / ".venv-oldest"
    venv.create(folder, with_pip=True, clear=True)
    python = python_of(folder)
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    run(*pip, *oldest())
    run(*pip, "--no-deps", "-e", ".")
    names = {words.partition("==")[0] for words in oldest()}
    frozen = subprocess.run([python, "-m", "pip", "freeze"], capture_output=True, text=True, check=True).stdout
    print(*(words for words in frozen.split() if words.partition("==")[0] in names))
    run(python, "-c", f"import sys; sys.path.insert(0, 'scripts')\n{PLAY}")


if __name__ == "__main__":
    main()
