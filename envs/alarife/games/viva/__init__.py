"""VIVA by Tobias Angelo Kaufmann, for 2 to 6 players: get rid of your cards, build matching houses, call VIVA."""

from __future__ import annotations

from alarife.engine.game import Game
from alarife.engine.memory import Memory

from . import memory, rules
from .actions import ACTIONS
from .advice import advise
from .components import MOST_DECISIONS, MOST_TURNS
from .display import VivaDisplay
from .observation import FEATURES, observe
from .resample import infer, recall, resample
from .state import Options, State

GAME = Game(
    name="viva",
    version=1,
    title="VIVA",
    seats=range(2, 7),
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
    display=VivaDisplay(),
    memory=Memory(memory.FEATURES, memory.observe, recall, memory.agrees, infer),
    short={"match": "single_round"},
    longest=13 * MOST_TURNS * MOST_DECISIONS,  # VIV-152
)
