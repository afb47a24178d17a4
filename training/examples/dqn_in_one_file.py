r"""Double DQN with masks, in one file: a replay of int8 views, a target network, the best legal next action.

    PYTHONPATH=training/examples alarife benchmark run alarife-five-small-v1 --train dqn_in_one_file:learn \
        --decisions 60000 --seeds 0,1,2 --name dqn --out runs/dqn

One seat of every game learns, drawn anew for each game; on every other seat sits the random or the scripted player. An
action's worth is what comes in up to the seat's next own decision, and what the best legal action there is worth (van
Hasselt et al. 2016, "Deep reinforcement learning with double Q-learning").
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

import alarife
from alarife.players import RandomPlayer, ScriptedPlayer
from alarife.selfplay.learner import DrawnSeating, LearnerBatch
from alarife_training.layers import write_layers
from alarife_training.protocol import Budget, TrainTable

NEVER = -1e9  # what an illegal action is worth


@dataclass
class Settings:
    """The same for all games."""

    reward: str = "margin"  # points ahead of the best other seat, paid as they change
    reward_scale: float = 0.05
    games: int = 50
    hidden: int = 128
    capacity: int = 50_000  # decisions that are remembered
    first: int = 2_000  # decisions before learning begins
    every: int = 40  # decisions to a step of Adam
    minibatch: int = 128
    learning_rate: float = 5e-4
    gamma: float = 1.0  # whoever is behind would else learn to put the end off
    refresh: int = 50  # steps of Adam between two copies to the target network
    explored: float = 0.4  # share of the budget over which random actions become few
    least: float = 0.05  # share of random actions from there on


class Network(nn.Module):
    """What every action is worth to the seat that looks."""

    def __init__(self, game: alarife.Game, hidden: int) -> None:
        super().__init__()
        # The batch shows whole numbers, a byte each; the scale says what they stand for, mostly from 0 to 1.
        self.register_buffer("scale", torch.tensor(game.features.scale))
        self.layers = nn.ModuleList(
            nn.Linear(before, after)
            for before, after in ((game.features.size, hidden), (hidden, hidden), (hidden, game.actions.size))
        )

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """The worth of all actions, ``[n, A]``."""
        first, second, last = self.layers
        worth = last(torch.relu(second(torch.relu(first(seen.float() * self.scale)))))
        return worth.masked_fill(mask == 0, NEVER)


class Replay:
    """The last decisions: what was seen and done, what came in, and what was seen at the next own decision."""

    def __init__(self, batch: alarife.Batch, capacity: int, random: np.random.Generator) -> None:
        self.capacity, self.random, self.added = capacity, random, 0
        views = capacity, batch.observation.shape[1]
        masks = capacity, batch.action_mask.shape[1]
        self.seen, self.next_seen = np.zeros(views, np.int8), np.zeros(views, np.int8)
        self.mask, self.next_mask = np.zeros(masks, np.int8), np.zeros(masks, np.int8)
        self.action = np.zeros(capacity, np.int64)
        self.reward, self.goes_on = np.zeros(capacity, np.float32), np.zeros(capacity, np.float32)
        self.columns = (self.seen, self.mask, self.action, self.reward, self.next_seen, self.next_mask, self.goes_on)

    def add(self, *told: np.ndarray) -> None:
        """Remember some decisions, in place of the oldest ones; one array for each column."""
        places = (self.added + np.arange(len(told[0]))) % self.capacity
        for column, values in zip(self.columns, told, strict=True):
            column[places] = values
        self.added += len(places)

    def draw(self, count: int) -> list[torch.Tensor]:
        """Some of them at random, column by column."""
        rows = self.random.integers(0, min(self.added, self.capacity), count)
        return [torch.from_numpy(column[rows]) for column in self.columns]


def learn(table: TrainTable, budget: Budget, seed: int) -> Path:
    """Called by ``alarife benchmark run --train dqn_in_one_file:learn``, once for each game and seed."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    settings, random = Settings(), np.random.default_rng(seed)
    batch = alarife.make_batch(table.game, settings.games, list(table.players), table.training[seed],
                               reward=settings.reward, restart=False, **table.options)  # fmt: skip
    others = [RandomPlayer(seed), ScriptedPlayer()]
    games = LearnerBatch(batch, others, DrawnSeating("random", len(others), batch.game.most_seats, random))
    games.reset()
    network, target = Network(batch.game, settings.hidden), Network(batch.game, settings.hidden)
    target.load_state_dict(network.state_dict())
    optimizer = torch.optim.Adam(network.parameters(), settings.learning_rate)
    replay = Replay(batch, settings.capacity, random)
    start, decided, learnt = time.monotonic(), 0, 0
    while (share := budget.share(decided, time.monotonic() - start)) < 1:
        rows = np.arange(batch.games)
        if budget.decisions is not None:
            rows = rows[: budget.decisions - decided]
        often = max(settings.least, 1 - (1 - settings.least) * share / settings.explored)
        decide(games, rows, network, often, replay, settings.reward_scale)
        decided += len(rows)
        while decided >= settings.first and learnt < (decided - settings.first) // settings.every:
            if learnt % settings.refresh == 0:
                target.load_state_dict(network.state_dict())
            improve(network, target, optimizer, replay.draw(settings.minibatch), settings.gamma)
            learnt += 1
    return write_layers(table.folder / "policy.safetensors", batch.game, list(network.layers), decided, table.players,
                        table.options)  # fmt: skip


def decide(
    games: LearnerBatch, rows: np.ndarray, network: Network, often: float, replay: Replay, reward_scale: float
) -> None:
    """One decision in each of these rows, a random one so `often`, and everybody else's up to the learner's next."""
    seen, mask = games.observation[rows].copy(), games.action_mask[rows].copy()
    actions = games.batch.sample()
    with torch.no_grad():
        best = network(torch.from_numpy(seen), torch.from_numpy(mask)).argmax(-1).numpy()
    actions[rows] = np.where(replay.random.random(len(rows)) < often, actions[rows], best)
    games.step(actions, rows)
    goes_on = ~games.done[rows]
    replay.add(seen, mask, actions[rows], games.reward[rows] * reward_scale, games.observation[rows],
               games.action_mask[rows], goes_on)  # fmt: skip
    games.renew(rows[~goes_on])


def improve(
    network: Network, target: Network, optimizer: torch.optim.Optimizer, drawn: list[torch.Tensor], gamma: float
) -> None:
    """One step of Adam towards what the drawn actions brought."""
    seen, mask, action, reward, next_seen, next_mask, goes_on = drawn
    with torch.no_grad():
        goal = reward + gamma * goes_on * next_worth(network, target, next_seen, next_mask)
    found = network(seen, mask).gather(-1, action[:, None]).squeeze(-1)
    optimizer.zero_grad()
    nn.functional.smooth_l1_loss(found, goal).backward()
    nn.utils.clip_grad_norm_(network.parameters(), 10.0)
    optimizer.step()


def next_worth(network: nn.Module, target: nn.Module, seen: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """What the target network gives for the legal action that the network likes best; 0 where nothing is legal."""
    best = network(seen, mask).argmax(-1, keepdim=True)
    worth: torch.Tensor = target(seen, mask).gather(-1, best).squeeze(-1)
    return worth.masked_fill(mask.sum(-1) == 0, 0.0)
