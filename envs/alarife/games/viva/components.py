"""What is in the box: 21 types of cards in six colours (VIV-001 to VIV-007)."""

from __future__ import annotations

import enum

import numpy as np

COLOUR_NAMES = "red", "pink", "yellow", "green", "blue", "purple"  # VIV-003; names other than red and pink are ours
COLOURS = len(COLOUR_NAMES)
PAIRS = [(a, b) for a in range(COLOURS) for b in range(a + 1, COLOURS)]

#: The colours of each type as bits: six with one colour, fifteen with two (VIV-004, VIV-005).
COLOURS_OF = np.array([1 << c for c in range(COLOURS)] + [1 << a | 1 << b for a, b in PAIRS], np.int8)
KINDS = len(COLOURS_OF)
KIND_NAMES = [*COLOUR_NAMES, *(f"{COLOUR_NAMES[a]}-{COLOUR_NAMES[b]}" for a, b in PAIRS)]

#: The types, as bits, that share a colour with a set of colours.
ALL_KINDS = 2**KINDS - 1
SHARING = np.array([sum(1 << k for k in range(KINDS) if COLOURS_OF[k] & c) for c in range(1 << COLOURS)], np.int32)

EDITIONS = "standard", "pocket"
COPIES = np.array([6, 4], np.int8)  # of each type, by edition: 126 and 84 cards (VIV-001)
WINNER_CARDS = 12, 8  # by edition (VIV-002)
MOST_ROUNDS = max(WINNER_CARDS)
MOST_COPIES = 6
MOST_CARDS = MOST_COPIES * KINDS

PLAYERS = 6  # the largest table (VIV-025)
HOUSES = 3
HAND_SIZE = 5  # VIV-011
DIGITS = 4  # binary digits of the numbers in which hands are remembered

PENALTY_BEFORE = 2  # VIVA: the player before takes two, the player after one (VIV-065)
PENALTY_AFTER = 1
PENALTY_CAUGHT = 3  # VIV-116

MOST_TURNS = 600  # of a round, unless a smaller cap is agreed (VIV-095)
MOST_DECISIONS = 16  # of a turn: 11 of the active player and 5 who may catch (VIV-134, VIV-118)
MOST_TODOS = 8  # between two decisions: a turn ends, the round with it, another is dealt and begins

NONE = -1
SINGLE_ROUND = 1  # index in Options.match


class Phase(enum.IntEnum):
    """What is being decided (section 12 of the ledger)."""

    TURN = 0  # D1: a type, a blocking card, or draw
    HOUSE = 1  # D2: the house for the first copy
    MORE = 2  # D3: another copy, or end the play
    DRAWN = 3  # D4: play the card just taken, or end the turn
    VIVA = 4  # D5: call or decline
    BLOCK = 5  # D6: a new blocking card
    CATCH = 6  # D7: an illegal play was noticed


class Spot(enum.IntEnum):
    """Where the cards of the play in progress lie."""

    HOUSES = 0
    GENERAL = 1  # the last card, on the general blocking card
    PERSONAL = 2  # the last card, on one's own


class Todo(enum.IntEnum):
    """What the rules still have to do before the next decision. Rules may not call one another in a circle."""

    NOTHING = 0
    FIRST_TURN = 1  # of a round: the starter's
    NEXT_TURN = 2
    INHERIT = 3  # the next seat's turn, which begins with a new blocking card
    END_ROUND = 4
