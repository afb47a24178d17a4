"""Influence, wigs, treasury, money, prices, goods, and the effects on spaces, plans and cards (section 12)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.lisboa.components import (
    FIRST_SHIP,
    GOODS,
    LEVELS,
    MOST_SETS,
    NOBLES,
    NONE,
    ROW_SLOTS,
    Effect,
    Power,
    Side,
    Step,
)
from alarife.games.lisboa.rules.pending import push

# --- powers ---------------------------------------------------------------------------------------


@rule
def clergy_power(s, power, about):
    """The sum of a power over the clergy tiles that H holds, about something or NONE (LIS-173)."""
    total = 0
    for i in range(s.clergy_held):
        tile = s.clergy[i]
        says_so = s.tables.clergy_power[tile] == power and s.tables.clergy_what[tile] == about
        total += s.tables.clergy_n[tile] * (1 if says_so else 0)
    return total


@rule
def card_power(s, power):
    """The sum of a power over the treasury cards in the bottom row (LIS-068)."""
    total = 0
    for i in range(ROW_SLOTS):
        if s.bottom[i] != NONE and s.tables.card_power[s.bottom[i]] == power:
            total += s.tables.card_n[s.bottom[i]]
    return total


@rule
def both_powers(s, power):
    """The sum of a power over tiles and cards."""
    return clergy_power(s, power, NONE) + card_power(s, power)


# --- influence and wigs ---------------------------------------------------------------------------


@rule
def gain_wigs(s, side, count):
    """Wigs for a side."""
    s.wigs[side] += count


@rule
def gain_influence(s, side, count):
    """Influence; reaching or passing the limit gives one wig (LIS-125, LIS-126)."""
    if count <= 0:
        return
    after = s.influence[side] + count
    if after >= s.tables.influence_max:
        after = s.tables.influence_max
        s.wigs[side] += 1
    s.influence[side] = after


@rule
def portfolio_influence(s):
    """PI: the influence on all cards of the top row, ships included."""
    total = 0
    for i in range(ROW_SLOTS):
        card = s.top[i]
        if card >= FIRST_SHIP:
            total += s.tables.ship_influence[card - FIRST_SHIP]
        elif card != NONE:
            total += s.tables.card_influence[card]
    return total


@rule
def gain_portfolio_influence(s):
    """H gains PI and what his tiles add (LIS-127, LIS-128)."""
    gain_influence(s, Side.HUMAN, portfolio_influence(s) + clergy_power(s, Power.INFLUENCE_BONUS, NONE))


@rule
def can_pay_influence(s, side, cost):
    """Whether influence and wigs together suffice (LIS-086)."""
    return s.influence[side] + s.wigs[side] >= cost


@rule
def pay_influence(s, side, cost):
    """Pay influence, and what is missing in wigs (LIS-086, LIS-207)."""
    missing = max(0, cost - s.influence[side])
    s.influence[side] -= cost - missing
    s.wigs[side] -= missing
    assert s.wigs[side] >= 0, "LIS-296: a cost in influence became too high"


# --- money ----------------------------------------------------------------------------------------


@rule
def purse(s, reis, influence):
    """How much can be paid with so many reis and so much influence (LIS-130)."""
    return reis + min(influence, s.tables.influence_for_reis)


@rule
def pay_reis(s, cost):
    """H pays reis, and what is missing in influence (LIS-129)."""
    missing = max(0, cost - s.reis)
    assert missing <= min(s.influence[Side.HUMAN], s.tables.influence_for_reis), "LIS-296: a price became too high"
    s.reis -= cost - missing
    s.influence[Side.HUMAN] -= missing


@rule
def treasury_influence(s):
    """The influence that the treasury's marker stands at (T.inf)."""
    return s.tables.treasury_influence[s.treasury]


@rule
def treasury_reis(s):
    """The reis that the treasury's marker stands at (T.reis)."""
    return s.tables.treasury_reis[s.treasury]


@rule
def raise_treasury(s):
    """Up one level, at most to the last (LIS-131, LIS-132)."""
    s.treasury = min(LEVELS, s.treasury + 1)


@rule
def lower_treasury(s):
    """Down one level, at most to the first."""
    s.treasury = max(1, s.treasury - 1)


# --- goods ----------------------------------------------------------------------------------------


@rule
def sets_of(s):
    """Completed rubble sets of H (LIS-155)."""
    return min(MOST_SETS, min(s.cubes[Side.HUMAN, 0], min(s.cubes[Side.HUMAN, 1], s.cubes[Side.HUMAN, 2])))


@rule
def room_for(s, good):
    """How many more goods of a kind H could gain: room in the warehouse, and supply (LIS-134)."""
    room = s.tables.room_base + s.tables.room_per_set * sets_of(s) - s.goods[good]
    return min(room, s.supply[good])


@rule
def gain_goods(s, good, count):
    """H gains goods as far as there is room and supply; returns how many."""
    got = min(count, room_for(s, good))
    s.goods[good] += got
    s.supply[good] -= got
    return got


@rule
def give_good(s, good):
    """H gives a good back to the supply (LIS-080, LIS-297)."""
    s.goods[good] -= 1
    s.supply[good] += 1


@rule
def lower_price(s, good):
    """Production makes a good cheaper (LIS-106, LIS-133)."""
    s.price[good] = max(s.tables.price_min, s.price[good] - 1)


# --- effects --------------------------------------------------------------------------------------


@rule
def do_effect(s, effect, n, good):
    """Carry out an effect; one with a choice waits for it (LIS-135 to LIS-144)."""
    if effect == Effect.REIS:
        s.reis += n
    elif effect == Effect.INFLUENCE:
        gain_influence(s, Side.HUMAN, n)
    elif effect == Effect.WIGS:
        gain_wigs(s, Side.HUMAN, n)
    elif effect == Effect.GOOD:
        gain_goods(s, good, n)
    elif effect >= Effect.LOSE_REIS:
        do_penalty(s, effect, n)
    elif effect != Effect.NOTHING and n > 0:
        ask_effect(s, effect, n)


@rule
def ask_effect(s, effect, n):
    """The effects with a choice."""
    if effect == Effect.GOOD_ANY:
        push(s, Step.GOOD_ANY, n, 0, 0)
    elif effect == Effect.DECREE:
        push(s, Step.SLIDE_DECREES, 0, 0, 0)
        push(s, Step.DECREE, n, 0, 0)
    elif effect == Effect.OFFICIAL:
        push(s, Step.OFFICE, n, 8, 0)
    elif effect == Effect.PRICE_UP:
        push(s, Step.PRICE_UP, n, 0, 0)
    else:
        for _ in range(n):
            if effect == Effect.PLAN:
                push(s, Step.TAKE_PLAN, 0, 0, 0)
            elif effect == Effect.FAVOR:
                push(s, Step.FAVOR, 0, 0, 0)
            else:
                push(s, Step.PILE_CUBE, 0, 0, 0)


@rule
def do_penalty(s, effect, n):
    """Lose so much, or as much as there is (LIS-143)."""
    if effect == Effect.LOSE_REIS:
        s.reis -= min(n, s.reis)
    elif effect == Effect.LOSE_INFLUENCE:
        s.influence[Side.HUMAN] -= min(n, s.influence[Side.HUMAN])
    elif effect == Effect.LOSE_WIGS:
        s.wigs[Side.HUMAN] -= min(n, s.wigs[Side.HUMAN])
    else:
        for _ in range(n):
            raise_treasury(s)


@rule
def good_choices(s):
    """Kinds with room and supply (LIS-136)."""
    bits = 0
    for g in range(GOODS):
        if room_for(s, g) > 0:
            bits |= 1 << g
    return bits


@rule
def choose_good(s, good):
    """Gain a good of this kind, and go on."""
    gain_goods(s, good, 1)
    if s.arg > 1:
        push(s, Step.GOOD_ANY, s.arg - 1, 0, 0)


@rule
def price_choices(s):
    """Goods whose price may rise (LIS-142)."""
    bits = 0
    for g in range(GOODS):
        if s.price[g] < s.tables.price_max:
            bits |= 1 << g
    return bits


@rule
def choose_price(s, good):
    """Raise the price of this kind, and go on."""
    s.price[good] += 1
    if s.arg > 1:
        push(s, Step.PRICE_UP, s.arg - 1, 0, 0)


@rule
def pile_choices(s):
    """Kinds of rubble in the pile (LIS-141)."""
    bits = 0
    for k in range(3):
        if s.pile[k] > 0:
            bits |= 1 << k
    return bits


@rule
def choose_pile_cube(s, kind):
    """Take a cube of the pile."""
    s.pile[kind] -= 1
    s.cubes[Side.HUMAN, kind] += 1


# --- royal favors ---------------------------------------------------------------------------------


@rule
def favor_choices(s):
    """Nobles with a favor in the supply, none of whose favors H holds (LIS-111)."""
    bits = 0
    for n in range(NOBLES):
        if s.favor_supply[n] > 0 and s.favor[Side.HUMAN, n] == 0:
            bits |= 1 << n
    return bits


@rule
def take_favor(s, side, noble):
    """A royal favor from the supply."""
    s.favor_supply[noble] -= 1
    s.favor[side, noble] += 1


@rule
def return_favor(s, side, noble):
    """A favor used to follow goes back (LIS-123)."""
    s.favor_supply[noble] += 1
    s.favor[side, noble] -= 1
