"""Villa Paletti: what a seat may know (PAL-164). All is public but the imperfections.

Seats are counted from the observer: 0 is always oneself. Places are seen from the centre of the base plate, in
multiples of its radius; margins in units of 50 mm, tilt indices in units of 0.2, both cut off at 1. What is measured is
told in 127ths, rounded: places to within 0.6 mm, margins 0.2 mm, tilt indices 0.0008.
"""

from __future__ import annotations

import math

import numpy as np
from numba.extending import register_jitable

from alarife.engine.jit import rule
from alarife.engine.layout import Block, Features, Flags
from alarife.engine.views import SHARE, UNCHECKED, after, mark, place, write_row, write_share

from .components import (
    COLOUR,
    COLOURS,
    COLUMNS,
    FLOORS,
    GRID,
    KIND,
    KINDS,
    MEDIUM,
    NEUTRAL,
    NONE,
    PLATE_RADIUS,
    PLAYERS,
    POINTS,
    THICK,
    THIN,
    TURN,
    Act,
    Phase,
    Proof,
    Reading,
)
from .rules.seal import points_of

LEVELS = FLOORS + 1
OWNERS = PLAYERS + 1  # seats, and nobody
READINGS = len(Reading) - 1
PROOFS = len(Proof) - 1
MARGIN_UNIT = 50.0
INDEX_UNIT = 0.2
MOST_POINTS = 2.0 * sum(int(POINTS[KIND[c]]) for c in range(COLUMNS) if COLOUR[c] == 0) / 10
FINE = 127  # steps from 0 to 1 of what is measured
MEASURED = {"low": -1.0, "scale": 1 / FINE}
ROOM_IN_ALL = 7  # for a thin, a medium and a thick column: 1 + 2 + 4
HUNDREDTH = 1 / 100

FEATURES = Features(
    column_level=Flags((COLUMNS, LEVELS), "level on which each column stands; none once it is out"),
    column_place=Block((COLUMNS, 2), "where each column stands, to the right and to the back", **MEASURED),
    column_owner=Flags((COLUMNS, OWNERS), "whose each column is: seats after me, last nobody's"),
    column_kind=Flags((COLUMNS, KINDS), "thin, medium, thick"),
    column_storey=Block(COLUMNS, "columns below it in its stack, in twentieths", scale=1 / COLUMNS),
    column_locked=Flags(COLUMNS, "1 if it may not be moved any more"),
    column_cover=Flags((COLUMNS, 2), "covered partly, covered wholly by the floor above"),
    column_felt=Flags((COLUMNS, READINGS), "reading of the present building without it"),
    column_proof=Flags((COLUMNS, PROOFS), "the present building is known to stand, to fall without it"),
    chosen=Flags(COLUMNS, "the column being felt, taken or placed"),
    floor=Flags(FLOORS, "floors on the building"),
    floor_place=Block((FLOORS, 2), "where the centre of each floor lies", **MEASURED),
    floor_turn=Block((FLOORS, 2), "cosine and sine of each floor's rotation", **MEASURED),
    margin=Block(FLOORS, "nominal margin of each floor", **MEASURED),
    index=Block(1, "nominal tilt index of the building, an upper bound of the tilt that it withstands", **MEASURED),
    without=Block(2, "nominal margin and tilt index without the chosen column", **MEASURED),
    room=Flags(KINDS, "1 if the top level has a place for a thin, medium, thick column"),
    row=Flags(GRID, "the row chosen"),
    pose_turn=Block(2, "cosine and sine of the rotation chosen", **MEASURED),
    points=Block(PLAYERS, "points on the top level, in tens", high=MOST_POINTS, scale=1 / 10),
    owner=Flags(PLAYERS, "owner of the Seal"),
    former=Flags(PLAYERS, "former owner shown by the Seal"),
    opened=Flags(1, "1 once an own column has been placed on the top floor"),
    turn_of=Flags(PLAYERS, "the seat whose turn it is"),
    seat=Flags(PLAYERS, "the seat to decide"),
    objector=Flags(PLAYERS, "the seat that objected"),
    barred=Flags(PLAYERS, "seats that may not propose until the top level changes"),
    phase=Flags(len(Phase), "what is being decided"),
    act=Flags(len(Act), "why a column is moved"),
    proposing=Flags(1, "1 while a proposal is dealt with"),
    own_step=Flags(1, "three players: 1 after the neutral step"),
    passes=Block(1, "turns without an act in a row, in quarters", scale=1 / PLAYERS),
    turns=Block((1, 2), "turns begun, as a share of the limit: hundredths, and hundredths of those", **SHARE),
    seats=Flags(PLAYERS, "seats taking part in the game"),
    options=Block(7, "yellow before green, any colour, floors on two columns, partial cover, "
                     "sigma and reading noise in tenths, imperfections", scale=(1, 1, 1, 1, HUNDREDTH, HUNDREDTH, 1)),
    cells=Block((GRID, GRID), "rows of cells of the top level: room for a column that is thin 1, medium 2, thick 4, in "
                              "sevenths; while a floor is laid, 1 where its middle may lie", scale=1 / ROOM_IN_ALL),
)  # fmt: skip
AT = FEATURES.start


@rule
def measured(number):
    """A number in steps of the view, cut off at 1 and -1."""
    return math.floor(FINE * min(1.0, max(-1.0, number)) + 0.5)


#: The kind of each column, and how long a view is at least.
KIND_SEEN = (KIND[:, None] == np.arange(KINDS)).astype(np.int8).ravel()
FEATURES_SIZE = FEATURES.size
#: Cosine and sine of each rotation, in steps of the view.
TURN_SEEN = np.array([[measured(number) for number in way] for way in TURN.tolist()], np.int8)


@rule
def observe(s, seat, view):
    """Fill the view of one seat."""
    show_places(s, view)
    show_columns(s, seat, view)
    for f in range(s.floors):
        show_floor(s, f, view)
    q = int(seat)
    for i in range(s.seats):
        show_seat(s, q, i, view)
        q = q + 1 if q + 1 < s.seats else 0
    show_move(s, view)
    show_game(s, view)
    if s.phase == Phase.FLOOR_ROW or s.phase == Phase.FLOOR_COLUMN:
        show_poses(s, view)
    elif not s.over:
        show_room(s, view)


@rule
def show_room(s, view):
    """Where columns have room, kind by kind."""
    for row in range(GRID):
        thin, medium, thick = s.room[THIN, row], s.room[MEDIUM, row], s.room[THICK, row]
        if thin | medium | thick:
            show_row(np.uint32(thin), np.uint32(medium), np.uint32(thick), view, AT.cells + row * GRID)


@register_jitable(**UNCHECKED)  # so that eight cells and more are worked out at once
def show_row(thin, medium, thick, view, at):
    """A row of cells, given as bits."""
    if at < 0 or at + GRID > len(view):
        raise IndexError("a row of cells does not fit into the view")
    one, start = np.uint32(1), np.uint64(at)
    for column in range(GRID):
        i = np.uint32(column)
        kinds = (thin >> i & one) + np.uint32(2) * (medium >> i & one) + np.uint32(4) * (thick >> i & one)
        view[start + np.uint64(column)] = kinds


@rule
def show_poses(s, view):
    """Where the next floor may lie, as it is turned."""
    for row in range(GRID):
        cells = np.uint32(s.poses[row])
        if cells:
            show_row(cells, cells, cells, view, AT.cells + row * GRID)


@register_jitable(**UNCHECKED)  # so that several columns are worked out at once
def show_places(s, view):
    """Where the columns stand."""
    if len(view) < AT.column_place + 2 * COLUMNS:
        raise IndexError("the columns do not fit into the view")
    start = place(AT.column_place)
    for c in range(COLUMNS):
        x, y = s.x[c], s.y[c]
        is_in_play = s.level[c] != NONE
        view[start + place(2 * c)] = measured(x / PLATE_RADIUS if is_in_play else 0.0)
        view[start + place(2 * c + 1)] = measured(y / PLATE_RADIUS if is_in_play else 0.0)


@rule
def show_columns(s, seat, view):
    """All else about the columns."""
    write_row(view, AT.column_kind, KIND_SEEN)
    for colour in range(COLOURS):
        show_owner(view, COLUMNS // COLOURS * colour, owner_seen(s, seat, colour))
    for c in range(COLUMNS):
        if s.level[c] != NONE:
            show_column(s, c, view)


@rule
def owner_seen(s, seat, colour):
    """Whose a colour is: how many seats after the observer, PLAYERS for nobody's, NONE before it is taken."""
    owner = s.seat_of[colour]
    if owner == NEUTRAL:
        return PLAYERS
    return NONE if owner == NONE else after(owner, seat, s.seats)


@rule
def show_owner(view, first, owner):
    """Whose the columns of a colour are."""
    for c in range(first, first + COLUMNS // COLOURS):
        mark(view, AT.column_owner + c * OWNERS, owner)


@register_jitable(**UNCHECKED)  # so that not each of the many numbers is asked for its place
def show_column(s, c, view):
    """What there is to say of a column in play."""
    if len(view) < FEATURES_SIZE:
        raise IndexError("the columns do not fit into the view")
    view[place(AT.column_level + c * LEVELS + s.level[c])] = 1
    view[place(AT.column_storey + c)] = s.storey[c]
    view[place(AT.column_locked + c)] = s.locked[c]
    show_one_of(view, AT.column_cover + 2 * c, s.cover[c])
    show_one_of(view, AT.column_felt + c * READINGS, s.felt[c])
    show_one_of(view, AT.column_proof + c * PROOFS, s.proof[c])


@register_jitable(**UNCHECKED)
def show_one_of(view, at, number):
    """A one at the place of a number from 1 on; nothing for 0."""
    view[place(at + max(number - 1, 0))] = number > 0


@rule
def show_floor(s, f, view):
    """One floor of the building."""
    view[AT.floor + f] = 1
    view[AT.floor_place + 2 * f] = measured(s.floor_x[f] / PLATE_RADIUS)
    view[AT.floor_place + 2 * f + 1] = measured(s.floor_y[f] / PLATE_RADIUS)
    view[AT.floor_turn + 2 * f] = TURN_SEEN[s.rotation[f], 0]
    view[AT.floor_turn + 2 * f + 1] = TURN_SEEN[s.rotation[f], 1]
    view[AT.margin + f] = measured(s.margin[f] / MARGIN_UNIT)


@rule
def show_seat(s, q, i, view):
    """Seat q, the i-th after the observer."""
    view[AT.seats + i] = 1
    view[AT.points + i] = points_of(s, q)
    view[AT.owner + i] = s.owner == q
    view[AT.former + i] = s.former == q
    view[AT.turn_of + i] = s.turn_of == q
    view[AT.seat + i] = s.seat == q
    view[AT.objector + i] = s.objector == q
    view[AT.barred + i] = s.barred[q]


@rule
def show_move(s, view):
    """The move in progress."""
    view[AT.phase + s.phase] = 1
    view[AT.act + s.act] = 1
    if s.chosen != NONE:
        view[AT.chosen + s.chosen] = 1
        if s.phase >= Phase.READING:
            view[AT.without] = measured(s.spare_margin / MARGIN_UNIT)
            view[AT.without + 1] = measured(s.spare_index / INDEX_UNIT)
    if s.phase == Phase.SETUP_COLUMN or s.phase == Phase.COLUMN or s.phase == Phase.FLOOR_COLUMN:
        view[AT.row + s.row] = 1
    if s.phase == Phase.FLOOR_ROW or s.phase == Phase.FLOOR_COLUMN:
        view[AT.pose_turn] = TURN_SEEN[s.pose_turn, 0]
        view[AT.pose_turn + 1] = TURN_SEEN[s.pose_turn, 1]


@rule
def show_game(s, view):
    """Building and game as a whole."""
    view[AT.index] = measured(s.index / INDEX_UNIT)
    for k in range(KINDS):
        view[AT.room + k] = s.rooms[k]
    view[AT.opened] = s.opened
    view[AT.proposing] = s.proposing
    view[AT.own_step] = s.own_step
    view[AT.passes] = s.passes
    write_share(view, AT.turns, s.turns, s.options.turns)
    show_options(s, view)


@rule
def show_options(s, view):
    """The rules that were agreed on."""
    view[AT.options] = s.options.floor_order
    view[AT.options + 1] = s.options.any_colour
    view[AT.options + 2] = s.options.two_column_floors
    view[AT.options + 3] = s.options.partial_cover_allowed
    view[AT.options + 4] = math.floor(s.options.sigma * (10.0 / HUNDREDTH) + 0.5)
    view[AT.options + 5] = math.floor(s.options.reading_noise * (10.0 / HUNDREDTH) + 0.5)
    view[AT.options + 6] = s.options.imperfection
