"""One game on the table."""

import copy
import pickle

import numpy as np
import pytest

import alarife
from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError, IllegalAction, OptionError, StateError
from alarife.engine.table import Table


def test_actions_are_played_by_number_or_by_name(pebbles):
    one, two = Table(pebbles, 2, seed=1), Table(pebbles, 2, seed=1)
    one.play("take(pile=2, count=1)")
    two.play(pebbles.actions.encode("take", pile=2, count=1))
    assert one.to_bytes() == two.to_bytes()
    assert list(one.state.piles) == [3, 4, 3]


def test_the_script_is_the_advice_on_a_fork_of_the_seed(pebbles):
    """Pebbles' script takes from the lucky pile while it has pebbles; what is secret to others is known to the seat."""
    for lucky in range(3):
        table = Table(pebbles, 2, seed=1).from_dict({"lucky": [lucky, 0, 0, 0]})
        before = table.to_bytes()
        family, values = pebbles.actions.decode(table.script(seed=5))
        assert (family, values["pile"]) == ("take", lucky)
        assert table.to_bytes() == before
    with pytest.raises(AlarifeError, match="seed"):
        table.script(seed=-1)


def test_the_last_pebble_ends_the_game(pebbles):
    table = Table(pebbles, 2, seed=1).from_dict({
        "piles": [0, 0, 2], "lucky": [2, 2, 0, 0], "taken": [[3, 3, 0], [0, 1, 3], [0] * 3, [0] * 3],
        "points": [6, 7, 0, 0],
    })  # fmt: skip
    table.play("take(pile=2, count=1)")
    assert table.over
    assert table.legal() == []
    assert table.scores() == [10, 7]
    assert table.places() == [1, 2]
    with pytest.raises(IllegalAction, match="nothing, the game is over"):
        table.play(0)


@pytest.mark.parametrize(("values", "sentence"), [
    ({"piles": [1, 2]}, "piles takes 3 values of type int8, got [1, 2]"),
    ({"piles": [0, 0, 400]}, "piles takes 3 values of type int8, got [0, 0, 400]"),
    ({"pile": [1, 2, 3]}, "no field called 'pile'. Did you mean 'piles'?"),
    ({"seats": 9}, "seats: pebbles is for 2 to 4 players, got 9"),
    ({"seat": 3}, "seat goes from 0 to 2, got 3"),
    ({"seat": -1}, "seat goes from 0 to 2, got -1"),
    ({"over": 2}, "over goes from 0 to 1, got 2"),
    ({"decisions": -1}, "decisions goes from 0 to 15, got -1"),
    ({"options": {"passing": 0}}, "options are chosen when a table is made and stay as they are"),
    ({"options": 3}, "a record is set by a dictionary of its fields, got 3"),
    (None, "a record is set by a dictionary of its fields, got None"),
    ({"piles": [0, 0, 2]}, "this is no position of pebbles_v0: PEB-001: a pebble is lost"),
    ({"lucky": [9, 0, 0, 0]}, "lucky[0] goes from 0 to 2, got 9"),
    ({"piles": [0, 0, 0], "taken": [[3, 4, 5], [0] * 3, [0] * 3, [0] * 3], "points": [12, 0, 0, 0],
      "lucky": [0, 0, 0, 0], "passed": [1, 1, 1, 0]}, "this is no position of pebbles_v0: PEB-005"),
    ({"piles": [0, 0, 0], "taken": [[3, 4, 5], [0] * 3, [0] * 3, [0] * 3], "points": [15, 0, 0, 0],
      "lucky": [0, 0, 0, 0], "passed": [1, 1, 1, 0]},
     "this is no position of pebbles_v0: the game goes on, but nothing is legal"),
])  # fmt: skip
def test_what_is_no_position_is_refused_and_the_table_stays_as_it_was(pebbles, values, sentence):
    table = Table(pebbles, 3, seed=1).play("take(pile=0, count=0)")
    before = table.to_bytes(), table.legal(), table.history
    with pytest.raises(StateError) as caught:
        table.from_dict(values)
    assert sentence in str(caught.value)
    assert (table.to_bytes(), table.legal(), table.history) == before


@pytest.mark.parametrize(("values", "sentence"), [
    ({"phase": 77}, "phase: no Phase has the number 77. Allowed: TURN, HOUSE, MORE, DRAWN, VIVA, BLOCK, CATCH"),
    ({"phase": "PLAY"}, "phase: no Phase called 'PLAY'. Allowed: TURN"),
    ({"hand": [[99] * 21] * 6}, "hand[0, 0] goes from 0 to 6, got 99"),
    ({"hand": [[6] * 21] * 6}, "VIV-140"),
    ({"turn_of": 5}, "VIV-147: it is the turn of nobody at the table"),
    ({"turns": -5}, "turns goes from 0 to 600, got -5"),
])  # fmt: skip
def test_what_is_no_position_of_a_large_game_is_refused(values, sentence):
    table = alarife.table("viva", 3, seed=1)
    before = table.to_bytes()
    with pytest.raises(StateError) as caught:
        table.from_dict(values)
    assert sentence in str(caught.value)
    assert table.to_bytes() == before


def test_a_position_of_another_table_size_is_taken_over_and_a_new_game_keeps_it(pebbles):
    table = Table(pebbles, 2, seed=1).from_dict(Table(pebbles, 4, seed=2).to_dict())
    assert table.players == 4
    assert table.reset(2).to_bytes() == Table(pebbles, 4, seed=2).to_bytes()


def test_bytes_of_another_length_are_refused(pebbles):
    with pytest.raises(StateError, match=r"has \d+ bytes, got 3"):
        Table(pebbles, 3, seed=1).from_bytes(b"abc")


@pytest.mark.parametrize("seat", [3, -1, 1.0, "0", True])
def test_a_seat_that_is_not_at_the_table_is_refused(pebbles, seat):
    table = Table(pebbles, 3, seed=1)
    for look in (table.text, table.svg, lambda seat: table.fork(seat, 1),
                 lambda seat: table.fork_states(seat, np.zeros(1, np.uint64))):  # fmt: skip
        with pytest.raises(OptionError, match=f"seats go from 0 to 2, got {seat!r}"):
            look(seat)
    table.play(0).play(0)  # seat 2 is to decide
    with pytest.raises(OptionError, match=f"seats go from 0 to 2, got {seat!r}"):
        table.observe(seat)


@pytest.mark.parametrize("seed", [-1, "a", 1.5, True])
def test_what_is_no_seed_is_refused_in_the_same_words_everywhere(pebbles, seed):
    table = Table(pebbles, 2, seed=1)
    for use in (lambda: Table(pebbles, 2, seed=seed), lambda: table.reset(seed), lambda: table.fork(0, seed),
                lambda: Batch(pebbles, 2, seed=seed), lambda: Batch(pebbles, 2).reset(seed),
                lambda: alarife.make(pebbles).reset(seed=seed)):  # fmt: skip
        with pytest.raises(AlarifeError, match=rf"a seed is a whole number from 0 to 2\*\*64 - 1, got {seed!r}"):
            use()


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


@pytest.mark.parametrize("observed", ["float32", "int8"])
@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one)), Table.clone,
                                  lambda one: one.fork(one.seat, 3)])  # fmt: skip
def test_a_copy_of_a_table_shows_numbers_of_the_same_kind(make, observed):
    table = Table(alarife.find_game("viva"), 2, seed=4, observation_dtype=observed)
    seen = make(table).observe()
    assert seen.dtype == table.observe().dtype == observed
    assert np.array_equal(seen, table.observe())
