"""Patios: what a seat remembers, and forks that agree with it (PAT-126, PAT-196, PAT-197, PAT-201, PAT-202).

It remembers the score piles, as every scoring was seen by all; the dry cards that it has seen, by a swap or before they
were dried or placed; the discards that it saw go, until they are shuffled; and of the Assistant's last cards those that
it passed on: which they are together, but not who took which. Cards of earlier drafts are forgotten, but for those that
are then known to lie in the discards.
"""

from __future__ import annotations

import numpy as np

from alarife.engine.jit import rule
from alarife.engine.layout import Block, Features, Flags
from alarife.engine.random import below
from alarife.engine.views import write_row

from .components import (
    BALCONIES,
    BALCONY_TOLD,
    CANE,
    CELLS,
    COLOURS,
    FIRST_BALCONY,
    KINDS,
    MOST_ROUNDS,
    NONE,
    PLAYERS,
    POT_COPIES,
    TUB,
)
from .observation import FIFTY, LOOSE, MOST_DRAFT
from .resample import (
    draw_any,
    draw_unlike_cane,
    gather,
    redraw_deal,
    redraw_dry,
    redraw_improvements,
    redraw_row,
    resample,
)
from .rules.drafts import has_passed_on, was_passed, went_unseen
from .rules.patio import sorts_told

FEATURES = Features(
    remembered_trio=Block((PLAYERS - 1, COLOURS), "trio tokens of the seats after me, in quarters",
                          scale=1 / MOST_ROUNDS),
    remembered_loose=Block((PLAYERS - 1, 2), "loose points of the seats after me: fifties, and what is left, in "
                           "fiftieths", **LOOSE),
    remembered_dry=Flags((PLAYERS, CELLS, COLOURS + 1), "dry cards that I have seen: blue, red, green, balcony"),
    remembered_balcony=Block((PLAYERS, CELLS), "the number of such a balcony, in elevenths", scale=1 / BALCONIES),
    remembered_discards=Block(KINDS, "discards that I saw go since they were last shuffled, in seventeenths",
                              scale=1 / POT_COPIES),
    passed=Block(KINDS, "the Assistant's last cards that I passed on and have not seen since, in sixths",
                 scale=1 / MOST_DRAFT),
    passed_to=Flags((PLAYERS, CELLS), "dry cells that hold one of those"),
)  # fmt: skip
AT = FEATURES.start

MOST_PASSED = 2 * (PLAYERS + 1)  # generously
MIXES = 10  # exchanges for each card that was passed on
# Where such a card may be: a cell of a patio, the discards by taker, the hand of the seat to decide, the draft.
GONE, HELD, DRAFT = PLAYERS * CELLS, PLAYERS * CELLS + PLAYERS + 1, PLAYERS * CELLS + PLAYERS + 2


# --- what is shown --------------------------------------------------------------------------------------------


@rule
def observe(s, seat, view):
    """What the seat remembers."""
    for i in range(s.seats):
        p = int((seat + i) % s.seats)
        if i > 0:
            view[AT.remembered_loose + 2 * (i - 1)] = int(s.loose[p]) // FIFTY
            view[AT.remembered_loose + 2 * (i - 1) + 1] = int(s.loose[p]) % FIFTY
            write_row(view, AT.remembered_trio + (i - 1) * COLOURS, s.trio[p])
        for c in range(CELLS):
            if s.dry[p] >> c & 1:
                if was_passed(s, seat, p, c):
                    view[AT.passed_to + i * CELLS + c] = 1
                if s.seen[p, c] >> seat & 1:
                    show_dry(s, p, c, i * CELLS + c, view)
    for k in range(KINDS):
        view[AT.remembered_discards + k] = min(POT_COPIES, s.thrown[k] + s.spent[seat, k])
    places, kinds = np.empty(MOST_PASSED, np.int64), np.empty(MOST_PASSED, np.int64)
    for i in range(find_passed(s, seat, places, kinds)):
        view[AT.passed + kinds[i]] += 1


@rule
def show_dry(s, p, c, at, view):
    """A dry card that the seat has seen."""
    k = int(s.card[p, c])
    if k < COLOURS:
        view[AT.remembered_dry + at * (COLOURS + 1) + k] = 1
    elif k != TUB:
        view[AT.remembered_dry + at * (COLOURS + 1) + COLOURS] = 1
        view[AT.remembered_balcony + at] = k - FIRST_BALCONY + 1


# --- cards that were passed on --------------------------------------------------------------------------------


@rule
def find_passed(s, seat, places, kinds):
    """The cards that the seat passed on and has not seen since: where they are, and which; returns how many."""
    count = 0
    for p in range(s.seats):
        if s.dry[p] != 0:
            for c in range(CELLS):
                if was_passed(s, seat, p, c):
                    count = note(places, kinds, count, p * CELLS + c, s.card[p, c])
    for i in range(PLAYERS + 1):
        if went_unseen(s, seat, i):
            count = note(places, kinds, count, GONE + i, s.gone[i])
    if has_passed_on(s, seat):
        if s.held != NONE and not s.held_open:
            count = note(places, kinds, count, HELD, s.held)
        for k in range(KINDS):
            for _ in range(s.draft[k]):
                count = note(places, kinds, count, DRAFT, k)
    return count


@rule
def note(places, kinds, count, place, k):
    """Another card; returns how many there are now."""
    if count == MOST_PASSED:
        return count
    places[count] = place
    kinds[count] = k
    return count + 1


@rule
def may_lie(s, place, k):
    """Whether a card that was passed on may be there: canes never lie dry, and all can tell something of some cells."""
    if place < GONE:
        sort = BALCONY_TOLD if k >= FIRST_BALCONY else 1 << k
        return k != CANE and sorts_told(s, place // CELLS, place % CELLS) & sort != 0
    return k != CANE or place == DRAFT or place == GONE + s.seats


@rule
def mix_passed(s, seat):
    """Who took which of the cards that the seat passed on: any way is as likely."""
    places, kinds = np.empty(MOST_PASSED, np.int64), np.empty(MOST_PASSED, np.int64)
    count = find_passed(s, seat, places, kinds)
    if count < 2:
        return
    for i in range(count):
        put_passed(s, places[i], kinds[i], -1)
    for _ in range(MIXES * count):
        i, j = below(s, count), below(s, count)
        if may_lie(s, places[i], kinds[j]) and may_lie(s, places[j], kinds[i]):
            kept = kinds[i]
            kinds[i] = kinds[j]
            kinds[j] = kept
    for i in range(count):
        put_passed(s, places[i], kinds[i], 1)


@rule
def put_passed(s, place, k, change):
    """A card comes to a place, or with -1 leaves it."""
    if place < GONE:
        s.card[place // CELLS, place % CELLS] = k
    elif place < HELD:
        s.gone[place - GONE] = k
        s.discard[k] += change
    elif place == HELD:
        s.held = k
    else:
        s.draft[k] += change


@rule
def mark_passed(s, seat, places, count, is_seen):
    """Cells with cards that the seat passed on count as seen while the others are redrawn."""
    for i in range(count):
        if places[i] < GONE:
            p, c = places[i] // CELLS, places[i] % CELLS
            if is_seen:
                s.seen[p, c] |= 1 << seat
            else:
                s.seen[p, c] &= ~(1 << seat)


# --- forks that agree -----------------------------------------------------------------------------------------


@rule
def known_discards(s, seat, k):
    """How many cards of a kind the seat knows to lie in the discards."""
    count = int(s.thrown[k]) + int(s.spent[seat, k])
    for i in range(PLAYERS + 1):
        count += s.gone[i] == k and went_unseen(s, seat, i)
    return count


@rule
def is_remembered(s, seat):
    """Whether the discards hold what the seat remembers of them."""
    for k in range(KINDS):
        if known_discards(s, seat, k) > s.discard[k]:
            return False
    return True


@rule
def agrees(s, seat):
    """The discards hold what the seat saw go; all else is remembered by the record itself."""
    assert is_remembered(s, seat), "the discards lack a card that was seen to go there"


@rule
def recall(s, seat):
    """As `resample`, but in agreement with all that the seat has seen."""
    if not is_remembered(s, seat):
        resample(s, seat)
        return
    redraw_row(s)
    redraw_improvements(s, seat)
    if s.round == 0 and s.turns == 0:
        redraw_deal(s, seat, True)
        return
    mix_passed(s, seat)
    places, kinds = np.empty(MOST_PASSED, np.int64), np.empty(MOST_PASSED, np.int64)
    count = find_passed(s, seat, places, kinds)
    known = 0
    for k in range(KINDS):
        n = known_discards(s, seat, k)
        s.discard[k] -= n
        known += n
    s.discard_size -= known
    mark_passed(s, seat, places, count, True)
    redraw_unknown(s, seat, places, count)
    s.discard_size += known
    for k in range(KINDS):
        s.discard[k] += known_discards(s, seat, k)
    for p in range(s.seats):
        if p != seat:
            redraw_spent(s, p)


@rule
def redraw_unknown(s, seat, places, count):
    """The flower cards that the seat knows nothing of; what it knows of the discards has been taken out."""
    hidden_draft = seat != s.seat and not has_passed_on(s, seat)
    hidden_in_hand = hidden_draft and s.held != NONE and not s.held_open
    gather(s, hidden_in_hand, hidden_draft)
    redraw_dry(s, seat, True)
    mark_passed(s, seat, places, count, False)
    if hidden_in_hand:
        s.held = draw_unlike_cane(s)
    left = int(s.discard_size)
    for i in range(PLAYERS + 1):
        if s.gone[i] != NONE and s.gone_seen[i] >> seat & 1 == 0 and not went_unseen(s, seat, i):
            k = draw_unlike_cane(s)
            s.gone[i] = k
            s.discard[k] += 1
            left -= 1
    if hidden_draft:
        for _ in range(s.drafted):
            s.draft[draw_any(s)] += 1
    for _ in range(left):
        s.discard[draw_any(s)] += 1


@rule
def redraw_spent(s, p):
    """What another seat saw go that not everybody saw: any of the discards that it does not know otherwise."""
    seen, left = 0, 0
    for k in range(KINDS):
        seen += s.spent[p, k]
        s.spent[p, k] = 0
        left += max(0, int(s.discard[k]) - known_discards(s, p, k))
    for k in range(KINDS):
        rest = max(0, int(s.discard[k]) - known_discards(s, p, k))
        for _ in range(rest):
            # Chosen one after another, each with the share of cards still needed: every set is as likely.
            if left > 0 and below(s, left) < seen:
                s.spent[p, k] += 1
                seen -= 1
            left -= 1
