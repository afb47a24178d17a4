"""The royal court: what can be done there, visits, events, trades, and following (sections 6 to 11)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.lisboa.components import (
    FIRST_SHIP,
    GOODS,
    NONE,
    SHIPS,
    SPACES,
    STATE_ACTIONS,
    Act,
    Deck,
    Power,
    Side,
    Step,
)
from alarife.games.lisboa.rules.buildings import can_place_official, plan_choices, use_plan_choices
from alarife.games.lisboa.rules.city import buildable
from alarife.games.lisboa.rules.decrees import decree_choices
from alarife.games.lisboa.rules.means import (
    both_powers,
    can_pay_influence,
    clergy_power,
    favor_choices,
    gain_goods,
    gain_portfolio_influence,
    give_good,
    lower_price,
    pay_influence,
    pay_reis,
    purse,
    raise_treasury,
    return_favor,
    room_for,
    treasury_influence,
    treasury_reis,
)
from alarife.games.lisboa.rules.pending import push

IN_SHIPYARD = 2  # in ship_place

# --- what is doable (LIS-292) ---------------------------------------------------------------------


@rule
def doable(s, act, reis, influence):
    """Whether H could carry out an action with so much money and influence left, and change something by it."""
    if act == Act.PLANS:
        return plan_choices(s) != 0
    if act == Act.OFFICIALS:
        return can_place_official(s)
    if act == Act.SHIP:
        return can_take_ship(s, NONE)
    if act == Act.PRODUCE:
        return can_produce(s, NONE)
    if act == Act.CARDINAL:
        return True
    if act == Act.FAVOR:
        return favor_choices(s) != 0
    if act == Act.BUILD_STORE:
        return buildable(s, reis, influence) != 0
    if act == Act.TAKE_DECREES:
        return decree_choices(s) != 0
    if act == Act.OPEN_PUBLIC_BUILDING:
        return use_plan_choices(s) != 0
    return favor_choices(s) != 0 or plan_choices(s) != 0


@rule
def doable_now(s, act):
    """Whether H can carry out an action with what he has."""
    return doable(s, act, s.reis, s.influence[Side.HUMAN])


@rule
def top_ship(s):
    """The ship on top of the shipyard, or NONE (LIS-046)."""
    for ship in range(SHIPS):
        if s.ship_place[ship] == IN_SHIPYARD:
            return ship
    return NONE


@rule
def kinds_for_ship(s, ship):
    """How many kinds of goods a ship costs H (LIS-104, LIS-105)."""
    return max(1, s.tables.ship_size[ship] - clergy_power(s, Power.SHIP_DISCOUNT, NONE))


@rule
def can_take_ship(s, spent):
    """Whether H has goods of enough kinds for the top ship, one good (or NONE) being spent before."""
    ship = top_ship(s)
    if ship == NONE:
        return False
    kinds = 0
    for g in range(GOODS):
        kinds += s.goods[g] > (1 if g == spent else 0)
    return kinds >= kinds_for_ship(s, ship)


@rule
def can_produce(s, spent):
    """Whether producing would store a good, one good (or NONE) being spent before."""
    any_store = False
    for i in range(SPACES):
        if s.store_owner[i] == Side.HUMAN:
            any_store = True
            good = s.tables.street_good[s.store_street[i]]
            if good == spent or room_for(s, good) > 0:
                return True
    if any_store:
        for g in range(GOODS):
            if clergy_power(s, Power.PRODUCE_EXTRA, g) > 0 and (g == spent or room_for(s, g) > 0):
                return True
    return False


# --- state actions and noble actions (sections 9 and 10) ------------------------------------------


@rule
def perform(s, act):
    """H carries out an action, if it can be carried out (LIS-094, LIS-095)."""
    if act == Act.PLANS:
        push(s, Step.TAKE_PLAN, 0, 0, 0)
    elif act == Act.OFFICIALS:
        push(s, Step.OFFICE, 2, 0, 0)
    elif act == Act.SHIP:
        begin_ship(s)
    elif act == Act.PRODUCE:
        produce(s)
    elif act == Act.CARDINAL:
        push(s, Step.CARDINAL, 0, 0, 0)
    elif act == Act.FAVOR:
        push(s, Step.FAVOR, 0, 0, 0)
    elif act == Act.BUILD_STORE:
        push(s, Step.BUILD, 0, 0, 0)
    elif act == Act.TAKE_DECREES:
        push(s, Step.SLIDE_DECREES, 0, 0, 0)
        push(s, Step.DECREE, s.tables.decrees_per_action, 1, 0)
    elif act == Act.OPEN_PUBLIC_BUILDING:
        push(s, Step.USE_PLAN, 0, 0, 0)
    else:
        push(s, Step.TAKE_PLAN, 0, 0, 0)
        push(s, Step.FAVOR, 0, 0, 0)


@rule
def begin_ship(s):
    """Give up goods of different kinds for the top ship, then take it (LIS-104)."""
    ship = top_ship(s)
    if ship != NONE:
        push(s, Step.TAKE_SHIP, 0, 0, 0)
        push(s, Step.PLACE_TOP, FIRST_SHIP + ship, 0, 0)
        push(s, Step.SHIP_PAY, kinds_for_ship(s, ship), 0, 0)


@rule
def ship_pay_choices(s):
    """Kinds held and not given up yet."""
    bits = 0
    for g in range(GOODS):
        if s.goods[g] > 0 and not s.more >> g & 1:
            bits |= 1 << g
    return bits


@rule
def pay_for_ship(s, good):
    """Give up a good of this kind; after the last one the ship leaves the shipyard."""
    give_good(s, good)
    if s.arg > 1:
        push(s, Step.SHIP_PAY, s.arg - 1, s.more | 1 << good, 0)
    else:
        s.ship_place[top_ship(s)] = Side.HUMAN


@rule
def welcome_ship(s):
    """With the ship in the top row: treasury up, then influence (LIS-104, LIS-127)."""
    raise_treasury(s)
    gain_portfolio_influence(s)


@rule
def produce(s):
    """A good for each store and from tiles; each kind gained becomes cheaper (LIS-106 to LIS-108)."""
    any_store = False
    for i in range(SPACES):
        any_store = any_store or s.store_owner[i] == Side.HUMAN
    if not any_store:
        return
    for g in range(GOODS):
        count = clergy_power(s, Power.PRODUCE_EXTRA, g)
        for i in range(SPACES):
            count += s.store_owner[i] == Side.HUMAN and s.tables.street_good[s.store_street[i]] == g
        if gain_goods(s, g, count) > 0:
            lower_price(s, g)


# --- trade with nobles (section 6) ----------------------------------------------------------------


@rule
def trade_choices(s, before):
    """State actions and goods for them: 4 * action + good; a second action differs from the first (LIS-077 to 082)."""
    wild = clergy_power(s, Power.WILD_TRADE, NONE) > 0
    bits = 0
    for act in range(STATE_ACTIONS):
        if act != before:
            if act == Act.SHIP or act == Act.PRODUCE:
                possible = True
            else:
                possible = doable(s, act, 0, 0)
            if possible:
                for g in range(GOODS):
                    if s.goods[g] > 0 and (wild or s.tables.accepts[act // 2, g]) and worth_giving(s, act, g):
                        bits |= 1 << (4 * act + g)
    return bits


@rule
def worth_giving(s, act, good):
    """Whether an action that uses goods or room is doable after a good is gone (LIS-081)."""
    if act == Act.SHIP:
        return can_take_ship(s, good)
    if act == Act.PRODUCE:
        return can_produce(s, good)
    return True


@rule
def sell_or_trade_choices(s):
    """Selling is always possible, trading if there is a pair (LIS-076, LIS-081)."""
    return 3 if trade_choices(s, NONE) != 0 else 1


@rule
def sell_or_trade(s, trade):
    """After a card for the portfolio: one of the two (LIS-053)."""
    if trade:
        push(s, Step.TRADE, NONE, 0, 0)
    else:
        push(s, Step.SELL, 0, 0, 0)


@rule
def trade(s, act, good):
    """The good goes back to the supply, then comes the action, then perhaps a second trade (LIS-080, LIS-082)."""
    give_good(s, good)
    if s.arg == NONE:
        push(s, Step.TRADE, act, 0, 0)
    push(s, Step.ACT, act, 0, 0)


# --- visits and events (sections 7 and 8) ---------------------------------------------------------


@rule
def visit_cost(s, noble):
    """Influence for H's visit (LIS-084, LIS-085)."""
    discount = clergy_power(s, Power.VISIT_DISCOUNT, noble)
    return max(0, treasury_influence(s) + s.office[Side.LACERDA, noble] - discount)


@rule
def anything_at(s, noble, cost):
    """Whether a state action or the noble action of a noble is doable after paying (LIS-088, LIS-122)."""
    left = max(0, s.influence[Side.HUMAN] - cost)
    for act in range(2 * noble, 2 * noble + 2):
        if doable(s, act, s.reis, left):
            return True
    return doable(s, Act.BUILD_STORE + noble, s.reis, left)


@rule
def can_visit(s, noble):
    """Whether H may visit a noble (LIS-086, LIS-088)."""
    cost = visit_cost(s, noble)
    return can_pay_influence(s, Side.HUMAN, cost) and anything_at(s, noble, cost)


@rule
def visit(s, noble):
    """Pay, then a state action and the noble action, both free; Lacerda may follow (LIS-087, LIS-116)."""
    pay_influence(s, Side.HUMAN, visit_cost(s, noble))
    push(s, Step.LACERDA_FOLLOWS, noble, 0, 0)
    push(s, Step.NOBLE, noble, 0, 0)
    push(s, Step.STATE, noble, 0, 0)


@rule
def event_cost(s):
    """Reis for sponsoring an event (LIS-091, LIS-092)."""
    return max(0, treasury_reis(s) - both_powers(s, Power.EVENT_DISCOUNT))


@rule
def can_sponsor(s, act):
    """Whether H can pay for an event and carry it out afterwards (LIS-094, LIS-096)."""
    cost = event_cost(s)
    if purse(s, s.reis, s.influence[Side.HUMAN]) < cost:
        return False
    missing = max(0, cost - s.reis)
    return doable(s, act, s.reis - cost + missing, s.influence[Side.HUMAN] - missing)


@rule
def play_to_court(s, card):
    """A noble card visits, a treasury card sponsors; either is gone (LIS-054, LIS-060, LIS-093)."""
    s.card_gone[card] = 1
    if s.tables.card_kind[card] == Deck.TREASURY:
        pay_reis(s, event_cost(s))
        push(s, Step.ACT, s.tables.card_event[card], 0, 0)
    else:
        visit(s, s.tables.card_kind[card])


@rule
def can_play_to_court(s, card):
    """Whether the court is open to a card (LIS-287)."""
    if s.tables.card_kind[card] == Deck.TREASURY:
        return can_sponsor(s, s.tables.card_event[card])
    return can_visit(s, s.tables.card_kind[card])


@rule
def state_choices(s, noble, influence):
    """The state actions of a noble that are doable, by their numbers."""
    bits = 0
    for act in range(2 * noble, 2 * noble + 2):
        if doable(s, act, s.reis, influence):
            bits |= 1 << act
    return bits


@rule
def noble_choices(s):
    """The noble action, if it is doable (LIS-089)."""
    return 1 if doable_now(s, Act.BUILD_STORE + s.arg) else 0


# --- following (section 11) -----------------------------------------------------------------------


@rule
def follow_cost(s, noble):
    """Influence for following Lacerda (LIS-121, LIS-300)."""
    return max(0, visit_cost_before_discounts(s, noble) - clergy_power(s, Power.VISIT_DISCOUNT, noble)
               - clergy_power(s, Power.FOLLOW_DISCOUNT, NONE))  # fmt: skip


@rule
def visit_cost_before_discounts(s, noble):
    """T.inf and Lacerda's officials."""
    return treasury_influence(s) + s.office[Side.LACERDA, noble]


@rule
def follow_choices(s):
    """With the noble's favor: one of his state actions, or his noble action (LIS-119, LIS-122)."""
    noble = s.arg
    cost = follow_cost(s, noble)
    if s.favor[Side.HUMAN, noble] == 0 or not can_pay_influence(s, Side.HUMAN, cost):
        return 0
    left = max(0, s.influence[Side.HUMAN] - cost)
    bits = state_choices(s, noble, left)
    if doable(s, Act.BUILD_STORE + noble, s.reis, left):
        bits |= 1 << STATE_ACTIONS
    return bits


@rule
def follow(s, choice):
    """Pay, give the favor back, act (LIS-121 to LIS-124)."""
    noble = s.arg
    pay_influence(s, Side.HUMAN, follow_cost(s, noble))
    return_favor(s, Side.HUMAN, noble)
    push(s, Step.ACT, choice if choice < STATE_ACTIONS else Act.BUILD_STORE + noble, 0, 0)
