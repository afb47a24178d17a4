"""An evaluation from its settings to its report: scheduled, played on several processes, resumed where it stopped."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from alarife.engine.errors import AlarifeError, FileError, missing_extra
from alarife.engine.files import write_whole
from alarife.engine.game import ORDER, Game
from alarife.engine.numbers import SEED_BITS, clipped, seed_number, short
from alarife.engine.options import GameOptions
from alarife.engine.printable import warn
from alarife.engine.reading import opened, read_json
from alarife.engine.registry import find_game, is_installed
from alarife.evaluation.kept_games import keep_games
from alarife.evaluation.match import Maker, Setting, play_fixture, refusal, require_names
from alarife.evaluation.results import Key, Result, ResultsFile
from alarife.evaluation.schedule import Fixture, schedule
from alarife.evaluation.statistics import Summary, summarise
from alarife.evaluation.workers import Crew, Hands
from alarife.players.find import believed_by
from alarife.players.policy import MOST_CHECKPOINT, agent_file

Tell = Callable[[int, int], None]  # games played, games in all
FORMAT = "alarife evaluation"
MOST_GAMES = 1_000_000  # of a line-up
MOST_MEMORY = 2**20  # gigabytes
TABLES = "with", "options", "files"  # of an evaluation on file


def require_extra() -> None:
    """Ratings and tables need two packages that players and environments do not."""
    try:
        import openskill  # noqa: F401
        import rich  # noqa: F401
    except ImportError:
        raise missing_extra("evaluations need", "evaluate") from None


@dataclass
class Evaluation:
    """What is to be played. `games` is how many at least for each line-up, rounded up to whole deals.

    From the seed follow all deals, and all luck of the players. One that was drawn gives way to that of a run that
    goes on.
    """

    setting: Setting
    games: int
    is_drawn: bool

    @classmethod
    def make(
        cls,
        game: str | Game,
        who: Sequence[str] | Mapping[str, Maker],
        players: int | None = None,
        games: int = 100,
        seed: int | None = None,
        options: GameOptions | dict[str, Any] | None = None,
        limit: float | None = None,
        memory: float | None = None,
        luck: str | None = None,
    ) -> Evaluation:
        """Settings checked. `who` are names, or names with makers: callables that are given a seed.

        With ``luck="event"`` all who play a deal meet the same luck in it: see `Game.with_luck`.
        """
        game = find_game(game).with_luck(luck)
        chosen = game.make_options(options)
        seats = int(game.template(players, chosen)[0]["seats"])
        is_list = isinstance(who, (Mapping, Sequence)) and not isinstance(who, (str, bytes))
        if not is_list or not all(isinstance(name, str) for name in who):
            raise AlarifeError(f"players are a list of names, or names with what makes them, got {short(who)}")
        makers = dict(who) if isinstance(who, Mapping) else {name: name for name in who}
        if strange := [maker for maker in makers.values() if not isinstance(maker, str) and not callable(maker)]:
            raise AlarifeError(f"a player is made by a name or by a callable, got {short(strange[0])}")
        if len(makers) < len(who) or not makers:
            raise AlarifeError(f"name each player once, and at least one, got {', '.join(who) or 'nobody'}")
        if isinstance(games, bool) or not isinstance(games, int) or not 1 <= games <= MOST_GAMES:
            raise AlarifeError(f"an evaluation has 1 to {MOST_GAMES:,} games of each line-up, got {short(games)}")
        if limit is not None and not limit > 0:
            raise AlarifeError(f"a limit is a number of seconds above 0, got {limit}")
        if memory is not None and not 0 < memory < MOST_MEMORY:
            raise AlarifeError(f"memory is a number of gigabytes above 0, got {memory}")
        number = secrets.randbits(SEED_BITS) if seed is None else seed_number(seed)
        setting = Setting(game, seats, chosen, number, tuple(makers), tuple(makers.values()), limit, memory)
        require_names(setting)
        return cls(setting, games, seed is None)

    def planned(self) -> Iterable[Fixture]:
        """All games."""
        setting = self.setting
        return schedule(len(setting.names), setting.players, self.games, setting.seed)

    def fixtures(self) -> dict[Key, Fixture]:
        """All games by the keys that their results have."""
        names = self.setting.names
        return {(f.deal, tuple(names[e] for e in f.seats)): f for f in self.planned()}

    @cached_property
    def files(self) -> dict[str, str]:
        """The files that players are named by, with their digests."""
        return files_of(self.setting)

    def about(self) -> dict[str, Any]:
        """The settings as they are kept beside the results."""
        setting = self.setting
        makers = {name: _named(maker) for name, maker in zip(setting.names, setting.makers, strict=True)}
        return {
            "format": FORMAT, "game": setting.game.id, "title": setting.game.title, "digest": setting.game.digest,
            "players": setting.players, "options": setting.options.to_dict(), "seed": setting.seed, "with": makers,
            "files": self.files, "games": self.games, "limit": setting.limit,
        } | ({} if setting.game.luck == ORDER else {"luck": setting.game.luck})  # fmt: skip

    def default_folder(self) -> Path:
        """A folder for this evaluation and no other, however many games it gets."""
        left_out = {"games", "seed"} if self.is_drawn else {"games"}
        text = json.dumps({name: value for name, value in self.about().items() if name not in left_out})
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        return Path("runs") / f"evaluate-{self.setting.game.name}-{self.setting.players}p-{digest}"

    def run(
        self,
        out: str | os.PathLike[str],
        processes: int | None = None,
        tell: Tell = lambda done, of: None,
        hire: Callable[[Setting], Hands] | None = None,
    ) -> Summary:
        """Play what has not been played, and sum everything up. Results are in ``out/results.jsonl``."""
        require_extra()
        return summarise(self.play(out, processes, tell, hire), self.setting.names)

    def play(
        self,
        out: str | os.PathLike[str],
        processes: int | None = None,
        tell: Tell = lambda done, of: None,
        hire: Callable[[Setting], Hands] | None = None,
    ) -> list[Result]:
        """Play what has not been played; all results. `hire` gives other hands than processes of this machine."""
        if processes is not None and processes < 1:
            raise AlarifeError(f"games are played in 1 process or more, got {processes}")
        if self.setting.limit is not None or self.setting.memory is not None:
            processes = processes or 1  # another process can be ended, and be short of memory
        name = self.setting.game.name
        if hire is None and processes:
            hire = partial(Crew, processes=processes)
        if hire and not is_installed(name):
            raise AlarifeError(f"{name} is known to this process only: evaluate it without processes and limit")
        with hire(self.setting) if hire else contextlib.nullcontext() as crew:
            if crew is None:
                self._require_playing()
            else:
                crew.try_out()
            results = self._work_off(Path(out), crew, tell)
        if changed := _changed(self.files, files_of(self.setting)):
            raise FileError(f"{', '.join(changed)} changed while the games were played: {out} holds games of both")
        keep_games(self.setting, results, Path(out) / "replays")
        return results

    def _require_playing(self) -> None:
        """Refuse named players that cannot take part, where they play in this process."""
        for maker in self.setting.makers:
            if isinstance(maker, str) and (sentence := refusal(self.setting, maker)):
                raise AlarifeError(sentence)

    def _work_off(self, out: Path, crew: Hands | None, tell: Tell) -> list[Result]:
        """Play what is due; all results of this evaluation."""
        path = out / "evaluation.json"
        file = ResultsFile(out / "results.jsonl")
        try:
            self._go_on(path, file)
            fixtures = self.fixtures()
            due = [fixture for key, fixture in fixtures.items() if key not in file.results]
            done = len(fixtures) - len(due)
            tell(done, len(fixtures))
            with contextlib.closing(self._played(due, crew)) as played:
                for result in played:
                    file.add(result)
                    done += 1
                    tell(done, len(fixtures))
            return [result for key, result in file.results.items() if key in fixtures]
        finally:
            file.close()

    def _go_on(self, path: Path, file: ResultsFile) -> None:
        """A folder holds one evaluation; it may be gone on with, also for more games."""
        if path.exists():
            before = read_json(path, "evaluation")
            if not isinstance(before, dict) or not all(isinstance(before.get(name), dict) for name in TABLES):
                raise FileError(f"{path} is not an evaluation: choose another folder")
            if self.is_drawn:
                self.setting = replace(self.setting, seed=seed_number(before.get("seed")))
            if unlike := _unlike(before, self.about()):
                raise FileError(f"{path.parent} holds another evaluation ({'; '.join(unlike)}): choose another folder")
        elif not file.is_empty:
            raise FileError(f"{path.parent} holds results without an evaluation.json: choose another folder")
        if torn := file.load():
            warn(torn)
        write_whole(path, json.dumps(self.about(), indent=1).encode())

    def _played(self, due: Sequence[Fixture], crew: Hands | None) -> Generator[Result, None, None]:
        if crew is not None:
            return crew.play(due, self.setting.seed)
        ready: set[int] = set()
        return (play_fixture(self.setting, fixture, ready) for fixture in due)


# --- what an evaluation is made of --------------------------------------------------------------------


def _named(maker: Maker) -> str:
    """What a player is made by, in the same words in each process."""
    if isinstance(maker, str):
        return maker
    made_by = maker if hasattr(maker, "__qualname__") else type(maker)
    return f"{made_by.__module__}:{made_by.__qualname__}"


def named_files(maker: str, game: Game) -> Iterator[tuple[str, Path]]:
    """Every word of a player's name, or words with the colons between them, that names a file; and the file."""
    if others := believed_by(maker):
        yield from named_files(others, game)
    words = maker.split(":")
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1):
            name = ":".join(words[start:end])
            path = agent_file(game) if name == "trained" else Path(name)
            if path is not None and path.suffix and os.path.isfile(path):  # 200 is a budget, whatever lies there
                yield name, path


def file_digest(path: Path) -> str:
    """The digest of a player's file."""
    with opened(path, "checkpoint", MOST_CHECKPOINT) as (file, _):
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def files_of(setting: Setting) -> dict[str, str]:
    """The files that players are named by, with their digests."""
    return {name: file_digest(path) for maker in setting.makers if isinstance(maker, str)
            for name, path in named_files(maker, setting.game)}  # fmt: skip


def _changed(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    return [name for name in sorted({*before, *now}) if before.get(name) != now.get(name)]


def _unlike(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """In what an evaluation differs from that on file."""
    found = [f"{name} {_said(before.get(name))}, not {now[name]}"
             for name in ("game", "digest", "players", "seed", "limit") if before.get(name) != now[name]]  # fmt: skip
    lucks = before.get("luck", ORDER), now.get("luck", ORDER)
    if lucks[0] != lucks[1]:
        found.append(f"luck by {_said(lucks[0])}, not by {lucks[1]}")
    options = before["options"]
    found += [f"{name}={_said(options.get(name))}, not {_said(value)}" for name, value in now["options"].items()
              if options.get(name) != value]  # fmt: skip
    makers = before["with"]
    if list(makers) != list(now["with"]):
        found.append(f"played by {', '.join(makers)}, not {', '.join(now['with'])}")
    else:
        found += [f"{name} was {_said(makers[name])}, not {maker}" for name, maker in now["with"].items()
                  if makers[name] != maker]  # fmt: skip
        found += [f"the file {name} has changed" for name in _changed(before["files"], now["files"])]
    return found


def _said(value: Any) -> str:
    """A value out of a file, as a sentence may quote it."""
    return clipped(str(value))


def evaluate(
    game: str | Game,
    who: Sequence[str] | Mapping[str, Maker],
    players: int | None = None,
    *,
    games: int = 100,
    seed: int | None = None,
    options: GameOptions | dict[str, Any] | None = None,
    out: str | os.PathLike[str] = "runs/evaluation",
    processes: int | None = None,
    limit: float | None = None,
    memory: float | None = None,
) -> Summary:
    """Let players play one another and sum up how they did; ``out`` gets the results and a report.

    Without a seed one is drawn that no player can foresee; it is kept in ``out/evaluation.json``, and games can be
    played again with it. A player that takes more than `limit` seconds for a decision forfeits its game. With a limit,
    a number of `processes` or gigabytes of `memory` for each, games are played in processes of their own, which a
    player may hang, kill or fill: nothing of its own is imported or made here.
    """
    from alarife.evaluation.report import write_report

    evaluation = Evaluation.make(game, who, players, games, seed, options, limit, memory)
    summary = evaluation.run(out, processes)
    write_report(Path(out) / "report.html", evaluation.about(), summary)
    return summary


__all__ = ["Evaluation", "evaluate", "require_extra"]
