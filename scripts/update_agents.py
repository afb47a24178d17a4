"""Take finished training runs over into the games' folders: the agent, its results as data, its curve.

``python scripts/update_agents.py runs/viva-ppo runs/exploit-viva`` writes ``agent.safetensors``, ``agent.json`` and
``agent.svg`` into the folder `made` of each game, and of a run that `alarife exploit` made what it found, as
``exploiter.json``; then run ``python scripts/update_pages.py``. The agent plays as
``trained``. A run is named as its config, as `alarife train` does. ``--from-nothing RUN ...`` takes over results and
curves of runs without teacher and advice, not their policies. The index of the package `training/agents` is written
anew; without runs, that alone is done.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import re
import sys
from pathlib import Path
from typing import Any

from alarife.engine.errors import AlarifeError
from alarife.engine.files import write_whole
from alarife.engine.reading import read_json
from alarife.engine.registry import find_game, game_names
from alarife.players.policy import AGENT, Policy, read_policy
from alarife.players.policy_store import INDEX, Offer, index_text
from alarife_training.checkpoint import write_policy
from alarife_training.config import read_config
from alarife_training.exploit import EXPLOITER
from alarife_training.log import read_evaluations, read_result, read_table
from alarife_training.plain_yaml import read_yaml
from alarife_training.plot import plot
from alarife_training.run_report import curves_of

FORMAT = "alarife agent"
ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "training" / "agents" / "alarife_agents"
NOTHING = ROOT / "configs" / "from-nothing.yaml"
VERSION = 1  # of the agents; the digest tells them apart besides


def take_over(run: Path) -> Path:
    """Write what a run found out into its game's folder."""
    if (run / EXPLOITER).is_file():
        found = {name: value for name, value in read_json(run / EXPLOITER, "exploiter").items() if name != "policy"}
        return write_whole(
            find_game(found["game"]).folder / "made" / EXPLOITER, (json.dumps(found, indent=1) + "\n").encode()
        )
    policy = read_policy(run / read_result(run)["policy"])
    write_policy(policy.game.folder / "made" / "agent.safetensors", policy)
    return write_results(run, policy, "agent")


def take_nothing(run: Path) -> Path:
    """Write how a game was learnt from nothing into its folder."""
    config = read_config(run / "config.yaml")
    if config.advice or config.init or config.imitation.decisions or config.refinement.decisions:
        raise AlarifeError(f"{run} did not begin from nothing: it had a teacher, advice or another network's weights")
    standard = config.find_game().make_options({}).to_dict()
    told = [f"options.{name}={as_word(value)}" for name, value in config.options.items() if value != standard[name]]
    told += told_apart(config.model_dump(), read_yaml(NOTHING, "config"))
    return write_results(run, read_policy(run / read_result(run)["policy"]), "from_nothing", {"told": told})


def as_word(value: Any) -> str:
    """A value as the command line reads it: null for None, true for True."""
    return value if isinstance(value, str) else json.dumps(value)


def told_apart(config: dict[str, Any], file: dict[str, Any], before: str = "") -> list[str]:
    """What a run was told besides its config's file, as on the command line; how long it may take left out."""
    words = []
    for name, value in file.items():
        if isinstance(value, dict):
            words += told_apart(config[name], value, f"{before}{name}.")
        elif config[name] != value and name not in ("minutes", "steps", "every"):
            words.append(f"{before}{name}={as_word(config[name])}")
    return words


def write_results(run: Path, policy: Policy, name: str, more: dict[str, Any] | None = None) -> Path:
    """Results and curve of a run, as data and as a picture."""
    folder, result, curves = policy.game.folder / "made", read_result(run), curves_of(run)
    about = {
        "format": FORMAT, "game": policy.game.id, "rules": policy.card["rules"], "layout": policy.card["layout"],
        "name": run.resolve().name, "config": read_config(run / "config.yaml").model_dump(), "learning": learning(run),
        "judged": result["verdicts"], "chosen": {"decisions": result["steps"]},
        "curve": [{"name": c.name, "decisions": c.x, "percent": rounded(c.y), "low": rounded(c.low),
                   "high": rounded(c.high)} for c in curves],
    } | (more or {})  # fmt: skip
    write_whole(folder / f"{name}.svg", plot(curves, 0, 100, " %").encode())
    return write_whole(folder / f"{name}.json", (compact(json.dumps(about, indent=1)) + "\n").encode())


def index_agents() -> Path:
    """Write the index of the package of agents, which holds the files of all games that have one."""
    offers = []
    for name in game_names():
        game = find_game(name)
        path = game.folder / AGENT
        if path.is_file() and path.is_relative_to(ROOT):
            content = path.read_bytes()
            digest = hashlib.sha256(content).hexdigest()
            offers.append(Offer("trained", game.id, VERSION, digest, len(content), f"{name}.safetensors"))
    return write_whole(PACKAGE / INDEX, index_text(offers).encode())


def learning(run: Path) -> dict[str, Any]:
    """How long a run learnt."""
    rows, judged = read_table(run), read_evaluations(run)
    return {"seed": read_config(run / "config.yaml").seed, "taught": max(line["taught"] for line in judged),
            "decisions": int(rows[-1]["steps"]), "minutes": round(judged[-1]["seconds"] / 60, 1),
            "machine": f"{os.cpu_count()} cores, {platform.machine()}, shared with other work"}  # fmt: skip


def rounded(values: list[float]) -> list[float]:
    """Numbers as a file should hold them."""
    return [round(value, 2) for value in values]


def compact(text: str) -> str:
    """JSON with every list of numbers in one line."""
    return re.sub(r"\[\s+([-\d.,\s]+?)\s+\]", lambda found: "[" + re.sub(r"\s+", " ", found[1]) + "]", text)


def main() -> int:
    """All runs that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="*", type=Path, metavar="RUN", help="the folder of a finished run")
    parser.add_argument(
        "--from-nothing", nargs="+", type=Path, default=[], metavar="RUN", help="runs without a teacher"
    )
    chosen = parser.parse_args()
    try:
        for run in chosen.runs:
            print(os.path.relpath(take_over(run)))
        for run in chosen.from_nothing:
            print(os.path.relpath(take_nothing(run)))
        print(os.path.relpath(index_agents()))
    except AlarifeError as error:
        print(f"update_agents: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
