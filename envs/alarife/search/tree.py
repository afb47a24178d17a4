"""What the trees of all searches share: actions as edges, a table of information sets, the way of a playout.

Each search has records of its own for nodes, which hold the `key` of an information set and `first`, their first edge,
and for what a tree knows of itself: `low` and `high`, the values met, and how many `nodes` and `edges` it has.
"""

from __future__ import annotations

import numpy as np

from alarife.engine.jit import rule
from alarife.engine.layout import Record, f64, i8, i16, i32
from alarife.engine.random import share
from alarife.engine.result import SEATS

NONE = -1
MOST_DEPTH = 256  # decisions of a playout that lie in the tree


class Edge(Record):
    """An action of an information set."""

    total = f64  # sum of the values for the seat that decides
    next = i32  # the node's next edge, or NONE
    visits = i32
    available = i32  # how often it could be chosen
    action = i16


class Step(Record):
    """A decision on the way down."""

    edge = i32
    seat = i8


class Tally(Record):
    """What a search found out about an action at the root."""

    total = f64
    gain = f64  # sum of what it brought more than the first action of the order, on the same deals
    square = f64  # sum of the squares of that
    visits = i32


class Outcome(Record):
    """The value of a playout for each seat."""

    at = f64[SEATS]


@rule
def slot_of(key, slots, nodes):
    """The place in the table of the node with that key, or the empty place for it."""
    at = np.int64(share(key, slots.size))
    while slots[at] != NONE and nodes[slots[at]].key != key:
        at += 1
        if at == slots.size:
            at = 0
    return at


@rule
def add_edge(node, action, tree, edges):
    """A new action at a node, for which there is room; returns its edge."""
    e = tree.edges
    tree.edges += 1
    edge = edges[e]
    edge.action = action
    edge.next = node.first
    edge.total = 0.0
    edge.visits = 0
    edge.available = 1
    node.first = e
    return e


@rule
def edge_of(action, node, edges):
    """The edge of an action, NONE if there is none."""
    e = node.first
    while e != NONE and edges[e].action != action:
        e = edges[e].next
    return e


@rule
def count(tally, worth, gain):
    """Note a playout of an action at the root."""
    tally.visits += 1
    tally.total += worth
    tally.gain += gain
    tally.square += gain * gain


@rule
def deciders(depth, path):
    """The seats that decided on the way of a playout, as bits."""
    seats = 0
    for i in range(depth):
        seats |= 1 << path[i].seat
    return seats


@rule
def back_up(depth, tree, edges, path, outcome):
    """Add a playout's value to the edges on its way: to each its own seat's."""
    for i in range(depth):
        edge, worth = edges[path[i].edge], outcome.at[path[i].seat]
        edge.visits += 1
        edge.total += worth
        tree.low = min(tree.low, worth)
        tree.high = max(tree.high, worth)
