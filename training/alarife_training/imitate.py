"""A head start: before self-play the network learns to do what a teacher does.

The teacher advises in games where part of the moves are random, so that it is seen in positions that a learner gets
into. The value estimate learns from how those games end. A run says in its config whether it had a teacher.

A teacher that searches says more than what it would do: what it found each action to be worth. The network then learns
to choose in proportion to exp(worth / temperature), so that chance among equals is not taken for advice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from alarife.engine.batch import Batch
from alarife.players import Player, Turns, find_player
from alarife.players.network import with_advice
from alarife.players.search import Searcher
from alarife.players.turns import ask
from alarife_training.config import Config, Imitation
from alarife_training.policy import MaskedPolicy

Array = np.ndarray[Any, Any]
_MEMORY = 16_000_000  # numbers of observations held at once


@dataclass
class Lesson:
    """Decisions with the teacher's advice, and what the game was worth to whoever decided."""

    observation: Array
    action_mask: Array
    action: Array  # what the teacher would do
    target: Array  # how likely the network should be to do what, ``[n, A]``
    value: Array  # not a number where the game went on


def imitate(network: MaskedPolicy, config: Config, about: Imitation) -> Iterator[tuple[int, float]]:
    """Learn from a teacher, lesson by lesson.

    Yields the decisions so far, and how many of the last lesson's the network would have taken before it learnt them.
    """
    taught = 0
    optimizer = torch.optim.Adam(network.parameters(), lr=about.learning_rate)
    size = min(65_536, _MEMORY // config.find_game().features.size, about.decisions)
    chunks = max(1, round(about.decisions / size))
    torch.manual_seed(config.seed)
    for number, lesson in enumerate(_lessons(config, about, chunks, size)):
        for group in optimizer.param_groups:
            group["lr"] = about.learning_rate * (1 - number / chunks)
        agreed = _agreement(network, lesson)
        for _ in range(about.epochs):
            _learn(network, optimizer, lesson, about.minibatch, config.ppo.value)
        taught += size
        yield taught, agreed


def _lessons(config: Config, about: Imitation, chunks: int, size: int) -> Iterator[Lesson]:
    batch = Batch(config.find_game(), config.games, config.counts, config.seed + 1, config.options, config.reward)
    teacher, random = find_player(about.player, config.seed), np.random.default_rng([config.seed, 2])
    every = np.arange(config.games)
    for _ in range(chunks):
        seen, masks, advice, targets, seats, paid, ends = [], [], [], [], [], [], []
        for _ in range(max(1, size // config.games)):
            seen.append(with_advice(batch.observation, batch.script(), batch.game) if config.advice
                        else batch.observation.copy())  # fmt: skip
            masks.append(batch.action_mask != 0)
            seats.append(batch.seat.copy())
            advised, target = advise(teacher, Turns.of_batch(batch, every), about.temperature)
            advice.append(advised)
            targets.append(target)
            stray = random.random(config.games) < about.noise
            batch.step(np.where(stray, batch.sample(), advice[-1]))
            paid.append(batch.reward * config.reward_scale)
            ends.append(batch.finished.copy())
        value = worth_of(np.array(seats), np.array(paid), np.array(ends)).ravel()
        mask = np.concatenate(masks)
        real = mask.sum(1) > 1  # where there is only one move, nothing can be learnt
        yield Lesson(np.concatenate(seen)[real], mask[real], np.concatenate(advice)[real],
                     np.concatenate(targets)[real], value[real])  # fmt: skip


def advise(teacher: Player, turns: Turns, temperature: float) -> tuple[Array, Array]:
    """What the teacher would do, and how likely the network should be to do what."""
    if isinstance(teacher, Searcher):
        visits, means = teacher.search(turns)
        worth = np.where(visits > 0, means, -np.inf)
        untried = np.where(turns.action_mask != 0, 0.0, -np.inf)  # rows with one legal action are not searched
        worth = np.where(np.any(visits, 1, keepdims=True), worth, untried)
        likely = np.exp((worth - worth.max(1)[:, None]) / temperature)
        target = likely / likely.sum(1)[:, None]
        return teacher.choose(visits, means, turns.action_mask), target.astype(np.float32)
    advised = ask(teacher, turns, "the teacher").copy()
    target = np.zeros(turns.action_mask.shape, np.float32)
    target[np.arange(len(turns)), advised] = 1
    return advised, target


def worth_of(seats: Array, paid: Array, ends: Array) -> Array:
    """What each seat that decided got from then to the end of its game; not a number where the end is not seen.

    Shapes ``[T, n]``, ``[T, n, P]`` and ``[T, n]``.
    """
    values = np.full(seats.shape, np.nan, np.float32)
    ahead = np.full(paid.shape[1:], np.nan, np.float32)
    rows = np.arange(seats.shape[1])
    for t in range(len(seats) - 1, -1, -1):
        ahead = np.where(ends[t][:, None], 0, ahead) + paid[t]
        values[t] = ahead[rows, seats[t]]
    return values


def _learn(
    network: MaskedPolicy, optimizer: torch.optim.Optimizer, lesson: Lesson, minibatch: int, weight: float
) -> None:
    order = torch.randperm(len(lesson.action)).numpy()
    for start in range(0, len(order), minibatch):
        rows = order[start : start + minibatch]
        logs, values = network.scores(torch.from_numpy(lesson.observation[rows]), lesson.action_mask[rows])
        wanted = torch.from_numpy(lesson.target[rows])
        target = torch.from_numpy(lesson.value[rows])
        known = torch.isfinite(target)
        error = torch.where(known, values.flatten() - target, 0.0).square().mean()
        loss = weight * error - (wanted * logs).sum(1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def _agreement(network: MaskedPolicy, lesson: Lesson) -> float:
    with torch.no_grad():
        actions, _, _ = network(torch.from_numpy(lesson.observation), True, lesson.action_mask)
    return float(np.mean(actions.numpy() == lesson.action))
