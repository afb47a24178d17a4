"""What has changed between two texts of a table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher


def changed_lines(before: Sequence[str], now: Sequence[str]) -> list[int]:
    """The numbers of the lines that are new or other than before."""
    return [line for _, lines in _changes(before, now) for line in lines]


def new_words(before: Sequence[str], now: Sequence[str], name: str) -> list[str]:
    """What came to light on the lines of a text that speak of somebody: words that stand there more often than before.

    Words are what is written with a capital letter: cards, colours, places.
    """
    found = []
    old: Counter[str] = Counter()
    for gone, lines in _changes(before, now):
        old.update(word for line in gone for word in _words(before[line], name))
        found += [word for line in lines for word in _words(now[line], name)]
    fresh = []
    for word in found:
        if old[word]:
            old[word] -= 1
        else:
            fresh.append(word)
    return fresh


def _changes(before: Sequence[str], now: Sequence[str]) -> list[tuple[range, range]]:
    """The lines that were, and those that stand in their place."""
    codes = SequenceMatcher(None, before, now, autojunk=False).get_opcodes()
    return [(range(i, j), range(k, end)) for kind, i, j, k, end in codes if kind != "equal"]


def _words(line: str, name: str) -> list[str]:
    if not re.search(rf"\b{name}\b", line):
        return []
    return [word for word in (word.strip("()[],.;:") for word in line.split()) if re.search("[A-Z]", word)]
