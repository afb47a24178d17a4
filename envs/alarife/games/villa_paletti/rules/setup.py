"""Villa Paletti: columns on the base plate, and the blue floor (section 2)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.random import below, uniform
from alarife.games.villa_paletti.components import (
    BLUE_POSES,
    COLOURS,
    COLUMNS,
    GRID,
    KIND,
    MOST_TRIES,
    NONE,
    QUICK_TRIES,
    RADIUS,
    SETUP_GAP,
    SETUP_ORDER,
    SITE_RADIUS,
    Phase,
)

from .colours import roll_seal
from .floors import lay_floor
from .places import cell_x, cell_y, find_room, find_turnings, list_top, offer_filled, room_for_poses, try_pose


@rule
def clear_table(s):
    """Nobody has anything, no column stands anywhere."""
    s.objector = NONE
    s.chosen = NONE
    s.owner = NONE
    s.former = NONE
    s.causer = NONE
    s.winner = NONE
    for colour in range(COLOURS):
        s.seat_of[colour] = NONE
    for c in range(COLUMNS):
        s.level[c] = NONE


@rule
def set_up_at_random(s):
    """Columns are scattered until the blue floor finds a place (PAL-024, PAL-027)."""
    for _ in range(MOST_TRIES):
        if lay_blue_at_random(s):
            break
    assert s.floors == 1, "PAL-027: the blue floor finds no place"
    roll_seal(s)


@rule
def lay_blue_at_random(s):
    """Scatter the columns and lay the blue floor in one of its legal poses, if there is one (PAL-024, PAL-027)."""
    scatter(s)
    scratch = room_for_poses()
    many = list_top(s, scratch)
    for _ in range(QUICK_TRIES):
        pose = int(BLUE_POSES[below(s, BLUE_POSES.size)])
        if try_pose(s, scratch, many, pose):
            lay_floor(s, pose // (GRID * GRID), pose // GRID % GRID, pose % GRID)
            return True
    legal = 0
    for i in range(BLUE_POSES.size):
        legal += try_pose(s, scratch, many, int(BLUE_POSES[i]))
    if legal == 0:
        return False
    left = below(s, legal)
    for i in range(BLUE_POSES.size):
        pose = int(BLUE_POSES[i])
        if try_pose(s, scratch, many, pose):
            if left == 0:
                lay_floor(s, pose // (GRID * GRID), pose // GRID % GRID, pose % GRID)
                return True
            left -= 1
    return False


@rule
def scatter(s):
    """All columns on the building site, one after another where there is room (PAL-021 to PAL-024)."""
    for c in range(COLUMNS):
        s.level[c] = NONE
    for i in range(COLUMNS):
        c = SETUP_ORDER[i]
        for _ in range(MOST_TRIES):
            s.x[c] = (2.0 * uniform(s) - 1.0) * SITE_RADIUS
            s.y[c] = (2.0 * uniform(s) - 1.0) * SITE_RADIUS
            if stands_free(s, c):
                s.level[c] = 0
                break
        assert s.level[c] == 0, "PAL-024: a column finds no place"


@rule
def stands_free(s, c):
    """Whether a column stands on the building site, clear of those that stand there already."""
    r = RADIUS[KIND[c]]
    if s.x[c] * s.x[c] + s.y[c] * s.y[c] > (SITE_RADIUS - r) * (SITE_RADIUS - r):
        return False
    for other in range(COLUMNS):
        if s.level[other] == 0:
            x = s.x[other] - s.x[c]
            y = s.y[other] - s.y[c]
            clear = r + RADIUS[KIND[other]] + SETUP_GAP
            if x * x + y * y < clear * clear:
                return False
    return True


@rule
def ask_for_column(s):
    """The seats put down columns in turn; the last seat then lays the blue floor (PAL-025)."""
    if s.laid < COLUMNS:
        s.chosen = SETUP_ORDER[s.laid]
        s.seat = s.laid % s.seats
        s.phase = Phase.SETUP_ROW
        find_room(s)
        return
    s.chosen = NONE
    s.seat = s.seats - 1
    s.turn_of = s.seat
    find_turnings(s)
    for _ in range(MOST_TRIES):
        if s.turnings != 0:
            break
        scatter(s)
        find_turnings(s)
    assert s.turnings != 0, "PAL-027: the blue floor finds no place"
    s.phase = Phase.ROTATION


@rule
def offer_site_rows(s, moves):
    """Rows of the building site with a free cell (PAL-025)."""
    offer_filled(moves, s.room[KIND[s.chosen]])


@rule
def choose_site_row(s, row):
    """In which row the column goes down; a cell of it is next."""
    s.row = row
    s.phase = Phase.SETUP_COLUMN


@rule
def put_down(s, column):
    """A column goes on a cell of the building site."""
    c = s.chosen
    s.x[c] = cell_x(s, column)
    s.y[c] = cell_y(s, s.row)
    s.level[c] = 0
    s.laid += 1
    ask_for_column(s)
