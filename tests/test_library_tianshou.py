"""Tianshou takes a table with masks and a seat without, as they come."""

import gymnasium
import numpy as np
import pytest

pytest.importorskip("tianshou")

import torch
from tianshou.algorithm import DQN, PPO, MARLRandomDiscreteMaskedOffPolicyAlgorithm, MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OnPolicyTrainerParams
from tianshou.utils.net.common import Net
from tianshou.utils.net.discrete import DiscreteActor, DiscreteCritic
from tianshou.utils.torch_utils import policy_within_training_step

import alarife
from library_pages import run_section
from teaching_game import GAME as PEBBLES

pytestmark = [pytest.mark.libraries, pytest.mark.filterwarnings("ignore")]
torch.set_num_threads(1)


def test_the_block_on_the_page_runs():
    assert run_section("Tianshou")["collector"].collect_step >= 200


def test_masked_dqn_plays_a_table_and_learns():
    def make():
        return PettingZooEnv(alarife.make(PEBBLES, players=2))

    env = make()
    seen, actions = env.observation_space["observation"].shape, env.action_space
    network = Net(state_shape=seen, action_shape=actions.n, hidden_sizes=[16])
    policy = DiscreteQLearningPolicy(model=network, action_space=actions, eps_training=0.5)
    learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-2))
    other = MARLRandomDiscreteMaskedOffPolicyAlgorithm(actions)
    both = MultiAgentOffPolicyAlgorithm(algorithms=[learner, other], env=env)
    buffer = VectorReplayBuffer(1000, 4)
    collector = Collector(both, DummyVectorEnv([make] * 4), buffer, exploration_noise=True)
    collector.reset()
    found = collector.collect(n_episode=20)  # an illegal action would raise
    assert found.n_collected_episodes == 20
    rows = buffer.sample_indices(0)
    assert buffer.obs.mask[rows, buffer.act[rows].astype(int)].all()
    assert set(buffer.obs.agent_id[rows]) == {"player_0", "player_1"}
    before = [weight.detach().clone() for weight in network.parameters()]
    with policy_within_training_step(both.policy):
        both.update(buffer, 32)
    after = list(network.parameters())
    assert all(torch.isfinite(weight).all() for weight in after)
    assert any(not torch.equal(old, new) for old, new in zip(before, after, strict=True))


def test_ppo_without_masks_plays_a_seat():
    def make():
        return gymnasium.make("alarife/Pebbles-v0", opponents="random", illegal="random")

    env = make()
    body = Net(state_shape=env.observation_space.shape, hidden_sizes=[16])
    actor, critic = (
        DiscreteActor(preprocess_net=body, action_shape=env.action_space.n),
        DiscreteCritic(preprocess_net=body),
    )
    policy = DiscreteActorPolicy(actor=actor, action_space=env.action_space)
    ppo = PPO(policy=policy, critic=critic, optim=AdamOptimizerFactory(lr=1e-3))
    collector = Collector(ppo, DummyVectorEnv([make] * 4), VectorReplayBuffer(400, 4))
    collector.reset()
    told = ppo.run_training(OnPolicyTrainerParams(
        training_collector=collector, test_collector=None, max_epochs=1, epoch_num_steps=80, batch_size=40,
        collection_step_num_env_steps=40, update_step_num_repetitions=1,
    ))  # fmt: skip
    assert told.train_step == 80
    assert np.isfinite([weight.detach().abs().max() for weight in body.parameters()]).all()
