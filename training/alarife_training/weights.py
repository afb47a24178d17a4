"""The network, in torch: one trunk with ReLU shared by policy and value, masks inside.

`MaskedPolicy` is what Stable-Baselines3 trains. Asked to, it multiplies in bfloat16, which processors with instructions
for it do several times as fast; weights, values, probabilities, gradients of weights and Adam stay in float32.

`tensors_of` and `put_tensors` translate its weights from and to the names that files and `alarife.players.policy` use,
`adam_of` and `put_adam` the state of its optimizer.
"""

from __future__ import annotations

from collections import OrderedDict
from itertools import pairwise
from typing import Any, Protocol

import gymnasium
import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from alarife.engine.errors import AlarifeError
from alarife.engine.game import Game
from alarife.engine.numbers import Array
from alarife.players import Player
from alarife.players.policy import NetworkPlayer, Policy, Tensors, TrainedPlayer, scale_of
from alarife_training.checkpoint import MOMENTS
from alarife_training.export import NEVER  # torch is not needed there

_CONSTANT, _LEAST_SPREAD = 1e-6, 0.1


class Trunk(BaseFeaturesExtractor):
    """Layers with ReLU. Observations in whole numbers come with what a one of each stands for, their unit."""

    def __init__(
        self,
        observation_space: gymnasium.spaces.Box,
        hidden: list[int],
        unit: Array | None = None,
        precision: str = "float32",
    ) -> None:
        super().__init__(observation_space, hidden[-1])
        self.halves = precision == "bfloat16"
        sizes = [observation_space.shape[0], *hidden]
        parts: OrderedDict[str, nn.Module] = OrderedDict()
        for i, (before, after) in enumerate(pairwise(sizes)):
            parts[str(i)] = nn.Linear(before, after)
            parts[f"relu_{i}"] = nn.ReLU()
        self.layers = nn.Sequential(parts)
        self.shift: torch.Tensor
        self.scale: torch.Tensor
        self.register_buffer("shift", torch.zeros(sizes[0]))
        self.register_buffer("scale", torch.ones(sizes[0]))
        self.unit: torch.Tensor | None
        self.register_buffer("unit", None if unit is None else torch.tensor(unit), persistent=False)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """The trunk's last layer."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.halves):
            values: torch.Tensor = self.layers[1:](self._first(observations))
        return values.float()

    def _first(self, observations: torch.Tensor) -> torch.Tensor:
        """The first layer; its weights take in units, shift and scale, as they are fewer than the observations."""
        layer = self.layers[0]
        assert isinstance(layer, nn.Linear)
        unit = torch.ones_like(self.scale) if self.unit is None else self.unit
        weight = layer.weight * (unit * self.scale)
        if self.halves:
            weight = weight.bfloat16()
        bias = layer.bias - nn.functional.linear(self.shift / unit, weight.float())  # of the weights as rounded
        return nn.functional.linear(observations.to(weight.dtype), weight, bias.to(weight.dtype))


class MaskedPolicy(MaskableActorCriticPolicy):
    """The policy of sb3-contrib with the distribution worked out once instead of three times."""

    def __init__(
        self,
        observed: Any,
        chosen: Any,
        rate: Any,
        hidden: list[int],
        unit: Array | None = None,
        precision: str = "float32",
        **rest: Any,
    ) -> None:
        about = {"hidden": hidden, "unit": unit, "precision": precision}
        trunk: dict[str, Any] = {"features_extractor_class": Trunk, "features_extractor_kwargs": about}
        super().__init__(observed, chosen, rate, net_arch=[], activation_fn=nn.ReLU, **trunk, **rest)

    def _heads(self, observations: torch.Tensor, masks: Any) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        if masks is None:
            raise AlarifeError("the policy was asked without a mask; it would play illegal actions")
        trunk = self.features_extractor
        assert isinstance(trunk, Trunk)
        features = trunk(observations)
        with torch.autocast("cpu", torch.bfloat16, enabled=trunk.halves):
            scores = self.action_net(features).float()
        if not torch.isfinite(scores).all():
            raise AlarifeError("the network's scores are not finite any more: training has diverged; "
                               "try a smaller ppo.learning_rate or reward_scale")  # fmt: skip
        legal = torch.as_tensor(masks, dtype=torch.bool, device=scores.device).reshape(scores.shape)
        return torch.log_softmax(torch.where(legal, scores, NEVER), -1), legal, self.value_net(features)

    def scores(self, observations: torch.Tensor, masks: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-probabilities of all actions, and values."""
        logs, _, values = self._heads(observations, masks)
        return logs, values

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions, values and log-probabilities."""
        logs, _, values = self._heads(obs, action_masks)
        if deterministic:
            actions = logs.argmax(-1)
        else:
            actions = (logs - torch.empty_like(logs).exponential_().log()).argmax(-1)
        return actions, values, logs.gather(1, actions[:, None]).squeeze(1)

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """Values, log-probabilities of the actions, and entropies."""
        logs, legal, values = self._heads(obs, action_masks)
        entropy = -torch.where(legal, logs * logs.exp(), 0.0).sum(-1)
        return values, logs.gather(1, actions.long()[:, None]).squeeze(1), entropy


class Network(Protocol):
    """Anything with a trunk and two heads."""

    features_extractor: Any
    action_net: Any
    value_net: Any


def _modules(policy: Network) -> dict[str, nn.Linear]:
    assert isinstance(policy.features_extractor, Trunk)
    trunk = [layer for layer in policy.features_extractor.layers if isinstance(layer, nn.Linear)]
    assert isinstance(policy.action_net, nn.Linear)
    heads = {"policy": policy.action_net, "value": policy.value_net}
    return {f"trunk.{i}": layer for i, layer in enumerate(trunk)} | heads


def parameters_of(policy: Network) -> dict[str, torch.Tensor]:
    """The parameters by the names that files use."""
    return {f"{name}.{part}": getattr(module, part) for name, module in _modules(policy).items()
            for part in ("weight", "bias")}  # fmt: skip


def _arrays_of(policy: Network) -> dict[str, torch.Tensor]:
    trunk = policy.features_extractor
    assert isinstance(trunk, Trunk)
    return parameters_of(policy) | {"input.shift": trunk.shift, "input.scale": trunk.scale}


def tensors_of(policy: Network) -> Tensors:
    """Copies of all that the network consists of."""
    return {name: tensor.detach().cpu().numpy().copy() for name, tensor in _arrays_of(policy).items()}


def put_tensors(policy: Network, tensors: Tensors) -> None:
    """Overwrite all that the network consists of, or the part that is given."""
    with torch.no_grad():
        for name, mine in _arrays_of(policy).items():
            if name in tensors:
                mine.copy_(torch.from_numpy(tensors[name]))


def adam_of(policy: Network, optimizer: torch.optim.Optimizer) -> tuple[Tensors, float]:
    """Copies of Adam's state by the names that files use, zeros before its first step, and its steps so far."""
    moments, steps = {}, 0.0
    for name, parameter in parameters_of(policy).items():
        about = optimizer.state.get(parameter, {})
        steps = max(steps, float(about.get("step", 0)))
        for moment in MOMENTS:
            tensor = about.get(moment, torch.zeros_like(parameter))
            moments[f"adam.{moment}.{name}"] = tensor.detach().cpu().numpy().copy()
    return moments, steps


def put_adam(policy: Network, optimizer: torch.optim.Optimizer, moments: Tensors, steps: float) -> None:
    """Overwrite Adam's state."""
    for name, parameter in parameters_of(policy).items():
        state = {moment: torch.from_numpy(moments[f"adam.{moment}.{name}"].copy()) for moment in MOMENTS}
        optimizer.state[parameter] = {"step": torch.tensor(steps)} | state


def precision_of(name: str) -> str:
    """The precision that a config asks for; `auto` is bfloat16 where the processor has instructions for it."""
    if name != "auto":
        return name
    able: dict[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()
    return "bfloat16" if able.get("avx512_bf16") or able.get("amx_bf16") else "float32"


def input_scale(views: Array, inputs: int) -> Tensors:
    """Shift and scale that give the numbers of observations mean 0 and spread 1; constant ones and advice stay."""
    spread = views.std(0)
    moves = spread > _CONSTANT
    shift, scale = np.zeros(inputs, np.float32), np.ones(inputs, np.float32)
    shift[: len(spread)] = np.where(moves, views.mean(0), 0)
    scale[: len(spread)] = np.where(moves, 1 / np.maximum(spread, _LEAST_SPREAD), 1)
    return {"input.shift": shift, "input.scale": scale}


def unit_of(game: Game, advised: bool) -> Array | None:
    """What a one of each number stands for that a network sees; None where games write fractions."""
    return scale_of(game, advised) if game.features.is_whole else None


class TorchPlayer(NetworkPlayer):
    """A frozen policy that thinks with torch: training keeps to torch's threads."""

    def __init__(self, policy: Policy, seed: int | None = None, *, greedy: bool = False) -> None:
        super().__init__(policy, seed, greedy=greedy)
        self._torch = [(torch.from_numpy(weight), torch.from_numpy(bias)) for weight, bias in policy.layers]
        self._whole = scale_of(policy.game, policy.advised)

    def logits(self, observation: Array) -> Array:
        """The scores of all actions, legal or not, ``[n, A]``."""
        with torch.inference_mode():
            tensors = self.policy.tensors
            seen = (
                observation
                if observation.dtype.kind == "f"
                else np.multiply(observation, self._whole, dtype=np.float32)
            )
            values = torch.from_numpy((seen - tensors["input.shift"]) * tensors["input.scale"])
            for weight, bias in self._torch[:-1]:
                values = nn.functional.linear(values, weight, bias).relu_()
            return np.asarray(nn.functional.linear(values, *self._torch[-1]).numpy())


class TorchAgents(TrainedPlayer):
    """The agents that come along with the games, thinking with torch."""

    def agent_of(self, game: Game) -> NetworkPlayer:
        """The game's agent."""
        agent = super().agent_of(game)
        return TorchPlayer(agent.policy, self.seed, greedy=agent.greedy)


def with_torch(player: Player) -> Player:
    """The player itself, or the same network thinking with torch.

    NumPy's matrix products take as many threads as there are cores, however small they are, and get in the way of
    everybody else's work.
    """
    if type(player) is TrainedPlayer:
        return TorchAgents(player.seed)
    return TorchPlayer(player.policy, greedy=player.greedy) if type(player) is NetworkPlayer else player
