"""A policy file from plain linear layers, for networks that were trained by other means than `alarife train`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from torch import nn

from alarife.engine.errors import AlarifeError
from alarife.engine.game import Game
from alarife.players.policy import FORMAT, FORMAT_VERSION, Policy, Tensors, shapes_of
from alarife_training.checkpoint import write_policy


def write_layers(
    path: Path,
    game: Game,
    layers: Sequence[nn.Linear],
    steps: int,
    players: Sequence[int] = (),
    options: Mapping[str, Any] | None = None,
) -> Path:
    """Write layers with ReLU between them, the last of which scores the actions; the likeliest action is played.

    The first takes observations as floats, ``game.features.decode(view)``. The card says after how many decisions it
    was written, and for which tables.
    """
    hidden = [layer.out_features for layer in layers[:-1]]
    shapes = shapes_of(game, hidden)
    tensors: Tensors = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
    tensors["input.scale"][:] = 1
    names = [*(f"trunk.{i}" for i in range(len(hidden))), "policy"]
    for name, layer in zip(names, layers, strict=True):
        for part, tensor in ((f"{name}.weight", layer.weight), (f"{name}.bias", layer.bias)):
            array = tensor.detach().cpu().numpy().astype(np.float32)
            if array.shape != shapes[part]:
                raise AlarifeError(f"a network for {game.id} has {part} of shape {shapes[part]}, got {array.shape}")
            tensors[part] = array
    card = {"format": FORMAT, "format_version": FORMAT_VERSION, "game": game.name, "version": game.version,
            "layout": game.layout_digest, "layout_table": game.layout_table, "rules": game.digest, "hidden": hidden,
            "steps": steps, "players": list(players),
            "options": game.make_options(dict(options or {})).to_dict(), "greedy": True}  # fmt: skip
    return write_policy(path, Policy(game, card, tensors))
