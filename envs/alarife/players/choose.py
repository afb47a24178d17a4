"""Players named in one line.

- ``random``, ``scripted``, ``person``, and ``trained``: the agent that comes along with the game
- ``mc:200``, ``ismcts:1000``, ``ismcts:500ms:random:cut=100``: searches with a budget and settings
- ``guided:path/to/policy.safetensors:200``, ``guided:trained:200``: a search led by a trained player, the same way
- ``package.module:Player``: anything callable with ``seed=...`` that gives a player
- ``path/to/policy.safetensors``: a trained player

Other packages add players through the entry-point group ``alarife.players``; a name may carry a setting after a colon,
which is handed over as the text that it is.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

from alarife.engine.errors import AlarifeError, nearest
from alarife.players.basic import RandomPlayer, ScriptedPlayer
from alarife.players.guided import guided
from alarife.players.network import NetworkPlayer, TrainedPlayer
from alarife.players.person import PersonPlayer
from alarife.players.search import ISMCTS, MonteCarlo
from alarife.players.turns import Player

GROUP = "alarife.players"
CHECKPOINT = ".safetensors"
_PLAIN: dict[str, Callable[..., Player]] = {
    "random": RandomPlayer, "scripted": ScriptedPlayer, "person": PersonPlayer, "trained": TrainedPlayer,
}  # fmt: skip
_WITH_SETTINGS: dict[str, Callable[..., Player]] = {"mc": MonteCarlo, "ismcts": ISMCTS, "guided": guided}


def find_player(player: str | Player, seed: int | None = None) -> Player:
    """The player of that name, seeded; a player itself is handed back."""
    if not isinstance(player, str):
        if not isinstance(player, Player):
            raise AlarifeError(f"a player needs a method act(turns), {player!r} has none")
        return player
    points = {point.name: point for point in metadata.entry_points(group=GROUP)}
    name, _, setting = player.partition(":")
    if name in _PLAIN and not setting:
        return _PLAIN[name](seed)
    if name in _WITH_SETTINGS:
        return _WITH_SETTINGS[name](setting, seed)
    if name in points:
        return _made(points[name].load(), setting, seed)
    if Path(player).is_file():
        return NetworkPlayer(player, seed)
    if "/" in player or os.sep in player or player.endswith(CHECKPOINT):
        raise AlarifeError(f"there is no checkpoint {player}")
    if "." in name and setting:
        return _made(_imported(name, setting), "", seed)
    known = [*_PLAIN, *(f"{search}:<playouts>" for search in _WITH_SETTINGS), *points]
    raise AlarifeError(f"no player called {player!r}{nearest(player, known)}, package.module:Player, or a checkpoint")


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
