"""Players named in one line.

- ``random``, ``scripted``, ``person``, and ``trained``: the agent that comes along with the game
- ``mc:200``, ``ismcts:1000``, ``ismcts:500ms:random:cut=100``: searches with a budget and settings
- ``guided:path/to/policy.safetensors:200``, ``guided:trained:200``: a search led by a trained player, the same way
- ``path/to/policy.safetensors``: a trained player
- ``module:Player``: somebody's own, called with ``seed=...``; ``docs/players.md`` tells how to write one

Other packages add players through the entry-point group ``alarife.players``. Such a name may carry a setting after a
colon, which is handed over as the text that it is: ``maker(setting, seed=...)``.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
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
        return _checked(player)
    points = {point.name: point for point in metadata.entry_points(group=GROUP)}
    name, colon, setting = player.partition(":")
    if name in _PLAIN:
        if colon:
            raise AlarifeError(f"the player {name} takes no settings, got {player!r}")
        return _PLAIN[name](seed)
    if name in _WITH_SETTINGS:
        return _WITH_SETTINGS[name](setting, seed)
    if name in points:
        return _made(player, points[name].load, setting, seed)
    if Path(player).is_file():
        return NetworkPlayer(player, seed)
    if "/" in player or os.sep in player or player.endswith(CHECKPOINT):
        raise AlarifeError(f"there is no checkpoint {player}")
    if setting and ("." in name or _is_module(name)):
        return _made(player, lambda: getattr(importlib.import_module(name), setting), "", seed)
    sought = f", and no module {name!r} to import it from" if setting else ""
    known = nearest(name, [*_PLAIN, *_WITH_SETTINGS, *points])
    raise AlarifeError(f"no player called {player!r}{sought}{known}, module:Player, or a checkpoint")


def _is_module(name: str) -> bool:
    """Whether there is a module of that name, told without importing it."""
    return name in sys.modules or (bool(name) and importlib.util.find_spec(name) is not None)


def _made(player: str, load: Callable[[], Any], setting: str, seed: int | None) -> Player:
    """The player that a foreign maker makes, whatever goes wrong there told in a sentence."""
    try:
        maker = load()
    except (Exception, SystemExit) as error:
        raise AlarifeError(f"the player {player} cannot be imported: {_brief(error)}") from error
    try:
        made = maker(*([setting] if setting else []), seed=seed)
    except AlarifeError:
        raise
    except (Exception, SystemExit) as error:
        raise AlarifeError(f"the player {player} cannot be made with seed=...: {_brief(error)}") from error
    return _checked(made)


def _checked(made: Any) -> Player:
    if not isinstance(made, Player):
        raise AlarifeError(f"a player needs a method act(turns), {made!r} has none")
    return made


def _brief(error: BaseException) -> str:
    """What went wrong, on one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
