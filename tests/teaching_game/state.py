"""Pebbles: options and the state record."""

from __future__ import annotations

from dataclasses import dataclass

from alarife.engine.game import GameState
from alarife.engine.layout import i8
from alarife.engine.options import GameOptions, settings_of, switch

from .components import PILES, PLAYERS


@dataclass(frozen=True)
class Options(GameOptions):
    """What can be agreed before the game."""

    passing: bool = switch(True, "each player may pass once")


class State(GameState):
    """Everything that changes."""

    options = settings_of(Options)
    piles = i8[PILES]  # pebbles left
    lucky = i8[PLAYERS]  # each player's secret pile, whose pebbles count double
    points = i8[PLAYERS]
    taken = i8[PLAYERS, PILES]  # pebbles taken from each pile
    passed = i8[PLAYERS]  # 1 once the pass is used
