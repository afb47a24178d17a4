"""Chance as a tree of outcomes: all that can come out where few things can, and one of them made to happen.

The rules run interpreted, and each of their draws is decided from here. So every game has it, and no rule knows.
Probabilities are those that the rules name: a draw among n gives each 1/n.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any

import numpy as np

from .errors import ChanceError
from .numbers import Array, short
from .random import Shares, deciding

Draw = tuple[str, int, Any]  # kind of draw, among how many (0: a continuum), what comes out
MOST = 1000  # outcomes, and draws of one outcome, beyond which chance is called too large to enumerate


@dataclass(frozen=True)
class Outcome:
    """One way in which chance may turn out: what is drawn, in order, and how likely that is.

    Where several ways lead to the same state they are one outcome, and the draws are those of the first.
    """

    probability: Fraction
    draws: tuple[Draw, ...]


Chance = Outcome | Sequence[Any] | np.random.Generator  # how chance is to turn out


def outcomes_of(run: Callable[[], Array], what: str, most: int = MOST) -> list[Outcome]:
    """Everything that may come of `run`, which plays one event on a fresh copy and returns its record."""
    ways: list[tuple[tuple[int, ...], _Walk, bytes]] = []
    due: list[tuple[int, list[int]]] = [(0, [])]  # beginnings to try, the shortest first: they tell soonest of too many
    while due:
        walk = _Walk(heappop(due)[1], what, most)
        with deciding(walk):
            states = run()
        for other in walk.others:
            heappush(due, (len(other), other))
        states["rng"] = 0
        ways.append((tuple(draw[2] for draw in walk.draws), walk, states.tobytes()))
        if len(ways) + len(due) > most:
            raise ChanceError(f"the outcomes of {what} are too many to enumerate, more than {most}")
    found: dict[bytes, Outcome] = {}
    for _, walk, state in sorted(ways, key=lambda way: way[0]):
        before = found.get(state, Outcome(Fraction(0), tuple(walk.draws)))
        found[state] = replace(before, probability=before.probability + walk.probability)
    return list(found.values())


class _Walk:
    """One way through the draws of an event: those of a beginning, then always the first possible outcome."""

    def __init__(self, beginning: list[int], what: str, most: int) -> None:
        self.beginning, self.what, self.most = beginning, what, most
        self.draws: list[Draw] = []
        self.others: list[list[int]] = []  # beginnings of the ways not taken
        self.probability = Fraction(1)

    def __call__(self, kind: str, among: int, shares: Shares | None, drawn: Any) -> Any:
        if shares is None:
            raise ChanceError(f"the outcomes of {self.what} cannot be enumerated: a number is drawn from a continuum")
        at = len(self.draws)
        if at >= self.most:
            raise ChanceError(f"the outcomes of {self.what} are too many to enumerate: each takes over {at} draws")
        if at < len(self.beginning):
            outcome, share = next((o, s) for o, s in shares if o == self.beginning[at])
        else:
            so_far = [draw[2] for draw in self.draws]
            self.others += [[*so_far, other] for other, _ in shares[1:]]
            outcome, share = shares[0]
        self.draws.append((kind, int(among), outcome))
        self.probability *= share
        return outcome


class Drawn:
    """A decider that draws from a random generator instead of the stream of the state, and remembers what."""

    def __init__(self, generator: np.random.Generator) -> None:
        self.generator = generator
        self.draws: list[Draw] = []

    def __call__(self, kind: str, among: int, shares: Shares | None, drawn: Any) -> Any:
        """What comes out of the next draw."""
        if shares is None:
            outcome: Any = float(self.generator.random())
        else:
            likely = np.array([float(share) for _, share in shares])
            outcome = shares[int(self.generator.choice(len(shares), p=likely / likely.sum()))][0]
        self.draws.append((kind, int(among), outcome))
        return outcome

    def finish(self) -> tuple[Draw, ...]:
        """All draws of the event, in their order."""
        return tuple(self.draws)


class Forced:
    """A decider that makes draws come out as given, and says where that cannot be."""

    def __init__(self, given: Outcome | Sequence[Any], what: str) -> None:
        if not isinstance(given, (Outcome, list, tuple)):
            raise ChanceError(
                f"chance is an outcome of `chance()`, a list of what is drawn or a generator, got {short(given)}"
            )
        self.given = list(given.draws if isinstance(given, Outcome) else given)
        self.what = what
        self.draws: list[Draw] = []

    def __call__(self, kind: str, among: int, shares: Shares | None, drawn: Any) -> Any:
        """What comes out of the next draw."""
        at = len(self.draws)
        if at >= len(self.given):
            raise ChanceError(f"{self.what} draws more than the {at} outcomes given: the next is {kind} of {among}")
        given = self.given[at]
        if isinstance(given, (tuple, list)):
            if len(given) != 3 or (given[0], given[1]) != (kind, among):
                raise ChanceError(f"draw {at + 1} of {self.what} is {kind} of {among}, got {short(given)}")
            given = given[2]
        outcome = _checked(given, shares, f"draw {at + 1} of {self.what}, {kind} of {among},")
        self.draws.append((kind, int(among), outcome))
        return outcome

    def finish(self) -> tuple[Draw, ...]:
        """What was drawn, all of it as given."""
        if len(self.draws) < len(self.given):
            raise ChanceError(f"{self.what} makes {len(self.draws)} draws, got outcomes for {len(self.given)}")
        return tuple(self.draws)


def _checked(given: Any, shares: Shares | None, where: str) -> Any:
    if isinstance(given, bool) or not isinstance(given, (int, float, np.integer, np.floating)):
        raise ChanceError(f"{where} comes out as a number, got {short(given)}")
    if shares is None:
        if not 0 <= given < 1:
            raise ChanceError(f"{where} comes out from 0 to just below 1, got {short(given)}")
        return float(given)
    possible = [outcome for outcome, _ in shares]
    if given not in possible:
        raise ChanceError(f"{where} can be {', '.join(map(str, possible))}, got {short(given)}")
    return int(given)
