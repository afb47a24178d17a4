"""An evaluation from its settings to its report: scheduled, played on several processes, resumed where it stopped."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from alarife.adapters.picture import MissingExtra
from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.files import read_json, write_whole
from alarife.engine.game import Game
from alarife.engine.options import GameOptions
from alarife.engine.registry import find_game, is_installed
from alarife.evaluation.match import Maker, Setting, play_fixture
from alarife.evaluation.results import Result, ResultsFile
from alarife.evaluation.schedule import Fixture, schedule
from alarife.evaluation.statistics import Summary, summarise
from alarife.players import find_player

Tell = Callable[[int, int], None]  # games played, games in all


def require_extra() -> None:
    """Ratings and tables need two packages that players and environments do not."""
    try:
        import openskill  # noqa: F401
        import rich  # noqa: F401
    except ImportError:
        raise MissingExtra("evaluations need the extra [evaluate]: pip install 'alarife[evaluate]'") from None


@dataclass(frozen=True)
class Evaluation:
    """What is to be played. `games` is how many at least for each line-up, rounded up to whole deals."""

    setting: Setting
    games: int

    @classmethod
    def make(
        cls,
        game: str | Game,
        who: Sequence[str] | Mapping[str, Maker],
        players: int | None = None,
        games: int = 100,
        seed: int = 0,
        options: GameOptions | dict[str, Any] | None = None,
    ) -> Evaluation:
        """Settings checked. `who` are names, or names with makers: callables that are given a seed."""
        game = find_game(game)
        chosen = game.make_options(options)
        seats = int(game.template(players, chosen)[0]["seats"])
        makers = dict(who) if isinstance(who, Mapping) else {name: name for name in who}
        if len(makers) < len(who) or not makers:
            raise AlarifeError(f"name each player once, and at least one, got {', '.join(who) or 'nobody'}")
        if games < 1:
            raise AlarifeError(f"an evaluation has at least one game, got {games}")
        for maker in makers.values():
            if isinstance(maker, str):
                find_player(maker, 0)
        if "person" in makers.values():
            raise AlarifeError("an evaluation is played without people; sit down with `alarife play`")
        return cls(Setting(game, seats, chosen, seed, tuple(makers), tuple(makers.values())), games)

    @cached_property
    def fixtures(self) -> dict[tuple[int, tuple[str, ...]], Fixture]:
        """All games by the keys that their results have."""
        setting = self.setting
        planned = schedule(len(setting.names), setting.players, self.games, setting.seed)
        return {(f.deal, tuple(setting.names[e] for e in f.seats)): f for f in planned}

    def about(self) -> dict[str, Any]:
        """The settings as they are kept beside the results."""
        setting = self.setting
        return {
            "format": "alarife evaluation", "game": setting.game.id, "title": setting.game.title,
            "digest": setting.game.digest, "players": setting.players, "options": setting.options.to_dict(),
            "seed": setting.seed, "with": list(setting.names), "games": self.games,
        }  # fmt: skip

    def run(self, out: str | os.PathLike[str], processes: int = 1, tell: Tell = lambda done, of: None) -> Summary:
        """Play what has not been played, and sum everything up. Results are in ``out/results.jsonl``."""
        require_extra()
        folder = Path(out)
        self._check_folder(folder)
        file = ResultsFile(folder / "results.jsonl")
        try:
            due = [fixture for key, fixture in self.fixtures.items() if key not in file.results]
            done = len(self.fixtures) - len(due)
            tell(done, len(self.fixtures))
            with contextlib.closing(self._played(due, processes)) as played:
                for result in played:
                    file.add([result])
                    done += 1
                    tell(done, len(self.fixtures))
            write_whole(folder / "evaluation.json", json.dumps(self.about(), indent=1).encode())
            results = [result for key, result in file.results.items() if key in self.fixtures]
        finally:
            file.close()
        return summarise(results, self.setting.names)

    def _check_folder(self, folder: Path) -> None:
        """A folder holds one evaluation; it may be gone on with, also for more games."""
        path = folder / "evaluation.json"
        about = self.about()
        if path.exists():
            before = read_json(path, "evaluation")
            for name in about:
                if name != "games" and before.get(name) != about[name]:
                    raise FileError(f"{folder} holds an evaluation with {name} {before.get(name)}, now it would be "
                                    f"{about[name]}: choose another folder")  # fmt: skip
        elif (folder / "results.jsonl").exists():
            raise FileError(f"{folder} holds results without an evaluation.json: choose another folder")
        write_whole(path, json.dumps(about, indent=1).encode())

    def _played(self, due: Sequence[Fixture], processes: int) -> Generator[Result, None, None]:
        if processes <= 1 or len(due) <= 1:
            yield from (play_fixture(self.setting, fixture) for fixture in due)
            return
        setting = self.setting
        if not is_installed(setting.game.name):
            raise AlarifeError(f"{setting.game.name} is known to this process only: evaluate it with processes=1")
        yield play_fixture(setting, due[0])  # kernels are compiled here, and found in the cache by all
        about = (setting.game.name, setting.players, setting.options.to_dict(), setting.seed, setting.names,
                 setting.makers)  # fmt: skip
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(processes, context, initializer=_sit_down, initargs=about)
        try:
            yield from _in_turn(pool, due[1:], 3 * processes)
        except BrokenProcessPool:
            raise AlarifeError(
                "a process died while playing; what was played is on file, start again to go on"
            ) from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _in_turn(pool: ProcessPoolExecutor, due: Sequence[Fixture], at_once: int) -> Iterator[Result]:
    waiting = iter(due)
    pending: set[Future[Result]] = set()
    while True:
        while len(pending) < at_once and (fixture := next(waiting, None)) is not None:
            pending.add(pool.submit(_play, fixture))
        if not pending:
            return
        finished, pending = wait(pending, return_when=FIRST_COMPLETED)
        for future in finished:
            yield future.result()


_here: list[Setting] = []  # of a worker process


def _sit_down(name: str, players: int, options: dict[str, Any], seed: int, names: Any, makers: Any) -> None:
    game = find_game(name)
    _here[:] = [Setting(game, players, game.make_options(options), seed, names, makers)]


def _play(fixture: Fixture) -> Result:
    return play_fixture(_here[0], fixture)


def evaluate(
    game: str | Game,
    who: Sequence[str] | Mapping[str, Maker],
    players: int | None = None,
    *,
    games: int = 100,
    seed: int = 0,
    options: GameOptions | dict[str, Any] | None = None,
    out: str | os.PathLike[str] = "runs/evaluation",
    processes: int = 1,
) -> Summary:
    """Let players play one another and sum up how they did; ``out`` gets the results and a report."""
    from alarife.evaluation.report import write_report

    evaluation = Evaluation.make(game, who, players, games, seed, options)
    summary = evaluation.run(out, processes)
    write_report(Path(out) / "report.html", evaluation.about(), summary)
    return summary


__all__ = ["Evaluation", "evaluate", "require_extra"]
