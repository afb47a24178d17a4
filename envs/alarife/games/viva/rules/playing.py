"""VIVA: cards are played or taken (sections 5, 6 and 8)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.games.viva.actions import ACTIONS
from alarife.games.viva.components import ALL_KINDS, HOUSES, KINDS, NONE, SHARING, Phase, Spot
from alarife.games.viva.memory import holds_no_more, rule_out, show, show_newest

from .calling import next_turn
from .catching import call_witnesses
from .matching import accepts, blocked_colours, can_shed, colours_of, is_blocked, is_playable, only_card
from .settling import settle_play
from .stack import draw_card, give_up

AT = ACTIONS.start


@rule
def offer_turn(s, moves):
    """D1: a type that can be played, the last card on a blocking card, or draw (VIV-040 to VIV-046)."""
    p = s.seat
    for k in range(KINDS):
        if s.hand[p, k] > 0 and is_playable(s, p, k):
            offer(moves, AT.play_type + k)
    if can_shed(s, p, s.general):
        offer(moves, AT.general_block)
    if s.owner == p and can_shed(s, p, s.personal):
        offer(moves, AT.personal_block)
    offer(moves, AT.draw)


@rule
def take_card(s):
    """Take one card; it may be played at once if that is possible (VIV-041 to VIV-045, VIV-133)."""
    p = s.seat
    passed_over = kinds_to_play(s, p)
    rule_out(s.likely, p, passed_over)
    k = draw_card(s, p)
    if k != NONE and is_playable(s, p, k):
        s.drawn = k
        s.phase = Phase.DRAWN
    else:
        if s.held[p] > 2:
            rule_out(s.likely, p, passed_over)
        next_turn(s)


@rule
def kinds_to_play(s, p):
    """The kinds, as bits, that seat p could get rid of now, whatever else is in hand."""
    if s.held[p] == 1:
        own = colours_of(s.personal) if s.owner == p else 0
        return SHARING[colours_of(s.general) | own]
    kinds = 0
    for h in range(HOUSES):
        kinds |= ALL_KINDS if s.top[h] == NONE else SHARING[colours_of(s.top[h])]
    return kinds & ~SHARING[blocked_colours(s, p)]


@rule
def offer_drawn(s, moves):
    """D4: the card just taken is played, or kept."""
    offer(moves, AT.play_type + s.drawn)
    offer(moves, AT.end_play)


@rule
def start_play(s, k):
    """Choose the type; a single possible house is taken without asking (VIV-132)."""
    if s.phase == Phase.DRAWN:
        show_newest(s, s.seat, k)
    else:
        show(s, s.seat, k)
    s.kind = k
    s.phase = Phase.HOUSE
    house = NONE
    for h in range(HOUSES):
        if may_place(s, h):
            if house != NONE:
                return
            house = h
    place(s, house)


@rule
def offer_houses(s, moves):
    """D2: the houses where a copy may go now."""
    for h in range(HOUSES):
        if may_place(s, h):
            offer(moves, AT.house + h)


@rule
def may_place(s, h):
    """Whether the next copy may go on house h: all copies in one house, or all in different ones (VIV-054)."""
    copies = 0
    used = 0
    for i in range(HOUSES):
        copies += s.placed[i]
        used += s.placed[i] > 0
    if s.placed[h] > 0:
        return used == 1
    if copies > used:
        return False
    return s.options.bluff or accepts(s, h, s.kind)


@rule
def place(s, h):
    """Put a copy on a house, and ask for more if more is possible (VIV-051 to VIV-055, VIV-130)."""
    p = s.turn_of
    if s.placed[h] == 0:
        s.under[h] = s.top[h]
        if not accepts(s, h, s.kind) or is_blocked(s, p, s.kind):
            s.illegal = 1
    if s.top[h] != NONE:
        s.covered[s.top[h]] += 1
    s.top[h] = s.kind
    s.height[h] += 1
    s.placed[h] += 1
    give_up(s, p, s.kind)
    if s.held[p] > 1 and another_may_go(s):
        if s.hand[p, s.kind] > 0:
            show(s, p, s.kind)
            s.phase = Phase.MORE
            return
        holds_no_more(s, p, 1 << s.kind)
    end_play(s)


@rule
def offer_more(s, moves):
    """D3: the houses where a further copy may go, or the end of the play (VIV-130)."""
    offer_houses(s, moves)
    offer(moves, AT.end_play)


@rule
def another_may_go(s):
    """Whether some house takes a further copy."""
    for h in range(HOUSES):
        if may_place(s, h):
            return True
    return False


@rule
def end_play(s):
    """The play is complete: it may be caught, it may make a VIVA (VIV-061, VIV-123)."""
    if s.illegal:
        call_witnesses(s)
    else:
        settle_play(s)


@rule
def shed(s, spot):
    """Put the last card on a blocking card."""
    p = s.turn_of
    s.kind = only_card(s, p)
    show(s, p, s.kind)
    s.spot = spot
    block = s.general if spot == Spot.GENERAL else s.personal
    if (colours_of(block) & colours_of(s.kind)) == 0:
        s.illegal = 1
    end_play(s)


@rule
def shed_general(s):
    """The last card goes on the general blocking card."""
    shed(s, Spot.GENERAL)


@rule
def shed_personal(s):
    """The last card goes on one's own blocking card."""
    shed(s, Spot.PERSONAL)
