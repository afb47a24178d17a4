"""Villa Paletti: what must never happen (section 11)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.villa_paletti.components import (
    COLOUR,
    COLUMNS,
    CONTEST,
    FLOORS,
    GAP,
    KIND,
    NEUTRAL,
    NONE,
    OUTLINE,
    PLATE_RADIUS,
    RADIUS,
    RED,
    SETUP_GAP,
    SIDES,
    SITE_RADIUS,
    TURN,
    Act,
    Cover,
    Phase,
    Todo,
)

from .building import lock_mark
from .phases import check_phase, check_table
from .statics import (
    CONTACTS,
    FEET,
    build_hulls,
    cover_of,
    distance_outside,
    frame_x,
    frame_y,
    room_for_contacts,
    room_for_feet,
    room_for_sizes,
    same_numbers,
    weigh,
)

EXACT = 1e-6  # millimetres


@rule
def check(s):
    """The invariants, after any decision."""
    assert s.todo == Todo.NOTHING, "PAL-160: a decision is due while the rules still have something to do"
    assert not s.capped or (s.over and not s.collapsed), "PAL-148: the game goes on, or fell, after its cap"
    check_table(s)
    check_columns(s)
    check_floors(s)
    check_move(s)
    check_seal(s)
    if s.floors > 0:
        check_caches(s)
    if s.floors > 0 and not s.collapsed:
        check_standing(s)
    if not s.over:
        check_phase(s)


@rule
def check_columns(s):
    """Where columns stand (PAL-171, PAL-173, PAL-176, PAL-179)."""
    out = 0
    mark = 0.0
    for c in range(COLUMNS):
        level = s.level[c]
        assert NONE <= level <= s.floors, "PAL-179: a column stands on a floor that is not there"
        assert s.storey[c] == 0 or level == RED, "PAL-176: a column stands on a column below the red floor"
        out += level == NONE
        if level == NONE:
            assert s.cover[c] == Cover.FREE and not s.locked[c], "PAL-179: a column out of the game carries a floor"
        if s.locked[c]:
            mark += lock_mark(s, c)
        if level != NONE:
            assert is_on_ground(s, c), "PAL-171: a column hangs over the edge of its ground"
            assert keeps_clear(s, c), "PAL-171: two columns overlap"
            assert s.storey[c] == 0 or has_column_below(s, c), "PAL-176: a column of a stack hangs in the air"
    setup = s.phase == Phase.SETUP_ROW or s.phase == Phase.SETUP_COLUMN
    assert out == (COLUMNS - s.laid if setup else s.removed), "PAL-179: the columns are not all there"
    assert abs(mark - s.lock_mark) < EXACT, "PAL-173: a locked column has moved"


@rule
def is_on_ground(s, c):
    """Whether a column stands wholly inside the building site or the floor below it (PAL-022, PAL-076)."""
    r = RADIUS[KIND[c]]
    if s.level[c] == 0:
        reach = SITE_RADIUS - r + EXACT
        return s.x[c] * s.x[c] + s.y[c] * s.y[c] <= reach * reach
    f = s.level[c] - 1
    return distance_outside(f, frame_x(s, f, s.x[c], s.y[c]), frame_y(s, f, s.x[c], s.y[c])) <= -r + EXACT


@rule
def keeps_clear(s, c):
    """Whether a column keeps the gap to all others of its level and storey (PAL-023, PAL-077, PAL-086)."""
    for other in range(COLUMNS):
        if other != c and s.level[other] == s.level[c] and s.storey[other] == s.storey[c]:
            x = s.x[other] - s.x[c]
            y = s.y[other] - s.y[c]
            clear = RADIUS[KIND[c]] + RADIUS[KIND[other]] + (SETUP_GAP if s.level[c] == 0 else GAP) - EXACT
            if x * x + y * y < clear * clear:
                return False
    return True


@rule
def has_column_below(s, c):
    """Whether a column of a stack stands on another one, axis on axis."""
    for other in range(COLUMNS):
        if s.level[other] == RED and s.storey[other] == s.storey[c] - 1:
            if s.x[other] == s.x[c] and s.y[other] == s.y[c]:
                return True
    return False


@rule
def check_floors(s):
    """Order and place of the floors (PAL-170, PAL-177)."""
    assert 0 <= s.floors <= FLOORS, "PAL-170: there are five floors"
    for f in range(s.floors):
        for i in range(SIDES[f]):
            x = s.floor_x[f] + (OUTLINE[f, i, 0] * TURN[s.rotation[f], 0] - OUTLINE[f, i, 1] * TURN[s.rotation[f], 1])
            y = s.floor_y[f] + (OUTLINE[f, i, 0] * TURN[s.rotation[f], 1] + OUTLINE[f, i, 1] * TURN[s.rotation[f], 0])
            reach = PLATE_RADIUS + EXACT
            assert x * x + y * y <= reach * reach, "PAL-177: a floor reaches beyond the base plate"
    for c in range(COLUMNS):
        assert s.level[c] < s.floors or s.cover[c] == Cover.FREE, "PAL-170: a column carries a floor that is not there"


@rule
def check_move(s):
    """What may be moved (PAL-174, PAL-175)."""
    c = s.chosen
    if c == NONE or s.over or s.phase < Phase.READING or s.act == Act.PENALTY:
        return
    assert not s.locked[c], "PAL-051: a locked column is being moved"
    assert s.level[c] < s.floors, "PAL-174: a column is taken from the top level for building"
    if s.seat_of[COLOUR[c]] == NEUTRAL:
        left = 0
        for other in range(COLUMNS):
            left += s.seat_of[COLOUR[other]] == NEUTRAL and s.level[other] == s.level[c]
        assert left > 1, "PAL-175: the last neutral column of a level is being moved"


@rule
def check_seal(s):
    """Who may hold the Seal (PAL-178)."""
    if s.owner != NONE:
        assert s.floors >= CONTEST[s.options.floor_order], "PAL-178: the Seal was taken before the green floor"
    assert s.owner == NONE or s.owner != s.former, "PAL-178: the owner is shown as the former owner"


@rule
def check_caches(s):
    """The hulls in the state are those that its columns and floors give (sections 1 and 6 of the physics)."""
    contacts, feet, counts = room_for_contacts(), room_for_feet(), room_for_sizes()
    for f in range(s.floors):
        for c in range(COLUMNS):
            if s.level[c] == f:
                assert s.cover[c] == cover_of(s, c, f), "PAL-029: a column's cover is not what its place gives"
        build_hulls(s, f, NONE, contacts, feet, counts)
        check_hull(contacts, counts[CONTACTS], s.contacts[f], s.edges[f, CONTACTS])
        check_hull(feet, counts[FEET], s.feet[f], s.edges[f, FEET])


@rule
def check_hull(numbers, count, cached, known):
    """A cached hull is what the columns give."""
    assert count == known, "PAL-130: a cached hull has another number of corners"
    assert same_numbers(numbers, cached, count), "PAL-130: a cached hull is out of date"


@rule
def check_standing(s):
    """A building that has not collapsed stands (PAL-172)."""
    for f in range(s.floors):
        carried = 0
        for c in range(COLUMNS):
            carried += s.level[c] == f and s.cover[c] != Cover.FREE
        assert carried > 0, "PAL-172: a floor rests on no column"
    assert weigh(s, NONE, True)[0] >= 0.0, "PAL-172: the building stands although it cannot"
    if s.phase == Phase.ROW or s.phase == Phase.COLUMN:
        assert weigh(s, s.chosen, True)[0] >= 0.0, "PAL-172: the building stands without the column although it cannot"
        assert s.rooms[KIND[s.chosen]], "PAL-185: there is no place for the column"
