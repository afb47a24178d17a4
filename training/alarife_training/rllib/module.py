"""The network as RLlib wants it: the trunk and heads of `alarife_training.weights`, masks inside."""

from __future__ import annotations

import hashlib
from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn

from alarife.players.policy import Tensors
from alarife_training.export import NEVER
from alarife_training.weights import Trunk, tensors_of


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """One trunk with ReLU for policy and value; it reads ``observation`` and ``action_mask``."""

    def setup(self) -> None:
        """Make the layers; their names are those that `tensors_of` and `put_tensors` know."""
        hidden = list(self.model_config["hidden"])
        self.features_extractor = Trunk(self.observation_space["observation"], hidden)
        self.action_net = nn.Linear(hidden[-1], int(self.action_space.n))
        self.value_net = nn.Linear(hidden[-1], 1)

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Scores of the actions, those of illegal ones out of reach."""
        seen = batch[Columns.OBS]
        features = self.features_extractor(seen["observation"].float())
        scores = torch.where(seen["action_mask"] != 0, self.action_net(features), NEVER)
        return {Columns.ACTION_DIST_INPUTS: scores, Columns.EMBEDDINGS: features}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """What the positions are worth to the seat that sees them."""
        if embeddings is None:
            embeddings = self.features_extractor(batch[Columns.OBS]["observation"].float())
        values: torch.Tensor = self.value_net(embeddings).squeeze(-1)
        return values


def digest_of(network: Any) -> str:
    """A fingerprint of all weights: equal ones have equal fingerprints."""
    return fingerprint(tensors_of(network))


def fingerprint(tensors: Tensors) -> str:
    """The same of bare arrays."""
    seal = hashlib.sha256()
    for name in sorted(tensors):
        seal.update(name.encode() + tensors[name].tobytes())
    return seal.hexdigest()
