"""Players named in one line: ``random``, ``scripted``, ``package.module:Class``, or an entry point.

Other packages add players through the entry-point group ``alarife.players``; a name may carry a setting after a colon,
which is handed over as the text that it is.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from importlib import metadata
from typing import Any

from alarife.engine.errors import AlarifeError, nearest
from alarife.players.basic import RandomPlayer, ScriptedPlayer
from alarife.players.turns import Player

GROUP = "alarife.players"
_KNOWN: dict[str, Callable[..., Player]] = {"random": RandomPlayer, "scripted": ScriptedPlayer}


def find_player(player: str | Player, seed: int | None = None) -> Player:
    """The player of that name, seeded; a player itself is handed back."""
    if not isinstance(player, str):
        if not isinstance(player, Player):
            raise AlarifeError(f"a player needs a method act(turns), {player!r} has none")
        return player
    points = {point.name: point for point in metadata.entry_points(group=GROUP)}
    name, _, setting = player.partition(":")
    if name in _KNOWN and not setting:
        return _KNOWN[name](seed)
    if name in points:
        return _made(points[name].load(), setting, seed)
    if "." in name and setting:
        return _made(_imported(name, setting), "", seed)
    raise AlarifeError(f"no player called {player!r}{nearest(name, [*_KNOWN, *points])}, or package.module:Class")


def _imported(module: str, name: str) -> Any:
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise AlarifeError(f"the player {module}:{name} cannot be imported: {error}") from None


def _made(maker: Any, setting: str, seed: int | None) -> Player:
    made = maker(*([setting] if setting else []), seed=seed)
    if not isinstance(made, Player):
        raise AlarifeError(f"a player needs a method act(turns), {made!r} has none")
    return made
