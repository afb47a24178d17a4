"""Villa Paletti: removing and placing a column (sections 5 and 6 of RULES.md)."""

import math

import numpy as np
import pytest

from alarife.engine.table import Table
from alarife.games.villa_paletti import GAME, rules, statics, tremor
from alarife.games.villa_paletti import components as box
from alarife.games.villa_paletti.components import NONE, RED, Act, Phase, Proof, Reading
from alarife.games.villa_paletti.positions import build, tower

CALM = {"sigma": 0.0, "reading_noise": 0.0, "imperfection": False}
JOLTS = {"reading_noise": 0.0, "imperfection": False}


def table(players=4, seed=1, **options):
    return Table(GAME, players, CALM | options, seed=seed, interpreted=True)


def set_tower(t, floors, seat=0, more=None):
    tower(t.state, floors, seat, more)
    return t.refresh()


def may(t, name):
    return any(GAME.actions.name(a) == name for a in t.legal())


def fall_share(t, action, count=300):
    """How often an action makes the building collapse."""
    falls = 0
    for key in range(count):
        u = t.clone()
        u.state.rng = np.uint64(977 * key + 5)
        falls += u.play(action).over
    return falls / count


def is_near(share, chance, count=300):
    return abs(share - chance) < 4 * math.sqrt(max(chance * (1 - chance), 0.002) / count)


# --- 5: removing ------------------------------------------------------------------------------------


@pytest.mark.rules("PAL-060")
def test_a_reading_is_the_tilt_index_cut_into_four_classes():
    t = table()
    for index, reading in ((-0.1, 1), (-1e-9, 1), (0.0, 2), (0.0149, 2), (0.015, 3), (0.0399, 3), (0.04, 4), (2.0, 4)):
        assert tremor.read(t.state, index) == reading
        assert tremor.reading_chance(t.state, reading, index) == 1.0


@pytest.mark.rules("PAL-060")
def test_readings_carry_normal_noise():
    s = table(reading_noise=0.006).state
    chances = [tremor.reading_chance(s, reading, 0.012) for reading in range(1, 5)]

    def below(z):
        return 0.5 * math.erfc(-z / math.sqrt(2))

    for cut, total in zip((0.0, 0.015, 0.040), np.cumsum(chances), strict=False):
        assert total == pytest.approx(below((cut - 0.012) / 0.006), abs=0.003)
    seen = [tremor.read(s, 0.012) for _ in range(2000)]
    for reading in (1, 2, 3):
        assert seen.count(reading) / 2000 == pytest.approx(chances[reading - 1], abs=0.045)


@pytest.mark.rules("PAL-060", "PAL-061")
def test_everybody_sees_the_reading_before_pull_lift_or_abort():
    t = set_tower(table(), 1)
    t.play("column(column=4)")  # without it blue rests on two columns at the right: it falls
    assert t.state.felt[4] == Reading.FALLS
    block = GAME.features.describe(t.observe(2))["column_felt"]
    assert list(block[4]) == [1, 0, 0, 0]
    assert [GAME.actions.name(a) for a in t.legal()] == ["pull()", "lift()", "abort()"]


@pytest.mark.rules("PAL-062", "PAL-064")
def test_a_lift_shows_whether_the_building_stands_without_the_column():
    t = set_tower(table(), 1).play("column(column=4)").play("lift()")
    assert t.state.proof[4] == Proof.FALLS
    assert [GAME.actions.name(a) for a in t.legal()] == ["abort()", "commit()"]
    before = [float(v) for v in (t.state.floor_x[0], t.state.floor_y[0])], [int(c) for c in t.state.cover]
    assert t.clone().play("commit()").state.causer == 0
    t.play("abort()")
    assert ([float(v) for v in (t.state.floor_x[0], t.state.floor_y[0])], [int(c) for c in t.state.cover]) == before
    t = set_tower(table(), 1, more={19: (0, 0, 50)}, seat=2).play("column(column=14)").play("lift()")
    assert t.state.proof[14] == Proof.STANDS
    assert t.play("commit()").state.phase == Phase.ROW


@pytest.mark.rules("PAL-062")
def test_a_lift_jolts_only_what_stands_above_the_held_floor():
    t = Table(GAME, 4, JOLTS | {"sigma": 0.1}, seed=1, interpreted=True)
    set_tower(t, 2, seat=1).play("column(column=9)")  # blue is lifted, green stands on it
    index = statics.weigh_above(t.state, 1)[1]
    assert is_near(fall_share(t, "lift()"), math.exp(-(index**2) / (2 * 0.06**2)))
    set_tower(t, 2, seat=0).play("column(column=0)")  # green is lifted, nothing stands above
    assert fall_share(t, "lift()", 50) == 0


@pytest.mark.rules("PAL-063", "PAL-067")
def test_a_pull_jolts_the_building_without_the_column():
    t = Table(GAME, 4, JOLTS | {"sigma": 0.1}, seed=1, interpreted=True)
    set_tower(t, 2, more={19: (0, 0, 50), 14: (0, 0, 18)}, seat=2).play("column(column=14)")
    assert t.state.phase == Phase.READING
    margin, index = statics.weigh(t.state, 14, True)
    assert margin > 0
    assert rules.pull_scale(t.state, 14) == 0.1
    assert is_near(fall_share(t, "pull()"), math.exp(-(index**2) / (2 * 0.1**2)))


@pytest.mark.rules("PAL-063")
def test_a_pull_of_a_free_standing_column_jolts_half_as_much():
    t = set_tower(table(sigma=0.01), 2)
    assert rules.pull_scale(t.state, 3) == 0.005
    assert rules.pull_scale(t.state, 0) == 0.01


@pytest.mark.rules("PAL-065")
def test_a_free_standing_column_is_not_lifted():
    t = set_tower(table(), 1).play("column(column=3)")
    assert [GAME.actions.name(a) for a in t.legal()] == ["pull()", "abort()"]


@pytest.mark.rules("PAL-066")
def test_the_hook_makes_the_jolt_of_deep_columns_larger():
    t = table(sigma=0.01)
    # (0, 25) lies about 47 mm inside the blue outline: its nearest sides are near (0, 72.5) and (0, -26.5)
    for y, scale in ((24.0, 0.0125), (50.0, 0.01)):
        build(t.state, {4: (0, -60, 0), 9: (0, 60, 0), 10: (0, 0, y)})
        assert rules.pull_scale(t.state, 10) == pytest.approx(scale)


@pytest.mark.rules("PAL-067", "PAL-130")
def test_a_pull_that_leaves_a_negative_margin_collapses_the_building():
    t = set_tower(table(), 1).play("column(column=4)").play("pull()")
    assert t.over
    assert (t.state.collapsed, t.state.causer) == (1, 0)


@pytest.mark.rules("PAL-068", "PAL-069", "PAL-071", "PAL-173")
def test_an_abort_locks_the_column_in_its_place_and_carries_no_jolt():
    t = Table(GAME, 4, JOLTS | {"sigma": 0.1}, seed=1, interpreted=True)
    set_tower(t, 1).play("column(column=4)")
    place = float(t.state.x[4]), float(t.state.y[4]), int(t.state.level[4])
    assert fall_share(t, "abort()", 30) == 0
    t.play("abort()")
    assert (float(t.state.x[4]), float(t.state.y[4]), int(t.state.level[4])) == place
    assert t.state.locked[4] == 1
    assert t.seat == 1
    tower_again = t.clone()
    tower_again.state.actor = 0
    tower_again.state.turn = 0
    assert not may(tower_again.refresh(), "column(column=4)")
    t.state.x[4] += 1.0
    with pytest.raises(AssertionError, match="PAL-173"):
        t.check()


@pytest.mark.rules("PAL-070")
def test_the_jolt_of_a_lift_can_make_the_building_collapse():
    t = Table(GAME, 4, JOLTS | {"sigma": 0.1}, seed=1, interpreted=True)
    set_tower(t, 5, seat=1).play("column(column=9)")
    assert fall_share(t, "lift()", 60) > 0.2


@pytest.mark.rules("PAL-072")
def test_a_column_in_hand_may_be_given_up_before_its_place_is_chosen():
    t = set_tower(table(), 1).play("column(column=3)").play("pull()")
    assert t.state.phase == Phase.ROW
    assert may(t, "abort()")
    t.clone().play("row(row=12)")
    t.play("abort()")
    assert t.state.locked[3] == 1
    assert t.state.level[3] == 0
    assert t.seat == 1
    t.check()
    u = set_tower(table(), 1).play("column(column=3)").play("pull()").play("row(row=12)")
    assert not may(u, "abort()")


@pytest.mark.rules("PAL-073")
def test_a_penalty_ends_with_the_column_out_of_the_game():
    t = set_tower(table(), 1)
    t.state.act, t.state.phase, t.state.objector = Act.PENALTY, Phase.PENALTY, 1
    t.refresh().play("column(column=8)").play("pull()")
    assert t.state.level[8] == NONE
    assert t.state.removed == 1
    t.check()


# --- 6: placing -------------------------------------------------------------------------------------


@pytest.mark.rules("PAL-075", "PAL-082", "PAL-084")
def test_a_column_goes_on_a_cell_of_the_top_level():
    t = set_tower(table(), 2).play("column(column=3)").play("pull()").play("row(row=14)").play("cell(cell=9)")
    s = t.state
    assert s.level[3] == 2
    assert float(s.x[3]) == pytest.approx((9 - 11.5) * 8.158)  # the pitch of the green floor's grid
    assert float(s.y[3]) == pytest.approx((14 - 11.5) * 8.158)
    t.check()


@pytest.mark.rules("PAL-076", "PAL-077", "PAL-163")
@pytest.mark.parametrize("floors", range(1, 5))
def test_cells_are_those_inside_the_outline_and_clear_of_other_columns(floors):
    t = table()
    s = t.state
    set_tower(t, floors, more={9: (floors, 20.0, 10.0), 8: (floors, -20.0, 3.0)} if floors < 5 else None)
    f = floors - 1
    for k in range(3):
        r = box.RADIUS[k]
        for row in range(24):
            for column in range(24):
                x, y = (column - 11.5) * box.PITCH[f], (row - 11.5) * box.PITCH[f]
                is_open = bool(s.room[k, row] >> column & 1)
                inside = statics.distance_outside(f, x, y) <= -r
                clear = math.hypot(x - 20, y - 10) >= r + 15.5 and math.hypot(x + 20, y - 3) >= r + box.RADIUS[1] + 0.5
                assert is_open == (inside and clear)


@pytest.mark.rules("PAL-078")
def test_placing_jolts_the_whole_building():
    t = Table(GAME, 4, JOLTS | {"sigma": 0.1}, seed=1, interpreted=True)
    set_tower(t, 3, more={3: (2, 50, -20)})
    t.play("column(column=3)")
    t.state.phase = Phase.COLUMN
    t.state.row = 12
    t.refresh()
    calm = t.clone()
    calm.state.options.sigma = 0.0
    calm.play("cell(cell=12)")
    index = statics.weigh(calm.state, NONE, True)[1]
    assert is_near(fall_share(t, "cell(cell=12)"), math.exp(-(index**2) / (2 * 0.06**2)))


@pytest.mark.rules("PAL-079", "PAL-080", "PAL-085", "PAL-176")
def test_on_red_a_cell_over_a_column_puts_the_next_one_on_top_of_it():
    t = set_tower(table(), 5, more={9: (RED, 0.0, 0.0)})
    t.play("column(column=3)").play("pull()").play("row(row=12)")
    t.play("cell(cell=12)")  # its centre (1.9, 1.9) lies in the footprint of the thick column
    s = t.state
    assert (s.level[3], s.storey[3], float(s.x[3]), float(s.y[3])) == (RED, 1, 0.0, 0.0)
    t.check()
    u = set_tower(table(), 4, more={9: (4, 0.0, 0.0)}).play("column(column=3)").play("pull()")
    assert not may(u, "row(row=12)") or u.clone().play("row(row=12)").state.room[box.MEDIUM, 12] >> 12 & 1 == 0


@pytest.mark.rules("PAL-081")
def test_stacks_grow_without_limit_and_count_as_the_top_level():
    places = {19: 0, 3: 1, 8: 2, 13: 3, 18: 4}
    t = set_tower(table(), 5, more={c: (RED, 0.0, 0.0, storey) for c, storey in places.items()})
    t.check()
    assert t.scores() == [2, 2, 2, 5]
    assert rules.stack_height(t.state, 19) == 5
    for k in range(3):
        assert t.state.room[k, 12] >> 12 & 1
    assert not any(may(t, f"column(column={c})") for c in places)


@pytest.mark.rules("PAL-081", "PAL-101")
def test_a_column_under_another_is_not_taken():
    t = set_tower(table(), 5, more={9: (RED, 0.0, 0.0, 0), 8: (RED, 0.0, 0.0, 1)})
    t.state.act, t.state.phase, t.state.objector = Act.PENALTY, Phase.PENALTY, 1
    t.refresh()
    assert may(t, "column(column=8)")
    assert not may(t, "column(column=9)")


@pytest.mark.rules("PAL-083")
def test_a_place_that_makes_the_building_unstable_is_legal_and_collapses_it():
    # blue on three thin columns close together; a thick column far out on the left lobe tips it
    spots = {10: (0, -12, -8), 15: (0, 12, -8), 5: (0, 0, 12)}
    t = table()
    build(t.state, spots | {4: (0, 0, -100)})
    t.refresh().play("column(column=4)").play("pull()")
    t.play("row(row=9)")
    t.play("cell(cell=2)")
    assert (t.state.collapsed, t.state.causer, t.state.level[4]) == (1, 0, 1)


@pytest.mark.rules("PAL-080", "PAL-085")
def test_the_footprint_of_a_stack_is_that_of_its_lowest_column():
    t = set_tower(table(), 5, more={5: (RED, 0.0, 0.0, 0), 9: (RED, 0.0, 0.0, 1)})
    assert rules.stack_at(t.state, 12, 12) == 5  # (1.9, 1.9): inside 7.5 mm
    assert rules.stack_at(t.state, 14, 14) == NONE  # (9.4, 9.4): under the thick column, not over the thin one


@pytest.mark.rules("PAL-086")
def test_a_stacked_column_stays_inside_the_outline_and_clear_of_its_storey():
    # two thin columns 16 mm apart: a thick one goes on one of them, then no thick one on the other
    t = set_tower(table(), 5, more={5: (RED, -8.0, 0.0), 6: (RED, 8.0, 0.0)})
    s = t.state
    row, left, right = 12, 9, 13  # centres (-9.4, 1.9) and (5.7, 1.9)
    assert s.room[box.THICK, row] >> left & 1
    assert s.room[box.THICK, row] >> right & 1
    set_tower(t, 5, more={5: (RED, -8.0, 0.0), 6: (RED, 8.0, 0.0), 9: (RED, -8.0, 0.0, 1)})
    assert s.room[box.THICK, row] >> left & 1
    assert not s.room[box.THICK, row] >> right & 1
    set_tower(t, 5, more={5: (RED, 34.0, -5.0)})  # 10 mm from the edge: thin ones go on it, thick ones do not
    cell = round(34.0 / box.PITCH[4] + 11.5)
    assert s.room[box.THIN, 10] >> cell & 1
    assert not s.room[box.THICK, 10] >> cell & 1


# --- what everybody sees of it ----------------------------------------------------------------------


@pytest.mark.rules("PAL-076", "PAL-082", "PAL-164")
def test_the_view_shows_every_free_cell_before_a_column_is_chosen():
    t = set_tower(table(), 2)
    assert t.state.phase == Phase.TURN
    cells = np.rint(GAME.features.describe(t.observe(0))["cells"] * 7).astype(int)
    f, turn = 1, int(t.state.rotation[1])
    for row in range(box.GRID):
        for column in range(box.GRID):
            x, y = (column - box.MIDDLE) * box.PITCH[f], (row - box.MIDDLE) * box.PITCH[f]
            assert turn == 0
            kinds = [k for k in range(3) if -box.signed_distances(f, np.array(x), np.array(y)) >= box.RADIUS[k]
                     and all(math.hypot(t.state.x[c] - t.state.floor_x[f] - x, t.state.y[c] - t.state.floor_y[f] - y)
                             >= box.RADIUS[k] + box.RADIUS[box.KIND[c]] + box.GAP
                             for c in range(box.COLUMNS) if t.state.level[c] == 2)]  # fmt: skip
            assert cells[row, column] == sum(2**k for k in kinds)
    assert {0, 1, 3, 7} == set(cells.ravel())  # room for none, for thin ones, ... for all


@pytest.mark.rules("PAL-108", "PAL-164")
def test_the_view_shows_every_pose_of_a_floor_that_is_turned():
    t = set_tower(table(), 1, more={c: (1, *place) for c, place in ((0, (-28.0, -5.0)), (5, (28.0, -5.0)),
                                                                    (10, (0.0, 20.0)))})  # fmt: skip
    t.play("propose()")
    while t.state.phase == Phase.OBJECT:
        t.play("agree()")
    assert t.state.phase == Phase.ROTATION
    t.play(t.legal()[0])
    shown = GAME.features.describe(t.observe(0))["cells"]
    rows = [a - GAME.actions.start.row for a in t.legal()]
    assert sorted(np.flatnonzero(shown.any(1))) == rows
    t.play(t.legal()[0])
    assert np.array_equal(GAME.features.describe(t.observe(0))["cells"], shown)
    assert np.flatnonzero(shown[rows[0]]).tolist() == [a - GAME.actions.start.cell for a in t.legal()]
