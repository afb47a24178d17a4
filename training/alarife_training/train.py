"""A training run: collect, learn, log, judge, save.

``python -m alarife train --config configs/viva-ppo.yaml ppo.learning_rate=1e-4``

At every checkpoint all random streams and all games begin anew from (seed, decisions so far). A run that goes on from
a checkpoint therefore continues exactly as the run that was never stopped.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from alarife.engine.errors import AlarifeError, FileError, WriteError, missing_extra
from alarife.engine.files import write_whole
from alarife.engine.printable import printable
from alarife.engine.registry import find_game
from alarife.evaluation.statistics import percent
from alarife.players.policy import Policy, TrainedPlayer, inputs_of, read_policy
from alarife_training import checkpoint as files
from alarife_training.config import (
    Config,
    Imitation,
    beginning_of,
    config_of_policy,
    describe,
    make_config,
    network_words,
    override,
    read_config,
    write_config,
)
from alarife_training.evaluate import Verdict, judge, judge_at_length
from alarife_training.imitate import Taught, imitate
from alarife_training.log import RESULT, RunLog
from alarife_training.opponents import Pool
from alarife_training.progress import Progress, say
from alarife_training.vec_env import SelfPlayVecEnv, views_of_play
from alarife_training.weights import (
    MaskedPolicy,
    TorchPlayer,
    adam_of,
    input_scale,
    parameters_of,
    precision_of,
    put_adam,
    put_tensors,
    tensors_of,
    unit_of,
)

#: What a run that goes on may change.
CHANGES = "steps", "minutes", "rllib.runners", "rllib.address", "rllib.needs", "imitation.address", "refinement.address"
_MANY = 1000  # games that tell whether most are cut off
_LESSONS = 8  # between two evaluations, once so many have been given
TRAINED = "trained"  # the agent that comes along with a game
CONFIG, BEST, LAST = "config.yaml", "best.safetensors", "last.safetensors"


class Trainer:
    """The parts of a run: network, games, files."""

    def __init__(self, config: Config, run: Path) -> None:
        torch.set_num_threads(config.threads)
        self.config, self.run = config, run
        self.game = config.find_game()
        self._build()
        put_tensors(self.network, input_scale(views_of_play(config), inputs_of(self.game, config.advice)))
        self.updates, self.best, self.seconds = 0, -1.0, 0.0
        self._since = time.perf_counter()
        self._judged_at = self._saved_at = self._best_at = -1
        self.taught, self.is_taught = 0, False
        self._were_cut: deque[bool] = deque(maxlen=_MANY)  # of the last games that ended
        self._is_warned = False

    def _build(self) -> None:
        """Make the network and the games."""
        self.env = SelfPlayVecEnv(self.config)
        self.model = make_model(self.config, self.env)

    # --- facts --------------------------------------------------------------------------------------

    @property
    def steps(self) -> int:
        """The learner's decisions so far."""
        return int(self.model.num_timesteps)

    @property
    def elapsed(self) -> float:
        """Seconds of training so far, those before a stop included."""
        return self.seconds + time.perf_counter() - self._since

    @property
    def share(self) -> float:
        """How much of the run is done, from 0 to 1."""
        limit = self.config.minutes
        timed = self.elapsed / (60 * limit) if limit else 0.0
        return min(1.0, max(self.steps / self.config.steps, timed))

    def policy(self) -> Policy:
        """The network as it is now."""
        return Policy(self.game, files.make_card(self.config, self.game, self.steps), tensors_of(self.network))

    @property
    def network(self) -> MaskedPolicy:
        """The network in torch."""
        network = self.model.policy
        assert isinstance(network, MaskedPolicy)
        return network

    @property
    def pool(self) -> Pool:
        """Who sits on the other seats."""
        return self.env.pool

    # --- one round ----------------------------------------------------------------------------------

    def iterate(self) -> dict[str, Any]:
        """Collect, learn; returns the row for the log."""
        model, env, start = self.model, self.env, time.perf_counter()
        env.clock.seconds = env.pool.thinking.seconds = 0.0
        env.ended.clear()
        model._current_progress_remaining = 1 - self.share
        model.collect_rollouts(env, self._callback, model.rollout_buffer, model.n_steps)
        model.train()
        self.updates += 1
        self._check_numbers()
        self._consider_snapshot()
        return self._row(time.perf_counter() - start)

    def _check_numbers(self) -> None:
        for name, parameter in parameters_of(self.network).items():
            if not torch.isfinite(parameter).all():
                raise AlarifeError(
                    f"{name} is not finite after {self.steps} decisions: training has diverged; go on from the last "
                    "checkpoint, or try a smaller ppo.learning_rate or reward_scale"
                )

    def _consider_snapshot(self) -> None:
        pool = self.pool
        if pool.earns_snapshot():
            file = f"{files.POOL}/{files.name_of(self.steps)}"
            policy = self.policy()
            files.write_policy(self.run / file, policy)
            pool.add(f"step {self.steps}", TorchPlayer(policy, self.steps), file)

    def _row(self, seconds: float) -> dict[str, Any]:
        told, env, pool = self.model.logger.name_to_value, self.env, self.env.pool
        self.watch(env.ended)
        returns, lengths = zip(*env.ended, strict=True) if env.ended else ((), ())
        row = {
            "steps": self.steps, "updates": self.updates, "seconds": self.elapsed,
            "steps_per_second": self.config.games * self.config.ppo.steps / seconds, "games": len(returns),
            "return": mean(returns), "length": mean(lengths), "pool_score": mean([m.score for m in pool.members]),
            "pool_size": len(pool.members), "learning_rate": told["train/learning_rate"],
            "policy_loss": told["train/policy_gradient_loss"], "value_loss": told["train/value_loss"],
            "entropy": -told["train/entropy_loss"], "explained_variance": told["train/explained_variance"],
            "approx_kl": told["train/approx_kl"], "clip_fraction": told["train/clip_fraction"],
            "environment_share": (env.clock.seconds - pool.thinking.seconds) / seconds,
            "opponents_share": pool.thinking.seconds / seconds,
        }  # fmt: skip
        self.model.logger.dump()
        return {name: float(value) if isinstance(value, np.floating) else value for name, value in row.items()}

    def watch(self, ended: Sequence[tuple[float, int]]) -> None:
        """Note of games that ended, with their returns and lengths, whether they were cut off."""
        longest = self.config.longest
        self._were_cut += [longest is not None and length >= longest for _, length in ended]

    def warning(self) -> str:
        """Words, once, where most of the last games were cut off; nothing otherwise."""
        if self._is_warned or len(self._were_cut) < _MANY or 2 * sum(self._were_cut) <= _MANY:
            return ""
        self._is_warned = True
        return (f"more than half of the last {_MANY:,} games were cut off after {self.config.longest} decisions "
                "(longest), so the network learns little of how games end; a larger number may help")  # fmt: skip

    # --- judging ------------------------------------------------------------------------------------

    def evaluation_is_due(self) -> bool:
        """Whether an evaluation's time has come."""
        every = self.config.evaluation.every
        return self._judged_at < 0 or self.steps // every > self._judged_at // every

    def evaluate(self) -> list[Verdict]:
        """Judge the network as it is; the best one so far is kept, the later one among equals."""
        self._judged_at = self.steps
        about = self.config.evaluation
        policy = self.policy()
        verdicts = judge(TorchPlayer(policy, greedy=about.greedy), self.config, about.games, about.seed)
        measure = measure_of(verdicts, self.config)
        if measure >= self.best:
            self.best, self._best_at = measure, self.steps
            files.write_policy(self.run / BEST, policy)
        return verdicts

    # --- saving -------------------------------------------------------------------------------------

    def checkpoint_is_due(self) -> bool:
        """Whether a checkpoint's time has come, or this is the best network so far: its file and `best` go together."""
        every = self.config.checkpoint_every
        return self._saved_at < 0 or self._best_at == self.steps or self.steps // every > self._saved_at // every

    def save(self) -> Path:
        """Write a checkpoint, and begin all random streams anew."""
        self._saved_at = self.steps
        moments, adam_step = adam_of(self.network, self.network.optimizer)
        facts = files.TrainerFacts(
            steps=self.steps, updates=self.updates, adam_step=adam_step, best=self.best, judged_at=self._judged_at,
            taught=self.taught, seconds=self.elapsed, pool=[member.facts() for member in self.pool.members],
        )  # fmt: skip
        policy = self.policy()
        path = files.write_checkpoint(self.run, policy, moments, facts, self.config.keep)
        files.write_policy(self.run / LAST, policy)
        self.begin()
        return path

    def begin(self) -> None:
        """Begin all games and random streams anew, from the seed and the decisions so far."""
        for_torch, for_numpy, for_games = np.random.SeedSequence([self.config.seed, self.steps]).generate_state(3)
        torch.manual_seed(int(for_torch))
        np.random.seed(int(for_numpy))  # the rollout buffer draws minibatches from it
        self.model._last_obs = self.env.begin(int(for_games))
        self.model._last_episode_starts = np.ones(self.config.games, np.bool_)

    def load(self, path: Path) -> None:
        """Go on from a checkpoint."""
        policy, facts = files.read_checkpoint(path)
        self._check_fit(path, policy, facts)
        put_tensors(self.network, policy.tensors)
        put_adam(self.network, self.network.optimizer, policy.tensors, facts.adam_step)
        self._go_on_at(facts.steps, facts.updates)
        self.best, self.seconds = facts.best, facts.seconds
        self._judged_at, self._saved_at = facts.judged_at, self.steps
        self.taught, self.is_taught = facts.taught, True
        self._since = time.perf_counter()
        self._load_pool(facts.pool)
        self.begin()

    def begin_with(self, policy: Policy) -> None:
        """Take over the weights of a policy; Adam begins anew."""
        put_tensors(self.network, policy.tensors)

    def _check_fit(self, path: Path, policy: Policy, facts: files.TrainerFacts) -> None:
        """Refuse a checkpoint that a run of another config wrote."""
        config = self.config
        held = network_words(policy.game, policy.card["hidden"], policy.advised)
        asked = network_words(self.game, config.hidden, config.advice)
        if held != asked:
            raise FileError(f"{path} holds {held}, the config asks for {asked}")
        anchors = [member.name for member in self.pool.members if member.is_anchor]
        met = [member.name for member in facts.pool if member.file is None]
        if anchors != met:
            raise FileError(f"{path} was trained with pool.anchors {met}, the config says {anchors}")

    def _go_on_at(self, steps: int, updates: int) -> None:
        self.model.num_timesteps, self.updates = steps, updates
        self.model._n_updates = updates * self.config.ppo.epochs

    def _load_pool(self, facts: list[files.MemberFacts]) -> None:
        for number, about in enumerate(facts):
            if about.file is None:
                member = self.pool.members[number]
            else:
                member = self.pool.add(about.name, TorchPlayer(read_policy(self.run / about.file)), about.file)
            member.score, member.games = about.score, about.games

    def start(self) -> None:
        """What Stable-Baselines3 sets up before the first round."""
        steps = self.steps
        _, self._callback = self.model._setup_learn(self.config.steps, CutOff(), reset_num_timesteps=False)
        self.model.num_timesteps = steps

    def close(self) -> None:
        """End what was started."""
        self.env.close()


class CutOff(BaseCallback):
    """Games that are cut off get their value estimates in one go; the library would ask for each of them."""

    def _on_step(self) -> bool:
        infos = self.locals["infos"]
        cut = [row for row in np.flatnonzero(self.locals["dones"]) if infos[row].pop("TimeLimit.truncated", False)]
        if cut:
            model = cast(Learner, self.model)
            views = torch.as_tensor(np.stack([infos[row]["terminal_observation"] for row in cut]))
            with torch.no_grad():
                values = model.policy.predict_values(views)
            self.locals["rewards"][cut] += model.gamma * values.numpy().ravel()
        return True


class SmallBuffer(MaskableRolloutBuffer):
    """The rollout buffer with masks in bytes, as observations are where they are whole numbers."""

    def reset(self) -> None:
        """Make room anew."""
        super().reset()
        self.action_masks = np.ones(self.action_masks.shape, np.int8)


class Learner(MaskablePPO):
    """MaskablePPO, which leaves it to the run to tell returns and lengths: looking through all infos takes time."""

    def _update_info_buffer(self, infos: list[dict[str, Any]], dones: Any = None) -> None:
        pass


def make_model(config: Config, env: SelfPlayVecEnv) -> MaskablePPO:
    """MaskablePPO as the config says."""
    ppo = config.ppo

    def rate(left: float) -> float:
        return ppo.final_learning_rate + left * (ppo.learning_rate - ppo.final_learning_rate)

    model = Learner(
        MaskedPolicy, env, learning_rate=rate, n_steps=ppo.steps, batch_size=ppo.minibatch, n_epochs=ppo.epochs,
        gamma=ppo.gamma, gae_lambda=ppo.gae_lambda, clip_range=ppo.clip, ent_coef=ppo.entropy, vf_coef=ppo.value,
        max_grad_norm=ppo.max_gradient, seed=config.seed, device="cpu", rollout_buffer_class=SmallBuffer,
        policy_kwargs={"hidden": list(config.hidden), "unit": unit_of(env.batch.game, config.advice),
                       "precision": precision_of(config.precision), "optimizer_kwargs": {"fused": True}},
    )  # fmt: skip
    model.set_logger(Logger(None, []))
    return model


def make_trainer(config: Config, run: Path) -> Trainer:
    """The trainer that the config asks for; Ray is loaded for RLlib alone."""
    if config.trainer == "sb3":
        return Trainer(config, run)
    try:
        from alarife_training.rllib.trainer import ScaledTrainer
    except ModuleNotFoundError as error:
        raise missing_extra("trainer: rllib needs", "rllib", error) from None
    return ScaledTrainer(config, run)


def mean(values: Sequence[float]) -> float:
    """The mean, 0 of nothing."""
    return float(np.mean(values)) if len(values) else 0.0


def measure_of(verdicts: list[Verdict], config: Config) -> float:
    """What decides which checkpoint is best: the share of wins against one rung, on average over player counts.

    Points, where a game that is played alone is learnt for points.
    """
    if config.reward == "score" and all(v.players == 1 for v in verdicts):
        return mean([v.score for v in verdicts])
    shares = [v.win_share for v in verdicts if v.against == config.best_by] or [v.win_share for v in verdicts]
    return mean(shares)


# --- the run ------------------------------------------------------------------------------------------


def train(config: Config, run: Path, resume: bool = False, tell: Callable[[str], None] = say) -> bool:
    """Run, or go on with a run; returns whether it came to its end."""
    path = files.newest_checkpoint(run, tell) if resume else None
    if path is None:
        _check_cluster(config)
    trainer = make_trainer(config, run)
    if path is not None:
        trainer.load(path)
        tell(f"going on from {path} at {trainer.steps:,} decisions")
    else:
        if resume:
            tell(f"{run} has no checkpoint yet: beginning from the start")
        if config.init is not None:
            trainer.begin_with(beginning_of(config))
            tell(f"beginning with the weights of {config.init}")
    write_whole(run / CONFIG, write_config(config))
    log = RunLog(run, trainer.steps if trainer.is_taught else -1)  # a head start that begins anew is told anew
    with closing(trainer), _stop_signals() as stop, Progress(config, tell) as progress:
        trainer.start()
        _teach(trainer, log, progress, stop)
        while not stop and trainer.share < 1:
            _judge_and_save(trainer, log, progress)
            if not stop:
                row = trainer.iterate()
                log.progress(row)
                progress.show(trainer.share, row)
                if words := trainer.warning():
                    progress.tell(words)
        if not stop or (trainer.is_taught and trainer._saved_at != trainer.steps):
            _judge_and_save(trainer, log, progress, at_end=not stop, stopped=bool(stop))
    if stop and not trainer.is_taught:
        tell(f"stopped by {stop[0]} during the head start, of which nothing is kept; begin it anew with: "
             f"alarife train --resume {run}")  # fmt: skip
        return False
    if stop:
        tell(f"stopped by {stop[0]}: saved at {trainer.steps:,} decisions; go on with: alarife train --resume {run}")
        return False
    finish(config, run, tell)
    return True


def _check_cluster(config: Config) -> None:
    """Refuse a head start with lessons on a cluster where Ray is not installed, before anything is played."""
    for name, about in (("imitation", config.imitation), ("refinement", config.refinement)):
        if about.decisions and about.address is not None and find_spec("ray") is None:
            raise missing_extra(f"{name}.address needs", "rllib")


def _teach(trainer: Trainer, log: RunLog, progress: Progress, stop: list[str]) -> None:
    """The head start; it ends early when somebody asks to stop."""
    teachers = [about for about in (trainer.config.imitation, trainer.config.refinement) if about.decisions]
    if teachers and not trainer.is_taught:
        _judge(trainer, log, progress)
        for about in teachers:
            _follow(trainer, about, log, progress, stop)
            if stop:
                return
    trainer.is_taught = True


def _follow(trainer: Trainer, about: Imitation, log: RunLog, progress: Progress, stop: list[str]) -> None:
    """The lessons of one teacher, judged after 1, 2, 4, 8, 16, 24... of them and at their end."""
    number, judged, given, before = 0, 0, None, trainer.taught
    with closing(imitate(trainer.network, trainer.config, about)) as lessons:
        for number, given in enumerate(lessons, 1):
            trainer.taught = before + given.decisions
            progress.show_lesson(trainer.taught, given.agreed)
            if stop:
                return
            if number & (number - 1) == 0 or number % _LESSONS == 0:
                _judge(trainer, log, progress, given)
                judged = number
    if given is None:
        return
    if judged < number:
        _judge(trainer, log, progress, given)
    again = "" if given.repeated is None else f"; asked again, that agrees with itself in {percent(given.repeated, 1)}"
    nodes = f", given on {given.nodes} nodes of the cluster" if given.nodes else ""
    progress.tell(f"agrees with {about.player} in {percent(given.agreed, 1)} of the last lesson's decisions, "
                  f"{trainer.taught - before:,} in all{nodes}{again}")  # fmt: skip


def _judge(trainer: Trainer, log: RunLog, progress: Progress, given: Taught | None = None) -> None:
    verdicts = trainer.evaluate()
    line = {"steps": trainer.steps, "taught": trainer.taught, "seconds": round(trainer.elapsed, 1)}
    if given is not None:
        line |= {"agreed": round(given.agreed, 4)}
        line |= {} if given.repeated is None else {"repeated": round(given.repeated, 4)}
    log.evaluation(line | {"verdicts": [verdict.facts() for verdict in verdicts]})
    progress.tell_verdicts(trainer.taught, trainer.steps, verdicts)


def _judge_and_save(
    trainer: Trainer, log: RunLog, progress: Progress, at_end: bool = False, stopped: bool = False
) -> None:
    if not stopped and (at_end or trainer.evaluation_is_due()) and trainer._judged_at != trainer.steps:
        _judge(trainer, log, progress)
    if (at_end or stopped or trainer.checkpoint_is_due()) and trainer._saved_at != trainer.steps:
        trainer.save()


def finish(config: Config, run: Path, tell: Callable[[str], None]) -> None:
    """Judge the best checkpoint at length and write result and report."""
    from alarife_training.run_report import write_report

    about = config.evaluation
    policy = read_policy(run / BEST)
    tell(f"judging the best checkpoint, {policy.card['steps']:,} decisions old")
    verdicts = judge_at_length(TorchPlayer(policy, greedy=about.greedy), config)
    result = {"policy": BEST, "steps": policy.card["steps"], "verdicts": [verdict.facts() for verdict in verdicts]}
    write_whole(run / RESULT, (json.dumps(result, indent=1) + "\n").encode())
    for verdict in verdicts:
        tell(f"  {verdict}")
    tell(f"policy: {run / BEST}")
    tell(f"report: {write_report(run)}")


@contextmanager
def _stop_signals() -> Iterator[list[str]]:
    """A list that gets the name of the signal that asks to stop; the second time it stops at once."""
    asked: list[str] = []
    before = {}

    def stop(number: int, frame: Any) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append("Ctrl-C" if number == signal.SIGINT else signal.Signals(number).name)

    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            before[number] = signal.signal(number, stop)
    except ValueError:
        pass  # signals belong to the main thread; in another one nobody listens
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# --- the command --------------------------------------------------------------------------------------


def run_command(
    config_path: str | None, run: str | None, resume: str | None, overrides: list[str], keys: bool = False
) -> int:
    """The command ``alarife train``; returns the exit code."""
    if keys:
        for key, default, meaning in describe():
            print(f"{key:<26} {default:<24} {meaning}")
        return 0
    init = next((word.partition("=")[2] for word in overrides if word.startswith("init=")), None)
    if (config_path is not None) + (resume is not None) > 1 or not (config_path or resume or init):
        raise AlarifeError("alarife train takes --config FILE, --resume FOLDER, or init=POLICY to go on with a policy")
    if resume is not None:
        if run is not None:
            raise AlarifeError(f"alarife train --resume goes on in the folder of the run; it takes no --run, got {run}")
        folder = Path(resume)
        if not (folder / CONFIG).exists():
            raise FileError(f"{folder} is not the folder of a run: it has no {CONFIG}")
        if wrong := [word for word in overrides if word.split("=")[0] not in CHANGES]:
            raise AlarifeError(f"a run that goes on may change {', '.join(CHANGES)}, got {wrong[0]!r}")
        return _train(read_config(folder / CONFIG, overrides), folder, resume=True)
    config = read_config(config_path, overrides) if config_path else _config_of(str(init), overrides)
    name = Path(config_path).stem if config_path else f"{config.game}-on"
    folder = Path(run) if run is not None else free_folder(Path("runs") / name)
    return run_in(config, folder)


def run_in(config: Config, folder: Path, goes_on: bool = False) -> int:
    """Train in a new folder, or go on with the run that was stopped there; returns the exit code."""
    is_begun = bool(files.checkpoints(folder))
    if is_begun and not goes_on:
        raise FileError(f"{folder} holds a run already; go on with it by --resume {folder}, or name another folder")
    say(f"run: {folder}")
    return _train(config, folder, resume=is_begun)


def _config_of(init: str, overrides: Sequence[str]) -> Config:
    """The config of a run that goes on with a policy: what its card says, and what is overridden."""
    named = next((word.partition("=")[2] for word in overrides if word.startswith("game=")), None)
    if init == TRAINED and named is None:
        raise AlarifeError("init=trained is the agent of a game: say which, such as game=viva")
    content = config_of_policy(read_policy(TrainedPlayer.file_of(find_game(str(named))) if init == TRAINED else init))
    for word in overrides:
        override(content, word)
    return make_config(content, f"a run from {init}")


def _train(config: Config, folder: Path, resume: bool = False) -> int:
    try:
        return 0 if train(config, folder, resume) else 130
    except KeyboardInterrupt:
        if not (folder / CONFIG).exists():
            raise
        print(f"\nstopped at once; go on with: alarife train --resume {printable(folder)}", file=sys.stderr)
        return 130
    except WriteError as error:
        if not files.checkpoints(folder):
            raise
        raise WriteError(f"{error}; what was saved before is whole, go on with: alarife train --resume {folder}"
                         ) from None  # fmt: skip


def free_folder(wanted: Path) -> Path:
    """The folder of that name, or the first with a number behind it that is not there yet."""
    folder, number = wanted, 2
    while folder.exists():
        folder, number = wanted.with_name(f"{wanted.name}-{number}"), number + 1
    return folder
