"""How training with Ray RLlib scales: decisions a second with 0, 1 and 2 runners, and with Stable-Baselines3.

``python scripts/bench_rllib.py [--rounds 7]`` needs the extra [rllib]. All candidates stand ready and take turns, round
by round, so that whatever else the machine does meets each of them; the table shows medians. The last two columns count
seconds of the processor instead of seconds: what else runs does not show there.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from math import nan
from pathlib import Path
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray
from ray.rllib.execution.rollout_ops import synchronous_parallel_sample

from alarife_training.config import Config, read_config
from alarife_training.rllib.runners import everywhere, tell
from alarife_training.rllib.trainer import ScaledTrainer
from alarife_training.train import Trainer

ROOT = Path(__file__).resolve().parent.parent
MODES = {"single": ("configs/viva-rllib.yaml", 128), "league": ("configs/viva-league.yaml", 16)}


def config_of(mode: str, runners: int, trainer: str = "rllib") -> Config:
    """A config of the project's with this many runners, and as much play for each."""
    path, games = MODES[mode]
    words = [f"games={games}", f"rllib.runners={runners}", f"trainer={trainer}", "imitation.decisions=0"]
    return read_config(ROOT / path, words)


class Candidate:
    """One way to train, and what was measured of it."""

    def __init__(self, mode: str, runners: int | None, folder: Path) -> None:
        self.name = "Stable-Baselines3" if runners is None else f"RLlib, {mode}, runners: {runners}"
        self.trainer: Trainer
        if runners is None:
            self.trainer = Trainer(config_of(mode, 0, "sb3"), folder)
            self.trainer.begin()
        else:
            self.trainer = ScaledTrainer(config_of(mode, runners), folder)
        self.trainer.start()
        self.trainer.iterate()
        self.rates: list[list[float]] = []

    def measure(self) -> None:
        """One round of play alone, one of play and learning; decisions of the learner a second."""
        played = sample(self.trainer) if isinstance(self.trainer, ScaledTrainer) else [nan, nan]
        steps, seconds, busy = self.trainer.steps, time.perf_counter(), time.process_time()
        self.trainer.iterate()
        steps, seconds, busy = self.trainer.steps - steps, time.perf_counter() - seconds, time.process_time() - busy
        self.rates.append([played[0], steps / seconds, played[1], steps / busy])

    def row(self) -> str:
        """A line of the table."""
        told = [statistics.median(column) for column in zip(*self.rates, strict=True)]
        return f"| {self.name} | " + " | ".join("" if rate != rate else f"{rate:,.0f}" for rate in told) + " |"


def sample(trainer: ScaledTrainer) -> list[float]:
    """Decisions of the learner a second, from the order to play to the episodes at the driver, and a runner's."""
    group, config = trainer.algorithm.env_runner_group, trainer.algorithm.config
    everywhere(group, tell)
    before = sum(everywhere(group, busy_seconds))
    start = time.perf_counter()
    synchronous_parallel_sample(worker_set=group, max_env_steps=config.total_train_batch_size,
                                _uses_new_env_runners=True)  # fmt: skip
    seconds, busy = time.perf_counter() - start, sum(everywhere(group, busy_seconds)) - before
    decisions = sum(heard.decisions for heard in everywhere(group, tell))
    return [decisions / seconds, decisions / busy]


def busy_seconds(runner: Any) -> float:
    """Seconds of the processor that a runner has used."""
    return time.process_time() if runner.env is not None else 0.0


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    ray.init(num_cpus=6, include_dashboard=False, log_to_driver=False)
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        ways = [("single", None), *((mode, n) for mode in MODES for n in (0, 1, 2))]
        candidates = [Candidate(mode, n, Path(folder) / str(i)) for i, (mode, n) in enumerate(ways)]
        for _ in range(rounds):
            for candidate in candidates:
                candidate.measure()
        print(
            "| decisions | played, per s | played and learnt, per s | played, per CPU-s of a runner "
            "| learnt, per CPU-s of the driver |\n|---|--:|--:|--:|--:|"
        )
        for candidate in candidates:
            print(candidate.row())
            candidate.trainer.close()
    print(f"\n{os.cpu_count()} cores, load {before:.1f} before and {os.getloadavg()[0]:.1f} at the end, "
          f"medians of {rounds} rounds")  # fmt: skip
    ray.shutdown()


if __name__ == "__main__":
    main()
