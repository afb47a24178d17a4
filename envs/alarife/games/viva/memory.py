"""VIVA: what everybody at the table remembers of the hands.

Some cards of a hand are **known**: taken back after a caught bluff, or sought a house for. Of the others it is known,
kind by kind, how many may be of it. Whoever takes a card may have one more of each kind. Whoever plays on with no
further copy has none of that kind, and whoever takes a card instead of playing has, if he plays as the scripted player
does, none that he could have played. Cards taken later may be of any kind again.

So the belief that others play as the scripted player does excludes hands with which it would have done otherwise, and
weighs none: with a hand a player by fixed rules would have done the same, or would not. Rejecting states that do not
lead to what was seen is how POMCP keeps its belief (Silver and Veness, "Monte-Carlo Planning in Large POMDPs", 2010).

The numbers go up to 15, which stands for any number. They are kept as binary digits across kinds: digit i of all kinds
is one word, so that a few operations on words count for all kinds at once.
"""

from __future__ import annotations

from alarife.engine.jit import rule
from alarife.engine.layout import Block, Features
from alarife.engine.views import write_row

from .components import ALL_KINDS, DIGITS, KINDS, MOST_COPIES, PLAYERS

MOST = 2**DIGITS - 1

FEATURES = Features(
    known=Block(
        (PLAYERS - 1, KINDS),
        "copies known to be in other hands, from the next seat on, in sixths",
        scale=1 / MOST_COPIES,
    ),
    possible=Block(
        (PLAYERS - 1, KINDS),
        "how many other cards of that hand may be of the type, as that seat seems to play, in fifteenths (1: any)",
        scale=1 / MOST,
    ),
)
AT = FEATURES.start


@rule
def forget_hands(s):
    """New hands, of which nothing is known."""
    for p in range(PLAYERS):
        for k in range(KINDS):
            s.known[p, k] = 0
        allow_any(s.proven, p)
        allow_any(s.likely, p)


@rule
def allow_any(digits, p):
    """Any number of each kind."""
    for i in range(DIGITS):
        digits[p, i] = ALL_KINDS


@rule
def unlimited(digits, p):
    """The kinds of which there may be any number."""
    kinds = ALL_KINDS
    for i in range(DIGITS):
        kinds &= digits[p, i]
    return kinds


@rule
def allow_one_more(digits, p):
    """A card that may be of any kind has come into the hand."""
    carry = ALL_KINDS & ~unlimited(digits, p)
    if carry == 0:
        return
    for i in range(DIGITS):
        digit = digits[p, i]
        digits[p, i] = digit ^ carry
        carry &= digit


@rule
def rule_out(digits, p, kinds):
    """No unknown card of the hand is of these kinds."""
    for i in range(DIGITS):
        digits[p, i] &= ~kinds


@rule
def as_many_as(digits, p, count):
    """The kinds of which there may be that many."""
    count = min(count, MOST)
    more = 0
    same = ALL_KINDS
    for i in range(DIGITS - 1, -1, -1):
        if count >> i & 1:
            same &= digits[p, i]
        else:
            more |= same & digits[p, i]
            same &= ~digits[p, i]
    return more | same


@rule
def number_of(digits, p, k):
    """How many unknown cards of the hand may be of a kind."""
    count = 0
    for i in range(DIGITS):
        count |= (digits[p, i] >> k & 1) << i
    return count


@rule
def allow_one_less(digits, p, k):
    """An unknown card turned out to be of the kind: the one that has been there for longest, among those that may be.

    It may have been another one; but those left are then freer, not less free. Returns False for a kind ruled out.
    """
    count = number_of(digits, p, k)
    if count > 0:
        lower(digits, p, count)
    return count > 0


@rule
def lower(digits, p, count):
    """One card less of each kind of which there may be that many, but not any number."""
    borrow = as_many_as(digits, p, count) & ~unlimited(digits, p)
    for i in range(DIGITS):
        digit = digits[p, i]
        digits[p, i] = digit ^ borrow
        borrow &= ~digit


@rule
def take_in(s, p):
    """An unknown card has come into the hand of seat p."""
    allow_one_more(s.proven, p)
    allow_one_more(s.likely, p)


@rule
def lose(s, p, k):
    """A card has left the hand of seat p; one that was known, if there is such a one."""
    if s.known[p, k] > 0:
        s.known[p, k] -= 1
    else:
        uncover(s, p, k)


@rule
def uncover(s, p, k):
    """An unknown card turned out to be of the kind; a seat that should not have had it plays in a way of its own."""
    allow_one_less(s.proven, p, k)
    if not allow_one_less(s.likely, p, k):
        for i in range(DIGITS):
            s.likely[p, i] = s.proven[p, i]


@rule
def show(s, p, k):
    """Everybody sees that seat p holds a card of the kind."""
    if s.known[p, k] == 0:
        uncover(s, p, k)
        s.known[p, k] = 1


@rule
def show_newest(s, p, k):
    """Everybody sees that the card that seat p took last is of the kind."""
    lower(s.proven, p, 1)
    lower(s.likely, p, 1)
    s.known[p, k] += 1


@rule
def holds_no_more(s, p, kinds):
    """The rules prove that no unknown card of the hand is of these kinds."""
    rule_out(s.proven, p, kinds)
    rule_out(s.likely, p, kinds)


@rule
def lay_open(s):
    """At a table of two everybody knows all cards but those of the other hand when the stack is empty."""
    for p in range(s.seats):
        for k in range(KINDS):
            s.known[p, k] = s.hand[p, k]
        holds_no_more(s, p, ALL_KINDS)


@rule
def observe(s, seat, view):
    """What the seat remembers of the other hands."""
    for i in range(s.seats - 1):
        p = (seat + 1 + i) % s.seats
        write_row(view, AT.known + i * KINDS, s.known[p])
        for k in range(KINDS):
            view[AT.possible + i * KINDS + k] = number_of(s.likely, p, k)


@rule
def agrees(s, seat):
    """Other hands hold what is known of them, and no more of a kind than may be."""
    for p in range(s.seats):
        if p != seat and s.active[p]:
            unknown = 0
            for k in range(KINDS):
                assert s.hand[p, k] >= s.known[p, k], "a card that was seen in a hand is no longer there"
                unknown += s.hand[p, k] - s.known[p, k]
            for count in range(1, min(unknown, MOST) + 1):
                kinds = as_many_as(s.proven, p, count)
                fewer = 0
                for k in range(KINDS):
                    if not kinds >> k & 1:
                        fewer += s.hand[p, k] - s.known[p, k]
                assert fewer < count, "a hand holds cards that were proven not to be there"
