"""A batch plays by itself for seats that are the scripted player's: the same games as when it is asked."""

import dataclasses

import numpy as np
import pytest

from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError, IllegalAction, OptionError, RuleError
from alarife.engine.jit import rule
from alarife.engine.registry import find_game, game_names
from alarife.players.basic import ScriptedPlayer
from alarife.selfplay.learner import FixedSeating, LearnerBatch
from toy_games.failing import FAILING

GAMES = 12


class Asked(ScriptedPlayer):
    """The scripted player under another name, so that it has to be asked."""


class Last:
    """The last legal action."""

    forks = False

    def act(self, turns):
        return last_legal(turns.action_mask)


def last_legal(mask):
    return mask.shape[1] - 1 - mask[:, ::-1].argmax(1)


def learner_batch(game, players, script, seat="random", skip_forced=False, **settings):
    """Two opponents: the script, and one that is always asked."""
    batch = Batch(game, GAMES, players, 5, restart=False, **settings)
    seating = FixedSeating(seat, 2, game.most_seats, np.random.default_rng(0))
    games = LearnerBatch(batch, [script, Last()], seating, skip_forced)
    games.reset(5)
    return games


def story(games, decisions):
    """All that a learner and the table see, decision by decision."""
    told = []
    for _ in range(decisions):
        going = np.flatnonzero(~games.done)
        told.append((games.batch.clone().tobytes(), games.observation[going].tobytes(),
                     games.action_mask[going].tobytes(), games.done.tolist(), games.own.tolist()))  # fmt: skip
        if not len(going):
            games.renew(np.arange(GAMES))
            continue
        games.step(last_legal(games.action_mask), going)
        told.append(games.batch.final_score[games.done].tobytes())
    return told


def play_to_the_end(games):
    while not games.done.all():
        games.step(last_legal(games.action_mask), np.flatnonzero(~games.done))


def paid(games):
    """What the learner was paid in the first decisions of each game, and in all of it."""
    rewards = []
    while not games.done.all():
        games.step(last_legal(games.action_mask), np.flatnonzero(~games.done))
        rewards.append(games.reward.copy())
    return np.array([*rewards[:20], games.returns])


@pytest.mark.parametrize("skip_forced", [False, True])
@pytest.mark.parametrize("name", game_names())
def test_the_games_are_those_of_a_script_that_is_asked(name, skip_forced):
    game = find_game(name)
    for players in sorted({min(game.seats), max(game.seats)}):
        one, other = (learner_batch(game, players, script(), skip_forced=skip_forced, options=dict(game.short))
                      for script in (ScriptedPlayer, Asked))  # fmt: skip
        assert one._scripted.any() == (players > 1)
        assert story(one, 60) == story(other, 60)


def test_what_comes_in_while_the_script_plays_is_paid_together():
    one, other = (paid(learner_batch(find_game("viana"), 3, script(), reward="margin"))
                  for script in (ScriptedPlayer, Asked))  # fmt: skip
    assert np.count_nonzero(one) > GAMES  # not at the end alone
    assert np.allclose(one, other, atol=1e-6)


def test_nobody_is_asked_who_plays_as_the_script_does(pebbles, monkeypatch):
    def ask_nobody(self, turns):
        raise AssertionError("the script was asked")

    monkeypatch.setattr(ScriptedPlayer, "act", ask_nobody)
    play_to_the_end(learner_batch(pebbles, 2, ScriptedPlayer()))


@pytest.mark.parametrize("how", ["assertion", "index"])
@pytest.mark.parametrize("fails", ["apply", "legal", "observe", "result"])
def test_a_rule_that_fails_while_the_script_plays_is_told_as_ever(fails, how):
    """The row stays where it was before the decision that fails, and the others go on."""
    ends = []
    for script in (ScriptedPlayer(), Asked()):
        games = learner_batch(FAILING, 3, script, seat=0, options={"fails": fails, "how": how, "at": 4},
                              reward="score")  # fmt: skip
        with pytest.raises(RuleError, match="failing_v0") as caught:
            play_to_the_end(games)
        rows = list(caught.value.rows)
        assert len(rows) < GAMES
        ends.append((rows, caught.value.action, games.batch.clone()[rows].tobytes()))
    assert ends[0] == ends[1]


@pytest.mark.parametrize("fails", ["apply", "legal", "observe", "result"])
def test_a_row_in_which_a_rule_fails_stays_as_it_was(fails):
    batch = Batch(FAILING, GAMES, 3, 5, {"fails": fails, "at": 4}, "score", restart=False)
    batch.step(batch.sample())
    shown = batch.state, batch.observation, batch.action_mask, batch.arrays.moves["count"], batch.arrays.paid
    before = [[array[row].tobytes() for array in shown] for row in range(GAMES)]
    batch.play_on(np.arange(GAMES), np.full(GAMES, 0b111), np.zeros(GAMES, np.int64))
    has_failed = batch.over == 0
    assert 0 < has_failed.sum() < GAMES
    for row in np.flatnonzero(has_failed):
        assert [array[row].tobytes() for array in shown] == before[row]
        assert not batch.reward[row].any()


def test_an_illegal_answer_of_the_script_is_told_as_ever(pebbles):
    @rule
    def answer_wrongly(s, moves):
        """No pile has that number."""
        return 10_000 if s.decisions > 2 else moves.at[0]

    wrong = dataclasses.replace(pebbles, name="wrong", advise=answer_wrongly)
    games = learner_batch(wrong, 3, ScriptedPlayer(), seat=0)
    with pytest.raises(IllegalAction, match="opponent 0"):
        play_to_the_end(games)


def test_a_batch_that_begins_games_anew_does_not_play_on(pebbles):
    batch = Batch(pebbles, 2, 2)
    with pytest.raises(OptionError, match="restart=False"):
        batch.play_on(np.arange(2), np.ones(2, np.int64), np.zeros(2, np.int64))


@pytest.mark.parametrize("seats", [np.ones(3, np.int64), np.ones(2), [[1, 1]], None])
def test_sets_of_seats_are_one_whole_number_for_each_game(pebbles, seats):
    batch = Batch(pebbles, 2, 2, restart=False)
    with pytest.raises(AlarifeError, match="play_on takes 2 sets of seats"):
        batch.play_on(np.arange(2), seats, np.zeros(2, np.int64))


def test_an_interrupted_row_shows_what_it_holds(pebbles, monkeypatch):
    batch = Batch(pebbles, 2, 2, restart=False)
    before = batch.action_mask.copy()

    def interrupt(*args):
        batch.arrays.masks[1] = 0
        args[-1][0] = 1
        raise KeyboardInterrupt

    monkeypatch.setattr(batch.arrays, "play_on", interrupt)
    with pytest.raises(KeyboardInterrupt):
        batch.play_on(np.arange(2), np.full(2, 3), np.zeros(2, np.int64))
    assert (batch.action_mask == before).all()
