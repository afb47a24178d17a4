"""How a game came out, and what learning gets for it.

Rules know nothing of rewards. They say scores and places; the four reward modes follow from those, and each seat's
rewards over a game add up to its final value exactly:

- ``outcome``: +1 for the winner, -1/(n-1) for each other seat, winners share; the sum over the table is 0. Where a game
  says that nobody has won, the seats in first place get 1/(n-1) each and those behind them pay for it.
- ``rank``: places spread evenly from +1 to -1, seats that share places get their mean; the sum is 0.
- ``score``: the points, paid when they are scored.
- ``margin``: own points minus the best other seat's, paid when they change.

A game for one seat sets `won`, `places` and `rival`: ``outcome`` is then +1 or -1, ``rank`` follows the place among
`places`, ``margin`` is measured against the rival's score.
"""

from __future__ import annotations

from typing import Any

from .jit import rule
from .layout import Record, i8, i32, i64

SEATS = 6  # the largest table the engine serves

REWARDS = ("outcome", "rank", "score", "margin")
OUTCOME, RANK, SCORE, MARGIN = range(4)


class Result(Record):
    """Filled in by a game's `result`, at any time: the standing so far, final once the game is over."""

    score = i32[SEATS]  # points; games with half points count them doubled
    place = i8[SEATS]  # 1 is best; seats that tie share the better place
    no_winner = i8  # 1 if nobody has won and the seats behind the first place have lost
    places = i8  # games for one seat: how many places there are
    won = i8  # games for one seat: 1 if the game is won
    rival = i32  # games for one seat: the score to beat
    key = i64[SEATS]  # scratch of `place_by_key`
    capped = i8  # rounds, or whole games, that a cap on their length has ended


@rule
def clear_result(r: Any) -> None:
    """An empty result."""
    for p in range(SEATS):
        r.score[p] = 0
        r.place[p] = 0
        r.key[p] = 0
    r.no_winner = 0
    r.places = 0
    r.won = 0
    r.rival = 0
    r.capped = 0


@rule
def place_by_key(r: Any, seats: Any) -> None:
    """Places from `key`, the higher the better: score and tie-breaks packed into one number."""
    for p in range(seats):
        place = 1
        for q in range(seats):
            if r.key[q] > r.key[p]:
                place += 1
        r.place[p] = place


@rule
def _sharing(r: Any, seats: Any, p: Any) -> Any:
    """How many seats share the place of seat p."""
    count = 0
    for q in range(seats):
        if r.place[q] == r.place[p]:
            count += 1
    return count


@rule
def outcome_value(r: Any, seats: Any, p: Any) -> Any:
    """+1 for a lone winner, -1/(n-1) for others; winners share."""
    if seats == 1:
        return 1.0 if r.won else -1.0
    if r.no_winner:
        return outcome_without_winner(r, seats, p)
    if r.place[p] > 1:
        return -1.0 / (seats - 1)
    winners = _sharing(r, seats, p)
    return (1.0 - (winners - 1.0) / (seats - 1)) / winners


@rule
def outcome_without_winner(r: Any, seats: Any, p: Any) -> Any:
    """1/(n-1) for each seat in first place, shared out among those behind it as a loss."""
    first = 0
    for q in range(seats):
        first += r.place[q] == 1
    if first == seats:
        return 0.0
    return 1.0 / (seats - 1) if r.place[p] == 1 else -float(first) / ((seats - first) * (seats - 1))


@rule
def rank_value(r: Any, seats: Any, p: Any) -> Any:
    """Places spread evenly from +1 to -1."""
    if seats == 1:
        return 1.0 - 2.0 * (r.place[p] - 1) / (r.places - 1)
    middle = r.place[p] - 1 + (_sharing(r, seats, p) - 1) / 2.0
    return 1.0 - 2.0 * middle / (seats - 1)


@rule
def margin_value(r: Any, seats: Any, p: Any) -> Any:
    """Own points minus the best other's."""
    if seats == 1:
        return float(r.score[p] - r.rival)
    best = -(2**31)
    for q in range(seats):
        if q != p and r.score[q] > best:
            best = r.score[q]
    return float(r.score[p] - best)


@rule
def value(r: Any, seats: Any, p: Any, mode: Any) -> Any:
    """What the standing is worth to seat p in a reward mode."""
    if mode == OUTCOME:
        return outcome_value(r, seats, p)
    if mode == RANK:
        return rank_value(r, seats, p)
    if mode == MARGIN:
        return margin_value(r, seats, p)
    return float(r.score[p])
