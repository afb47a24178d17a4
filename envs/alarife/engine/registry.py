"""Where games are found: folders in `alarife.games`, and the entry-point group ``alarife.games`` of other packages.

A plug-in names its `Game` object in its own packaging: ``[project.entry-points."alarife.games"]`` with a line such as
``pebbles = "my_package.pebbles:GAME"``.
"""

from __future__ import annotations

import importlib
import re
from functools import lru_cache
from importlib import metadata
from pathlib import Path

from .errors import AlarifeError, UnknownGame, nearest
from .game import Game
from .numbers import short, switch

GROUP = "alarife.games"
_FOLDER = Path(__file__).resolve().parent.parent / "games"
_added: dict[str, Game] = {}
#: Games and versions that are no longer there, each with the end of a sentence: since when, and what to use instead.
GONE: dict[str, str] = {
    "lisboa_v0": "since alarife 0.2, as its observations say other things now: use lisboa_v1",
    "patios_v0": "since alarife 0.2, as its observations say other things now: use patios_v1",
    "viana_v0": "since alarife 0.2, as its observations say other things now: use viana_v1",
    "villa_paletti_v0": "since alarife 0.2, as hexagons carry by their own footprint now: use villa_paletti_v1",
    "viva_v0": "since alarife 0.2, as its observations say other things now: use viva_v1",
}


def register(game: Game) -> Game:
    """Make a game known to this process, for games that are in no installed package."""
    if not isinstance(game, Game):
        raise AlarifeError(f"register takes a Game, got {short(game)}")
    if is_installed(game.name):
        raise AlarifeError(f"there is a game called {game.name!r} already")
    _added[game.name] = game
    return game


@lru_cache
def _own() -> dict[str, str]:
    return {folder.name: f"alarife.games.{folder.name}" for folder in sorted(_FOLDER.iterdir())
            if (folder / "__init__.py").exists()}  # fmt: skip


@lru_cache
def _own_ids() -> dict[str, str]:
    return {path.stem.rpartition("_v")[0]: path.stem for path in _FOLDER.parent.glob("*_v*.py")}


@lru_cache
def _plugins() -> dict[str, metadata.EntryPoint]:
    return {point.name: point for point in metadata.entry_points(group=GROUP)}


def game_names() -> list[str]:
    """The names of all games, alphabetically."""
    return sorted({*_own(), *_plugins(), *_added})


def is_installed(name: str) -> bool:
    """Whether other processes find the game too."""
    return name in _own() or name in _plugins()


def words_of(name: str) -> str:
    """A game in the words of a sentence, which tells where it comes from."""
    return f"the game {name!r}" + (" of another package" if name in _plugins() and name not in _own() else "")


@lru_cache
def _load(name: str) -> Game:
    if name in _own():
        game = importlib.import_module(_own()[name]).GAME
    else:
        game = _plugins()[name].load()
    if not isinstance(game, Game) or game.name != name:
        raise AlarifeError(f"the game registered as {name!r} is {game!r}, expected a Game of that name")
    return game


def id_of(name: str) -> str:
    """The id of a game by its name; modules such as `alarife.viva_v1` tell those of our own, without loading a game."""
    return _own_ids()[name] if name in _own_ids() and name not in _added else find_game(name).id


def find_game(name: str | Game, memory: bool = False) -> Game:
    """A game by name or by id: ``viva`` or ``viva_v1``; with `memory`, views show what seats remember."""
    game = name if isinstance(name, Game) else _find(name)
    return game.with_memory if switch(memory, "memory") else game


def _find(name: str) -> Game:
    if not isinstance(name, str):
        raise UnknownGame(f"a game is named by a text, got {short(name)}. Allowed: {', '.join(game_names())}")
    match = re.fullmatch(r"(.+?)(?:_v(\d+))?", str(name))
    base = match[1] if match and match[1] in game_names() else str(name)
    if str(name) in GONE:
        raise UnknownGame(f"{name} is gone {GONE[str(name)]}")
    if base not in game_names():
        raise UnknownGame(f"no game called {short(name)}{nearest(name[:80], game_names())}")
    game = _added[base] if base in _added else _load(base)
    if match and match[2] is not None and base != name and int(match[2]) != game.version:
        raise UnknownGame(f"{base} is at version {game.version} ({game.id}), got {name!r}")
    return game
