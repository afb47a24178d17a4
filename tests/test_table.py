"""One game on the table."""

import numpy as np
import pytest

import alarife
from alarife.engine.errors import IllegalAction, StateError
from alarife.engine.table import Table


def test_actions_are_played_by_number_or_by_name(pebbles):
    one, two = Table(pebbles, 2, seed=1), Table(pebbles, 2, seed=1)
    one.play("take(pile=2, count=1)")
    two.play(pebbles.actions.encode("take", pile=2, count=1))
    assert one.to_bytes() == two.to_bytes()
    assert list(one.state.piles) == [3, 4, 3]


def test_the_last_pebble_ends_the_game(pebbles):
    table = Table(pebbles, 2, seed=1).from_dict({"piles": [0, 0, 2], "lucky": [2, 0, 0, 0]})
    table.play("take(pile=2, count=1)")
    assert table.over
    assert table.legal() == []
    assert table.scores() == [4, 0]
    assert table.places() == [1, 2]
    with pytest.raises(IllegalAction, match="nothing, the game is over"):
        table.play(0)


def test_any_position_can_be_set_up_from_a_dictionary_and_is_checked(pebbles):
    table = Table(pebbles, 3, seed=1)
    before = table.to_bytes()
    for values in ({"piles": [1, 2]}, {"seats": 9}, {"pile": [1, 2, 3]}):
        with pytest.raises(StateError):
            table.from_dict(values)
        assert table.to_bytes() == before
    with pytest.raises(StateError, match=r"has \d+ bytes, got 3"):
        table.from_bytes(b"abc")


def test_a_clone_goes_its_own_way(pebbles):
    table = Table(pebbles, 2, seed=1)
    clone = table.clone()
    clone.play(clone.legal()[0])
    assert table.state.decisions == 0
    assert clone.state.decisions == 1
    assert table.history == []
    assert len(clone.history) == 1


def test_a_table_without_a_seed_differs_from_game_to_game():
    assert len({alarife.table("viva").to_bytes() for _ in range(5)}) == 5
    assert len({alarife.table("viva", seed=3).to_bytes() for _ in range(3)}) == 1


def test_the_interpreted_table_is_the_same_game():
    compiled, python = alarife.table("viva", 4, seed=9), Table(alarife.find_game("viva"), 4, seed=9, interpreted=True)
    random = np.random.default_rng(1)
    for _ in range(200):
        action = int(random.choice(compiled.legal()))
        compiled.play(action)
        python.play(action)
        assert compiled.to_bytes() == python.to_bytes()
        assert np.array_equal(compiled.views, python.views)
        assert np.array_equal(compiled.masks, python.masks)
