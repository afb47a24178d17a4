"""Lisboa: options and the state record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from alarife.engine.game import GameState
from alarife.engine.layout import Record, i8, i16
from alarife.engine.options import GameOptions, choice, settings_of, table, whole

from .components import (
    ARCHITECTS,
    BLUE_CARDS,
    CARDS,
    CLERGY,
    CLERGY_SLOTS,
    COLUMN_CUBES,
    COLUMNS,
    DECKS,
    DECREE_DISPLAY,
    DECREES,
    FAVORS,
    FIRST_SHIP,
    GOODS,
    HAND_SIZE,
    HOUSES,
    LEVELS,
    MOST_CLERGY,
    MOST_COUNTED,
    MOST_HELD,
    MOST_NUMBER,
    MOST_PLANS,
    MOST_REIS,
    MOST_SETS,
    MOST_WIGS,
    NOBLES,
    NONE,
    OFFICIALS,
    OWN_STEPS,
    PILE,
    PILE_CUBES,
    PLANS,
    RANKS,
    ROW_CUBES,
    ROW_SLOTS,
    ROWS,
    RUBBLE,
    SHIPS,
    SITE_CUBES,
    SITES,
    SPACES,
    STACK_PLANS,
    STACK_TILES,
    STEPS_WAITING,
    STREETS,
    TILES,
    Act,
    Deck,
    Deed,
    Side,
    Step,
)
from .tables import load


@dataclass(frozen=True)
class Options(GameOptions):
    """What can be chosen before a game."""

    setup: str = choice("random", "fixed", meaning="pieces laid out anew each game, or always those of `setup_number`")
    setup_number: int = whole(0, 0, 9999, "which of the fixed set-ups")
    lacerda_influence: int = whole(8, 0, 10, "influence that Lacerda starts with (LIS-037)")
    lacerda_wigs: int = whole(0, 0, 100, "wigs that Lacerda starts with")
    tables: Any = table(load, "own boards, cards, tiles and ranks, in the format of tables.toml")


class Tables(Record):
    """The numbers of ``tables.toml``, in the order of its rows."""

    # start
    reis = i8
    goods_each = i8
    influence = i8
    wigs = i8
    treasury_level = i8
    price = i8
    # limits
    influence_max = i8
    influence_for_reis = i8
    clergy_held = i8
    plans_held = i8
    office_seats = i8
    price_min = i8
    price_max = i8
    goods_supply = i8
    room_base = i8
    room_per_set = i8
    top_slots = i8
    bottom_slots = i8
    top_open = i8[MOST_SETS + 1]  # slots open, by completed sets
    bottom_open = i8[MOST_SETS + 1]
    decree_display = i8
    decrees_per_action = i8
    lacerda_decrees = i8
    # city
    treasury_influence = i8[LEVELS + 1]  # by level, from 1 on
    treasury_reis = i8[LEVELS + 1]
    rubble_cost = i8[RUBBLE]
    rubble_count = i8[RUBBLE]
    street_good = i8[STREETS]
    majority_first = i8[STREETS]  # of each scoring tile
    majority_second = i8[STREETS]
    space_effect = i8[SPACES]
    space_n = i8[SPACES]
    space_good = i8[SPACES]
    site_effect = i8[SITES]
    site_n = i8[SITES]
    site_good = i8[SITES]
    tile_architect = i8[TILES]
    tile_pays = i8[2 * TILES, GOODS]  # of both sides of each tile
    plan_architect = i8[PLANS]
    plan_officials = i8[PLANS]
    plan_effect = i8[PLANS]
    plan_n = i8[PLANS]
    plan_good = i8[PLANS]
    accepts = i8[NOBLES, GOODS]
    ship_size = i8[SHIPS]
    ship_influence = i8[SHIPS]
    ship_mod = i8[SHIPS]
    # cards
    clergy_power = i8[CLERGY]
    clergy_n = i8[CLERGY]
    clergy_what = i8[CLERGY]  # a kind of rubble, a noble, a good, by power; NONE
    clergy_wigs = i8[CLERGY]
    start_space = i8
    treasury_symbol_space = i8
    church_icon_space = i8
    lacerda_steps = i8
    card_kind = i8[CARDS]
    card_influence = i8[CARDS]
    card_effect = i8[CARDS]
    card_n = i8[CARDS]
    card_good = i8[CARDS]
    card_power = i8[CARDS]
    card_event = i8[CARDS]
    decree_metric = i8[DECREES + 1]  # by number, from 1 on
    decree_is_per = i8[DECREES + 1]
    decree_unit = i8[DECREES + 1]  # per so many, or from so many on
    decree_wigs = i8[DECREES + 1]
    decree_cap = i8[DECREES + 1]
    decree_excluded = i8[DECREES + 1]
    # scoring
    officials_first = i8
    officials_second = i8
    wigs_per_rubble_set = i8
    reis_per_wig = i8
    wigs_per_favor = i8
    lacerda_wigs_per_cube = i8
    lacerda_wigs_per_decree = i8
    rank_stores = i8[RANKS]
    rank_versus = i8[RANKS]  # stores against Lacerda's: 0 no matter, 1 at least as many, 2 more
    rank_majorities = i8[RANKS]
    rank_reis = i8[RANKS]
    rank_decrees = i8[RANKS]
    rank_ships = i8[RANKS]


class NobleLog(Record):
    """What Lacerda did at court with a noble, in his turn or following H."""

    noble = i8.between(0, NOBLES - 1)
    deed = i8.of(Deed)
    influence = i8.between(0, MOST_HELD)  # paid
    wigs_paid = i8.between(0, MOST_HELD)
    what = i8.between(NONE, MOST_HELD)  # store: space; decrees: how many; building: tile and side
    where = i8.between(NONE, MOST_HELD)  # store: street; building: site
    ties = i8.between(0, MOST_HELD)  # how many spaces were as good
    wigs = i16.between(0, MOST_WIGS)  # gained by him
    given = i16.between(0, MOST_WIGS)  # gained by H
    cube = i8.between(NONE, RUBBLE - 1)  # kind of rubble taken with a store, or NONE


class Log(Record):
    """What Lacerda did in his last turn, for those who tell it; no rule reads it."""

    round = i8.between(0, MOST_COUNTED)  # of the turn told, 0 before his first
    helper = i8.between(0, DECKS - 1)  # the Helper's deck during the turn
    deed = i8.of(Deed)  # of the state action
    act = i8.between(0, len(Act) - 1)
    first = i8.between(
        NONE, MOST_HELD
    )  # plans: the plan; officials: first office; ship: colour; cardinal: space; favor: noble
    second = i8.between(NONE, MOST_HELD)  # officials: second office; cardinal: the tile taken; else NONE
    goods = i8[GOODS].between(0, MOST_HELD)  # produced
    wigs = i8.between(0, MOST_HELD)  # from the tile
    visit = NobleLog
    card = i8.between(NONE, CARDS - 1)  # discarded from the display, or NONE
    follow = NobleLog  # of H's last turn


class State(GameState):
    """Everything that changes. By side: 0 is H, 1 is Lacerda.

    Piles whose order nobody knows are plain lists: what comes off them is drawn when it is turned up, so that no secret
    ever lies in the state.
    """

    prepared = ("tables",)
    options = settings_of(Options)
    tables = Tables
    log = Log
    phase = i8.of(Step).between(NONE, OWN_STEPS - 1)  # the decision that is due
    arg = i8.between(NONE, MOST_NUMBER)  # what goes with it, see Step
    more = i8.between(NONE, MOST_NUMBER)
    extra = i8.between(NONE, MOST_NUMBER)
    waiting = i8[STEPS_WAITING, 4].between(NONE, MOST_NUMBER)  # steps to come, the last one first
    depth = i8.between(0, STEPS_WAITING)  # how many
    period = i8.between(1, 2)  # 1 or 2
    round = i8.between(0, MOST_COUNTED)
    turn_of = i8.between(0, 1)  # whose turn it is, a Side; H also decides in Lacerda's
    final_turns = i8.between(0, 3)  # turns left once the end is triggered, 0 before
    # both sides
    wigs = i16[2].between(0, MOST_WIGS)
    influence = i8[2].between(0, MOST_HELD)
    officials = i8[2].between(0, OFFICIALS)  # in the supply
    office = i8[2, NOBLES].between(0, OFFICIALS)
    houses = i8[2].between(0, HOUSES)  # left
    favor = i8[2, NOBLES].between(0, FAVORS)  # royal favors held
    cubes = i8[2, RUBBLE].between(0, MOST_HELD)
    decrees_held = i8[2].between(0, DECREES)
    # H
    reis = i16.between(0, MOST_REIS)
    goods = i8[GOODS].between(0, MOST_HELD)
    hand = i8[HAND_SIZE].between(NONE, CARDS - 1)  # cards in order of arrival
    hand_size = i8.between(0, HAND_SIZE)
    top = i8[ROW_SLOTS].between(NONE, FIRST_SHIP + SHIPS - 1)  # card, ship, or NONE
    bottom = i8[ROW_SLOTS].between(NONE, CARDS - 1)
    plans = i8[MOST_PLANS].between(NONE, PLANS - 1)
    plans_held = i8.between(0, MOST_PLANS)
    clergy = i8[MOST_CLERGY].between(NONE, CLERGY - 1)
    clergy_held = i8.between(0, MOST_CLERGY)
    plaza = i8.between(0, OFFICIALS)  # officials
    hired = i8.between(0, OFFICIALS)
    # Lacerda
    courtier = i8.between(0, NOBLES - 1)  # a noble
    helper = i8.of(Deck)
    lacerda_plans = i8[PLANS].between(0, PLANS - 1)
    lacerda_plans_held = i8.between(0, PLANS)
    lacerda_goods = i8[GOODS].between(0, MOST_HELD)  # out of the game
    # markets
    supply = i8[GOODS].between(0, MOST_HELD)
    price = i8[GOODS].between(0, MOST_HELD)
    treasury = i8.between(1, LEVELS)  # level
    favor_supply = i8[NOBLES].between(0, FAVORS)
    ship_place = i8[SHIPS].between(NONE, 2)  # a Side; 2 in the shipyard; NONE out of the game or not in it yet
    ship_goods = i8[SHIPS, GOODS].between(0, MOST_HELD)
    ship_at_sea = i8[SHIPS].between(0, 1)
    # display
    deck_top = i8[DECKS].between(NONE, CARDS - 1)  # card face up, or NONE
    deck = i8[DECKS, PILE].between(0, CARDS - 1)  # cards below it, in no order
    deck_size = i8[DECKS].between(0, PILE)
    year_cards = i8[BLUE_CARDS].between(0, CARDS - 1)  # blue or purple cards while they are dealt
    card_gone = i8[CARDS].between(0, 1)  # 1 once a card is out of the game
    # city
    store_owner = i8[SPACES].between(NONE, 1)  # a Side, or NONE
    store_street = i8[SPACES].between(NONE, STREETS - 1)
    row_cubes = i8[ROWS, RUBBLE].between(0, ROW_CUBES)
    column_cubes = i8[COLUMNS, RUBBLE].between(0, max(COLUMN_CUBES))
    site_cubes = i8[SITES, RUBBLE].between(0, SITE_CUBES)
    pile = i8[RUBBLE].between(0, PILE_CUBES)
    cubes_gone = i8[RUBBLE].between(0, MOST_HELD)  # left in the bag, or discarded at set-up
    scoring_tile = i8[STREETS].between(0, STREETS - 1)
    site_tile = i8[SITES].between(NONE, 2 * TILES - 1)  # building, as 2 * tile + side, or NONE
    site_owner = i8[SITES].between(NONE, max(Side))  # a Side, or NONE
    site_hired = i8[SITES].between(0, OFFICIALS)
    tile_top = i8[ARCHITECTS].between(NONE, 2 * TILES - 1)  # as 2 * tile + side, or NONE
    tile_stack = i8[ARCHITECTS, STACK_TILES].between(0, TILES - 1)
    tile_stack_size = i8[ARCHITECTS].between(0, STACK_TILES)
    plan_top = i8[ARCHITECTS].between(NONE, PLANS - 1)
    plan_stack = i8[ARCHITECTS, STACK_PLANS].between(0, PLANS - 1)
    plan_stack_size = i8[ARCHITECTS].between(0, STACK_PLANS)
    plan_gone = i8[PLANS].between(0, 1)  # 1 once used, or left over at set-up
    # church
    cardinal = i8.between(0, CLERGY_SLOTS - 1)
    church_due = i8.between(0, 1)  # 1 if church scoring takes place at the end of this turn
    church_slot = i8[CLERGY_SLOTS].between(NONE, CLERGY - 1)
    clergy_bag = i8[CLERGY].between(0, CLERGY - 1)
    clergy_bag_size = i8.between(0, CLERGY)
    clergy_discard = i8[CLERGY].between(0, CLERGY - 1)
    clergy_discard_size = i8.between(0, CLERGY)
    # decrees
    decree_display = i8[DECREE_DISPLAY].between(0, DECREES)  # numbers from the left; 0: empty
    decree_deck = i8[DECREES].between(0, DECREES)
    decree_deck_size = i8.between(0, DECREES)
    decree_owner = i8[DECREES + 1].between(NONE, 1)  # a Side, or NONE
    # the end
    rank = i8.between(NONE, RANKS - 1)  # NONE before the end
    met = i8[RANKS].between(0, MOST_HELD)  # at the end: which conditions of each rank hold, as bits (scoring.CRITERIA)
