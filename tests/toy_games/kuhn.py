"""Kuhn's poker (1950): three cards, one ante, one bet. In equilibrium it is worth -1/18 to the first player."""

from __future__ import annotations

from alarife.engine.game import Display, Game, GameState
from alarife.engine.jit import rule
from alarife.engine.layout import Actions, Block, Choice, Features, i8
from alarife.engine.moves import offer
from alarife.engine.options import GameOptions, settings_of
from alarife.engine.random import below
from alarife.engine.result import place_by_key
from alarife.engine.svg import Picture

JACK, QUEEN, KING = range(3)
ACTIONS = Actions(check=Choice("check, or fold after a bet"), bet=Choice("bet, or call after a bet"))
FEATURES = Features(card=Block(3, "my card"), history=Block((3, 2), "what was done"), seat=Block(1, "my seat"))
AT = FEATURES.start


class KuhnDisplay(Display):
    """Everything that is shown."""

    def phrase(self, state, action, seat=None):
        return ("checks", "bets")[action]

    def text(self, state, seat=None):
        cards = ["JQK"[state.card[p]] if seat in (None, p) else "?" for p in range(2)]
        return f"cards {' '.join(cards)}, seat {state.seat} to decide, done {list(state.done)}"

    def svg(self, state, seat=None):
        picture = Picture(600, 60, "#ffffff")
        picture.text(10, 40, self.text(state, seat), 12, "#000000")
        return picture.finish()


class State(GameState):
    """Everything that changes."""

    options = settings_of(GameOptions)
    card = i8[2].between(JACK, KING)
    done = i8[3].between(0, 2)  # 1 for a check, 2 for a bet
    chips = i8[2].between(-2, 2)  # won or lost


@rule
def reset(s):
    s.card[0] = below(s, 3)
    s.card[1] = (s.card[0] + 1 + below(s, 2)) % 3


@rule
def legal(s, moves):
    offer(moves, 0)
    offer(moves, 1)


@rule
def apply(s, action):
    at = s.decisions - 1
    s.done[at] = 1 + action
    betting = at > 0 and s.done[at - 1] == 2
    if betting and action == 0:
        settle(s, 1 - s.seat, 1)
    elif betting:
        settle(s, 0 if s.card[0] > s.card[1] else 1, 2)
    elif at == 1 and action == 0:
        settle(s, 0 if s.card[0] > s.card[1] else 1, 1)
    s.seat = 1 - s.seat


@rule
def settle(s, winner, chips):
    s.chips[winner] = chips
    s.chips[1 - winner] = -chips
    s.over = 1


@rule
def observe(s, seat, view):
    view[AT.card + s.card[seat]] = 1
    view[AT.seat] = seat
    for i in range(3):
        if s.done[i] > 0:
            view[AT.history + 2 * i + s.done[i] - 1] = 1


@rule
def resample(s, seat):
    s.card[1 - seat] = (s.card[seat] + 1 + below(s, 2)) % 3


@rule
def result(s, r):
    for p in range(2):
        r.score[p] = s.chips[p]
        r.key[p] = s.chips[p]
    place_by_key(r, 2)


@rule
def check(s):
    assert s.chips[0] + s.chips[1] == 0, "chips are lost"


@rule
def advise(s, moves):
    return 1 if s.card[s.seat] == KING else 0


KUHN = Game(
    name="kuhn", version=0, title="Kuhn's poker", seats=[2], state=State, actions=ACTIONS, features=FEATURES,
    reset=reset, legal=legal, apply=apply, observe=observe, resample=resample, result=result, check=check,
    advise=advise, display=KuhnDisplay(), longest=3,
)  # fmt: skip
