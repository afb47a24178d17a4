"""Pebbles by another name, whose rules fail where they are told to: at a decision, when a game begins, when it is seen.

What fails is chosen by the game's options, so that compiled and interpreted rules fail alike.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from alarife.engine.game import GameState
from alarife.engine.jit import rule
from alarife.engine.layout import i8
from alarife.engine.options import GameOptions, choice, settings_of, switch, whole
from teaching_game import GAME as PEBBLES
from teaching_game import rules
from teaching_game.components import MOST_IN_PILE, MOST_POINTS, PILES, PLAYERS
from teaching_game.observation import observe as see

NOTHING, APPLY, LEGAL, OBSERVE, RESULT, RESET = range(6)
ASSERTION, INDEX = range(2)
offer_pebbles, play_pebbles = PEBBLES.legal, PEBBLES.apply


@dataclass(frozen=True)
class Options(GameOptions):
    """Which rule fails, and at which decision, in games whose seat 0 has a certain lucky pile."""

    passing: bool = switch(True, "each player may pass once")
    fails: str = choice("nothing", "apply", "legal", "observe", "result", "reset", meaning="the rule that fails")
    at: int = whole(3, 1, 99, "once so many decisions have been taken")
    how: str = choice("assertion", "index", meaning="what goes wrong")
    lucky: int = whole(0, 0, PILES - 1, "in games where this is the lucky pile of seat 0")


class State(GameState):
    """That of pebbles."""

    options = settings_of(Options)
    piles = i8[PILES].between(0, MOST_IN_PILE)
    lucky = i8[PLAYERS].between(0, PILES - 1)
    points = i8[PLAYERS].between(0, MOST_POINTS)
    taken = i8[PLAYERS, PILES].between(0, MOST_IN_PILE)
    passed = i8[PLAYERS].between(0, 1)


@rule
def fail(s, here):
    """Go wrong if this is the rule and the decision that was chosen."""
    if s.options.fails == here and s.decisions >= s.options.at and s.lucky[0] == s.options.lucky:
        assert s.options.how != ASSERTION, "a pebble has got lost"
        s.piles[PILES + 10 * s.decisions] = 0


@rule
def reset(s):
    """A game that cannot begin with a certain lucky pile."""
    rules.reset(s)
    assert s.options.fails != RESET or s.lucky[0] != s.options.lucky, "a pebble has got lost"


@rule
def apply(s, action):
    """The pebbles are taken before the rule fails: the state is half changed."""
    play_pebbles(s, action)
    fail(s, APPLY)


@rule
def legal(s, moves):
    """Some actions are offered before the rule fails."""
    offer_pebbles(s, moves)
    fail(s, LEGAL)


@rule
def observe(s, seat, view):
    """The view is written before the rule fails."""
    see(s, seat, view)
    fail(s, OBSERVE)


@rule
def result(s, r):
    """Scores are written before the rule fails."""
    rules.result(s, r)
    fail(s, RESULT)


FAILING = replace(
    PEBBLES, name="failing", options=Options, state=State, reset=reset, apply=apply, legal=legal, observe=observe,
    result=result,
)  # fmt: skip
