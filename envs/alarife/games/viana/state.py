"""Palace of Viana: options and the state record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from alarife.engine.errors import OptionError
from alarife.engine.game import GameState
from alarife.engine.layout import i8, i16
from alarife.engine.options import GameOptions, choice, settings_of, switch, table, whole

from .board import Board, load_board, write_board
from .components import (
    CARDS,
    COURTS,
    DOORWAYS,
    ENTRANCES,
    HEDGES,
    KINDS,
    MOST_ROUNDS,
    MOST_STEPS,
    PLAYERS,
    STANDS,
    Phase,
    Todo,
)

POET_AUTO, POET_ON, POET_OFF = range(3)
STARTUP_1, STARTUP_1_MAIN, STARTUP_2 = range(3)
HONK_MASK, HONK_AUTO, HONK_CALL = range(3)
FIRST_RANDOM = 0


@dataclass(frozen=True)
class Options(GameOptions):
    """VIA-032, VIA-048, VIA-180, VIA-196, VIA-156, VIA-030; the board: VIA-014 to VIA-021."""

    poet: str = choice("auto", "on", "off", meaning="the tenth character; auto: with five players only")
    startup: str = choice(
        "1", "1_main", "2", meaning="where Marquise, Marquis and Cat start; 1_main: first-game advice"
    )
    honk: str = choice(
        "mask", "auto", "call", meaning="banned cards are masked, caught at once, or caught by opponents"
    )
    buried_cards_visible: bool = switch(False, "views remember every card played, and so show every hand")
    first_player: str = choice("random", "0", "1", "2", "3", "4", meaning="the seat that starts")
    max_rounds: int = whole(100, 1, MOST_ROUNDS, "the game ends after so many rounds if nothing else ends it")
    board: Board | None = table(load_board, "a board of your own, in the shape of board.toml")


def prepare(view: Any, options: Options) -> None:
    """Write what depends on the table size, and the board."""
    seats = int(view.seats)
    if options.poet == "off" and seats == PLAYERS:
        raise OptionError("viana: five players always play with the Poet, got poet='off'")
    if options.first_player != "random" and int(options.first_player) >= seats:
        raise OptionError(
            f"viana: first_player is a seat from 0 to {seats - 1} at this table, got {options.first_player!r}"
        )
    view.poet = options.poet == "on" or (options.poet == "auto" and seats == PLAYERS)
    write_board(view, options.board)


class State(GameState):
    """Everything that changes, and the board. Seats, courtyards, doorways, hedges and stands count from 0."""

    options = settings_of(Options)
    phase = i8.of(Phase)
    todo = i8.of(Todo)  # NOTHING whenever a decision is due
    poet = i8  # 1 if the Poet takes part
    # the board (written by `prepare`, never changed by the rules)
    doorways = i8  # how many
    side = i8[DOORWAYS, 2]  # the two courtyards that a doorway joins
    door_start = i8
    entrance = i8[ENTRANCES]  # the courtyard behind each entrance
    spots = i8[COURTS, HEDGES]
    pot_spots = i8[COURTS]
    fountain_spots = i8[COURTS]
    # the palace
    door = i8  # the doorway that is closed
    reach = i16[MOST_STEPS, COURTS]  # courtyards, as bits, within 1, 2, 3 open steps; renewed when the door moves
    marquise = i8
    marquis = i8
    cat = i8  # NONE while on the roof
    pawn = i8[PLAYERS]  # a courtyard, STREET + entrance, or MARKET + stand
    flower = i8[PLAYERS, COURTS, HEDGES]  # unscored, by owner
    scored_flower = i8[PLAYERS, COURTS, HEDGES]
    pot = i8[PLAYERS, COURTS]
    scored_pot = i8[PLAYERS, COURTS]
    fountain = i8[PLAYERS, COURTS]
    scored_fountain = i8[PLAYERS, COURTS]
    hedge_kind = i8[COURTS, HEDGES]  # the type of flower that grows there, NONE while empty
    free = i8[COURTS, HEDGES]  # free spots
    pot_free = i8[COURTS]
    fountain_free = i8[COURTS]
    tokens = i8[PLAYERS, COURTS]  # decorations of a seat in a courtyard, scored or not
    courts = i8[PLAYERS]  # courtyards that hold decorations of a seat
    # reserves and market
    common = i8[PLAYERS, KINDS]
    personal = i8[PLAYERS, KINDS]
    stand = i8[STANDS, KINDS]
    stand_size = i8[STANDS]  # tokens on a stand
    bag = i8[KINDS]  # drawing from counts is drawing from a shuffled bag
    bag_size = i8
    swapped = i8[KINDS]  # market tokens out of the game because a player took their equal
    unplaced = i8  # fountains out of the game because no stand could take them
    # cards
    hand = i8[PLAYERS, CARDS]  # 1 for each card in hand
    held = i8[PLAYERS]  # cards in hand
    top = i8[PLAYERS]  # the visible card of each pile, NONE if the pile is empty
    picked = i8[PLAYERS]  # the secret first card, NONE before and after
    restriction = i8  # the visible restriction card, NONE before the first (two players)
    restriction_deck = i8[CARDS]
    restriction_deck_size = i8
    restriction_pile = i8[CARDS]  # cards drawn, the visible one included
    # the turn
    first = i8  # first player, never changes
    actor = i8  # whose turn it is; `turn` differs while others honk, flip or pick
    turns = i16  # finished
    final_turns = i8  # turns left once the end is triggered, the triggering turn included; 0 before
    card = i8  # being carried out, NONE before it is chosen
    under = i8  # what it covers
    honked = i8  # the card that a honk sent back to the hand this turn, NONE if none did
    left = i8  # steps the Girl has left, or decorations that may still be placed
    walked = i8  # 1 once the Girl has taken a step
    picked_up = i8  # 1 once the Girl has picked a flower up
    carried_owner = i8  # whose flower she carries, NONE if she carries nothing
    carried_kind = i8
    carried_from = i8  # the courtyard it comes from
    flips = i8  # seats, as bits, that still have to turn a flower
    capped = i8  # 1 if the cap on rounds has ended the game
    score = i16[PLAYERS]
