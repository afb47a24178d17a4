"""A trained policy that looks ahead: tree search with its scores as prior and its value at the leaves.

Named by the policy's file, whose name ends in ``.safetensors``, a budget, and settings after further colons:
``guided:runs/viana-ppo/best.safetensors:200``, ``guided:best.safetensors:500ms:exploration=2``. The path itself may
hold colons. ``guided:trained:200`` takes the agent that comes along with the game. How the search works is told in
`alarife.search.guided`. It needs no torch.
"""

from __future__ import annotations

import math
import re
import time
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from alarife.engine.arrays import Scratch
from alarife.engine.errors import AlarifeError
from alarife.engine.game import Game
from alarife.engine.memory import BELIEFS
from alarife.engine.numbers import Array
from alarife.engine.random import Stream
from alarife.engine.result import MARGIN, OUTCOME, REWARDS
from alarife.engine.views import blank_views
from alarife.players.lookahead import (
    INFORMATION,
    LEAST,
    MOST_THREADS,
    Grow,
    Lookahead,
    Memory,
    add_up,
    best_by_gains,
    best_by_halving,
    first_choice,
    grow_until,
    in_turn,
    think_together,
)  # fmt: skip
from alarife.players.policy import NetworkPlayer, Policy, TrainedPlayer, read_policy, scale_of, shapes_of
from alarife.players.search_settings import MOST, ROLLOUTS, SCRIPTED, SearchSettings
from alarife.players.turns import Turns
from alarife.search.guided import LEADING, SILENT, Node, Plan, Tree, said_of, searchers
from alarife.search.inference import check_sizes
from alarife.search.tree import MOST_DEPTH, NONE, Edge, Outcome, Step, Tally

ROOTS = "gains", "halving", "puct"
MOST_TREES = 64  # tables whose trees are kept
LEAST_NODES, MOST_NODES = 64, 2**15  # of a tree
EDGES = 16  # room for actions, for each node
MOST_MEMORY = 2**29  # bytes of all trees kept, but for the least ones
FIRM = 50  # visits that the trust in values begins with

TRAINED = "trained"
_NAMED = re.compile(r"(trained|.+?\.safetensors)(?::(.*))?")
_NOTHING = np.zeros(0, np.int64)


def leader_of(setting: str) -> str:
    """Who leads the search of these settings: a policy's file, or ``trained``; nothing where they cannot be read."""
    named = _NAMED.fullmatch(setting)
    return named[1] if named else ""


@dataclass(frozen=True)
class GuidedSettings(SearchSettings):
    """What can be said of a guided search after the policy's file.

    - ``playouts``, or ``milliseconds`` of a decision
    - ``exploration``, ``fpu_reduction``, ``mix``: see `alarife.search.guided`
    - ``temperature``: the scores are divided by it; above 1 the prior is less sure of itself
    - ``rollout``, ``cut``: who plays on where ``mix`` is above 0, and for how many decisions (0: to the end)
    - ``reward``: what is sought, a reward mode; by default what the policy learnt, but ``outcome`` at a table for two
      for a policy that learnt margins. Where the network's values say nothing about it, rollouts alone count, as with
      ``mix=1``
    - ``root``: ``gains``, which halves the likeliest actions, as many as ``considered_actions`` says, time and again,
      and leaves the policy's action only for what is better on the same deals; ``halving``, which goes by means and
      prior; or ``puct``
    - ``trust``: how much values count beside the prior under ``halving``
    - ``lead``: standard errors by which an action has to be ahead of the policy's under ``gains``
    - ``information``: nodes hold what the ``own`` (the searching) seat sees, or what ``each`` seat to decide sees
    - ``belief``: how sure the redrawn states are, ``view``, ``memory`` or ``play``: see `alarife.engine.memory`
    - ``others``: who the other seats are believed to be where it is ``play``: see `alarife.players.believing`
    - ``reuse``: whether a tree is kept for the next decision
    - ``threads``: how many think at once, each with a tree of its own, about a share of the rounds
    """

    renamed = {"urgency": "fpu_reduction", "considered": "considered_actions"}

    playouts: int = 200
    milliseconds: int = 0
    exploration: float = 0.8
    fpu_reduction: float = 0.1
    temperature: float = 2.0
    mix: float = 0.5
    rollout: str = "scripted"
    cut: int = 0
    reward: str = ""
    root: str = "gains"
    considered_actions: int = 16
    trust: float = 0.1
    lead: float = 1.0
    information: str = "each"
    belief: str = "view"
    others: str = SCRIPTED
    reuse: bool = True
    threads: int = 1

    def __post_init__(self) -> None:
        from_zero = "milliseconds", "cut", "exploration", "fpu_reduction", "trust", "lead"
        ranges: dict[str, tuple[float, float]] = dict.fromkeys(from_zero, (0, MOST))
        ranges |= {"playouts": (1, MOST), "threads": (1, MOST_THREADS), "considered_actions": (2, MOST)}
        ranges |= {"temperature": (0.01, MOST), "mix": (0, 1)}
        self.check(ranges, {"rollout": tuple(ROLLOUTS), "reward": ("", *REWARDS), "root": ROOTS,
                            "information": INFORMATION, "belief": BELIEFS})  # fmt: skip

    def plan(self, policy: Policy, seats: int) -> Array:
        """The settings as the kernels take them, for a policy at a table with so many seats."""
        card = policy.card
        reward, scale = card.get("reward", REWARDS[0]), card.get("reward_scale", 1.0)
        if reward not in REWARDS or not isinstance(scale, int | float) or not 0 < scale < math.inf:
            raise AlarifeError(f"a policy's card names a reward of {', '.join(REWARDS)} and a reward_scale above 0, "
                               f"got {reward!r} and {scale!r}")  # fmt: skip
        plan = Plan.zeros(1)
        mode, learnt = REWARDS.index(self._sought(reward, seats)), REWARDS.index(reward)
        says = said_of(mode, learnt)
        if says == LEADING and self.mix <= 0:
            raise AlarifeError("how sure a lead is, rollouts tell: with reward=outcome and a policy that learnt "
                               "margins, a search takes mix above 0, got 0")  # fmt: skip
        plan["mode"], plan["learnt"], plan["values"] = mode, learnt, says
        for name in ("exploration", "fpu_reduction", "temperature"):
            plan[name] = getattr(self, name)
        plan["mix"] = 1 if says == SILENT else self.mix
        plan["scripted"] = ROLLOUTS[self.rollout]
        plan["scale"] = scale
        plan["cut"] = self.cut or MOST
        plan["belief"] = self.redraw(policy.game)
        plan["each"] = self.information == "each"
        return plan

    def _sought(self, learnt: str, seats: int) -> str:
        """The reward mode that is sought by a policy that learnt this one."""
        is_lead = learnt == REWARDS[MARGIN] and seats == 2 and self.mix > 0
        return self.reward or (REWARDS[OUTCOME] if is_lead else learnt)


def flat(policy: Policy) -> tuple[Array, Array]:
    """A network as kernels take it: its sizes, and all its numbers in one array.

    What whole numbers stand for, and shift and scale of that, go into the first layer, so that zeros stay zeros.
    """
    hidden, tensors = policy.card["hidden"], policy.tensors
    shift, scale = (tensors[f"input.{name}"].astype(np.float64) for name in ("shift", "scale"))
    parts = []
    for name in (*(f"trunk.{i}" for i in range(len(hidden))), "policy", "value"):
        weight, bias = (tensors[f"{name}.{part}"].astype(np.float64) for part in ("weight", "bias"))
        if name == "trunk.0" or not hidden:
            weight = weight * scale
            bias = bias - weight @ shift
            weight = weight * scale_of(policy.game, policy.advised)
        parts += [bias, weight.T.ravel()]
    numbers = np.concatenate(parts).astype(np.float32)
    if not np.isfinite(numbers).all():
        raise AlarifeError(f"the network for {policy.game.id} holds numbers that are not finite")
    return np.array([len(shift), *hidden, policy.game.actions.size]), numbers


class Network:
    """A policy's network as kernels take it, with room to think in."""

    def __init__(self, policy: Policy) -> None:
        self.sizes, self.weights = flat(policy)
        self.signals = np.zeros(2 * int(self.sizes.max()), np.float32)
        check_sizes(self.sizes, self.weights, self.signals)

    def consult(self, game: Game, views: Array) -> tuple[Array, Array]:
        """The scores of all actions ``[n, A]`` and the values ``[n]`` of views, by the rules that a search uses."""
        scores, values = np.zeros((len(views), self.sizes[-1]), np.float32), np.zeros(len(views), np.float32)
        seen = np.ascontiguousarray(views, game.features.dtype)
        searchers(game).consult(self.sizes, self.weights, self.signals, seen, scores, values)
        return scores, values


class _Tree(Memory):
    """A tree that is kept for a table, with the network's scores of each node."""

    def __init__(self, nodes: int, actions: int) -> None:
        super().__init__(Tree, Node, nodes, EDGES)
        self.logits = np.zeros((nodes, actions), np.float32)
        self.about: Any = None  # what it was grown for

    def has_room(self, playouts: int) -> bool:
        """Whether it can grow by that many playouts."""
        return bool(self.tree["nodes"][0] + playouts + 2 <= len(self.nodes))

    def tallies(self) -> tuple[Array, Array]:
        """Visits and added values of the actions of the decision searched last, ``[A]``, 0 where none was tried."""
        visits, totals = np.zeros(self.logits.shape[1], np.int64), np.zeros(self.logits.shape[1])
        root = self.tree["root"][0]
        e = NONE if root == NONE else self.nodes["first"][root]
        while e != NONE:
            edge = self.edges[e]
            visits[edge["action"]], totals[edge["action"]] = edge["visits"], edge["total"]
            e = edge["next"]
        return visits, totals


class _Thinker:
    """One of those who think at once: with a random stream, trees and room to think in of its own."""

    def __init__(self, network: Network, share: float) -> None:
        self._share, self._next = share, 0
        self.stream, self.tallies = Stream.zeros(1), Tally.zeros(0)
        self.trees: dict[int, _Tree] = {}  # by table
        self.tree = _Tree(0, 0)  # that of the decision at hand
        self._network, self._signals = network, np.zeros_like(network.signals)

    def sit_at(self, game: Game, plan: Array) -> None:
        """Work with states of a game, by a plan that is written anew for each table."""
        network, self._game = self._network, game
        self._scratch, self.tallies = Scratch(game, int(network.sizes[0])), Tally.zeros(game.actions.size)
        self._bound = (*self._scratch.thinking, Outcome.zeros(1), Step.zeros(MOST_DEPTH), self.tallies, plan,
                       network.sizes, network.weights, self._signals)  # fmt: skip

    def begin(self, turns: Turns, row: int, states: Array, settings: GuidedSettings, mode: int) -> None:
        """Take the tree of a table: kept from its last decision if it still fits, else cleared."""
        self._states, self._next = states, int(self._share * len(states))
        table = int(turns.table[row])
        about = turns.game, turns.options, int(turns.players[row])
        share = -(-settings.playouts // settings.threads)
        each = 4 * turns.game.actions.size + 8 + EDGES * Edge.dtype.itemsize + Node.dtype.itemsize
        room = max(LEAST_NODES, MOST_MEMORY // settings.threads // each)
        nodes = min(MOST_NODES, room, MOST_NODES if settings.milliseconds else 4 * share + 64)
        if table in self.trees:
            tree = self.trees.pop(table)
        elif len(self.trees) >= min(MOST_TREES, room // nodes):
            tree = self.trees.pop(next(iter(self.trees)))
            tree.about = None
        else:
            tree = _Tree(nodes, turns.game.actions.size)
        wanted = nodes // 2 if settings.milliseconds else min(share, nodes // 2)
        if not settings.reuse or tree.about != about or not tree.has_room(wanted):
            tree.clear(mode)
            tree.about = about
        tree.tree["root"] = NONE
        self.trees[table] = self.tree = tree
        self.tallies[:] = 0

    def think(self, order: Array, rounds: int) -> int:
        """Some rounds of playouts; returns the decisions taken in their rollouts."""
        tree, grow, taken = self.tree, searchers(self._game).grow, 0
        for number, count in in_turn(self._states, self._next, rounds):
            taken += grow(
                *self._bound, self.stream, tree.tree, tree.slots, tree.nodes, tree.edges, tree.logits, self._states,
                number, count * max(1, len(order)), order,
            )  # fmt: skip
        self._next += rounds
        return taken


class Guided(Lookahead):
    """Information-set tree search led by a policy."""

    settings: GuidedSettings

    def __init__(self, policy: Policy | str, settings: str | GuidedSettings = "", seed: int | None = None) -> None:
        self.policy = policy if isinstance(policy, Policy) else read_policy(policy)
        self.settings = settings if isinstance(settings, GuidedSettings) else GuidedSettings.parse(settings)
        self._player = NetworkPlayer(self.policy)
        self._network = Network(self.policy)
        self._plans = {seats: self.settings.plan(self.policy, seats) for seats in self.policy.game.seats}
        self._plan = Plan.zeros(1)  # that of the table at hand
        self._tallies = Tally.zeros(self.policy.game.actions.size)  # what all thinkers found out
        self._thinkers = [_Thinker(self._network, number / self.settings.threads)
                          for number in range(self.settings.threads)]  # fmt: skip
        self._sit_at(self.policy.game)
        self.reset(seed)

    def _sit_at(self, game: Game) -> None:
        """Work with states of a game: that of the policy, or the same with its luck by event."""
        self._game = game
        for thinker in self._thinkers:
            thinker.sit_at(game, self._plan)

    def reset(self, seed: int | None = None) -> None:
        """Begin the player's random streams anew, and forget all trees."""
        super().reset(seed)
        self._player.reset(seed)
        for number, thinker in enumerate(self._thinkers):
            thinker.stream, thinker.trees = self.stream(number), {}

    def search(self, turns: Turns) -> tuple[Array, Array, Array]:
        """Actions to play ``[n]``; visits and mean values for the seat to decide ``[n, A]``, 0 where none was tried."""
        scores = self._player.scores(turns)
        game = turns.game.showing(self.policy.game.remembers)
        if game is not self._game:
            self._sit_at(game)
        belief = self.settings.fork_belief(game)
        worlds = self.worlds(turns, turns.fork(self._random.integers(0, 2**64, len(turns), np.uint64), belief))
        picked = turns.action_mask.argmax(1)
        visits, means = np.zeros(scores.shape, np.int64), np.zeros(scores.shape)
        self.playouts = self.decisions = 0
        search = {"gains": self._by_gains, "halving": self._by_halving, "puct": self._by_visits}[self.settings.root]
        with ThreadPoolExecutor(self.settings.threads) as pool:
            for row in np.flatnonzero(turns.action_mask.sum(1) > 1):
                self._plan[:] = self._plans[int(turns.players[row])]
                for thinker in self._thinkers:
                    thinker.begin(turns, int(row), worlds[row], self.settings, int(self._plan["mode"][0]))
                legal = np.flatnonzero(turns.action_mask[row])
                picked[row] = search(legal, scores[row], partial(self._grow, pool))
                visits[row], means[row] = self._found()
        self.note(turns, picked)
        return picked, visits, means

    def scores(self, turns: Turns) -> Array:
        """What the network alone thinks of all actions, legal or not, ``[n, A]``."""
        return self._player.scores(turns)

    @property
    def network(self) -> NetworkPlayer:
        """The policy that leads the search."""
        return self._player

    # --- the root -------------------------------------------------------------------------------------

    def _by_visits(self, legal: Array, scores: Array, grow: Grow) -> int:
        """PUCT at the root; the action visited most, the better mean among equals."""
        settings = self.settings
        if settings.milliseconds:
            grow_until(time.perf_counter() + settings.milliseconds / 1000, _NOTHING, grow, settings.threads)
        else:
            grow(_NOTHING, settings.playouts)
        visits, means = self._found()
        return int(legal[np.lexsort((scores[legal], means[legal], visits[legal]))[-1]])

    def _by_halving(self, legal: Array, scores: Array, grow: Grow) -> int:
        """Sequential halving of the likeliest actions; the best of those left by prior and value."""
        order = self._likeliest(legal, scores)
        return best_by_halving(self.settings, order, grow, lambda actions: self._worth(actions, scores))

    def _by_gains(self, legal: Array, scores: Array, grow: Grow) -> int:
        """Sequential halving of the likeliest actions; the one surest to be better than the likeliest of all."""
        self._tallies[:] = 0
        return best_by_gains(self.settings, self._likeliest(legal, scores), grow, self._tallies, self.settings.lead)

    def _likeliest(self, legal: Array, scores: Array) -> Array:
        """The actions that are considered at the root, the likeliest first."""
        settings = self.settings
        most = settings.considered_actions
        if not settings.milliseconds:
            most = min(most, settings.playouts // LEAST)
        return legal[np.argsort(-scores[legal], kind="stable")][: max(2, most)]

    def _worth(self, actions: Array, scores: Array) -> Array:
        """Score and mean value in one number (Danihelka et al. 2022, equation 8)."""
        visits, means = self._found()
        trees = [thinker.tree.tree[0] for thinker in self._thinkers]
        low, high = min(tree["low"] for tree in trees), max(tree["high"] for tree in trees)
        scaled = (means[actions] - low) / (high - low) if high > low else 0 * means[actions]
        trust = (FIRM + visits.max()) * self.settings.trust
        worth: Array = scores[actions] / self.settings.temperature + trust * scaled
        return worth

    def _found(self) -> tuple[Array, Array]:
        """Visits and mean values of the actions of the decision at hand, in all trees together, ``[A]``."""
        found = [thinker.tree.tallies() for thinker in self._thinkers]
        visits = np.sum([visits for visits, _ in found], 0)
        return visits, np.sum([totals for _, totals in found], 0) / np.maximum(1, visits)

    # --- growing --------------------------------------------------------------------------------------

    def _grow(self, pool: Executor, order: Array, rounds: int) -> None:
        """Some rounds of playouts, one for each of the root actions in order; without any, PUCT chooses in each."""
        thoughts = [partial(thinker.think, order) for thinker in self._thinkers]
        self.decisions += think_together(pool, thoughts, rounds)
        self.playouts += rounds * max(1, len(order))
        add_up(self._tallies, [thinker.tallies for thinker in self._thinkers])


class GuidedAgent:
    """A search led by the agent that comes along with a game, whichever game is played."""

    def __init__(self, settings: str | GuidedSettings = "", seed: int | None = None) -> None:
        self.settings = settings if isinstance(settings, GuidedSettings) else GuidedSettings.parse(settings)
        self._seed = seed
        self._searches: dict[str, Guided] = {}

    def reset(self, seed: int | None = None) -> None:
        """Begin the player's random stream anew."""
        self._seed = seed
        for search in self._searches.values():
            search.reset(seed)

    def act(self, turns: Turns) -> Array:
        """The best action found for each row."""
        return self.search_of(turns.game).act(turns)

    def search_of(self, game: Game) -> Guided:
        """The search that plays this game."""
        if game.id not in self._searches:
            self._searches[game.id] = Guided(str(TrainedPlayer.file_of(game)), self.settings, self._seed)
        return self._searches[game.id]


def guided(text: str, seed: int | None = None) -> Guided | GuidedAgent:
    """The player that ``path/to/policy.safetensors:settings`` or ``trained:settings`` names."""
    found = _NAMED.fullmatch(text)
    if found is None:
        raise AlarifeError(
            f"a guided search is named guided:path/to/policy.safetensors:<playouts>, got {'guided:' + text!r}"
        )
    policy, settings = found[1], found[2] or ""
    return GuidedAgent(settings, seed) if policy == TRAINED else Guided(policy, settings, seed)


def compile_guided(game: Game) -> None:
    """Call each kernel of guided search once, the way players call it, with a network that knows nothing."""
    policy = Policy(game, {"hidden": []}, {name: np.zeros(shape, np.float32)
                                           for name, shape in shapes_of(game, []).items()})  # fmt: skip
    player = Guided(policy, "2:cut=2")
    table = first_choice(game)
    player.search(Turns.of_table(table))
    Network(policy).consult(game, blank_views(game.features))
