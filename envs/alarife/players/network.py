"""Trained agents at the table, with NumPy alone.

A policy file holds arrays and a card: it is in the safetensors format, a JSON head followed by bare numbers, so that
reading it never runs code. The card says which game, version and layout the network was trained for; whatever does
not fit is refused in one sentence before the first move.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.game import Game
from alarife.engine.registry import find_game
from alarife.players.basic import ScriptedPlayer
from alarife.players.turns import Array, Turns

FORMAT, FORMAT_VERSION = "alarife policy", 1
AGENT = "agent.safetensors"  # the file beside a game's rules
CARD = "alarife"  # the key of the card in the file's head
_TYPES = {"F64": np.float64, "F32": np.float32, "I64": np.int64, "I32": np.int32, "U8": np.uint8}
_LONGEST_HEAD = 100_000_000

Tensors = dict[str, Array]


@dataclass
class Policy:
    """A network for one game: a trunk of layers with ReLU, and a head that scores the actions.

    What it sees is shifted and scaled first, number by number. A network that is advised sees the scripted player's
    action besides, as one more number for each action of the game.
    """

    game: Game
    card: dict[str, Any]
    tensors: Tensors = field(repr=False)

    @property
    def advised(self) -> bool:
        """Whether the network sees what the scripted player would do."""
        return bool(self.card.get("advice", False))

    @property
    def layers(self) -> list[tuple[Array, Array]]:
        """Weights and biases, from the observation to the actions' scores."""
        names = [*(f"trunk.{i}" for i in range(len(self.card["hidden"]))), "policy"]
        return [(self.tensors[f"{name}.weight"], self.tensors[f"{name}.bias"]) for name in names]


def inputs_of(game: Game, advised: bool) -> int:
    """How many numbers a network sees."""
    return game.features.size + (game.actions.size if advised else 0)


def with_advice(observation: Array, advice: Array, game: Game) -> Array:
    """Observations with the advised actions behind them, ``[n, F + A]``."""
    seen = np.zeros((len(observation), inputs_of(game, True)), np.float32)
    seen[:, : game.features.size] = observation
    seen[np.arange(len(seen)), game.features.size + advice] = 1
    return seen


def shapes_of(game: Game, hidden: list[int], advised: bool = False) -> dict[str, tuple[int, ...]]:
    """What a network with these hidden layers consists of."""
    sizes = [inputs_of(game, advised), *hidden]
    shapes: dict[str, tuple[int, ...]] = {"input.shift": (sizes[0],), "input.scale": (sizes[0],)}
    for i, (before, after) in enumerate(pairwise(sizes)):
        shapes |= {f"trunk.{i}.weight": (after, before), f"trunk.{i}.bias": (after,)}
    for head, size in (("policy", game.actions.size), ("value", 1)):
        shapes |= {f"{head}.weight": (size, sizes[-1]), f"{head}.bias": (size,)}
    return shapes


# --- reading ------------------------------------------------------------------------------------------


def read_tensors(path: str | os.PathLike[str]) -> tuple[Tensors, dict[str, str]]:
    """The arrays of a safetensors file and its texts, every length checked."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise FileError(f"cannot read the checkpoint {path}: {error.strerror}") from None
    if content[:4] == b"PK\x03\x04":
        raise FileError(f"{path} is a zip archive, such as Stable-Baselines3 saves: loading one can run code, "
                        "so only safetensors files are taken")  # fmt: skip
    size = int.from_bytes(content[:8], "little")
    if len(content) < 8 or size > _LONGEST_HEAD or content[8:9] != b"{":
        raise FileError(f"{path} is not a checkpoint: it is not in the safetensors format")
    if len(content) < 8 + size:
        raise FileError(f"{path} is cut off: its head has {size} bytes, {len(content) - 8} are there")
    try:
        head = json.loads(content[8 : 8 + size])
        texts = {str(key): str(value) for key, value in head.pop("__metadata__", {}).items()}
        arrays = {str(name): _array(about, memoryview(content)[8 + size :]) for name, about in head.items()}
    except _CutOff as error:
        raise FileError(f"{path} is cut off: its arrays end at byte {error.args[0]}, "
                        f"{len(content) - 8 - size} are there") from None  # fmt: skip
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise FileError(f"{path} is a damaged checkpoint: {_brief(error)}") from None
    return arrays, texts


class _CutOff(Exception):
    """The arrays go on after the end of the file."""


def _array(about: dict[str, Any], body: memoryview) -> Array:
    kind, shape = np.dtype(_TYPES[about["dtype"]]), [int(n) for n in about["shape"]]
    start, end = (int(n) for n in about["data_offsets"])
    if end > len(body):
        raise _CutOff(end)
    if min(shape, default=0) < 0 or start < 0 or end - start != kind.itemsize * int(np.prod(shape, dtype=np.int64)):
        raise ValueError(f"an array of shape {shape} does not have {end - start} bytes")
    return np.frombuffer(body[start:end], kind.newbyteorder("<")).astype(kind).reshape(shape)


def read_card(texts: dict[str, str], path: str | os.PathLike[str]) -> tuple[Game, dict[str, Any]]:
    """The card of a checkpoint and its game, checked against the games that are installed."""
    if CARD not in texts:
        raise FileError(f"{path} is a safetensors file, but no checkpoint of alarife: it has no card")
    try:
        card = json.loads(texts[CARD])
        told = (card["format"], card["format_version"], card["game"], card["version"], card["layout"])
        hidden = card["hidden"]
    except (ValueError, KeyError, TypeError) as error:
        raise FileError(f"{path} is a damaged checkpoint: its card {_brief(error)}") from None
    if told[:2] != (FORMAT, FORMAT_VERSION):
        raise FileError(f"{path} is {told[0]!r} of format {told[1]}, this alarife reads {FORMAT!r} "
                        f"of format {FORMAT_VERSION}")  # fmt: skip
    if not isinstance(hidden, list) or not all(isinstance(n, int) and 0 < n <= 65536 for n in hidden):
        raise FileError(f"{path} is a damaged checkpoint: hidden layers are a list of sizes, got {hidden!r}")
    try:
        game = find_game(str(told[2]))
    except AlarifeError as error:
        raise FileError(f"{path} cannot be used: {error}") from None
    if told[3] != game.version:
        raise FileError(
            f"{path} was trained on {told[2]}_v{told[3]}, installed is {game.id}; a version has its own rules"
        )
    if game.memory is not None and told[4] == game.with_memory.layout_digest:
        game = game.with_memory
    if told[4] != game.layout_digest:
        raise FileError(f"{path} was trained with layout {told[4]} of {game.id}, installed is {game.layout_digest}: "
                        "observations or actions have another meaning")  # fmt: skip
    return game, card


def read_policy(path: str | os.PathLike[str]) -> Policy:
    """A policy from a file: right game, version and layout, right shapes, finite numbers; all of it checked."""
    arrays, texts = read_tensors(path)
    game, card = read_card(texts, path)
    for name, shape in shapes_of(game, card["hidden"], bool(card.get("advice", False))).items():
        if name not in arrays:
            raise FileError(f"{path} is a damaged checkpoint: it has no array {name}")
        if arrays[name].shape != shape or arrays[name].dtype != np.float32:
            raise FileError(f"{path} is a damaged checkpoint: {name} is {arrays[name].dtype} of shape "
                            f"{arrays[name].shape}, expected float32 of shape {shape}")  # fmt: skip
        if not np.isfinite(arrays[name]).all():
            raise FileError(f"{path} cannot be used: {name} holds numbers that are not finite")
    return Policy(game, card, arrays)


def _brief(error: Exception) -> str:
    return f"lacks {error}" if isinstance(error, KeyError) else str(error).splitlines()[0][:200]


# --- playing ------------------------------------------------------------------------------------------


class NetworkPlayer:
    """A trained policy at the table.

    It draws its actions from the policy's probabilities, or with `greedy` takes the likeliest one; by default it does
    what its card says, which is how it was judged.
    """

    def __init__(
        self, policy: Policy | str | os.PathLike[str], seed: int | None = None, *, greedy: bool | None = None
    ) -> None:
        self.policy = policy if isinstance(policy, Policy) else read_policy(policy)
        self.greedy = bool(self.policy.card.get("greedy", False)) if greedy is None else greedy
        # the scripted player decides on forks, and they show what a seat remembers
        self.forks = self.policy.advised or self.policy.game.remembers
        self._adviser = ScriptedPlayer()
        self._layers = [(np.ascontiguousarray(weight.T), bias) for weight, bias in self.policy.layers]
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Begin the player's random stream anew."""
        self._random = np.random.default_rng(seed)
        self._adviser.reset(seed)

    def seen(self, turns: Turns) -> Array:
        """What the network sees of some turns."""
        observation = turns.seen_in(self.policy.game)
        if not self.policy.advised:
            return observation
        return with_advice(observation, self._adviser.act(turns), self.policy.game)

    def logits(self, observation: Array) -> Array:
        """The scores of all actions, legal or not, ``[n, A]``, given what the network sees."""
        tensors = self.policy.tensors
        values = (observation - tensors["input.shift"]) * tensors["input.scale"]
        for weight, bias in self._layers[:-1]:
            values = np.maximum(values @ weight + bias, 0)
        weight, bias = self._layers[-1]
        return np.asarray(values @ weight + bias)

    def scores(self, turns: Turns) -> Array:
        """The scores of all actions, legal or not, ``[n, A]``; another game and a diverged network are refused."""
        logits = self.logits(self.seen(turns))
        if not np.isfinite(logits).all():
            raise AlarifeError(f"the network for {self.policy.game.id} gave scores that are not finite")
        return logits

    def act(self, turns: Turns) -> Array:
        """A legal action for each row."""
        logits = self.scores(turns)
        if not self.greedy:
            logits = logits + np.asarray(self._random.gumbel(size=logits.shape), np.float32)
        picked: Array = np.argmax(np.where(turns.action_mask != 0, logits, -np.inf), 1)
        return picked


class TrainedPlayer:
    """The agent that comes along with a game, whichever game is played."""

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed
        self._agents: dict[str, NetworkPlayer] = {}

    def reset(self, seed: int | None = None) -> None:
        """Begin the player's random stream anew."""
        self._seed = seed
        for agent in self._agents.values():
            agent.reset(seed)

    def act(self, turns: Turns) -> Array:
        """What the game's agent does in each row."""
        if turns.game.id not in self._agents:
            self._agents[turns.game.id] = NetworkPlayer(self.file_of(turns.game), self._seed)
        return self._agents[turns.game.id].act(turns)

    @staticmethod
    def file_of(game: Game) -> Path:
        """The agent's file, beside the game's rules."""
        path = game.folder / AGENT
        if not path.exists():
            raise AlarifeError(f"{game.id} comes without a trained agent; train one: alarife train --config FILE")
        return path
