"""Measure what suites are normalised by: random play's share of wins at each table, and the reference's at one for one.

``python scripts/update_suites.py [suite ...]`` plays the suites' own deals and writes the shares into their files. A
suite that was given out is never changed: this is for one that is being made. Results lie in ``runs/suites``, and a run
that was stopped goes on. ``--check`` only says what would be written.

``--references`` writes how the references of the suites play, the digest of their actions in a few games among
themselves on deals for tuning, into ``references.json`` beside the suites. What stands there is never written anew: a
reference that plays otherwise is another one, and its suite needs another name.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "envs"))

from alarife.engine.errors import AlarifeError
from alarife.engine.files import write_whole
from alarife.evaluation.challenge import PARTS, challenge, require_whole, wins_by_deal
from alarife.evaluation.match import play_fixture
from alarife.evaluation.run import Evaluation
from alarife.evaluation.schedule import Fixture
from alarife.evaluation.suite import FOLDER, Suite, SuiteTable, find_suite, parse_suite, suite_names

ROOT = Path(__file__).resolve().parent.parent
REFERENCES = FOLDER / "references.json"
GAMES = 6  # of each table whose actions are frozen


def share_of(table: SuiteTable, player: str, out: Path, processes: int) -> float:
    """A player's share of wins at a table, to four places."""
    results = challenge(table, player).play(out / table.name / player.replace(":", "-"), processes)
    require_whole(table, results)
    return round(sum(wins_by_deal(results, table.deals)) / (PARTS * table.games), 4)


def measured(suite: Suite, out: Path, processes: int) -> str:
    """The suite's text with the shares that were played."""
    text = suite.text
    for table in suite.tables:
        shares = share_of(table, "random", out, processes), table.equal
        if table.players == 1:
            shares = shares[0], share_of(table, table.reference, out, processes)
        print(f"{suite.name}, {table.name}: random {shares[0]}, reference {shares[1]}", flush=True)
        text = with_shares(text, table.name, shares)
    parse_suite(text, suite.name)
    return text


def with_shares(text: str, table: str, shares: Sequence[float]) -> str:
    """A suite's text with other shares for one table."""
    pattern = re.compile(rf'(name = "{re.escape(table)}"\n(?:(?!\[\[).*\n)*?shares = )\[.*\]')
    found, count = pattern.subn(lambda match: f"{match[1]}[{shares[0]}, {shares[1]}]", text)
    if count != 1:
        raise AlarifeError(f"the suite has no line of shares for the table {table}")
    return found


# --- references ---------------------------------------------------------------------------------------


def play_of_references(suite: Suite, table: SuiteTable) -> dict[str, Any]:
    """What the references of a table do among themselves, on deals for tuning."""
    seed = suite.seeds["tuning"].start + table.seed - suite.seeds["testing"].start
    setting = Evaluation.make(table.game, [table.reference], table.players, 1, seed, table.options).setting
    played = [play_fixture(setting, Fixture(deal, (0,) * table.players)) for deal in range(GAMES)]
    digest = hashlib.blake2b(" ".join(game["moves"] for game in played).encode(), digest_size=8).hexdigest()
    return {"reference": table.reference, "seed": seed, "games": GAMES,
            "decisions": sum(game["decisions"] for game in played), "actions": digest}  # fmt: skip


def frozen_references() -> dict[str, dict[str, Any]]:
    """How the references play, by suite and table."""
    return json.loads(REFERENCES.read_text(encoding="utf-8")) if REFERENCES.exists() else {}


def require_same_play(suite: Suite, table: SuiteTable, frozen: dict[str, dict[str, Any]]) -> None:
    """Refuse references that do not play as they did when the suite was given out."""
    if play_of_references(suite, table) != frozen[suite.name][table.name]:
        raise AlarifeError(f"the references of {suite.name}, {table.name}, play otherwise: give the suite another name")


def freeze_references(names: Sequence[str]) -> None:
    """Write how the references of new tables play; those on file have to play as they did."""
    frozen = frozen_references()
    for suite in map(find_suite, names):
        tables = frozen.setdefault(suite.name, {})
        for table in suite.tables:
            if table.name in tables:
                require_same_play(suite, table, frozen)
            else:
                tables[table.name] = play_of_references(suite, table)
            print(f"{suite.name}, {table.name}: {tables[table.name]['actions']}", flush=True)
    write_whole(REFERENCES, (json.dumps(frozen, indent=1) + "\n").encode())


def main(arguments: Sequence[str] | None = None) -> int:
    """All suites, or those named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="suite", help="default: all that come along")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=ROOT / "runs" / "suites", help="where results are kept")
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if anything would be written")
    parser.add_argument("--references", action="store_true", help="freeze how the references of new suites play")
    chosen = parser.parse_args(arguments)
    changed = 0
    try:
        if chosen.references:
            freeze_references(chosen.suites or suite_names())
            return 0
        for name in chosen.suites or suite_names():
            suite = find_suite(name)
            text = measured(suite, chosen.out / name, chosen.processes)
            changed += text != suite.text
            if not chosen.check:
                write_whole(FOLDER / f"{name}.toml", text.encode())
    except AlarifeError as error:
        print(f"update_suites: {error}", file=sys.stderr)
        return 1
    return 1 if chosen.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
