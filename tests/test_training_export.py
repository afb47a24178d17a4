"""Policies as ONNX files."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from alarife.engine.registry import find_game
from alarife.players.policy import NetworkPlayer, Policy, shapes_of
from alarife_training.checkpoint import write_policy
from alarife_training.export import export_onnx


def worth(tensors, seen):
    """The value estimate, layer by layer, as the files name them."""
    signal = (seen - tensors["input.shift"]) * tensors["input.scale"]
    for layer in ("trunk.0", "trunk.1"):
        signal = np.maximum(signal @ tensors[f"{layer}.weight"].T + tensors[f"{layer}.bias"], 0)
    return (signal @ tensors["value.weight"].T + tensors["value.bias"])[:, 0]


@pytest.mark.parametrize("advised", [False, True])
def test_the_exported_network_scores_like_the_player(advised, tmp_path):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    game, random = find_game("viva"), np.random.default_rng(1)
    card = {"format": "alarife policy", "format_version": 1, "game": "viva", "version": 1, "hidden": [32, 16],
            "advice": advised, "layout": game.layout_digest, "steps": 7}  # fmt: skip
    shapes = shapes_of(game, [32, 16], advised)
    tensors = {name: random.normal(size=shape, scale=0.2).astype(np.float32) for name, shape in shapes.items()}
    path = write_policy(tmp_path / "policy.safetensors", Policy(game, card, tensors))
    session = runtime.InferenceSession(str(export_onnx(path, tmp_path / "policy.onnx")))
    observation = random.normal(size=(40, game.features.size + advised * game.actions.size)).astype(np.float32)
    mask = random.random((40, game.actions.size)) < 0.3
    logits, value = session.run(None, {"observation": observation, "action_mask": mask})
    expected = NetworkPlayer(path).logits(observation)
    assert logits[mask] == pytest.approx(expected[mask], abs=1e-4)
    assert (logits[~mask] == -1e8).all()
    assert value == pytest.approx(worth(tensors, observation), abs=1e-4)
    assert session.get_modelmeta().custom_metadata_map["layout"] == game.layout_digest
