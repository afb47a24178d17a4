"""``alarife list``, ``show``, ``check``, ``compile`` and ``bench``."""

from __future__ import annotations

import argparse
import json
import time

from alarife.commands.arguments import GAME, Command, options_argument, options_of, say, seed_argument
from alarife.commands.columns import print_columns
from alarife.engine.errors import AlarifeError
from alarife.engine.registry import find_game, game_names


def add_commands(command: Command) -> None:
    """Add the commands of this file and their arguments."""
    listed = command("list", list_games, "the games, their sizes and players")
    listed.add_argument("--json", action="store_true", help="all that is known of them, as JSON")

    shown = command("show", show_game, "options, decisions, actions and observation of a game")
    shown.add_argument("game", help=GAME)
    shown.add_argument("--json", action="store_true", help="the same as JSON")
    check = command("check", check_games, "run the conformance kit")
    check.add_argument("games", nargs="*", metavar="game", help="default: all")
    check.add_argument("--players", type=int, nargs="+", help="player counts (default: all)")
    check.add_argument("--seed", type=seed_argument, default=0, help="of the games that are played (default 0)")
    check.add_argument(
        "--only", nargs="+", metavar="CHECK", help="these checks alone, by name; without it all run and are named"
    )
    options_argument(check)

    compile_ = command("compile", compile_games, "compile games ahead of their first use")
    compile_.add_argument("games", nargs="*", metavar="game", help="default: all")
    bench = command("bench", bench_games, "measure speed on this machine")
    bench.add_argument("games", nargs="*", metavar="game", help="default: all")


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
    print_columns(rows, right=3, width=80)


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
        print_columns([head, *(tuple(str(row[name]) for name in head) for row in about[part])] if about[part] else [])


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
        say(f"{game.id}: every check passed")


def compile_games(chosen: argparse.Namespace) -> None:
    """Fill the kernel cache, step by step."""
    from alarife.engine.cache_folder import NotOurs, cache_root, prepare
    from alarife.engine.estimate import seconds_for
    from alarife.engine.jit import INTERPRETED
    from alarife.engine.kernel_cache import tell_of_compiling
    from alarife.engine.warm import STEPS
    from alarife.players.guiding import compile_guided
    from alarife.players.searching import compile_searches
    from alarife.search import guided, ismcts

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
        seconds = seconds_for(game, ismcts, guided)
        print(f"{game.name}: {len(steps)} steps, about {seconds:.0f} s where nothing is in the cache")
        tell_of_compiling(game, is_told=True)
        start = time.perf_counter()
        for number, (name, compile_step) in enumerate(steps, 1):
            print(f"{game.name}: {number} of {len(steps)}, {name} ... ", end="", flush=True)
            began = time.perf_counter()
            compile_step(game)
            print(f"{time.perf_counter() - began:.1f} s", flush=True)
        print(f"{game.id}: ready after {time.perf_counter() - start:.1f} s, in {root}")


def bench_games(chosen: argparse.Namespace) -> None:
    """Speed of one game or all."""
    from alarife.testing.speed import cores_told, measure

    print(cores_told())
    for name in chosen.games or game_names():
        for line in measure(find_game(name)):
            print(line)
