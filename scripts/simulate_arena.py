"""What an arena with many agents costs: games until ranks are known, by two ways of pairing; and what a game costs.

``python scripts/simulate_arena.py`` lets synthetic agents of known strength play: an agent's chance against another is
the logistic function of the difference of their strengths, which are drawn from a normal distribution. Each agent has
an estimate of its strength with a variance, updated after every game (a Gaussian filter, as Glicko's). Every round
pairs all agents once:

- random: any two meet;
- informative: each agent's strength is drawn from what is believed of it, and those next to one another meet. So
  agents meet whose order is in doubt, and whose game is open; those that are known meet their like.

``--costs`` measures instead, on this machine: processor time of a game by game and kind of player, bytes of a result
and of a replay.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "envs"))

from alarife.engine.registry import find_game, game_names
from alarife.engine.replay import record
from alarife.engine.table import Table
from alarife.evaluation.match import deal_key, play_fixture
from alarife.evaluation.run import Evaluation
from alarife.evaluation.schedule import Fixture

Array = np.ndarray[Any, Any]
ELO = 400 / np.log(10)  # points of Elo for one unit of the logistic function
WAYS = "random", "informative"
APART = {"near": 0.01, "far": 0.05}  # of the field: neighbours as they are counted here
SHOWN = "rank_error", "near_parted", "far_parted"
COMPARED = 256  # games of each agent by which the two ways of pairing are compared


@dataclass
class Belief:
    """What is believed of each agent's strength."""

    mean: Array
    variance: Array

    @classmethod
    def at_first(cls, agents: int, spread: float) -> Belief:
        """Nothing but how strengths are spread."""
        return cls(np.zeros(agents), np.full(agents, spread**2))

    def learn(self, first: Array, second: Array, won: Array) -> None:
        """One game of each pair: `won` is 1 where the first has won."""
        both = self.variance[first] + self.variance[second]
        damp = 1 / np.sqrt(1 + np.pi * both / 8)  # for how little is known of both
        expected = 1 / (1 + np.exp(-damp * (self.mean[first] - self.mean[second])))
        told = damp**2 * expected * (1 - expected)
        surprise = damp * (won - expected)
        for agents, sign in ((first, 1), (second, -1)):
            self.variance[agents] = 1 / (1 / self.variance[agents] + told)
            self.mean[agents] += sign * self.variance[agents] * surprise


def pairs_of(way: str, belief: Belief, random: np.random.Generator) -> tuple[Array, Array]:
    """Who meets whom in a round; with an odd number one agent rests."""
    agents = len(belief.mean)
    if way == "random":
        order = random.permutation(agents)
    else:
        order = np.argsort(random.normal(belief.mean, np.sqrt(belief.variance)))
        order = order[random.integers(0, 2) :]  # so that it is not always the same two of three neighbours that meet
    half = len(order) // 2
    return order[: 2 * half : 2], order[1 : 2 * half : 2]


def simulate(way: str, agents: int, spread: float, rounds: Sequence[int], seed: int) -> list[dict[str, float]]:
    """What is known after so many games of each agent."""
    random = np.random.default_rng(seed)
    strength = np.sort(random.normal(0, spread, agents))[::-1]
    belief, told = Belief.at_first(agents, spread), []
    for played in range(1, max(rounds) + 1):
        first, second = pairs_of(way, belief, random)
        chance = 1 / (1 + np.exp(strength[second] - strength[first]))
        belief.learn(first, second, (random.random(len(first)) < chance).astype(float))
        if played in rounds:
            told.append({"games": float(played)} | known(belief, strength))
    return told


def known(belief: Belief, strength: Array) -> dict[str, float]:
    """How far ranks are off, and how many neighbours are told apart; agents stand by their strength."""
    agents = len(strength)
    ranks = np.empty(agents)
    ranks[np.argsort(-belief.mean)] = np.arange(agents)
    told = {"rank_error": float(np.abs(ranks - np.arange(agents)).mean() / agents)}
    for name, apart in APART.items():
        step = max(1, round(apart * agents))
        lead = belief.mean[:-step] - belief.mean[step:]
        error = np.sqrt(belief.variance[:-step] + belief.variance[step:])
        told[f"{name}_parted"] = float((lead > 1.96 * error).mean())
        told[f"{name}_parted_wrongly"] = float((lead < -1.96 * error).mean())
    return told


def games_until(told: Sequence[dict[str, float]], name: str, value: float) -> float | None:
    """After how many games of each agent a figure comes to a value, between two rows in even ratios; None: later."""
    for before, row in itertools.pairwise(told):
        if min(before[name], row[name]) <= value <= max(before[name], row[name]) and before[name] != row[name]:
            share = (value - before[name]) / (row[name] - before[name])
            return before["games"] * (row["games"] / before["games"]) ** share
    return None


def show_simulation(agents: int, spread: float, most: int, seeds: int) -> None:
    """A table for both ways of pairing, means over seeds."""
    rounds = [2**k for k in range(3, most.bit_length()) if 2**k <= most]
    print(f"\n{agents:,} agents, strengths with a standard deviation of {ELO * spread:.0f} Elo, {seeds} seeds")
    print("| games of each agent | rank is off by | | told apart, 1 % of the field between | | 5 % between | |")
    print("|--:|--:|--:|--:|--:|--:|--:|")
    print(f"| | {' | '.join(WAYS * 3)} |")
    runs = {way: [simulate(way, agents, spread, rounds, seed) for seed in range(seeds)] for way in WAYS}
    mean = {way: [{name: float(np.mean([run[i][name] for run in runs[way]])) for name in runs[way][0][i]}
            for i in range(len(rounds))] for way in WAYS}  # fmt: skip
    for i, games in enumerate(rounds):
        cells = [f"{100 * mean[way][i][name]:.2f} %" for name in SHOWN for way in WAYS]
        print(f"| {games:,} | {' | '.join(cells)} |")
    for way in WAYS:
        wrong = max(row["near_parted_wrongly"] for row in mean[way])
        after = [in_words(games_until(mean[way], name, 0.8)) for name in ("far_parted", "near_parted")]
        print(f"{way}: 8 of 10 pairs are told apart after {after[0]} each with 5 % of the field between them, after "
              f"{after[1]} with 1 %; at most {100 * wrong:.2f} % of neighbours the wrong way round")  # fmt: skip
    row = next((row for row in mean["informative"] if row["games"] == COMPARED), mean["informative"][-1])
    as_good = [in_words(games_until(mean["random"], name, row[name])) for name in SHOWN]
    print(f"{row['games']:,.0f} games of each agent with informative pairing tell what random pairing tells with "
          f"{as_good[0]} (ranks), {as_good[1]} (1 % between), {as_good[2]} (5 % between)")  # fmt: skip


def in_words(games: float | None) -> str:
    """A number of games, or that there were not enough."""
    return "more games" if games is None else f"{games:,.0f} games"


# --- costs --------------------------------------------------------------------------------------------

KINDS = "random", "scripted", "trained", "mc:20:cut=20"
MANY, DAY = 10**9, 86_400


def show_costs(games: int, kinds: Sequence[str]) -> None:
    """Processor time of a game by kind of player, bytes of a result and of a replay; and what 10^9 games take."""
    days = []
    print(f"| game | players | {' | '.join(kinds)} | bytes of a result | bytes of a replay |")
    print(f"|---|--:|{'--:|' * (len(kinds) + 2)}")
    for name in game_names():
        game = find_game(name)
        players = min(game.seats) if max(game.seats) == 1 else 2
        seconds = [cost(name, players, kind, games) for kind in kinds]
        days.append((game.title, [MANY * each / DAY for each in seconds]))
        times = [f"{1000 * each:.1f} ms" for each in seconds]
        line, replay = sizes(name, players)
        print(f"| {game.title} | {players} | {' | '.join(times)} | {line:,} | {replay:,} |", flush=True)
    print(f"\n| days of a core for 10^9 games | {' | '.join(kinds)} |\n|---|{'--:|' * len(kinds)}")
    for title, each in days:
        print(f"| {title} | {' | '.join(f'{number:,.0f}' for number in each)} |")


def cost(name: str, players: int, kind: str, games: int) -> float:
    """Seconds of processor time of one game with this kind of player on all seats."""
    game = find_game(name)
    setting = Evaluation.make(game, {"a": kind}, players, 1, 7, game.short).setting
    ready: set[int] = set()
    play_fixture(setting, Fixture(0, (0,) * players), ready)
    start = time.process_time()
    for deal in range(1, games + 1):
        play_fixture(setting, Fixture(deal, (0,) * players), ready)
    return (time.process_time() - start) / games


def sizes(name: str, players: int) -> tuple[int, int]:
    """Bytes of a line of results without the actions, and of a replay, of a game of scripted players."""
    game = find_game(name)
    setting = Evaluation.make(game, {"scripted": "scripted"}, players, 1, 7, game.short).setting
    result = play_fixture(setting, Fixture(0, (0,) * players))
    table = Table(game, players, setting.options, 0).start(deal_key(7, 0))
    for action in result.pop("actions"):
        table.play(action)
    with tempfile.TemporaryDirectory() as folder:
        record(table, result["seats"]).write(path := os.path.join(folder, "game.json"))
        return len(json.dumps(result)) + 1, os.path.getsize(path)


def main(arguments: Sequence[str] | None = None) -> int:
    """The simulation, or the costs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agents", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--spread", type=float, nargs="+", default=[200.0, 600.0], help="of strengths, in Elo")
    parser.add_argument("--games", type=int, default=1024, help="of each agent, at most")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--costs", type=int, metavar="GAMES", help="measure costs over so many games of each kind")
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), metavar="PLAYER", help="whose costs")
    chosen = parser.parse_args(arguments)
    if chosen.costs:
        show_costs(chosen.costs, chosen.kinds)
        return 0
    for agents in chosen.agents:
        for spread in chosen.spread:
            show_simulation(agents, spread / ELO, chosen.games, chosen.seeds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
