"""The random stream inside a state, so that a copied state has the same future.

SplitMix64: one 64-bit word in the field ``rng``. All 64-bit mixing of the house stands in this file, because mixed
signed and unsigned arithmetic differs between Python, NumPy and Numba.

The functions marked `chance` are the only way in which a rule may draw. Called from Python they also tell whoever
records a replay what came out, and let whoever enumerates chance decide it.

Luck by order, the default: each draw takes the next word of the stream. Luck by event, for duplicate deals: the record
has a field ``luck``, `rng` stays the key of the deal, and each event (a pile, a die) has a stream of its own, cut out
of the key's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, TypeVar

import numba
import numpy as np
from numba.extending import intrinsic, overload

from .errors import ChanceError
from .jit import RULE_SETTINGS, rule
from .layout import Field, Record, i32, u64

Function = TypeVar("Function", bound=Callable[..., Any])

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)
_11, _27, _30, _31, _32 = np.uint64(11), np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


class Stream(Record):
    """A random stream outside of any game, for players and samplers."""

    rng = u64


# --- words ----------------------------------------------------------------------------------------


def _wrapping(function: Function) -> Function:
    """A rule whose unsigned arithmetic wraps around: silently so when NumPy runs it."""

    def quiet(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    overload(quiet, jit_options=RULE_SETTINGS, strict=False)(lambda *args: function)
    return quiet  # type: ignore[return-value]


@_wrapping
def next_word(s):
    """The next 64 random bits."""
    z = np.uint64(s.rng) + _STEP
    s.rng = z
    z = (z ^ (z >> _30)) * _MIX_A
    z = (z ^ (z >> _27)) * _MIX_B
    return z ^ (z >> _31)


@_wrapping
def stream_key(seed, index):
    """The start of the index-th of many independent streams of one seed."""
    z = np.uint64(seed) ^ ((np.uint64(index) + np.uint64(1)) * _MIX_B)
    z = (z ^ (z >> _30)) * _MIX_A
    z = (z ^ (z >> _27)) * _MIX_B
    return z ^ (z >> _31)


@_wrapping
def digest(words):
    """A 64-bit digest of words of 64 bits; zeros cost next to nothing."""
    z = np.uint64(0)
    for i in range(words.size):
        if words[i] != 0:
            word = np.uint64(words[i]) ^ (np.uint64(i + 1) * _STEP)
            word = (word ^ (word >> _32)) * _MIX_A
            z = z + (word ^ (word >> _31)) * _MIX_B
    return z ^ (z >> _30)


@_wrapping
def share(word, n):
    """Which of n equal shares of all words a word lies in."""
    return int(((np.uint64(word) >> _32) * np.uint64(n)) >> _32)


# --- luck by order or by event --------------------------------------------------------------------

_NUMBERS = 32  # events told apart by the number of their outcomes: a die, an order
_PILES = 31  # events told apart by where the counts lie in the record; a prime, as fields lie at even distances
_EVENTS = _NUMBERS + _PILES
#: How often each event has been drawn from, in a record of a game with luck by event.
LUCK: Field = i32[_EVENTS].between(0, 2**31 - 1)


def _is_by_event(s):
    return "luck" in s._record.dtype.fields


@_wrapping
def _event_word(s, event):
    """The next word of an event's own stream: every `_EVENTS`-th word of the stream that begins at the key."""
    z = np.uint64(s.rng) + (np.uint64(s.luck[event]) * np.uint64(_EVENTS) + np.uint64(event + 1)) * _STEP
    s.luck[event] += 1
    z = (z ^ (z >> _30)) * _MIX_A
    z = (z ^ (z >> _27)) * _MIX_B
    return z ^ (z >> _31)


@rule
def _event_of_number(n):
    return n % _NUMBERS


@rule
def _event_of_pile(offset, size):
    """A pile that lies outside the record is no event of its own."""
    return _NUMBERS + offset % _PILES if 0 <= offset < size else 0


@intrinsic
def _offset(_typing, record, array):
    """How far behind the beginning of a record one of its arrays lies."""

    def generate(context, builder, signature, args):
        number = context.get_value_type(numba.types.int64)
        data = context.make_array(signature.args[1])(context, builder, args[1]).data
        return builder.sub(builder.ptrtoint(data, number), builder.ptrtoint(args[0], number))

    return numba.types.int64(record, array), generate


def _address(array):
    return array.__array_interface__["data"][0]


def _event_of(s, pile):
    """The event that a pile is."""
    record = s._record
    return _event_of_pile(_address(pile) - _address(record), record.dtype.itemsize)


@overload(_event_of, jit_options=RULE_SETTINGS, strict=False)
def _compiled_event_of(s, pile):
    size = s.size
    return lambda s, pile: _event_of_pile(_offset(s, pile), size)


def begin_luck(s, key):
    """All that is drawn from now on follows from this key."""
    s.rng = key
    if _is_by_event(s):
        s.luck[:] = 0


@overload(begin_luck, jit_options=RULE_SETTINGS, strict=False)
def _compiled_begin_luck(s, key):
    if "luck" not in s.fields:

        def by_order(s, key):
            s.rng = key

        return by_order

    def by_event(s, key):
        s.rng = key
        s.luck[:] = 0

    return by_event


# --- draws ----------------------------------------------------------------------------------------

Listener = Callable[[str, int, float], None]
Shares = list[tuple[int, Fraction]]  # what can come out of a draw, and how likely it is
Decider = Callable[[str, int, Shares | None, float], Any]
_listeners: list[Listener] = []
_deciders: list[Decider] = []


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell the listener every draw that plain Python makes meanwhile: its kind, among how many (0: any), outcome."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


@contextmanager
def deciding(decider: Decider) -> Iterator[None]:
    """Let the decider say what comes out of every draw that plain Python makes meanwhile.

    It is told the kind of draw, among how many, what can come out (None: a continuum) and what the stream says. The
    stream goes on as ever, so that what follows does not depend on what the decider says.
    """
    _deciders.append(decider)
    try:
        yield
    finally:
        _deciders.remove(decider)


def chance(
    among: Callable[..., int], shares: Callable[..., Shares | None], by_event: Callable[..., Any]
) -> Callable[[Function], Function]:
    """A draw that a rule may make; `among` says from how many outcomes, `shares` from which.

    `by_event` is the draw in games with luck by event. Which of the two is known when a rule is compiled, so that
    luck by order costs nothing.
    """

    def mark(function: Function) -> Function:
        kind = function.__name__

        def told(*args: Any) -> Any:
            possible = shares(*args) if _deciders else None
            outcome = (by_event if _is_by_event(args[0]) else function)(*args)
            if _deciders:
                outcome = _deciders[-1](kind, among(*args), possible, outcome)
            for listener in _listeners:
                listener(kind, among(*args), outcome)
            return outcome

        told.__name__, told.__doc__ = kind, function.__doc__
        overload(told, jit_options=RULE_SETTINGS, strict=False)(
            lambda *args: by_event if "luck" in args[0].fields else function
        )
        return told  # type: ignore[return-value]

    return mark


def _equal_shares(s, n):
    return [(i, Fraction(1, int(n))) for i in range(int(n))]


def _shares_of_counts(s, counts, total):
    """The last kind gets what is left, should the counts hold more than the total says."""
    left, shares = int(total), []
    for kind, count in enumerate(counts):
        if (held := min(int(count), left)) > 0:
            shares.append((kind, Fraction(held, int(total))))
            left -= held
    if left:
        raise ChanceError(f"a draw among {int(total)} is made from counts that hold {int(total) - left}")
    return shares


def _shares_of_yes(s, probability):
    yes = min(max(Fraction(float(probability)), Fraction(0)), Fraction(1))
    return [(outcome, share) for outcome, share in ((0, 1 - yes), (1, yes)) if share]


@rule
def _below(s, n):
    return share(next_word(s), n)


@rule
def _below_by_event(s, n):
    return share(_event_word(s, _event_of_number(n)), n)


@chance(lambda s, n: n, _equal_shares, _below_by_event)
def below(s, n):
    """A uniform whole number from 0 to n - 1, for n far below 2**32."""
    return _below(s, n)


@rule
def _draw_kind_by_event(s, counts, total):
    left = share(_event_word(s, _event_of(s, counts)), total)
    kind = 0
    while left >= counts[kind]:
        left -= counts[kind]
        kind += 1
    return kind


@chance(lambda s, counts, total: total, _shares_of_counts, _draw_kind_by_event)
def draw_kind(s, counts, total):
    """A kind, each as likely as its share of the counts, whose sum is total: a card from a shuffled pile."""
    left = _below(s, total)
    kind = 0
    while left >= counts[kind]:
        left -= counts[kind]
        kind += 1
    return kind


@rule
def _unit(word):
    return float(np.float64(word >> _11) * 2.0**-53)


@rule
def _uniform(s):
    return _unit(next_word(s))


@rule
def _uniform_by_event(s):
    return _unit(_event_word(s, _event_of_number(0)))


@chance(lambda s: 0, lambda s: None, _uniform_by_event)
def uniform(s):
    """A number from 0 to just below 1."""
    return _uniform(s)


@rule
def _happens_by_event(s, probability):
    return 1 if _unit(_event_word(s, _event_of_number(1))) < probability else 0


@chance(lambda s, probability: 2, _shares_of_yes, _happens_by_event)
def happens(s, probability):
    """1 with that probability, else 0."""
    return 1 if _uniform(s) < probability else 0


@rule
def shuffle(s, items, count):
    """Put the first `count` items into random order."""
    for i in range(count - 1, 0, -1):
        j = below(s, i + 1)
        kept = items[i]
        items[i] = items[j]
        items[j] = kept
