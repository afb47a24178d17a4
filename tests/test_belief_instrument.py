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


@pytest.fixture
def measure_belief(monkeypatch):
    """scripts/measure_belief.py as a module."""
    path = Path(__file__).resolve().parent.parent / "scripts" / "measure_belief.py"
    spec = importlib.util.spec_from_file_location("measure_belief", path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "measure_belief", module)
    spec.loader.exec_module(module)
    return module


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


@pytest.mark.parametrize("word", ["truth", "true", "Truth", "3", "0"])
@pytest.mark.parametrize("search", ["mc:20", "ismcts:20"])
def test_no_player_is_given_the_truth_by_name(search, word):
    assert "truth" not in BELIEFS
    with pytest.raises(AlarifeError, match="belief"):
        find_player(f"{search}:belief={word}", 1)
