"""VIVA: what a seat may know (VIV-135, VIV-136). Seats are counted from the observer: 0 is always oneself."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.layout import Block, Features

from .components import COLOURS, COLOURS_OF, HOUSES, KINDS, MOST_CARDS, MOST_COPIES, NONE, PLAYERS, Phase

MANY = MOST_CARDS / 10

FEATURES = Features(
    hand=Block(KINDS, "copies in my hand, in sixths"),
    drawn=Block(KINDS, "the type I have just taken and may play"),
    house=Block((HOUSES, COLOURS), "colours on top of each house"),
    height=Block(HOUSES, "cards in each house, in tens", high=MANY),
    covered=Block(KINDS, "copies below the tops, in sixths"),
    discard=Block(KINDS, "copies in the discard, in sixths"),
    stack=Block(1, "cards in the stack, as a share of 126"),
    general=Block(COLOURS, "colours of the general blocking card"),
    personal=Block(COLOURS, "colours of the personal blocking card"),
    owner=Block(PLAYERS, "the seat in front of which it lies"),
    blocked=Block(COLOURS, "colours that I may not play into houses"),
    held=Block(PLAYERS, "cards in hand, in tens", high=MANY),
    active=Block(PLAYERS, "seats still in the round"),
    position=Block(PLAYERS, "place in which a seat went out, in sixths"),
    turn_of=Block(PLAYERS, "the seat whose turn it is"),
    seat=Block(PLAYERS, "the seat to decide"),
    phase=Block(len(Phase), "what is being decided"),
    kind=Block(COLOURS, "colours of the type being played"),
    placed=Block(HOUSES, "copies put on each house by this play, in sixths"),
    spot=Block(2, "the last card lies on the general, on the personal blocking card"),
    turns=Block(1, "turns of this round, as a share of the most"),
    wins=Block(PLAYERS, "winner's cards, in twelfths"),
    position_sum=Block(PLAYERS, "sum of round positions, in tens", high=7.2),
    round=Block(1, "rounds ended, as a share of the match"),
    tie_break=Block(1, "1 in a tie-break round"),
    seats=Block(PLAYERS, "seats taking part in the game"),
    options=Block(4, "pocket edition, single round, bluff, probability of noticing"),
)
AT = FEATURES.start


@rule
def show_colours(view, at, k):
    """Write the colours of a kind, nothing for NONE."""
    if k != NONE:
        for c in range(COLOURS):
            view[at + c] = COLOURS_OF[k] >> c & 1


@rule
def observe(s, seat, view):
    """Fill the view of one seat."""
    show_cards(s, seat, view)
    show_table(s, view)
    for i in range(s.seats):
        show_seat(s, (seat + i) % s.seats, i, view)
    if s.owner == seat:
        show_blocked(s.personal, view)
    show_blocked(s.general, view)
    if s.phase == Phase.DRAWN and seat == s.seat:
        view[AT.drawn + s.drawn] = 1


@rule
def show_cards(s, seat, view):
    """Own hand, and the cards out of play."""
    for k in range(KINDS):
        view[AT.hand + k] = s.hand[seat, k] / MOST_COPIES
        view[AT.covered + k] = s.covered[k] / MOST_COPIES
        view[AT.discard + k] = s.discard[k] / MOST_COPIES
    view[AT.stack] = s.stack_size / MOST_CARDS


@rule
def show_table(s, view):
    """Houses, blocking cards, the play in progress, the match."""
    for h in range(HOUSES):
        show_colours(view, AT.house + h * COLOURS, s.top[h])
        view[AT.height + h] = s.height[h] / 10
        view[AT.placed + h] = s.placed[h] / MOST_COPIES
    show_colours(view, AT.general, s.general)
    show_colours(view, AT.personal, s.personal)
    show_colours(view, AT.kind, s.kind)
    view[AT.phase + s.phase] = 1
    if s.spot > 0:
        view[AT.spot + s.spot - 1] = 1
    view[AT.turns] = s.turns / s.options.max_turns_per_round
    view[AT.round] = s.round / (1 if s.options.match == 1 else s.options.rounds)
    view[AT.tie_break] = s.tie_break
    view[AT.options] = s.options.edition
    view[AT.options + 1] = s.options.match
    view[AT.options + 2] = s.options.bluff
    view[AT.options + 3] = s.options.bluff_notice_probability


@rule
def show_seat(s, q, i, view):
    """What is public about seat q, the i-th after the observer."""
    view[AT.seats + i] = 1
    view[AT.owner + i] = s.owner == q
    view[AT.held + i] = s.held[q] / 10
    view[AT.active + i] = s.active[q]
    view[AT.position + i] = s.position[q] / PLAYERS
    view[AT.turn_of + i] = s.turn_of == q
    view[AT.seat + i] = s.seat == q
    view[AT.wins + i] = s.wins[q] / 12
    view[AT.position_sum + i] = s.position_sum[q] / 10


@rule
def show_blocked(k, view):
    """Mark the colours of a blocking card as blocked for the observer."""
    if k != NONE:
        for c in range(COLOURS):
            if COLOURS_OF[k] >> c & 1:
                view[AT.blocked + c] = 1
