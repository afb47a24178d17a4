"""Palace of Viana: what a seat may know (VIA-193 to VIA-196). Seats are counted from the observer: 0 is oneself."""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from alarife.engine.jit import rule
from alarife.engine.layout import Block, Features, Flags
from alarife.engine.views import SHARE, UNCHECKED, after, mark, write_grid, write_row, write_share

from .components import (
    BAG,
    BAG_TOKENS,
    CARDS,
    COURTS,
    DOORWAYS,
    ENTRANCES,
    FLOWERS,
    HEDGE_SPOTS,
    HEDGES,
    KINDS,
    MOST_STEPS,
    NONE,
    PLACES,
    PLAYERS,
    RESTRICTION_CARDS,
    RESTRICTION_COPIES,
    SITES,
    STANDS,
    SUPPLY,
    Card,
    Phase,
)

MOST_SUPPLY = 7
#: Scored decorations of five seats in few numbers: seats take digits from my own on, as many as a byte has room for.
FLOWER_BASE, FLOWER_PARTS = 9, 3  # two seats in each
POT_BASE, POT_PARTS = 5, 2  # three seats in each
FLOWER_PART = np.array([i // 2 for i in range(PLAYERS)])
FLOWER_DIGIT = np.array([FLOWER_BASE ** (i % 2) for i in range(PLAYERS)])
POT_PART = np.array([i // 3 for i in range(PLAYERS)])
POT_DIGIT = np.array([POT_BASE ** (i % 3) for i in range(PLAYERS)])
FLOWER_SCALE = tuple(FLOWER_BASE ** float(2 * part - PLAYERS) for part in range(FLOWER_PARTS))
POT_SCALE = tuple(POT_BASE ** float(3 * part - PLAYERS) for part in range(POT_PARTS))
MOST_FLOWERS = tuple((FLOWER_BASE**2 - 1) * scale for scale in FLOWER_SCALE)
MOST_POTS = tuple((POT_BASE**3 - 1) * scale for scale in POT_SCALE)
LAP, LEAST_LAPS, MOST_LAPS = 80, -1, 5  # a score beyond five times round the track looks like five

FEATURES = Features(
    hand=Flags(CARDS, "characters in my hand"),
    picked=Flags(CARDS, "the first card that I have picked secretly"),
    banned=Flags(CARDS, "characters that the Main Rule forbids me"),
    top=Flags((PLAYERS, CARDS), "the visible card of each pile"),
    held=Block(PLAYERS, "cards in hand, in tenths", scale=1 / CARDS),
    other_hand=Flags((PLAYERS - 1, CARDS), "hands of the seats after me (with buried_cards_visible only)"),
    restriction=Flags(CARDS, "the visible restriction card"),
    restriction_deck=Block(CARDS, "restriction cards still to come, in halves (with buried_cards_visible only)",
                           scale=1 / RESTRICTION_COPIES),
    restriction_left=Block(1, "restriction cards in the deck, as a share of 19", scale=1 / RESTRICTION_CARDS),
    pawn=Flags((PLAYERS, SITES), "where pawns are: courtyards, the streets outside the entrances, stands"),
    marquise=Flags(COURTS, "the Marquise's courtyard"),
    marquis=Flags(COURTS, "the Marquis's courtyard"),
    cat=Flags(COURTS, "the Cat's courtyard, none while on the roof"),
    door=Flags(DOORWAYS, "the closed doorway"),
    flower=Block((PLAYERS, COURTS, HEDGES), "unscored flowers by owner, in sevenths", scale=1 / MOST_SUPPLY),
    pot=Block((PLAYERS, COURTS), "unscored flowerpots by owner, in sixths", scale=1 / 6),
    fountain=Block((PLAYERS, COURTS), "unscored fountains by owner, in fifths", scale=1 / 5),
    scored=Block((PLAYERS, COURTS), "scored decorations by owner, in tens", high=3.2, scale=1 / 10),
    hedge_kind=Flags((COURTS, HEDGES, FLOWERS), "the type that grows in each hedge, none while empty"),
    free=Block((COURTS, HEDGES), "free spots of each hedge, in eighths", scale=1 / HEDGE_SPOTS),
    pot_free=Block(COURTS, "free pot spots, in quarters", scale=1 / PLACES),
    fountain_free=Block(COURTS, "free fountain places, in quarters", scale=1 / PLACES),
    courts=Block(PLAYERS, "courtyards with decorations of a seat, in thirteenths", scale=1 / COURTS),
    common=Block((PLAYERS, KINDS), "common reserves by kind, as a share of the supply", scale=1 / SUPPLY),
    personal=Block((PLAYERS, KINDS), "personal reserves by kind, as a share of the supply", scale=1 / SUPPLY),
    stand=Block((STANDS, KINDS), "tokens on each stand by kind, in fifths", scale=1 / 5),
    bag=Block(KINDS, "tokens in the bag by kind, as a share of the full bag", scale=1 / BAG),
    bag_size=Block(1, "tokens in the bag, as a share of 90", scale=1 / BAG_TOKENS),
    score=Block((PLAYERS, 2), "points: laps of eighty, held between -1 and 5, and what is left, in eightieths",
                low=(LEAST_LAPS, 0), high=(MOST_LAPS, (LAP - 1) / LAP), scale=(1, 1 / LAP)),
    phase=Flags(len(Phase), "what is being decided"),
    turn_of=Flags(PLAYERS, "the seat whose turn it is"),
    seat=Flags(PLAYERS, "the seat to decide"),
    first=Flags(PLAYERS, "the first player"),
    card=Flags(CARDS, "the card being carried out"),
    under=Flags(CARDS, "while opponents may honk: the card under it"),
    honked=Flags(CARDS, "the card that a honk sent back this turn"),
    left=Block(1, "steps the Girl has left, or decorations that may still be placed, in thirds", scale=1 / MOST_STEPS),
    walked=Flags(1, "1 once the Girl has taken a step"),
    picked_up=Flags(1, "1 once the Girl has picked a flower up"),
    carried_owner=Flags(PLAYERS, "whose flower she carries"),
    carried_kind=Flags(FLOWERS, "its type"),
    carried_from=Flags(COURTS, "the courtyard it comes from"),
    flips=Flags(PLAYERS, "seats that still have to turn a flower"),
    triggered=Flags(1, "1 once the end is triggered"),
    final_turns=Block(1, "turns left then, in sixths", scale=1 / (PLAYERS + 1)),
    turns=Block((1, 2), "turns finished, as a share of the safety cap, 1 at most: hundredths, and hundredths of those",
                **SHARE),
    seats=Flags(PLAYERS, "seats taking part in the game"),
    options=Flags(4, "the Poet takes part, honk = auto, honk = call, buried_cards_visible"),
    scored_flower=Block(
        (COURTS, HEDGES, FLOWER_PARTS), "scored flowers of each hedge by owner: digits in base 9, my own the last one; "
        "two seats in each number", high=MOST_FLOWERS, scale=FLOWER_SCALE
    ),
    scored_pot=Block(
        (COURTS, POT_PARTS), "scored flowerpots of each courtyard by owner: digits in base 5, likewise; three seats in "
        "each number", high=MOST_POTS, scale=POT_SCALE
    ),
    doorway=Flags((DOORWAYS, COURTS), "the board: the two courtyards that each doorway joins"),
    entrance=Flags((ENTRANCES, COURTS), "the board: the courtyard behind each entrance"),
)  # fmt: skip
AT = FEATURES.start


@rule
def observe(s, seat, view):
    """Fill the view of one seat."""
    write_row(view, AT.hand, s.hand[seat])
    show_banned(s, seat, view)
    mark(view, AT.picked, s.picked[seat])
    q = int(seat)
    for i in range(s.seats):
        show_seat(s, q, i, view)
        show_decorations(s, q, i, view)
        show_scored(s, q, i, view)
        q = q + 1 if q + 1 < s.seats else 0
    show_whose(s, seat, view)
    show_board(s, view)
    show_palace(s, view)
    show_market(s, view)
    show_turn(s, view)
    if s.seats == 2:
        show_restriction(s, view)
    if s.options.buried_cards_visible:
        for i in range(1, s.seats):
            show_hand(s, (seat + i) % s.seats, AT.other_hand + (i - 1) * CARDS, view)


@rule
def show_banned(s, seat, view):
    """The Main Rule: what lies on top of other piles and of the restriction pile, but never the Cook (`is_banned`)."""
    if s.seats == 1:
        return
    for q in range(s.seats):
        if q != seat and s.top[q] != NONE:
            view[AT.banned + s.top[q]] = 1
    if s.restriction != NONE:
        view[AT.banned + s.restriction] = 1
    view[AT.banned + Card.COOK] = 0


@rule
def show_hand(s, q, at, view):
    """The hand of another seat; a secret first card looks as if it were still in it."""
    write_row(view, at, s.hand[q])
    if s.picked[q] != NONE:
        view[at + s.picked[q]] = 1


@rule
def show_seat(s, q, i, view):
    """What is public about seat q, the i-th after the observer."""
    view[AT.seats + i] = 1
    view[AT.held + i] = s.held[q]
    view[AT.courts + i] = s.courts[q]
    score = min(max(int(s.score[q]), LEAST_LAPS * LAP), MOST_LAPS * LAP)
    view[AT.score + 2 * i] = score // LAP
    view[AT.score + 2 * i + 1] = score % LAP
    view[AT.flips + i] = s.flips >> q & 1
    view[AT.pawn + i * SITES + s.pawn[q]] = 1
    mark(view, AT.top + i * CARDS, s.top[q])
    write_row(view, AT.common + i * KINDS, s.common[q])
    write_row(view, AT.personal + i * KINDS, s.personal[q])


@rule
def show_whose(s, seat, view):
    """Whose the turn, the decision, the first turn and the flower in the Girl's hand are."""
    view[AT.turn_of + after(s.turn_of, seat, s.seats)] = 1
    view[AT.seat + after(s.seat, seat, s.seats)] = 1
    view[AT.first + after(s.first, seat, s.seats)] = 1
    if s.carried_owner != NONE:
        view[AT.carried_owner + after(s.carried_owner, seat, s.seats)] = 1


@register_jitable(**UNCHECKED)
def show_decorations(s, q, i, view):
    """The decorations of seat q, courtyard by courtyard; those that no longer stand are scored. No branches."""
    tokens, flower, pot, fountain = s.tokens[q], s.flower[q], s.pot[q], s.fountain[q]
    write_grid(view, AT.flower + i * COURTS * HEDGES, flower)
    write_row(view, AT.pot + i * COURTS, pot)
    write_row(view, AT.fountain + i * COURTS, fountain)
    at = np.uint64(AT.scored + i * COURTS)
    for c in range(COURTS):
        k = np.uint64(c)
        standing = pot[k] + fountain[k]
        for h in range(HEDGES):
            standing += flower[k, np.uint64(h)]
        view[at + k] = tokens[k] - standing


@register_jitable(**UNCHECKED)
def show_scored(s, q, i, view):
    """The scored flowers and pots of the i-th seat, as its digit; fountains are what is left of its scored ones."""
    flowers, at = s.scored_flower[q].reshape(COURTS * HEDGES), np.uint64(AT.scored_flower + FLOWER_PART[i])
    for h in range(COURTS * HEDGES):
        view[at + np.uint64(h * FLOWER_PARTS)] += flowers[np.uint64(h)] * FLOWER_DIGIT[i]
    pots, at = s.scored_pot[q], np.uint64(AT.scored_pot + POT_PART[i])
    for c in range(COURTS):
        view[at + np.uint64(c * POT_PARTS)] += pots[np.uint64(c)] * POT_DIGIT[i]


@register_jitable(**UNCHECKED)  # boards are checked when they are loaded
def show_board(s, view):
    """What never changes: where doorways and entrances lead. Spots are those that are free and those that are not."""
    for d in range(s.doorways):
        view[AT.doorway + d * COURTS + s.side[d, 0]] = 1
        view[AT.doorway + d * COURTS + s.side[d, 1]] = 1
    for e in range(ENTRANCES):
        view[AT.entrance + e * COURTS + s.entrance[e]] = 1


@rule
def show_palace(s, view):
    """Figures, the door, and what is free."""
    view[AT.marquise + s.marquise] = 1
    view[AT.marquis + s.marquis] = 1
    mark(view, AT.cat, s.cat)
    view[AT.door + s.door] = 1
    write_row(view, AT.pot_free, s.pot_free)
    write_row(view, AT.fountain_free, s.fountain_free)
    write_grid(view, AT.free, s.free)
    show_kinds(s.hedge_kind, view, AT.hedge_kind)


@register_jitable(**UNCHECKED)
def show_kinds(kinds, view, at):
    """The kinds of all hedges: a one for each of them. No branches."""
    kinds, start = kinds.reshape(COURTS * HEDGES), np.uint64(at)
    for h in range(COURTS * HEDGES):
        for k in range(FLOWERS):
            view[start + np.uint64(h * FLOWERS + k)] = kinds[np.uint64(h)] == k


@rule
def show_market(s, view):
    """Stands, and the bag, whose contents follow by subtraction (VIA-149)."""
    write_grid(view, AT.stand, s.stand)
    write_row(view, AT.bag, s.bag)
    view[AT.bag_size] = s.bag_size


@rule
def show_turn(s, view):
    """The decision that is due, and how near the end is."""
    view[AT.phase + s.phase] = 1
    mark(view, AT.card, s.card)
    mark(view, AT.under, s.under)
    mark(view, AT.honked, s.honked)
    view[AT.left] = s.left
    view[AT.walked] = s.walked
    view[AT.picked_up] = s.picked_up
    mark(view, AT.carried_kind, s.carried_kind)
    mark(view, AT.carried_from, s.carried_from)
    view[AT.triggered] = s.final_turns > 0
    view[AT.final_turns] = s.final_turns
    write_share(view, AT.turns, s.turns, int(s.options.max_rounds) * s.seats)
    view[AT.options] = s.poet
    view[AT.options + 1] = s.options.honk == 1
    view[AT.options + 2] = s.options.honk == 2
    view[AT.options + 3] = s.options.buried_cards_visible


@rule
def show_restriction(s, view):
    """The restriction cards; who remembers those drawn knows what is still to come."""
    mark(view, AT.restriction, s.restriction)
    view[AT.restriction_left] = s.restriction_deck_size
    if s.options.buried_cards_visible:
        write_row(view, AT.restriction_deck, s.restriction_deck)
