"""Palace of Viana: the scripted player.

For each character that it may play it looks for the best way to carry it out - where the pawn goes and what is placed
there, whom the Marquise sees, which stand to drive to - and plays the one whose turn is worth most, in points. The
decisions after the card are taken by the same yardsticks. It looks at nothing but what lies open, and at its own hand.
"""

from __future__ import annotations

from alarife.engine.decisions import always, best_by, by_family
from alarife.engine.jit import rule
from alarife.engine.views import lowest_bit

from .actions import ACTIONS
from .components import (
    CARDS,
    CAT_POINTS,
    COURT_POINTS,
    COURTS,
    FLOWERS,
    FOUNTAIN,
    GARDEN,
    GARDEN_POINTS,
    HEDGES,
    HOUSEKEEPER_POINTS,
    KINDS,
    MARQUIS_POINTS,
    NONE,
    PLACEMENTS,
    POINTS,
    POT,
    STANDS,
    STEPS,
    STREET,
    Card,
    Phase,
)
from .rules.cards import is_banned
from .rules.gardeners import audience
from .rules.girl import homes_for, is_protected
from .rules.market import is_stand_taken
from .rules.marquise import unscored_flowers
from .rules.palace import court_takes, within

AT = ACTIONS.start

# How sure it is that a decoration will be seen by the Marquise: close to her, elsewhere, once the end is near.
SEEN_NEAR, SEEN_FAR, SEEN_LATE = 1.0, 0.3, 0.2
FURTHER_COURT = 1.2  # what a further courtyard is worth while there are few
IN_RESERVE = 0.6  # the share of a decoration's points that it is worth in the personal reserve
ENOUGH = 7  # decorations in reserve beyond which more are worth little
CARD_BACK = 0.5  # what the Cook's each further card is worth
RIVALS = 0.8  # how much it minds the points of the others

# Counts of flowers by type in one number, eight bits for each type.
BITS = 8
MOST_ROOM = (1 << BITS) - 1
ANY_FLOWER = sum(1 << k * BITS for k in range(FLOWERS))


# --- the card ---------------------------------------------------------------------------------------


@rule
def worth_of_card(s, k):
    """What the best turn with this character brings; a banned one would only bring a honk."""
    p = s.seat
    if s.phase != Phase.FIRST_CARD and is_banned(s, p, k):
        return -10.0
    if k <= Card.APPRENTICE or k == Card.POET:
        return best_visit(s, p, s.pawn[p], k)
    if k == Card.HOUSEKEEPER:
        return 1.0 * HOUSEKEEPER_POINTS
    if k == Card.MARQUISE:
        return best_show(s, p)
    if k == Card.MARQUIS:
        return best_talk(s, p)
    if k == Card.GIRL:
        return FURTHER_COURT if better_home(s, p) != NONE else 0.1
    if k == Card.COACHMAN:
        return best_stand(s, p)
    return CARD_BACK * (CARDS - 1 + s.poet - s.held[p])


@rule
def best_visit(s, p, place, k):
    """The best courtyard for a gardener or the Poet to go to."""
    courts = within(s, place, STEPS[k])
    if k == Card.POET:
        return best_audience(s, p, courts)
    most = PLACEMENTS[k]
    seen_well = courts & (s.reach[1, s.marquise] | 1 << GARDEN)
    best = best_plan(s, p, seen_well, most)
    if s.final_turns == 0 and best >= most * (POINTS[FOUNTAIN] * SEEN_FAR) + worth_of_court(s, p):
        return best  # not even fountains bring more in the others
    return max(best, best_plan(s, p, courts & ~seen_well, most))


@rule
def best_audience(s, p, courts):
    """The most people that the Poet meets in one of the courtyards, given as bits."""
    best = 0.0
    while courts != 0:
        best = max(best, 1.0 * audience(s, p, lowest_bit(courts)))
        courts &= courts - 1
    return best


@rule
def best_plan(s, p, courts, most):
    """What up to `most` decorations bring in the best of the courtyards, given as bits."""
    best = 0.0
    further = worth_of_court(s, p)
    while courts != 0:
        best = max(best, plan(s, p, lowest_bit(courts), most, further))
        courts &= courts - 1
    return best


@rule
def worth_of_visit(s, c):
    """A courtyard to go to with the card in play."""
    p = s.seat
    if s.card == Card.POET:
        return audience(s, p, c) + 0.01 * plan(s, p, c, 1, worth_of_court(s, p))
    return plan(s, p, c, PLACEMENTS[s.card], worth_of_court(s, p))


@rule
def worth_of_entrance(s, place):
    """The entrance from which a gardener finds the best place."""
    p = s.seat
    best = 0.0
    for k in range(Card.APPRENTICE + 1):
        if s.hand[p, k] and not is_banned(s, p, k):
            best = max(best, best_visit(s, p, place, k))
    return best


# --- decorations ------------------------------------------------------------------------------------


@rule
def plan(s, p, c, most, further):
    """What up to `most` decorations from the reserve bring in courtyard c, the dearest first; `further` if new."""
    if c == s.marquis:
        return 0.0
    fountains = min(most, min(s.personal[p, FOUNTAIN], s.fountain_free[c]))
    pots = min(most - fountains, min(s.personal[p, POT], s.pot_free[c]))
    total = fountains * worth_of_kind(s, c, FOUNTAIN) + pots * worth_of_kind(s, c, POT)
    left = most - fountains - pots
    room, flower = room_for_flowers(s, c), worth_of_kind(s, c, 0)
    for k in range(FLOWERS - 1, -1, -1):
        count = min(left, min(s.personal[p, k], room >> k * BITS & MOST_ROOM))
        total += count * flower
        left -= count
    is_further = (left < most) & (s.tokens[p, c] == 0)
    return total + (further if is_further else 0.0)


@rule
def room_for_flowers(s, c):
    """How many flowers of each type the courtyard takes, in one number: eight bits for each type."""
    room = 0
    for h in range(HEDGES):
        k = s.hedge_kind[c, h]
        room += s.free[c, h] * (ANY_FLOWER if k == NONE else 1 << k * BITS)
    return room


@rule
def worth_of_kind(s, c, k):
    """The points of a decoration, as far as the Marquise is likely to see it."""
    value = POINTS[k] * seen(s, c)
    if k < FLOWERS and c == GARDEN:
        value += 0.5 * GARDEN_POINTS if s.final_turns == 0 else GARDEN_POINTS
    return value


@rule
def seen(s, c):
    """How likely the Marquise is to come by."""
    if s.final_turns > 0:
        return SEEN_LATE
    return SEEN_NEAR if s.reach[1, s.marquise] >> c & 1 else SEEN_FAR


@rule
def worth_of_court(s, p):
    """What decorations in one more courtyard bring at the end."""
    gain = 1.0 * (COURT_POINTS[min(COURTS, s.courts[p] + 1)] - COURT_POINTS[s.courts[p]])
    if s.final_turns > 0:
        return gain
    return max(gain, FURTHER_COURT)


@rule
def best_placement(s, moves):
    """The decoration that is worth most where the pawn is; to stop is the last move, and worth less than any."""
    flower = worth_of_token(s, 0)
    best = moves.at[0]
    most = 0.0
    for i in range(moves.count - 1):
        action = moves.at[i]
        if action < AT.place_pot:
            value = worth_of_hedge(s, (action - AT.place_flower) // HEDGES, (action - AT.place_flower) % HEDGES, flower)
        else:
            value = worth_of_token(s, POT if action == AT.place_pot else FOUNTAIN)
        if value > most:
            best = action
            most = value
    return best


@rule
def worth_of_flower(s, k, h):
    """A flower, and where it goes."""
    return worth_of_hedge(s, k, h, worth_of_token(s, k))


@rule
def worth_of_hedge(s, k, h, flower):
    """Flowers, each worth as much, rather join their like, so that free hedges stay free."""
    value = flower + 0.01 * s.personal[s.seat, k]
    return value + 0.1 if s.hedge_kind[s.pawn[s.seat], h] == k else value


@rule
def worth_of_pot(s):
    """What a flowerpot is worth."""
    return worth_of_token(s, POT)


@rule
def worth_of_fountain(s):
    """What a fountain is worth."""
    return worth_of_token(s, FOUNTAIN)


@rule
def worth_of_token(s, k):
    """A decoration of that kind where the pawn is."""
    c = s.pawn[s.seat]
    value = worth_of_court(s, s.seat) if s.tokens[s.seat, c] == 0 else 0.0
    return value + worth_of_kind(s, c, k)


# --- figures ----------------------------------------------------------------------------------------


@rule
def points_there(s, p, c):
    """What the Marquise's visit would bring seat p in courtyard c."""
    return POINTS[0] * unscored_flowers(s, p, c) + POINTS[POT] * s.pot[p, c] + POINTS[FOUNTAIN] * s.fountain[p, c]


@rule
def advantage(s, p, c):
    """Own points of a visit to courtyard c, against those of the others on average."""
    others = 0
    for q in range(s.seats):
        if q != p:
            others += points_there(s, q, c)
    return points_there(s, p, c) - RIVALS * others / (s.seats - 1)


@rule
def worth_of_show(s, c):
    """The Marquise goes to courtyard c."""
    return worth_of_seeing(s, c, courts_past_cat(s))


@rule
def worth_of_seeing(s, c, past_cat):
    """The same, where it is known which courtyards lie past the Cat."""
    value = 0.0
    if c != s.marquis:
        value = advantage(s, s.seat, c)
    if past_cat >> c & 1:
        value -= CAT_POINTS
    return value


@rule
def courts_past_cat(s):
    """The courtyards, as bits, to which every way of two steps leads past the Cat (`crosses_cat`)."""
    if s.cat == NONE:
        return 0
    near = s.reach[0, s.marquise]
    found = near
    ways = near & ~(1 << s.cat)
    while ways != 0:
        found |= s.reach[0, lowest_bit(ways)]
        ways &= ways - 1
    return ~found


@rule
def best_show(s, p):
    """The best courtyard for the Marquise."""
    best = -10.0
    past_cat = courts_past_cat(s)
    courts = int(s.reach[1, s.marquise])
    if s.cat != NONE:
        courts &= ~(1 << s.cat)
    while courts != 0:
        best = max(best, worth_of_seeing(s, lowest_bit(courts), past_cat))
        courts &= courts - 1
    return best


@rule
def worth_of_talk(s, c):
    """The Marquis keeps the Marquise from looking at what the others have."""
    p = s.seat
    return MARQUIS_POINTS + 0.15 * (advantage(s, p, s.marquis) - advantage(s, p, c))


@rule
def best_talk(s, p):
    """The best courtyard for the Marquis."""
    best = 0.0
    here = advantage(s, p, s.marquis)
    courts = int(s.reach[STEPS[Card.MARQUIS] - 1, s.marquis])
    while courts != 0:
        best = max(best, MARQUIS_POINTS + 0.15 * (here - advantage(s, p, lowest_bit(courts))))
        courts &= courts - 1
    return best


@rule
def worth_of_door(s, d):
    """A door in the way of others."""
    p = s.seat
    value = 0.0
    for q in range(s.seats):
        if s.side[d, 0] == s.pawn[q] or s.side[d, 1] == s.pawn[q]:
            value += -2.0 if q == p else 1.0
    return value


# --- the market -------------------------------------------------------------------------------------


@rule
def worth_of_stand(s, i):
    """The tokens that can be swapped; with a full reserve they count little."""
    return worth_of_swap(s, i, stock_of(s, s.seat))


@rule
def worth_of_swap(s, i, stock):
    """The same, where it is known how many tokens the reserve holds."""
    total = 0
    for k in range(KINDS):
        total += POINTS[k] * min(s.stand[i, k], s.common[s.seat, k])
    if s.final_turns > 0:
        return 0.01 * total
    return IN_RESERVE * total * (1.0 if stock < ENOUGH else 0.3)


@rule
def stock_of(s, p):
    """How many tokens the personal reserve of seat p holds."""
    stock = 0
    for k in range(KINDS):
        stock += s.personal[p, k]
    return stock


@rule
def best_stand(s, p):
    """The best stand without a pawn."""
    best = 0.0
    stock = stock_of(s, p)
    for i in range(STANDS):
        if not is_stand_taken(s, i):
            best = max(best, worth_of_swap(s, i, stock))
    return best


# --- the Girl ---------------------------------------------------------------------------------------


@rule
def better_home(s, p):
    """A courtyard new to seat p for a flower from where the pawn is; NONE if there is none."""
    place = s.pawn[p]
    if place >= COURTS or place == s.marquis or s.tokens[p, place] < 2 or is_protected(s, p, place):
        return NONE
    new = courts_without(s, p) & s.reach[2, place] & ~(1 << s.marquis)
    for h in range(HEDGES):
        if s.flower[p, place, h] > 0:
            homes = new
            while homes != 0:
                c = lowest_bit(homes)
                homes &= homes - 1
                if court_takes(s, c, s.hedge_kind[place, h]):
                    return c
    return NONE


@rule
def courts_without(s, p):
    """The courtyards, as bits, that hold no decoration of seat p."""
    courts = 0
    for c in range(COURTS):
        courts |= (1 if s.tokens[p, c] == 0 else 0) << c
    return courts


@rule
def worth_of_picking(s, i, h):
    """An own flower that can be carried to a courtyard that has none."""
    return 10.0 if i == 0 and s.walked == 0 and better_home(s, s.seat) != NONE else -10.0


@rule
def worth_of_dropping(s, h):
    """In a courtyard that has none."""
    return 10.0 if s.tokens[s.seat, s.pawn[s.seat]] == 0 or s.left == 0 else -1.0


@rule
def worth_of_step(s, c):
    """How near a new home for the flower is from c, or what could be placed there."""
    p = s.seat
    if s.carried_owner == NONE:
        return 0.1 * plan(s, p, c, 1, worth_of_court(s, p))
    homes = homes_for(s, s.carried_kind, s.carried_from)
    value = 0.0
    for home in range(COURTS):
        if homes >> home & 1 and s.tokens[p, home] == 0:
            if home == c:
                value = max(value, 3.0)
            elif s.left > 1 and s.reach[s.left - 2, c] >> home & 1:
                value = max(value, 1.0)
    return value


# --- the end ----------------------------------------------------------------------------------------


@rule
def worth_of_end(s, announces):
    """Announce when ahead, the courtyards counted."""
    if not announces:
        return 0.0
    p = s.seat
    lead = 1000
    for q in range(s.seats):
        if q != p:
            lead = min(lead, standing(s, p) - standing(s, q))
    return 1.0 if lead > 0 else -1.0


@rule
def standing(s, p):
    """The score if the game ended now."""
    return s.score[p] + GARDEN_POINTS * unscored_flowers(s, p, GARDEN) + COURT_POINTS[s.courts[p]]


# --- every action -----------------------------------------------------------------------------------


@rule
def worth_of_return(s, k):
    """A flower of which there are more."""
    return 0.1 * s.personal[s.seat, k]


@rule
def worth_of_way_back(s, entrance):
    """What the way back by the better entrance is worth."""
    return worth_of_entrance(s, STREET + entrance)


@rule
def worth_of_flip(s, h):
    """The hedge with most flowers."""
    return 1.0 * s.flower[s.seat, s.marquise, h]


@rule
def worth_of_honk(s, honks):
    """Always worth a point."""
    return 1.0 * honks


worth = by_family(
    ACTIONS, play_card=worth_of_card, return_flower=worth_of_return, return_palace=worth_of_way_back,
    move_pawn=worth_of_visit, girl_step=worth_of_step, girl_pick=worth_of_picking, girl_drop=worth_of_dropping,
    marquise_to=worth_of_show, marquis_to=worth_of_talk, door_to=worth_of_door, place_flower=worth_of_flower,
    place_pot=worth_of_pot, place_fountain=worth_of_fountain, flip_flower=worth_of_flip, stand=worth_of_stand,
    announce=worth_of_end, honk=worth_of_honk, done=always(0.0),
)  # fmt: skip
best_action = best_by(worth)


@rule
def advise(s, moves):
    """The scripted player's action."""
    if s.phase == Phase.PLACE and moves.count > 1:
        return best_placement(s, moves)
    return best_action(s, moves)
