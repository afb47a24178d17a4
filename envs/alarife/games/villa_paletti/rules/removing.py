"""Villa Paletti: a column is felt, and taken out (section 5)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.games.villa_paletti.actions import ACTIONS
from alarife.games.villa_paletti.components import (
    FACTOR_HOOK,
    FACTOR_LIFT,
    FACTOR_PULL_FREE,
    FACTOR_PULL_LOADED,
    NONE,
    Act,
    Cover,
    Phase,
    Proof,
    Todo,
)

from .building import building_changed, lock_mark, prove, top_changed
from .end import collapse
from .places import find_room
from .proposing import ask_for_penalty, ask_others
from .statics import (
    balance,
    column_leaves,
    is_deep,
    room_for_edges,
    spare_column,
    weigh,
    weigh_above,
    write_building,
    write_without,
)
from .tremor import jolt_fells, read

AT = ACTIONS.start


@rule
def choose_column(s, c):
    """Feel a column: everybody sees what the building would be like without it (PAL-060)."""
    s.passes = 0
    s.chosen = c
    s.phase = Phase.READING
    spare_column(s, c)
    edges = room_for_edges()
    write_without(s, c, edges)
    margin, index = balance(s, edges, c, False, 1, False)
    s.spare_margin = margin
    s.spare_index = index
    s.felt[c] = read(s, balance(s, edges, c, True, 1, False)[1])
    s.last_felt[c] = s.felt[c]
    s.last_proof[c] = Proof.NOTHING
    s.changes[c] = 0


@rule
def offer_removal(s, moves):
    """R1: pull the column, lift the floor that it carries, or leave it (PAL-061, PAL-065, PAL-068)."""
    offer(moves, AT.pull)
    if s.cover[s.chosen] != Cover.FREE:
        offer(moves, AT.lift)
    offer(moves, AT.abort)


@rule
def pull_scale(s, c):
    """How strong the jolt of a pull is: the hook is used for columns deep under a floor (PAL-063, PAL-066)."""
    if s.cover[c] == Cover.FREE:
        return s.options.sigma * FACTOR_PULL_FREE
    scale = s.options.sigma * FACTOR_PULL_LOADED
    return scale * FACTOR_HOOK if is_deep(s, c) else scale


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
def offer_lifted(s, moves):
    """R2: the column is left or taken, as the lift has shown."""
    offer(moves, AT.abort)
    offer(moves, AT.commit)


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
    edges = room_for_edges()
    write_building(s, edges, 1)
    building_changed(s, edges, s.pulled)
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
