"""Games as tasks of a Ray cluster, by the judge of one machine: each task plays some games in a process of its own.

That process stays for the next task of the same players, and ends with Ray's own.

The players' files travel with the tasks, so the machines share no folder; alarife, the game and players that are code
have to be installed on each of them. Results come back to the one process that writes them.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import signal
import socket
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Self, TypeVar

import alarife
from alarife.engine.errors import AlarifeError, missing_extra
from alarife.engine.files import write_whole
from alarife.engine.game import Game
from alarife.engine.reading import read_bytes
from alarife.engine.registry import find_game
from alarife.evaluation.match import Setting
from alarife.evaluation.results import Result
from alarife.evaluation.run import named_files
from alarife.evaluation.schedule import Fixture
from alarife.evaluation.workers import Crew
from alarife.players.policy import MOST_CHECKPOINT

PART = 50  # games of a task at most
ROUNDS = 4  # tasks for each processor at least, where there are games enough, so that all end at about the same time
KNOCK = 10.0  # seconds
T = TypeVar("T")


class Cluster:
    """A cluster that is joined for as long as the run lasts; `hire` gives hands for a setting."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.played: Counter[str] = Counter()  # games by the node that played them

    def __enter__(self) -> Self:
        self._ray = _ray()
        _join(self._ray, self.address)
        return self

    def __exit__(self, *error: object) -> None:
        self._ray.shutdown()

    def hire(self, setting: Setting) -> RayHands:
        """Hands that play the games of a setting."""
        return RayHands(self._ray, setting, self.played)

    def run(self, work: Callable[..., T], calls: Sequence[tuple[Any, ...]]) -> Generator[tuple[str, T], None, None]:
        """Call a function with each of these arguments, as tasks; the node and the answer, in the order they end."""
        return _run(self._ray, work, calls)


class RayHands:
    """Tasks on the cluster."""

    def __init__(self, ray: Any, setting: Setting, played: Counter[str]) -> None:
        self._ray, self._setting, self._games = ray, setting, played
        if not all(isinstance(maker, str) for maker in setting.makers):
            raise AlarifeError("on a cluster players are named: other machines do not know the callables of this one")
        self._files: dict[str, bytes] = {}
        for maker in setting.makers:
            self._files |= files_to_send(str(maker), setting.game)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing is left behind: tasks that nobody waits for have been cancelled by `play`."""

    def try_out(self) -> None:
        """Make each player that is not alarife's own once, here; raise for the first that cannot take part."""
        with Crew(self._setting, 1) as crew:
            crew.try_out()

    def play(self, due: Sequence[Fixture], seed: int) -> Generator[Result, None, None]:
        """The games, in the order in which their tasks end."""
        if not due:
            return
        setting = self._setting
        processors = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        size = max(1, min(PART, -(-len(due) // (ROUNDS * processors))))
        about = {
            "game": setting.game.id, "luck": setting.game.luck, "players": setting.players,
            "options": setting.options.to_dict(), "names": setting.names, "makers": setting.makers,
            "limit": setting.limit, "memory": setting.memory, "digest": setting.game.digest,
            "alarife": alarife.__version__,
        }  # fmt: skip
        files = self._ray.put(self._files)
        calls = [(about, files, list(due[at : at + size]), seed) for at in range(0, len(due), size)]
        with closing(_run(self._ray, play_part, calls)) as answers:
            for node, results in answers:
                self._games[node] += len(results)
                yield from results


def _run(ray: Any, work: Callable[..., T], calls: Sequence[tuple[Any, ...]]) -> Generator[tuple[str, T], None, None]:
    """The answers of tasks and the nodes that gave them; tasks that nobody waits for any more are cancelled."""

    def told(*call: Any) -> tuple[str, T]:
        return _ray().get_runtime_context().get_node_id(), work(*call)

    task = ray.remote(num_cpus=1, max_retries=2)(told)
    waiting = [task.remote(*call) for call in calls]
    try:
        while waiting:
            done, waiting = ray.wait(waiting, num_returns=1)
            yield _answer(ray, done[0])
    finally:
        for left in waiting:
            ray.cancel(left, force=True)


def _answer(ray: Any, task: Any) -> Any:
    try:
        return ray.get(task)
    except ray.exceptions.RayTaskError as error:
        raise AlarifeError(f"a machine of the cluster cannot go on: {error.cause}") from None
    except ray.exceptions.RayError as error:
        raise AlarifeError(f"the cluster has lost a task: {' '.join(str(error).split())[:300]}; what was done before "
                           "is on file") from None  # fmt: skip


def check_here(game: Game, version: str, digest: str) -> None:
    """Refuse a task for another alarife or other rules than those of this machine."""
    here = alarife.__version__, game.digest
    if here != (version, digest):
        raise AlarifeError(f"{socket.gethostname()} has alarife {here[0]} with the rules {here[1]} of {game.id}, "
                           f"the run is by {version} with {digest}")  # fmt: skip


def play_part(about: Mapping[str, Any], files: Mapping[str, bytes], due: Sequence[Fixture], seed: int) -> list[Result]:
    """Some games, on whichever node this is, in a process of their own, as everywhere."""
    try:
        with closing(_crew_for(about, files, seed).play(due, seed)) as played:
            return list(played)
    except BaseException:
        _crew_here.clear()
        raise


class _CrewHere:
    """A crew that stays for the next task of the same players: to begin one takes seconds."""

    def __init__(self, key: str, about: Mapping[str, Any], files: Mapping[str, bytes], seed: int) -> None:
        game = find_game(about["game"]).with_luck(about["luck"])
        check_here(game, about["alarife"], about["digest"])
        self.key, self._folder = key, tempfile.TemporaryDirectory(prefix="alarife-")
        makers = tuple(with_files(str(maker), files, Path(self._folder.name)) for maker in about["makers"])
        setting = Setting(game, about["players"], game.make_options(about["options"]), seed, tuple(about["names"]),
                          makers, about["limit"], about["memory"])  # fmt: skip
        self.crew = Crew(setting, 1)

    def end(self) -> None:
        """End its process, and remove the players' files."""
        self.crew.__exit__()
        self._folder.cleanup()


class _Kept:
    """The one crew of this process."""

    def __init__(self) -> None:
        self.one: _CrewHere | None = None

    def clear(self) -> None:
        """End it."""
        if self.one is not None:
            self.one.end()
        self.one = None


_crew_here = _Kept()


def _crew_for(about: Mapping[str, Any], files: Mapping[str, bytes], seed: int) -> Crew:
    told = hashlib.sha256(json.dumps(about, sort_keys=True).encode())
    for name, content in sorted(files.items()):
        told.update(name.encode() + hashlib.sha256(content).digest())
    if _crew_here.one is None or _crew_here.one.key != told.hexdigest():
        _crew_here.clear()
        _crew_here.one = _CrewHere(told.hexdigest(), about, files, seed)
    return _crew_here.one.crew


def files_to_send(maker: str, game: Game) -> dict[str, bytes]:
    """The files that a player's name names, by the words for them; the game's own agent lies on every machine."""
    return {word: read_bytes(path, "checkpoint", MOST_CHECKPOINT)
            for word, path in named_files(maker, game) if word != "trained"}  # fmt: skip


def with_files(maker: str, files: Mapping[str, bytes], folder: Path) -> str:
    """A player's name with copies of its files in place of them."""
    for name, content in sorted(files.items(), key=lambda item: -len(item[0])):
        if name in maker:
            copy = folder / f"{hashlib.sha256(content).hexdigest()[:16]}{Path(name).suffix}"
            write_whole(copy, content)
            maker = maker.replace(name, str(copy))
    return maker


# --- the cluster --------------------------------------------------------------------------------------


def _ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ModuleNotFoundError as error:
        raise missing_extra("a cluster needs", "rllib", error) from None
    return ray


def _join(ray: Any, address: str) -> None:
    host, _, port = address.rpartition(":")
    if host and port.isdigit():  # Ray would try for minutes where nobody listens
        try:
            socket.create_connection((host, int(port)), timeout=KNOCK).close()
        except OSError as error:
            raise _not_joined(address, error) from None
    before = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        raise _not_joined(address, error) from None
    finally:
        with suppress(ValueError):  # only the main thread may
            signal.signal(signal.SIGTERM, before)  # Ray puts a handler of its own there


def _not_joined(address: str, error: Exception) -> AlarifeError:
    return AlarifeError(f"cannot join the cluster {address}: {' '.join(str(error).split())}")
