"""What a run is: one YAML file, checked before anything else happens.

A config holds every choice of a run, its own judgement included. Command lines override it with ``key=value`` words,
``ppo.learning_rate=1e-4`` for nested ones. Nothing is evaluated and nothing is inherited from other files.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from alarife.engine.errors import AlarifeError, FileError, OptionError, nearest
from alarife.engine.game import Game
from alarife.engine.numbers import SEED_BITS, short
from alarife.engine.reading import plain
from alarife.engine.registry import find_game
from alarife.players import Player, find_player, is_person
from alarife.players.guiding import GuidedAgent, GuidedSettings
from alarife.players.policy import MOST_LAYERS, WIDEST, NetworkPlayer, Policy, TrainedPlayer, read_policy
from alarife_training.plain_yaml import parse_yaml, read_yaml, yaml_of

MOST = 10**12  # decisions, of anything
MOST_ROWS = 2**24  # decisions that are held at a time
MOST_BATCH = 2**20  # games side by side
MOST_GAMES = 10**6  # games of an evaluation
MOST_NAMES = 100  # in a list of players
SELF = "guided:self"  # a teacher: a search led by the network that learns


class ConfigError(OptionError):
    """A config that cannot be run."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class PPO(_Part):
    """Proximal policy optimisation with masks."""

    learning_rate: float = Field(default=3e-4, gt=0, le=1, description="step size of Adam at the start")
    final_learning_rate: float = Field(
        default=3e-5,
        ge=0,
        le=1,
        description="step size at the end; it falls with the decisions, or with the clock where `minutes` end sooner",
    )
    steps: int = Field(default=64, ge=2, le=MOST_BATCH, description="decisions that each game contributes to an update")
    minibatch: int = Field(default=2048, ge=2, le=MOST_ROWS, description="decisions in one step of Adam")
    epochs: int = Field(default=4, ge=1, le=1000, description="passes over the decisions of an update")
    gamma: float = Field(default=0.995, gt=0, le=1, description="discount: what a reward is worth one decision earlier")
    gae_lambda: float = Field(default=0.95, ge=0, le=1, description="0 trusts the value estimate, 1 the outcome")
    clip: float = Field(
        default=0.2, gt=0, le=1, description="clip range: how far one update may change an action's probability"
    )
    entropy: float = Field(
        default=0.01, ge=0, description="entropy coefficient: what the entropy of the policy is worth"
    )
    value: float = Field(default=0.5, ge=0, description="value coefficient: weight of the value estimate's error")
    max_gradient: float = Field(default=0.5, gt=0, description="longer gradients are shortened to this")


class Imitation(_Part):
    """A head start: learning what a teacher does before self-play begins; a refinement is a second teacher."""

    decisions: int = Field(
        default=0, ge=0, le=MOST, description="decisions of the teacher to learn from; 0 for no teacher"
    )
    minutes: float | None = Field(default=None, gt=0, description="end the lessons after this time")
    player: str = Field(
        default="scripted", description="the teacher; guided:self:100 is a search led by the network as it stands"
    )
    lesson: int = Field(
        default=65_536,
        ge=1,
        le=MOST_ROWS,
        description="decisions of a lesson at most; fewer where they need much memory",
    )
    window: int = Field(default=1, ge=1, le=1000, description="lessons that are gone through at a time, the last ones")
    temperature: float = Field(
        default=0.1,
        ge=0,
        description="how far apart values are that make an action e times as likely, of a search; "
        "0: learn what it does",
    )
    noise: float = Field(default=0.15, ge=0, lt=1, description="share of random moves in its games")
    parts: int = Field(
        default=1, ge=1, le=10_000, description="processes that a lesson is shared out among; 1: games that go on, here"
    )
    address: str | None = Field(
        default=None, description="a Ray cluster whose tasks give the parts instead, auto or HOST:PORT"
    )
    epochs: int = Field(default=3, ge=1, le=1000, description="passes over its decisions")
    minibatch: int = Field(default=1024, ge=2, le=MOST_ROWS, description="decisions in one step of Adam")
    learning_rate: float = Field(default=2e-3, gt=0, le=1, description="step size of Adam at the start")

    @property
    def guidance(self) -> str | None:
        """What is said of a search led by the network that learns; None for any other teacher."""
        name, _, settings = self.player.removeprefix(SELF).partition(":")
        return settings if self.player.startswith(SELF) and not name else None


class Pool(_Part):
    """Who sits on the other seats."""

    anchors: list[str] = Field(
        default=["random", "scripted"], max_length=MOST_NAMES, description="players that stay in the pool for ever"
    )
    snapshots: int = Field(
        default=10, ge=0, le=1000, description="frozen earlier selves at most; the easiest one makes room"
    )
    gate: float = Field(default=0.55, ge=0, le=1, description="share of points against the pool that earns a snapshot")
    games: int = Field(default=300, ge=1, le=MOST_GAMES, description="games against a member before its score counts")
    hardness: float = Field(default=2.0, ge=0, description="members are drawn by (1 - score) to this power")
    floor: float = Field(default=0.05, gt=0, description="added to it, so that nobody is forgotten")


class RLlib(_Part):
    """Scale-out with Ray RLlib; counts for `trainer: rllib` alone."""

    mode: Literal["single", "league"] = Field(
        default="single", description="who learns: one seat a game on native batches, or every seat of the newest self"
    )
    runners: int = Field(
        default=1, ge=0, le=10_000, description="processes that play; 0 plays in the learner's own process"
    )
    address: str | None = Field(
        default=None, description="the cluster to join, auto or HOST:PORT; none starts one here"
    )
    needs: dict[str, float] = Field(default={}, description="what a runner asks of its machine besides one CPU")
    mirror: float = Field(
        default=0.5, ge=0, le=1, description="league: share of other seats that the newest self plays"
    )


class Evaluation(_Part):
    """The run's own judgement."""

    against: list[str] = Field(
        default=["random", "scripted"], max_length=MOST_NAMES, description="the ladder; each rung fills all other seats"
    )
    every: int = Field(default=200_000, ge=1, le=MOST, description="decisions between two evaluations")
    games: int = Field(default=400, ge=2, le=MOST_GAMES, description="games against each rung, seats rotated")
    final_games: int = Field(
        default=2000, ge=2, le=MOST_GAMES, description="games against each rung at the end, for the best checkpoint"
    )
    also_against: list[str] = Field(
        default=[],
        max_length=MOST_NAMES,
        description="players met at the end only; at a table for one they play the same games instead",
    )
    also_games: int = Field(default=500, ge=2, le=MOST_GAMES, description="games of each of those")
    best_by: str | None = Field(
        default=None,
        description="the rung that decides what is best, default the last one; alone, points if reward is score",
    )
    greedy: bool = Field(default=False, description="play the likeliest action instead of drawing one")
    seed: int = Field(default=10_000, ge=0, lt=2 ** (SEED_BITS - 1), description="seed of the games that judge")


class Config(_Part):
    """A whole run."""

    game: str = Field(description="name or id of the game")
    players: int | list[int] | None = Field(
        default=None, description="seats at the table; several counts share the batch"
    )
    options: dict[str, Any] = Field(default={}, description="options of the game")
    memory: bool = Field(default=False, description="the network also sees what its seat remembers beyond its view")
    reward: Literal["outcome", "rank", "score", "margin"] = Field(default="outcome", description="what is learnt")
    reward_scale: float = Field(default=1.0, gt=0, description="rewards are multiplied by this; keep returns near 1")
    seed: int = Field(default=1, ge=0, lt=2**32, description="the same seed gives the same run on one thread")
    steps: int = Field(default=2_000_000, ge=1, le=MOST, description="decisions of the learner in all")
    minutes: float | None = Field(default=None, gt=0, description="stop after this time; makes runs hard to repeat")
    games: int = Field(default=256, ge=1, le=MOST_BATCH, description="games side by side; with RLlib, in each runner")
    init: str | None = Field(
        default=None, description="a policy whose weights the run begins with: a .safetensors file, or trained"
    )
    skip_forced: bool = Field(
        default=True,
        description="play a lone legal action without asking the network, which learns nothing from it; a league asks",
    )
    longest: int | None = Field(
        default=None,
        ge=2,
        le=MOST,
        description="cut a game off after so many own decisions; the value estimate stands in",
    )
    advice: bool = Field(default=False, description="the network also sees what the scripted player would do")
    hidden: list[Annotated[int, Field(ge=1, le=WIDEST)]] = Field(
        default=[256, 256], min_length=1, max_length=MOST_LAYERS, description="sizes of the trunk's layers"
    )
    threads: int = Field(default=1, ge=1, le=1024, description="threads of torch; runs repeat exactly on one")
    precision: Literal["auto", "float32", "bfloat16"] = Field(
        default="auto",
        description="of the products in the trunk while learning; auto is bfloat16 where the processor is made for it",
    )
    checkpoint_every: int = Field(default=200_000, ge=1, le=MOST, description="decisions between two checkpoints")
    keep: int = Field(default=3, ge=1, le=MOST_GAMES, description="checkpoints kept")
    replays: int = Field(default=1, ge=0, le=10, description="games told in the report")
    trainer: Literal["sb3", "rllib"] = Field(
        default="sb3", description="who runs the learning: Stable-Baselines3 here, or Ray RLlib on one or more machines"
    )
    ppo: PPO = PPO()
    imitation: Imitation = Imitation()
    refinement: Imitation = Imitation()
    pool: Pool = Pool()
    evaluation: Evaluation = Evaluation()
    rllib: RLlib = RLlib()

    def find_game(self) -> Game:
        """The game that is learnt."""
        return find_game(self.game, self.memory)

    @property
    def counts(self) -> list[int]:
        """The player counts that share the batch."""
        game = self.find_game()
        told = game.default_players if self.players is None else self.players
        return [told] if isinstance(told, int) else list(told)

    @property
    def best_by(self) -> str | None:
        """The rung that decides which checkpoint is best."""
        against = self.evaluation.against
        return self.evaluation.best_by or (against[-1] if against else None)


# --- reading and writing ------------------------------------------------------------------------------


def read_config(path: str | os.PathLike[str], overrides: Sequence[str] = ()) -> Config:
    """A config from a YAML file, with ``key=value`` overrides."""
    content = read_yaml(path, "config")
    if not isinstance(content, dict):
        raise FileError(f"{path} is not a config: it has to be a list of `key: value` lines")
    for word in overrides:
        override(content, word)
    return make_config(content, str(path))


def override(content: dict[str, Any], word: str) -> None:
    """Change a config's content by a word such as ppo.epochs=2."""
    key, equals, value = word.partition("=")
    if not equals or not key:
        raise ConfigError(f"write overrides as key=value, such as ppo.learning_rate=1e-4, got {word!r}")
    *parents, last = key.split(".")
    for name in parents:
        content = content.setdefault(name, {})
        if not isinstance(content, dict):
            raise ConfigError(f"{key}: {name} has no parts")
    try:
        content[last] = parse_yaml(value)
    except FileError as error:
        raise ConfigError(f"{key}: {short(value)} is not a value: {error}") from None


def make_config(content: dict[str, Any], where: str = "config") -> Config:
    """A config from plain data; the first thing that is wrong is told in one sentence."""
    try:
        config = Config.model_validate(_whole(plain(content)))
    except FileError as error:
        raise ConfigError(f"{where}: {error}") from None
    except ValidationError as error:
        raise ConfigError(f"{where}: {_sentence(error)}") from None
    try:
        _check(config)
    except AlarifeError as error:
        raise ConfigError(f"{where}: {error}") from None
    return config


def _whole(content: Any) -> Any:
    """The same with whole numbers for those that are written with a point or an exponent, such as 1e6."""
    if isinstance(content, dict):
        return {key: _whole(value) for key, value in content.items()}
    if isinstance(content, list):
        return [_whole(value) for value in content]
    return int(content) if isinstance(content, float) and content.is_integer() else content


def _check(config: Config) -> None:
    game = config.find_game()
    options = game.make_options(config.options)
    if not 1 <= len(config.counts) <= MOST_NAMES:
        raise ConfigError(f"players: give 1 to {MOST_NAMES} player counts, got {len(config.counts)}")
    for count in config.counts:
        game.template(count, options)
    if max(config.counts) > 1 and not config.pool.anchors:
        raise ConfigError("pool.anchors: games for several seats need at least one anchor, such as random")
    best = config.evaluation.best_by
    if best is not None and best not in config.evaluation.against:
        raise ConfigError(f"evaluation.best_by: no rung called {best!r}{nearest(best, config.evaluation.against)}")
    games = config.games * (max(1, config.rllib.runners) if config.trainer == "rllib" else 1)
    if config.ppo.steps * games < config.ppo.minibatch:
        raise ConfigError(f"ppo.minibatch: {games} games with {config.ppo.steps} steps are fewer decisions "
                          f"than one minibatch, {config.ppo.minibatch}")  # fmt: skip
    if config.trainer == "sb3" and config.ppo.steps * games % config.ppo.minibatch == 1:
        raise ConfigError(f"ppo.minibatch: {games} games with {config.ppo.steps} steps are one decision more than "
                          f"minibatches of {config.ppo.minibatch}, and nothing can be learnt from one")  # fmt: skip
    _check_players(config, game)
    if config.init is not None:
        beginning_of(config)


def beginning_of(config: Config) -> Policy:
    """The policy whose weights a run begins with; refused if it does not fit the config's network."""
    player = _told_of("init", find_player, config.init)
    game = config.find_game()
    policy = _told_of("init", partial(_policy_of, game=game), player)
    if policy is None or not isinstance(player, NetworkPlayer | TrainedPlayer):
        raise ConfigError(f"init: give a policy, a .safetensors file or trained, got {short(config.init)}")
    held = network_words(policy.game, policy.card["hidden"], policy.advised)
    asked = network_words(game, config.hidden, config.advice)
    if held != asked:
        raise ConfigError(f"init: {config.init} holds {held}, the config asks for {asked}")
    return policy


def network_words(game: Game, hidden: list[int], advised: bool) -> str:
    """What a network is for and how large it is, to be compared and told."""
    memory = " with memory" if game.remembers else ""
    return f"a network {hidden} for {game.id}{memory} with{'' if advised else 'out'} advice"


def config_of_policy(policy: Policy) -> dict[str, Any]:
    """What a config has to say so that it can go on with a policy: its game, tables, network and rewards."""
    card = policy.card
    return {
        "game": str(card["game"]),
        "memory": policy.game.remembers,
        "players": list(card.get("players", [])) or None,
        "options": dict(card.get("options", {})),
        "reward": card.get("reward", "outcome"),
        "reward_scale": card.get("reward_scale", 1.0),
        "hidden": list(card["hidden"]),
        "advice": policy.advised,
    }


def _check_players(config: Config, game: Game) -> None:
    """Find everybody who is named, so that a typo is told now and not at the end of the run."""
    named = [("pool.anchors", name) for name in config.pool.anchors]
    named += [("evaluation.against", name) for name in config.evaluation.against]
    named += [("evaluation.also_against", name) for name in config.evaluation.also_against]
    for key, teacher in (("imitation.player", config.imitation), ("refinement.player", config.refinement)):
        if teacher.guidance is None:
            named.append((key, teacher.player))
        else:
            _told_of(key, GuidedSettings.parse, teacher.guidance)
    for key, name in named:
        player = _told_of(key, find_player, name)
        if is_person(player):
            raise ConfigError(f"{key}: a person cannot take part in training, got {name!r}")
        policy = _told_of(key, partial(_policy_of, game=game), player)
        if policy is not None and (policy.game.plain or policy.game) is not (game.plain or game):
            raise ConfigError(f"{key}: {name} plays {policy.game.id}, the config is for {game.id}")


def _told_of(key: str, find: Callable[[Any], Any], what: Any) -> Any:
    try:
        return find(what)
    except AlarifeError as error:
        raise ConfigError(f"{key}: {error}") from None


def _policy_of(player: Player, game: Game) -> Policy | None:
    """The policy that a player plays or is led by, None for one without."""
    if isinstance(player, TrainedPlayer | GuidedAgent):
        return read_policy(TrainedPlayer.file_of(game))
    policy = getattr(player, "policy", None)
    return policy if isinstance(policy, Policy) else None


def _sentence(error: ValidationError) -> str:
    first = error.errors()[0]
    place = [str(part) for part in first["loc"]]
    if first["type"] == "extra_forbidden":
        allowed = list(_part_at(place[:-1]).model_fields)
        inside = f" in {'.'.join(place[:-1])}" if place[:-1] else ""
        return f"no key called {short(place[-1])}{inside}{nearest(place[-1][:80], allowed)}"
    if first["type"] == "missing":
        return f"the key {'.'.join(place)!r} is missing"
    if place[0] == "players":
        return f"players: give a whole number or a list of whole numbers, got {short(first['input'])}"
    if first["type"] == "model_type":
        inside = ", ".join(f"{'.'.join(place)}.{name}" for name in _part_at(place).model_fields)
        return f"{'.'.join(place)}: it has keys of its own, got {short(first['input'])}. Allowed: {inside}"
    said = first["msg"][0].lower() + first["msg"][1:]
    return f"{'.'.join(place)}: {said}, got {short(first['input'])}"


def _part_at(place: Sequence[str]) -> type[BaseModel]:
    part: type[BaseModel] = Config
    for name in place:
        inner = part.model_fields[name].annotation if name in part.model_fields else None
        part = inner if isinstance(inner, type) and issubclass(inner, BaseModel) else part
    return part


def write_config(config: Config) -> bytes:
    """The config with every value, as YAML."""
    return yaml_of(config.model_dump()).encode()


def describe() -> list[tuple[str, str, str]]:
    """Rows of the config's table: key, default, meaning."""
    return list(_rows(Config, ""))


def _rows(part: type[BaseModel], prefix: str) -> Any:
    for name, field in part.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from _rows(inner, f"{prefix}{name}.")
        else:
            default = "required" if field.is_required() else str(field.default)
            yield f"{prefix}{name}", default, field.description or ""
