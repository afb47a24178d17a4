"""Lisboa: the scripted player.

It counts everything in wigs: what a store, a building or a decree scores now and may still score, what money,
influence, goods and rubble are good for while turns are left, and what helping Lacerda costs. A card is worth the best
that can be done with it: a visit looks ahead to its store, a card for the portfolio to what can then be sold or traded.
"""

from __future__ import annotations

from alarife.engine.decisions import best_by
from alarife.engine.jit import rule

from .actions import AT
from .components import (
    FIRST_SHIP,
    GOODS,
    HOUSES,
    NOBLES,
    NONE,
    RUBBLE,
    SHIPS,
    SITES,
    SPACES,
    STATE_ACTIONS,
    Act,
    Deck,
    Effect,
    Power,
    Side,
    Step,
)
from .rules.buildings import (
    line_wigs,
    officials_at_hand,
    officials_to_hire,
    use_plan_choices,
)
from .rules.church import cardinal_choices, slot_behind
from .rules.city import buildable, cubes_by, land_cost, land_prices, room_for_prices, store_wigs, street_of
from .rules.decrees import decree_value, stores_on, stores_selling
from .rules.end import hired_by, share
from .rules.following import follow_cost
from .rules.means import (
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

# --- the choice -----------------------------------------------------------------------------------


@rule
def worth_of_action(s, action):
    """How good a legal action looks, in wigs."""
    return worth_of_stopping(s) if action == AT.stop else worth(s, action - int(FIRST[s.phase]))


@rule
def worth(s, i):
    """How good the i-th choice of the decision that is due looks, in wigs."""
    p = s.phase
    if p == Step.MAIN:
        return worth_of_card(s, s.hand[i // 3], i % 3)
    if p < Step.BUILD:
        return worth_in_turn(s, p, i)
    if p < Step.FAVOR:
        return worth_in_action(s, p, i)
    return worth_of_rest(s, p, i)


@rule
def worth_of_stopping(s):
    """Declining is worth nothing, except where something is kept by it."""
    if s.phase == Step.CLERGY_FULL:
        return -worth_of_tile(s, s.arg)
    return 0.0


@rule
def worth_in_turn(s, p, i):
    """What a choice of the turn's own steps is worth: cards, goods, visits."""
    if p == Step.START_CLERGY:
        return worth_of_tile(s, s.more if i else s.arg)
    if p == Step.SELL_OR_TRADE:
        return worth_of_trading(s) if i else worth_of_selling(s)
    if p == Step.TOP_DISCARD:
        return -worth_of_slot(s, s.top[i])
    if p == Step.BOTTOM_DISCARD:
        return -float(s.tables.card_n[s.bottom[i]])
    if p == Step.SELL:
        return worth_of_sale(s, i // 4, i % 4)
    if p == Step.TRADE:
        return worth_of_act(s, i // 4) - worth_of_good(s, i % 4)
    if p == Step.STATE:
        return worth_of_act(s, i)
    if p == Step.NOBLE:
        return worth_of_act(s, Act.BUILD_STORE + s.arg)
    act = i if i < STATE_ACTIONS else Act.BUILD_STORE + s.arg
    cost = price_of_influence(s, follow_cost(s, s.arg))
    return worth_of_act(s, act) - cost - s.tables.wigs_per_favor - 0.1 * turns_left(s)


@rule
def worth_in_action(s, p, i):
    """Inside state actions and noble actions."""
    if p == Step.BUILD:
        return worth_of_store(s, i // 2, i % 2)
    if p == Step.CUBE:
        return worth_of_cube(s, i % 3) + 0.05 * s.tables.rubble_cost[i % 3] + (0.01 if i < 3 else 0.0)
    if p == Step.DECREE:
        return worth_of_decree(s, s.decree_display[i])
    if p == Step.USE_PLAN:
        return worth_of_plan_used(s, s.plans[i])
    if p == Step.SITE:
        return worth_of_site(s, s.tables.plan_architect[s.arg], i)
    if p == Step.HIRE:
        return 10.0 if i == NOBLES else float(s.office[Side.HUMAN, i])
    if p == Step.TAKE_PLAN:
        return worth_of_plan(s, s.plan_top[i])
    if p == Step.OFFICE:
        return worth_of_official(s, i)
    if p == Step.SHIP_PAY:
        return 10.0 - worth_of_good(s, i) + 0.3 * s.goods[i]
    if p == Step.CARDINAL:
        return worth_of_cardinal(s, i)
    return worth_of_tile(s, s.arg) - worth_of_tile(s, s.clergy[i]) - worth_of_tile(s, s.arg)


@rule
def worth_of_rest(s, p, i):
    """Favors, effects, church, hand."""
    if p == Step.FAVOR:
        return worth_of_favor(s, i)
    if p == Step.GOOD_ANY:
        return worth_of_good(s, i) - 0.3 * s.goods[i]
    if p == Step.PRICE_UP:
        return float(s.goods[i]) - 0.1 * s.price[i]
    if p == Step.PILE_CUBE:
        return worth_of_cube(s, i) + 0.05 * s.tables.rubble_cost[i]
    if p == Step.CHURCH:
        return worth_of_giving_up(s, s.clergy[i])
    if p == Step.DRAW:
        return worth_of_drawing(s, s.deck_top[i])
    return worth_of_parting(s, s.hand[i])


# --- what things are worth ------------------------------------------------------------------------


@rule
def turns_left(s):
    """About how many turns H still has."""
    if s.final_turns > 0:
        return 1.0
    left = 0
    for d in range(4):
        left += s.deck_size[d]
    rest = 1.0 + left / 2.0
    return rest + 9.0 if s.period == 1 else rest + 1.0


@rule
def worth_of_reis(s):
    """A real: a wig per five at the end, far more while it buys land."""
    if s.houses[Side.HUMAN] == 0 or turns_left(s) < 2.5:
        return 0.2
    return 0.7 if s.reis < 25 else 0.35


@rule
def worth_of_influence(s, n):
    """So much influence more: it pays visits, the more the scarcer it is, and runs over at the limit."""
    if n <= 0:
        return 0.0
    room = s.tables.influence_max - s.influence[Side.HUMAN]
    each = 0.2 if turns_left(s) < 1.5 else 0.6 if s.influence[Side.HUMAN] < 6 else 0.4
    return each * min(n, room) + (0.8 if n >= room else 0.0)


@rule
def price_of_influence(s, cost):
    """What paying so much influence, and the rest in wigs, takes away."""
    missing = max(0, cost - s.influence[Side.HUMAN])
    each = 0.2 if turns_left(s) < 1.5 else 0.55
    return each * (cost - missing) + 1.0 * missing


@rule
def worth_of_good(s, good):
    """A good in the warehouse: for a trade, or for sale later."""
    if turns_left(s) < 1.5:
        return 0.3
    return 1.0 + 0.12 * s.price[good] + (0.3 if good == 0 else 0.0)


@rule
def worth_of_cube(s, kind):
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
    reward = 3.0 * (1 if s.period == 2 else 2) + 0.3 * turns_left(s)
    return reward / (1.0 + 0.7 * lacking)


@rule
def worth_of_effect(s, effect, n, good):
    """A reward or a penalty."""
    if effect == Effect.NOTHING:
        return 0.0
    if effect == Effect.REIS:
        return worth_of_reis(s) * n
    if effect == Effect.INFLUENCE:
        return worth_of_influence(s, n)
    if effect == Effect.WIGS:
        return float(n)
    if effect == Effect.GOOD:
        return worth_of_good(s, good) * min(n, room_for(s, good))
    if effect == Effect.GOOD_ANY:
        return 1.7 * n
    if effect == Effect.DECREE:
        return best_decrees(s, n)
    if effect == Effect.PLAN:
        return worth_of_plans(s) * n
    if effect == Effect.OFFICIAL:
        return 0.9 * min(n, s.officials[Side.HUMAN])
    if effect == Effect.FAVOR:
        return worth_of_new_favor(s) * n
    if effect == Effect.RUBBLE:
        return best_cube_of(s, s.pile) * n
    if effect == Effect.PRICE_UP:
        return 0.5 * n
    if effect == Effect.LOSE_REIS:
        return -worth_of_reis(s) * min(n, s.reis)
    if effect == Effect.LOSE_INFLUENCE:
        return -0.5 * min(n, s.influence[Side.HUMAN])
    if effect == Effect.LOSE_WIGS:
        return -1.0 * min(n, s.wigs[Side.HUMAN])
    return -0.3 * n


@rule
def best_cube_of(s, cubes):
    """The most useful of some cubes."""
    best = 0.0
    for k in range(RUBBLE):
        if cubes[k] > 0:
            best = max(best, worth_of_cube(s, k))
    return best


@rule
def worth_of_all_cubes(s, cubes):
    """Some cubes at once."""
    total = 0.0
    for k in range(RUBBLE):
        total += cubes[k] * worth_of_cube(s, k)
    return total


# --- cards ----------------------------------------------------------------------------------------


@rule
def worth_of_card(s, card, mode):
    """A card of the hand: 0 to the portfolio, 1 to the court, 2 for gold."""
    if mode == 2:
        return worth_of_good(s, 0) * min(1, room_for(s, 0)) - 0.1 * s.tables.card_influence[card]
    if s.tables.card_kind[card] == Deck.TREASURY:
        return worth_of_treasury_card(s, card, mode)
    if mode == 1:
        return worth_of_visit(s, s.tables.card_kind[card])
    effect = worth_of_effect(s, s.tables.card_effect[card], s.tables.card_n[card], s.tables.card_good[card])
    return effect + worth_of_top_card(s, card) + max(worth_of_selling(s), worth_of_trading(s))


@rule
def worth_of_top_card(s, card):
    """What influence in the top row will bring, less that of the card it drives out."""
    gain = worth_of_slot(s, card)
    least = gain
    for i in range(s.tables.top_open[sets_of(s)]):
        least = min(least, 0.0 if s.top[i] == NONE else worth_of_slot(s, s.top[i]))
    return gain - least


@rule
def worth_of_slot(s, card):
    """A card or a ship in the top row."""
    if card == NONE:
        return 0.0
    if card < FIRST_SHIP:
        return 0.08 * turns_left(s) * s.tables.card_influence[card]
    ship = card - FIRST_SHIP
    return s.tables.ship_size[ship] * (2.0 + 0.1 * turns_left(s)) + 0.08 * turns_left(s) * s.tables.ship_influence[ship]


@rule
def worth_of_treasury_card(s, card, mode):
    """Sponsor its event, or take the subsidy and keep its power."""
    if mode == 1:
        cost = event_cost(s)
        paid = min(cost, s.reis)
        return worth_of_act(s, s.tables.card_event[card]) - worth_of_reis(s) * paid - 0.6 * (cost - paid)
    subsidy = treasury_reis(s) + card_power(s, Power.SUBSIDY_BONUS)
    power = 0.12 * turns_left(s) * s.tables.card_n[card]
    free = False
    for i in range(s.tables.bottom_open[sets_of(s)]):
        free = free or s.bottom[i] == NONE
    gain = worth_of_reis(s) * subsidy + (power if free else 0.3 * power)
    return gain + max(worth_of_selling(s), worth_of_trading(s))


@rule
def worth_of_visit(s, noble):
    """The better state action and the noble action, less their cost and what Lacerda gains by following."""
    first = max(worth_of_act(s, 2 * noble), worth_of_act(s, 2 * noble + 1))
    value = first + worth_of_act(s, Act.BUILD_STORE + noble) - price_of_influence(s, visit_cost(s, noble))
    cost = treasury_influence(s) + s.office[Side.HUMAN, noble]
    if s.favor[Side.LACERDA, noble] > 0 and s.influence[Side.LACERDA] + s.wigs[Side.LACERDA] >= cost:
        value -= 2.5
    return value


@rule
def worth_of_drawing(s, card):
    """A card to draw: what it can do, and nobles that the hand lacks."""
    kind = s.tables.card_kind[card]
    same = 0
    for i in range(s.hand_size):
        same += s.tables.card_kind[s.hand[i]] == kind
    value = -0.8 * same
    if kind == Deck.TREASURY:
        act = s.tables.card_event[card]
        return value + 1.0 + (1.5 if act >= Act.BUILD_STORE else 0.0) + (1.0 if s.reis < 8 else 0.0)
    effect = worth_of_effect(s, s.tables.card_effect[card], s.tables.card_n[card], s.tables.card_good[card])
    value += 0.4 * effect + 0.3 * s.tables.card_influence[card]
    if kind == Deck.BUILDER:
        return value + (1.5 if s.houses[Side.HUMAN] > 0 else 0.0)
    return value + 1.2


@rule
def worth_of_parting(s, card):
    """A card discarded at the change of period makes room for a new one, and may pay its reward."""
    if s.tables.card_kind[card] == Deck.TREASURY:
        return 0.05
    effect = worth_of_effect(s, s.tables.card_effect[card], s.tables.card_n[card], s.tables.card_good[card])
    return 0.1 + max(0.0, effect)


# --- goods ----------------------------------------------------------------------------------------


@rule
def worth_of_sale(s, good, ship):
    """Money, and the wigs of a ship that sails; a ship of Lacerda's pays him."""
    value = worth_of_reis(s) * sale_price(s, good, ship) - worth_of_good(s, good)
    size = s.tables.ship_size[ship]
    share_of_sailing = size / 1.0 if load_of(s, ship) + 1 == size else 0.4
    if s.ship_place[ship] == Side.HUMAN:
        return value + share_of_sailing
    return value - 0.8 * share_of_sailing


@rule
def worth_of_selling(s):
    """What selling brings, of all goods that are better sold."""
    total = 0.0
    for ship in range(SHIPS):
        place = s.ship_place[ship]
        if (place == Side.HUMAN or place == Side.LACERDA) and not s.ship_at_sea[ship]:
            total += worth_of_load(s, ship)
    return total


@rule
def worth_of_load(s, ship):
    """What can be sold onto one ship."""
    free = s.tables.ship_size[ship] - load_of(s, ship)
    total = 0.0
    for g in range(GOODS):
        for _ in range(s.goods[g]):
            if free > 0:
                value = worth_of_reis(s) * sale_price(s, g, ship) - worth_of_good(s, g)
                if value > 0.0:
                    total += value
                    free -= 1
    if free == 0:
        size = s.tables.ship_size[ship]
        total += size if s.ship_place[ship] == Side.HUMAN else -0.8 * size
    return max(0.0, total)


@rule
def worth_of_trading(s):
    """What the two best trades are worth."""
    bits = trade_choices(s, NONE)
    first, second = 0.0, 0.0
    for act in range(STATE_ACTIONS):
        best = 0.0
        for g in range(GOODS):
            if bits >> (4 * act + g) & 1:
                best = max(best, worth_of_act(s, act) - worth_of_good(s, g))
        if best > first:
            second = first
            first = best
        elif best > second:
            second = best
    goods = 0
    for g in range(GOODS):
        goods += s.goods[g]
    return first + (0.8 * second if goods > 1 else 0.0)


# --- actions --------------------------------------------------------------------------------------


@rule
def worth_of_act(s, act):
    """A state action, noble action or event; nothing if it cannot be done."""
    if act == Act.SHIP:
        return worth_of_ship(s) if can_take_ship(s, NONE) else 0.0
    if act == Act.PRODUCE:
        return worth_of_producing(s) if can_produce(s, NONE) else 0.0
    if act == Act.BUILD_STORE:
        return worth_of_best_store(s)
    if act == Act.OPEN_PUBLIC_BUILDING:
        return worth_of_opening(s)
    if not doable(s, act, s.reis, s.influence[Side.HUMAN]):
        return 0.0
    if act == Act.PLANS:
        return worth_of_plans(s)
    if act == Act.OFFICIALS:
        return worth_of_officials(s)
    if act == Act.CARDINAL:
        return worth_of_best_cardinal(s)
    if act == Act.FAVOR:
        return worth_of_new_favor(s)
    if act == Act.TAKE_DECREES:
        return best_decrees(s, s.tables.decrees_per_action)
    return worth_of_new_favor(s) + worth_of_plans(s)


@rule
def worth_of_plans(s):
    """What another plan is worth."""
    return max(0.2, 2.4 - 0.9 * s.plans_held) if turns_left(s) > 2.5 else 0.1


@rule
def worth_of_new_favor(s):
    """Another royal favor, if there is one."""
    return s.tables.wigs_per_favor + 0.12 * turns_left(s) if favor_choices(s) != 0 else 0.0


@rule
def worth_of_ship(s):
    """Its size at the end and at each sailing, influence, and the goods given up."""
    ship = top_ship(s)
    size = s.tables.ship_size[ship]
    influence = portfolio_influence(s) + s.tables.ship_influence[ship] + clergy_power(s, Power.INFLUENCE_BONUS, NONE)
    value = size * (2.0 + 0.1 * turns_left(s)) + worth_of_influence(s, influence) + 2.0
    return value - 1.3 * kinds_for_ship(s, ship)


@rule
def worth_of_producing(s):
    """The goods that would be stored."""
    value = 0.0
    for g in range(GOODS):
        count = stores_selling(s, Side.HUMAN, g) + clergy_power(s, Power.PRODUCE_EXTRA, g)
        value += worth_of_good(s, g) * min(count, room_for(s, g))
    return value


@rule
def worth_of_officials(s):
    """Hands for plans, and a burden on Lacerda's visits."""
    count = min(2, s.officials[Side.HUMAN])
    if turns_left(s) < 2.0:
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
def worth_of_decree(s, decree):
    """What a decree pays now, and some of what it may still pay."""
    now = decree_value(s, decree)
    most = s.tables.decree_cap[decree]
    share_to_come = min(0.6, 0.045 * turns_left(s))
    return now + share_to_come * (most - now) + 0.8 + clergy_power(s, Power.DECREE_WIGS, NONE)


@rule
def best_decrees(s, n):
    """The best decrees of the display, up to two, and what Lacerda misses by it."""
    first, second = 0.0, 0.0
    for i in range(8):
        if s.decree_display[i] > 0:
            value = worth_of_decree(s, s.decree_display[i])
            if value > first:
                second = first
                first = value
            elif value > second:
                second = value
    return first + (second if n > 1 else 0.0)


# --- stores and buildings -------------------------------------------------------------------------


@rule
def worth_of_best_store(s):
    """The best store that H could pay for."""
    spaces = buildable(s, s.reis, s.influence[Side.HUMAN])
    prices, best = room_for_prices(), 0.0
    land_prices(s, prices)
    for i in range(SPACES):
        if spaces >> i & 1:
            for right in range(2):
                if street_of(i, right) != NONE:
                    best = max(best, worth_of_store_at(s, i, right, prices[i]))
    return best


@rule
def worth_of_store(s, space, right):
    """A store on a space, with its price."""
    return worth_of_store_at(s, space, right, land_cost(s, space))


@rule
def worth_of_store_at(s, space, right, price):
    """Wigs now, the majority, buildings to come, the reward and a cube, less the price."""
    street = street_of(space, right)
    t = s.tables
    value = store_wigs(s, space, street) + worth_of_majority(s, street) + 0.15 * turns_left(s)
    value += worth_of_effect(s, t.space_effect[space], t.space_n[space], t.space_good[space])
    best = 0.0
    for k in range(RUBBLE):
        if cubes_by(s, space, k) > 0:
            best = max(best, worth_of_cube(s, k))
    value += best
    if HOUSES - s.houses[Side.HUMAN] < 4:
        value += 3.0
    reis = s.reis + (t.space_n[space] if t.space_effect[space] == Effect.REIS else 0)
    paid = min(price, reis)
    return value - worth_of_reis(s) * paid - 0.6 * (price - paid)


@rule
def worth_of_majority(s, street):
    """What one more store on a street changes at the end."""
    tile = s.scoring_tile[street]
    first, second = s.tables.majority_first[tile], s.tables.majority_second[tile]
    own, other = stores_on(s, Side.HUMAN, street), stores_on(s, Side.LACERDA, street)
    gain = share(own + 1, other, first, second) - share(own, other, first, second)
    loss = share(other, own, first, second) - share(other, own + 1, first, second)
    return 0.8 * gain + 0.4 * loss


@rule
def worth_of_opening(s):
    """The best building that H can open."""
    bits = use_plan_choices(s)
    best = 0.0
    for i in range(s.plans_held):
        if bits >> i & 1:
            best = max(best, worth_of_plan_used(s, s.plans[i]))
    return best


@rule
def worth_of_plan_used(s, plan):
    """A plan's effect, its officials, and the best space for its building."""
    t = s.tables
    architect = t.plan_architect[plan]
    best = -1000.0
    for i in range(SITES):
        if s.site_tile[i] == NONE:
            best = max(best, worth_of_site(s, architect, i))
    effect = worth_of_effect(s, t.plan_effect[plan], t.plan_n[plan], t.plan_good[plan])
    return best + effect + worth_of_hiring(s, officials_to_hire(s, plan)) + clergy_power(s, Power.OPEN_WIGS, NONE)


@rule
def worth_of_hiring(s, count):
    """Steps towards the majority of hired officials."""
    t = s.tables
    own, other = hired_by(s, Side.HUMAN), hired_by(s, Side.LACERDA)
    gain = share(own + count, other, t.officials_first, t.officials_second)
    gain -= share(own, other, t.officials_first, t.officials_second)
    return 0.5 * gain + 0.6 * count


@rule
def worth_of_site(s, architect, site):
    """What a building scores for H, less some of what it scores for Lacerda, rubble and reward."""
    t = s.tables
    tile = s.tile_top[architect]
    value = line_wigs(s, Side.HUMAN, tile, site) - 0.7 * line_wigs(s, Side.LACERDA, tile, site)
    value += worth_of_all_cubes(s, s.site_cubes[site])
    return value + worth_of_effect(s, t.site_effect[site], t.site_n[site], t.site_good[site]) + 0.5


@rule
def worth_of_plan(s, plan):
    """A plan to take: its effect, less the officials it asks for."""
    t = s.tables
    effect = worth_of_effect(s, t.plan_effect[plan], t.plan_n[plan], t.plan_good[plan])
    value = effect - 0.5 * t.plan_officials[plan]
    for i in range(s.plans_held):
        if t.plan_architect[s.plans[i]] == t.plan_architect[plan]:
            value -= 1.0
    return value


# --- church ---------------------------------------------------------------------------------------


@rule
def worth_of_tile(s, tile):
    """A clergy tile: the wigs on its back, and what it does until then."""
    power = s.tables.clergy_power[tile]
    use = 0.05 * turns_left(s) * s.tables.clergy_n[tile]
    if power == Power.LAND_DISCOUNT or power == Power.RUBBLE_DISCOUNT or power == Power.VISIT_DISCOUNT:
        use *= 1.5
    return s.tables.clergy_wigs[tile] + use


@rule
def worth_of_giving_up(s, tile):
    """The wigs on its back, against the turns in which it would still be of use."""
    first = 0.0 if s.arg else worth_of_influence(s, portfolio_influence(s) + 1)
    keep = 0.16 * turns_left(s) * s.tables.clergy_n[tile]
    if turns_left(s) > 3.0:
        keep += 0.7 * s.tables.clergy_wigs[tile]
    return s.tables.clergy_wigs[tile] + first - keep


@rule
def worth_of_cardinal(s, i):
    """A way to move the Cardinal: the tile it brings, and church scoring for both."""
    space = (s.cardinal + i // 2 + 1) % 6
    tile = s.church_slot[slot_behind(space) if i % 2 else space]
    value = 0.0
    if tile != NONE:
        value = worth_of_tile(s, tile)
        if s.clergy_held == s.tables.clergy_held:
            value *= 0.3
    passes = False
    for j in range(1, i // 2 + 2):
        passes = passes or (s.cardinal + j) % 6 == s.tables.church_icon_space
    if passes:
        value += 0.3 * worth_of_influence(s, portfolio_influence(s)) + 0.5 * s.clergy_held - 0.5
    return value


@rule
def worth_of_best_cardinal(s):
    """The best way to move."""
    bits = cardinal_choices(s)
    best = 0.0
    for i in range(6):
        if bits >> i & 1:
            best = max(best, worth_of_cardinal(s, i))
    return best


advise = best_by(worth_of_action)
