"""A policy in an ONNX file, from whichever library: observation and mask in, scores of the actions out.

Inputs are ``observation [n, F]`` float32 and ``action_mask [n, A]`` bool (or of numbers), the first output scores the
actions ``[n, A]``. Files that `alarife export` wrote say for which game and layout they are, and whether the likeliest
action is taken; of others the shapes are checked, and the likeliest action is taken.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from alarife.engine.errors import AlarifeError, FileError, missing_extra
from alarife.engine.game import Game
from alarife.engine.numbers import Array, short
from alarife.engine.reading import read_bytes
from alarife.players.policy import MOST_CHECKPOINT, with_advice
from alarife.players.turns import Turns

OBSERVATION, MASK = "observation", "action_mask"


class OnnxPlayer:
    """A policy in an ONNX file at the table; needs the extra [export]."""

    def __init__(self, path: str | os.PathLike[str], seed: int | None = None) -> None:
        self.path = str(path)
        self._session = _session(self.path)
        self._inputs = {one.name: one for one in self._session.get_inputs()}
        if set(self._inputs) - {OBSERVATION, MASK} or OBSERVATION not in self._inputs:
            raise FileError(f"{self.path}: a policy takes {OBSERVATION} and {MASK}, this one takes "
                            f"{short(list(self._inputs))}")  # fmt: skip
        self._told = self._session.get_modelmeta().custom_metadata_map
        self.greedy = self._told.get("greedy", "True") == "True"
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Begin the player's random stream anew."""
        self._random = np.random.default_rng(seed)

    def act(self, turns: Turns) -> Array:
        """A legal action for each row."""
        scores = np.asarray(self.scores(turns), np.float32)
        if not self.greedy:
            scores = scores + np.asarray(self._random.gumbel(size=scores.shape), np.float32)
        picked: Array = np.argmax(np.where(turns.action_mask != 0, scores, -np.inf), 1)
        return picked

    def scores(self, turns: Turns) -> Array:
        """What the network says of all actions, ``[n, A]``."""
        fed = {OBSERVATION: self._seen(turns)}
        if MASK in self._inputs:
            kind = self._inputs[MASK].type
            fed[MASK] = turns.action_mask.astype(bool if "bool" in kind else np.float32 if "float" in kind else np.int8)
        try:
            scores = np.asarray(self._session.run(None, fed)[0])
        except Exception as error:  # of the library: it has no common base
            raise AlarifeError(f"{self.path} cannot play {turns.game.id}: {' '.join(str(error).split())[:200]}"
                               ) from None  # fmt: skip
        if scores.shape != turns.action_mask.shape or np.isnan(np.where(turns.action_mask, scores, 0)).any():
            raise AlarifeError(f"{self.path}: scores are numbers of shape {turns.action_mask.shape}, got "
                               f"{scores.dtype} of shape {scores.shape}")  # fmt: skip
        return scores

    def _seen(self, turns: Turns) -> Array:
        """What the network sees: the game's view, that with memory, or either with the scripted player's action."""
        size = self._inputs[OBSERVATION].shape[-1]
        for game in _layouts(turns.game):
            if "layout" in self._told and self._told["layout"] != game.layout_digest:
                continue
            plain, advised = game.features.size, game.features.size + game.actions.size
            if size in (plain, advised) or not isinstance(size, int):
                seen = np.ascontiguousarray(game.features.decode(turns.seen_in(game)), np.float32)
                return with_advice(seen, turns.advice(), game) if size == advised else seen
        layout = f"layout {short(self._told['layout'])} with " if "layout" in self._told else ""
        raise AlarifeError(f"{self.path} is for {layout}{size} numbers, {turns.game.id} shows "
                           f"{turns.game.features.size} in layout {turns.game.layout_digest}")  # fmt: skip


def _layouts(game: Game) -> list[Game]:
    plain = game.plain or game
    return [plain, *([plain.with_memory] if plain.memory is not None else [])]


def _session(path: str) -> Any:
    try:
        import onnxruntime
    except ModuleNotFoundError as error:
        raise missing_extra("ONNX files need", "export", error) from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    content = read_bytes(path, "policy", MOST_CHECKPOINT)
    try:
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # of the library: it has no common base
        raise FileError(f"{path} is not an ONNX file: {' '.join(str(error).split())[:200]}") from None
