"""A head start: before self-play the network learns to do what a teacher does.

The teacher advises in games where part of the moves are random, so that it is seen in positions that a learner gets
into. The value estimate learns from how those games end. A run says in its config whether it had a teacher.

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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from alarife.engine.batch import Batch
from alarife.engine.numbers import Array
from alarife.players import Player, RandomPlayer, Turns, find_player
from alarife.players.guiding import Guided
from alarife.players.policy import Policy, inputs_of, with_advice
from alarife.players.searching import Searcher
from alarife.players.turns import ask
from alarife_training.checkpoint import make_card
from alarife_training.config import Config, Imitation
from alarife_training.weights import MaskedPolicy, tensors_of

_MEMORY = 24_000_000  # numbers of the lessons that are kept, at most
_IN_A_ROW = 256  # decisions that each game contributes to a lesson, so that most of them see how it ends


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
    size = lesson_size(config, about)
    lessons, start = max(1, round(about.decisions / size)), time.perf_counter()
    optimizer = torch.optim.Adam(network.parameters(), lr=about.learning_rate)
    torch.manual_seed(config.seed)
    classroom = Classroom(config, about, size)
    kept: deque[Lesson] = deque(maxlen=about.window)
    for number in range(lessons):
        spent = (time.perf_counter() - start) / (60 * about.minutes) if about.minutes else 0.0
        if spent >= 1:
            return
        for group in optimizer.param_groups:
            group["lr"] = about.learning_rate * (1 - max(number / lessons, spent))
        kept.append(classroom.teach(_teacher(network, config, about, number)))
        agreed = _agreement(network, kept[-1])
        for _ in range(about.epochs):
            _learn(network, optimizer, kept, about.minibatch, config.ppo.value)
        yield (number + 1) * size, agreed


def lesson_size(config: Config, about: Imitation) -> int:
    """How many decisions a lesson has: what the config asks for, fewer where those kept would need too much memory."""
    game = config.find_game()
    numbers = inputs_of(game, config.advice) + game.actions.size  # what the network sees, and what it should do
    return max(1, min(about.lesson, _MEMORY // (numbers * about.window), about.decisions))


def _teacher(network: MaskedPolicy, config: Config, about: Imitation, number: int) -> Player | None:
    """Who teaches a lesson, None for the same teacher as before."""
    if about.guidance is not None:
        policy = Policy(config.find_game(), make_card(config, config.find_game(), 0), tensors_of(network))
        return Guided(policy, about.guidance, config.seed + number)
    return find_player(about.player, config.seed) if number == 0 else None


class Classroom:
    """The games in which a teacher advises; they go on from lesson to lesson."""

    def __init__(self, config: Config, about: Imitation, size: int) -> None:
        self.config, self.about = config, about
        self.teacher: Player = RandomPlayer()
        games = max(1, min(config.games, size // _IN_A_ROW))
        self.rounds = max(1, size // games)
        self.batch = Batch(config.find_game(), games, config.counts, config.seed + 1, config.options, config.reward)
        self.random = np.random.default_rng([config.seed, 2])

    def teach(self, teacher: Player | None) -> Lesson:
        """One lesson, by a new teacher or the same as before."""
        self.teacher = teacher or self.teacher
        batch, rows = self.batch, np.arange(self.batch.games)
        seen, masks, advice, targets, seats, paid, ends = [], [], [], [], [], [], []
        for _ in range(self.rounds):
            seen.append(with_advice(batch.observation, batch.script(), batch.game) if self.config.advice
                        else batch.observation.copy())  # fmt: skip
            masks.append(batch.action_mask != 0)
            seats.append(batch.seat.copy())
            advised, target = advise(self.teacher, Turns.of_batch(batch, rows, self.teacher), self.about.temperature)
            advice.append(advised)
            targets.append(target)
            stray = self.random.random(len(rows)) < self.about.noise
            batch.step(np.where(stray, batch.sample(), advised))
            paid.append(batch.reward * self.config.reward_scale)
            ends.append(batch.finished.copy())
        value = worth_of(np.array(seats), np.array(paid), np.array(ends)).ravel()
        mask = np.concatenate(masks)
        real = mask.sum(1) > 1  # where there is only one move, nothing can be learnt
        return Lesson(np.concatenate(seen)[real], mask[real], np.concatenate(advice)[real],
                      np.concatenate(targets)[real], value[real])  # fmt: skip


def advise(teacher: Player, turns: Turns, temperature: float) -> tuple[Array, Array]:
    """What the teacher would do, and how likely the network should be to do what."""
    if isinstance(teacher, Guided) and temperature:
        _, visits, means = teacher.search(turns)
        middle = (visits * means).sum(1, keepdims=True) / np.maximum(1, visits.sum(1, keepdims=True))
        worth = np.where(visits > 0, means, middle)
        target = _likely(teacher.scores(turns) + (worth - middle) / temperature, turns.action_mask != 0)
        return target.argmax(1), target
    if isinstance(teacher, Searcher) and temperature:
        picked, visits, means = teacher.search(turns)
        searched = np.any(visits, 1, keepdims=True)  # rows with one legal action are not
        target = _likely(means / temperature, np.where(searched, visits > 0, turns.action_mask != 0))
        return picked, target
    advised = ask(teacher, turns, "the teacher").copy()
    target = np.zeros(turns.action_mask.shape, np.float32)
    target[np.arange(len(turns)), advised] = 1
    return advised, target


def _likely(scores: Array, possible: Array) -> Array:
    """Probabilities in proportion to exp(score), of what is possible."""
    scores = np.where(possible, scores, -np.inf)
    likely = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(likely / likely.sum(1, keepdims=True), np.float32)


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
    with torch.no_grad():
        actions, _, _ = network(torch.from_numpy(lesson.observation), True, lesson.action_mask)
    return float(np.mean(actions.numpy() == lesson.action))
