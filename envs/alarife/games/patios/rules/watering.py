"""Patios: watering at the Sun effect and at the end of a round (PAT-130 to PAT-135)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.engine.views import lowest_bit
from alarife.games.patios.actions import ACTIONS
from alarife.games.patios.components import (
    CAN,
    CANE,
    CANE_TARGETS,
    HOSE,
    HOSE_TARGETS,
    LADDER,
    NEXT_TO,
    NONE,
    Improvement,
    Phase,
    Todo,
)

from .cards import to_discard
from .cells import around, offer_each
from .patio import (
    balconies_among,
    clear_cell,
    dry_cards,
    leave_patio,
    look_at_dry_cards,
    pick_up,
    tell_no_balconies,
    turn_up,
)
from .seats import seat_of
from .stock import hose_on_ladder, lies_in, put_under

AT = ACTIONS.start


@rule
def hose_reach(s, p, reached, targets):
    """The cells that the hose can add with so many targets to the group reached, over links (PAT-132)."""
    cells = around(reached)
    for _ in range(targets - 1):
        cells |= around(cells & s.flowers[p])
    return cells


@rule
def ladder_tools(s, p):
    """Whether a cane or the hose lies on the own ladder."""
    return lies_in(s, Improvement.LADDER, p) and (s.ladder_canes > 0 or hose_on_ladder(s))


@rule
def waterers(s, p):
    """The cells of canes, hose and ladder that can reach a dry card (PAT-130)."""
    dry = int(s.dry[p])
    cells = around(dry) & s.canes[p]
    if dry != 0 and lies_in(s, Improvement.HOSE, p) and not hose_on_ladder(s):
        c = int(s.spot[Improvement.HOSE])
        if hose_reach(s, p, 1 << c, HOSE_TARGETS) & dry:
            cells |= 1 << c
    if dry != 0 and ladder_tools(s, p):
        cells |= 1 << s.spot[Improvement.LADDER]
    return cells


@rule
def can_may_help(s, p):
    """Whether a watering can lies beside a dry card that might be a balcony: all that others can tell."""
    return lies_in(s, Improvement.CAN, p) and dry_cards(s, p) != 0


@rule
def can_helps(s, p):
    """Whether the watering can may be used: for a dry balcony, or for any dry card of a forgetful owner (PAT-184)."""
    if not can_may_help(s, p):
        return False
    return s.options.monument_to_memory or balconies_among(s, p, dry_cards(s, p)) != 0


@rule
def next_watering(s):
    """In order everybody may water who, as far as all can see, might be able to."""
    while s.step < s.seats:
        p = seat_of(s, s.step)
        s.step += 1
        if s.dry[p] != 0 and (waterers(s, p) != 0 or can_may_help(s, p)):
            s.seat = p
            s.phase = Phase.WATER
            return
    s.todo = Todo.AFTER_WATERING


@rule
def water_again(s):
    """The same seat goes on while it might (PAT-130)."""
    s.step -= 1
    s.todo = Todo.NEXT_WATERING


@rule
def offer_waterers(s, moves):
    """Canes, hose, watering can and ladder that are of use; or stop."""
    p = int(s.seat)
    cells = waterers(s, p)
    if can_helps(s, p):
        cells |= 1 << s.spot[Improvement.CAN]
    offer_each(moves, AT.waterer, cells)
    offer(moves, AT.done)


@rule
def tool_at(s, c):
    """What waters from a cell: the thing there, on the ladder a cane or the hose, NONE if it holds both (PAT-192)."""
    thing = int(s.card[s.seat, c])
    if thing != LADDER:
        return thing
    if s.ladder_canes == 0:
        return HOSE
    return NONE if hose_on_ladder(s) else CANE


@rule
def use_waterer(s, c):
    """Choose a waterer; the can waters at once, a ladder with both tools asks which (PAT-133, PAT-192)."""
    tool = tool_at(s, c)
    if tool == CAN:
        pour_can(s, int(s.seat))
    elif tool == NONE:
        s.phase = Phase.WATER_TOOL
    else:
        use_tool(s, tool, c)


@rule
def stop_watering(s):
    """No more water in this patio; the next one follows (PAT-130)."""
    s.todo = Todo.NEXT_WATERING


@rule
def pour_can(s, p):
    """The watering can turns up every dry balcony (PAT-133)."""
    look_at_dry_cards(s, p)
    cells = balconies_among(s, p, s.dry[p])
    while cells != 0:
        turn_up(s, p, lowest_bit(cells))
        cells &= cells - 1
    tell_no_balconies(s, p)
    leave_patio(s, Improvement.CAN)
    s.todo = Todo.WATER_AGAIN


@rule
def offer_tools(s, moves):
    """A cane of the ladder, or the hose (PAT-192)."""
    offer(moves, AT.tool)
    offer(moves, AT.tool + 1)


@rule
def use_ladder_tool(s, tool):
    """Of the ladder's cell: 0 a cane, 1 the hose."""
    use_tool(s, HOSE if tool else CANE, int(s.spot[Improvement.LADDER]))


@rule
def use_tool(s, tool, c):
    """A cane or the hose leaves the patio, and its targets are chosen (PAT-131, PAT-132, PAT-134)."""
    p = int(s.seat)
    s.tool = tool
    s.tool_cell = c
    s.on_ladder = s.card[p, c] == LADDER
    s.left = HOSE_TARGETS if tool == HOSE else CANE_TARGETS
    s.chosen = 0
    s.moistened = 0
    if tool == HOSE:
        pick_up(s, Improvement.HOSE)
    else:
        spend_cane(s, p, c)
    s.phase = Phase.WATER_TARGET


@rule
def spend_cane(s, p, c):
    """A cane is discarded; what else lies on the ladder stays."""
    if s.card[p, c] == LADDER:
        s.ladder_canes -= 1
    else:
        clear_cell(s, p, c)
    to_discard(s, CANE)


@rule
def water_targets(s):
    """The cards that the tool in use may reach next (PAT-131, PAT-132)."""
    p = int(s.seat)
    dry = int(s.dry[p])
    if s.on_ladder:
        return dry
    if s.tool == CANE:
        return dry & NEXT_TO[s.tool_cell]
    reached = int(s.chosen) | 1 << s.tool_cell
    near = around(reached)
    cells = dry & near
    links = s.flowers[p] & ~dry & near & ~reached
    while links != 0 and s.left > 1:
        link = links & -links
        if hose_reach(s, p, reached | link, int(s.left) - 1) & dry:
            cells |= link
        links &= links - 1
    return cells


@rule
def offer_targets(s, moves):
    """The cards in reach; stopping once a dry one has been chosen."""
    cells = water_targets(s)
    offer_each(moves, AT.water_target, cells)
    if s.moistened:
        offer(moves, AT.done)


@rule
def water_target(s, c):
    """Water a card, or link over a beautiful one."""
    p = int(s.seat)
    s.chosen |= 1 << c
    s.left -= 1
    if s.dry[p] >> c & 1:
        s.moistened = 1
        turn_up(s, p, c)
    if s.left == 0 or water_targets(s) == 0:
        end_tool(s)


@rule
def end_tool(s):
    """The tool has done its work; a hose goes back."""
    if s.tool == HOSE:
        put_under(s, Improvement.HOSE)
    s.tool = NONE
    s.tool_cell = NONE
    s.on_ladder = 0
    s.left = 0
    s.chosen = 0
    s.moistened = 0
    s.todo = Todo.WATER_AGAIN
