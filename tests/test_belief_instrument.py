"""The search that is given the truth measures what knowledge could win; no player can be given it."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from alarife.engine.errors import AlarifeError
from alarife.engine.memory import BELIEFS
from alarife.engine.table import Table
from alarife.players import Turns
from alarife.players.find import find_player


def script(name, monkeypatch):
    """A file of scripts/ as a module."""
    path = Path(__file__).resolve().parent.parent / "scripts" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def measure_belief(monkeypatch):
    """scripts/measure_belief.py as a module."""
    return script("measure_belief", monkeypatch)


def others_piles(turns, seat):
    """The lucky piles of the other seats in 60 forks."""
    forks = np.concatenate([turns.fork(np.array([key], np.uint64)) for key in range(60)])
    return {tuple(np.delete(fork["lucky"][:3], seat).tolist()) for fork in forks}, set(forks["rng"].tolist())


def test_forks_of_the_instrument_hold_the_true_secrets_and_another_future(measure_belief, pebbles):
    table = Table(pebbles, 3, seed=5, interpreted=True)
    true = tuple(np.delete(table.states["lucky"][0][:3], table.seat).tolist())
    seen, futures = others_piles(measure_belief.true_turns(table, measure_belief.open_game(pebbles)), table.seat)
    assert seen == {true}
    assert int(table.states["rng"][0]) not in futures
    assert len(futures) == 60
    assert len(others_piles(Turns.of_table(table), table.seat)[0]) > 3


def test_grades_are_compared_deal_by_deal(measure_belief):
    """Differences of 1/2, 0 and 1/2: mean 1/3, variance (1/36 + 1/9 + 1/36) / 2 = 1/12, error a sixth, t = 4.303."""
    lead = measure_belief.ahead([1.0, 1.0, 0.5], [0.5, 1.0, 0.0])
    assert lead.value == pytest.approx(1 / 3)
    assert lead.width == pytest.approx(4.303 / 6)


def test_the_instrument_tells_how_far_each_grade_is_ahead(measure_belief, monkeypatch, capsys):
    """Both win half of their games; by deal a half more or less: error 1/2 / sqrt(3), t = 3.18."""
    wins = {"view": [0.5, 0.5, 0.5, 0.5], "truth": [1.0, 0.0, 1.0, 0.0]}
    monkeypatch.setattr(measure_belief, "measure", lambda game, search, belief, *more: wins[belief])
    monkeypatch.setattr(sys, "argv", ["measure_belief.py", "pebbles", "mc:4", "--beliefs", "view,truth"])
    measure_belief.main()
    first, second, lead = capsys.readouterr().out.splitlines()
    assert "with belief view: 50.0 % ± 0.0 of 8 games" in first
    assert "with belief truth: 50.0 % ± 91.8 of 8 games" in second
    assert lead == "  truth less view, by deal: +0.0 ± 91.8 percent points"


@pytest.mark.parametrize("word", ["truth", "true", "Truth", "3", "0"])
@pytest.mark.parametrize("search", ["mc:20", "ismcts:20"])
def test_no_player_is_given_the_truth_by_name(search, word):
    assert "truth" not in BELIEFS
    with pytest.raises(AlarifeError, match="belief"):
        find_player(f"{search}:belief={word}", 1)


# --- hands --------------------------------------------------------------------------------------------


def test_cards_are_right_as_often_as_both_hands_hold_them(monkeypatch):
    """Of 1, 0 and 2 cards a hand of 0, 1, 2 has two right, one of 2, 0, 1 two, one of 1, 2, 0 one: 5/3 of 3."""
    hands = script("measure_hands", monkeypatch)
    states, true = (np.zeros(count, [("seats", np.int8), ("hand", np.int8, (3, 3))]) for count in (3, 1))
    true["seats"], true["hand"][0, 1] = 2, [1, 0, 2]
    true["hand"][0, 0], true["hand"][0, 2] = [3, 3, 3], [3, 3, 3]  # its own, and a seat that is not there
    states["hand"][:, 1] = [[0, 1, 2], [2, 0, 1], [1, 2, 0]]
    assert hands.right(states, true[0], 0) == (pytest.approx(5 / 3), 3)


def test_beliefs_about_hands_are_measured_on_the_same_games(monkeypatch, capsys):
    hands = script("measure_hands", monkeypatch)
    beliefs = "memory,play,play:others=random"
    monkeypatch.setattr(
        sys, "argv", ["measure_hands.py", "viva", "--games", "2", "--beliefs", beliefs, "-o", "match=single_round"]
    )
    hands.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[0] for line in lines] == beliefs.split(",")
    assert ", +0.0 ± 0.0 ahead of the first" in lines[0]
