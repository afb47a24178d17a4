"""What an illegal action of a learner brings, where games are cut off, and observations that hold the mask."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import alarife
from alarife.adapters.gym import NativeVectorEnv, OneSeatEnv
from alarife.engine.errors import AlarifeError, IllegalAction, OptionError
from alarife.selfplay.conduct import any_legal
from teaching_game import GAME as PEBBLES
from teaching_game.components import ACTIONS

PASS = ACTIONS.start.pass_turn
MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP]


def one(**settings):
    """An environment in which the learner has passed, so that a second pass is illegal."""
    env = OneSeatEnv(PEBBLES, 0, 2, "scripted", **settings)
    env.reset(seed=1)
    assert env.step(PASS)[4].get("illegal", False) is False
    assert env.action_masks()[PASS] == 0
    return env


def many(**settings):
    """The same in three rows."""
    envs = NativeVectorEnv(PEBBLES, 3, 0, 2, "scripted", **settings)
    envs.reset(seed=1)
    envs.step(np.full(3, PASS))
    return envs


def first_legal(envs):
    return np.argmax(envs.action_masks(), 1)


def taken(env, row=0):
    """Pebbles that each of two seats has taken."""
    return env.batch.state["taken"][row, :2].sum(1).tolist()


# --- one at a time ------------------------------------------------------------------------------------


def test_an_illegal_action_is_an_error_unless_something_else_is_asked_for():
    env = one()
    with pytest.raises(IllegalAction, match="pass_turn"):
        env.step(PASS)
    assert env.step(int(np.argmax(env.action_masks())))[2] is False
    assert env.learner.decisions[0] == 2  # a refused action is no decision


@pytest.mark.parametrize(("illegal", "cost"), [("random", 0.0), ("penalty", 1.0)])
def test_a_legal_action_is_played_instead(illegal, cost):
    played = set()
    for seed in range(20):
        env = OneSeatEnv(PEBBLES, 0, 2, "scripted", illegal=illegal)
        env.reset(seed=seed)
        env.step(PASS)
        before, legal = env.batch.state["taken"][0, 0].copy(), env.action_masks()
        _, reward, terminated, truncated, info = env.step(PASS)
        assert info["illegal"] is True
        assert (reward, terminated, truncated) == (-cost, False, False)
        pile, count = (env.batch.state["taken"][0, 0] - before).nonzero()[0][0], taken(env)[0]
        assert legal[ACTIONS.encoder("take")(pile, count - 1)]
        played.add((int(pile), count))
        info = env.step(int(np.argmax(env.action_masks())))[4]
        assert info["illegal"] is False
    assert len(played) > 4  # drawn, not chosen


def test_what_is_drawn_follows_from_the_seed():
    def game(seed):
        env = OneSeatEnv(PEBBLES, 0, 2, "scripted", illegal="random")
        view, told = env.reset(seed=seed)[0], []
        for _ in range(3):
            told.append(view.tolist())
            view = env.step(PASS)[0]
        return told

    assert game(5) == game(5)


def test_a_penalty_is_taken_from_the_reward_that_comes_with_it():
    env = one(illegal="penalty", penalty=0.25, reward="score")
    _, reward, _, _, _ = env.step(PASS)
    assert reward == taken(env)[0] - 0.25  # points come as pebbles are taken; the lucky ones are told at the end
    assert env.learner.returns[0] == reward


def test_an_illegal_action_may_lose_the_game():
    env = one(illegal="lose")
    before = env.table.to_bytes()
    observation, reward, terminated, truncated, info = env.step(PASS)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal"] is True
    assert "place" not in info  # the game has no result
    assert env.table.to_bytes() == before  # nothing was played
    assert env.observation_space.contains(observation)
    with pytest.raises(IllegalAction, match=r"has ended; call reset\(\)"):
        env.step(int(np.argmax(env.action_masks())))
    env.reset()
    assert env.step(PASS)[2] is False


def test_what_is_no_action_of_the_game_is_an_error_however_illegal_ones_are_answered():
    for illegal in ("random", "lose", "penalty"):
        env = one(illegal=illegal)
        for action in (-1, ACTIONS.size, 1.5):
            with pytest.raises(IllegalAction):
                env.step(action)
        assert env.learner.decisions[0] == 1


@pytest.mark.parametrize("make", [OneSeatEnv, NativeVectorEnv])
@pytest.mark.parametrize(("settings", "sentence"), [
    ({"illegal": "rise"}, "no answer to illegal actions called 'rise'. Did you mean 'raise'"),
    ({"illegal": None}, "Allowed: raise, random, lose, penalty"),
    ({"illegal": "lose", "penalty": -1}, "a penalty is a number from 0 to 1,000,000,000, got -1"),
    ({"illegal": "lose", "penalty": float("nan")}, "a penalty is a number from 0 to 1,000,000,000, got nan"),
    ({"illegal": "lose", "penalty": 10**400}, "a penalty is a number from 0 to 1,000,000,000, got 1000"),
    ({"illegal": "lose", "penalty": True}, "a penalty is a number from 0 to 1,000,000,000, got True"),
    ({"penalty": 1.0}, "a penalty goes with illegal='lose' or illegal='penalty', got illegal='raise'"),
    ({"illegal": "lose", "reward": "margin"}, "with reward='margin' say what an illegal action costs"),
    ({"illegal": "penalty", "reward": "score"}, "with reward='score' say what an illegal action costs"),
    ({"max_cycles": 0}, "max_cycles goes from 1 to"),
    ({"max_cycles": 2.5}, "max_cycles goes from 1 to"),
    ({"observation": "dictionary"}, "no form of observations called 'dictionary'. Allowed: vector, dict"),
])  # fmt: skip
def test_settings_are_checked_in_a_sentence(make, settings, sentence):
    with pytest.raises(AlarifeError) as told:
        make(PEBBLES, **settings)
    assert sentence in str(told.value)


# --- cut off ------------------------------------------------------------------------------------------


def test_a_game_is_cut_off_after_so_many_own_decisions():
    env = OneSeatEnv(PEBBLES, 0, 2, "scripted", max_cycles=2)
    for _ in range(2):
        env.reset(seed=1)
        assert env.step(int(np.argmax(env.action_masks())))[2:4] == (False, False)
        _, reward, terminated, truncated, info = env.step(int(np.argmax(env.action_masks())))
        assert (reward, terminated, truncated) == (0.0, False, True)
        assert "place" not in info
        assert info["action_mask"].any()  # the game could go on
        with pytest.raises(IllegalAction, match="call reset"):
            env.step(0)


def test_a_game_that_ends_with_its_last_decision_has_ended():
    env = OneSeatEnv(PEBBLES, 0, 2, "scripted")

    def length(env):
        env.reset(seed=1)
        for decisions in range(1, 20):
            _, _, terminated, truncated, info = env.step(int(np.argmax(env.action_masks())))
            if terminated or truncated:
                return decisions, terminated, truncated, "place" in info
        raise AssertionError

    decisions = length(env)[0]
    cut = [length(OneSeatEnv(PEBBLES, 0, 2, "scripted", max_cycles=decisions + more)) for more in (-1, 0, 1)]
    assert cut == [(decisions - 1, False, True, False), (decisions, True, False, True), (decisions, True, False, True)]


def test_all_agents_of_a_table_are_truncated_together():
    # Nobody can end the game before: three players take one pebble each of the twelve, twice around.
    env = alarife.make(PEBBLES, players=3, max_cycles=2)
    env.reset(seed=1)
    decisions, ends = 0, []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        if terminated or truncated:
            ends.append((agent, terminated, truncated, reward, info))
            env.step(None)
        else:
            decisions += 1
            env.step(int(np.argmax(observation["action_mask"])))
    assert decisions == 6
    assert sorted(ends) == [(f"player_{seat}", False, True, 0.0, {}) for seat in range(3)]
    with pytest.raises(AlarifeError, match="max_cycles goes from 1"):
        alarife.make(PEBBLES, max_cycles=0)


# --- many at once -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_rows_answer_their_own_illegal_actions(mode):
    envs = many(illegal="random", autoreset_mode=mode)
    legal = int(first_legal(envs)[1])
    *_, infos = envs.step(np.array([PASS, legal, PASS]))
    assert infos["illegal"].tolist() == [True, False, True]
    assert all(taken(envs, row)[0] > 0 for row in range(3))


@pytest.mark.parametrize("mode", MODES)
def test_rows_lose_their_own_games(mode):
    envs = many(illegal="lose", autoreset_mode=mode)
    legal = int(first_legal(envs)[1])
    observations, rewards, terminated, truncated, infos = envs.step(np.array([PASS, legal, PASS]))
    assert rewards.tolist() == [-1, 0, -1]
    assert terminated.tolist() == [True, False, True]
    assert not truncated.any()
    assert infos["_place"].tolist() == [False] * 3
    assert envs.observation_space.contains(observations)
    if mode is AutoresetMode.SAME_STEP:
        assert infos["_final_obs"].tolist() == [True, False, True]
        assert envs.learner.decisions.tolist() == [0, 2, 0]
        assert infos["action_mask"][:, PASS].tolist() == [1, 0, 1]  # new games, in which passing is allowed
    else:
        assert "final_obs" not in infos
        *_, terminated, _, infos = envs.step(np.array([PASS, int(first_legal(envs)[1]), PASS]))
        assert not terminated[[0, 2]].any()
        assert envs.learner.decisions[[0, 2]].tolist() == [0, 0]
        assert infos["illegal"].tolist() == [False] * 3  # the action of a row that waits is not looked at


@pytest.mark.parametrize("mode", MODES)
def test_rows_are_cut_off(mode):
    envs = many(max_cycles=2, autoreset_mode=mode)
    _, rewards, terminated, truncated, infos = envs.step(first_legal(envs))
    assert not terminated.any()
    assert truncated.all()
    assert (rewards == 0).all()
    assert not infos["_place"].any()
    if mode is AutoresetMode.NEXT_STEP:
        assert not envs.step(np.zeros(3, int))[3].any()
    assert (envs.learner.decisions == 0).all()
    envs.step(first_legal(envs))
    assert envs.step(first_legal(envs))[3].all()


def test_a_row_without_a_legal_action_draws_any():
    masks = np.array([[0, 0, 1, 0], [0, 0, 0, 0], [1, 0, 0, 1]], np.int8)
    drawn = np.array([any_legal(masks, np.random.default_rng(seed)) for seed in range(60)])
    assert set(drawn[:, 0]) == {2}
    assert set(drawn[:, 1]) == {0, 1, 2, 3}
    assert set(drawn[:, 2]) == {0, 3}


# --- dictionaries -------------------------------------------------------------------------------------


def test_a_dictionary_holds_what_the_vector_and_the_info_tell():
    plain, env = (OneSeatEnv(PEBBLES, 0, 2, "scripted", observation=form) for form in ("vector", "dict"))
    (view, info), (seen, _) = plain.reset(seed=3), env.reset(seed=3)
    for _ in range(2):
        assert env.observation_space.contains(seen)
        assert np.array_equal(seen["observation"], view)
        assert np.array_equal(seen["action_mask"], info["action_mask"])
        action = int(np.argmax(info["action_mask"]))
        (view, *_, info), (seen, *_, told) = plain.step(action), env.step(action)
        assert not np.shares_memory(seen["action_mask"], told["action_mask"])


@pytest.mark.parametrize("mode", MODES)
def test_dictionaries_of_many_rows_are_those_of_gymnasiums_own_vector_environment(mode):
    settings = {"players": 2, "opponents": "scripted", "observation": "dict"}
    native = NativeVectorEnv(PEBBLES, 3, autoreset_mode=mode, **settings)
    single = OneSeatEnv(PEBBLES, **settings)
    theirs = gymnasium.vector.SyncVectorEnv([lambda: OneSeatEnv(PEBBLES, **settings)] * 3, autoreset_mode=mode)
    assert native.single_observation_space == single.observation_space
    assert native.observation_space == theirs.observation_space
    keys = []
    for envs in (native, theirs):
        _, infos = envs.reset(seed=2)
        ended = 0
        while ended < 4:
            observations, _, terminated, _, infos = envs.step(np.argmax(infos["action_mask"], 1))
            assert envs.observation_space.contains(observations)
            ended += terminated.sum()
            for row in np.flatnonzero(terminated):
                if mode is AutoresetMode.SAME_STEP:
                    assert single.observation_space.contains(infos["final_obs"][row])
                    assert not infos["final_obs"][row]["action_mask"].any()
        keys.append({key for key in infos if key.lstrip("_").startswith("final")})
    assert keys[0] == keys[1]


def test_observations_in_whole_numbers_come_in_dictionaries_too():
    env = OneSeatEnv(PEBBLES, observation="dict", observation_dtype=None)
    seen, _ = env.reset(seed=1)
    assert seen["observation"].dtype == PEBBLES.features.dtype
    assert env.observation_space.contains(seen)
    with pytest.raises(OptionError):
        OneSeatEnv(PEBBLES, observation="dict", observation_dtype="text")
