"""Whole algorithms, trained by a suite's protocol: one policy for each game and training seed, on a budget.

An algorithm is a config of `alarife train`, which may leave out the game, or a function of somebody's own:

    def learn(table: TrainTable, budget: Budget, seed: int) -> str:  # the path of a .safetensors or .onnx file

It is called once for each game and seed. All that it has learnt has to come from games of the seeds for training; the
seeds for tuning are for whatever it chooses by looking at results. Those for testing are the suite's own.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.files import write_whole
from alarife.engine.named_modules import find_module
from alarife.engine.numbers import short
from alarife.engine.reading import read_json
from alarife.engine.registry import find_game
from alarife.evaluation.benchmark import Contender, checked_name, checked_seeds
from alarife.evaluation.run import file_digest
from alarife.evaluation.suite import Suite
from alarife_training.ready_made import config_path

TRAINING = "training"
LEAST_SEEDS = 3
KINDS_OF_FILES = ".safetensors", ".onnx"
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Budget:
    """How much an algorithm may learn from for one game and one seed: decisions of the learner, or minutes."""

    decisions: int | None = None
    minutes: float | None = None

    def __str__(self) -> str:
        return f"{self.decisions:,} decisions" if self.decisions is not None else f"{self.minutes:g} minutes"

    def share(self, decisions: int, seconds: float) -> float:
        """How much of it is spent after so many decisions and seconds; 1 is all."""
        if self.decisions is not None:
            return decisions / self.decisions
        assert self.minutes is not None
        return seconds / (60 * self.minutes)


@dataclass(frozen=True)
class TrainTable:
    """What is to be learnt: one game at all its tables of the suite, and where files may be written."""

    game: str
    players: tuple[int, ...]
    options: dict[str, Any]
    training: range  # seeds of deals
    tuning: range
    folder: Path


def train_by_protocol(
    suite: Suite, algorithm: str, budget: Budget, seeds: Sequence[int], out: Path, name: str | None, tell: Tell
) -> Contender:
    """Train what is not trained yet below ``out/training``; who plays then."""
    if (budget.decisions is None) == (budget.minutes is None):
        raise AlarifeError("an algorithm is trained on a budget: give --decisions or --minutes, one of them")
    if len(checked_seeds(seeds)) < LEAST_SEEDS:
        raise AlarifeError(f"an algorithm is trained with {LEAST_SEEDS} seeds or more, got {list(seeds)}")
    shown = checked_name(name or Path(algorithm).stem.replace("{game}-", "").replace("{game}", ""))
    learn = _algorithm(algorithm, suite)
    about = {"algorithm": algorithm, "budget": str(budget)}
    notes = {game: {seed: _trained(learn, suite, game, about, budget, seed, out, tell) for seed in seeds}
             for game in suite.games}  # fmt: skip
    players = {game: {seed: str(out / note["policy"]) for seed, note in by_seed.items()}
               for game, by_seed in notes.items()}  # fmt: skip
    seconds = {game: [note["seconds"] for note in by_seed.values()] for game, by_seed in notes.items()}
    return Contender(shown, algorithm, players, about | {"seconds": seconds})


# --- one game and seed --------------------------------------------------------------------------------

Learn = Callable[[TrainTable, Budget, int], str | os.PathLike[str] | None]


def _trained(
    learn: Learn, suite: Suite, game: str, about: dict[str, str], budget: Budget, seed: int, out: Path, tell: Tell
) -> dict[str, Any]:
    """What is noted of a policy that has been trained, or is trained now."""
    place = Path(TRAINING) / game / f"seed-{seed}"
    note = out / place / "trained.json"
    if note.exists():
        return _noted(note, about, out)
    tables = suite.tables_of(game)
    training, tuning = suite.seeds["training"], suite.seeds["tuning"]
    if seed >= len(training):
        raise AlarifeError(f"{suite.name} has {len(training):,} seeds for training, got the seed {seed}")
    table = TrainTable(game, tuple(sorted({table.players for table in tables})), dict(tables[0].options), training,
                       tuning, out / place)  # fmt: skip
    (out / place).mkdir(parents=True, exist_ok=True)
    tell(f"training {game} with seed {seed} on {budget}")
    start = time.monotonic()
    path = learn(table, budget, seed)
    seconds = round(time.monotonic() - start, 1)
    kept = place / f"policy{_suffix(path)}"
    if Path(str(path)).resolve() != (out / kept).resolve():
        shutil.copyfile(str(path), out / kept)
    told = about | {"game": game, "seed": seed, "seconds": seconds, "policy": kept.as_posix(),
                    "digest": file_digest(out / kept)}  # fmt: skip
    write_whole(note, (json.dumps(told, indent=1) + "\n").encode())
    return told


def _noted(note: Path, about: dict[str, str], out: Path) -> dict[str, Any]:
    told = read_json(note, "note of a training")
    if not isinstance(told, dict) or not isinstance(told.get("policy"), str) or "seconds" not in told:
        raise FileError(f"{note} is not a note of a training: choose another folder")
    for name, value in about.items():
        if told.get(name) != value:
            raise FileError(f"{note} was trained by another {name} ({short(told.get(name))}, not {value!r}): choose "
                            "another folder")  # fmt: skip
    if file_digest(out / told["policy"]) != told.get("digest"):
        raise FileError(f"{out / told['policy']} has changed since it was trained")
    return told


def _suffix(path: Any) -> str:
    """The ending of a policy's file that an algorithm has written."""
    is_path = isinstance(path, (str, os.PathLike))
    if not is_path or not os.path.isfile(path) or Path(path).suffix not in KINDS_OF_FILES:
        raise AlarifeError(f"an algorithm returns the path of a {' or '.join(KINDS_OF_FILES)} file, got {short(path)}")
    return Path(path).suffix


# --- algorithms ---------------------------------------------------------------------------------------


def _algorithm(told: str, suite: Suite) -> Learn:
    """A config, in whose name ``{game}`` stands for each game, or ``module:function``."""
    if told.endswith((".yaml", ".yml")) or ":" not in told:
        for game in suite.games:
            if not os.path.isfile(path := _config_path(told, game)):
                raise FileError(f"there is no config {path}")
        return lambda table, budget, seed: _learn_by_config(_config_path(told, table.game), table, budget, seed)
    module, _, name = told.partition(":")
    find_module(module)  # a command may find it in the current folder
    try:
        learn = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise AlarifeError(f"the algorithm {told} cannot be imported: {type(error).__name__}: {error}") from None
    if not callable(learn):
        raise AlarifeError(f"an algorithm is called with a table, a budget and a seed, {told} cannot be called")
    return learn


def _config_path(told: str, game: str) -> str:
    """The file of a config that is told by its path, or by its name if it comes along."""
    try:
        return str(config_path(told.replace("{game}", find_game(game).name)))
    except FileError as error:
        raise FileError(f"an algorithm is a config or module:function: {error}") from None


def _learn_by_config(path: str, table: TrainTable, budget: Budget, seed: int) -> Path:
    """Train by `alarife train`, with the protocol's game, tables, seeds and budget in place of the config's."""
    from alarife_training.checkpoint import checkpoints
    from alarife_training.config import MOST, make_config
    from alarife_training.plain_yaml import read_yaml
    from alarife_training.train import BEST, train

    content = read_yaml(path, "config")
    if not isinstance(content, dict) or find_game(str(content.get("game", table.game))).id != table.game:
        raise FileError(f"{path} is not a config for {table.game}")
    taught = sum(int(content.get(part, {}).get("decisions", 0)) for part in ("imitation", "refinement"))
    steps = MOST if budget.decisions is None else budget.decisions - taught
    if steps < 1:
        raise AlarifeError(f"{path}: {taught:,} decisions of teachers leave nothing of a budget of {budget}")
    judged = dict(content.get("evaluation", {})) | {"seed": table.tuning.start}
    content |= {"game": table.game, "players": list(table.players), "options": table.options,
                "seed": table.training.start + seed, "steps": steps, "minutes": budget.minutes,
                "evaluation": judged}  # fmt: skip
    run = table.folder / "run"
    if not train(make_config(content, path), run, resume=bool(checkpoints(run))):
        raise KeyboardInterrupt
    return run / BEST
