"""Palace of Viana: what a seat may know (VIA-193 to VIA-196). Seats are counted from the observer: 0 is oneself."""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from alarife.engine.jit import RULE_SETTINGS, rule
from alarife.engine.layout import Block, Features

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
    Phase,
)
from .rules.cards import is_banned

MOST_SUPPLY = 7
#: The numbers of five seats in one that float32 tells apart: what each seat's is multiplied by.
FLOWER_DIGIT = np.array([1 / 9 ** (PLAYERS - i) for i in range(PLAYERS)])
POT_DIGIT = np.array([1 / 5 ** (PLAYERS - i) for i in range(PLAYERS)])
SCORE_UNIT, LEAST_SCORE, MOST_SCORE = 80.0, -1.0, 5.0  # a score beyond five times round the track looks like five

FEATURES = Features(
    hand=Block(CARDS, "characters in my hand"),
    picked=Block(CARDS, "the first card that I have picked secretly"),
    banned=Block(CARDS, "characters that the Main Rule forbids me"),
    top=Block((PLAYERS, CARDS), "the visible card of each pile"),
    held=Block(PLAYERS, "cards in hand, in tenths"),
    other_hand=Block((PLAYERS - 1, CARDS), "hands of the seats after me (with buried_cards_visible only)"),
    restriction=Block(CARDS, "the visible restriction card"),
    restriction_deck=Block(CARDS, "restriction cards still to come, in halves (with buried_cards_visible only)"),
    restriction_left=Block(1, "restriction cards in the deck, as a share of 19"),
    pawn=Block((PLAYERS, SITES), "where pawns are: courtyards, the streets outside the entrances, stands"),
    marquise=Block(COURTS, "the Marquise's courtyard"),
    marquis=Block(COURTS, "the Marquis's courtyard"),
    cat=Block(COURTS, "the Cat's courtyard, none while on the roof"),
    door=Block(DOORWAYS, "the closed doorway"),
    flower=Block((PLAYERS, COURTS, HEDGES), "unscored flowers by owner, in sevenths"),
    pot=Block((PLAYERS, COURTS), "unscored flowerpots by owner, in sixths"),
    fountain=Block((PLAYERS, COURTS), "unscored fountains by owner, in fifths"),
    scored=Block((PLAYERS, COURTS), "scored decorations by owner, in tens", high=3.2),
    hedge_kind=Block((COURTS, HEDGES, FLOWERS), "the type that grows in each hedge, none while empty"),
    free=Block((COURTS, HEDGES), "free spots of each hedge, in eighths"),
    pot_free=Block(COURTS, "free pot spots, in quarters"),
    fountain_free=Block(COURTS, "free fountain places, in quarters"),
    courts=Block(PLAYERS, "courtyards with decorations of a seat, in thirteenths"),
    common=Block((PLAYERS, KINDS), "common reserves by kind, as a share of the supply"),
    personal=Block((PLAYERS, KINDS), "personal reserves by kind, as a share of the supply"),
    stand=Block((STANDS, KINDS), "tokens on each stand by kind, in fifths"),
    bag=Block(KINDS, "tokens in the bag by kind, as a share of the full bag"),
    bag_size=Block(1, "tokens in the bag, as a share of 90"),
    score=Block(PLAYERS, "points, in eighties, held between -1 and 5", low=LEAST_SCORE, high=MOST_SCORE),
    phase=Block(len(Phase), "what is being decided"),
    turn_of=Block(PLAYERS, "the seat whose turn it is"),
    seat=Block(PLAYERS, "the seat to decide"),
    first=Block(PLAYERS, "the first player"),
    card=Block(CARDS, "the card being carried out"),
    under=Block(CARDS, "while opponents may honk: the card under it"),
    honked=Block(CARDS, "the card that a honk sent back this turn"),
    left=Block(1, "steps the Girl has left, or decorations that may still be placed, in thirds"),
    walked=Block(1, "1 once the Girl has taken a step"),
    picked_up=Block(1, "1 once the Girl has picked a flower up"),
    carried_owner=Block(PLAYERS, "whose flower she carries"),
    carried_kind=Block(FLOWERS, "its type"),
    carried_from=Block(COURTS, "the courtyard it comes from"),
    flips=Block(PLAYERS, "seats that still have to turn a flower"),
    triggered=Block(1, "1 once the end is triggered"),
    final_turns=Block(1, "turns left then, in sixths"),
    turns=Block(1, "turns finished, as a share of the safety cap, at most 1"),
    seats=Block(PLAYERS, "seats taking part in the game"),
    options=Block(4, "the Poet takes part, honk = auto, honk = call, buried_cards_visible"),
    scored_flower=Block(
        (COURTS, HEDGES), "scored flowers of each hedge by owner: digits in base 9, my own the last one"
    ),
    scored_pot=Block(COURTS, "scored flowerpots of each courtyard by owner: digits in base 5, likewise"),
    doorway=Block((DOORWAYS, COURTS), "the board: the two courtyards that each doorway joins"),
    entrance=Block((ENTRANCES, COURTS), "the board: the courtyard behind each entrance"),
)
AT = FEATURES.start


@rule
def observe(s, seat, view):
    """Fill the view of one seat."""
    for k in range(CARDS):
        view[AT.hand + k] = s.hand[seat, k]
        if s.seats > 1 and is_banned(s, seat, k):
            view[AT.banned + k] = 1
    mark(view, AT.picked, s.picked[seat])
    for i in range(s.seats):
        q = (seat + i) % s.seats
        show_seat(s, q, i, view)
        show_decorations(s, q, i, view)
    show_board(s, view)
    show_palace(s, view)
    show_market(s, view)
    show_turn(s, seat, view)
    if s.seats == 2:
        show_restriction(s, view)
    if s.options.buried_cards_visible:
        for i in range(1, s.seats):
            show_hand(s, (seat + i) % s.seats, AT.other_hand + (i - 1) * CARDS, view)


@rule
def mark(view, at, index):
    """A one at the index, nothing for NONE."""
    if index != NONE:
        view[at + index] = 1


@rule
def show_hand(s, q, at, view):
    """The hand of another seat; a secret first card looks as if it were still in it."""
    for k in range(CARDS):
        view[at + k] = s.hand[q, k]
    mark(view, at, s.picked[q])


@rule
def show_seat(s, q, i, view):
    """What is public about seat q, the i-th after the observer."""
    view[AT.seats + i] = 1
    view[AT.held + i] = s.held[q] / CARDS
    view[AT.courts + i] = s.courts[q] / COURTS
    view[AT.score + i] = min(max(s.score[q] / SCORE_UNIT, LEAST_SCORE), MOST_SCORE)
    view[AT.turn_of + i] = s.turn_of == q
    view[AT.seat + i] = s.seat == q
    view[AT.first + i] = s.first == q
    view[AT.flips + i] = s.flips >> q & 1
    view[AT.carried_owner + i] = s.carried_owner == q
    view[AT.pawn + i * SITES + s.pawn[q]] = 1
    mark(view, AT.top + i * CARDS, s.top[q])
    for k in range(KINDS):
        view[AT.common + i * KINDS + k] = s.common[q, k] / SUPPLY[k]
        view[AT.personal + i * KINDS + k] = s.personal[q, k] / SUPPLY[k]


@rule
def show_decorations(s, q, i, view):
    """The decorations of seat q, courtyard by courtyard."""
    for c in range(COURTS):
        if s.tokens[q, c] > 0:
            at = i * COURTS + c
            scored = s.tokens[q, c] - s.pot[q, c] - s.fountain[q, c]
            for h in range(HEDGES):
                if s.flower[q, c, h] > 0:
                    scored -= s.flower[q, c, h]
                    view[AT.flower + at * HEDGES + h] = s.flower[q, c, h] / MOST_SUPPLY
            view[AT.pot + at] = s.pot[q, c] / SUPPLY[3]
            view[AT.fountain + at] = s.fountain[q, c] / SUPPLY[4]
            if scored > 0:
                view[AT.scored + at] = scored / 10
                show_scored(s, q, i, c, view)


@rule
def show_scored(s, q, i, c, view):
    """The scored flowers and pots of the i-th seat in a courtyard; fountains are what is left of its scored ones."""
    for h in range(HEDGES):
        if s.scored_flower[q, c, h] > 0:
            view[AT.scored_flower + c * HEDGES + h] += s.scored_flower[q, c, h] * FLOWER_DIGIT[i]
    if s.scored_pot[q, c] > 0:
        view[AT.scored_pot + c] += s.scored_pot[q, c] * POT_DIGIT[i]


@register_jitable(**{**RULE_SETTINGS, "boundscheck": False})  # boards are checked when they are loaded
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
    for c in range(COURTS):
        view[AT.pot_free + c] = s.pot_free[c] / PLACES
        view[AT.fountain_free + c] = s.fountain_free[c] / PLACES
        for h in range(HEDGES):
            view[AT.free + c * HEDGES + h] = s.free[c, h] / HEDGE_SPOTS
            mark(view, AT.hedge_kind + (c * HEDGES + h) * FLOWERS, s.hedge_kind[c, h])


@rule
def show_market(s, view):
    """Stands, and the bag, whose contents follow by subtraction (VIA-149)."""
    for i in range(STANDS):
        for k in range(KINDS):
            view[AT.stand + i * KINDS + k] = s.stand[i, k] / 5
    for k in range(KINDS):
        view[AT.bag + k] = s.bag[k] / BAG[k]
    view[AT.bag_size] = s.bag_size / BAG_TOKENS


@rule
def show_turn(s, seat, view):
    """The decision that is due, and how near the end is."""
    view[AT.phase + s.phase] = 1
    mark(view, AT.card, s.card)
    mark(view, AT.under, s.under)
    mark(view, AT.honked, s.honked)
    view[AT.left] = s.left / MOST_STEPS
    view[AT.walked] = s.walked
    view[AT.picked_up] = s.picked_up
    mark(view, AT.carried_kind, s.carried_kind)
    mark(view, AT.carried_from, s.carried_from)
    view[AT.triggered] = s.final_turns > 0
    view[AT.final_turns] = s.final_turns / (PLAYERS + 1)
    view[AT.turns] = min(1.0, s.turns / (s.options.max_rounds * s.seats))
    view[AT.options] = s.poet
    view[AT.options + 1] = s.options.honk == 1
    view[AT.options + 2] = s.options.honk == 2
    view[AT.options + 3] = s.options.buried_cards_visible


@rule
def show_restriction(s, view):
    """The restriction cards; who remembers those drawn knows what is still to come."""
    mark(view, AT.restriction, s.restriction)
    view[AT.restriction_left] = s.restriction_deck_size / RESTRICTION_CARDS
    if s.options.buried_cards_visible:
        for k in range(CARDS):
            view[AT.restriction_deck + k] = s.restriction_deck[k] / RESTRICTION_COPIES
