"""Patios: what a seat may know (PAT-194 to PAT-202). Seats are counted from the observer: 0 is always oneself."""

from __future__ import annotations

import numpy as np

from alarife.engine.jit import rule
from alarife.engine.layout import Block, Features

from .components import (
    BALCONIES,
    CANE,
    CANE_COPIES,
    CELLS,
    CHARACTERS,
    COINS,
    COLOURS,
    DIRECTIONS,
    FIRST_BALCONY,
    FLOWER_CARDS,
    HOSE,
    IMPROVEMENTS,
    KINDS,
    LADDER,
    MOST_ASKED,
    MOST_ROUNDS,
    MOST_TOLD,
    NONE,
    PLAYERS,
    ROUNDS,
    ROUNDS_IN_MAY,
    Phase,
    Place,
    Window,
)
from .rules.patio import is_balcony, sees_dry
from .rules.stock import hose_on_ladder

CHANNELS = 6  # of a cell: three colours, balcony, face, water
BALCONY, FACE, WATER = COLOURS, COLOURS + 1, COLOURS + 2
MOST_SAMPLE, MOST_DRAFT = 8, 6
NEARNESS = np.array([1 - k / CHARACTERS for k in range(CHARACTERS)])
MOST_LOOSE = MOST_ROUNDS * CELLS * MOST_ASKED

FEATURES = Features(
    cells=Block(
        (PLAYERS, CELLS, CHANNELS),
        "the card of each cell as far as I know it: blue, red, green pot; balcony; 1 beautiful or -1 dry; "
        "canes in fourteenths, or -1 for an improvement",
        low=-1,
    ),
    balconies=Block((PLAYERS, BALCONIES), "balconies in a patio: 1 beautiful, -1 dry and known to me", low=-1),
    laid=Block((PLAYERS, IMPROVEMENTS), "improvements lying in a patio"),
    known=Block((PLAYERS, IMPROVEMENTS), "unused improvements that I know: mine, and those I gave or lost"),
    unused=Block(PLAYERS, "unused improvements, in sevenths"),
    works=Block(PLAYERS, "the Well is turned over"),
    coins=Block(PLAYERS, "coins, in fifths"),
    trio=Block((PLAYERS, COLOURS), "trio tokens that I may see, in quarters"),
    loose=Block(PLAYERS, "loose points that I may see, in fifties", high=MOST_LOOSE / 50),
    earned=Block((PLAYERS, COLOURS), "trio tokens scored at this end of a round"),
    ladder=Block(2, "canes on the ladder, in fourteenths; the hose lies on it"),
    stock_top=Block(IMPROVEMENTS, "the top of the improvement deck, if I put it there"),
    drawn=Block(IMPROVEMENTS, "the two improvements that I have drawn"),
    playing=Block(IMPROVEMENTS, "the improvement being played or used"),
    returned=Block(IMPROVEMENTS, "improvements given back since the round ended"),
    row=Block(CHARACTERS, "how near the front each character lies, 1 for the first, as far as all know"),
    face_up=Block(CHARACTERS, "characters that lie face up"),
    down=Block(CHARACTERS, "positions of the row, from the front, that hold a card face down"),
    hidden=Block(CHARACTERS, "positions of the row whose card nobody knows"),
    character=Block(CHARACTERS, "the character chosen this turn"),
    flamenco=Block(2, "the Flamenco Dancer opened this turn; characters still to turn down, in quarters"),
    sample=Block(KINDS, "the sample, in eighths"),
    draft=Block(KINDS, "the Assistant's cards, in sixths, while I hold them"),
    drafted=Block(1, "how many they are, in sixths"),
    dealt=Block(COLOURS, "setup: my cards still to be placed"),
    held=Block(KINDS, "the card in hand, if I may see it"),
    held_up=Block(1, "1 if it will lie beautiful"),
    piles=Block(3, "cards in flower deck and discards, in 76ths, improvement deck in sevenths"),
    demand=Block(
        (BALCONIES, COLOURS + 2), "balconies of the game: pots named, group (in twelfths), copies (elevenths)"
    ),
    direction=Block(DIRECTIONS, "where the Sun comes from"),
    marked=Block(CELLS, "in the patio of the seat to decide: hit by the Sun, watered, kept, or given in a swap"),
    guarded=Block(CELLS, "in that patio: protected from the Sun, kept dry, or where the tool in use lies"),
    tool=Block(2, "watering with a cane, with the hose"),
    left=Block(2, "cards it may still water, in thirds; it works from the ladder"),
    swap_player=Block(PLAYERS, "the seat that must swap"),
    offers=Block(PLAYERS, "seats that offered a coin"),
    apprentice=Block(PLAYERS, "this turn's apprentice"),
    tub_colour=Block(COLOURS, "the colour named for the Tub"),
    colour=Block(COLOURS, "the colour being decided at carry-over"),
    phase=Block(len(Phase), "what is being decided"),
    window=Block(len(Window), "when an improvement may be played: first, after the action, by the apprentice"),
    ending=Block(1, "1 from the end of a round to the beginning of the next"),
    turn_of=Block(PLAYERS, "the seat whose turn it is, or who ended the round"),
    seat=Block(PLAYERS, "the seat to decide"),
    round=Block(1, "rounds scored, as a share of the game"),
    turns=Block(1, "turns of this round, as a share of the most"),
    seats=Block(PLAYERS, "seats taking part in the game"),
    options=Block(7, "memory, four rounds, no nitpicker's end, playground, only up kept, recall, hidden scores"),
    spots=Block((IMPROVEMENTS, CELLS), "where each improvement lies in its patio"),
    balcony=Block((PLAYERS, CELLS), "the number of the balcony of each cell as far as I know it, in elevenths"),
    asked=Block(
        (CELLS, COLOURS + 1),
        "what the balconies of my own cells ask as far as I know them: pots named, group, in quarters",
        high=MOST_ASKED / 4,
    ),
    told=Block(
        (PLAYERS, CELLS),
        "what all can tell of a dry card by where it came from: 1 blue, 2 red, 4 green, 8 balcony possible, "
        "16 unlike the other such cards of its patio; as a share of 31",
    ),
    rest=Block(KINDS, "the Assistant's cards that I pass on, in sixths, while I place mine"),
)
AT = FEATURES.start


@rule
def observe(s, seat, view):
    """Fill the view of one seat."""
    for i in range(s.seats):
        show_seat(s, seat, int((seat + i) % s.seats), i, view)
    show_improvements(s, seat, view)
    show_row(s, view)
    show_cards(s, seat, view)
    show_decision(s, seat, view)


@rule
def show_seat(s, seat, q, i, view):
    """Seat q, the i-th after the observer."""
    view[AT.seats + i] = 1
    view[AT.works + i] = s.works[q]
    view[AT.coins + i] = s.coins[q] / COINS
    view[AT.unused + i] = s.unused[q] / IMPROVEMENTS
    view[AT.offers + i] = s.offers >> q & 1
    if q == seat or s.over or not s.options.hidden_scores:
        view[AT.loose + i] = s.loose[q] / 50
        for c in range(COLOURS):
            view[AT.trio + i * COLOURS + c] = s.trio[q, c] / MOST_ROUNDS
    if s.ending:
        for c in range(COLOURS):
            view[AT.earned + i * COLOURS + c] = s.earned[q] >> c & 1
    cells = int(s.filled[q])
    for c in range(CELLS):
        if cells >> c & 1:
            show_cell(s, seat, q, i, c, view)


@rule
def show_cell(s, seat, q, i, c, view):
    """One card of a patio, as far as the observer may know it."""
    at = AT.cells + (i * CELLS + c) * CHANNELS
    thing = int(s.card[q, c])
    if s.flowers[q] >> c & 1:
        dry = s.dry[q] >> c & 1
        view[at + FACE] = 1 - 2 * dry
        if s.told[q, c] != 0:
            view[AT.told + i * CELLS + c] = s.told[q, c] / MOST_TOLD
        if not dry or sees_dry(s, seat, q, c):
            if thing < COLOURS:
                view[at + thing] = 1
            elif is_balcony(thing):
                view[at + BALCONY] = 1
                show_balcony(s, thing - FIRST_BALCONY, dry, i, c, view)
    elif thing == CANE:
        view[at + WATER] = 1 / CANE_COPIES
    elif thing == LADDER and s.ladder_canes > 0:
        view[at + WATER] = s.ladder_canes / CANE_COPIES
    else:
        view[at + WATER] = -1


@rule
def show_balcony(s, b, dry, i, c, view):
    """Which balcony lies in a cell; of an own one what it asks, too."""
    view[AT.balconies + i * BALCONIES + b] = 1 - 2 * dry
    view[AT.balcony + i * CELLS + c] = (b + 1) / BALCONIES
    if i == 0:
        at = AT.asked + c * (COLOURS + 1)
        for colour in range(COLOURS):
            view[at + colour] = s.need[b, colour] / 4
        view[at + COLOURS] = s.group[b] / 4


@rule
def show_improvements(s, seat, view):
    """What lies in patios, and the hidden ones that the observer knows."""
    for i in range(IMPROVEMENTS):
        where = s.place[i]
        if where == Place.PATIO:
            view[AT.laid + ((s.keeper[i] - seat + s.seats) % s.seats) * IMPROVEMENTS + i] = 1
            view[AT.spots + i * CELLS + s.spot[i]] = 1
        elif where == Place.PLAYED:
            view[AT.playing + i] = 1
        elif where == Place.RETURNED:
            view[AT.returned + i] = 1
        elif s.informed[i] >> seat & 1:
            if where == Place.HAND:
                view[AT.known + ((s.keeper[i] - seat + s.seats) % s.seats) * IMPROVEMENTS + i] = 1
            elif where == Place.DRAWN:
                view[AT.drawn + i] = 1
            else:
                view[AT.stock_top + i] = 1
    if s.ladder_canes > 0:
        view[AT.ladder] = s.ladder_canes / CANE_COPIES
    view[AT.ladder + 1] = hose_on_ladder(s)


@rule
def show_row(s, view):
    """The row of characters."""
    for k in range(s.row_size):
        a = int(s.row[k])
        if s.public[a]:
            view[AT.row + a] = NEARNESS[k]
            view[AT.face_up + a] = s.face_up[a]
        else:
            view[AT.hidden + k] = 1
        view[AT.down + k] = not s.face_up[a]
    if s.character != NONE:
        view[AT.character + s.character] = 1
    view[AT.flamenco] = s.flamenco
    view[AT.flamenco + 1] = s.to_turn_down / 4


@rule
def show_cards(s, seat, view):
    """Sample, draft, the card in hand, and the size of the piles."""
    for k in range(KINDS):
        if s.sample[k] > 0:  # divisions are dear, and most of these numbers are 0
            view[AT.sample + k] = s.sample[k] / MOST_SAMPLE
    if s.drafted > 0 and seat == s.seat:
        at = AT.draft if s.phase == Phase.DRAFT else AT.rest
        for k in range(KINDS):
            view[at + k] = s.draft[k] / MOST_DRAFT
    view[AT.drafted] = s.drafted / MOST_DRAFT
    for k in range(2):
        if s.dealt[seat, k] != NONE:
            view[AT.dealt + s.dealt[seat, k]] = 1
    if s.held != NONE:
        view[AT.held_up] = s.held_up
        if s.held_open or seat == s.seat:
            view[AT.held + s.held] = 1
    view[AT.piles] = s.deck_size / FLOWER_CARDS
    view[AT.piles + 1] = s.discard_size / FLOWER_CARDS
    view[AT.piles + 2] = s.stock_size / IMPROVEMENTS
    for b in range(BALCONIES):
        at = AT.demand + b * (COLOURS + 2)
        for c in range(COLOURS):
            if s.need[b, c] > 0:
                view[at + c] = s.need[b, c] / MOST_ASKED
        if s.group[b] > 0:
            view[at + COLOURS] = s.group[b] / MOST_ASKED
        view[at + COLOURS + 1] = 1 / BALCONIES if s.copies[b] == 1 else s.copies[b] / BALCONIES


@rule
def show_decision(s, seat, view):
    """What is being decided, by whom, and how far the game is."""
    view[AT.phase + s.phase] = 1
    view[AT.window + s.window] = 1
    view[AT.turn_of + (s.turn_of - seat + s.seats) % s.seats] = 1
    view[AT.seat + (s.seat - seat + s.seats) % s.seats] = 1
    view[AT.ending] = s.ending
    view[AT.round] = s.round / (ROUNDS_IN_MAY if s.options.may_has_31_days else ROUNDS)
    view[AT.turns] = s.turns / s.options.max_turns_per_round
    view[AT.options] = s.options.monument_to_memory
    view[AT.options + 1] = s.options.may_has_31_days
    view[AT.options + 2] = s.options.not_a_nitpicker_end
    view[AT.options + 3] = s.options.playground
    view[AT.options + 4] = s.options.carry_over
    view[AT.options + 5] = s.options.dry_visibility
    view[AT.options + 6] = s.options.hidden_scores
    if s.direction != NONE:
        show_sun(s, view)
    if s.tool != NONE:
        view[AT.tool + (s.tool == HOSE)] = 1
        view[AT.guarded + s.tool_cell] = 1
        view[AT.left] = s.left / 3
        view[AT.left + 1] = s.on_ladder
    if s.chosen != 0:
        show_cells(s.chosen, AT.marked, view)
    if s.ending:
        show_end_of_round(s, view)
    if s.apprentice != NONE:
        view[AT.apprentice + (s.apprentice - seat + s.seats) % s.seats] = 1
    if s.swap_own != NONE:
        view[AT.marked + s.swap_own] = 1
    if s.swap_player != NONE:
        view[AT.swap_player + (s.swap_player - seat + s.seats) % s.seats] = 1


@rule
def show_cells(cells, at, view):
    """A set of cells."""
    for c in range(CELLS):
        view[at + c] = cells >> c & 1


@rule
def show_sun(s, view):
    """Where the Sun comes from, what it hits, what is protected."""
    view[AT.direction + s.direction] = 1
    for k in range(2):
        if s.hit[k] != NONE:
            view[AT.marked + s.hit[k]] = 1
            view[AT.guarded + s.hit[k]] = s.guard[k] > 0


@rule
def show_end_of_round(s, view):
    """Tub, carry-over."""
    if s.tub_colour != NONE:
        view[AT.tub_colour + s.tub_colour] = 1
    if s.colour != NONE:
        view[AT.colour + s.colour] = 1
    if s.kept_dry != 0:
        show_cells(s.kept_dry, AT.guarded, view)
