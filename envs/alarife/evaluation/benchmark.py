"""A suite played by one player from beginning to end, into one folder; stopped, it goes on where it was.

suite.toml            the suite's text
plan.json             who plays: the player's name for each game and training seed, digests of its files
players/              copies of those files, so that another machine can play the same games
games/TABLE/seed-0/   an evaluation each: evaluation.json, results.jsonl, replays/
entry.json            everything that came out, with digests; this file alone goes onto a leaderboard
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

import alarife
from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.files import write_whole, writing
from alarife.engine.numbers import is_whole, short
from alarife.engine.reading import read_json
from alarife.engine.registry import find_game
from alarife.evaluation.challenge import ENTRY, challenge, require_whole, wins_by_deal
from alarife.evaluation.entry_file import (
    FILE,
    FORMAT,
    FORMAT_VERSION,
    MOST_SEEDS,
    NAME,
    Entry,
    entry_bytes,
    results_digest,
    with_figures,
)
from alarife.evaluation.match import Setting
from alarife.evaluation.results import Result
from alarife.evaluation.run import file_digest, named_files
from alarife.evaluation.suite import Suite, SuiteTable
from alarife.evaluation.workers import Hands

PLAN, SUITE_FILE, PLAYERS, GAMES = "plan.json", "suite.toml", "players", "games"
PLAN_FORMAT = "alarife benchmark plan"
HERE = "{here}"  # stands for the folder in the names of players
Tell = Callable[[str, int, int], None]  # which table and seed, games played, games in all


@dataclass(frozen=True)
class Contender:
    """Who is judged: a player for each game, by its id, and for each training seed."""

    name: str
    player: str
    players: Mapping[str, Mapping[int, str]]
    training: dict[str, Any] | None = field(default=None)

    @property
    def seeds(self) -> list[int]:
        """The training seeds."""
        return list(next(iter(self.players.values())))


def contender(suite: Suite, player: str, seeds: Sequence[int] = (), name: str | None = None) -> Contender:
    """A player by its name, in which ``{game}`` stands for each game's name and ``{seed}`` for each training seed."""
    if not player:
        raise AlarifeError("a player is named by a text, got an empty one")
    if seeds and "{seed}" not in player:
        raise AlarifeError(f"seeds are those of training: the player's name has to hold {{seed}}, got {player}")
    if "{seed}" in player and not seeds:
        raise AlarifeError(f"{player} has a place for seeds: name them, such as --seeds 0,1,2")
    chosen = checked_seeds(seeds) or [0]
    players = {game: {seed: player.replace("{game}", find_game(game).name).replace("{seed}", str(seed))
                      for seed in chosen} for game in suite.games}  # fmt: skip
    return Contender(checked_name(name or player), player, players)


def checked_seeds(seeds: Sequence[int]) -> list[int]:
    """Training seeds, each once."""
    if len(seeds) > MOST_SEEDS or len({*seeds}) < len(seeds) or not all(is_whole(seed) and seed >= 0 for seed in seeds):
        raise AlarifeError(f"seeds are at most {MOST_SEEDS} whole numbers from 0, each once, got {short(list(seeds))}")
    return [int(seed) for seed in seeds]


def checked_name(name: str) -> str:
    """The name of an entry, as a leaderboard shows it."""
    if not NAME.fullmatch(name):
        raise AlarifeError(f"an entry is named by at most 60 letters, digits and . _ : + = , / -, got {short(name)}; "
                           "give it a name by --name")  # fmt: skip
    return name


def run_benchmark(
    suite: Suite,
    who: Contender,
    out: str | os.PathLike[str],
    processes: int | None = 1,
    limit: float | None = None,
    memory: float | None = None,
    tell: Tell = lambda what, done, of: None,
    hire: Callable[[Setting], Hands] | None = None,
) -> Entry:
    """Play what has not been played, and write the entry."""
    folder = Path(out)
    plan = _plan(suite, who, folder, limit)
    _go_on(plan, suite, folder)
    tables = {
        table.name: [_run(table, seed, plan, folder, processes, limit, memory, tell, hire) for seed in who.seeds]
        for table in suite.tables
    }
    entry = with_figures(_about(suite, who, plan, tables, folder))
    write_whole(folder / FILE, entry_bytes(entry.about))
    return entry


# --- the plan -----------------------------------------------------------------------------------------


def _plan(suite: Suite, who: Contender, folder: Path, limit: float | None) -> dict[str, Any]:
    """Who plays, its files copied into the folder and named there."""
    files: dict[str, str] = {}
    players = {game: {str(seed): _kept(name, game, folder, files) for seed, name in by_seed.items()}
               for game, by_seed in who.players.items()}  # fmt: skip
    return {"format": PLAN_FORMAT, "suite": suite.name, "suite_digest": suite.digest, "name": who.name,
            "player": who.player, "seeds": who.seeds, "players": players, "files": files, "limit": limit,
            "training": who.training}  # fmt: skip


def _kept(name: str, game_id: str, folder: Path, files: dict[str, str]) -> str:
    """A player's name with copies of its files in place of them; `files` gets the digests."""
    game = find_game(game_id)
    for word, path in sorted(named_files(name, game), key=lambda found: -len(found[0])):
        digest = file_digest(path)
        if word == "trained":
            files[f"trained of {game_id}"] = digest
            continue
        kept = f"{PLAYERS}/{digest[:8]}-{path.name}"
        files[kept] = digest
        if not (folder / kept).exists():
            with writing(folder / kept):
                (folder / PLAYERS).mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, folder / kept)
        name = name.replace(word, f"{HERE}/{kept}")
    return name


def _go_on(plan: dict[str, Any], suite: Suite, folder: Path) -> None:
    """A folder holds one run of one suite."""
    path = folder / PLAN
    if path.exists():
        before = read_json(path, "plan")
        if not isinstance(before, dict) or before.get("format") != PLAN_FORMAT:
            raise FileError(f"{path} is not a plan: choose another folder")
        if unlike := [name for name in plan if before.get(name) != plan[name]]:
            name = unlike[0]
            raise FileError(f"{folder} holds another benchmark ({name} was {short(before.get(name))}, not "
                            f"{short(plan[name])}): choose another folder")  # fmt: skip
        return
    if (folder / GAMES).exists():
        raise FileError(f"{folder} holds games without a {PLAN}: choose another folder")
    write_whole(folder / SUITE_FILE, suite.text.encode())
    write_whole(path, (json.dumps(plan, indent=1) + "\n").encode())


def player_in(folder: Path, plan: Mapping[str, Any], game_id: str, seed: int) -> str:
    """The name by which a player is found in its folder, wherever that lies now."""
    return str(plan["players"][game_id][str(seed)]).replace(HERE, str(folder))


def games_folder(folder: Path, table: SuiteTable, seed: int) -> Path:
    """Where the games of a table and a training seed lie."""
    return folder / GAMES / table.name / f"seed-{seed}"


# --- playing ------------------------------------------------------------------------------------------


def _run(
    table: SuiteTable,
    seed: int,
    plan: Mapping[str, Any],
    folder: Path,
    processes: int | None,
    limit: float | None,
    memory: float | None,
    tell: Tell,
    hire: Callable[[Setting], Hands] | None,
) -> dict[str, Any]:
    """The games of one table and one training seed, as the entry tells them."""
    games = challenge(table, player_in(folder, plan, table.game_id, seed), limit, memory)
    what = f"{table.name}, seed {seed}" if len(plan["seeds"]) > 1 else table.name
    results = games.play(games_folder(folder, table, seed), processes, lambda done, of: tell(what, done, of), hire)
    return run_of(table, seed, str(plan["players"][table.game_id][str(seed)]), results)


def run_of(table: SuiteTable, seed: int, player: str, results: Sequence[Result]) -> dict[str, Any]:
    """What the results of a table say."""
    require_whole(table, results)
    own = [(result, result["seats"].index(ENTRY)) for result in results]
    return {
        "seed": seed, "player": player, "rules": table.game.digest, "results": results_digest(results),
        "forfeits": sum(result.get("forfeit", {}).get("seat") == seat for result, seat in own),
        "decisions": sum(result["choices"][seat] for result, seat in own),
        "seconds": round(sum(result["seconds"][seat] for result, seat in own), 3),
        "wins": wins_by_deal(results, table.deals),
    }  # fmt: skip


def _about(suite: Suite, who: Contender, plan: Mapping[str, Any], tables: dict[str, list[dict[str, Any]]],
           folder: Path) -> dict[str, Any]:  # fmt: skip
    return {
        "format": FORMAT, "format_version": FORMAT_VERSION, "name": who.name, "player": who.player,
        "suite": suite.name, "suite_digest": suite.digest, "seeds": who.seeds, "training": who.training,
        "files": plan["files"], "limit": plan["limit"], "made": made_by(), "suite_text": suite.text,
        "replays": {path.relative_to(folder).as_posix(): file_digest(path)
                    for path in sorted((folder / GAMES).glob("*/*/replays/*.json"))},
        "tables": tables,
    }  # fmt: skip


def made_by() -> dict[str, str]:
    """When, by what and on what an entry was made."""
    return {
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "alarife": alarife.__version__,
        "python": platform.python_version(),
        "numpy": metadata.version("numpy"),
        "numba": metadata.version("numba"),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count() or 1} processors",
    }
