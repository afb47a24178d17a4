"""Lisboa's tables: read from ``tables.toml`` or a user's file, checked, and written into a blank state."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from alarife.engine.errors import OptionError, nearest
from alarife.engine.numbers import short
from alarife.engine.reading import read_table

from .components import (
    ACT_NAMES,
    ARCHITECT_NAMES,
    CARD_POWERS,
    CARDS,
    CLERGY,
    CLERGY_SLOTS,
    DECK_NAMES,
    DECREE_DISPLAY,
    DECREES,
    EFFECT_NAMES,
    GOOD_NAMES,
    GOODS,
    LEVELS,
    METRIC_NAMES,
    MOST_CLERGY,
    MOST_PLANS,
    MOST_SETS,
    NOBLE_NAMES,
    NOBLES,
    NONE,
    OFFICIALS,
    PLANS,
    POWER_NAMES,
    RANKS,
    ROW_SLOTS,
    RUBBLE_NAMES,
    SHIP_NAMES,
    SHIPS,
    SITES,
    SPACES,
    STACK_PLANS,
    STACK_TILES,
    STARTING_PLANS,
    STREETS,
    TILES,
    YEAR_NAMES,
    Effect,
    Power,
)

Table = dict[str, Any]
SHIPPED = Path(__file__).with_name("tables.toml")

#: Single numbers: lowest and highest.
NUMBERS: dict[str, dict[str, tuple[int, int]]] = {
    "start": {"reis": (0, 100), "goods_each": (0, 9), "influence": (0, 20), "wigs": (0, 100),
              "treasury_level": (1, LEVELS), "price": (0, 20)},
    "limits": {"influence_max": (1, 20), "influence_for_reis": (0, 20), "clergy_held": (1, MOST_CLERGY),
               "plans_held": (1, MOST_PLANS), "office_seats": (1, 16), "price_min": (0, 20), "price_max": (0, 20),
               "goods_supply": (5, 30), "room_base": (1, 9), "room_per_set": (0, 3), "top_slots": (1, ROW_SLOTS),
               "bottom_slots": (1, ROW_SLOTS), "decree_display": (1, DECREE_DISPLAY), "decrees_per_action": (1, 4),
               "lacerda_decrees": (1, DECREE_DISPLAY)},
    "church_track": {"start_space": (0, CLERGY_SLOTS - 1), "treasury_symbol_space": (0, CLERGY_SLOTS - 1),
                     "church_icon_space": (0, CLERGY_SLOTS - 1), "lacerda_steps": (1, CLERGY_SLOTS)},
    "final_scoring": {"officials_first": (0, 100), "officials_second": (0, 100), "wigs_per_rubble_set": (0, 50),
                      "reis_per_wig": (1, 100), "wigs_per_favor": (0, 50), "lacerda_wigs_per_cube": (0, 20),
                      "lacerda_wigs_per_decree": (0, 20)},
}  # fmt: skip

#: Lists of the [limits] table: with how many sets a slot opens.
LISTS = "top_slot_at_sets", "bottom_slot_at_sets"

#: Tables with rows: how many, the column that names the row and what it holds, then the other columns.
ROW_COUNTS = {
    "treasury": LEVELS, "rubble": len(RUBBLE_NAMES), "streets": STREETS, "scoring_tiles": STREETS,
    "store_spaces": SPACES, "construction_spaces": SITES, "public_buildings": TILES, "plans": PLANS,
    "nobles": NOBLES, "ships": SHIPS, "clergy": CLERGY, "political_cards": CARDS, "decrees": DECREES, "ranks": RANKS,
}  # fmt: skip
ROW_NAMES_OF: dict[str, tuple[str, list[Any]]] = {
    "treasury": ("level", [*range(1, LEVELS + 1)]),
    "rubble": ("kind", [*RUBBLE_NAMES]),
    "streets": ("street", [*range(1, STREETS + 1)]),
    "scoring_tiles": ("tile", [*range(1, STREETS + 1)]),
    "nobles": ("noble", [*NOBLE_NAMES]),
    "ships": ("colour", [*SHIP_NAMES]),
    "decrees": ("id", [*range(1, DECREES + 1)]),
    "ranks": ("rank", [*range(RANKS)]),
}
LINES = ("row D", "row C", "row B", "row A", "street 1", "street 2", "street 3", "street 4",
         "row A", "row B", "row C", "row D")  # fmt: skip
VERSUS = "none", "at_least", "more"
MODES = "per", "threshold"

Column = tuple[int, int] | list[str]
EFFECT: dict[str, Column] = {"effect": EFFECT_NAMES, "n": (0, 20), "good": [*GOOD_NAMES]}
COLUMNS: dict[str, dict[str, Column]] = {
    "treasury": {"influence": (0, 20), "reis": (0, 20)},
    "rubble": {"cost": (0, 20), "count": (0, 63)},
    "streets": {"good": [*GOOD_NAMES]},
    "scoring_tiles": {"first": (0, 50), "second": (0, 50)},
    "store_spaces": {"space": [f"{row}{column}" for row in "ABCD" for column in range(1, 6)], **EFFECT},
    "construction_spaces": {"side": ["W", "N", "E"], "line": [*LINES[:8]], **EFFECT},
    "public_buildings": {"architect": [*ARCHITECT_NAMES]},
    "plans": {"kind": ["starting", "regular"], "architect": [*ARCHITECT_NAMES], "officials": (1, OFFICIALS), **EFFECT},
    "nobles": {},
    "ships": {"size": (1, GOODS), "influence": (0, 10), "mod": (0, 20)},
    "clergy": {"power": POWER_NAMES, "n": (0, 10), "what": [*RUBBLE_NAMES, *NOBLE_NAMES, *GOOD_NAMES], "wigs": (0, 20)},
    "political_cards": {"deck": [*YEAR_NAMES], "kind": [*DECK_NAMES], "influence": (0, 10), **EFFECT,
                        "power": POWER_NAMES[:CARD_POWERS], "event": ACT_NAMES},
    "decrees": {"metric": METRIC_NAMES, "mode": [*MODES], "per": (1, 100), "min": (0, 100), "wigs": (0, 50),
                "cap": (0, 50)},
    "ranks": {"stores": (0, 8), "stores_vs": [*VERSUS], "majorities": (0, 4), "reis": (0, 100), "decrees": (0, 69),
              "ships": (0, 4)},
}  # fmt: skip
OPTIONAL = "n", "good", "what", "influence", "power", "event", "effect", "per", "min", "cap"
REQUIRED = ("treasury", "influence"), ("ships", "influence"), ("clergy", "power")
POWERS_ABOUT = {"rubble_discount": RUBBLE_NAMES, "visit_discount": NOBLE_NAMES, "produce_extra": GOOD_NAMES}


# --- reading and checking -------------------------------------------------------------------------


def load(given: Any) -> Table | None:
    """A user's tables, checked; None stands for the shipped ones."""
    if given is None:
        return None
    if not isinstance(given, dict):
        raise OptionError(f"option tables takes a file or a dictionary, got {short(given)}")
    for name in given:
        if name not in shipped():
            raise OptionError(f"no table called {short(name)}{nearest(name[:80], [*shipped()])}")
        check_table(name, given[name])
    check_together({**shipped(), **given})
    return given


@lru_cache
def shipped() -> Table:
    """The tables that come with the game."""
    tables: Table = read_table(SHIPPED, "tables")
    return tables


def refuse(name: str, problem: str) -> None:
    """Say what is wrong with a table."""
    raise OptionError(f"table {name}: {problem}")


def check_table(name: str, table: Any) -> None:
    """Numbers, or rows, of one table."""
    if name in NUMBERS:
        check_numbers(name, table)
        return
    rows = table.get("rows") if isinstance(table, dict) and set(table) == {"rows"} else None
    if not isinstance(rows, list) or len(rows) != ROW_COUNTS[name]:
        refuse(name, f"takes {ROW_COUNTS[name]} rows, got {len(rows) if isinstance(rows, list) else short(table)}")
    for i, row in enumerate(rows or []):
        check_row(name, i, row)


def check_numbers(name: str, table: Any) -> None:
    """A table of single numbers."""
    wanted = [*NUMBERS[name], *(LISTS if name == "limits" else ())]
    if not isinstance(table, dict) or set(table) != set(wanted):
        refuse(name, f"takes {', '.join(wanted)}; got {short([*table]) if isinstance(table, dict) else short(table)}")
    for key, limits in NUMBERS[name].items():
        check_cell(name, key, table[key], limits)
    for key in LISTS if name == "limits" else ():
        if not isinstance(table[key], list) or len(table[key]) > ROW_SLOTS:
            refuse(name, f"{key} takes a list of at most {ROW_SLOTS} numbers of sets, got {short(table[key])}")
        for sets in table[key]:
            check_cell(name, key, sets, (1, MOST_SETS))


def check_row(name: str, i: int, row: Any) -> None:
    """One row: its name in its place, known columns, values in range."""
    key, names = ROW_NAMES_OF.get(name, ("id", [*range(ROW_COUNTS[name])]))
    if not isinstance(row, dict) or row.get(key) != names[i] or isinstance(row.get(key), bool):
        refuse(name, f"row {i} must have {key} = {names[i]!r}, got {short(row)}")
    columns = COLUMNS[name]
    extra = {"public_buildings": ("side_a", "side_b"), "nobles": ("goods",), "decrees": ("excluded",)}.get(name, ())
    for column in row:
        if column != key and column not in columns and column not in extra:
            refuse(name, f"row {i} has no column {short(column)}{nearest(column[:80], [*columns, *extra])}")
    for column, allowed in columns.items():
        if column in row:
            check_cell(name, f"row {i}, {column}", row[column], allowed)
        elif column not in OPTIONAL or (name, column) in REQUIRED:
            refuse(name, f"row {i} lacks {column}")
    ROW_CHECKS.get(name, lambda i, row: None)(i, row)


def check_cell(name: str, what: str, value: Any, allowed: Column) -> None:
    """A whole number within limits, or one of some words."""
    if isinstance(allowed, list):
        if value not in allowed:
            refuse(name, f"{what} is one of {', '.join(allowed)}; got {short(value)}")
    elif isinstance(value, bool) or not isinstance(value, int) or not allowed[0] <= value <= allowed[1]:
        refuse(name, f"{what} goes from {allowed[0]} to {allowed[1]}, got {short(value)}")


def check_reward(name: str, i: int, row: Table, *, penalties: bool = False) -> None:
    """An effect with what it needs; only noble cards may hold penalties."""
    effect = row.get("effect")
    if effect is None:
        refuse(name, f"row {i} lacks effect")
    if effect != "none" and "n" not in row:
        refuse(name, f"row {i} lacks n")
    if (effect == "good") != ("good" in row):
        refuse(name, f"row {i}: good belongs to the effect good")
    if not penalties and EFFECT_NAMES.index(str(effect)) >= Effect.LOSE_REIS:
        refuse(name, f"row {i}: {effect} is a penalty")
    if effect not in ("reis", "influence", "wigs", "lose_reis", "lose_influence", "lose_wigs") and row.get("n", 0) > 4:
        refuse(name, f"row {i}: {effect} goes up to 4, got {row['n']}")


def check_space(i: int, row: Table) -> None:
    """Store spaces keep their place."""
    if row["space"] != COLUMNS["store_spaces"]["space"][i]:
        refuse("store_spaces", f"row {i} is space {COLUMNS['store_spaces']['space'][i]}, got {short(row['space'])}")
    check_reward("store_spaces", i, row)


def check_site(i: int, row: Table) -> None:
    """Construction spaces keep their line."""
    if row["line"] != LINES[i] or row["side"] != "WNE"[i // 4]:
        refuse("construction_spaces", f"row {i} is on side {'WNE'[i // 4]} and serves {LINES[i]}")
    check_reward("construction_spaces", i, row)


def check_building(i: int, row: Table) -> None:
    """What both sides of a tile pay."""
    for side in "side_a", "side_b":
        pays = row.get(side)
        if not isinstance(pays, dict) or set(pays) != set(GOOD_NAMES):
            refuse("public_buildings", f"row {i}: {side} takes a number for each of {', '.join(GOOD_NAMES)}")
        for good in GOOD_NAMES:
            check_cell("public_buildings", f"row {i}, {side}, {good}", row[side][good], (0, 20))


def check_noble(i: int, row: Table) -> None:
    """The goods that a noble accepts."""
    goods = row.get("goods")
    if not isinstance(goods, list) or not goods or not set(goods) <= set(GOOD_NAMES):
        refuse("nobles", f"row {i}: goods takes a list of {', '.join(GOOD_NAMES)}, got {short(goods)}")


def check_tile(i: int, row: Table) -> None:
    """Some powers of clergy tiles are about something."""
    if row["power"] == POWER_NAMES[Power.SUBSIDY_BONUS]:
        refuse("clergy", f"row {i}: subsidy_bonus stands on cards only")
    about = POWERS_ABOUT.get(row["power"])
    if (about is None and "what" in row) or (about is not None and row.get("what") not in about):
        refuse("clergy", f"row {i}: {row['power']} takes what = {' or '.join(about or ['nothing'])}")


def check_card(i: int, row: Table) -> None:
    """Noble cards have influence and an effect, treasury cards a power and an event."""
    treasury = row["kind"] == "treasury"
    for column in ("power", "event", "n") if treasury else ("influence", "effect"):
        if column not in row:
            refuse("political_cards", f"row {i} lacks {column}")
    for column in ("influence", "effect", "good") if treasury else ("power", "event"):
        if column in row:
            refuse("political_cards", f"row {i}: a {row['kind']} card has no {column}")
    if not treasury:
        check_reward("political_cards", i, row, penalties=True)


def check_decree(i: int, row: Table) -> None:
    """Decrees pay per something, up to a cap, or from a threshold on."""
    for column in ("per", "cap") if row["mode"] == "per" else ("min",):
        if column not in row:
            refuse("decrees", f"row {i} lacks {column}")
    if not isinstance(row.get("excluded", False), bool):
        refuse("decrees", f"row {i}: excluded is true or false")


ROW_CHECKS = {
    "store_spaces": check_space, "construction_spaces": check_site, "public_buildings": check_building,
    "nobles": check_noble, "clergy": check_tile, "political_cards": check_card, "decrees": check_decree,
    "plans": lambda i, row: check_reward("plans", i, row),
}  # fmt: skip


def check_together(tables: Table) -> None:
    """What tables must agree on: the numbers of pieces of each sort (LIS-009, LIS-014, LIS-022, LIS-023)."""
    limits, start = tables["limits"], tables["start"]
    if not limits["price_min"] <= start["price"] <= limits["price_max"]:
        refuse("start", f"price lies outside of {limits['price_min']} to {limits['price_max']}")
    if start["influence"] > limits["influence_max"]:
        refuse("start", f"influence is above {limits['influence_max']}")
    if start["goods_each"] > limits["room_base"]:
        refuse("start", f"goods_each is above the room for {limits['room_base']}")
    if start["goods_each"] > limits["goods_supply"]:
        refuse("start", f"goods_each is above the supply of {limits['goods_supply']}")
    if sum(row["count"] for row in tables["rubble"]["rows"]) != 63:
        refuse("rubble", "the counts must add up to 63")
    if sorted(row["good"] for row in tables["streets"]["rows"]) != sorted(GOOD_NAMES):
        refuse("streets", "each good is sold in one street")
    years = [row["deck"] for row in tables["political_cards"]["rows"]]
    if years != ["blue"] * 21 + ["red"] * 20 + ["purple"] * 21 + ["brown"] * 20:
        refuse("political_cards", "21 blue, 20 red, 21 purple and 20 brown cards, in this order")
    for year in "red", "brown":
        for kind in DECK_NAMES:
            if count(tables["political_cards"], deck=year, kind=kind) != 5:
                refuse("political_cards", f"the {year} deck takes 5 cards of each kind")
    if 21 - count(tables["political_cards"], deck="blue", kind="treasury") < 7:
        refuse("political_cards", "the blue deck takes at least 7 noble cards")
    for architect in ARCHITECT_NAMES:
        if count(tables["public_buildings"], architect=architect) != STACK_TILES:
            refuse("public_buildings", f"takes {STACK_TILES} tiles of each architect")
        if count(tables["plans"], architect=architect, kind="regular") != STACK_PLANS:
            refuse("plans", f"takes {STACK_PLANS} regular plans of each architect")
    if [row["kind"] for row in tables["plans"]["rows"][:STARTING_PLANS]] != ["starting"] * STARTING_PLANS:
        refuse("plans", f"the first {STARTING_PLANS} are the starting plans")
    if 70 - sum(row.get("excluded", False) for row in tables["decrees"]["rows"]) < DECREE_DISPLAY:
        refuse("decrees", f"at least {DECREE_DISPLAY} must stay in the game")


def count(table: Table, **wanted: str) -> int:
    """How many rows have these words."""
    return sum(all(row[key] == word for key, word in wanted.items()) for row in table["rows"])


# --- writing --------------------------------------------------------------------------------------


def prepare(view: Any, options: Any) -> None:
    """Write the tables into the record of a blank state."""
    tables = {**shipped(), **(options.tables or {})}
    t = view.tables
    for name in NUMBERS:
        for key in NUMBERS[name]:
            setattr(t, key, tables[name][key])
    write_limits(t, tables["limits"])
    write_city(t, tables)
    write_cards(t, tables)
    for i, row in enumerate(tables["ranks"]["rows"]):
        t.rank_stores[i], t.rank_versus[i] = row["stores"], VERSUS.index(row["stores_vs"])
        t.rank_majorities[i], t.rank_reis[i] = row["majorities"], row["reis"]
        t.rank_decrees[i], t.rank_ships[i] = row["decrees"], row["ships"]


def write_limits(t: Any, limits: Table) -> None:
    """How many slots are open with 0 to 5 sets (LIS-062, LIS-157)."""
    for sets in range(MOST_SETS + 1):
        top = limits["top_slots"] + sum(sets >= at for at in limits["top_slot_at_sets"])
        bottom = limits["bottom_slots"] + sum(sets >= at for at in limits["bottom_slot_at_sets"])
        t.top_open[sets], t.bottom_open[sets] = min(top, ROW_SLOTS), min(bottom, ROW_SLOTS)


def write_effect(t: Any, prefix: str, i: int, row: Table) -> None:
    """The effect of a space, a plan or a card."""
    getattr(t, f"{prefix}_effect")[i] = EFFECT_NAMES.index(row.get("effect", "none"))
    getattr(t, f"{prefix}_n")[i] = row.get("n", 0)
    getattr(t, f"{prefix}_good")[i] = GOOD_NAMES.index(row["good"]) if "good" in row else NONE


def write_city(t: Any, tables: Table) -> None:
    """Treasury, rubble, streets, spaces, buildings, plans, nobles, ships."""
    for i, row in enumerate(tables["treasury"]["rows"], 1):
        t.treasury_influence[i], t.treasury_reis[i] = row["influence"], row["reis"]
    for i, row in enumerate(tables["rubble"]["rows"]):
        t.rubble_cost[i], t.rubble_count[i] = row["cost"], row["count"]
    for i, row in enumerate(tables["streets"]["rows"]):
        t.street_good[i] = GOOD_NAMES.index(row["good"])
    for i, row in enumerate(tables["scoring_tiles"]["rows"]):
        t.majority_first[i], t.majority_second[i] = row["first"], row["second"]
    for i, row in enumerate(tables["store_spaces"]["rows"]):
        write_effect(t, "space", i, row)
    for i, row in enumerate(tables["construction_spaces"]["rows"]):
        write_effect(t, "site", i, row)
    for i, row in enumerate(tables["public_buildings"]["rows"]):
        t.tile_architect[i] = ARCHITECT_NAMES.index(row["architect"])
        for g, good in enumerate(GOOD_NAMES):
            t.tile_pays[2 * i, g], t.tile_pays[2 * i + 1, g] = row["side_a"][good], row["side_b"][good]
    for i, row in enumerate(tables["plans"]["rows"]):
        t.plan_architect[i], t.plan_officials[i] = ARCHITECT_NAMES.index(row["architect"]), row["officials"]
        write_effect(t, "plan", i, row)
    for i, row in enumerate(tables["nobles"]["rows"]):
        for g, good in enumerate(GOOD_NAMES):
            t.accepts[i, g] = good in row["goods"]
    for i, row in enumerate(tables["ships"]["rows"]):
        t.ship_size[i], t.ship_influence[i], t.ship_mod[i] = row["size"], row["influence"], row["mod"]


def write_cards(t: Any, tables: Table) -> None:
    """Clergy, political cards and decrees."""
    for i, row in enumerate(tables["clergy"]["rows"]):
        about = POWERS_ABOUT.get(row["power"])
        t.clergy_power[i], t.clergy_n[i] = POWER_NAMES.index(row["power"]), row.get("n", 0)
        t.clergy_what[i], t.clergy_wigs[i] = about.index(row["what"]) if about else NONE, row["wigs"]
    for i, row in enumerate(tables["political_cards"]["rows"]):
        t.card_kind[i], t.card_influence[i] = DECK_NAMES.index(row["kind"]), row.get("influence", 0)
        write_effect(t, "card", i, row)
        t.card_power[i] = POWER_NAMES.index(row["power"]) if "power" in row else NONE
        t.card_event[i] = ACT_NAMES.index(row["event"]) if "event" in row else NONE
    for row in tables["decrees"]["rows"]:
        i, per = row["id"], row["mode"] == "per"
        t.decree_metric[i], t.decree_is_per[i] = METRIC_NAMES.index(row["metric"]), per
        t.decree_unit[i], t.decree_wigs[i] = row["per"] if per else row["min"], row["wigs"]
        t.decree_cap[i], t.decree_excluded[i] = row["cap"] if per else row["wigs"], row.get("excluded", False)
