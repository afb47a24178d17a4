"""TorchRL takes a table, a seat and the native vector environment as they come; the baseline that it learns."""

import importlib
from pathlib import Path

import gymnasium
import pytest

pytest.importorskip("torchrl")

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.envs import ActionMask, DTypeCastTransform, GymWrapper, PettingZooWrapper, TransformedEnv, check_env_specs
from torchrl.modules import MaskedOneHotCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import alarife
from alarife.evaluation.duel import duel
from alarife.players import find_player
from alarife.players.policy import read_policy
from alarife_training.protocol import Budget, TrainTable
from library_pages import run_section
from teaching_game import GAME as PEBBLES

pytestmark = [pytest.mark.libraries, pytest.mark.filterwarnings("ignore::UserWarning")]
torch.set_num_threads(1)


def test_the_block_on_the_page_runs():
    made = run_section("TorchRL")
    assert made["played"]["action_mask"].shape == (16, 40, 53)


def test_a_table_is_played_to_its_end_with_legal_actions_only():
    env = PettingZooWrapper(alarife.make(PEBBLES, players=3), use_mask=True)
    check_env_specs(env)
    for seed in range(5):
        env.set_seed(seed)
        played = env.rollout(100)  # an illegal action would raise
        assert played["next", "done"][-1].all()
        rewards = [played["next", f"player_{seat}", "reward"].sum().item() for seat in range(3)]
        assert sum(rewards) == pytest.approx(0, abs=1e-6)  # outcomes add up to 0
        assert max(rewards) > 0 or set(rewards) == {0.0}


def masked(name):
    return TransformedEnv(GymWrapper(gymnasium.make(name, opponents="random", observation="dict")), ActionMask())


def test_a_seat_is_played_with_masks_and_without():
    blind = GymWrapper(gymnasium.make("alarife/Pebbles-v0", opponents="random", illegal="random"))
    check_env_specs(blind)
    assert blind.rollout(60)["next", "done"][-1].item()
    check_env_specs(masked("alarife/Viana-v1"))  # draws after three decisions: nothing is legal where a game is over
    env = masked("alarife/Pebbles-v0")
    for _ in range(10):
        played = env.rollout(30)  # an illegal action would raise
        assert (played["action"].bool() <= played["action_mask"].bool()).all()
        assert played["next", "done"][-1].item()


def native(games):
    envs = gymnasium.make_vec("alarife/Pebbles-v0", num_envs=games, opponents="random", illegal="random",
                              autoreset_mode="SameStep")  # fmt: skip
    env = TransformedEnv(GymWrapper(envs), ActionMask())
    return env.append_transform(DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]))


def test_masks_of_the_native_vector_environment_belong_to_what_is_seen():
    env = native(6)
    played = env.rollout(60, break_when_any_done=False)
    assert played["next", "done"].sum() > 20  # games end and begin within the roll-out
    assert (played["action"].bool() <= played["action_mask"].bool()).all()
    assert not played["next", "illegal"].any()  # says the environment
    assert not played["next", "action_mask"][played["next", "done"].squeeze(-1)].any()  # the last views, not the first


def test_its_ppo_learns_from_the_native_vector_environment():
    env = native(8)
    size, actions = env.observation_spec["observation"].shape[-1], env.action_spec.shape[-1]
    torch.manual_seed(1)
    scores = TensorDictModule(nn.Linear(size, actions), in_keys=["observation"], out_keys=["logits"])
    actor = ProbabilisticActor(scores, in_keys={"logits": "logits", "mask": "action_mask"}, return_log_prob=True,
                               distribution_class=MaskedOneHotCategorical, spec=env.action_spec)  # fmt: skip
    critic = ValueOperator(nn.Linear(size, 1), in_keys=["observation"])
    with torch.no_grad():
        played = env.rollout(24, actor, break_when_any_done=False)
    assert not played["next", "illegal"].any()
    GAE(gamma=0.99, lmbda=0.95, value_network=critic)(played)
    loss = ClipPPOLoss(actor, critic)
    before = scores.module.weight.detach().clone()
    optimizer = torch.optim.Adam(loss.parameters(), 1e-2)
    told = loss(played.flatten())
    sum(value for name, value in told.items() if name.startswith("loss_")).backward()
    optimizer.step()
    assert torch.isfinite(scores.module.weight).all()
    assert not torch.equal(scores.module.weight, before)


# --- the baseline in training/examples ----------------------------------------------------------------


@pytest.fixture
def learn(monkeypatch):
    """What `--train torchrl_ppo:learn` calls."""
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parent.parent / "training" / "examples"))
    return importlib.import_module("torchrl_ppo").learn


def pebbles(folder):
    folder.mkdir()
    return TrainTable("pebbles_v0", (2, 3), {}, range(20), range(20, 30), folder)


def test_the_baseline_keeps_to_its_budget_and_repeats_itself(learn, tmp_path):
    budget = Budget(decisions=2_500)  # an update of 4 x 12 games and 40 decisions are 1,920
    first, again = (read_policy(learn(pebbles(tmp_path / name), budget, 1)) for name in ("first", "again"))
    assert first.card["steps"] == 1_920
    assert first.tables == [2, 3]
    assert all((first.tensors[name] == again.tensors[name]).all() for name in first.tensors)
    assert read_policy(learn(pebbles(tmp_path / "soon"), Budget(minutes=0.001), 1)).card["steps"] == 1_920


def test_the_baseline_learns_to_beat_random_play(learn, tmp_path):
    """Five seeds won 91 to 93 % of 1,000 games for two."""
    player = find_player(str(learn(pebbles(tmp_path / "here"), Budget(decisions=12_000), 0)), 1)
    assert duel(player, "random", PEBBLES, 2, 1000, 12).win.low > 0.75
