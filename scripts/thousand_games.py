"""A thousand games side by side: the scripted player against random play, on every seat."""

from __future__ import annotations

import time

import numpy as np

import alarife


def main() -> None:
    """Play, and say who won how often and how fast it went."""
    batch = alarife.make_batch("viva", games=1000, players=2, seed=1, match="single_round")
    scripted_seat = np.arange(1000) % 2
    won = played = decisions = 0
    start = time.perf_counter()
    while played < 1000:
        advice, chance = batch.script().copy(), batch.sample()
        batch.step(np.where(batch.seat == scripted_seat, advice, chance))
        over = np.flatnonzero(batch.finished)
        won += int((batch.final_place[over, scripted_seat[over]] == 1).sum())
        played += len(over)
        decisions += 1000
    seconds = time.perf_counter() - start
    print(f"VIVA, 2 players: the scripted player won {won} of {played} rounds against random play "
          f"({decisions / seconds:,.0f} decisions a second, one core)")  # fmt: skip


if __name__ == "__main__":
    main()
