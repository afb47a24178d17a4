"""Games in processes of their own, so that a player that hangs or dies costs its game and nothing else.

Each process computes with one thread, unless the environment says otherwise: the processes share out the cores, and how
libraries add up does not depend on how many cores there are.

Whatever is not alarife's own is imported and made in a worker. A worker notes in shared memory who is thinking, or
getting ready, and until when. The parent looks: a worker whose player takes longer is ended and replaced, and that
player forfeits. A worker that dies is replaced, too, and its game is played once more, as the machine may have been at
fault; if that kills a worker again, whoever was asked last forfeits. A player that cannot even get ready forfeits all
its games.

A worker's own parent is a keeper, which does nothing but wait: a player that kills its parent ends its own game. Both
belong to a group of processes of their own, so that what a player forks goes with them, and the keeper ends the
group when the evaluation is gone, however that was ended.
"""

from __future__ import annotations

import contextlib
import json
import math
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections import Counter, deque
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol, Self

from alarife.engine.errors import AlarifeError
from alarife.engine.registry import find_game
from alarife.evaluation.match import MADE, NOBODY, Maker, Setting, forfeit, play_fixture, refusal, strangers, too_long
from alarife.evaluation.results import Result
from alarife.evaluation.schedule import Fixture

LOOK = 0.25  # seconds between two looks at the clock
GRACE = 0.5  # seconds after the limit in which a player may still answer, to be told by its own process
GOING = 2.0  # seconds for a process to end that has closed its line
MOST_BYTES = 1 << 20  # of a result
CUT_OFF = 97  # exit code of a worker whose line to the parent was closed
UNTIL, SEAT, DECISIONS, CODE = range(4)  # what a worker notes
#: How libraries for linear algebra are told how many threads to take: read once, when they are loaded.
THREADS = "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"


@dataclass(frozen=True)
class Trial:
    """A named player to be made and looked at before any game."""

    entrant: int


Task = Fixture | Trial


@dataclass(frozen=True)
class _End:
    """How a player brought its process to a stop."""

    seat: int  # in a trial: the entrant
    decisions: int
    why: str
    is_late: bool = False  # otherwise it has died, in two processes


class Hands(Protocol):
    """Whoever plays the games of a setting, somewhere."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...

    def try_out(self) -> None:
        """Raise for the first named player that cannot take part."""

    def play(self, due: Sequence[Fixture], seed: int) -> Generator[Result, None, None]:
        """The games, in the order in which they end."""
        ...


class Crew:
    """Worker processes, and who has turned out to be unable to play."""

    def __init__(self, setting: Setting, processes: int) -> None:
        self._setting, self._processes = setting, processes
        self._workers: list[_Worker] = []
        self._failed: Counter[int] = Counter()  # by entrant: how often it did not get ready
        self._barred: dict[int, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for worker in self._workers:
            worker.end()

    def try_out(self) -> None:
        """Make each named player that is not alarife's own once; raise for the first that cannot take part."""
        makers = self._setting.makers
        trials = [Trial(entrant) for entrant in strangers(self._setting) if isinstance(makers[entrant], str)]
        refused: dict[int, str] = {}
        for trial, outcome in self._work_off(trials):
            assert isinstance(trial, Trial)
            if isinstance(outcome, _End):
                self._note_failure(trial.entrant, outcome)
            elif outcome["refusal"] is not None:
                refused[trial.entrant] = str(outcome["refusal"])
        if refused:
            raise AlarifeError(refused[min(refused)])

    def play(self, due: Sequence[Fixture], seed: int) -> Generator[Result, None, None]:
        """The games, in the order in which they end."""
        self._setting = replace(self._setting, seed=seed)
        for fixture, outcome in self._work_off(due):
            assert isinstance(fixture, Fixture)
            if not isinstance(outcome, _End):
                yield outcome
                continue
            seat = self._culprit(fixture, outcome.seat)
            if outcome.decisions == MADE:
                self._note_failure(fixture.seats[seat], outcome)
            yield forfeit(self._setting, fixture, seat, outcome.why, max(0, outcome.decisions))

    def _culprit(self, fixture: Fixture, seat: int) -> int:
        """Who has ended a process: no player of alarife's own if a single stranger shared it."""
        foreign = [s for s, entrant in enumerate(fixture.seats) if entrant in strangers(self._setting)]
        is_clear = seat not in foreign and len({fixture.seats[s] for s in foreign}) == 1
        return foreign[0] if is_clear else seat

    def _note_failure(self, entrant: int, end: _End) -> None:
        """Who does not get ready in two processes forfeits all games to come."""
        self._failed[entrant] += 1 if end.is_late else 2
        if self._failed[entrant] > 1:
            self._barred.setdefault(entrant, end.why)

    def _barred_seat(self, task: Task) -> int | None:
        seats = task.seats if isinstance(task, Fixture) else ()
        return next((seat for seat, entrant in enumerate(seats) if entrant in self._barred), None)

    def _work_off(self, tasks: Iterable[Task]) -> Generator[tuple[Task, Result | _End], None, None]:
        """Every task with its outcome."""
        waiting = deque(tasks)
        died: set[Task] = set()
        while len(self._workers) < min(self._processes, len(waiting)):
            self._workers.append(_Worker(self._setting))
        crew = self._workers
        while waiting or any(worker.task for worker in crew):
            for worker in crew:
                while worker.task is None and waiting:
                    task = waiting.popleft()
                    if (seat := self._barred_seat(task)) is not None:
                        assert isinstance(task, Fixture)
                        yield task, _End(seat, MADE, self._barred[task.seats[seat]])
                    else:
                        worker.begin(task, self._setting.seed)
            wait([sign for worker in crew if worker.task for sign in worker.signs], LOOK)
            for i, worker in enumerate(crew):
                if worker.task is None:
                    continue
                task, is_dead = worker.task, worker.is_dead  # asked once: it may die between two questions
                if (result := worker.result()) is not None:
                    yield task, result
                elif (is_dead or worker.is_cut_off) and task not in died and worker.code != CUT_OFF:
                    died.add(task)
                    waiting.appendleft(task)
                    crew[i] = worker.replaced()
                elif is_dead or worker.is_cut_off or worker.is_late:
                    yield task, worker.told_end()
                    crew[i] = worker.replaced()


@contextlib.contextmanager
def one_thread_each() -> Generator[None, None, None]:
    """Processes that are begun meanwhile compute with one thread, but for libraries that were told otherwise."""
    told = [name for name in THREADS if name not in os.environ]
    os.environ |= dict.fromkeys(told, "1")
    try:
        yield
    finally:
        for name in told:
            del os.environ[name]


class _Worker:
    """A process that does one task after the other, as the parent sees it."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.task: Task | None = None
        self.is_cut_off = False
        context = multiprocessing.get_context("spawn")
        self._note = context.RawArray("d", 4)  # until when a player may think, its seat, decisions, an exit code
        self._pipe, theirs = context.Pipe()
        packed = [_packed(maker) for maker in setting.makers]
        named = setting.game.name, setting.game.luck
        about = (named, setting.players, setting.options.to_dict(), setting.names, packed, setting.limit,
                 setting.memory, setting.making)  # fmt: skip
        self._process = context.Process(target=_keep, args=(theirs, self._note, about))
        with one_thread_each():
            self._process.start()
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
        """Whether a player has been thinking, or getting ready, for longer than the limit."""
        return bool(self._note[SEAT] != NOBODY and time.monotonic() > self._note[UNTIL] + GRACE)

    @property
    def code(self) -> int:
        """How the worker ended, or else its keeper; CUT_OFF where it has only closed its line."""
        if self._process.is_alive():
            return CUT_OFF
        return int(self._note[CODE]) or int(self._process.exitcode or 0)

    def begin(self, task: Task, seed: int) -> None:
        """Send a task; a process that has died meanwhile is noticed when its result is awaited."""
        self.task = task
        self._note[:] = [math.inf, NOBODY, 0, 0]
        with contextlib.suppress(OSError):
            self._pipe.send((task, seed))

    def result(self) -> Result | None:
        """The result of the task, if it is done. What a worker says is read as text: it runs nothing here."""
        try:
            if self.is_cut_off or not self._pipe.poll():
                return None
            result = json.loads(self._pipe.recv_bytes(MOST_BYTES))
            if not isinstance(result, dict) or not self._answers(result):
                raise ValueError("not what was asked for")
        except (EOFError, OSError, ValueError, RecursionError):
            self._process.join(GOING)
            self.is_cut_off = True
            return None
        self.task = None
        return result

    def _answers(self, result: Result) -> bool:
        if isinstance(self.task, Fixture):
            seats = [self.setting.names[entrant] for entrant in self.task.seats]
            return result.get("deal") == self.task.deal and result.get("seats") == seats
        return "refusal" in result

    def told_end(self) -> _End:
        """Who has brought the process to a stop, and how."""
        seat, decisions, limit = int(self._note[SEAT]), int(self._note[DECISIONS]), self.setting.limit
        if not (self.is_dead or self.is_cut_off):
            assert limit is not None, "nobody is late where there is no limit"
            ready = f"OutOfTime: took longer than {limit + self.setting.making:g} s to get ready"
            return _End(seat, decisions, ready if decisions == MADE else too_long(limit), is_late=True)
        if seat == NOBODY:
            raise AlarifeError(
                f"{self.task}: a process died twice while no player was thinking (exit code {self.code}); "
                "what was played is on file"
            )
        if self.code == CUT_OFF:
            return _End(seat, decisions, "it closed the line between its process and the judge")
        doing = " while it got ready" if decisions == MADE else ""
        return _End(seat, decisions, f"its process died twice{doing} (exit code {self.code})")

    def replaced(self) -> _Worker:
        """A new worker in place of this one."""
        self.end()
        return _Worker(self.setting)

    def end(self) -> None:
        """End the process and all that it has begotten, whatever they are doing."""
        _end_group(self._process.pid)
        self._process.kill()
        _end_group(self._process.pid)
        self._process.join()
        self._pipe.close()


def _end_group(leader: int | None) -> None:
    if leader is not None and hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)


def _packed(maker: Maker) -> str | bytes:
    """A maker as it is sent to a worker, which unpacks it when it makes the player."""
    if isinstance(maker, str):
        return maker
    try:
        return pickle.dumps(maker)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise AlarifeError(f"players for other processes are names, or callables that they can import: {error}"
                           ) from None  # fmt: skip


@dataclass(frozen=True)
class _Unpacked:
    """A maker in a worker."""

    packed: bytes

    def __call__(self, seed: int) -> Any:
        return pickle.loads(self.packed)(seed)  # noqa: S301 - our parent's


# --- in the other process -----------------------------------------------------------------------------


def _keep(pipe: Connection, note: Any, about: tuple[Any, ...]) -> None:
    """Start a worker, wait for its end, and note how it ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    parent = multiprocessing.parent_process()
    if not hasattr(os, "fork") or parent is None:
        _work(pipe, note, about)
        return
    os.setsid()
    worker = os.fork()
    if worker == 0:
        _work(pipe, note, about)
    pipe.close()
    threading.Thread(target=_go_with, args=(parent.sentinel,), daemon=True).start()
    _, status = os.waitpid(worker, 0)
    note[CODE] = os.waitstatus_to_exitcode(status)
    os._exit(1)


def _go_with(sentinel: int) -> None:
    """End the whole group when the evaluation has ended."""
    wait([sentinel])
    _end_group(os.getpid())


def _work(pipe: Connection, note: Any, about: tuple[Any, ...]) -> None:
    """What a worker process does. It does not return, so that nothing that a player has left behind is run."""
    code = 1
    try:
        _do_tasks(pipe, note, about)
        code = 0
    except (EOFError, OSError):
        code = 0 if _is_open(pipe) else CUT_OFF
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _do_tasks(pipe: Connection, note: Any, about: tuple[Any, ...]) -> None:
    _keep_stdout_clean()
    (name, luck), players, options, names, packed, limit, memory, making = about
    game = find_game(name).with_luck(luck)
    makers = tuple(maker if isinstance(maker, str) else _Unpacked(maker) for maker in packed)
    setting = Setting(game, players, game.make_options(options), 0, names, makers, limit, memory, making)
    _limit_memory(memory)
    ready: set[int] = set()
    process, line, clock = os.getpid(), _line(pipe), time.monotonic

    def notice(seat: int, decisions: int, seconds: float) -> None:
        if seat != NOBODY:
            note[:CODE] = [clock() + seconds, seat, decisions]
            return
        note[UNTIL] = math.inf
        if os.getpid() != process:
            os._exit(0)  # a player has forked, and this is the copy
        if _line(pipe) != line:
            os._exit(CUT_OFF)

    while True:
        task, seed = pipe.recv()
        if isinstance(task, Trial):
            notice(task.entrant, MADE, math.inf if limit is None else limit + making)
            answer: Result = {"refusal": refusal(setting, packed[task.entrant])}
            notice(NOBODY, 0, math.inf)
        else:
            answer = play_fixture(replace(setting, seed=seed), task, ready, notice)
        if os.getpid() != process:
            os._exit(0)
        pipe.send_bytes(json.dumps(answer).encode())


def _line(pipe: Connection) -> tuple[int, int] | None:
    """What the line to the parent is, to notice if a player has closed it."""
    try:
        about = os.fstat(pipe.fileno())
    except (OSError, ValueError):
        return None
    return about.st_dev, about.st_ino


def _is_open(pipe: Connection) -> bool:
    return _line(pipe) is not None


def _keep_stdout_clean() -> None:
    """What players print goes to stderr: stdout is the evaluation's."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()
        os.dup2(2, 1)


def _limit_memory(gigabytes: float | None) -> None:
    """Let a process that takes too much memory fail by itself, and let the system choose it before the parent."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("500")
    if gigabytes is None:
        return
    import resource

    most = int(gigabytes * 2**30)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
