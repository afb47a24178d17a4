"""Set up the development environment, then check format, lint and types, and run the tests.

Arguments are handed to pytest: ``python3 scripts/test.py tests/games -k viva``. Without any, everything runs.
"""

from __future__ import annotations

import os
import sys

from setup_venv import ready, run


def main() -> None:
    """All checks; the first that fails stops with its exit code."""
    python = ready("dev")
    chosen = sys.argv[1:]
    if not chosen:
        run(python, "-m", "ruff", "format", "--check", ".")
        run(python, "-m", "ruff", "check", ".")
        run(python, "-m", "mypy")
    workers = [] if "-n" in chosen else ["-n", str(min(8, os.cpu_count() or 1))]
    run(python, "-m", "pytest", *workers, *chosen)


if __name__ == "__main__":
    main()
