"""Players named in one line.

- ``random``, ``scripted``, ``person``, and ``trained``: the agent that comes along with the game
- ``mc:200``, ``ismcts:1000``, ``ismcts:500ms:random:cut=100``: searches with a budget and settings
- ``guided:path/to/policy.safetensors:200``, ``guided:trained:200``: a search led by a trained player, the same way
- ``mc:200:belief=play:others=trained``: a search that takes the other seats for some player; its name is the last word
- ``path/to/policy.safetensors``, ``path/to/policy.onnx``: a trained player
- ``hub:name``: a policy that was installed (`alarife.hub`)
- ``module:Player``: somebody's own, called with ``seed=...``; ``docs/players.md`` tells how to write one

Other packages add players through the entry-point group ``alarife.players``. Such a name may carry a setting after a
colon, which is handed over as the text that it is: ``maker(setting, seed=...)``.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from functools import lru_cache
from importlib import metadata
from typing import Any

from alarife.engine.errors import AlarifeError, nearest
from alarife.engine.game import Game
from alarife.engine.named_modules import find_module
from alarife.engine.numbers import seed_number, short
from alarife.players.basic import RandomPlayer, ScriptedPlayer
from alarife.players.guiding import guided, leader_of
from alarife.players.onnx_file import OnnxPlayer
from alarife.players.person import PersonPlayer
from alarife.players.policy import HubPlayer, NetworkPlayer, TrainedPlayer, hub_file, read_policy
from alarife.players.policy_store import parse_wish
from alarife.players.search_settings import apart
from alarife.players.searching import ISMCTS, MonteCarlo
from alarife.players.turns import Player

GROUP = "alarife.players"
OWN, POLICY, FOREIGN = "own", "policy", "foreign"  # alarife's; a file of weights; code of somebody else
CHECKPOINT, ONNX = ".safetensors", ".onnx"
MOST_NAME = 500  # letters of a path that is told whole
_PLAIN: dict[str, Callable[..., Player]] = {
    "random": RandomPlayer, "scripted": ScriptedPlayer, "person": PersonPlayer, "trained": TrainedPlayer,
}  # fmt: skip
SEARCHES = "mc", "ismcts", "guided"
TRAINED = "trained", "guided", "hub"  # names of players that have a policy
_WITH_SETTINGS: dict[str, Callable[..., Player]] = {
    "mc": MonteCarlo,
    "ismcts": ISMCTS,
    "guided": guided,
    "hub": HubPlayer,
}


def find_player(player: str | Player, seed: int | None = None) -> Player:
    """The player of that name, seeded; a player itself is handed back."""
    if not isinstance(player, str):
        return _checked(player)
    seed = None if seed is None else seed_number(seed)
    name, _, setting = player.partition(":")
    kind = kind_of(player)
    if name in _PLAIN:
        return _PLAIN[name](seed)
    if name in _WITH_SETTINGS:
        return _WITH_SETTINGS[name](setting, seed)
    if kind == POLICY:
        return OnnxPlayer(player, seed) if player.endswith(ONNX) else NetworkPlayer(player, seed)
    if name in _points():
        return _made(player, _points()[name].load, setting, seed)
    return _made(player, lambda: getattr(importlib.import_module(name), setting), "", seed)


def kind_of(player: str) -> str:
    """Who is meant by a name, told without importing, reading or making anything; nobody is refused in a sentence."""
    name, colon, setting = player.partition(":")
    if name in _PLAIN and colon:
        raise AlarifeError(f"the player {name} takes no settings, got {short(player)}")
    if others := believed_by(player):  # the player is made of that one's code, too
        return FOREIGN if kind_of(others) == FOREIGN else OWN
    if name in _PLAIN or name in _WITH_SETTINGS:
        return OWN
    if name in _points():
        return FOREIGN
    if os.path.isfile(player):  # nor is it one whose name no system knows
        return POLICY
    if "/" in player or os.sep in player or player.endswith((CHECKPOINT, ONNX)):
        raise AlarifeError(f"there is no checkpoint {player if len(player) < MOST_NAME else short(player)}")
    if setting and (find_module(name) or "." in name):
        return FOREIGN
    sought = f", and no module {short(name)} to import it from" if setting else ""
    known = nearest(name, [*_PLAIN, *_WITH_SETTINGS, *_points()])
    raise AlarifeError(f"no player called {short(player)}{sought}{known}, module:Player, or a checkpoint")


def reads_a_policy(player: str) -> bool:
    """Whether a player's name speaks of a policy's file."""
    others = believed_by(player)
    if others and reads_a_policy(others):
        return True
    return kind_of(player) == POLICY or (kind_of(player) == OWN and CHECKPOINT in player)


def needs_a_policy(player: str) -> bool:
    """Whether a policy plays under a name, leads its search, or is who it believes the others to be."""
    others = believed_by(player)
    if others and needs_a_policy(others):
        return True
    return reads_a_policy(player) or player.partition(":")[0] in TRAINED


def believed_by(player: str) -> str:
    """The player that a search of this name believes the others to be; nothing where it names none."""
    name, _, setting = player.partition(":")
    return (apart(setting)[1] or "") if name in SEARCHES else ""


def note_on(player: str, game: Game, players: int) -> str:
    """A sentence where a policy sits at a table of another size than it was trained for; otherwise nothing."""
    file = _policy_of(player, game)
    tables = read_policy(file).tables if file else []
    if not tables or players in tables:
        return ""
    sizes = " and ".join(filter(None, [", ".join(map(str, tables[:-1])), str(tables[-1])]))
    return f"{player} was trained at tables for {sizes}; this one is for {players}, where it may play worse"


def _policy_of(player: str, game: Game) -> str:
    """The checkpoint that plays under a name, or leads a search; nothing for others, ONNX files among them."""
    kind, (name, _, setting) = kind_of(player), player.partition(":")
    if kind == FOREIGN or (kind == OWN and name not in TRAINED):
        return ""
    if kind == OWN and name == "hub":
        return str(hub_file(parse_wish(setting), game))
    file = leader_of(setting) if kind == OWN and name == "guided" else player
    if file == "trained":
        return str(TrainedPlayer.file_of(game))
    return "" if file.endswith(ONNX) else file


def _points() -> dict[str, metadata.EntryPoint]:
    """The players of other packages, looked for once: that takes milliseconds."""
    return _points_on(tuple(sys.path))


@lru_cache(maxsize=8)
def _points_on(path: tuple[str, ...]) -> dict[str, metadata.EntryPoint]:
    return {point.name: point for point in metadata.entry_points(group=GROUP)}


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
        raise AlarifeError(f"a player needs a method act(turns), {short(made)} has none")
    return made


def _brief(error: BaseException) -> str:
    """What went wrong, on one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
