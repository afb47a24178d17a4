"""``alarife benchmark``: suites that papers can cite, played, verified and put on a page."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from alarife.commands.arguments import Command, Parser, say, seed_argument, seeds_argument
from alarife.commands.columns import print_columns
from alarife.commands.evaluating import WIDE, stopping
from alarife.commands.learning import minutes_argument, needs_train
from alarife.engine.errors import AlarifeError
from alarife.engine.printable import printable
from alarife.evaluation.benchmark import Contender, contender, run_benchmark
from alarife.evaluation.entry_file import Entry, read_entry
from alarife.evaluation.leaderboard import COLUMNS as BOARD_COLUMNS
from alarife.evaluation.leaderboard import add_entry, read_boards, write_leaderboard
from alarife.evaluation.leaderboard import rows_of as leaderboard_rows
from alarife.evaluation.on_ray import Cluster
from alarife.evaluation.pair import COLUMNS as PAIR_COLUMNS
from alarife.evaluation.pair import pair_rows, pair_sentences, require_same_suite
from alarife.evaluation.scorecard import COLUMNS, SUITE_COLUMNS, rows_of, shown_figures, suite_rows, write_scorecard
from alarife.evaluation.suite import KINDS, Suite, find_suite, suite_names
from alarife.evaluation.verifying import verify_benchmark


def add_commands(command: Command) -> None:
    """Add the command ``benchmark`` and its parts."""
    benchmark = command("benchmark", list_suites, "play, verify and compare suites of games")
    benchmark.epilog = "example: alarife benchmark run alarife-five-small-v1 --player trained --out runs/trained"
    parts = benchmark.add_subparsers(title="parts", metavar="part", parser_class=Parser)

    def part(name: str, run: Callable[[argparse.Namespace], Any], about: str) -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = parts.add_parser(name, help=about, description=about)
        made.set_defaults(run=run)
        return made

    part("list", list_suites, "the suites that come along")
    part("show", show_suite, "the tables of a suite, and what they tell apart").add_argument(
        "suite", help="a suite's name, or a .toml file"
    )
    _add_run(part("run", run, "play a suite; a run that was stopped goes on"))
    check = part("verify", verify, "check an entry: digests, figures, replays, games played again")
    check.add_argument("entry", help="the folder of a run, or an entry.json")
    check.add_argument("--games", type=int, default=20, metavar="N", help="deals and replays drawn (default 20)")
    check.add_argument("--seed", type=seed_argument, help="draws the same again; without it nobody can foresee which")
    check.add_argument("--processes", type=int, metavar="N", help="default: one for each processor")
    check.add_argument("--code", action="store_true", help="also play players that are code: module:Name")
    pair = part("compare", compare, "two entries of a suite, table by table on the same deals")
    pair.add_argument("first", help="the folder of a run, or an entry.json")
    pair.add_argument("second", help="the same of another")
    board = part("leaderboard", show_leaderboard, "a page of the entries in a folder")
    board.add_argument("folder", help="entries lie in its folder `entries`; README.md and index.html are written")
    board.add_argument("--add", nargs="+", default=[], metavar="RUN", help="put the entries of these runs there first")


def _add_run(part: argparse.ArgumentParser) -> None:
    part.add_argument("suite", help="a suite's name, or a .toml file")
    part.add_argument("--player", help="a player's name; {game} in it stands for each game, {seed} for each seed")
    part.add_argument(
        "--train",
        metavar="ALGORITHM",
        help="in place of --player: a config by name or file, {game} in it "
        "standing for each game, or module:function; trained on a budget",
    )
    part.add_argument("--decisions", type=int, help="the budget of --train for each game and seed: decisions")
    part.add_argument("--minutes", type=minutes_argument, help="or minutes")
    part.add_argument("--seeds", type=seeds_argument, default=[], help="training seeds, such as 0,1,2")
    part.add_argument("--name", help="what the entry is called (default: the player's name)")
    part.add_argument("--out", required=True, metavar="FOLDER", help="where everything goes")
    part.add_argument("--processes", type=int, metavar="N", help="default: one for each processor")
    part.add_argument("--ray", metavar="ADDRESS", help="play as tasks of a Ray cluster: auto, or HOST:PORT")
    part.add_argument("--limit", type=float, metavar="SECONDS", help="of a decision; who takes longer forfeits")
    part.add_argument("--memory", type=float, metavar="GB", help="of a process; who fills it forfeits")


def list_suites(chosen: argparse.Namespace) -> None:
    """Names and digests."""
    suites = [find_suite(name) for name in suite_names()]
    rows = [[suite.name, str(len(suite.tables)), f"{sum(table.games for table in suite.tables):,}", suite.digest,
             suite.about] for suite in suites]  # fmt: skip
    print_columns([["suite", "tables", "games", "digest", "about"], *rows])


def show_suite(chosen: argparse.Namespace) -> None:
    """A suite's tables."""
    suite = find_suite(chosen.suite)
    say(f"{suite.name}, digest {suite.digest}: {suite.about}\n")
    print_columns([SUITE_COLUMNS, *suite_rows(suite)], right=4, width=WIDE)
    print("\nTold apart: the difference of two players' wins that is found with a power of 80 %.")
    for kind in KINDS:
        say(f"seeds for {kind}: {suite.seeds[kind].start} to {suite.seeds[kind].stop - 1}")


# --- running ------------------------------------------------------------------------------------------


def run(chosen: argparse.Namespace) -> None:
    """Play a suite with a progress bar, and show what came out."""
    suite, out = find_suite(chosen.suite), Path(chosen.out)
    with stopping(out):
        who = contender_of(chosen, suite, out)
        entry = _with_progress(chosen, suite, who, out)
    show(entry)
    for path in write_scorecard(entry, out):
        say(f"written: {path}")
    say(f"entry: {out / 'entry.json'}")


def contender_of(chosen: argparse.Namespace, suite: Suite, out: Path) -> Contender:
    """Whom the arguments name, trained first where they name an algorithm."""
    if (chosen.player is None) == (chosen.train is None):
        raise AlarifeError("say who plays: --player NAME, or --train ALGORITHM")
    if chosen.train is not None:
        with needs_train():
            from alarife_training.protocol import Budget, train_by_protocol

            return train_by_protocol(
                suite, chosen.train, Budget(chosen.decisions, chosen.minutes), chosen.seeds or [0, 1, 2], out,
                chosen.name, lambda what: say(what, file=sys.stderr),
            )  # fmt: skip
    if chosen.decisions is not None or chosen.minutes is not None:
        raise AlarifeError("a budget is for --train")
    return contender(suite, chosen.player, chosen.seeds, chosen.name)


def processes_of(chosen: argparse.Namespace) -> int:
    """How many processes play."""
    processes = (os.cpu_count() or 1) if chosen.processes is None else chosen.processes
    if processes < 1:
        raise AlarifeError(f"games are played in 1 process or more, got {processes}")
    return processes


def _with_progress(chosen: argparse.Namespace, suite: Suite, who: Contender, out: Path) -> Entry:
    last = ""

    def tell(what: str, done: int, of: int) -> None:
        nonlocal last
        line = f"{what}: {done:,} of {of:,} games"
        if sys.stderr.isatty():
            end = "\n" if done == of else ""
            print(f"\r\x1b[K{printable(line)}", end=end, file=sys.stderr, flush=True)
        elif what != last or done == of:
            say(line, file=sys.stderr)
        last = what

    if chosen.ray is None:
        return run_benchmark(suite, who, out, processes_of(chosen), chosen.limit, chosen.memory, tell)
    with Cluster(chosen.ray) as cluster:
        return run_benchmark(suite, who, out, None, chosen.limit, chosen.memory, tell, cluster.hire)


def show(entry: Entry) -> None:
    """Tables in the terminal."""
    say(f"\n{entry.name} on {entry.suite.name}")
    print_columns([COLUMNS, *rows_of(entry)], right=2, width=WIDE)
    print()
    print_columns([["figure", "score, 95 % interval"], *([name, str(e)] for name, e in shown_figures(entry).items())])
    if entry.forfeits:
        print(f"\n{entry.forfeits} games were forfeited: the results say why")


def compare(chosen: argparse.Namespace) -> None:
    """What the first of two entries wins more than the second."""
    first, second = read_entry(chosen.first), read_entry(chosen.second)
    require_same_suite(first, second)
    say(f"{first.name} beside {second.name} on {first.suite.name}\n")
    print_columns([PAIR_COLUMNS, *pair_rows(first, second)], right=2, width=WIDE)
    for sentence in pair_sentences(first, second):
        say(f"\n{sentence}")


def show_leaderboard(chosen: argparse.Namespace) -> int:
    """Write the page; 1 if an entry was left out."""
    for path in chosen.add:
        say(f"added: {add_entry(path, chosen.folder)}")
    boards, left_out = read_boards(chosen.folder)
    for board in boards:
        say(f"\n{board.suite_name}")
        print_columns([BOARD_COLUMNS[:3], *(row[:3] for row in leaderboard_rows(board))], right=3)
    for path in write_leaderboard(chosen.folder, boards):
        say(f"page: {path}")
    for sentence in left_out:
        say(f"alarife: {sentence}", file=sys.stderr)
    return 1 if left_out else 0


# --- verifying ----------------------------------------------------------------------------------------


def verify(chosen: argparse.Namespace) -> int:
    """Say what agrees and what does not; 1 if anything does not."""
    if chosen.games < 0:
        raise AlarifeError(f"so many deals are drawn: 0 or more, got {chosen.games}")
    seed = secrets.randbits(32) if chosen.seed is None else chosen.seed

    def tell(what: str) -> None:
        say(what, file=sys.stderr)

    found = verify_benchmark(chosen.entry, chosen.games, seed, processes_of(chosen), chosen.code, tell)
    for sentence in found.sound:
        say(f"sound: {sentence}")
    for sentence in found.unseen:
        say(f"not looked at: {sentence}")
    for sentence in found.wrong:
        say(f"wrong: {sentence}")
    say(f"drawn by the seed {seed}")
    return 1 if found.wrong else 0
