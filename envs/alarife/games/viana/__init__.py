"""Palace of Viana, for 2 to 5 players: decorate the courtyards of the palace before the Marquise comes to look."""

from __future__ import annotations

from alarife.engine.game import Game
from alarife.engine.memory import Memory

from . import memory, rules
from .actions import ACTIONS
from .advice import advise
from .components import MOST_DECISIONS, MOST_ROUNDS, PLAYERS
from .display import VianaDisplay
from .observation import FEATURES, observe
from .resample import resample
from .state import Options, State, prepare

GAME = Game(
    name="viana",
    version=1,
    title="Palace of Viana",
    seats=range(2, PLAYERS + 1),
    options=Options,
    prepare=prepare,
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
    display=VianaDisplay(),
    memory=Memory(memory.FEATURES, memory.observe, memory.recall, memory.agrees),
    # Two decisions each before the first turn; then every turn, the final round included (VIA-204, VIA-205).
    longest=2 * PLAYERS + MOST_DECISIONS * PLAYERS * (MOST_ROUNDS + 1),
)
