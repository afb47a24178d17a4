"""What a teacher shows: decisions in games where part of the moves are random, so that it is seen where learners get.

A lesson is given in this process, where the games go on from lesson to lesson. Or it is shared out among processes,
or tasks of a Ray cluster, each with new games of its own: the same parts, wherever they are played.
"""

from __future__ import annotations

import os
import signal
import tempfile
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing
from dataclasses import dataclass, fields
from itertools import pairwise
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

import alarife
from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError
from alarife.engine.numbers import Array
from alarife.evaluation.on_ray import Cluster, check_here, files_to_send, with_files
from alarife.evaluation.workers import one_thread_each
from alarife.players import Player, Turns, find_player
from alarife.players.guiding import Guided
from alarife.players.lookahead import Lookahead
from alarife.players.policy import Policy, inputs_of, with_advice
from alarife.players.searching import Searcher
from alarife.players.turns import ask
from alarife_training.config import Config, Imitation

_MEMORY = 2**30  # bytes of the lessons that are kept, at most
_IN_A_ROW = 256  # decisions that each game contributes to a lesson, so that most of them see how it ends
_FROM_NEW = 1024  # where games begin anew with the lesson, so that ends are seen as often as beginnings
_AGAIN = 16  # every so often a teacher that searches is asked again, with other chance


class Network(NamedTuple):
    """A network as it stands: its card, and its arrays."""

    card: dict[str, Any]
    tensors: dict[str, Array]


@dataclass
class Lesson:
    """Decisions with the teacher's advice, and what the game was worth to whoever decided."""

    observation: Array
    action_mask: Array
    action: Array  # what the teacher would do
    target: Array  # how likely the network should be to do what, ``[n, A]``
    value: Array  # not a number where the game went on
    same: Array  # of decisions where the teacher was asked again: whether it would do the same

    @classmethod
    def of(cls, parts: Sequence[Lesson]) -> Self:
        """One lesson of several parts."""
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))


def lesson_size(config: Config, about: Imitation) -> int:
    """How many decisions a lesson has: what the config asks for, fewer where those kept would need too much memory."""
    game = config.find_game()
    seen = inputs_of(game, config.advice) * game.features.dtype.itemsize
    told = game.actions.size * (1 + 4) + 8 + 4  # mask and target; action and value
    return max(1, min(about.lesson, _MEMORY // ((seen + told) * about.window), about.decisions))


# --- one classroom -------------------------------------------------------------------------------------


class Classroom:
    """The games in which a teacher advises."""

    def __init__(self, config: Config, about: Imitation, size: int, seed: int, in_a_row: int = _IN_A_ROW) -> None:
        self.config, self.about = config, about
        games = max(1, min(config.games, size // in_a_row))
        self.rounds = max(1, size // games)
        self.batch = Batch(config.find_game(), games, config.counts, seed, config.options, config.reward)
        self.random = np.random.default_rng([seed, 2])

    def teach(self, teacher: Player, again: Player | None) -> Lesson:
        """One lesson; a second teacher is asked now and then, what the first would do with other chance."""
        batch, rows = self.batch, np.arange(self.batch.games)
        seen, masks, advice, targets, seats, paid, ends, same = [], [], [], [], [], [], [], []
        for number in range(self.rounds):
            seen.append(with_advice(batch.observation, batch.script(), batch.game) if self.config.advice
                        else batch.observation.copy())  # fmt: skip
            masks.append(batch.action_mask != 0)
            seats.append(batch.seat.copy())
            turns = Turns.of_batch(batch, rows, teacher)
            advised, target = advise(teacher, turns, self.about.temperature)
            if again is not None and number % _AGAIN == 0:
                repeated, _ = advise(again, turns, self.about.temperature)
                same.append((repeated == advised)[masks[-1].sum(1) > 1])
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
                      np.concatenate(targets)[real], value[real],
                      np.concatenate(same) if same else np.zeros(0, bool))  # fmt: skip


def teachers_of(config: Config, about: Imitation, network: Network | None, seed: int) -> tuple[Player, Player | None]:
    """Who teaches; and where that is a search, the same with other chance."""

    def made(seed: int) -> Player:
        if about.guidance is None:
            return find_player(about.player, seed)
        assert network is not None
        return Guided(Policy(config.find_game(), *network), about.guidance, seed)

    teacher = made(seed)
    return teacher, made(seed + 1_000_003) if isinstance(teacher, Lookahead) else None


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


# --- several classrooms --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Part:
    """A part of a lesson, for whichever process or machine."""

    config: Config
    about: Imitation
    network: Network | None
    size: int
    seed: int  # of its games
    luck: int  # of its teacher
    alarife: str
    digest: str


def give_part(part: Part, number: int, files: Mapping[str, bytes]) -> tuple[int, Lesson]:
    """A part of a lesson with its number, in games of its own."""
    check_here(part.config.find_game(), part.alarife, part.digest)
    with tempfile.TemporaryDirectory(prefix="alarife-") as folder:
        about = part.about.model_copy(update={"player": with_files(part.about.player, files, Path(folder))})
        teachers = teachers_of(part.config, about, part.network, part.luck)
        return number, Classroom(part.config, about, part.size, part.seed, _FROM_NEW).teach(*teachers)


class School:
    """Where the lessons of a teacher are given: here, in processes of this machine, or on a cluster."""

    def __init__(self, config: Config, about: Imitation) -> None:
        self.config, self.about, self.size = config, about, lesson_size(config, about)
        self.nodes: set[str] = set()  # of the cluster, that gave lessons
        self._open = ExitStack()
        self._classroom: Classroom | None = None
        self._teachers: tuple[Player, Player | None] | None = None
        self._cluster: Cluster | None = None
        self._processes: Executor | None = None
        self._begun: set[BaseProcess] = set()

    def __enter__(self) -> Self:
        if self.about.address is not None:
            self._cluster = self._open.enter_context(Cluster(self.about.address))
        elif self.about.parts > 1:
            pool = ProcessPoolExecutor(self.about.parts, get_context("spawn"), _wait_for_parent)
            self._processes = self._open.enter_context(pool)
        else:
            self._classroom = Classroom(self.config, self.about, self.size, self.config.seed + 1)
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        for process in self._begun if kind is not None else ():
            process.terminate()  # nobody waits for its part any more
        self._open.close()

    def lesson(self, number: int, network: Network | None) -> Lesson:
        """The lesson with this number; a teacher that the network leads is led by it as it stands."""
        if self._classroom is None:
            parts = self._parts(number, network)
            given = self._in_processes(parts) if self._cluster is None else self._on_cluster(self._cluster, parts)
            return Lesson.of([lesson for _, lesson in sorted(given, key=lambda one: one[0])])
        if self._teachers is None or self.about.guidance is not None:
            self._teachers = teachers_of(self.config, self.about, network, self.config.seed + number)
        return self._classroom.teach(*self._teachers)

    def _parts(self, number: int, network: Network | None) -> list[Part]:
        """A lesson's parts, none of them empty, each with chance of its own."""
        count, digest = self.about.parts, self.config.find_game().digest
        ends = [self.size * i // count for i in range(count + 1)]
        chance = np.random.default_rng([self.config.seed, 3, number]).integers(2**31, size=(count, 2)).tolist()
        return [Part(self.config, self.about, network, end - start, seed, luck, alarife.__version__, digest)
                for (start, end), (seed, luck) in zip(pairwise(ends), chance, strict=True) if end > start]  # fmt: skip

    def _on_cluster(self, cluster: Cluster, parts: list[Part]) -> list[tuple[int, Lesson]]:
        """Parts with their numbers, in the order in which tasks end."""
        files = files_to_send(self.about.player, self.config.find_game())
        with closing(cluster.run(give_part, [(part, i, files) for i, part in enumerate(parts)])) as answers:
            told = list(answers)
        self.nodes |= {node for node, _ in told}
        return [given for _, given in told]

    def _in_processes(self, parts: list[Part]) -> list[tuple[int, Lesson]]:
        """Parts with their numbers, by processes of this machine."""
        assert self._processes is not None
        others = set(active_children())
        with one_thread_each():
            waiting = [self._processes.submit(give_part, part, i, {}) for i, part in enumerate(parts)]
        self._begun |= set(active_children()) - others
        try:
            return [given.result() for given in waiting]
        except BrokenProcessPool:
            raise AlarifeError(f"a process that played lessons of {self.about.player} has ended before its lesson; "
                               "with parts: 1 they are played in this process") from None  # fmt: skip


def _wait_for_parent() -> None:
    """Let the one who trains decide when to stop, and end with that process, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
