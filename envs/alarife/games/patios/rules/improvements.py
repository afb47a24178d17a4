"""Patios: playing improvements (section 16, and the windows of PAT-035 and PAT-106)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.games.patios.actions import ACTIONS
from alarife.games.patios.components import (
    CHARACTERS,
    IMPROVEMENTS,
    NONE,
    Character,
    Improvement,
    Phase,
    Place,
    Todo,
    Window,
)

from .cards import refill_sample
from .cells import offer_each
from .patio import (
    balconies_among,
    dry_cards,
    free_cells,
    has_room,
    lay_flower,
    lay_improvement,
    look_at_dry_cards,
    make_room,
    tell_no_balconies,
    turn_up,
)
from .row import move_in_row, position_of, table_number
from .stock import earn_coin, lies_in, put_under

AT = ACTIONS.start


@rule
def improvement_cells(s, p, i):
    """Where a played improvement may be put."""
    cells = free_cells(s, p)
    if i == Improvement.HOSE and lies_in(s, Improvement.LADDER, p):
        cells |= 1 << s.spot[Improvement.LADDER]
    elif i == Improvement.LADDER:
        cells |= s.canes[p]
        if lies_in(s, Improvement.HOSE, p):
            cells |= 1 << s.spot[Improvement.HOSE]
    return cells


@rule
def is_playable(s, p, i):
    """Whether an unused improvement can be played in the present window."""
    if i == Improvement.GUITARIST:
        return s.window != Window.APPRENTICE
    if i == Improvement.FLAMENCO:
        return s.window == Window.FIRST
    if i == Improvement.TUB:
        return has_room(s, p)
    if i == Improvement.CAN and (can_targets(s, p) != 0 or (s.options.monument_to_memory and dry_cards(s, p) != 0)):
        return True
    return improvement_cells(s, p, i) != 0


@rule
def offer_improvements(s, moves):
    """The unused improvements that the seat to decide can play; an apprentice only the one just received."""
    p = int(s.seat)
    for i in range(IMPROVEMENTS):
        if s.place[i] == Place.HAND and s.keeper[i] == p and is_playable(s, p, i):
            if s.window != Window.APPRENTICE or i == s.passed:
                offer(moves, AT.play_improvement + i)


@rule
def offer_window(s, moves):
    """An improvement that can be played, or none (PAT-035, PAT-106)."""
    offer_improvements(s, moves)
    offer(moves, AT.done)


@rule
def return_to_window(s):
    """Back to where the improvement was played from."""
    s.playing = NONE
    if s.window == Window.FIRST:
        s.seat = s.turn_of
        s.phase = Phase.TURN
    else:
        s.todo = Todo.AFTER_ACTION


@rule
def play_improvement(s, i):
    """An improvement is played: at once, or after its details."""
    p = int(s.seat)
    s.unused[p] -= 1
    s.place[i] = Place.PLAYED
    s.informed[i] = 0
    s.playing = i
    if i == Improvement.GUITARIST:
        earn_coin(s, p)
        s.phase = Phase.GUITAR
    elif i == Improvement.FLAMENCO:
        earn_coin(s, p)
        put_under(s, i)
        dance(s)
    elif i == Improvement.CAN:
        begin_can(s, p)
    else:
        if i == Improvement.TUB:
            make_room(s, p)
        s.phase = Phase.IMPROVEMENT_PLACE


@rule
def offer_improvement_cells(s, moves):
    """Where the improvement being played may be put (PAT-156)."""
    offer_each(moves, AT.place, improvement_cells(s, int(s.seat), int(s.playing)))


@rule
def place_improvement(s, c):
    """The improvement being played comes to lie in a cell; the Tub like a pot (PAT-163)."""
    p, i = int(s.seat), int(s.playing)
    lay_improvement(s, i, p, c)
    if i == Improvement.TUB:
        lay_flower(s, p, c, s.card[p, c], p == s.turn_of)
    return_to_window(s)


@rule
def can_targets(s, p):
    """The dry balconies."""
    return balconies_among(s, p, s.dry[p])


@rule
def begin_can(s, p):
    """Water a balcony now or place the can; a forgetful owner looks at his dry cards, and may look in vain."""
    look_at_dry_cards(s, p)
    if can_targets(s, p) == 0 and free_cells(s, p) == 0:
        tell_no_balconies(s, p)
        put_under(s, Improvement.CAN)
        return_to_window(s)
    else:
        s.phase = Phase.CAN


@rule
def offer_can(s, moves):
    """Empty cells, and dry balconies that are watered at once (PAT-162)."""
    offer_each(moves, AT.place, free_cells(s, int(s.seat)))
    offer_each(moves, AT.water_target, can_targets(s, int(s.seat)))


@rule
def water_with_can(s, c):
    """One dry balcony at once; the can goes back."""
    turn_up(s, int(s.seat), c)
    put_under(s, Improvement.CAN)
    return_to_window(s)


@rule
def offer_guitar(s, moves):
    """Two or one forward, stay, one or two back, never beyond the ends."""
    k = position_of(s, Character.VISITORS)
    for move in range(5):
        if 0 <= k + move - 2 < s.row_size:
            offer(moves, AT.guitar_move + move)


@rule
def play_guitar(s, move):
    """Visitors move; in the first place they end the round at once (PAT-111)."""
    put_under(s, Improvement.GUITARIST)
    k = position_of(s, Character.VISITORS)
    move_in_row(s, k, k + move - 2)
    if s.row[0] == Character.VISITORS:
        s.playing = NONE
        s.seat = s.turn_of
        refill_sample(s)
        s.todo = Todo.END_ROUND
    else:
        return_to_window(s)


@rule
def dance(s):
    """All characters are turned up, and everybody has seen them."""
    for a in range(CHARACTERS):
        s.face_up[a] = 1
        s.public[a] = 1
    s.flamenco = 1
    s.to_turn_down = table_number(s)
    return_to_window(s)


@rule
def offer_to_turn_down(s, moves):
    """The characters still face up, except Visitors."""
    for k in range(s.row_size):
        a = int(s.row[k])
        if a != Character.VISITORS and s.face_up[a]:
            offer(moves, AT.flamenco_down + a)


@rule
def turn_down_character(s, a):
    """One of the characters that she turns face down; after the last one the turn ends."""
    s.face_up[a] = 0
    s.to_turn_down -= 1
    if s.to_turn_down == 0:
        refill_sample(s)
        s.todo = Todo.CHECK_ROW
