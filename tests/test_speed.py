"""The measuring itself: what `alarife bench` and scripts/bench.py lean on."""

import importlib.util
import sys
from itertools import count
from pathlib import Path

import pytest

from alarife.players import MonteCarlo
from alarife.testing import speed
from toy_games import SAFE_OR_GUESS

HOME = Path(__file__).resolve().parent.parent


@pytest.fixture
def bench(monkeypatch):
    """scripts/bench.py as a module."""
    spec = importlib.util.spec_from_file_location("bench", HOME / "scripts" / "bench.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "bench", module)
    spec.loader.exec_module(module)
    return module


def test_a_rate_is_the_work_done_by_the_time_it_took():
    """A clock that goes on by one second a look, and pieces of five: four pieces in four seconds."""
    ticks = count()
    assert speed.rate_of(lambda: 5, seconds=4, clock=lambda: next(ticks)) == 15 / 4


def test_workloads_take_turns_and_the_best_round_counts(monkeypatch):
    order = []
    monkeypatch.setattr(speed, "calibrate", lambda clock: 10.0)

    def load(name):
        return speed.Workload(name, "pieces", lambda: order.append(name) or 1, clock=count().__next__)

    loads = [load("one"), load("two")]
    speed.measured(loads, seconds=2, rounds=2)
    assert order == ["one", "two", "one", "two", "one", "two"]  # once to warm up, then two rounds

    rates = iter([2.0, 5.0, 3.0])
    monkeypatch.setattr(speed, "rate_of", lambda work, seconds, clock: next(rates))
    (measured,) = speed.measured(loads[:1], rounds=3)
    assert (measured.rate, measured.calib) == (5.0, 0.3)


def test_every_workload_of_a_game_does_what_it_counts(pebbles):
    loads = list(speed.workloads(pebbles))
    assert len({load.name for load in loads}) == len(loads)
    for load in loads:
        assert load.work() > 0, load.name


def test_the_first_seat_and_the_largest_table_can_be_measured(pebbles):
    for players in (min(pebbles.seats), max(pebbles.seats)):
        rates = speed.measure(pebbles, players, seconds=0.001, rounds=1)
        assert all(rate.rate > 0 and rate.calib > 0 for rate in rates)
        assert "x calib" in str(rates[0])


def test_searches_are_measured_from_the_first_decision_to_the_end():
    """Taking the points ends the game at once, a dare takes one more decision. Half the playouts are dares."""
    search = speed.Searches(SAFE_OR_GUESS, None, MonteCarlo("100:random", seed=1))
    assert search() + search() == 200
    assert search.decisions == 100
    assert search.note() == "0.5 decisions a rollout"
    names = [load.name for load in speed.workloads(SAFE_OR_GUESS) if load.unit == "playouts"]
    assert names == [f"{name}, {rollout} rollouts" for name in ("mc", "ismcts") for rollout in ("random", "scripted")]


def test_a_rate_may_say_more():
    told = speed.Workload("one", "pieces", lambda: 1, note=lambda: "of clay")
    (rate,) = speed.measured([told], seconds=0.001, rounds=1)
    assert str(rate).endswith("x calib  of clay")


def test_a_game_that_no_other_process_can_find_has_no_fresh_starts(pebbles):
    assert speed.starts(pebbles) is None


def test_a_missed_bar_is_told_and_no_error(bench, pebbles):
    slow = bench.at_most(pebbles, "first step", 3.0, 0.5)
    assert slow.met is False
    assert bench.line(slow).endswith("bar 0.5 MISSED")
    assert bench.line(bench.at_most(pebbles, "first step", 0.25, 0.5)).endswith("met")
    assert "bar" not in bench.line(bench.at_most(pebbles, "first step", 0.25, None))


def test_a_second_thread_is_measured_against_one_and_has_no_bar_on_one_core(bench, pebbles, monkeypatch):
    rates = iter([speed.Speed("one", "decisions", 2e6, 1.0), speed.Speed("two", "decisions", 3e6, 1.0)] * 2)
    monkeypatch.setattr(speed, "measured", lambda *_: (next(rates), next(rates)))
    for number, bar, met in ((1, None, None), (2, 1.6, False)):
        monkeypatch.setattr(bench, "cores", lambda number=number: number)
        (row,) = bench.thread_rows(pebbles, None, 0.001, 1)
        assert (row.value, row.bar, row.met, row.note) == (1.5, bar, met, speed.cores_told())


def test_views_are_measured_in_both_types(bench, pebbles):
    own, floats, ratio = bench.view_rows(pebbles, 3, 0.001, 1)
    size = pebbles.features.size
    assert (own.name, own.note) == ("views in int8", f"{size} bytes a view")
    assert (floats.name, floats.note) == ("views in float32", f"{4 * size} bytes a view")
    assert ratio.value == pytest.approx(floats.value / own.value)
