"""Are the tests strong enough? ``python scripts/mutate.py viva [--only VIV-076] [--sample 40] [--processes 2]``.

`scripts/mutants/<game>.toml` lists changes to a game's rules, each of which breaks a rule of the rulebook:

    [[change]]
    rules = ["VIV-076"]                       # what it breaks
    what = "the own blocking card is judged by the general one"
    old = "block == s.personal"               # stands in one file of the game, once
    new = "block == s.general"

Each change is made in a copy of the sources, and the tests that carry its rules are run there, interpreted. If they
pass, all tests of the game are run: a change that only those find was found by luck, and is told apart. A change that
nothing finds has survived. `same = "why"` marks a change after which the game is still the same: it is not run.

A `--sample` is drawn by its `--seed`, for when there is no hour for all of them. With `--brief` a change that the tests
of its own rules let pass counts as survived.

The tests that carry the rules must pass before anything is changed; this is tried first. A change that makes them run
for ever is found: what counts is processor time, so that a busy machine finds no more than an idle one.

Exits with 1 if a change has survived, or cannot be made.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from rules_report import tested_rules

ROOT = Path(__file__).resolve().parent.parent
CHANGES = ROOT / "scripts" / "mutants"
LEFT_OUT = shutil.ignore_patterns("*.svg", "__pycache__", "*.ttf")
SECONDS = 900  # of processor time: tests of a change that take longer run for ever
ALL_SECONDS = 7200  # for the tests of all changes


@dataclass
class Change:
    """A change to the rules of a game."""

    rules: list[str]
    what: str
    old: str
    new: str
    file: str = ""  # in the game's folder, where `old` stands in several files
    line: int = 0  # of the file, where `old` stands more than once; the place nearest to it is meant
    same: str = ""  # why the game stays the same
    tests: list[str] = field(default_factory=list)  # more tests to run first

    def file_in(self, folder: Path) -> Path:
        """The file that holds the place to change; a sentence if none or several do."""
        files = [folder / self.file] if self.file else sorted(folder.rglob("*.py"))
        having = [path for path in files if path.exists() and self.old in path.read_text(encoding="utf-8")]
        if len(having) != 1:
            where = ", ".join(path.relative_to(folder).as_posix() for path in having) or "no file"
            raise ValueError(f"{self.old!r} stands in {where}")
        return having[0]

    def made_in(self, text: str) -> str:
        """The text with the change made; a sentence if that cannot be done."""
        places = [at for at in range(len(text)) if text.startswith(self.old, at)]
        if len(places) > 1 and not self.line:
            raise ValueError(f"{self.old!r} stands {len(places)} times in its file: say in which line")
        at = min(places, key=lambda place: abs(text.count("\n", 0, place) + 1 - self.line))
        return text[:at] + self.new + text[at + len(self.old) :]


def changes_of(game: str) -> list[Change]:
    """All changes that are listed for a game."""
    path = CHANGES / f"{game}.toml"
    try:
        return [Change(**entry) for entry in tomllib.loads(path.read_text(encoding="utf-8"))["change"]]
    except (OSError, KeyError, TypeError, tomllib.TOMLDecodeError) as error:
        sys.exit(f"{path.relative_to(ROOT)} is no list of changes: {error}")


def tests_of(game: str) -> list[str]:
    """The files that test a game."""
    files = [*(ROOT / "tests/games" / game).glob("test_*.py"), *(ROOT / "tests/games").glob(f"test_{game}*.py")]
    return sorted(path.relative_to(ROOT).as_posix() for path in files)


class Workshop:
    """A copy of the sources in which one change at a time is made."""

    def __init__(self, folder: Path, game: str) -> None:
        self.folder, self.game = folder, game
        for name in ("envs", "tests", "training", "scripts"):
            shutil.copytree(ROOT / name, folder / name, ignore=LEFT_OUT)
        shutil.copy(ROOT / "pyproject.toml", folder)

    def try_out(self, change: Change, tests: list[str], whole: bool) -> str:
        """What became of a change: ``found``, ``found by others``, ``survived``, or a sentence."""
        try:
            path = change.file_in(self.folder / "envs" / "alarife" / "games" / self.game)
        except ValueError as error:
            return str(error)
        text = path.read_text(encoding="utf-8")
        try:
            path.write_text(change.made_in(text), encoding="utf-8")
            if tests and self._complaint(tests):
                return "found"
            every = tests_of(self.game)
            return "found by others" if whole and self._complaint(every) else "survived"
        except ValueError as error:
            return str(error)
        finally:
            path.write_text(text, encoding="utf-8")

    def _complaint(self, tests: list[str], seconds: int = SECONDS) -> str:
        """What pytest says at its end where a test fails; nothing where all pass."""
        roots = os.pathsep.join(str(self.folder / name) for name in ("envs", "training", "tests", "scripts"))
        settings = os.environ | {"PYTHONPATH": roots, "ALARIFE_INTERPRETED": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            "-o",
            "timeout=0",
            *tests,
        ]  # time of the processor is what is limited
        limit = partial(resource.setrlimit, resource.RLIMIT_CPU, (seconds, seconds + 10))
        done = subprocess.run(command, cwd=self.folder, env=settings, capture_output=True, preexec_fn=limit)
        if done.returncode == -signal.SIGXCPU:
            return f"the tests took more than {seconds} seconds"
        if done.returncode not in (0, 1, 2):  # 2: the change broke an import
            sys.exit(f"pytest could not run: {done.stdout.decode()[-500:]}")
        return done.stdout.decode()[-1000:] if done.returncode else ""

    def check(self, tests: list[str]) -> None:
        """Tests that fail without any change find nothing."""
        if complaint := self._complaint(tests, ALL_SECONDS):
            sys.exit(f"tests of {self.game} fail before anything is changed: {complaint}")


def outcomes(game: str, changes: list[Change], processes: int, whole: bool) -> Iterator[tuple[Change, str]]:
    """What became of each change, in their order."""
    tested = tested_rules(ROOT / "tests")
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(processes) as threads:
        idle: SimpleQueue[Workshop] = SimpleQueue()
        for number in range(processes):
            idle.put(Workshop(Path(folder) / str(number), game))

        def tests(change: Change) -> list[str]:
            return sorted({*change.tests, *(test for rule in change.rules for test in tested.get(rule, []))})

        def run(change: Change) -> str:
            shop = idle.get()
            try:
                return shop.try_out(change, tests(change), whole)
            finally:
                idle.put(shop)

        shop = idle.get()
        shop.check(sorted({test for change in changes for test in tests(change)}))
        idle.put(shop)

        yield from zip(changes, threads.map(run, changes), strict=True)


def report(game: str, told: dict[str, list[Change]]) -> None:
    """Which share was found."""
    count = {name: len(changes) for name, changes in told.items()}
    found, by_others = count.pop("found", 0), count.pop("found by others", 0)
    total = found + by_others + sum(count.values())
    share = 100 * (found + by_others) / max(1, total)
    print(f"{game}: {found + by_others} of {total} changes found, {share:.0f} % ({by_others} of them only by tests of "
          "other rules)")  # fmt: skip


def main() -> None:
    """Try the changes of a game."""
    parser = argparse.ArgumentParser(description="Are the tests strong enough?")
    parser.add_argument("game", choices=sorted(path.stem for path in CHANGES.glob("*.toml")))
    parser.add_argument("--only", nargs="+", default=[], metavar="RULE", help="changes of these rules")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--sample", type=int, metavar="N", help="so many of them, drawn at random")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--brief", action="store_true", help="run only the tests that carry a change's rules")
    chosen = parser.parse_args()
    listed = [change for change in changes_of(chosen.game) if not change.same]
    if unknown := sorted({*chosen.only} - {rule for change in listed for rule in change.rules}):
        sys.exit(f"no change that is listed for {chosen.game} breaks {', '.join(unknown)}")
    changes = [change for change in listed if not chosen.only or {*change.rules} & {*chosen.only}]
    if chosen.sample is not None and chosen.sample < len(changes):
        changes = random.Random(chosen.seed).sample(changes, chosen.sample)  # noqa: S311 - nobody's secret
    told: dict[str, list[Any]] = {}
    for number, (change, outcome) in enumerate(outcomes(chosen.game, changes, chosen.processes, not chosen.brief), 1):
        print(f"{number} of {len(changes)}", end="\r", file=sys.stderr, flush=True)
        told.setdefault(outcome, []).append(change)
        if outcome != "found":
            print(f"{', '.join(change.rules)}: {change.what}: {outcome}", flush=True)
    report(chosen.game, told)
    sys.exit(1 if {*told} - {"found", "found by others"} else 0)


if __name__ == "__main__":
    main()
