"""Start a game: ``python scripts/new_game.py gardens`` copies the teaching game to envs/alarife/games/gardens.

The copy plays at once, under the new name; what to change next is printed.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEACHING = ROOT / "tests" / "teaching_game"
STEPS = """\
{name} plays already, as the teaching game. Now, in this order:
 1. RULES.md        every rule with an id of its own, such as {code}-001
 2. components.py   what is in the box, and the families of actions
 3. state.py        options, and everything that changes
 4. rules.py        the rulebook, chapter by chapter; tests/games/test_{name}.py, its tests marked with the ids
 5. observation.py  what a seat may know; resample.py: all that it may not
 6. display.py      the position as text and as a picture
 7. advice.py       a player that a beginner would lose to
 8. README.md       the page; python scripts/update_pages.py fills its tables
 9. python scripts/record_golden.py {name}
10. python -m alarife check {name}"""


def main() -> None:
    """Copy and rename."""
    parser = argparse.ArgumentParser(description="Start a game as a copy of the teaching game.")
    parser.add_argument("name", help="lower case, words joined by underscores")
    parser.add_argument("--into", type=Path, default=ROOT / "envs" / "alarife" / "games", help="parent folder")
    chosen = parser.parse_args()
    if not re.fullmatch(r"[a-z][a-z0-9_]*", chosen.name):
        sys.exit(f"names are lower case letters, digits and underscores, got {chosen.name!r}")
    folder = chosen.into / chosen.name
    if folder.exists():
        sys.exit(f"{folder} exists already")
    title = " ".join(word.capitalize() for word in chosen.name.split("_"))
    code = chosen.name.replace("_", "")[:3].upper().ljust(3, "X")
    shutil.copytree(TEACHING, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in folder.iterdir():
        text = path.read_text(encoding="utf-8")
        text = text.replace("PebblesDisplay", f"{title.replace(' ', '')}Display").replace("PEB-", f"{code}-")
        text = text.replace('"pebbles"', f'"{chosen.name}"').replace('"Pebbles"', f'"{title}"')
        text = text.replace("# Pebbles", f"# {title}").replace('"""Pebbles', f'"""{title}')
        path.write_text(text, encoding="utf-8")
    print(STEPS.format(name=chosen.name, code=code))


if __name__ == "__main__":
    main()
