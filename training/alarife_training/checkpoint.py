"""Files of a run: policies to play with, and checkpoints to go on from.

Both are safetensors files with a card in their head; a checkpoint holds the state of Adam and of the pool besides, and
plays like any policy. Files are written aside and renamed, so that a process that dies leaves the old file or the new.
"""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save

from alarife.engine.errors import FileError
from alarife.engine.files import write_whole
from alarife.engine.game import Game
from alarife.players.network import CARD, FORMAT, FORMAT_VERSION, Policy, Tensors, read_policy, read_tensors
from alarife_training.config import Config

TRAINER = "trainer"
MOMENTS = ("exp_avg", "exp_avg_sq")


def make_card(config: Config, game: Game, steps: int) -> dict[str, Any]:
    """What a policy was trained on."""
    return {
        "format": FORMAT, "format_version": FORMAT_VERSION, "game": game.name, "version": game.version,
        "layout": game.layout_digest, "rules": game.digest, "hidden": list(config.hidden), "advice": config.advice,
        "steps": steps, "players": config.counts, "options": game.make_options(config.options).to_dict(),
        "reward": config.reward, "reward_scale": config.reward_scale, "seed": config.seed,
        "greedy": config.evaluation.greedy, "alarife": metadata.version("alarife"),
    }  # fmt: skip


def write_policy(path: Path, policy: Policy) -> Path:
    """Write what is needed to play."""
    return _write(path, policy.tensors, policy.card)


def _write(path: Path, tensors: Tensors, card: dict[str, Any], trainer: dict[str, Any] | None = None) -> Path:
    for name, tensor in tensors.items():
        if not np.isfinite(tensor).all():
            raise FileError(f"{path} was not written: {name} holds numbers that are not finite; training has diverged")
    texts = {CARD: json.dumps(card)} | ({TRAINER: json.dumps(trainer)} if trainer is not None else {})
    whole = {name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}
    return write_whole(path, save(whole, texts))


# --- checkpoints --------------------------------------------------------------------------------------


def name_of(steps: int) -> str:
    """The name of a file made after so many decisions; names sort by age."""
    return f"step-{steps:012d}.safetensors"


def checkpoints(run: Path) -> list[Path]:
    """The checkpoints of a run, oldest first."""
    return sorted((run / "checkpoints").glob("step-*.safetensors"))


def write_checkpoint(run: Path, policy: Policy, moments: Tensors, trainer: dict[str, Any], keep: int) -> Path:
    """Write a checkpoint and let the oldest go."""
    path = run / "checkpoints" / name_of(policy.card["steps"])
    _write(path, policy.tensors | moments, policy.card, trainer)
    for old in checkpoints(run)[:-keep]:
        old.unlink(missing_ok=True)
    return path


def read_checkpoint(path: Path) -> tuple[Policy, dict[str, Any]]:
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
    try:
        return policy, dict(json.loads(texts[TRAINER]))
    except (ValueError, TypeError):
        raise FileError(f"{path} is a damaged checkpoint: what it says of the trainer is not JSON") from None
