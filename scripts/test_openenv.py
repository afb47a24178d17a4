"""Run the tests of games in words over OpenEnv's protocol and in TextArena, in a virtual environment of their own.

Arguments are handed to pytest: ``python3 scripts/test_openenv.py -k client``. Nothing is compiled here.
"""

from __future__ import annotations

import os
import sys

from setup_venv import ready, run


def main() -> None:
    """All tests marked openenv; the exit code is that of pytest."""
    python = ready("openenv-test", ".venv-openenv")
    os.environ |= {"ALARIFE_INTERPRETED": "1", "HF_HUB_OFFLINE": "1"}
    run(python, "-m", "pytest", "-m", "openenv", "tests/test_openenv.py", *sys.argv[1:])


if __name__ == "__main__":
    main()
