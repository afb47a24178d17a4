"""Villa Paletti: what a seat may know (PAL-164). All is public but the imperfections.

Seats are counted from the observer: 0 is always oneself. Places are seen from the centre of the base plate, in
multiples of its radius; margins in units of 50 mm, tilt indices in units of 0.2, both cut off at 1.
"""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from alarife.engine.jit import RULE_SETTINGS, rule
from alarife.engine.layout import Block, Features

from .components import (
    COLOUR,
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
    Cover,
    Phase,
    Proof,
    Reading,
)
from .rules.seal import points_of

LEVELS = FLOORS + 1
OWNERS = PLAYERS + 1  # seats, and nobody
READINGS = len(Reading) - 1
SEVENTH = np.float32(1 / 7)
PROOFS = len(Proof) - 1
MARGIN_UNIT = 50.0
INDEX_UNIT = 0.2
MOST_POINTS = 2.0 * sum(int(POINTS[KIND[c]]) for c in range(COLUMNS) if COLOUR[c] == 0) / 10

FEATURES = Features(
    column_level=Block((COLUMNS, LEVELS), "level on which each column stands; none once it is out"),
    column_place=Block((COLUMNS, 2), "where each column stands, to the right and to the back", low=-1.0),
    column_owner=Block((COLUMNS, OWNERS), "whose each column is: seats after me, last nobody's"),
    column_kind=Block((COLUMNS, KINDS), "thin, medium, thick"),
    column_storey=Block(COLUMNS, "columns below it in its stack, in twentieths"),
    column_locked=Block(COLUMNS, "1 if it may not be moved any more"),
    column_cover=Block((COLUMNS, 2), "covered partly, covered wholly by the floor above"),
    column_felt=Block((COLUMNS, READINGS), "reading of the present building without it"),
    column_proof=Block((COLUMNS, PROOFS), "the present building is known to stand, to fall without it"),
    chosen=Block(COLUMNS, "the column being felt, taken or placed"),
    floor=Block(FLOORS, "floors on the building"),
    floor_place=Block((FLOORS, 2), "where the centre of each floor lies", low=-1.0),
    floor_turn=Block((FLOORS, 2), "cosine and sine of each floor's rotation", low=-1.0),
    margin=Block(FLOORS, "nominal margin of each floor", low=-1.0),
    index=Block(1, "nominal tilt index of the building, an upper bound of the tilt that it withstands", low=-1.0),
    without=Block(2, "nominal margin and tilt index without the chosen column", low=-1.0),
    room=Block(KINDS, "1 if the top level has a place for a thin, medium, thick column"),
    row=Block(GRID, "the row chosen"),
    pose_turn=Block(2, "cosine and sine of the rotation chosen", low=-1.0),
    points=Block(PLAYERS, "points on the top level, in tens", high=MOST_POINTS),
    owner=Block(PLAYERS, "owner of the Seal"),
    former=Block(PLAYERS, "former owner shown by the Seal"),
    opened=Block(1, "1 once an own column has been placed on the top floor"),
    turn_of=Block(PLAYERS, "the seat whose turn it is"),
    seat=Block(PLAYERS, "the seat to decide"),
    objector=Block(PLAYERS, "the seat that objected"),
    barred=Block(PLAYERS, "seats that may not propose until the top level changes"),
    phase=Block(len(Phase), "what is being decided"),
    act=Block(len(Act), "why a column is moved"),
    proposing=Block(1, "1 while a proposal is dealt with"),
    own_step=Block(1, "three players: 1 after the neutral step"),
    passes=Block(1, "turns without an act in a row, in quarters"),
    turns=Block(1, "turns begun, as a share of the limit"),
    seats=Block(PLAYERS, "seats taking part in the game"),
    options=Block(7, "yellow before green, any colour, floors on two columns, partial cover, "
                     "sigma and reading noise in tenths, imperfections"),
    cells=Block((GRID, GRID), "rows of cells of the top level: room for a column that is thin 1, medium 2, thick 4, in "
                              "sevenths; while a floor is laid, 1 where its middle may lie"),
)  # fmt: skip
AT = FEATURES.start


@rule
def observe(s, seat, view):
    """Fill the view of one seat."""
    for c in range(COLUMNS):
        show_column(s, seat, c, view)
    for f in range(s.floors):
        show_floor(s, f, view)
    for i in range(s.seats):
        show_seat(s, (seat + i) % s.seats, i, view)
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
            show_row(np.uint32(thin), np.uint32(medium), np.uint32(thick), view, np.uint64(AT.cells + row * GRID))


@register_jitable(**{**RULE_SETTINGS, "boundscheck": False})  # so that eight cells are worked out at once
def show_row(thin, medium, thick, view, at):
    """A row of cells, given as bits."""
    one = np.uint32(1)
    for column in range(GRID):
        i = np.uint32(column)
        kinds = (thin >> i & one) + np.uint32(2) * (medium >> i & one) + np.uint32(4) * (thick >> i & one)
        view[at + np.uint64(column)] = np.float32(kinds) * SEVENTH


@rule
def show_poses(s, view):
    """Where the next floor may lie, as it is turned."""
    for row in range(GRID):
        if s.poses[row]:
            for column in range(GRID):
                view[AT.cells + row * GRID + column] = s.poses[row] >> column & 1


@rule
def within(number):
    """Cut off at 1 and -1."""
    return min(1.0, max(-1.0, number))


@rule
def show_column(s, seat, c, view):
    """One column."""
    view[AT.column_kind + c * KINDS + KIND[c]] = 1
    owner = s.seat_of[COLOUR[c]]
    if owner == NEUTRAL:
        view[AT.column_owner + c * OWNERS + PLAYERS] = 1
    elif owner != NONE:
        view[AT.column_owner + c * OWNERS + (owner - seat + s.seats) % s.seats] = 1
    if s.level[c] == NONE:
        return
    view[AT.column_level + c * LEVELS + s.level[c]] = 1
    view[AT.column_place + 2 * c] = s.x[c] / PLATE_RADIUS
    view[AT.column_place + 2 * c + 1] = s.y[c] / PLATE_RADIUS
    view[AT.column_storey + c] = s.storey[c] / COLUMNS
    view[AT.column_locked + c] = s.locked[c]
    if s.cover[c] != Cover.FREE:
        view[AT.column_cover + 2 * c + s.cover[c] - 1] = 1
    if s.felt[c] != Reading.NOT_FELT:
        view[AT.column_felt + c * READINGS + s.felt[c] - 1] = 1
    if s.proof[c] != Proof.NOTHING:
        view[AT.column_proof + c * PROOFS + s.proof[c] - 1] = 1


@rule
def show_floor(s, f, view):
    """One floor of the building."""
    view[AT.floor + f] = 1
    view[AT.floor_place + 2 * f] = s.floor_x[f] / PLATE_RADIUS
    view[AT.floor_place + 2 * f + 1] = s.floor_y[f] / PLATE_RADIUS
    view[AT.floor_turn + 2 * f] = TURN[s.rotation[f], 0]
    view[AT.floor_turn + 2 * f + 1] = TURN[s.rotation[f], 1]
    view[AT.margin + f] = within(s.margin[f] / MARGIN_UNIT)


@rule
def show_seat(s, q, i, view):
    """Seat q, the i-th after the observer."""
    view[AT.seats + i] = 1
    view[AT.points + i] = points_of(s, q) / 10
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
            view[AT.without] = within(s.spare_margin / MARGIN_UNIT)
            view[AT.without + 1] = within(s.spare_index / INDEX_UNIT)
    if s.phase == Phase.SETUP_COLUMN or s.phase == Phase.COLUMN or s.phase == Phase.FLOOR_COLUMN:
        view[AT.row + s.row] = 1
    if s.phase == Phase.FLOOR_ROW or s.phase == Phase.FLOOR_COLUMN:
        view[AT.pose_turn] = TURN[s.pose_turn, 0]
        view[AT.pose_turn + 1] = TURN[s.pose_turn, 1]


@rule
def show_game(s, view):
    """Building and game as a whole."""
    view[AT.index] = within(s.index / INDEX_UNIT)
    for k in range(KINDS):
        view[AT.room + k] = s.rooms[k]
    view[AT.opened] = s.opened
    view[AT.proposing] = s.proposing
    view[AT.own_step] = s.own_step
    view[AT.passes] = s.passes / PLAYERS
    view[AT.turns] = s.turns / s.options.turns
    view[AT.options] = s.options.floor_order
    view[AT.options + 1] = s.options.any_colour
    view[AT.options + 2] = s.options.two_column_floors
    view[AT.options + 3] = s.options.partial_cover_allowed
    view[AT.options + 4] = s.options.sigma * 10.0
    view[AT.options + 5] = s.options.reading_noise * 10.0
    view[AT.options + 6] = s.options.imperfection
