"""The network, in torch: one trunk with ReLU shared by policy and value, masks inside.

`MaskedPolicy` is what Stable-Baselines3 trains. `tensors_of` and `put_tensors` translate its weights from and to the
names that files and `alarife.players.policy` use, `adam_of` and `put_adam` the state of its optimizer.
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
from alarife.players.policy import NetworkPlayer, Policy, Tensors, TrainedPlayer
from alarife_training.checkpoint import MOMENTS
from alarife_training.export import NEVER  # torch is not needed there

_CONSTANT, _LEAST_SPREAD = 1e-6, 0.1


class Trunk(BaseFeaturesExtractor):
    """Layers with ReLU."""

    def __init__(self, observation_space: gymnasium.spaces.Box, hidden: list[int]) -> None:
        super().__init__(observation_space, hidden[-1])
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

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """The trunk's last layer."""
        values: torch.Tensor = self.layers((observations - self.shift) * self.scale)
        return values


class MaskedPolicy(MaskableActorCriticPolicy):
    """The policy of sb3-contrib with the distribution worked out once instead of three times."""

    def __init__(self, observed: Any, chosen: Any, rate: Any, hidden: list[int], **rest: Any) -> None:
        trunk: dict[str, Any] = {"features_extractor_class": Trunk, "features_extractor_kwargs": {"hidden": hidden}}
        super().__init__(observed, chosen, rate, net_arch=[], activation_fn=nn.ReLU, **trunk, **rest)

    def _heads(self, observations: torch.Tensor, masks: Any) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        if masks is None:
            raise AlarifeError("the policy was asked without a mask; it would play illegal actions")
        features = self.features_extractor(observations)
        scores = self.action_net(features)
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


def input_scale(views: Array, inputs: int) -> Tensors:
    """Shift and scale that give the numbers of observations mean 0 and spread 1; constant ones and advice stay."""
    spread = views.std(0)
    moves = spread > _CONSTANT
    shift, scale = np.zeros(inputs, np.float32), np.ones(inputs, np.float32)
    shift[: len(spread)] = np.where(moves, views.mean(0), 0)
    scale[: len(spread)] = np.where(moves, 1 / np.maximum(spread, _LEAST_SPREAD), 1)
    return {"input.shift": shift, "input.scale": scale}


class TorchPlayer(NetworkPlayer):
    """A frozen policy that thinks with torch: training keeps to torch's threads."""

    def __init__(self, policy: Policy, seed: int | None = None, *, greedy: bool = False) -> None:
        super().__init__(policy, seed, greedy=greedy)
        self._torch = [(torch.from_numpy(weight), torch.from_numpy(bias)) for weight, bias in policy.layers]

    def logits(self, observation: Array) -> Array:
        """The scores of all actions, legal or not, ``[n, A]``."""
        with torch.inference_mode():
            tensors = self.policy.tensors
            values = torch.from_numpy((observation - tensors["input.shift"]) * tensors["input.scale"])
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
