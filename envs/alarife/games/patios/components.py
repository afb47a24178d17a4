"""What is in the box, and the shape of a patio (sections 1 to 3 of RULES.md)."""

from __future__ import annotations

import enum

import numpy as np

NONE = -1
PLAYERS = 5  # the largest table
RELATIVE = PLAYERS - 1  # other seats

# --- flower cards (PAT-001, PAT-003, PAT-011) --------------------------------------------------------

COLOUR_NAMES = "blue", "red", "green"
COLOURS = 3
BLUE, RED, GREEN = range(COLOURS)
CANE = 3
FIRST_BALCONY = 4
BALCONIES = 11
KINDS = FIRST_BALCONY + BALCONIES  # three pots, cane, eleven balconies: the order of the actions `kind`
POT_COPIES = 17
MOST_REMEMBERED = 2 * POT_COPIES  # discards of a kind: a fork of belief `view` may count those of another past, too
LOTS = 10  # drafts of the Assistant that seats remember
SHUFFLED = 1 << PLAYERS  # beside the seats that know a card of them: it has been shuffled into the deck
CANE_COPIES = 14
BALCONY_KINDS = (1 << KINDS) - (1 << FIRST_BALCONY)  # as a set of kinds
FLOWER_CARDS = COLOURS * POT_COPIES + CANE_COPIES + BALCONIES
KIND_NAMES = [*(f"{name} pot" for name in COLOUR_NAMES), "cane", *(f"b{b + 1:02d}" for b in range(BALCONIES))]

#: The balconies of the box: pots asked of each colour, and a further group of one colour of the owner's choice.
BALCONY_CARDS = (
    ((1, 0, 0), 3),  # b01 is the rulebook's example, the others are ours
    ((0, 1, 0), 3),
    ((0, 0, 1), 3),
    ((2, 1, 0), 0),
    ((0, 2, 1), 0),
    ((1, 0, 2), 0),
    ((2, 2, 0), 0),
    ((0, 2, 2), 0),
    ((2, 0, 2), 0),
    ((1, 1, 1), 0),
    ((0, 0, 0), 4),
)
MOST_ASKED = 12  # pots on one balcony of a user's deck


# --- improvements (PAT-005) ---------------------------------------------------------------------------


class Improvement(enum.IntEnum):
    """The seven improvement cards, one copy each."""

    AWNING = 0
    GUITARIST = 1
    FLAMENCO = 2
    HOSE = 3
    LADDER = 4
    CAN = 5
    TUB = 6


IMPROVEMENTS = len(Improvement)
IMPROVEMENT_NAMES = "Awning", "Guitarist", "Flamenco Dancer", "Hose", "Ladder", "Watering can", "Tub"

# What all can tell of a dry card by where it came from (PAT-202): the sorts that it may be, and whether it is unlike
# the other such cards of its patio, as those of the first deal and of the carry-over are.
POTS_TOLD = (1 << COLOURS) - 1  # a bit for each colour
BALCONY_TOLD = 1 << COLOURS
ANYTHING_TOLD = POTS_TOLD | BALCONY_TOLD
UNLIKE = 1 << COLOURS + 1
MOST_TOLD = ANYTHING_TOLD | UNLIKE

# What can lie in a cell: a kind of flower card, or KINDS + an improvement.
AWNING = KINDS + Improvement.AWNING
HOSE = KINDS + Improvement.HOSE
LADDER = KINDS + Improvement.LADDER
CAN = KINDS + Improvement.CAN
TUB = KINDS + Improvement.TUB


class Place(enum.IntEnum):
    """Where an improvement is."""

    STOCK = 0  # the face-down improvement deck
    HAND = 1  # unused, beside the patio of its keeper
    PATIO = 2  # lying in the patio of its keeper
    PLAYED = 3  # just played, details being decided
    DRAWN = 4  # one of the two looked at by the Neighbour's player
    RETURNED = 5  # given back at the end of a round, not yet shuffled


# --- characters (PAT-004) -----------------------------------------------------------------------------


class Character(enum.IntEnum):
    """The row of characters; the first three are the gardeners, in the order of the colours."""

    BLUE_GARDENER = 0
    RED_GARDENER = 1
    GREEN_GARDENER = 2
    WATER_CARRIER = 3
    ASSISTANT = 4
    CHILDREN = 5
    SUN = 6
    NEIGHBOUR = 7
    VISITORS = 8


CHARACTERS = len(Character)
SELECTABLE = CHARACTERS - 1  # Visitors cannot be chosen
CHARACTER_NAMES = ("Blue gardener", "Red gardener", "Green gardener", "Water carrier", "Assistant gardener", "Children",
                   "Sun", "Neighbour", "Visitors")  # fmt: skip

# --- setup by number of players (PAT-025 to PAT-028) -----------------------------------------------------

SAMPLE_SIZE = np.array([0, 0, 4, 5, 7, 8], np.int8)
FACE_DOWN = np.array([0, 0, 4, 3, 4, 3], np.int8)
PLAYGROUND_FACE_DOWN = 3  # PAT-183
MOST_FACE_DOWN = int(max(FACE_DOWN))
SUN_SPARED = 3  # the Sun may not begin face up in the first three positions
COINS = 5
COINS_PER_PURCHASE = 2

ROUNDS = 3
ROUNDS_IN_MAY = 4  # PAT-181
MOST_ROUNDS = 4
MOST_TURNS = 120  # of a round, the highest cap that can be set
MOST_TODOS = 200  # between two decisions: the end of a round asks each of five seats about five things and more

# --- scoring (section 14) -----------------------------------------------------------------------------

TRIO = 3
EXTRA_OVER_TRIO = 2
WORKS_PENALTY = 2
BROKEN_TRIO = 3
SET_OF_THREE, SET_OF_TWO, SINGLE_TRIO = 15, 8, 3
ABOVE_ALL_SCORES = 100000  # in half points: whoever wins before the end is placed first (PAT-182)

# --- the patio (PAT-006, PAT-007, PAT-081, PAT-082, PAT-145) ---------------------------------------------

SIDE = 5
WELL = 2, 2
POSITIONS = [(row, column) for row in range(SIDE) for column in range(SIDE) if (row, column) != WELL]
CELLS = len(POSITIONS)
INNER_CELLS = [c for c, (row, column) in enumerate(POSITIONS) if abs(row - 2) < 2 and abs(column - 2) < 2]


def _steps(a: int, b: int) -> tuple[int, int]:
    """Rows and columns between two cells."""
    return abs(POSITIONS[a][0] - POSITIONS[b][0]), abs(POSITIONS[a][1] - POSITIONS[b][1])


def _bits(cells: list[int]) -> int:
    """A set of cells as one number."""
    return sum(1 << c for c in cells)


def _adjacent(c: int) -> list[int]:
    """The cells orthogonally next to a cell; the Well links nothing."""
    return [d for d in range(CELLS) if sum(_steps(c, d)) == 1]


def _touching(c: int) -> list[int]:
    """The outer cells that touch an inner one, diagonals included."""
    return [d for d in range(CELLS) if d not in INNER_CELLS and max(_steps(c, d)) == 1]


ALL = (1 << CELLS) - 1
INNER = _bits(INNER_CELLS)
OUTER = ALL & ~INNER
#: The cells next to each cell, as bits.
NEXT_TO = np.array([_bits(_adjacent(c)) for c in range(CELLS)], np.int32)
#: The inner cells from the nearest to the farthest of each cell, lower numbers first among equals.
NEAREST_INNER = np.array(
    [[d for _, d in sorted((sum(_steps(c, d)), d) for d in INNER_CELLS)] for c in range(CELLS)], np.int32
)

DIRECTION_NAMES = "N", "NE", "E", "SE", "S", "SW", "W", "NW"
DIRECTIONS = len(DIRECTION_NAMES)
_NAMED = [7, 8, 12, 17, 16, 15, 11, 6]
#: What the Sun hits from each direction, as bits: the named inner cell, else its inner neighbours; under works an outer
#: cell that touches it, else a neighbour of one of those.
FIRST_HIT = np.array([1 << c for c in _NAMED], np.int32)
FIRST_ELSE = np.array([_bits(_adjacent(c)) & INNER for c in _NAMED], np.int32)
SECOND_HIT = np.array([_bits(_touching(c)) for c in _NAMED], np.int32)
SECOND_ELSE = np.array(
    [_bits(sorted({e for d in _touching(c) for e in _adjacent(d)} - set(_touching(c)))) & OUTER for c in _NAMED],
    np.int32,
)

#: Of a scoring: every cell a balcony that is met, and every cell a pot beyond its trio.
MOST_LOOSE_IN_ROUND = CELLS * (MOST_ASKED + EXTRA_OVER_TRIO)
MOST_LOOSE = MOST_ROUNDS * MOST_LOOSE_IN_ROUND
CANE_TARGETS = 2
HOSE_TARGETS = 3


# --- the course of the game (section 19) ----------------------------------------------------------------


class Phase(enum.IntEnum):
    """What is being decided."""

    SETUP = 0  # which dealt card is beautiful
    TURN = 1  # a character, or an improvement first
    TAKE = 2  # a kind from the sample
    PLACE = 3  # the cell for the flower card in hand
    CANE = 4  # the cell for the cane in hand, or the card it waters
    DRAFT = 5  # a kind from the Assistant's cards
    SWAP = 6  # the own card given, or no swap
    SWAP_PLAYER = 7
    SWAP_THEIRS = 8
    DIRECTION = 9
    FIRST_HIT = 10
    SECOND_HIT = 11
    DEFENCE = 12
    DEFENCE_TOOL = 13
    OFFER = 14
    APPRENTICE = 15
    STEAL = 16
    KEEP = 17  # one of two improvements
    APPRENTICE_WINDOW = 18
    IMPROVEMENT_PLACE = 19
    CAN = 20
    GUITAR = 21
    WINDOW = 22  # improvements after the action
    FLAMENCO_DOWN = 23
    WATER = 24
    WATER_TOOL = 25
    WATER_TARGET = 26
    TUB_COLOUR = 27
    BREAK_TRIO = 28
    KEEP_UP = 29
    KEEP_DRY = 30
    AWNING_KEEP = 31
    BUY = 32


class Todo(enum.IntEnum):
    """What the rules still have to do before the next decision. Rules may not call one another in a circle."""

    NOTHING = 0
    NEXT_SETUP = 1
    SETUP_DRY = 2
    BEGIN_ROUND = 3
    BEGIN_TURN = 4
    NEXT_TAKER = 5
    NEXT_CANE = 6
    NEXT_DRAFT = 7
    OFFER_SWAP = 8
    NEXT_SUN = 9
    SECOND_HIT = 10
    DEFEND = 11
    NEXT_OFFER = 12
    AFTER_ACTION = 13
    END_ACTION = 14
    CHECK_ROW = 15
    NEXT_WATERING = 16
    WATER_AGAIN = 17
    AFTER_WATERING = 18
    END_ROUND = 19
    NEXT_SCORE = 20
    NEXT_CARRY = 21
    CARRY_COLOUR = 22
    NEXT_BUYER = 23


class Window(enum.IntEnum):
    """When an improvement is being played."""

    FIRST = 0  # before the character
    SECOND = 1  # after the action
    APPRENTICE = 2  # on receipt, in another's turn


UP_AND_DRY, UP_ONLY = range(2)  # indices in Options.carry_over
OWNER, RECALL = range(2)  # indices in Options.dry_visibility

# PAT-212 and PAT-213, counted generously. A turn: 8 improvements of two decisions, a character with four patios under
# the Sun (two hits, three uses of a waterer of two decisions, stop), d cards turned down, a watering phase of up to 16
# waterers with five decisions each and five stops. The end of a round: watering, scoring, carry-over and buying.
MOST_IN_TURN = 160
MOST_AT_ROUND_END = 160
MOST_IN_SETUP = 3 * PLAYERS
LONGEST = MOST_IN_SETUP + MOST_ROUNDS * (MOST_TURNS * MOST_IN_TURN + MOST_AT_ROUND_END)
