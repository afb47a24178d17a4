"""What is in the box, as far as the rules name it; numbers on cards and tiles stand in ``tables.toml`` (section 1)."""

from __future__ import annotations

import enum

GOOD_NAMES = "gold", "cloth", "books", "tools"  # LIS-010
NOBLE_NAMES = "builder", "minister", "king"  # LIS-011, from left to right
DECK_NAMES = *NOBLE_NAMES, "treasury"  # LIS-012, from bottom to top
RUBBLE_NAMES = "earthquake", "fire", "tsunami"  # LIS-009
ARCHITECT_NAMES = "blue", "green"
SHIP_NAMES = "blue", "red", "purple", "brown"
YEAR_NAMES = "blue", "red", "purple", "brown"  # LIS-013
ROW_NAMES = "ABCD"
RANK_NAMES = "Jester", "Court Servant", "King's Favorite", "Marquis' Right Hand"  # LIS-273

GOODS, NOBLES, DECKS, RUBBLE, ARCHITECTS, SHIPS = 4, 3, 4, 3, 2, 4
ROWS, COLUMNS, STREETS = 4, 5, 4  # LIS-001, LIS-003
SPACES = ROWS * COLUMNS
SITES = 12  # LIS-008: 0-3 west of D, C, B, A; 4-7 north of streets 1-4; 8-11 east of A, B, C, D
NORTH, EAST = 4, 8  # first site of each of the other sides

CARDS, BLUE_CARDS, RED_CARDS, PURPLE_CARDS, PILE = 82, 21, 20, 21, 5  # LIS-013, LIS-014
FIRST_RED = BLUE_CARDS
FIRST_PURPLE = FIRST_RED + RED_CARDS
FIRST_BROWN = FIRST_PURPLE + PURPLE_CARDS
FIRST_SHIP = CARDS  # in the top row of a portfolio, number 82 + colour is a ship
HAND_SIZE = 5
ROW_SLOTS = 3  # LIS-061

PLANS, STARTING_PLANS, STACK_PLANS = 20, 6, 7  # LIS-023
TILES, STACK_TILES = 16, 8  # LIS-022; a tile lying with one side up has the number 2 * tile + side
CLERGY, CLERGY_SLOTS, MOST_CLERGY = 37, 6, 4  # LIS-034, LIS-172
DECREES, DECREE_DISPLAY = 70, 8  # numbered from 1, as printed (LIS-047)
FAVORS = 2  # of each noble (LIS-029)
OFFICIALS, HOUSES, MOST_SETS, MOST_PLANS = 8, 8, 5, 4  # LIS-015
CUBES = 63
LEVELS = 6  # of the treasury
PILE_CUBES = 6  # LIS-020
ROW_CUBES, SITE_CUBES = 3, 2
COLUMN_CUBES = 3, 3, 3, 3, 2
RANKS = 4
DISPLAYED = 20  # political cards in the display decks of each period (LIS-045, LIS-246)
MOST_HELD = 127  # of anything that users' tables may make plentiful
MOST_IN_ROUND = 300  # reis, and wigs, that a round gives, counted generously
MOST_COUNTED = 2 * DISPLAYED + 4  # rounds: each takes a card from the display, and the end takes two more
MOST_REIS = MOST_IN_ROUND * (MOST_COUNTED + 1) + MOST_HELD
MOST_WIGS = 2 * MOST_REIS + 4000  # the end adds those for reis and decrees
MOST_ROUNDS = 39  # section 25 of the ledger
MOST_DECISIONS = 64  # of a round, see README.md

NONE = -1


class Side(enum.IntEnum):
    """Who something belongs to."""

    HUMAN = 0
    LACERDA = 1
    NOBODY = 2  # the building placed at set-up (LIS-042)


class Deck(enum.IntEnum):
    """The kinds of political cards and their display decks, from bottom to top."""

    BUILDER = 0
    MINISTER = 1
    KING = 2
    TREASURY = 3


class Act(enum.IntEnum):
    """What can be done at court: noble n has the state actions 2n and 2n + 1 and the noble action 6 + n."""

    PLANS = 0
    OFFICIALS = 1
    SHIP = 2
    PRODUCE = 3
    CARDINAL = 4
    FAVOR = 5
    BUILD_STORE = 6
    TAKE_DECREES = 7
    OPEN_PUBLIC_BUILDING = 8
    FAVOR_AND_PLAN = 9  # only as an event (LIS-095)


ACT_NAMES = [act.name.lower() for act in Act]
STATE_ACTIONS = 6


class Effect(enum.IntEnum):
    """The vocabulary of rewards and penalties on spaces, plans and noble cards (LIS-135 to LIS-143)."""

    NOTHING = 0
    REIS = 1
    INFLUENCE = 2
    WIGS = 3
    GOOD = 4
    GOOD_ANY = 5
    DECREE = 6
    PLAN = 7
    OFFICIAL = 8
    FAVOR = 9
    RUBBLE = 10
    PRICE_UP = 11
    LOSE_REIS = 12  # penalties from here on
    LOSE_INFLUENCE = 13
    LOSE_WIGS = 14
    TREASURY_UP = 15


EFFECT_NAMES = ["none", *(effect.name.lower() for effect in Effect if effect)]


class Power(enum.IntEnum):
    """What clergy tiles do while held; the first four also stand on treasury cards (LIS-069, LIS-174)."""

    LAND_DISCOUNT = 0
    SALE_BONUS = 1
    EVENT_DISCOUNT = 2
    SUBSIDY_BONUS = 3  # on cards only
    RUBBLE_DISCOUNT = 4
    VISIT_DISCOUNT = 5
    FOLLOW_DISCOUNT = 6
    PRODUCE_EXTRA = 7
    INFLUENCE_BONUS = 8
    OPEN_WIGS = 9
    OFFICIAL_DISCOUNT = 10
    DECREE_WIGS = 11
    WILD_TRADE = 12
    SHIP_DISCOUNT = 13
    CARDINAL_EXTRA_STEP = 14
    DISCARD_EXTRA_GOLD = 15


POWER_NAMES = [power.name.lower() for power in Power]
CARD_POWERS = 4

#: What decrees count (LIS-184), in the order in which `decrees.metric` computes it.
METRIC_NAMES = [
    *(f"stores_{name}" for name in GOOD_NAMES),
    *(f"stores_row_{name}" for name in ROW_NAMES),
    *(f"stores_col_{column}" for column in range(1, 6)),
    "stores_total", "rows_with_store", "streets_with_store",
    "pb_blue", "pb_green", "pb_total", "pb_west", "pb_north", "pb_east",
    "officials_hired", "officials_in_offices", *(f"officials_{name}" for name in NOBLE_NAMES),
    "plans_held", "plan_colours_held", "clergy_held", "favors_held", "ships_owned", "ship_hulls", "rubble_sets",
    *(f"rubble_{name}" for name in RUBBLE_NAMES),
    "rubble_total", "goods_total", *(f"goods_{name}" for name in GOOD_NAMES), "goods_kinds", "reis", "influence",
    "decrees_held", "portfolio_nobles", "portfolio_treasury", *(f"portfolio_{name}" for name in NOBLE_NAMES),
    "portfolio_influence", "street_majorities", "opponent_decrees",
]  # fmt: skip


class Step(enum.IntEnum):
    """What is to be done next: first the decisions of section 23, from BEGIN_TURN on what the rules do by themselves.

    Every step has up to three numbers with it; for a decision they are the state's `arg`, `more` and `extra`.
    """

    START_CLERGY = 0  # arg, more: the two tiles drawn
    MAIN = 1
    SELL_OR_TRADE = 2
    TOP_DISCARD = 3
    BOTTOM_DISCARD = 4
    SELL = 5
    TRADE = 6  # arg: the state action traded for before, or NONE
    STATE = 7  # arg: the noble visited
    NOBLE = 8  # arg: the noble visited
    FOLLOW = 9  # arg: the noble whom Lacerda visited
    BUILD = 10
    CUBE = 11  # arg: the store space
    DECREE = 12  # arg: how many more; more: 0 by an effect, 1 first and 2 later ones of the noble action
    USE_PLAN = 13
    SITE = 14  # arg: the plan
    HIRE = 15  # arg: how many more; more: the plan; extra: the site
    TAKE_PLAN = 16
    OFFICE = 17  # arg: how many more; more: offices taken as bits, 8 if even the first is optional
    SHIP_PAY = 18  # arg: how many more; more: kinds given as bits
    CARDINAL = 19
    CLERGY_FULL = 20  # arg: the fifth tile
    FAVOR = 21
    GOOD_ANY = 22  # arg: how many more
    PRICE_UP = 23  # arg: how many more
    PILE_CUBE = 24
    CHURCH = 25  # arg: 1 once a tile was given up
    DRAW = 26
    HAND_DISCARD = 27  # arg: nobles, as bits, who have paid
    # --- no decisions ---
    BEGIN_TURN = 28
    EFFECT = 29  # an Effect, its number, its good
    PLACE_TOP = 30  # a card, or a ship
    PLACE_BOTTOM = 31
    ACT = 32  # an Act, carried out by H
    PAY_LAND = 33  # a store space
    PLACE_STORE = 34  # a store space, facing
    SLIDE_DECREES = 35
    TAKE_SHIP = 36
    REVEAL_TILE = 37  # an architect
    LACERDA_FOLLOWS = 38  # the noble whom H visited
    LACERDA_ENDS = 39  # steps 4 and 5 of his turn
    CHURCH_SCORING = 40
    LACERDA_CHURCH = 41
    REFILL_CHURCH = 42
    END_TURN = 43
    NEW_PERIOD = 44


OWN_STEPS = Step.BEGIN_TURN  # from here on the rules do it by themselves
MOST_STEPS = 10_000  # between two decisions, far more than any turn of Lacerda takes
STEPS_WAITING = 24  # room for steps that wait for others
MOST_NUMBER = FIRST_SHIP + SHIPS - 1  # the largest number that goes with a step


class Deed(enum.IntEnum):
    """How a step of Lacerda's turn ended, for those who tell his turns."""

    NOT_YET = 0
    DONE = 1
    IMPOSSIBLE = 2
    TOO_DEAR = 3
