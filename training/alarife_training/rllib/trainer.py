"""A training run whose games are played by RLlib's runners, on this machine or on a cluster.

The loop, the files and the judging are those of `alarife_training.train`. The driver holds a copy of the network in
which a teacher teaches, from which it judges and saves; before a sample it goes to the learner and to all runners.
"""

from __future__ import annotations

import shutil
import time
from typing import Any

import torch

from alarife.engine.errors import AlarifeError
from alarife.players.policy import Tensors
from alarife_training.opponents import Pool
from alarife_training.rllib.cluster import check_room, hush, join, leave
from alarife_training.rllib.games import spaces_of
from alarife_training.rllib.league import MAIN
from alarife_training.rllib.runners import Heard, count, deliver, everywhere, tell
from alarife_training.rllib.settings import algorithm_of
from alarife_training.train import Trainer, mean
from alarife_training.weights import MaskedPolicy, adam_of, put_adam, put_tensors, tensors_of

_ONLY = "default_policy"  # what RLlib calls the module where there is but one
_PATIENCE = 600.0  # seconds without a single runner: a new one may take minutes on a busy machine
_UNKNOWN = float("nan")  # what RLlib does not measure


class ScaledTrainer(Trainer):
    """The parts of a run with RLlib: a copy of the network, the pool, the algorithm, files."""

    def _build(self) -> None:
        config = self.config
        seen, chosen = spaces_of(config)
        torch.manual_seed(config.seed)
        self.copy = MaskedPolicy(seen["observation"], chosen, lambda _: config.ppo.learning_rate,
                                 hidden=list(config.hidden))  # fmt: skip
        self._pool = Pool(config.pool, self.game.most_seats, 1)
        self._steps, self._is_ahead = 0, True
        self.algorithm: Any = None
        self.told: dict[str, Any] = {}  # what the learner said last
        self._owns_ray = False

    # --- facts --------------------------------------------------------------------------------------

    @property
    def steps(self) -> int:
        """The learner's decisions so far."""
        return self._steps

    @property
    def network(self) -> MaskedPolicy:
        """The driver's copy of the network."""
        return self.copy

    @property
    def pool(self) -> Pool:
        """The driver's pool; the runners have copies."""
        return self._pool

    @property
    def module(self) -> str:
        """What RLlib calls the network that learns."""
        return MAIN if self.config.rllib.mode == "league" else _ONLY

    # --- beginning and end --------------------------------------------------------------------------

    def start(self) -> None:
        """Join the cluster, or start one on this machine, and place the runners."""
        about = self.config.rllib
        self._owns_ray = join(about.address, about.runners)
        hush()
        check_room(self.config)
        self.algorithm = algorithm_of(self.config, self.steps).build_algo(use_copy=False)
        self._since = self._heard_at = time.perf_counter()

    def close(self) -> None:
        """End the runners, and the cluster if it was started here."""
        if self.algorithm is not None:
            self.algorithm.stop()
            shutil.rmtree(self.algorithm.logdir, ignore_errors=True)
            self.algorithm = None
        if self._owns_ray:
            leave()
            self._owns_ray = False

    def begin(self) -> None:
        """Games at the runners go on over a checkpoint; nothing begins anew."""

    def _go_on_at(self, steps: int, updates: int) -> None:
        self._steps, self.updates, self._is_ahead = steps, updates, True

    # --- one round ----------------------------------------------------------------------------------

    def iterate(self) -> dict[str, Any]:
        """Tell the runners what is new, let them play, learn; returns the row for the log."""
        start, rate = time.perf_counter(), self._rate()
        self.prepare(rate)
        self._learn()
        self.updates += 1
        self._check_numbers()
        heard = [told for told in everywhere(self.algorithm.env_runner_group, tell) if told.decisions]
        for told in heard:
            count(self.pool, told)
        self._steps += sum(told.decisions for told in heard)
        self._notice_silence(heard)
        self._consider_snapshot()
        return self._scaled_row(heard, rate, time.perf_counter() - start)

    def prepare(self, rate: float) -> None:
        """Before a sample: the learner has the weights of the copy, and all runners have them and the pool."""
        self.algorithm.restore_env_runners(self.algorithm.env_runner_group)
        if self._is_ahead:
            moments, steps = adam_of(self.network, self.network.optimizer)
            everything = tensors_of(self.network) | moments
            self._at_learner(lambda learner: put_learner(learner, self.module, everything, steps))
            self._is_ahead = False
        self._at_learner(lambda learner: set_rate(learner, self.module, rate))
        deliver(self.algorithm.env_runner_group, tensors_of(self.network), self.pool)

    def _at_learner(self, ask: Any) -> Any:
        (reply,) = self.algorithm.learner_group.foreach_learner(ask)
        return reply.get()

    def _rate(self) -> float:
        ppo = self.config.ppo
        return ppo.final_learning_rate + (1 - self.share) * (ppo.learning_rate - ppo.final_learning_rate)

    def _learn(self) -> None:
        try:
            told = self.algorithm.train()
        except ValueError:  # torch complains of scores that are not finite
            self._fetch()
            self._check_numbers()
            raise
        self.told = told.get("learners", {}).get(self.module, self.told)
        self._fetch()

    def _fetch(self) -> None:
        """Bring the learner's weights and Adam's state into the copy."""
        tensors, steps = self._at_learner(lambda learner: get_learner(learner, self.module))
        put_tensors(self.network, tensors)
        put_adam(self.network, self.network.optimizer, tensors, steps)

    def _notice_silence(self, heard: list[Heard]) -> None:
        now = time.perf_counter()
        if heard:
            self._heard_at = now
        elif now - self._heard_at > _PATIENCE:
            raise AlarifeError(f"no runner has answered for {_PATIENCE / 60:.0f} minutes; go on from the last "
                               f"checkpoint with: alarife train --resume {self.run}")  # fmt: skip
        else:
            time.sleep(1)  # one is being started

    def _scaled_row(self, heard: list[Heard], rate: float, seconds: float) -> dict[str, Any]:
        ended = [game for told in heard for game in told.ended]
        self.watch(ended)
        thinking, playing = (sum(getattr(told, key) for told in heard) for key in ("thinking", "seconds"))
        spent, members = seconds * max(1, len(heard)), self.pool.members
        row = {
            "steps": self.steps, "updates": self.updates, "seconds": self.elapsed,
            "steps_per_second": sum(told.decisions for told in heard) / seconds, "games": len(ended),
            "return": mean([game[0] for game in ended]), "length": mean([game[1] for game in ended]),
            "pool_score": mean([member.score for member in members]), "pool_size": len(members),
            "learning_rate": rate, "approx_kl": _UNKNOWN, "clip_fraction": _UNKNOWN,
            "environment_share": (playing - thinking) / spent, "opponents_share": thinking / spent,
        }  # fmt: skip
        for name, theirs in (("policy_loss", "policy_loss"), ("value_loss", "vf_loss"), ("entropy", "entropy"),
                             ("explained_variance", "vf_explained_var")):  # fmt: skip
            row[name] = float(self.told.get(theirs, 0.0))
        return row


# --- at the learner -----------------------------------------------------------------------------------


def put_learner(learner: Any, module: str, tensors: Tensors, steps: float) -> None:
    """Overwrite the learner's weights and Adam's state."""
    network = learner.module[module].unwrapped()
    put_tensors(network, tensors)
    put_adam(network, learner.get_optimizer(module), tensors, steps)


def get_learner(learner: Any, module: str) -> tuple[Tensors, float]:
    """Copies of the learner's weights and of Adam's state, and Adam's steps so far."""
    network = learner.module[module].unwrapped()
    moments, steps = adam_of(network, learner.get_optimizer(module))
    return tensors_of(network) | moments, steps


def set_rate(learner: Any, module: str, rate: float) -> None:
    """Set the step size of Adam, also for RLlib, which writes it anew after each update."""
    optimizer = learner.get_optimizer(module)
    learner._optimizer_lr_schedules.pop(optimizer, None)
    for group in optimizer.param_groups:
        group["lr"] = rate
