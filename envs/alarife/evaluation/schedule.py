"""Who plays whom, on which deals, on which seats."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

MOST_ORDERS = 6  # up to three players sit in all orders; larger tables take turns round the table


@dataclass(frozen=True)
class Fixture:
    """One game to play: the deal's number, and who sits where, as numbers of entrants."""

    deal: int
    seats: tuple[int, ...]


def line_ups(entrants: int, seats: int) -> list[tuple[int, ...]]:
    """Every set of entrants that sits down together.

    With enough entrants nobody sits twice; with fewer, everybody sits about equally often.
    """
    if seats <= entrants:
        return list(itertools.combinations(range(entrants), seats))
    often, more = divmod(seats, entrants)
    everybody = tuple(range(entrants)) * often
    return [tuple(sorted(everybody + extra)) for extra in itertools.combinations(range(entrants), more)]


def orders(line_up: Sequence[int], deal: int, seed: int) -> list[tuple[int, ...]]:
    """The orders in which a line-up plays a deal.

    All of them, if they are few; else an arrangement drawn for the deal, turned round the table, so that everybody
    sits once on every seat and neighbours change from deal to deal.
    """
    everything = sorted(set(itertools.permutations(line_up))) if len(line_up) <= 4 else []
    if 0 < len(everything) <= MOST_ORDERS:
        return everything
    random = np.random.default_rng([seed, deal, *line_up])
    arrangement = [int(entrant) for entrant in random.permutation(line_up)]
    turned = [tuple(arrangement[k:] + arrangement[:k]) for k in range(len(arrangement))]
    return sorted(set(turned))


def deals_for(games: int, line_up: Sequence[int]) -> int:
    """How many deals give a line-up at least that many games."""
    return -(-games // len(orders(line_up, 0, 0)))


def schedule(entrants: int, seats: int, games: int, seed: int) -> Iterator[Fixture]:
    """All games, deal by deal: at least `games` for each line-up, whole deals always."""
    groups = line_ups(entrants, seats)
    most = max(deals_for(games, group) for group in groups)
    for deal in range(most):
        for group in groups:
            if deal < deals_for(games, group):
                for seating in orders(group, deal, seed):
                    yield Fixture(deal, seating)
