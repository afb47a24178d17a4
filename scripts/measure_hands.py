"""How much of the other hands is right in what a seat believes, in games whose state has a field `hand`.

    python scripts/measure_hands.py viva --games 40 -o match=single_round
    python scripts/measure_hands.py viva --play trained --beliefs memory,play,play:others=trained

The same player sits on all seats. What the first one believes is asked for at each of its decisions, in the same games
for all beliefs. Printed are the mean over games of the share of cards that are right, how far it is ahead of the first
belief, game by game, and milliseconds for a decision.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from alarife.commands.arguments import options_of
from alarife.engine.game import Game
from alarife.engine.registry import find_game
from alarife.engine.table import Table
from alarife.evaluation.statistics import mean_of
from alarife.players.find import find_player
from alarife.players.searching import MonteCarlo
from alarife.players.turns import Turns, decide

FORKS = 32  # of a decision, where no particles are asked for


def states_of(search: MonteCarlo, turns: Turns) -> Any:
    """States that could be true, as a search believes them."""
    keys = np.arange(FORKS, dtype=np.uint64)
    forks = turns.at(np.zeros(FORKS, np.int64)).fork(keys, search.settings.fork_belief(turns.game))
    return search.worlds(turns, forks)[0] if search.settings.needs_particles(turns.game) else forks


def right(states: Any, true: Any, seat: int) -> tuple[float, int]:
    """The cards of the other hands that are right, in the mean over states, and how many cards those hands hold."""
    others = [other for other in range(int(true["seats"])) if other != seat]
    hands, held = states["hand"][:, others].astype(int), true["hand"][others].astype(int)
    return float(np.minimum(hands, held).sum((1, 2)).mean()), int(held.sum())


def measure(table: Table, play: str, belief: str, games: int, seed: int) -> tuple[list[float], float]:
    """The share of cards that are right in each game, and milliseconds for a decision."""
    shares, spent, decisions = [], 0.0, 0
    for deal in range(games):
        players = [find_player(play, 1000 * deal + seat) for seat in range(table.players)]
        search, met, cards = MonteCarlo(f"belief={belief}", deal), 0.0, 0
        table.start(1000 * seed + deal)
        while not table.over:
            action = decide(players[table.seat], table)
            if table.seat == 0:
                turns, start = Turns.of_table(table), time.perf_counter()
                states = states_of(search, turns)
                spent, decisions = spent + time.perf_counter() - start, decisions + 1
                met, cards = (a + b for a, b in zip((met, cards), right(states, table.states[0], 0), strict=True))
                search.note(turns, np.array([action]))
            table.play(action)
        shares.append(met / cards if cards else 1.0)
    return shares, 1000 * spent / decisions


def main() -> None:
    """Measure each belief, and print a line for it."""
    parser = argparse.ArgumentParser(description="how much of the other hands is right in what a seat believes")
    parser.add_argument("game")
    parser.add_argument("--beliefs", default="memory,view", help="with commas between, such as play:others=trained")
    parser.add_argument("--play", default="scripted", help="who sits on all seats")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--option", action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_args()
    game: Game = find_game(given.game)
    table = Table(game, given.players, game.make_options(options_of(game, given.option)), seed=0)
    first: list[float] = []
    for belief in given.beliefs.split(","):
        shares, ms = measure(table, given.play, belief, given.games, given.seed)
        first = first or shares
        share, lead = mean_of(shares), mean_of([own - other for own, other in zip(shares, first, strict=True)])
        print(f"{belief}: {100 * share.value:.1f} % ± {100 * share.width:.1f} of the cards are right, "
              f"{100 * lead.value:+.1f} ± {100 * lead.width:.1f} ahead of the first; {ms:.1f} ms a decision",
              flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
