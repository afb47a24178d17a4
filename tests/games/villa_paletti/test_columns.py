"""Villa Paletti: removing and placing a column (sections 5 and 6 of RULES.md)."""

import math

import numpy as np
import pytest

from alarife.engine.table import Table
from alarife.games.villa_paletti import GAME
from alarife.games.villa_paletti import components as box
from alarife.games.villa_paletti.components import NONE, RED, Act, Phase, Proof, Reading
from alarife.games.villa_paletti.rules import places, placing, removing, statics, tremor
from games.villa_paletti.positions import CARRIERS, build, tower

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


def brink(y, behind=0.0, **options):
    """Blue on two thick columns at `y` and one farther back: without column 19 it tips over the line `y` - 15.

    Its weight acts at 0, or `behind` that point.
    """
    t = table(**options)
    build(t.state, {4: (0, -60.0, y), 9: (0, 60.0, y), 14: (0, 0.0, 50.0), 19: (0, -60.0, -25.0), 18: (0, 0.0, -100.0)},
          seat=3)  # fmt: skip
    t.state.centre[0, 1] = behind
    return t.refresh()


@pytest.mark.rules("PAL-060", "PAL-062", "PAL-063")
@pytest.mark.parametrize(("y", "behind", "stands"), [(13.0, -4.0, False), (17.0, 4.0, True)])
def test_readings_lifts_and_pulls_are_of_the_true_building(y, behind, stands):
    """2 mm more or less than nothing: the nominal margin is the other way round."""
    t = brink(y, behind).play("column(column=19)")
    assert float(t.state.spare_margin) == pytest.approx(15 - y)
    assert (t.state.felt[19] != Reading.FALLS) == stands
    assert t.clone().play("lift()").state.proof[19] == (Proof.STANDS if stands else Proof.FALLS)
    assert t.play("pull()").over != stands


@pytest.mark.rules("PAL-060")
def test_the_tilt_index_is_that_of_the_weakest_plane():
    """Margins over heights of centres of gravity, in grams and millimetres, all worked out by hand."""
    # under blue 0.2 mm at 2.5 mm of height; at the feet it is more than 0.3
    t = brink(14.8)
    t.play("column(column=19)")
    assert float(t.state.spare_index) == pytest.approx(0.2 / 2.5, abs=1e-9)
    # green on three thin columns, blue on thick ones: the weakest plane is that of the thin columns' feet, whose hull
    # begins at y = -12.5
    set_tower(t, 2)
    thin = 3 * 7.42
    weight = 62.13 + thin
    y = thin * (10 / 3) / weight
    z = (62.13 * 62.5 + thin * 30) / weight
    assert float(t.state.index) == pytest.approx((y + 12.5) / z, abs=1e-9)
    # green on thick columns, blue on thin ones that stand close: the weakest plane is on the base plate
    narrow(t)
    thick = 3 * 29.69
    weight = 79.65 + 62.13 + thin + thick
    y = (thick * (10 / 3) + thin * (26 / 3)) / weight
    z = (79.65 * 62.5 + 62.13 * 127.5 + thin * 30 + thick * 95) / weight
    assert float(t.state.index) == pytest.approx((y + 5.5) / z, abs=1e-9)


def narrow(t):
    """Green on three thick columns, above blue on three thin ones that stand close together."""
    build(t.state, {10: (0, -12.0, 2.0), 11: (0, 12.0, 2.0), 12: (0, 0.0, 22.0),
                    4: (1, -28.0, -5.0), 9: (1, 28.0, -5.0), 14: (1, 0.0, 20.0), 3: (0, 0.0, -60.0)},
          [(0.0, 0.0, 0), (0.0, 0.0, 0)], seat=2)  # fmt: skip
    return t.refresh()


@pytest.mark.rules("PAL-060", "PAL-165")
def test_what_floors_and_columns_weigh_in_truth():
    carriers = {4: (0, -60.0, 20.0), 9: (0, 60.0, 20.0), 14: (0, 0.0, 50.0)}  # blue tips over the line y = 5
    t = table()
    build(t.state, carriers | {19: (1, 0.0, 45.0)})
    t.state.excess[19] = 0.1
    load = 29.69 * 1.1
    assert statics.weigh(t.state, NONE, True)[0] == pytest.approx(load * 45 / (load + 79.65) - 5, abs=1e-9)
    assert statics.weigh(t.state, NONE, False)[0] == pytest.approx(29.69 * 45 / (29.69 + 79.65) - 5, abs=1e-9)
    # the same turned by 90 degrees: blue tips over the line x = -5; 3 mm to its right are 3 mm to the back now
    build(t.state, {c: (0, -y, x) for c, (_, x, y) in carriers.items()}, [(0.0, 0.0, 4)])
    t.state.centre[0, 0], t.state.centre[0, 1] = 3.0, 1.0
    assert statics.weigh(t.state, NONE, True)[0] == pytest.approx(-5 - -1, abs=1e-9)
    assert statics.centre_y(t.state, 0, True) == pytest.approx(3.0)


@pytest.mark.rules("PAL-061", "PAL-065")
def test_a_floor_that_covers_a_column_partly_is_lifted():
    t = table()
    build(t.state, {4: (0, -40.0, 50.0), 9: (0, 45.0, 45.0), 0: (0, 4.03, 70.53), 14: (0, 0.0, 5.0)})
    t.refresh().play("column(column=0)")
    assert [GAME.actions.name(a) for a in t.legal()] == ["pull()", "lift()", "abort()"]


@pytest.mark.rules("PAL-062")
def test_a_lift_does_not_jolt_the_held_floor():
    """Blue is held, and it alone could fall: green's index is 0.507, more than eight times the scale of the jolt."""
    t = narrow(Table(GAME, 4, JOLTS | {"sigma": 0.1}, seed=1, interpreted=True))
    thick = 3 * 29.69  # green tips at the feet of its columns, over the line y = -20
    weight = 62.13 + thick
    z = (62.13 * 62.5 + thick * 30) / weight
    assert statics.weigh_above(t.state, 1)[1] == pytest.approx((thick * (10 / 3) / weight + 20) / z, abs=1e-9)
    assert float(t.state.index) < 0.1
    t.play("column(column=10)")
    assert t.state.phase == Phase.READING
    assert fall_share(t, "lift()", 40) == 0


@pytest.mark.rules("PAL-062", "PAL-067")
def test_a_lifted_floor_is_let_down_without_a_jolt():
    """Without the column the index is 0.08: any jolt would make it fall in every second case or more."""
    t = brink(14.8, sigma=0.1).play("column(column=19)").play("lift()")  # nothing stands above blue
    assert t.state.proof[19] == Proof.STANDS
    assert fall_share(t, "commit()", 40) == 0


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
    assert removing.pull_scale(t.state, 14) == 0.1
    assert is_near(fall_share(t, "pull()"), math.exp(-(index**2) / (2 * 0.1**2)))


@pytest.mark.rules("PAL-063", "PAL-067")
def test_a_pull_fells_a_shaky_building_as_often_as_its_index_says():
    """Without the column the index is 0.2 mm / 2.5 mm; with it blue reaches 20 mm farther to the front."""
    t = brink(14.8, sigma=0.1).play("column(column=19)")
    assert is_near(fall_share(t, "pull()"), math.exp(-(0.08**2) / (2 * 0.1**2)))  # 0.73


@pytest.mark.rules("PAL-063")
def test_a_pull_of_a_free_standing_column_jolts_half_as_much():
    t = set_tower(table(sigma=0.01), 2)
    assert removing.pull_scale(t.state, 3) == 0.005
    assert removing.pull_scale(t.state, 0) == 0.01


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
        assert removing.pull_scale(t.state, 10) == pytest.approx(scale)
    # on blue, 47 mm inside its outline, but green lies above it, and that ends near y = 40
    build(t.state, {4: (0, -60, 0), 9: (0, 60, 0), 14: (0, 0, 50), 10: (1, 0, 24)}, [(0, 0, 0), (0, -15, 0)])
    assert t.state.cover[10]
    assert removing.pull_scale(t.state, 10) == pytest.approx(0.01)


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
    tower_again.state.turn_of = 0
    tower_again.state.seat = 0
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


@pytest.mark.rules("PAL-068", "PAL-071")
def test_an_abort_after_the_reading_carries_no_jolt():
    """The index of a tower of five floors is 0.107: a jolt of that scale would make it fall in every second case."""
    t = set_tower(table(sigma=0.1), 5).play("column(column=3)")
    assert t.state.phase == Phase.READING
    assert float(t.state.index) < 0.11
    assert fall_share(t, "abort()", 40) == 0


@pytest.mark.rules("PAL-072")
def test_putting_a_column_back_carries_no_jolt():
    """The index of a tower of five floors is 0.107: a jolt of that scale would make it fall in every second case."""
    t = set_tower(table(), 5).play("column(column=3)").play("pull()")
    assert t.state.phase == Phase.ROW
    assert float(t.state.index) < 0.11
    t.state.options.sigma = 0.1
    assert fall_share(t, "abort()", 40) == 0


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


@pytest.mark.rules("PAL-077")
def test_columns_on_a_floor_keep_half_a_millimetre():
    t = table()
    middle = 0.5 * 10.241  # cell (12, 12) of the blue floor, along both axes
    for apart, free in ((15.2, False), (15.6, True), (16.5, True)):  # two thin columns have 15 mm
        set_tower(t, 1, more={5: (1, middle + apart, middle)})
        assert bool(t.state.room[box.THIN, 12] >> 12 & 1) == free


@pytest.mark.rules("PAL-076", "PAL-082")
def test_cells_lie_round_the_middle_of_the_floor_and_do_not_turn_with_it():
    t = table()
    build(t.state, {4: (0, -50.0, 0.0), 9: (0, 60.0, 0.0), 14: (0, 10.0, 45.0), 3: (0, 0.0, -100.0)}, [(10, -5, 0)])
    t.refresh().play("column(column=3)").play("pull()").play("row(row=14)").play("cell(cell=9)")
    assert float(t.state.x[3]) == pytest.approx(10 + (9 - 11.5) * 10.241)
    assert float(t.state.y[3]) == pytest.approx(-5 + (14 - 11.5) * 10.241)
    build(t.state, {4: (0, -10.0, -50.0), 9: (0, -10.0, 60.0), 14: (0, -40.0, 10.0)}, [(0, 0, 4)])
    for row in range(24):  # a quarter turn to the left: a point (x, y) lies where (y, -x) lay
        for column in range(24):
            x, y = (column - 11.5) * 10.241, (row - 11.5) * 10.241
            assert bool(t.state.room[box.THICK, row] >> column & 1) == (statics.distance_outside(0, y, -x) <= -15)


@pytest.mark.rules("PAL-082", "PAL-163")
def test_rows_and_cells_without_a_place_are_masked():
    t = set_tower(table(), 2, more={8: (2, -60.0, 5.0), 13: (2, 20.0, 10.0)}).play("column(column=3)").play("pull()")
    room = [[int(bits) for bits in row] for row in t.state.room]
    rows = [row for row in range(24) if room[box.MEDIUM][row]]
    assert 0 < len(rows) < 24
    assert [GAME.actions.name(a) for a in t.legal()] == ["abort()", *(f"row(row={row})" for row in rows)]
    row = next(row for row in rows if room[box.MEDIUM][row] != room[box.THIN][row])
    cells = [column for column in range(24) if room[box.MEDIUM][row] >> column & 1]
    assert [GAME.actions.name(a) for a in t.play(f"row(row={row})").legal()] == [f"cell(cell={c})" for c in cells]


@pytest.mark.rules("PAL-078")
def test_placing_jolts_the_whole_building(monkeypatch):
    t = set_tower(table(), 5).play("column(column=3)").play("pull()").play("row(row=12)")
    monkeypatch.setattr(placing, "room_after", lambda s, c: None)  # slow, and has no say in a fall
    t.state.options.sigma = 0.1
    index = tilt_of_tower((17.6,), y=0.5 * 3.772)  # cell (12, 12) of the red floor; about 0.1
    assert is_near(fall_share(t, "cell(cell=12)", 200), math.exp(-(index**2) / (2 * 0.06**2)), 200)


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


@pytest.mark.rules("PAL-003", "PAL-080")
def test_the_footprint_of_a_hexagon_has_flats_and_corners():
    for x, y, inside in ((10.9, 0.0, True), (11.1, 0.0, False), (0.0, 12.6, True), (0.0, 12.8, False),
                         (9.5, 7.4, False), (9.5, 7.0, True)):  # fmt: skip
        assert places.is_on_foot(box.MEDIUM, x, y) == inside  # 22 mm across flats, a corner straight ahead


@pytest.mark.rules("PAL-080", "PAL-081")
def test_the_third_column_of_a_stack_stands_on_the_second():
    t = set_tower(table(), 5, more={9: (RED, 0.0, 0.0, 0), 8: (RED, 0.0, 0.0, 1)})
    t.play("column(column=3)").play("pull()").play("row(row=12)").play("cell(cell=11)")
    assert (t.state.level[3], t.state.storey[3], float(t.state.x[3]), float(t.state.y[3])) == (RED, 2, 0.0, 0.0)
    t.check()


def tilt_of_tower(stack, y=0.0):
    """The tilt index of `tower(5)` with columns of such masses stacked in the middle of red, or at `y`, plane by plane.

    Everything lies on the line x = 0 or evenly on both sides of it, and tips to the front, over y = -5 less the radius
    of the columns that carry.
    """
    bodies = [(mass, 0.0, 65.0 * f + 62.5, f + 0.5) for f, mass in enumerate((79.65, 62.13, 44.79, 29.18, 17.10))]
    bodies += [(29.69 if level == 0 else 7.42, place, 65.0 * level + 30, level)
               for level in range(5) for place in (-5.0, -5.0, 20.0)]  # fmt: skip
    bodies += [(mass, y, 325.0 + 60 * storey + 30, 5) for storey, mass in enumerate(stack)]
    least = 1e9
    for level in range(5):
        radius = 15 if level == 0 else 7.5
        for first, plane in ((level + 0.5, 65.0 * level + 60), (level, 65.0 * level)):  # under a floor, at the feet
            above = [body for body in bodies if body[3] >= first]
            weight = sum(mass for mass, *_ in above)
            depth = sum(mass * place for mass, place, _, _ in above) / weight + 5 + radius
            height = sum(mass * z for mass, _, z, _ in above) / weight - plane
            least = min(least, depth / height)
    return least


@pytest.mark.rules("PAL-060", "PAL-081")
def test_each_column_of_a_stack_weighs_on_the_floors_at_its_own_height():
    for stack, masses in (((), ()), ((19,), (29.69,)), ((19, 18, 13), (29.69, 17.6, 17.6))):
        t = set_tower(table(), 5, more={c: (RED, 0.0, 0.0, storey) for storey, c in enumerate(stack)})
        assert float(t.state.index) == pytest.approx(tilt_of_tower(masses), abs=1e-9)


@pytest.mark.rules("PAL-081", "PAL-130")
def test_a_tall_stack_may_be_weaker_than_all_floors():
    """Four medium columns and a thick one on them: 11 mm under a centre of gravity 164 mm high. Floors stand wide."""
    stack = 18, 3, 8, 13, 19
    wide = {c: (level, x, y) for level, carriers in enumerate(CARRIERS)
            for c, (x, y) in zip(carriers, ((-28.0, -22.0), (28.0, -22.0), (0.0, 28.0)), strict=True)}  # fmt: skip
    t = set_tower(table(), 5, more=wide | {c: (RED, 0.0, 0.0, storey) for storey, c in enumerate(stack)})
    masses = 17.6, 17.6, 17.6, 17.6, 29.69
    z = sum(mass * (60 * storey + 30) for storey, mass in enumerate(masses)) / sum(masses)
    assert float(t.state.index) == pytest.approx(11 / z, abs=1e-9)


@pytest.mark.rules("PAL-003", "PAL-081")
def test_a_stack_over_a_hexagon_is_as_narrow_as_its_flats():
    """11 mm under all three columns; the thick ones, 29.69 g each, would stand on 15 mm."""
    t = set_tower(table(), 5, more={18: (RED, 0.0, 0.0, 0), 19: (RED, 0.0, 0.0, 1), 14: (RED, 0.0, 0.0, 2),
                                    **{c: (3, x, y) for c, (x, y) in zip((15, 16, 17), ((-28, -5), (28, -5), (0, 20)),
                                                                          strict=True)}})  # fmt: skip
    z = (17.6 * 30 + 29.69 * (90 + 150)) / (17.6 + 2 * 29.69)
    assert statics.stack_index(t.state, NONE, False) == pytest.approx(11 / z, abs=1e-9)


@pytest.mark.rules("PAL-081")
def test_stacks_grow_without_limit_and_count_as_the_top_level():
    storeys = {19: 0, 3: 1, 8: 2, 13: 3, 18: 4}
    t = set_tower(table(), 5, more={c: (RED, 0.0, 0.0, storey) for c, storey in storeys.items()})
    t.check()
    assert t.scores() == [2, 2, 2, 5]
    assert places.stack_height(t.state, 19) == 5
    for k in range(3):
        assert t.state.room[k, 12] >> 12 & 1
    assert not any(may(t, f"column(column={c})") for c in storeys)


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
    assert places.stack_at(t.state, 12, 12) == 5  # (1.9, 1.9): inside 7.5 mm
    assert places.stack_at(t.state, 14, 14) == NONE  # (9.4, 9.4): under the thick column, not over the thin one


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


@pytest.mark.rules("PAL-077", "PAL-086")
@pytest.mark.parametrize(("x", "free"), [(15.1, False), (15.3, True)])
def test_stacked_columns_keep_half_a_millimetre(x, free):
    """Thick columns, 15 mm each, on stacks 2 `x` apart; a thin one would be far from touching."""
    t = set_tower(table(), 5, more={5: (RED, -x, 0.0), 6: (RED, x, 0.0), 9: (RED, -x, 0.0, 1)})
    assert bool(t.state.room[box.THICK, 12] >> 15 & 1) == free  # cell (12, 15): (13.2, 1.9)
    assert t.state.room[box.THIN, 12] >> 15 & 1


@pytest.mark.rules("PAL-085", "PAL-086")
def test_a_column_on_red_keeps_clear_of_the_lowest_storey_only():
    t = set_tower(table(), 5, more={5: (RED, 0.0, 0.0, 0), 9: (RED, 0.0, 0.0, 1)})
    # cell (12, 16), 17.1 mm from the axis: 15.5 beside the thin column are enough, not 23 beside the thick one
    assert t.state.room[box.THIN, 12] >> 16 & 1
    assert not t.state.room[box.MEDIUM, 12] >> 16 & 1
    # cell (14, 14), 13.3 mm from the axis: under the thick column, but the footprint is that of the thin one
    assert t.state.room[box.THICK, 12] >> 12 & 1
    assert not t.state.room[box.THICK, 14] >> 14 & 1
    # cell (12, 14), 9.6 mm from the axis in a row that the thin one reaches: neither on its footprint nor clear of it
    assert not t.state.room[box.THICK, 12] >> 14 & 1
    assert not t.state.room[box.THIN, 12] >> 14 & 1


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
