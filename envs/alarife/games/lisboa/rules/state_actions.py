"""What H can do at court: is it doable, and how it is done (sections 9, 10 and 24)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.lisboa.components import FIRST_SHIP, GOODS, NONE, SHIPS, SPACES, Act, Power, Side, Step
from alarife.games.lisboa.rules.buildings import can_place_official, plan_choices, use_plan_choices
from alarife.games.lisboa.rules.city import buildable
from alarife.games.lisboa.rules.decrees import decree_choices
from alarife.games.lisboa.rules.means import (
    clergy_power,
    favor_choices,
    gain_goods,
    gain_portfolio_influence,
    give_good,
    lower_price,
    raise_treasury,
    room_for,
)
from alarife.games.lisboa.rules.pending import push

IN_SHIPYARD = 2  # in ship_place


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
