"""VIVA: what always holds (section 13)."""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.games.viva.components import COPIES, HOUSES, KINDS, NONE, PLAYERS, SINGLE_ROUND, Phase, Spot, Todo

from .calling import houses_share_colour
from .end import seat_at
from .matching import colours_of, is_playable, only_card
from .seats import still_in


@rule
def check(s):
    """Assert all invariants: section 13 of the rules."""
    check_seats(s)
    copies = COPIES[s.options.edition]
    stacked = 0
    for k in range(KINDS):
        stacked += s.stack[k]
        count = s.stack[k] + s.discard[k] + s.covered[k] + (s.general == k) + (s.personal == k)
        for h in range(HOUSES):
            count += s.top[h] == k
        for p in range(s.seats):
            count += s.hand[p, k]
        assert count == copies, "VIV-140: the cards of a type are not all there"
    assert stacked == s.stack_size, "VIV-140: the stack is not as large as it says"
    assert s.personal == NONE or s.owner != NONE, "VIV-146: a personal card lies in front of nobody"
    assert s.owner == NONE or s.active[s.owner] or s.over, "VIV-143: a player who is out has a personal card"
    handed_out = 0
    for p in range(s.seats):
        handed_out += s.wins[p]
        held = 0
        for k in range(KINDS):
            held += s.hand[p, k]
        assert held == s.held[p], "VIV-140: a hand is not as large as it says"
        assert s.over or not s.active[p] or held > 0, "VIV-142: an active player has no card"
    assert handed_out == s.round, "VIV-144: winner's cards and rounds differ"
    check_houses(s)
    if s.over:
        assert s.champion == s.seat, "VIV-108: the match is over, and nobody has won it"
        return
    check_match(s)
    check_round(s)
    check_turn(s)
    check_phase(s)


@rule
def check_houses(s):
    """Heights, and matching tops (VIV-141)."""
    below = 0
    for k in range(KINDS):
        below += s.covered[k]
    for h in range(HOUSES):
        assert (s.top[h] == NONE) == (s.height[h] == 0), "VIV-140: an empty house has a top card"
        below -= max(0, s.height[h] - 1)
        if s.placed[h] > 0 and not s.options.bluff:
            under = colours_of(s.under[h])
            assert under == 0 or (under & colours_of(s.top[h])) != 0, "VIV-141: a card lies where it does not match"
    assert below == 0, "VIV-140: covered cards and heights differ"


@rule
def check_seats(s):
    """Whoever is named sits at the table (VIV-147)."""
    assert 0 <= s.turn_of < s.seats, "VIV-147: it is the turn of nobody at the table"
    assert 0 <= s.starter < s.seats, "VIV-147: nobody at the table started"
    assert NONE <= s.owner < s.seats, "VIV-147: a personal card lies in front of nobody at the table"
    assert NONE <= s.champion < s.seats, "VIV-147: nobody at the table has won"
    assert 0 <= s.turns <= s.options.max_turns_per_round, "VIV-147: turns are miscounted"
    assert s.capped <= s.round + s.tie_break, "VIV-095: more rounds were stopped than ended"
    assert s.todo == Todo.NOTHING, "a decision is due while the rules still have something to do"
    for p in range(s.seats, PLAYERS):
        nothing = s.active[p] == 0 and s.wins[p] == 0 and s.position[p] == 0 and s.held[p] == 0
        assert nothing, "VIV-147: a seat that is not at the table plays"


@rule
def check_match(s):
    """Rounds and winner's cards of a match that goes on (VIV-100 to VIV-107)."""
    assert s.champion == NONE, "VIV-108: somebody has won a match that goes on"
    rounds = 1 if s.options.match == SINGLE_ROUND else s.options.rounds
    if s.tie_break:
        assert s.options.match != SINGLE_ROUND, "VIV-106: a single round has no tie-break"
        assert s.round == rounds, "VIV-106: a tie-break comes too soon"
    else:
        assert s.round < rounds, "VIV-105: the match goes on after its last round"
    for p in range(s.seats):
        assert s.position_sum[p] <= s.round * s.seats, "VIV-103: positions and rounds differ"
        takes_part = s.active[p] or s.position[p] > 0
        assert takes_part or s.tie_break, "VIV-103: a seat takes no part in the round"


@rule
def check_round(s):
    """Who is in and who is out (VIV-103, VIV-142)."""
    assert still_in(s) > 1, "VIV-104: the round goes on with fewer than two"
    out = 0
    for p in range(s.seats):
        assert not s.active[p] or s.position[p] == 0, "VIV-103: a seat that is in has a position"
        out += s.position[p] > 0
    for position in range(1, out + 1):
        assert seat_at(s, position) != NONE, "VIV-103: a position of the round is missing"


@rule
def check_turn(s):
    """Whose turn it is, and what the turn has left behind (sections 5 and 11)."""
    assert s.active[s.turn_of], "VIV-142: it is the turn of a seat that is out"
    assert s.turns > 0, "VIV-147: turns are miscounted"
    assert (s.seat == s.turn_of) == (s.phase != Phase.CATCH), "VIV-119: another seat is to decide"
    in_play = s.phase == Phase.MORE or s.phase == Phase.VIVA or s.phase == Phase.CATCH
    assert not s.illegal or (s.options.bluff and (in_play or s.calling)), "VIV-115: an illegal play without a bluff"
    assert not s.calling or s.phase == Phase.BLOCK, "VIV-070: a call of VIVA without a new blocking card"
    assert s.spot == Spot.HOUSES or s.phase == Phase.CATCH, "VIV-079: the last card is out, but the turn goes on"
    assert s.noticed == 0 or s.phase == Phase.CATCH, "VIV-118: a play was noticed that nobody may catch"
    copies = 0
    for h in range(HOUSES):
        copies += s.placed[h]
    if s.spot != Spot.HOUSES or not in_play:
        assert copies == 0, "VIV-053: copies were put down, but none is being played"
    else:
        check_play(s, copies)


@rule
def check_play(s, copies):
    """The copies of the play lie on top of the houses, all in one or each in another (VIV-052 to VIV-054)."""
    assert s.kind != NONE and copies > 0, "VIV-050: no type is being played"
    used = 0
    below = copies  # copies of the type that must lie below the tops, or be a top
    for h in range(HOUSES):
        if s.placed[h] > 0:
            used += 1
            below -= 1
            assert s.top[h] == s.kind, "VIV-052: another type than the one being played lies on top"
            more = s.height[h] - s.placed[h]
            assert more == 0 if s.under[h] == NONE else more > 0, "VIV-052: the house was not as high as it says"
    for h in range(HOUSES):
        if s.placed[h] > 0 and s.under[h] != NONE:
            needed = below if s.under[h] == s.kind else 0
            for other in range(HOUSES):
                needed += s.placed[other] > 0 and s.under[other] == s.under[h]
            assert s.covered[s.under[h]] >= needed, "VIV-140: a card is missing below the tops"
    assert s.covered[s.kind] >= below, "VIV-140: a card is missing below the tops"
    assert used == 1 or used == copies, "VIV-054: copies lie neither in one house nor in different ones"


@rule
def check_phase(s):
    """What has to hold when a decision is due (section 12)."""
    p = s.turn_of
    if s.phase == Phase.TURN:
        assert s.drawn == NONE, "VIV-041: a card was taken, but the turn has not begun"
    elif s.phase == Phase.HOUSE:
        assert s.kind != NONE and s.hand[p, s.kind] > 0, "VIV-050: the type being played is not in hand"
        assert is_playable(s, p, s.kind), "VIV-056: the type being played cannot be played"
    elif s.phase == Phase.MORE:
        assert s.hand[p, s.kind] > 0 and s.held[p] > 1, "VIV-056: no other copy is in hand"
    elif s.phase == Phase.DRAWN:
        assert s.drawn != NONE and s.hand[p, s.drawn] > 0, "VIV-042: the card just taken is not in hand"
        assert is_playable(s, p, s.drawn), "VIV-043: the card just taken cannot be played"
    elif s.phase == Phase.VIVA:
        assert houses_share_colour(s), "VIV-060: the houses share no colour"
    elif s.phase == Phase.BLOCK:
        assert s.general == NONE, "VIV-071: a blocking card lies there already"
        assert s.hand[p, only_card(s, p)] < s.held[p], "VIV-132: there is no choice of a blocking card"
    else:
        check_catch(s)


@rule
def check_catch(s):
    """Who may catch, and what (section 11)."""
    assert s.illegal, "VIV-118: a legal play is to be caught"
    assert s.active[s.seat], "VIV-118: a seat that is out may catch"
    for q in range(PLAYERS):
        if s.noticed >> q & 1:
            assert q < s.seats and s.active[q] and q != s.turn_of, "VIV-118: a play was noticed by nobody in the round"
    assert s.noticed >> s.seat & 1 == 0, "VIV-119: a seat is asked twice"
    if s.spot != Spot.HOUSES:
        assert s.held[s.turn_of] == 1 and s.kind == only_card(s, s.turn_of), (
            "VIV-074: the card put down is not the last"
        )
        block = s.general if s.spot == Spot.GENERAL else s.personal
        assert block != NONE, "VIV-075: the last card lies on no blocking card"
        assert s.spot == Spot.GENERAL or s.owner == s.turn_of, "VIV-076: the personal card is another player's"
