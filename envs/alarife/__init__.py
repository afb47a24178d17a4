"""Reinforcement-learning environments for modern tabletop games about building.

import alarife

env = alarife.make("viva_v1", players=3)              # a PettingZoo AEC environment
batch = alarife.make_batch("viva", games=4096)        # the same rules, thousands of games a call
table = alarife.table("viva", players=3, seed=7)      # one game to look at, change, copy and fork
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from alarife import games
from alarife.adapters import aec as _aec
from alarife.adapters import gym as _gym
from alarife.adapters.aec import AlarifeAEC, CheckedAEC, GameModule
from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError, ConformanceError, FileError, IllegalAction, OptionError, UnknownGame
from alarife.engine.game import Game
from alarife.engine.registry import find_game, game_names, id_of
from alarife.engine.registry import register as _register
from alarife.engine.replay import Replay, load, record, save, verify
from alarife.engine.table import Table

__version__ = "0.2.0"

__all__ = [
    "AlarifeAEC",
    "AlarifeError",
    "Batch",
    "CheckedAEC",
    "ConformanceError",
    "FileError",
    "Game",
    "IllegalAction",
    "OptionError",
    "Replay",
    "Table",
    "UnknownGame",
    "find_game",
    "game_ids",
    "games",
    "load",
    "make",
    "make_batch",
    "record",
    "register",
    "save",
    "table",
    "verify",
]


def game_ids() -> list[str]:
    """The ids of all games, those of other packages included, such as ``viva_v1``."""
    return [id_of(name) for name in game_names()]


def make(id: str | Game, players: int | None = None, **settings: Any) -> CheckedAEC:
    """A PettingZoo AEC environment.

    `settings` are those of the environment (``reward``, ``render_mode``, ``render_seat``, ``luck``, ``memory``,
    ``observation_dtype``, ``max_cycles``) and the options of the game. `render` shows what the seat to decide sees, or
    that of `render_seat`; ``render_seat="all"`` opens everything. With ``memory=True`` agents see what they remember
    behind what they see.
    """
    return _aec.make(id, players=players, **settings)


def make_batch(
    name: str | Game,
    games: int = 1024,
    players: int | Sequence[int] | None = None,
    seed: int = 0,
    *,
    reward: str = "outcome",
    restart: bool = True,
    threads: int = 1,
    luck: str | None = None,
    memory: bool = False,
    **options: Any,
) -> Batch:
    """Many games stepped by one call; see `Batch` for its arrays. Several player counts take turns over the rows.

    `luck` is ``"order"`` (the default) or ``"event"``, for duplicate deals: see `Game.with_luck`. With `memory`,
    observations show what the seats remember behind what they see.
    """
    return Batch(find_game(name, memory), games, players, seed, options, reward, restart, threads, luck=luck)


def table(
    name: str | Game,
    players: int | None = None,
    seed: int | None = None,
    *,
    reward: str = "outcome",
    luck: str | None = None,
    memory: bool = False,
    **options: Any,
) -> Table:
    """One game to play, look at, change, copy and fork."""
    return Table(find_game(name, memory), players, options, seed, reward, luck=luck)


def register(game: Game) -> Game:
    """Make a game known to this process, to Gymnasium and PettingZoo too, if no installed package declares it."""
    _register(game)
    _gym.register_one(game)
    _aec.register_one(game)
    return game


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__", *game_ids()})


if TYPE_CHECKING:  # so that a checker finds a misspelt name
    lisboa_v1: GameModule
    patios_v1: GameModule
    viana_v1: GameModule
    villa_paletti_v1: GameModule
    viva_v1: GameModule
else:

    def __getattr__(name: str) -> GameModule:
        """``alarife.viva_v1`` and its like, as modules that can be imported, too."""
        if not name.startswith("_"):
            try:
                game = find_game(name)
            except UnknownGame:
                pass
            else:
                if game.id == name:
                    return GameModule(game)
        raise AttributeError(f"module 'alarife' has no attribute {name!r}")


_gym.register_games()
_aec.register_games()
