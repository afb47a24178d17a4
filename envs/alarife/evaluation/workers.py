"""Games in processes of their own, so that a player that hangs or dies costs its game and nothing else.

A worker notes in shared memory who is thinking and until when. The parent looks: a worker whose player thinks for
longer is ended and replaced, and that player forfeits. A worker that dies is replaced, too, and its game is
played once more, as the machine may have been at fault; if that kills a worker again, whoever was thinking forfeits.
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import time
from collections import deque
from collections.abc import Generator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

from alarife.engine.errors import AlarifeError
from alarife.evaluation.match import NOBODY, Setting, forfeit, play_fixture, too_long
from alarife.evaluation.results import Result
from alarife.evaluation.schedule import Fixture

LOOK = 0.25  # seconds between two looks at the clock
GRACE = 0.5  # seconds after the limit in which a player may still answer, to be told by its own process


def play_in_workers(setting: Setting, due: Sequence[Fixture], processes: int) -> Generator[Result, None, None]:
    """The games, in the order in which they end."""
    waiting = deque(due)
    died: set[Fixture] = set()
    crew = [_Worker(setting) for _ in range(min(processes, len(due)))]
    try:
        while waiting or any(worker.fixture for worker in crew):
            for worker in crew:
                if worker.fixture is None and waiting:
                    worker.begin(waiting.popleft())
            wait([sign for worker in crew if worker.fixture for sign in worker.signs], LOOK)
            for i, worker in enumerate(crew):
                if worker.fixture is None:
                    continue
                is_dead = worker.is_dead  # asked once: it may die between two questions
                if result := worker.result():
                    yield result
                elif is_dead and worker.fixture not in died:
                    died.add(worker.fixture)
                    waiting.appendleft(worker.fixture)
                    crew[i] = worker.replaced()
                elif is_dead or worker.is_late:
                    yield worker.forfeit(is_dead)
                    crew[i] = worker.replaced()
    finally:
        for worker in crew:
            worker.end()


class _Worker:
    """A process that plays one game after the other, as the parent sees it."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.fixture: Fixture | None = None
        context = multiprocessing.get_context("spawn")
        self._note = context.RawArray("d", 3)  # until when a player may think, its seat, decisions so far
        self._pipe, theirs = context.Pipe()
        about = (setting.game, setting.players, setting.options.to_dict(), setting.seed, setting.names,
                 setting.makers, setting.limit)  # fmt: skip
        self._process = context.Process(target=_work, args=(theirs, self._note, about))
        try:
            self._process.start()
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise AlarifeError(f"players for other processes are names, or callables that they can import: {error}"
                               ) from None  # fmt: skip
        theirs.close()

    @property
    def signs(self) -> tuple[Any, ...]:
        """What to wait for: a result or the end of the process."""
        return self._pipe, self._process.sentinel

    @property
    def is_dead(self) -> bool:
        """Whether the process has ended."""
        return not self._process.is_alive()

    @property
    def is_late(self) -> bool:
        """Whether a player has been thinking for longer than the limit."""
        until, seat, _ = self._note
        return bool(seat != NOBODY and time.monotonic() > until + GRACE)

    def begin(self, fixture: Fixture) -> None:
        """Send a game; a process that has died meanwhile is noticed when its result is awaited."""
        self.fixture = fixture
        self._note[:] = [0, NOBODY, 0]
        try:
            self._pipe.send(fixture)
        except OSError:
            self._process.join()

    def result(self) -> Result | None:
        """The result of the game, if it has ended."""
        try:
            if not self._pipe.poll():
                return None
            result: Result = self._pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            return None
        self.fixture = None
        return result

    def forfeit(self, is_dead: bool) -> Result:
        """The result of a game that the player who was thinking has brought to a stop."""
        _, seat, decisions = self._note
        assert self.fixture is not None
        limit = self.setting.limit
        if seat == NOBODY:
            raise AlarifeError(
                f"deal {self.fixture.deal}: a process died twice while no player was thinking "
                f"(exit code {self._process.exitcode}); what was played is on file"
            )
        code = self._process.exitcode
        why = f"its process died twice (exit code {code})" if is_dead or limit is None else too_long(limit)
        return forfeit(self.setting, self.fixture, int(seat), why, int(decisions))

    def replaced(self) -> _Worker:
        """A new worker in place of this one."""
        self.end()
        return _Worker(self.setting)

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.join()
        self._pipe.close()


def _work(pipe: Connection, note: Any, about: tuple[Any, ...]) -> None:
    """What a worker process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    game, players, options, seed, names, makers, limit = about
    setting = Setting(game, players, game.make_options(options), seed, names, makers, limit)
    ready: set[int] = set()

    def notice(seat: int, decisions: int, seconds: float) -> None:
        note[:] = [time.monotonic() + seconds, seat, decisions]

    while True:
        try:
            fixture = pipe.recv()
        except EOFError:
            return
        pipe.send(play_fixture(setting, fixture, ready, notice))
