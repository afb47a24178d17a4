"""Villa Paletti by Bill Payne, for 2 to 4 players: build a palace upwards with the columns that carry it."""

from __future__ import annotations

from alarife.engine.game import Game
from alarife.engine.memory import Memory

from . import memory, rules
from .actions import ACTIONS
from .advice import advise, blindfold
from .components import MOST_DECISIONS, MOST_TURNS, SETUP_DECISIONS
from .display import VillaPalettiDisplay
from .observation import FEATURES, observe
from .resample import resample
from .state import Options, State

GAME = Game(
    name="villa_paletti",
    version=1,
    title="Villa Paletti",
    seats=range(2, 5),
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
    blindfold=blindfold,
    display=VillaPalettiDisplay(),
    memory=Memory(memory.FEATURES, memory.observe, resample, memory.agrees),
    longest=MOST_TURNS * MOST_DECISIONS + SETUP_DECISIONS,  # PAL-148, PAL-162
)
