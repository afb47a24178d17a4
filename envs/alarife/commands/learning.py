"""``alarife train``, ``export`` and ``checksum``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from alarife.commands.arguments import Command, read_value, say, seeds_argument, typed
from alarife.commands.columns import print_columns
from alarife.engine.errors import AlarifeError, missing_extra
from alarife.engine.reading import MOST_TABLE, read_text
from alarife.players.policy import add_checksum

MOST_MINUTES = 10_000


def add_commands(command: Command) -> None:
    """Add the commands of this file and their arguments."""
    train = command("train", train_agent, "train an agent (needs the extra [train])")
    train.add_argument("--config", metavar="CONFIG", help="what to train: a file, or a name that --list tells")
    train.add_argument("--list", action="store_true", help="the configs that come along")
    train.add_argument("--show", action="store_true", help="print the config instead, to begin one of your own with")
    train.add_argument(
        "--run", dest="folder", metavar="FOLDER", help="where the run is kept (default: runs/ and the config's name)"
    )
    train.add_argument("--resume", metavar="FOLDER", help="go on with a run from its last checkpoint")
    train.add_argument("--keys", action="store_true", help="list all keys of a config and what they mean")
    train.add_argument("overrides", nargs="*", metavar="key=value", help="change the config, such as ppo.epochs=2")

    exploit = command("exploit", exploit_policy, "train a best response to a fixed policy (needs the extra [train])")
    exploit.add_argument("policy", help="a .safetensors file")
    exploit.add_argument("--minutes", type=minutes_argument, default=10.0, help="how long to train (default 10)")
    exploit.add_argument("--players", type=int, help="seats at the table (default: the fewest it was trained for)")
    exploit.add_argument("--seeds", type=seeds_argument, default=[], help="several exploiters, such as 1,2,3,4")
    exploit.add_argument("--ray", metavar="ADDRESS", help="train as tasks of a Ray cluster: auto, or HOST:PORT")
    exploit.add_argument("--run", dest="folder", metavar="FOLDER", help="where the run is kept (default: in runs/)")
    exploit.add_argument("overrides", nargs="*", metavar="key=value", help="change the config, such as ppo.entropy=0")

    export = command("export", export_policy, "write a trained policy as ONNX (needs the extra [export])")
    export.add_argument("checkpoint", help="a .safetensors file")
    export.add_argument("target", help="the .onnx file to write")

    checksum = command("checksum", add_checksums, "add the checksum that older checkpoints lack")
    checksum.add_argument("checkpoints", nargs="+", metavar="checkpoint", help="a .safetensors file that you trust")


@typed
def minutes_argument(text: str) -> float:
    """A time to train."""
    value = read_value(text)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= MOST_MINUTES:
        raise AlarifeError(f"give minutes above 0, at most {MOST_MINUTES}, got {text!r}")
    return float(value)


@contextmanager
def needs_train() -> Iterator[None]:
    """Say which extra is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise missing_extra("training needs", "train", error) from None


def exploit_policy(chosen: argparse.Namespace) -> int:
    """Train a best response to a policy, and say what it wins."""
    with needs_train():
        from alarife_training.exploit import run_command
    about = chosen.policy, chosen.minutes, chosen.players, chosen.folder, chosen.overrides
    return int(run_command(*about, chosen.seeds, chosen.ray))


def train_agent(chosen: argparse.Namespace) -> int:
    """Train an agent, or go on with a run."""
    from alarife_training.ready_made import config_names, config_path

    if chosen.list:
        print_columns([("config", "what it trains"), *config_names().items()], width=200)
        return 0
    if chosen.config is not None:
        chosen.config = str(config_path(chosen.config))
        if chosen.show:
            say(read_text(chosen.config, "config", MOST_TABLE), end="")
            return 0
    if chosen.show:
        raise AlarifeError("alarife train --show prints a config: name one with --config")
    with needs_train():
        from alarife_training.train import run_command
    return int(run_command(chosen.config, chosen.folder, chosen.resume, chosen.overrides, chosen.keys))


def add_checksums(chosen: argparse.Namespace) -> None:
    """Add checksums to checkpoints that were written before there were any."""
    for path in chosen.checkpoints:
        say(f"{path}: {'its checksum was added' if add_checksum(path) else 'its checksum is right'}")


def export_policy(chosen: argparse.Namespace) -> None:
    """Write a trained policy as ONNX."""
    from alarife_training.export import export_onnx

    say(f"exported: {export_onnx(chosen.checkpoint, chosen.target)}")
