"""A benchmark entry checked by somebody else: digests, figures, replays, and games drawn at random played again."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from alarife.engine.errors import AlarifeError
from alarife.engine.numbers import short
from alarife.engine.printable import printable
from alarife.engine.reading import MOST_TABLE, read_text
from alarife.engine.replay import Replay, verify
from alarife.evaluation.benchmark import GAMES, HERE, PLAYERS, SUITE_FILE, games_folder, run_of
from alarife.evaluation.challenge import challenge, wins_by_deal
from alarife.evaluation.entry_file import REPLAY, Entry, read_entry, require_own_suite
from alarife.evaluation.match import play_fixture
from alarife.evaluation.results import Key, Result, key_of, read_results
from alarife.evaluation.run import file_digest
from alarife.evaluation.suite import SuiteTable
from alarife.evaluation.workers import Crew
from alarife.players.find import FOREIGN, kind_of
from alarife.players.policy import AGENT

RETOLD = "results", "wins", "forfeits", "decisions"  # of a run: what its games say again
Tell = Callable[[str], None]


@dataclass
class Findings:
    """What agrees and what does not, a sentence each."""

    sound: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)  # what could not be looked at here


@dataclass(frozen=True)
class _Drawn:
    """Deals to be played again at one table by one training seed's player."""

    table: SuiteTable
    seed: int
    player: str
    deals: tuple[int, ...]


def verify_benchmark(
    path: str | Path, deals: int, seed: int, processes: int = 1, runs_code: bool = False,
    tell: Tell = lambda what: None,
) -> Findings:  # fmt: skip
    """Check an entry, alone or in its folder; `deals` are drawn by `seed` and played again on all seats.

    Players that are code of somebody are played only with `runs_code`.
    """
    entry, found = read_entry(path), Findings()
    folder = Path(path) if Path(path).is_dir() else None
    found.wrong += entry.wrong
    if not entry.wrong:
        found.sound.append("all figures are those of the wins")
    _look_at_suite(entry, folder, found)
    results: dict[tuple[str, int], dict[Key, Result]] = {}
    if folder is not None and (folder / GAMES).is_dir():
        tell("reading the results")
        results = _look_at_results(entry, folder, found)
        _look_at_replays(entry, folder, results, deals, seed, found, tell)
    else:
        found.unseen.append("there are no games beside the entry: their digests are not compared")
    _look_at_files(entry, folder, found)
    _play_again(entry, folder, results, _draw(entry, deals, seed), processes, runs_code, found, tell)
    return found


def _look_at_suite(entry: Entry, folder: Path | None, found: Findings) -> None:
    try:
        require_own_suite(entry.suite)
        if folder is not None and read_text(folder / SUITE_FILE, "suite", MOST_TABLE) != entry.suite.text:
            found.wrong.append(f"{SUITE_FILE} is not the suite that the entry tells")
    except AlarifeError as error:
        found.wrong.append(str(error))
    rules = {(table.game_id, run["rules"], table.game.digest)
             for table in entry.suite.tables for run in entry.runs(table)}  # fmt: skip
    found.unseen += [f"{game} was played by the rules {then}, here they are {now}: code of the same version; games "
                     "that are played again tell whether it gives the same"
                     for game, then, now in sorted(rules) if then != now]  # fmt: skip


def _where(table: SuiteTable, seed: int) -> str:
    return f"{table.name}, seed {seed}"


# --- what is on file ----------------------------------------------------------------------------------


def _look_at_results(entry: Entry, folder: Path, found: Findings) -> dict[tuple[str, int], dict[Key, Result]]:
    """The results that are whole, by table and seed; what they say is compared with the entry."""
    held: dict[tuple[str, int], dict[Key, Result]] = {}
    for table in entry.suite.tables:
        for run in entry.runs(table):
            where, path = _where(table, run["seed"]), games_folder(folder, table, run["seed"]) / "results.jsonl"
            try:
                results = read_results(path)
                again = run_of(table, run["seed"], run["player"], results)
            except AlarifeError as error:
                found.wrong.append(f"{where}: {error}")
                continue
            unlike = [name for name in RETOLD if again[name] != run[name]]
            found.wrong += [f"{where}: the entry says {name} {short(_first_unlike(run[name], again[name]))}, its "
                            f"results.jsonl gives {short(_first_unlike(again[name], run[name]))}"
                            for name in unlike]  # fmt: skip
            held[table.name, run["seed"]] = {key_of(result): result for result in results}
    if held and not found.wrong:
        games = sum(map(len, held.values()))
        found.sound.append(f"{games:,} games have the digests and the wins that the entry tells")
    return held


def _first_unlike(mine: Any, theirs: Any) -> Any:
    """Of two lists the first place that differs, so that a sentence can tell it."""
    if not isinstance(mine, list):
        return mine
    deal = next(deal for deal, (a, b) in enumerate(zip(mine, theirs, strict=True)) if a != b)
    return f"{mine[deal]} in deal {deal}"


def _look_at_replays(
    entry: Entry, folder: Path, results: dict[tuple[str, int], dict[Key, Result]], most: int, seed: int,
    found: Findings, tell: Tell,
) -> None:  # fmt: skip
    """All digests; and of replays drawn at random whether the rules give the same game, and the results tell it."""
    sound = []
    for name, digest in entry.about["replays"].items():
        try:
            if (here := file_digest(folder / name)) != digest:
                found.wrong.append(f"{name} has the digest {here}, the entry says {digest}")
                continue
        except AlarifeError as error:
            found.wrong.append(str(error))
            continue
        sound.append(name)
    random = np.random.default_rng([seed, 1])
    drawn = sorted(random.choice(sound, min(most, len(sound)), replace=False).tolist()) if sound else []
    for name in drawn:
        tell(f"verifying {name}")
        try:
            verify(replay := Replay.read(folder / name))
            _compare_replay(name, replay, entry, results, found)
        except AlarifeError as error:
            found.wrong.append(f"{name}: {error}")
    found.sound.append(f"{len(sound)} replays have their digests, {len(drawn)} of them were played again by the rules")


def _compare_replay(
    name: str, replay: Replay, entry: Entry, results: dict[tuple[str, int], dict[Key, Result]], found: Findings
) -> None:
    """A replay is the game that a line of results tells."""
    told = REPLAY.fullmatch(name)
    assert told is not None
    line = results.get((told[1], int(told[2])), {}).get((int(told[3]), tuple(replay.names)))
    if line is None:
        found.wrong.append(f"{name}: no line of results tells a game of {', '.join(replay.names)}")
    elif "forfeit" not in line and (line["scores"], line["places"]) != (replay.scores, replay.places):
        found.wrong.append(f"{name}: ends with scores {short(replay.scores)}, its line of results says "
                           f"{short(line['scores'])}")  # fmt: skip


def _look_at_files(entry: Entry, folder: Path | None, found: Findings) -> None:
    """The files that players read."""
    games = {game.id: game for game in (table.game for table in entry.suite.tables)}
    for name, digest in entry.about["files"].items():
        game = games.get(name.removeprefix("trained of "))
        if game is None and (folder is None or not name.startswith(f"{PLAYERS}/") or ".." in name):
            found.unseen.append(f"the file {printable(name)} is not here")
            continue
        try:
            here = file_digest(game.folder / AGENT if game else Path(folder or "") / name)
        except AlarifeError as error:
            found.wrong.append(str(error))
            continue
        if here != digest:
            found.wrong.append(f"{printable(name)} has the digest {here}, the entry says {digest}")


# --- games played again -------------------------------------------------------------------------------


def _draw(entry: Entry, deals: int, seed: int) -> Iterator[_Drawn]:
    """Deals of all tables and training seeds, each as likely; those of one player together."""
    all_runs = [(table, run) for table in entry.suite.tables for run in entry.runs(table)]
    ends = np.cumsum([table.deals for table, _ in all_runs])
    random = np.random.default_rng([seed, 2])
    chosen: dict[int, list[int]] = defaultdict(list)
    for number in random.choice(int(ends[-1]), min(deals, int(ends[-1])), replace=False):
        at = int(np.searchsorted(ends, number, side="right"))
        chosen[at].append(int(number - (ends[at - 1] if at else 0)))
    for at, drawn in sorted(chosen.items()):
        table, run = all_runs[at]
        yield _Drawn(table, run["seed"], run["player"], tuple(sorted(drawn)))


def _play_again(
    entry: Entry, folder: Path | None, results: dict[tuple[str, int], dict[Key, Result]], drawn: Iterator[_Drawn],
    processes: int, runs_code: bool, found: Findings, tell: Tell,
) -> None:  # fmt: skip
    played = games = 0
    for task in drawn:
        where, player = _where(task.table, task.seed), task.player.replace(HERE, str(folder or "."))
        tell(f"playing {len(task.deals)} deals of {where}")
        try:
            if kind_of(player) == FOREIGN and not runs_code:
                found.unseen.append(f"{where}: {printable(player)} is code, and is played only with --code")
                continue
            again = _results(task, player, processes)
        except AlarifeError as error:
            found.unseen.append(f"{where}: {printable(player)} cannot play here: {error}")
            continue
        played, games = played + len(task.deals), games + len(again)
        lines = results.get((task.table.name, task.seed), {})
        found.wrong += _compare_games(where, again, lines) if lines else _compare_wins(where, task, again, entry)
    found.sound.append(f"{played} deals, {games} games, were drawn and played again")


def _results(task: _Drawn, player: str, processes: int) -> list[Result]:
    """The drawn games: in processes, or with none in this one."""
    games = challenge(task.table, player)
    due = [fixture for fixture in games.planned() if fixture.deal in task.deals]
    if not processes:
        return [play_fixture(games.setting, fixture) for fixture in due]
    with Crew(games.setting, min(processes, len(due))) as crew:
        crew.try_out()
        with closing(crew.play(due, task.table.seed)) as played:
            return list(played)


def _compare_games(where: str, again: Sequence[Result], lines: dict[Key, Result]) -> list[str]:
    """Game by game, all but the clocks."""
    wrong = []
    for result in again:
        line = lines[key_of(result)]
        told, here = (json.loads(json.dumps({**one, "seconds": None})) for one in (line, result))
        unlike = [name for name in sorted({*told, *here}) if told.get(name) != here.get(name)]
        if unlike:
            name = "scores" if "scores" in unlike else unlike[0]
            wrong.append(f"{where}, deal {result['deal']}, {', '.join(result['seats'])}: the results say {name} "
                         f"{short(told.get(name))}, played again it is {short(here.get(name))}")  # fmt: skip
    return wrong


def _compare_wins(where: str, task: _Drawn, again: Sequence[Result], entry: Entry) -> list[str]:
    (run,) = [run for run in entry.runs(task.table) if run["seed"] == task.seed]
    wins = wins_by_deal(again, task.table.deals)
    return [f"{where}, deal {deal}: the entry says {run['wins'][deal]} sixtieths of a game won, played again they are "
            f"{wins[deal]}" for deal in task.deals if wins[deal] != run["wins"][deal]]  # fmt: skip
