"""Lisboa in words: cards, tiles, actions, Lacerda's turns, and how a game came out."""

from __future__ import annotations

from typing import Any

from alarife.engine.sheet import counted

from .actions import ACTIONS
from .components import (
    ACT_NAMES,
    ARCHITECT_NAMES,
    COLUMNS,
    DECK_NAMES,
    EFFECT_NAMES,
    FIRST_SHIP,
    GOOD_NAMES,
    GOODS,
    HOUSES,
    METRIC_NAMES,
    NOBLE_NAMES,
    NONE,
    RANK_NAMES,
    ROW_NAMES,
    RUBBLE_NAMES,
    SHIP_NAMES,
    Act,
    Deck,
    Deed,
    Effect,
    Power,
    Side,
    Step,
)
from .rules.city import land_cost
from .rules.decrees import majorities, ships_of
from .rules.end import CRITERIA

# --- names ----------------------------------------------------------------------------------------


def human(seat: int | None) -> str:
    """What the one who plays against Lacerda is called, by who looks on: himself or, without a seat, anybody."""
    return "player_0" if seat is None else "you"


def space_name(space: int) -> str:
    """A store space such as B3."""
    return f"{ROW_NAMES[space // COLUMNS]}{space % COLUMNS + 1}"


def site_name(site: int) -> str:
    """A construction space: W, N or E and its line."""
    if 4 <= site < 8:
        return f"N{site - 3}"
    return f"W{ROW_NAMES[3 - site]}" if site < 4 else f"E{ROW_NAMES[site - 8]}"


def effect_name(effect: int, n: int, good: int) -> str:
    """A reward or penalty in two words."""
    if effect == Effect.NOTHING:
        return "nothing"
    if effect == Effect.GOOD:
        return f"{n} {GOOD_NAMES[good]}"
    if effect == Effect.GOOD_ANY:
        return f"{n} good{'s' if n > 1 else ''}"
    if effect >= Effect.LOSE_REIS:
        return "treasury up" if effect == Effect.TREASURY_UP else f"-{n} {EFFECT_NAMES[effect][5:]}"
    if effect == Effect.PRICE_UP:
        return f"price +{n}"
    many = n > 1 and effect in (Effect.DECREE, Effect.PLAN, Effect.OFFICIAL, Effect.FAVOR)
    return f"{n} {EFFECT_NAMES[effect]}{'s' if many else ''}"


def power_name(power: int, n: int) -> str:
    """What a treasury card or a clergy tile does."""
    words = {
        Power.LAND_DISCOUNT: f"land -{n}", Power.SALE_BONUS: f"sale +{n}", Power.EVENT_DISCOUNT: f"event -{n}",
        Power.SUBSIDY_BONUS: f"subsidy +{n}", Power.RUBBLE_DISCOUNT: f"-{n}", Power.VISIT_DISCOUNT: f"visit -{n}",
        Power.FOLLOW_DISCOUNT: f"follow -{n}", Power.PRODUCE_EXTRA: f"make +{n}", Power.OPEN_WIGS: f"open +{n}w",
        Power.INFLUENCE_BONUS: f"infl +{n}", Power.OFFICIAL_DISCOUNT: f"hire -{n}", Power.DECREE_WIGS: f"decree +{n}w",
        Power.WILD_TRADE: "wild trade", Power.SHIP_DISCOUNT: f"ship -{n}", Power.CARDINAL_EXTRA_STEP: f"Cardinal +{n}",
        Power.DISCARD_EXTRA_GOLD: f"gold +{n}",
    }  # fmt: skip
    return words[Power(power)]


def tile_words(state: Any, tile: int) -> tuple[str, str]:
    """A clergy tile: its power, and what that is about."""
    t = state.tables
    power, about = t.clergy_power[tile], t.clergy_what[tile]
    names = {Power.RUBBLE_DISCOUNT: RUBBLE_NAMES, Power.VISIT_DISCOUNT: NOBLE_NAMES, Power.PRODUCE_EXTRA: GOOD_NAMES}
    return power_name(power, t.clergy_n[tile]), names[Power(power)][about] if about != NONE else ""


def tile_name(state: Any, tile: int) -> str:
    """A clergy tile in words."""
    power, about = tile_words(state, tile)
    return f"{about} {power} ({state.tables.clergy_wigs[tile]}w)".strip()


def event_name(act: int) -> str:
    """An event in short."""
    return {Act.BUILD_STORE: "store", Act.TAKE_DECREES: "decrees", Act.OPEN_PUBLIC_BUILDING: "building",
            Act.FAVOR_AND_PLAN: "favor, plan"}.get(Act(act), ACT_NAMES[act])  # fmt: skip


def card_words(state: Any, card: int) -> tuple[str, str]:
    """A political card or ship: what it gives, and its influence or event."""
    t = state.tables
    if card >= FIRST_SHIP:
        ship = card - FIRST_SHIP
        return f"{SHIP_NAMES[ship]} ship {t.ship_size[ship]}", f"i{t.ship_influence[ship]}"
    if t.card_kind[card] == Deck.TREASURY:
        return power_name(t.card_power[card], t.card_n[card]), event_name(t.card_event[card])
    return effect_name(t.card_effect[card], t.card_n[card], t.card_good[card]), f"i{t.card_influence[card]}"


def card_name(state: Any, card: int) -> str:
    """A political card or ship in words."""
    if card == NONE:
        return "-"
    gives, other = card_words(state, card)
    kind = "" if card >= FIRST_SHIP else DECK_NAMES[state.tables.card_kind[card]].capitalize() + ": "
    return f"{kind}{gives}, {other}"


def plan_words(state: Any, plan: int) -> tuple[int, str]:
    """A plan: how many officials it takes, and what it gives."""
    t = state.tables
    return int(t.plan_officials[plan]), effect_name(t.plan_effect[plan], t.plan_n[plan], t.plan_good[plan])


def plan_name(state: Any, plan: int) -> str:
    """A plan in words."""
    if plan == NONE:
        return "none"
    officials, effect = plan_words(state, plan)
    architect = ARCHITECT_NAMES[state.tables.plan_architect[plan]]
    return f"{architect} plan ({officials} official{'s' if officials > 1 else ''}: {effect})"


def building_words(state: Any, tile: int) -> str:
    """What a public building shows: wigs for goods."""
    pays = [f"{GOOD_NAMES[g]} {state.tables.tile_pays[tile, g]}" for g in range(GOODS)
            if state.tables.tile_pays[tile, g]]  # fmt: skip
    return " ".join(pays)


def building_name(state: Any, tile: int) -> str:
    """A public building in words."""
    if tile == NONE:
        return "none"
    return f"{ARCHITECT_NAMES[state.tables.tile_architect[tile // 2]]} building ({building_words(state, tile)})"


def decree_words(state: Any, decree: int) -> tuple[str, str]:
    """A decree: what it counts, and what it pays."""
    t = state.tables
    counts = METRIC_NAMES[t.decree_metric[decree]].replace("_", " ")
    wigs, unit = t.decree_wigs[decree], t.decree_unit[decree]
    if t.decree_is_per[decree]:
        return counts, f"{wigs}w per {unit}, max {t.decree_cap[decree]}" if unit > 1 else (
            f"{wigs}w each, max {t.decree_cap[decree]}")  # fmt: skip
    return counts, f"{wigs}w from {unit}"


def decree_name(state: Any, decree: int) -> str:
    """A decree in words."""
    counts, pays = decree_words(state, decree)
    return f"{counts}: {pays}"


# --- actions --------------------------------------------------------------------------------------


def phrase(state: Any, action: int) -> str:
    """An action in the words of the rulebook."""
    family, v = ACTIONS.decode(action)
    if family == "stop":
        return stop_phrase(state)
    if family == "clergy":
        verb = "gives up" if state.phase == Step.CHURCH else "throws away"
        return f"{verb} {tile_name(state, state.clergy[v['tile']])}"
    if family in ("main", "hand_discard"):
        return card_phrase(state, state.hand[v["slot"]], v.get("mode", 2), family)
    noble = NOBLE_NAMES[v["noble"]].capitalize() if "noble" in v else ""
    good = GOOD_NAMES[v["good"]] if "good" in v else ""
    if family in ("noble", "state", "trade", "build", "cube", "site", "cardinal", "start_clergy", "draw"):
        return court_phrase(state, family, v, good)
    return {
        "sell_or_trade": lambda: "trades with nobles" if v["trade"] else "sells goods",
        "top_discard": lambda: f"clears {card_name(state, state.top[v['slot']])}",
        "bottom_discard": lambda: f"clears {card_name(state, state.bottom[v['slot']])}",
        "sell": lambda: f"sells {good} onto the {SHIP_NAMES[v['ship']]} ship",
        "decree": lambda: f"takes the decree {decree_name(state, state.decree_display[v['position']])}",
        "use_plan": lambda: f"uses the {plan_name(state, state.plans[v['plan']])}",
        "hire": lambda: (
            "hires an official from "
            + ("the plaza" if v["source"] == 3 else f"the {NOBLE_NAMES[v['source']].capitalize()}'s office")
        ),
        "take_plan": lambda: f"takes the {plan_name(state, state.plan_top[v['architect']])}",
        "office": lambda: f"puts an official into the {noble}'s office",
        "ship_pay": lambda: f"gives up {good} for the ship",
        "favor": lambda: f"takes the {noble}'s royal favor",
        "good_any": lambda: f"gains {good}",
        "price_up": lambda: f"raises the price of {good}",
        "pile_cube": lambda: f"takes a cube of {RUBBLE_NAMES[v['kind']]} from the pile",
    }[family]()


def court_phrase(state: Any, family: str, v: dict[str, int], good: str) -> str:
    """Actions at court and in the city."""
    if family == "noble":
        return f"takes the noble action: {event_name(Act.BUILD_STORE + max(0, state.arg))}"
    if family == "state":
        return f"takes the state action {ACT_NAMES[v['act']]}"
    if family == "trade":
        return f"gives {good} for {ACT_NAMES[v['act']]}"
    if family == "build":
        return f"builds on {space_name(v['space'])}, facing {'right' if v['right'] else 'left'}"
    if family == "cube":
        return f"takes {RUBBLE_NAMES[v['kind']]} from the {'row' if v['row'] else 'column'}"
    if family == "site":
        return f"opens the building on {site_name(v['site'])}"
    if family == "cardinal":
        side = "behind" if v["behind"] else "in front"
        return f"moves the Cardinal {v['steps'] + 1} and takes the tile {side}"
    if family == "start_clergy":
        return f"keeps {tile_name(state, state.more if v['tile'] else state.arg)}"
    return f"draws {card_name(state, state.deck_top[v['deck']])}"


def card_phrase(state: Any, card: int, mode: int, family: str) -> str:
    """What is done with a card of the hand."""
    name = card_name(state, card)
    if family == "hand_discard":
        return f"discards {name}"
    treasury = card != NONE and state.tables.card_kind[card] == Deck.TREASURY
    return (f"plays {name} to the portfolio", f"{'sponsors' if treasury else 'visits with'} {name}",
            f"discards {name} for gold")[mode]  # fmt: skip


def stop_phrase(state: Any) -> str:
    """Declining, by decision."""
    return {
        Step.SELL: "sells no more", Step.TRADE: "trades no more", Step.STATE: "takes no state action",
        Step.NOBLE: "takes no noble action", Step.FOLLOW: "does not follow", Step.OFFICE: "places no official",
        Step.CLERGY_FULL: "refuses the tile", Step.DECREE: "takes no further decree",
        Step.CHURCH: "gives up no further tile", Step.HAND_DISCARD: "keeps the hand",
    }.get(state.phase, "stops")  # fmt: skip


QUESTIONS = {
    Step.START_CLERGY: "keeps one of two clergy tiles", Step.MAIN: "plays a card",
    Step.SELL_OR_TRADE: "sells or trades", Step.TOP_DISCARD: "clears a top slot",
    Step.BOTTOM_DISCARD: "clears a bottom slot", Step.SELL: "may sell a good", Step.TRADE: "trades with a noble",
    Step.STATE: "may take a state action", Step.NOBLE: "may take the noble action",
    Step.FOLLOW: "may follow Lacerda", Step.BUILD: "builds a store", Step.CUBE: "takes a cube",
    Step.DECREE: "takes a decree", Step.USE_PLAN: "uses a plan", Step.SITE: "chooses a construction space",
    Step.HIRE: "hires an official", Step.TAKE_PLAN: "takes a plan", Step.OFFICE: "places an official",
    Step.SHIP_PAY: "gives up goods for a ship", Step.CARDINAL: "moves the Cardinal",
    Step.CLERGY_FULL: "holds too many clergy tiles", Step.FAVOR: "takes a royal favor",
    Step.GOOD_ANY: "gains a good", Step.PRICE_UP: "raises a price", Step.PILE_CUBE: "takes a cube of the pile",
    Step.CHURCH: "may give up clergy tiles", Step.DRAW: "draws a card", Step.HAND_DISCARD: "may discard cards",
}  # fmt: skip


def headline(state: Any, seat: int | None = None) -> str:
    """What is going on."""
    if state.over:
        return f"{RANK_NAMES[state.rank]}: {counted(state.wigs[0], 'wig')} to Lacerda's {state.wigs[1]}"
    last = ", the end is near" if state.final_turns else ""
    does = QUESTIONS[Step(state.phase)]
    return f"period {state.period}, round {state.round}{last}: {human(seat)} {does if seat is None else to_you(does)}"


def to_you(does: str) -> str:
    """What somebody does, as it is said to himself: ``sells or trades`` is ``sell or trade``."""
    verbs = [part.partition(" ") for part in does.split(" or ")]
    return " or ".join(verb.removesuffix("s") + space + rest for verb, space, rest in verbs)


def decrees_title(name: str) -> str:
    """Whose decrees they are."""
    return "your decrees" if name == human(0) else f"decrees of {name}"


def decrees_of(state: Any, side: int) -> list[str]:
    """The decrees that a side has taken (LIS-289)."""
    return [decree_name(state, d) for d in range(1, len(state.decree_owner)) if state.decree_owner[d] == side]


def still_to_do(state: Any) -> list[str]:
    """What is being carried out, and what is to be done once the present decision is taken, the next thing first."""
    told = []
    if state.phase == Step.SITE:
        told.append(f"uses the {plan_name(state, state.arg)}")
    elif state.phase == Step.HIRE:
        told.append(f"hires {state.arg} for {site_name(state.extra)} with the {plan_name(state, state.more)}")
    elif state.phase in COUNTED and state.arg > 1:
        told.append(f"{state.arg} of them")
    elif state.phase == Step.CHURCH and state.arg:
        told.append("has given up a tile")
    elif state.phase == Step.HAND_DISCARD and state.arg:
        told.append("paid by " + ", ".join(NOBLE_NAMES[n] for n in range(3) if state.arg >> n & 1))
    return told + [words for i in reversed(range(state.depth)) if (words := step_words(state, *state.waiting[i]))]


COUNTED = Step.DECREE, Step.OFFICE, Step.GOOD_ANY, Step.PRICE_UP, Step.SHIP_PAY


def step_words(state: Any, step: int, a: int, b: int, c: int) -> str:
    """A step that waits; nothing for those that belong to every turn."""
    if step == Step.EFFECT:
        return effect_name(a, b, c)
    if step in (Step.PLACE_TOP, Step.PLACE_BOTTOM):
        return f"places {card_name(state, a)}"
    if step == Step.PAY_LAND:
        return f"pays {land_cost(state, a)} for {space_name(a)}"
    if step == Step.PLACE_STORE:
        return f"builds on {space_name(a)}, facing {'right' if b else 'left'}"
    if step == Step.TRADE:
        return "may trade again" + (f", not for {ACT_NAMES[a]}" if a != NONE else "")
    if step == Step.NOBLE:
        return f"may take the {NOBLE_NAMES[a].capitalize()}'s noble action"
    if step == Step.LACERDA_FOLLOWS:
        return f"Lacerda may follow to the {NOBLE_NAMES[a].capitalize()}"
    if step == Step.REVEAL_TILE:
        return f"the next {ARCHITECT_NAMES[a]} building is turned up"
    return {Step.SELL_OR_TRADE: "sells or trades", Step.CUBE: "takes a cube", Step.TAKE_PLAN: "takes a plan",
            Step.FAVOR: "takes a royal favor", Step.PILE_CUBE: "takes a cube of the pile",
            Step.CHURCH_SCORING: "church scoring" if state.church_due else ""}.get(Step(step), "")  # fmt: skip


# --- Lacerda's turn -------------------------------------------------------------------------------


def story(state: Any, seat: int | None = None) -> list[str]:
    """Lacerda's last turn, step by step: what he chose, why, what it gave; before it, how he followed H."""
    log, you = state.log, human(seat)
    lines = []
    if log.follow.deed != Deed.NOT_YET:
        noble = NOBLE_NAMES[log.follow.noble].capitalize()
        lines.append(f"follows {you} to the {noble}: {noble_story(state, log.follow, you)}")
    if log.round == 0:
        return [*lines, "has not had a turn yet"]
    lines += [
        f"1 the courtier goes to the {NOBLE_NAMES[log.visit.noble].capitalize()}",
        f"2 {state_story(state)}",
        f"3 {noble_story(state, log.visit, you)}",
    ]
    if state.turn_of == Side.LACERDA and not state.over and still_to_end(state):
        return lines
    gone = "no card to discard" if log.card == NONE else f"discards {card_name(state, log.card)}"
    moves = "stays" if state.helper == log.helper else "goes"
    return [*lines, f"4 {gone}", f"5 the Helper {moves} above {DECK_NAMES[state.helper].capitalize()}"]


def still_to_end(state: Any) -> bool:
    """Whether steps 4 and 5 of his turn are still to come."""
    return any(state.waiting[i, 0] == Step.LACERDA_ENDS for i in range(state.depth))


def state_story(state: Any) -> str:
    """What Lacerda did as his state action, and why: step 2 of his turn."""
    log = state.log
    row = "top" if log.act % 2 == 0 else "bottom"
    why = f"Helper above {DECK_NAMES[log.helper].capitalize()}: {row} action, {ACT_NAMES[log.act]}"
    if log.deed == Deed.IMPOSSIBLE:
        return f"{why} - impossible"
    if log.act == Act.PLANS:
        what = f"takes the {plan_name(state, log.first)}, most officials"
    elif log.act == Act.OFFICIALS:
        offices = [NOBLE_NAMES[n].capitalize() for n in (log.first, log.second) if n != NONE]
        what = f"places officials with {' and '.join(offices)}, fewest of his"
    elif log.act == Act.SHIP:
        what = f"takes the {SHIP_NAMES[log.first]} ship"
    elif log.act == Act.PRODUCE:
        what = "produces " + ", ".join(f"{log.goods[g]} {GOOD_NAMES[g]}" for g in range(GOODS) if log.goods[g])
    elif log.act == Act.CARDINAL:
        got = f"gains {counted(log.wigs, 'wig')} for the tile in front" if log.second != NONE else "finds no tile"
        what = f"moves the Cardinal to {log.first}, {got}"
    else:
        what = f"takes the {NOBLE_NAMES[log.first].capitalize()}'s royal favor"
    return f"{why} - {what}"


def noble_story(state: Any, log: Any, you: str) -> str:
    """Step 3, or a follow."""
    if log.deed == Deed.IMPOSSIBLE:
        return "noble action impossible"
    if log.deed == Deed.TOO_DEAR:
        return "cannot pay for the noble action"
    paid = f"pays {log.influence} influence" + (f" and {counted(log.wigs_paid, 'wig')}" if log.wigs_paid else "")
    tie = f", first of {log.ties}" if log.ties > 1 else ""
    if log.noble == Deck.BUILDER:
        cube = f", takes {RUBBLE_NAMES[log.cube]}" if log.cube != NONE else ""
        good = GOOD_NAMES[state.tables.street_good[log.where]]
        return f"{paid}, builds a {good} store on {space_name(log.what)} for {counted(log.wigs, 'wig')}{tie}{cube}"
    if log.noble == Deck.MINISTER:
        return f"{paid}, takes the {log.what} leftmost decrees"
    return (f"{paid}, opens {building_name(state, log.what)} on {site_name(log.where)} for {counted(log.wigs, 'wig')}, "
            f"{log.given} to {you}{tie}")  # fmt: skip


# --- how it came out ------------------------------------------------------------------------------


def summary(state: Any) -> dict[str, Any]:
    """Wigs, rank, and which conditions of each rank are met; empty before the end."""
    if not state.over:
        return {}
    return {
        "wigs": int(state.wigs[Side.HUMAN]),
        "lacerda_wigs": int(state.wigs[Side.LACERDA]),
        "rank": int(state.rank),
        "rank_name": RANK_NAMES[state.rank],
        "won": state.rank > 0,
        "stores": int(HOUSES - state.houses[Side.HUMAN]),
        "majorities": int(majorities(state)),
        "reis": int(state.reis),
        "decrees": int(state.decrees_held[Side.HUMAN]),
        "ships": int(ships_of(state, Side.HUMAN, False)),
        "met": {
            name: [CRITERIA[k] for k in range(len(CRITERIA)) if state.met[r] >> k & 1]
            for r, name in enumerate(RANK_NAMES)
        },
    }
