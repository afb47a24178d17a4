"""Villa Paletti: what has to hold when a decision is due, and what is kept beside the building (section 10)."""

from __future__ import annotations

import numpy as np

from alarife.engine.jit import rule
from alarife.games.villa_paletti.components import (
    COLOUR,
    COLOURS,
    COLUMNS,
    FLOORS,
    GRID,
    KIND,
    KINDS,
    NEUTRAL,
    NONE,
    SETUP_ORDER,
    Act,
    Cover,
    Phase,
    Proof,
)

from .places import find_poses, find_room, find_turnings, is_under_another
from .statics import (
    CONTACTS,
    FEET,
    build_hulls,
    note_balance,
    room_for_contacts,
    room_for_feet,
    room_for_sizes,
    same_numbers,
    weigh,
)


@rule
def check_table(s):
    """Whoever is named sits at the table (PAL-030 to PAL-038)."""
    assert s.turn_of < s.seats, "PAL-040: it is the turn of nobody at the table"
    assert s.objector < s.seats, "PAL-095: nobody at the table has objected"
    assert max(s.owner, s.former) < s.seats, "PAL-132: nobody at the table has the Seal"
    assert max(s.causer, s.winner) < s.seats, "PAL-143: nobody at the table has won or lost"
    for colour in range(COLOURS):
        assert s.seat_of[colour] < s.seats, "PAL-031: a colour is that of nobody at the table"


@rule
def is_laying(s):
    """Whether a floor is being laid."""
    return Phase.ROTATION <= s.phase <= Phase.FLOOR_COLUMN


@rule
def is_moving(s):
    """Whether a column has been chosen."""
    return Phase.READING <= s.phase <= Phase.COLUMN


@rule
def is_before_game(s):
    """Whether columns or the blue floor are being put down by the players (PAL-025)."""
    return s.phase <= Phase.SETUP_COLUMN or (is_laying(s) and s.floors == 0)


@rule
def check_phase(s):
    """Everything that the decision due takes for granted."""
    assert not s.collapsed and s.causer == NONE and s.winner == NONE, "PAL-143: the game goes on after its end"
    assert (s.floors == 0) == is_before_game(s), "PAL-020: the game has begun without a floor"
    check_colours(s)
    check_nothing_before_turns(s)
    if is_before_game(s):
        check_before_game(s)
    elif s.phase != Phase.COLOUR:
        check_turn(s)
    if s.floors > 0 or s.phase <= Phase.SETUP_COLUMN:
        check_room(s)
    if s.phase == Phase.SETUP_COLUMN or s.phase == Phase.COLUMN:
        assert s.room[KIND[s.chosen], s.row] != 0, "PAL-075: the row chosen has no cell"
    if is_laying(s):
        check_poses(s)
    if s.floors > 0:
        check_balance(s)


@rule
def check_colours(s):
    """Who has which colour (PAL-030 to PAL-038)."""
    taken = 0
    for colour in range(COLOURS):
        taken += s.seat_of[colour] != NONE
    assert taken == s.taken, "PAL-031: the colours taken are miscounted"
    if is_before_game(s):
        assert taken == 0, "PAL-030: a colour is taken before the game"
        return
    assert (taken == COLOURS) == (s.phase != Phase.COLOUR), "PAL-031: the game has begun without all colours"
    for p in range(s.seats):
        own = 0
        for colour in range(COLOURS):
            own += s.seat_of[colour] == p
        all_taken = taken if s.phase == Phase.COLOUR else COLOURS
        due = (all_taken - p + s.seats - 1) // s.seats if s.seats == 2 else p < all_taken
        assert own == due, "PAL-035: a seat has too many colours or too few"
    if s.phase == Phase.COLOUR:
        assert 1 <= taken < COLOURS - 1, "PAL-031: there is no choice of a colour"
        assert s.seat == (taken % 2 if s.seats == 2 else taken), "PAL-031: another seat chooses a colour"
        assert s.turns == 0, "PAL-034: a colour is chosen in the game"


@rule
def check_nothing_before_turns(s):
    """Nobody has passed, proposed or moved a column before the first turn (PAL-060, PAL-110, PAL-142, PAL-179)."""
    assert s.passes == 0 or s.passes < s.turns, "PAL-142: more turns were passed than have ended"
    for p in range(s.seats):
        assert not s.barred[p] or s.turns > 0, "PAL-110: a seat may not propose that has had no turn"
    assert s.turns > 0 or s.removed == 0, "PAL-179: a column has left the game before the first turn"
    assert s.phase != Phase.COLOUR or s.chosen == NONE, "PAL-060: a column is chosen along with a colour"


@rule
def check_before_game(s):
    """Which column, and whose turn to put it down (PAL-025)."""
    assert s.turns == 0, "PAL-025: columns are put down in the game"
    for i in range(COLUMNS):
        c = SETUP_ORDER[i]
        assert s.level[c] == (0 if i < s.laid else NONE), "PAL-025: a column was put down before its turn"
    if s.phase <= Phase.SETUP_COLUMN:
        assert s.laid < COLUMNS and s.chosen == SETUP_ORDER[s.laid], "PAL-025: another column is to be put down"
        assert s.seat == s.laid % s.seats, "PAL-025: another seat puts a column down"
    else:
        assert s.laid == COLUMNS and s.chosen == NONE, "PAL-025: a column is still to be put down"
        assert s.seat == s.seats - 1, "PAL-025: another seat lays the blue floor"


@rule
def check_turn(s):
    """Who decides, and what about (sections 4, 5, 7 and 8)."""
    phase, act = s.phase, s.act
    assert 0 < s.turns <= s.options.turns, "PAL-148: turns are miscounted"
    assert s.passes < s.seats, "PAL-142: everybody has passed, but the game goes on"
    assert (s.chosen != NONE) == is_moving(s), "PAL-060: a column is chosen, or none is"
    others = act == Act.DISPROVE or act == Act.SHOW_NEUTRAL
    assert not s.own_step or (s.seats == 3 and act == Act.BUILD), "PAL-123: an own step without a neutral one"
    assert act != Act.NEUTRAL or s.seats == 3, "PAL-115: neutral columns are moved at a table without any"
    assert act != Act.SHOW_NEUTRAL or s.seats == 3, "PAL-121: neutral columns are moved at a table without any"
    assert s.proposing == (act == Act.DISPROVE or act == Act.PENALTY), "PAL-090: a floor is proposed, or none is"
    if phase == Phase.TURN:
        assert act == Act.BUILD or act == Act.NEUTRAL, "PAL-046: the turn begins with another act"
    elif phase == Phase.OBJECT:
        assert others and s.seat != s.turn_of, "PAL-093: nobody is asked for an objection"
        return
    elif phase == Phase.PENALTY:
        assert act == Act.PENALTY, "PAL-100: a penalty for nothing"
    elif is_laying(s):
        assert s.proposing, "PAL-105: a floor is laid without a proposal"
        assert s.seat == s.turn_of, "PAL-105: another seat than the proposer lays the floor"
        return
    elif phase == Phase.DEMONSTRATE:
        assert others, "PAL-095: there is nothing to demonstrate"
    if others or act == Act.PENALTY:
        assert s.objector != NONE and s.objector != s.turn_of, "PAL-095: nobody has objected"
    assert s.seat == (s.objector if others else s.turn_of), "PAL-040: another seat is to decide"
    if is_moving(s):
        check_chosen(s, s.chosen)


@rule
def check_chosen(s, c):
    """A column may be moved, and what is known about the building without it (PAL-047 to PAL-070)."""
    owner = s.seat_of[COLOUR[c]]
    assert s.level[c] != NONE and not s.locked[c], "PAL-051: the column chosen cannot be moved"
    if s.act == Act.PENALTY:
        assert owner == s.objector and not is_under_another(s, c), "PAL-100: the column chosen is not the objector's"
        assert s.phase <= Phase.LIFTED, "PAL-100: a column taken as penalty is placed"
    else:
        assert s.level[c] < s.floors, "PAL-174: a column is taken from the top level for building"
        assert s.rooms[KIND[c]], "PAL-052: there is no place for the column chosen"
        is_own = owner == s.turn_of or (s.options.any_colour and owner != NEUTRAL)
        may_be_neutral = s.act != Act.BUILD or s.options.any_colour
        may_be_own = s.act == Act.BUILD or s.act == Act.DISPROVE
        assert (is_own and may_be_own) or (owner == NEUTRAL and may_be_neutral), "PAL-047: the column is another's"
    margin, index = weigh_without(s, c)
    assert s.spare_margin == margin and s.spare_index == index, "PAL-060: the balance without the column is wrong"
    if s.phase == Phase.LIFTED:
        assert s.cover[c] != Cover.FREE, "PAL-070: a floor is lifted that the column does not carry"
        proof = Proof.STANDS if weigh(s, c, True)[0] >= 0.0 else Proof.FALLS
        assert s.proof[c] == proof, "PAL-062: the lift has shown something else"


@rule
def weigh_without(s, c):
    """The nominal balance without a column, whose hulls must be those in the caches."""
    if s.cover[c] != Cover.FREE:
        contacts, feet, counts = room_for_contacts(), room_for_feet(), room_for_sizes()
        build_hulls(s, s.level[c], c, contacts, feet, counts)
        for h in range(2):
            assert counts[h] == s.edges[FLOORS, h], "PAL-130: the hull without the column has another number of corners"
        same = same_numbers(contacts, s.contacts[FLOORS], counts[CONTACTS])
        assert same and same_numbers(feet, s.feet[FLOORS], counts[FEET]), (
            "PAL-130: the hull without the column is wrong"
        )
    return weigh(s, c, False)


@rule
def check_room(s):
    """Cells of the top level (PAL-076 to PAL-082)."""
    room = np.zeros((KINDS, GRID), np.int64)
    rooms = np.zeros(KINDS, np.int64)
    for k in range(KINDS):
        rooms[k] = s.rooms[k]
        for row in range(GRID):
            room[k, row] = s.room[k, row]
    find_room(s)
    same = True
    for k in range(KINDS):
        same = same and rooms[k] == s.rooms[k]
        s.rooms[k] = rooms[k]
        for row in range(GRID):
            same = same and room[k, row] == s.room[k, row]
            s.room[k, row] = room[k, row]
    assert same, "PAL-082: the cells of the top level are not those that its columns leave"


@rule
def check_poses(s):
    """Rotations and poses of the next floor (PAL-106 to PAL-109)."""
    turnings = int(s.turnings)
    find_turnings(s)
    same = turnings == s.turnings
    s.turnings = turnings
    assert same, "PAL-108: the rotations of the next floor are not those that its columns allow"
    if s.phase == Phase.ROTATION:
        return
    assert s.turnings >> s.pose_turn & 1, "PAL-108: the rotation chosen has no pose"
    poses = np.zeros(GRID, np.int64)
    for row in range(GRID):
        poses[row] = s.poses[row]
    find_poses(s, s.pose_turn)
    for row in range(GRID):
        same = same and poses[row] == s.poses[row]
        s.poses[row] = poses[row]
    assert same, "PAL-108: the poses of the next floor are not those that its columns allow"
    assert s.phase == Phase.FLOOR_ROW or s.poses[s.row] != 0, "PAL-108: the row chosen has no pose"


@rule
def check_balance(s):
    """Nominal margins and tilt index, which everybody may work out."""
    margins = np.zeros(FLOORS)
    for f in range(FLOORS):
        margins[f] = s.margin[f]
    index = float(s.index)
    note_balance(s)
    same = index == s.index
    s.index = index
    for f in range(FLOORS):
        same = same and margins[f] == s.margin[f]
        s.margin[f] = margins[f]
    assert same, "PAL-130: the balance of the building is not what its columns give"
