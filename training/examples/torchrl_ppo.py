r"""PPO by TorchRL: its collector on the native vector environment, its masked distribution, advantages and loss.

    PYTHONPATH=training/examples alarife benchmark run alarife-five-small-v1 --train torchrl_ppo:learn \
        --decisions 60000 --seeds 0,1,2 --name torchrl-ppo --out runs/torchrl-ppo

It needs ``pip install torchrl``. One seat of every game learns; on the others sits the random or the scripted player.
Each table size has games of its own against each of the two, and every update learns from all of them.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium
import torch
from tensordict import TensorDictBase
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import ActionMask, DTypeCastTransform, EnvBase, GymWrapper, RewardScaling
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import alarife
from alarife.adapters.gym import gym_id
from alarife_training.layers import write_layers
from alarife_training.protocol import Budget, TrainTable

OTHERS = "random", "scripted"
LEARNT = "observation", "action_mask", "action", "action_log_prob", "advantage", "value_target"


@dataclass
class Settings:
    """The same for all games."""

    reward: str = "margin"  # points ahead of the best other seat, paid as they change
    reward_scale: float = 0.05
    games: int = 50  # side by side, in all
    steps: int = 40  # decisions of each game between two updates
    hidden: int = 128
    learning_rate: float = 1e-3  # falls to 0 with the budget
    minibatch: int = 500
    epochs: int = 3
    gamma: float = 1.0
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01


class Learner:
    """One trunk under scores and value, and TorchRL's loss over both."""

    def __init__(self, game: alarife.Game, settings: Settings, actions: Any) -> None:
        self.settings = settings
        first, second = nn.Linear(game.features.size, settings.hidden), nn.Linear(settings.hidden, settings.hidden)
        scores, worth = nn.Linear(settings.hidden, game.actions.size), nn.Linear(settings.hidden, 1)
        nn.init.orthogonal_(scores.weight, 0.01)
        self.layers = [first, second, scores]
        trunk = nn.Sequential(first, nn.ReLU(), second, nn.ReLU())
        named = TensorDictModule(nn.Sequential(trunk, scores), in_keys=["observation"], out_keys=["logits"])
        self.actor = ProbabilisticActor(named, in_keys={"logits": "logits", "mask": "action_mask"}, spec=actions,
                                        distribution_class=MaskedCategorical, return_log_prob=True)  # fmt: skip
        critic = ValueOperator(nn.Sequential(trunk, worth), in_keys=["observation"])
        self.advantage = GAE(gamma=settings.gamma, lmbda=settings.gae_lambda, value_network=critic)
        self.loss = ClipPPOLoss(self.actor, critic, clip_epsilon=settings.clip, entropy_coeff=settings.entropy,
                                critic_coeff=0.5, normalize_advantage=True)  # fmt: skip
        self.optimizer = torch.optim.Adam(self.loss.parameters(), settings.learning_rate, eps=1e-5)

    def improve(self, played: list[TensorDictBase], share: float) -> None:
        """Some passes of clipped policy gradients; `share` of the budget is spent."""
        with torch.no_grad():
            for games in played:
                self.advantage(games)
        choices = torch.cat([games.select(*LEARNT).flatten() for games in played])
        choices = choices[choices["action_mask"].sum(-1) > 1]  # a lone legal action teaches nothing
        for group in self.optimizer.param_groups:
            group["lr"] = self.settings.learning_rate * (1 - share)
        for _ in range(self.settings.epochs):
            for rows in torch.randperm(len(choices)).split(self.settings.minibatch):
                told = self.loss(choices[rows])
                self.optimizer.zero_grad()
                (told["loss_objective"] + told["loss_critic"] + told["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(self.loss.parameters(), 0.5)
                self.optimizer.step()


def games_of(table: TrainTable, players: int, others: str, count: int, settings: Settings) -> EnvBase:
    """Games side by side at one table size, against one player."""
    envs = gymnasium.make_vec(gym_id(alarife.find_game(table.game)), num_envs=count, seat="random", players=players,
                              opponents=others, reward=settings.reward, illegal="random",
                              autoreset_mode="SameStep", **table.options)  # fmt: skip
    env = GymWrapper(envs, categorical_action_encoding=True)
    for transform in (ActionMask(), RewardScaling(loc=0.0, scale=settings.reward_scale),
                      DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])):  # fmt: skip
        env = env.append_transform(transform)
    return env


def learn(table: TrainTable, budget: Budget, seed: int) -> Path:
    """Called by ``alarife benchmark run --train torchrl_ppo:learn``, once for each game and seed."""
    torch.set_num_threads(1)
    settings, game = Settings(), alarife.find_game(table.game)
    kinds = [(players, others) for players in table.players for others in OTHERS[: None if players > 1 else 1]]
    count = settings.games // len(kinds)
    envs = [games_of(table, players, others, count, settings) for players, others in kinds]
    for number, env in enumerate(envs):
        env.set_seed(table.training[seed * len(kinds) + number])
    torch.manual_seed(seed)  # after the wrappers, which try their environments out
    learner = Learner(game, settings, envs[0].action_spec)
    collectors = [iter(Collector(env, learner.actor, frames_per_batch=settings.steps * count,
                                 auto_register_policy_transforms=False)) for env in envs]  # fmt: skip
    update, start, decided = settings.steps * count * len(kinds), time.monotonic(), 0
    while (share := budget.share(decided, time.monotonic() - start)) < 1:
        if budget.decisions is not None and decided + update > budget.decisions:
            break
        learner.improve([next(collector) for collector in collectors], share)
        decided += update
    return write_layers(table.folder / "policy.safetensors", game, learner.layers, decided, table.players,
                        table.options)  # fmt: skip
