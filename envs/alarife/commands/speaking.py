"""``alarife text`` and ``alarife openenv``: games in words, for language models."""

from __future__ import annotations

import argparse
import json

from alarife.commands.arguments import Command, game_arguments, options_of, say
from alarife.commands.columns import print_columns
from alarife.engine.numbers import whole_number
from alarife.engine.registry import find_game
from alarife.text import TextEnv, briefing
from alarife.text.briefing import MOST_TOKENS, TOKENS
from alarife.text.question import INVALID, RANDOM

HERE = "127.0.0.1"


def add_commands(command: Command) -> None:
    """Add the commands ``text`` and ``openenv`` and their arguments."""
    text = command("text", show_text, "what a language model is told of a game, and how many tokens that is")
    game_arguments(text)
    text.add_argument("--seat", type=int, default=0, help="the seat that is asked (default 0)")
    text.add_argument("--tokens", type=int, default=TOKENS, help=f"budget of the briefing (default {TOKENS})")
    text.add_argument("--json", action="store_true", help="the first messages as JSON, as chat models take them")

    serve = command("openenv", serve_openenv, "serve a game in words over OpenEnv's protocol (extra [openenv])")
    game_arguments(serve)
    serve.add_argument("--seat", type=int, default=0, help="the seat that is asked (default 0)")
    serve.add_argument("--tokens", type=int, default=TOKENS, help=f"budget of the briefing (default {TOKENS})")
    serve.add_argument("--retries", type=int, default=2, help="how often a seat is asked again (default 2)")
    serve.add_argument("--invalid", choices=INVALID, default=RANDOM, help="what becomes of no answer (default random)")
    serve.add_argument("--sessions", type=int, default=16, help="games at a time (default 16)")
    serve.add_argument("--host", default=HERE, metavar="ADDRESS",
                       help="another address lets other machines play, unencrypted")  # fmt: skip
    serve.add_argument("--port", type=int, default=8000, help="where it listens (default 8000)")


def show_text(chosen: argparse.Namespace) -> None:
    """The sizes of the briefing, and the first messages."""
    game = find_game(chosen.game)
    options = options_of(game, chosen.option)
    tokens = whole_number(chosen.tokens, "a briefing has a number {} of tokens", 0, MOST_TOKENS)
    env = TextEnv(game, chosen.players, chosen.seat, chosen.who.split(","), tokens=tokens, **options)
    messages = env.reset(chosen.seed)
    if chosen.json:
        say(json.dumps(messages, indent=1))
        return
    sizes = briefing(game, options, tokens)
    rows = [("part of the briefing", "tokens told", "tokens whole")]
    rows += [(part.title, str(part.tokens), str(part.whole)) for part in sizes.parts]
    print_columns(rows, right=1, width=100)
    say(f"{sizes.tokens} tokens of {tokens}; {env.tokens} with the seat's name, how to answer and the first question; "
        "all of it estimated\n")  # fmt: skip
    for message in messages:
        say(f"--- {message['role']}\n{message['content']}\n")


def serve_openenv(chosen: argparse.Namespace) -> None:
    """Serve until Ctrl-C."""
    from alarife.text.openenv import MOST_SESSIONS, application

    game = find_game(chosen.game)
    sessions = whole_number(chosen.sessions, "a server has {} sessions at a time", 1, MOST_SESSIONS)
    port = whole_number(chosen.port, "a port is a number {}", 1, 65_535)
    app = application(game.id, sessions, players=chosen.players, seat=chosen.seat, opponents=chosen.who.split(","),
                      tokens=chosen.tokens, retries=chosen.retries, invalid=chosen.invalid,
                      **options_of(game, chosen.option))  # fmt: skip
    import uvicorn

    say(f"{game.title} for OpenEnv's clients at http://{chosen.host}:{port}\nCtrl-C ends it.", flush=True)
    uvicorn.run(app, host=chosen.host, port=port, log_level="warning", server_header=False)
