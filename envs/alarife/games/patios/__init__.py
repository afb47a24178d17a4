"""Patios, for 2 to 5 players: pots in bloom, balconies, and water before the Sun or the Visitors come."""

from __future__ import annotations

from alarife.engine.game import Game
from alarife.engine.memory import Memory

from . import memory, rules
from .actions import ACTIONS
from .advice import advise
from .components import LONGEST
from .display import PatiosDisplay
from .observation import FEATURES, observe
from .resample import resample
from .state import Options, State, prepare

GAME = Game(
    name="patios",
    version=1,
    title="Patios",
    seats=range(2, 6),
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
    display=PatiosDisplay(),
    memory=Memory(memory.FEATURES, memory.observe, memory.recall, memory.agrees),
    longest=LONGEST,
    prepare=prepare,
)
