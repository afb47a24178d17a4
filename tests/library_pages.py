"""The blocks of docs/libraries.md, by library; each is run where that library is installed."""

import re
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "libraries.md"


def run_section(heading):
    """Run the one block of a section, word for word; what it made, by name."""
    _, _, rest = PAGE.read_text(encoding="utf-8").partition(f"\n## {heading}\n")
    (code,) = re.findall(r"```python\n(.*?)```", rest.partition("\n## ")[0], re.DOTALL)
    made = {}
    exec(compile(code, f"{PAGE.name}, {heading}", "exec"), made)
    return made


def sections():
    """The headings of the sections that have a block."""
    parts = PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
    return {part.partition("\n")[0] for part in parts if "```python" in part}
