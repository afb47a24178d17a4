"""Patios: the Sun: its action with hits and defence, and its effect (sections 10 and 11)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.engine.views import lowest_bit
from alarife.games.patios.actions import ACTIONS
from alarife.games.patios.components import (
    BALCONY_TOLD,
    CAN,
    CANE,
    DIRECTIONS,
    FIRST_ELSE,
    FIRST_HIT,
    HOSE,
    LADDER,
    NEXT_TO,
    NONE,
    POTS_TOLD,
    SECOND_ELSE,
    SECOND_HIT,
    TUB,
    Improvement,
    Phase,
    Place,
    Todo,
)

from .cells import first_of, offer_each
from .patio import discard_flower, is_balcony, leave_patio, look_at_dry_cards, pick_up, tell, turn_down
from .seats import seat_of
from .stock import has_awning, hose_on_ladder, lies_in, put_under
from .watering import ladder_tools, spend_cane, tool_at

AT = ACTIONS.start


@rule
def offer_directions(s, moves):
    """All eight (PAT-080)."""
    for d in range(DIRECTIONS):
        offer(moves, AT.sun_direction + d)


@rule
def choose_direction(s, d):
    """All other patios, in order, are hit from there (PAT-080)."""
    s.direction = d
    s.step = 1
    s.todo = Todo.NEXT_SUN


@rule
def next_sun(s):
    """The next patio without an Awning; its first hit (PAT-081, PAT-086)."""
    while s.step < s.seats:
        p = seat_of(s, s.step)
        s.step += 1
        if not has_awning(s, p):
            s.seat = p
            s.canned = 0
            for k in range(2):
                s.hit[k] = NONE
                s.guard[k] = 0
            find_hit(s, 0, first_candidates(s, p), Phase.FIRST_HIT, Todo.SECOND_HIT)
            return
    s.direction = NONE
    for k in range(2):
        s.hit[k] = NONE
        s.guard[k] = 0
    s.canned = 0
    s.todo = Todo.AFTER_ACTION


@rule
def first_candidates(s, p):
    """The flower card in the named cell, else those next to it (PAT-081)."""
    cells = s.flowers[p] & FIRST_HIT[s.direction]
    return cells if cells != 0 else s.flowers[p] & FIRST_ELSE[s.direction]


@rule
def second_candidates(s, p):
    """Under works, outer flower cards that touch the named cell, else those next to such cells (PAT-082)."""
    if not s.works[p]:
        return 0
    cells = int(s.flowers[p] & SECOND_HIT[s.direction])
    return cells if cells != 0 else int(s.flowers[p] & SECOND_ELSE[s.direction])


@rule
def second_hit(s):
    """The second hit, even if the first found nothing."""
    find_hit(s, 1, second_candidates(s, int(s.seat)), Phase.SECOND_HIT, Todo.DEFEND)


@rule
def find_hit(s, k, cells, phase, then):
    """A single candidate is hit, among several the owner chooses."""
    if cells & (cells - 1):
        s.phase = phase
        return
    if cells != 0:
        s.hit[k] = first_of(cells)
    s.todo = then


@rule
def offer_first_hits(s, moves):
    """The cards that the owner may let the Sun hit first (PAT-081)."""
    offer_each(moves, AT.sun_hit, int(first_candidates(s, int(s.seat))))


@rule
def choose_first_hit(s, c):
    """The owner's choice; the second hit follows (PAT-081, PAT-082)."""
    s.hit[0] = c
    s.todo = Todo.SECOND_HIT


@rule
def offer_second_hits(s, moves):
    """The cards that the owner may let the Sun hit outside (PAT-082)."""
    offer_each(moves, AT.sun_hit, second_candidates(s, int(s.seat)))


@rule
def choose_second_hit(s, c):
    """The owner's choice; the defence follows (PAT-082, PAT-084)."""
    s.hit[1] = c
    s.todo = Todo.DEFEND


@rule
def strike(s):
    """Each hit card without protection: beautiful ones dry, dry ones are discarded (PAT-083, PAT-087)."""
    p = int(s.seat)
    return_can(s)
    for k in range(2):
        c = int(s.hit[k])
        if c != NONE and not s.guard[k]:
            if s.dry[p] >> c & 1:
                discard_flower(s, p, c)
            else:
                turn_down(s, p, c)
    s.todo = Todo.NEXT_SUN


@rule
def exposed(s):
    """The hit cells that are not yet protected."""
    cells = 0
    for k in range(2):
        if s.hit[k] != NONE and not s.guard[k]:
            cells |= 1 << s.hit[k]
    return cells


@rule
def defenders(s, p):
    """The cells of canes, hose and ladder that protect a hit card."""
    hits = exposed(s)
    near = 0
    for k in range(2):
        if s.hit[k] != NONE and not s.guard[k]:
            near |= int(NEXT_TO[s.hit[k]])
    cells = near & s.canes[p]
    if hits != 0 and lies_in(s, Improvement.HOSE, p) and not hose_on_ladder(s):
        cells |= near & 1 << s.spot[Improvement.HOSE]
    if hits != 0 and ladder_tools(s, p):
        cells |= 1 << s.spot[Improvement.LADDER]
    return cells


@rule
def can_may_defend(s, p):
    """Whether the watering can might protect, as far as all can see: a dry card may be a balcony."""
    if not lies_in(s, Improvement.CAN, p):
        return False
    for k in range(2):
        c = int(s.hit[k])
        if c != NONE and not s.guard[k]:
            dry = s.dry[p] >> c & 1
            if (dry and s.card[p, c] != TUB) or (not dry and is_balcony(s.card[p, c])):
                return True
    return False


@rule
def can_defends(s, p):
    """Whether the watering can may be used: a hit balcony, or what a forgetful owner takes for one (PAT-184)."""
    if not can_may_defend(s, p):
        return False
    if s.options.monument_to_memory:
        return True
    for k in range(2):
        if s.hit[k] != NONE and not s.guard[k] and is_balcony(s.card[p, s.hit[k]]):
            return True
    return False


@rule
def defend(s):
    """Ask the owner while, as far as all can see, he might protect a card; then the Sun strikes."""
    p = int(s.seat)
    if defenders(s, p) != 0 or can_may_defend(s, p):
        s.phase = Phase.DEFENCE
    else:
        strike(s)


@rule
def offer_defence(s, moves):
    """Waterers that protect a hit card; or no more."""
    p = int(s.seat)
    cells = defenders(s, p)
    if can_defends(s, p):
        cells |= 1 << s.spot[Improvement.CAN]
    offer_each(moves, AT.waterer, cells)
    offer(moves, AT.done)


@rule
def spend_waterer(s, c):
    """Use a waterer against the Sun; a ladder with both tools asks which (PAT-084, PAT-192)."""
    tool = tool_at(s, c)
    if tool == CAN:
        defend_with_can(s, int(s.seat))
    elif tool == NONE:
        s.phase = Phase.DEFENCE_TOOL
    else:
        defend_with(s, int(s.seat), tool, c)


@rule
def defend_with_ladder_tool(s, tool):
    """Of the ladder's cell: 0 a cane, 1 the hose."""
    defend_with(s, int(s.seat), HOSE if tool else CANE, int(s.spot[Improvement.LADDER]))


@rule
def defend_with(s, p, tool, c):
    """A cane or the hose protects the hit cards next to it, on the ladder all (PAT-084)."""
    everywhere = s.card[p, c] == LADDER
    if tool == HOSE:
        return_can(s)
        leave_patio(s, Improvement.HOSE)
    else:
        spend_cane(s, p, c)
    for k in range(2):
        if s.hit[k] != NONE and not s.guard[k]:
            if everywhere or NEXT_TO[c] >> s.hit[k] & 1:
                s.guard[k] = 1
    s.todo = Todo.DEFEND


@rule
def defend_with_can(s, p):
    """The watering can protects every hit balcony (PAT-084)."""
    look_at_dry_cards(s, p)
    for k in range(2):
        c = int(s.hit[k])
        if c != NONE and not s.guard[k]:
            saved = is_balcony(s.card[p, c])
            if saved:
                s.guard[k] = 2
            else:
                s.canned |= 1 << k
            if s.dry[p] >> c & 1 and s.card[p, c] != TUB:
                tell(s, p, c, BALCONY_TOLD if saved else POTS_TOLD)
    pick_up(s, Improvement.CAN)
    s.todo = Todo.DEFEND


@rule
def return_can(s):
    """A watering can spent in this defence goes under its deck, before whatever follows it there (PAT-164)."""
    if s.place[Improvement.CAN] == Place.PLAYED:
        put_under(s, Improvement.CAN)


@rule
def discard_dry(s, p):
    """Every dry flower card of a patio goes (PAT-091, PAT-120)."""
    cells = s.dry[p]
    while cells != 0:
        discard_flower(s, p, lowest_bit(cells))
        cells &= cells - 1


@rule
def burn(s):
    """After the watering all dry cards outside an Awning are lost (PAT-091)."""
    for p in range(s.seats):
        if not has_awning(s, p):
            discard_dry(s, p)
