"""The random stream inside a state, so that a copied state has the same future.

SplitMix64: one 64-bit word in the field ``rng``. All 64-bit mixing of the house stands in this file, because mixed
signed and unsigned arithmetic differs between Python, NumPy and Numba.

The functions marked `chance` are the only way in which a rule may draw. Called from Python they also tell whoever
records a replay what came out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
from numba.extending import overload

from .jit import RULE_SETTINGS, rule
from .layout import Record, u64

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
    """A 64-bit digest of unsigned numbers; zeros cost next to nothing."""
    z = np.uint64(0)
    for i in range(words.size):
        if words[i] != 0:
            word = (np.uint64(words[i]) ^ (np.uint64(i + 1) * _STEP)) * _MIX_A
            z = z + (word ^ (word >> _31)) * _MIX_B
    return z ^ (z >> _30)


@_wrapping
def share(word, n):
    """Which of n equal shares of all words a word lies in."""
    return int(((np.uint64(word) >> _32) * np.uint64(n)) >> _32)


# --- draws ----------------------------------------------------------------------------------------

Listener = Callable[[str, int, float], None]
_listeners: list[Listener] = []


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell the listener every draw that plain Python makes meanwhile: its kind, among how many (0: any), outcome."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def chance(among: Callable[..., int]) -> Callable[[Function], Function]:
    """A draw that a rule may make; `among` says from how many outcomes."""

    def mark(function: Function) -> Function:
        kind = function.__name__

        def told(*args: Any) -> Any:
            outcome = function(*args)
            for listener in _listeners:
                listener(kind, among(*args), outcome)
            return outcome

        told.__name__, told.__doc__ = kind, function.__doc__
        overload(told, jit_options=RULE_SETTINGS, strict=False)(lambda *args: function)
        return told  # type: ignore[return-value]

    return mark


@rule
def _below(s, n):
    return share(next_word(s), n)


@chance(lambda s, n: n)
def below(s, n):
    """A uniform whole number from 0 to n - 1, for n far below 2**32."""
    return _below(s, n)


@chance(lambda s, counts, total: total)
def draw_kind(s, counts, total):
    """A kind, each as likely as its share of the counts, whose sum is total: a card from a shuffled pile."""
    left = _below(s, total)
    kind = 0
    while left >= counts[kind]:
        left -= counts[kind]
        kind += 1
    return kind


@rule
def _uniform(s):
    return float(np.float64(next_word(s) >> _11) * 2.0**-53)


@chance(lambda s: 0)
def uniform(s):
    """A number from 0 to just below 1."""
    return _uniform(s)


@chance(lambda s, probability: 2)
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
