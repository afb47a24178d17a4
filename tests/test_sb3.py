"""Stable-Baselines3 and sb3-contrib as they come: on our environments, and on the native batch."""

import warnings

import gymnasium
import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

from alarife.adapters.gym import OneSeatEnv
from alarife.adapters.sb3 import NativeVecEnv
from alarife.engine.errors import AlarifeError, IllegalAction, OptionError
from alarife.players import RandomPlayer, ScriptedPlayer
from library_pages import run_section, sections
from teaching_game import GAME as PEBBLES
from teaching_game.components import ACTIONS

torch.set_num_threads(1)
PASS = ACTIONS.start.pass_turn
SMALL = {"net_arch": [16]}


@pytest.mark.parametrize("heading", ["Gymnasium", "Stable-Baselines3"])
def test_the_block_on_the_page_runs(heading):
    made = run_section(heading)
    assert made["infos"]["action_mask"].any() if heading == "Gymnasium" else made["games"].num_envs == 64


def test_each_block_on_the_page_is_run_by_a_test():
    elsewhere = {"TorchRL", "Tianshou", "SuperSuit", "AgileRL", "PufferLib"}  # tests/test_library_*.py
    assert sections() == {"Gymnasium", "Stable-Baselines3", "OpenSpiel"} | elsewhere


def one(**settings):
    return gymnasium.make("alarife/Pebbles-v0", opponents="random", **settings)


@pytest.mark.parametrize("illegal", ["random", "lose", "penalty"])
@pytest.mark.parametrize("observation", ["vector", "dict"])
def test_its_checker_and_learners_without_masks_take_one_seat_as_it_comes(observation, illegal):
    env = one(observation=observation, illegal=illegal, max_cycles=5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env)
    policy = {"vector": "MlpPolicy", "dict": "MultiInputPolicy"}[observation]
    ppo = PPO(policy, env, n_steps=32, batch_size=16, n_epochs=1, seed=1, policy_kwargs=SMALL).learn(64)
    dqn = DQN(policy, env, learning_starts=16, buffer_size=64, batch_size=8, seed=1, policy_kwargs=SMALL).learn(64)
    assert (ppo.num_timesteps, dqn.num_timesteps) == (64, 64)
    if illegal == "lose":  # somebody who knows no masks plays many
        assert {info["r"] for info in dqn.ep_info_buffer} >= {-1.0}


def games(**settings):
    return NativeVecEnv(PEBBLES, 6, **{"players": 2, "opponents": "random"} | settings)


def test_a_learner_with_masks_takes_the_native_batch_as_it_comes():
    env = games(opponents=["random", "scripted"], players=[2, 3])
    assert is_masking_supported(env)
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=32, n_epochs=1, seed=1, policy_kwargs=SMALL)
    model.learn(2 * 96)
    assert model.num_timesteps == 192
    assert len(model.ep_info_buffer) > 5
    mean, _ = evaluate_policy(model, VecMonitor(env), n_eval_episodes=6)
    assert -1 <= mean <= 1


def test_a_learner_without_masks_takes_the_native_batch_as_it_comes():
    env = games(illegal="random", max_cycles=3)
    model = DQN("MlpPolicy", env, learning_starts=30, buffer_size=300, batch_size=16, train_freq=2, seed=1,
                policy_kwargs=SMALL)  # fmt: skip
    model.learn(240)
    assert model.num_timesteps == 240
    assert VecNormalize(games()).reset().shape == (6, PEBBLES.features.size)


def test_masks_belong_to_what_is_seen_and_everything_is_fresh():
    env = games()
    kept = [env.reset()]
    for _ in range(30):
        masks = get_action_masks(env)
        assert masks.dtype == np.bool_
        assert masks.any(1).all()
        assert np.array_equal(masks, env.batch.action_mask != 0)
        observations, rewards, dones, _ = env.step(np.argmax(masks, 1))
        assert observations.dtype == np.float32
        assert all(env.observation_space.contains(view) for view in observations)
        assert not any(np.shares_memory(array, old) for array in (observations, masks, rewards, dones) for old in kept)
        kept += [observations, masks, rewards, dones]
    assert np.array_equal(env.env_method("action_masks", indices=[2, 4]), env.action_masks()[[2, 4]])
    with pytest.raises(AttributeError, match="offers action_masks, not shuffle"):
        env.env_method("shuffle")


def test_it_plays_the_games_that_the_one_seat_environment_plays():
    """The end of each game: reward and last view are those of the seat that learns."""
    env, ended = games(seat=1, opponents="scripted"), 0
    env.reset()
    while ended < 20:
        positions = env.batch.clone()
        actions = np.argmax(env.action_masks(), 1)
        _, rewards, dones, infos = env.step(actions)
        for row in np.flatnonzero(dones):
            single = OneSeatEnv(PEBBLES, 1, 2, "scripted")
            single.reset(seed=0)
            single.batch.load(positions[[row]])
            view, reward, terminated, _, _ = single.step(int(actions[row]))
            assert terminated
            assert rewards[row] == reward == infos[row]["episode"]["r"]
            assert np.array_equal(infos[row]["terminal_observation"], view)
            assert infos[row].get("TimeLimit.truncated", False) is False
            ended += 1


def test_each_game_draws_its_players_and_the_learners_seat():
    class Counting(ScriptedPlayer):
        def __init__(self):
            super().__init__()
            self.asked = 0

        def act(self, turns):
            self.asked += len(turns)
            return super().act(turns)

    company = [Counting(), Counting(), Counting()]
    env = NativeVecEnv(PEBBLES, 200, players=2, opponents=company)
    env.seed(3)
    env.reset()
    assert 60 < (env.learner.own == 0).sum() < 140  # 100 of 200 to be expected, standard deviation 7
    for _ in range(3):
        env.step(np.argmax(env.action_masks(), 1))
    asked = np.array([player.asked for player in company])
    assert (asked / asked.sum()).min() > 0.2  # a third each to be expected
    fixed = NativeVecEnv(PEBBLES, 20, seat=1, players=2)
    fixed.reset()
    assert (fixed.learner.own == 1).all()


def test_a_seed_gives_the_same_games_and_a_reset_without_one_gives_others():
    first, second = (games(opponents=["random", "scripted"], illegal="random") for _ in range(2))

    def told(env, resets):
        env.seed(7)
        seen = []
        for _ in range(resets):
            seen.append(env.reset())
            for _ in range(12):
                seen.append(env.step(np.full(6, PASS))[0])
        return np.array(seen)

    a, b = told(first, 2), told(second, 2)
    assert np.array_equal(a, b)
    assert not np.array_equal(a[:13], a[13:])


def test_what_was_illegal_or_cut_off_is_told():
    env = games(illegal="penalty", penalty=0.5, max_cycles=2)
    env.reset()
    env.step(np.full(6, PASS))
    _, rewards, dones, infos = env.step(np.full(6, PASS))
    assert dones.all()
    for info, reward in zip(infos, rewards, strict=True):
        assert info["illegal"] is True
        assert info["TimeLimit.truncated"] is True
        assert reward == info["episode"]["r"] == -0.5
        assert info["episode"]["l"] == 2
    lost = games(illegal="lose")
    lost.reset()
    lost.step(np.full(6, PASS))
    _, rewards, dones, infos = lost.step(np.full(6, PASS))
    assert dones.all()
    assert (rewards == -1).all()
    assert not any("TimeLimit.truncated" in info for info in infos)


def test_what_cannot_be_is_refused_in_a_sentence():
    env = games()
    env.reset()
    env.step(np.full(6, PASS))
    with pytest.raises(IllegalAction, match="pass_turn"):
        env.step(np.full(6, PASS))
    with pytest.raises(OptionError, match="seats go from 0 to 1, got 2"):
        games(seat=2)
    with pytest.raises(AlarifeError, match="no player called 'stupid'"):
        games(opponents=["random", "stupid"])
    with pytest.raises(AlarifeError, match="name at least one opponent"):
        games(opponents=[])
    with pytest.raises(OptionError, match="skip_forced is True or False"):
        games(skip_forced=1)
    with pytest.raises(AttributeError, match="no attributes of their own"):
        env.set_attr("seat", 1)


def test_players_of_ones_own_sit_down_too():
    env = games(opponents=RandomPlayer(1), memory=False)
    assert env.reset().shape == (6, PEBBLES.features.size)
    assert env.get_attr("render_mode", [0, 1]) == [None, None]
    assert env.env_is_wrapped(gymnasium.Wrapper) == [False] * 6
    env.close()
