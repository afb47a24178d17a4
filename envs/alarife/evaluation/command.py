"""``alarife evaluate``."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from alarife.engine.registry import find_game
from alarife.evaluation.report import PLAYER_COLUMNS, percent, player_rows, write_report
from alarife.evaluation.run import Evaluation, require_extra
from alarife.evaluation.statistics import Summary

WIDE = 140  # columns where the output goes to a file


def run(chosen: argparse.Namespace, options: dict[str, Any]) -> None:
    """Evaluate with a progress bar, and show what came out."""
    require_extra()
    game = find_game(chosen.game)
    names = [name.strip() for name in chosen.who.split(",")]
    evaluation = Evaluation.make(game, names, chosen.players, chosen.games, chosen.seed, options, chosen.limit,
                                 chosen.luck)  # fmt: skip
    out = Path(chosen.out) if chosen.out else evaluation.default_folder()
    processes = (os.cpu_count() or 1) if chosen.processes is None else chosen.processes
    summary = _with_progress(evaluation, out, processes)
    show(evaluation, summary)
    page = write_report(out / "report.html", evaluation.about(), summary)
    print(f"results: {out / 'results.jsonl'}\nreport: {page}")


def _with_progress(evaluation: Evaluation, out: Path, processes: int) -> Summary:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(file=sys.stderr)) as progress:
        task = progress.add_task("games", total=None)
        return evaluation.run(out, processes, lambda done, of: progress.update(task, completed=done, total=of))


def show(evaluation: Evaluation, summary: Summary) -> None:
    """Tables in the terminal."""
    from rich.console import Console
    from rich.table import Table

    setting = evaluation.setting
    console = Console()
    if not console.is_terminal:
        console.width = WIDE
    title = (f"{setting.game.title}, {setting.players} to a table, {summary.games} games over {summary.deals} deals, "
             f"seed {setting.seed}")  # fmt: skip
    table = Table(title=title, title_justify="left")
    for i, column in enumerate(PLAYER_COLUMNS):
        table.add_column(column, justify="right" if i else "left")
    for row in player_rows(summary):
        table.add_row(*row)
    console.print(table)
    if len(summary.players) > 1:
        console.print(_matrix(summary))
    if len(summary.seats) > 1:
        console.print("wins by seat: " + ", ".join(f"{seat}: {percent(s)}" for seat, s in enumerate(summary.seats)))
    for forfeit in summary.forfeits[:5]:
        console.print(f"forfeit: {forfeit['player']}, deal {forfeit['deal']}, seat {forfeit['seat']}: "
                      f"{forfeit['why']}", markup=False)  # fmt: skip
    if len(summary.forfeits) > 5:
        console.print(f"and {len(summary.forfeits) - 5} more forfeits, all in the report")


def _matrix(summary: Summary) -> Any:
    from rich.table import Table

    names = [player.name for player in summary.players]
    table = Table(title="How often the row did better than the column", title_justify="left")
    for column in ["", *names]:
        table.add_column(column, justify="right" if column else "left")
    for first in names:
        pairs = [summary.against.get((first, second)) for second in names]
        table.add_row(first, *("" if pair is None else percent(pair) for pair in pairs))
    return table
