"""What several commands take, and how they speak."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from alarife.engine.errors import AlarifeError
from alarife.engine.game import Game
from alarife.engine.numbers import seed_number
from alarife.engine.printable import printable
from alarife.engine.registry import find_game
from alarife.engine.table import Table
from alarife.players import Player, find_player
from alarife.players.find import note_on

MOST_SECONDS = 3600
GAME = "a game by name, such as viva"

#: Adds a command: its name, what runs it, and what it is about.
Command = Callable[[str, Any, str], argparse.ArgumentParser]


def say(text: str, **how: Any) -> None:
    """Print text that may hold names, phrases and paths of others."""
    print(printable(text, lines=True), **how)


class Parser(argparse.ArgumentParser):
    """A parser that repeats arguments as a terminal may show them."""

    def error(self, message: str) -> NoReturn:
        """End with a sentence about the arguments."""
        super().error(printable(message))


def typed(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """A reader of an argument that says in its own words what is wrong."""

    def parse(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return parse


@typed
def seed_argument(text: str) -> int:
    """A seed: a whole number of 64 bits."""
    return seed_number(read_value(text))


@typed
def seconds_argument(text: str) -> float:
    """A pause: seconds from 0 to an hour."""
    value = read_value(text)
    if not isinstance(value, (int, float)) or not 0 <= value <= MOST_SECONDS:
        raise AlarifeError(f"a pause is from 0 to {MOST_SECONDS} seconds, got {text!r}")
    return float(value)


def read_value(value: str) -> Any:
    """A number, true or false, or the word itself."""
    if value in ("true", "false"):
        return value == "true"
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value


def game_arguments(
    parser: argparse.ArgumentParser,
    who: str = "scripted",
    about: str = "players by name, separated by commas; they take turns over the seats",
    seed: str = "the same seed gives the same game",
    needs_game: bool = True,
) -> None:
    """A game, its table and its players."""
    parser.add_argument("game", nargs=None if needs_game else "?", help=GAME)
    parser.add_argument("--players", type=int, help="how many sit at the table (default: the fewest)")
    parser.add_argument("--with", dest="who", default=who, metavar="PLAYERS", help=f"{about} (default {who})")
    parser.add_argument("--seed", type=seed_argument, help=seed)
    options_argument(parser)


def options_argument(parser: argparse.ArgumentParser) -> None:
    """The options of a game."""
    parser.add_argument(
        "--option",
        "-o",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game; `alarife show GAME` lists them",
    )


def options_of(game: Game, words: Sequence[str]) -> dict[str, Any]:
    """Options from ``name=value`` words, numbers and true/false read as such."""
    options: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise AlarifeError(f"write options as name=value, got {word!r}")
        options[name] = read_value(value)
    return game.make_options(options).to_dict()


def sit_down(chosen: argparse.Namespace, table: Table | None = None) -> tuple[Table, list[Player], list[str]]:
    """A table (a new one, if none is given) with its players, and their names."""
    if table is None:
        game = find_game(chosen.game)
        table = Table(game, chosen.players, options_of(game, chosen.option), chosen.seed)
    names = [name.strip() for name in chosen.who.split(",")]
    names = [names[seat % len(names)] for seat in range(table.players)]
    seeds = np.random.SeedSequence(table.seed).generate_state(table.players)
    players = [find_player(name, int(seed)) for name, seed in zip(names, seeds, strict=True)]
    tell_notes(names, table.game, table.players)
    return table, players, names


def tell_notes(names: Sequence[str], game: Game, players: int) -> None:
    """Say which of the players were trained for tables of another size."""
    for note in filter(None, (note_on(name, game, players) for name in dict.fromkeys(names))):
        print(f"note: {printable(note)}", file=sys.stderr)


@typed
def seeds_argument(text: str) -> list[int]:
    """Whole numbers between commas."""
    words = text.split(",")
    if not all(word.strip().isdecimal() and len(word) < 12 for word in words):
        raise AlarifeError(f"seeds are whole numbers between commas, such as 0,1,2, got {text!r}")
    return [int(word) for word in words]
