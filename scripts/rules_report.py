"""Which rules have tests: ``python scripts/rules_report.py [game ...]``.

Reads the ids of each game's RULES.md and the ``@pytest.mark.rules`` marks of the tests. A rule marked ``(data)``,
``(display)`` or ``(text)`` needs no test. Fails if a rule has neither, or if a test names a rule that does not exist.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GAMES = ROOT / "envs" / "alarife" / "games"
LINE = re.compile(r"^- \*{0,2}([A-Z]{3}-\d{3})\*{0,2} \[[^\]]+\](?: \((data|display|text)\))? \S")
_NAMES = "pytest.mark.rules", "rules"  # test files may shorten the mark


def rules_of(page: Path) -> dict[str, str]:
    """Ids of a RULES.md, each with its mark or an empty text; malformed or repeated lines stop the report."""
    rules: dict[str, str] = {}
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if not re.match(r"^- \*{0,2}[A-Z]{3}-\d", line):
            continue
        match = LINE.match(line)
        if not match:
            sys.exit(f"{page.relative_to(ROOT)}:{number}: write a rule as '- VIV-010 [seed] text', got {line[:60]!r}")
        if match[1] in rules:
            sys.exit(f"{page.relative_to(ROOT)}:{number}: {match[1]} stands there twice")
        rules[match[1]] = match[2] or ""
    return rules


def tested_rules(folder: Path) -> dict[str, list[str]]:
    """Ids named by ``rules`` marks, each with the tests that carry it."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                for rule in _marks(node):
                    found.setdefault(rule, []).append(f"{path.relative_to(ROOT)}::{node.name}")
    return found


def _marks(node: ast.FunctionDef | ast.ClassDef) -> list[str]:
    ids = []
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) in _NAMES:
            ids += [str(arg.value) for arg in decorator.args if isinstance(arg, ast.Constant)]
    return ids


def report(game: str, tested: dict[str, list[str]]) -> list[str]:
    """Print one game's coverage; returns the rules without a test."""
    rules = rules_of(GAMES / game / "RULES.md")
    missing = [rule for rule, mark in rules.items() if not mark and rule not in tested]
    with_tests = sum(rule in tested for rule in rules)
    marked = {mark: sum(m == mark for m in rules.values()) for mark in ("data", "display", "text")}
    told = ", ".join(f"{count} {mark}-only" for mark, count in marked.items() if count)
    print(f"{game}: {len(rules)} rules, {with_tests} with tests{', ' + told if told else ''}, {len(missing)} missing")
    for rule in missing:
        print(f"  {rule} has no test")
    return missing


def main() -> None:
    """Report the named games, or all."""
    parser = argparse.ArgumentParser(description="Which rules have tests.")
    parser.add_argument("games", nargs="*")
    names = parser.parse_args().games or sorted(page.parent.name for page in GAMES.glob("*/RULES.md"))
    tested = tested_rules(ROOT / "tests")
    missing = [rule for name in names for rule in report(name, tested)]
    known = {rule for page in GAMES.glob("*/RULES.md") for rule in rules_of(page)}
    known |= set(rules_of(ROOT / "tests" / "teaching_game" / "RULES.md"))
    unknown = {rule: where for rule, where in tested.items() if rule not in known}
    for rule, where in unknown.items():
        print(f"{where[0]} names {rule}, which is in no RULES.md")
    if missing or unknown:
        sys.exit(1)


if __name__ == "__main__":
    main()
