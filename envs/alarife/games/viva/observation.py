"""VIVA: what a seat may know (VIV-135, VIV-136). Seats are counted from the observer: 0 is always oneself."""

from __future__ import annotations

import numpy as np

from alarife.engine.jit import rule
from alarife.engine.layout import Block, Features, Flags
from alarife.engine.views import SHARE, after, write_row, write_share

from .components import COLOURS, COLOURS_OF, HOUSES, KINDS, MOST_CARDS, MOST_COPIES, NONE, PLAYERS, Phase

MANY = MOST_CARDS / 10
SIXTHS, TENTHS, PERCENT = 1 / MOST_COPIES, 1 / 10, 1 / 100
#: The colours of a kind, one place each.
COLOUR_FLAGS = np.array([[mask >> c & 1 for c in range(COLOURS)] for mask in COLOURS_OF.tolist()], np.int8)

FEATURES = Features(
    hand=Block(KINDS, "copies in my hand, in sixths", scale=SIXTHS),
    drawn=Flags(KINDS, "the type I have just taken and may play"),
    house=Flags((HOUSES, COLOURS), "colours on top of each house"),
    height=Block(HOUSES, "cards in each house, in tens", high=MANY, scale=TENTHS),
    covered=Block(KINDS, "copies below the tops, in sixths", scale=SIXTHS),
    discard=Block(KINDS, "copies in the discard, in sixths", scale=SIXTHS),
    stack=Block(1, "cards in the stack, as a share of 126", scale=1 / MOST_CARDS),
    general=Flags(COLOURS, "colours of the general blocking card"),
    personal=Flags(COLOURS, "colours of the personal blocking card"),
    owner=Flags(PLAYERS, "the seat in front of which it lies"),
    blocked=Flags(COLOURS, "colours that I may not play into houses"),
    held=Block(PLAYERS, "cards in hand, in tens", high=MANY, scale=TENTHS),
    active=Flags(PLAYERS, "seats still in the round"),
    position=Block(PLAYERS, "place in which a seat went out, in sixths", scale=1 / PLAYERS),
    turn_of=Flags(PLAYERS, "the seat whose turn it is"),
    seat=Flags(PLAYERS, "the seat to decide"),
    phase=Flags(len(Phase), "what is being decided"),
    kind=Flags(COLOURS, "colours of the type being played"),
    placed=Block(HOUSES, "copies put on each house by this play, in sixths", scale=SIXTHS),
    spot=Flags(2, "the last card lies on the general, on the personal blocking card"),
    turns=Block((1, 2), "turns of this round, as a share of the most: hundredths, and hundredths of those", **SHARE),
    wins=Block(PLAYERS, "winner's cards, in twelfths", scale=1 / 12),
    position_sum=Block(PLAYERS, "sum of round positions, in tens", high=7.2, scale=TENTHS),
    round=Block(1, "rounds ended, as a share of the match, in hundredths", scale=PERCENT),
    tie_break=Flags(1, "1 in a tie-break round"),
    seats=Flags(PLAYERS, "seats taking part in the game"),
    options=Block(4, "pocket edition, single round, bluff, probability of noticing in hundredths",
                  scale=(1, 1, 1, PERCENT)),
)  # fmt: skip
AT = FEATURES.start


@rule
def show_colours(view, at, k):
    """Write the colours of a kind, nothing for NONE."""
    if k != NONE:
        write_row(view, at, COLOUR_FLAGS[k])


@rule
def observe(s, seat, view):
    """Fill the view of one seat."""
    show_cards(s, seat, view)
    show_table(s, view)
    q = int(seat)
    for i in range(s.seats):
        show_seat(s, q, i, view)
        q = q + 1 if q + 1 < s.seats else 0
    show_whose(s, seat, view)
    if s.owner == seat:
        show_blocked(s.personal, view)
    show_blocked(s.general, view)
    if s.phase == Phase.DRAWN and seat == s.seat:
        view[AT.drawn + s.drawn] = 1


@rule
def show_cards(s, seat, view):
    """Own hand, and the cards out of play."""
    write_row(view, AT.hand, s.hand[seat])
    write_row(view, AT.covered, s.covered)
    write_row(view, AT.discard, s.discard)
    view[AT.stack] = s.stack_size


@rule
def show_table(s, view):
    """Houses, blocking cards, the play in progress, the match."""
    for h in range(HOUSES):
        show_colours(view, AT.house + h * COLOURS, s.top[h])
        view[AT.height + h] = s.height[h]
        view[AT.placed + h] = s.placed[h]
    show_colours(view, AT.general, s.general)
    show_colours(view, AT.personal, s.personal)
    show_colours(view, AT.kind, s.kind)
    view[AT.phase + s.phase] = 1
    if s.spot > 0:
        view[AT.spot + s.spot - 1] = 1
    write_share(view, AT.turns, s.turns, s.options.max_turns_per_round)
    if s.round > 0:
        rounds = 1 if s.options.match == 1 else int(s.options.rounds)
        view[AT.round] = (200 * int(s.round) + rounds) // (2 * rounds)
    view[AT.tie_break] = s.tie_break
    view[AT.options] = s.options.edition
    view[AT.options + 1] = s.options.match
    view[AT.options + 2] = s.options.bluff
    view[AT.options + 3] = int(s.options.bluff_notice_probability * 100 + 0.5)


@rule
def show_seat(s, q, i, view):
    """What is public about seat q, the i-th after the observer."""
    view[AT.seats + i] = 1
    view[AT.held + i] = s.held[q]
    view[AT.active + i] = s.active[q]
    view[AT.position + i] = s.position[q]
    view[AT.wins + i] = s.wins[q]
    view[AT.position_sum + i] = s.position_sum[q]


@rule
def show_whose(s, seat, view):
    """Whose the turn, the decision and the personal blocking card are."""
    view[AT.turn_of + after(s.turn_of, seat, s.seats)] = 1
    view[AT.seat + after(s.seat, seat, s.seats)] = 1
    if s.owner != NONE:
        view[AT.owner + after(s.owner, seat, s.seats)] = 1


@rule
def show_blocked(k, view):
    """Mark the colours of a blocking card as blocked for the observer."""
    if k != NONE:
        for c in range(COLOURS):
            if COLOUR_FLAGS[k, c]:
                view[AT.blocked + c] = 1
