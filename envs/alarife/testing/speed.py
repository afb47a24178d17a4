"""How fast a game runs here.

    from alarife.testing import speed
    for row in speed.measure(find_game("viva")):
        print(row)

Machines differ and are busy at times. So every workload is timed several times, in turns with all the others, in time
of the processor; the best rate counts, and beside it stands the ratio to a loop in plain Python that was timed just
before and after. Ratios can be compared; bare rates of two runs hardly.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from alarife.adapters.aec import GameModule
from alarife.engine.batch import Batch
from alarife.engine.crew import cores
from alarife.engine.game import Game
from alarife.engine.registry import is_installed
from alarife.engine.table import Table
from alarife.players import ISMCTS, MonteCarlo, Turns
from alarife.players.search_settings import ROLLOUTS
from alarife.players.searching import Searcher

#: Does a piece of work and tells how much it was.
Work = Callable[[], int]
Clock = Callable[[], float]

GAMES = 1024  # side by side in the batch
POSITIONS = 256  # to copy, to resample and to play out
PLAYOUTS = 100  # of a search
SEARCHES: dict[str, type[Searcher]] = {"mc": MonteCarlo, "ismcts": ISMCTS}
HEAVY = "torch", "ray", "matplotlib"  # what `import alarife` must leave alone


@dataclass(frozen=True)
class Speed:
    """One measured rate."""

    name: str
    unit: str
    rate: float  # per second
    calib: float  # the rate divided by that of the calibration loop, the middle one of all rounds
    note: str = ""

    def __str__(self) -> str:
        return f"{self.name:34} {self.rate:14,.0f} {self.unit}/s {self.calib:10.3g} x calib  {self.note}".rstrip()


@dataclass(frozen=True)
class Workload:
    """Something to be timed, in pieces."""

    name: str
    unit: str
    work: Work
    clock: Clock = time.thread_time  # on a busy machine, time lost to others does not count
    note: Callable[[], str] = str  # what there is to say afterwards


def measure(game: Game, players: int | None = None, seconds: float = 0.1, rounds: int = 7) -> list[Speed]:
    """All rates of a game."""
    return measured(list(workloads(game, players)), seconds, rounds)


def cores_told() -> str:
    """How many cores there are, and whether this process may use all of them."""
    there, mine = os.cpu_count() or 1, cores()
    told = f"{there} core{'s' * (there > 1)}"
    return told if mine == there else f"{told}, this process pinned to {mine}"


# --- timing ---------------------------------------------------------------------------------------


def measured(loads: list[Workload], seconds: float = 0.1, rounds: int = 7) -> list[Speed]:
    """The best rate of each workload, all of them timed in turns."""
    rates: dict[str, list[float]] = {load.name: [] for load in loads}
    calibs: dict[str, list[float]] = {load.name: [] for load in loads}
    for load in loads:
        load.work()
    for _ in range(rounds):
        for load in loads:
            before = calibrate(load.clock)
            rate = rate_of(load.work, seconds, load.clock)
            rates[load.name].append(rate)
            calibs[load.name].append(2 * rate / (before + calibrate(load.clock)))
    return [
        Speed(load.name, load.unit, max(rates[load.name]), median(calibs[load.name]), load.note()) for load in loads
    ]


def rate_of(work: Work, seconds: float, clock: Clock = time.thread_time) -> float:
    """How much a second, over at least that many seconds."""
    done, begin = 0, clock()
    while (spent := clock() - begin) < seconds:
        done += work()
    return done / spent


def calibrate(clock: Clock = time.thread_time, seconds: float = 0.02) -> float:
    """How often a second plain Python runs a loop over a thousand whole numbers."""
    return rate_of(_calibration_loop, seconds, clock)


def _calibration_loop() -> int:
    total = 0
    for i in range(1000):
        total += i & 7
    return 1


# --- workloads ------------------------------------------------------------------------------------


def workloads(game: Game, players: int | None = None) -> Iterator[Workload]:
    """All that is timed of a game, at one size of table."""
    yield Workload("random rollouts", "decisions", rollouts(Batch(game, 1, players)))
    yield Workload(f"batch of {GAMES:,}", "decisions", batch_steps(Batch(game, GAMES, players)))
    *_, two = thread_loads(game, players)
    yield two
    yield Workload("playouts", "decisions", playouts(game, players))
    yield Workload("clone", "states", copies(game, players, "clone"))
    yield Workload("resample", "states", copies(game, players, "redraw"))
    yield Workload("fork", "states", copies(game, players, "fork"))
    yield Workload("raw_env", "decisions", aec_steps(GameModule(game).raw_env(players=players)))
    yield Workload("env", "decisions", aec_steps(GameModule(game).env(players=players)))
    table = Table(game, players, seed=1)
    yield Workload("table", "decisions", table_steps(table))
    yield Workload("table, clone", "tables", table_copies(table, lambda t: t.clone()))
    yield Workload("table, fork", "tables", table_copies(table, lambda t: t.fork(t.seat, 1)))
    yield Workload("interpreted", "decisions", batch_steps(Batch(game, 4, players, interpreted=True)))
    for name, kind in SEARCHES.items():
        for rollout in ROLLOUTS:
            search = Searches(game, players, kind(f"{PLAYOUTS}:{rollout}", seed=1))
            yield Workload(f"{name}, {rollout} rollouts", "playouts", search, note=search.note)


def thread_loads(game: Game, players: int | None = None) -> list[Workload]:
    """A batch with one thread and with two, both by the clock on the wall."""
    batches = {name: Batch(game, GAMES, players, threads=n) for n, name in ((1, "one thread"), (2, "two threads"))}
    return [
        Workload(f"batch of {GAMES:,}, {name}", "decisions", batch_steps(batch), time.perf_counter, cores_told)
        for name, batch in batches.items()
    ]


def rollouts(batch: Batch, decisions: int = 20_000) -> Work:
    """Random legal play, one game after another, without masks and observations."""
    lengths, rollout = np.zeros(2, np.int64), batch.arrays.rollout

    def work() -> int:
        rollout(decisions, np.uint64(1), lengths)
        return decisions

    return work


def batch_steps(batch: Batch) -> Work:
    """Random legal actions, steps, masks and observations of many games."""

    def work() -> int:
        batch.step_random()
        return batch.games

    return work


def playouts(game: Game, players: int | None = None, most: int = 10_000) -> Work:
    """Random play from positions of random games to the end, as a searcher wants it."""
    batch = positions(game, players)
    values = np.zeros((batch.games, game.most_seats), np.float64)
    rows = [np.array([i]) for i in range(batch.games)]
    number = 0

    def work() -> int:
        nonlocal number
        number += 1
        row = rows[number % len(rows)]
        return int(batch.arrays.playouts(row, most, values))

    return work


class Searches:
    """Searches at the first decision of new games: every playout goes from there to the end of the game."""

    def __init__(self, game: Game, players: int | None, player: Searcher) -> None:
        self.table, self.player = Table(game, players, seed=1), player
        self.number = self.playouts = self.decisions = 0

    def __call__(self) -> int:
        """One search; returns its playouts."""
        self.number += 1
        self.table.reset(self.number)
        while len(legal := self.table.legal()) == 1:
            self.table.play(legal[0])
        self.player.search(Turns.of_table(self.table))
        self.playouts += self.player.playouts
        self.decisions += self.player.decisions
        return self.player.playouts

    def note(self) -> str:
        """How long the rollouts were."""
        return f"{self.decisions / self.playouts:,.1f} decisions a rollout"


def positions(game: Game, players: int | None = None, steps: int = 40) -> Batch:
    """Games that have been under way for a while."""
    batch = Batch(game, POSITIONS, players, seed=1)
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


def copies(game: Game, players: int | None, kind: str) -> Work:
    """Copies of positions, natively: as they are, redrawn in place, or both."""
    batch = positions(game, players)
    made, rows = batch.clone(), np.arange(batch.games)
    seats, keys = batch.seat.astype(np.int64), np.arange(batch.games, dtype=np.uint64)
    arrays = batch.arrays
    function, arguments = {
        "clone": (arrays.run.clone, (arrays.states, rows, made)),
        "redraw": (arrays.run.redraw, (made, rows, seats)),
        "fork": (arrays.run.fork, (arrays.states, rows, seats, keys, 0, made)),
    }[kind]

    def work() -> int:
        keys[:] += np.uint64(batch.games)  # the same draws again would be foreseen by the processor
        function(*arguments)
        return batch.games

    return work


def aec_steps(env: Any, decisions: int = 200) -> Work:
    """The PettingZoo loop, choosing among the legal actions with NumPy."""
    random = np.random.default_rng(1).random

    def work() -> int:
        env.reset(seed=None)
        for _ in range(decisions):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset(seed=None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[int(random() * legal.size)]))
        return decisions

    return work


def table_steps(table: Table, decisions: int = 200) -> Work:
    """One game on the table, choosing among the legal actions with NumPy."""
    random = np.random.default_rng(1).random

    def work() -> int:
        for _ in range(decisions):
            if table.over:
                table.reset(1)
            legal = np.flatnonzero(table.mask)
            table.play(int(legal[int(random() * legal.size)]))
        return decisions

    return work


def table_copies(table: Table, copy: Callable[[Table], Table]) -> Work:
    """Copies of a table at its beginning, made from Python."""
    beginning = table.clone()

    def work() -> int:
        for _ in range(20):
            copy(beginning)
        return 20

    return work


# --- fresh processes ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Start:
    """How a fresh process starts, in seconds of the processor."""

    imports: float  # import alarife
    first_step: float  # from there to the first step of a batch
    heavy: tuple[str, ...]  # large packages that were imported, which should be none


_PROGRAM = """
import json, sys, time
begin = time.process_time()
import alarife
imported = time.process_time()
heavy = [name for name in {heavy!r} if name in sys.modules]
batch = alarife.make_batch({game!r}, players={players!r})
batch.step(batch.sample())
print(json.dumps([imported - begin, time.process_time() - imported, heavy]))
"""


def starts(game: Game, players: int | None = None, warm: int = 3) -> tuple[Start, Start] | None:
    """A start that compiles everything, and the best of some that find it compiled; None if others cannot find it."""
    if not is_installed(game.name):
        return None
    with tempfile.TemporaryDirectory() as folder:
        cold = _start(game, players, folder)
        again = [_start(game, players, folder) for _ in range(warm)]
    imports = min(start.imports for start in again)
    return cold, Start(imports, min(start.first_step for start in again), again[0].heavy)


def _start(game: Game, players: int | None, cache: str) -> Start:
    program = _PROGRAM.format(heavy=HEAVY, game=game.name, players=players)
    paths = os.pathsep.join(path for path in sys.path if path)
    environment = {**os.environ, "ALARIFE_CACHE_DIR": cache, "ALARIFE_QUIET": "1", "PYTHONPATH": paths}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - our own program
    if done.returncode:
        raise RuntimeError(f"a fresh process failed to start {game.name}:\n{done.stderr}")
    imports, first_step, heavy = json.loads(done.stdout)
    return Start(imports, first_step, tuple(heavy))
