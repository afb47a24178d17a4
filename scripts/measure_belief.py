"""How much truer beliefs win: paired games of a search against itself, with forks of another grade of belief.

    python scripts/measure_belief.py viva mc:100:cut=40 --games 400 -o match=single_round
    python scripts/measure_belief.py viva mc:100:cut=40 --beliefs play,truth --against scripted

Each deal is played from every seat in turn: one seat searches with the grade, the others with the grade ``view``. The
grade ``truth`` is the ceiling: its forks hold the true hidden parts, only their future is drawn anew. It exists in this
script alone; no player can be given it by name. All grades play the same deals, so two of them are compared deal by
deal: that interval is the one that counts, as the deals' luck is in both.
"""

from __future__ import annotations

import argparse
import dataclasses
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from alarife.commands.arguments import options_of
from alarife.engine.game import Game
from alarife.engine.jit import rule
from alarife.engine.memory import beliefs_of
from alarife.engine.random import stream_key
from alarife.engine.registry import find_game
from alarife.engine.table import Table
from alarife.evaluation.statistics import Estimate, mean_of, share_and_width
from alarife.players.find import find_player
from alarife.players.turns import Player, Turns, ask

TRUTH = "truth"


@rule
def leave_as_it_is(s, seat):
    """The hidden parts stay the true ones."""


def open_game(game: Game) -> Game:
    """The game for somebody who sees through everything but the future."""
    return dataclasses.replace(game, resample=leave_as_it_is, memory=None)


def true_turns(table: Table, game: Game) -> Turns:
    """The decision due, whose forks keep the true hidden parts."""
    return Turns(game, table.options, table.observe()[None], table.mask.copy()[None], np.array([table.seat]),
                 np.array([table.players]), np.zeros(1, np.int64), table.states.copy())  # fmt: skip


def sitting(search: str, belief: str, seed: int) -> Player:
    """The search with that grade of belief."""
    return find_player(search if belief in ("", TRUTH) else f"{search}:belief={belief}", seed)


def play(table: Table, tried: int, players: list[Player], knowing: Game | None) -> float:
    """Play on to the end; returns the share of a win that the tried seat has."""
    while not table.over:
        player = players[table.seat]
        sees = knowing is not None and table.seat == tried
        turns = true_turns(table, knowing) if sees and knowing is not None else Turns.of_table(table, player)
        table.play(int(ask(player, turns)[0]))
    first = [place == 1 for place in table.places()]
    return first[tried] / sum(first)


def measure(game: Game, search: str, belief: str, against: str, players: int, games: int, options: dict[str, Any],
            seed: int) -> list[float]:  # fmt: skip
    """The share of wins in each deal; every grade is measured on the same deals."""
    knowing = open_game(game) if belief == TRUTH else None
    table = Table(game, players, game.make_options(options), seed=0)
    shares = []
    for deal in range(max(1, games // players)):
        won = 0.0
        for tried in range(players):
            key = int(stream_key(np.uint64(seed), np.uint64(deal)))
            others = [find_player(against, 1000 * deal + p) for p in range(players)]
            others[tried] = sitting(search, belief, 7000 * deal + tried)
            won += play(table.start(key), tried, others, knowing)
        shares.append(won / players)
    return shares


def ahead(shares: Sequence[float], others: Sequence[float]) -> Estimate:
    """How far one grade is ahead of another, deal by deal."""
    return mean_of([own - other for own, other in zip(shares, others, strict=True)])


def main() -> None:
    """Measure each grade and the ceiling, and print a line for each."""
    parser = argparse.ArgumentParser(description="how much truer beliefs win")
    parser.add_argument("game")
    parser.add_argument("search", help="such as mc:100:cut=40")
    parser.add_argument("--beliefs", default="", help="grades with commas between; default: all, and the truth")
    parser.add_argument("--against", default="", help="who sits on the other seats; default: the search itself")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--option", action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_args()
    game = find_game(given.game)
    options = options_of(game, given.option)
    measured: dict[str, list[float]] = {}
    for belief in given.beliefs.split(",") if given.beliefs else (*beliefs_of(game), TRUTH):
        start = time.perf_counter()
        shares = measure(game, given.search, belief, given.against or f"{given.search}:belief=view",
                         given.players, given.games, options, given.seed)  # fmt: skip
        seconds, share, games = time.perf_counter() - start, mean_of(shares), len(shares) * given.players
        about = f"{game.id}, {given.players} players, {given.search} with belief {belief}"
        print(f"{about}: {share_and_width(share.value, share.width)} of {games} games, {seconds:.0f} s", flush=True)
        for other, before in measured.items():
            lead = ahead(shares, before)
            print(f"  {belief} less {other}, by deal: {100 * lead.value:+.1f} ± {100 * lead.width:.1f} percent points",
                  flush=True)  # fmt: skip
        measured[belief] = shares


if __name__ == "__main__":
    main()
