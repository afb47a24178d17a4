"""A coin lies under a cup. Take six points, or guess for ten. Who searches each coin by itself thinks it can guess."""

from __future__ import annotations

from alarife.engine.game import Display, Game, GameState
from alarife.engine.jit import rule
from alarife.engine.layout import Actions, Block, Choice, Features, i8
from alarife.engine.moves import offer
from alarife.engine.options import GameOptions, settings_of
from alarife.engine.random import below

SAFE, GUESS = 6, 10
ACTIONS = Actions(take=Choice("take the safe points"), dare=Choice("go on to guess"), call=Choice("say a side", side=2))
FEATURES = Features(daring=Block(1, "1 when a side has to be called"))
AT = ACTIONS.start
at_call = ACTIONS.encoder("call")


class State(GameState):
    """Everything that changes."""

    options = settings_of(GameOptions)
    coin = i8.between(0, 1)
    daring = i8.between(0, 1)
    points = i8.between(0, GUESS)


@rule
def reset(s):
    s.coin = below(s, 2)


@rule
def legal(s, moves):
    if s.daring:
        offer(moves, at_call(0))
        offer(moves, at_call(1))
    else:
        offer(moves, AT.take)
        offer(moves, AT.dare)


@rule
def apply(s, action):
    if action == AT.dare:
        s.daring = 1
        return
    s.over = 1
    if action == AT.take:
        s.points = SAFE
    elif action == at_call(s.coin):
        s.points = GUESS


@rule
def observe(s, seat, view):
    view[0] = s.daring


@rule
def resample(s, seat):
    if not s.over:
        s.coin = below(s, 2)


@rule
def result(s, r):
    r.score[0] = s.points
    r.place[0] = 1 if s.points == GUESS else 2
    r.places = 2
    r.won = s.points == GUESS
    r.rival = SAFE


@rule
def check(s):
    assert 0 <= s.coin < 2, "there is no coin"


@rule
def advise(s, moves):
    return moves.at[0]


SAFE_OR_GUESS = Game(
    name="safe_or_guess", version=0, title="Safe or guess", seats=[1], state=State, actions=ACTIONS,
    features=FEATURES, reset=reset, legal=legal, apply=apply, observe=observe, resample=resample, result=result,
    check=check, advise=advise, display=Display(), longest=2,
)  # fmt: skip
