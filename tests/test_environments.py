"""PettingZoo and Gymnasium: their own checks, and what we promise beyond."""

import pickle
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, render_test, seed_test

import alarife
from alarife.adapters.gym import NativeVectorEnv, OneSeatEnv, gym_id
from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError, IllegalAction, OptionError
from alarife.engine.registry import find_game, game_names, is_installed
from alarife.players import RandomPlayer
from alarife.selfplay.transitions import transitions

INSTALLED = [name for name in game_names() if is_installed(name)]
TABLES = [(name, players) for name in INSTALLED for players in find_game(name).seats]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_pettingzoo_accepts_the_environment(name, players):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(alarife.make(name, players=players), num_cycles=60)
        seed_test(lambda: alarife.make(name, players=players), num_cycles=20)


@pytest.mark.parametrize("name", INSTALLED)
def test_pettingzoo_accepts_the_pictures(name):
    render_test(lambda render_mode: alarife.make(name, render_mode=render_mode))


@pytest.mark.parametrize("observation", ["vector", "dict"])
@pytest.mark.parametrize("name", INSTALLED)
def test_gymnasium_accepts_the_one_seat_environment(name, observation):
    """As it comes: the checker plays an action that it drew before the reset."""
    env = gymnasium.make(gym_id(find_game(name)), opponents="random", render_mode="rgb_array", illegal="random",
                         observation=observation)  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def finish(env, seed, policy="first"):
    env.reset(seed=seed)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        total[agent] += reward
        env.step(None if terminated else int(np.argmax(observation["action_mask"])))
    return total


def test_rewards_of_the_loop_add_up_and_infos_tell_the_end():
    env = alarife.make("viva_v1", players=4, match="single_round", reward="rank")
    total = finish(env, 3)
    places = env.unwrapped.table.places()
    for agent, place in zip(total, places, strict=True):
        assert total[agent] == pytest.approx(1 - 2 * (place - 1) / 3)


def test_an_illegal_action_is_answered_with_the_legal_ones():
    env = alarife.make("viva_v1", players=2)
    env.reset(seed=1)
    for action, words in (
        (28, "call_viva()"),
        (-1, "-1"),
        (99, "99"),
        (0.5, "0.5"),
        ("draw", "'draw'"),
        (None, "None"),
    ):
        with pytest.raises(IllegalAction) as caught:
            env.step(action)
        assert str(caught.value).startswith(f"player_0 played {words}, which is not legal. Legal now: ")
        assert "draw()" in str(caught.value)
    env.step(26)
    assert env.unwrapped.table.state.decisions == 1


def test_only_the_agent_to_decide_has_a_mask():
    env = alarife.make("viva_v1", players=3)
    env.reset(seed=1)
    assert env.observe("player_0")["action_mask"].sum() > 0
    assert env.observe("player_1")["action_mask"].sum() == 0


def test_the_info_of_a_finished_solo_game_tells_both_sides_and_the_rank():
    env = alarife.make("lisboa_v1")
    env.reset(seed=3)
    for _agent in env.agent_iter():
        observation, reward, terminated, _, info = env.last()
        if terminated:
            break
        assert info == {}
        env.step(int(np.flatnonzero(observation["action_mask"])[-1]))
    state = env.unwrapped.table.state
    assert (info["wigs"], info["lacerda_wigs"]) == (state.wigs[0], state.wigs[1])
    assert info["won"] == (reward == 1.0) == (info["rank"] > 0)
    assert len(info["met"]) == 4  # the four ranks of the solo rules
    one = OneSeatEnv("lisboa")
    one.action_space.seed(1)
    one.reset(seed=1)
    done = False
    while not done:
        _, _, done, _, info = one.step(one.action_space.sample())
    assert {"wigs", "lacerda_wigs", "rank", "met"} <= set(info)


def test_the_state_is_what_all_seats_see():
    env = alarife.make("viva_v1", players=3)
    env.reset(seed=1)
    assert env.state_space.contains(env.state())
    parts = np.split(env.state(), 3)
    for agent, part in zip(env.agents, parts, strict=True):
        assert np.array_equal(part, env.observe(agent)["observation"])


def test_a_reset_without_a_seed_goes_on_with_new_games():
    env = alarife.make("viva_v1", players=2)
    env.reset(seed=5)
    states = []
    for _ in range(4):
        states.append(env.unwrapped.table.to_bytes())
        env.reset()
    assert len(set(states)) == 4
    env.reset(seed=5)
    assert env.unwrapped.table.to_bytes() == states[0]
    env.reset()
    assert env.unwrapped.table.to_bytes() == states[1]


def test_text_shows_other_hands_face_down_to_a_seat():
    env = alarife.make("viva_v1", players=2, render_mode="ansi", render_seat=1)
    env.reset(seed=5)
    mine, theirs = env.render().splitlines()[-1], env.render().splitlines()[-2]
    assert "??" in theirs
    assert "??" not in mine


def test_an_environment_goes_on_in_another_process():
    env = alarife.make("viva_v1", players=3)
    env.reset(seed=5)
    for _ in range(30):
        env.step(int(np.argmax(env.observe(env.agent_selection)["action_mask"])))
    code = """
import sys, pickle, numpy as np
env = pickle.loads(sys.stdin.buffer.read())
for _ in range(30):
    env.step(int(np.argmax(env.observe(env.agent_selection)["action_mask"])))
print(env.unwrapped.table.to_bytes().hex())
"""
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(env), capture_output=True, check=True)
    for _ in range(30):
        env.step(int(np.argmax(env.observe(env.agent_selection)["action_mask"])))
    assert done.stdout.decode().strip() == env.unwrapped.table.to_bytes().hex()


def test_a_seat_to_look_from_is_at_the_table():
    with pytest.raises(OptionError, match="seats go from 0 to 1, got 2"):
        alarife.make("viva_v1", players=2, render_seat=2)


# --- one seat -----------------------------------------------------------------------------------------


def test_the_learner_sees_only_its_own_decisions_on_any_seat():
    for seat in (0, 2):
        env = OneSeatEnv("viva", seat=seat, players=3, opponents=["random", "scripted"], match="single_round")
        env.action_space.seed(1)
        env.reset(seed=1)
        done = False
        while not done:
            assert env.batch.seat[0] == seat
            _, reward, done, _, info = env.step(env.action_space.sample())
        assert info["place"] == env.batch.final_place[0, seat]
        assert reward == (1.0 if info["place"] == 1 else -0.5)


@pytest.mark.parametrize("make", [OneSeatEnv, NativeVectorEnv])
def test_a_seat_or_player_that_is_not_there_is_refused_at_once(make):
    for seat in (3, -1, "left"):
        with pytest.raises(OptionError, match=f"seats go from 0 to 2, got {seat!r}"):
            make("viva", seat=seat, players=3)
    with pytest.raises(AlarifeError, match="no player called 'stupid'"):
        make("viva", opponents=["random", "stupid"])
    with pytest.raises(AlarifeError, match="name at least one opponent"):
        make("viva", opponents=[])


def test_a_random_seat_changes_from_game_to_game():
    env = OneSeatEnv("viva", seat="random", players=4, opponents="random", match="single_round")
    env.reset(seed=2)
    seats = set()
    for _ in range(30):
        seats.add(int(env.learner.own[0]))
        env.reset()
    assert seats == {0, 1, 2, 3}


def test_a_player_that_plays_an_illegal_action_is_named():
    class Cheat:
        def act(self, turns):
            return np.full(len(turns), 52)

    env = OneSeatEnv("viva", seat=1, opponents=Cheat())
    with pytest.raises(IllegalAction, match="opponent 0: player_0 played let_pass"):
        env.reset(seed=1)


# --- many at once -------------------------------------------------------------------------------------


def vector(mode, num_envs=12, **settings):
    env = NativeVectorEnv("viva", num_envs, opponents="random", players=3, match="single_round", autoreset_mode=mode,
                          **settings)  # fmt: skip
    env.action_space.seed(3)
    return env


def test_same_step_hands_out_the_next_game_and_keeps_the_last_view():
    env = vector(AutoresetMode.SAME_STEP)
    env.reset(seed=3)
    ended = 0
    while ended < 5:
        before = env.learner.decisions.copy()
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
        assert env.observation_space.contains(observation)
        assert not truncated.any()
        assert info["action_mask"].sum(1).min() > 0
        assert np.array_equal(observation, env.game.features.decode(env.batch.observation))
        for row in np.flatnonzero(terminated):
            ended += 1
            final = env.game.features.describe(info["final_obs"][row])
            assert final["active"].sum() == 0  # everybody has left the round
            assert env.game.features.describe(observation[row])["active"].sum() == 3
            assert info["decisions"][row] >= before[row] + 1
            assert reward[row] == (1 if info["place"][row] == 1 else -0.5)
        assert (env.learner.decisions[terminated] == 0).all()
        if not terminated.any():
            assert "final_obs" not in info


def test_next_step_hands_out_the_last_view_and_ignores_one_action():
    env = vector(AutoresetMode.NEXT_STEP)
    env.reset(seed=3)
    waiting = np.zeros(12, bool)
    ended = 0
    while ended < 5:
        observation, reward, terminated, _, info = env.step(env.action_space.sample())
        assert not terminated[waiting].any()
        assert (reward[waiting] == 0).all()
        assert (env.learner.decisions[waiting] == 0).all()
        for row in np.flatnonzero(terminated):
            ended += 1
            assert env.game.features.describe(observation[row])["active"].sum() == 0
            assert "final_obs" not in info
        waiting = terminated.copy()


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
def test_gymnasiums_own_statistics_agree(mode):
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(vector(mode))
    env.action_space.seed(5)
    env.reset(seed=5)
    ended = 0
    while ended < 5:
        _, _, terminated, _, info = env.step(env.action_space.sample())
        for row in np.flatnonzero(terminated):
            ended += 1
            assert info["episode"]["r"][row] == (1 if info["place"][row] == 1 else -0.5)
            assert 0 < info["episode"]["l"][row] < info["decisions"][row]


def test_both_modes_play_the_same_games():
    same, nxt = vector(AutoresetMode.SAME_STEP, 1), vector(AutoresetMode.NEXT_STEP, 1)
    same.reset(seed=9)
    nxt.reset(seed=9)
    results = {id(same): [], id(nxt): []}
    for env in (same, nxt):
        while len(results[id(env)]) < 3:
            action = np.argmax(env.action_masks(), 1)
            _, reward, terminated, _, info = env.step(action)
            if terminated[0]:
                results[id(env)].append((float(reward[0]), int(info["decisions"][0]), int(info["place"][0])))
    assert results[id(same)] == results[id(nxt)]


def test_arrays_are_fresh_on_every_step():
    env = vector(AutoresetMode.SAME_STEP)
    kept = [env.reset(seed=1)[0]]
    copies = [kept[0].copy()]
    for _ in range(5):
        observation, reward, terminated, _, info = env.step(env.action_space.sample())
        for array in (observation, reward, terminated, info["action_mask"]):
            assert not any(np.shares_memory(array, old) for old in kept)
        kept += [observation, reward, terminated, info["action_mask"]]
        copies += [array.copy() for array in kept[-4:]]
    assert all(np.array_equal(a, b) for a, b in zip(kept, copies, strict=True))


def test_make_vec_finds_the_native_environment():
    env = gymnasium.make_vec("alarife/Viva-v1", num_envs=4, opponents="random")
    assert isinstance(env.unwrapped, NativeVectorEnv)
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match="game 0: player_0 played let_pass"):
        env.step(np.full(4, 52))


def test_gymnasiums_own_vector_environment_draws_legal_actions_with_the_mask():
    env = gymnasium.make_vec("alarife/Viva-v1", num_envs=3, vectorization_mode="sync", opponents="random")
    env.action_space.seed(1)
    _, info = env.reset(seed=1)
    for _ in range(20):
        *_, info = env.step(env.action_space.sample(tuple(info["action_mask"])))
    assert info["action_mask"].shape == (3, 53)


# --- transitions --------------------------------------------------------------------------------------


def test_transitions_of_every_seat_run_to_the_end(pebbles):
    batch = Batch(pebbles, 3, 3, seed=1)
    ended = {}
    count = 0
    for part in transitions(batch, RandomPlayer(1), 60):
        assert (part.reward[~part.done] == 0).all()
        for k in np.flatnonzero(part.done):
            ended.setdefault(int(part.game[k]), []).append((int(part.seat[k]), float(part.reward[k])))
        assert part.next_action_mask[part.done].sum() == 0
        count += len(part.seat)
    for finals in ended.values():
        for start in range(0, len(finals) - 2, 3):
            seats, rewards = zip(*finals[start : start + 3], strict=True)
            assert sorted(seats) == [0, 1, 2]
            assert sum(rewards) == pytest.approx(0, abs=1e-6)
    assert 150 < count <= 180
