"""Run the tests of the page in Chromium, in a virtual environment of their own.

Arguments are handed to pytest: ``python3 scripts/test_browser.py -k secret``; ``--whole`` plays each game with every
number of players, ``--shots FOLDER`` keeps pictures of the screens. Where there is no Chromium
and none can be installed, it says so and runs nothing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from setup_venv import ready, run

NAMES = "chromium", "chromium-browser", "google-chrome"


def main() -> None:
    """All tests marked browser; the exit code is that of pytest."""
    if chromium() is None:
        install()
    if chromium() is None:
        print("skipped: the tests of the page need Chromium, and apt-get install chromium did not bring it here")
        return
    python = ready("browser-test", ".venv-browser")
    words = sys.argv[1:]
    os.environ |= {"ALARIFE_CHROMIUM": str(chromium())}
    if "--whole" in words:
        words.remove("--whole")
        os.environ["ALARIFE_WHOLE"] = "1"
    if "--shots" in words:
        at = words.index("--shots")
        os.environ["ALARIFE_SHOTS"] = words[at + 1]
        del words[at : at + 2]
    run(python, "-m", "pytest", "-m", "browser", "tests/web/test_page.py", *words)


def chromium() -> str | None:
    """Where the browser is."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def install() -> None:
    """Install Debian's package, where this process may do so."""
    if shutil.which("apt-get") is None or getattr(os, "geteuid", lambda: 1)() != 0:
        return
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": False}
    subprocess.run(["apt-get", "update"], **quiet)  # type: ignore[call-overload]
    command = ["apt-get", "install", "-y", "--no-install-recommends", "chromium"]
    subprocess.run(command, **quiet)  # type: ignore[call-overload]


if __name__ == "__main__":
    main()
