"""Information-set tree search led by a trained network, natively, built for any game.

As in `alarife.search.ismcts`, whose words are used here, a search is given one fork made for the seat to decide,
redraws it for each playout, and knows information sets by the digest of what a seat sees. What is new is who leads:

**Prior.** When a node is made, the network looks at what the seat *to decide* sees in the redrawn state, and its scores
of all actions are kept. Among the actions that are legal now the one with the highest ``Q + c P sqrt(available) / (1 +
visits)`` is followed (PUCT; Silver et al., "A general reinforcement learning algorithm that masters chess, shogi, and
Go through self-play", Science 362, 2018). P is the softmax of the scores of just these actions, and an action counts
how often it was there to be chosen (Cowling, Powley and Whitehouse, IEEE TCIAIG 4(2), 2012). First-play
urgency: an action that was never tried counts as worth what its node is worth, less ``fpu_reduction`` times the root of
the share of the prior that was tried.

**Value.** A playout ends at a new node, with what the network makes of the seat to decide there: that is what it has
learnt to value. Where rewards sum to 0, the other seats share the opposite; where they do not, the network looks at
the game from each seat that decided on the way, as nobody else's value is asked for. With ``mix`` above 0 that share
of the value comes from a rollout instead (AlphaGo; Silver et al., Nature 529, 2016). A finished game is worth its true
result. A value estimates rewards to come, so modes that pay along the way add what was paid.

**The root** either chooses by PUCT too, or follows a list: all its actions then meet the same redrawn state with the
same future, one round after another, which makes their differences clearer than their values. A list that is halved
again and again is sequential halving (Karnin, Koren and Somekh, ICML 2013), which with a prior is the search of
Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by planning with Gumbel", ICLR 2022. What is compared
are either means, or gains on the first of the list, deal by deal, as in `alarife.search.ismcts`.

**What is sought** may be another reward than the network has learnt to value. Of a lead in points that the network
expects it is known how likely it wins: the tree notes how far the leads at the ends of rollouts lie from what was
expected, and takes the error for normally distributed. Of other rewards the network's values say nothing; then only
its scores lead, and rollouts say what a leaf is worth.

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
from alarife.engine.random import next_word
from alarife.engine.result import MARGIN, OUTCOME, SCORE, value
from alarife.search.inference import think
from alarife.search.tree import NONE, add_edge, back_up, count, deciders, edge_of, slot_of

if TYPE_CHECKING:
    from alarife.engine.game import Game


SILENT, SPEAKING, LEADING = range(3)


def said_of(mode: int, learnt: int) -> int:
    """What values of a reward mode that was learnt say of another one."""
    if mode == learnt:
        return SPEAKING
    return LEADING if (mode, learnt) == (OUTCOME, MARGIN) else SILENT


class Plan(Record):
    """The settings of a guided search."""

    exploration = f64  # weight of the prior, for values scaled to 0..1
    fpu_reduction = f64  # first-play urgency: how much less an untried action counts than its node is worth
    temperature = f64  # scores are divided by it before they become a prior
    mix = f64  # share of a rollout in the value of a leaf; the rest is the network's
    scripted = f64  # share of rollout decisions that are the scripted player's, the others are random
    scale = f64  # what the network's values are divided by
    cut = i32  # decisions of a rollout; then the standing is its value
    mode = i8  # reward mode that playouts are valued by
    learnt = i8  # reward mode that the network was trained for
    values = i8  # what its values say of the mode sought: `SILENT`, `SPEAKING`, or a lead in points, `LEADING`
    belief = i8  # grade of belief of the redrawn states
    each = i8  # 1: nodes hold what their own seat sees; 0: what the searching seat sees


class Tree(Record):
    """What a tree knows of itself."""

    low = f64  # lowest and highest value met
    high = f64
    nodes = i32
    edges = i32
    errors = f64  # sum of the squares of how far leads lay from what was expected
    leads = i32  # how many these are
    root = i32  # the node of the decision searched last
    leaf = i32  # where the last playout left the tree


class Node(Record):
    """An information set; the network's scores of it are kept in a row of their own."""

    key = u64
    value = f64  # the network's value for the seat that decides
    first = i32  # its first edge, or NONE


def searchers(game: Game, interpreted: bool = INTERPRETED) -> SimpleNamespace:
    """The kernels of guided search for a game: `grow` and `consult`."""
    return _searchers(game, interpreted or INTERPRETED)


@lru_cache(maxsize=64)
def _searchers(game: Game, interpreted: bool) -> SimpleNamespace:
    return build(game, interpreted, _define)


# --- rules that know no game --------------------------------------------------------------------------


@rule
def node_at(slot, key, tree, slots, nodes):
    """The node of a slot, made if there is room; else the last node, which is scratch."""
    if slots[slot] == NONE:
        if tree.nodes + 1 >= nodes.size:
            return nodes.size - 1
        slots[slot] = tree.nodes
        tree.nodes += 1
        nodes[slots[slot]].key = key
        nodes[slots[slot]].first = NONE
    return slots[slot]


@rule
def meet_actions(moves, node, tree, edges, marks):
    """Mark the edges that are legal now with 2, note that they could be chosen, and make those that lack."""
    for i in range(moves.count):
        marks[moves.at[i]] = 1
    e = node.first
    while e != NONE:
        edge = edges[e]
        if marks[edge.action] == 1:
            marks[edge.action] = 2
            edge.available += 1
        e = edge.next
    for i in range(moves.count):
        if marks[moves.at[i]] == 1 and tree.edges < edges.size:
            marks[moves.at[i]] = 2
            add_edge(node, moves.at[i], tree, edges)


@rule
def scaled(worth, tree):
    """A value on the scale from 0 to 1."""
    return (worth - tree.low) / (tree.high - tree.low) if tree.high > tree.low else 0.5


@rule
def weight_of(edge, scores, top, plan):
    """The prior of an action, but for the sum over all."""
    return math.exp((scores[edge.action] - top) / plan.temperature)


@rule
def most_promising(node, scores, edges, marks, tree, plan):
    """The legal edge that PUCT follows; NONE where the tree has none."""
    top = -np.inf
    e = node.first
    while e != NONE:
        if marks[edges[e].action] == 2:
            top = max(top, scores[edges[e].action])
        e = edges[e].next
    mass = tried = total = 0.0
    visits = 0
    e = node.first
    while e != NONE:
        edge = edges[e]
        if marks[edge.action] == 2:
            weight = weight_of(edge, scores, top, plan)
            mass += weight
            tried += weight if edge.visits > 0 else 0.0
            visits += edge.visits
            total += edge.total
        e = edge.next
    known = visits + (plan.values != SILENT)
    untried = scaled((node.value + total) / known, tree) if known > 0 else 0.5
    untried -= plan.fpu_reduction * math.sqrt(tried / mass)
    best = NONE
    highest = -np.inf
    e = node.first
    while e != NONE:
        edge = edges[e]
        if marks[edge.action] == 2:
            prior = weight_of(edge, scores, top, plan) / mass
            bound = scaled(edge.total / edge.visits, tree) if edge.visits > 0 else untried
            bound += plan.exploration * prior * math.sqrt(edge.available) / (1 + edge.visits)
            if bound > highest:
                best = e
                highest = bound
        e = edge.next
    return best


@rule
def outcome_of(lead, spread, seats):
    """What a lead in points is worth as an outcome, where leads at the end lie around it with this deviation."""
    sure = 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
    chance = 0.5 * math.erfc(-lead / (spread * math.sqrt(2.0))) if spread > 0 else sure
    return chance - (1.0 - chance) / max(1, seats - 1)


@rule
def sought(worth, seats, tree, plan):
    """What the network's value says of the reward that is sought."""
    if plan.values == SPEAKING:
        return worth
    if plan.values == LEADING and tree.leads > 0:
        return outcome_of(worth, math.sqrt(tree.errors / tree.leads), seats)
    return 0.0


def _define(game, kernel):
    advise, rules = game.advise, play_of(game)
    list_moves, play, see, standing, imagine = rules.list_moves, rules.play, rules.see, rules.standing, rules.imagine
    information_set, roll_out = rules.information_set, rules.roll_out
    features = game.features.size

    # --- values -----------------------------------------------------------------------------------

    @rule
    def judged(s, seat, r, moves, views, sizes, weights, signals, scores, plan):
        """What the network thinks the game is worth to a seat, for all it sees; fills the scores of all actions.

        A network that is advised finds the scripted player's action behind the view of the seat to decide.
        """
        see(s, seat, row(views, 0))
        if sizes[0] > features and seat == s.seat:
            views[0, features + advise(s, moves)] = 1
        worth = think(row(views, 0), sizes, weights, signals, scores) / plan.scale
        if plan.learnt >= SCORE:
            standing(s, r)
            return worth + value(r, s.seats, seat, plan.learnt)
        return min(1.0, max(-1.0, worth))

    @rule
    def think_of(s, n, r, tree, moves, views, sizes, weights, signals, logits, nodes, plan):
        """Let the network look at a new node, whose actions are listed; returns what it has learnt to value."""
        worth = judged(s, s.seat, r, moves, views, sizes, weights, signals, row(logits, n), plan)
        nodes[n].value = sought(worth, s.seats, tree, plan)
        return worth

    @rule
    def value_leaf(s, n, r, moves, views, sizes, weights, signals, logits, nodes, asked, outcome, plan):
        """What the network thinks the game is worth to each seat that is asked for."""
        is_shared = plan.mode < SCORE or (plan.mode == MARGIN and s.seats == 2)
        for p in range(s.seats):
            if p == s.seat:
                outcome.at[p] = nodes[n].value
            elif is_shared:
                outcome.at[p] = -nodes[n].value / (s.seats - 1)
            elif asked >> p & 1:
                scratch = row(logits, nodes.size - 1)
                outcome.at[p] = judged(s, p, r, moves, views, sizes, weights, signals, scratch, plan)

    @rule
    def add_standing(s, r, share_of_it, outcome, plan):
        """Mix what the standing is worth into the value for each seat."""
        standing(s, r)
        for p in range(s.seats):
            worth = share_of_it * value(r, s.seats, p, plan.mode)
            outcome.at[p] = worth if share_of_it == 1.0 else outcome.at[p] * (1.0 - share_of_it) + worth

    @rule
    def note_lead(expected, seats, seat, r, tree):
        """Note how far a lead in points lay from what was expected."""
        error = value(r, seats, seat, MARGIN) - expected
        tree.errors += error * error
        tree.leads += 1

    @rule
    def settle(s, asked, r, tree, moves, stream, views, sizes, weights, signals, logits, nodes, outcome, plan):
        """Fill in what a playout is worth to each seat that is asked for; returns the decisions taken for it."""
        if s.over:
            add_standing(s, r, 1.0, outcome, plan)
            return 0
        n, seat = tree.leaf, s.seat
        expected = think_of(s, n, r, tree, moves, views, sizes, weights, signals, logits, nodes, plan)
        if plan.mix < 1:
            value_leaf(s, n, r, moves, views, sizes, weights, signals, logits, nodes, asked, outcome, plan)
        if plan.mix <= 0:
            return 0
        taken = roll_out(s, moves, stream, plan.scripted, plan.cut)
        add_standing(s, r, plan.mix, outcome, plan)
        if plan.values == LEADING:
            note_lead(expected, s.seats, seat, r, tree)
        return taken

    # --- the tree ---------------------------------------------------------------------------------

    @rule
    def skip_forced(s, moves):
        """Play on to the next decision with a choice, its moves listed."""
        list_moves(s, moves)
        while moves.count == 1:
            play(s, moves.at[0])
            list_moves(s, moves)

    @rule
    def choose_edge(moves, n, tree, nodes, edges, logits, marks, plan):
        """The edge to follow from a node; NONE where the tree is full."""
        node = nodes[n]
        meet_actions(moves, node, tree, edges, marks)
        e = most_promising(node, row(logits, n), edges, marks, tree, plan)
        for i in range(moves.count):
            marks[moves.at[i]] = 0
        return e

    @rule
    def descend(s, me, first, r, tree, slots, nodes, edges, path, moves, marks, views, sizes, weights, signals, logits,
                plan):  # fmt: skip
        """Walk down to a node met for the first time; returns how many decisions lie in the tree.

        At the root `first` is played, if it is an action.
        """
        depth = 0
        skip_forced(s, moves)
        while not s.over:
            key = information_set(s, s.seat if plan.each else me, row(views, 0))
            slot = slot_of(key, slots, nodes)
            is_new = slots[slot] == NONE
            n = node_at(slot, key, tree, slots, nodes)
            tree.leaf = n
            if depth == 0:
                tree.root = n
                if is_new:
                    think_of(s, n, r, tree, moves, views, sizes, weights, signals, logits, nodes, plan)
            elif is_new:
                break
            e = choose_edge(moves, n, tree, nodes, edges, logits, marks, plan)
            if depth == 0 and first != NONE:
                e = edge_of(first, nodes[n], edges)
            if e == NONE or depth == path.size:
                tree.leaf = nodes.size - 1
                break
            path[depth].edge = e
            path[depth].seat = s.seat
            depth += 1
            play(s, edges[e].action)
            skip_forced(s, moves)
        return depth

    # --- entry points -----------------------------------------------------------------------------

    @kernel
    def grow(moves, marks, views, starts, work, results, outcomes, path, tallies, plans, sizes, weights, signals,
             streams, trees, slots, nodes, edges, logits, forks, which, playouts, order):  # fmt: skip
        """Let a tree grow by some playouts from a fork; returns the decisions taken in rollouts.

        Root actions are those of `order`, in rounds that share state and future; where it is empty PUCT chooses.
        """
        w, m, r, stream, plan, tree = work[0], moves[0], results[0], streams[0], plans[0], trees[0]
        me = forks[which].seat
        taken = 0
        base = 0.0
        for j in range(playouts):
            if order.size == 0 or j % order.size == 0:
                starts[0] = forks[which]
                imagine(starts[0], me, next_word(stream), plan.belief)
            work[0] = starts[0]
            first = order[j % order.size] if order.size > 0 else NONE
            depth = descend(w, me, first, r, tree, slots, nodes, edges, path, m, marks, views, sizes, weights, signals,
                            logits, plan)  # fmt: skip
            taken += settle(w, deciders(depth, path), r, tree, m, stream, views, sizes, weights, signals, logits, nodes,
                            outcomes[0], plan)  # fmt: skip
            back_up(depth, tree, edges, path, outcomes[0])
            if first != NONE:
                worth = outcomes[0].at[me]
                base = worth if j % order.size == 0 else base
                count(tallies[first], worth, worth - base)
        return taken

    @kernel
    def consult(sizes, weights, signals, views, scores, values):
        """The network's scores and values of some views."""
        for i in range(views.shape[0]):
            values[i] = think(row(views, i), sizes, weights, signals, row(scores, i))
