"""Set alarife up, train an agent for VIVA in about two minutes, judge it and show it. Needs Python 3.11 or newer."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from setup_venv import ROOT, ready, run

CONFIG = "configs/viva-demo.yaml"


def main() -> None:
    """From nothing to an agent that has learnt, and a page that shows how."""
    python = ready("train")
    folder = free_folder(ROOT / "runs" / "demo")
    run(python, "-m", "alarife", "list")
    run(python, "-m", "alarife", "compile", "viva")
    print("\nAn agent learns VIVA for two players: a teacher first, then play against random, scripted and itself.")
    run(python, "-m", "alarife", "train", "--config", CONFIG, "--run", folder)
    run(python, "-m", "alarife", "replay", "verify", folder / "replays" / "0.json")
    tell(folder, os.path.relpath(python.parent / "alarife", ROOT))


def free_folder(wanted: Path) -> Path:
    """The folder, or with a number behind its name if an earlier demo lies there."""
    folder, number = wanted, 2
    while folder.exists():
        folder, number = wanted.with_name(f"{wanted.name}-{number}"), number + 1
    return folder


def tell(folder: Path, alarife: str) -> None:
    """What came out, where it can be seen, and what to do next."""
    name = os.path.relpath(folder, ROOT)
    print("\nThe agent's wins in new games, seats rotated, with 95 % intervals:")
    for verdict in json.loads((folder / "result.json").read_text(encoding="utf-8"))["verdicts"]:
        print(f"  against {verdict['against']:<9} {percent(verdict['win_share'])} "
              f"[{percent(verdict['low'])}, {percent(verdict['high'])}] of {verdict['games']:,}")  # fmt: skip
    agent = f"{name}/best.safetensors"
    print(f"\nIts curves, and a game to pull through with pictures: {name}/report.html\n\nNext:")
    short = "-o match=single_round"
    for command, meaning in (
        (f"{alarife} play viva --with {agent} {short}", "play against it"),
        (f"{alarife} watch viva --with {agent},scripted {short}", "watch it play"),
        (f"{alarife} train --config configs/viana-ppo.yaml", "train for another game, longer"),
        (f"{Path(sys.executable).name} scripts/test.py", "run the tests"),
    ):
        print(f"  {command}\n      {meaning}")


def percent(share: float) -> str:
    """``93.4 %``."""
    return f"{100 * share:.1f} %"


if __name__ == "__main__":
    main()
