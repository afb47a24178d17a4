"""A thousand games side by side: the scripted player against random play, seats in turn."""

from __future__ import annotations

import time

import numpy as np

from alarife.engine.registry import find_game
from measure_facts import play_all, share, winning

GAMES = 1000


def main() -> None:
    """Play, and say who won how often and how fast it went."""
    game, seats = find_game("viva"), np.arange(GAMES) % 2
    scripted = seats[:, None] == np.arange(2)[None]
    play_all(game, 2, 2, scripted)  # compiles, if that has not been done yet
    start = time.perf_counter()
    batch, _ = play_all(game, 2, GAMES, scripted)
    seconds = time.perf_counter() - start
    won, width = share(winning(batch, 2)[np.arange(GAMES), seats])
    print(f"VIVA, 2 players: the scripted player won {won:.1%} ± {width:.1%} of {GAMES} rounds against random play.")
    print(f"{batch.final_decisions.sum():,} decisions in {seconds:.2f} s on one core.")


if __name__ == "__main__":
    main()
