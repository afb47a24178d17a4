"""VIVA: the end of a round and of the match, and the result (section 10)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.result import place_by_key
from alarife.games.viva.components import NONE, SINGLE_ROUND, Phase, Todo

from .seats import highest, seat_after, still_in
from .settling import leave_round
from .setup import deal


@rule
def stop_round(s):
    """Too many turns: those still active are ranked by fewer cards, then seat order from the starter (VIV-096)."""
    s.capped += 1
    for _ in range(still_in(s)):
        best = NONE
        for i in range(s.seats):
            p = (s.starter + i) % s.seats
            if s.active[p] and (best == NONE or s.held[p] < s.held[best]):
                best = p
        leave_round(s, best)
    s.todo = Todo.END_ROUND


@rule
def seat_at(s, position):
    """The seat that took a position of the round."""
    for p in range(s.seats):
        if s.position[p] == position:
            return p
    return NONE


@rule
def end_round(s):
    """First out gets a winner's card and starts the next round, the last one has lost (VIV-100 to VIV-104)."""
    winner = seat_at(s, 1)
    if s.tie_break:
        end_match(s, winner)
        return
    loser = seat_at(s, highest(s.position))
    s.wins[winner] += 1
    for p in range(s.seats):
        s.position_sum[p] += s.position[p]
    s.round += 1
    if s.options.match == SINGLE_ROUND:
        end_match(s, winner)
    elif s.round < s.options.rounds:
        for p in range(s.seats):
            s.active[p] = 1
        s.owner = loser
        deal(s, winner)
    else:
        decide_match(s, winner, loser)


@rule
def decide_match(s, winner, loser):
    """Most winner's cards win; those who share the maximum play a tie-break round (VIV-105 to VIV-108)."""
    most = highest(s.wins)
    for p in range(s.seats):
        s.active[p] = s.wins[p] == most
    if still_in(s) == 1:
        end_match(s, seat_after(s, winner))
        return
    s.tie_break = 1
    s.owner = loser if s.active[loser] else NONE
    deal(s, winner if s.active[winner] else seat_after(s, winner))


@rule
def end_match(s, champion):
    """The match is over: no decision is due, and none gives anything away."""
    s.champion = champion
    s.over = 1
    s.seat = champion
    s.phase = Phase.TURN


@rule
def result(s, r):
    """A match: winner's cards, the champion first, then position sums. A round: its order (VIV-109, VIV-110)."""
    r.capped = s.capped
    for p in range(s.seats):
        if s.options.match == SINGLE_ROUND:
            r.score[p] = s.seats - s.position[p] if s.position[p] > 0 else 0
            r.key[p] = 1000 - s.position[p] if s.position[p] > 0 else -s.held[p]
        else:
            r.score[p] = s.wins[p]
            r.key[p] = 1000 * s.wins[p] - s.position_sum[p] + (100000 if s.champion == p else 0)
    place_by_key(r, s.seats)
