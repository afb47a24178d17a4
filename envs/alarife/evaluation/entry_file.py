"""What a benchmark leaves: one JSON file with who played, where, by what, and what came out in each deal.

The file holds the suite's text and the wins of every deal, so all figures can be worked out from it again, and players
can be compared on the same deals. It may come from anybody: everything in it is checked before it is used.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.numbers import Array, is_whole, short
from alarife.engine.reading import MEGABYTE, parse_json, read_text
from alarife.evaluation.aggregate import by_table, figures, profile
from alarife.evaluation.challenge import PARTS, scores_of
from alarife.evaluation.results import Result, key_of
from alarife.evaluation.statistics import Estimate
from alarife.evaluation.suite import Suite, SuiteTable, digest_of, find_suite, parse_suite, suite_names

FORMAT, FORMAT_VERSION = "alarife benchmark entry", 1
FILE = "entry.json"
MOST_ENTRY = 64 * MEGABYTE
MOST_SEEDS = 100
ROUNDING = 2e-4  # two figures that are rounded to four places may lie so far apart
MARKS = tuple(mark / 10 for mark in range(41))  # of a performance profile
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._:+=,/-]{0,59}")
REPLAY = re.compile(r"games/([a-z0-9_-]{1,60})/seed-(\d{1,12})/replays/deal-(\d{1,6})\.json")
DIGEST = re.compile("[0-9a-f]{16,64}")


@dataclass(frozen=True)
class Entry:
    """An entry on file, checked."""

    about: dict[str, Any]
    suite: Suite
    wrong: tuple[str, ...] = ()  # figures on file that are not those of its wins, a sentence each

    @property
    def name(self) -> str:
        """Whom the entry is of."""
        return str(self.about["name"])

    @property
    def player_name(self) -> str:
        """How its player was named."""
        return str(self.about["player"])

    @property
    def seeds(self) -> list[int]:
        """Its training seeds."""
        return list(self.about["seeds"])

    def runs(self, table: SuiteTable) -> list[dict[str, Any]]:
        """What came out at a table, for each training seed."""
        return list(self.about["tables"][table.name])

    @cached_property
    def scores(self) -> list[Array]:
        """Normalised scores by table: ``[seeds, deals]``."""
        return [scores_of(table, [run["wins"] for run in self.runs(table)]) for table in self.suite.tables]

    @property
    def forfeits(self) -> int:
        """Games that the entry forfeited."""
        return sum(run["forfeits"] for table in self.suite.tables for run in self.runs(table))


def figures_of(scores: Sequence[Array], suite: Suite) -> dict[str, Any]:
    """All figures as they stand on file."""
    return {
        "figures": {name: estimate.to_list() for name, estimate in figures(scores).items()},
        "by_table": {table.name: estimate.to_list() for table, estimate
                     in zip(suite.tables, by_table(scores), strict=True)},
        "profile": {"marks": list(MARKS), "shares": [estimate.to_list() for estimate in profile(scores, MARKS)]},
    }  # fmt: skip


def estimate_of(told: Sequence[float]) -> Estimate:
    """An estimate as a file holds it."""
    value, low, high, count = told
    return Estimate(float(value), float(low), float(high), int(count))


def results_digest(results: Sequence[Result]) -> str:
    """The digest of all games in the order of the schedule, without what a clock said and what the moves say."""
    digest = hashlib.sha256()
    for result in sorted(results, key=key_of):
        told = {name: value for name, value in result.items() if name not in ("seconds", "capped")}
        digest.update(json.dumps(told, sort_keys=True).encode())
    return digest.hexdigest()[:32]


# --- writing ------------------------------------------------------------------------------------------


def entry_bytes(about: Mapping[str, Any]) -> bytes:
    """An entry as JSON, lists of numbers on one line each."""
    text = json.dumps(about, indent=1, allow_nan=False)
    return (re.sub(r"\[\n[\s\d.,e-]+\]", lambda found: re.sub(r"\s+", "", found[0]), text) + "\n").encode()


# --- reading ------------------------------------------------------------------------------------------


def read_entry(path: str | Path) -> Entry:
    """An entry from a file, or from the folder that a benchmark wrote."""
    path = Path(path) / FILE if Path(path).is_dir() else Path(path)
    text = read_text(path, "benchmark entry", MOST_ENTRY)
    try:
        entry = parse_entry(parse_json(text))
    except AlarifeError as error:
        raise FileError(f"{path} is not a benchmark entry: {error}") from None
    figures = figures_of(entry.scores, entry.suite)
    wrong = tuple(sentence for name in figures for sentence in _unlike(name, entry.about[name], figures[name]))
    return Entry(entry.about | figures, entry.suite, wrong)


def _unlike(where: str, told: Any, found: Any) -> list[str]:
    """Where figures differ by more than what rounding does."""
    if isinstance(found, dict):
        told = told if isinstance(told, dict) else {}
        return [sentence for name in found for sentence in _unlike(f"{where}, {name}", told.get(name), found[name])]
    if _are_alike(told, found):
        return []
    return [f"{where}: the entry says {short(told)}, its wins give {short(found)}"]


def _are_alike(told: Any, found: Any) -> bool:
    if isinstance(found, list):
        return isinstance(told, list) and len(told) == len(found) and all(map(_are_alike, told, found))
    return (is_whole(told) or isinstance(told, float)) and abs(told - found) <= ROUNDING


def parse_entry(about: Any) -> Entry:
    """An entry from plain data."""
    if not isinstance(about, dict) or (about.get("format"), about.get("format_version")) != (FORMAT, FORMAT_VERSION):
        raise FileError(f"it has to be {FORMAT!r} of format {FORMAT_VERSION}")
    for name, (words, fits) in ENTRIES.items():
        if name not in about:
            raise FileError(f"it has no entry {name!r}")
        if not fits(about[name]):
            raise FileError(f"{name} is {words}, got {short(about[name])}")
    suite = parse_suite(about["suite_text"], "its suite_text")
    if suite.name != about["suite"] or suite.digest != about["suite_digest"]:
        raise FileError(f"its suite_text is {suite.name} with the digest {suite.digest}, it says {about['suite']} with "
                        f"{about['suite_digest']}")  # fmt: skip
    names = [table.name for table in suite.tables]
    if list(about["tables"]) != names:
        raise FileError(f"its tables are {', '.join(names)}, got {short(list(about['tables']))}")
    for table in suite.tables:
        _check_runs(table, about["tables"][table.name], about["seeds"])
    return Entry(about, suite)


def with_figures(about: dict[str, Any]) -> Entry:
    """An entry whose figures are still to be worked out from the wins."""
    bare = parse_entry(about | {"figures": {}, "by_table": {}, "profile": {}})
    return Entry(bare.about | figures_of(bare.scores, bare.suite), bare.suite)


def require_own_suite(suite: Suite) -> None:
    """Refuse a suite that bears the name of one that comes along, and is another."""
    if suite.name in suite_names() and (own := find_suite(suite.name)).digest != suite.digest:
        raise FileError(f"{suite.name} is installed with the digest {own.digest}, this one has "
                        f"{digest_of(suite.text)}: they are not the same suite")  # fmt: skip


def _check_runs(table: SuiteTable, runs: Any, seeds: Sequence[int]) -> None:
    where = f"table {table.name}"
    if not isinstance(runs, list) or not all(isinstance(run, dict) for run in runs):
        raise FileError(f"{where} is a list of runs, got {short(runs)}")
    if [run.get("seed") for run in runs] != list(seeds):
        raise FileError(f"{where} has a run for each of the seeds {short(list(seeds))}")
    for run in runs:
        for name, (words, fits) in RUN_ENTRIES.items():
            if not fits(run.get(name)):
                raise FileError(f"{where}, seed {run['seed']}: {name} is {words}, got {short(run.get(name))}")
        most = PARTS * table.players
        if len(run["wins"]) != table.deals or not all(is_whole(won) and 0 <= won <= most for won in run["wins"]):
            raise FileError(f"{where}, seed {run['seed']}: wins are {table.deals} whole numbers from 0 to {most}")
        if run["forfeits"] > table.games:
            raise FileError(f"{where}, seed {run['seed']}: {run['forfeits']} of {table.games} games are forfeited")


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 1000


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and DIGEST.fullmatch(value) is not None


def _is_table(value: Any) -> bool:
    return isinstance(value, dict)


def _are_seeds(value: Any) -> bool:
    return (isinstance(value, list) and 1 <= len(value) <= MOST_SEEDS and all(is_whole(seed) for seed in value)
            and len({*value}) == len(value))  # fmt: skip


#: The entries of an entry and of its runs, in words and as a question.
ENTRIES: dict[str, tuple[str, Any]] = {
    "name": ("a name of at most 60 letters, digits and some signs",
             lambda value: isinstance(value, str) and NAME.fullmatch(value) is not None),
    "player": ("a text", _is_text),
    "suite": ("a text", _is_text),
    "suite_digest": ("a digest", _is_digest),
    "suite_text": ("a text", lambda value: isinstance(value, str) and len(value) < MEGABYTE),
    "seeds": ("a list of whole numbers, each once", _are_seeds),
    "training": ("a table or null", lambda value: value is None or _is_table(value)),
    "files": ("a table of digests", lambda value: _is_table(value) and all(map(_is_digest, value.values()))),
    "made": ("a table of texts", lambda value: _is_table(value) and all(map(_is_text, value.values()))),
    "replays": ("a table of digests of files games/TABLE/seed-0/replays/deal-0.json",
                lambda value: _is_table(value) and all(map(_is_digest, value.values()))
                and all(map(REPLAY.fullmatch, value))),
    "tables": ("a table", _is_table),
    "figures": ("a table", _is_table),
    "by_table": ("a table", _is_table),
    "profile": ("a table", _is_table),
}  # fmt: skip
RUN_ENTRIES: dict[str, tuple[str, Any]] = {
    "seed": ("a whole number", is_whole),
    "player": ("a text", _is_text),
    "rules": ("a digest", _is_digest),
    "results": ("a digest", _is_digest),
    "wins": ("a list", lambda value: isinstance(value, list)),
    "forfeits": ("a whole number from 0", lambda value: is_whole(value) and value >= 0),
    "decisions": ("a whole number from 0", lambda value: is_whole(value) and value >= 0),
    "seconds": ("a number from 0", lambda value: (is_whole(value) or isinstance(value, float)) and value >= 0),
}  # fmt: skip
