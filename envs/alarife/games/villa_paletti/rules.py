"""Villa Paletti: the rules, in the order of the rulebook. Ids in brackets are those of RULES.md."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.engine.random import below, uniform
from alarife.engine.result import place_by_key

from .actions import ACTIONS
from .checks import lock_mark
from .components import (
    BLUE_POSES,
    COLOUR,
    COLOURS,
    COLUMNS,
    CONTEST,
    FACTOR_HOOK,
    FACTOR_LIFT,
    FACTOR_PLACE_COLUMN,
    FACTOR_PLACE_FLOOR,
    FACTOR_PULL_FREE,
    FACTOR_PULL_LOADED,
    FLOORS,
    GRID,
    HOOK_DEPTH,
    KIND,
    MIDDLE,
    MOST_CHANGES,
    NEUTRAL,
    NONE,
    POINTS,
    POSE_PITCH,
    RADIUS,
    ROTATIONS,
    SETUP_GAP,
    SETUP_ORDER,
    SITE_RADIUS,
    Act,
    Cover,
    Phase,
    Proof,
    Reading,
    Todo,
)
from .places import (
    cell_x,
    cell_y,
    columns_needed,
    columns_on_top,
    find_poses,
    find_room,
    find_turnings,
    is_under_another,
    props_for,
    room_after,
    stack_at,
    stack_height,
    try_pose,
)
from .statics import (
    column_leaves,
    depth_under,
    floor_laid,
    note_balance,
    spare_column,
    weigh,
    weigh_above,
)
from .tremor import draw_imperfections, jolt_fells, read

AT = ACTIONS.start
PLAYED = 1  # index in Options.setup
MOST_TODOS = 16  # between two decisions: a turn ends, and everybody passes
MOST_TRIES = 100_000  # at placing columns by chance, far more than it ever takes
QUICK_TRIES = 100  # at a random pose of the blue floor before all are listed


# --- setup (section 2) ------------------------------------------------------------------------------


@rule
def reset(s):
    """A base plate with twenty columns and the blue floor, then the choice of colours."""
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
    draw_imperfections(s)
    if s.options.setup == PLAYED:
        ask_for_column(s)
    else:
        for _ in range(MOST_TRIES):
            if lay_blue_at_random(s):
                break
        assert s.floors == 1, "PAL-027: the blue floor finds no place"
        roll_seal(s)


@rule
def lay_blue_at_random(s):
    """Scatter the columns and lay the blue floor in one of its legal poses, if there is one (PAL-024, PAL-027)."""
    scatter(s)
    props = props_for()
    for _ in range(QUICK_TRIES):
        pose = int(BLUE_POSES[below(s, BLUE_POSES.size)])
        if try_pose(s, pose, props):
            lay_floor(s, pose // (GRID * GRID), pose // GRID % GRID, pose % GRID)
            return True
    legal = 0
    for i in range(BLUE_POSES.size):
        legal += try_pose(s, int(BLUE_POSES[i]), props)
    if legal == 0:
        return False
    left = below(s, legal)
    for i in range(BLUE_POSES.size):
        pose = int(BLUE_POSES[i])
        if try_pose(s, pose, props):
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
        s.turn = s.laid % s.seats
        s.phase = Phase.SETUP_ROW
        find_room(s)
        return
    s.chosen = NONE
    s.turn = s.seats - 1
    s.actor = s.turn
    find_turnings(s)
    for _ in range(MOST_TRIES):
        if s.turnings != 0:
            break
        scatter(s)
        find_turnings(s)
    assert s.turnings != 0, "PAL-027: the blue floor finds no place"
    s.phase = Phase.ROTATION


@rule
def put_down(s, column):
    """A column goes on a cell of the building site."""
    c = s.chosen
    s.x[c] = cell_x(s, column)
    s.y[c] = cell_y(s, s.row)
    s.level[c] = 0
    s.laid += 1
    ask_for_column(s)


# --- colours and seats (section 3) ------------------------------------------------------------------


@rule
def roll_seal(s):
    """Seat 0 takes the colour that the Seal shows; the others choose (PAL-030, PAL-031)."""
    s.seat_of[below(s, COLOURS)] = 0
    s.taken = 1
    s.turn = 1
    s.phase = Phase.COLOUR


@rule
def chooser(s):
    """Who takes the next colour: two seats alternate, nobody takes the fourth colour of three (PAL-035, PAL-038)."""
    if s.seats == 2:
        return s.taken % 2
    return s.taken if s.taken < s.seats else NEUTRAL


@rule
def take_colour(s, colour):
    """Take a colour; the last one is not chosen. Who took last starts (PAL-031 to PAL-035, PAL-038)."""
    s.seat_of[colour] = chooser(s)
    s.taken += 1
    if s.taken < COLOURS - 1:
        s.turn = chooser(s)
        return
    for last in range(COLOURS):
        if s.seat_of[last] == NONE:
            s.seat_of[last] = chooser(s)
    s.taken = COLOURS
    s.actor = s.seats - 2
    s.todo = Todo.NEXT_TURN


# --- which columns may be taken (sections 4, 7, 8) --------------------------------------------------


@rule
def can_go_up(s, c):
    """Whether a column may be used for building: unlocked, below the top level, with a place up there."""
    return s.level[c] != NONE and s.level[c] < s.floors and not s.locked[c] and s.rooms[KIND[c]]


@rule
def is_neutral(s, c):
    """Whether a column belongs to nobody at a table of three."""
    return s.seat_of[COLOUR[c]] == NEUTRAL


@rule
def is_spare_neutral(s, c):
    """Whether a neutral column may go up: another one stays on its level (PAL-115, PAL-125)."""
    if not is_neutral(s, c) or not can_go_up(s, c):
        return False
    for other in range(COLUMNS):
        if other != c and is_neutral(s, other) and s.level[other] == s.level[c]:
            return True
    return False


@rule
def is_for(s, p, c):
    """Whether seat p may build with a column (PAL-047 to PAL-052)."""
    if is_neutral(s, c):
        return s.options.any_colour and is_spare_neutral(s, c)
    return (s.options.any_colour or s.seat_of[COLOUR[c]] == p) and can_go_up(s, c)


@rule
def may_take(s, c):
    """Whether a column may be chosen for what is being done."""
    if s.act == Act.BUILD:
        return is_for(s, s.actor, c)
    if s.act == Act.NEUTRAL or s.act == Act.SHOW_NEUTRAL:
        return is_spare_neutral(s, c)
    if s.act == Act.DISPROVE:
        return is_for(s, s.actor, c) or is_spare_neutral(s, c)
    owner = s.seat_of[COLOUR[c]]
    return owner == s.objector and s.level[c] != NONE and not s.locked[c] and not is_under_another(s, c)


@rule
def has_column(s):
    """Whether any column may be chosen for what is being done."""
    for c in range(COLUMNS):
        if may_take(s, c):
            return True
    return False


@rule
def may_propose(s):
    """Whether the actor may propose the next floor (PAL-053, PAL-092, PAL-110, PAL-128)."""
    if s.own_step or s.floors == FLOORS or s.barred[s.actor]:
        return False
    return columns_on_top(s) >= columns_needed(s)


@rule
def may_stop(s):
    """Three players: after the neutral step, or when it is skipped and no own column offered (PAL-117, PAL-118)."""
    if s.seats != 3:
        return False
    return s.own_step == 1 or (s.act == Act.BUILD and not has_column(s))


# --- legal actions (section 10) ---------------------------------------------------------------------


@rule
def legal(s, moves):
    """Offer each action the seat to decide may take."""
    phase = s.phase
    if phase == Phase.TURN or phase == Phase.DEMONSTRATE or phase == Phase.PENALTY:
        offer_columns(s, moves)
    elif phase == Phase.READING:
        offer(moves, AT.pull)
        if s.cover[s.chosen] != Cover.FREE:
            offer(moves, AT.lift)
        offer(moves, AT.abort)
    elif phase == Phase.LIFTED:
        offer(moves, AT.abort)
        offer(moves, AT.commit)
    elif phase == Phase.OBJECT:
        offer(moves, AT.object_to)
        offer(moves, AT.agree)
    elif phase == Phase.COLOUR:
        for colour in range(COLOURS):
            if s.seat_of[colour] == NONE:
                offer(moves, AT.colour + colour)
    else:
        offer_places(s, moves)


@rule
def offer_columns(s, moves):
    """T1, O2 and X1: a column; at the start of a turn also a proposal, or the end of the turn."""
    for c in range(COLUMNS):
        if may_take(s, c):
            offer(moves, AT.column + c)
    if s.phase == Phase.TURN:
        if may_propose(s):
            offer(moves, AT.propose)
        if may_stop(s):
            offer(moves, AT.stop)
    elif s.phase == Phase.PENALTY:
        offer(moves, AT.stop)


@rule
def offer_places(s, moves):
    """Rows with a legal cell, cells of the chosen row; rotations with a legal pose likewise (PAL-163)."""
    phase = s.phase
    if phase == Phase.SETUP_ROW or phase == Phase.ROW:
        for row in range(GRID):
            if s.room[KIND[s.chosen], row] != 0:
                offer(moves, AT.row + row)
        if phase == Phase.ROW:
            offer(moves, AT.abort)
    elif phase == Phase.SETUP_COLUMN or phase == Phase.COLUMN:
        offer_bits(moves, AT.cell, s.room[KIND[s.chosen], s.row], GRID)
    elif phase == Phase.ROTATION:
        offer_bits(moves, AT.rotation, s.turnings, ROTATIONS)
    elif phase == Phase.FLOOR_ROW:
        for row in range(GRID):
            if s.poses[row] != 0:
                offer(moves, AT.row + row)
    else:
        offer_bits(moves, AT.cell, s.poses[s.row], GRID)


@rule
def offer_bits(moves, first, bits, count):
    """An action for each bit that is set."""
    for i in range(count):
        if bits >> i & 1:
            offer(moves, first + i)


# --- a turn (section 4) -----------------------------------------------------------------------------


@rule
def apply(s, action):
    """Play one legal action."""
    decide(s, action)
    proceed(s)


@rule
def proceed(s):
    """Go on to the next decision."""
    for _ in range(MOST_TODOS):
        if s.todo == Todo.NOTHING:
            return
        todo = s.todo
        s.todo = Todo.NOTHING
        if todo == Todo.NEXT_TURN:
            begin_turn(s, (s.actor + 1) % s.seats)
        elif todo == Todo.OWN_STEP:
            begin_own_step(s)
        else:
            ask_for_pose(s)
    assert s.todo == Todo.NOTHING, "the rules go round in a circle"


@rule
def decide(s, action):
    """Carry out the decision."""
    if action < AT.propose:
        choose_column(s, action - AT.column)
    elif action < AT.stop:
        propose(s)
    elif action < AT.pull:
        stop(s)
    elif action < AT.lift:
        pull(s)
    elif action < AT.abort:
        lift(s)
    elif action < AT.commit:
        give_back(s)
    elif action < AT.object_to:
        commit(s)
    elif action < AT.agree:
        demonstrate(s)
    elif action < AT.rotation:
        ask_next(s)
    elif action < AT.row:
        s.pose_turn = action - AT.rotation
        find_poses(s, s.pose_turn)
        s.phase = Phase.FLOOR_ROW
    elif action < AT.cell:
        s.row = action - AT.row
        s.phase += 1  # each choice of a row is followed by that of a cell
    elif action < AT.colour:
        choose_cell(s, action - AT.cell)
    else:
        take_colour(s, action - AT.colour)


@rule
def choose_cell(s, column):
    """The last choice of a place or pose."""
    if s.phase == Phase.SETUP_COLUMN:
        put_down(s, column)
    elif s.phase == Phase.COLUMN:
        place_column(s, column)
    else:
        place_floor(s, column)


@rule
def begin_turn(s, p):
    """Seat p is to play, passes, or the game ends (PAL-034, PAL-055, PAL-142, PAL-148)."""
    if s.turns >= s.options.turns:
        s.capped = 1
        end_game(s)
        return
    s.turns += 1
    s.actor = p
    s.turn = p
    s.phase = Phase.TURN
    s.objector = NONE
    s.proposing = 0
    s.own_step = 0
    s.act = Act.NEUTRAL
    if s.seats != 3 or not has_column(s):
        s.act = Act.BUILD  # the neutral step is skipped (PAL-118, PAL-127)
    if not has_column(s) and not may_propose(s):
        pass_turn(s)


@rule
def pass_turn(s):
    """Nothing was done; a whole round of that ends the game (PAL-142)."""
    s.passes += 1
    if s.passes >= s.seats:
        end_game(s)
    else:
        s.todo = Todo.NEXT_TURN


@rule
def begin_own_step(s):
    """Three players: the turn goes on with an own column, if one is offered (PAL-117, PAL-123)."""
    s.turn = s.actor
    s.objector = NONE
    s.act = Act.BUILD
    s.own_step = 1
    s.phase = Phase.TURN
    if not has_column(s):
        s.todo = Todo.NEXT_TURN


@rule
def stop(s):
    """Pass, stop after the neutral step, or take no column as penalty."""
    if s.phase == Phase.PENALTY:
        s.todo = Todo.FLOOR
    elif s.own_step:
        s.todo = Todo.NEXT_TURN
    else:
        pass_turn(s)


# --- removing a column (section 5) ------------------------------------------------------------------


@rule
def choose_column(s, c):
    """Feel a column: everybody sees what the building would be like without it (PAL-060)."""
    s.passes = 0
    s.chosen = c
    s.phase = Phase.READING
    spare_column(s, c)
    margin, index = weigh(s, c, False)
    s.spare_margin = margin
    s.spare_index = index
    s.felt[c] = read(s, weigh(s, c, True)[1])
    s.last_felt[c] = s.felt[c]
    s.last_proof[c] = Proof.NOTHING
    s.changes[c] = 0


@rule
def pull_scale(s, c):
    """How strong the jolt of a pull is: the hook is used for columns deep under a floor (PAL-063, PAL-066)."""
    if s.cover[c] == Cover.FREE:
        return s.options.sigma * FACTOR_PULL_FREE
    scale = s.options.sigma * FACTOR_PULL_LOADED
    return scale * FACTOR_HOOK if depth_under(s, c) > HOOK_DEPTH else scale


@rule
def pull(s):
    """The building must stand without the column, and survive the jolt (PAL-063, PAL-067)."""
    c = s.chosen
    s.pulled = pull_scale(s, c)
    margin, index = weigh(s, c, True)
    if margin < 0.0 or jolt_fells(s, index, s.pulled):
        collapse(s)
    else:
        prove(s, c, Proof.STANDS)
        take_in_hand(s)


@rule
def lift(s):
    """Raise the floor above: what stands on it is jolted, and then it is felt whether it tips (PAL-062, PAL-070).

    What lies below the floor is not tested: the held floor keeps the columns under it from rising.
    """
    c = s.chosen
    s.held = s.options.sigma * FACTOR_LIFT
    if jolt_fells(s, weigh_above(s, s.level[c] + 1)[1], s.held):
        collapse(s)
        return
    prove(s, c, Proof.STANDS if weigh(s, c, True)[0] >= 0.0 else Proof.FALLS)
    s.phase = Phase.LIFTED


@rule
def prove(s, c, proof):
    """Everybody knows now what the building does without a column."""
    s.proof[c] = proof
    s.last_proof[c] = proof


@rule
def commit(s):
    """Take the column from under the lifted floor and let the floor down (PAL-062, PAL-064)."""
    if s.proof[s.chosen] == Proof.FALLS:
        collapse(s)
    else:
        take_in_hand(s)


@rule
def take_in_hand(s):
    """The column is out; it is placed next, or leaves the game as a penalty (PAL-073)."""
    if s.act == Act.PENALTY:
        leave_game(s)
        s.todo = Todo.FLOOR
    else:
        s.phase = Phase.ROW


@rule
def leave_game(s):
    """The chosen column leaves the game (PAL-097, PAL-100)."""
    c = s.chosen
    was_on_top = s.level[c] == s.floors
    column_leaves(s, c)
    s.level[c] = NONE
    s.storey[c] = 0
    s.x[c] = 0.0
    s.y[c] = 0.0
    s.removed += 1
    s.chosen = NONE
    building_changed(s, s.pulled)
    if was_on_top:
        find_room(s)
        if s.act == Act.PENALTY:
            top_changed(s)


@rule
def give_back(s):
    """Abort: the column stays, locked for good but not as a penalty; the chain ends (PAL-068 to 072, PAL-102)."""
    c = s.chosen
    s.chosen = NONE
    s.pulled = 0.0
    s.held = 0.0
    if s.act == Act.PENALTY:
        s.todo = Todo.FLOOR
        return
    s.locked[c] = 1
    s.lock_mark += lock_mark(s, c)
    if s.act == Act.BUILD:
        s.todo = Todo.NEXT_TURN
    elif s.act == Act.NEUTRAL:
        s.act = Act.SHOW_NEUTRAL
        ask_others(s)
    elif s.act == Act.DISPROVE:
        ask_for_penalty(s)
    else:
        s.todo = Todo.OWN_STEP


@rule
def building_changed(s, scale):
    """Readings and proofs spoke of another building; this one has survived a jolt of that scale."""
    s.shaken = scale
    s.pulled = 0.0
    s.held = 0.0
    for c in range(COLUMNS):
        s.felt[c] = Reading.NOT_FELT
        s.proof[c] = Proof.NOTHING
        if s.last_felt[c] != Reading.NOT_FELT:
            s.changes[c] = min(s.changes[c] + 1, MOST_CHANGES)
    note_balance(s)


@rule
def top_changed(s):
    """Floors that found no pose may be proposed again (PAL-110)."""
    for p in range(s.seats):
        s.barred[p] = 0


# --- placing a column (section 6) -------------------------------------------------------------------


@rule
def place_column(s, column):
    """Put the column on the top level; the jolt acts on the whole building (PAL-075 to PAL-086)."""
    c = s.chosen
    move_up(s, c, column)
    scale = s.options.sigma * FACTOR_PLACE_COLUMN
    margin, index = weigh(s, NONE, True)
    if margin < 0.0 or jolt_fells(s, index, scale):
        collapse(s)
        return
    if s.act == Act.DISPROVE:
        leave_game(s)
        s.todo = Todo.NEXT_TURN
        return
    s.chosen = NONE
    room_after(s, c)
    building_changed(s, scale)
    top_changed(s)
    if s.act == Act.NEUTRAL:
        s.todo = Todo.OWN_STEP
    else:
        if s.act == Act.BUILD:
            settle_seal(s, c)
        s.todo = Todo.NEXT_TURN


@rule
def move_up(s, c, column):
    """The column stands on its cell, or on the stack whose footprint holds the cell's centre (PAL-080)."""
    under = stack_at(s, s.row, column)
    column_leaves(s, c)
    s.level[c] = s.floors
    if under == NONE:
        s.x[c] = cell_x(s, column)
        s.y[c] = cell_y(s, s.row)
    else:
        s.storey[c] = stack_height(s, under)
        s.x[c] = s.x[under]
        s.y[c] = s.y[under]


# --- a new floor (section 7) ------------------------------------------------------------------------


@rule
def propose(s):
    """Propose the next floor: the others may object (PAL-090 to PAL-094)."""
    s.passes = 0
    s.proposing = 1
    s.act = Act.DISPROVE
    ask_others(s)


@rule
def ask_others(s):
    """The others answer clockwise, if there is a column to demonstrate with (PAL-093, PAL-094, PAL-120)."""
    s.phase = Phase.OBJECT
    if has_column(s):
        s.turn = s.actor
        ask_next(s)
    else:
        no_objection(s)


@rule
def ask_next(s):
    """The next of the others answers; after the last one nobody has objected."""
    s.turn = (s.turn + 1) % s.seats
    if s.turn == s.actor:
        no_objection(s)


@rule
def no_objection(s):
    """The floor is laid (PAL-105), or the turn goes on with an own column (PAL-120)."""
    s.todo = Todo.FLOOR if s.act == Act.DISPROVE else Todo.OWN_STEP


@rule
def demonstrate(s):
    """The first to object must show it (PAL-095, PAL-096, PAL-121)."""
    s.objector = s.turn
    s.phase = Phase.DEMONSTRATE


@rule
def ask_for_penalty(s):
    """The objector failed: the proposer may take a column of the objector out of the game (PAL-100, PAL-101)."""
    s.turn = s.actor
    s.act = Act.PENALTY
    s.phase = Phase.PENALTY
    if not has_column(s):
        s.todo = Todo.FLOOR


@rule
def ask_for_pose(s):
    """The proposer lays the floor; where no pose exists the idea is given up (PAL-103, PAL-105, PAL-109, PAL-110)."""
    s.turn = s.actor
    find_turnings(s)
    if s.turnings == 0:
        s.barred[s.actor] = 1
        s.todo = Todo.NEXT_TURN
    else:
        s.phase = Phase.ROTATION


@rule
def place_floor(s, column):
    """Lay the floor; the jolt acts on the whole building, except before the game (PAL-111, PAL-112)."""
    if s.floors == 0:
        lay_floor(s, s.pose_turn, s.row, column)
        roll_seal(s)
        return
    lay_floor(s, s.pose_turn, s.row, column)
    scale = s.options.sigma * FACTOR_PLACE_FLOOR
    margin, index = weigh(s, NONE, True)
    if margin < 0.0 or jolt_fells(s, index, scale):
        collapse(s)
        return
    s.shaken = scale
    s.todo = Todo.NEXT_TURN


@rule
def lay_floor(s, i, row, column):
    """The next floor lies on the columns of the top level, and becomes the top level."""
    s.rotation[s.floors] = i
    s.floor_x[s.floors] = (column - MIDDLE) * POSE_PITCH
    s.floor_y[s.floors] = (row - MIDDLE) * POSE_PITCH
    s.floors += 1
    s.opened = 0
    floor_laid(s)
    building_changed(s, 0.0)
    top_changed(s)
    find_room(s)


# --- collapse, Seal, end (section 9) ----------------------------------------------------------------


@rule
def points_of(s, p):
    """Points of the own columns on the top level, from the green floor on (PAL-131, PAL-133)."""
    points = 0
    if s.floors >= CONTEST[s.options.floor_order]:
        for c in range(COLUMNS):
            if s.level[c] == s.floors and s.seat_of[COLOUR[c]] == p:
                points += POINTS[KIND[c]]
    return points


@rule
def settle_seal(s, c):
    """First on a floor, or better than the owner: the Seal changes hands (PAL-132 to PAL-141)."""
    p = s.seat_of[COLOUR[c]]
    if p == NEUTRAL or s.floors < CONTEST[s.options.floor_order]:
        return
    is_first = not s.opened
    s.opened = 1
    if s.owner == p:
        return
    if is_first or points_of(s, p) > points_of(s, s.owner):
        s.former = s.owner
        s.owner = p


@rule
def collapse(s):
    """The building is down: the owner wins, or the former owner if the owner did it (PAL-130, PAL-143 to PAL-146)."""
    s.collapsed = 1
    s.causer = s.turn
    s.winner = s.former if s.owner == s.causer else s.owner
    s.over = 1


@rule
def end_game(s):
    """Nobody can build further: the owner of the Seal wins (PAL-142, PAL-143, PAL-145)."""
    s.winner = s.owner
    s.turn = s.actor
    s.over = 1


@rule
def result(s, r):
    """Points on the top level; places follow the Seal alone (PAL-143 to PAL-147)."""
    winner = s.winner if s.over else s.owner
    for p in range(s.seats):
        r.score[p] = points_of(s, p)
        r.key[p] = 0
        if p == winner:
            r.key[p] = 1
        elif winner == NONE and p == s.causer:
            r.key[p] = -1
    r.no_winner = winner == NONE
    r.capped = s.capped
    place_by_key(r, s.seats)
