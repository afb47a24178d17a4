"""What an entry looks like: a table in Markdown, a page of HTML, an entry for a bibliography."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

from alarife.engine.files import write_whole
from alarife.engine.printable import escape, printable
from alarife.evaluation.charts import Curve, curves, estimates
from alarife.evaluation.entry_file import MARKS, Entry, estimate_of
from alarife.evaluation.page import facts, page, section, table
from alarife.evaluation.power import smallest_difference, widest_variance
from alarife.evaluation.report import games_to_open, plain
from alarife.evaluation.statistics import Estimate, percent
from alarife.evaluation.suite import Suite, SuiteTable

COLUMNS = ["table", "against", "players", "games", "wins", "score", "forfeits", "seconds a game"]
SUITE_COLUMNS = ["table", "game", "players", "against", "deals", "games", "told apart", "random wins", "reference wins"]
NOTE = (
    "Scores are normalised: 0 is random play, 1 the player that it meets. Intervals are at 95 %: a stratified "
    "bootstrap over deals and training seeds."
)


def write_scorecard(entry: Entry, folder: Path) -> list[Path]:
    """Table, page and bibliography beside the entry."""
    return [
        write_whole(folder / "table.md", markdown(entry).encode()),
        write_whole(folder / "cite.bib", bibtex(entry).encode()),
        write_whole(folder / "report.html", _page(entry, folder)),
    ]


def shown_figures(entry: Entry) -> dict[str, Estimate]:
    """The figures as estimates."""
    return {name: estimate_of(told) for name, told in entry.about["figures"].items()}


def rows_of(entry: Entry) -> list[list[str]]:
    """A row for each table."""
    rows = []
    for number, place in enumerate(entry.suite.tables):
        runs, scores = entry.runs(place), entry.scores[number]
        share = float(place.random + scores.mean() * (place.equal - place.random))
        games = place.games * len(runs)
        rows.append([place.name, against(place), str(place.players), f"{games:,}", percent(share, 1),
                     plain(estimate_of(entry.about["by_table"][place.name])), str(sum(run["forfeits"] for run in runs)),
                     f"{sum(run['seconds'] for run in runs) / games:.3f}"])  # fmt: skip
    return rows


def against(place: SuiteTable) -> str:
    """Whom an entry meets at a table."""
    return place.reference if place.players > 1 else f"alone ({place.reference})"


def suite_rows(suite: Suite) -> list[list[str]]:
    """A row for each table of a suite, with what it tells apart."""
    return [
        [place.name, place.game_id, str(place.players), against(place), f"{place.deals:,}", f"{place.games:,}",
         f"{100 * smallest_difference(place.deals, widest_variance(place.players)):.1f} points",
         percent(place.random, 1), percent(place.equal, 1)]
        for place in suite.tables
    ]  # fmt: skip


# --- Markdown -----------------------------------------------------------------------------------------


def cell(text: str) -> str:
    """Text of others in a table of Markdown: as it is, and nothing but text."""
    words = printable(text).replace("\\", "\\\\")
    return "".join(f"\\{letter}" if letter in "|`*_[]<>#" else letter for letter in words)


def markdown_table(heads: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    lines += [f"| {' | '.join(map(cell, row))} |" for row in rows]
    return "\n".join(lines)


def markdown(entry: Entry) -> str:
    """The table that papers take."""
    told = [[name, plain(estimate)] for name, estimate in shown_figures(entry).items()]
    return "\n".join([
        f"{cell(entry.name)} on {entry.suite.name} ({entry.suite.digest}), {_seeds(entry)}", "",
        markdown_table(["figure", "score"], told), "", markdown_table(COLUMNS, rows_of(entry)), "", NOTE, "",
    ])  # fmt: skip


def _seeds(entry: Entry) -> str:
    if len(entry.seeds) > 1:
        return f"{len(entry.seeds)} training seeds"
    return "one run: intervals know the luck of deals, not that of training"


# --- BibTeX -------------------------------------------------------------------------------------------


def bibtex(entry: Entry) -> str:
    """What to cite: the suite, in the version that was played."""
    made = entry.about["made"]
    year, name = str(made.get("date", ""))[:4], entry.suite.name
    return "\n".join([
        f"@misc{{{name},",
        "  author = {{The alarife authors}},",
        f"  title = {{{{{name}}}: a benchmark of five tabletop games about building}},",
        f"  year = {{{''.join(filter(str.isdigit, year))}}},",
        f"  note = {{Suite {name}, digest {entry.suite.digest}, alarife {_plain(made.get('alarife', ''))}}},",
        "}", "",
    ])  # fmt: skip


def _plain(text: str) -> str:
    return "".join(letter for letter in text if letter.isalnum() or letter in ".-+")[:40]


# --- HTML ---------------------------------------------------------------------------------------------


def _page(entry: Entry, folder: Path) -> bytes:
    """The report: figures, tables, the profile, replays, how it was made."""
    told = [(name, estimate, plain(estimate)) for name, estimate in shown_figures(entry).items()]
    places = [(place.name, estimate_of(entry.about["by_table"][place.name])) for place in entry.suite.tables]
    body = [
        f"<p><code>{escape(entry.player_name)}</code> on {escape(entry.suite.name)}, {escape(_seeds(entry))}. "
        f"{escape(entry.suite.about)}</p>",
        section("Figures", estimates("Normalised score", told, _span([e for _, e, _ in told]), _number, 1.0), NOTE),
        section("Tables", table(COLUMNS, rows_of(entry))),
        section("Scores by table", estimates("Normalised score", [(name, e, plain(e)) for name, e in places],
                                             _span([e for _, e in places]), _number, 1.0)),
        section("Performance profile", profile_chart({entry.name: entry}),
                "The share of runs, one training seed at one table each, whose score is above the one below."),
        section("Games", games_to_open(sorted(entry.about["replays"]), folder)),
        section("Training", _training(entry)),
        facts(command_of(entry), dict(entry.about["made"]) | {
            "suite": f"{entry.suite.name}, digest {entry.suite.digest}",
            "seeds": ", ".join(map(str, entry.seeds)),
            **{f"file {name}": digest for name, digest in entry.about["files"].items()},
        }),
    ]  # fmt: skip
    return page(f"{entry.name} on {entry.suite.name}", body)


def profile_chart(entries: Mapping[str, Entry]) -> str:
    """Performance profiles, over hundredths of the normalised score."""
    lines = []
    for name, entry in entries.items():
        shares = [estimate_of(told) for told in entry.about["profile"]["shares"]]
        lines.append(Curve(name, [100 * mark for mark in MARKS], [100 * e.value for e in shares],
                           [100 * e.low for e in shares], [100 * e.high for e in shares]))  # fmt: skip
    return curves("Share of runs above a score", lines, 0, 100, " %", "normalised score, in hundredths")


def _training(entry: Entry) -> str:
    told = entry.about["training"]
    rows = [[str(name), str(value)] for name, value in told.items()] if told else []
    return table(["", "of the training"], rows)


def command_of(entry: Entry) -> str:
    """The command that plays the same games again."""
    if entry.about["training"]:
        return shlex.join(["alarife", "benchmark", "verify", "."])
    words = ["alarife", "benchmark", "run", entry.suite.name, "--player", entry.player_name, "--out", "FOLDER"]
    return shlex.join([*words, *(["--seeds", ",".join(map(str, entry.seeds))] if len(entry.seeds) > 1 else [])])


def _number(value: float) -> str:
    return f"{value:g}"


def _span(values: list[Estimate]) -> tuple[float, float]:
    low, high = min(0.0, *(e.low for e in values)), max(1.0, *(e.high for e in values))
    return low, high + 0.05 * (high - low)
