"""``alarife runs``: what lies in a folder of runs, on one page, and several runs on one chart."""

from __future__ import annotations

import argparse
import datetime
import os
import shlex
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from alarife.commands.arguments import Command, say
from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.files import write_whole
from alarife.engine.printable import printable
from alarife.engine.reading import read_json
from alarife.evaluation.charts import Curve, curves, estimates
from alarife.evaluation.page import facts, page, section, table
from alarife.evaluation.report import share
from alarife.evaluation.results import Result, read_results
from alarife.evaluation.statistics import Estimate, percent, share_by_deal, wins_of

EVALUATION, TRAINING = "evaluation", "training"
FILES = {"evaluation.json": EVALUATION, "config.yaml": TRAINING}


def add_commands(command: Command) -> None:
    """Add the command ``runs`` and its arguments."""
    runs = command("runs", show_runs, "list evaluations and training runs on a page, or put some on one chart")
    runs.epilog = "example: alarife runs; alarife runs --compare runs/one runs/other --out both.html"
    runs.add_argument("folder", nargs="?", default="runs", help="where the runs lie (default: runs)")
    runs.add_argument("--compare", nargs="+", metavar="RUN", help="two or more folders of runs of the same game")
    runs.add_argument("--out", metavar="FILE", help="the page (default: index.html in the folder, or compared.html)")


@dataclass
class Run:
    """An evaluation or a training run, as a page tells it."""

    folder: Path
    kind: str
    game: str = ""
    outcome: str = ""  # in words, also why it cannot be read
    wins: list[tuple[str, Estimate]] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)

    @property
    def date(self) -> str:
        """When something was last written."""
        latest = max((path.stat().st_mtime for path in self.folder.iterdir() if path.is_file()), default=0)
        return datetime.datetime.fromtimestamp(latest, datetime.UTC).strftime("%Y-%m-%d %H:%M")


def show_runs(chosen: argparse.Namespace) -> None:
    """Write the page."""
    if chosen.compare:
        path, content = Path(chosen.out or "compared.html"), _compared([Path(name) for name in chosen.compare])
    else:
        folder = Path(chosen.folder)
        path = Path(chosen.out) if chosen.out else folder / "index.html"
        content = _index(folder, path.parent)
    say(f"page: {write_whole(path, content)}")


# --- one page for all ---------------------------------------------------------------------------------


def _index(folder: Path, beside: Path) -> bytes:
    if not folder.is_dir():
        raise FileError(f"there is no folder {folder}: `alarife evaluate` and `alarife train` make it")
    found = [run for path in sorted(folder.iterdir()) if path.is_dir() and (run := read_run(path))]
    links = {run.folder.name: quote(os.path.relpath(run.folder / "report.html", beside)) for run in found
             if (run.folder / "report.html").is_file()}  # fmt: skip
    body = []
    for kind, title in ((TRAINING, "Training runs"), (EVALUATION, "Evaluations")):
        rows = [[run.folder.name, run.outcome, run.game, run.date] for run in found if run.kind == kind]
        body.append(section(title, table(["run", "what came out", "game", "date"], rows, links=links)))
    by_game: dict[str, list[Run]] = defaultdict(list)
    for run in found:
        by_game[run.game].append(run)
    body += [section(f"{game}: wins while learning", _one_chart_each(runs)) for game, runs in sorted(by_game.items())]
    if not found:
        body.append("<p>Nothing has been run yet.</p>")
    return page(f"Runs in {folder.name or folder}", [*body, facts(f"alarife runs {shlex.quote(str(folder))}")])


def _one_chart_each(runs: Sequence[Run]) -> str:
    """A chart for each opponent that the runs were measured against, with a curve for each run."""
    against: dict[str, list[Curve]] = defaultdict(list)
    for run in runs:
        for curve in run.curves:
            against[curve.name].append(Curve(run.folder.name, curve.x, curve.y, curve.low, curve.high))
    return "".join(curves(f"Wins against {name}", lines, 0, 100, " %") for name, lines in against.items())


def _compared(folders: Sequence[Path]) -> bytes:
    """Several runs on one chart."""
    runs = [_known(folder) for folder in folders]
    if len(runs) < 2:
        raise AlarifeError("compare two runs or more")
    if len({(run.game, run.kind) for run in runs}) > 1:
        given = ", ".join(f"{run.folder} is {run.kind} of {run.game}" for run in runs)
        raise AlarifeError(f"runs are compared that are of one game and one kind, got: {given}")
    rows = [[run.folder.name, run.outcome, run.date] for run in runs]
    body = [section("Runs", table(["run", "what came out", "date"], rows)),
            section("Wins while learning", _one_chart_each(runs)),
            section("Wins", _wins(runs), "Each player's share of wins, against those whom it met there.")]  # fmt: skip
    command = shlex.join(["alarife", "runs", "--compare", *map(str, folders)])
    return page(f"{runs[0].game}: {len(runs)} runs compared", [*body, facts(command)])


def _wins(runs: Sequence[Run]) -> str:
    rows = [(f"{name}, {run.folder.name}", won, share(won)) for run in runs for name, won in run.wins]
    return estimates("Share of wins", rows, (0.0, 1.0), percent)


def _known(folder: Path) -> Run:
    run = read_run(folder) if folder.is_dir() else None
    if run is None:
        raise FileError(f"{folder} is no run: it holds neither an evaluation.json nor a config.yaml")
    if not (run.wins or run.curves):
        raise FileError(f"{folder} has nothing to compare: {run.outcome}")
    return run


# --- reading ------------------------------------------------------------------------------------------


def read_run(folder: Path) -> Run | None:
    """What lies in a folder; None if it is no run. What cannot be read is said in its outcome."""
    kind = next((kind for name, kind in FILES.items() if (folder / name).is_file()), None)
    if kind is None:
        return None
    run = Run(folder, kind)
    try:
        (_read_evaluation if kind == EVALUATION else _read_training)(run)
    except AlarifeError as error:
        run.outcome = printable(f"cannot be read: {error}")
    except ModuleNotFoundError as error:
        run.outcome = f"needs the extra [train]: pip install 'alarife[train]' (no {error.name} here)"
    return run


def _read_evaluation(run: Run) -> None:
    about = read_json(run.folder / "evaluation.json", "evaluation")
    if not isinstance(about, dict) or not isinstance(about.get("with"), dict) or not isinstance(about.get("game"), str):
        raise FileError("its evaluation.json is not an evaluation")
    run.game = about["game"]
    results = read_results(run.folder / "results.jsonl")
    run.wins = sorted(((name, _share(results, name)) for name in about["with"]), key=lambda won: -won[1].value)
    run.wins = [(name, won) for name, won in run.wins if won.count]
    most = share(run.wins[0][1]).replace(" ", "\N{NO-BREAK SPACE}") if run.wins else ""
    best = f", most wins {run.wins[0][0]} with {most}" if most else ""
    run.outcome = f"{len(results):,} games between {len(about['with'])} players{best}"


def _share(results: Sequence[Result], name: str) -> Estimate:
    """A player's share of its wins, with deals as units."""
    won: dict[int, list[float]] = defaultdict(list)
    for result in results:
        for sitting, part in zip(result["seats"], wins_of(result), strict=True):
            if sitting == name:
                won[result["deal"]].append(part)
    return share_by_deal(won)


def _read_training(run: Run) -> None:
    from alarife_training.config import read_config
    from alarife_training.log import RESULT, read_result
    from alarife_training.run_report import curves_of

    run.game = read_config(run.folder / "config.yaml").find_game().id
    run.curves = curves_of(run.folder)
    if not (run.folder / RESULT).is_file():
        run.outcome = "not finished"
        return
    told = [f"{percent(v['win_share'], 1)} against {v['against']}" for v in read_result(run.folder)["verdicts"]]
    run.outcome = ", ".join(told)
