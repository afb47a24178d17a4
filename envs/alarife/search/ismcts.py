"""Searching forks natively: flat Monte Carlo and information-set Monte Carlo tree search, built for any game.

A search is given one fork made for the seat to decide, never a true state, and redraws it for each playout: what the
seat cannot know comes from `resample`, the future from the searcher's own stream. So no playout sees a secret or the
dice to come, and the tree is one over what is known.

**The root.** Something has to be chosen, and most of the budget should go where the choice is close. So the legal
actions are tried on common deals: in each round all of them meet the same redrawn state with the same future, and the
worse half is dropped time and again, after equal parts of the budget (sequential halving; Karnin, Koren and Somekh,
"Almost Optimal Exploration in Multi-Armed Bandits", ICML 2013; over a tree: Pepels, Cazenave, Winands and Lanctot,
"Minimizing Simple and Cumulative Regret in Monte-Carlo Tree Search", CGW 2014). The scripted player's action is never
dropped, and others are measured by what they gained on it, deal by deal. As playouts are few and many actions compete,
the one that looks best is often only lucky: it has to be ahead by ``lead`` times the standard error of its gain.

**The tree.** A node is an information set: the digest of what a seat sees when a decision is due. Two readings are
offered. With ``each = 0`` all nodes hold what the *searching* seat sees (single-observer ISMCTS; Cowling, Powley and
Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4(2), 2012). With ``each = 1`` a node holds what
its *own* seat sees, so that others answer with the cards they would hold (an information-state tree for each seat, as
in Heinrich and Silver, "Smooth UCT Search in Computer Poker", IJCAI 2015). Because a view is the key, and not the
sequence of actions, secret actions of others do not lead to nodes of their own, chance that shows does, and orders of
play that come to the same thing share a node. The root is no node: what was learnt about its actions belongs to them.

**Below the root.** The actions of a node differ from one redrawn state to the next. Upper confidence bounds therefore
count how often an action was there to be chosen, not how often the node was visited (Cowling et al. 2012, section IV).
New actions are admitted while they are fewer than ``widening`` times the square root of the visits (progressive
widening; Coulom, "Computing Elo Ratings of Move Patterns in the Game of Go", ICGA Journal 30(4), 2007), the scripted
player's action first, which a node follows for its first ``patience`` visits: with few playouts a tree that branches at
once would value actions by bad play after them, and others by an advice that was meant for another hand.

**Values** are vectors with an entry for each seat; a seat's choices are led by its own entry, which serves any number
of seats (max-n). Those modes of reward that have no bounds are scaled by the range met so far.

Memory is allocated beforehand. A full tree goes on without new nodes.
"""

from __future__ import annotations

import math
from functools import lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from alarife.engine.jit import INTERPRETED, row, rule
from alarife.engine.kernels import build
from alarife.engine.layout import Record, f64, i8, i32, u64
from alarife.engine.play import play_of
from alarife.engine.random import _below, next_word
from alarife.engine.result import value
from alarife.search.tree import NONE, add_edge, back_up, count, edge_of, slot_of

if TYPE_CHECKING:
    from alarife.engine.game import Game


class Plan(Record):
    """The settings of a search."""

    exploration = f64  # weight of the confidence term, for values scaled to 0..1
    widening = f64  # actions admitted at a node: this times the square root of its visits
    scripted = f64  # share of rollout decisions that are the scripted player's, the others are random
    patience = i32  # visits for which nodes below the root follow the scripted player
    cut = i32  # decisions of a rollout; then the standing is its value
    mode = i8  # reward mode that playouts are valued by
    belief = i8  # grade of belief of the redrawn states
    each = i8  # 1: nodes hold what their own seat sees; 0: what the searching seat sees


class Tree(Record):
    """What a tree knows of itself."""

    low = f64  # lowest and highest value met
    high = f64
    nodes = i32
    edges = i32


class Node(Record):
    """An information set."""

    key = u64
    first = i32  # its first edge, or NONE
    visits = i32


def searchers(game: Game, interpreted: bool = INTERPRETED) -> SimpleNamespace:
    """The search kernel of a game: `grow`."""
    return _searchers(game, interpreted or INTERPRETED)


@lru_cache(maxsize=64)
def _searchers(game: Game, interpreted: bool) -> SimpleNamespace:
    return build(game, interpreted, _define)


# --- rules that know no game --------------------------------------------------------------------------


@rule
def node_at(slot, key, tree, slots, nodes):
    """The node of a slot, made if there is room; NONE otherwise."""
    if slots[slot] == NONE and tree.nodes < nodes.size:
        slots[slot] = tree.nodes
        tree.nodes += 1
        node = nodes[slots[slot]]
        node.key = key
        node.first = NONE
        node.visits = 0
    return slots[slot]


@rule
def count_known(node, edges, marks):
    """Mark the edges that are legal now with 2, count them, and note that they could be chosen."""
    known = 0
    e = node.first
    while e != NONE:
        if marks[edges[e].action] == 1:
            marks[edges[e].action] = 2
            edges[e].available += 1
            known += 1
        e = edges[e].next
    return known


@rule
def most_promising(node, edges, marks, tree, plan):
    """The legal edge with the highest upper confidence bound."""
    best = NONE
    highest = -np.inf
    is_spread = tree.high > tree.low
    e = node.first
    while e != NONE:
        edge = edges[e]
        if marks[edge.action] == 2:
            visits = max(1, edge.visits)  # 0 where a playout comes by twice
            mean = (edge.total / visits - tree.low) / (tree.high - tree.low) if is_spread else 0.0
            bound = mean + plan.exploration * math.sqrt(math.log(edge.available) / visits)
            if bound > highest:
                best = e
                highest = bound
        e = edge.next
    return best


def _define(game, kernel):
    advise, rules = game.advise, play_of(game)
    list_moves, play, standing, imagine = rules.list_moves, rules.play, rules.standing, rules.imagine
    information_set, roll_out = rules.information_set, rules.roll_out

    @rule
    def appraise(s, r, mode, outcome):
        """What the standing is worth to each seat."""
        standing(s, r)
        for p in range(s.seats):
            outcome.at[p] = value(r, s.seats, p, mode)

    # --- the tree ---------------------------------------------------------------------------------

    @rule
    def untried(s, moves, marks, known, stream):
        """A legal action without an edge: the advice if the node has none, else any."""
        if known == 0:
            return advise(s, moves)
        which = _below(stream, moves.count - known)
        for i in range(moves.count):
            if marks[moves.at[i]] == 1:
                if which == 0:
                    return moves.at[i]
                which -= 1
        return moves.at[0]

    @rule
    def advised(s, moves, node, tree, edges, marks):
        """The edge of the scripted player's action, made if there is room; NONE otherwise."""
        action = advise(s, moves)
        if marks[action] == 1:
            return add_edge(node, action, tree, edges) if tree.edges < edges.size else NONE
        return edge_of(action, node, edges)

    @rule
    def choose_edge(s, moves, node, tree, edges, marks, stream, plan):
        """The edge to follow from a node, a new one if it is time; NONE where the tree is full."""
        for i in range(moves.count):
            marks[moves.at[i]] = 1
        node.visits += 1
        known = count_known(node, edges, marks)
        admitted = known == 0 or known < plan.widening * math.sqrt(node.visits)
        if node.visits <= plan.patience:
            e = advised(s, moves, node, tree, edges, marks)
        elif known < moves.count and admitted and tree.edges < edges.size:
            e = add_edge(node, untried(s, moves, marks, known, stream), tree, edges)
        else:
            e = most_promising(node, edges, marks, tree, plan)
        for i in range(moves.count):
            marks[moves.at[i]] = 0
        return e

    @rule
    def descend(s, me, tree, slots, nodes, edges, path, moves, marks, views, stream, plan):
        """Walk down to a node met for the first time; returns how many decisions lie in the tree."""
        depth = 0
        while not s.over and depth < path.size:
            list_moves(s, moves)
            if moves.count == 1:
                play(s, moves.at[0])
                continue
            key = information_set(s, s.seat if plan.each else me, row(views, 0))
            slot = slot_of(key, slots, nodes)
            is_new = slots[slot] == NONE
            n = node_at(slot, key, tree, slots, nodes)
            if n == NONE or is_new:
                break
            e = choose_edge(s, moves, nodes[n], tree, edges, marks, stream, plan)
            if e == NONE:
                break
            path[depth].edge = e
            path[depth].seat = s.seat
            depth += 1
            play(s, edges[e].action)
        return depth

    # --- the entry point -----------------------------------------------------------------------------

    @kernel
    def grow(moves, marks, views, starts, work, results, outcomes, path, tallies, streams, plans, trees, slots, nodes,
             edges, forks, row, rounds, order):  # fmt: skip
        """Rounds of playouts, one for each action in `order`, added to `tallies`; returns the decisions taken.

        In a round all actions meet the same redrawn state with the same future. What lies below them goes into the
        tree; one without room for nodes stays empty.
        """
        w, m, stream, plan, tree = work[0], moves[0], streams[0], plans[0], trees[0]
        me = forks[row].seat
        taken = 0
        for _ in range(rounds):
            starts[0] = forks[row]
            imagine(starts[0], me, next_word(stream), plan.belief)
            first = 0.0
            for i in range(order.size):
                work[0] = starts[0]
                play(w, order[i])
                depth = 0
                if nodes.size > 0:
                    depth = descend(w, me, tree, slots, nodes, edges, path, m, marks, views, stream, plan)
                taken += roll_out(w, m, stream, plan.scripted, plan.cut)
                appraise(w, results[0], plan.mode, outcomes[0])
                back_up(depth, tree, edges, path, outcomes[0])
                worth = outcomes[0].at[me]
                first = worth if i == 0 else first
                count(tallies[order[i]], worth, worth - first)
        return taken
