"""``python -m alarife``: list, watch, play, replay, check, compile, time games; compare, train, export players."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

import alarife
from alarife.engine.errors import AlarifeError, ConformanceError, IllegalAction
from alarife.engine.files import write_whole
from alarife.engine.game import LUCKS, Game
from alarife.engine.numbers import seat_number, seed_number
from alarife.engine.printable import printable
from alarife.engine.registry import find_game, game_names
from alarife.engine.replay import Replay, record, verify
from alarife.engine.table import Table
from alarife.players import Player, Turns, find_player
from alarife.players.network import add_checksum
from alarife.players.person import LeftTable, PersonPlayer, is_person
from alarife.players.turns import ask

MOST_SECONDS = 3600
PICTURES = ".svg", ".png"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; what went wrong is one sentence on stderr."""
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


def say(text: str, **how: Any) -> None:
    """Print text that may hold names, phrases and paths of others."""
    print(printable(text, lines=True), **how)


class _Parser(argparse.ArgumentParser):
    """A parser that repeats arguments as a terminal may show them."""

    def error(self, message: str) -> NoReturn:
        """End with a sentence about the arguments."""
        super().error(printable(message))


def make_parser() -> argparse.ArgumentParser:
    """All commands and what they take."""
    parser = _Parser(prog="alarife", description="Tabletop games for learning agents.")
    parser.add_argument("--version", action="version", version=f"alarife {alarife.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="command")

    def command(name: str, run: Any, about: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=about, description=about)
        made.set_defaults(run=run)
        return made

    listed = command("list", list_games, "the games, their sizes and players")
    listed.add_argument("--json", action="store_true", help="all that is known of them, as JSON")

    shown = command("show", show_game, "options, decisions, actions and observation of a game")
    shown.add_argument("game")
    shown.add_argument("--json", action="store_true", help="the same as JSON")

    watch = command("watch", watch_game, "watch players play a game, as the person among them sees it, or all open")
    _game_arguments(watch)
    watch.add_argument("--delay", type=_seconds, default=0.0, metavar="SECONDS", help="pause after each decision")
    watch.add_argument("--brief", action="store_true", help="phrases only, the table once at the end")
    watch.add_argument("--picture", metavar="FILE", help="draw the last position, as .svg or .png")
    watch.add_argument("--record", metavar="FILE", help="write a replay")

    play = command("play", play_game, "sit down yourself")
    _game_arguments(play)
    play.add_argument("--seat", type=int, default=0, help="your seat (default 0)")

    replay = command("replay", use_replay, "verify a replay, or show it")
    replay.add_argument("what", choices=["verify", "show"])
    replay.add_argument("file")
    replay.add_argument("--pictures", metavar="FOLDER", help="show: write each position as a picture, too")
    replay.add_argument("--seat", type=int, metavar="N", help="show: as this seat saw and heard it (default: all open)")

    check = command("check", check_games, "run the conformance kit")
    check.add_argument("games", nargs="*", metavar="game", help="default: all")
    check.add_argument("--players", type=int, nargs="+", help="player counts (default: all)")
    check.add_argument("--seed", type=_seed, default=0)
    check.add_argument("--only", nargs="+", metavar="CHECK", help="names of checks")
    _options_argument(check)

    compile_ = command("compile", compile_games, "compile games ahead of their first use")
    compile_.add_argument("games", nargs="*", metavar="game", help="default: all")

    evaluate = command("evaluate", evaluate_players, "compare players over many games")
    evaluate.epilog = "example: alarife evaluate viva --with random,scripted,mc:50 --games 40 -o match=single_round"
    _game_arguments(evaluate, who="random,scripted", about="players by name, separated by commas",
                    seed="plays an evaluation again; without it one is drawn that no player can foresee")  # fmt: skip
    evaluate.add_argument("--games", type=int, default=100, help="games of each line-up, at least (default 100)")
    evaluate.add_argument("--out", metavar="FOLDER", help="where results and report go; a run that stopped goes on")
    evaluate.add_argument("--processes", type=int, metavar="N", help="default: one for each processor")
    evaluate.add_argument(
        "--luck", choices=LUCKS, help="event: whoever plays a deal meets the same luck (default order)"
    )
    evaluate.add_argument("--limit", type=float, metavar="SECONDS", help="of a decision; who takes longer forfeits")
    evaluate.add_argument("--memory", type=float, metavar="GB", help="of a process; who fills it forfeits")

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

    bench = command("bench", bench_games, "measure speed on this machine")
    bench.add_argument("games", nargs="*", metavar="game", help="default: all")
    return parser


def _game_arguments(
    parser: argparse.ArgumentParser,
    who: str = "scripted",
    about: str = "players by name, separated by commas; they take turns over the seats",
    seed: str = "the same seed gives the same game",
) -> None:
    parser.add_argument("game")
    parser.add_argument("--players", type=int, help="how many seats")
    parser.add_argument("--with", dest="who", default=who, metavar="PLAYERS", help=about)
    parser.add_argument("--seed", type=_seed, help=seed)
    _options_argument(parser)


def _typed(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """A reader of an argument that says in its own words what is wrong."""

    def parse(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return parse


@_typed
def _seed(text: str) -> int:
    return seed_number(_read(text))


@_typed
def _seconds(text: str) -> float:
    value = _read(text)
    if not isinstance(value, (int, float)) or not 0 <= value <= MOST_SECONDS:
        raise AlarifeError(f"a pause is from 0 to {MOST_SECONDS} seconds, got {text!r}")
    return float(value)


def _options_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--option", "-o", action="append", default=[], metavar="NAME=VALUE", help="an option of the game"
    )


def options_of(game: Game, words: Sequence[str]) -> dict[str, Any]:
    """Options from ``name=value`` words, numbers and true/false read as such."""
    options: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise AlarifeError(f"write options as name=value, got {word!r}")
        options[name] = _read(value)
    return game.make_options(options).to_dict()


def _read(value: str) -> Any:
    if value in ("true", "false"):
        return value == "true"
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value


def _sit_down(chosen: argparse.Namespace) -> tuple[Table, list[Player], list[str]]:
    game = find_game(chosen.game)
    table = Table(game, chosen.players, options_of(game, chosen.option), chosen.seed)
    names = [name.strip() for name in chosen.who.split(",")]
    names = [names[seat % len(names)] for seat in range(table.players)]
    seeds = np.random.SeedSequence(table.seed).generate_state(table.players)
    return table, [find_player(name, int(seed)) for name, seed in zip(names, seeds, strict=True)], names


# --- commands -----------------------------------------------------------------------------------------


def list_games(chosen: argparse.Namespace) -> None:
    """One line for each game: how many actions, numbers in a view, bytes of a state."""
    if chosen.json:
        say(json.dumps([find_game(name).about() for name in game_names()], indent=1))
        return
    rows: list[tuple[str, ...]] = [("id", "title", "players", "actions", "sees", "bytes")]
    for name in game_names():
        game = find_game(name)
        players = f"{min(game.seats)}-{max(game.seats)}" if len(game.seats) > 1 else f"{game.seats[0]}"
        sizes = game.actions.size, game.features.size, game.state.dtype.itemsize
        rows.append((game.id, game.title, players, *map(str, sizes)))
    _print_columns(rows, right=3)


def show_game(chosen: argparse.Namespace) -> None:
    """What a game consists of."""
    game = find_game(chosen.game)
    about = game.about()
    if chosen.json:
        say(json.dumps(about, indent=1))
        return
    say(f"{game.title} ({game.id}), {game.seat_words}, digest {game.digest}")
    for part, head in (
        ("options", ("option", "values", "default", "meaning")),
        ("decisions", ("decision", "what is decided", "who decides", "actions", "rules")),
        ("actions", ("ids", "family", "parameters", "meaning")),
        ("observation", ("indices", "block", "shape", "bounds", "meaning")),
    ):
        say(f"\n{part}{'' if about[part] else ': none'}")
        _print_columns([head, *(tuple(str(row[name]) for name in head) for row in about[part])] if about[part] else [])


def _print_columns(rows: Sequence[Sequence[str]], right: int = 99) -> None:
    """A table; columns from `right` on stand at the right. The last one is not filled up."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = enumerate(zip(row, widths, strict=True))
        say("  ".join(f"{cell:<{width}}" if i < right else f"{cell:>{width}}" for i, (cell, width) in cells).rstrip())


def watch_game(chosen: argparse.Namespace) -> None:
    """Play a game and tell it."""
    if chosen.picture and Path(chosen.picture).suffix not in PICTURES:
        raise AlarifeError(f"pictures end in {' or '.join(PICTURES)}, got {chosen.picture}")
    table, players, names = _sit_down(chosen)
    names_shown = ", ".join(f"player_{p} {printable(name)}" for p, name in enumerate(names))
    say(f"{table.game.title}, seed {table.seed}: {names_shown}")
    screen = Screen(players)
    if not chosen.brief:
        screen.show(table)
    told: list[str] = []
    while not table.over:
        seat = table.seat
        action = int(ask(players[seat], Turns.of_table(table), names[seat])[0])
        phrase = table.phrase(action, screen.listener(seat))
        table.play(action)
        say(f"{table.state.decisions:4d}  player_{seat} {printable(phrase)}")
        told = _tell_story(table, told)
        if not chosen.brief:
            screen.show(table)
        time.sleep(chosen.delay)
    _tell_end(table, screen.viewer)
    if chosen.picture:
        draw(table, Path(chosen.picture), screen.viewer)
    if chosen.record:
        record(table, names).write(chosen.record)
        say(f"replay: {chosen.record}")


class Screen:
    """Who reads the terminal: someone who only watches and sees all, one person of the table, or several of them.

    Nobody reads a secret of another seat. What several persons read is what each of them may hear of the others; the
    table is then shown only by the player that asks one of them, until the game is over.
    """

    def __init__(self, players: Sequence[Player]) -> None:
        self._persons = [seat for seat, player in enumerate(players) if is_person(player)]
        self.viewer = self._persons[0] if len(self._persons) == 1 else None

    def listener(self, seat: int) -> int | None:
        """As whom the terminal hears what a seat does: the one person, or the next of several."""
        if len(self._persons) < 2:
            return self.viewer
        return min((p for p in self._persons if p != seat), key=lambda p: (p < seat, p))

    def show(self, table: Table) -> None:
        """The table, unless a person is to be asked, who is shown it then."""
        is_shown_then = table.seat in self._persons and not table.over
        if len(self._persons) < 2 and not is_shown_then:
            say(f"\n{table.text(self.viewer)}\n")


def _tell_story(table: Table, told: list[str]) -> list[str]:
    """Print what an automa has done since, if anything; returns what has been told by now."""
    story = table.display.story(table.state)
    if story != told:
        say("".join(f"        {printable(line)}\n" for line in story), end="")
    return story


def _tell_end(table: Table, viewer: int | None) -> None:
    say(f"\n{table.text(viewer)}\n")
    if capped := table.result().capped:
        print(f"rounds or games ended by a cap on their length: {capped}")
    for seat, (score, place) in enumerate(zip(table.scores(), table.places(), strict=True)):
        print(f"player_{seat}: place {place}, score {score}")


def draw(table: Table, path: Path, viewer: int | None) -> None:
    """Write the position as a picture, by the file's ending, as the viewer sees it."""
    content = table.svg(viewer).encode()
    if path.suffix == ".png":
        from alarife.adapters.picture import png

        content = png(table.svg(viewer))
    write_whole(path, content)
    say(f"picture: {path}")


def play_game(chosen: argparse.Namespace) -> None:
    """One seat is the person at the keyboard."""
    table, players, _ = _sit_down(chosen)
    players[seat_number(chosen.seat, table.players)] = PersonPlayer()
    say(f"{table.game.title}, seed {table.seed}. You are player_{chosen.seat}. Type a number, or q to stop.\n")
    screen = Screen(players)
    told: list[str] = []
    while not table.over:
        seat = table.seat
        try:
            action = int(ask(players[seat], Turns.of_table(table), f"player_{seat}")[0])
        except LeftTable:
            print("stopped")
            return
        phrase = table.phrase(action, screen.listener(seat))
        table.play(action)
        say(f"player_{seat} {printable(phrase)}")
        told = _tell_story(table, told)
    _tell_end(table, screen.viewer)


def use_replay(chosen: argparse.Namespace) -> None:
    """Verify a replay, or tell it."""
    if chosen.what == "verify":
        say(f"{chosen.file}: {verify(chosen.file)}")
        return
    replay = Replay.read(chosen.file)
    tables = replay.tables()
    table = next(tables)
    viewer = None if chosen.seat is None else seat_number(chosen.seat, table.players)
    how = "everything is told, secrets included" if viewer is None else f"as player_{viewer} sees and hears it"
    names_shown = ", ".join(f"player_{p} {printable(name)}" for p, name in enumerate(replay.names))
    say(f"{replay.game.title}: {names_shown}\n{how}")
    told: list[str] = []
    for number, decision in enumerate(replay.decisions, 1):
        phrase = table.phrase(replay.game.actions.parse(decision.action), viewer)
        try:
            next(tables)
        except IllegalAction as error:
            raise AlarifeError(f"{chosen.file}, decision {number}: {error}") from None
        say(f"{number:4d}  player_{decision.seat} {printable(phrase)}")
        told = _tell_story(table, told)
        if chosen.pictures:
            write_whole(Path(chosen.pictures) / f"{number:05d}.svg", table.svg(viewer).encode())
    _tell_end(table, viewer)


def check_games(chosen: argparse.Namespace) -> None:
    """The conformance kit on one game or all."""
    from alarife.testing import CHECKS, check_game

    known = [check.__name__ for check in CHECKS]
    if unknown := [name for name in chosen.only or [] if name not in known]:
        raise AlarifeError(f"no check called {unknown[0]!r}; there are {', '.join(known)}")
    for name in chosen.games or game_names():
        game = find_game(name)
        options = options_of(game, chosen.option)
        for count in chosen.players or game.seats:
            game.template(count, game.make_options(options))
        check_game(game, chosen.players, options, seed=chosen.seed, only=chosen.only, tell=say)
        say(f"{game.id}: all is well")


def compile_games(chosen: argparse.Namespace) -> None:
    """Fill the kernel cache, step by step."""
    from alarife.engine.cache_folder import NotOurs, cache_root, prepare
    from alarife.engine.estimate import seconds_for_all
    from alarife.engine.jit import INTERPRETED
    from alarife.engine.kernel_cache import tell_of_compiling
    from alarife.engine.warm import STEPS
    from alarife.players.guided import compile_guided
    from alarife.players.search import compile_searches

    if INTERPRETED:
        raise AlarifeError("nothing is compiled while ALARIFE_INTERPRETED or NUMBA_DISABLE_JIT is set")
    root = cache_root()
    try:
        if root is None:
            raise NotOurs("there is no folder for it; set ALARIFE_CACHE_DIR")
        prepare(root)
    except (NotOurs, OSError) as error:
        raise AlarifeError(f"compiled kernels cannot be kept: {error}") from None
    steps = *STEPS, ("searches", compile_searches), ("guided search", compile_guided)
    for game in [find_game(name) for name in chosen.games or game_names()]:
        print(f"{game.name}: {len(steps)} steps, about {seconds_for_all(game):.0f} s where nothing is in the cache")
        tell_of_compiling(game, is_told=True)
        start = time.perf_counter()
        for number, (name, compile_step) in enumerate(steps, 1):
            print(f"{game.name}: {number} of {len(steps)}, {name} ... ", end="", flush=True)
            began = time.perf_counter()
            compile_step(game)
            print(f"{time.perf_counter() - began:.1f} s", flush=True)
        print(f"{game.id}: ready after {time.perf_counter() - start:.1f} s, in {root}")


def evaluate_players(chosen: argparse.Namespace) -> None:
    """Who plays better, and how surely."""
    from alarife.evaluation.command import run

    run(chosen, options_of(find_game(chosen.game), chosen.option))


def bench_games(chosen: argparse.Namespace) -> None:
    """Speed of one game or all."""
    from alarife.testing.speed import measure

    for name in chosen.games or game_names():
        for line in measure(find_game(name)):
            print(line)


def train_agent(chosen: argparse.Namespace) -> int:
    """Train an agent, or go on with a run."""
    try:
        from alarife_training.train import run_command
    except ModuleNotFoundError as error:
        raise AlarifeError(
            f"training needs the extra [train]: pip install 'alarife[train]' (no {error.name} here)"
        ) from None
    return int(run_command(chosen.config, chosen.folder, chosen.resume, chosen.overrides, chosen.keys))


def add_checksums(chosen: argparse.Namespace) -> None:
    """Add checksums to checkpoints that were written before there were any."""
    for path in chosen.checkpoints:
        say(f"{path}: {'its checksum was added' if add_checksum(path) else 'its checksum is right'}")


def export_policy(chosen: argparse.Namespace) -> None:
    """Write a trained policy as ONNX."""
    from alarife_training.export import export_onnx

    say(f"exported: {export_onnx(chosen.checkpoint, chosen.target)}")


if __name__ == "__main__":
    sys.exit(main())
