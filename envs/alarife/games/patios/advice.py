"""Patios: the scripted player.

It values a patio by the points that it promises: pots towards trios, balconies by how much of their demand is met, dry
cards by the water at hand. It takes what its own patio needs, waters before the Sun and the Visitors come, aims the Sun
where it hurts, and ends the round when it is ahead. It looks at nothing that its seat may not know.
"""

from __future__ import annotations

from alarife.engine.decisions import always, best_by, by_family
from alarife.engine.jit import rule

from .actions import ACTIONS
from .components import (
    CANE,
    CELLS,
    FIRST_BALCONY,
    FIRST_ELSE,
    FIRST_HIT,
    KINDS,
    LADDER,
    NEXT_TO,
    NONE,
    SECOND_ELSE,
    SECOND_HIT,
    TRIO,
    TUB,
    Character,
    Improvement,
    Phase,
)
from .rules.cells import around, count_of
from .rules.end import trio_points
from .rules.patio import balconies_among, beautiful_pots, free_cells, has_room, is_balcony, sees_dry
from .rules.row import position_of
from .rules.scoring import is_met, pot_points, pots_of
from .rules.seats import seat_of
from .rules.stock import has_awning, lies_in
from .rules.watering import waterers

ASIDE = 0.8  # what the mean gain or loss of the others is worth to oneself


# --- what a patio promises ----------------------------------------------------------------------------------


@rule
def water_at_hand(s, p):
    """How likely a dry card of a patio will be watered in time."""
    dry = count_of(int(s.dry[p]))
    if dry == 0:
        return 0.5
    water = 2.0 * count_of(int(s.canes[p]))
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
def promise(s, me, p, plus, share, without, changed):
    """What patio p promises as seat `me` sees it.

    With a further card `plus` of which a share counts, without the card of one cell, and with the card of another cell
    on its other side; NONE where nothing of the kind is asked.
    """
    water = water_at_hand(s, p)
    blue, red, green, unknown = 0.0, 0.0, 0.0, 0.0
    if plus == 0:
        blue += share
    elif plus == 1:
        red += share
    elif plus == 2:
        green += share
    for c in range(CELLS):
        if s.flowers[p] >> c & 1 and c != without:
            dry = s.dry[p] >> c & 1
            part = water if dry != (c == changed) else 1.0
            if dry and not sees_dry(s, me, p, c):
                unknown += part
            else:
                thing = int(s.card[p, c])
                if thing == 0:
                    blue += part
                elif thing == 1:
                    red += part
                elif thing == 2:
                    green += part
                elif thing == TUB:
                    unknown += part
    value = 1.5 * unknown
    value += colour_worth(blue, trio_worth(s, me, p, 0))
    value += colour_worth(red, trio_worth(s, me, p, 1))
    value += colour_worth(green, trio_worth(s, me, p, 2))
    if plus >= FIRST_BALCONY:
        value += share * balcony_worth(s, plus - FIRST_BALCONY, blue, red, green)
    for c in range(CELLS):
        if s.flowers[p] >> c & 1 and c != without and is_balcony(s.card[p, c]):
            dry = s.dry[p] >> c & 1
            if not dry or sees_dry(s, me, p, c):
                part = water if dry != (c == changed) else 1.0
                value += part * balcony_worth(s, s.card[p, c] - FIRST_BALCONY, blue, red, green)
    return value


@rule
def present(s, me, p):
    """What the patio promises as it is."""
    return promise(s, me, p, NONE, 0.0, NONE, NONE)


@rule
def gain(s, me, p, k, share):
    """What a further card brings."""
    return promise(s, me, p, k, share, NONE, NONE) - present(s, me, p)


@rule
def gain_by_water(s, me, p, c):
    """What turning the card of a cell up brings."""
    return promise(s, me, p, NONE, 0.0, NONE, c) - present(s, me, p)


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
def worth_of_character(s, a):
    """What the action brings oneself, less what it brings others, and what the row does next."""
    p = int(s.seat)
    if a <= Character.GREEN_GARDENER:
        value = worth_of_gardener(s, p, a)
    elif a == Character.WATER_CARRIER:
        value = worth_of_water_carrier(s, p)
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
def worth_of_gardener(s, p, c):
    """The best card for oneself, less what is left for the others."""
    best, cards = 0.0, 0.0
    if s.sample[c] > 0:
        best = gain(s, p, p, c, 1.0)
        cards += s.sample[c]
    for k in range(FIRST_BALCONY, KINDS):
        if s.sample[k] > 0:
            cards += s.sample[k]
            best = max(best, gain(s, p, p, k, 1.0))
    if cards == 0:
        return 1.0
    if not has_room(s, p):
        best = 0.0
    elif free_cells(s, p) == 0:
        best -= 2.0
    return best - ASIDE * 0.8 * min(1.0, (cards - 1.0) / (s.seats - 1))


@rule
def worth_of_water_carrier(s, p):
    """Turning the best dry card up."""
    best = 0.0
    for c in range(CELLS):
        if s.dry[p] >> c & 1:
            best = max(best, guessed_gain(s, p, c))
    value = max(best, 0.8)
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
def guessed_gain(s, p, c):
    """What water does for an own dry card, known or forgotten."""
    if s.card[p, c] != TUB and not sees_dry(s, p, p, c):
        return 1.5 * (1.0 - water_at_hand(s, p))
    return gain_by_water(s, p, p, c)


@rule
def burning(s, p):
    """The Sun's effect: own dry cards that no water reaches, less those of others."""
    value = 0.0
    for q in range(s.seats):
        if not has_awning(s, q):
            reached = 2 * count_of(waterers(s, q))
            lost = max(0, count_of(int(s.dry[q])) - reached)
            value += -1.3 * lost if q == p else ASIDE * 1.3 * lost / (s.seats - 1)
    return value


@rule
def best_sun_damage(s, p):
    """The best direction."""
    best = 0.0
    for d in range(FIRST_HIT.size):
        best = max(best, sun_damage(s, p, d))
    return best


@rule
def sun_damage(s, p, d):
    """What a direction costs the others, who give up the cheapest of what they may choose from."""
    value = 0.0
    for i in range(1, s.seats):
        q = seat_of(s, i)
        if q != p and not has_awning(s, q):
            value += cheapest(s, p, q, hits(s, q, int(FIRST_HIT[d]), int(FIRST_ELSE[d])))
            if s.works[q]:
                value += cheapest(s, p, q, hits(s, q, int(SECOND_HIT[d]), int(SECOND_ELSE[d])))
    return value * ASIDE / (s.seats - 1)


@rule
def hits(s, q, cells, otherwise):
    """The flower cards that the Sun may hit."""
    found = int(s.flowers[q] & cells)
    return found if found != 0 else int(s.flowers[q] & otherwise)


@rule
def cheapest(s, me, q, cells):
    """The smallest loss among some cells, 0 without any."""
    lowest = 100.0
    for c in range(CELLS):
        if cells >> c & 1:
            lowest = min(lowest, loss_to_sun(s, me, q, c))
    if cells & around(int(s.canes[q])):
        lowest = min(lowest, 0.8)
    return lowest if cells != 0 else 0.0


@rule
def loss_to_sun(s, me, q, c):
    """What a hit costs: a beautiful card dries, a dry one goes."""
    if s.dry[q] >> c & 1:
        return present(s, me, q) - promise(s, me, q, NONE, 0.0, c, NONE)
    return present(s, me, q) - promise(s, me, q, NONE, 0.0, NONE, c)


# --- cards and cells ----------------------------------------------------------------------------------------


@rule
def worth_of_kind(s, k):
    """What the card brings, beautiful in one's own turn and dry in another's; a purchase costs a point."""
    p = int(s.seat)
    if k == CANE:
        return max(0.9, worth_of_cane(s, p))
    if s.phase == Phase.BUY:
        return gain(s, p, p, k, 1.0) - 0.9
    value = gain(s, p, p, k, 1.0 if p == s.turn_of else water_at_hand(s, p))
    return value - (2.0 if free_cells(s, p) == 0 and not s.works[p] else 0.0)


@rule
def worth_of_cane(s, p):
    """What a cane in hand does at once."""
    best = 0.0
    for c in range(CELLS):
        if s.dry[p] >> c & 1:
            best = max(best, guessed_gain(s, p, c))
    return best


@rule
def worth_of_cell(s, c):
    """Dry cards beside waterers, waterers beside dry cards, beautiful ones out of the way."""
    p = int(s.seat)
    near = int(NEXT_TO[c])
    tools = int(s.canes[p])
    if lies_in(s, Improvement.HOSE, p):
        tools |= 1 << s.spot[Improvement.HOSE]
    if s.playing != NONE or s.held == CANE:
        value = 0.55 * count_of(near & s.dry[p]) + 0.1 * count_of(near & s.flowers[p])
        value += 0.05 * count_of(near & free_cells(s, p))
        if s.card[p, c] == LADDER:
            value = 0.9 * min(2, count_of(int(s.dry[p]))) + 0.3
        return 0.4 * value if s.held == CANE else value
    if not s.held_up:
        return 0.5 * count_of(near & tools) + 0.1 * count_of(near & s.dry[p])
    return -0.2 * count_of(near & tools) + 0.02 * count_of(near & s.filled[p])


@rule
def worth_of_watering(s, c):
    """The gain of a card turned up; a link is worth little in itself."""
    p = int(s.seat)
    if not s.dry[p] >> c & 1:
        return 0.1 + 0.1 * count_of(int(NEXT_TO[c]) & s.dry[p])
    value = guessed_gain(s, p, c)
    return value + (0.2 if s.phase != Phase.CANE else 0.0)


@rule
def worth_of_waterer(s, c):
    """Water whatever can be watered, with the least tool first; under an Awning the Sun can wait."""
    p = int(s.seat)
    if s.phase == Phase.WATER and not s.ending and has_awning(s, p):
        return -1.0
    thing = s.card[p, c]
    if thing == CANE:
        return 3.0 - 0.2 * count_of(int(NEXT_TO[c]) & s.dry[p])
    return 2.0 if thing == LADDER else 1.0


# --- the Children's swap -------------------------------------------------------------------------------------


@rule
def worth_of_giving(s, own):
    """The best exchange of beautiful pots; dry cards are kept."""
    p = int(s.seat)
    if s.dry[p] >> own & 1:
        return -1.0
    best = -1.0
    for q in range(s.seats):
        if q != p:
            best = max(best, best_exchange(s, p, own, q))
    return best


@rule
def worth_of_partner(s, i):
    """The best exchange with the seat."""
    return best_exchange(s, int(s.seat), int(s.swap_own), seat_of(s, i + 1))


@rule
def worth_of_getting(s, theirs):
    """The exchange that was chosen, but for the card received."""
    return exchange(s, int(s.seat), int(s.swap_own), int(s.swap_player), theirs)


@rule
def best_exchange(s, p, own, q):
    """The best exchange with a seat."""
    best = -1.0
    pots = beautiful_pots(s, q)
    for c in range(CELLS):
        if pots >> c & 1:
            best = max(best, exchange(s, p, own, q, c))
    return best


@rule
def exchange(s, p, own, q, theirs):
    """What giving the own pot for that one brings, and takes from the other."""
    if s.dry[p] >> own & 1 or s.dry[q] >> theirs & 1:
        return 0.0
    mine = promise(s, p, p, int(s.card[q, theirs]), 1.0, own, NONE) - present(s, p, p)
    other = promise(s, p, q, int(s.card[p, own]), 1.0, theirs, NONE) - present(s, p, q)
    return mine - ASIDE * other / (s.seats - 1)


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
        return 0.5 if count_of(int(s.flowers[p])) > 2 and count_of(free_cells(s, p)) > 1 else -0.5
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
def worth_of_direction(s, d):
    """What it costs the others."""
    return sun_damage(s, int(s.seat), d)


@rule
def worth_of_hit(s, c):
    """The card that is missed least."""
    return -loss_to_sun(s, int(s.seat), int(s.seat), c)


@rule
def worth_of_stopping(s):
    """Stopping is worth nothing in itself; leaving a window open neither."""
    return 0.3 if s.phase == Phase.SWAP else 0.0


worth = by_family(
    ACTIONS, character=worth_of_character, setup_up=always(0.0), place=worth_of_cell, kind=worth_of_kind,
    water_target=worth_of_watering, waterer=worth_of_waterer, tool=worth_of_tool, sun_direction=worth_of_direction,
    sun_hit=worth_of_hit, swap_own=worth_of_giving, swap_player=worth_of_partner, swap_their=worth_of_getting,
    offer=worth_of_coin, apprentice=worth_of_apprentice, keep_improvement=worth_of_keeping,
    play_improvement=worth_of_improvement, guitar_move=worth_of_guitar, flamenco_down=always(0.0),
    steal_from=worth_of_victim, tub_colour=worth_of_tub, break_trio=worth_of_token, keep_up=always(1.0),
    keep_dry=always(1.0), awning_keep=worth_of_saved, done=worth_of_stopping,
)  # fmt: skip
advise = best_by(worth)
