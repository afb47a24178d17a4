"""The blocks of docs/libraries.md, by library; each is run where that library is installed."""

from pathlib import Path

from page_blocks import python_blocks, section

PAGE = Path(__file__).parent.parent / "docs" / "libraries.md"


def run_section(heading):
    """Run the one block of a section, word for word; what it made, by name."""
    (code,) = python_blocks(section(PAGE.read_text(encoding="utf-8"), heading))
    made = {}
    exec(compile(code, f"{PAGE.name}, {heading}", "exec"), made)
    return made


def sections():
    """The headings of the sections that have a block."""
    parts = PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
    return {part.partition("\n")[0] for part in parts if "```python" in part}
