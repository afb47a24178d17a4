"""Patios: gardeners, Water carrier and Assistant gardener (sections 6 to 8)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.patios.actions import ACTIONS
from alarife.games.patios.components import BALCONY_KINDS, CANE, KINDS, NONE, Phase, Todo

from .cards import balconies_in, discard_unseen, draw_card, renew_sample, take_from_sample
from .cells import offer_each, present
from .drafts import begin_draft
from .hand import can_take_cane, take_cane, take_card, take_flower
from .patio import has_room
from .seats import seat_of

AT = ACTIONS.start


@rule
def suits_gardener(s):
    """Whether the sample holds a pot of the gardener's colour or a balcony."""
    return s.sample[s.character] > 0 or balconies_in(s.sample) > 0


@rule
def call_gardener(s):
    """A sample without a suitable card is renewed once; then the action is lost (PAT-052)."""
    if not suits_gardener(s):
        renew_sample(s)
    s.step = 0
    s.todo = Todo.NEXT_TAKER


@rule
def next_taker(s):
    """In order everybody must take, as long as there is a suitable card (PAT-050, PAT-051, PAT-053)."""
    while s.step < s.seats and suits_gardener(s):
        p = seat_of(s, s.step)
        s.step += 1
        if has_room(s, p):
            s.seat = p
            s.phase = Phase.TAKE
            return
    s.todo = Todo.AFTER_ACTION


@rule
def offer_suitable(s, moves):
    """The pot of the gardener's colour and the balconies of the sample."""
    offer_each(moves, AT.kind, present(s.sample) & (BALCONY_KINDS | 1 << s.character))


@rule
def take_shown(s, k):
    """Take a pot or balcony of the sample."""
    take_from_sample(s, k)
    take_flower(s, int(s.seat), k, s.seat == s.turn_of, 1, Todo.NEXT_TAKER)


@rule
def call_water_carrier(s):
    """A sample without a cane is renewed once; then the action is lost (PAT-056)."""
    if s.sample[CANE] == 0:
        renew_sample(s)
    s.step = 0
    s.todo = Todo.NEXT_CANE


@rule
def next_cane(s):
    """In order everybody who can take a cane must, while there are canes (PAT-055, PAT-060)."""
    while s.step < s.seats and s.sample[CANE] > 0:
        p = seat_of(s, s.step)
        s.step += 1
        if can_take_cane(s, p):
            take_from_sample(s, CANE)
            take_cane(s, p, Todo.NEXT_CANE)
            return
    s.todo = Todo.AFTER_ACTION


@rule
def call_assistant(s):
    """One card more than there are players is drawn (PAT-065, PAT-068)."""
    begin_draft(s)
    for _ in range(s.seats + 1):
        k = draw_card(s)
        if k != NONE:
            s.draft[k] += 1
            s.drafted += 1
    s.caller[0] = s.turn_of
    s.step = 0
    s.todo = Todo.NEXT_DRAFT


@rule
def next_draft(s):
    """The cards go round against the order of play; the last one is discarded unseen (PAT-066, PAT-067)."""
    if s.step < s.seats and s.drafted > 0:
        s.seat = seat_of(s, s.seats - s.step)
        s.step += 1
        s.phase = Phase.DRAFT
        return
    for k in range(KINDS):
        for _ in range(s.draft[k]):
            s.draft[k] -= 1
            s.drafted -= 1
            discard_unseen(s, k)
            s.gone[0, s.seats] = k
    s.todo = Todo.AFTER_ACTION


@rule
def offer_draft(s, moves):
    """The kinds among the Assistant's cards."""
    offer_each(moves, AT.kind, present(s.draft))


@rule
def take_drafted(s, k):
    """Take one of the Assistant's cards; in another's turn its kind stays hidden (PAT-202)."""
    p = int(s.seat)
    s.draft[k] -= 1
    s.drafted -= 1
    take_card(s, p, k, p == s.turn_of, Todo.NEXT_DRAFT)
