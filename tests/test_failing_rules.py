"""A rule that fails: the step is undone, the error tells all that is needed, and a batch goes on without that row."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pytest

from alarife.adapters.aec import GameModule
from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError, RuleError
from alarife.engine.table import Table
from toy_games.failing import FAILING

WAYS = pytest.mark.parametrize("interpreted", [False, True], ids=["compiled", "interpreted"])
RULES = pytest.mark.parametrize("fails", ["apply", "legal", "observe", "result"])


def everything(batch):
    """All that a batch shows, by row."""
    shown = (batch.state, batch.observation, batch.action_mask, batch.reward, batch.finished, batch.arrays.paid,
             batch.final_state, batch.final_score, batch.final_place)  # fmt: skip
    return [[array[row].tobytes() for array in shown] for row in range(batch.games)]


def rows_that_fail(batch):
    """Step a batch at random; the rows in which a rule failed."""
    try:
        batch.step(batch.sample())
    except RuleError as error:
        return error.rows
    return []


def table_at(decisions, interpreted, **options):
    """A table with so many decisions taken, where seat 0 has the lucky pile that fails."""
    for seed in range(50):
        table = Table(FAILING, 2, options, seed, reward="score", interpreted=interpreted)
        if table.state.lucky[0] == table.options.lucky:
            for _ in range(decisions):
                table.play(table.legal()[0])
            return table
    raise AssertionError("no seed gives that lucky pile")


@WAYS
@RULES
@pytest.mark.parametrize("how", ["assertion", "index"])
def test_a_table_stays_as_it_was_before_a_rule_failed(interpreted, fails, how):
    table = table_at(3, interpreted, fails=fails, at=4, how=how)
    before = (table.to_bytes(), table.mask.tolist(), table.views.tolist(), table.rewards.tolist(),
              table.paid.tolist(), list(table.history))  # fmt: skip
    action = table.legal()[0]
    for call in (table.play, table.advance):
        with pytest.raises(RuleError) as caught:
            call(action)
        assert before == (table.to_bytes(), table.mask.tolist(), table.views.tolist(), table.rewards.tolist(),
                          table.paid.tolist(), list(table.history))  # fmt: skip
        assert caught.value.state == before[0]
        assert caught.value.action == action
        assert type(caught.value.__cause__) is (AssertionError if how == "assertion" else IndexError)


@WAYS
def test_the_error_names_game_players_options_seed_key_decision_and_actions(interpreted):
    table = table_at(3, interpreted, fails="apply", at=4)
    with pytest.raises(RuleError) as caught:
        table.play("pass_turn()")
    sentence = str(caught.value)
    for part in ("failing_v0", "AssertionError: a pebble has got lost", "pass_turn()", "2 players",
                 "options {'fails': 'apply', 'at': 4}", f"seed {table.seed}", f"key {table.key}", "decision 3",
                 f"actions so far {table.history}", "please report it"):  # fmt: skip
        assert part in sentence, part
    assert isinstance(caught.value, AlarifeError)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.state, again.action, again.rows) == (
        sentence,
        caught.value.state,
        caught.value.action,
        [],
    )


@WAYS
def test_the_error_reproduces_itself(interpreted):
    table = table_at(3, interpreted, fails="apply", at=4)
    with pytest.raises(RuleError) as caught:
        table.play(table.legal()[0])
    again = Table(FAILING, 2, table.options, interpreted=interpreted).from_bytes(caught.value.state)
    with pytest.raises(RuleError, match="set up by hand"):
        again.advance(caught.value.action)


@WAYS
def test_the_game_goes_on_with_another_action(interpreted):
    """Failing at the last decision alone: the end is not reached, but everything before it is."""
    table = table_at(0, interpreted, fails="nothing")
    whole = table.clone()
    while not whole.over:
        whole.play(whole.legal()[0])
    last = len(whole.history)
    table = Table(FAILING, 2, {"fails": "apply", "at": last}, table.seed, interpreted=interpreted)
    for action in whole.history[:-1]:
        table.play(action)
    with pytest.raises(RuleError):
        table.play(whole.history[-1])
    assert table.history == whole.history[:-1]
    assert not table.over


@WAYS
@RULES
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("reward", ["outcome", "score"])
def test_in_a_batch_one_row_stops_and_the_others_go_on(interpreted, fails, threads, reward):
    games = 12
    settings = {"seed": 5, "reward": reward, "threads": threads, "interpreted": interpreted}
    batch = Batch(FAILING, games, 2, options={"fails": fails, "at": 4}, **settings)
    sound = Batch(FAILING, games, 2, options={"at": 4}, **settings)
    may_fail = np.flatnonzero(batch.state["lucky"][:, 0] == 0)
    assert 0 < len(may_fail) < games
    for _ in range(3):
        actions = sound.sample()
        batch.step(actions)
        sound.step(actions)
    before, actions = everything(batch), sound.sample()
    sound.step(actions)
    expected = may_fail
    if fails == "result" and reward == "outcome":
        batch.step(actions)  # nobody asks for a result before the end
        expected = may_fail[:0]
    else:
        with pytest.raises(RuleError) as caught:
            batch.step(actions)
        assert caught.value.rows == may_fail.tolist()
        assert caught.value.state == batch.state[may_fail[0]].tobytes()
        assert caught.value.action == actions[may_fail[0]]
        row = int(may_fail[0])
        assert f"row {row} of a batch of seed 5, game 0 of that row, key {batch.key_of(row)}" in str(caught.value)
    after = everything(batch)
    for row in range(games):
        if row in expected:
            assert after[row] == before[row]
        else:
            own, other = batch.state[row].copy(), sound.state[row].copy()
            own["options"] = other["options"]
            assert own.tobytes() == other.tobytes()
            for name in ("observation", "action_mask", "reward", "finished"):
                assert np.array_equal(getattr(batch, name)[row], getattr(sound, name)[row])
    batch.close()
    sound.close()


@WAYS
def test_a_row_that_failed_goes_on_after_renew(interpreted):
    batch = Batch(FAILING, 6, 2, seed=5, options={"fails": "apply", "at": 4}, interpreted=interpreted)
    random = np.random.default_rng(1)
    failed = 0
    for _ in range(60):
        try:
            batch.step(np.array([random.choice(np.flatnonzero(mask)) for mask in batch.action_mask]))
        except RuleError as error:
            failed += len(error.rows)
            batch.renew(np.array(error.rows))
    assert failed > 5
    batch.check()
    assert (batch.state["decisions"] < 20).all()


@WAYS
def test_where_the_next_game_cannot_begin_the_old_one_stays_before_its_last_decision(interpreted):
    """The next game begins inside the step that ends the old one: both are undone, rewards and game number too."""
    failures = 0
    for seed in range(12):
        try:
            batch = Batch(FAILING, 1, 2, seed, {"fails": "reset"}, "score", interpreted=interpreted)
        except AssertionError:
            continue  # the first game already begins with that lucky pile
        while batch.arrays.episodes[0] < 50:
            before, episode = everything(batch), int(batch.arrays.episodes[0])
            failed = rows_that_fail(batch)
            if failed:
                assert failed == [0]
                assert everything(batch) == before
                assert batch.arrays.episodes[0] == episode
                failures += 1
                break
    assert failures > 3


def test_an_environment_stays_as_it_was():
    env = GameModule(FAILING).raw_env(players=2, fails="apply", at=3, lucky=0)
    for seed in range(20):
        env.reset(seed=seed)
        if env.table.state.lucky[0] == 0:
            break
    for _ in range(2):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    agent, seen = env.agent_selection, env.observe(env.agent_selection)
    with pytest.raises(RuleError, match=re.escape("failing_v0")):
        env.step(int(np.flatnonzero(seen["action_mask"])[0]))
    assert env.agent_selection == agent
    assert all(np.array_equal(env.observe(agent)[name], seen[name]) for name in seen)
