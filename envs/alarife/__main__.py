"""``python -m alarife``: look at games, play, check and time them; compare, train and export players."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Sequence
from typing import Any

import alarife
from alarife.commands import (
    benchmarking,
    catalogue,
    evaluating,
    indexing,
    learning,
    making,
    playing,
    serving,
    sharing,
    speaking,
    stepping,
)
from alarife.commands.arguments import Parser, say
from alarife.engine.errors import AlarifeError, ConformanceError
from alarife.engine.named_modules import look_last_in


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; what went wrong is one sentence on stderr."""
    _look_here()
    parser = make_parser()
    chosen, more = parser.parse_known_args(arguments)
    if more and hasattr(chosen, "overrides") and not any(word.startswith("-") for word in more):
        chosen.overrides += more  # words between options, which argparse leaves over
    elif more:
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    if not hasattr(chosen, "run"):
        parser.print_help()
        return 0
    try:
        return chosen.run(chosen) or 0
    except (AlarifeError, ConformanceError) as error:
        say(f"alarife: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt as stop:
        say(f"\n{stop or 'stopped'}", file=sys.stderr)
        return int(getattr(stop, "code", 130))
    except MemoryError as error:
        say(f"alarife: there is not enough memory{f': {error}' if str(error) else ''}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        say(f"alarife: {error.filename or 'a file'}: {error.strerror or error}", file=sys.stderr)
        return 1


def _look_here() -> None:
    """Find players in the current folder, unless Python was told to be careful (``-P``) or the folder is gone."""
    if not sys.flags.safe_path:
        with contextlib.suppress(OSError):
            look_last_in(os.getcwd())


def make_parser() -> argparse.ArgumentParser:
    """The parser of all commands and their arguments."""
    parser = Parser(prog="alarife", description="Tabletop games for learning agents.")
    parser.add_argument("--version", action="version", version=f"alarife {alarife.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="command")

    def command(name: str, run: Any, about: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=about, description=about)
        made.set_defaults(run=run)
        return made

    modules = (
        catalogue,
        playing,
        serving,
        speaking,
        sharing,
        stepping,
        evaluating,
        benchmarking,
        indexing,
        learning,
        making,
    )
    for module in modules:
        module.add_commands(command)
    return parser


if __name__ == "__main__":
    sys.exit(main())
