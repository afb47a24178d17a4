"""``alarife evaluate``."""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

from alarife.commands.arguments import Command, game_arguments, options_of, say, tell_notes
from alarife.commands.columns import print_columns
from alarife.engine.game import LUCKS
from alarife.engine.printable import printable
from alarife.engine.registry import find_game
from alarife.evaluation.report import PLAYER_COLUMNS, capped_sentence, player_rows, share, write_report
from alarife.evaluation.run import Evaluation, require_extra
from alarife.evaluation.statistics import Summary

WIDE = 140  # columns where the output goes to a file


def add_commands(command: Command) -> None:
    """Add the command ``evaluate`` and its arguments."""
    evaluate = command("evaluate", run, "compare players over many games")
    evaluate.epilog = "example: alarife evaluate viva --with random,scripted,mc:50 --games 40 -o match=single_round"
    game_arguments(evaluate, who="random,scripted", about="players by name, separated by commas",
                    seed="plays an evaluation again; without it one is drawn that no player can foresee")  # fmt: skip
    evaluate.add_argument("--games", type=int, default=100, help="games of each line-up, at least (default 100)")
    evaluate.add_argument("--out", metavar="FOLDER", help="where results and report go; a run that stopped goes on")
    evaluate.add_argument("--processes", type=int, metavar="N", help="default: one for each processor")
    evaluate.add_argument(
        "--luck", choices=LUCKS, help="event: whoever plays a deal meets the same luck (default order)"
    )
    evaluate.add_argument("--limit", type=float, metavar="SECONDS", help="of a decision; who takes longer forfeits")
    evaluate.add_argument("--memory", type=float, metavar="GB", help="of a process; who fills it forfeits")


def run(chosen: argparse.Namespace) -> None:
    """Evaluate with a progress bar, and show what came out."""
    require_extra()
    game = find_game(chosen.game)
    options = options_of(game, chosen.option)
    names = [name.strip() for name in chosen.who.split(",")]
    evaluation = Evaluation.make(
        game, names, chosen.players, chosen.games, chosen.seed, options, chosen.limit, chosen.memory, chosen.luck
    )
    tell_notes(names, game, evaluation.setting.players)
    out = Path(chosen.out) if chosen.out else evaluation.default_folder()
    processes = (os.cpu_count() or 1) if chosen.processes is None else chosen.processes
    with stopping(out):
        summary = _with_progress(evaluation, out, processes)
    show(evaluation, summary)
    page = write_report(out / "report.html", evaluation.about(), summary)
    print(f"results: {printable(out / 'results.jsonl')}\nreport: {printable(page)}")


class Stopped(KeyboardInterrupt):
    """Somebody has asked the run to stop, by that signal."""

    def __init__(self, sentence: str, number: int) -> None:
        super().__init__(sentence)
        self.code = 128 + number  # as shells tell it


@contextlib.contextmanager
def stopping(out: Path) -> Iterator[None]:
    """Ctrl-C and SIGTERM end the run and its processes, and one sentence says how to go on."""
    number = int(signal.SIGINT)

    def stop(given: int, _: object) -> None:
        nonlocal number
        number = given
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except KeyboardInterrupt:
        sentence = f"stopped; what was played is in {out}, and the same command goes on with the rest"
        raise Stopped(sentence, number) from None
    finally:
        signal.signal(signal.SIGTERM, before)


def _with_progress(evaluation: Evaluation, out: Path, processes: int) -> Summary:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(file=sys.stderr)) as progress:
        task = progress.add_task("games", total=None)
        return evaluation.run(out, processes, lambda done, of: progress.update(task, completed=done, total=of))


def show(evaluation: Evaluation, summary: Summary) -> None:
    """Tables in the terminal, as wide as it is."""
    setting = evaluation.setting
    width = shutil.get_terminal_size((WIDE, 24)).columns
    say(f"{setting.game.title}, {setting.players} to a table, {summary.games} games over {summary.deals} deals, "
        f"seed {setting.seed}\n")  # fmt: skip
    print_columns([PLAYER_COLUMNS, *player_rows(summary)], right=1, width=width)
    if len(summary.players) > 1:
        print("\nHow often the player of the row did better than that of the column")
        print_columns(_matrix(summary), right=1, width=width)
    if len(summary.seats) > 1:
        shares = ", ".join(f"{seat}: {share(won)}" for seat, won in enumerate(summary.seats))
        say(f"\nwins by seat: {shares}")
    if summary.capped:
        say(capped_sentence(summary))
    for forfeit in summary.forfeits[:5]:
        say(f"forfeit: {forfeit['player']}, deal {forfeit['deal']}, seat {forfeit['seat']}: "
            f"{printable(forfeit['why'])}")  # fmt: skip
    if len(summary.forfeits) > 5:
        print(f"and {len(summary.forfeits) - 5} more forfeits, all in the report")


def _matrix(summary: Summary) -> list[list[str]]:
    """Players have numbers at the top, so that long names leave room for what is told of them."""
    names = [player.name for player in summary.players]
    rows = [["", *(f"{number}" for number in range(1, len(names) + 1))]]
    for number, first in enumerate(names, 1):
        pairs = [summary.against.get((first, second)) for second in names]
        rows.append([f"{number} {first}", *("" if pair is None else share(pair) for pair in pairs)])
    return rows
