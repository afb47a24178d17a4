"""Try the wheels alone, as a user has them: ``python3 scripts/test_wheel.py``.

An environment outside of the source tree, with alarife's wheel and nothing that extras bring: there the Python on the
front page is run. With the agents' wheel and the extras that its terminal block speaks of, all commands of that block
are run, too; those that take minutes are shortened. Both begin in empty folders.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import venv
from pathlib import Path

from page_blocks import commands, python_blocks, section
from setup_venv import ROOT, python_of

#: What is put behind commands that would take minutes, by their beginning.
SHORTER = {
    "alarife check": "--players 2 --only random_play replays pictures gym_environment",
    "alarife evaluate": "-o match=single_round --games 2 --processes 1",
    "alarife compile": "viva",
    "alarife train --config": "minutes=0.1 imitation.minutes=0.05 evaluation.games=20 evaluation.final_games=20",
    "alarife exploit": "--minutes 0.1 evaluation.games=20 evaluation.final_games=20",
}
MINE = """
class Mine:
    def __init__(self, seed):
        pass

    def act(self, turns):
        return turns.action_mask.argmax(1)
"""


def main() -> None:
    """Make the environment and run everything; the first that fails stops with its last words."""
    with tempfile.TemporaryDirectory(prefix="alarife-wheel-") as folder:
        Tried(Path(folder)).run()


class Tried:
    """An environment, and folders to work in."""

    def __init__(self, folder: Path) -> None:
        self.wheels, self.blocks, self.terminal = folder / "wheels", folder / "blocks", folder / "terminal"
        self.blocks.mkdir()
        venv.create(folder / "venv", with_pip=True)
        self.python = python_of(folder / "venv")
        cleared = {name: value for name, value in os.environ.items() if not name.startswith(("ALARIFE_", "PYTHON"))}
        path = os.pathsep.join((str(self.python.parent), os.environ["PATH"]))
        self.environment = cleared | {"PATH": path, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_COMPILE": "1"}

    def run(self) -> None:
        """The front page, from top to bottom."""
        front = (ROOT / "README.md").read_text(encoding="utf-8")
        self.pip("wheel", "--no-deps", "-w", self.wheels, ROOT, ROOT / "training" / "agents")
        wheel, agents = sorted(self.wheels.glob("*.whl"))
        self.pip("install", wheel)
        for number, code in enumerate(python_blocks(front), 1):
            self.call(f"block {number}", [self.python, "-c", code], self.blocks)
        self.pip("install", "-c", ROOT / "constraints.txt", agents, f"{wheel}[evaluate,train,web]")
        self.lay_out()
        for command in commands(section(front, "From the terminal")):
            self.command(command)

    def pip(self, *words: object) -> None:
        """Build or install something."""
        self.call(f"pip {words[0]}", [self.python, "-m", "pip", *words, "--quiet"], self.blocks)

    def lay_out(self) -> None:
        """What the page takes for granted: a policy, and a player of one's own in the current folder."""
        (policy,) = self.python.parent.parent.rglob("alarife_agents/viva.safetensors")
        (self.terminal / "my_package").mkdir(parents=True)
        shutil.copy(policy, self.terminal / "best.safetensors")
        (self.terminal / "my_package" / "players.py").write_text(MINE, encoding="utf-8")

    def command(self, command: str) -> None:
        """One command of the terminal block."""
        more = [more for beginning, more in SHORTER.items() if command.startswith(beginning)]
        words = " ".join([command, *more]).split()
        if command.startswith("alarife serve"):
            self.serve([*words, "--no-open"])
        else:
            self.call(" ".join(words), words, self.terminal)

    def call(self, name: str, words: list[object] | list[str], place: Path) -> None:
        """Run something in a folder, with nobody there but one who wants to quit; what it says is shown if it fails."""
        print("$", name, flush=True)
        done = subprocess.run([str(word) for word in words], cwd=place, env=self.environment, input="quit\n",
                              text=True, capture_output=True, check=False)  # fmt: skip
        if done.returncode:
            sys.exit(f"{name} failed with code {done.returncode}\n{done.stdout[-1000:]}\n{done.stderr[-3000:]}")

    def serve(self, words: list[str]) -> None:
        """Start the table in the browser, ask for its page, and stop it."""
        print("$", *words, flush=True)
        process = subprocess.Popen(words, cwd=self.terminal, env=self.environment, text=True, stdout=subprocess.PIPE)
        try:
            address = re.match(r"http://[^#]*", process.stdout.readline())  # type: ignore[union-attr]
            direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            page = direct.open(address[0], timeout=60).read() if address else b""
        finally:
            process.terminate()
            process.wait()
        if b"alarife" not in page:
            sys.exit(f"{' '.join(words)} shows no page")


if __name__ == "__main__":
    main()
