"""Positions of the teaching game solved by trying everything."""

from __future__ import annotations

from alarife.testing import sample_positions
from teaching_game import GAME as PEBBLES


def best_outcomes(table):
    """The actions that win, or else draw, for the seat to decide when everybody sees everything: by trying all."""

    def value(here, seat):
        if here.over:
            places = here.places()
            return (places[seat] == 1) - 0.5 * (places.count(1) == 2)
        values = [value(here.clone().play(action), seat) for action in here.legal()]
        return max(values) if here.seat == seat else min(values)

    seat = table.seat
    values = {action: value(table.clone().play(action), seat) for action in table.legal()}
    return {action for action, worth in values.items() if worth == max(values.values())}


def clear_positions(count):
    """Late positions of Pebbles in which some actions are best, and others worse, whatever pile the other likes."""
    found = []
    for table in sample_positions(PEBBLES, 2, {"passing": False}, games=60, each=8, seed=5):
        if table.over or not 2 <= sum(table.state.piles) <= 5 or len(table.legal()) < 2:
            continue
        best = set(table.legal())
        for lucky in range(3):
            case = table.clone()
            other = 1 - case.seat
            case.state.lucky[other] = lucky
            case.state.points[other] = sum(case.state.taken[other]) + case.state.taken[other, lucky]
            best &= best_outcomes(case.refresh())
        if best and len(best) < len(table.legal()):
            found.append((table.clone(), best))
    assert len(found) >= count
    return found[:count]
