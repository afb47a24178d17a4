"""Set alarife up, train an agent for VIVA in about two minutes, judge it and show it. Needs Python 3.11 or newer."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from setup_venv import ROOT, ready, run

CONFIG = "configs/viva-demo.yaml"
EXPECTED = 0.9  # of the games against random; a machine that reaches less was too slow for two minutes


def main() -> None:
    """From nothing to an agent that has learnt, and a page that shows how."""
    python = ready("demo")
    folder = ROOT / "runs" / time.strftime("demo-%Y%m%d-%H%M%S")
    run(python, "-m", "alarife", "list")
    run(python, "-m", "alarife", "compile", "viva")
    print("\nAn agent learns VIVA for two players: a teacher first, then play against random, scripted and itself.")
    run(python, "-m", "alarife", "train", "--config", CONFIG, "--run", folder)
    run(python, "-m", "alarife", "replay", "verify", folder / "replays" / "0.json")
    tell(folder, os.path.relpath(python.parent / "alarife", ROOT))


def tell(folder: Path, alarife: str) -> None:
    """What came out, where it can be seen, and what to do next."""
    name = os.path.relpath(folder, ROOT)
    print("\nThe agent's wins in new games, seats rotated, with 95 % intervals:")
    verdicts = json.loads((folder / "result.json").read_text(encoding="utf-8"))["verdicts"]
    for verdict in verdicts:
        print(f"  {told(verdict)}")
    print("\nWhat the teacher had taught it, before it played a game of its own:")
    for verdict in taught(folder):
        print(f"  {told(verdict)}")
    if any(verdict["against"] == "random" and verdict["win_share"] < EXPECTED for verdict in verdicts):
        print(f"\nThis agent is weaker than it should be, {percent(EXPECTED)} or more against random: the machine was "
              "too slow or too busy.\nGive it more time: "
              f"{alarife} train --config {CONFIG} minutes=6 imitation.minutes=3")  # fmt: skip
    agent = f"{name}/best.safetensors"
    print(f"\nIts learning curves, and a game to go through decision by decision: {name}/report.html\n\nNext:")
    short = "-o match=single_round"
    for command, meaning in (
        (f"{alarife} play viva --with {agent} {short}", "play against it at the terminal"),
        (f"{alarife} watch viva --with {agent},scripted {short}", "watch it play"),
        (f"{alarife} train --config configs/viana-ppo.yaml", "train for another game, longer"),
        (f"{Path(sys.executable).name} scripts/test.py", "run the tests"),
        (f"{alarife} serve viva --with {agent} {short}", "play against it in the browser"),
    ):
        print(f"  {command}\n      {meaning}")


def told(verdict: dict[str, Any]) -> str:
    """How somebody fared against whom."""
    return (f"against {verdict['against']:<9} {percent(verdict['win_share'])} "
            f"[{percent(verdict['low'])}, {percent(verdict['high'])}] of {verdict['games']:,}")  # fmt: skip


def taught(folder: Path) -> list[dict[str, Any]]:
    """The verdicts on the network that came from its teacher, from the run's evaluations."""
    lines = (folder / "evaluations.jsonl").read_text(encoding="utf-8").splitlines()
    before_play: list[dict[str, Any]] = [line for line in map(json.loads, lines) if line["steps"] == 0]
    return list(before_play[-1]["verdicts"])


def percent(share: float) -> str:
    """``93.4 %``."""
    return f"{100 * share:.1f} %"


if __name__ == "__main__":
    main()
