"""Run the tests of training with Ray RLlib, and of games as Ray tasks, in a virtual environment of their own.

Ray wants one release of Gymnasium. Arguments are handed to pytest: ``python3 scripts/test_rllib.py -k cluster``.
"""

from __future__ import annotations

import os
import sys

from setup_venv import ready, run

TESTS = ["tests/test_rllib.py", "tests/test_rllib_cluster.py", "tests/test_games_on_ray.py"]


def main() -> None:
    """All tests marked rllib; the exit code is that of pytest."""
    python = ready("rllib-test", ".venv-rllib")
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "OMP_NUM_THREADS": "1"}
    run(python, "-m", "pytest", "-m", "rllib", *TESTS, *sys.argv[1:])


if __name__ == "__main__":
    main()
