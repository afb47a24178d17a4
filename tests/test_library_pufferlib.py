"""PufferLib's vectors take a seat with masks in what it sees, and a seat without any."""

import gymnasium
import numpy as np
import pytest

pytest.importorskip("pufferlib")

import torch
from pufferlib import vector
from pufferlib.emulation import GymnasiumPufferEnv
from pufferlib.pytorch import nativize_dtype, nativize_tensor

from library_pages import run_section

pytestmark = [pytest.mark.libraries, pytest.mark.filterwarnings("ignore")]


def games(**settings):
    def make(buf=None, seed=0):
        env = gymnasium.make("alarife/Pebbles-v0", opponents="random", **settings)
        return GymnasiumPufferEnv(env, buf=buf, seed=seed)

    return vector.make(make, num_envs=4, backend=vector.Serial)


def test_the_block_on_the_page_runs():
    made = run_section("PufferLib")
    assert made["mask"].shape == (4, 53)


def test_masks_and_views_are_those_of_the_games():
    """An illegal action would raise."""
    envs, random, ended = games(observation="dict"), np.random.default_rng(1), 0
    layout = nativize_dtype(envs.driver_env.emulated)
    seen, _ = envs.reset(seed=3)
    for _ in range(60):
        told = nativize_tensor(torch.as_tensor(seen), layout)
        for row, env in enumerate(envs.envs):
            learner = env.env.unwrapped.learner
            view = learner.view()[0] if learner.done[0] else learner.observation[0]
            assert told["action_mask"][row].numpy().tolist() == learner.action_mask[0].tolist()
            shown = env.env.unwrapped.game.features.decode(view)
            assert np.allclose(told["observation"][row].numpy(), shown)
        legal = [np.flatnonzero(mask) for mask in told["action_mask"].numpy()]
        actions = [random.choice(choices) if len(choices) else 0 for choices in legal]
        seen, rewards, terminals, _, _ = envs.step(np.array(actions))
        assert (rewards[~terminals] == 0).all()
        ended += int(terminals.sum())
    assert ended > 20


def test_a_seat_without_masks_is_played():
    envs, ended = games(illegal="random"), 0
    seen, _ = envs.reset(seed=3)
    envs.action_space.seed(3)
    for _ in range(60):
        seen, _, terminals, _, _ = envs.step(envs.action_space.sample())
        ended += int(terminals.sum())
    assert seen.shape == envs.observation_space.shape
    assert ended > 20
