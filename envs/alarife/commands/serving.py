"""``alarife serve``: the table in the browser."""

from __future__ import annotations

import argparse
import socket
import webbrowser
from pathlib import Path

from alarife.commands.arguments import Command, options_of, say, seed_argument
from alarife.engine.errors import AlarifeError, missing_extra
from alarife.engine.registry import find_game
from alarife.players.policy import agent_file

HERE = "127.0.0.1"


def add_commands(command: Command) -> None:
    """Add the command ``serve`` and its arguments."""
    serve = command("serve", run, "play, watch and look back in the browser; the page is on this machine only")
    serve.epilog = "example: alarife serve viva --with trained,scripted"
    serve.add_argument("game", nargs="?", help="begin with a game of it (default: the page asks)")
    serve.add_argument("--players", type=int, help="how many sit at the table (default: the fewest)")
    serve.add_argument("--with", dest="who", default="", metavar="PLAYERS",
                       help="who plays against you, by name, separated by commas")  # fmt: skip
    serve.add_argument("--seed", type=seed_argument, help="the same seed gives the same deal")
    serve.add_argument(
        "--option", "-o", action="append", default=[], metavar="NAME=VALUE", help="an option of the game"
    )
    serve.add_argument("--watch", action="store_true", help="the players named play all seats, you watch")
    serve.add_argument("--replay", metavar="FILE", help="look at a game on file")
    serve.add_argument("--folder", default="runs", metavar="FOLDER",
                       help="replays, saves, evaluations and runs below it can be opened (default runs)")  # fmt: skip
    serve.add_argument("--port", type=int, default=0, help="default: any that is free")
    serve.add_argument("--no-open", action="store_true", help="only print the address")
    serve.add_argument("--host", default=HERE, metavar="ADDRESS", help="another address needs --open-to-others, too")
    serve.add_argument("--open-to-others", action="store_true", help="let other machines reach the page, unencrypted")


def run(chosen: argparse.Namespace) -> None:
    """Serve until Ctrl-C."""
    if chosen.host not in (HERE, "localhost") and not chosen.open_to_others:
        raise AlarifeError(f"the page is for this machine only; to let others reach it at {chosen.host}, whose "
                           "connection nobody encrypts, add --open-to-others")  # fmt: skip
    try:
        import uvicorn

        from alarife.web.server import application
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError) and (error.name or "").startswith("alarife"):
            raise
        raise missing_extra("the table in the browser needs", "web") from None
    from alarife.web.hub import Hub
    from alarife.web.library import Library

    named = [name.strip() for name in chosen.who.split(",") if name.strip()]
    hub = Hub(Library(Path(chosen.folder)), Path(chosen.folder) / "games", [n for n in named if n != "person"])
    place = _begin(hub, chosen, named)
    with _listening(chosen.host, chosen.port) as listener:
        port = listener.getsockname()[1]
        shown = "localhost" if chosen.host == "localhost" else chosen.host
        address = f"http://{shown}:{port}/#key={hub.key}{place}"
        say(f"{address}\nCtrl-C ends it. Who has this address plays; nothing is sent to anybody else.", flush=True)
        if not chosen.no_open:
            webbrowser.open(address)
        app = application(hub, port, shown, chosen.open_to_others)
        settings = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1, server_header=False)
        uvicorn.Server(settings).run([listener])


def _listening(host: str, port: int) -> socket.socket:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()  # whoever follows the address at once waits until the server stands
    except (OSError, OverflowError) as error:
        listener.close()
        raise AlarifeError(f"cannot listen at {host}, port {port}: {error}") from None
    return listener


def _begin(hub: object, chosen: argparse.Namespace, named: list[str]) -> str:
    """Begin with what the command line says; the end of the page's address."""
    from alarife.engine.replay import Replay
    from alarife.engine.table import Table
    from alarife.web.hub import Hub
    from alarife.web.session import PERSON, Session

    assert isinstance(hub, Hub)
    if chosen.replay:
        session = Session.of_replay(Replay.read(chosen.replay), Path(chosen.replay).name)
    elif chosen.game:
        game = find_game(chosen.game)
        table = Table(game, chosen.players, options_of(game, chosen.option), chosen.seed)
        usual = ["trained"] if agent_file(game) else ["scripted"]
        others = named or usual
        free = table.players if chosen.watch else table.players - 1
        sitting = [others[seat % len(others)] for seat in range(free)]
        session = Session(table, sitting if chosen.watch else [PERSON, *sitting])
    else:
        return ""
    return f"&game={hub.add(session)}"
