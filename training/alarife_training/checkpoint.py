"""Files of a run: policies to play with, and checkpoints to go on from.

Both are safetensors files with a card in their head; a checkpoint holds the state of Adam and of the pool besides, and
plays like any policy. They are written aside and renamed, so that a process that dies leaves the old file or the new.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from safetensors.numpy import save

from alarife.engine.errors import FileError
from alarife.engine.files import write_whole
from alarife.engine.game import Game
from alarife.players.policy import (
    CARD,
    FORMAT,
    FORMAT_VERSION,
    Policy,
    Tensors,
    read_policy,
    read_tensors,
    with_checksum,
)
from alarife_training.config import Config

TRAINER, POOL = "trainer", "pool"  # a key in a checkpoint's head, and the folder of the snapshots
SNAPSHOT = rf"^{POOL}/step-[0-9]{{12,20}}\.safetensors$"
MOMENTS = ("exp_avg", "exp_avg_sq")


class _Facts(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class MemberFacts(_Facts):
    """What a checkpoint says of a member of the pool."""

    name: str
    score: float
    games: int
    file: str | None = Field(pattern=SNAPSHOT)  # where a snapshot is kept: in the run's folder and nowhere else


class TrainerFacts(_Facts):
    """What a checkpoint says of the run besides weights and Adam's state."""

    steps: int
    updates: int
    adam_step: float
    best: float
    judged_at: int
    taught: int
    seconds: float
    pool: list[MemberFacts]


def make_card(config: Config, game: Game, steps: int) -> dict[str, Any]:
    """What a policy was trained on."""
    return {
        "format": FORMAT, "format_version": FORMAT_VERSION, "game": game.name, "version": game.version,
        "layout": game.layout_digest, "layout_table": game.layout_table, "rules": game.digest,
        "hidden": list(config.hidden), "advice": config.advice,
        "steps": steps, "players": config.counts, "options": game.make_options(config.options).to_dict(),
        "reward": config.reward, "reward_scale": config.reward_scale, "seed": config.seed,
        "greedy": config.evaluation.greedy, "alarife": metadata.version("alarife"),
    }  # fmt: skip


def write_policy(path: Path, policy: Policy, trainer: TrainerFacts | None = None) -> Path:
    """Write what is needed to play, with a trainer's facts what is needed to go on."""
    return _write(path, policy.tensors, policy.card, trainer)


def _write(path: Path, tensors: Tensors, card: dict[str, Any], trainer: TrainerFacts | None = None) -> Path:
    for name, tensor in tensors.items():
        if not np.isfinite(tensor).all():
            raise FileError(f"{path} was not written: {name} holds numbers that are not finite; training has diverged")
    texts = {CARD: json.dumps(card)} | ({TRAINER: trainer.model_dump_json()} if trainer is not None else {})
    whole = {name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}
    return write_whole(path, with_checksum(save(whole, texts), path))


# --- checkpoints --------------------------------------------------------------------------------------


def name_of(steps: int) -> str:
    """The name of a file made after so many decisions; names sort by age."""
    return f"step-{steps:012d}.safetensors"


def checkpoints(run: Path) -> list[Path]:
    """The checkpoints of a run, oldest first."""
    return sorted((run / "checkpoints").glob("step-*.safetensors"))


def write_checkpoint(run: Path, policy: Policy, moments: Tensors, trainer: TrainerFacts, keep: int) -> Path:
    """Write a checkpoint and let the oldest go, and with them the snapshots that no other one names."""
    path = run / "checkpoints" / name_of(policy.card["steps"])
    _write(path, policy.tensors | moments, policy.card, trainer)
    older = [old for old in checkpoints(run) if old < path]
    for old in older[: max(0, len(older) + 1 - keep)]:
        old.unlink(missing_ok=True)
    _let_snapshots_go(run)
    return path


def _let_snapshots_go(run: Path) -> None:
    try:
        named = {member.file for path in checkpoints(run) for member in read_checkpoint(path)[1].pool}
    except FileError:
        return  # nobody knows what that one names
    for path in (run / POOL).glob("step-*.safetensors"):
        if f"{POOL}/{path.name}" not in named:
            path.unlink(missing_ok=True)


def newest_checkpoint(run: Path, tell: Callable[[str], None]) -> Path | None:
    """The newest checkpoint of a run that can be read, None if the run has none; damaged newer ones are set aside."""
    damaged: dict[Path, FileError] = {}
    for path in reversed(checkpoints(run)):
        try:
            read_checkpoint(path)
        except FileError as error:
            damaged[path] = error
            continue
        for other, why in damaged.items():
            tell(f"passed over and set aside: {why}")
            other.replace(other.with_suffix(".damaged"))
        return path
    if damaged:
        why = next(iter(damaged.values()))
        raise FileError(f"{run} cannot go on, none of its {len(damaged)} checkpoints can be read: {why}")
    return None


def read_checkpoint(path: Path) -> tuple[Policy, TrainerFacts]:
    """A policy with Adam's state among its tensors, and the trainer's facts."""
    policy = read_policy(path)
    texts = read_tensors(path)[1]
    if TRAINER not in texts:
        raise FileError(
            f"{path} is a policy to play with; training goes on from the files in a run's checkpoints folder"
        )
    learnt = [name for name in policy.tensors if not name.startswith(("adam.", "input."))]
    wanted = [f"adam.{moment}.{name}" for name in learnt for moment in MOMENTS]
    for name in wanted:
        if name not in policy.tensors or policy.tensors[name].shape != policy.tensors[name.split(".", 2)[2]].shape:
            raise FileError(f"{path} is a damaged checkpoint: it has no fitting array {name}")
        if not np.isfinite(policy.tensors[name]).all():
            raise FileError(f"{path} cannot be used: {name} holds numbers that are not finite")
    return policy, trainer_of(texts, path)


def trainer_of(texts: dict[str, str], path: Path) -> TrainerFacts:
    """The trainer's facts from the texts of a checkpoint."""
    try:
        return TrainerFacts.model_validate_json(texts[TRAINER])
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(["trainer", *(str(part) for part in first["loc"])])
        raise FileError(f"{path} is a damaged checkpoint: {where}: {first['msg']}") from None
