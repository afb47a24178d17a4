"""Record the golden games: one short game for each game and player count, to be read beside the rulebook.

``python scripts/record_golden.py [game ...]`` writes ``tests/golden/<game>-<players>p.txt``. They freeze behaviour;
when one changes on purpose, the game's version goes up.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

import numpy as np

from alarife.engine.files import write_whole
from alarife.engine.game import Game
from alarife.engine.registry import find_game, game_names
from alarife.engine.table import Table

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "golden"
MOST_LINES = 180


def golden_game(game: Game, players: int, seed: int = 7) -> str:
    """The text of a game: scripted and random play take turns, so that much happens and it ends."""
    table = Table(game, players, dict(game.short), seed)
    random = np.random.default_rng(seed)
    options = ", ".join(f"{name}={value}" for name, value in table.options.to_dict().items() if value is not None)
    lines = [f"{game.id} · {players} players · seed {seed} · {options or 'no options'}", table.text(), ""]
    while not table.over and table.state.decisions < MOST_LINES:
        seat, legal = table.seat, table.legal()
        if random.random() < 0.3:
            action = int(random.choice(legal))
        else:
            action = table.script(int(random.integers(2**63)))
        number = table.state.decisions + 1
        lines.append(f"{number:3d}  player_{seat}  {game.actions.name(action):<34} {table.phrase(action)}"
                     f"   (of {len(legal)})")  # fmt: skip
        table.play(action)
        if number % 20 == 0:
            lines.append("\n".join("     " + line for line in table.text().splitlines()))
    digest = hashlib.sha256(table.to_bytes()).hexdigest()[:16]
    lines += ["", table.text(), f"scores {table.scores()}  places {table.places()}  over {table.over}  state {digest}"]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def golden_file(game: Game, players: int) -> Path:
    """Where a golden game lies."""
    return FOLDER / f"{game.name}-{players}p.txt"


def main() -> None:
    """Write the golden games of the named games, or of all."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("games", nargs="*")
    for name in parser.parse_args().games or game_names():
        game = find_game(name)
        for players in game.seats:
            write_whole(golden_file(game, players), golden_game(game, players).encode())
            print(golden_file(game, players).name)


if __name__ == "__main__":
    main()
