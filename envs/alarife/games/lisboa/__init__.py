"""Lisboa by Vital Lacerda, solo: rebuild the city after the earthquake, against an automa called Lacerda."""

from __future__ import annotations

from alarife.engine.game import Game

from . import rules
from .actions import ACTIONS
from .advice import advise
from .components import MOST_DECISIONS, MOST_ROUNDS
from .display import LisboaDisplay
from .observation import FEATURES, observe
from .resample import resample
from .state import Options, State
from .tables import prepare
from .words import summary

GAME = Game(
    name="lisboa",
    version=1,
    title="Lisboa (solo against Lacerda)",
    seats=(1,),
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
    display=LisboaDisplay(),
    summary=summary,
    longest=MOST_ROUNDS * MOST_DECISIONS,
    open_information=True,
)
