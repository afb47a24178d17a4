"""The configs that come along, by name: in a wheel beside this file, in a clone in the folder ``configs``."""

from __future__ import annotations

import os
import re
from pathlib import Path

from alarife.engine.errors import FileError, nearest
from alarife.engine.numbers import short
from alarife.engine.reading import MOST_TABLE, read_text

_HERE = Path(__file__).resolve().parent


def config_folder() -> Path:
    """Where they lie."""
    inside = _HERE / "configs"
    return inside if inside.is_dir() else _HERE.parent.parent / "configs"


def config_names() -> dict[str, str]:
    """The name of each config, and what its first sentence says of it."""
    return {path.stem: _about(path) for path in sorted(config_folder().glob("*.yaml"))}


def _about(path: Path) -> str:
    lines = []
    for line in read_text(path, "config", MOST_TABLE).splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("# ").rstrip())
    return re.split(r"(?<=\.) ", " ".join(lines))[0]


def config_path(name: str) -> Path:
    """The file that is meant by a path, or by the name of a config that comes along; a path goes first."""
    if os.path.exists(name) or "/" in name or os.sep in name or name.endswith((".yaml", ".yml")):
        return Path(name)
    path = config_folder() / f"{name}.yaml"
    if not name or not path.is_file():
        raise FileError(f"no config called {short(name)}{nearest(name, config_names())}, or a file")
    return path
