"""Run the tests with other people's libraries, in a virtual environment of their own: they are large, and many.

``python3 scripts/test_libraries.py [library ...] [what pytest takes]``; libraries are torchrl, tianshou, supersuit,
rliable and pufferlib. Nothing is compiled here.
"""

from __future__ import annotations

import os
import sys

from setup_venv import ready, run

LIBRARIES = ("torchrl", "tianshou", "supersuit", "rliable", "pufferlib")
#: It asks for one release of torch, but runs with others; there are wheels for these systems.
SYSTEMS = "sys_platform == 'linux' and platform_machine == 'x86_64' and python_version < '3.13'"
PUFFERLIB = f"pufferlib-core==3.0.23; {SYSTEMS}"


def main() -> None:
    """All tests marked libraries, or those of some; the exit code is that of pytest."""
    named = [word for word in sys.argv[1:] if word in LIBRARIES]
    rest = [word for word in sys.argv[1:] if word not in LIBRARIES]
    if rest and not rest[0].startswith("-"):
        sys.exit(f"no library called {rest[0]}. Allowed: {', '.join(LIBRARIES)}")
    python = ready("libraries-test", ".venv-libraries", [PUFFERLIB])
    os.environ |= {"ALARIFE_INTERPRETED": "1", "OMP_NUM_THREADS": "1"}
    files = [f"tests/test_library_{name}.py" for name in named or LIBRARIES]
    run(python, "-m", "pytest", "-m", "libraries", *files, *rest)


if __name__ == "__main__":
    main()
