"""Pebbles: options and the state record."""

from __future__ import annotations

from dataclasses import dataclass

from alarife.engine.game import GameState
from alarife.engine.layout import i8
from alarife.engine.options import GameOptions, settings_of, switch

from .components import MOST_IN_PILE, MOST_POINTS, PILES, PLAYERS


@dataclass(frozen=True)
class Options(GameOptions):
    """What can be agreed before the game."""

    passing: bool = switch(True, "each player may pass once")


class State(GameState):
    """Everything that changes."""

    options = settings_of(Options)
    piles = i8[PILES].between(0, MOST_IN_PILE)  # pebbles left
    lucky = i8[PLAYERS].between(0, PILES - 1)  # each player's secret pile, whose pebbles count double
    points = i8[PLAYERS].between(0, MOST_POINTS)
    taken = i8[PLAYERS, PILES].between(0, MOST_IN_PILE)  # pebbles taken from each pile
    passed = i8[PLAYERS].between(0, 1)  # 1 once the pass is used
