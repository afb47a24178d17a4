"""SuperSuit's wrappers, those that fit: which these are stands on the page, and here."""

import gymnasium
import numpy as np
import pytest

pytest.importorskip("supersuit")

import supersuit

import alarife
from alarife.engine.errors import IllegalAction
from library_pages import PAGE, run_section
from teaching_game import GAME as PEBBLES

pytestmark = [pytest.mark.libraries, pytest.mark.filterwarnings("ignore")]

#: A wrapper's name and what it is called with.
ON_VECTORS = {
    "clip_reward_v0": (), "delay_observations_v0": (1,), "dtype_v0": ("float32",), "flatten_v0": (),
    "frame_skip_v0": (2,), "frame_stack_v1": (2,), "max_observation_v0": (2,), "nan_noop_v0": (0,), "nan_random_v0": (),
    "nan_zeros_v0": (), "normalize_obs_v0": (), "reshape_v0": ((PEBBLES.features.size, 1),),
    "reward_lambda_v0": (lambda reward: 2 * reward,), "sticky_actions_v0": (0.2,),
}  # fmt: skip
ON_TABLES = {
    "action_lambda_v1": (lambda action, space: action, lambda space: space), "clip_reward_v0": (), "nan_noop_v0": (0,),
    "nan_random_v0": (), "nan_zeros_v0": (), "pad_action_space_v0": (), "reward_lambda_v0": (lambda reward: reward,),
    "observation_lambda_v0": (lambda seen, space: seen, lambda space: space),
}  # fmt: skip
NOT_ON_TABLES = {"frame_skip_v0": (2,), "sticky_actions_v0": (0.9,)}


def test_the_block_on_the_page_runs():
    made = run_section("SuperSuit")
    assert made["stacked"].observe("player_0").shape == (made["seat"].observation_space.shape)


def test_the_page_names_what_fits():
    section = PAGE.read_text(encoding="utf-8").partition("\n## SuperSuit\n")[2].partition("\n## ")[0]
    for name in {*ON_VECTORS, *ON_TABLES, *NOT_ON_TABLES}:
        plain = name[:-3]
        assert f"`{plain}`" in section or (plain.startswith("nan_") and "`nan_*`" in section), name


@pytest.mark.parametrize("name", ON_VECTORS)
def test_a_seat_in_a_wrapper_is_played_to_its_end(name):
    env = gymnasium.make("alarife/Pebbles-v0", opponents="random", illegal="random")
    env = getattr(supersuit, name)(env, *ON_VECTORS[name])
    seen, _ = env.reset(seed=1)
    env.action_space.seed(1)
    for _ in range(40):
        assert np.asarray(seen).shape == env.observation_space.shape
        seen, _, over, _, _ = env.step(env.action_space.sample())
        if over:
            return
    raise AssertionError("the game did not end")


def finish(env):
    env.reset(seed=2)
    for decisions, agent in enumerate(env.agent_iter(100)):  # noqa: B007
        seen, _, over, _, _ = env.last()
        assert isinstance(seen, dict)
        env.step(None if over else int(np.argmax(seen["action_mask"])))
    assert not env.agents
    return decisions


@pytest.mark.parametrize("name", ON_TABLES)
def test_a_table_in_a_wrapper_is_played_to_its_end(name):
    assert finish(getattr(supersuit, name)(alarife.make(PEBBLES, players=3), *ON_TABLES[name])) > 6


@pytest.mark.parametrize("name", NOT_ON_TABLES)
def test_what_repeats_actions_is_found_out_at_a_table(name):
    env = getattr(supersuit, name)(alarife.make(PEBBLES, players=2), *NOT_ON_TABLES[name])

    def play():
        for seed in range(20):
            env.reset(seed=seed)
            for _ in env.agent_iter(100):
                seen, _, over, _, _ = env.last()
                env.step(None if over else int(np.flatnonzero(seen["action_mask"])[-1]))

    with pytest.raises(IllegalAction):
        play()


def test_frames_are_stacked_behind_the_mask():
    env = alarife.make(PEBBLES, players=2)
    flat = supersuit.observation_lambda_v0(env, lambda seen, _: seen["observation"], lambda space: space["observation"])
    stacked = supersuit.frame_stack_v1(flat, 3)
    stacked.reset(seed=3)
    now = env.observe(env.agent_selection)["observation"]
    frames = stacked.last()[0].reshape(3, PEBBLES.features.size)
    assert np.array_equal(frames[2], now)
    assert not frames[:2].any()
