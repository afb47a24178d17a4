"""What can be opened: replays, saves, and the games of evaluations and training runs, below one folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.numbers import is_whole, seed_number, short
from alarife.engine.reading import read_json
from alarife.engine.registry import find_game
from alarife.engine.replay import REPLAY, Replay, load, record
from alarife.engine.table import Table
from alarife.evaluation.match import deal_key, player_seed
from alarife.evaluation.results import read_results
from alarife.evaluation.run import FORMAT
from alarife.evaluation.schedule import Fixture
from alarife.players import find_player
from alarife.players.find import CHECKPOINT, FOREIGN, kind_of
from alarife.players.turns import decide
from alarife.web.session import Session

MOST_FILES = 500  # that are listed
HEAD = 2000  # characters of a file in which it says what it is
EVALUATION = "evaluation.json"


class Library:
    """The files below a folder; nothing else is opened."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()

    def path_of(self, name: Any) -> Path:
        """A file that was named from outside, if it lies in the folder."""
        path = (self.folder / str(name)).resolve()
        if not path.is_relative_to(self.folder) or not path.is_file():
            raise FileError(f"there is no file {short(str(name))} in the folder that is served")
        return path

    def listing(self) -> dict[str, list[dict[str, Any]]]:
        """What there is, the newest first."""
        found: dict[str, list[dict[str, Any]]] = {"replays": [], "saves": [], "evaluations": [], "agents": []}
        for path in self._files():
            kind = self._kind(path)
            if kind and len(found[kind]) < MOST_FILES:
                found[kind].append({"file": path.relative_to(self.folder).as_posix()} | self._about(kind, path))
        return found

    def _files(self) -> list[Path]:
        if not self.folder.is_dir():
            return []
        wanted = [path for ending in (".json", ".save", CHECKPOINT) for path in self.folder.rglob(f"*{ending}")
                  if path.is_file() and path.resolve().is_relative_to(self.folder)]  # fmt: skip
        return sorted(wanted, key=lambda path: (-path.stat().st_mtime, path))

    @staticmethod
    def _kind(path: Path) -> str:
        if path.suffix == CHECKPOINT:
            return "agents"
        if path.suffix == ".save":
            return "saves"
        with path.open(encoding="utf-8", errors="replace") as file:
            head = file.read(HEAD)
        if f'"{REPLAY}"' in head:
            return "replays"
        return "evaluations" if path.name == EVALUATION and f'"{FORMAT}"' in head else ""

    @staticmethod
    def _about(kind: str, path: Path) -> dict[str, Any]:
        if kind != "evaluations":
            return {}
        try:
            about = read_json(path, "evaluation")
            return {"title": str(about["title"]), "players": list(about["with"])}
        except (AlarifeError, KeyError, TypeError):
            return {}

    # --- opening ----------------------------------------------------------------------------------

    def open(self, name: Any, who: list[str], line: Any = None) -> Session:
        """A session of a file: a replay is looked at, a save goes on with players, an evaluation's game is replayed."""
        path = self.path_of(name)
        title = path.relative_to(self.folder).as_posix()
        if path.suffix == ".save":
            return Session(load(path), who, title=title)
        if path.name == EVALUATION:
            return self._game_of_evaluation(path, line)
        return Session.of_replay(Replay.read(path), title)

    def games_of(self, name: Any) -> list[dict[str, Any]]:
        """The games of an evaluation: who sat where, and how they ended."""
        path = self.path_of(name)
        results = read_results(path.parent / "results.jsonl")
        return [{"line": line, "deal": result["deal"], "seats": result["seats"], "places": result["places"],
                 "scores": result["scores"], "forfeit": "forfeit" in result}
                for line, result in enumerate(results[:MOST_FILES])]  # fmt: skip

    def _game_of_evaluation(self, path: Path, line: Any) -> Session:
        about = read_json(path, "evaluation")
        results = read_results(path.parent / "results.jsonl")
        if not is_whole(line) or not 0 <= line < len(results):
            raise FileError(f"this evaluation has games 0 to {len(results) - 1}, got {short(line)}")
        replay = play_again(about, results[line])
        return Session.of_replay(replay, f"{path.parent.name}, game {line}")


def play_again(about: dict[str, Any], result: dict[str, Any]) -> Replay:
    """A game of an evaluation once more: the same deal, and players with the seeds that they had."""
    try:
        game = find_game(str(about["game"])).with_luck(about.get("luck"))
        names, makers = list(about["with"]), {name: str(maker) for name, maker in about["with"].items()}
        seed, players = seed_number(about["seed"]), int(about["players"])
        seats = tuple(names.index(name) for name in result["seats"])
        options = game.options_of_file(about["options"])
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise FileError(f"this evaluation cannot be played again: {error}") from None
    for name in result["seats"]:
        if kind_of(makers[name]) == FOREIGN:
            raise FileError(f"{name} is code of others: its games are not played again from a file")
    if "forfeit" in result:
        raise FileError("a game that was forfeited is not played again")
    fixture = Fixture(int(result["deal"]), seats)
    table = Table(game, players, options, 0).start(deal_key(seed, fixture.deal))
    sitting = [find_player(makers[name], player_seed(seed, fixture, seat)) for seat, name in enumerate(result["seats"])]
    while not table.over:
        table.play(decide(sitting[table.seat], table, result["seats"][table.seat]))
    if table.scores() != result["scores"]:
        raise FileError(f"played again, the game ends {table.scores()}, not {result['scores']}: a player with a budget "
                        "of time does not play the same twice, nor does one that has changed since")  # fmt: skip
    return record(table, result["seats"])
