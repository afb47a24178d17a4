"""Entries of a folder on one page, in groups: between two groups everybody is told apart, within one nobody is ranked.

leaderboard/entries/*.json   entries, as `alarife benchmark run` writes them
leaderboard/README.md        the page, and index.html with charts
"""

from __future__ import annotations

import html
import itertools
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.files import write_whole
from alarife.engine.numbers import short
from alarife.engine.reading import read_bytes
from alarife.evaluation.aggregate import Lead, Rank, improvement, lead_of, ranked, redrawn_iqm
from alarife.evaluation.charts import estimates
from alarife.evaluation.entry_file import MOST_ENTRY, Entry, estimate_of, read_entry, require_own_suite
from alarife.evaluation.page import facts, page, section, table
from alarife.evaluation.report import plain
from alarife.evaluation.scorecard import cell, markdown_table, profile_chart, shown_figures
from alarife.evaluation.statistics import share_and_interval

ENTRIES, PAGE, HTML = "entries", "README.md", "index.html"
MOST_ENTRIES = 200
MOST_CURVES = 6  # profiles on one chart
COLUMNS = ["rank", "entry", "interquartile mean", "median", "mean", "optimality gap", "seeds", "training", "forfeits"]
NOTE = (
    "Scores are normalised: 0 is random play, 1 the player that sits on the other seats. Intervals are at 95 %, a "
    "stratified bootstrap over deals and training seeds; an entry with one seed shows the luck of deals only. A rank "
    "is the range of places that an entry may have: whoever is outside it is told apart, on the same deals, at a level "
    "of 5 % for all pairs together (Bonferroni). Entries that share a group are equals, and stand by the alphabet."
)
CAME_ALONG = "came along"
ABOUT_AGENTS = (
    f'Where the training says "{CAME_ALONG}", the agents that come along with the games play, or lead a search: '
    "trained by configs of their own, not by the suite's protocol. They see the scripted player's advice as an input, "
    "and some went on from earlier agents or learnt from one; the games' pages tell how."
)


@dataclass(frozen=True)
class Board:
    """The entries of one suite, compared."""

    entries: tuple[Entry, ...]

    @property
    def suite_name(self) -> str:
        """The suite."""
        return self.entries[0].suite.name

    @cached_property
    def leads(self) -> dict[tuple[str, str], Lead]:
        """How far each entry is ahead of each other one."""
        redrawn = {entry.name: redrawn_iqm(entry.scores, number) for number, entry in enumerate(self.entries)}
        return {(a, b): lead_of(redrawn[a], redrawn[b]) for a, b in itertools.permutations(redrawn, 2)}

    @cached_property
    def ranks(self) -> list[Rank]:
        """Everybody in groups, the best first."""
        order = sorted(self.entries, key=lambda entry: -shown_figures(entry)["interquartile mean"].value)
        pairs = len(self.entries) * (len(self.entries) - 1) // 2
        return ranked([entry.name for entry in order], lambda a, b: self.leads[a, b].is_sure(pairs))

    @property
    def ordered(self) -> list[tuple[Rank, Entry]]:
        """Ranks with their entries."""
        by_name = {entry.name: entry for entry in self.entries}
        return [(rank, by_name[rank.name]) for rank in self.ranks]


def read_boards(folder: str | Path) -> tuple[list[Board], list[str]]:
    """A board for each suite; and why entries were left out, a sentence each."""
    place = Path(folder) / ENTRIES
    if not place.is_dir():
        raise FileError(f"there is no folder {place}: entries lie there, as `alarife benchmark run` writes them")
    paths = sorted(place.glob("*.json"))
    if len(paths) > MOST_ENTRIES:
        raise FileError(f"a leaderboard has at most {MOST_ENTRIES} entries, {place} holds {len(paths)}")
    by_suite: dict[tuple[str, str], list[Entry]] = {}
    left_out = []
    for path in paths:
        try:
            entry = _sound(path)
            others = by_suite.setdefault((entry.suite.name, entry.suite.digest), [])
            if entry.name in {other.name for other in others}:
                raise FileError(f"{path}: there is an entry called {entry.name} already")
            others.append(entry)
        except AlarifeError as error:
            left_out.append(f"left out: {error}")
    return [Board(tuple(entries)) for _, entries in sorted(by_suite.items())], left_out


def _sound(path: Path) -> Entry:
    entry = read_entry(path)
    require_own_suite(entry.suite)
    if entry.wrong:
        raise FileError(f"{path}: {entry.wrong[0]}")
    return entry


def add_entry(run: str | Path, folder: str | Path) -> Path:
    """Put the entry of a run among those of a leaderboard."""
    entry = _sound(Path(run) / "entry.json" if Path(run).is_dir() else Path(run))
    slug = re.sub("[^a-z0-9]+", "-", entry.name.lower()).strip("-")
    target = Path(folder) / ENTRIES / f"{entry.suite.name}-{slug}.json"
    if target.exists() and read_entry(target).name != entry.name:
        raise FileError(f"{target} is an entry with another name, {short(read_entry(target).name)}")
    source = Path(run) / "entry.json" if Path(run).is_dir() else Path(run)
    return write_whole(target, read_bytes(source, "benchmark entry", MOST_ENTRY))


def write_leaderboard(folder: str | Path, boards: Sequence[Board]) -> list[Path]:
    """The page in Markdown and in HTML."""
    return [write_whole(Path(folder) / PAGE, markdown(boards).encode()),
            write_whole(Path(folder) / HTML, _page(boards, Path(folder)))]  # fmt: skip


def rows_of(board: Board) -> list[list[str]]:
    """A row for each entry, by groups."""
    rows = []
    for rank, entry in board.ordered:
        figures = shown_figures(entry)
        rows.append([str(rank), entry.name, *(plain(figures[name]) for name in COLUMNS[2:6]), str(len(entry.seeds)),
                     training_of(entry), str(entry.forfeits)])  # fmt: skip
    return rows


def training_of(entry: Entry) -> str:
    """By what budget an entry was trained, in words."""
    told = entry.about["training"]
    if not told:
        return CAME_ALONG if _came_along(entry) else "-"
    return str(told.get("budget", "yes"))[:60]


def _came_along(entry: Entry) -> bool:
    """Whether the agents play that come along with the games."""
    return any(name.startswith("trained of ") for name in entry.about["files"])


def notes(boards: Sequence[Board]) -> list[str]:
    """What is said before the tables."""
    return [NOTE, *([ABOUT_AGENTS] if any(_came_along(entry) for board in boards for entry in board.entries) else [])]


def table_rows(board: Board) -> list[list[str]]:
    """Each entry's score at each table of the suite."""
    return [[entry.name, *(plain(estimate_of(entry.about["by_table"][place.name])) for place in entry.suite.tables)]
            for _, entry in board.ordered]  # fmt: skip


# --- Markdown -----------------------------------------------------------------------------------------


def markdown(boards: Sequence[Board]) -> str:
    """The page."""
    parts = ["# Leaderboard", "", "\n\n".join(notes(boards)), ""]
    if not boards:
        parts += ["There are no entries yet.", ""]
    for board in boards:
        suite = board.entries[0].suite
        names = [place.name for place in suite.tables]
        parts += [f"## {suite.name}", "", f"{cell(suite.about)} Digest `{suite.digest}`.", "",
                  markdown_table(COLUMNS, rows_of(board)), "", _groups(board), "", "Scores by table:", "",
                  markdown_table(["entry", *names], table_rows(board)), ""]  # fmt: skip
    parts += ["Made by `alarife benchmark leaderboard`. Each entry can be checked: "
              "`alarife benchmark verify entries/FILE.json` plays drawn deals again.", ""]  # fmt: skip
    return "\n".join(parts)


def _groups(board: Board) -> str:
    """The groups in words."""
    groups = [[cell(rank.name) for rank in ranks] for _, ranks in itertools.groupby(board.ranks, lambda r: r.group)]
    return "Groups: " + "; then ".join(" = ".join(group) for group in groups) + "."


# --- HTML ---------------------------------------------------------------------------------------------


def _page(boards: Sequence[Board], folder: Path) -> bytes:
    body = [f"<p>{html.escape(note)}</p>" for note in notes(boards)]
    for board in boards:
        name = board.suite_name
        best = dict(list({entry.name: entry for _, entry in board.ordered}.items())[:MOST_CURVES])
        figures = [(entry.name, shown_figures(entry)["interquartile mean"]) for _, entry in board.ordered]
        low, high = min(0.0, *(e.low for _, e in figures)), max(1.0, *(e.high for _, e in figures))
        body += [
            section(name, table(["entry", "rank", *COLUMNS[2:]], [[r[1], r[0], *r[2:]] for r in rows_of(board)]),
                    board.entries[0].suite.about),
            section(f"{name}: interquartile means",
                    estimates("Normalised score", [(n, e, plain(e)) for n, e in figures], (low, high), _number, 1.0)),
            section(f"{name}: performance profiles", profile_chart(best),
                    "The share of runs, one training seed at one table each, whose score is above the one below."),
            section(f"{name}: probability of improvement", _improvements(board),
                    "How probably a run of the row beats one of the column at a table of the suite."),
            section(f"{name}: scores by table",
                    table(["entry", *(place.name for place in board.entries[0].suite.tables)], table_rows(board))),
        ]  # fmt: skip
    command = shlex.join(["alarife", "benchmark", "leaderboard", str(folder)])
    return page("Leaderboard", [*body, facts(command)])


def _improvements(board: Board) -> str:
    names = [entry for _, entry in board.ordered]
    if len(names) < 2:
        return ""
    rows = []
    for number, first in enumerate(names, 1):
        found = [None if second is first else improvement(first.scores, second.scores) for second in names]
        rows.append([f"{number} {first.name}", *("" if e is None else share_and_interval(e.value, e.low, e.high)
                     for e in found)])  # fmt: skip
    return table(["", *map(str, range(1, len(names) + 1))], rows)


def _number(value: float) -> str:
    return f"{value:g}"
