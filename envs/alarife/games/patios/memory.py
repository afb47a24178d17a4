"""Patios: what a seat remembers, and forks that agree with it (PAT-126, PAT-196, PAT-197, PAT-201, PAT-202).

It remembers the score piles, as every scoring was seen by all; the dry cards that it has seen, by a swap or before they
were dried or placed; the discards that it saw go, until they are shuffled; and of each draft of the Assistant the cards
that it passed on: which they are together, but not who took which, nor which of them lies in the discards or has been
shuffled into the deck since. Where one of them may have come out of the deck again, the share of its kind that the seat
has not seen is taken for the odds that it has not. There is room for ten drafts of which a card still lies unseen in a
patio; of 1,000 scripted games for two, three, four and five players 0, 6, 8 and 2 had more at a time. Of other dry
cards that went to the discards it remembers the sorts that all could tell.
"""

from __future__ import annotations

import numpy as np

from alarife.engine.jit import rule
from alarife.engine.layout import Block, Features, Flags
from alarife.engine.random import below, happens
from alarife.engine.views import write_row

from .components import (
    ANYTHING_TOLD,
    BALCONIES,
    BALCONY_TOLD,
    CANE,
    CANE_COPIES,
    CELLS,
    COLOURS,
    FIRST_BALCONY,
    KINDS,
    LOTS,
    MOST_ROUNDS,
    NONE,
    PLAYERS,
    POT_COPIES,
    SHUFFLED,
    TUB,
)
from .observation import FIFTY, LOOSE, MOST_DRAFT
from .resample import (
    draw_any,
    draw_balcony,
    draw_between,
    draw_unlike_cane,
    gather,
    gather_dry,
    lacks_balcony,
    redraw_deal,
    redraw_dry,
    redraw_improvements,
    redraw_row,
    resample,
)
from .rules.cards import balconies_in
from .rules.drafts import has_passed_on, lot_of, was_passed, went_unseen
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
    passed=Block((LOTS, KINDS), "of each lot of the Assistant's cards, the last first, those that I passed on and have "
                 "not seen since, in sixths", scale=1 / MOST_DRAFT),
    passed_to=Block((PLAYERS, CELLS), "dry cells that hold one of those, by lot: 1 for the last", scale=1 / LOTS),
    passed_shuffled=Block(LOTS, "how many of those have been shuffled into the deck, in sixths", scale=1 / MOST_DRAFT),
)  # fmt: skip
AT = FEATURES.start

MOST_PASSED = 2 * (PLAYERS + 1)  # of a lot, generously
MIXES = 10  # exchanges for each card that was passed on
# A row of `find_passed`: how many there are, where each is, and its kind.
COUNT, PLACE, KIND = 0, 1, 1 + MOST_PASSED
# Where such a card may be: a cell of a patio, the discards by taker, likewise shuffled into the deck since, the hand of
# the seat to decide, the draft.
GONE = PLAYERS * CELLS
DECK, HELD, DRAFT = GONE + PLAYERS + 1, GONE + 2 * (PLAYERS + 1), GONE + 2 * (PLAYERS + 1) + 1


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
                    view[AT.passed_to + i * CELLS + c] = LOTS - lot_of(s, p, c)
                if s.seen[p, c] >> seat & 1:
                    show_dry(s, p, c, i * CELLS + c, view)
    for k in range(KINDS):
        view[AT.remembered_discards + k] = min(POT_COPIES, s.thrown[k] + s.spent[seat, k])
    passed = find_passed(s, seat)
    for lot in range(LOTS):
        for i in range(passed[lot, COUNT]):
            view[AT.passed + lot * KINDS + passed[lot, KIND + i]] += 1
            view[AT.passed_shuffled + lot] += is_shuffled(passed[lot, PLACE + i])


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
def find_passed(s, seat):
    """By lot, the cards that the seat passed on and has not seen since: how many, where they are, and which."""
    passed = np.empty((LOTS, 1 + 2 * MOST_PASSED), np.int64)
    for lot in range(LOTS):
        passed[lot, COUNT] = 0
        if s.caller[lot] != NONE:
            for i in range(PLAYERS + 1):
                if went_unseen(s, seat, lot, i):
                    note(passed[lot], (DECK if s.gone_seen[lot, i] & SHUFFLED else GONE) + i, s.gone[lot, i])
    for p in range(s.seats):
        if s.dry[p] != 0:
            for c in range(CELLS):
                if was_passed(s, seat, p, c):
                    note(passed[lot_of(s, p, c)], p * CELLS + c, s.card[p, c])
    if has_passed_on(s, seat):
        if s.held != NONE and not s.held_open:
            note(passed[0], HELD, s.held)
        for k in range(KINDS):
            for _ in range(s.draft[k]):
                note(passed[0], DRAFT, k)
    return passed


@rule
def note(row, place, k):
    """Another card of a lot."""
    n = row[COUNT]
    if n < MOST_PASSED:
        row[PLACE + n] = place
        row[KIND + n] = k
        row[COUNT] = n + 1


@rule
def is_shuffled(place):
    """Whether a card that was passed on has been shuffled into the deck."""
    return DECK <= place < HELD


@rule
def may_lie(s, place, k):
    """Whether a card that was passed on may be there: canes never lie dry, and all can tell something of some cells."""
    if place < GONE:
        sort = BALCONY_TOLD if k >= FIRST_BALCONY else 1 << k
        return k != CANE and sorts_told(s, place // CELLS, place % CELLS) & sort != 0
    return k != CANE or place == DRAFT or place == GONE + s.seats or place == DECK + s.seats


@rule
def mix_passed(s, row):
    """Who took which of the cards of a lot: any way is as likely, but for what has come out of the deck since."""
    count = row[COUNT]
    if count < 2:
        return
    for _ in range(MIXES * count):
        i, j = below(s, count), below(s, count)
        one, other = row[KIND + i], row[KIND + j]
        if one != other and may_lie(s, row[PLACE + i], other) and may_lie(s, row[PLACE + j], one):
            exchange(s, row, i, j)
            if lacks_proof(s):
                exchange(s, row, i, j)
            elif is_shuffled(row[PLACE + i]) != is_shuffled(row[PLACE + j]):
                out, back = (one, other) if is_shuffled(row[PLACE + i]) else (other, one)
                if not trade(s, out, back):
                    exchange(s, row, i, j)


@rule
def exchange(s, row, i, j):
    """Two cards of a lot change places."""
    kept = row[KIND + i]
    row[KIND + i] = row[KIND + j]
    row[KIND + j] = kept
    lay(s, row[PLACE + i], row[KIND + i])
    lay(s, row[PLACE + j], row[KIND + j])


@rule
def lay(s, place, k):
    """A card lies in a cell, if that is the place."""
    if place < GONE:
        s.card[place // CELLS, place % CELLS] = k


@rule
def lacks_proof(s):
    """Whether no balcony lies where a watering can being played proves one, and no cell is left for it."""
    if not lacks_balcony(s):
        return False
    for c in range(CELLS):
        if s.dry[s.seat] >> c & 1 and s.card[s.seat, c] == NONE:
            return False
    return True


@rule
def trade(s, out, back):
    """A kind leaves the cards that the seat knows nothing of for another; each as likely as its copies are unseen."""
    now, then = s.deck[out] / copies_of(s, out), (s.deck[back] + 1) / copies_of(s, back)
    if s.deck[out] == 0 or not (now >= then or happens(s, now / then)):
        return False
    s.deck[out] -= 1
    s.deck[back] += 1
    return True


@rule
def copies_of(s, k):
    """How many cards of a kind there are."""
    if k < CANE:
        return POT_COPIES
    return CANE_COPIES if k == CANE else int(s.copies[k - FIRST_BALCONY])


@rule
def put_passed(s, passed, change):
    """The cards of all lots come to their places, or with -1 leave them."""
    for lot in range(LOTS):
        for i in range(passed[lot, COUNT]):
            place, k = passed[lot, PLACE + i], passed[lot, KIND + i]
            lay(s, place, k)
            if GONE <= place < DECK:
                s.gone[lot, place - GONE] = k
                s.discard[k] += change
                s.discard_size += change
            elif is_shuffled(place):
                s.gone[lot, place - DECK] = k
            elif place == HELD:
                s.held = k
            elif place == DRAFT:
                s.draft[k] += change


@rule
def mark_passed(s, seat, passed, is_seen):
    """Cells with cards that the seat passed on count as seen while the others are redrawn."""
    for lot in range(LOTS):
        for i in range(passed[lot, COUNT]):
            if passed[lot, PLACE + i] < GONE:
                p, c = passed[lot, PLACE + i] // CELLS, passed[lot, PLACE + i] % CELLS
                if is_seen:
                    s.seen[p, c] |= 1 << seat
                else:
                    s.seen[p, c] &= ~(1 << seat)


# --- forks that agree -----------------------------------------------------------------------------------------


@rule
def known_discards(s, seat):
    """How many cards of each kind the seat knows to lie in the discards."""
    known = np.empty(KINDS, np.int64)
    for k in range(KINDS):
        known[k] = s.thrown[k] + s.spent[seat, k]
    for lot in range(LOTS):
        if s.caller[lot] != NONE:
            for i in range(PLAYERS + 1):
                if s.gone_seen[lot, i] & SHUFFLED == 0 and went_unseen(s, seat, lot, i):
                    known[s.gone[lot, i]] += 1
    return known


@rule
def is_remembered(s, seat):
    """Whether the discards hold what the seat remembers of them."""
    known = known_discards(s, seat)
    for k in range(KINDS):
        if known[k] > s.discard[k]:
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
    put_seen(s, seat, -1)
    redraw_unknown(s, seat)
    put_seen(s, seat, 1)
    for p in range(s.seats):
        if p != seat:
            redraw_spent(s, p)


@rule
def put_seen(s, seat, change):
    """What the seat saw go comes to the discards, or with -1 leaves them."""
    for k in range(KINDS):
        count = change * (int(s.thrown[k]) + int(s.spent[seat, k]))
        s.discard[k] += count
        s.discard_size += count


@rule
def redraw_unknown(s, seat):
    """The flower cards that the seat has not seen, or not where they are; what it saw go has been taken out."""
    hidden_draft = seat != s.seat and not has_passed_on(s, seat)
    hidden_in_hand = hidden_draft and s.held != NONE and not s.held_open
    passed = find_passed(s, seat)
    put_passed(s, passed, -1)
    left = int(s.discard_size)
    mark_passed(s, seat, passed, True)
    gather(s, hidden_in_hand, hidden_draft)
    gather_dry(s, seat, True)
    for lot in range(LOTS):
        mix_passed(s, passed[lot])
    put_passed(s, passed, 1)
    left -= redraw_hinted(s, seat, left)
    redraw_dry(s, seat, True)
    mark_passed(s, seat, passed, False)
    if hidden_in_hand:
        s.held = draw_unlike_cane(s)
    left -= redraw_gone(s, seat)
    if hidden_draft:
        for _ in range(s.drafted):
            s.draft[draw_any(s)] += 1
    for _ in range(left):  # canes were seen to go
        k = draw_unlike_cane(s) if s.deck_size > s.deck[CANE] else draw_any(s)
        s.discard[k] += 1


@rule
def redraw_hinted(s, seat, left):
    """The discards of which the seat knows the sorts; returns how many of those that are left to redraw."""
    count = 0
    for sorts in range(1, ANYTHING_TOLD):
        for _ in range(s.hinted[seat, sorts]):
            k = draw_sort(s, sorts) if count < left else NONE
            if k != NONE:
                s.discard[k] += 1
                count += 1
    return count


@rule
def draw_sort(s, sorts):
    """An unseen card of some sorts, or NONE."""
    total = balconies_in(s.deck) if sorts & BALCONY_TOLD else 0
    for k in range(COLOURS):
        if sorts >> k & 1:
            total += s.deck[k]
    if total == 0:
        return NONE
    left = below(s, total)
    for k in range(COLOURS):
        if sorts >> k & 1:
            if left < s.deck[k]:
                return draw_between(s, k, k + 1, s.deck[k])
            left -= s.deck[k]
    return draw_balcony(s)


@rule
def redraw_gone(s, seat):
    """What was taken before the seat saw the cards and discarded dry; returns how many lie in the discards."""
    count = 0
    for lot in range(LOTS):
        for i in range(PLAYERS + 1):
            if s.gone[lot, i] != NONE and s.gone_seen[lot, i] >> seat & 1 == 0 and not went_unseen(s, seat, lot, i):
                k = draw_unlike_cane(s)
                s.gone[lot, i] = k
                if s.gone_seen[lot, i] & SHUFFLED:
                    s.deck[k] += 1
                    s.deck_size += 1
                else:
                    s.discard[k] += 1
                    count += 1
    return count


@rule
def redraw_spent(s, p):
    """What another seat saw go that not everybody saw: any of the discards that it does not know otherwise."""
    seen, left = 0, 0
    for k in range(KINDS):
        seen += s.spent[p, k]
        s.spent[p, k] = 0
    known = known_discards(s, p)
    for k in range(KINDS):
        left += max(0, int(s.discard[k]) - known[k])
    for k in range(KINDS):
        for _ in range(max(0, int(s.discard[k]) - known[k])):
            # Chosen one after another, each with the share of cards still needed: every set is as likely.
            if left > 0 and below(s, left) < seen:
                s.spent[p, k] += 1
                seen -= 1
            left -= 1
