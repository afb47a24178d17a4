"""Training with Ray RLlib: what is played is what is learnt, and all play with the weights that the learner has."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from functools import partial

import numpy as np
import pytest

pytest.importorskip("ray")

import ray
import torch

from alarife.engine.errors import AlarifeError
from alarife.engine.registry import find_game
from alarife.engine.table import Table
from alarife.players import Turns, find_player
from alarife.players.policy import NetworkPlayer, Policy, read_policy
from alarife_training import checkpoint as files
from alarife_training import opponents
from alarife_training.config import make_config, write_config
from alarife_training.rllib.games import RunnerEnv, spaces_of
from alarife_training.rllib.league import MAIN, LeagueEnv, self_name
from alarife_training.rllib.module import MaskedModule
from alarife_training.rllib.runners import everywhere, games_of, network_of
from alarife_training.rllib.trainer import ScaledTrainer, get_learner
from alarife_training.train import run_command, train
from alarife_training.weights import put_tensors, tensors_of
from marked_processes import MARK, marked
from slow_time import SlowTime

pytestmark = pytest.mark.rllib
ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])  # runners cannot import tests
torch.set_num_threads(1)

TINY = {
    "game": "viva", "options": {"match": "single_round"}, "steps": 1024, "games": 16, "hidden": [16], "longest": 50,
    "checkpoint_every": 512, "keep": 3, "replays": 0, "trainer": "rllib",
    "ppo": {"steps": 16, "minibatch": 128, "epochs": 2, "learning_rate": 0.001},
    "pool": {"snapshots": 2, "games": 5, "gate": 0.0},
    "evaluation": {"every": 1024, "games": 16, "final_games": 16, "against": ["random"]},
    "rllib": {"runners": 0},
}  # fmt: skip
MODES = ["single", "league"]


def tiny(mode="single", runners=0, mirror=0.5, **changes):
    return make_config(TINY | changes | {"rllib": {"runners": runners, "mode": mode, "mirror": mirror}})


def quiet(words):
    """Tell nobody."""


@pytest.fixture(scope="module", autouse=True)
def ray_here():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=200_000_000)
    yield
    ray.shutdown()


@pytest.fixture
def started(tmp_path):
    made = []

    def start(config):
        trainer = ScaledTrainer(config, tmp_path)
        made.append(trainer)
        trainer.start()
        return trainer

    yield start
    for trainer in made:
        trainer.close()


# --- the network --------------------------------------------------------------------------------------


def test_the_module_scores_as_the_player_does_and_never_plays_illegal_actions():
    game = find_game("viva")
    seen, chosen = spaces_of(tiny())
    module = MaskedModule(observation_space=seen, action_space=chosen, model_config={"hidden": [32, 16]})
    tensors = tensors_of(module)
    scale = np.random.default_rng(1).uniform(0.5, 2, tensors["input.scale"].shape).astype(np.float32)
    put_tensors(module, {"input.scale": scale, "input.shift": scale - 1})
    table = Table(game, 3, {"match": "single_round"}, 1)
    views, masks = [], []
    while not table.over:
        views.append(table.observe())
        masks.append(table.mask.copy())
        table.play(table.legal()[-1])
    batch = {"observation": torch.from_numpy(np.array(views)), "action_mask": torch.from_numpy(np.array(masks))}
    out = module.forward_exploration({"obs": batch})["action_dist_inputs"].detach().numpy()
    player = NetworkPlayer(Policy(game, {"hidden": [32, 16]}, tensors_of(module)))
    legal = np.array(masks) != 0
    assert out[legal] == pytest.approx(player.logits(np.array(views))[legal], abs=1e-5)
    assert (out[~legal] < -1e7).all()
    drawn = torch.distributions.Categorical(logits=torch.from_numpy(out)).sample((200,)).numpy()
    assert legal[np.arange(len(legal)), drawn].all()


# --- what is learnt from is what was played -----------------------------------------------------------


class Watched:
    """Writes down every game of a runner's batch: its key and all of its actions."""

    def __init__(self, env):
        self.env, self.games = env, [[] for _ in range(env.num_envs)]
        begin, step = env.batch.begin, env.batch.step

        def watched_begin(rows):
            begin(rows)
            for row in rows:
                self.games[row].append((env.batch.key_of(row), int(env.batch.players[row]), []))

        def watched_step(actions, rows=None):
            for row in np.arange(env.num_envs) if rows is None else rows:
                self.games[row][-1][2].append(int(actions[row]))
            step(actions, rows)

        env.batch.begin, env.batch.step = watched_begin, watched_step

    def replayed(self):
        """Each game that ended with a decision of the learner's, seen from each seat."""
        told = {}
        for row in self.games:
            for key, players, actions in row:
                for seat in range(players):
                    story = replay(self.env.batch.game, self.env.batch.options, key, players, actions, seat)
                    if story is not None:
                        told[story[0].tobytes()] = story
        return told


def replay(game, options, key, players, actions, seat):
    """What a seat saw at its decisions and at the end, its masks, actions and rewards; None for a game that goes on."""
    table = Table(game, players, options, 0).start(key)
    views, masks, chosen, paid = [], [], [], []
    for action in actions:
        if table.seat == seat:
            views.append(table.observe())
            masks.append(table.mask.copy())
            chosen.append(action)
            paid.append(0.0)
        table.play(action)
        if table.over and paid:
            paid[-1] += float(table.rewards[0, seat])
    if not table.over or not chosen:
        return None
    views.append(table.observe(seat))
    return np.array(views), np.array(masks), np.array(chosen), np.array(paid)


def joined(chunks):
    """Whole episodes, from the pieces in which RLlib hands them out."""
    whole = {}
    for chunk in chunks:
        whole.setdefault(chunk.id_, []).append(chunk)
    return [pieces for pieces in whole.values() if pieces[-1].is_done]


def test_episodes_of_the_native_batch_are_the_games_that_were_played(started):
    """A step lost or doubled at the end of a game, as with another kind of autoreset, would show here."""
    trainer = started(tiny(players=[2, 3], longest=None, skip_forced=False, pool={"anchors": ["random"]}))
    runner = trainer.algorithm.env_runner_group.local_env_runner
    (env,) = games_of(runner)
    assert isinstance(env, RunnerEnv)
    watched = Watched(env)
    chunks = [chunk for _ in range(40) for chunk in runner.sample()]
    told, ended = watched.replayed(), joined(chunks)
    assert len(ended) == len(env.ended) > 10
    for pieces in ended:
        seen = [piece.get_observations() for piece in pieces]
        views = np.concatenate([seen[0]["observation"][:1], *(part["observation"][1:] for part in seen)])
        masks = np.concatenate([part["action_mask"][:-1] for part in seen])
        assert views.tobytes() in told
        _, their_masks, actions, rewards = told[views.tobytes()]
        assert np.array_equal(masks, their_masks)
        assert np.concatenate([piece.get_actions() for piece in pieces]).tolist() == actions.tolist()
        assert np.concatenate([piece.get_rewards() for piece in pieces]) == pytest.approx(rewards)
        assert pieces[-1].is_terminated
    assert sum(len(chunk) for chunk in chunks) == env.decisions


def test_a_game_that_is_cut_off_is_truncated_and_the_next_one_begins():
    env = RunnerEnv(tiny(longest=2, pool={"anchors": ["random"]}))
    seen, _ = env.reset(seed=1)
    ends = []
    for _ in range(6):
        assert seen["action_mask"].any(1).all()
        seen, rewards, terminated, truncated, _ = env.step(np.argmax(seen["action_mask"], 1))
        assert not terminated.any()
        assert (rewards == 0).all()
        ends.append(bool(truncated.all()))
    assert ends == [False, True, False, False, True, False]  # begins, two decisions, begins ...
    assert env.decisions == 4 * env.num_envs
    assert env.ended == [(0.0, 2)] * 2 * env.num_envs


def test_episodes_of_a_league_are_the_games_that_were_played(started, monkeypatch):
    games = []
    deal, advance = LeagueEnv._deal, LeagueEnv._advance

    def watched_deal(env):
        deal(env)
        games.append((env.table.key, env.table.players, [], list(env.modules)))
        env.watched = games[-1]

    def watched_advance(env, action):
        env.watched[2].append(action)
        advance(env, action)

    monkeypatch.setattr(LeagueEnv, "_deal", watched_deal)
    monkeypatch.setattr(LeagueEnv, "_advance", watched_advance)
    trainer = started(tiny("league", players=[2, 3], longest=None, pool={"anchors": ["random"], "snapshots": 2}))
    trainer.pool.add("a", frozen(trainer, 1), "a")
    trainer.prepare(0.001)
    runner = trainer.algorithm.env_runner_group.local_env_runner
    chunks = [chunk for _ in range(45) for chunk in runner.sample()]
    stories, whole = {}, 0
    for key, players, actions, modules in games:
        for seat in range(players):
            story = replay(
                trainer.game, tiny().find_game().make_options({"match": "single_round"}), key, players, actions, seat
            )
            if story is not None and modules[seat]:
                stories[f"{modules[seat]}@{seat}", story[0].tobytes()] = story
    met = set()
    for pieces in joined(chunks):
        whole += 1
        for agent in pieces[-1].agent_episodes:
            own = [piece.agent_episodes[agent] for piece in pieces if agent in piece.agent_episodes]
            seen = [part.get_observations() for part in own]
            views = np.concatenate([seen[0]["observation"][:1], *(part["observation"][1:] for part in seen)])
            _, _, actions, rewards = stories[agent, views.tobytes()]
            assert np.concatenate([part.get_actions() for part in own]).tolist() == actions.tolist()
            assert np.concatenate([part.get_rewards() for part in own]) == pytest.approx(rewards)
            met.add(own[0].module_id)
    assert whole > 3
    assert met == {MAIN, self_name(0)}


def test_advice_stands_behind_what_is_seen_and_is_legal():
    single, league = RunnerEnv(tiny(advice=True)), LeagueEnv(tiny("league", advice=True))
    size, asked = single.batch.game.features.size, 0
    seen, _ = single.reset(seed=1)
    for _ in range(60):
        assert seen["observation"].shape[1] == single.single_observation_space["observation"].shape[0]
        goes_on = seen["action_mask"].any(1)
        advice = seen["observation"][:, size:]
        assert (advice.sum(1) == goes_on).all()
        assert (seen["action_mask"][advice == 1] == 1).all()
        seen = single.step(np.argmax(seen["action_mask"], 1))[0]
    told, _ = league.reset(seed=1)
    for _ in range(300):
        for agent, about in told.items():
            assert about["observation"].shape == league.observation_spaces[agent]["observation"].shape
            advice = about["observation"][size:]
            assert advice.sum() == about["action_mask"].any()
            assert about["action_mask"][advice == 1].all()
        told, _, ends, cuts, _ = league.step({agent: int(np.argmax(told[agent]["action_mask"])) for agent in told})
        if ends["__all__"] or cuts["__all__"]:
            asked, (told, _) = asked + 1, league.reset()
    assert asked > 0


@pytest.mark.parametrize("mode", MODES)
def test_the_clock_covers_all_of_a_step_and_tells_what_others_thought(mode, monkeypatch):
    """All of a reset; then three times a move and advice, and the thoughts and moves in between."""
    clock = SlowTime()
    monkeypatch.setattr(opponents, "time", clock)
    config = tiny(mode, mirror=0.0, players=2, advice=True, skip_forced=False, pool={"anchors": ["random"]})
    if mode == "single":
        env = RunnerEnv(config)
        env.batch.step, env.batch.script = clock.takes(1, env.batch.step), clock.takes(10, env.batch.script)
    else:
        env = LeagueEnv(config)
        env.tables[0].play, env._adviser.act = clock.takes(1, env.tables[0].play), clock.takes(10, env._adviser.act)
    player = env.pool.members[0].player
    player.act = clock.takes(100, player.act)
    seen, _ = env.reset(seed=1)
    assert env.clock.seconds == clock.now > 0
    env.clock.seconds = env.pool.thinking.seconds = clock.now = 0.0
    for _ in range(3):
        if mode == "single":
            seen = env.step(np.argmax(seen["action_mask"], 1))[0]
        else:
            seen = env.step({agent: int(np.argmax(about["action_mask"])) for agent, about in seen.items()})[0]
    thoughts = env.pool.thinking.seconds / 100
    assert thoughts >= 1
    assert not env.ended
    assert env.clock.seconds == clock.now == 3 * (1 + 10) + 101 * thoughts


def frozen(trainer, seed):
    """A snapshot with weights of its own."""
    random = np.random.default_rng(seed)
    tensors = {name: random.normal(size=t.shape).astype(np.float32) for name, t in trainer.policy().tensors.items()}
    return NetworkPlayer(Policy(trainer.game, trainer.policy().card, tensors))


# --- weights ------------------------------------------------------------------------------------------


def own_weights(runner, name=MAIN):
    return tensors_of(network_of(runner, name)) if games_of(runner) else None


def frozen_weights(runner, slot):
    """What a runner really plays with on a seat of a frozen self."""
    games = games_of(runner)
    if not games:
        return None
    if isinstance(games[0], LeagueEnv):
        return own_weights(runner, self_name(slot - games[0].anchors))
    return games[0].pool.players[slot].player.policy.tensors


def same(one, two):
    return all(np.array_equal(one[name], two[name]) for name in two if not name.startswith("adam."))


def all_have(trainer, ask, tensors):
    replies = [reply for reply in everywhere(trainer.algorithm.env_runner_group, ask) if reply is not None]
    assert len(replies) == max(1, trainer.config.rllib.runners)
    return [same(reply, tensors) for reply in replies]


@pytest.mark.parametrize(("mode", "runners"), [("single", 0), ("league", 0), ("league", 1)])
def test_weights_and_snapshots_reach_every_runner_before_the_next_sample(started, mode, runners):
    check_delivery(started(tiny(mode, runners)))


def check_delivery(trainer):
    """All that changes at the driver is at every runner before the next sample."""
    trainer.prepare(0.001)
    trainer.iterate()
    first, second = frozen(trainer, 1), frozen(trainer, 2)
    trainer.pool.add("first", first, "first")
    trainer.pool.add("second", second, "second")
    with torch.no_grad():
        trainer.network.action_net.bias.add_(1.0)  # as if a teacher had taught
    trainer._is_ahead = True
    assert all_have(trainer, own_weights, tensors_of(trainer.network)) == [False]
    trainer.prepare(0.001)
    slot = len(trainer.pool.members) - 2
    assert all_have(trainer, own_weights, tensors_of(trainer.network)) == [True]
    assert all_have(trainer, partial(frozen_weights, slot=slot), first.policy.tensors) == [True]
    assert all_have(trainer, partial(frozen_weights, slot=slot + 1), second.policy.tensors) == [True]
    assert same(
        trainer._at_learner(lambda learner: get_learner(learner, trainer.module))[0], tensors_of(trainer.network)
    )
    third = frozen(trainer, 3)
    trainer.pool.members[slot].score = 0.9
    trainer.pool.add("third", third, "third")  # takes the place of the easiest
    trainer.prepare(0.001)
    assert all_have(trainer, partial(frozen_weights, slot=slot), third.policy.tensors) == [True]
    trainer.iterate()
    assert all_have(trainer, own_weights, tensors_of(trainer.network)) == [True]
    assert not same(tensors_of(trainer.network), third.policy.tensors)


def test_a_frozen_self_in_a_league_decides_with_its_own_weights(started):
    settings = {"anchors": ["random"], "snapshots": 1, "hardness": 0}
    trainer = started(tiny("league", mirror=0.0, players=2, pool=settings))
    trainer.pool.add("lowest", favourite(trainer), "lowest")
    trainer.prepare(0.001)
    runner = trainer.algorithm.env_runner_group.local_env_runner
    seen, lowest = {MAIN: 0, self_name(0): 0}, {MAIN: 0, self_name(0): 0}
    for _ in range(10):
        for episode in runner.sample():
            for own in episode.agent_episodes.values():
                masks, actions = own.get_observations()["action_mask"][: len(own)], own.get_actions()
                choice = masks.sum(1) > 1
                seen[own.module_id] += int(choice.sum())
                lowest[own.module_id] += int((np.argmax(masks, 1) == actions)[choice].sum())
    assert seen[self_name(0)] > 100
    assert lowest[self_name(0)] == seen[self_name(0)]
    assert lowest[MAIN] < 0.9 * seen[MAIN]


def favourite(trainer):
    """A network that takes the legal action with the lowest number."""
    tensors = {name: np.zeros_like(tensor) for name, tensor in trainer.policy().tensors.items()}
    tensors["policy.bias"] = np.linspace(0, -5000, len(tensors["policy.bias"])).astype(np.float32)
    return NetworkPlayer(Policy(trainer.game, trainer.policy().card, tensors))


def die(runner):
    if games_of(runner):
        os._exit(1)


def test_a_runner_that_dies_is_replaced_and_knows_everything_again(started):
    trainer = started(tiny(runners=1))
    check_delivery(trainer)
    snapshot = frozen(trainer, 4)
    trainer.pool.add("a", snapshot, "a")
    before = trainer.steps
    everywhere(trainer.algorithm.env_runner_group, die)
    end = time.monotonic() + 400
    while trainer.steps == before:
        trainer.iterate()
        assert time.monotonic() < end
    trainer.prepare(0.001)
    slot = next(slot for slot, member in enumerate(trainer.pool.members) if member.name == "a")
    assert all_have(trainer, own_weights, tensors_of(trainer.network)) == [True]
    assert all_have(trainer, partial(frozen_weights, slot=slot), snapshot.policy.tensors) == [True]


def test_results_of_the_runners_reach_the_pool(started):
    trainer = started(tiny(pool={"anchors": ["random", "scripted"], "games": 1000}))
    row = [trainer.iterate() for _ in range(4)][-1]
    random, scripted = trainer.pool.members
    assert random.games > 0
    assert scripted.games > 0
    assert scripted.score < random.score
    assert row["steps"] == trainer.steps >= 4 * 256
    (told,) = [reply for reply in everywhere(trainer.algorithm.env_runner_group, scores_of) if reply]
    assert set(told) == {"random", "scripted"}


def scores_of(runner):
    return {member.name: member.score for game in games_of(runner) for member in game.pool.members}


# --- whole runs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_a_run_leaves_the_same_files_and_goes_on(tmp_path, mode):
    run = tmp_path / "run"
    settings = {"anchors": ["scripted"], "snapshots": 2, "games": 1, "gate": 0.0}
    assert train(tiny(mode, pool=settings, longest=200, steps=2048), run, tell=quiet)
    with (run / "progress.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert int(rows[-1]["steps"]) >= 2048
    judged = [json.loads(line) for line in (run / "evaluations.jsonl").read_text().splitlines()]
    assert judged[0]["steps"] == 0
    assert judged[-1]["steps"] == int(rows[-1]["steps"])
    assert "<svg" in (run / "report.html").read_text()
    assert json.loads((run / "result.json").read_text())["verdicts"][0]["games"] == 16
    assert list((run / "pool").glob("*.safetensors"))
    player = find_player(str(run / "best.safetensors"), 1)
    table = Table(find_game("viva"), 2, {"match": "single_round"}, 1)
    while not table.over and table.state.decisions < 50:
        table.play(int(player.act(Turns.of_table(table))[0]))
    before = files.read_checkpoint(files.newest_checkpoint(run, quiet))
    assert before[1].adam_step > 0
    assert run_command(None, None, str(run), ["steps=2600"]) == 0
    policy, after = files.read_checkpoint(files.newest_checkpoint(run, quiet))
    assert policy.card["steps"] >= 2600
    assert after.adam_step > before[1].adam_step
    assert after.updates > before[1].updates
    assert after.pool[0].name == "scripted"
    assert len(after.pool) > 1


def test_adam_goes_on_from_where_it_was(tmp_path, started):
    run = tmp_path / "run"
    train(tiny(), run, tell=quiet)
    path = files.newest_checkpoint(run, quiet)
    trainer = started(tiny())
    trainer.run = run
    trainer.load(path)
    trainer.prepare(0.001)
    tensors, step = trainer._at_learner(lambda learner: get_learner(learner, trainer.module))
    saved = read_policy(path).tensors
    assert sorted(tensors) == sorted(saved)
    assert all(np.array_equal(tensors[name], saved[name]) for name in saved)
    assert step == files.read_checkpoint(path)[1].adam_step


def test_the_learning_rate_is_the_runs_own(started):
    trainer = started(tiny())
    for expected in (0.001, 0.001 + 256 / 1024 * (3e-5 - 0.001)):
        row = trainer.iterate()
        assert row["learning_rate"] == pytest.approx(expected, rel=0.1)
        rate = trainer._at_learner(lambda learner: learner.get_optimizer(trainer.module).param_groups[0]["lr"])
        assert rate == row["learning_rate"]


def test_training_learns(pebbles, tmp_path):
    """The expected value: random play wins half of the games, one point in eight more is far beyond chance."""
    config = make_config({
        "game": "pebbles", "players": 2, "steps": 24_576, "games": 64, "hidden": [32], "checkpoint_every": 40_960,
        "replays": 0, "ppo": {"steps": 16, "minibatch": 256, "learning_rate": 0.003, "gamma": 1.0},
        "pool": {"anchors": ["random"]}, "trainer": "rllib", "rllib": {"runners": 0},
        "evaluation": {"every": 40_960, "games": 100, "final_games": 1000, "against": ["random"]},
    })  # fmt: skip
    train(config, tmp_path / "run", tell=quiet)
    after = json.loads((tmp_path / "run" / "result.json").read_text())["verdicts"][0]
    assert after["low"] > 0.65


def test_more_runners_than_the_cluster_has_room_for_are_refused(tmp_path):
    trainer = ScaledTrainer(tiny(runners=500), tmp_path)
    with pytest.raises(AlarifeError, match="500 runners ask for 500 CPU, the cluster has 2"):
        trainer.start()


def test_training_that_diverges_stops_with_a_sentence(tmp_path):
    with pytest.raises(AlarifeError, match="training has diverged"):
        train(tiny(reward_scale=3e38), tmp_path / "run", tell=quiet)


def test_neither_alarife_nor_ordinary_training_loads_ray():
    code = "import alarife, alarife_training.train, sys; print('ray' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_ctrl_c_saves_and_ends_every_process(tmp_path):
    run, config = tmp_path / "run", tmp_path / "tiny.yaml"
    config.write_bytes(write_config(tiny(runners=1, steps=10_000_000, checkpoint_every=10_000_000)))
    env = os.environ | {MARK: str(tmp_path)}
    command = [sys.executable, "-m", "alarife", "train", "--config", str(config), "--run", str(run)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env, start_new_session=True
    )
    end = time.monotonic() + 400
    while not (run / "progress.csv").exists() or (run / "progress.csv").read_text().count("\n") < 3:
        assert process.poll() is None, process.stdout.read()
        assert time.monotonic() < end
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 130, out
    assert "stopped by Ctrl-C: saved at " in out
    assert "Traceback" not in out
    assert read_policy(files.newest_checkpoint(run, quiet)).card["steps"] > 500
    end = time.monotonic() + 60
    while left := marked(str(tmp_path)):
        assert time.monotonic() < end, left
        time.sleep(0.2)
