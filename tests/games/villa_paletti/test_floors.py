"""Villa Paletti: new floors, and the neutral colour of three players (sections 7 and 8 of RULES.md)."""

import math

import numpy as np
import pytest

from alarife.engine.table import Table
from alarife.games.villa_paletti import GAME
from alarife.games.villa_paletti import components as box
from alarife.games.villa_paletti.components import FLOORS, GRID, NONE, ROTATIONS, Act, Phase, Todo
from alarife.games.villa_paletti.rules import places, statics
from alarife.games.villa_paletti.rules.turn import proceed
from games.villa_paletti.positions import OUTSIDE, build, tower

CALM = {"sigma": 0.0, "reading_noise": 0.0, "imperfection": False}
#: Three columns of seats 1, 2, 3 on the blue floor, apart from those that `tower` uses there.
ON_BLUE = {5: (1, -28.0, -5.0), 10: (1, 28.0, -5.0), 15: (1, 0.0, 20.0)}


def table(players=4, seed=1, **options):
    return Table(GAME, players, CALM | options, seed=seed, interpreted=True)


def proposal(players=4, more=None, seat=0, **options):
    """A table at which green may be proposed."""
    t = table(players, **options)
    tower(t.state, 1, seat, ON_BLUE | (more or {}))
    return t.refresh()


def names(t):
    return [GAME.actions.name(a) for a in t.legal()]


def columns_offered(t):
    return [a for a in t.legal() if a < 20]


def place(t):
    """Pull the chosen column and put it on the first place."""
    t.play("pull()")
    t.play(t.legal()[len(t.legal()) // 2 - 1])
    return t.play(t.legal()[len(t.legal()) // 2])


def lay(t):
    """Choose a pose, the first of each."""
    for _ in range(3):
        t.play(t.legal()[0])
    return t


# --- 7: new floor -----------------------------------------------------------------------------------


@pytest.mark.rules("PAL-090", "PAL-091", "PAL-093", "PAL-105", "PAL-160")
def test_without_objection_the_proposer_lays_the_next_floor():
    t = proposal().play("propose()")
    for seat in (1, 2, 3):
        assert (t.seat, t.state.phase) == (seat, Phase.OBJECT)
        assert names(t) == ["object_to()", "agree()"]
        t.play("agree()")
    assert (t.seat, t.state.phase) == (0, Phase.ROTATION)
    lay(t)
    assert t.state.floors == 2
    assert t.seat == 1
    t.check()


@pytest.mark.rules("PAL-092")
def test_a_proposal_needs_three_columns_on_the_top_level_and_a_floor_that_is_left():
    assert "propose()" in names(proposal())
    assert "propose()" not in names(proposal(more={5: (0, *OUTSIDE[5])}))
    t = table()
    tower(t.state, 5, 0)
    assert "propose()" not in names(t.refresh())


@pytest.mark.rules("PAL-094")
def test_nobody_is_asked_without_a_column_to_demonstrate_with():
    t = proposal()
    for c in range(5):
        t.state.locked[c] = 1
    t.refresh()
    assert names(t) == ["propose()"]
    assert t.play("propose()").state.phase == Phase.ROTATION


@pytest.mark.rules("PAL-093", "PAL-095")
def test_the_first_objector_chooses_among_the_proposers_columns():
    t = proposal().play("propose()").play("agree()").play("object_to()")
    assert (t.seat, t.state.objector, t.state.phase) == (2, 2, Phase.DEMONSTRATE)
    assert columns_offered(t) == [0, 1, 2, 3, 4]
    assert {int(box.COLOUR[c]) for c in columns_offered(proposal(2).play("propose()").play("object_to()"))} == {0, 2}


@pytest.mark.rules("PAL-095", "PAL-115")
def test_with_three_players_the_objector_may_take_a_neutral_column():
    t = proposal(3)
    t.play("propose()").play("object_to()")
    assert columns_offered(t) == [0, 1, 2, 3, 4, 16, 17, 18, 19]  # column 15, neutral, is on the top level


@pytest.mark.rules("PAL-096", "PAL-097", "PAL-098", "PAL-114")
def test_a_successful_objection_takes_the_column_out_and_ends_the_turn():
    t = table()
    tower(t.state, 2, 0, {5: (2, -28.0, -5.0), 10: (2, 28.0, -5.0), 15: (2, 0.0, 20.0)})
    t.refresh().play("propose()").play("object_to()")
    room = [[int(bits) for bits in row] for row in t.state.room]
    place(t.play("column(column=3)"))
    s = t.state
    assert (s.level[3], s.removed, s.floors) == (NONE, 1, 2)
    assert (t.seat, s.phase) == (1, Phase.TURN)
    assert s.owner == NONE  # green, and the first column placed on it: but it leaves at once
    assert [[int(bits) for bits in row] for row in s.room] == room
    t.check()


@pytest.mark.rules("PAL-099", "PAL-100", "PAL-101", "PAL-103")
def test_after_a_failed_objection_the_proposer_may_take_a_column_of_the_objector():
    t = proposal().play("propose()").play("object_to()").play("column(column=3)").play("abort()")
    assert t.state.locked[3] == 1
    assert (t.seat, t.state.phase, t.state.act) == (0, Phase.PENALTY, Act.PENALTY)
    assert columns_offered(t) == [5, 6, 7, 8, 9]  # 5 stands on the top level
    assert names(t)[-1] == "stop()"
    u = t.clone().play("column(column=8)").play("pull()")
    assert u.state.level[8] == NONE
    assert (u.seat, u.state.phase) == (0, Phase.ROTATION)
    assert t.play("stop()").state.phase == Phase.ROTATION
    assert lay(t).state.floors == 2


@pytest.mark.rules("PAL-100")
def test_a_locked_column_is_no_penalty():
    t = proposal()
    t.state.locked[8] = 1
    t.refresh().play("propose()").play("object_to()").play("column(column=3)").play("abort()")
    assert columns_offered(t) == [5, 6, 7, 9]
    assert 3 not in columns_offered(t)


@pytest.mark.rules("PAL-102")
def test_aborting_a_penalty_locks_nothing_and_a_collapse_is_the_proposers():
    t = proposal(more={13: (1, 70.0, 10.0)})
    t.play("propose()").play("object_to()").play("column(column=3)").play("abort()")
    u = t.clone().play("column(column=9)").play("abort()")
    assert u.state.locked[9] == 0
    assert u.state.phase == Phase.ROTATION
    t.play("column(column=9)").play("pull()")  # 9 carries blue
    assert (t.state.collapsed, t.state.causer) == (1, 0)


@pytest.mark.rules("PAL-104")
def test_a_collapse_by_the_objector_is_the_objectors():
    t = proposal(more={13: (1, -70.0, 10.0)})
    t.play("propose()").play("agree()").play("object_to()").play("column(column=4)").play("pull()")
    assert (t.state.collapsed, t.state.causer) == (1, 2)


@pytest.mark.rules("PAL-106", "PAL-177")
def test_poses_keep_the_floor_over_the_base_plate():
    for f in range(FLOORS):
        for i in (0, 3):
            cosine, sine = box.TURN[i]
            for row in range(GRID):
                for column in range(GRID):
                    x, y = (column - 11.5) * 10, (row - 11.5) * 10
                    corners = box.OUTLINE[f, : box.SIDES[f]] @ [[cosine, sine], [-sine, cosine]] + [x, y]
                    over = np.hypot(*corners.T).max() <= 150
                    assert bool(box.OVER_PLATE[f, i, row] >> column & 1) == over


@pytest.mark.rules("PAL-107")
def test_a_floor_needs_three_columns_and_in_the_variant_two_for_orange_and_red():
    for variant in (False, True):
        t = table(two_column_floors=variant)
        for floors, needed in ((1, 3), (2, 3), (3, 2 if variant else 3), (4, 2 if variant else 3)):
            tower(t.state, floors, 0)
            assert places.columns_needed(t.state) == needed
            two = {5: (floors, -10.0, 0.0), 8: (floors, 15.0, 0.0)} if floors < 2 else \
                  {3: (floors, -10.0, 0.0), 8: (floors, 15.0, 0.0)}  # fmt: skip
            tower(t.state, floors, 0, two)
            assert ("propose()" in names(t.refresh())) == (needed == 2)


@pytest.mark.rules("PAL-108", "PAL-163", "PAL-109")
@pytest.mark.parametrize("floors", [1, 2, 4])
def test_poses_are_those_supported_and_balanced(floors):
    t = table()
    spots = [(-33.0, -20.0), (24.0, -6.0), (-8.0, 21.0), (-30.0, 5.0)]
    movable = (3, 8, 13, 18)
    tower(t.state, floors, 0, {c: (floors, *spot) for c, spot in zip(movable, spots, strict=True)})
    s = t.state
    places.find_turnings(s)
    for i in (0, 5, 11):
        places.find_poses(s, i)
        assert bool(s.turnings >> i & 1) == any(int(bits) for bits in s.poses)
        for row in range(GRID):
            for column in range(GRID):
                legal = is_pose_by_hand(floors, i, row, column, spots)
                assert bool(s.poses[row] >> column & 1) == legal


def is_pose_by_hand(f, i, row, column, spots):
    """Section 6 of the physics, written down once more."""
    return reach_by_hand(f, i, row, column, spots) >= 0.5


def reach_by_hand(f, i, row, column, spots):
    """How far the medium columns on some spots reach beyond the centre of a pose; -1 if too few carry it."""
    if not box.OVER_PLATE[f, i, row] >> column & 1:
        return -1.0
    cosine, sine = (float(part) for part in box.TURN[i])
    props = []
    for x, y in spots:
        p, q = x - (column - 11.5) * 10, y - (row - 11.5) * 10
        r = float(box.RADIUS[box.MEDIUM])
        u, v = p * cosine + q * sine, q * cosine - p * sine
        d = float(box.signed_distances(f, np.array(u), np.array(v)))
        if d < r - 1.0 and deepest_by_hand(f, u, v, i) > 1.0:
            props.append((p, q, r if d <= -r else (r - d) / 2))
    if len(props) < 3:
        return -1.0
    return min(
        max(u * p + v * q + rho for p, q, rho in props) for u, v in zip(box.DIRECTION_X, box.DIRECTION_Y, strict=True)
    )


def deepest_by_hand(f, u, v, i):
    """How deep the sides of a hexagon reach under a floor, at a hundred points of each."""
    cosine, sine = (float(part) for part in box.TURN[i])
    x, y = box.AROUND[box.MEDIUM, :6].T
    ring = np.column_stack([u + x * cosine + y * sine, v + y * cosine - x * sine])
    share = np.linspace(0.0, 1.0, 101)[:, None, None]
    points = ring + (np.roll(ring, -1, axis=0) - ring) * share
    return -float(box.signed_distances(f, points[..., 0], points[..., 1]).min())


def worth(t):
    """What the scripted player thinks of a building: its tilt index, 0.2 at most, less the risk that it falls."""
    margin = float(min(t.state.margin[: t.state.floors]))
    return min(float(t.state.index), 0.2) - (0.5 * math.exp(-0.5 * (margin / 1.5) ** 2) if margin > 0.0 else 1.0)


@pytest.mark.parametrize("floors", [1, 2, 4])
def test_the_scripted_player_lays_the_floor_in_the_pose_that_is_worth_most(floors):
    """The steadiest pose of each rotation by hand, and of these the building that is worth most when all are tried."""
    t = table()
    spots = [(-33.0, -20.0), (24.0, -6.0), (-8.0, 21.0), (-30.0, 5.0)]
    tower(t.state, floors, 0, {c: (floors, *spot) for c, spot in zip((3, 8, 13, 18), spots, strict=True)})
    t.refresh().play("propose()")
    while t.state.phase == Phase.OBJECT:
        t.play("agree()")
    assert t.state.phase == Phase.ROTATION
    advised = t.script()
    worths = {}
    for turn in t.legal():
        laid = t.clone()
        laid.play(turn)
        i = int(laid.state.pose_turn)
        legal = [(row, n) for row in range(GRID) for n in range(GRID) if laid.state.poses[row] >> n & 1]
        laid.play(laid.script())
        row = int(laid.state.row)
        last = laid.script()
        column = int(GAME.actions.name(last).split("=")[1].rstrip(")"))
        if i % 8 == 3:  # by hand it takes long
            most = max(reach_by_hand(floors, i, *pose, spots) for pose in legal)
            assert reach_by_hand(floors, i, row, column, spots) == pytest.approx(most, abs=1e-9)
        laid.play(last)
        worths[turn] = worth(laid)
    assert worths[advised] == pytest.approx(max(worths.values()), abs=1e-9)


@pytest.mark.parametrize(("floors", "column"), [(1, 8), (2, 5), (4, 18)])
def test_the_scripted_player_puts_a_column_where_it_is_worth_most(floors, column):
    """All cells are tried: the building's worth with half the risk, and 0.0005 more for each cell from the middle."""
    t = table()
    spots = {3: (floors, -33.0, -20.0), 13: (floors, 24.0, -6.0)}
    tower(t.state, floors, 1, spots)
    t.refresh()
    own = [a for a in columns_offered(t) if t.state.level[a] == 0]
    t.play(own[column % len(own)])
    t.play("pull()")
    advised = t.clone()
    advised.play(advised.script())
    advised = int(advised.state.row), advised.script()
    worths = {}
    for row in t.legal():
        tried = t.clone()
        tried.play(row)
        if tried.state.phase == Phase.COLUMN:
            for cell in tried.legal():
                put = tried.clone()
                put.play(cell)
                n = int(GAME.actions.name(cell).split("=")[1].rstrip(")"))
                margin = float(min(put.state.margin[:floors]))
                risk = 0.5 * math.exp(-0.5 * (margin / 1.5) ** 2) if margin > 0.0 else 1.0
                away = 0.0005 * (abs(int(put.state.row) - 11.5) + abs(n - 11.5))
                worths[int(put.state.row), cell] = min(float(put.state.index), 0.2) - 0.5 * risk + away
    assert len(worths) > 20
    assert worths[advised] == pytest.approx(max(worths.values()), abs=1e-9)


@pytest.mark.rules("PAL-109", "PAL-110")
def test_without_a_pose_the_idea_is_given_up_until_the_top_level_changes():
    corner = {5: (1, -100.0, -30.0), 10: (1, -85.0, -35.0), 15: (1, -93.0, -50.0)}  # green would reach over the plate
    t = table()
    tower(t.state, 1, 0, corner)
    t.refresh()
    t.play("propose()").play("agree()").play("agree()").play("agree()")
    assert t.state.floors == 1
    assert t.seat == 1
    assert list(t.state.barred) == [1, 0, 0, 0]
    place(t.play("column(column=8)"))
    assert list(t.state.barred) == [0, 0, 0, 0]


#: Three columns of seats 1, 2, 3 and one more of seat 3 in a corner, where green would reach over the base plate.
CORNER = {5: (1, -100.0, -30.0), 10: (1, -85.0, -35.0), 15: (1, -93.0, -50.0), 16: (1, -75.0, -50.0)}


def barred():
    """Seat 0 has proposed green, which found no pose; it is the turn of seat 1."""
    t = table()
    tower(t.state, 1, 0, CORNER)
    t.refresh().play("propose()").play("agree()").play("agree()").play("agree()")
    assert (t.seat, t.state.floors) == (1, 1)
    return t


@pytest.mark.rules("PAL-110")
def test_only_the_seat_that_found_no_pose_may_not_propose():
    t = barred()
    for seat, column in ((1, 8), (2, 13), (3, 18)):
        assert t.seat == seat
        assert "propose()" in names(t)
        t.play(f"column(column={column})").play("abort()")  # the top level stays as it is
    assert t.seat == 0
    assert names(t) == [f"column(column={c})" for c in range(5)]
    place(t.play("column(column=3)"))
    for column in (9, 14, 19):  # the top level has changed
        assert "propose()" in names(t)
        t.play(f"column(column={column})").play("abort()")
    assert t.seat == 0
    assert "propose()" in names(t)


@pytest.mark.rules("PAL-100", "PAL-110")
@pytest.mark.parametrize(("taken", "again"), [(10, True), (13, False)])
def test_a_penalty_taken_from_the_top_level_lets_all_propose_again(taken, again):
    t = barred().play("propose()").play("object_to()").play("column(column=8)").play("abort()")
    assert (t.seat, t.state.phase, t.state.objector) == (1, Phase.PENALTY, 2)
    t.play(f"column(column={taken})").play("pull()")  # 10 stands on the top level, 13 on the building site
    assert (t.state.level[taken], t.state.floors, t.seat) == (NONE, 1, 2)  # green still has no pose
    assert list(t.state.barred) == [0 if again else 1, 1, 0, 0]
    t.play("column(column=14)").play("abort()").play("column(column=18)").play("abort()")
    assert t.seat == 0
    assert ("propose()" in names(t)) == again


@pytest.mark.rules("PAL-097", "PAL-110")
def test_a_column_that_leaves_at_once_is_no_change_of_the_top_level():
    t = barred().play("propose()").play("object_to()").play("column(column=8)")
    place(t)
    assert (t.state.level[8], t.seat) == (NONE, 2)
    assert list(t.state.barred) == [1, 0, 0, 0]


@pytest.mark.rules("PAL-053", "PAL-095")
def test_an_objector_has_to_demonstrate():
    t = proposal().play("propose()").play("object_to()")
    assert names(t) == [f"column(column={c})" for c in range(5)]


@pytest.mark.rules("PAL-092")
def test_no_sixth_floor_is_proposed_on_three_columns_of_the_red_one():
    t = table()
    tower(t.state, 5, 0, {8: (5, -24.0, 0.0), 13: (5, 0.0, 0.0), 18: (5, 25.0, 0.0)})
    assert names(t.refresh()) == [f"column(column={c})" for c in range(5)]


@pytest.mark.rules("PAL-111")
def test_columns_of_the_old_top_level_beside_the_new_floor_become_free_standing():
    t = proposal(more={3: (1, 95.0, -60.0)})
    assert 3 not in columns_offered(t)
    t.play("propose()").play("agree()").play("agree()").play("agree()")
    laid = []
    for turn in t.legal():
        u = t.clone().play(turn)
        u.play(u.legal()[-1])  # towards the back
        laid.append(u.play(u.legal()[0]))
    beside = [u for u in laid if not u.state.cover[3]]
    assert beside
    for u in beside:
        u.state.turn_of = 3
        u.state.todo = Todo.NEXT_TURN
        proceed(u.state)
        assert 3 in columns_offered(u.refresh())


@pytest.mark.rules("PAL-112")
def test_laying_a_floor_jolts_the_building_and_a_collapse_is_the_proposers():
    t = proposal(sigma=0.1)
    t.play("propose()").play("agree()").play("agree()").play("agree()")
    t.play(t.legal()[0]).play(t.legal()[0])
    action = t.legal()[0]
    calm = t.clone()
    calm.state.options.sigma = 0.0
    calm.play(action)
    index = statics.weigh(calm.state, NONE, True)[1]
    falls = 0
    for key in range(200):
        u = t.clone()
        u.state.rng = np.uint64(31 * key + 7)
        u.play(action)
        falls += u.state.collapsed
        assert not u.over or u.state.causer == 0
    chance = math.exp(-(index**2) / (2 * 0.1**2))
    assert abs(falls / 200 - chance) < 4 * math.sqrt(max(chance * (1 - chance), 0.002) / 200)


@pytest.mark.rules("PAL-113")
def test_with_any_colour_the_owner_of_the_placed_column_takes_the_seal():
    t = table(any_colour=True)
    tower(t.state, 2, 0)
    t.refresh()
    place(t.play("column(column=13)"))  # seat 0 moves a yellow column: seat 2 owns it
    assert t.state.owner == 2
    u = proposal(any_colour=True).play("propose()").play("object_to()")
    assert len(columns_offered(u)) == 17  # all but the three on top


# --- 8: three players -------------------------------------------------------------------------------


def three(seat=0, more=None, **options):
    t = table(3, **options)
    tower(t.state, 1, seat, more)
    return t.refresh()


@pytest.mark.rules("PAL-115", "PAL-116", "PAL-161")
def test_a_neutral_column_is_moved_first():
    t = three()
    assert t.state.act == Act.NEUTRAL
    assert columns_offered(t) == [15, 16, 17, 18, 19]
    assert "stop()" not in names(t)
    u = three(more=ON_BLUE)
    assert "propose()" in names(u)
    assert 15 not in columns_offered(u)  # on the top level


@pytest.mark.rules("PAL-115", "PAL-125", "PAL-175")
def test_one_neutral_column_stays_on_each_level_and_locked_ones_count():
    t = three(more={c: (1, x, y) for c, x, y in ((15, -60, 10), (16, 60, 10), (17, 0, 55))})
    assert columns_offered(t) == [18, 19]
    t.state.locked[18] = 1
    assert columns_offered(t.refresh()) == [19]
    t.state.level[18] = NONE
    t.state.removed += 1
    assert 19 not in columns_offered(t.refresh())


@pytest.mark.rules("PAL-117", "PAL-124", "PAL-128")
def test_after_the_neutral_column_an_own_one_or_the_end_of_the_turn():
    t = three(more=ON_BLUE)
    place(t.play("column(column=18)"))
    assert t.seat == 0
    assert columns_offered(t) == [0, 1, 2, 3, 4]
    assert "stop()" in names(t)
    assert "propose()" not in names(t)
    assert t.clone().play("stop()").seat == 1
    assert place(t.play("column(column=3)")).seat == 1


@pytest.mark.rules("PAL-124")
def test_neutral_columns_take_no_seal_and_score_for_nobody():
    t = table(3)
    tower(t.state, 2, 0)
    place(t.refresh().play("column(column=18)"))
    assert t.state.owner == NONE
    assert t.scores() == [0, 0, 0]
    place(t.play("column(column=3)"))
    assert t.state.owner == 0  # still the first own column on the floor


@pytest.mark.rules("PAL-113", "PAL-124", "PAL-137")
def test_a_neutral_column_does_not_open_a_later_floor():
    t = table(3, any_colour=True)
    tower(t.state, 3, 0)
    t.state.owner = 1
    place(t.refresh().play("column(column=18)"))  # the neutral step
    place(t.play("column(column=19)"))  # any colour may be moved: a neutral one again
    s = t.state
    assert (s.level[18], s.level[19], t.seat) == (3, 3, 1)
    assert (s.owner, s.former, s.opened) == (1, NONE, 0)
    assert GAME.features.describe(t.observe(1))["opened"] == 0
    place(t.play("column(column=15)"))
    place(t.play("column(column=10)"))  # of seat 2: the first own column
    assert (s.owner, s.former, s.opened) == (2, 1, 1)


@pytest.mark.rules("PAL-118", "PAL-127")
def test_without_a_neutral_column_the_turn_starts_with_an_own_one():
    more = {c: (1, x, y) for c, x, y in ((15, -28, -5), (16, 28, -5), (17, 0, 20), (18, -60, 20), (19, 60, 20))}
    t = three(more=more)
    assert t.state.act == Act.BUILD
    assert columns_offered(t) == [0, 1, 2, 3, 4]
    assert "propose()" in names(t)
    assert "stop()" not in names(t)
    for c in range(5):
        t.state.locked[c] = 1
    assert names(t.refresh()) == ["propose()", "stop()"]
    assert t.play("stop()").seat == 1
    assert t.state.passes == 1


@pytest.mark.rules("PAL-119", "PAL-120", "PAL-123")
def test_after_a_neutral_abort_the_others_may_object():
    t = three().play("column(column=18)").play("abort()")
    assert t.state.locked[18] == 1
    for seat in (1, 2):
        assert (t.seat, t.state.phase) == (seat, Phase.OBJECT)
        t.play("agree()")
    assert (t.seat, t.state.phase, t.state.act) == (0, Phase.TURN, Act.BUILD)
    assert columns_offered(t) == [0, 1, 2, 3, 4]
    assert "stop()" in names(t)
    assert "propose()" not in names(t)


@pytest.mark.rules("PAL-121", "PAL-122")
def test_an_objector_who_places_another_neutral_column_ends_the_turn():
    t = three().play("column(column=18)").play("abort()").play("agree()").play("object_to()")
    assert (t.seat, t.state.phase) == (2, Phase.DEMONSTRATE)
    assert columns_offered(t) == [15, 16, 17, 19]
    place(t.play("column(column=19)"))
    assert t.state.level[19] == 1
    assert (t.seat, t.state.phase) == (1, Phase.TURN)
    t.check()


@pytest.mark.rules("PAL-123")
def test_an_objector_who_aborts_locks_and_the_turn_goes_on():
    t = three().play("column(column=18)").play("abort()").play("object_to()").play("column(column=19)").play("abort()")
    assert t.state.locked[19] == 1
    assert (t.seat, t.state.act) == (0, Act.BUILD)
    assert "stop()" in names(t)


@pytest.mark.rules("PAL-126")
def test_a_collapse_by_the_objector_to_a_neutral_abort_is_the_objectors():
    spots = {16: (0, -28.0, -5.0), 17: (0, 28.0, -5.0), 19: (0, 0.0, 20.0), 15: (0, 0.0, -60.0), 0: (0, 25.0, -60.0)}
    t = table(3)
    build(t.state, spots)
    t.refresh().play("column(column=15)").play("abort()").play("object_to()").play("column(column=16)").play("pull()")
    assert (t.state.collapsed, t.state.causer) == (1, 1)


@pytest.mark.rules("PAL-117")
def test_without_an_own_column_the_turn_ends_after_the_neutral_one():
    t = three()
    for c in range(5):
        t.state.locked[c] = 1
    place(t.refresh().play("column(column=18)"))
    assert t.seat == 1


@pytest.mark.rules("PAL-108")
def test_every_rotation_of_a_round_trip_of_poses_is_offered_once():
    t = proposal().play("propose()").play("agree()").play("agree()").play("agree()")
    assert 1 <= len(t.legal()) <= ROTATIONS
    assert len(set(t.legal())) == len(t.legal())
