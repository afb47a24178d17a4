"""The learner's side of a batch, and the pool of opponents."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch

from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError, IllegalAction
from alarife.engine.table import Table
from alarife.players import RandomPlayer, ScriptedPlayer, Turns
from alarife.players.policy import NetworkPlayer, Policy, scale_of
from alarife.players.turns import ADVICE
from alarife_training import opponents
from alarife_training.config import make_config
from alarife_training.evaluate import judge
from alarife_training.opponents import Pool
from alarife_training.train import CutOff, make_model
from alarife_training.vec_env import SelfPlayVecEnv
from alarife_training.weights import TorchPlayer, parameters_of, precision_of, put_tensors, tensors_of
from slow_time import SlowTime

torch.set_num_threads(1)


def config(**changes):
    base = {"game": "viva", "options": {"match": "single_round"}, "players": [2, 3], "games": 12, "hidden": [16],
            "precision": "float32",
            "ppo": {"steps": 80, "minibatch": 60, "gamma": 0.9}}  # fmt: skip
    return make_config(base | changes)


def collected(env, settings, told=None):
    model = make_model(settings, env)
    _, callback = model._setup_learn(10_000, told, True)
    seen = {"steps": [], "model": model}
    step_wait = env.step_wait

    def listening():
        before = env.batch.clone(), env.learner.own.copy()
        actions = env._actions.copy()
        observations, rewards, dones, infos = step_wait()
        seen["steps"].append((*before, actions, (observations, rewards.copy(), dones, [dict(info) for info in infos])))
        return observations, rewards, dones, infos

    env.step_wait = listening
    model.collect_rollouts(env, callback, model.rollout_buffer, model.n_steps)
    return model, seen


def test_the_rollout_buffer_holds_the_positions_that_were_played():
    settings = config(pool={"anchors": ["scripted"]})  # who ends games
    env = SelfPlayVecEnv(settings)
    env.begin(3)
    model, seen = collected(env, settings)
    buffer = model.rollout_buffer
    assert buffer.observations.dtype == buffer.action_masks.dtype == np.int8  # a quarter of float32
    positions = Batch(env.batch.game, 12, 2, 0, settings.options, restart=False)
    ended = 0
    for t, (states, own, actions, (_, rewards, dones, infos)) in enumerate(seen["steps"]):
        positions.load(states)
        assert np.array_equal(positions.seat, own)
        assert np.array_equal(buffer.observations[t], positions.observation)
        assert np.array_equal(buffer.action_masks[t], positions.action_mask)
        assert np.array_equal(buffer.actions[t][:, 0], actions)
        assert np.array_equal(buffer.rewards[t], rewards)
        assert (rewards[~dones] == 0).all()
        if t + 1 < 80:
            assert np.array_equal(buffer.episode_starts[t + 1], dones)
        ended += dones.sum()
        assert all(("terminal_observation" in info) == done for info, done in zip(infos, dones, strict=True))
    assert ended > 3


def test_the_last_observation_is_the_final_view_and_the_reward_that_of_the_place():
    env = SelfPlayVecEnv(config(pool={"anchors": ["scripted"]}))
    env.begin(4)
    player, ended = RandomPlayer(1), 0
    finals = {}
    renew = env.learner.renew

    def renewing(rows):
        views = env.batch.view(rows, env.learner.own[rows])
        for row, view in zip(rows, views, strict=True):
            seats, own = int(env.batch.players[row]), int(env.learner.own[row])
            finals[int(row)] = view, seats, int(env.batch.final_place[row, own]), bool(env.batch.over[row])
        renew(rows)

    env.learner.renew = renewing
    while ended < 20:
        finals.clear()
        _, rewards, dones, infos = env.step(player.act(Turns.of_batch(env.batch, np.arange(12))))
        for row in np.flatnonzero(dones):
            view, seats, place, over = finals[int(row)]
            assert over
            assert np.array_equal(infos[row]["terminal_observation"], view)
            assert env.batch.game.features.describe(view)["active"].sum() == 0
            assert rewards[row] == (1 if place == 1 else -1 / (seats - 1))
            assert infos[row]["episode"]["r"] == rewards[row]
            ended += 1


def test_arrays_are_fresh_and_masks_belong_to_the_observation():
    env = SelfPlayVecEnv(config())
    kept = [env.begin(5), env.action_masks()]
    copies = [array.copy() for array in kept]
    player = RandomPlayer(1)
    for _ in range(8):
        observation, rewards, dones, _ = env.step(player.act(Turns.of_batch(env.batch, np.arange(12))))
        masks = env.env_method("action_masks")
        for array in (observation, rewards, dones, masks):
            assert not any(np.shares_memory(array, old) for old in kept)
        assert not np.shares_memory(observation, env.batch.observation)
        positions = Batch(env.batch.game, 12, 2, 0, env.batch.options, restart=False)
        positions.load(env.batch.clone())
        assert np.array_equal(positions.observation, observation)
        assert np.array_equal(positions.action_mask != 0, masks)
        assert masks.any(1).all()
        kept += [observation, rewards, dones, masks]
        copies += [array.copy() for array in kept[-4:]]
    assert all(np.array_equal(a, b) for a, b in zip(kept, copies, strict=True))


def test_an_illegal_action_is_refused():
    env = SelfPlayVecEnv(config())
    env.begin(1)
    with pytest.raises(IllegalAction, match="played let_pass"):
        env.step(np.full(12, 52))


def test_a_game_that_is_cut_off_is_truncated_and_has_no_result():
    env = SelfPlayVecEnv(config(longest=2, pool={"anchors": ["random"]}))
    env.begin(1)
    player = RandomPlayer(1)
    env.step(player.act(Turns.of_batch(env.batch, np.arange(12))))
    before = env.batch.clone()
    _, rewards, dones, infos = env.step(player.act(Turns.of_batch(env.batch, np.arange(12))))
    assert before["over"].sum() == 0
    assert dones.all()
    assert (rewards == 0).all()
    assert all(info["TimeLimit.truncated"] for info in infos)
    assert (env.learner.decisions == 0).all()
    assert env.pool.members[0].games == 0


@pytest.mark.parametrize("kind", [None, CutOff], ids=["one by one", "in one go"])
def test_where_a_game_is_cut_off_the_value_estimate_stands_in_for_the_rest(kind):
    """The buffer holds reward + gamma V(last view), the advice for the decision that is left included."""
    settings = config(advice=True, longest=20, pool={"anchors": ["scripted"]})
    env = SelfPlayVecEnv(settings)
    env.begin(3)
    model, seen = collected(env, settings, kind and kind())
    tensors, cut, ended = tensors_of(model.policy), 0, 0
    for t, (*_, (_, rewards, dones, infos)) in enumerate(seen["steps"]):
        expected = rewards.copy()
        for row in np.flatnonzero(dones):
            if not infos[row].get("TimeLimit.truncated"):
                ended += 1
                continue
            view = infos[row]["terminal_observation"] * scale_of(env.batch.game, True)
            assert view[env.batch.game.features.size :].sum() == 1
            trunk = np.maximum(tensors["trunk.0.weight"] @ view + tensors["trunk.0.bias"], 0)
            expected[row] += 0.9 * (tensors["value.weight"] @ trunk + tensors["value.bias"])[0]
            cut += 1
        assert model.rollout_buffer.rewards[t] == pytest.approx(expected, abs=1e-5)
    assert cut > 3
    assert ended > 3


def test_the_clock_covers_all_of_a_step_and_tells_what_others_thought(monkeypatch):
    """Five times the learner's moves and the advice for what is seen next, and the thoughts and moves in between."""
    clock = SlowTime()
    monkeypatch.setattr(opponents, "time", clock)
    env = SelfPlayVecEnv(config(advice=True, skip_forced=False, pool={"anchors": ["random"]}))
    player, batch = env.pool.members[0].player, env.batch
    player.act = clock.takes(100, player.act)
    batch.step, batch.script = clock.takes(1, batch.step), clock.takes(10, batch.script)
    env.begin(1)
    env.clock.seconds = env.pool.thinking.seconds = clock.now = 0.0
    for _ in range(5):
        assert not env.step(np.argmax(env.action_masks(), 1))[2].any()
    thoughts = env.pool.thinking.seconds / 100
    assert thoughts >= 1
    assert env.clock.seconds == clock.now == 5 * (1 + 10) + 101 * thoughts


def test_no_forks_are_made_for_players_that_need_none(monkeypatch):
    def never(batch, rows):
        raise AssertionError("a fork was made")

    settings = config(players=2, pool={"anchors": ["random"]})
    env = SelfPlayVecEnv(settings)
    policy = Policy(env.batch.game, {"hidden": [16]}, tensors_of(make_model(settings, env).policy))
    monkeypatch.setattr(Batch, "seal", never)
    env.begin(1)
    for _ in range(20):
        env.step(np.argmax(env.action_masks(), 1))
    judge(TorchPlayer(policy), make_config(settings.model_dump() | {"evaluation": {"against": ["random"]}}), 10, 1)
    assert env.pool.players[0].forks is False
    assert env.pool.timed(ScriptedPlayer()).forks == ADVICE


def test_rewards_are_scaled():
    env = SelfPlayVecEnv(config(players=2, reward_scale=0.25, pool={"anchors": ["scripted"]}))
    env.begin(1)
    player, seen = RandomPlayer(1), set()
    for _ in range(100):
        seen |= set(env.step(player.act(Turns.of_batch(env.batch, np.arange(12))))[1].tolist())
    assert seen == {0.0, 0.25, -0.25}


def test_the_same_seed_deals_the_same_games():
    first, second = SelfPlayVecEnv(config()), SelfPlayVecEnv(config())
    first.begin(1)
    for seed in (7, 8):
        a, b = first.begin(seed), second.begin(seed)
        for _ in range(40):
            assert np.array_equal(a, b)
            actions = np.argmax(first.action_masks(), 1)
            a, b = first.step(actions)[0], second.step(actions)[0]


# --- the pool -----------------------------------------------------------------------------------------


def pool(**settings):
    return Pool(make_config({"game": "viva", "pool": settings}).pool, most_seats=6, games=1000)


def frozen():
    return RandomPlayer(1)


def test_results_are_counted_seat_by_seat():
    members = pool(anchors=["random", "scripted"])
    rows = np.array([0, 1])
    members.seating(rows, np.array([3, 2]))
    # game 0: the learner on seat 1 comes second of three, random (0) before it, scripted (1) behind it
    # game 1: the learner on seat 0 shares the first place with scripted
    members.report(
        rows,
        own=np.array([1, 0]),
        sits=np.array([[0, 1, 1, 0, 0, 0], [0, 1, 0, 0, 0, 0]]),
        players=np.array([3, 2]),
        places=np.array([[1, 2, 3, 0, 0, 0], [1, 1, 0, 0, 0, 0]]),
    )
    random, scripted = members.members
    assert (random.games, scripted.games) == (1, 2)
    assert random.score == (0.5 + 0) / 2
    assert scripted.score == pytest.approx((0.5 + 1 + 0.5) / 3)


def test_harder_members_are_drawn_more_often():
    members = pool(anchors=["random", "scripted"], hardness=2.0, floor=0.05)
    members.members[0].score, members.members[1].score = 0.9, 0.5
    # weights 0.1^2 + 0.05 = 0.06 and 0.5^2 + 0.05 = 0.3
    assert members.chances() == pytest.approx([1 / 6, 5 / 6])
    _, sits = members.seating(np.arange(1000), np.full(1000, 6))
    assert np.mean(sits == 1) == pytest.approx(5 / 6, abs=0.02)


def test_the_learner_draws_every_seat():
    own, _ = pool().seating(np.arange(1000), np.full(1000, 4))
    assert np.bincount(own, minlength=4) / 1000 == pytest.approx([0.25] * 4, abs=0.06)


def score(member, games, points):
    member.games, member.score = games, points


def test_a_snapshot_is_earned_by_beating_the_pool():
    members = pool(anchors=["random", "scripted"], snapshots=2, gate=0.6, games=100)
    random, scripted = members.members
    score(random, 99, 0.99)
    score(scripted, 100, 0.99)
    assert not members.earns_snapshot()  # one game short against random
    score(random, 100, 0.59)
    score(scripted, 100, 0.1)
    assert not members.earns_snapshot()
    score(random, 100, 0.6)
    assert members.earns_snapshot()  # the first one: beating an anchor is enough
    members.add("a", frozen(), "a")
    assert not members.earns_snapshot()
    score(members.members[2], 100, 0.59)
    assert not members.earns_snapshot()
    score(members.members[2], 100, 0.61)
    assert members.earns_snapshot()
    members.add("b", frozen(), "b")
    score(members.members[3], 100, 0.58)
    assert not members.earns_snapshot()  # 0.595 on average
    score(members.members[3], 100, 0.6)
    assert members.earns_snapshot()


def test_the_easiest_snapshot_makes_room_and_anchors_stay():
    members = pool(anchors=["random"], snapshots=2)
    members.add("a", frozen(), "a")
    members.add("b", frozen(), "b")
    score(members.members[0], 100, 0.99)
    score(members.members[1], 100, 0.7)
    score(members.members[2], 100, 0.6)
    members.add("c", frozen(), "c")
    assert [member.name for member in members.members] == ["random", "c", "b"]
    assert members.members[1].games == 0
    assert len(members.players) == 3


def test_games_begun_before_a_member_joined_do_not_count_for_it():
    members = pool(anchors=["random"], snapshots=1)
    rows, two = np.array([0]), np.array([2])
    sits, places = np.array([[0, 1, 0, 0, 0, 0]]), np.array([[1, 2, 0, 0, 0, 0]])
    members.add("a", frozen(), "a")
    members.seating(rows, two)
    members.add("b", frozen(), "b")
    members.report(rows, np.array([0]), sits, two, places)
    assert members.members[1].games == 0
    members.seating(rows, two)
    members.report(rows, np.array([0]), sits, two, places)
    assert members.members[1].games == 1


def test_new_members_sit_down_in_games_that_begin():
    env = SelfPlayVecEnv(config(players=2, pool={"anchors": ["random"], "snapshots": 1, "floor": 0.01}))
    env.begin(1)

    class Counting(RandomPlayer):
        asked = 0

        def act(self, turns):
            Counting.asked += len(turns)
            return super().act(turns)

    env.pool.add("new", Counting(1), "new")
    env.pool.members[0].score = 1.0
    env.begin(2)
    assert (env.learner.sits == 1).mean() > 0.8
    assert Counting.asked > 0


# --- the network --------------------------------------------------------------------------------------


def network(settings=None):
    settings = settings or config()
    env = SelfPlayVecEnv(settings)
    env.begin(1)
    return env, make_model(settings, env).policy


def test_numpy_and_torch_score_alike():
    env, policy = network(config(hidden=[32, 16]))
    frozen_policy = Policy(env.batch.game, {"hidden": [32, 16]}, tensors_of(policy))
    observation = np.random.default_rng(1).integers(-1, 7, (500, env.batch.game.features.size), np.int8)
    with torch.no_grad():
        expected = policy.action_net(policy.features_extractor(torch.from_numpy(observation))).numpy()
    assert NetworkPlayer(frozen_policy).logits(observation) == pytest.approx(expected, abs=1e-6)
    assert TorchPlayer(frozen_policy).logits(observation) == pytest.approx(expected, abs=1e-6)
    turns = Turns.of_batch(env.batch, np.arange(12))
    actions, _, _ = policy(torch.from_numpy(turns.observation), deterministic=True, action_masks=turns.action_mask)
    assert np.array_equal(NetworkPlayer(frozen_policy, greedy=True).act(turns), actions.numpy())


def test_units_shift_and_scale_are_folded_into_the_first_layer():
    env, policy = network(config(hidden=[32], precision="float32"))
    trunk, draws = policy.features_extractor, np.random.default_rng(2)
    size = env.batch.game.features.size
    trunk.shift.copy_(torch.from_numpy(draws.normal(0, 1, size).astype(np.float32)))
    trunk.scale.copy_(torch.from_numpy(draws.uniform(0.5, 2, size).astype(np.float32)))
    seen = torch.from_numpy(draws.integers(-1, 7, (200, size), np.int8))
    stated = (seen * trunk.unit - trunk.shift) * trunk.scale
    layer = trunk.layers[0]
    expected = torch.relu(torch.nn.functional.linear(stated, layer.weight, layer.bias))
    assert torch.allclose(trunk(seen), expected, atol=1e-4)


def test_bfloat16_learns_what_float32_learns_but_for_its_rounding():
    exact, rounded = (network(config(hidden=[64, 32], precision=name))[1] for name in ("float32", "bfloat16"))
    put_tensors(rounded, tensors_of(exact))
    env = SelfPlayVecEnv(config())
    env.begin(1)
    observation, masks = torch.from_numpy(env.batch.observation.copy()), env.action_masks()
    gradients = []
    for policy in (exact, rounded):
        logs, values = policy.scores(observation, masks)
        assert logs.dtype == values.dtype == torch.float32
        (logs.exp().square().sum() + values.sum()).backward()
        gradients.append([p.grad for p in parameters_of(policy).values()])
        assert all(gradient.dtype == torch.float32 for gradient in gradients[-1])
    near = 2 * 2**-8  # bfloat16 keeps eight bits, and there are layers on top of one another
    assert torch.allclose(rounded.scores(observation, masks)[1], exact.scores(observation, masks)[1], atol=10 * near)
    assert not torch.equal(rounded.scores(observation, masks)[1], exact.scores(observation, masks)[1])
    for ours, theirs in zip(*gradients, strict=True):
        assert (ours - theirs).norm() <= 10 * near * theirs.norm() + 1e-6


def test_auto_is_bfloat16_where_the_processor_multiplies_it(monkeypatch):
    for able, chosen in (({"avx512_bf16": True}, "bfloat16"), ({"amx_bf16": True}, "bfloat16"),
                         ({"avx512_bf16": False, "avx2": True}, "float32"), ({}, "float32")):  # fmt: skip
        monkeypatch.setattr(torch.cpu, "get_capabilities", lambda able=able: able, raising=False)
        assert precision_of("auto") == chosen
        assert precision_of("float32") == "float32"
        assert precision_of("bfloat16") == "bfloat16"
    monkeypatch.delattr(torch.cpu, "get_capabilities")
    assert precision_of("auto") == "float32"


def test_the_masked_distribution_is_that_of_sb3_contrib():
    env, policy = network()
    observation = torch.from_numpy(env.batch.observation.copy())
    masks = env.action_masks()
    theirs = policy.get_distribution(observation, masks)
    actions = theirs.get_actions()
    _, logs, entropy = policy.evaluate_actions(observation, actions, torch.from_numpy(masks))
    assert torch.allclose(logs, theirs.log_prob(actions), atol=1e-6)
    assert torch.allclose(entropy, theirs.entropy(), atol=1e-6)


def test_drawn_actions_follow_the_probabilities():
    env, policy = network()
    with torch.no_grad():
        policy.action_net.bias.copy_(torch.linspace(-2, 2, policy.action_net.out_features))
    observation = torch.from_numpy(np.repeat(env.batch.observation[:1], 20_000, 0))
    masks = np.repeat(env.action_masks()[:1], 20_000, 0)
    with torch.no_grad():
        actions, _, logs = policy(observation, action_masks=masks)
    probabilities = policy.get_distribution(observation[:1], masks[:1]).distribution.probs[0].detach().numpy()
    assert np.bincount(actions, minlength=53) / 20_000 == pytest.approx(probabilities, abs=0.02)
    assert logs.exp().numpy() == pytest.approx(probabilities[actions], abs=1e-5)


def test_a_policy_asked_without_a_mask_refuses():
    env, policy = network()
    with pytest.raises(AlarifeError, match="asked without a mask"):
        policy(torch.from_numpy(env.batch.observation.copy()))


def test_numbers_that_are_not_finite_are_caught_with_a_sentence():
    env, policy = network()
    with torch.no_grad():
        policy.action_net.weight[0, 0] = float("nan")
    with pytest.raises(AlarifeError, match="the network's scores are not finite any more: training has diverged"):
        policy(torch.from_numpy(env.batch.observation.copy()), action_masks=env.action_masks())


def test_a_trained_player_sits_at_a_table():
    env, policy = network()
    player = NetworkPlayer(Policy(env.batch.game, {"hidden": [16]}, tensors_of(policy)), 1)
    table = Table(env.batch.game, 3, {"match": "single_round"}, 1)
    for _ in range(20):
        table.play(int(player.act(Turns.of_table(table))[0]))
    assert table.state.decisions == 20


def advised(seen, game):
    """The advice in what a network sees; -1 where there is none."""
    told = seen[:, game.features.size :]
    assert ((told == 0) | (told == 1)).all()
    assert (told.sum(1) <= 1).all()
    return np.where(told.any(1), told.argmax(1), -1)


def test_with_advice_the_network_sees_the_scripted_players_action():
    env = SelfPlayVecEnv(config(advice=True, pool={"anchors": ["scripted"]}, longest=20))
    seen, game, random = env.begin(5), env.batch.game, RandomPlayer(1)
    ended, cut = 0, 0
    for _ in range(60):
        turns = Turns.of_batch(env.batch, np.arange(12))
        assert seen.shape == (12, *env.observation_space.shape)
        assert np.array_equal(seen[:, : game.features.size], turns.observation)
        assert np.array_equal(advised(seen, game), ScriptedPlayer(2).act(turns))
        env.step_async(random.act(turns))
        seen, _, dones, infos = env.step_wait()
        for row in np.flatnonzero(dones):
            (advice,) = advised(infos[row]["terminal_observation"][None], game)
            is_cut = infos[row].get("TimeLimit.truncated", False)
            assert (advice >= 0) == is_cut  # a game that was cut off goes on, a finished one has nothing to decide
            ended, cut = ended + (not is_cut), cut + is_cut
    assert ended > 3
    assert cut > 3
