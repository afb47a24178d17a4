"""Lisboa: the scripted player.

It counts everything in wigs: what a store, a building or a decree scores now and may still score, what money,
influence, goods and rubble are good for while turns are left, and what helping Lacerda costs. A card is worth the best
that can be done with it: a visit looks ahead to its store, a card for the portfolio to what can then be sold or traded.
"""

from __future__ import annotations

import enum

import numpy as np

from alarife.engine.jit import rule
from alarife.engine.stack_array import stack_array
from alarife.engine.views import lowest_bit

from .actions import AT
from .components import (
    ARCHITECTS,
    COLUMNS,
    DECREE_DISPLAY,
    EAST,
    FIRST_SHIP,
    GOODS,
    HOUSES,
    NOBLES,
    NONE,
    NORTH,
    ROWS,
    RUBBLE,
    SHIPS,
    SITES,
    SPACES,
    STATE_ACTIONS,
    STREETS,
    Act,
    Deck,
    Effect,
    Power,
    Side,
    Step,
)
from .rules.buildings import officials_at_hand, officials_to_hire, use_plan_choices
from .rules.church import cardinal_choices, slot_behind
from .rules.city import (
    buildable,
    cubes_by,
    land_prices,
    room_for_prices,
    room_for_wigs,
    street_of,
    west_site,
    wigs_of_stores,
)
from .rules.decrees import PART, count_all, of_part, room_for_amounts, stores_by_street, wigs_for
from .rules.end import hired_by, share
from .rules.following import follow_cost
from .rules.means import (
    both_powers,
    card_power,
    clergy_power,
    favor_choices,
    portfolio_influence,
    room_for,
    sets_of,
    treasury_influence,
    treasury_reis,
)
from .rules.portfolio import load_of, sale_price
from .rules.sponsor import event_cost
from .rules.state_actions import can_produce, can_take_ship, doable, kinds_for_ship, top_ship
from .rules.trade import trade_choices
from .rules.turn import FIRST
from .rules.visit import visit_cost


class Note(enum.IntEnum):
    """What many choices of a decision ask for, noted once: the worths of acts, by their numbers, and these."""

    DEAL = len(Act)  # selling or trading
    DECREE = DEAL + 1  # the best decree of the display
    SECOND_DECREE = DECREE + 1
    SITE = SECOND_DECREE + 1  # the best space for a building, of each architect
    CUBE = SITE + ARCHITECTS  # a cube of each kind
    TURNS = CUBE + RUBBLE  # turns left
    REIS = TURNS + 1  # a real


UNKNOWN = -np.inf  # of a note
MOST_CHOICES = 2 * SPACES
room_for_notes = stack_array(np.float64, Note.REIS + 1)
room_for_worths = stack_array(np.float64, MOST_CHOICES)
room_for_sites = stack_array(np.float64, SITES)
room_for_scores = stack_array(np.float64, ROWS, STREETS)

# --- the choice -----------------------------------------------------------------------------------


@rule
def advise(s, moves):
    """The legal action that looks best, in wigs, the first one among equals."""
    notes, worths, first = room_for_notes(), room_for_worths(), int(FIRST[s.phase])
    begin_notes(s, notes)
    weigh(s, moves, first, notes, worths)
    best, most = moves.at[0], -np.inf
    for i in range(moves.count):
        action = moves.at[i]
        value = worth_of_stopping(s, notes) if action == AT.stop else worths[action - first]
        if value > most:
            best = action
            most = value
    return best


@rule
def weigh(s, moves, first, notes, worths):
    """How good each legal choice of the decision that is due looks: all at once, or one after the other."""
    if s.phase == Step.BUILD:
        weigh_stores(s, notes, worths)
    elif s.phase == Step.DECREE:
        weigh_decrees(s, notes, worths)
    elif s.phase == Step.SITE:
        weigh_sites(s, s.tables.plan_architect[s.arg], notes, worths)
    else:
        for i in range(moves.count):
            if moves.at[i] != AT.stop:
                worths[moves.at[i] - first] = worth(s, moves.at[i] - first, notes)


@rule
def worth(s, i, notes):
    """How good the i-th choice of the decision that is due looks."""
    p = s.phase
    if p == Step.MAIN:
        return worth_of_card(s, s.hand[i // 3], i % 3, notes)
    if p < Step.BUILD:
        return worth_in_turn(s, p, i, notes)
    if p < Step.FAVOR:
        return worth_in_action(s, p, i, notes)
    return worth_of_rest(s, p, i, notes)


@rule
def worth_of_stopping(s, notes):
    """Declining is worth nothing, except where something is kept by it."""
    if s.phase == Step.CLERGY_FULL:
        return -worth_of_tile(s, s.arg, notes)
    return 0.0


@rule
def worth_in_turn(s, p, i, notes):
    """What a choice of the turn's own steps is worth: cards, goods, visits."""
    if p == Step.START_CLERGY:
        return worth_of_tile(s, s.more if i else s.arg, notes)
    if p == Step.SELL_OR_TRADE:
        return worth_of_trading(s, notes) if i else worth_of_selling(s, notes)
    if p == Step.TOP_DISCARD:
        return -worth_of_slot(s, s.top[i], notes)
    if p == Step.BOTTOM_DISCARD:
        return -float(s.tables.card_n[s.bottom[i]])
    if p == Step.SELL:
        return worth_of_sale(s, i // 4, i % 4, notes)
    if p == Step.TRADE:
        return worth_of_act(s, i // 4, notes) - worth_of_good(s, i % 4, notes)
    if p == Step.STATE:
        return worth_of_act(s, i, notes)
    if p == Step.NOBLE:
        return 0.0  # a noble action is never worth less than to decline
    act = i if i < STATE_ACTIONS else Act.BUILD_STORE + s.arg
    cost = price_of_influence(s, follow_cost(s, s.arg), notes)
    return worth_of_act(s, act, notes) - cost - s.tables.wigs_per_favor - 0.1 * turns_left(notes)


@rule
def worth_in_action(s, p, i, notes):
    """Inside state actions and noble actions."""
    if p == Step.CUBE:
        return worth_of_cube(s, i % 3, notes) + 0.05 * s.tables.rubble_cost[i % 3] + (0.01 if i < 3 else 0.0)
    if p == Step.USE_PLAN:
        return worth_of_plan_used(s, s.plans[i], notes)
    if p == Step.HIRE:
        return 10.0 if i == NOBLES else float(s.office[Side.HUMAN, i])
    if p == Step.TAKE_PLAN:
        return worth_of_plan(s, s.plan_top[i], notes)
    if p == Step.OFFICE:
        return worth_of_official(s, i)
    if p == Step.SHIP_PAY:
        return 10.0 - worth_of_good(s, i, notes) + 0.3 * s.goods[i]
    if p == Step.CARDINAL:
        return worth_of_cardinal(s, i, notes)
    return worth_of_tile(s, s.arg, notes) - worth_of_tile(s, s.clergy[i], notes) - worth_of_tile(s, s.arg, notes)


@rule
def worth_of_rest(s, p, i, notes):
    """Favors, effects, church, hand."""
    if p == Step.FAVOR:
        return worth_of_favor(s, i)
    if p == Step.GOOD_ANY:
        return worth_of_good(s, i, notes) - 0.3 * s.goods[i]
    if p == Step.PRICE_UP:
        return float(s.goods[i]) - 0.1 * s.price[i]
    if p == Step.PILE_CUBE:
        return worth_of_cube(s, i, notes) + 0.05 * s.tables.rubble_cost[i]
    if p == Step.CHURCH:
        return worth_of_giving_up(s, s.clergy[i], notes)
    if p == Step.DRAW:
        return worth_of_drawing(s, s.deck_top[i], notes)
    return worth_of_parting(s, s.hand[i], notes)


# --- what things are worth ------------------------------------------------------------------------


@rule
def begin_notes(s, notes):
    """Notes of what nearly every choice asks for, the rest unknown."""
    notes[:] = UNKNOWN
    notes[Note.TURNS] = count_turns(s)
    notes[Note.REIS] = weigh_reis(s, notes)


@rule
def count_turns(s):
    """About how many turns H still has."""
    if s.final_turns > 0:
        return 1.0
    left = 0
    for d in range(4):
        left += s.deck_size[d]
    rest = 1.0 + left / 2.0
    return rest + 9.0 if s.period == 1 else rest + 1.0


@rule
def weigh_reis(s, notes):
    """A real: a wig per five at the end, far more while it buys land."""
    if s.houses[Side.HUMAN] == 0 or turns_left(notes) < 2.5:
        return 0.2
    return 0.7 if s.reis < 25 else 0.35


@rule
def turns_left(notes):
    """The turns, as noted."""
    return notes[Note.TURNS]


@rule
def worth_of_reis(notes):
    """A real, as noted."""
    return notes[Note.REIS]


@rule
def worth_of_influence(s, n, notes):
    """So much influence more: it pays visits, the more the scarcer it is, and runs over at the limit."""
    if n <= 0:
        return 0.0
    room = s.tables.influence_max - s.influence[Side.HUMAN]
    each = 0.2 if turns_left(notes) < 1.5 else 0.6 if s.influence[Side.HUMAN] < 6 else 0.4
    return each * min(n, room) + (0.8 if n >= room else 0.0)


@rule
def price_of_influence(s, cost, notes):
    """What paying so much influence, and the rest in wigs, takes away."""
    missing = max(0, cost - s.influence[Side.HUMAN])
    each = 0.2 if turns_left(notes) < 1.5 else 0.55
    return each * (cost - missing) + 1.0 * missing


@rule
def worth_of_good(s, good, notes):
    """A good in the warehouse: for a trade, or for sale later."""
    if turns_left(notes) < 1.5:
        return 0.3
    return 1.0 + 0.12 * s.price[good] + (0.3 if good == 0 else 0.0)


@rule
def worth_of_cube(s, kind, notes):
    """A cube of rubble."""
    if notes[Note.CUBE + kind] == UNKNOWN:
        notes[Note.CUBE + kind] = weigh_cube(s, kind, notes)
    return notes[Note.CUBE + kind]


@rule
def weigh_cube(s, kind, notes):
    """A cube of rubble: the kind that the next set lacks."""
    own = s.cubes[Side.HUMAN, kind]
    sets = sets_of(s)
    if sets >= 5:
        return 0.1
    lacking = 0
    for k in range(RUBBLE):
        lacking += s.cubes[Side.HUMAN, k] == sets
    if own > sets:
        return 0.5 if own == sets + 1 else 0.2
    reward = 3.0 * (1 if s.period == 2 else 2) + 0.3 * turns_left(notes)
    return reward / (1.0 + 0.7 * lacking)


@rule
def worth_of_effect(s, effect, n, good, notes):
    """A reward or a penalty."""
    if effect == Effect.NOTHING:
        return 0.0
    if effect == Effect.REIS:
        return worth_of_reis(notes) * n
    if effect == Effect.INFLUENCE:
        return worth_of_influence(s, n, notes)
    if effect == Effect.WIGS:
        return float(n)
    if effect == Effect.GOOD:
        return worth_of_good(s, good, notes) * min(n, room_for(s, good))
    if effect == Effect.GOOD_ANY:
        return 1.7 * n
    if effect == Effect.DECREE:
        return best_decrees(s, n, notes)
    if effect == Effect.PLAN:
        return worth_of_plans(s, notes) * n
    if effect == Effect.OFFICIAL:
        return 0.9 * min(n, s.officials[Side.HUMAN])
    if effect == Effect.FAVOR:
        return worth_of_new_favor(s, notes) * n
    if effect == Effect.RUBBLE:
        return best_cube_of(s, s.pile, notes) * n
    if effect == Effect.PRICE_UP:
        return 0.5 * n
    if effect == Effect.LOSE_REIS:
        return -worth_of_reis(notes) * min(n, s.reis)
    if effect == Effect.LOSE_INFLUENCE:
        return -0.5 * min(n, s.influence[Side.HUMAN])
    if effect == Effect.LOSE_WIGS:
        return -1.0 * min(n, s.wigs[Side.HUMAN])
    return -0.3 * n


@rule
def best_cube_of(s, cubes, notes):
    """The most useful of some cubes."""
    best = 0.0
    for k in range(RUBBLE):
        if cubes[k] > 0:
            best = max(best, worth_of_cube(s, k, notes))
    return best


@rule
def worth_of_all_cubes(s, cubes, notes):
    """Some cubes at once."""
    total = 0.0
    for k in range(RUBBLE):
        total += cubes[k] * worth_of_cube(s, k, notes)
    return total


# --- cards ----------------------------------------------------------------------------------------


@rule
def worth_of_card(s, card, mode, notes):
    """A card of the hand: 0 to the portfolio, 1 to the court, 2 for gold."""
    if mode == 2:
        return worth_of_good(s, 0, notes) * min(1, room_for(s, 0)) - 0.1 * s.tables.card_influence[card]
    if s.tables.card_kind[card] == Deck.TREASURY:
        return worth_of_treasury_card(s, card, mode, notes)
    if mode == 1:
        return worth_of_visit(s, s.tables.card_kind[card], notes)
    return worth_of_reward(s, card, notes) + worth_of_top_card(s, card, notes) + worth_of_deal(s, notes)


@rule
def worth_of_reward(s, card, notes):
    """The reward or penalty on a noble card."""
    t = s.tables
    return worth_of_effect(s, t.card_effect[card], t.card_n[card], t.card_good[card], notes)


@rule
def worth_of_top_card(s, card, notes):
    """What influence in the top row will bring, less that of the card it drives out."""
    gain = worth_of_slot(s, card, notes)
    least = gain
    for i in range(s.tables.top_open[sets_of(s)]):
        least = min(least, 0.0 if s.top[i] == NONE else worth_of_slot(s, s.top[i], notes))
    return gain - least


@rule
def worth_of_slot(s, card, notes):
    """A card or a ship in the top row."""
    if card == NONE:
        return 0.0
    if card < FIRST_SHIP:
        return 0.08 * turns_left(notes) * s.tables.card_influence[card]
    ship = card - FIRST_SHIP
    size, influence = s.tables.ship_size[ship], s.tables.ship_influence[ship]
    return size * (2.0 + 0.1 * turns_left(notes)) + 0.08 * turns_left(notes) * influence


@rule
def worth_of_treasury_card(s, card, mode, notes):
    """Sponsor its event, or take the subsidy and keep its power."""
    if mode == 1:
        cost = event_cost(s)
        paid = min(cost, s.reis)
        return worth_of_act(s, s.tables.card_event[card], notes) - worth_of_reis(notes) * paid - 0.6 * (cost - paid)
    subsidy = treasury_reis(s) + card_power(s, Power.SUBSIDY_BONUS)
    power = 0.12 * turns_left(notes) * s.tables.card_n[card]
    free = False
    for i in range(s.tables.bottom_open[sets_of(s)]):
        free = free or s.bottom[i] == NONE
    gain = worth_of_reis(notes) * subsidy + (power if free else 0.3 * power)
    return gain + worth_of_deal(s, notes)


@rule
def worth_of_visit(s, noble, notes):
    """The better state action and the noble action, less their cost and what Lacerda gains by following."""
    first = max(worth_of_act(s, 2 * noble, notes), worth_of_act(s, 2 * noble + 1, notes))
    price = price_of_influence(s, visit_cost(s, noble), notes)
    value = first + worth_of_act(s, Act.BUILD_STORE + noble, notes) - price
    cost = treasury_influence(s) + s.office[Side.HUMAN, noble]
    if s.favor[Side.LACERDA, noble] > 0 and s.influence[Side.LACERDA] + s.wigs[Side.LACERDA] >= cost:
        value -= 2.5
    return value


@rule
def worth_of_drawing(s, card, notes):
    """A card to draw: what it can do, and nobles that the hand lacks."""
    kind = s.tables.card_kind[card]
    same = 0
    for i in range(s.hand_size):
        same += s.tables.card_kind[s.hand[i]] == kind
    value = -0.8 * same
    if kind == Deck.TREASURY:
        act = s.tables.card_event[card]
        return value + 1.0 + (1.5 if act >= Act.BUILD_STORE else 0.0) + (1.0 if s.reis < 8 else 0.0)
    value += 0.4 * worth_of_reward(s, card, notes) + 0.3 * s.tables.card_influence[card]
    if kind == Deck.BUILDER:
        return value + (1.5 if s.houses[Side.HUMAN] > 0 else 0.0)
    return value + 1.2


@rule
def worth_of_parting(s, card, notes):
    """A card discarded at the change of period makes room for a new one, and may pay its reward."""
    if s.tables.card_kind[card] == Deck.TREASURY:
        return 0.05
    return 0.1 + max(0.0, worth_of_reward(s, card, notes))


# --- goods ----------------------------------------------------------------------------------------


@rule
def worth_of_sale(s, good, ship, notes):
    """Money, and the wigs of a ship that sails; a ship of Lacerda's pays him."""
    value = worth_of_reis(notes) * sale_price(s, good, ship) - worth_of_good(s, good, notes)
    size = s.tables.ship_size[ship]
    share_of_sailing = size / 1.0 if load_of(s, ship) + 1 == size else 0.4
    if s.ship_place[ship] == Side.HUMAN:
        return value + share_of_sailing
    return value - 0.8 * share_of_sailing


@rule
def worth_of_deal(s, notes):
    """What a card for the portfolio leads to: goods sold, or traded."""
    if notes[Note.DEAL] == UNKNOWN:
        notes[Note.DEAL] = max(worth_of_selling(s, notes), worth_of_trading(s, notes))
    return notes[Note.DEAL]


@rule
def worth_of_selling(s, notes):
    """What selling brings, of all goods that are better sold."""
    total, bonus = 0.0, both_powers(s, Power.SALE_BONUS)
    for ship in range(SHIPS):
        place = s.ship_place[ship]
        if (place == Side.HUMAN or place == Side.LACERDA) and not s.ship_at_sea[ship]:
            total += worth_of_load(s, ship, bonus, notes)
    return total


@rule
def worth_of_load(s, ship, bonus, notes):
    """What can be sold onto one ship, with so much of a bonus for each good."""
    free = s.tables.ship_size[ship] - load_of(s, ship)
    total = 0.0
    for g in range(GOODS):
        value = worth_of_reis(notes) * (s.price[g] + s.tables.ship_mod[ship] + bonus) - worth_of_good(s, g, notes)
        if value > 0.0:
            sold = min(free, s.goods[g])
            for _ in range(sold):
                total += value
            free -= sold
    if free == 0:
        size = s.tables.ship_size[ship]
        total += size if s.ship_place[ship] == Side.HUMAN else -0.8 * size
    return max(0.0, total)


@rule
def worth_of_trading(s, notes):
    """What the two best trades are worth."""
    bits = trade_choices(s, NONE)
    first, second = 0.0, 0.0
    for act in range(STATE_ACTIONS):
        given = bits >> (GOODS * act) & (1 << GOODS) - 1
        if given:
            value = worth_of_act(s, act, notes) - cheapest(s, given, notes)
            second = max(second, min(first, value))
            first = max(first, value)
    goods = 0
    for g in range(GOODS):
        goods += s.goods[g]
    return first + (0.8 * second if goods > 1 else 0.0)


@rule
def cheapest(s, goods, notes):
    """The worth of the good that is worth least, of some kinds."""
    least = np.inf
    for g in range(GOODS):
        if goods >> g & 1:
            least = min(least, worth_of_good(s, g, notes))
    return least


# --- actions --------------------------------------------------------------------------------------


@rule
def worth_of_act(s, act, notes):
    """A state action, noble action or event; nothing if it cannot be done."""
    if notes[act] == UNKNOWN:
        notes[act] = worth_of_doing(s, act, notes)
    return notes[act]


@rule
def worth_of_doing(s, act, notes):
    """The same, worked out."""
    if act == Act.SHIP:
        return worth_of_ship(s, notes) if can_take_ship(s, NONE) else 0.0
    if act == Act.PRODUCE:
        return worth_of_producing(s, notes) if can_produce(s, NONE) else 0.0
    if act == Act.BUILD_STORE:
        return worth_of_best_store(s, notes)
    if act == Act.OPEN_PUBLIC_BUILDING:
        return worth_of_opening(s, notes)
    if not doable(s, act, s.reis, s.influence[Side.HUMAN]):
        return 0.0
    if act == Act.PLANS:
        return worth_of_plans(s, notes)
    if act == Act.OFFICIALS:
        return worth_of_officials(s, notes)
    if act == Act.CARDINAL:
        return worth_of_best_cardinal(s, notes)
    if act == Act.FAVOR:
        return worth_of_new_favor(s, notes)
    if act == Act.TAKE_DECREES:
        return best_decrees(s, s.tables.decrees_per_action, notes)
    return worth_of_new_favor(s, notes) + worth_of_plans(s, notes)


@rule
def worth_of_plans(s, notes):
    """What another plan is worth."""
    return max(0.2, 2.4 - 0.9 * s.plans_held) if turns_left(notes) > 2.5 else 0.1


@rule
def worth_of_new_favor(s, notes):
    """Another royal favor, if there is one."""
    return s.tables.wigs_per_favor + 0.12 * turns_left(notes) if favor_choices(s) != 0 else 0.0


@rule
def worth_of_ship(s, notes):
    """Its size at the end and at each sailing, influence, and the goods given up."""
    ship = top_ship(s)
    size = s.tables.ship_size[ship]
    influence = portfolio_influence(s) + s.tables.ship_influence[ship] + clergy_power(s, Power.INFLUENCE_BONUS, NONE)
    value = size * (2.0 + 0.1 * turns_left(notes)) + worth_of_influence(s, influence, notes) + 2.0
    return value - 1.3 * kinds_for_ship(s, ship)


@rule
def worth_of_producing(s, notes):
    """The goods that would be stored."""
    value = 0.0
    stores = stores_by_street(s, Side.HUMAN)
    for g in range(GOODS):
        count = clergy_power(s, Power.PRODUCE_EXTRA, g)
        for k in range(STREETS):
            count += of_part(stores, k) * (1 if s.tables.street_good[k] == g else 0)
        value += worth_of_good(s, g, notes) * min(count, room_for(s, g))
    return value


@rule
def worth_of_officials(s, notes):
    """Hands for plans, and a burden on Lacerda's visits."""
    count = min(2, s.officials[Side.HUMAN])
    if turns_left(notes) < 2.0:
        return 0.1
    need = 1.4 if officials_at_hand(s) < 2 else 0.9
    return need * count


@rule
def worth_of_official(s, noble):
    """An official in an office: where there are few."""
    return 1.0 - 0.2 * s.office[Side.HUMAN, noble] + (0.05 if noble == Deck.KING else 0.0)


@rule
def worth_of_favor(s, noble):
    """Which favor to take: the noble action it is most likely used for."""
    return 3.0 - 0.5 * noble if s.houses[Side.HUMAN] > 0 else 1.0 + noble


@rule
def weigh_decrees(s, notes, worths):
    """What each decree of the display pays now, and some of what it may still pay; nothing where there is none."""
    amounts = room_for_amounts()
    count_all(s, amounts)
    share_to_come = min(0.6, 0.045 * turns_left(notes))
    more = clergy_power(s, Power.DECREE_WIGS, NONE)
    for i in range(DECREE_DISPLAY):
        decree = s.decree_display[i]
        now = wigs_for(s, decree, int(amounts[s.tables.decree_metric[decree]]))
        value = now + share_to_come * (s.tables.decree_cap[decree] - now) + 0.8 + more
        worths[i] = value if decree > 0 else 0.0


@rule
def best_decrees(s, n, notes):
    """The best decrees of the display, up to two, and what Lacerda misses by it."""
    if notes[Note.DECREE] == UNKNOWN:
        note_decrees(s, notes)
    return notes[Note.DECREE] + (notes[Note.SECOND_DECREE] if n > 1 else 0.0)


@rule
def note_decrees(s, notes):
    """Note the two best decrees of the display."""
    worths = room_for_worths()
    weigh_decrees(s, notes, worths)
    first, second = 0.0, 0.0
    for i in range(DECREE_DISPLAY):
        second = max(second, min(first, worths[i]))
        first = max(first, worths[i])
    notes[Note.DECREE] = first
    notes[Note.SECOND_DECREE] = second


# --- stores and buildings -------------------------------------------------------------------------


@rule
def worth_of_best_store(s, notes):
    """The best store that H could pay for."""
    return weigh_stores(s, notes, room_for_worths())


@rule
def weigh_stores(s, notes, worths):
    """Each store that H could pay for, 2 * space + facing; returns the best."""
    spaces = buildable(s, s.reis, s.influence[Side.HUMAN])
    prices, scores, best = room_for_prices(), room_for_scores(), 0.0
    land_prices(s, prices)
    weigh_streets(s, scores)
    while spaces != 0:
        i = lowest_bit(spaces)
        spaces &= spaces - 1
        best = max(best, weigh_store(s, i, prices[i], scores, notes, worths))
    return best


@rule
def weigh_store(s, space, price, scores, notes, worths):
    """What a store scores, facing either way, buildings to come, reward and cube, less the price; returns the best."""
    t = s.tables
    reward = worth_of_effect(s, t.space_effect[space], t.space_n[space], t.space_good[space], notes)
    cube = best_cube_by(s, space, notes)
    early = 3.0 if HOUSES - s.houses[Side.HUMAN] < 4 else 0.0
    paid = min(price, s.reis + (t.space_n[space] if t.space_effect[space] == Effect.REIS else 0))
    cost, lacking = worth_of_reis(notes) * paid, 0.6 * (price - paid)
    best = 0.0
    for right in range(2):
        street = street_of(space, right)
        if street != NONE:
            value = scores[space // COLUMNS, street] + 0.15 * turns_left(notes) + reward + cube + early - cost - lacking
            worths[2 * space + right] = value
            best = max(best, value)
    return best


@rule
def best_cube_by(s, space, notes):
    """The most useful cube by a space."""
    best = 0.0
    for k in range(RUBBLE):
        value = worth_of_cube(s, k, notes)
        best = max(best, value if cubes_by(s, space, k) > 0 else 0.0)
    return best


@rule
def weigh_streets(s, scores):
    """What a store scores in each row, facing each street: wigs now, and what it changes at the end."""
    wigs, own, other = room_for_wigs(), stores_by_street(s, Side.HUMAN), stores_by_street(s, Side.LACERDA)
    wigs_of_stores(s, wigs)
    for k in range(STREETS):
        majority = worth_of_majority(s, s.scoring_tile[k], of_part(own, k), of_part(other, k))
        for r in range(ROWS):
            scores[r, k] = wigs[r, k] + majority


@rule
def worth_of_majority(s, tile, own, other):
    """What one more store changes, of a street with so many and with that scoring tile."""
    first, second = s.tables.majority_first[tile], s.tables.majority_second[tile]
    gain = share(own + 1, other, first, second) - share(own, other, first, second)
    loss = share(other, own, first, second) - share(other, own + 1, first, second)
    return 0.8 * gain + 0.4 * loss


@rule
def worth_of_opening(s, notes):
    """The best building that H can open."""
    bits = use_plan_choices(s)
    best = 0.0
    for i in range(s.plans_held):
        if bits >> i & 1:
            best = max(best, worth_of_plan_used(s, s.plans[i], notes))
    return best


@rule
def worth_of_plan_used(s, plan, notes):
    """A plan's effect, its officials, and the best space for its building."""
    t = s.tables
    best = worth_of_best_site(s, t.plan_architect[plan], notes)
    effect = worth_of_effect(s, t.plan_effect[plan], t.plan_n[plan], t.plan_good[plan], notes)
    return best + effect + worth_of_hiring(s, officials_to_hire(s, plan)) + clergy_power(s, Power.OPEN_WIGS, NONE)


@rule
def worth_of_best_site(s, architect, notes):
    """The best space for the building of an architect."""
    if notes[Note.SITE + architect] == UNKNOWN:
        notes[Note.SITE + architect] = weigh_sites(s, architect, notes, room_for_worths())
    return notes[Note.SITE + architect]


@rule
def worth_of_hiring(s, count):
    """Steps towards the majority of hired officials."""
    t = s.tables
    own, other = hired_by(s, Side.HUMAN), hired_by(s, Side.LACERDA)
    gain = share(own + count, other, t.officials_first, t.officials_second)
    gain -= share(own, other, t.officials_first, t.officials_second)
    return 0.5 * gain + 0.6 * count


@rule
def weigh_sites(s, architect, notes, worths):
    """Each space for the building of an architect: what it scores, rubble and reward; returns the best."""
    t, lines, best = s.tables, room_for_sites(), -1000.0
    weigh_lines(s, s.tile_top[architect], lines)
    for i in range(SITES):
        if s.site_tile[i] == NONE:
            effect = worth_of_effect(s, t.site_effect[i], t.site_n[i], t.site_good[i], notes)
            worths[i] = lines[i] + worth_of_all_cubes(s, s.site_cubes[i], notes) + effect + 0.5
            best = max(best, worths[i])
    return best


@rule
def weigh_lines(s, tile, worths):
    """What a building scores for H on each space, less some of what it scores for Lacerda."""
    own, other = stores_by_street(s, Side.HUMAN), stores_by_street(s, Side.LACERDA)
    for k in range(STREETS):
        street = (1 << PART) - 1 << PART * k
        worths[NORTH + k] = worth_of_line(s, tile, own & street, other & street)
    for r in range(ROWS):
        value = worth_of_line(s, tile, stores_in_row(s, Side.HUMAN, r), stores_in_row(s, Side.LACERDA, r))
        worths[west_site(r)] = value
        worths[EAST + r] = value


@rule
def worth_of_line(s, tile, own, other):
    """A building beside stores of both sides, which are counted by street."""
    return wigs_of_line(s, tile, own) - 0.7 * wigs_of_line(s, tile, other)


@rule
def wigs_of_line(s, tile, stores):
    """What a building pays for stores that are counted by street."""
    wigs = 0
    for k in range(STREETS):
        wigs += of_part(stores, k) * s.tables.tile_pays[tile, s.tables.street_good[k]]
    return wigs


@rule
def stores_in_row(s, side, row):
    """Stores of a side in a row, counted by street."""
    counts = 0
    for i in range(row * COLUMNS, (row + 1) * COLUMNS):
        counts += (1 if s.store_owner[i] == side else 0) << PART * max(0, s.store_street[i])
    return counts


@rule
def worth_of_plan(s, plan, notes):
    """A plan to take: its effect, less the officials it asks for."""
    t = s.tables
    effect = worth_of_effect(s, t.plan_effect[plan], t.plan_n[plan], t.plan_good[plan], notes)
    value = effect - 0.5 * t.plan_officials[plan]
    for i in range(s.plans_held):
        if t.plan_architect[s.plans[i]] == t.plan_architect[plan]:
            value -= 1.0
    return value


# --- church ---------------------------------------------------------------------------------------


@rule
def worth_of_tile(s, tile, notes):
    """A clergy tile: the wigs on its back, and what it does until then."""
    power = s.tables.clergy_power[tile]
    use = 0.05 * turns_left(notes) * s.tables.clergy_n[tile]
    if power == Power.LAND_DISCOUNT or power == Power.RUBBLE_DISCOUNT or power == Power.VISIT_DISCOUNT:
        use *= 1.5
    return s.tables.clergy_wigs[tile] + use


@rule
def worth_of_giving_up(s, tile, notes):
    """The wigs on its back, against the turns in which it would still be of use."""
    first = 0.0 if s.arg else worth_of_influence(s, portfolio_influence(s) + 1, notes)
    keep = 0.16 * turns_left(notes) * s.tables.clergy_n[tile]
    if turns_left(notes) > 3.0:
        keep += 0.7 * s.tables.clergy_wigs[tile]
    return s.tables.clergy_wigs[tile] + first - keep


@rule
def worth_of_cardinal(s, i, notes):
    """A way to move the Cardinal: the tile it brings, and church scoring for both."""
    space = (s.cardinal + i // 2 + 1) % 6
    tile = s.church_slot[slot_behind(space) if i % 2 else space]
    value = 0.0
    if tile != NONE:
        value = worth_of_tile(s, tile, notes)
        if s.clergy_held == s.tables.clergy_held:
            value *= 0.3
    passes = False
    for j in range(1, i // 2 + 2):
        passes = passes or (s.cardinal + j) % 6 == s.tables.church_icon_space
    if passes:
        value += 0.3 * worth_of_influence(s, portfolio_influence(s), notes) + 0.5 * s.clergy_held - 0.5
    return value


@rule
def worth_of_best_cardinal(s, notes):
    """The best way to move."""
    bits = cardinal_choices(s)
    best = 0.0
    for i in range(6):
        if bits >> i & 1:
            best = max(best, worth_of_cardinal(s, i, notes))
    return best
