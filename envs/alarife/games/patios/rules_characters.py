"""Gardeners, Water carrier, Assistant gardener, Children and Neighbour (sections 6 to 9 and 12)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.engine.random import below

from .actions import ACTIONS
from .components import ANYTHING_TOLD, CANE, FIRST_BALCONY, IMPROVEMENTS, KINDS, NONE, Phase, Place, Todo, Window
from .memory_draft import settle_draft
from .rules_cards import (
    balconies_in,
    beautiful_pots,
    can_take_cane,
    discard_unseen,
    draw_card,
    dry_cards,
    first_of,
    give_improvement,
    has_room,
    put_on_top,
    renew_sample,
    seat_of,
    take_cane,
    take_card,
    take_flower,
    take_from_sample,
    take_top,
)

AT = ACTIONS.start


# --- gardeners (section 6) ------------------------------------------------------------------------------


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
            s.turn = p
            s.phase = Phase.TAKE
            return
    s.todo = Todo.AFTER_ACTION


@rule
def offer_suitable(s, moves):
    """The pot of the gardener's colour and the balconies of the sample."""
    if s.sample[s.character] > 0:
        offer(moves, AT.kind + s.character)
    offer_balconies(s, moves)


@rule
def offer_balconies(s, moves):
    """The balconies of the sample."""
    for k in range(FIRST_BALCONY, KINDS):
        if s.sample[k] > 0:
            offer(moves, AT.kind + k)


@rule
def take_shown(s, k):
    """Take a pot or balcony of the sample."""
    take_from_sample(s, k)
    take_flower(s, int(s.turn), k, s.turn == s.actor, 1, Todo.NEXT_TAKER)


# --- Water carrier (section 7) --------------------------------------------------------------------------


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


# --- Assistant gardener (section 8) -----------------------------------------------------------------------


@rule
def call_assistant(s):
    """One card more than there are players is drawn (PAT-065, PAT-068)."""
    settle_draft(s)
    for _ in range(s.seats + 1):
        k = draw_card(s)
        if k != NONE:
            s.draft[k] += 1
            s.drafted += 1
    s.caller = s.actor
    s.step = 0
    s.todo = Todo.NEXT_DRAFT


@rule
def next_draft(s):
    """The cards go round against the order of play; the last one is discarded unseen (PAT-066, PAT-067)."""
    if s.step < s.seats and s.drafted > 0:
        s.turn = seat_of(s, s.seats - s.step)
        s.step += 1
        s.phase = Phase.DRAFT
        return
    for k in range(KINDS):
        for _ in range(s.draft[k]):
            s.draft[k] -= 1
            s.drafted -= 1
            discard_unseen(s, k)
            s.gone[s.seats] = k
    s.todo = Todo.AFTER_ACTION


@rule
def offer_draft(s, moves):
    """The kinds among the Assistant's cards."""
    for k in range(KINDS):
        if s.draft[k] > 0:
            offer(moves, AT.kind + k)


@rule
def take_drafted(s, k):
    """Take one of the Assistant's cards; in another's turn its kind stays hidden (PAT-202)."""
    p = int(s.turn)
    s.draft[k] -= 1
    s.drafted -= 1
    take_card(s, p, k, p == s.actor, Todo.NEXT_DRAFT)


# --- Children (section 9) ---------------------------------------------------------------------------------


@rule
def call_children(s):
    """The top flower card is placed, then one swap is possible (PAT-070)."""
    k = draw_card(s)
    if k == NONE:
        s.todo = Todo.OFFER_SWAP
    else:
        take_card(s, int(s.actor), k, 1, Todo.OFFER_SWAP)


@rule
def swap_sources(s):
    """The own cells that find a partner of the same sort in another patio (PAT-072)."""
    pots, dry = 0, 0
    for p in range(s.seats):
        if p != s.actor:
            pots |= beautiful_pots(s, p)
            dry |= dry_cards(s, p)
    cells = 0
    if pots != 0:
        cells |= beautiful_pots(s, int(s.actor))
    if dry != 0:
        cells |= dry_cards(s, int(s.actor))
    return cells


@rule
def offer_swap(s):
    """Ask for a swap if there is a legal one (PAT-071)."""
    s.turn = s.actor
    if swap_sources(s) != 0:
        s.phase = Phase.SWAP
    else:
        s.todo = Todo.AFTER_ACTION


@rule
def swap_partners(s, p):
    """The cells of a patio that may be swapped against the chosen own card."""
    if s.dry[s.actor] >> s.swap_own & 1:
        return dry_cards(s, p)
    return beautiful_pots(s, p)


@rule
def offer_swap_players(s, moves):
    """The seats with a matching card."""
    for i in range(1, s.seats):
        if swap_partners(s, seat_of(s, i)) != 0:
            offer(moves, AT.swap_player + i - 1)


@rule
def choose_swap_card(s, c):
    """The own card that is given."""
    s.swap_own = c
    s.phase = Phase.SWAP_PLAYER


@rule
def choose_swap_player(s, i):
    """The seat that must swap."""
    s.swap_player = seat_of(s, i + 1)
    s.phase = Phase.SWAP_THEIRS


@rule
def swap(s, theirs):
    """Both cards change places and keep their sides; of dry ones each receiver sees what he gets (PAT-073, PAT-074)."""
    p, q, own = int(s.actor), int(s.swap_player), int(s.swap_own)
    given = int(s.card[p, own])
    s.card[p, own] = s.card[q, theirs]
    s.card[q, theirs] = given
    if s.dry[p] >> own & 1:
        known = s.seen[p, own]
        s.seen[p, own] = s.seen[q, theirs] | 1 << p
        s.seen[q, theirs] = known | 1 << q
        told = s.told[p, own] & ANYTHING_TOLD
        s.told[p, own] = s.told[q, theirs] & ANYTHING_TOLD
        s.told[q, theirs] = told
        lot = s.lot[p, own]
        s.lot[p, own] = s.lot[q, theirs]
        s.lot[q, theirs] = lot
        if s.options.monument_to_memory:
            s.glimpse[p] |= 1 << own
            s.glimpse[q] |= 1 << theirs
    s.swap_own = NONE
    s.swap_player = NONE
    s.todo = Todo.AFTER_ACTION


# --- Neighbour (section 12) -------------------------------------------------------------------------------


@rule
def call_neighbour(s):
    """Two cards and perhaps an apprentice, the last card alone, or one of another player's (PAT-100 to PAT-105)."""
    if s.stock_size >= 2:
        s.offers = 0
        s.step = 1
        s.todo = Todo.NEXT_OFFER
        return
    s.todo = Todo.AFTER_ACTION
    if s.stock_size == 1:
        s.kept = take_top(s)
        give_improvement(s, int(s.kept), int(s.actor), 1 << s.actor)
        return
    for p in range(s.seats):
        if p != s.actor and s.unused[p] > 0:
            s.todo = Todo.NOTHING
            s.turn = s.actor
            s.phase = Phase.STEAL
            return


@rule
def next_offer(s):
    """Every other seat with a coin offers it or not; of several one is chosen, a single one is taken (PAT-101)."""
    while s.step < s.seats:
        p = seat_of(s, s.step)
        s.step += 1
        if s.coins[p] > 0:
            s.turn = p
            s.phase = Phase.OFFER
            return
    s.turn = s.actor
    if s.offers == 0:
        draw_two(s)
    elif s.offers & (s.offers - 1) == 0:
        take_apprentice(s, first_of(s.offers))
    else:
        s.phase = Phase.APPRENTICE


@rule
def answer(s, coin):
    """Offer a coin, or not."""
    if coin:
        s.offers |= 1 << s.turn
    s.todo = Todo.NEXT_OFFER


@rule
def take_apprentice(s, p):
    """The apprentice's coin goes to the active player (PAT-102)."""
    s.apprentice = p
    s.coins[p] -= 1
    s.coins[s.actor] += 1
    draw_two(s)


@rule
def draw_two(s):
    """The active player looks at two improvements (PAT-103)."""
    s.offers = 0
    for k in range(2):
        i = take_top(s)
        s.drawn[k] = i
        s.place[i] = Place.DRAWN
        s.informed[i] = 1 << s.actor
    s.phase = Phase.KEEP


@rule
def offer_drawn(s, moves):
    """The two improvements drawn, the lower number first."""
    low, high = min(s.drawn[0], s.drawn[1]), max(s.drawn[0], s.drawn[1])
    offer(moves, AT.keep_improvement + low)
    offer(moves, AT.keep_improvement + high)


@rule
def keep(s, i):
    """One is kept, the other goes to the apprentice or back on top (PAT-103)."""
    p = int(s.actor)
    other = int(s.drawn[1] if s.drawn[0] == i else s.drawn[0])
    s.drawn[0] = NONE
    s.drawn[1] = NONE
    s.kept = i
    give_improvement(s, i, p, 1 << p)
    if s.apprentice == NONE:
        put_on_top(s, other, 1 << p)
        s.todo = Todo.AFTER_ACTION
        return
    q = int(s.apprentice)
    give_improvement(s, other, q, 1 << p | 1 << q)
    s.passed = other
    s.turn = q
    s.window = Window.APPRENTICE
    s.phase = Phase.APPRENTICE_WINDOW


@rule
def steal(s, i):
    """One of another seat's unused improvements, drawn at random (PAT-105)."""
    p, q = int(s.actor), seat_of(s, i + 1)
    left = below(s, s.unused[q])
    taken = NONE
    for j in range(IMPROVEMENTS):
        if s.place[j] == Place.HAND and s.keeper[j] == q:
            if left == 0:
                taken = j
            left -= 1
    several = s.unused[q] > 1
    s.unused[q] -= 1
    for j in range(IMPROVEMENTS):
        if several and s.place[j] == Place.HAND and s.keeper[j] == q:
            s.informed[j] &= 1 << p | 1 << q  # others can no longer tell which card is where
    known = 1 << q if several else int(s.informed[taken])
    s.kept = taken
    give_improvement(s, taken, p, known | 1 << p)
    s.todo = Todo.AFTER_ACTION


@rule
def offer_victims(s, moves):
    """The other seats with an unused improvement."""
    for i in range(1, s.seats):
        if s.unused[seat_of(s, i)] > 0:
            offer(moves, AT.steal_from + i - 1)
