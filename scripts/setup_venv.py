"""Make a virtual environment of the project's; shared by demo.py and the test scripts. Standard library only."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def python_of(folder: Path) -> Path:
    """The interpreter of a virtual environment, on any system."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def run(*command: object, **settings: object) -> None:
    """Say a command, run it from the project's folder, stop with its exit code if it fails."""
    words = [str(word) for word in command]
    print("$", " ".join(os.path.relpath(w, ROOT) if w.startswith(str(ROOT)) else w for w in words), flush=True)
    done = subprocess.run(words, cwd=ROOT, **settings)  # type: ignore[call-overload]
    if done.returncode:
        sys.exit(done.returncode)


def ready(extra: str, name: str = ".venv", alone: Sequence[str] = ()) -> Path:
    """An environment with alarife and some of its extras, made or brought up to date; returns its interpreter.

    What is named in `alone` is installed as well, without what it asks for. Python compiles modules when they are first
    imported: of the hundreds of packages most are never imported, and to compile them takes as long as the rest.
    """
    if sys.version_info < (3, 11):
        sys.exit(f"alarife needs Python 3.11 or newer, this is {sys.version.split()[0]}")
    folder = ROOT / name
    python, stamp = python_of(folder), folder / f"installed-{extra}"
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + repr(alone).encode()).hexdigest()
    if not python.exists():
        print(f"making a virtual environment in {folder.name}", flush=True)
        venv.create(folder, with_pip=True, clear=True)
    if not stamp.exists() or stamp.read_text() != wanted:
        print(f"installing alarife[{extra}]", flush=True)
        pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-compile",
               "-c", "constraints.txt"]  # fmt: skip
        run(*pip, "-e", f".[{extra}]")
        if alone:
            run(*pip, "--no-deps", *alone)
        stamp.write_text(wanted)
    return python
