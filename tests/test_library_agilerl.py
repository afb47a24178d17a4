"""AgileRL learns with masks on the native vector environment; it needs a PettingZoo that has no registry yet."""

import gymnasium
import numpy as np
import pytest

pytest.importorskip("agilerl")

import pettingzoo
import torch
from agilerl.algorithms import DQN
from agilerl.components import ReplayBuffer
from agilerl.training.train_off_policy import train_off_policy
from pettingzoo.test import api_test, seed_test

import alarife
from library_pages import run_section
from teaching_game import GAME as PEBBLES

pytestmark = [pytest.mark.libraries, pytest.mark.filterwarnings("ignore")]
torch.set_num_threads(1)


def games(count=16):
    return gymnasium.make_vec("alarife/Pebbles-v0", count, opponents="random", autoreset_mode="SameStep")


def play(agent, steps, epsilon=0.0):
    """Outcomes of the games that an agent plays, each of its actions asserted to be legal."""
    envs, ended = games(), []
    seen, infos = envs.reset(seed=5)
    for _ in range(steps):
        mask = infos["action_mask"]
        actions = agent.get_action(seen, epsilon, action_mask=mask)
        assert mask[np.arange(len(mask)), actions].all()
        seen, rewards, terminated, _, infos = envs.step(actions)
        ended.extend(rewards[terminated])
    return np.array(ended)


def test_the_block_on_the_page_runs():
    made = run_section("AgileRL")
    assert made["agent"].metrics.steps >= 400


def test_a_dqn_with_masks_learns_to_win():
    """Over 400 games the first seat, playing anything, is ahead by 0.3; an agent that has learnt wins nearly all."""
    torch.manual_seed(1)
    envs = games()
    agent = DQN(envs.single_observation_space, envs.single_action_space, lr=1e-3, learn_step=8, gamma=0.7, tau=0.02)
    before, drawn = [weight.detach().clone() for weight in agent.actor.parameters()], play(agent, 100, epsilon=1.0)
    (agent,), _ = train_off_policy(envs, "Pebbles", "DQN", [agent], ReplayBuffer(10_000), max_steps=4_000,
                                   evo_steps=4_000, eps_decay=0.98, verbose=False)  # fmt: skip
    assert all(torch.isfinite(weight).all() for weight in agent.actor.parameters())
    assert any(not torch.equal(old, new) for old, new in zip(before, agent.actor.parameters(), strict=True))
    learnt = play(agent, 100)
    assert drawn.mean() < 0.45, len(drawn)
    assert learnt.mean() > 0.65, len(learnt)


def test_pettingzoo_without_a_registry_accepts_a_table():
    assert not hasattr(pettingzoo, "register")
    api_test(alarife.make(PEBBLES, players=3), num_cycles=60)
    seed_test(lambda: alarife.make(PEBBLES, players=3), num_cycles=20)
