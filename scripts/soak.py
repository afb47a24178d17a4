"""Play for long, and see that nothing breaks, leaks or differs.

    python scripts/soak.py                              # all games, about twenty minutes
    python scripts/soak.py --game viva --minutes 60     # one of them, for an hour
    python scripts/soak.py --minutes 0                  # the least of everything, about a minute a game once compiled
    python scripts/soak.py --only play,both             # some kinds

Kinds:

- play: games at every table size and with every value of every option, every invariant checked after each decision
- environments: thousands made, played and closed; open files, threads and memory stay as they were
- large: 100,000 games in one batch; some of them are followed as tables of their own
- processes: the same games in processes made by fork, forkserver and spawn, and in threads
- async: Gymnasium's AsyncVectorEnv, compared with its SyncVectorEnv
- both: interpreted and compiled games side by side, with every value of every option, at every table size, to the end
- processors: the same hashes for NUMBA_CPU_NAME unset, generic and x86-64-v3; each compiles anew the first time

`--minutes` is shared by play and both; the other kinds have their numbers. At the end stands one table; the exit code
is 1 if there was a defect.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import platform
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any

HOME = Path(__file__).resolve().parent.parent
sys.path += [str(HOME / "envs"), str(HOME / "tests")]

import gymnasium  # noqa: E402
import numpy as np  # noqa: E402

import alarife  # noqa: E402
from alarife.adapters.gym import NativeVectorEnv, OneSeatEnv  # noqa: E402
from alarife.engine.batch import Batch  # noqa: E402
from alarife.engine.errors import AlarifeError  # noqa: E402
from alarife.engine.game import Game  # noqa: E402
from alarife.engine.layout import check_ranges  # noqa: E402
from alarife.engine.registry import find_game, game_names, is_installed  # noqa: E402
from alarife.engine.table import Table  # noqa: E402
from alarife.testing.kit import trace  # noqa: E402

PATIENCE = 900  # seconds for an answer from other processes; compiling is part of it
MOST_GROWTH = 16 << 20  # bytes of memory; allocators keep some of what they were given back
PROCESSORS = "unset", "generic", "x86-64-v3"
Options = dict[str, Any]

#: Tables of one's own, for options that take one.
TABLES: dict[tuple[str, str], Any] = {
    ("viana", "board"): HOME / "envs/alarife/games/viana/board.toml",
    ("lisboa", "tables"): HOME / "envs/alarife/games/lisboa/tables.toml",
    ("patios", "balconies"): [{"need": [1, 1, 1], "any": 1, "copies": 5}, {"any": 2, "copies": 6}],
}


@dataclass(frozen=True)
class Setting:
    """How much is tried of each game."""

    seconds: float  # of play, and of both
    environments: int
    games: int  # in the large batch
    steps: int  # that every game takes at least


@dataclass
class Row:
    """A line of the table."""

    kind: str
    game: str
    tried: str = ""
    memory: str = ""
    defects: list[str] = field(default_factory=list)


# --- options --------------------------------------------------------------------------------------------


def values_of(game: Game) -> dict[str, list[Any]]:
    """Each option's values: all words, on and off, the default and both ends of numbers, a table of one's own."""
    values: dict[str, list[Any]] = {}
    for option in fields(game.options):
        about: Any = option.metadata
        match about["kind"]:
            case "switch":
                some: list[Any] = [option.default, not option.default]
            case "choice":
                some = list(about["words"])
            case "table":
                own = TABLES.get((game.name, option.name))
                some = [None] if own is None else [None, own]
            case _:
                some = list(dict.fromkeys([option.default, about["low"], about["high"]]))
        values[option.name] = some
    return values


def accepts(game: Game, players: int, options: Options) -> bool:
    """Whether a table of this size may be played with these options."""
    try:
        game.template(players, game.make_options(options))
    except AlarifeError:
        return False
    return True


def variants(game: Game, players: int) -> list[Options]:
    """Options for some games, which together have each value that a table of this size accepts."""
    values = values_of(game)
    chosen: list[Options] = []
    for number in range(max((len(some) for some in values.values()), default=1)):
        options: Options = {}
        for name, some in values.items():
            more = options | {name: some[number % len(some)]}
            options = more if accepts(game, players, more) else options
        chosen.append(options)
    for name, some in values.items():
        for value in some:
            if not any(name in options and options[name] == value for options in chosen):
                chosen += [{name: value}] * accepts(game, players, {name: value})
    return chosen


def left_out(game: Game) -> list[str]:
    """Values of options that no table plays with: there should be none."""
    played = [options for players in game.seats for options in variants(game, players)]
    return [f"{name}={value!r} is played at no table" for name, some in values_of(game).items() for value in some
            if not any(name in options and options[name] == value for options in played)]  # fmt: skip


def tables_of(game: Game) -> list[tuple[int, Options]]:
    """Every table size with every value of every option."""
    return [(players, options) for players in game.seats for options in variants(game, players)]


def words_of(players: int, options: Options) -> str:
    """A table in the words of a defect."""
    return f"{players} players, {', '.join(f'{name}={value}' for name, value in options.items()) or 'no options'}"


# --- memory ---------------------------------------------------------------------------------------------


def memory() -> int | None:
    """Bytes of memory that this process holds, where the system tells it."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if statm.exists() else None


def free_memory() -> int:
    """Bytes that may be asked for."""
    about = Path("/proc/meminfo")
    if not about.exists():
        return 4 << 30
    lines = dict(line.split(":") for line in about.read_text().splitlines())
    return int(lines["MemAvailable"].split()[0]) << 10


def open_files() -> int:
    """How many files and sockets are open, where the system tells it."""
    return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0


def judge_memory(row: Row, before: int | None) -> None:
    """Tell how much memory has grown since then; too much is a defect."""
    now = memory()
    if before is None or now is None:
        row.memory = "not told"
        return
    row.memory = f"{(now - before) / (1 << 20):+.1f} MB"
    if now - before > MOST_GROWTH:
        row.defects.append(f"memory grew by {(now - before) >> 20} MB")


# --- play -----------------------------------------------------------------------------------------------


def play(game: Game, setting: Setting, seed: int) -> Row:
    """Games at all tables in turn, with every range and invariant checked."""
    row = Row("play", game.name, defects=left_out(game))
    made = [Batch(game, 64, players, seed, options) for players, options in tables_of(game)]
    decisions = ended = rounds = 0
    going, before, end = list(range(len(made))), None, time.monotonic() + setting.seconds
    while going and (rounds < 2 or time.monotonic() < end):
        for index in going[:]:
            batch = made[index]
            try:
                ended += checked_steps(batch, setting.steps)
            except Exception as error:
                row.defects.append(f"{words_of(*tables_of(game)[index])}: {type(error).__name__}: {error}")
                going.remove(index)
            decisions += setting.steps * batch.games
            if rounds and time.monotonic() > end:
                break
        rounds += 1
        before = memory() if rounds == 1 else before
    row.tried = f"{decisions:,} decisions, {ended:,} games, {len(made)} tables"
    judge_memory(row, before)
    return row


def checked_steps(batch: Batch, steps: int) -> int:
    """Step a batch, random and scripted in turn, and check everything; how many games ended."""
    ended = 0
    for number in range(steps):
        batch.step(batch.script() if number % 2 else batch.sample())
        batch.check()
        if not batch.action_mask.any(1).all():
            raise AssertionError("a seat to decide has no legal action")
        if number % 8 == 0:
            check_ranges(batch.game.state, batch.state)
        if batch.finished.any():
            ended += int(batch.finished.sum())
            if batch.final_decisions.max() > batch.game.longest:
                raise AssertionError(f"a game took more than {batch.game.longest} decisions")
    return ended


# --- environments -----------------------------------------------------------------------------------------


def of_one_table(game: Game, seed: int) -> None:
    """PettingZoo's environment."""
    env = alarife.make(game, players=game.seats[seed % len(game.seats)], render_mode="ansi")
    env.reset(seed=seed)
    for _ in range(5):
        if not env.terminations[env.agent_selection]:
            env.step(int(np.argmax(env.observe(env.agent_selection)["action_mask"])))
    env.render()
    env.close()


def of_one_seat(game: Game, seed: int) -> None:
    """Gymnasium's."""
    env = OneSeatEnv(game, 0, opponents="random", render_mode="ansi")
    env.reset(seed=seed)
    for _ in range(3):
        if env.step(env.action_space.sample())[2]:
            env.reset()
    env.render()
    env.close()


def of_many_seats(game: Game, seed: int) -> None:
    """Gymnasium's, with several games."""
    env = NativeVectorEnv(game, 3, opponents="scripted")
    env.reset(seed=seed)
    for _ in range(3):
        env.step(env.action_space.sample())
    env.close()


def of_a_batch(game: Game, seed: int) -> None:
    """A batch with threads."""
    batch = Batch(game, 4, list(game.seats), seed, threads=2)
    for _ in range(3):
        batch.step(batch.sample())
    batch.close()


def of_a_table(game: Game, seed: int) -> None:
    """A table, its copies and its forks."""
    table = Table(game, seed=seed)
    for number in range(3):
        table.clone().play(table.legal()[-1])
        table.fork(table.seat, number).check()


MADE: list[Callable[[Game, int], None]] = [of_one_table, of_one_seat, of_many_seats, of_a_batch, of_a_table]


def environments(game: Game, setting: Setting, seed: int) -> Row:
    """Environments made, played for a few decisions, and closed."""
    row = Row("environments", game.name)
    for number in range(4 * len(MADE)):  # whatever is loaded once is loaded here
        MADE[number % len(MADE)](game, seed + number)
    before, files, threads = memory(), open_files(), threading.active_count()
    for number in range(setting.environments):
        MADE[number % len(MADE)](game, seed + number)
    row.tried = f"{setting.environments:,} made and closed"
    if open_files() > files:
        row.defects.append(f"{open_files() - files} files stayed open")
    if threading.active_count() > threads:
        row.defects.append(f"{threading.active_count() - threads} threads stayed alive")
    judge_memory(row, before)
    return row


# --- one large batch ----------------------------------------------------------------------------------------


def bytes_of_a_game(game: Game) -> int:
    """About how many bytes a game takes in a batch."""
    return 2 * game.state.dtype.itemsize + 4 * game.features.size + 3 * game.actions.size + 500


def large(game: Game, setting: Setting, seed: int) -> Row:
    """Many games in a batch; the first, a middle and the last one are followed as tables."""
    row = Row("large", game.name)
    games = min(setting.games, free_memory() // 2 // bytes_of_a_game(game))
    batch = Batch(game, games, list(game.seats), seed)
    followed = {at: Table(game, int(batch.players[at])).start(batch.key_of(at)) for at in (0, games // 2, games - 1)}
    steps = max(10, min(setting.steps, 40))
    for number in range(steps):
        actions = batch.sample()
        batch.step(actions)
        for at, table in followed.items():
            table.play(int(actions[at]))
            if batch.finished[at]:
                table.start(batch.key_of(at))
            if table.to_bytes() != batch.state[at].tobytes():
                row.defects.append(f"row {at} differs from its table at step {number}")
                return row
    batch.check()
    fewer = "" if games == setting.games else f" (of {setting.games:,}, for want of memory)"
    row.tried = f"{games:,} games{fewer}, {steps} decisions each"
    return row


# --- processes and threads ------------------------------------------------------------------------------------


def digest(name: str, steps: int, seed: int) -> str:
    """A digest of all that happens at some tables of a game."""
    game = find_game(name)
    tables = [(players, options) for players in game.seats for options in ({}, variants(game, players)[-1])]
    told = [trace(game, players, game.make_options(options), seed, False, steps) for players, options in tables]
    return hashlib.sha256("".join(told).encode()).hexdigest()


def processes(game: Game, setting: Setting, seed: int) -> Row:
    """The same games by every way to start a process, while a batch with threads lives here; and in threads."""
    row = Row("processes", game.name)
    here = digest(game.name, setting.steps, seed)
    batch = Batch(game, 4, None, seed, threads=2)
    batch.step(batch.sample())
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: digest(game.name, setting.steps, seed), range(4)))
    row.defects += ["a thread plays other games"] * (set(answers) != {here})
    methods = [method for method in multiprocessing.get_all_start_methods() if is_installed(game.name)]
    for method in methods:
        with warnings.catch_warnings(), multiprocessing.get_context(method).Pool(2) as pool:
            warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads: that is what is tried
            try:
                waiting = pool.starmap_async(digest, [(game.name, setting.steps, seed)] * 2)
                row.defects += [f"{method}: other games"] * (set(waiting.get(PATIENCE)) != {here})
            except multiprocessing.TimeoutError:
                row.defects.append(f"{method}: no answer in {PATIENCE} s")
    batch.close()
    row.tried = ", ".join(["4 threads", *methods])
    return row


def asynchronous(game: Game, setting: Setting, seed: int) -> Row:
    """Gymnasium's vector environments, one with processes and one without: all that they tell is the same."""
    row = Row("async", game.name, f"3 environments, {setting.steps} steps")
    if not is_installed(game.name):
        row.tried = "not installed"
        return row
    make = [partial(OneSeatEnv, game.name, 0, opponents="random") for _ in range(3)]
    both = gymnasium.vector.AsyncVectorEnv(make), gymnasium.vector.SyncVectorEnv(make)
    random = np.random.default_rng(seed)
    told = [env.reset(seed=seed) for env in both]
    for number in range(setting.steps + 1):
        (one, *_, infos), (two, *_, others) = told
        same = np.array_equal(one, two) and np.array_equal(infos["action_mask"], others["action_mask"])
        same = same and all(np.array_equal(a, b) for a, b in zip(told[0][1:-1], told[1][1:-1], strict=True))
        if not same:
            row.defects.append(f"it differs from SyncVectorEnv at step {number}")
            break
        actions = [int(random.choice(np.flatnonzero(mask) if mask.any() else len(mask))) for mask in
                   infos["action_mask"]]  # fmt: skip
        told = [env.step(np.array(actions)) for env in both]
    for env in both:
        env.close()
    return row


# --- interpreted and compiled -----------------------------------------------------------------------------------


def both(game: Game, setting: Setting, seed: int) -> Row:
    """Games by the compiled rules and by the same rules run by Python, compared after each decision."""
    row = Row("both", game.name, defects=left_out(game))
    tables = tables_of(game)
    steps = ended = 0
    end = time.monotonic() + setting.seconds
    for number, (players, options) in enumerate(tables):
        until = time.monotonic() + max(0.0, end - time.monotonic()) / (len(tables) - number)
        try:
            taken, over = side_by_side(game, players, options, seed + number, setting.steps, until)
        except Exception as error:
            row.defects.append(f"{words_of(players, options)}: {type(error).__name__}: {error}")
            continue
        steps, ended = steps + taken, ended + over
    row.tried = f"{len(tables)} tables, {2 * steps:,} decisions, {ended} games to the end"
    return row


def side_by_side(game: Game, players: int, options: Options, seed: int, least: int, until: float) -> tuple[int, int]:
    """Two games both ways, for so many steps at least, then until both have ended or time is over."""
    ways = [Batch(game, 2, players, seed, options, "margin", interpreted=mode) for mode in (False, True)]
    over = np.zeros(2, np.bool_)
    steps = 0
    while steps < least or not (over.all() or time.monotonic() > until):
        for batch in ways:
            batch.step(batch.script() if steps % 3 == 2 else batch.sample())
        steps += 1
        one, two = map(hash_of, ways)
        if one != two:
            raise AssertionError(f"seed {seed}: interpreted and compiled games differ at step {steps}")
        over |= ways[0].finished
    return steps, int(over.sum())


def hash_of(batch: Batch) -> str:
    """A hash of all that a batch holds and shows."""
    content = hashlib.sha256()
    for array in (batch.state, batch.action_mask, batch.observation, batch.reward, batch.finished, batch.final_score):
        content.update(array.tobytes())
    return content.hexdigest()


# --- other processors -------------------------------------------------------------------------------------------


def can_run(processor: str) -> bool:
    """Whether code for a processor runs on this one."""
    if processor != "x86-64-v3":
        return True
    about = Path("/proc/cpuinfo")
    known = set(about.read_text().split()) if about.exists() else set()
    return platform.machine() in ("x86_64", "AMD64") and {"avx2", "bmi1", "bmi2", "fma", "f16c", "movbe"} <= known


def processors(game: Game, setting: Setting, seed: int) -> Row:
    """Hashes of games by code that was compiled for other processors."""
    row = Row("processors", game.name)
    if not is_installed(game.name):
        row.tried = "not installed"
        return row
    told: dict[str, str] = {}
    for processor in filter(can_run, PROCESSORS):
        there = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_CPU_")}
        there |= {"PYTHONPATH": os.pathsep.join(sys.path)}
        if processor != "unset":
            there |= {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": ""}
        words = json.dumps([game.name, setting.steps, seed])
        command = [sys.executable, str(Path(__file__).resolve()), "--digest", words]
        try:
            done = subprocess.run(command, env=there, capture_output=True, text=True, check=False, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            row.defects.append(f"{processor}: no answer in {PATIENCE} s")
            continue
        if done.returncode:
            row.defects.append(f"{processor}: {done.stderr[-300:]}")
        else:
            told[processor] = done.stdout.split()[-1]
    if len(set(told.values())) > 1:
        row.defects.append(f"hashes differ: {', '.join(f'{name} {value[:12]}' for name, value in told.items())}")
    row.tried = f"{setting.steps} steps at all table sizes: {', '.join(told)}"
    return row


# --- all of it --------------------------------------------------------------------------------------------------

Kind = Callable[[Game, Setting, int], Row]
KINDS: dict[str, Kind] = {
    "play": play, "environments": environments, "large": large, "processes": processes, "async": asynchronous,
    "both": both, "processors": processors,
}  # fmt: skip


def setting_of(minutes: float, games: int) -> Setting:
    """How much of everything, for so many minutes and games."""
    if minutes == 0:
        return Setting(0, 50, 2000, 20)
    return Setting(minutes * 60 / 2 / games, 3000, 100_000, 60)


def soak(games: list[Game], kinds: list[str], setting: Setting, seed: int = 1) -> Iterator[Row]:
    """A row for each kind and game; an error of any sort is a defect."""
    for kind in kinds:
        for game in games:
            try:
                yield KINDS[kind](game, setting, seed)
            except Exception as error:
                yield Row(kind, game.name, "it broke off", defects=[f"{type(error).__name__}: {error}"])


def table_of(rows: list[Row]) -> str:
    """The rows as a table for a page."""
    lines = ["| kind | game | tried | memory | defects |", "|---|---|---|--:|--:|"]
    return "\n".join(
        lines + [f"| {row.kind} | {row.game} | {row.tried} | {row.memory} | {len(row.defects)} |" for row in rows]
    )


def main(arguments: list[str] | None = None) -> int:
    """Soak, and print a table of what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", help="a game by name, several times if need be (all)")
    parser.add_argument("--minutes", type=float, default=20, help="shared by play and both; 0: the least (20)")
    parser.add_argument("--only", default=",".join(KINDS), help="kinds, joined by commas (all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--digest", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.digest:
        print(digest(*json.loads(given.digest)))
        return 0
    kinds = given.only.split(",")
    if wrong := [kind for kind in kinds if kind not in KINDS]:
        parser.error(f"no kind {wrong[0]!r}; there are {', '.join(KINDS)}")
    if not given.minutes >= 0:
        parser.error(f"minutes are 0 or more, got {given.minutes}")
    games = [find_game(name) for name in given.game or game_names()]
    rows = []
    for row in soak(games, kinds, setting_of(given.minutes, len(games)), given.seed):
        rows.append(row)
        print(
            f"{row.kind}, {row.game}: {row.tried} {row.memory}", *row.defects, sep="\n  ", file=sys.stderr, flush=True
        )
    print(table_of(rows))
    return int(any(row.defects for row in rows))


if __name__ == "__main__":
    sys.exit(main())
