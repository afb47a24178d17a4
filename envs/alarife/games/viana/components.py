"""What is in the box: tokens, characters, market, table sizes (VIA-001 to VIA-012). The board has a file of its own."""

from __future__ import annotations

import enum

import numpy as np

PLAYERS = 5  # the largest table (VIA-001)

# --- decorations ------------------------------------------------------------------------------------

KIND_NAMES = "bougainvillea", "cineraria", "pansy", "flowerpot", "fountain"
KINDS = len(KIND_NAMES)
FLOWERS = 3  # the first three kinds
POT = 3
FOUNTAIN = 4

SUPPLY = np.array([7, 7, 7, 6, 5])  # of each player (VIA-001)
MOST_TOKENS = int(max(SUPPLY))
ALL_TOKENS = int(sum(SUPPLY))  # of a player
POINTS = np.array([2, 2, 2, 3, 5])  # when the Marquise sees them (VIA-136)
FLOWERS_AT_START = 2  # of each type, then one flower goes back (VIA-038)

# --- the market -------------------------------------------------------------------------------------

STANDS = 6
STAND_SIZE = np.array([4, 5, 5, 5, 5, 5])  # VIA-008
STAND_START = np.array([3, 3, 3, 4, 4, 4])  # VIA-034
MARKET_PLACES = 29
BAG = np.array([20, 20, 20, 17, 13])  # VIA-007
BAG_FOR_TWO = np.array([13, 13, 13, 11, 9])  # VIA-171
BAG_TOKENS = 90
MOST_IN_BAG = int(max(BAG))
MOST_ON_STAND = int(max(STAND_SIZE))
DIE = 12  # VIA-006

# --- the palace -------------------------------------------------------------------------------------

COURTS = 13  # VIA-012; numbered from 0 in the rules, from 1 for people
GARDEN = 12
DOORWAYS = 16  # most doorways of a board, as many as the action space has room for
HEDGES = 4  # most hedges of a courtyard
HEDGE_SPOTS = 8  # most spots of a hedge
PLACES = 4  # most pot spots, and most fountain places, of a courtyard
ENTRANCES = 2
MOST_STEPS = 3

#: Where a pawn can be: a courtyard, the street outside an entrance, a stand of the market.
STREET = COURTS
MARKET = STREET + ENTRANCES
SITES = MARKET + STANDS

# --- characters -------------------------------------------------------------------------------------

MOST_DRAWS = 10_000  # far more than chance ever needs: of 19 restriction cards at most four match a pile
#: Between two decisions: the card is done, the turn ends, and in the first round turns of picked Cooks pass by.
MOST_TODOS = 8 * (PLAYERS + 1)


class Card(enum.IntEnum):
    """The characters (VIA-005)."""

    MASTER_GARDENER = 0
    GARDENER = 1
    APPRENTICE = 2
    HOUSEKEEPER = 3
    MARQUISE = 4
    MARQUIS = 5
    GIRL = 6
    COACHMAN = 7
    COOK = 8
    POET = 9


CARDS = len(Card)
CARD_NAMES = (
    "Master Gardener", "Gardener", "Apprentice Gardener", "Housekeeper", "Marquise", "Marquis", "Girl", "Coachman",
    "Cook", "Poet",
)  # fmt: skip
STEPS = np.array([1, 2, 3, 0, 2, 3, 3, 0, 0, 2])  # most steps of the pawn or figure that the card moves
PLACEMENTS = np.array([3, 2, 1, 0, 0, 0, 0, 0, 0, 0])  # VIA-103

HOUSEKEEPER_POINTS = 1  # VIA-109
MARQUIS_POINTS = 1  # VIA-108
HONK_POINTS = 1  # VIA-181
CAT_POINTS = 2  # lost when the Marquise crosses the Cat's courtyard (VIA-105)

# --- the end ----------------------------------------------------------------------------------------

GARDEN_POINTS = 2  # for each unscored flower in the Garden (VIA-160)
COURT_POINTS = np.array([0, 0, 0, 0, 0, 0, 0, 4, 5, 6, 8, 11, 15, 20])  # by courtyards (VIA-161)

RESTRICTION_COPIES = 2  # of each character; of the Cook one (VIA-172)
RESTRICTION_CARDS = 19

MOST_ROUNDS = 300  # highest value of the safety cap (VIA-156)
MOST_TURNS = (MOST_ROUNDS + 1) * PLAYERS  # the final round included
LOWEST_SCORE = -CAT_POINTS * MOST_TURNS
MOST_IN_TURN = PLAYERS + 1  # the people whom the Poet meets
#: Of decorations: flowers are scored again until they are turned, one at a time; pots and fountains once.
MOST_FOR_TOKENS = 2 * (21 * 22 // 2) + 3 * 6 + 5 * 5 + GARDEN_POINTS * 21 + int(max(COURT_POINTS))
HIGHEST_SCORE = MOST_IN_TURN * MOST_TURNS + 2 * MOST_FOR_TOKENS
#: Of a turn: entrance, card, each opponent's honk, the card again, Marquise and a flip for each, announcement.
MOST_DECISIONS = 1 + 1 + (PLAYERS - 1) + 1 + (1 + PLAYERS) + 1

NONE = -1


class Phase(enum.IntEnum):
    """What is being decided (section 13 of the ledger)."""

    RETURN_FLOWER = 0  # 1: the flower that goes back to the common reserve
    FIRST_CARD = 1  # 2: the secret card of the first round
    ENTRANCE = 2  # 3: back from the market
    CARD = 3  # 4
    HONK = 4  # 5
    MOVE = 5  # 6: the pawn's destination
    PLACE = 6  # 7
    GIRL = 7  # 8: step, pick up, put down, stop
    MARQUISE = 8  # 9
    FLIP = 9  # 10: the hedge whose flower becomes scored
    MARQUIS = 10  # 11
    DOOR = 11  # 12
    STAND = 12  # 13
    ANNOUNCE = 13  # 14


class Todo(enum.IntEnum):
    """What the rules still have to do before the next decision. Rules may not call one another in a circle."""

    NOTHING = 0
    BEGIN_TURN = 1
    CARRY_OUT = 2  # the card in `card`
    FLIP = 3  # the next seat that owes a flip
    ANNOUNCE = 4  # the card is done
    END_TURN = 5
