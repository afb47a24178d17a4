"""Palace of Viana: options and the state record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from alarife.engine.errors import OptionError
from alarife.engine.game import GameState
from alarife.engine.layout import i8, i16
from alarife.engine.options import GameOptions, choice, settings_of, switch, table, whole

from .components import (
    ALL_TOKENS,
    BAG_TOKENS,
    CARDS,
    COURTS,
    DOORWAYS,
    ENTRANCES,
    FLOWERS,
    HEDGE_SPOTS,
    HEDGES,
    HIGHEST_SCORE,
    KINDS,
    LOWEST_SCORE,
    MOST_IN_BAG,
    MOST_ON_STAND,
    MOST_ROUNDS,
    MOST_STEPS,
    MOST_TOKENS,
    MOST_TURNS,
    NONE,
    PLACES,
    PLAYERS,
    RESTRICTION_COPIES,
    SITES,
    STANDS,
    Phase,
    Todo,
)
from .tables import Board, load_board, write_board

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

    prepared = ("poet", "doorways", "side", "door_start", "entrance", "spots", "pot_spots", "fountain_spots")
    options = settings_of(Options)
    phase = i8.of(Phase)
    todo = i8.of(Todo)  # NOTHING whenever a decision is due
    poet = i8.between(0, 1)  # 1 if the Poet takes part
    # the board (written by `prepare`, never changed by the rules)
    doorways = i8.between(COURTS, DOORWAYS)  # how many
    side = i8[DOORWAYS, 2].between(NONE, COURTS - 1)  # the two courtyards that a doorway joins
    door_start = i8.between(0, DOORWAYS - 1)
    entrance = i8[ENTRANCES].between(0, COURTS - 1)  # the courtyard behind each entrance
    spots = i8[COURTS, HEDGES].between(0, HEDGE_SPOTS)
    pot_spots = i8[COURTS].between(0, PLACES)
    fountain_spots = i8[COURTS].between(0, PLACES)
    # the palace
    door = i8.between(0, DOORWAYS - 1)  # the doorway that is closed
    reach = i16[MOST_STEPS, COURTS].between(
        0, (1 << COURTS) - 1
    )  # courtyards, as bits, within 1, 2, 3 open steps; renewed when the door moves
    marquise = i8.between(0, COURTS - 1)
    marquis = i8.between(0, COURTS - 1)
    cat = i8.between(NONE, COURTS - 1)  # NONE while on the roof
    pawn = i8[PLAYERS].between(0, SITES - 1)  # a courtyard, STREET + entrance, or MARKET + stand
    flower = i8[PLAYERS, COURTS, HEDGES].between(0, MOST_TOKENS)  # unscored, by owner
    scored_flower = i8[PLAYERS, COURTS, HEDGES].between(0, MOST_TOKENS)
    pot = i8[PLAYERS, COURTS].between(0, PLACES)
    scored_pot = i8[PLAYERS, COURTS].between(0, PLACES)
    fountain = i8[PLAYERS, COURTS].between(0, PLACES)
    scored_fountain = i8[PLAYERS, COURTS].between(0, PLACES)
    hedge_kind = i8[COURTS, HEDGES].between(NONE, FLOWERS - 1)  # the type of flower that grows there, NONE while empty
    free = i8[COURTS, HEDGES].between(0, HEDGE_SPOTS)  # free spots
    pot_free = i8[COURTS].between(0, PLACES)
    fountain_free = i8[COURTS].between(0, PLACES)
    tokens = i8[PLAYERS, COURTS].between(0, ALL_TOKENS)  # decorations of a seat in a courtyard, scored or not
    courts = i8[PLAYERS].between(0, COURTS)  # courtyards that hold decorations of a seat
    # reserves and market
    common = i8[PLAYERS, KINDS].between(0, MOST_TOKENS)
    personal = i8[PLAYERS, KINDS].between(0, MOST_TOKENS)
    stand = i8[STANDS, KINDS].between(0, MOST_ON_STAND)
    stand_size = i8[STANDS].between(0, MOST_ON_STAND)  # tokens on a stand
    bag = i8[KINDS].between(0, MOST_IN_BAG)  # drawing from counts is drawing from a shuffled bag
    bag_size = i8.between(0, BAG_TOKENS)
    swapped = i8[KINDS].between(0, MOST_IN_BAG)  # market tokens out of the game because a player took their equal
    unplaced = i8.between(0, MOST_IN_BAG)  # fountains out of the game because no stand could take them
    # cards
    hand = i8[PLAYERS, CARDS].between(0, 1)  # 1 for each card in hand
    held = i8[PLAYERS].between(0, CARDS)  # cards in hand
    top = i8[PLAYERS].between(NONE, CARDS - 1)  # the visible card of each pile, NONE if the pile is empty
    picked = i8[PLAYERS].between(NONE, CARDS - 1)  # the secret first card, NONE before and after
    restriction = i8.between(NONE, CARDS - 1)  # the visible restriction card, NONE before the first (two players)
    restriction_deck = i8[CARDS].between(0, RESTRICTION_COPIES)
    restriction_deck_size = i8.between(0, RESTRICTION_COPIES * CARDS)
    restriction_pile = i8[CARDS].between(0, RESTRICTION_COPIES)  # cards drawn, the visible one included
    # the turn
    first = i8.between(0, PLAYERS - 1)  # first player, never changes
    turn_of = i8.between(0, PLAYERS - 1)  # whose turn it is; `turn` differs while others honk, flip or pick
    turns = i16.between(0, MOST_TURNS)  # finished
    final_turns = i8.between(
        0, PLAYERS + 1
    )  # turns left once the end is triggered, the triggering turn included; 0 before
    card = i8.between(NONE, CARDS - 1)  # being carried out, NONE before it is chosen
    under = i8.between(NONE, CARDS - 1)  # what it covers
    honked = i8.between(NONE, CARDS - 1)  # the card that a honk sent back to the hand this turn, NONE if none did
    left = i8.between(0, MOST_STEPS)  # steps the Girl has left, or decorations that may still be placed
    walked = i8.between(0, 1)  # 1 once the Girl has taken a step
    picked_up = i8.between(0, 1)  # 1 once the Girl has picked a flower up
    carried_owner = i8.between(NONE, PLAYERS - 1)  # whose flower she carries, NONE if she carries nothing
    carried_kind = i8.between(NONE, FLOWERS - 1)
    carried_from = i8.between(NONE, COURTS - 1)  # the courtyard it comes from
    flips = i8.between(0, (1 << PLAYERS) - 1)  # seats, as bits, that still have to turn a flower
    capped = i8.between(0, 1)  # 1 if the cap on rounds has ended the game
    score = i16[PLAYERS].between(LOWEST_SCORE, HIGHEST_SCORE)
