"""Has a change cost speed? ``python scripts/compare_speed.py COMMIT [game ...]`` compares batches with a commit's.

The commit's `envs` folder is laid out beside this one, and both step the same batches, natively sampled, in processes
that take turns. Times are those of the processor; printed is, for each game and size of table, the middle ratio of the
new rate to the old one, and the least and greatest. Kernels of the commit are compiled first, in a cache of their own.

With ``--everything`` the same is told of all that `alarife bench` times; both sides have to know
`alarife.testing.speed`.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GAMES = "lisboa", "patios", "viana", "villa_paletti", "viva"

#: Run by both: the rate of a batch, in decisions for each second of the processor.
CHILD = """
import json, sys, time
import alarife
name, players, games, seconds = json.loads(sys.argv[1])
batch = alarife.make_batch(name, games=games, players=players, seed=7)
for _ in range(60):  # the first decisions of a game are unlike the others
    batch.step(batch.sample())
steps, start = 0, time.process_time()
while time.process_time() - start < seconds:
    batch.step(batch.sample())
    steps += 1
print(games * steps / (time.process_time() - start))
"""


#: Run by both with --everything: for each line that is read, the rates of one round of all workloads.
ALL = """
import json, sys
from alarife.engine.registry import find_game
from alarife.testing import speed
name, players, games, seconds = json.loads(sys.argv[1])
speed.GAMES = games
loads = list(speed.workloads(find_game(name), players))
for load in loads:
    load.work()
for _ in sys.stdin:
    print(json.dumps({load.name: speed.rate_of(load.work, seconds, load.clock) for load in loads}), flush=True)
"""


def laid_out(commit: str, folder: Path) -> Path:
    """The commit's sources, in a folder."""
    packed = subprocess.run(["git", "archive", commit, "envs"], cwd=ROOT, capture_output=True, check=False)
    if packed.returncode:
        sys.exit(f"{commit!r} is no commit of this repository: {packed.stderr.decode().strip()}")
    with tarfile.open(fileobj=BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "envs"


def rate(sources: Path, cache: Path | None, name: str, players: int, games: int, seconds: float) -> float:
    """Decisions a second, in a process of its own that imports those sources."""
    command = [sys.executable, "-c", CHILD, json.dumps([name, players, games, seconds])]
    done = subprocess.run(command, env=settings_of(sources, cache), capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name} for {players} fails in {sources}: {done.stderr[-500:]}")
    return float(done.stdout.split()[-1])


def settings_of(sources: Path, cache: Path | None) -> dict[str, str]:
    """The environment of a process that imports those sources."""
    settings = os.environ | {"PYTHONPATH": str(sources), "ALARIFE_QUIET": "1"}
    return settings if cache is None else settings | {"ALARIFE_CACHE_DIR": str(cache)}


class Side:
    """A process that times all workloads, one round whenever it is asked."""

    def __init__(self, sources: Path, cache: Path | None, wish: tuple[str, int, int, float]) -> None:
        command = [sys.executable, "-c", ALL, json.dumps(wish)]
        self.process = subprocess.Popen(command, env=settings_of(sources, cache), stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)  # fmt: skip
        self.sources = sources

    def round(self) -> dict[str, float]:
        """The rates of one round."""
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            sys.exit(f"{self.sources} cannot time its workloads")
        if not (line := self.process.stdout.readline()):
            sys.exit(f"{self.sources} cannot time its workloads")
        return dict(json.loads(line))


def compare_everything(old: tuple[Path, Path], wish: tuple[str, int, int, float], rounds: int, commit: str) -> None:
    """Print the ratio of each workload of one game."""
    before, now = Side(*old, wish), Side(ROOT / "envs", None, wish)
    before.round(), now.round()
    pairs = [(now.round(), before.round()) for _ in range(rounds)]
    print(f"{wish[0]}, {wish[1]} players, against {commit}:")
    for name in (name for name in pairs[0][0] if name in pairs[0][1]):
        ratios = sorted(new[name] / past[name] for new, past in pairs)
        best = max(new[name] for new, _ in pairs) / max(past[name] for _, past in pairs)
        print(f"  {name:34} {statistics.median(ratios):.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f}), "
              f"best to best {best:.3f}", flush=True)  # fmt: skip
    for side in (before, now):
        side.process.communicate()


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description="has a change cost speed?")
    parser.add_argument("commit", help="what to compare with")
    parser.add_argument("games", nargs="*", default=GAMES, metavar="game")
    parser.add_argument("--players", type=int, nargs="*", help="sizes of table (default: the smallest)")
    parser.add_argument("--batch", type=int, default=1024, help="games of a batch")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each round, for either side")
    parser.add_argument("--everything", action="store_true", help="all workloads, not the batch alone")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        old = laid_out(given.commit, Path(folder))
        cache = Path(folder) / "kernels"
        cache.mkdir(mode=0o700)
        for name in given.games:
            for players in given.players or [1 if name == "lisboa" else 2]:
                wish = name, players, given.batch, given.seconds
                if given.everything:
                    compare_everything((old, cache), wish, given.rounds, given.commit)
                    continue
                for sides in ((old, cache), (ROOT / "envs", None)):  # compiled before anything is timed
                    rate(*sides, name, players, given.batch, 0.01)
                pairs = [(rate(ROOT / "envs", None, *wish), rate(old, cache, *wish)) for _ in range(given.rounds)]
                ratios = [new / before for new, before in pairs]
                now, before = (statistics.median(side) for side in zip(*pairs, strict=True))
                print(f"{name}, {players} players: {statistics.median(ratios):.3f} of the speed at {given.commit} "
                      f"({min(ratios):.3f} to {max(ratios):.3f}); {now:,.0f} and {before:,.0f} decisions/s",
                      flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
