"""Start a game: ``python scripts/new_game.py gardens`` copies the teaching game to envs/alarife/games/gardens.

The copy plays at once, under the new name; what to change next is printed. With ``--into my_package`` it goes into a
package of your own.
"""

from __future__ import annotations

import argparse
import keyword
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEACHING = ROOT / "tests" / "teaching_game"
GAMES = ROOT / "envs" / "alarife" / "games"
PLAYS = "{name} plays already, as the teaching game. Now, in this order:"
ENTRY_POINT = """\
{name} is in {folder}.
It plays, as the teaching game, once your package is installed with these lines in its pyproject.toml:

[project.entry-points."alarife.games"]
{name} = "{package}.{name}:GAME"

Then, in this order:"""
FILES = """\
RULES.md: every rule with an id of its own, such as {code}-001
components.py: what is in the box, and the families of actions
state.py: options, and everything that changes
rules.py: the rulebook, chapter by chapter
observation.py: what a seat may know; resample.py: all that it may not
display.py: the position as text and as a picture
advice.py: a player that a beginner would lose to
README.md: the page"""
HERE = """\
tests/games/{name}/test_game.py: write it, its tests marked with the ids of RULES.md
python scripts/update_pages.py: the tables of the page
python scripts/record_golden.py {name}"""
CHECK = "python -m alarife check {name}"


def main() -> None:
    """Copy and rename."""
    parser = argparse.ArgumentParser(description="Start a game as a copy of the teaching game.")
    parser.add_argument("name", help="lower case, words joined by underscores")
    parser.add_argument("--into", type=Path, default=GAMES, metavar="PACKAGE", help="the folder of a package of yours")
    chosen = parser.parse_args()
    if not re.fullmatch(r"[a-z][a-z0-9_]*", chosen.name) or keyword.iskeyword(chosen.name):
        sys.exit(f"names are lower case letters, digits and underscores and no word of Python, got {chosen.name!r}")
    folder = chosen.into.resolve() / chosen.name
    if not folder.parent.name.isidentifier():
        sys.exit(
            f"a package's folder is named like a word of letters, digits and underscores, got {folder.parent.name!r}"
        )
    if folder.exists():
        sys.exit(f"{folder} exists already")
    code = chosen.name.replace("_", "")[:3].upper().ljust(3, "X")
    copy_game(chosen.name, code, folder)
    tell(chosen.name, code, folder)


def copy_game(name: str, code: str, folder: Path) -> None:
    """The teaching game under another name; a new package gets its `__init__.py`."""
    title = " ".join(word.capitalize() for word in name.split("_"))
    shutil.copytree(TEACHING, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder.parent / "__init__.py").touch()
    for path in folder.iterdir():
        text = path.read_text(encoding="utf-8")
        text = text.replace("PebblesDisplay", f"{title.replace(' ', '')}Display").replace("PEB-", f"{code}-")
        text = text.replace('"pebbles"', f'"{name}"').replace('"Pebbles"', f'"{title}"')
        text = text.replace("# Pebbles", f"# {title}").replace('"""Pebbles', f'"""{title}')
        path.write_text(text, encoding="utf-8")


def tell(name: str, code: str, folder: Path) -> None:
    """What to do next."""
    is_here = folder.parent == GAMES
    words = {"name": name, "code": code, "folder": folder, "package": folder.parent.name}
    print((PLAYS if is_here else ENTRY_POINT).format(**words))
    steps = "\n".join([FILES, HERE, CHECK] if is_here else [FILES, CHECK]).format(**words).splitlines()
    for number, step in enumerate(steps, 1):
        print(f"{number:2d}. {step}")


if __name__ == "__main__":
    main()
