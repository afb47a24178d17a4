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
    COLUMNS,
    DECKS,
    DECREE_DISPLAY,
    DECREES,
    GOODS,
    HAND_SIZE,
    LEVELS,
    MOST_CLERGY,
    MOST_PLANS,
    MOST_SETS,
    NOBLES,
    PILE,
    PLANS,
    RANKS,
    ROW_SLOTS,
    ROWS,
    RUBBLE,
    SHIPS,
    SITES,
    SPACES,
    STACK_PLANS,
    STACK_TILES,
    STEPS_WAITING,
    STREETS,
    TILES,
    Deck,
    Deed,
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

    noble = i8
    deed = i8.of(Deed)
    influence = i8  # paid
    wigs_paid = i8
    what = i8  # store: space; decrees: how many; building: tile and side
    where = i8  # store: street; building: site
    ties = i8  # how many spaces were as good
    wigs = i16  # gained by him
    given = i16  # gained by H
    cube = i8  # kind of rubble taken with a store, or NONE


class Log(Record):
    """What Lacerda did in his last turn, for those who tell it; no rule reads it."""

    round = i8  # of the turn told, 0 before his first
    helper = i8  # the Helper's deck during the turn
    deed = i8.of(Deed)  # of the state action
    act = i8
    first = i8  # plans: the plan; officials: first office; ship: colour; cardinal: space; favor: noble
    second = i8  # officials: second office; cardinal: the tile taken; else NONE
    goods = i8[GOODS]  # produced
    wigs = i8  # from the tile
    visit = NobleLog
    card = i8  # discarded from the display, or NONE
    follow = NobleLog  # of H's last turn


class State(GameState):
    """Everything that changes. By side: 0 is H, 1 is Lacerda.

    Piles whose order nobody knows are plain lists: what comes off them is drawn when it is turned up, so that no secret
    ever lies in the state.
    """

    options = settings_of(Options)
    tables = Tables
    log = Log
    phase = i8.of(Step)  # the decision that is due
    arg = i8  # what goes with it, see Step
    more = i8
    extra = i8
    waiting = i8[STEPS_WAITING, 4]  # steps to come, the last one first
    depth = i8  # how many
    period = i8  # 1 or 2
    round = i8
    actor = i8  # whose turn it is, a Side; H also decides in Lacerda's
    final_turns = i8  # turns left once the end is triggered, 0 before
    # both sides
    wigs = i16[2]
    influence = i8[2]
    officials = i8[2]  # in the supply
    office = i8[2, NOBLES]
    houses = i8[2]  # left
    favor = i8[2, NOBLES]  # royal favors held
    cubes = i8[2, RUBBLE]
    decrees_held = i8[2]
    # H
    reis = i16
    goods = i8[GOODS]
    hand = i8[HAND_SIZE]  # cards in order of arrival
    hand_size = i8
    top = i8[ROW_SLOTS]  # card, ship, or NONE
    bottom = i8[ROW_SLOTS]
    plans = i8[MOST_PLANS]
    plans_held = i8
    clergy = i8[MOST_CLERGY]
    clergy_held = i8
    plaza = i8  # officials
    hired = i8
    # Lacerda
    courtier = i8  # a noble
    helper = i8.of(Deck)
    lacerda_plans = i8[PLANS]
    lacerda_plans_held = i8
    lacerda_goods = i8[GOODS]  # out of the game
    # markets
    supply = i8[GOODS]
    price = i8[GOODS]
    treasury = i8  # level
    favor_supply = i8[NOBLES]
    ship_place = i8[SHIPS]  # a Side; 2 in the shipyard; NONE out of the game or not in it yet
    ship_goods = i8[SHIPS, GOODS]
    ship_at_sea = i8[SHIPS]
    # display
    deck_top = i8[DECKS]  # card face up, or NONE
    deck = i8[DECKS, PILE]  # cards below it, in no order
    deck_size = i8[DECKS]
    year_cards = i8[BLUE_CARDS]  # blue or purple cards while they are dealt
    card_gone = i8[CARDS]  # 1 once a card is out of the game
    # city
    store_owner = i8[SPACES]  # a Side, or NONE
    store_street = i8[SPACES]
    row_cubes = i8[ROWS, RUBBLE]
    column_cubes = i8[COLUMNS, RUBBLE]
    site_cubes = i8[SITES, RUBBLE]
    pile = i8[RUBBLE]
    cubes_gone = i8[RUBBLE]  # left in the bag, or discarded at set-up
    scoring_tile = i8[STREETS]
    site_tile = i8[SITES]  # building, as 2 * tile + side, or NONE
    site_owner = i8[SITES]  # a Side, or NONE
    site_hired = i8[SITES]
    tile_top = i8[ARCHITECTS]  # as 2 * tile + side, or NONE
    tile_stack = i8[ARCHITECTS, STACK_TILES]
    tile_stack_size = i8[ARCHITECTS]
    plan_top = i8[ARCHITECTS]
    plan_stack = i8[ARCHITECTS, STACK_PLANS]
    plan_stack_size = i8[ARCHITECTS]
    plan_gone = i8[PLANS]  # 1 once used, or left over at set-up
    # church
    cardinal = i8
    church_due = i8  # 1 if church scoring takes place at the end of this turn
    church_slot = i8[CLERGY_SLOTS]
    clergy_bag = i8[CLERGY]
    clergy_bag_size = i8
    clergy_discard = i8[CLERGY]
    clergy_discard_size = i8
    # decrees
    decree_display = i8[DECREE_DISPLAY]  # numbers from the left; 0: empty
    decree_deck = i8[DECREES]
    decree_deck_size = i8
    decree_owner = i8[DECREES + 1]  # a Side, or NONE
    # the end
    rank = i8  # NONE before the end
    met = i8[RANKS]  # at the end: which conditions of each rank hold, as bits (scoring.CRITERIA)
