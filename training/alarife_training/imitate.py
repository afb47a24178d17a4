"""A head start: before self-play the network learns to do what a teacher does.

How lessons are given is told in `alarife_training.lessons`. The value estimate learns from how their games end. A run
says in its config whether it had a teacher.

The teacher may be a search led by the network itself, as it stands at the beginning of a lesson: it looks ahead and so
knows better than the network, which learns to do at once what took the search its playouts (expert iteration: Anthony,
Tian and Barber, "Thinking fast and slow with deep learning and tree search", NeurIPS 2017; Silver et al., "A general
reinforcement learning algorithm that masters chess, shogi, and Go through self-play", Science 362, 2018).

A teacher that searches says more than what it would do: what it found each action to be worth. The network then learns
to choose in proportion to exp(worth / temperature), so that chance among equals is not taken for advice. Led by itself
it learns its own choice times exp(worth / temperature), and so moves a little with every lesson. At a temperature of 0
it learns what the teacher does, as from one that does not search.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Sequence
from typing import NamedTuple

import numpy as np
import torch

from alarife_training.checkpoint import make_card
from alarife_training.config import Config, Imitation
from alarife_training.lessons import Lesson, Network, School
from alarife_training.weights import MaskedPolicy, tensors_of

_AT_A_TIME = 65_536  # decisions that the network is asked about


class Taught(NamedTuple):
    """What a lesson came to."""

    decisions: int  # of all lessons so far
    agreed: float  # share of the lesson's decisions that the network would have taken before it learnt them
    repeated: float | None  # share that the teacher takes again with other chance; of a teacher that searches
    nodes: int  # of a cluster, that have given lessons so far


def imitate(network: MaskedPolicy, config: Config, about: Imitation) -> Generator[Taught, None, None]:
    """Learn from a teacher, lesson by lesson."""
    optimizer = torch.optim.Adam(network.parameters(), lr=about.learning_rate)
    torch.manual_seed(config.seed)
    kept: deque[Lesson] = deque(maxlen=about.window)
    start = time.perf_counter()
    with School(config, about) as school:
        lessons = max(1, round(about.decisions / school.size))
        for number in range(lessons):
            spent = (time.perf_counter() - start) / (60 * about.minutes) if about.minutes else 0.0
            if spent >= 1:
                return
            for group in optimizer.param_groups:
                group["lr"] = about.learning_rate * (1 - max(number / lessons, spent))
            kept.append(school.lesson(number, _as_it_stands(network, config, about)))
            agreed, same = _agreement(network, kept[-1]), kept[-1].same
            for _ in range(about.epochs):
                _learn(network, optimizer, kept, about.minibatch, config.ppo.value)
            repeated = float(same.mean()) if len(same) else None
            yield Taught((number + 1) * school.size, agreed, repeated, len(school.nodes))


def _as_it_stands(network: MaskedPolicy, config: Config, about: Imitation) -> Network | None:
    """The network for the teacher that it leads; None for any other."""
    return None if about.guidance is None else Network(make_card(config, config.find_game(), 0), tensors_of(network))


def _learn(
    network: MaskedPolicy, optimizer: torch.optim.Optimizer, lessons: Sequence[Lesson], minibatch: int, weight: float
) -> None:
    """One pass over some lessons."""
    sizes = [len(lesson.action) for lesson in lessons]
    which = np.repeat(np.arange(len(sizes)), sizes)
    order = torch.randperm(len(which)).numpy()
    place = np.concatenate([np.arange(size) for size in sizes])
    for start in range(0, len(order), minibatch):
        rows = order[start : start + minibatch]
        parts = [(lesson, place[rows[which[rows] == number]]) for number, lesson in enumerate(lessons)]
        seen, mask, wanted, worth = (
            np.concatenate([getattr(lesson, name)[some] for lesson, some in parts])
            for name in ("observation", "action_mask", "target", "value")
        )
        logs, values = network.scores(torch.from_numpy(seen), mask)
        target = torch.from_numpy(worth)
        known = torch.isfinite(target)
        error = torch.where(known, values.flatten() - target, 0.0).square().mean()
        loss = weight * error - (torch.from_numpy(wanted) * logs).sum(1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def _agreement(network: MaskedPolicy, lesson: Lesson) -> float:
    same = 0
    for start in range(0, len(lesson.action), _AT_A_TIME):
        rows = slice(start, start + _AT_A_TIME)
        with torch.no_grad():
            actions, _, _ = network(torch.from_numpy(lesson.observation[rows]), True, lesson.action_mask[rows])
        same += int(np.count_nonzero(actions.numpy() == lesson.action[rows]))
    return same / max(1, len(lesson.action))
