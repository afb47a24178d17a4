"""``import alarife.viva_v1``: the game as the module that PettingZoo users expect."""

from alarife.adapters.aec import GameModule
from alarife.games.viva import GAME

_module = GameModule(GAME)
env, raw_env = _module.env, _module.raw_env

__all__ = ["env", "raw_env"]
