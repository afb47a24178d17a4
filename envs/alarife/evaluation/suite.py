"""A suite: fixed tables, opponents and deals by a name that is never given to anything else.

A suite is a TOML file, checked when it is read; those of the house lie in the folder `suites`. Deals are numbered from
seeds, and seeds for training, for tuning and for testing lie in ranges of their own.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alarife.engine.errors import AlarifeError, FileError, nearest
from alarife.engine.game import Game
from alarife.engine.numbers import SEED_BITS, is_whole, short
from alarife.engine.options import GameOptions
from alarife.engine.reading import MOST_TABLE, parse_toml, read_text
from alarife.engine.registry import find_game
from alarife.evaluation.power import deals_needed, widest_variance
from alarife.players.find import OWN, kind_of, needs_a_policy

FORMAT, FORMAT_VERSION = "alarife suite", 1
FOLDER = Path(__file__).parent / "suites"
KINDS = "training", "tuning", "testing"
MOST_TABLES, MOST_DEALS = 64, 100_000
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")
MOST_TITLE = 500


@dataclass(frozen=True)
class SuiteTable:
    """One table of a suite, and the shares of wins that its scores are normalised by.

    The reference sits on all seats but one; at a table for one it plays the same deals alone.
    """

    name: str
    game_id: str
    players: int
    options: dict[str, Any]
    reference: str
    seed: int
    deals: int
    random: float  # the share of wins of random play, whose score is 0
    equal: float  # that of the reference itself, whose score is 1

    @property
    def game(self) -> Game:
        """The game, in the version that the suite names."""
        return find_game(self.game_id)

    @property
    def games(self) -> int:
        """How many games are played: one on each seat of every deal."""
        return self.deals * self.players

    def chosen(self) -> GameOptions:
        """The options as the game takes them."""
        return self.game.make_options(self.options)

    def score(self, share: Any) -> Any:
        """Shares of wins between random play, 0, and the reference, 1."""
        return (share - self.random) / (self.equal - self.random)


@dataclass(frozen=True)
class Suite:
    """Tables by name, in order."""

    name: str
    about: str
    apart: float
    seeds: dict[str, range]
    tables: tuple[SuiteTable, ...]
    text: str

    @property
    def digest(self) -> str:
        """Of the file's text: two suites that differ in anything differ in this."""
        return digest_of(self.text)

    @property
    def games(self) -> list[str]:
        """The games, each once, in the order of the tables."""
        return list(dict.fromkeys(table.game_id for table in self.tables))

    def table(self, name: str) -> SuiteTable:
        """A table by its name."""
        found = {table.name: table for table in self.tables}
        if name not in found:
            raise AlarifeError(f"{self.name} has no table called {short(name)}{nearest(name[:80], found)}")
        return found[name]

    def tables_of(self, game_id: str) -> list[SuiteTable]:
        """The tables at which a game is played."""
        return [table for table in self.tables if table.game_id == game_id]


def digest_of(text: str) -> str:
    """The digest of a suite's text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def suite_names() -> list[str]:
    """The suites that come along."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def find_suite(name: str) -> Suite:
    """A suite by its name, or by the path of a TOML file."""
    if name in suite_names():
        return read_suite(FOLDER / f"{name}.toml")
    if name.endswith(".toml"):
        return read_suite(name)
    raise AlarifeError(f"no suite called {short(name)}{nearest(name[:80], suite_names())}, or a .toml file")


def read_suite(path: str | Path) -> Suite:
    """A suite from a file, everything in it checked."""
    return parse_suite(read_text(path, "suite", MOST_TABLE), str(path))


def parse_suite(text: str, where: str) -> Suite:
    """A suite from the text of a file."""
    try:
        about = parse_toml(text)
        if about.get("format") != FORMAT or about.get("format_version") != FORMAT_VERSION:
            raise FileError(f"it is {short(about.get('format'))} of format {short(about.get('format_version'))}, this "
                            f"alarife reads {FORMAT!r} of format {FORMAT_VERSION}")  # fmt: skip
        _require(about, SUITE_ENTRIES, "the suite")
        seeds = _seeds(about["seeds"])
        tables = tuple(_table(told) for told in about["tables"])
        _check_together(tables, seeds, about["apart"])
    except AlarifeError as error:
        raise FileError(f"{where} holds no suite: {error}") from None
    return Suite(about["name"], about["about"], float(about["apart"]), seeds, tables, text)


def _seeds(told: Mapping[str, Any]) -> dict[str, range]:
    """The ranges of seeds, disjoint."""
    if set(told) != set(KINDS):
        raise FileError(f"seeds are told for {', '.join(KINDS)}, got {', '.join(told) or 'nothing'}")
    ranges = {}
    for kind in KINDS:
        ends = told[kind]
        if not isinstance(ends, list) or len(ends) != 2 or not all(map(_is_seed, ends)) or ends[0] > ends[1]:
            raise FileError(f"seeds for {kind} are [first, last], got {short(ends)}")
        ranges[kind] = range(ends[0], ends[1] + 1)
    ordered = sorted(ranges.items(), key=lambda item: item[1].start)
    for (one, first), (other, second) in itertools.pairwise(ordered):
        if first.stop > second.start:
            raise FileError(f"seeds for {one} and for {other} overlap at {second.start}")
    return ranges


def _table(told: Any) -> SuiteTable:
    if not isinstance(told, dict) or not isinstance(told.get("name"), str):
        raise FileError(f"a table has a name, got {short(told)}")
    where = f"the table {short(told['name'])}"
    _require(told, TABLE_ENTRIES, where)
    random, equal = (float(share) for share in told["shares"])
    table = SuiteTable(told["name"], told["game"], told["players"], told["options"], told["reference"], told["seed"],
                       told["deals"], random, equal)  # fmt: skip
    try:
        if table.game.id != table.game_id:
            raise FileError(f"its game is named with its version, such as {table.game.id}, got {table.game_id!r}")
        table.game.template(table.players, table.chosen())
        if kind_of(table.reference) != OWN or needs_a_policy(table.reference) or table.reference == "person":
            raise FileError(f"its reference is scripted or a search without a policy, got {table.reference!r}")
    except AlarifeError as error:
        raise FileError(f"{where}: {error}") from None
    if not 0 <= random < equal <= 1:
        raise FileError(f"{where}: random play wins less than the reference, got shares {short(told['shares'])}")
    if table.players > 1 and equal != 1 / table.players:
        raise FileError(f"{where}: among {table.players} equals each wins {1 / table.players}, got {equal}")
    return table


def _check_together(tables: tuple[SuiteTable, ...], seeds: dict[str, range], apart: float) -> None:
    names, numbers = [table.name for table in tables], [table.seed for table in tables]
    if len({*names}) < len(names) or len({*numbers}) < len(numbers):
        raise FileError("each table has a name and a seed of its own")
    options = {table.game_id: table.chosen() for table in tables}
    for table in tables:
        if table.seed not in seeds["testing"]:
            raise FileError(f"the table {table.name!r}: its seed is not one for testing, got {table.seed}")
        if table.chosen() != options[table.game_id]:
            raise FileError(f"{table.game_id} is played with the same options at all tables, for one agent learns them")
        needed = deals_needed(apart, widest_variance(table.players))
        if table.deals < needed:
            raise FileError(f"the table {table.name!r}: to tell {100 * apart:g} percent points apart it takes {needed} "
                            f"deals, got {table.deals}")  # fmt: skip


# --- entries ------------------------------------------------------------------------------------------


def _require(told: Mapping[str, Any], entries: Mapping[str, tuple[str, Any]], where: str) -> None:
    if unknown := sorted(set(told) - set(entries)):
        raise FileError(f"{where} has no entry {short(unknown[0])}{nearest(unknown[0][:80], entries)}")
    for name, (words, fits) in entries.items():
        if name not in told:
            raise FileError(f"{where} has no entry {name!r}")
        if not fits(told[name]):
            raise FileError(f"{where}: {name} is {words}, got {short(told[name])}")


def _is_seed(value: Any) -> bool:
    return is_whole(value) and 0 <= value < 2 ** (SEED_BITS - 1)


def _is_number(value: Any) -> bool:
    return is_whole(value) or isinstance(value, float)


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and NAME.fullmatch(value) is not None


def _is_short_text(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MOST_TITLE


#: The entries of a suite and of its tables, in words and as a question.
SUITE_ENTRIES: dict[str, tuple[str, Any]] = {
    "format": ("the format's name", lambda value: value == FORMAT),
    "format_version": ("its number", is_whole),
    "name": ("a name of small letters, digits and dashes", _is_name),
    "about": (f"a text of at most {MOST_TITLE} letters", _is_short_text),
    "apart": ("a difference of shares between 0 and 1", lambda value: _is_number(value) and 0 < value < 1),
    "seeds": ("a table", lambda value: isinstance(value, dict)),
    "tables": (f"a list of 1 to {MOST_TABLES} tables",
               lambda value: isinstance(value, list) and 1 <= len(value) <= MOST_TABLES),
}  # fmt: skip
TABLE_ENTRIES: dict[str, tuple[str, Any]] = {
    "name": ("a name of small letters, digits and dashes", _is_name),
    "game": ("a game with its version", _is_short_text),
    "players": ("a number of seats", lambda value: is_whole(value) and 1 <= value <= 60),
    "options": ("a table", lambda value: isinstance(value, dict)),
    "reference": ("a player's name", _is_short_text),
    "seed": ("a whole number", _is_seed),
    "deals": (f"a whole number from 1 to {MOST_DEALS:,}", lambda value: is_whole(value) and 1 <= value <= MOST_DEALS),
    "shares": ("the shares of random play and of the reference",
               lambda value: isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))),
}  # fmt: skip
