"""Patios: what a seat may know (PAT-194 to PAT-202). Seats are counted from the observer: 0 is always oneself."""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from alarife.engine.jit import rule
from alarife.engine.layout import Block, Features, Flags
from alarife.engine.stack_array import stack_array
from alarife.engine.views import (
    SHARE,
    UNCHECKED,
    after,
    lowest_bit,
    mark,
    place,
    small,
    word,
    write_bits,
    write_grid,
    write_row,
    write_share,
)

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
from .rules.patio import known_cards
from .rules.stock import hose_on_ladder

CHANNELS = 6  # of a cell: three colours, balcony, face, water
BALCONY, FACE, WATER = COLOURS, COLOURS + 1, COLOURS + 2
MOST_SAMPLE, MOST_DRAFT = 8, 6
FIFTY = 50  # loose points are told in fifties, and what is left
MOST_FIFTIES = MOST_ROUNDS * CELLS * MOST_ASKED // FIFTY
LOOSE = {"high": (MOST_FIFTIES, (FIFTY - 1) / FIFTY), "scale": (1, 1 / FIFTY)}
ROUND_PARTS = ROUNDS * ROUNDS_IN_MAY  # so many make a game of three rounds, and one of four

FEATURES = Features(
    cells=Block(
        (PLAYERS, CELLS, CHANNELS),
        "the card of each cell as far as I know it: blue, red, green pot; balcony; 1 beautiful or -1 dry; "
        "canes in fourteenths, or -1 for an improvement",
        low=-1, scale=(1, 1, 1, 1, 1, 1 / CANE_COPIES),
    ),
    balconies=Block((PLAYERS, BALCONIES), "balconies in a patio: 1 beautiful, -1 dry and known to me", low=-1, scale=1),
    laid=Flags((PLAYERS, IMPROVEMENTS), "improvements lying in a patio"),
    known=Flags((PLAYERS, IMPROVEMENTS), "unused improvements that I know: mine, and those I gave or lost"),
    unused=Block(PLAYERS, "unused improvements, in sevenths", scale=1 / IMPROVEMENTS),
    works=Flags(PLAYERS, "the Well is turned over"),
    coins=Block(PLAYERS, "coins, in fifths", scale=1 / COINS),
    trio=Block((PLAYERS, COLOURS), "trio tokens that I may see, in quarters", scale=1 / MOST_ROUNDS),
    loose=Block((PLAYERS, 2), "loose points that I may see: fifties, and what is left, in fiftieths", **LOOSE),
    earned=Flags((PLAYERS, COLOURS), "trio tokens scored at this end of a round"),
    ladder=Block(2, "canes on the ladder, in fourteenths; the hose lies on it", scale=(1 / CANE_COPIES, 1)),
    stock_top=Flags(IMPROVEMENTS, "the top of the improvement deck, if I put it there"),
    drawn=Flags(IMPROVEMENTS, "the two improvements that I have drawn"),
    playing=Flags(IMPROVEMENTS, "the improvement being played or used"),
    returned=Flags(IMPROVEMENTS, "improvements given back since the round ended"),
    row=Block(CHARACTERS, "how near the front each character lies, 1 for the first, as far as all know",
              scale=1 / CHARACTERS),
    face_up=Flags(CHARACTERS, "characters that lie face up"),
    down=Flags(CHARACTERS, "positions of the row, from the front, that hold a card face down"),
    hidden=Flags(CHARACTERS, "positions of the row whose card nobody knows"),
    character=Flags(CHARACTERS, "the character chosen this turn"),
    flamenco=Block(2, "the Flamenco Dancer opened this turn; characters still to turn down, in quarters",
                   scale=(1, 1 / 4)),
    sample=Block(KINDS, "the sample, in eighths", scale=1 / MOST_SAMPLE),
    draft=Block(KINDS, "the Assistant's cards, in sixths, while I hold them", scale=1 / MOST_DRAFT),
    drafted=Block(1, "how many they are, in sixths", scale=1 / MOST_DRAFT),
    dealt=Flags(COLOURS, "setup: my cards still to be placed"),
    held=Flags(KINDS, "the card in hand, if I may see it"),
    held_up=Flags(1, "1 if it will lie beautiful"),
    piles=Block(3, "cards in flower deck and discards, in 76ths, improvement deck in sevenths",
                scale=(1 / FLOWER_CARDS, 1 / FLOWER_CARDS, 1 / IMPROVEMENTS)),
    demand=Block(
        (BALCONIES, COLOURS + 2), "balconies of the game: pots named, group (in twelfths), copies (elevenths)",
        scale=(*[1 / MOST_ASKED] * (COLOURS + 1), 1 / BALCONIES),
    ),
    direction=Flags(DIRECTIONS, "where the Sun comes from"),
    marked=Flags(CELLS, "in the patio of the seat to decide: hit by the Sun, watered, kept, or given in a swap"),
    guarded=Flags(CELLS, "in that patio: protected from the Sun, kept dry, or where the tool in use lies"),
    tool=Flags(2, "watering with a cane, with the hose"),
    left=Block(2, "cards it may still water, in thirds; it works from the ladder", scale=(1 / 3, 1)),
    swap_player=Flags(PLAYERS, "the seat that must swap"),
    offers=Flags(PLAYERS, "seats that offered a coin"),
    apprentice=Flags(PLAYERS, "this turn's apprentice"),
    tub_colour=Flags(COLOURS, "the colour named for the Tub"),
    colour=Flags(COLOURS, "the colour being decided at carry-over"),
    phase=Flags(len(Phase), "what is being decided"),
    window=Flags(len(Window), "when an improvement may be played: first, after the action, by the apprentice"),
    ending=Flags(1, "1 from the end of a round to the beginning of the next"),
    turn_of=Flags(PLAYERS, "the seat whose turn it is, or who ended the round"),
    seat=Flags(PLAYERS, "the seat to decide"),
    round=Block(1, "rounds scored, as a share of the game", scale=1 / ROUND_PARTS),
    turns=Block((1, 2), "turns of this round, as a share of the most: hundredths, and hundredths of those", **SHARE),
    seats=Flags(PLAYERS, "seats taking part in the game"),
    options=Flags(7, "memory, four rounds, no nitpicker's end, playground, only up kept, recall, hidden scores"),
    spots=Flags((IMPROVEMENTS, CELLS), "where each improvement lies in its patio"),
    balcony=Block((PLAYERS, CELLS), "the number of the balcony of each cell as far as I know it, in elevenths",
                  scale=1 / BALCONIES),
    asked=Block(
        (CELLS, COLOURS + 1),
        "what the balconies of my own cells ask as far as I know them: pots named, group, in quarters",
        high=MOST_ASKED / 4, scale=1 / 4,
    ),
    told=Block(
        (PLAYERS, CELLS),
        "what all can tell of a dry card by where it came from: 1 blue, 2 red, 4 green, 8 balcony possible, "
        "16 unlike the other such cards of its patio; as a share of 31",
        scale=1 / MOST_TOLD,
    ),
    rest=Block(KINDS, "the Assistant's cards that I pass on, in sixths, while I place mine", scale=1 / MOST_DRAFT),
)  # fmt: skip
AT = FEATURES.start
NUMBERS = FEATURES.size
for_cells = stack_array(np.int8, CELLS, CHANNELS)
#: Of each place of an improvement: the block that shows it, whether that has a row for each seat, whether all know it.
SHOWN_AT = np.array([AT.stock_top, AT.known, AT.laid, AT.playing, AT.drawn, AT.returned], np.uint64)
HAS_KEEPER = np.array([where in (Place.HAND, Place.PATIO) for where in Place], np.uint64)
IS_OPEN = np.array([where in (Place.PATIO, Place.PLAYED, Place.RETURNED) for where in Place], np.int8)


@rule
def observe(s, seat, view):
    """Fill the view of one seat."""
    q = int(seat)
    for i in range(s.seats):
        show_seat(s, seat, q, i, view)
        q = q + 1 if q + 1 < s.seats else 0
    show_improvements(s, seat, view)
    show_row(s, view)
    show_cards(s, seat, view)
    show_decision(s, seat, view)


@rule
def show_seat(s, seat, q, i, view):
    """Seat q, the i-th after the observer."""
    view[AT.seats + i] = 1
    view[AT.works + i] = s.works[q]
    view[AT.coins + i] = s.coins[q]
    view[AT.unused + i] = s.unused[q]
    view[AT.offers + i] = s.offers >> q & 1
    if q == seat or s.over or not s.options.hidden_scores:
        view[AT.loose + 2 * i] = int(s.loose[q]) // FIFTY
        view[AT.loose + 2 * i + 1] = int(s.loose[q]) % FIFTY
        write_row(view, AT.trio + i * COLOURS, s.trio[q])
    if s.ending:
        write_bits(view, AT.earned + i * COLOURS, s.earned[q], COLOURS)
    show_patio(s, seat, q, i, view)


@rule
def show_patio(s, seat, q, i, view):
    """The cards of a patio, as far as the observer may know them."""
    ladder = int(s.ladder_canes) if s.ladder_canes > 0 else -CANE_COPIES
    known, others = known_cards(s, seat, q), int(s.filled[q]) & ~int(s.flowers[q])
    balconies = show_cards_of(s.card[q], s.flowers[q], s.dry[q], known, others, ladder, i, view)
    write_row(view, AT.told + i * CELLS, s.told[q])
    while balconies != 0:
        c = lowest_bit(balconies)
        show_balcony(s, int(s.card[q, c]) - FIRST_BALCONY, s.dry[q] >> c & 1, i, c, view)
        balconies &= balconies - 1


@register_jitable(**UNCHECKED)
def show_cards_of(cards, flowers, dry, known, others, ladder, i, view):
    """Each card's pot or balcony if it is known, its face, its water. No branches; returns the cells of balconies.

    A cane counts one, a ladder its canes, another improvement as little as can be; the Tub has a face only.
    """
    shown, balconies = for_cells(), 0
    flowers, dry, known, others = word(flowers), word(dry), word(known), word(others)
    for c in range(CELLS):
        k, bit = place(c), word(1 << c)
        thing = cards[k]
        is_known = (known & bit) != 0
        is_balcony_shown = is_known & (thing >= FIRST_BALCONY) & (thing < KINDS)
        for colour in range(COLOURS):
            shown[k, colour] = is_known & (thing == colour)
        shown[k, BALCONY] = is_balcony_shown
        balconies |= bit if is_balcony_shown else word(0)
        face = small(-1) if (dry & bit) != 0 else small(1)
        shown[k, FACE] = face if (flowers & bit) != 0 else small(0)
        water = small(1) if thing == CANE else small(ladder if thing == LADDER else -CANE_COPIES)
        shown[k, WATER] = water if (others & bit) != 0 else small(0)
    write_grid(view, AT.cells + i * CELLS * CHANNELS, shown)
    return int(balconies)


@rule
def show_balcony(s, b, dry, i, c, view):
    """Which balcony lies in a cell; of an own one what it asks, too."""
    view[AT.balconies + i * BALCONIES + b] = 1 - 2 * dry
    view[AT.balcony + i * CELLS + c] = b + 1
    if i == 0:
        at = AT.asked + c * (COLOURS + 1)
        write_row(view, at, s.need[b])
        view[at + COLOURS] = s.group[b]


@rule
def show_improvements(s, seat, view):
    """Improvements, and what lies on the ladder."""
    show_places(s, seat, view)
    view[AT.ladder] = s.ladder_canes
    view[AT.ladder + 1] = hose_on_ladder(s)


@register_jitable(**UNCHECKED)
def show_places(s, seat, view):
    """What lies in patios, and the hidden improvements that the observer knows. No branches."""
    check_room(view)
    for i in range(IMPROVEMENTS):
        k = place(i)
        where, spot = place(s.place[k]), place(max(s.spot[k], 0))
        row = place(after(s.keeper[k], seat, s.seats)) * HAS_KEEPER[where]
        view[SHOWN_AT[where] + row * place(IMPROVEMENTS) + k] = IS_OPEN[where] | s.informed[k] >> seat & 1
        view[place(AT.spots + i * CELLS) + spot] = where == place(Place.PATIO)


@rule
def check_room(view):
    """Rules that write without looking need a whole view."""
    if len(view) < NUMBERS:
        raise IndexError("a view is too short for what it shows")


@rule
def show_row(s, view):
    """The row of characters."""
    show_characters(s, view)
    mark(view, AT.character, s.character)
    view[AT.flamenco] = s.flamenco
    view[AT.flamenco + 1] = s.to_turn_down


@register_jitable(**UNCHECKED)
def show_characters(s, view):
    """Where each character lies, and which side of it is up, as far as all know. No branches."""
    check_room(view)
    for i in range(s.row_size):
        k, a = place(i), place(s.row[place(i)])
        public, face_up = s.public[a], s.face_up[a]
        view[place(AT.row) + a] = small(CHARACTERS - i) * public
        view[place(AT.face_up) + a] = face_up * public
        view[place(AT.hidden) + k] = small(1) - public
        view[place(AT.down) + k] = small(1) - face_up


@rule
def show_cards(s, seat, view):
    """Sample, draft, the card in hand, and the size of the piles."""
    write_row(view, AT.sample, s.sample)
    if s.drafted > 0 and seat == s.seat:
        write_row(view, AT.draft if s.phase == Phase.DRAFT else AT.rest, s.draft)
    view[AT.drafted] = s.drafted
    for k in range(2):
        if s.dealt[seat, k] != NONE:
            view[AT.dealt + s.dealt[seat, k]] = 1
    if s.held != NONE:
        view[AT.held_up] = s.held_up
        if s.held_open or seat == s.seat:
            view[AT.held + s.held] = 1
    view[AT.piles] = s.deck_size
    view[AT.piles + 1] = s.discard_size
    view[AT.piles + 2] = s.stock_size
    for b in range(BALCONIES):
        at = AT.demand + b * (COLOURS + 2)
        write_row(view, at, s.need[b])
        view[at + COLOURS] = s.group[b]
        view[at + COLOURS + 1] = s.copies[b]


@rule
def show_decision(s, seat, view):
    """What is being decided, by whom, and how far the game is."""
    view[AT.phase + s.phase] = 1
    view[AT.window + s.window] = 1
    view[AT.turn_of + after(s.turn_of, seat, s.seats)] = 1
    view[AT.seat + after(s.seat, seat, s.seats)] = 1
    view[AT.ending] = s.ending
    view[AT.round] = s.round * (ROUND_PARTS // ROUNDS_IN_MAY if s.options.may_has_31_days else ROUND_PARTS // ROUNDS)
    write_share(view, AT.turns, s.turns, s.options.max_turns_per_round)
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
        view[AT.left] = s.left
        view[AT.left + 1] = s.on_ladder
    if s.chosen != 0:
        write_bits(view, AT.marked, s.chosen, CELLS)
    if s.ending:
        show_end_of_round(s, view)
    if s.apprentice != NONE:
        view[AT.apprentice + after(s.apprentice, seat, s.seats)] = 1
    if s.swap_own != NONE:
        view[AT.marked + s.swap_own] = 1
    if s.swap_player != NONE:
        view[AT.swap_player + after(s.swap_player, seat, s.seats)] = 1


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
    mark(view, AT.tub_colour, s.tub_colour)
    mark(view, AT.colour, s.colour)
    if s.kept_dry != 0:
        write_bits(view, AT.guarded, s.kept_dry, CELLS)
