"""Pebbles: take pebbles from three piles; one pile is secretly worth double to you. The smallest complete game."""

from __future__ import annotations

from alarife.engine.game import Game

from . import rules
from .advice import advise
from .components import ACTIONS, MOST_DECISIONS, PLAYERS
from .display import PebblesDisplay
from .observation import FEATURES, observe
from .resample import resample
from .state import Options, State

GAME = Game(
    name="pebbles",
    version=0,
    title="Pebbles",
    seats=range(2, PLAYERS + 1),
    options=Options,
    state=State,
    actions=ACTIONS,
    features=FEATURES,
    reset=rules.reset,
    decisions=rules.DECISIONS,
    apply=rules.apply,
    observe=observe,
    resample=resample,
    result=rules.result,
    check=rules.check,
    advise=advise,
    display=PebblesDisplay(),
    longest=MOST_DECISIONS,
)
