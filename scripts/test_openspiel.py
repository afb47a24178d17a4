"""Run the tests of our games in OpenSpiel, in a virtual environment of their own: it is not built for every system.

Arguments are handed to pytest: ``python3 scripts/test_openspiel.py -k kuhn``. Nothing is compiled here.
"""

from __future__ import annotations

import os
import sys

from setup_venv import ready, run


def main() -> None:
    """All tests marked openspiel; the exit code is that of pytest."""
    python = ready("openspiel-test", ".venv-openspiel")
    os.environ |= {"ALARIFE_INTERPRETED": "1"}
    run(python, "-m", "pytest", "-m", "openspiel", "tests/test_openspiel.py", *sys.argv[1:])


if __name__ == "__main__":
    main()
