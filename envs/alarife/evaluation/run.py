"""An evaluation from its settings to its report: scheduled, played on several processes, resumed where it stopped."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from alarife.adapters.picture import MissingExtra
from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.files import read_json, write_whole
from alarife.engine.game import Game
from alarife.engine.options import GameOptions
from alarife.engine.registry import find_game
from alarife.evaluation.match import Maker, Setting, play_fixture
from alarife.evaluation.results import Result, ResultsFile
from alarife.evaluation.schedule import Fixture, schedule
from alarife.evaluation.statistics import Summary, summarise
from alarife.evaluation.workers import play_in_workers
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
        limit: float | None = None,
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
        if limit is not None and not limit > 0:
            raise AlarifeError(f"a limit is a number of seconds above 0, got {limit}")
        for maker in makers.values():
            if isinstance(maker, str):
                find_player(maker, 0)
        if "person" in makers.values():
            raise AlarifeError("an evaluation is played without people; sit down with `alarife play`")
        return cls(Setting(game, seats, chosen, seed, tuple(makers), tuple(makers.values()), limit), games)

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
            "seed": setting.seed, "with": list(setting.names), "games": self.games, "limit": setting.limit,
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
        if self.setting.limit is None and (processes <= 1 or len(due) <= 1):
            return (play_fixture(self.setting, fixture) for fixture in due)
        return play_in_workers(self.setting, due, max(1, processes))


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
    limit: float | None = None,
) -> Summary:
    """Let players play one another and sum up how they did; ``out`` gets the results and a report.

    A player that takes more than `limit` seconds for a decision forfeits its game. With a limit, or with more than
    one of them, games are played in `processes` of their own, which a player may hang or kill.
    """
    from alarife.evaluation.report import write_report

    evaluation = Evaluation.make(game, who, players, games, seed, options, limit)
    summary = evaluation.run(out, processes)
    write_report(Path(out) / "report.html", evaluation.about(), summary)
    return summary


__all__ = ["Evaluation", "evaluate", "require_extra"]
