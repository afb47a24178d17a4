"""What the pages show as code: read here once for all tests and scripts that run it."""

from __future__ import annotations

import re
from collections.abc import Iterator


def section(text: str, heading: str) -> str:
    """What stands on a page under one heading of the second rank."""
    _, _, rest = text.partition(f"\n## {heading}\n")
    return rest.partition("\n## ")[0]


def python_blocks(text: str) -> list[str]:
    """The blocks of Python, from top to bottom."""
    return re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def commands(text: str) -> Iterator[str]:
    """The commands of the one terminal block, and those that the remarks beside them name."""
    (block,) = re.findall(r"^```\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    for line in block.splitlines():
        command, _, remark = line.partition("  ")
        yield command
        yield from re.findall(r"alarife [^,:;]+", remark)
