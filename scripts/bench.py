"""How fast the games are on this machine: python scripts/bench.py [game ...] [--quick | --threads | --views].

Prints what was measured, its ratio to a loop in plain Python ("x calib"), the bar where there is one and whether it was
met. A missed bar is told and no error: machines differ, and this one may be busy.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

HOME = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(HOME / "envs"), str(HOME / "tests")]
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402

from alarife.engine.batch import Batch  # noqa: E402
from alarife.engine.board import CHECK, SAMPLE, STEP  # noqa: E402
from alarife.engine.crew import Desk, cores  # noqa: E402
from alarife.engine.game import Game  # noqa: E402
from alarife.engine.registry import find_game, game_names  # noqa: E402
from alarife.testing import speed  # noqa: E402

#: At least so many a second, on one idle core.
RATE_BARS = {
    "viva": {
        "random rollouts": 5e6,
        "batch of 1,024": 2.5e6,
        "raw_env": 150e3,
        "env": 60e3,
        "clone": 1e6,
        "resample": 500e3,
        "mc, random rollouts": 10e3,
    },
    "patios": {"mc, random rollouts": 10e3},
    "viana": {"mc, random rollouts": 3e3},
    "lisboa": {"mc, random rollouts": 3e3},
}
#: At least so much of the speed of the same rules in C.
C_BARS = {"random rollouts": 0.85, "batch of 1,024": 0.75}
#: At least so much of the speed of one thread, where there are two idle cores.
THREADS_BAR = 1.6
#: At most so many seconds.
IMPORT_BAR = 0.6
START_BARS = {"viva": {"cold": 10.0, "warm": 0.5}}


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    game: str
    name: str
    value: float
    unit: str
    calib: float | None = None
    bar: float | None = None
    met: bool | None = None
    note: str = ""


def main() -> None:
    """Measure and print."""
    arguments = parsed()
    print(f"{machine()}\ncalibration loop: {speed.calibrate(seconds=0.2):,.0f}/s\n")
    rows = []
    for name in arguments.games or game_names():
        game = find_game(name)
        print(f"{game.id}, {arguments.players or game.default_players} players")
        for row in measured(game, arguments):
            rows.append(row)
            print(line(row), flush=True)
        print()
    missed = [row for row in rows if row.met is False]
    print(f"{sum(row.met is True for row in rows)} bars met, {len(missed)} missed"
          + "".join(f"\n  {row.game}: {row.name}" for row in missed))  # fmt: skip
    if arguments.json:
        arguments.json.write_text(json.dumps({"machine": machine(), "rows": [asdict(row) for row in rows]}, indent=1))


def parsed() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description="How fast the games are on this machine.")
    parser.add_argument("games", nargs="*", metavar="game", help="by default all")
    parser.add_argument("--players", type=int, help="seats at the table")
    parser.add_argument("--quick", action="store_true", help="a few seconds a game, less exact, without fresh starts")
    parser.add_argument("--threads", action="store_true", help="only what a second thread brings; wants idle cores")
    parser.add_argument("--views", action="store_true", help="only what views cost in their own type and as float32")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there too")
    return parser.parse_args()


def measured(game: Game, arguments: argparse.Namespace) -> Iterator[Row]:
    """All lines of a game."""
    if arguments.threads or arguments.views:
        rows = thread_rows if arguments.threads else view_rows
        yield from rows(game, arguments.players, 0.02, 40)
        return
    if not arguments.quick:
        yield from start_rows(game, arguments.players)
    seconds, rounds = (0.05, 3) if arguments.quick else (0.1, 9)
    bars = RATE_BARS.get(game.name, {})
    for rate in speed.measure(game, arguments.players, seconds, rounds):
        bar = bars.get(rate.name)
        yield Row(game.name, rate.name, rate.rate, f"{rate.unit}/s", rate.calib, bar, bar and rate.rate >= bar,
                  rate.note)  # fmt: skip
    yield from thread_rows(game, arguments.players, 0.02, 5 * rounds)
    if game.name == "viva":
        yield from twin_rows(game, arguments.players, seconds, 3 * rounds)


def thread_rows(game: Game, players: int | None, seconds: float, rounds: int) -> Iterator[Row]:
    """What a second thread brings: the best of many short rounds, one thread and two in turns, by the wall's clock."""
    one, two = (rate.rate for rate in speed.measured(speed.thread_loads(game, players), seconds, rounds))
    bar = THREADS_BAR if cores() > 1 else None
    gain = two / one
    yield Row(game.name, "two threads", gain, "of one", None, bar, bar and gain >= bar, speed.cores_told())


def view_rows(game: Game, players: int | None, seconds: float, rounds: int) -> Iterator[Row]:
    """What views cost as the game writes them and as float32, in turns."""
    loads = []
    for kind in (None, "float32"):
        batch = Batch(game, speed.GAMES, players, observation_dtype=kind)
        name, steps = str(batch.observation_dtype), speed.batch_steps(batch)
        loads.append(speed.Workload(name, "decisions", steps, note=partial(_size, batch)))
    if len({load.name for load in loads}) == 1:
        return  # a game that writes float32 itself
    own, floats = speed.measured(loads, seconds, rounds)
    for rate in (own, floats):
        yield Row(game.name, f"views in {rate.name}", 1e9 / rate.rate, "ns/decision", None, None, None, rate.note)
    yield Row(game.name, f"  {own.name} / float32", own.rate / floats.rate, "of float32")


def _size(batch: Batch) -> str:
    return f"{batch.observation[0].nbytes:,} bytes a view"


def start_rows(game: Game, players: int | None) -> Iterator[Row]:
    """Fresh processes: importing, compiling, starting again."""
    if (starts := speed.starts(game, players)) is None:
        return
    cold, warm = starts
    bars = START_BARS.get(game.name, {})
    yield at_most(game, "import alarife", warm.imports, IMPORT_BAR)
    yield Row(game.name, f"of {', '.join(speed.HEAVY)} imported", len(warm.heavy), "packages", None, 0, not warm.heavy)
    yield at_most(game, "first step, cold", cold.first_step, bars.get("cold"))
    yield at_most(game, "first step, compiled before", warm.first_step, bars.get("warm"))


def at_most(game: Game, name: str, seconds: float, bar: float | None) -> Row:
    """A line in seconds, where less is better."""
    return Row(game.name, name, seconds, "CPU s", None, bar, None if bar is None else seconds <= bar)


def twin_rows(game: Game, players: int | None, seconds: float, rounds: int) -> Iterator[Row]:
    """The rules as written in C, and how the engine compares."""
    import twin

    if twin.gcc() is None:
        print("  (no comparison with C: there is no gcc)")
        return
    flags = {"gcc -O3": ("-O3",), "gcc -O3 -march=native": ("-O3", "-march=native")}
    loads = pair_of_loads("engine", partial(Batch, game, players=players), speed.batch_steps)
    for name, options in flags.items():
        loads += pair_of_loads(name, partial(twin.twin_batch, players=players, flags=options), prepared_steps)
    rates = {rate.name: rate for rate in speed.measured(loads, seconds, rounds)}
    for name in flags:
        for kind, bar in C_BARS.items():
            ours, theirs = rates[f"engine: {kind}"], rates[f"{name}: {kind}"]
            yield Row(game.name, f"{name}: {kind}", theirs.rate, "decisions/s", theirs.calib)
            least = bar if name == "gcc -O3" else None
            share = ours.rate / theirs.rate
            yield Row(game.name, f"  engine / {name}: {kind}", share, "of C", None, least, least and share >= least)


def pair_of_loads(name: str, make: Callable[..., Batch], steps: Callable[[Batch], speed.Work]) -> list[speed.Workload]:
    """Rollouts and batch, by the engine or by C."""
    works = dict(zip(C_BARS, (speed.rollouts(make(games=1)), steps(make(games=speed.GAMES))), strict=True))
    return [speed.Workload(f"{name}: {kind}", "decisions", work) for kind, work in works.items()]


def prepared_steps(batch: Batch) -> speed.Work:
    """What `Batch.step_random` does, with C called at no more cost than a compiled kernel."""
    arrays, desk = batch.arrays, Desk(batch.arrays)
    arrays.rows_wanted[:] = np.arange(batch.games)
    call = prepared(desk.step, SAMPLE | CHECK | STEP, batch.games)

    def work() -> int:
        call()
        return batch.games

    return work


def prepared(bound: partial[Any], *arguments: Any) -> Callable[[], int]:
    """A bound function of C as a call without arguments."""
    return bound.func.prepare(*bound.args, *arguments)  # type: ignore[no-any-return]


def line(row: Row) -> str:
    """A row as text."""
    value = f"{row.value:,.2f}" if row.value < 100 else f"{row.value:,.0f}"
    calib = "" if row.calib is None else f"{row.calib:8.3g} x calib"
    bar = "" if row.bar is None else f"bar {row.bar:,g} {'met' if row.met else 'MISSED'}"
    return f"  {row.name:44} {value:>14} {row.unit:12} {calib:17} {bar} {row.note}".rstrip()


def machine() -> str:
    """Processor, cores and versions."""
    import numba
    import numpy

    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [text.split(":")[1].strip() for text in info.read_text().splitlines() if text.startswith("model name")]
        model = names[0] if names else model
    return (f"{model}, {speed.cores_told()}, {platform.system()}; Python {platform.python_version()}, "
            f"NumPy {numpy.__version__}, Numba {numba.__version__}")  # fmt: skip


if __name__ == "__main__":
    main()
