"""What the driver and its runners tell each other.

Before every sample the driver asks each runner for fingerprints of what it holds, and sends whatever differs: the
newest weights, snapshots, scores. So nobody plays with weights that the learner does not know of, not even a runner
that was restarted. After the sample it fetches how the games came out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ray.rllib.core.rl_module.multi_rl_module import MultiRLModule

from alarife.engine.errors import AlarifeError
from alarife.engine.numbers import Array
from alarife.engine.registry import find_game
from alarife.players import RandomPlayer
from alarife.players.policy import NetworkPlayer, Policy, Tensors
from alarife_training.opponents import Pool
from alarife_training.rllib.games import RunnerEnv, RunnerPool
from alarife_training.rllib.league import MAIN, LeagueEnv, self_name
from alarife_training.rllib.module import digest_of, fingerprint
from alarife_training.weights import TorchPlayer, put_tensors


@dataclass(frozen=True)
class Held:
    """Fingerprints of what a runner plays with."""

    runner: int
    main: str
    selves: dict[int, tuple[str, str]]  # slot: name and fingerprint of a snapshot


@dataclass(frozen=True)
class Frozen:
    """A snapshot on its way."""

    slot: int
    name: str
    card: dict[str, Any]
    tensors: Tensors = field(repr=False)


@dataclass(frozen=True)
class Parcel:
    """What the runners have to know before they play."""

    main: Tensors | None
    frozen: list[Frozen]
    scores: dict[str, float]
    anchors: int


@dataclass
class Heard:
    """How the games of a runner came out since it was asked last."""

    decisions: int = 0
    ended: list[tuple[float, int]] = field(default_factory=list)
    points: list[tuple[int, str, Array]] = field(default_factory=list)  # slot and name of a member, points against it
    seconds: float = 0.0  # in the environment
    thinking: float = 0.0  # of the opponents in there


# --- on a runner --------------------------------------------------------------------------------------


def games_of(runner: Any) -> list[RunnerEnv | LeagueEnv]:
    """The environments of a runner; none on RLlib's spare runner in the driver's process."""
    if runner.env is None:
        return []
    env = runner.env.unwrapped
    return [one.unwrapped for one in env.envs] if hasattr(env, "envs") else [env]


def network_of(runner: Any, name: str = MAIN) -> Any:
    """A network of a runner: the newest self, or in a league a frozen one."""
    module = runner.module
    return (module[name] if isinstance(module, MultiRLModule) else module).unwrapped()


def held(runner: Any) -> Held | None:
    """What this runner plays with."""
    games = games_of(runner)
    if not games:
        return None
    pool, is_league = games[0].pools[0], isinstance(games[0], LeagueEnv)
    anchors = len(pool.members) - len(pool.snapshots)
    selves = {}
    for slot, member in enumerate(pool.members[anchors:], anchors):
        if is_league:
            digest = digest_of(network_of(runner, self_name(slot - anchors)))
        else:
            digest = fingerprint(_policy_of(pool, slot).tensors)
        selves[slot] = (member.name, digest)
    return Held(runner.worker_index, digest_of(network_of(runner)), selves)


def take(runner: Any, parcel: Parcel) -> None:
    """Play with what the driver sent from now on."""
    games = games_of(runner)
    if not games:
        return
    if parcel.main is not None:
        put_tensors(network_of(runner), parcel.main)
    for frozen in parcel.frozen:
        if isinstance(games[0], LeagueEnv):
            put_tensors(network_of(runner, self_name(frozen.slot - parcel.anchors)), frozen.tensors)
        for game in games:
            _seat(game, frozen)
    for game in games:
        for pool in game.pools:
            _score(pool, parcel.scores)


def _seat(game: RunnerEnv | LeagueEnv, frozen: Frozen) -> None:
    for pool in game.pools:
        if isinstance(game, LeagueEnv):
            pool.put(frozen.slot, frozen.name, RandomPlayer())  # keeps the seat; a module of the runner decides
        else:
            policy = Policy(find_game(frozen.card["game"]), frozen.card, frozen.tensors)
            pool.put(frozen.slot, frozen.name, TorchPlayer(policy, frozen.card["steps"]))


def _score(pool: RunnerPool, scores: dict[str, float]) -> None:
    for member in pool.members:
        member.score = scores.get(member.name, member.score)


def tell(runner: Any) -> Heard:
    """How this runner's games came out since it was asked last."""
    heard = Heard()
    for game in games_of(runner):
        heard.decisions += game.decisions
        heard.ended += game.ended
        heard.seconds += game.clock.seconds
        game.decisions, game.ended, game.clock.seconds = 0, [], 0.0
        for pool in game.pools:
            heard.points += pool.heard
            heard.thinking += pool.thinking.seconds
            pool.heard, pool.thinking.seconds = [], 0.0
    return heard


# --- at the driver ------------------------------------------------------------------------------------


def everywhere(group: Any, ask: Callable[[Any], Any]) -> list[Any]:
    """Ask all runners that are well."""
    return list(group.foreach_env_runner(ask, local_env_runner=True))


def deliver(group: Any, main: Tensors, pool: Pool) -> None:
    """See to it that all runners play with these weights and these members; nothing is sent that they have."""
    replies = [reply for reply in everywhere(group, held) if reply is not None]
    if not replies:
        return
    anchors = len(pool.members) - len(pool.snapshots)
    frozen = []
    for slot, member in enumerate(pool.members[anchors:], anchors):
        policy = _policy_of(pool, slot)
        wanted = (member.name, fingerprint(policy.tensors))
        if any(reply.selves.get(slot) != wanted for reply in replies):
            frozen.append(Frozen(slot, member.name, policy.card, policy.tensors))
    newest = fingerprint(main)
    is_old = any(reply.main != newest for reply in replies)
    scores = {member.name: member.score for member in pool.members}
    everywhere(group, partial(take, parcel=Parcel(main if is_old else None, frozen, scores, anchors)))


def _policy_of(pool: Pool, slot: int) -> Policy:
    player = pool.members[slot].player
    if not isinstance(player, NetworkPlayer):
        raise AlarifeError(f"{pool.members[slot].name} is in the pool as a snapshot, but it is no network")
    return player.policy


def count(pool: Pool, heard: Heard) -> None:
    """Take the results of a runner into the driver's pool; those against members that have left are dropped."""
    for slot, name, points in heard.points:
        if slot < len(pool.members) and pool.members[slot].name == name:
            pool.members[slot].count(points)
