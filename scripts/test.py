"""Set up the development environment, then check format, lint and types, and run the tests.

Arguments are handed to pytest: ``python3 scripts/test.py tests/games -k viva``. Without any, everything runs.
``--fast`` checks what most changes break, in less than a minute once the environment stands: nothing is compiled.
"""

from __future__ import annotations

import os
import sys

from setup_venv import ready, run

FAST = ["tests/test_decisions.py", "tests/test_digest.py", "tests/test_layout.py", "tests/test_options.py",
        "tests/test_random_stream.py", "tests/test_golden_games.py", "tests/games/viva/test_game.py", "-k",
        "not golden_game or viva-2 or viana-2 or patios-2 or villa_paletti-2 or lisboa-1"]  # fmt: skip


def main() -> None:
    """All checks and tests, or those chosen; the first that fails stops with its exit code."""
    python = ready("dev")
    chosen = sys.argv[1:]
    fast = chosen == ["--fast"]
    if fast:
        chosen = FAST
        os.environ["ALARIFE_INTERPRETED"] = "1"
    if not chosen or fast:
        run(python, "-m", "ruff", "format", "--check", ".")
        run(python, "-m", "ruff", "check", ".")
        run(python, "-m", "mypy")
    os.environ |= {"OMP_NUM_THREADS": "1"}  # each processor has a worker: more threads would wait for one another
    workers = [] if "-n" in chosen else ["-n", str(min(8, os.cpu_count() or 1))]
    run(python, "-m", "pytest", *workers, *chosen)


if __name__ == "__main__":
    main()
