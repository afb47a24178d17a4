"""Patios: setting up the game and each round (section 3)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.moves import offer
from alarife.engine.random import below, draw_kind, shuffle
from alarife.games.patios.actions import ACTIONS
from alarife.games.patios.components import (
    BALCONIES,
    CANE,
    CANE_COPIES,
    CELLS,
    CHARACTERS,
    COINS,
    COLOURS,
    FIRST_BALCONY,
    FLOWER_CARDS,
    IMPROVEMENTS,
    NONE,
    POT_COPIES,
    SUN_SPARED,
    Character,
    Phase,
    Place,
    Todo,
)

from .cards import forget_drafts, refill_sample
from .hand import hold
from .row import move_in_row, table_number
from .seats import seat_of

AT = ACTIONS.start


@rule
def set_up(s):
    """Cards, coins and the deal of two pots each; a random seat begins (PAT-020 to PAT-025)."""
    clear_table(s)
    s.turn_of = below(s, s.seats)
    for c in range(COLOURS):
        s.deck[c] = POT_COPIES
    s.deck[CANE] = CANE_COPIES
    for b in range(BALCONIES):
        s.deck[FIRST_BALCONY + b] = s.copies[b]
    s.deck_size = FLOWER_CARDS
    s.reserve = COINS
    for p in range(s.seats):
        s.coins[p] = 1
        s.reserve -= 1
    deal_pots(s)
    s.todo = Todo.NEXT_SETUP


@rule
def clear_table(s):
    """Nothing lies anywhere."""
    for p in range(s.card.shape[0]):
        for c in range(CELLS):
            s.card[p, c] = NONE
        s.dealt[p, 0] = NONE
        s.dealt[p, 1] = NONE
    for i in range(IMPROVEMENTS):
        s.keeper[i] = NONE
        s.spot[i] = NONE
    s.character = NONE
    s.held = NONE
    s.playing = NONE
    s.kept = NONE
    s.passed = NONE
    s.apprentice = NONE
    s.swap_own = NONE
    s.swap_player = NONE
    s.direction = NONE
    s.tool = NONE
    s.tool_cell = NONE
    s.tub_colour = NONE
    s.colour = NONE
    for k in range(2):
        s.hit[k] = NONE
        s.drawn[k] = NONE
    forget_drafts(s)


@rule
def deal_pots(s):
    """Two of the n pots of each colour to everybody, again until nobody has two of a colour (PAT-022)."""
    same = True
    while same:
        same = False
        for c in range(COLOURS):
            s.sample[c] = s.seats
        left = COLOURS * s.seats
        for p in range(s.seats):
            for k in range(2):
                s.dealt[p, k] = draw_kind(s, s.sample, left)
                s.sample[s.dealt[p, k]] -= 1
                left -= 1
            if s.dealt[p, 0] == s.dealt[p, 1]:
                same = True
    for c in range(COLOURS):
        s.sample[c] = 0
    for p in range(s.seats):
        low, high = min(s.dealt[p, 0], s.dealt[p, 1]), max(s.dealt[p, 0], s.dealt[p, 1])
        s.dealt[p, 0] = low
        s.dealt[p, 1] = high
        s.deck[low] -= 1
        s.deck[high] -= 1
        s.deck_size -= 2


@rule
def next_setup(s):
    """The next seat chooses which of its two cards is beautiful; after the last one a round begins (PAT-023)."""
    if s.step == s.seats:
        s.step = 0
        lay_out_improvements(s)
        s.todo = Todo.BEGIN_ROUND
        return
    s.seat = seat_of(s, s.step)
    s.step += 1
    s.phase = Phase.SETUP


@rule
def offer_sides(s, moves):
    """Either of the two pots dealt (PAT-023)."""
    offer(moves, AT.setup_up)
    offer(moves, AT.setup_up + 1)


@rule
def choose_up(s, which):
    """One dealt card will be beautiful, the other dry."""
    p = int(s.seat)
    other = int(s.dealt[p, 1 - which])
    hold(s, p, s.dealt[p, which], 1, 1, Todo.SETUP_DRY)
    s.dealt[p, 0] = other
    s.dealt[p, 1] = NONE
    s.phase = Phase.PLACE


@rule
def setup_dry(s):
    """The second card, dry, in another cell."""
    p = int(s.seat)
    hold(s, p, s.dealt[p, 0], 0, 0, Todo.NEXT_SETUP)
    s.dealt[p, 0] = NONE
    s.phase = Phase.PLACE


@rule
def lay_out_improvements(s):
    """The improvement deck; in the playground there is none (PAT-029, PAT-183)."""
    s.stock_size = 0
    if not s.options.playground:
        for i in range(IMPROVEMENTS):
            s.stock[i] = i
            s.place[i] = Place.STOCK
        s.stock_size = IMPROVEMENTS
        shuffle(s, s.stock, IMPROVEMENTS)


@rule
def begin_round(s):
    """A new row and a full sample; who ended the last round begins (PAT-026 to PAT-028, PAT-148, PAT-149)."""
    s.ending = 0
    s.turns = 0
    s.tub_colour = NONE
    lay_out_row(s)
    refill_sample(s)
    s.todo = Todo.BEGIN_TURN


@rule
def lay_out_row(s):
    """Characters in random order, the last d face down, then Visitors; the Sun not among the first three face up."""
    count = 0
    for a in range(Character.VISITORS):
        if a != Character.NEIGHBOUR or not s.options.playground:
            s.row[count] = a
            count += 1
    shuffle(s, s.row, count)
    s.row[count] = Character.VISITORS
    s.row_size = count + 1
    shown = count - table_number(s)
    for k in range(CHARACTERS):
        s.face_up[k] = 0
        s.public[k] = 0
    for k in range(shown):
        s.face_up[s.row[k]] = 1
    s.face_up[Character.VISITORS] = 1
    for k in range(SUN_SPARED):
        if s.row[k] == Character.SUN:
            move_in_row(s, k, shown - 1)
            break
    for a in range(CHARACTERS):
        s.public[a] = s.face_up[a]
