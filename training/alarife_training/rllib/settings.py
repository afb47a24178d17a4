"""A run's config in RLlib's words; runners read this, so it loads no more than they need."""

from __future__ import annotations

import tempfile
from typing import Any

import numpy as np
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.tune.registry import register_env

from alarife_training.config import Config
from alarife_training.rllib.games import RunnerEnv, spaces_of
from alarife_training.rllib.league import MAIN, LeagueEnv, module_names, module_of
from alarife_training.rllib.module import MaskedModule

SINGLE, LEAGUE = "alarife-single", "alarife-league"
_PATIENCE = 600.0  # seconds that a sample may take


class QuietPPO(PPO):  # type: ignore[misc]
    """RLlib's PPO; it keeps its own logs in a folder that goes away with it."""

    def _setup_logdir(self) -> None:
        self._logdir = tempfile.mkdtemp(prefix="alarife-")


def make_single(context: dict[str, Any]) -> RunnerEnv:
    """The games of a runner, one learner in each; RLlib seeds them by the runner's number."""
    return RunnerEnv(_config_of(context))


def make_league(context: Any) -> LeagueEnv:
    """One game of a runner's league; RLlib seeds it by the runner's number and by its own."""
    return LeagueEnv(_config_of(context), context.worker_index)


def _config_of(context: Any) -> Config:
    """The run's config; the driver has checked it, and a runner need not know all the players that it names."""
    return Config.model_validate(context["run"])


def algorithm_of(config: Config, began: int = 0) -> PPOConfig:
    """The config in RLlib's words."""
    register_env(SINGLE, make_single)
    register_env(LEAGUE, make_league)
    about, ppo, is_league = config.rllib, config.ppo, config.rllib.mode == "league"
    seen, chosen = spaces_of(config)
    spec = RLModuleSpec(module_class=MaskedModule, observation_space=seen, action_space=chosen,
                        model_config={"hidden": list(config.hidden)})  # fmt: skip
    made = (
        PPOConfig(algo_class=QuietPPO)
        .environment(LEAGUE if is_league else SINGLE, disable_env_checking=True,
                     env_config={"run": config.model_dump()})
        .env_runners(num_env_runners=about.runners, num_envs_per_env_runner=config.games,
                     gym_env_vectorize_mode="sync" if is_league else "vector_entry_point",
                     rollout_fragment_length=ppo.steps, sample_timeout_s=_PATIENCE,
                     custom_resources_per_env_runner=dict(about.needs))
        .learners(num_learners=0)
        .training(train_batch_size_per_learner=ppo.steps * config.games * max(1, about.runners),
                  minibatch_size=ppo.minibatch, num_epochs=ppo.epochs, lr=ppo.learning_rate, gamma=ppo.gamma,
                  lambda_=ppo.gae_lambda, clip_param=ppo.clip, entropy_coeff=ppo.entropy, vf_loss_coeff=ppo.value,
                  vf_clip_param=float("inf"), use_kl_loss=False, grad_clip=ppo.max_gradient,
                  grad_clip_by="global_norm")
        .fault_tolerance(restart_failed_env_runners=True)
        .debugging(log_level="ERROR", seed=_seed(config, began))
    )  # fmt: skip
    if not is_league:
        return made.rl_module(rl_module_spec=spec)
    names = module_names(config)
    return made.multi_agent(policies=set(names), policies_to_train=[MAIN], policy_mapping_fn=module_of).rl_module(
        rl_module_spec=MultiRLModuleSpec(rl_module_specs=dict.fromkeys(names, spec))
    )


def _seed(config: Config, began: int) -> int:
    """A seed that differs for each run and each time it goes on; runners add their numbers to it."""
    return int(np.random.SeedSequence([config.seed, began]).generate_state(1)[0] >> 2)
