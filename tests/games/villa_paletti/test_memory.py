"""Villa Paletti: readings of earlier buildings are remembered (PAL-060, PAL-062, PAL-164)."""

import numpy as np
import pytest

from alarife.engine.table import Table
from alarife.games.villa_paletti import GAME
from alarife.games.villa_paletti.components import COLUMNS, MOST_CHANGES, Phase, Proof, Reading
from alarife.games.villa_paletti.memory import AT, READINGS
from alarife.games.villa_paletti.rules.building import building_changed, prove
from alarife.games.villa_paletti.rules.removing import choose_column
from alarife.games.villa_paletti.rules.statics import room_for_edges, write_building


def felt(game=GAME, players=2):
    """A table where a column has just been felt, and the column."""
    table = Table(game, players, seed=3, interpreted=True)
    while table.state.phase != Phase.TURN:
        table.play(table.legal()[0])
    table.play(table.legal()[0])
    assert table.state.phase == Phase.READING
    return table, int(table.state.chosen)


def edges_of(state):
    """The edges of all hulls of a building."""
    edges = room_for_edges()
    write_building(state, edges, 1)
    return edges


def remembered(table, seat):
    """What stands behind the view of a seat."""
    twin = Table(GAME.with_memory, table.players, table.options, seed=1, interpreted=True)
    return twin.from_bytes(table.to_bytes()).observe(seat)[GAME.features.size :]


@pytest.mark.rules("PAL-060", "PAL-164")
def test_a_reading_is_remembered_by_all_when_the_building_has_changed():
    table, c = felt()
    reading = int(table.state.felt[c])
    building_changed(table.state, edges_of(table.state), 0.0)
    assert table.state.felt[c] == Reading.NOT_FELT
    for seat in range(2):
        view = remembered(table, seat)
        at = AT.remembered_felt + c * READINGS
        assert np.flatnonzero(view[: COLUMNS * READINGS]).tolist() == [at + reading - 1]
        assert view[AT.remembered_changes + c] == pytest.approx(1 / MOST_CHANGES)
        assert view[AT.remembered_changes :].sum() == pytest.approx(1 / MOST_CHANGES)  # of no other column


@pytest.mark.rules("PAL-062")
def test_what_was_proved_is_remembered_until_the_column_is_felt_again():
    table, c = felt()
    prove(table.state, c, Proof.FALLS)
    building_changed(table.state, edges_of(table.state), 0.0)
    assert table.state.proof[c] == Proof.NOTHING
    assert table.state.last_proof[c] == Proof.FALLS
    choose_column(table.state, c)
    assert table.state.last_proof[c] == Proof.NOTHING
    assert table.state.changes[c] == 0


def test_changes_are_counted_up_to_the_most():
    table, c = felt()
    for _ in range(MOST_CHANGES + 3):
        building_changed(table.state, edges_of(table.state), 0.0)
    assert table.state.changes[c] == MOST_CHANGES
    assert np.count_nonzero(table.state.changes) == 1


def test_a_reading_that_was_forgotten_is_told():
    table, c = felt()
    table.check_memory(0)
    table.state.last_felt[c] = Reading.NOT_FELT
    with pytest.raises(AssertionError, match="a column's last reading is forgotten"):
        table.check_memory(0)
