"""Run the tests with AgileRL, in a virtual environment of their own: it wants PettingZoo older than 1.27.

So PettingZoo's own tests are run there, too. Arguments are handed to pytest. Nothing is compiled here.
"""

from __future__ import annotations

import os
import sys

from setup_venv import ready, run


def main() -> None:
    """The tests of AgileRL, or what is asked for; the exit code is that of pytest."""
    python = ready("agilerl-test", ".venv-agilerl")
    os.environ |= {"ALARIFE_INTERPRETED": "1", "OMP_NUM_THREADS": "1"}
    run(python, "-m", "pytest", "-m", "libraries", "tests/test_library_agilerl.py", *sys.argv[1:])


if __name__ == "__main__":
    main()
