"""``alarife train``, ``export`` and ``checksum``."""

from __future__ import annotations

import argparse

from alarife.commands.arguments import Command, say
from alarife.engine.errors import missing_extra
from alarife.players.policy import add_checksum


def add_commands(command: Command) -> None:
    """All of them, with what they take."""
    train = command("train", train_agent, "train an agent (needs the extra [train])")
    train.add_argument("--config", metavar="FILE", help="what to train, such as configs/viva-ppo.yaml")
    train.add_argument(
        "--run", dest="folder", metavar="FOLDER", help="where the run is kept (default: runs/ and the config's name)"
    )
    train.add_argument("--resume", metavar="FOLDER", help="go on with a run from its last checkpoint")
    train.add_argument("--keys", action="store_true", help="list all keys of a config and what they mean")
    train.add_argument("overrides", nargs="*", metavar="key=value", help="change the config, such as ppo.epochs=2")

    export = command("export", export_policy, "write a trained policy as ONNX (needs the extra [export])")
    export.add_argument("checkpoint", help="a .safetensors file")
    export.add_argument("target", help="the .onnx file to write")

    checksum = command("checksum", add_checksums, "add the checksum that older checkpoints lack")
    checksum.add_argument("checkpoints", nargs="+", metavar="checkpoint", help="a .safetensors file that you trust")


def train_agent(chosen: argparse.Namespace) -> int:
    """Train an agent, or go on with a run."""
    try:
        from alarife_training.train import run_command
    except ModuleNotFoundError as error:
        raise missing_extra("training needs", "train", error) from None
    return int(run_command(chosen.config, chosen.folder, chosen.resume, chosen.overrides, chosen.keys))


def add_checksums(chosen: argparse.Namespace) -> None:
    """Add checksums to checkpoints that were written before there were any."""
    for path in chosen.checkpoints:
        say(f"{path}: {'its checksum was added' if add_checksum(path) else 'its checksum is right'}")


def export_policy(chosen: argparse.Namespace) -> None:
    """Write a trained policy as ONNX."""
    from alarife_training.export import export_onnx

    say(f"exported: {export_onnx(chosen.checkpoint, chosen.target)}")
