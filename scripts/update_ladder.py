"""Play the ladder of a game again: fixed opponents, its agent, searches; data and page are written anew.

``python scripts/update_ladder.py [game ...]`` writes ``ladder.json`` into the folder `made` of the game and a table
between the marks ``<!-- ladder -->`` and ``<!-- /ladder -->`` of its page: for two and up to four players, and of other
sizes that are on file. ``--players 3`` plays that table only, of any size, and leaves the others as they are. A run
that was stopped goes on where it was: results lie in ``runs/ladder``. ``--pages`` only writes the tables anew, from the
data there are.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "envs"))

from alarife.engine.errors import AlarifeError
from alarife.engine.files import write_whole
from alarife.engine.game import Game
from alarife.engine.reading import read_json
from alarife.engine.registry import find_game, game_names
from alarife.evaluation.aggregate import Rank, errors_apart, ranked
from alarife.evaluation.on_ray import Cluster
from alarife.evaluation.run import Evaluation
from alarife.evaluation.statistics import Estimate, Summary, Z, percent

ROOT = Path(__file__).resolve().parent.parent
FORMAT = "alarife ladder"
SEED = 2026  # fixed, so that the same games can be played again: these players do not guess deals

# Steps of a ladder: the agent that comes along, and each search at one budget, `guided` led by the agent. Rollouts are
# scripted, in most games to the end. Where play may go in circles, or statics make a scripted decision dear, they are
# cut, and the standing is their value. Where searches take minutes for a game, the ladder has fewer of them; a key with
# a number is for the tables of that size.
STEPS = "random", "scripted", "trained", "mc:100", "ismcts:100", "guided:trained:100"
PLAYERS: dict[str | tuple[str, int], tuple[str, ...]] = {
    "viva": ("random", "scripted", "trained", "mc:100:cut=80", "ismcts:100:cut=80", "guided:trained:100:cut=40"),
    ("patios", 4): ("random", "scripted", "trained", "mc:100", "guided:trained:100"),
    "villa_paletti": (
        "random",
        "scripted",
        "trained",
        "mc:100:cut=10",
        "ismcts:100:cut=10",
        "guided:trained:100:cut=10",
    ),
}
# Short forms of games whose whole form takes long; the ladder says so.
GAMES = 40  # of each line-up, at least
LARGER = 4


def folder_of(game: Game) -> Path:
    """Where a game's ladder and page lie."""
    return game.folder


def tables_of(game: Game) -> list[int]:
    """The sizes that every ladder has: alone, or two players and a larger table where there is one."""
    small = min(game.seats) if max(game.seats) == 1 else min(n for n in game.seats if n > 1)
    larger = [n for n in game.seats if small < n <= LARGER]
    return [small, *larger[-1:]]


def steps_of(game: Game, players: int) -> tuple[str, ...]:
    """Who plays on the ladder of a table."""
    return PLAYERS.get((game.name, players)) or PLAYERS.get(game.name) or STEPS


def play_ladder(game: Game, players: int, games: int, steps: tuple[str, ...], processes: int | None, out: Path,
                cluster: Cluster | None = None) -> dict[str, Any]:  # fmt: skip
    """The ladder of one table size, as data."""
    evaluation = Evaluation.make(game, steps, players, games, SEED, dict(game.short))
    last = time.monotonic()

    def tell(done: int, of: int) -> None:
        nonlocal last
        if done in (0, of) or time.monotonic() - last > 20:
            last = time.monotonic()
            print(f"{game.name}, {players} players: {done} of {of} games", flush=True)

    hire = cluster.hire if cluster else None
    return entry(evaluation, evaluation.run(out / f"{game.name}-{players}", processes, tell, hire))


def entry(evaluation: Evaluation, summary: Summary) -> dict[str, Any]:
    """A table's ladder: estimates are lists of value, low, high and number of deals."""
    steps = [
        {"name": p.name, "games": p.games, "rating": p.rating.to_list(), "win": p.win.to_list(),
         "place": p.place.to_list(), "score": p.score.to_list(), "forfeits": p.forfeits,
         "against": {second: share.to_list() for (first, second), share in summary.against.items() if first == p.name}}
        for p in summary.players
    ]  # fmt: skip
    setting = evaluation.setting
    return {"players": setting.players, "options": dict(setting.game.short), "seed": setting.seed,
            "games_each": evaluation.games, "games": summary.games, "deals": summary.deals, "steps": steps}  # fmt: skip


def write_data(game: Game, folder: Path, tables: list[dict[str, Any]]) -> Path:
    """The ladder as data, in a folder: the game's."""
    about = {"format": FORMAT, "game": game.id, "digest": game.digest, "tables": bounded(tables)}
    text = json.dumps(about, indent=1, allow_nan=False)
    text = re.sub(r"\[\s+(-?[\d.]+|null),\s+(\S+),\s+(\S+),\s+(\d+)\s+\]", r"[\1, \2, \3, \4]", text)
    return write_whole(folder / "made" / "ladder.json", (text + "\n").encode())


def bounded(value: Any) -> Any:
    """Data without numbers that JSON does not have: null stands for what has no bound or is not known."""
    if isinstance(value, dict):
        return {key: bounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [bounded(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


# --- pages ----------------------------------------------------------------------------------------------


def page_table(about: dict[str, Any]) -> str:
    """The ladder as Markdown."""
    parts, name = [], about["game"].rpartition("_v")[0]
    for table in about["tables"]:
        options = ", ".join(f"`{name}={value}`" for name, value in table["options"].items())
        seats = "Alone" if table["players"] == 1 else f"{table['players']} players"
        title = (f"{seats}{f', {options}' if options else ''}: {table['games']} games over {table['deals']} deals, "
                 f"{table['games_each']} or more of each line-up, seed {table['seed']}.")  # fmt: skip
        ranks = ranks_of(table)
        steps = {step["name"]: step for step in table["steps"]}
        names = [rank.name for rank in ranks]
        lines = [
            f"| rank | player | rating | wins | mean score |{''.join(f' v. {name} |' for name in names)}",
            f"|---|---|---|---|---|{'---|' * len(names)}",
        ]
        for rank in ranks:
            step = steps[rank.name]
            cells = [
                str(rank),
                f"`{step['name']}`",
                number(step["rating"], 1),
                share(step["win"]),
                number(step["score"], 2),
            ]
            cells += [share(step["against"][name]) if name in step["against"] else "" for name in names]
            lines.append(f"| {' | '.join(cells)} |")
        parts.append("\n".join([title, "", *lines]))
    commands = [f"`python scripts/update_ladder.py {name} --players {table['players']} "
                f"--games-each {table['games_each']}`" for table in about["tables"]]  # fmt: skip
    parts.append(
        "Intervals are at 95 %, and deals are their units; those of the ratings (Plackett-Luce) take all games for "
        "independent. A rank is the range of places that a player may have: who is outside it is told apart by these "
        "games, at a level of 5 % for all pairs together; players that are not stand by the alphabet. Every line-up "
        "played the same deals on all seats. Columns say how often the player of the row "
        f"did better. Made by {' and '.join(commands)}: "
        "[how players are compared](../../../../docs/comparing.md)."
    )
    return "\n\n".join(parts)


def ranks_of(table: dict[str, Any]) -> list[Rank]:
    """The players of a table in groups: who did better than whom beyond doubt, by the games that both sat in."""
    against = {step["name"]: step["against"] for step in table["steps"]}
    errors = errors_apart(len(against) * (len(against) - 1) // 2) / Z

    def is_ahead(first: str, second: str) -> bool:
        share = estimate(against[first][second])
        return share.value - errors * (share.value - share.low) > 0.5

    return ranked(list(against), is_ahead)


def estimate(values: list[Any]) -> Estimate:
    """An estimate as the data hold it."""
    value, low, high, count = values
    return Estimate(math.nan if value is None else value, -math.inf if low is None else low,
                    math.inf if high is None else high, count)  # fmt: skip


def share(values: list[Any]) -> str:
    """``62 % (55-68)``."""
    e = estimate(values)
    return f"{percent(e.value)} ({100 * e.low:.0f}-{100 * e.high:.0f})" if e.count else ""


def number(values: list[Any], digits: int) -> str:
    """``31.2 ± 0.8``."""
    e = estimate(values)
    return f"{e.value:.{digits}f} ± {e.width:.{digits}f}" if e.count > 1 else f"{e.value:.{digits}f}"


def write_page(folder: Path) -> str:
    """Fill the marks of the page beside the data; returns what was done."""
    data, page = folder / "made" / "ladder.json", folder / "README.md"
    if not data.exists():
        return "no ladder.json yet"
    if not page.exists():
        return "no page"
    text = page.read_text(encoding="utf-8")
    marks = re.compile(r"(<!-- ladder -->).*?(<!-- /ladder -->)", re.DOTALL)
    if not marks.search(text):
        return "no marks <!-- ladder --> <!-- /ladder --> on the page"
    table = page_table(json.loads(data.read_text(encoding="utf-8")))
    write_whole(page, marks.sub(lambda found: f"{found[1]}\n{table}\n{found[2]}", text).encode())
    return "page written"


def play_tables(game: Game, chosen: argparse.Namespace, cluster: Cluster | None = None) -> list[dict[str, Any]]:
    """The game's tables, those that were chosen played anew."""
    sizes, kept = [n for n in game.seats if n > 1] or [1], kept_tables(game)
    if chosen.players not in (None, *sizes):
        raise AlarifeError(f"a ladder of {game.name} is played at a table of {sizes}, got {chosen.players}")
    for players in sorted({*tables_of(game), *kept}) if chosen.players is None else [chosen.players]:
        steps = steps_of(game, players)
        kept[players] = play_ladder(game, players, chosen.games_each, steps, chosen.processes, chosen.out, cluster)
    return [kept[players] for players in sorted(kept)]


def kept_tables(game: Game) -> dict[int, dict[str, Any]]:
    """The tables on file by their sizes; those of other rules than the present ones say which."""
    path = folder_of(game) / "made" / "ladder.json"
    about = read_json(path, "ladder") if path.exists() else {"tables": []}
    kept = {table["players"]: table for table in about["tables"]}
    for table in kept.values():
        rules = table.pop("rules", {"game": about["game"], "digest": about["digest"]})
        if rules["digest"] != game.digest:
            table["rules"] = rules
    return kept


def main(arguments: Sequence[str] | None = None) -> int:
    """All games, or those named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="game", help="default: all")
    parser.add_argument("--players", type=int, metavar="N", help="only the table of this size (default: all)")
    parser.add_argument("--games-each", type=int, metavar="N", default=GAMES,
                        help=f"of each line-up, at least (default {GAMES})")  # fmt: skip
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=ROOT / "runs" / "ladder", help="where results are kept")
    parser.add_argument("--ray", metavar="ADDRESS", help="play as tasks of a Ray cluster: auto, or HOST:PORT")
    parser.add_argument("--pages", action="store_true", help="only write the tables on the pages")
    chosen = parser.parse_args(arguments)
    try:
        with Cluster(chosen.ray) if chosen.ray else contextlib.nullcontext() as cluster:
            for name in chosen.games or game_names():
                game = find_game(name)
                if not chosen.pages:
                    tables = play_tables(game, chosen, cluster)
                    print(f"{game.id}: {os.path.relpath(write_data(game, folder_of(game), tables))}")
                print(f"{game.id}: {write_page(folder_of(game))}")
    except AlarifeError as error:
        print(f"update_ladder: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
