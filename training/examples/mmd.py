r"""Magnetic mirror descent as a policy gradient: self-play drawn to the uniform policy, by parts of ppo_in_one_file.py.

    PYTHONPATH=training/examples alarife benchmark run alarife-five-small-v1 --train mmd:learn --decisions 60000 \
        --seeds 0,1,2 --name mmd --out runs/mmd

Every update climbs the advantages, less `magnet` times KL(policy, uniform over the legal actions) and `inertia` times
KL(policy, policy that played); nothing is clipped. The magnet keeps self-play from running in circles (Sokota et al.
2023, "A unified approach to reinforcement learning, quantal response equilibria, and two-player zero-sum games"), and
large values of it do best in games of hidden information (Rudolph et al., "Reevaluating policy gradient methods for
imperfect-information games", ICLR 2026). Nobody else plays: it never meets the scripted player.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from ppo_in_one_file import Network, Played, advantages, play
from torch import nn

import alarife
from alarife_training.layers import write_layers
from alarife_training.protocol import Budget, TrainTable


@dataclass
class Settings:
    """The same for all games."""

    magnet: float = 0.05  # in spreads of the advantages
    inertia: float = 0.5  # one divided by the step size of mirror descent
    reward: str = "margin"
    reward_scale: float = 0.05
    games: int = 50
    steps: int = 40  # decisions of each game between two updates
    hidden: int = 128
    learning_rate: float = 1e-3  # falls to 0 with the budget
    minibatch: int = 500
    epochs: int = 3
    gamma: float = 1.0
    gae_lambda: float = 0.95
    value: float = 0.5


def learn(table: TrainTable, budget: Budget, seed: int) -> Path:
    """Called by ``alarife benchmark run --train mmd:learn``, once for each game and seed."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    settings, shuffle = Settings(), np.random.default_rng(seed)
    batch = alarife.make_batch(table.game, settings.games, list(table.players), table.training[seed],
                               reward=settings.reward, **table.options)  # fmt: skip
    everybody = np.ones((batch.games, batch.game.most_seats), np.bool_)
    network = Network(batch.game, settings.hidden)
    optimizer = torch.optim.Adam(network.parameters(), settings.learning_rate, eps=1e-5)
    start, decided = time.monotonic(), 0
    while (share := budget.share(decided, time.monotonic() - start)) < 1:
        steps = settings.steps
        if budget.decisions is not None:
            steps = min(steps, (budget.decisions - decided) // batch.games)
        if steps == 0:
            break
        for group in optimizer.param_groups:
            group["lr"] = settings.learning_rate * (1 - share)
        played = play(network, batch, steps, everybody, settings.reward_scale)
        climb(network, optimizer, played, settings, shuffle)
        decided += steps * batch.games
    return write_layers(table.folder / "policy.safetensors", batch.game, network.layers, decided, table.players,
                        table.options)  # fmt: skip


def climb(
    network: Network, optimizer: torch.optim.Optimizer, played: Played, settings: Settings, shuffle: np.random.Generator
) -> None:
    """Some passes of mirror descent over the choices that were played."""
    gained = advantages(played, settings.gamma, settings.gae_lambda)
    choices = np.flatnonzero(played.mask.sum(-1, dtype=np.int64) > 1)
    seen, mask = (torch.from_numpy(part).flatten(0, 1)[choices] for part in (played.seen, played.mask))
    action, log, gained, returns = (
        part.flatten()[choices] for part in (played.action, played.log, gained, gained + played.value)
    )
    gain = (gained - gained.mean()) / (gained.std() + 1e-8)
    with torch.no_grad():
        before, _ = network(seen, mask)
    for _ in range(settings.epochs):
        for rows in torch.from_numpy(shuffle.permutation(len(choices))).split(settings.minibatch):
            logs, values = network(seen[rows], mask[rows])
            ratio = (logs.gather(-1, action[rows, None]).squeeze(-1) - log[rows]).exp()
            worth = (ratio * gain[rows]).mean()
            drawn = from_uniform(logs, mask[rows]).mean()
            moved = divergence(logs, before[rows]).mean()
            error = (values - returns[rows]).square().mean()
            optimizer.zero_grad()
            (settings.magnet * drawn + settings.inertia * moved + settings.value * error - worth).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


def divergence(logs: torch.Tensor, others: torch.Tensor) -> torch.Tensor:
    """KL(policy, other policy) for each row, from the logarithms of their probabilities."""
    return (logs.exp() * (logs - others)).sum(-1)


def from_uniform(logs: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """KL(policy, uniform over the legal actions): the logarithm of their number, less the entropy."""
    return mask.sum(-1).log() + (logs.exp() * logs).sum(-1)
