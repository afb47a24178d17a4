"""``alarife new``: a package with a game that plays, to be changed into one's own."""

from __future__ import annotations

import argparse
import keyword
import re
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from alarife.commands.arguments import Command, say
from alarife.engine.errors import AlarifeError
from alarife.engine.files import write_whole
from alarife.engine.printable import printable
from alarife.engine.registry import game_names

NEXT = """\
{title} is in {folder}, a package of its own. It plays already, by rules that are only there to be replaced:

  cd {folder}
  pip install -e .[test]
  alarife check {name}
      tells in a sentence what is wrong; run it early and often. ALARIFE_INTERPRETED=1 spares the compilation
  alarife play {name}
  pytest

Change the files of {folder}/{name} in this order:
  RULES.md          every rule with an id of its own, such as {code}-001
  components.py     what is in the box, how many may play, the phases
  __init__.py       the title, the player counts, a bound on the number of decisions
  actions.py        the families of actions
  state.py          options, and everything that changes
  rules/turn.py     the table of decisions; beside it setup, the chapters of the rulebook, end, invariants
  observation.py    what a seat sees
  resample.py       all that a seat does not know is drawn anew, in agreement with what it sees
  display.py        the position as text and as a picture
  advice.py         a player that a beginner would lose to
Then the tests: they read the rules a second time, and are marked with their ids.
"""


def add_commands(command: Command) -> None:
    """Add the command ``new`` and its arguments."""
    new = command("new", make_game, "begin a game of your own, as a package that plays at once")
    new.add_argument("name", help="lower case, words joined by underscores")
    new.add_argument("--title", help="as people read it (default: the name)")
    new.add_argument("--into", default=".", metavar="FOLDER", help="where the package's folder is made (default: here)")


def make_game(chosen: argparse.Namespace) -> None:
    """Write the package."""
    name = chosen.name
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise AlarifeError(f"names are lower case letters, digits and underscores and no word of Python, got {name!r}")
    if name in game_names():
        raise AlarifeError(f"there is a game called {name!r} already")
    words = [word for word in name.split("_") if word]
    title = chosen.title or " ".join(word.capitalize() for word in words)
    if not title.isprintable() or set(title) & set("\\\"'"):
        raise AlarifeError(f"a title is one line without quotation marks, got {printable(title)!r}")
    folder = Path(chosen.into) / name
    if folder.exists():
        raise AlarifeError(f"{folder} exists already")
    code = "".join(words)[:3].upper().ljust(3, "X")
    spelt = {"NAME": name, "TITLE": title, "CODE": code, "CLASS": "".join(word.capitalize() for word in words)}
    for path, text in _files(resources.files("alarife") / "templates" / "game"):
        target = folder / path.replace("NAME", name).replace("workflows", ".github/workflows").removesuffix(".txt")
        write_whole(target, re.sub("@([A-Z]+)@", lambda found: spelt[found[1]], text).encode())
    say(NEXT.format(title=title, folder=folder, name=name, code=code), end="")


def _files(folder: Traversable, above: str = "") -> list[tuple[str, str]]:
    """Every file below a folder, by its path there, with its text."""
    found: list[tuple[str, str]] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            found += _files(entry, f"{above}{entry.name}/")
        elif entry.name.endswith(".txt"):
            found.append((above + entry.name, entry.read_text(encoding="utf-8")))
    return found
