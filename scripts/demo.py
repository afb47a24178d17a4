"""Set alarife up, play a game of VIVA with everything shown, and time it. Run it with any Python from 3.11 on."""

from __future__ import annotations

import sys

from setup_venv import ROOT, ready, run


def main() -> None:
    """From nothing to a picture of a finished game."""
    python = ready("render")
    out = ROOT / "runs" / "demo"
    out.mkdir(parents=True, exist_ok=True)
    run(python, "-m", "alarife", "list")
    game = ["viva", "--players", "3", "--seed", "3", "--with", "scripted,random", "-o", "match=single_round"]
    files = ["--picture", out / "viva.png", "--record", out / "viva.json"]
    run(python, "-m", "alarife", "watch", *game, "--brief", *files)
    run(python, "-m", "alarife", "replay", "verify", out / "viva.json")
    run(python, ROOT / "scripts" / "thousand_games.py")
    where = python.relative_to(ROOT).parent / "alarife"
    print(f"\nThe last position is drawn in {(out / 'viva.png').relative_to(ROOT)}. Next:")
    print(f"  {where} play viva            sit down yourself")
    print(f"  {where} watch viva --help    other players, player counts, options")
    print(f"  {sys.executable.split('/')[-1]} scripts/test.py      run the tests")


if __name__ == "__main__":
    main()
