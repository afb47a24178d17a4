"""Measure what a page tells about a game: length, choices, what the order of play decides, how strong the script is.

``python scripts/measure_facts.py [game ...]`` writes ``facts.json`` into the folder `made` of the game, and
update_pages.py shows it.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from alarife.engine.batch import Batch
from alarife.engine.files import write_whole
from alarife.engine.game import Game
from alarife.engine.registry import find_game, game_names, is_installed
from alarife.evaluation.statistics import mean_of

ROOT = Path(__file__).resolve().parent.parent
OPTIONS: dict[str, dict[str, Any]] = {"viana": {"first_player": "0"}}
SEED = 20


def options_of(game: Game) -> dict[str, Any]:
    """A short game where there is one, and what keeps the order of play known."""
    return {**game.short, **OPTIONS.get(game.name, {})}


def share(values: np.ndarray) -> list[float]:
    """Mean and half the width of its 95 % interval."""
    found = mean_of(values)
    return [round(found.value, 4), round(found.width, 4)]


def play_all(game: Game, players: int, games: int, scripted: np.ndarray) -> tuple[Batch, np.ndarray, np.ndarray]:
    """Play one game in every row; `scripted [games, seats]` tells who follows the script, all others play at random.

    Returns the batch, the mean number of legal actions of each game, and the seat that decided first.
    """
    batch = Batch(game, games, players, SEED, options_of(game), restart=False)
    choices, first = np.zeros(games), batch.seat.astype(np.int64)
    rows = np.arange(games)
    while len(rows):
        choices[rows] += batch.action_mask[rows].sum(1)
        actions = batch.sample().copy() if not scripted.all() else np.zeros(games, np.int64)
        due = rows[scripted[rows, batch.seat[rows]]]
        if len(due):
            actions[due] = batch.script(due)[due]
        batch.step(actions, rows)
        rows = rows[~batch.finished[rows]]
    return batch, choices / batch.final_decisions, first


def winning(batch: Batch, players: int) -> np.ndarray:
    """The share of the first place that each seat won, ``[games, seats]``."""
    first = batch.final_place[:, :players] == 1
    return first / np.maximum(1, first.sum(1, keepdims=True))


def facts_of(game: Game, players: int, games: int) -> dict[str, Any]:
    """Everything measured at one player count."""
    facts: dict[str, Any] = {"players": players, "games": games}
    for name, scripted in (("random", False), ("scripted", True)):
        batch, choices, first = play_all(game, players, games, np.full((games, players), scripted))
        length = batch.final_decisions
        facts[name] = {
            "decisions": [int(np.percentile(length, p)) for p in (5, 50, 95)],
            "choices": round(float(choices.mean()), 1),
            "score": [int(np.percentile(batch.final_score[:, :players], p)) for p in (5, 50, 95)],
            "capped": share(batch.final_capped > 0),
        }
        if players > 1:
            order = (first[:, None] + np.arange(players)) % players
            shares = np.take_along_axis(winning(batch, players), order, 1)
            facts[name]["order"] = [share(column) for column in shares.T]
        else:
            facts[name]["won"] = share(batch.results["won"].astype(float))
    if players > 1:
        seats = np.arange(games) % players
        batch, _, _ = play_all(game, players, games, seats[:, None] == np.arange(players)[None])
        facts["scripted_against_random"] = share(winning(batch, players)[np.arange(games), seats])
    return facts


def main() -> None:
    """Measure the named games, or all."""
    parser = argparse.ArgumentParser(description="Measure what the pages tell.")
    parser.add_argument("games", nargs="*")
    parser.add_argument("--number", type=int, default=2000, help="games at each player count")
    chosen = parser.parse_args()
    for name in chosen.games or [name for name in game_names() if is_installed(name)]:
        game = find_game(name)
        tables = [facts_of(game, n, chosen.number) for n in game.seats]
        facts = {"game": game.id, "digest": game.digest, "options": options_of(game), "tables": tables}
        path = ROOT / "envs/alarife/games" / name / "made" / "facts.json"
        write_whole(path, (json.dumps(facts, indent=1) + "\n").encode())
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
