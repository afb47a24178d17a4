"""How well forks can be told from the truth: ``python scripts/measure_forks.py [game ...] [--belief view]``.

A gradient-boosted classifier is given raw records, arrays by seat turned so that the seat to decide comes first: true
positions of some games, forks for that seat of others. It learns on half of the games; printed is, for the other half,
the area under its curve (AUC): how often it ranks a fork over a true position. 0.5 means that forks are as true as can
be; whatever is above comes from what the forks do not respect, or from history that this grade of belief forgets.
Fields that hold nothing but memory are left out: a fork of belief ``view`` may hold another past.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

HOME = Path(__file__).resolve().parent.parent
sys.path += [str(HOME / "envs"), str(HOME / "tests")]

from alarife.engine.game import Game  # noqa: E402
from alarife.engine.memory import beliefs_of  # noqa: E402
from alarife.engine.registry import find_game, game_names  # noqa: E402
from alarife.testing.worlds import Forks, Worlds, sample_worlds  # noqa: E402

BELIEFS = "view", "memory", "play"
#: What seats remember, and no rule asks for.
MEMORY = {
    "viva": {"known", "proven", "likely"},
    "patios": {"thrown", "spent", "hinted", "caller", "lot", "gone", "gone_seen"},
    "villa_paletti": {"last_felt", "last_proof", "changes"},
}
PLAY = "random", "scripted"
RESAMPLES = 200  # of the games, for the interval


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    game: str
    players: int
    play: str
    belief: str
    auc: float
    low: float
    high: float
    positions: int


def main() -> None:
    """Measure and print."""
    arguments = parsed()
    print("game | players | play | belief | AUC | 95 % | positions")
    rows = []
    for row in measured(arguments):
        rows.append(row)
        print(f"{row.game} | {row.players} | {row.play} | {row.belief} | {row.auc:.3f} | {row.low:.3f}-{row.high:.3f} "
              f"| {row.positions:,}", flush=True)  # fmt: skip
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", encoding="utf-8")


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("games", nargs="*", metavar="game")
    parser.add_argument("--players", type=int, nargs="*", help="sizes of table (default: all)")
    parser.add_argument("--play", nargs="*", choices=PLAY, default=PLAY, help="who plays (default: both)")
    parser.add_argument("--belief", nargs="*", choices=BELIEFS, default=BELIEFS, help="grades of belief (default: all)")
    parser.add_argument("--samples", type=int, default=1200, help="games, two thirds of them for the truth")
    parser.add_argument("--marks", type=int, default=24, help="positions of each game")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="write the figures there")
    return parser.parse_args()


def measured(arguments: argparse.Namespace) -> Iterator[Row]:
    """A row for each game with secrets, size of table, kind of play and grade of belief."""
    for name in arguments.games or game_names():
        game = find_game(name)
        for players in arguments.players or game.seats:
            if players == 1 or players not in game.seats:
                continue
            for play in arguments.play:
                for belief in (one for one in arguments.belief if one in beliefs_of(game)):
                    worlds = sample_worlds(
                        game, players, game.make_options(game.short), arguments.seed, games=arguments.samples,
                        marks=arguments.marks, scripted=play == "scripted", forks=forks_of(belief),
                    )  # fmt: skip
                    yield Row(name, players, play, belief, *auc(without_memory(game, worlds)), len(worlds.values))


def forks_of(belief: str) -> Forks:
    """Forks of some grade for the seats to decide."""
    return lambda batch, rows, keys: batch.fork(rows, batch.seat[rows].astype(np.int64), keys, belief)


def without_memory(game: Game, worlds: Worlds) -> Worlds:
    """The positions without what is kept for memory alone."""
    kept = [k for k, column in enumerate(worlds.columns) if column.field not in MEMORY.get(game.name, ())]
    return replace(worlds, columns=[worlds.columns[k] for k in kept], values=worlds.values[:, kept])


def auc(worlds: Worlds, seed: int = 0) -> tuple[float, float, float]:
    """The area under the classifier's curve on games it has not seen, and its interval over games."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    random = np.random.default_rng(seed)
    games = np.unique(worlds.game)
    learnt = np.isin(worlds.game, random.permutation(games)[: len(games) // 2])
    varied = (worlds.values != worlds.values[0]).any(0)
    values = worlds.values[:, varied]
    model = HistGradientBoostingClassifier(max_iter=200, learning_rate=0.08, early_stopping=True, random_state=seed)
    model.fit(values[learnt], worlds.forked[learnt])
    score = model.predict_proba(values[~learnt])[:, 1]
    forked, game = worlds.forked[~learnt], worlds.game[~learnt]
    spread = [area(score, forked, weights_of(game, random)) for _ in range(RESAMPLES)]
    low, high = np.quantile(spread, [0.025, 0.975])
    return area(score, forked, np.ones(len(score))), float(low), float(high)


def weights_of(game: Any, random: np.random.Generator) -> Any:
    """How often each position counts when the games are drawn anew, with repetition."""
    games, place = np.unique(game, return_inverse=True)
    return np.bincount(random.integers(len(games), size=len(games)), minlength=len(games))[place].astype(float)


def area(score: Any, forked: Any, weights: Any) -> float:
    """How often a fork is ranked over a true position; ties count half."""
    _, place = np.unique(score, return_inverse=True)
    forks = np.bincount(place, weights * forked)
    truth = np.bincount(place, weights * ~forked)
    below = np.cumsum(truth) - truth
    return float((forks * (below + truth / 2)).sum() / (forks.sum() * truth.sum()))


if __name__ == "__main__":
    main()
