"""Villa Paletti: components, setup, colours, turns (sections 0 to 4 of RULES.md)."""

import numpy as np
import pytest

from alarife.engine.errors import IllegalAction, OptionError
from alarife.engine.table import Table
from alarife.games.villa_paletti import GAME
from alarife.games.villa_paletti import components as box
from alarife.games.villa_paletti.components import CONTEST, DATA, NEUTRAL, NONE, Phase
from alarife.games.villa_paletti.rules import setup, turn
from alarife.games.villa_paletti.rules.places import (
    columns_needed,
    find_room,
    is_pose,
    list_top,
    room_for_poses,
    try_pose,
)
from alarife.games.villa_paletti.rules.statics import CONTACTS, depth, room_for_edges, write_building
from games.villa_paletti.positions import OUTSIDE, build, props_of_pose, tower

CALM = {"sigma": 0.0, "reading_noise": 0.0, "imperfection": False}


def table(players=4, seed=1, **options):
    return Table(GAME, players, CALM | options, seed=seed, interpreted=True)


def offered(t, family):
    return [v for name, v in (GAME.actions.decode(a) for a in t.legal()) if name == family]


def columns_offered(t):
    return [v["column"] for v in offered(t, "column")]


def may(t, name):
    return any(GAME.actions.name(a) == name for a in t.legal())


# --- 0 and 1: what is in the box --------------------------------------------------------------------


@pytest.mark.rules("PAL-001", "PAL-002")
def test_green_or_yellow_lies_on_blue_and_the_contest_starts_at_green():
    assert box.ORDERS[0] == ("blue", "green", "yellow", "orange", "red")
    assert box.ORDERS[1] == ("blue", "yellow", "green", "orange", "red")
    assert list(CONTEST) == [2, 3]
    assert "green floor" in GAME.display.phrase(table().state, GAME.actions.encode("propose"))
    other = table(floor_order="yellow_first")
    assert "yellow floor" in GAME.display.phrase(other.state, GAME.actions.encode("propose"))


@pytest.mark.rules("PAL-003")
def test_medium_columns_are_hexagons():
    assert list(box.CORNERS) == [12, 6, 12]
    assert np.hypot(*box.FOOT[box.MEDIUM, :6].T) == pytest.approx(11 / np.cos(np.pi / 6))


@pytest.mark.rules("PAL-010", "PAL-011", "PAL-012", "PAL-013")
def test_twenty_columns_in_four_colours_and_three_kinds():
    assert box.COLOUR_NAMES == ("blue", "green", "yellow", "red")
    for colour in range(4):
        kinds = [int(box.KIND[c]) for c in range(20) if box.COLOUR[c] == colour]
        assert kinds == [box.THIN, box.THIN, box.THIN, box.MEDIUM, box.THICK]
    assert list(box.POINTS) == [1, 2, 3]
    assert box.FLOORS == 5


@pytest.mark.rules("PAL-014", "PAL-015", "PAL-016")
def test_a_round_plate_and_floors_that_become_smaller():
    assert (box.PLATE_RADIUS, box.SITE_RADIUS) == (150, 125)
    areas = []
    for f in range(5):
        x, y = box.OUTLINE[f, : box.SIDES[f]].T
        areas.append(abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) / 2)
        assert areas[-1] == pytest.approx(DATA["floors"][box.ORDERS[0][f]]["area_mm2"], rel=0.002)
    assert areas == sorted(areas, reverse=True)
    assert {kind["height"] for kind in DATA["column_kinds"].values()} == {60.0}


@pytest.mark.rules("PAL-018")
def test_weights_follow_from_sizes_and_densities():
    for f, name in enumerate(box.ORDERS[0]):
        assert box.FLOOR_MASS[f] == pytest.approx(DATA["floors"][name]["area_mm2"] * 5 * 0.00065, abs=0.01)
    assert box.MASS[box.THIN] == pytest.approx(np.pi * 7.5**2 * 60 * 0.0007, abs=0.01)
    assert box.MASS[box.THICK] == pytest.approx(np.pi * 15**2 * 60 * 0.0007, abs=0.01)
    assert box.MASS[box.MEDIUM] == pytest.approx(22 * 22 * np.sqrt(3) / 2 * 60 * 0.0007, abs=0.01)


def looking(s):
    """What a search for poses begins with."""
    scratch = room_for_poses()
    return scratch, list_top(s, scratch)


# --- 2: setup ---------------------------------------------------------------------------------------


@pytest.mark.rules("PAL-020", "PAL-021", "PAL-022", "PAL-023", "PAL-024", "PAL-026", "PAL-027", "PAL-028")
@pytest.mark.parametrize("seed", range(12))
def test_columns_are_scattered_and_the_blue_floor_lies_firmly_on_eight_of_them(seed):
    s = table(seed=seed).state
    for c in range(20):
        assert s.level[c] == 0
        assert np.hypot(s.x[c], s.y[c]) + box.RADIUS[box.KIND[c]] <= 125
        for d in range(c):
            gap = np.hypot(s.x[c] - s.x[d], s.y[c] - s.y[d]) - box.RADIUS[box.KIND[c]] - box.RADIUS[box.KIND[d]]
            assert gap >= 2
    assert s.floors == 1
    assert 8 <= sum(1 for c in range(20) if s.cover[c]) < 20
    edges = room_for_edges()
    write_building(s, edges, 1)
    assert depth(edges, 0, CONTACTS, s.floor_x[0], s.floor_y[0]) > 14  # 15 by the bracket


@pytest.mark.rules("PAL-024")
def test_scattered_columns_lie_evenly_over_the_site():
    t = table()
    right = inner = 0
    for _ in range(150):
        setup.scatter(t.state)
        thin = [c for c in range(20) if box.KIND[c] == box.THIN]
        right += sum(t.state.x[c] > 0 for c in thin)
        inner += sum(np.hypot(t.state.x[c], t.state.y[c]) < 117.5 / np.sqrt(2) for c in thin)
    count = 150 * 12
    assert abs(right - count / 2) < 4 * np.sqrt(count) / 2
    # half of the disc lies within radius / sqrt(2); large columns, put down first, keep a little to the middle
    assert 0.40 < inner / count < 0.55


@pytest.mark.rules("PAL-027")
@pytest.mark.parametrize("tries", [100, 0])  # at random poses, before all are listed
def test_all_legal_poses_of_the_blue_floor_are_equally_likely(monkeypatch, tries):
    monkeypatch.setattr(setup, "QUICK_TRIES", tries)
    t = table()
    s = t.state
    setup.scatter(s)
    kept = [(s.x[c], s.y[c]) for c in range(20)]
    s.floors = 0
    legal = [int(p) for p in box.BLUE_POSES[::7] if try_pose(s, *looking(s), int(p))]
    legal = legal[:: max(1, len(legal) // 6)][:6]
    others = [int(p) for p in box.BLUE_POSES[::7] if not try_pose(s, *looking(s), int(p))][:6]
    monkeypatch.setattr(setup, "BLUE_POSES", np.array(legal + others))
    seen = dict.fromkeys(legal, 0)
    monkeypatch.setattr(setup, "scatter", lambda s: None)
    for _ in range(40 * len(legal)):
        s.floors = 0
        for c in range(20):
            s.level[c], s.cover[c], (s.x[c], s.y[c]) = 0, 0, kept[c]
        assert setup.lay_blue_at_random(s)
        row, column = (round(float(v[0]) / 10 + 11.5) for v in (s.floor_y, s.floor_x))
        seen[(s.rotation[0] * 24 + row) * 24 + column] += 1
    assert sum((n - 40) ** 2 / 40 for n in seen.values()) < 20.5  # chi-square, five degrees of freedom, 0.1 %


@pytest.mark.rules("PAL-025", "PAL-022")
def test_players_put_down_thick_then_medium_then_thin_columns_in_turn():
    t = table(3, setup="played")
    order = [4, 9, 14, 19, 3, 8, 13, 18, 0, 1, 2, 5, 6, 7, 10, 11, 12, 15, 16, 17]
    random = np.random.default_rng(3)
    for i, c in enumerate(order):
        s = t.state
        assert (s.phase, s.seat, s.chosen) == (Phase.SETUP_ROW, i % 3, c)
        t.play(int(random.choice(t.legal())))
        assert s.phase == Phase.SETUP_COLUMN
        assert s.seat == i % 3
        t.play(int(random.choice(t.legal())))
        t.check()
    assert t.state.phase == Phase.ROTATION
    assert t.seat == 2
    assert t.state.floors == 0
    for _ in range(3):
        t.play(int(random.choice(t.legal())))
    assert t.state.floors == 1
    assert t.state.phase == Phase.COLOUR
    t.check()


@pytest.mark.rules("PAL-025")
def test_the_first_column_may_go_on_any_cell_of_the_site_that_holds_it():
    t = table(setup="played")
    cells = 0
    for v in offered(t, "row"):
        u = t.clone().play(GAME.actions.encode("row", **v))
        cells += len(u.legal())
    steps = (np.arange(24) - 11.5) * 250 / 24
    assert cells == sum(np.hypot(x, y) <= 110 for x in steps for y in steps)


@pytest.mark.rules("PAL-025", "PAL-027")
def test_columns_on_which_blue_cannot_lie_are_scattered_anew():
    t = table(2, setup="played")
    s = t.state
    for c in range(20):  # as if all stood in one spot near the edge
        s.x[c], s.y[c], s.level[c] = 0.0, -110.0, 0
    s.laid = 20
    setup.ask_for_column(s)
    assert s.phase == Phase.ROTATION
    assert s.turnings != 0
    assert max(float(y) for y in s.y) > 0
    t.check()


@pytest.mark.rules("PAL-022", "PAL-023", "PAL-025")
def test_columns_put_down_keep_two_millimetres_and_stay_on_the_site():
    t = table(setup="played")
    t.play("row(row=12)").play("cell(cell=14)")  # the first thick column, the second one is thick, too
    steps = (np.arange(24) - 11.5) * 250 / 24  # three steps are 31.25 mm: more than two radii, less than two and 2 mm
    for row in range(24):
        for column in range(24):
            x, y = steps[column], steps[row]
            fits = np.hypot(x, y) <= 110 and np.hypot(x - steps[14], y - steps[12]) >= 32
            assert bool(t.state.room[box.THICK, row] >> column & 1) == fits, (row, column)


@pytest.mark.rules("PAL-025", "PAL-072")
def test_no_column_is_given_up_before_the_game():
    t = table(setup="played")
    assert {name for name, _ in (GAME.actions.decode(a) for a in t.legal())} == {"row"}
    t.play(t.legal()[3])
    assert {name for name, _ in (GAME.actions.decode(a) for a in t.legal())} == {"cell"}


@pytest.mark.rules("PAL-027", "PAL-028")
def test_the_blue_floor_needs_eight_columns_and_leaves_one_uncovered():
    t = table()
    s = t.state
    s.floors = 0
    assert columns_needed(s) == 8
    spots = [(-80.0, 10.0), (80.0, 10.0), (-40.0, 40.0), (40.0, 40.0), (-75.0, -45.0), (75.0, -45.0)]
    for covered, legal in ((7, False), (8, True), (19, True), (20, False)):
        for c in range(20):
            s.level[c], (s.x[c], s.y[c]) = 0, spots[c % 6] if c < covered else (0.0, -110.0)
        # centre (5, 5); the spots lie well inside the outline
        assert props_of_pose(s, 0, 12, 12) == covered
        assert is_pose(s, *looking(s), 0, 12, 12) == legal


@pytest.mark.rules("PAL-027")
@pytest.mark.parametrize(("front", "legal"), [(-8.0, True), (-7.0, False)])
def test_the_columns_under_blue_reach_fifteen_millimetres_beyond_its_middle(front, legal):
    """Thin columns, 7.5 mm each, to the left and right, as far in front of the middle and 30 mm behind it."""
    s = table().state
    s.floors = 0
    for c in range(20):
        s.level[c], s.x[c], s.y[c] = 0, 0.0, -110.0
    for i, c in enumerate((0, 1, 2, 5, 6, 7, 10, 11)):  # the middle is at (5, 5)
        s.x[c], s.y[c] = 65.0 if i % 2 else -55.0, 35.0 if i < 4 else 5 + front
    assert is_pose(s, *looking(s), 0, 12, 12) == legal


@pytest.mark.rules("PAL-029")
@pytest.mark.parametrize(("y", "props"), [(80.2, 1), (79.6, -1), (78.0, -1), (72.5, -1), (66.0, -1), (64.9, 2)])
def test_a_pose_that_covers_a_column_partly_is_none_where_that_is_not_allowed(y, props):
    # blue has a straight side from (-3.47, 72.53) to (11.53, 72.53), its centre is at (5, 5); a thin column has 7.5 mm
    s = table(partial_cover_allowed=False).state
    s.floors = 0
    for c in range(20):
        s.level[c] = NONE
    s.level[4] = s.level[0] = 0
    s.x[4], s.y[4], s.x[0], s.y[0] = 5.0, 35.0, 9.0, y + 4.95  # 4.95: a nudge keeps away from the knife's edge
    assert props_of_pose(s, 0, 12, 12) == props


@pytest.mark.rules("PAL-029")
def test_a_column_carries_from_one_millimetre_of_reach_on():
    # blue has a straight side from (-3.47, 72.53) to (11.53, 72.53); a thin column has radius 7.5
    for y, cover in ((79.1, 0), (78.9, 1), (70.53, 1), (64.9, 2)):
        t = table()
        build(t.state, {4: (0, -60, 0), 9: (0, 60, 0), 0: (0, 4.03, y)})
        assert t.state.cover[0] == cover, y


@pytest.mark.rules("PAL-029")
@pytest.mark.parametrize("seed", range(3))
def test_without_partial_cover_no_pose_covers_a_column_partly(seed):
    s = table(seed=seed, partial_cover_allowed=False).state
    assert {int(c) for c in s.cover} <= {0, 2}
    assert sum(1 for c in s.cover if c) >= 8


# --- 3: players and colours -------------------------------------------------------------------------


@pytest.mark.rules("PAL-030", "PAL-031", "PAL-032", "PAL-033", "PAL-034")
def test_four_players_take_one_colour_each_and_the_last_starts():
    t = table(4)
    assert list(t.state.seat_of).count(0) == 1
    for seat in (1, 2):
        assert t.seat == seat
        assert t.state.phase == Phase.COLOUR
        assert len(t.legal()) == 4 - seat
        t.play(t.legal()[-1])
    assert sorted(t.state.seat_of) == [0, 1, 2, 3]
    assert t.seat == 3
    assert t.state.phase == Phase.TURN
    mine = list(t.state.seat_of).index(3)
    assert {box.COLOUR[c] for c in columns_offered(t)} <= {mine}
    assert may(t, "propose()") is False  # no column on blue yet


@pytest.mark.rules("PAL-030")
def test_the_seal_shows_each_colour_equally_often():
    rolled = [list(table(seed=seed).state.seat_of).index(0) for seed in range(80)]
    assert all(8 <= rolled.count(k) <= 34 for k in range(4))


@pytest.mark.rules("PAL-035", "PAL-036", "PAL-037")
def test_two_players_take_two_colours_each_alternately():
    t = table(2)
    for seat in (1, 0):
        assert t.seat == seat
        t.play(t.legal()[0])
    assert sorted(t.state.seat_of) == [0, 0, 1, 1]
    assert t.seat == 1
    tower(t.state, 2, seat=0, more={3: (2, 0, 0), 13: (2, -50, 0)})
    t.refresh()
    assert {int(box.COLOUR[c]) for c in columns_offered(t)} == {0, 2}
    assert t.scores() == [4, 0]  # a medium column in each of the two colours


@pytest.mark.rules("PAL-038", "PAL-039")
def test_three_players_leave_a_neutral_colour_and_seat_2_starts():
    t = table(3)
    for seat in (1, 2):
        assert t.seat == seat
        t.play(t.legal()[0])
    assert sorted(t.state.seat_of) == [NEUTRAL, 0, 1, 2]
    assert t.seat == 2


# --- 4: the turn ------------------------------------------------------------------------------------


@pytest.mark.rules("PAL-045", "PAL-046", "PAL-054")
def test_a_turn_ends_with_a_placed_column():
    t = table(4)
    tower(t.state, 1, seat=0)
    t.refresh()
    for name in ("column(column=0)", "pull()", "row(row=12)", "cell(cell=12)"):
        assert t.seat == 0
        t.play(name)
    assert t.state.level[0] == 1
    assert (t.seat, t.state.phase, t.state.turns) == (1, Phase.TURN, 2)


@pytest.mark.rules("PAL-047", "PAL-048", "PAL-049")
def test_only_own_columns_from_any_level_are_offered():
    t = table(4)
    tower(t.state, 3, seat=0)  # blue columns stand free on the site (3), below blue (4), on blue (0, 1, 2)
    t.refresh()
    assert columns_offered(t) == [0, 1, 2, 3, 4]
    tower(t.state, 3, seat=1)
    t.refresh()
    assert columns_offered(t) == [5, 6, 7, 8, 9]


@pytest.mark.rules("PAL-047")
def test_any_colour_offers_every_column_below_the_top():
    t = table(4, any_colour=True)
    tower(t.state, 3, seat=0)
    t.refresh()
    assert columns_offered(t) == list(range(20))


@pytest.mark.rules("PAL-050", "PAL-051")
def test_columns_on_the_top_level_and_locked_ones_are_not_offered():
    t = table(4)
    tower(t.state, 1, seat=0, more={0: (1, 0, 0), 1: (1, 30, 0)})
    t.state.locked[2] = 1
    t.refresh()
    assert columns_offered(t) == [3, 4]


@pytest.mark.rules("PAL-052")
def test_a_column_without_a_place_is_not_offered():
    t = table(4)
    tower(t.state, 4, seat=0)
    s = t.state
    for c in (9, 14, 19, 8, 13, 18, 15, 16, 17, 5, 6):  # of other seats, until the orange floor takes no thick one
        cells = [(row, column) for row in range(24) for column in range(24) if s.room[box.KIND[c], row] >> column & 1]
        if s.rooms[box.THICK] and cells:
            row, column = cells[len(cells) // 2]
            s.level[c], s.cover[c] = 4, 0
            s.x[c], s.y[c] = (column - 11.5) * box.PITCH[3], (row - 11.5) * box.PITCH[3]
            find_room(s)
    t.refresh()
    assert s.rooms[box.THICK] == 0
    assert s.rooms[box.THIN] == 1
    assert 4 not in columns_offered(t)
    assert {0, 1, 2} <= set(columns_offered(t))


@pytest.mark.rules("PAL-053")
def test_a_proposal_is_offered_at_the_start_of_the_turn_only():
    t = table(4)
    tower(t.state, 1, seat=0, more={5: (1, -28, -5), 10: (1, 28, -5), 15: (1, 0, 20)})
    t.refresh()
    assert may(t, "propose()")
    t.play("column(column=0)")
    assert not may(t, "propose()")


@pytest.mark.rules("PAL-055", "PAL-056", "PAL-142")
def test_a_player_with_nothing_to_do_passes_and_a_round_of_that_ends_the_game():
    t = table(4)
    tower(t.state, 1, seat=0, more={c: (0, *place) for c, place in OUTSIDE.items()})
    for c in range(5, 15):
        t.state.locked[c] = 1  # green and yellow are locked: seats 1 and 2 pass
    t.refresh()
    assert not may(t, "stop()")
    t.play("column(column=0)").play("abort()")
    assert t.seat == 3
    for c in range(20):
        t.state.locked[c] = 1
    t.state.locked[15] = 0
    t.refresh()
    t.play("column(column=15)").play("abort()")
    assert t.over
    assert t.state.winner == NONE
    assert t.places() == [1, 1, 1, 1]


@pytest.mark.rules("PAL-148")
def test_the_game_ends_after_its_turns():
    t = table(4, turns=3)
    tower(t.state, 1, seat=0)
    t.refresh()
    for c in (0, 5, 10):
        t.play(f"column(column={c})").play("abort()")
    assert t.over
    assert not t.state.collapsed


@pytest.mark.rules("PAL-148", "PAL-143")
def test_at_the_cap_the_owner_of_the_seal_wins():
    t = table(4, turns=1)
    tower(t.state, 2, seat=0)
    t.state.owner, t.state.opened = 2, 1
    t.refresh().play("column(column=3)").play("abort()")
    assert (t.over, t.state.capped, t.state.winner) == (True, 1, 2)
    assert t.places() == [2, 2, 1, 2]


def last_but_one_turn(free):
    """Seat 1 has locked its last column; seats 2 and 3 have nothing to do; green has no pose, and only seat 0 may try.

    Columns `free` of seat 0 are not locked.
    """
    t = table(4)
    tower(t.state, 1, seat=1, more={5: (1, -100.0, -30.0), 10: (1, -85.0, -35.0), 15: (1, -93.0, -50.0)})
    for c in range(20):
        t.state.locked[c] = c != 8 and c not in free
    for p in (1, 2, 3):
        t.state.barred[p] = 1
    return t.refresh().play("column(column=8)").play("abort()")


@pytest.mark.rules("PAL-055", "PAL-090", "PAL-110", "PAL-142")
def test_a_proposal_ends_a_row_of_passes():
    t = last_but_one_turn(free=())
    assert (t.seat, t.state.turns, t.state.passes) == (0, 4, 2)  # seats 2 and 3 have passed
    assert [GAME.actions.name(a) for a in t.legal()] == ["propose()"]  # which keeps seat 0 from passing
    t.play("propose()")  # nobody has a column to object with; there is no pose
    assert t.over
    assert t.state.turns == 8  # seats 1, 2, 3 and 0 have passed since


@pytest.mark.rules("PAL-055", "PAL-142")
def test_an_aborted_column_ends_a_row_of_passes():
    t = last_but_one_turn(free=(3,))
    t.state.barred[0] = 1
    t.refresh()
    assert (t.seat, t.state.turns, t.state.passes) == (0, 4, 2)
    t.play("column(column=3)").play("abort()")
    assert t.over
    assert t.state.turns == 8


def test_options_are_checked():
    with pytest.raises(OptionError, match="sigma"):
        table(sigma=2.0)
    with pytest.raises(IllegalAction, match="Legal now"):
        table().play("pull()")


def test_proceed_does_nothing_while_a_decision_is_due():
    t = table()
    before = t.to_bytes()
    turn.proceed(t.state)
    assert t.to_bytes() == before
