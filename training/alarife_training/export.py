"""A policy as an ONNX file: observation and mask in, masked scores and value out. Needs the extra [export].

``alarife export runs/viva-ppo/best.safetensors policy.onnx``
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from alarife.engine.errors import missing_extra
from alarife.engine.files import write_whole
from alarife.players.policy import Policy, inputs_of, read_policy

NEVER = -1e8  # the score of an illegal action: finite, so that gradients stay finite
_OPSET, _IR = 17, 8  # what runtimes of 2023 and later read


def export_onnx(checkpoint: str | Path, target: str | Path) -> Path:
    """Write the network of a checkpoint as ONNX; inputs are ``observation [n, F]`` and ``action_mask [n, A]`` bool.

    A network that is advised takes ``[n, F + A]``: behind the observation a 1 at the scripted player's action.
    """
    try:
        import onnx
    except ModuleNotFoundError as error:
        raise missing_extra("exporting needs", "export", error) from None
    policy = read_policy(checkpoint)
    versions = {"ir_version": _IR, "opset_imports": [onnx.helper.make_opsetid("", _OPSET)]}
    model = onnx.helper.make_model(_graph(policy, onnx.helper, onnx.TensorProto), producer_name="alarife", **versions)
    told = {key: str(policy.card[key]) for key in ("game", "version", "layout", "steps")}
    onnx.helper.set_model_props(model, told | {"greedy": str(bool(policy.card.get("greedy", False)))})
    onnx.checker.check_model(model)
    return write_whole(target, model.SerializeToString())


def _graph(policy: Policy, helper: Any, kinds: Any) -> Any:
    game, depth = policy.game, len(policy.card["hidden"])
    nodes = [
        helper.make_node("Sub", ["observation", "input.shift"], ["shifted"]),
        helper.make_node("Mul", ["shifted", "input.scale"], ["layer.0"]),
    ]
    for i in range(depth):
        nodes.append(_linear(helper, f"layer.{i}", f"trunk.{i}", f"sum.{i}"))
        nodes.append(helper.make_node("Relu", [f"sum.{i}"], [f"layer.{i + 1}"]))
    nodes.append(_linear(helper, f"layer.{depth}", "policy", "scores"))
    nodes.append(helper.make_node("Where", ["action_mask", "scores", "never"], ["logits"]))
    nodes.append(_linear(helper, f"layer.{depth}", "value", "value_column"))
    nodes.append(helper.make_node("Squeeze", ["value_column", "second"], ["value"]))
    inputs = [
        helper.make_tensor_value_info("observation", kinds.FLOAT, ["n", inputs_of(game, policy.advised)]),
        helper.make_tensor_value_info("action_mask", kinds.BOOL, ["n", game.actions.size]),
    ]
    outputs = [
        helper.make_tensor_value_info("logits", kinds.FLOAT, ["n", game.actions.size]),
        helper.make_tensor_value_info("value", kinds.FLOAT, ["n"]),
    ]
    arrays = {name: array for name, array in policy.tensors.items() if not name.startswith("adam.")}
    stored = [
        helper.make_tensor(name, kinds.FLOAT, array.shape, array.tobytes(), raw=True) for name, array in arrays.items()
    ]
    stored.append(helper.make_tensor("never", kinds.FLOAT, [], np.float32(NEVER).tobytes(), raw=True))
    stored.append(helper.make_tensor("second", kinds.INT64, [1], [1]))
    return helper.make_graph(nodes, game.id, inputs, outputs, stored)


def _linear(helper: Any, source: str, layer: str, target: str) -> Any:
    return helper.make_node("Gemm", [source, f"{layer}.weight", f"{layer}.bias"], [target], transB=1)
