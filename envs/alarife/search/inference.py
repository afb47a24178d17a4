"""A trained network inside a kernel: layers with ReLU on arrays that were made beforehand.

A network arrives as its sizes, ``[observation, hidden..., actions]``, and one flat array of numbers, so that one
compiled kernel serves every network for its game. For each layer in turn, the scores of the actions and the value last,
the array holds the biases and then the weights of input 0, of input 1, and so on: what is added up lies side by side.
Inputs that are 0 are passed over. Most numbers of an observation are, and many of a layer with ReLU.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numba.extending import overload

from alarife.engine.jit import RULE_SETTINGS, rule

#: Bounds checks would keep these loops from using wide instructions; `check_sizes` makes sure beforehand.
_UNCHECKED = {**RULE_SETTINGS, "boundscheck": False}


def check_sizes(sizes: np.ndarray[Any, Any], weights: np.ndarray[Any, Any], signals: np.ndarray[Any, Any]) -> None:
    """Assert that weights and signals are as long as the sizes ask for: kernels read and write them unchecked."""
    assert sizes.dtype == np.int64, "sizes are int64"
    assert weights.dtype == signals.dtype == np.float32, "networks are float32"
    assert len(sizes) >= 2, "a network has an observation and actions"
    wanted = sum((before + 1) * after for before, after in pairwise(sizes)) + sizes[-2] + 1
    assert (len(weights), len(signals)) == (wanted, 2 * sizes.max()), "the network has other sizes"


def layer(signals: Any, source: Any, count: Any, weights: Any, at: Any, out: Any, to: Any, size: Any, raw: Any) -> None:
    """Fill ``out[to : to + size]`` from ``signals[source : source + count]``, of which ReLU leaves what is above 0.

    `raw` inputs are numbers of an observation, which no ReLU has seen. Run by Python the sums come out the same to the
    last bit: every product is added in the same order.
    """
    inputs = np.array(signals[source : source + count])
    total = np.array(weights[at : at + size])
    for i in np.flatnonzero(inputs if raw else inputs > 0):
        start = at + (i + 1) * size
        total += inputs[i] * np.asarray(weights[start : start + size])
    out[to : to + size] = total


@overload(layer, jit_options=_UNCHECKED, strict=False)  # type: ignore[untyped-decorator]
def _layer(signals: Any, source: Any, count: Any, weights: Any, at: Any, out: Any, to: Any, size: Any, raw: Any) -> Any:
    return _native_layer


def _native_layer(
    signals: Any, source: Any, count: Any, weights: Any, at: Any, out: Any, to: Any, size: Any, raw: Any
) -> None:
    start, end = np.uint64(to), np.uint64(size)
    p = q = r = np.float32(0)
    a = b = c = np.uint64(0)
    for j in range(end):
        out[start + j] = weights[np.uint64(at) + j]
    waiting = 0
    for i in range(count):
        x = signals[source + i]
        if x > 0 or (raw and x < 0):
            d = np.uint64(at + (i + 1) * size)
            if waiting == 0:
                p, a = x, d
            elif waiting == 1:
                q, b = x, d
            elif waiting == 2:
                r, c = x, d
            else:  # four at once: each sum is read and written once for them all
                for j in range(end):
                    out[start + j] = (
                        (((out[start + j] + p * weights[a + j]) + q * weights[b + j]) + r * weights[c + j])
                        + x * weights[d + j]
                    )  # fmt: skip
            waiting = waiting + 1 if waiting < 3 else 0
    if waiting > 0:
        for j in range(end):
            out[start + j] += p * weights[a + j]
    if waiting > 1:
        for j in range(end):
            out[start + j] += q * weights[b + j]
    if waiting > 2:
        for j in range(end):
            out[start + j] += r * weights[c + j]


@rule
def think(view: Any, sizes: Any, weights: Any, signals: Any, scores: Any) -> Any:
    """Fill the scores of all actions for what a seat sees; returns the value.

    `signals` has room for two of the longest layer, observation included.
    """
    here, there = 0, signals.size // 2
    for i in range(sizes[0]):
        signals[here + i] = view[i]
    at = 0
    last = sizes.size - 2
    for i in range(last):
        layer(signals, here, sizes[i], weights, at, signals, there, sizes[i + 1], i == 0)
        at += (sizes[i] + 1) * sizes[i + 1]
        here, there = there, here
    layer(signals, here, sizes[last], weights, at, scores, 0, sizes[last + 1], last == 0)
    at += (sizes[last] + 1) * sizes[last + 1]
    layer(signals, here, sizes[last], weights, at, signals, there, 1, last == 0)
    return signals[there]
