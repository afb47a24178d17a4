"""Villa Paletti: collapse, Seal, end, decision points, invariants (sections 9 to 12 of RULES.md)."""

import numpy as np
import pytest

from alarife.engine.batch import Batch
from alarife.engine.table import Table
from alarife.games.villa_paletti import GAME
from alarife.games.villa_paletti.actions import ACTIONS
from alarife.games.villa_paletti.components import NONE, Phase, Proof, Todo
from alarife.games.villa_paletti.observation import measured
from alarife.games.villa_paletti.rules import end, invariants
from alarife.testing import check_game
from games.villa_paletti.positions import build, tower

HALF_A_STEP = 0.5 / 127 + 1e-6  # by which the view rounds what is measured
CALM = {"sigma": 0.0, "reading_noise": 0.0, "imperfection": False}


def table(players=4, seed=1, **options):
    return Table(GAME, players, CALM | options, seed=seed, interpreted=True)


def green(players=4, seat=0, more=None, **options):
    """A table with the green floor on top."""
    t = table(players, **options)
    tower(t.state, 2, seat, more)
    return t.refresh()


def place(t, column):
    """Take a column and put it on a place in the middle of the top floor."""
    t.play(f"column(column={column})").play("pull()")
    t.play(t.legal()[len(t.legal()) // 2 - 1])
    return t.play(t.legal()[len(t.legal()) // 2])


# --- 9: Seal ----------------------------------------------------------------------------------------


@pytest.mark.rules("PAL-130", "PAL-170", "PAL-171", "PAL-176")
def test_any_floor_that_cannot_be_held_up_is_a_collapse_of_all():
    t = table()
    tower(t.state, 3, 1)
    t.refresh().play("column(column=5)")  # carries only the yellow floor
    assert t.state.spare_margin < 0
    assert t.clone().play("lift()").state.proof[5] == Proof.FALLS
    t.play("pull()")
    assert (t.over, t.state.collapsed, t.state.causer) == (True, 1, 1)


@pytest.mark.rules("PAL-131")
def test_no_points_and_no_seal_on_the_blue_floor():
    t = table()
    tower(t.state, 1, 0)
    place(t.refresh(), 3)
    assert t.state.owner == NONE
    assert t.scores() == [0, 0, 0, 0]
    t = green(floor_order="yellow_first")  # here the second floor is yellow, and green the third
    place(t, 3)
    assert t.state.owner == NONE
    assert t.scores() == [0, 0, 0, 0]


@pytest.mark.rules("PAL-132", "PAL-138", "PAL-017")
def test_the_first_own_column_on_green_takes_the_seal_which_shows_nobody():
    t = place(green(), 3)
    assert (t.state.owner, t.state.former) == (0, NONE)
    assert t.scores() == [2, 0, 0, 0]


@pytest.mark.rules("PAL-133", "PAL-134", "PAL-135", "PAL-138")
def test_more_points_take_the_seal_and_equal_points_do_not():
    t = place(place(green(), 3), 8)
    assert t.scores() == [2, 2, 0, 0]
    assert t.state.owner == 0
    t = green(seat=2, more={14: (0, -65.0, 85.0), 19: (0, 0.0, 20.0)})  # the thick yellow one stands free
    t.state.owner, t.state.opened = 0, 1
    place(t, 14)
    assert (t.state.owner, t.state.former) == (2, 0)
    assert t.scores()[2] == 3


@pytest.mark.rules("PAL-136", "PAL-137", "PAL-140")
def test_a_new_floor_voids_points_and_the_owner_keeps_the_seal_until_the_first_column():
    t = green(more={3: (2, -28.0, -5.0), 8: (2, 28.0, -5.0), 13: (2, 0.0, 20.0)}, seat=1)
    t.state.owner, t.state.former, t.state.opened = 0, 3, 1
    assert t.scores() == [2, 2, 2, 0]
    t.play("propose()")
    while t.state.floors == 2:
        t.play("agree()" if t.state.phase == Phase.OBJECT else t.legal()[0])
    assert t.scores() == [0, 0, 0, 0]
    assert (t.state.owner, t.state.opened) == (0, 0)
    place(t, 10)  # seat 2: one point is enough on a new floor
    assert (t.state.owner, t.state.former) == (2, 0)


@pytest.mark.rules("PAL-139")
def test_the_owner_who_is_first_on_a_new_floor_keeps_the_seal_as_it_is():
    t = green()
    t.state.owner, t.state.former, t.state.opened = 0, 3, 0
    place(t, 3)
    assert (t.state.owner, t.state.former, t.state.opened) == (0, 3, 1)


@pytest.mark.rules("PAL-141")
def test_points_lost_by_a_penalty_do_not_move_the_seal():
    t = green(more={3: (2, -28.0, -5.0), 8: (2, 28.0, -5.0), 13: (2, 0.0, 20.0)})
    t.state.owner, t.state.opened = 1, 1
    t.play("propose()").play("object_to()").play("column(column=4)").play("abort()")
    t.play("column(column=8)").play("pull()")
    assert t.scores()[1] == 0
    assert t.state.owner == 1


# --- 9: end -----------------------------------------------------------------------------------------


def fallen(players, owner, former, causer):
    """A building that a seat has just brought down."""
    t = green(players)
    t.state.owner, t.state.former, t.state.seat = owner, former, causer
    end.collapse(t.state)
    return t


@pytest.mark.rules("PAL-143", "PAL-144", "PAL-146", "PAL-147")
@pytest.mark.parametrize(("owner", "former", "causer", "winner"), [
    (1, 2, 0, 1), (1, 2, 1, 2), (1, 2, 2, 1), (1, NONE, 1, NONE), (NONE, NONE, 3, NONE),
])  # fmt: skip
def test_the_owner_wins_or_the_former_owner_if_the_owner_did_it(owner, former, causer, winner):
    t = fallen(4, owner, former, causer)
    assert t.state.winner == winner
    if winner == NONE:
        assert t.places() == [4 if p == causer else 1 for p in range(4)]
    else:
        assert t.places() == [1 if p == winner else 2 for p in range(4)]


@pytest.mark.rules("PAL-142", "PAL-143", "PAL-145")
def test_an_end_without_collapse_is_won_by_the_owner_or_drawn():
    for owner in (2, NONE):
        t = green()
        t.state.owner = owner
        end.end_game(t.state)
        assert t.state.winner == owner
        assert t.places() == [1 if p == owner or owner == NONE else 2 for p in range(4)]


@pytest.mark.rules("PAL-147")
def test_payoffs_sum_to_zero():
    for players in (2, 3, 4):
        batch = Batch(GAME, 16, players, seed=2)
        for _ in range(300):
            batch.step(batch.sample())
            assert abs(batch.reward[batch.finished].sum(axis=1)).max(initial=0) < 1e-6
            for row in np.flatnonzero(batch.finished):
                winner, causer = (int(batch.final_state[row][name]) for name in ("winner", "causer"))
                if winner >= 0:
                    expected = [1 if p == winner else -1 / (players - 1) for p in range(players)]
                elif causer >= 0:
                    expected = [-1 if p == causer else 1 / (players - 1) for p in range(players)]
                else:
                    expected = [0] * players
                assert batch.reward[row, :players] == pytest.approx(expected)


# --- 10: decision points ----------------------------------------------------------------------------


def test_the_action_ids():
    first = {"column": 0, "propose": 20, "stop": 21, "pull": 22, "lift": 23, "abort": 24, "commit": 25, "object_to": 26,
             "agree": 27, "rotation": 28, "row": 44, "cell": 68, "colour": 92}  # fmt: skip
    assert {family: ACTIONS.span(family).start for family in ACTIONS.families} == first
    assert ACTIONS.size == 96


@pytest.mark.rules("PAL-160", "PAL-161", "PAL-162", "PAL-186")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_turn_takes_more_decisions_than_counted(players):
    most = {2: 14, 3: 15, 4: 14}[players]
    batch = Batch(GAME, 64, players, seed=5, options={"sigma": 0.0})
    count = np.zeros(64, int)
    turn = batch.state["turns"].copy()
    longest = 0
    for _ in range(600):
        playing = batch.state["turns"] > 0
        batch.step(batch.sample())
        count += playing
        changed = (batch.state["turns"] != turn) | batch.finished
        longest = max(longest, count[changed].max(initial=0))
        count[changed] = 0
        turn = batch.state["turns"].copy()
    assert longest <= most


@pytest.mark.rules("PAL-162")
def test_the_longest_turn_has_fifteen_decisions():
    t = table(3)
    tower(t.state, 1, 0, {4: (0, -65.0, 85.0), 9: (0, -60.0, 0.0), 14: (0, 60.0, 0.0), 13: (0, 0.0, 50.0),
                          19: (0, -25.0, 5.0), 18: (0, 28.0, -5.0), 3: (0, 0.0, 20.0)})  # fmt: skip
    t.refresh()
    chain = [
        *("column(column=19)", "lift()", "commit()", "abort()", "agree()", "object_to()"),
        *("column(column=18)", "lift()", "commit()", "abort()"),
        *("column(column=3)", "lift()", "commit()", "row(row=12)", "cell(cell=12)"),
    ]
    assert len(chain) == 15
    for name in chain:
        assert t.state.turns == 1
        t.play(name)
    assert t.state.turns == 2
    assert GAME.longest == 400 * 15 + 2 * 20 + 3 + 4


@pytest.mark.rules("PAL-164", "PAL-166")
def test_the_view_shows_the_building_and_the_move_in_progress():
    t = green(more={3: (2, 20.0, 10.0)}, seat=1)
    t.state.owner, t.state.former = 2, 0
    t.refresh().play("column(column=8)")
    view = GAME.features.describe(t.observe(1))
    assert view["column_level"][3].tolist() == [0, 0, 1, 0, 0, 0]
    assert view["column_place"][3] == pytest.approx([17 / 127, 8 / 127])  # 20 and 10 mm of 150: 16.93 and 8.47 of 127
    assert view["column_owner"][3].tolist() == [0, 0, 0, 1, 0]  # blue is seat 0's: the third after seat 1
    assert view["chosen"].tolist() == [float(c == 8) for c in range(20)]
    assert view["floor"].tolist() == [1, 1, 0, 0, 0]
    assert view["points"].tolist() == pytest.approx([0, 0, 0, 0.2])
    assert view["owner"].tolist() == [0, 1, 0, 0]
    assert view["former"].tolist() == [0, 0, 0, 1]
    assert view["margin"][0] == pytest.approx(float(t.state.margin[0]) / 50, abs=HALF_A_STEP)
    assert view["without"][0] == pytest.approx(float(t.state.spare_margin) / 50, abs=HALF_A_STEP)
    assert t.state.spare_index > 0.2
    assert view["without"][1] == 1  # cut off
    assert view["column_felt"][8].sum() == 1
    assert view["phase"][Phase.READING] == 1
    assert view["seat"].tolist() == [1, 0, 0, 0]


@pytest.mark.rules("PAL-164")
@pytest.mark.parametrize(("number", "steps"), [
    (0.0, 0), (1 / 254, 1), (-1 / 253, -1), (0.5, 64), (-0.5, -63), (0.99, 126), (1.0, 127), (7.0, 127), (-9.0, -127),
])  # fmt: skip
def test_what_is_measured_is_seen_in_127ths(number, steps):
    """Half of 127 is 63.5, which is rounded up; 0.99 of it is 125.73."""
    assert measured(number) == steps


@pytest.mark.rules("PAL-164")
def test_the_view_shows_options_and_turns():
    """0.0125 is 0.125 tenths, which is 13 hundredths of them, rounded up; 3 of 400 turns are 75 hundredths of 1 %."""
    t = green(seat=1, sigma=0.0125, reading_noise=0.006, imperfection=True, any_colour=True)
    t.state.turns = 3
    view = t.refresh().observe(1)
    shown = GAME.features.describe(view)
    assert shown["options"] == pytest.approx([0, 1, 0, 1, 0.13, 0.06, 1])
    assert shown["turns"] == pytest.approx(np.array([[0, 0.0075]]))


@pytest.mark.rules("PAL-164")
def test_the_view_shows_how_a_floor_is_turned():
    """Two steps are 45 degrees: cosine and sine are 0.7071, 89.8 of 127."""
    t = green(seat=1)
    t.state.rotation[1] = 2
    view = GAME.features.describe(t.refresh().observe(1))
    assert view["floor_turn"][:3] == pytest.approx(np.array([[1, 0], [90 / 127, 90 / 127], [0, 0]]))


@pytest.mark.rules("PAL-164")
def test_the_view_shows_who_may_not_propose_and_what_is_locked():
    t = green(seat=1)
    t.state.barred[2], t.state.locked[7] = 1, 1
    view = GAME.features.describe(t.refresh().observe(1))
    assert view["barred"].tolist() == [0, 1, 0, 0]  # seat 2 comes after seat 1
    assert view["column_locked"].tolist() == [float(c == 7) for c in range(20)]


@pytest.mark.rules("PAL-163", "PAL-185", "PAL-170", "PAL-172", "PAL-174", "PAL-179")
@pytest.mark.parametrize("options", [
    {}, {"setup": "played"}, {"floor_order": "yellow_first", "two_column_floors": True}, {"any_colour": True},
    {"partial_cover_allowed": False}, {"sigma": 0.0, "reading_noise": 0.0, "imperfection": False}, {"turns": 12},
    {"sigma": 0.1, "reading_noise": 0.1, "setup": "played", "any_colour": True},
])  # fmt: skip
def test_every_variant_keeps_the_invariants(options):
    check_game(GAME, options=options, only=["random_play", "scripted_play"])


@pytest.mark.rules("PAL-186", "PAL-187")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_careful_games_end_by_themselves(players):
    batch = Batch(GAME, 32, players, seed=8)
    ended = np.zeros(32, bool)
    while not ended.all():
        batch.step(batch.script())
        for row in np.flatnonzero(batch.finished & ~ended):
            assert batch.final_state[row]["turns"] < 400
        ended |= batch.finished
    assert np.mean(batch.final_state["floors"] == 5) > 0.8


# --- 11: impossible situations ----------------------------------------------------------------------


def broken(change, floors=2, players=4, more=None):
    t = table(players)
    tower(t.state, floors, 0, more)
    t.refresh().check()
    change(t.state)
    return t


def move(c, x, y):
    def change(s):
        s.x[c], s.y[c] = x, y

    return change


def set_field(name, value):
    return lambda s: setattr(s, name, value)


def set_entry(name, index, value):
    def change(s):
        getattr(s, name)[index] = value

    return change


@pytest.mark.parametrize(("rule", "change"), [
    ("PAL-170", set_field("floors", 6)),
    ("PAL-171", move(3, 120.0, 0.0)),
    ("PAL-171", move(3, 0.0, -100.0)),
    ("PAL-176", set_entry("storey", 3, 1)),
    ("PAL-177", set_entry("floor_x", 1, 90.0)),
    ("PAL-178", set_field("owner", 0)),
    ("PAL-179", set_entry("level", 3, NONE)),
    ("PAL-130", set_entry("contacts", (0, 0), 7)),  # a corner of column 0, which stands elsewhere
])  # fmt: skip
@pytest.mark.rules("PAL-170", "PAL-171", "PAL-176", "PAL-177", "PAL-178", "PAL-179")
def test_the_check_names_what_is_wrong(rule, change):
    floors = 1 if rule == "PAL-178" else 2
    with pytest.raises(AssertionError, match=rule):
        broken(change, floors).check()


@pytest.mark.rules("PAL-177")
def test_the_check_measures_the_reach_of_a_floor():
    """Of green's corners, (-91.59, -34.56) and (-93.59, -24.56) reach farthest when it lies on the left."""
    s = broken(set_entry("floor_x", 1, -54.2)).state  # hypot(145.79, 34.56) and hypot(147.79, 24.56) are 149.8
    invariants.check_floors(s)
    s.floor_x[1] = -55.25  # 150.9
    with pytest.raises(AssertionError, match="PAL-177"):
        invariants.check_floors(s)


@pytest.mark.rules("PAL-171", "PAL-176")
def test_the_check_tells_stacks_from_columns_that_overlap_and_from_columns_in_the_air():
    more = {9: (5, -20.0, 0.0, 0), 8: (5, -20.0, 0.0, 1), 13: (5, 20.0, 0.0, 0)}
    broken(lambda s: None, 5, more=more).check()
    with pytest.raises(AssertionError, match="PAL-176"):
        broken(move(8, 0.0, 0.0), 5, more=more).check()
    with pytest.raises(AssertionError, match="PAL-171"):
        broken(set_entry("storey", 8, 0), 5, more=more).check()


@pytest.mark.rules("PAL-173")
@pytest.mark.parametrize("axis", ["x", "y"])
def test_the_check_sees_a_locked_column_move(axis):
    t = green()
    t.play("column(column=3)").play("abort()").check()
    getattr(t.state, axis)[3] += 0.5  # a place that would be allowed
    with pytest.raises(AssertionError, match="PAL-173"):
        t.check()


@pytest.mark.rules("PAL-178")
def test_the_check_refuses_an_owner_shown_as_former_owner():
    def change(s):
        s.owner = s.former = 1

    with pytest.raises(AssertionError, match="PAL-178"):
        broken(change).check()


@pytest.mark.rules("PAL-172")
def test_the_check_refuses_a_building_that_cannot_stand():
    t = table()
    build(t.state, {4: (0, -60.0, 20.0), 9: (0, 60.0, 20.0), 14: (0, 0.0, 50.0)})  # blue's centre lies before them
    with pytest.raises(AssertionError, match="PAL-172"):
        t.check()


@pytest.mark.rules("PAL-174", "PAL-175")
def test_the_check_refuses_moves_from_the_top_and_of_the_last_neutral_column():
    t = table(3)
    tower(t.state, 1, 0, {3: (1, 0.0, 10.0)})
    t.refresh()
    t.state.chosen, t.state.phase = 3, Phase.READING
    with pytest.raises(AssertionError, match="PAL-174"):
        t.check()
    tower(t.state, 1, 0)
    for c in (15, 16, 17, 18):
        t.state.level[c] = NONE
    t.state.removed = 4
    t.state.chosen, t.state.phase, t.state.todo = 19, Phase.READING, Todo.NOTHING
    with pytest.raises(AssertionError, match="PAL-175"):
        t.check()
