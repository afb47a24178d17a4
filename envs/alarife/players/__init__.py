"""Whoever can sit at a table.

A player answers many tables at once: it is given `Turns` and returns one action for each. `Turns` hold what the seats
to decide may know, and can make forks: copies of the game in which everything a seat cannot know is drawn anew.
"""

from __future__ import annotations

from alarife.players.basic import RandomPlayer, ScriptedPlayer
from alarife.players.find import find_player
from alarife.players.guiding import Guided
from alarife.players.person import is_person
from alarife.players.searching import ISMCTS, MonteCarlo
from alarife.players.turns import Player, Turns, play_out

__all__ = [
    "ISMCTS",
    "Guided",
    "MonteCarlo",
    "Player",
    "RandomPlayer",
    "ScriptedPlayer",
    "Turns",
    "find_player",
    "is_person",
    "play_out",
]
