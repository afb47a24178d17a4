"""The threads of a batch: the same games for any number of them, all or nothing, and none that stays behind."""

import copy
import gc
import os
import pickle
import threading
import warnings
from dataclasses import replace

import numpy as np
import pytest

from alarife.engine import crew
from alarife.engine.batch import Batch
from alarife.engine.board import LINE, UNDER_WAY, board_for
from alarife.engine.errors import IllegalAction, RuleError
from alarife.testing import speed
from toy_games.failing import FAILING

WAYS = pytest.mark.parametrize("interpreted", [False, True], ids=["compiled", "interpreted"])
THREADS = pytest.mark.parametrize("threads", [1, 2, 3, 11])
GAMES = 11


def everything(batch):
    """All that a batch holds, as bytes."""
    return {name: getattr(batch.arrays, name).tobytes() for name in batch.arrays.NAMES}


def helpers(batch):
    """The threads that help a batch."""
    return [hand.thread for hand in batch._crew.hands]


def assert_ended(threads):
    for thread in threads:
        thread.join(20)
        assert not thread.is_alive()


# --- the same games -----------------------------------------------------------------------------------


@WAYS
@THREADS
def test_a_random_step_plays_the_actions_that_would_have_been_sampled(pebbles, interpreted, threads):
    one = Batch(pebbles, GAMES, [2, 3], 4, interpreted=interpreted)
    many = Batch(pebbles, GAMES, [2, 3], 4, interpreted=interpreted, threads=threads)
    ended = 0
    for _ in range(30):
        actions = one.sample()
        one.step(actions)
        assert many.step_random().tolist() == actions.tolist()
        assert everything(many) == everything(one)
        ended += one.finished.sum()
    assert ended > GAMES  # games that end and begin are among them
    many.close()


@THREADS
def test_sampled_actions_and_steps_of_some_rows_are_those_of_one_thread(pebbles, threads):
    one, many = Batch(pebbles, GAMES, 3, 4), Batch(pebbles, GAMES, 3, 4, threads=threads)
    chance = np.random.default_rng(1)
    for number in range(40):
        rows = chance.permutation(GAMES)[: number % (GAMES + 1)]
        if number % 3 == 0:
            assert many.step_random(rows).tolist() == one.step_random(rows).tolist()
        else:
            actions = one.sample()
            assert many.sample().tolist() == actions.tolist()
            one.step(actions, rows)
            many.step(actions, rows)
        assert everything(many) == everything(one)
    many.close()


@pytest.mark.parametrize("threads", [1, 3])
def test_a_random_step_of_some_rows_leaves_the_others_alone(pebbles, threads):
    batch, whole = Batch(pebbles, 6, 3, 4, threads=threads), Batch(pebbles, 6, 3, 4)
    rows, others = np.array([4, 1, 2]), np.array([0, 3, 5])
    before = {name: getattr(batch.arrays, name)[others].tobytes() for name in ("states", "streams", "views", "masks")}
    drawn, played = whole.sample(), batch.step_random(rows)
    assert played[rows].tolist() == drawn[rows].tolist()
    assert played[others].tolist() == [0, 0, 0]
    assert batch.state["decisions"].tolist() == [0, 1, 1, 0, 1, 0]
    assert before == {name: getattr(batch.arrays, name)[others].tobytes() for name in before}
    batch.close()


def test_threads_that_never_look_out_are_woken_all_the_same(pebbles, monkeypatch):
    monkeypatch.setattr(crew, "PATIENCE", 0)
    one, many = Batch(pebbles, GAMES, 3, 4), Batch(pebbles, GAMES, 3, 4, threads=3)
    for _ in range(20):
        assert many.step_random().tolist() == one.step_random().tolist()
    assert everything(many) == everything(one)
    many.close()


# --- what fails ---------------------------------------------------------------------------------------


@WAYS
@THREADS
def test_nothing_is_stepped_where_one_action_is_illegal(pebbles, interpreted, threads):
    batch = Batch(pebbles, GAMES, 3, 4, interpreted=interpreted, threads=threads)
    batch.step_random()
    before = everything(batch)
    for row in (0, 5, 10):
        actions = np.argmax(batch.action_mask, axis=1)
        actions[row:] = pebbles.actions.size
        with pytest.raises(IllegalAction, match=f"^game {row}: "):
            batch.step(actions)
        assert everything(batch) == before
    batch.step_random()
    assert batch.state["decisions"].max() == 2
    batch.close()


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_game_that_has_ended_is_stepped_by_no_random_step(pebbles, threads):
    batch = Batch(pebbles, 5, 2, 4, restart=False, threads=threads)
    last = np.array([4])
    while not batch.over[4]:
        batch.step_random(last)
    before = batch.state.tobytes()
    with pytest.raises(IllegalAction, match=r"^game 4 has ended"):
        batch.step_random()
    assert batch.state.tobytes() == before
    batch.step_random(np.arange(4))
    assert batch.state["decisions"][:4].tolist() == [1, 1, 1, 1]
    batch.close()


@WAYS
@pytest.mark.parametrize("threads", [1, 3])
def test_where_a_rule_fails_in_a_random_step_the_other_rows_go_on(interpreted, threads):
    """Piles of three, four and five: a game is over after the fourth decision at the earliest, so none has ended."""
    settings = {"seed": 5, "interpreted": interpreted, "threads": threads}
    batch = Batch(FAILING, 12, 2, options={"fails": "apply", "at": 2}, **settings)
    fails = batch.state["lucky"][:, 0] == 0
    assert 0 < fails.sum() < 12
    batch.step_random()
    before = batch.state[fails].tobytes()
    with pytest.raises(RuleError) as caught:
        batch.step_random()
    assert caught.value.rows == np.flatnonzero(fails).tolist()
    assert batch.state[fails].tobytes() == before
    assert batch.state["decisions"].tolist() == np.where(fails, 1, 2).tolist()
    batch.close()


class Interrupting:
    """Rules that are interrupted, as by Ctrl-C, in the middle of a decision of one row."""

    def __init__(self, game, row):
        self.row, self.plain, self.is_due = row, game.apply, False
        self.game = replace(game, apply=self.apply)

    def apply(self, s, action):
        self.plain(s, action)
        if self.is_due and s.rng == self.key and threading.current_thread() is threading.main_thread():
            self.is_due = False
            raise KeyboardInterrupt


@pytest.mark.parametrize("threads", [1, 3])
def test_an_interrupted_row_is_undone_and_the_other_threads_finish(pebbles, threads):
    """Rows 0 to 3 are the calling thread's: row 1 is interrupted, rows 2 and 3 are not reached."""
    game = Interrupting(pebbles, 1)
    batch = Batch(game.game, 12, 3, 4, interpreted=True, threads=threads)
    batch.step_random()
    actions = np.argmax(batch.action_mask, axis=1)
    sound = copy.deepcopy(batch)
    sound.step(actions)
    game.key = sound.state["rng"][1]
    before = batch.state.copy()
    game.is_due = True
    with pytest.raises(KeyboardInterrupt):
        batch.step(actions)
    own = 4 if threads == 3 else 12
    expected = np.where((np.arange(12) == 0) | (np.arange(12) >= own), sound.state, before)
    assert [row.tobytes() for row in batch.state] == [row.tobytes() for row in expected]
    batch.step(np.argmax(batch.action_mask, axis=1))  # and on it goes
    assert batch.state["decisions"].min() == 2
    batch.close()
    sound.close()


@pytest.mark.parametrize("when", ["before", "after"])
def test_an_interruption_between_rows_undoes_nothing(pebbles, when):
    batch = Batch(pebbles, 12, 3, 4, threads=3)
    batch.step_random()
    desk, step = batch._crew.desk, batch._crew.desk.step

    def interrupted(wish, count):
        desk.step = step
        if when == "after":
            while step(wish, count) == UNDER_WAY:
                wish = 0
                batch._crew._wait(batch._crew.hands)
        raise KeyboardInterrupt

    desk.step = interrupted
    with pytest.raises(KeyboardInterrupt):
        batch.step_random()
    assert batch.state["decisions"].tolist() == [1 + (when == "after")] * 12
    batch.step_random()
    assert batch.state["decisions"].tolist() == [2 + (when == "after")] * 12
    batch.close()


@pytest.mark.parametrize("threads", [1, 3])
def test_what_comes_from_no_rule_is_raised_where_step_was_called(pebbles, threads):
    batch = Batch(pebbles, 12, 3, 4, threads=threads)
    batch.step_random()
    desk = batch._crew.hands[1].desk if threads > 1 else batch._crew.desk
    step = desk.step

    def fails(*wished):
        desk.step = step
        raise MemoryError("none left")

    desk.step = fails

    def step_for_long():
        for _ in range(1000):  # a thread that is looking out calls its step anew when it has looked for long enough
            threading.Event().wait(0.01)
            batch.step_random()

    with pytest.raises(MemoryError, match="none left"):
        step_for_long()
    played = batch.state["decisions"].copy()
    batch.step_random()
    assert (batch.state["decisions"] != played).all()
    batch.close()


# --- threads begin and end ------------------------------------------------------------------------------


def test_threads_begin_with_the_first_step_end_with_close_and_begin_again(pebbles):
    batch = Batch(pebbles, 8, 3, threads=3)
    assert helpers(batch) == []
    batch.step_random()
    first = helpers(batch)
    assert [thread.is_alive() for thread in first] == [True, True]
    batch.close()
    assert_ended(first)
    batch.close()
    batch.step_random()
    second = helpers(batch)
    assert len(second) == 2
    batch.close()
    assert_ended(second)


def test_threads_of_a_forgotten_batch_end(pebbles):
    batch = Batch(pebbles, 8, 3, threads=3)
    batch.step_random()
    threads = helpers(batch)
    assert len(threads) == 2
    del batch
    gc.collect()
    assert_ended(threads)


@pytest.mark.parametrize("made", [copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_a_copied_batch_has_threads_of_its_own(pebbles, made):
    batch = Batch(pebbles, 8, 3, threads=2)
    batch.step_random()
    twin = made(batch)
    batch.close()
    twin.step_random()
    assert len(helpers(twin)) == 1
    assert batch.state["decisions"].tolist() == [1] * 8
    assert twin.state["decisions"].tolist() == [2] * 8
    twin.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system knows no fork")
def test_a_forked_process_goes_on_with_threads_of_its_own(pebbles):
    batch, alone = Batch(pebbles, 8, 3, 4, threads=3), Batch(pebbles, 8, 3, 4)
    for one in (batch, alone):
        one.step_random()
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads: that is what is tried
        child = os.fork()
    if not child:
        batch.step_random()
        os.write(writing, batch.state["decisions"].tobytes() + bytes([len(helpers(batch))]))
        os._exit(0)
    os.close(writing)
    assert os.waitpid(child, 0)[1] == 0
    batch.step_random()
    alone.step_random()
    assert everything(batch) == everything(alone)
    assert os.read(reading, 1000) == alone.state["decisions"].tobytes() + bytes([2])
    os.close(reading)
    batch.close()


def test_two_callers_take_turns(pebbles):
    batch = Batch(pebbles, 8, 3, 4, threads=2)
    callers = [threading.Thread(target=lambda: [batch.step_random() for _ in range(30)]) for _ in range(3)]
    for caller in callers:
        caller.start()
    assert_ended(callers)
    alone = Batch(pebbles, 8, 3, 4)
    for _ in range(90):
        alone.step_random()
    assert everything(batch) == everything(alone)
    batch.close()


# --- boards and cores -----------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_lines_of_a_board_share_no_line_of_the_cache(threads):
    board = board_for(threads)
    assert (board.ctypes.data % 128, board.nbytes, LINE * 8) == (0, 128 * threads, 128)
    assert not board.any()


@pytest.mark.parametrize(("there", "mine", "told"), [
    (2, {0, 1}, "2 cores"), (1, {0}, "1 core"), (8, {3}, "8 cores, this process pinned to 1"),
])  # fmt: skip
def test_cores_are_told_and_whether_all_may_be_used(monkeypatch, there, mine, told):
    monkeypatch.setattr(os, "cpu_count", lambda: there)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: mine, raising=False)
    assert speed.cores_told() == told
    assert crew.cores() == len(mine)


def test_where_affinity_is_unknown_all_cores_count(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 6)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert crew.cores() == 6
