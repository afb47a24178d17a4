"""Palace of Viana: what always holds (section 16)."""

from __future__ import annotations

import numpy as np

from alarife.engine.jit import rule
from alarife.games.viana.components import (
    BAG,
    BAG_FOR_TWO,
    CARDS,
    CAT_POINTS,
    COURTS,
    FLOWERS,
    FLOWERS_AT_START,
    HEDGES,
    KINDS,
    MARKET,
    MOST_FOR_TOKENS,
    MOST_IN_TURN,
    MOST_STEPS,
    NONE,
    PLACEMENTS,
    STAND_SIZE,
    STANDS,
    STEPS,
    SUPPLY,
    Card,
    Phase,
    Todo,
)
from alarife.games.viana.state import HONK_CALL, HONK_MASK

from .cards import is_banned
from .marquise import unscored_flowers
from .palace import can_place


@rule
def check(s):
    """Assert all invariants: section 16 of the rules."""
    assert s.over or not s.capped, "VIA-156: the game goes on after its cap"
    for p in range(s.seats):
        check_tokens(s, p)
        check_courts(s, p)
        check_cards(s, p)
    check_spots(s)
    check_market(s)
    check_seats(s)
    check_reach(s)
    assert s.marquise != s.cat, "VIA-212: Marquise and Cat share a courtyard"
    assert 0 <= s.door < s.doorways, "VIA-214: no doorway is closed"
    for d in range(s.doorways):
        is_open = s.reach[0, s.side[d, 0]] >> s.side[d, 1] & 1
        assert is_open == (d != s.door), "VIA-214: another doorway than the door's is closed"
    assert s.todo == Todo.NOTHING, "the rules stopped before the next decision"
    if s.seats == 2:
        check_restriction(s)
    else:
        assert s.restriction == NONE, "VIA-170: a restriction card lies there, but more than two play"
    if not s.over:
        check_turn(s)
        check_phase(s)


@rule
def check_seats(s):
    """Whoever is named sits at the table, and pawns do not share a stand (VIA-112)."""
    assert s.first < s.seats and s.turn_of < s.seats, "VIA-070: it is the turn of nobody at the table"
    assert s.carried_owner < s.seats, "VIA-123: the flower carried belongs to nobody at the table"
    assert s.flips >> s.seats == 0, "VIA-138: a flip is owed by nobody at the table"
    for p in range(s.seats):
        if s.pawn[p] >= MARKET:
            for q in range(p):
                assert s.pawn[q] != s.pawn[p], "VIA-112: two pawns stand on one stand"


@rule
def check_reach(s):
    """The courtyards in reach are those that the open doorways give (VIA-085)."""
    near = np.zeros(COURTS, np.int64)
    for d in range(s.doorways):
        if d != s.door:
            near[s.side[d, 0]] |= 1 << s.side[d, 1]
            near[s.side[d, 1]] |= 1 << s.side[d, 0]
    for c in range(COURTS):
        reached = near[c]
        assert s.reach[0, c] == reached, "VIA-085: courtyards in reach are not those that doorways join"
        for k in range(1, MOST_STEPS):
            for other in range(COURTS):
                if s.reach[k - 1, c] >> other & 1:
                    reached |= near[other]
            reached &= ~(1 << c)
            assert s.reach[k, c] == reached, "VIA-085: courtyards in reach are not those that doorways join"


@rule
def check_turn(s):
    """Whose turn it is, and what the turn has left behind (sections 2 to 4)."""
    p = s.turn_of
    in_setup = s.phase == Phase.RETURN_FLOWER or s.phase == Phase.FIRST_CARD
    assert p == (s.first + s.turns) % s.seats, "VIA-070: it is another seat's turn"
    assert s.turns < s.options.max_rounds * s.seats or s.final_turns > 0, "VIA-156: the game goes on after its cap"
    assert s.final_turns <= s.seats + 1, "VIA-153: more final turns than seats"
    if not in_setup and s.phase != Phase.HONK and s.phase != Phase.FLIP:
        assert s.seat == p, "VIA-071: another seat is to decide"
    if in_setup:
        assert s.turns == 0, "VIA-060: the game is being set up, but turns are over"
        check_setup(s)
    for q in range(s.seats):
        assert s.score[q] >= -CAT_POINTS * (s.turns + 1), "VIA-105: more points are lost than turns allow"
        assert s.score[q] <= MOST_IN_TURN * (s.turns + 1) + MOST_FOR_TOKENS, "VIA-136: more points than turns allow"
        waits = s.turns < s.seats and (q - s.first + s.seats) % s.seats > s.turns
        assert not waits or s.pawn[q] < MARKET, "VIA-062: a pawn is on the market before its first turn"
        if not in_setup and (waits or (s.turns < s.seats and q == p)):
            assert s.top[q] != NONE or s.card == Card.COOK, "VIA-062: the first card is not on its pile"
        if not waits:
            assert s.top[q] != Card.COOK, "VIA-120: a Cook is buried"
    at_market = s.phase == Phase.ENTRANCE or s.phase == Phase.ANNOUNCE
    assert at_market or s.pawn[p] < MARKET, "VIA-086: the pawn is still on the market"
    assert s.phase == Phase.FLIP or s.flips == 0, "VIA-138: a flip is owed, but nobody is asked"
    is_carried = s.carried_owner != NONE or s.carried_kind != NONE or s.carried_from != NONE
    assert s.phase == Phase.GIRL or not is_carried, "VIA-124: a flower is still carried"
    assert s.phase == Phase.HONK or s.under == NONE, "VIA-182: a card is covered that nobody may send back"
    if s.honked != NONE:
        assert s.options.honk != HONK_MASK, "VIA-180: a card was sent back, but nobody may honk"
        assert s.phase == Phase.CARD or s.card != NONE, "VIA-182: a card was sent back before any was played"
        assert s.phase != Phase.HONK, "VIA-191: another banned card is played after a honk"
        assert s.hand[p, s.honked], "VIA-182: the card that was sent back is not in hand"
        assert is_banned(s, p, s.honked), "VIA-180: a card was sent back that is not banned"


@rule
def check_setup(s):
    """Who has returned a flower and who has picked a card (VIA-038, VIA-060)."""
    done = (s.seat - s.first + s.seats) % s.seats
    for i in range(s.seats):
        p = (s.first + i) % s.seats
        flowers = 0
        for k in range(FLOWERS):
            flowers += s.personal[p, k]
            has_all = s.phase == Phase.RETURN_FLOWER and i >= done
            assert not has_all or s.personal[p, k] == FLOWERS_AT_START, "VIA-037: a flower is missing at the start"
        assert has_all or flowers == FLOWERS * FLOWERS_AT_START - 1, "VIA-038: no flower was returned"
        has_picked = s.phase == Phase.FIRST_CARD and i < done
        assert (s.picked[p] != NONE) == has_picked, "VIA-060: a first card is picked before its time, or missing"
        assert s.top[p] == NONE, "VIA-060: a card lies open before the first round"
        assert s.held[p] == CARDS - 1 + s.poet - has_picked, "VIA-031: a card is missing from a hand"
        if s.picked[p] != NONE:
            assert not s.hand[p, s.picked[p]], "VIA-060: the first card is still in hand"


@rule
def check_phase(s):
    """What has to hold when a decision is due (section 13)."""
    phase, p, card = s.phase, s.turn_of, s.card
    if phase <= Phase.CARD:
        assert card == NONE, "VIA-071: a card is in play before it is chosen"
        assert phase != Phase.ENTRANCE or s.pawn[p] >= MARKET, "VIA-086: the pawn is not on the market"
        assert phase < Phase.ENTRANCE or s.turns >= s.seats, "VIA-062: a card is chosen in the first round"
        return
    assert card != NONE, "VIA-071: no card is in play"
    assert s.top[p] == (NONE if card == Card.COOK else card), "VIA-072: the card in play is not on its pile"
    if phase == Phase.HONK:
        check_honk(s)
    elif phase == Phase.MOVE:
        assert STEPS[card] > 0 and (card == Card.POET or PLACEMENTS[card] > 0), "VIA-091: the card moves no pawn"
    elif phase == Phase.PLACE:
        assert 1 <= s.left <= PLACEMENTS[card], "VIA-103: nothing more may be placed"
        assert s.pawn[p] < COURTS and can_place(s, p, s.pawn[p]), "VIA-102: nothing can be placed here"
    elif phase == Phase.GIRL:
        assert card == Card.GIRL, "VIA-122: the Girl is not in play"
        check_walk(s)
    elif phase == Phase.MARQUISE:
        assert card == Card.MARQUISE, "VIA-104: the Marquise is not in play"
    elif phase == Phase.FLIP:
        assert card == Card.MARQUISE, "VIA-104: the Marquise is not in play"
        assert s.flips >> s.seat & 1, "VIA-138: a seat that owes no flip is asked"
        for q in range(s.seats):
            owes = s.flips >> q & 1
            assert not owes or unscored_flowers(s, q, s.marquise) > 0, "VIA-138: a flip is owed without a flower"
    elif phase == Phase.MARQUIS:
        assert card == Card.MARQUIS, "VIA-108: the Marquis is not in play"
    elif phase == Phase.DOOR:
        assert card == Card.HOUSEKEEPER, "VIA-109: the Housekeeper is not in play"
    elif phase == Phase.STAND:
        assert card == Card.COACHMAN, "VIA-112: the Coachman is not in play"
    else:
        assert s.courts[p] == COURTS and s.final_turns == 0, "VIA-151: there is nothing to announce"


@rule
def check_honk(s):
    """A banned card, and what it covers (section 11)."""
    p = s.turn_of
    assert s.options.honk == HONK_CALL and s.seat != p, "VIA-182: nobody is asked about a card"
    assert s.turns >= s.seats and is_banned(s, p, s.card), "VIA-180: the card is not banned"
    assert (s.under == NONE) == (CARDS - 1 + s.poet - s.held[p] == 1), "VIA-072: the card covers another one"
    if s.under != NONE:
        assert not s.hand[p, s.under] and s.under != s.card, "VIA-072: the card covered is elsewhere"
        assert s.under != Card.POET or s.poet, "VIA-213: a Poet is in a game without him"


@rule
def check_walk(s):
    """The Girl's steps, and what she carries (VIA-122 to VIA-127)."""
    carries = s.carried_owner != NONE
    assert carries == (s.carried_kind != NONE), "VIA-123: a flower without owner or type is carried"
    assert carries == (s.carried_from != NONE), "VIA-123: a flower is carried from nowhere"
    assert s.left > 0 or carries, "VIA-192: the walk is over"
    if carries:
        assert s.picked_up and s.pawn[s.seat] < COURTS, "VIA-123: a flower is carried in the street"


@rule
def check_tokens(s, p):
    """Where the decorations of a seat are."""
    placed = 0
    for c in range(COURTS):
        placed += s.tokens[p, c]
    for k in range(FLOWERS):
        count = s.common[p, k] + s.personal[p, k]
        if s.carried_owner == p and s.carried_kind == k:
            count += 1
        for c in range(COURTS):
            for h in range(HEDGES):
                if s.hedge_kind[c, h] == k:
                    count += s.flower[p, c, h] + s.scored_flower[p, c, h]
        assert count == SUPPLY[k], "VIA-210: the flowers of a seat are not all there"
        placed -= SUPPLY[k] - s.common[p, k] - s.personal[p, k]
    if s.carried_owner == p:
        placed += 1
    pots = 0
    fountains = 0
    for c in range(COURTS):
        pots += s.pot[p, c] + s.scored_pot[p, c]
        fountains += s.fountain[p, c] + s.scored_fountain[p, c]
    assert s.common[p, 3] + s.personal[p, 3] + pots == SUPPLY[3], "VIA-210: the flowerpots of a seat are not all there"
    assert s.common[p, 4] + s.personal[p, 4] + fountains == SUPPLY[4], (
        "VIA-210: the fountains of a seat are not all there"
    )
    assert placed == pots + fountains, "VIA-210: decorations are counted wrongly"


@rule
def check_courts(s, p):
    """Decorations by courtyard."""
    courts = 0
    for c in range(COURTS):
        count = s.pot[p, c] + s.scored_pot[p, c] + s.fountain[p, c] + s.scored_fountain[p, c]
        for h in range(HEDGES):
            count += s.flower[p, c, h] + s.scored_flower[p, c, h]
        assert count == s.tokens[p, c], "VIA-210: decorations in a courtyard are counted wrongly"
        courts += 1 if count > 0 else 0
    assert courts == s.courts[p], "VIA-161: courtyards are counted wrongly"


@rule
def check_cards(s, p):
    """Hand and pile."""
    held = 0
    for k in range(CARDS):
        held += s.hand[p, k]
    assert held == s.held[p], "VIA-213: a hand is not as large as it says"
    assert s.poet or not s.hand[p, Card.POET], "VIA-213: a Poet is in a game without him"
    pile = CARDS - 1 + s.poet - held
    if s.phase != Phase.FIRST_CARD:
        assert (pile > 0) == (s.top[p] != NONE), "VIA-213: an empty pile shows a card"
    if s.top[p] != NONE:
        assert not s.hand[p, s.top[p]], "VIA-213: a card is in hand and on the pile"
    assert s.phase == Phase.FIRST_CARD or s.picked[p] == NONE, "VIA-060: a first card is still hidden"
    first_card = s.top[p] == Card.COOK or s.picked[p] == Card.COOK
    assert s.hand[p, Card.COOK] or first_card, "VIA-200: a Cook is not in hand"


@rule
def check_spots(s):
    """Hedges and places."""
    for c in range(COURTS):
        pots = s.pot_free[c]
        fountains = s.fountain_free[c]
        for p in range(s.seats):
            pots += s.pot[p, c] + s.scored_pot[p, c]
            fountains += s.fountain[p, c] + s.scored_fountain[p, c]
        assert min(s.pot_free[c], s.fountain_free[c]) >= 0, "VIA-018: a place holds two tokens"
        assert pots == s.pot_spots[c], "VIA-018: free pot spots are counted wrongly"
        assert fountains == s.fountain_spots[c], "VIA-018: free fountain places are counted wrongly"
        for h in range(HEDGES):
            flowers = 0
            for p in range(s.seats):
                flowers += s.flower[p, c, h] + s.scored_flower[p, c, h]
            assert s.free[c, h] >= 0, "VIA-018: a spot holds two tokens"
            assert s.free[c, h] + flowers == s.spots[c, h], "VIA-018: free spots are counted wrongly"
            assert (flowers == 0) == (s.hedge_kind[c, h] == NONE), (
                "VIA-212: the type of a hedge is not that of its flowers"
            )


@rule
def check_market(s):
    """Bag, stands, and what left the game."""
    tokens = 0
    for k in range(KINDS):
        count = s.bag[k] + s.swapped[k] + (s.unplaced if k == 4 else 0)
        for i in range(STANDS):
            count += s.stand[i, k]
        assert count == (BAG_FOR_TWO[k] if s.seats == 2 else BAG[k]), "VIA-211: the market tokens are not all there"
        tokens += s.bag[k]
    assert tokens == s.bag_size, "VIA-211: the bag is not as large as it says"
    for i in range(STANDS):
        tokens = 0
        for k in range(KINDS):
            tokens += s.stand[i, k]
        assert tokens == s.stand_size[i], "VIA-211: a stand is not as large as it says"
        assert s.stand_size[i] <= STAND_SIZE[i], "VIA-008: a stand holds more than it has room for"
        assert s.stand[i, 4] <= 1, "VIA-212: a stand has two fountains"


@rule
def check_restriction(s):
    """The restriction cards of two players."""
    deck = 0
    for k in range(CARDS):
        deck += s.restriction_deck[k]
        copies = 1 if k == Card.COOK else 2 * s.poet if k == Card.POET else 2
        assert s.restriction_deck[k] + s.restriction_pile[k] == copies, "VIA-172: a restriction card is missing"
    assert s.restriction_pile[Card.COOK] == 0, "VIA-175: a Cook lies on the restriction pile"
    assert deck == s.restriction_deck_size, "VIA-172: the restriction deck is not as large as it says"
    assert s.restriction == NONE or s.restriction_pile[s.restriction] > 0, "VIA-174: the restriction card is not there"
