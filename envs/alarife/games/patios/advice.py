"""Patios: the scripted player.

It values a patio by the points that it promises: pots towards trios, balconies by how much of their demand is met, dry
cards by the water at hand. It takes what its own patio needs, waters before the Sun and the Visitors come, aims the Sun
where it hurts, and ends the round when it is ahead. It looks at nothing that its seat may not know.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba.extending import register_jitable

from alarife.engine.decisions import Rule, always, best_by, by_number, by_phase
from alarife.engine.jit import rule
from alarife.engine.stack_array import stack_array
from alarife.engine.views import UNCHECKED, count_bits, lowest_bit, place, word

from .actions import ACTIONS
from .components import (
    BLUE,
    CANE,
    CELLS,
    DIRECTIONS,
    FIRST_BALCONY,
    FIRST_ELSE,
    FIRST_HIT,
    GREEN,
    INNER,
    KINDS,
    LADDER,
    NEXT_TO,
    NONE,
    RED,
    SECOND_ELSE,
    SECOND_HIT,
    TRIO,
    TUB,
    Character,
    Improvement,
    Phase,
)
from .rules.cells import around
from .rules.end import trio_points
from .rules.patio import balconies_among, free_cells, has_room, is_balcony, known_cards, sees_dry
from .rules.row import position_of
from .rules.scoring import is_met, pot_points, pots_of
from .rules.seats import seat_of
from .rules.stock import has_awning, lies_in
from .rules.watering import waterers

ASIDE = 0.8  # what the mean gain or loss of the others is worth to oneself
for_cells = stack_array(np.float64, CELLS)
for_directions = stack_array(np.float64, DIRECTIONS)
AT = ACTIONS.start


# --- what a patio promises ----------------------------------------------------------------------------------


class Patio(NamedTuple):
    """The flower cards of a patio as a seat knows them, as sets of cells, and what they are worth to it."""

    owner: int
    flowers: int
    dry: int
    blue: int
    red: int
    green: int
    balconies: int  # what is nothing of all that is the Tub, or unknown
    water: float  # how likely a dry card will be watered in time
    blue_trio: float  # what a trio token of the colour may bring
    red_trio: float
    green_trio: float


@rule
def patio_of(s, me, p):
    """Patio p as seat `me` sees it."""
    known = known_cards(s, me, p)
    blue, red, green, balconies = sorts_of(s.card[p])
    return Patio(
        p, int(s.flowers[p]), int(s.dry[p]), blue & known, red & known, green & known, balconies & known,
        water_at_hand(s, p), trio_worth(s, me, p, 0), trio_worth(s, me, p, 1), trio_worth(s, me, p, 2),
    )  # fmt: skip


@register_jitable(**UNCHECKED)
def sorts_of(cards):
    """The cells of the blue, red and green pots, and of the balconies. No branches."""
    blue, red, green, balconies = word(0), word(0), word(0), word(0)
    for c in range(CELLS):
        bit, thing = word(1 << c), cards[place(c)]
        blue |= bit if thing == BLUE else word(0)
        red |= bit if thing == RED else word(0)
        green |= bit if thing == GREEN else word(0)
        balconies |= bit if (thing >= FIRST_BALCONY) & (thing < KINDS) else word(0)
    return int(blue), int(red), int(green), int(balconies)


@rule
def knows(patio, c):
    """Whether who sees a patio knows the pot or balcony of a cell."""
    return (patio.blue | patio.red | patio.green | patio.balconies) >> c & 1


@rule
def only(c):
    """A set of one cell, or of none for NONE."""
    return 1 << c if c != NONE else 0


@rule
def water_at_hand(s, p):
    """How likely a dry card of a patio will be watered in time."""
    dry = count_bits(s.dry[p])
    if dry == 0:
        return 0.5
    water = 2.0 * count_bits(s.canes[p])
    if lies_in(s, Improvement.HOSE, p):
        water += 2.5
    if lies_in(s, Improvement.LADDER, p):
        water += 2.0 * s.ladder_canes
    return 0.35 + 0.5 * min(1.0, water / dry)


@rule
def trio_worth(s, me, p, c):
    """What a trio token of a colour may bring to seat p, as far as seat `me` knows its pile."""
    if p != me and s.options.hidden_scores:
        return 5.0
    blue, red, green = int(s.trio[p, 0]), int(s.trio[p, 1]), int(s.trio[p, 2])
    before = trio_points(blue, red, green)
    after = trio_points(blue + (c == 0), red + (c == 1), green + (c == 2))
    return 2.5 + 0.5 * (after - before)


@rule
def colour_worth(pots, trio):
    """What so many pots of a colour promise, dry ones being parts of a pot."""
    if pots >= 3.0:
        return trio + 2.0 * (pots - 3.0)
    if pots >= 2.0:
        return 2.5 + (trio - 2.5) * (pots - 2.0)
    if pots >= 1.0:
        return 1.0 + 1.5 * (pots - 1.0)
    return pots


@rule
def balcony_worth(s, b, blue, red, green):
    """What a balcony promises beside so many pots."""
    missing = max(0.0, s.need[b, 0] - blue) + max(0.0, s.need[b, 1] - red) + max(0.0, s.need[b, 2] - green)
    spare = max(blue - s.need[b, 0], red - s.need[b, 1], green - s.need[b, 2])
    missing += max(0.0, s.group[b] - max(0.0, spare))
    met = max(0.0, 1.0 - missing / s.worth[b])
    return s.worth[b] * met * (0.4 + 0.6 * met)


@rule
def promise(s, patio, plus, share, without, changed):
    """What a patio promises to who sees it.

    With a further card `plus` of which a share counts, without the card of one cell, and with the card of another cell
    on its other side; NONE where nothing of the kind is asked.
    """
    flowers, dry = patio.flowers & ~only(without), patio.dry ^ only(changed)
    blue = share if plus == BLUE else 0.0
    red = share if plus == RED else 0.0
    green = share if plus == GREEN else 0.0
    unknown = 0.0
    pots = patio.blue | patio.red | patio.green
    cells = flowers & ~patio.balconies
    while cells != 0:
        bit = cells & -cells
        part = patio.water if dry & bit else 1.0
        blue += part if patio.blue & bit else 0.0
        red += part if patio.red & bit else 0.0
        green += part if patio.green & bit else 0.0
        unknown += 0.0 if pots & bit else part
        cells ^= bit
    value = 1.5 * unknown
    value += colour_worth(blue, patio.blue_trio)
    value += colour_worth(red, patio.red_trio)
    value += colour_worth(green, patio.green_trio)
    if plus >= FIRST_BALCONY:
        value += share * balcony_worth(s, plus - FIRST_BALCONY, blue, red, green)
    cells = flowers & patio.balconies
    while cells != 0:
        c = lowest_bit(cells)
        part = patio.water if dry >> c & 1 else 1.0
        value += part * balcony_worth(s, s.card[patio.owner, c] - FIRST_BALCONY, blue, red, green)
        cells &= cells - 1
    return value


@rule
def present(s, patio):
    """What the patio promises as it is."""
    return promise(s, patio, NONE, 0.0, NONE, NONE)


@rule
def gain(s, patio, now, k, share):
    """What a further card brings."""
    return promise(s, patio, k, share, NONE, NONE) - now


@rule
def points_now(s, me, p):
    """The points of the beautiful cards and of the pile, as far as seat `me` knows it."""
    blue, red, green = pots_of(s, p, 0), pots_of(s, p, 1), pots_of(s, p, 2)
    value = float(pot_points(blue) + pot_points(red) + pot_points(green))
    value += 5.0 * ((blue >= 3) + (red >= 3) + (green >= 3))
    for c in range(CELLS):
        if s.flowers[p] >> c & 1 and not s.dry[p] >> c & 1 and is_balcony(s.card[p, c]):
            b = s.card[p, c] - FIRST_BALCONY
            if is_met(s, b, blue, red, green):
                value += s.worth[b]
    return value - 2.0 * s.works[p]


@rule
def lead(s, me):
    """How far the own patio is ahead of the best other one."""
    best = -100.0
    for p in range(s.seats):
        if p != me:
            best = max(best, points_now(s, me, p))
    return points_now(s, me, me) - best


# --- characters ---------------------------------------------------------------------------------------------


@rule
def worth_of_character(s, mine, now, a):
    """What the action brings oneself, less what it brings others, and what the row does next."""
    p = int(s.seat)
    if a <= Character.GREEN_GARDENER:
        value = worth_of_gardener(s, mine, now, a)
    elif a == Character.WATER_CARRIER:
        value = worth_of_water_carrier(s, mine, now)
    elif a == Character.ASSISTANT:
        value = 2.3 - 0.4 * ASIDE
    elif a == Character.CHILDREN:
        value = 2.0
    elif a == Character.SUN:
        value = best_sun_damage(s, p)
    else:
        value = worth_of_neighbour(s, p)
    if s.row[0] == a and not s.flamenco:
        if s.row[1] == Character.VISITORS:
            value += 0.4 * lead(s, p)
        elif s.row[1] == Character.SUN:
            value += burning(s, p)
    return value


@rule
def worth_of_gardener(s, mine, now, c):
    """The best card for oneself, less what is left for the others."""
    best, cards = 0.0, 0.0
    if s.sample[c] > 0:
        best = gain(s, mine, now, c, 1.0)
        cards += s.sample[c]
    for k in range(FIRST_BALCONY, KINDS):
        if s.sample[k] > 0:
            cards += s.sample[k]
            best = max(best, gain(s, mine, now, k, 1.0))
    if cards == 0:
        return 1.0
    if not has_room(s, mine.owner):
        best = 0.0
    elif free_cells(s, mine.owner) == 0:
        best -= 2.0
    return best - ASIDE * 0.8 * min(1.0, (cards - 1.0) / (s.seats - 1))


@rule
def worth_of_water_carrier(s, mine, now):
    """Turning the best dry card up."""
    value = max(best_watering(s, mine, now), 0.8)
    if s.sample[CANE] == 0:
        value *= 0.8
    return value - ASIDE * 0.8 * max(0.0, min(1.0, (s.sample[CANE] - 1.0) / (s.seats - 1)))


@rule
def worth_of_neighbour(s, p):
    """A first improvement is worth most; without a card to be had nothing."""
    if s.unused[p] > 0:
        return 0.8
    if s.stock_size > 0:
        return 2.6
    for q in range(s.seats):
        if s.unused[q] > 0:
            return 1.5
    return -0.5


@rule
def best_watering(s, mine, now):
    """What water does for the own dry card that gains most by it."""
    best, cells = 0.0, mine.dry
    while cells != 0:
        best = max(best, gain_by_water(s, mine, now, lowest_bit(cells)))
        cells &= cells - 1
    return best


@rule
def gain_by_water(s, mine, now, c):
    """What water does for an own dry card, known or forgotten."""
    if s.card[mine.owner, c] != TUB and not knows(mine, c):
        return 1.5 * (1.0 - mine.water)
    return promise(s, mine, NONE, 0.0, NONE, c) - now


@rule
def burning(s, p):
    """The Sun's effect: own dry cards that no water reaches, less those of others."""
    value = 0.0
    for q in range(s.seats):
        if not has_awning(s, q):
            reached = 2 * count_bits(waterers(s, q))
            lost = max(0, count_bits(int(s.dry[q])) - reached)
            value += -1.3 * lost if q == p else ASIDE * 1.3 * lost / (s.seats - 1)
    return value


@rule
def best_sun_damage(s, p):
    """The best direction."""
    damages = for_directions()
    count_damages(s, p, damages)
    best = 0.0
    for d in range(DIRECTIONS):
        best = max(best, damages[d])
    return best


@rule
def count_damages(s, p, damages):
    """What each direction costs the others, who give up the cheapest of what they may choose from."""
    for d in range(DIRECTIONS):
        damages[d] = 0.0
    for i in range(1, s.seats):
        q = seat_of(s, i)
        if q != p and not has_awning(s, q):
            add_damages(s, p, q, damages)
    for d in range(DIRECTIONS):
        damages[d] = damages[d] * ASIDE / (s.seats - 1)


@rule
def add_damages(s, me, q, damages):
    """What each direction costs one of the others."""
    losses = for_cells()
    count_losses(s, me, q, losses)
    near = around(int(s.canes[q]))
    for d in range(DIRECTIONS):
        damages[d] += cheapest(hits(s, q, int(FIRST_HIT[d]), int(FIRST_ELSE[d])), near, losses)
        if s.works[q]:
            damages[d] += cheapest(hits(s, q, int(SECOND_HIT[d]), int(SECOND_ELSE[d])), near, losses)


@rule
def count_losses(s, me, q, losses):
    """What a hit of each card that the Sun may reach costs."""
    theirs = patio_of(s, me, q)
    now = present(s, theirs)
    cells = theirs.flowers if s.works[q] else theirs.flowers & INNER
    while cells != 0:
        c = lowest_bit(cells)
        losses[c] = loss_to_sun(s, theirs, now, c)
        cells &= cells - 1


@rule
def hits(s, q, cells, otherwise):
    """The flower cards that the Sun may hit."""
    found = int(s.flowers[q] & cells)
    return found if found != 0 else int(s.flowers[q] & otherwise)


@rule
def cheapest(cells, near, losses):
    """The smallest loss among some cells, some of which lie near a cane; 0 without any."""
    lowest = 100.0 if cells != 0 else 0.0
    if cells & near:
        lowest = 0.8
    while cells != 0:
        lowest = min(lowest, losses[lowest_bit(cells)])
        cells &= cells - 1
    return lowest


@rule
def loss_to_sun(s, patio, now, c):
    """What a hit costs: a beautiful card dries, a dry one goes."""
    if patio.dry >> c & 1:
        return now - promise(s, patio, NONE, 0.0, c, NONE)
    return now - promise(s, patio, NONE, 0.0, NONE, c)


# --- cards and cells ----------------------------------------------------------------------------------------


@rule
def worth_of_kind(s, mine, now, k):
    """What the card brings, beautiful in one's own turn and dry in another's; a purchase costs a point."""
    p = mine.owner
    if k == CANE:
        return max(0.9, best_watering(s, mine, now))
    if s.phase == Phase.BUY:
        return gain(s, mine, now, k, 1.0) - 0.9
    value = gain(s, mine, now, k, 1.0 if p == s.turn_of else mine.water)
    return value - (2.0 if free_cells(s, p) == 0 and not s.works[p] else 0.0)


@rule
def worth_of_cell(s, c):
    """Dry cards beside waterers, waterers beside dry cards, beautiful ones out of the way."""
    p = int(s.seat)
    near = int(NEXT_TO[c])
    tools = int(s.canes[p])
    if lies_in(s, Improvement.HOSE, p):
        tools |= 1 << s.spot[Improvement.HOSE]
    if s.playing != NONE or s.held == CANE:
        value = 0.55 * count_bits(near & s.dry[p]) + 0.1 * count_bits(near & s.flowers[p])
        value += 0.05 * count_bits(near & free_cells(s, p))
        if s.card[p, c] == LADDER:
            value = 0.9 * min(2, count_bits(s.dry[p])) + 0.3
        return 0.4 * value if s.held == CANE else value
    if not s.held_up:
        return 0.5 * count_bits(near & tools) + 0.1 * count_bits(near & s.dry[p])
    return -0.2 * count_bits(near & tools) + 0.02 * count_bits(near & s.filled[p])


@rule
def worth_of_watering(s, mine, now, c):
    """The gain of a card turned up; a link is worth little in itself."""
    if not mine.dry >> c & 1:
        return 0.1 + 0.1 * count_bits(int(NEXT_TO[c]) & mine.dry)
    value = gain_by_water(s, mine, now, c)
    return value + (0.2 if s.phase != Phase.CANE else 0.0)


@rule
def worth_of_waterer(s, c):
    """Water whatever can be watered, with the least tool first; under an Awning the Sun can wait."""
    p = int(s.seat)
    if s.phase == Phase.WATER and not s.ending and has_awning(s, p):
        return -1.0
    thing = s.card[p, c]
    if thing == CANE:
        return 3.0 - 0.2 * count_bits(int(NEXT_TO[c]) & s.dry[p])
    return 2.0 if thing == LADDER else 1.0


# --- the Children's swap -------------------------------------------------------------------------------------


@rule
def worth_of_giving(s, mine, now, own):
    """The best exchange of beautiful pots; dry cards are kept."""
    if mine.dry >> own & 1:
        return -1.0
    best = -1.0
    for q in range(s.seats):
        if q != mine.owner:
            best = max(best, best_exchange(s, mine, now, own, patio_of(s, mine.owner, q)))
    return best


@rule
def worth_of_partner(s, mine, now, i):
    """The best exchange with the seat."""
    return best_exchange(s, mine, now, int(s.swap_own), patio_of(s, mine.owner, seat_of(s, i + 1)))


@rule
def worth_of_getting(s, mine, now, c):
    """The exchange that was chosen, but for the card received."""
    theirs = patio_of(s, mine.owner, int(s.swap_player))
    return exchange(s, mine, now, int(s.swap_own), theirs, present(s, theirs), c)


@rule
def best_exchange(s, mine, now, own, theirs):
    """The best exchange with a seat."""
    best = -1.0
    then = present(s, theirs)
    pots = (theirs.blue | theirs.red | theirs.green) & ~theirs.dry
    while pots != 0:
        best = max(best, exchange(s, mine, now, own, theirs, then, lowest_bit(pots)))
        pots &= pots - 1
    return best


@rule
def exchange(s, mine, now, own, theirs, then, c):
    """What giving the own pot for that one brings, and takes from the other, as both patios promise now and then."""
    if mine.dry >> own & 1 or theirs.dry >> c & 1:
        return 0.0
    gained = promise(s, mine, int(s.card[theirs.owner, c]), 1.0, own, NONE) - now
    other = promise(s, theirs, int(s.card[mine.owner, own]), 1.0, c, NONE) - then
    return gained - ASIDE * other / (s.seats - 1)


# --- Neighbour, improvements, the end of a round -----------------------------------------------------------------


@rule
def worth_of_coin(s, coin):
    """An improvement is worth more than half a point."""
    return 0.5 if coin else 0.0


@rule
def worth_of_apprentice(s, i):
    """What it is worth to name that player: those with few points come first."""
    return -points_now(s, int(s.seat), seat_of(s, i + 1))


@rule
def worth_of_keeping(s, i):
    """The improvement that is liked best."""
    return liking(i)


@rule
def liking(i):
    """How good an improvement is in general."""
    if i == Improvement.TUB:
        return 3.0
    if i == Improvement.HOSE:
        return 2.5
    if i == Improvement.GUITARIST:
        return 2.0
    if i == Improvement.CAN:
        return 1.0
    return 1.5


@rule
def worth_of_improvement(s, i):
    """Whether now is the time: in general after the action, the Dancer at once."""
    p = int(s.seat)
    dry = int(s.dry[p])
    if s.phase == Phase.TURN:
        return 9.0 if i == Improvement.FLAMENCO else -9.0
    if i == Improvement.TUB:
        return 1.0 if free_cells(s, p) != 0 else -1.0
    if i == Improvement.HOSE:
        return 1.0 if dry & around(free_cells(s, p)) else -0.5
    if i == Improvement.LADDER:
        return 1.0 if s.canes[p] != 0 and dry != 0 else -0.5
    if i == Improvement.AWNING:
        return 0.5 if count_bits(int(s.flowers[p])) > 2 and count_bits(free_cells(s, p)) > 1 else -0.5
    if i == Improvement.GUITARIST:
        near = position_of(s, Character.VISITORS) <= 2
        return 0.5 if not near or lead(s, p) > 0.0 else -0.5
    seen = 0
    for c in range(CELLS):
        if dry >> c & 1 and sees_dry(s, p, p, c):
            seen |= 1 << c
    return 1.0 if balconies_among(s, p, seen) != 0 else -0.5


@rule
def worth_of_guitar(s, move):
    """Visitors forward when ahead, back when behind."""
    p = int(s.seat)
    return (2.0 - move) * lead(s, p)


@rule
def points_with_tub(s, p, colour):
    """What the pile will be worth with the Tub in a colour."""
    blue, red, green = pots_of(s, p, 0), pots_of(s, p, 1), pots_of(s, p, 2)
    blue += colour == 0
    red += colour == 1
    green += colour == 2
    value = float(pot_points(blue) + pot_points(red) + pot_points(green))
    value += trio_points(s.trio[p, 0] + (blue >= TRIO), s.trio[p, 1] + (red >= TRIO), s.trio[p, 2] + (green >= TRIO))
    for c in range(CELLS):
        if s.flowers[p] >> c & 1 and not s.dry[p] >> c & 1 and is_balcony(s.card[p, c]):
            b = s.card[p, c] - FIRST_BALCONY
            if is_met(s, b, blue, red, green):
                value += s.worth[b]
    return value


@rule
def value_of_token(s, p, c):
    """What a trio token is worth in the own pile."""
    blue, red, green = int(s.trio[p, 0]), int(s.trio[p, 1]), int(s.trio[p, 2])
    less = trio_points(blue - (c == 0), red - (c == 1), green - (c == 2))
    return float(trio_points(blue, red, green) - less)


@rule
def gain_of_saved(s, p, c):
    """A balcony is worth more than a pot."""
    thing = s.card[p, c]
    return float(s.worth[thing - FIRST_BALCONY]) if is_balcony(thing) else 1.0


@rule
def worth_of_victim(s, i):
    """Whoever has most unused improvements."""
    return float(s.unused[seat_of(s, i + 1)])


@rule
def worth_of_tub(s, colour):
    """The points of the pile with the Tub in the colour."""
    return points_with_tub(s, int(s.seat), colour)


@rule
def worth_of_token(s, c):
    """The cheapest one is broken."""
    return -value_of_token(s, int(s.seat), c)


@rule
def worth_of_saved(s, c):
    """Anything rather than nothing."""
    return 1.0 + gain_of_saved(s, int(s.seat), c)


# --- every action -------------------------------------------------------------------------------------------


@rule
def worth_of_tool(s, tool):
    """A cane rather than the hose."""
    return float(-tool)


@rule
def worth_of_hit(s, mine, now, c):
    """The card that is missed least."""
    return -loss_to_sun(s, mine, now, c)


# --- every decision -----------------------------------------------------------------------------------------


def best_of(**rules: Rule) -> Rule:
    """The scripted player's choice among actions of these families: the first one of most ``worth(s, parameter)``."""
    starts = [getattr(AT, family) for family in rules]
    run = by_number(starts, [_of_parameter(start, worth) for start, worth in zip(starts, rules.values(), strict=True)])
    return best_by(rule(lambda s, action: run(action, s, action)))


def _of_parameter(start: int, worth: Rule) -> Rule:
    return rule(lambda s, action: worth(s, action - start))


def best_at_home(**rules: Rule) -> Rule:
    """The same of most ``worth(s, mine, now, parameter)``: the own patio is looked at once for all of them."""
    starts = [getattr(AT, family) for family in rules]
    run = by_number(starts, [_with_patio(start, worth) for start, worth in zip(starts, rules.values(), strict=True)])

    @rule
    def best_with_patio(s, moves):
        mine = patio_of(s, int(s.seat), int(s.seat))
        now = present(s, mine)
        best, most = moves.at[0], -np.inf
        for i in range(moves.count):
            value = run(moves.at[i], s, (mine, now, moves.at[i]))
            if value > most:
                best, most = moves.at[i], value
        return best

    return best_with_patio


def _with_patio(start: int, worth: Rule) -> Rule:
    return rule(lambda s, x: worth(s, x[0], x[1], x[2] - start))


def anywhere(worth: Rule) -> Rule:
    """A worth for which the own patio need not be looked at, for `best_at_home`."""
    return rule(lambda s, mine, now, x: worth(s, x))


@rule
def advise_direction(s, moves):
    """Where the Sun costs the others most."""
    damages = for_directions()
    count_damages(s, int(s.seat), damages)
    best = 0
    for d in range(DIRECTIONS):
        if damages[d] > damages[best]:
            best = d
    return AT.sun_direction + best


advise_place = best_of(place=worth_of_cell)
advise_target = best_at_home(place=anywhere(worth_of_cell), water_target=worth_of_watering, done=always(0.0))
advise_card = best_at_home(kind=worth_of_kind, done=always(0.0))
advise_hit = best_at_home(sun_hit=worth_of_hit)
advise_waterer = best_of(waterer=worth_of_waterer, done=always(0.0))
advise_tool = best_of(tool=worth_of_tool)
advise_window = best_of(play_improvement=worth_of_improvement, done=always(0.0))

advise = by_phase({
    Phase.SETUP: best_of(setup_up=always(0.0)),
    Phase.TURN: best_at_home(character=worth_of_character, play_improvement=anywhere(worth_of_improvement)),
    Phase.TAKE: advise_card,
    Phase.PLACE: advise_place,
    Phase.CANE: advise_target,
    Phase.DRAFT: advise_card,
    Phase.SWAP: best_at_home(swap_own=worth_of_giving, done=always(0.3)),
    Phase.SWAP_PLAYER: best_at_home(swap_player=worth_of_partner),
    Phase.SWAP_THEIRS: best_at_home(swap_their=worth_of_getting),
    Phase.DIRECTION: advise_direction,
    Phase.FIRST_HIT: advise_hit,
    Phase.SECOND_HIT: advise_hit,
    Phase.DEFENCE: advise_waterer,
    Phase.DEFENCE_TOOL: advise_tool,
    Phase.OFFER: best_of(offer=worth_of_coin),
    Phase.APPRENTICE: best_of(apprentice=worth_of_apprentice),
    Phase.STEAL: best_of(steal_from=worth_of_victim),
    Phase.KEEP: best_of(keep_improvement=worth_of_keeping),
    Phase.APPRENTICE_WINDOW: advise_window,
    Phase.IMPROVEMENT_PLACE: advise_place,
    Phase.CAN: advise_target,
    Phase.GUITAR: best_of(guitar_move=worth_of_guitar),
    Phase.WINDOW: advise_window,
    Phase.FLAMENCO_DOWN: best_of(flamenco_down=always(0.0)),
    Phase.WATER: advise_waterer,
    Phase.WATER_TOOL: advise_tool,
    Phase.WATER_TARGET: advise_target,
    Phase.TUB_COLOUR: best_of(tub_colour=worth_of_tub),
    Phase.BREAK_TRIO: best_of(break_trio=worth_of_token),
    Phase.KEEP_UP: best_of(keep_up=always(1.0), done=always(0.0)),
    Phase.KEEP_DRY: best_of(keep_dry=always(1.0), done=always(0.0)),
    Phase.AWNING_KEEP: best_of(awning_keep=worth_of_saved, done=always(0.0)),
    Phase.BUY: advise_card,
})  # fmt: skip
