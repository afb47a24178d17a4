"""Fit policies to layouts that have grown, so that they play on, to the last bit as before.

``python scripts/fit_agents.py`` fits the agents that come along with the games; with files or folders of runs behind
it, those. What fits already is left alone. The card of a policy holds the table of its layout. For one that does not,
``--layout TABLE.json`` gives it; the alarife that it was trained with writes it:
``python scripts/fit_agents.py --table viana > TABLE.json``. See `alarife_training.fit`.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from alarife.engine.errors import AlarifeError
from alarife.engine.files import write_whole
from alarife.engine.reading import read_json
from alarife.engine.registry import find_game, game_names, is_installed
from alarife.players.policy import AGENT, card_of, read_tensors
from alarife_training.fit import TABLE, fit_file
from update_agents import compact, index_agents


def main() -> int:
    """The files that are named, or all agents."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="policies, checkpoints, folders of runs")
    parser.add_argument("--layout", type=Path, metavar="TABLE", help="the layout that they were trained on")
    parser.add_argument("--table", metavar="GAME", help="write the table of the installed layout and do nothing else")
    arguments = parser.parse_args()
    try:
        if arguments.table:
            print(json.dumps(find_game(arguments.table).layout_table))
            return 0
        for path in files_of(arguments.files) if arguments.files else agents():
            print(fit_one(path, arguments.layout))
    except AlarifeError as error:
        print(f"fit_agents: {error}", file=sys.stderr)
        return 1
    return 0


def agents() -> list[Path]:
    """The agents of this package."""
    paths = [find_game(name).folder / AGENT for name in game_names() if is_installed(name)]
    return [path for path in paths if path.exists()]


def files_of(named: list[Path]) -> list[Path]:
    """The files that are named, and those in the folders that are named."""
    return [file for path in named for file in (sorted(path.rglob("*.safetensors")) if path.is_dir() else [path])]


def fit_one(path: Path, layout: Path | None) -> str:
    """Fit one file, and bring the page's data beside it up to date."""
    card = card_of(read_tensors(path)[1], path)
    game = find_game(str(card["game"]))
    if TABLE in card and (card["version"], card["layout"]) == (game.version, game.layout_digest):
        return f"{path}: fits"
    told = fit_file(path, layout)
    data = path.with_name("agent.json")
    if path.name == Path(AGENT).name and data.exists():
        card = card_of(read_tensors(path)[1], path)
        about = read_json(data, "agent") | {"layout": card["layout"]}
        about |= {"game": f"{card['game']}_v{card['version']}"} | {k: card[k] for k in ("fitted",) if k in card}
        write_whole(data, (compact(json.dumps(about, indent=1)) + "\n").encode())
    if path.name == Path(AGENT).name:
        index_agents()
    return told


if __name__ == "__main__":
    sys.exit(main())
