"""Patios: options and the state record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from alarife.engine.game import GameState
from alarife.engine.layout import View, i8, i16, i32
from alarife.engine.options import GameOptions, choice, settings_of, switch, table, whole

from .components import (
    ALL,
    ANYTHING_TOLD,
    BALCONIES,
    CANE_COPIES,
    CELLS,
    CHARACTERS,
    COINS,
    COLOURS,
    DIRECTIONS,
    FLOWER_CARDS,
    HOSE,
    HOSE_TARGETS,
    IMPROVEMENTS,
    KINDS,
    LOTS,
    MOST_ASKED,
    MOST_FACE_DOWN,
    MOST_LOOSE,
    MOST_REMEMBERED,
    MOST_ROUNDS,
    MOST_TOLD,
    MOST_TURNS,
    NONE,
    PLAYERS,
    POT_COPIES,
    SHUFFLED,
    Phase,
    Place,
    Todo,
    Window,
)
from .tables import load_balconies


@dataclass(frozen=True)
class Options(GameOptions):
    """Section 18 of the rules, and what they leave open."""

    monument_to_memory: bool = switch(False, "nobody may look at a dry card of his own once it is placed")
    may_has_31_days: bool = switch(False, "four rounds instead of three")
    not_a_nitpicker_end: bool = switch(False, "trio tokens of all three colours in one round win at once")
    playground: bool = switch(False, "no Neighbour and no improvements")
    carry_over: str = choice("up_and_dry", "up_only", meaning="pots kept of each colour: one up and one dry, or one up")
    dry_visibility: str = choice(
        "owner", "recall", meaning="dry cards are shown to their owner, or to everybody who has seen them"
    )
    hidden_scores: bool = switch(True, "trio tokens and points are shown to their owner only")
    max_turns_per_round: int = whole(60, 1, MOST_TURNS, "turns after which a round ends as if Visitors were first")
    balconies: Any = table(load_balconies, "the eleven balcony cards: a file or its content")


class State(GameState):
    """Everything that changes. A kind is a number of KIND_NAMES; sets of cells are bits of one number."""

    prepared = ("need", "group", "worth", "copies")
    options = settings_of(Options)
    phase = i8.of(Phase)
    todo = i8.of(Todo)  # NOTHING whenever a decision is due
    after = i8.of(Todo)  # what follows once the card in hand is placed
    turn_of = i8.between(0, PLAYERS - 1)  # whose turn it is; at the end of a round, who ended it
    step = i8.between(0, PLAYERS)  # seats of the present sequence that have been dealt with
    round = i8.between(0, MOST_ROUNDS)  # rounds scored
    turns = i16.between(0, MOST_TURNS)  # begun in this round
    ending = i8.between(0, 1)  # 1 from the end of a round to the beginning of the next
    # the balconies of this game
    need = i8[BALCONIES, COLOURS].between(0, MOST_ASKED)  # pots named by colour
    group = i8[BALCONIES].between(0, MOST_ASKED)  # further pots of one colour
    worth = i8[BALCONIES].between(0, MOST_ASKED)
    copies = i8[BALCONIES].between(0, BALCONIES)
    # the row of characters
    row = i8[CHARACTERS].between(0, CHARACTERS - 1)  # from the front
    row_size = i8.between(0, CHARACTERS)
    face_up = i8[CHARACTERS].between(0, 1)  # by character
    public = i8[CHARACTERS].between(0, 1)  # by character: 1 if everybody knows where it lies
    character = i8.between(NONE, CHARACTERS - 1)  # chosen this turn
    flamenco = i8.between(0, 1)  # 1 if the Flamenco Dancer opened this turn
    to_turn_down = i8.between(0, MOST_FACE_DOWN)  # characters that she still turns face down
    # flower cards; drawing from counts is drawing from a shuffled deck
    deck = i8[KINDS].between(0, POT_COPIES)
    deck_size = i8.between(0, FLOWER_CARDS)
    discard = i8[KINDS].between(0, POT_COPIES)
    discard_size = i8.between(0, FLOWER_CARDS)
    sample = i8[KINDS].between(0, POT_COPIES)
    sampled = i8.between(0, FLOWER_CARDS)  # cards in the sample
    draft = i8[KINDS].between(0, POT_COPIES)  # the Assistant's cards, with their present holder
    drafted = i8.between(0, PLAYERS + 1)
    dealt = i8[PLAYERS, 2].between(
        NONE, COLOURS - 1
    )  # setup: the two pots of each seat, NONE once they are in hand or placed
    held = i8.between(NONE, KINDS - 1)  # kind in hand, to be placed
    held_up = i8.between(0, 1)  # 1 if it will lie beautiful
    held_open = i8.between(0, 1)  # 1 if everybody has seen it
    # patios
    works = i8[PLAYERS].between(0, 1)  # 1 once the Well is turned over
    card = i8[PLAYERS, CELLS].between(
        NONE, KINDS + IMPROVEMENTS - 1
    )  # a kind, KINDS + an improvement, or NONE; the ladder stands for what lies on it
    filled = i32[PLAYERS].between(0, ALL)  # cells taken
    flowers = i32[PLAYERS].between(0, ALL)  # cells with a pot, a balcony or the Tub
    dry = i32[PLAYERS].between(0, ALL)  # those of them that lie face down
    canes = i32[PLAYERS].between(0, ALL)  # cells with a cane and no ladder
    seen = i8[PLAYERS, CELLS].between(0, (1 << PLAYERS) - 1)  # seats, as bits, that have seen the dry card of a cell
    # what all can tell of a dry card by where it came from: bits of ..._TOLD, 0 for nothing
    told = i8[PLAYERS, CELLS].between(0, MOST_TOLD)
    glimpse = i32[PLAYERS].between(
        0, ALL
    )  # dry cells that an owner without memory has just seen, until after his next decision
    # what seats remember of the discards and of the cards of the Assistant, his last lot first; no rule asks for it
    thrown = i8[KINDS].between(0, MOST_REMEMBERED)  # discards that everybody saw go
    spent = i8[PLAYERS, KINDS].between(0, MOST_REMEMBERED)  # further discards that a seat saw go
    hinted = i8[PLAYERS, ANYTHING_TOLD].between(0, FLOWER_CARDS)  # unseen discards, by the sorts that all could tell
    caller = i8[LOTS].between(NONE, PLAYERS - 1)  # who called the Assistant, NONE if that is forgotten
    # dry cards taken from them, 0 for others: of the last lot 1 for the first taker, PLAYERS more for each lot before
    lot = i8[PLAYERS, CELLS].between(0, LOTS * PLAYERS)
    # those that were discarded dry, by taker, at last what was left
    gone = i8[LOTS, PLAYERS + 1].between(NONE, KINDS - 1)
    gone_seen = i8[LOTS, PLAYERS + 1].between(0, 2 * SHUFFLED - 1)  # seats, as bits, that know them; or SHUFFLED since
    # improvements
    place = i8[IMPROVEMENTS].between(0, max(Place))
    keeper = i8[IMPROVEMENTS].between(NONE, PLAYERS - 1)  # seat, or NONE
    spot = i8[IMPROVEMENTS].between(NONE, CELLS - 1)  # cell, or NONE
    informed = i8[IMPROVEMENTS].between(0, (1 << PLAYERS) - 1)  # seats, as bits, that know where a hidden one is
    stock = i8[IMPROVEMENTS].between(0, IMPROVEMENTS - 1)  # the improvement deck from the top
    stock_size = i8.between(0, IMPROVEMENTS)
    unused = i8[PLAYERS].between(0, IMPROVEMENTS)  # improvements in hand
    ladder_canes = i8.between(0, CANE_COPIES)  # canes on the ladder
    window = i8.of(Window)
    playing = i8.between(NONE, IMPROVEMENTS - 1)  # improvement whose details are being decided
    drawn = i8[2].between(NONE, IMPROVEMENTS - 1)  # improvements drawn by the Neighbour's player
    kept = i8.between(NONE, IMPROVEMENTS - 1)  # the one that the active player has received this turn
    passed = i8.between(NONE, IMPROVEMENTS - 1)  # the one given to the apprentice this turn
    apprentice = i8.between(NONE, PLAYERS - 1)  # this turn's, or NONE
    coins = i8[PLAYERS].between(0, COINS)
    reserve = i8.between(0, COINS)
    offers = i8.between(0, (1 << PLAYERS) - 1)  # seats, as bits, that offered a coin
    # the Sun, the Children
    direction = i8.between(NONE, DIRECTIONS - 1)
    hit = i8[2].between(
        NONE, CELLS - 1
    )  # cells that the Sun hits in the patio of the seat to decide, NONE where it misses
    guard = i8[2].between(0, 2)  # 0 exposed, 1 watered, 2 saved by the watering can
    canned = i8.between(0, 3)  # hits, as bits, that the watering can did not save: they are no balconies
    swap_own = i8.between(NONE, CELLS - 1)
    swap_player = i8.between(NONE, PLAYERS - 1)
    # watering
    tool = i8.between(NONE, HOSE)  # what is in use: CANE or HOSE
    tool_cell = i8.between(NONE, CELLS - 1)
    on_ladder = i8.between(0, 1)
    left = i8.between(0, HOSE_TARGETS)  # cards it may still water
    chosen = i32.between(0, ALL)  # cards it has reached; at carry-over the pots kept beautiful
    moistened = i8.between(0, 1)  # 1 once one of them was dry
    # end of round
    tub_colour = i8.between(NONE, COLOURS - 1)
    colour = i8.between(NONE, COLOURS - 1)  # being decided at carry-over
    kept_dry = i32.between(0, ALL)
    # score piles
    trio = i8[PLAYERS, COLOURS].between(0, MOST_ROUNDS)
    loose = i16[PLAYERS].between(0, MOST_LOOSE)
    earned = i8[PLAYERS].between(0, (1 << COLOURS) - 1)  # colours, as bits, of the trio tokens of the last scoring
    champion = i8[PLAYERS].between(0, 1)  # 1 for seats that won before the end
    capped = i8.between(0, MOST_ROUNDS)  # rounds that the cap on turns ended


def prepare(view: View, options: Any) -> None:
    """Write the balconies into a blank state."""
    for b, card in enumerate(options.balconies):
        for c in range(COLOURS):
            view.need[b, c] = card["need"][c]
        view.group[b] = card["any"]
        view.worth[b] = sum(card["need"]) + card["any"]
        view.copies[b] = card["copies"]
