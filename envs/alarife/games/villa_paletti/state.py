"""Villa Paletti: options and the state record."""

from __future__ import annotations

from dataclasses import dataclass

from alarife.engine.game import GameState
from alarife.engine.layout import f64, i8, i16, i32
from alarife.engine.options import GameOptions, choice, number, settings_of, switch, whole

from .components import (
    COLOURS,
    COLUMNS,
    CORNER_NUMBERS,
    FLOORS,
    GRID,
    KINDS,
    MOST_CHANGES,
    MOST_CONTACTS,
    MOST_EXCESS,
    MOST_FEET,
    MOST_MARK,
    MOST_OFF_CENTRE,
    MOST_SCALE,
    MOST_SIGMA,
    MOST_TURNS,
    NEUTRAL,
    NONE,
    PLATE_RADIUS,
    PLAYERS,
    READING_NOISE,
    ROTATIONS,
    SIGMA,
    UNBOUNDED,
    Act,
    Cover,
    Phase,
    Proof,
    Reading,
    Todo,
)


@dataclass(frozen=True)
class Options(GameOptions):
    """Start-up, variants, chance, caps. Chance is off with sigma=0, reading_noise=0, imperfection=False (PAL-167)."""

    setup: str = choice("random", "played", meaning="columns are scattered, or put down by the players")
    floor_order: str = choice(
        "green_first", "yellow_first", meaning="which floor is second; the contest starts at green"
    )
    any_colour: bool = switch(False, "columns of any colour may be moved")
    two_column_floors: bool = switch(False, "orange and red may rest on two columns")
    partial_cover_allowed: bool = switch(True, "a new floor may cover a column partly")
    sigma: float = number(SIGMA, 0, MOST_SIGMA, "scale of the jolts, as the tangent of a tilt; 0 for none")
    reading_noise: float = number(READING_NOISE, 0, 0.1, "standard deviation of the reading's error; 0 for none")
    imperfection: bool = switch(True, "floors and columns differ a little from their nominal weights")
    turns: int = whole(MOST_TURNS, 1, MOST_TURNS, "turns after which the game ends")


class State(GameState):
    """Everything that changes. Level k is the top of floor k, 0 the base plate. Millimetres, grams."""

    options = settings_of(Options)
    phase = i8.of(Phase)
    todo = i8.of(Todo)  # NOTHING whenever a decision is due
    # seats
    seat_of = i8[COLOURS].between(
        NEUTRAL, PLAYERS - 1
    )  # whose colour it is: a seat, NEUTRAL, or NONE before it is taken
    taken = i8.between(0, COLOURS)  # colours taken so far
    turn_of = i8.between(0, PLAYERS - 1)  # whose turn it is; `turn` differs while others answer or demonstrate
    objector = i8.between(NONE, PLAYERS - 1)  # seat that objected this turn, or NONE
    act = i8.of(Act)  # why a column is moved
    proposing = i8.between(0, 1)  # 1 while a proposal is being dealt with
    own_step = i8.between(0, 1)  # three players: 1 once the neutral step of this turn is over
    turns = i16.between(0, MOST_TURNS)  # begun so far
    passes = i8.between(0, PLAYERS)  # turns without an act in a row
    barred = i8[PLAYERS].between(0, 1)  # 1: may not propose until the top level changes (PAL-110)
    # columns
    x = f64[COLUMNS].between(-PLATE_RADIUS, PLATE_RADIUS)
    y = f64[COLUMNS].between(-PLATE_RADIUS, PLATE_RADIUS)
    level = i8[COLUMNS].between(
        NONE, FLOORS
    )  # on which it stands, NONE once out of the game (and before it is put down)
    storey = i8[COLUMNS].between(0, COLUMNS - 1)  # on red: columns below it in its stack
    locked = i8[COLUMNS].between(0, 1)
    cover = i8[COLUMNS].of(Cover)  # by the floor above
    removed = i8.between(0, COLUMNS)  # columns out of the game
    lock_mark = f64.between(-MOST_MARK, MOST_MARK)  # a sum over the locked columns that changes when one of them moves
    laid = i8.between(0, COLUMNS)  # columns put down in a played setup
    # floors
    floors = i8.between(0, FLOORS)  # on the building
    floor_x = f64[FLOORS].between(-PLATE_RADIUS, PLATE_RADIUS)
    floor_y = f64[FLOORS].between(-PLATE_RADIUS, PLATE_RADIUS)
    rotation = i8[FLOORS].between(0, ROTATIONS - 1)
    # the move in progress
    chosen = i8.between(NONE, COLUMNS - 1)  # the column, or NONE
    row = i8.between(0, GRID - 1)  # chosen row of a cell or pose
    pose_turn = i8.between(0, ROTATIONS - 1)  # chosen rotation of a floor
    shaken = f64.between(0, MOST_SCALE)  # scale of the jolt that the building as it stands has survived, 0 for none
    pulled = f64.between(0, MOST_SCALE)  # the same for the building without the chosen column
    held = f64.between(0, MOST_SCALE)  # scale of the jolt of the lift in progress
    felt = i8[COLUMNS].of(Reading)  # readings of the building as it stands now
    proof = i8[COLUMNS].of(Proof)  # what lifts and pulls have shown about it
    # what everybody remembers of the last time that a column was felt
    last_felt = i8[COLUMNS].of(Reading)
    last_proof = i8[COLUMNS].of(Proof)  # what a lift or a pull showed then
    changes = i8[COLUMNS].between(0, MOST_CHANGES)  # of the building since then
    # the Seal
    owner = i8.between(NONE, PLAYERS - 1)  # seat, or NONE
    former = i8.between(NONE, PLAYERS - 1)  # seat shown by the Seal, or NONE
    opened = i8.between(0, 1)  # 1 once an own column has been placed on the top floor
    causer = i8.between(NONE, PLAYERS - 1)  # seat that made the building collapse, or NONE
    winner = i8.between(NONE, PLAYERS - 1)  # seat, or NONE
    collapsed = i8.between(0, 1)  # 1 after a collapse
    capped = i8.between(0, 1)  # 1 if the cap on turns has ended the game
    # caches: what follows from the fields above
    room = i32[KINDS, GRID].between(0, (1 << GRID) - 1)  # cells of the top level for each kind, a row as bits
    rooms = i8[KINDS].between(0, 1)  # 1 if there is one
    turnings = i32.between(0, (1 << ROTATIONS) - 1)  # rotations of the next floor that have a pose, as bits
    poses = i32[GRID].between(0, (1 << GRID) - 1)  # poses of the next floor in the chosen rotation, a row as bits
    margin = f64[FLOORS].between(-UNBOUNDED, UNBOUNDED)  # nominal balance of each floor (millimetres)
    index = f64.between(-UNBOUNDED, UNBOUNDED)  # nominal tilt index of the building
    spare_margin = f64.between(-UNBOUNDED, UNBOUNDED)  # nominal balance without the chosen column
    spare_index = f64.between(-UNBOUNDED, UNBOUNDED)
    # hulls of the contacts under each floor and of the feet of the columns that carry it: how many corners, and which,
    # by their numbers; the last entry is the chosen column's level without it
    edges = i8[FLOORS + 1, 2].between(0, MOST_CONTACTS)
    contacts = i16[FLOORS + 1, MOST_CONTACTS].between(0, CORNER_NUMBERS - 1)
    feet = i16[FLOORS + 1, MOST_FEET].between(0, CORNER_NUMBERS - 1)
    # hidden from everybody (PAL-165)
    centre = f64[FLOORS, 2].between(-MOST_OFF_CENTRE, MOST_OFF_CENTRE)  # where a floor's weight acts, in its own frame
    excess = f64[COLUMNS].between(-MOST_EXCESS, MOST_EXCESS)  # relative error of a column's weight
