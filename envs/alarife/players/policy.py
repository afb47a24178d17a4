"""Trained agents at the table, with NumPy alone.

A policy file holds arrays and a card: it is in the safetensors format, a JSON head followed by bare numbers, so that
reading it never runs code. The card says which game, version and layout the network was trained for; whatever does
not fit is refused in one sentence before the first move. A checksum in the head stands for all arrays and texts, so
that a file with a single wrong bit is refused, too.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from alarife.engine.errors import AlarifeError, FileError
from alarife.engine.files import write_whole
from alarife.engine.game import Game
from alarife.engine.numbers import Array, short
from alarife.engine.reading import FileName, opened, parse_json, read_bytes, text_of
from alarife.engine.registry import find_game
from alarife.engine.result import REWARDS
from alarife.players.one_thread import one_thread
from alarife.players.policy_store import checked_file, find_offer, installed, parse_wish
from alarife.players.turns import ADVICE, Turns

FORMAT, FORMAT_VERSION = "alarife policy", 1
AGENT = "made/agent.safetensors"  # in a game's folder
JUDGED = "made/agent.json"  # how it was trained and judged
CARD = "alarife"  # the key of the card in the file's head
CHECKSUM = "checksum"  # the key of the checksum there
OPTIMIZER = "adam."  # begins the names of what Adam keeps for each array
TYPES = {name: np.dtype(kind) for name, kind in
         {"F64": "<f8", "F32": "<f4", "I64": "<i8", "I32": "<i4", "U8": "u1"}.items()}  # fmt: skip
MOST_CHECKPOINT = 1 << 30  # bytes of a file
LONGEST_HEAD = 1 << 20  # bytes
MOST_AXES, MOST_LAYERS, WIDEST = 8, 64, 65_536

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
    def tables(self) -> list[int]:
        """For how many players it was trained; empty where its card does not say."""
        return sorted(self.card.get("players", []))

    @property
    def layers(self) -> list[tuple[Array, Array]]:
        """Weights and biases, from the observation to the actions' scores."""
        names = [*(f"trunk.{i}" for i in range(len(self.card["hidden"]))), "policy"]
        return [(self.tensors[f"{name}.weight"], self.tensors[f"{name}.bias"]) for name in names]


def inputs_of(game: Game, advised: bool) -> int:
    """How many numbers a network sees."""
    return game.features.size + (game.actions.size if advised else 0)


def scale_of(game: Game, advised: bool) -> Array:
    """What a one of each whole number stands for that a network sees."""
    return np.append(game.features.scale, np.ones(game.actions.size, np.float32)) if advised else game.features.scale


def with_advice(observation: Array, advice: Array, game: Game) -> Array:
    """Observations with the advised actions behind them, ``[n, F + A]``, whole numbers or floats as they come."""
    seen = np.zeros((len(observation), inputs_of(game, True)), observation.dtype)
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


@dataclass(frozen=True)
class Head:
    """What stands before the numbers of a safetensors file: its texts, and what each array is."""

    path: str
    texts: dict[str, str]
    arrays: dict[str, tuple[str, tuple[int, ...], int, int]]  # type, shape, first byte and end, from the head's end on

    @property
    def checksum(self) -> str:
        """The checksum that the file carries."""
        if CHECKSUM not in self.texts:
            raise FileError(f"{self.path} has no checksum, so that nobody can tell whether its numbers are whole; if "
                            f"you trust it, add one: alarife checksum {self.path}")  # fmt: skip
        return self.texts[CHECKSUM]


def read_tensors(path: FileName, check: Callable[[Head], None] = lambda head: None) -> tuple[Tensors, dict[str, str]]:
    """The arrays of a checkpoint and its texts. `check` may refuse the file before its arrays are read."""
    with opened(path, "checkpoint", MOST_CHECKPOINT) as (file, size):
        head = _head(path, file.read(8 + LONGEST_HEAD), size)
        check(head)
        told, start = head.checksum, size - max((end for *_, end in head.arrays.values()), default=0)
        file.seek(start)
        body = memoryview(file.read(size - start))
    if len(body) < size - start:
        raise FileError(f"{path} changed while it was read")
    arrays = {name: np.frombuffer(body[begin:end], TYPES[kind]).reshape(shape)
              for name, (kind, shape, begin, end) in head.arrays.items()}  # fmt: skip
    if checksum_of(arrays, head.texts) != told:
        raise FileError(f"{path} is a damaged checkpoint: its numbers or its texts are not those of its checksum")
    return {name: array.astype(array.dtype.newbyteorder("=")) for name, array in arrays.items()}, head.texts


def checksum_of(arrays: Mapping[str, Array], texts: Mapping[str, str]) -> str:
    """A checksum of all that a checkpoint holds: names, types, shapes and numbers of its arrays, and its texts."""
    whole = hashlib.sha256()
    words = {name: text for name, text in texts.items() if name != CHECKSUM}
    whole.update(json.dumps(words, sort_keys=True).encode())
    for name, array in sorted(arrays.items()):
        told = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        whole.update(json.dumps([name, array.dtype.name, list(array.shape)]).encode())
        whole.update(told.tobytes())
    return whole.hexdigest()


def with_checksum(content: bytes, path: FileName = "the file") -> bytes:
    """The bytes of a checkpoint with its checksum in place and its texts in order, so that equal ones are equal bytes.

    Nothing else changes. A wrong checksum is not made right.
    """
    head = _head(path, content, len(content))
    size = int.from_bytes(content[:8], "little")
    body = memoryview(content)[8 + size :]
    arrays = {name: np.frombuffer(body[begin:end], TYPES[kind]).reshape(shape)
              for name, (kind, shape, begin, end) in head.arrays.items()}  # fmt: skip
    checksum = checksum_of(arrays, head.texts)
    if head.texts.get(CHECKSUM, checksum) != checksum:
        raise FileError(f"{path} is a damaged checkpoint: its numbers or its texts are not those of its checksum")
    texts = dict(sorted((head.texts | {CHECKSUM: checksum}).items()))
    about = json.loads(content[8 : 8 + size]) | {"__metadata__": texts}
    words = json.dumps(about, separators=(",", ":")).encode()
    words += b" " * (-len(words) % 8)
    return len(words).to_bytes(8, "little") + words + bytes(body)


def add_checksum(path: FileName) -> bool:
    """Add its checksum to a checkpoint that has none; whether it was missing."""
    content = read_bytes(path, "checkpoint", MOST_CHECKPOINT)
    whole = with_checksum(content, path)
    is_missing = CHECKSUM not in _head(path, content, len(content)).texts
    if is_missing:
        write_whole(path, whole)
    return is_missing


def _head(path: FileName, content: bytes, size: int) -> Head:
    """The head of a file of that size, checked; `content` is the beginning of the file."""
    if content[:4] == b"PK\x03\x04":
        raise FileError(f"{path} is a zip archive, such as Stable-Baselines3 saves: loading one can run code, "
                        "so only safetensors files are taken")  # fmt: skip
    length = int.from_bytes(content[:8], "little")
    if len(content) < 8 or length > LONGEST_HEAD or content[8:9] != b"{":
        raise FileError(f"{path} is not a checkpoint: it is not in the safetensors format")
    if size < 8 + length:
        raise FileError(f"{path} is cut off: its head has {length} bytes, {size - 8} are there")
    try:
        told = parse_json(text_of(content[8 : 8 + length], path, "checkpoint"))
        texts, arrays = told.pop("__metadata__", {}), {name: _array(name, about) for name, about in told.items()}
        _check_places(arrays)
    except FileError as error:
        raise FileError(f"{path} is a damaged checkpoint: {error}") from None
    if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
        raise FileError(f"{path} is a damaged checkpoint: __metadata__ is a table of texts, got {short(texts)}")
    end = max((end for *_, end in arrays.values()), default=0)
    if size < 8 + length + end:
        raise FileError(f"{path} is cut off: its arrays end at byte {end}, {size - 8 - length} are there")
    if size > 8 + length + end:
        raise FileError(f"{path} is a damaged checkpoint: its arrays end at byte {end}, it goes on to "
                        f"{size - 8 - length}")  # fmt: skip
    return Head(str(path), texts, arrays)


def _array(name: str, about: Any) -> tuple[str, tuple[int, ...], int, int]:
    """Type, shape and place of an array."""
    if not isinstance(about, dict) or set(about) != {"dtype", "shape", "data_offsets"}:
        raise FileError(f"an array has dtype, shape and data_offsets, {name} has {short(about)}")
    kind, shape, place = about["dtype"], about["shape"], about["data_offsets"]
    if not isinstance(kind, str) or kind not in TYPES:
        raise FileError(f"arrays are of type {', '.join(TYPES)}, {name} is of {short(kind)}")
    if not _are_sizes(shape) or not _are_sizes(place) or len(place) != 2 or len(shape) > MOST_AXES:
        raise FileError(
            f"{name} has the shape {short(shape)} at {short(place)}: both are lists of whole numbers from 0"
        )
    begin, end = place
    if end - begin != TYPES[kind].itemsize * math.prod(shape):
        raise FileError(f"an array of shape {short(shape)} does not have {end - begin} bytes")
    return kind, tuple(shape), begin, end


def _are_sizes(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(n, int) and not isinstance(n, bool) and n >= 0 for n in value)


def _check_places(arrays: Mapping[str, tuple[str, tuple[int, ...], int, int]]) -> None:
    """Arrays lie one behind the other, without gaps; so they need no more memory than the file has bytes."""
    at = 0
    for name, (_, _, begin, end) in sorted(arrays.items(), key=lambda item: item[1][2:]):
        if begin != at:
            raise FileError(f"arrays lie one behind the other, {name} begins at byte {begin}, not {at}")
        at = end


def read_card(texts: dict[str, str], path: FileName) -> tuple[Game, dict[str, Any]]:
    """The card of a checkpoint and its game, checked against the games that are installed."""
    card = card_of(texts, path)
    try:
        game = find_game(str(card["game"])[:80])
    except AlarifeError as error:
        raise FileError(f"{path} cannot be used: {error}") from None
    if card["version"] != game.version:
        raise FileError(f"{path} was trained on {game.name}_v{short(card['version'])}, installed is {game.id}; "
                        "a version has its own rules")  # fmt: skip
    if game.memory is not None and card["layout"] == game.with_memory.layout_digest:
        game = game.with_memory
    if card["layout"] != game.layout_digest:
        raise FileError(f"{path} was trained with layout {_word(card['layout'])} of {game.id}, installed is "
                        f"{game.layout_digest}: observations or actions have another meaning "
                        "(where blocks were only added, scripts/fit_agents.py fits it)")  # fmt: skip
    return game, card


def card_of(texts: dict[str, str], path: str | os.PathLike[str]) -> dict[str, Any]:
    """The card of a checkpoint, whatever is installed."""
    if CARD not in texts:
        raise FileError(f"{path} is a safetensors file, but no checkpoint of alarife: it has no card")
    try:
        card = parse_json(texts[CARD])
    except FileError as error:
        raise FileError(f"{path} is a damaged checkpoint: its card: {error}") from None
    if not isinstance(card, dict):
        raise FileError(f"{path} is a damaged checkpoint: its card is a table, got {short(card)}")
    told = []
    for name in ("format", "format_version", "game", "version", "layout", "hidden"):
        if name not in card:
            raise FileError(f"{path} is a damaged checkpoint: its card lacks {name!r}")
        told.append(card[name])
    if told[:2] != [FORMAT, FORMAT_VERSION]:
        raise FileError(f"{path} is {short(told[0])} of format {short(told[1])}, this alarife reads {FORMAT!r} "
                        f"of format {FORMAT_VERSION}")  # fmt: skip
    for name, (words, fits) in CARD_ENTRIES.items():
        if name in card and not fits(card[name]):
            raise FileError(f"{path} is a damaged checkpoint: {name} is {words}, got {short(card[name])}")
    return {str(key): value for key, value in card.items()}


def _word(value: Any) -> str:
    """A digest as it stands, anything else as a sentence may quote it."""
    return value if isinstance(value, str) and re.fullmatch("[0-9a-f]{1,64}", value) else short(value)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_switch(value: Any) -> bool:
    return isinstance(value, bool)


#: What a card's entries are, in words and as a question. Those of `hidden` are checked with the arrays, too.
CARD_ENTRIES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "game": ("text", lambda value: isinstance(value, str)),
    "hidden": (f"a list of at most {MOST_LAYERS} layers of 1 to {WIDEST:,} numbers",
               lambda value: _are_sizes(value) and len(value) <= MOST_LAYERS and all(0 < n <= WIDEST for n in value)),
    "advice": ("true or false", _is_switch), "greedy": ("true or false", _is_switch),
    "steps": ("a whole number", _is_whole), "seed": ("a whole number", _is_whole),
    "rules": ("text", lambda value: isinstance(value, str)),
    "players": ("a list of sizes of tables", lambda value: _are_sizes(value) and 0 not in value),
    "options": ("a table", lambda value: isinstance(value, dict)),
    "reward": ("a mode of rewards", lambda value: value in REWARDS),
    "reward_scale": ("a number above 0", lambda value: (_is_whole(value) or isinstance(value, float)) and value > 0),
}  # fmt: skip


def read_policy(path: FileName) -> Policy:
    """A policy from a file: right game, version and layout, right shapes, finite numbers; all of it checked."""
    arrays, texts = read_tensors(path, _check_shapes)
    game, card = read_card(texts, path)
    for name in arrays:
        if not np.isfinite(arrays[name]).all():
            raise FileError(f"{path} cannot be used: {name} holds numbers that are not finite")
    return Policy(game, card, arrays)


def _check_shapes(head: Head) -> None:
    """The arrays are those of a network for the game, and what an optimizer keeps for each of them."""
    game, card = read_card(head.texts, head.path)
    shapes = shapes_of(game, card["hidden"], bool(card.get("advice", False)))
    for name in shapes:
        if name not in head.arrays:
            raise FileError(f"{head.path} is a damaged checkpoint: it has no array {name}")
    for name, (kind, shape, _, _) in head.arrays.items():
        about = name.split(".", 2)[2] if name.startswith(OPTIMIZER) and name.count(".") > 2 else name
        if about not in shapes:
            raise FileError(f"{head.path} is a damaged checkpoint: a network for {game.id} has no array {short(name)}")
        if shape != shapes[about] or kind != "F32":
            raise FileError(f"{head.path} is a damaged checkpoint: {name} is {TYPES[kind].name} of shape {shape}, "
                            f"expected float32 of shape {shapes[about]}")  # fmt: skip


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
        # forks show what a seat remembers
        self.forks = True if self.policy.game.remembers else ADVICE if self.policy.advised else False
        self._layers = [(np.ascontiguousarray(weight.T), bias) for weight, bias in self.policy.layers]
        # Inputs without any weight are left out. So the sums of a policy that was fitted to a layout with more of them
        # come out the same to the last bit: BLAS adds up in blocks, and zeros in between would change their order.
        self._used = np.flatnonzero(self._layers[0][0].any(1))
        self._layers[0] = (self._layers[0][0][self._used], self._layers[0][1])
        self._unit = scale_of(self.policy.game, self.policy.advised)[self._used]
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Begin the player's random stream anew."""
        self._random = np.random.default_rng(seed)

    def seen(self, turns: Turns) -> Array:
        """What the network sees of some turns."""
        observation = turns.seen_in(self.policy.game)
        if not self.policy.advised:
            return observation
        return with_advice(observation, turns.advice(), self.policy.game)

    def logits(self, observation: Array) -> Array:
        """The scores of all actions, legal or not, ``[n, A]``, for what the network sees in whole numbers or floats."""
        weight, bias = self._layers[-1]
        with one_thread:
            return np.asarray(self._trunk(observation) @ weight + bias)

    def _trunk(self, observation: Array) -> Array:
        """What the last layer before the heads says."""
        shift, scale = self.policy.tensors["input.shift"], self.policy.tensors["input.scale"]
        if len(self._used) < len(shift):
            observation, shift, scale = (np.take(one, self._used, -1) for one in (observation, shift, scale))
        values = (self._decoded(observation) - shift) * scale
        for weight, bias in self._layers[:-1]:
            values = np.maximum(values @ weight + bias, 0)
        return np.asarray(values)

    def _decoded(self, used: Array) -> Array:
        """What the inputs that are used stand for."""
        return used if used.dtype.kind == "f" else np.multiply(used, self._unit, dtype=np.float32)

    def scores(self, turns: Turns) -> Array:
        """The scores of all actions, legal or not, ``[n, A]``; another game and a diverged network are refused."""
        logits = self.logits(self.seen(turns))
        if not np.isfinite(logits).all():
            raise AlarifeError(f"the network for {self.policy.game.id} gave scores that are not finite")
        return logits

    def probabilities(self, turns: Turns) -> Array:
        """How likely the policy takes each action, ``[n, A]``; 0 for what is not legal."""
        logits = np.where(turns.action_mask != 0, self.scores(turns).astype(np.float64), -np.inf)
        shares = np.exp(logits - logits.max(1, keepdims=True))
        return np.asarray(shares / shares.sum(1, keepdims=True))

    def values(self, turns: Turns) -> Array:
        """What each seat to decide may expect, ``[n]``, in the reward that the policy was trained for."""
        seen = self.seen(turns)
        with one_thread:
            if len(self._layers) == 1:  # without hidden layers both heads see the inputs, each its own
                unit = 1 if seen.dtype.kind == "f" else scale_of(self.policy.game, self.policy.advised)
                seen = (np.multiply(seen, unit, dtype=np.float32) - self.policy.tensors["input.shift"]) * (
                    self.policy.tensors["input.scale"]
                )
            else:
                seen = self._trunk(seen)
            values = seen @ self.policy.tensors["value.weight"][0] + self.policy.tensors["value.bias"][0]
        return np.asarray(values / self.policy.card.get("reward_scale", 1.0), np.float64)

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
        self.seed = seed
        self._agents: dict[str, NetworkPlayer] = {}

    def reset(self, seed: int | None = None) -> None:
        """Begin the player's random stream anew."""
        self.seed = seed
        for agent in self._agents.values():
            agent.reset(seed)

    def act(self, turns: Turns) -> Array:
        """What the game's agent does in each row."""
        return self.seated(turns.game).act(turns)

    def seated(self, game: Game) -> NetworkPlayer:
        """The agent that plays this game here, the same from decision to decision."""
        if game.id not in self._agents:
            self._agents[game.id] = self.agent_of(game)
        return self._agents[game.id]

    def agent_of(self, game: Game) -> NetworkPlayer:
        """The game's agent."""
        return NetworkPlayer(self.file_of(game), self.seed)

    @staticmethod
    def file_of(game: Game) -> Path:
        """The agent's file, beside the game's rules, or in a package of its own."""
        path = agent_file(game)
        if path is None and (game.folder / JUDGED).is_file():
            raise AlarifeError(f"the trained agent of {game.id} is not here, as it comes in a package of its own: in a "
                               "clone of alarife run `pip install ./training/agents`, or take it from a folder or an "
                               "address with `alarife hub install SOURCE`")  # fmt: skip
        if path is None:
            raise AlarifeError(f"{game.id} comes without a trained agent; train one: alarife train --config FILE")
        return path


def agent_file(game: Game) -> Path | None:
    """The file of the agent that comes along with a game: beside its rules, or a policy called ``trained``."""
    path = game.folder / AGENT
    if path.is_file():
        return path
    offers = [offer for offer in installed() if offer.fits("trained", game.id, None, None)]
    return checked_file(offers[0]) if offers else None


class HubPlayer(TrainedPlayer):
    """A policy that was installed, for whichever game is played: ``hub:name``, or ``hub:name@2#0123abcd``."""

    def __init__(self, wish: str, seed: int | None = None) -> None:
        super().__init__(seed)
        self.wish = parse_wish(wish)

    def agent_of(self, game: Game) -> NetworkPlayer:
        """The policy for this game."""
        return NetworkPlayer(hub_file(self.wish, game), self.seed)


def hub_file(wish: tuple[str, int | None, str | None], game: Game) -> Path:
    """The checked file of an installed policy."""
    name, version, digest = wish
    return checked_file(find_offer(name, game.id, version, digest))
