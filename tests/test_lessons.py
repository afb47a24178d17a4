"""What a teacher shows: lessons here, in processes and in parts, and what a network is to learn from them."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import alarife
from alarife.engine.batch import Batch
from alarife.engine.errors import AlarifeError
from alarife.players import MonteCarlo, RandomPlayer, Turns
from alarife_training.config import make_config
from alarife_training.lessons import Classroom, Part, School, advise, give_part, lesson_size, worth_of
from alarife_training.train import train
from marked_processes import MARK, end_marked, marked
from tiny_runs import quiet, tiny


def test_a_teacher_gives_a_head_start(tmp_path):
    """The teacher beats random in more than 9 games of 10, an untrained network in about 5."""
    settings = tiny(imitation={"decisions": 65_536, "epochs": 6}, hidden=[64], steps=512,
                    evaluation={"every": 10_000, "games": 200, "final_games": 16, "against": ["random"]})  # fmt: skip
    train(settings, tmp_path / "run", tell=quiet)
    lines = [json.loads(line) for line in (tmp_path / "run" / "evaluations.jsonl").read_text().splitlines()]
    assert [(line["taught"], line["steps"]) for line in lines] == [(0, 0), (65_536, 0), (65_536, 512)]
    untrained, taught = (line["verdicts"][0] for line in lines[:2])
    assert untrained["high"] < 0.68
    assert taught["low"] > 0.7


def test_a_teacher_that_searches_tells_what_actions_are_worth(pebbles):
    """Worths 0.2 apart at a temperature of 0.1 make the better action e^2 times as likely."""

    class Told(MonteCarlo):
        def search(self, turns):
            visits = np.zeros(turns.action_mask.shape, np.int64)
            means = np.zeros(turns.action_mask.shape)
            visits[0, legal[:2]], means[0, legal[:2]] = 5, (0.5, 0.3)
            return legal[[0, 0]], visits, means

    turns = Turns.of_batch(Batch(pebbles, 2, 2, 1), np.arange(2))
    legal = np.flatnonzero(turns.action_mask[0])
    advice, target = advise(Told("10"), turns, 0.1)
    assert advice[0] == legal[0]
    assert target[0, legal[0]] / target[0, legal[1]] == pytest.approx(np.exp(2))
    assert target[0].sum() == pytest.approx(1)
    assert np.count_nonzero(target[0]) == 2
    even = turns.action_mask[1] / turns.action_mask[1].sum()  # nothing was searched there: nothing is told
    assert target[1] == pytest.approx(even)


def test_at_a_temperature_of_nothing_it_learns_what_the_search_does(pebbles):
    """However near the worths are: all of the target is on the action that the search takes."""

    class Told(MonteCarlo):
        def act(self, turns):
            return np.array([np.flatnonzero(mask)[-1] for mask in turns.action_mask])

    turns = Turns.of_batch(Batch(pebbles, 4, 2, 1), np.arange(4))
    advice, target = advise(Told("10"), turns, 0)
    assert advice.tolist() == [np.flatnonzero(mask)[-1] for mask in turns.action_mask]
    assert target.argmax(1).tolist() == advice.tolist()
    assert target.sum(1).tolist() == target.max(1).tolist() == [1] * 4


def test_lessons_that_are_kept_fit_into_memory():
    """2^30 bytes: of each decision a byte of each number seen, five of each of 53 actions, and twelve more."""
    seen = make_config({"game": "viva"}).find_game().features.size
    alone = tiny(imitation={"decisions": 10**8, "lesson": 10**7}, advice=False)
    assert lesson_size(alone, alone.imitation) == 2**30 // (seen + 5 * 53 + 12)
    four = tiny(imitation={"decisions": 10**8, "lesson": 10**7, "window": 4})
    assert lesson_size(four, four.imitation) == 2**30 // (4 * (seen + 53 + 5 * 53 + 12))
    short = tiny(imitation={"decisions": 700})
    assert lesson_size(short, short.imitation) == 700


def test_what_is_kept_of_a_lesson_takes_the_memory_that_was_counted():
    config = tiny(imitation={"decisions": 2000, "player": "scripted"})
    with School(config, config.imitation) as school:
        lesson = school.lesson(0, None)
    taken = sum(getattr(lesson, name).nbytes for name in ("observation", "action_mask", "action", "target", "value"))
    assert taken == len(lesson.action) * (config.find_game().features.size + 53 + 5 * 53 + 12)


def test_a_lesson_in_parts_is_the_parts_in_their_order():
    """Two processes give what two calls here give: none lost, none twice, and other games in each and in the next."""
    config = tiny(imitation={"decisions": 1500, "parts": 2, "player": "mc:4:cut=5"})
    about = config.imitation
    with School(config, about) as school:
        lessons = [school.lesson(number, None) for number in (0, 1)]
    chance = np.random.default_rng([config.seed, 3, 0])
    parts = []
    for size, (seed, luck) in zip((750, 750), chance.integers(2**31, size=(2, 2)).tolist(), strict=True):
        part = Part(config, about, None, size, seed, luck, alarife.__version__, config.find_game().digest)
        parts.append(give_part(part, 0, {})[1])
    for name in ("observation", "action_mask", "action", "target", "value", "same"):
        np.testing.assert_array_equal(getattr(lessons[0], name), np.concatenate([getattr(p, name) for p in parts]))
    assert not np.array_equal(parts[0].observation, parts[1].observation)
    assert not np.array_equal(lessons[0].observation, lessons[1].observation)


def test_a_process_of_lessons_that_dies_is_one_sentence():
    config = tiny(imitation={"decisions": 100, "parts": 2, "player": "failing_players:Dying"})
    with School(config, config.imitation) as school, pytest.raises(AlarifeError, match="has ended before its lesson"):
        school.lesson(0, None)


def test_parts_are_put_in_order_whichever_ends_first():
    """A cluster whose tasks end in the other order, on two nodes: the lesson is that of two processes."""

    class Backwards:
        def run(self, work, calls):
            yield from [(f"node {i}", work(*calls[i])) for i in reversed(range(len(calls)))]

    config = tiny(imitation={"decisions": 700, "parts": 3})
    with School(config, config.imitation) as school:
        near = school.lesson(0, None)
        school._cluster = Backwards()
        far = school.lesson(0, None)
    np.testing.assert_array_equal(far.observation, near.observation)
    np.testing.assert_array_equal(far.value, near.value)
    assert school.nodes == {"node 0", "node 1", "node 2"}


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="processes are found through /proc")
@pytest.mark.parametrize("signals", [[signal.SIGKILL], [signal.SIGINT, signal.SIGINT]])
def test_processes_of_lessons_end_with_a_run_that_is_ended(signals, tmp_path):
    """The run, two processes, and the one that Python keeps for its semaphores; the lesson would take many minutes."""
    words = ["train", "--config", "smoke", "refinement.decisions=1000000", "refinement.player=mc:400:cut=20",
             "refinement.parts=2"]  # fmt: skip
    mark, nowhere = str(tmp_path), subprocess.DEVNULL
    run = subprocess.Popen([sys.executable, "-m", "alarife", *words, "--run", str(tmp_path / "run")],
                           env=os.environ | {MARK: mark}, stdout=nowhere, stderr=nowhere)  # fmt: skip
    try:
        assert happens(lambda: len(marked(mark)) >= 4, 120)
        for number in signals:
            run.send_signal(number)
            time.sleep(1)
        assert happens(lambda: run.poll() is not None and not marked(mark), 30)
    finally:
        end_marked(mark)


def happens(what, seconds):
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:
        time.sleep(0.1)
    return what()


def test_a_search_is_asked_again_and_the_script_is_not(tmp_path):
    told = {}
    for player in ("scripted", "mc:8:random:lead=0"):
        lessons = {"imitation": {"decisions": 512, "player": player, "epochs": 1}}
        train(tiny(**lessons, steps=512), tmp_path / player, tell=quiet)
        told[player] = json.loads((tmp_path / player / "evaluations.jsonl").read_text().splitlines()[1])
        assert 0 <= told[player]["agreed"] <= 1
    assert "repeated" not in told["scripted"]
    assert 0.1 < told["mc:8:random:lead=0"]["repeated"] < 1  # eight playouts: chance counts, and is another


@pytest.mark.parametrize(("again", "same"), [(0, True), (-1, False)])
def test_a_teacher_repeats_itself_where_it_would_do_the_same(again, same):
    """One that takes the first legal action, asked again as one that takes the first or the last."""

    class Taking(RandomPlayer):
        def __init__(self, which):
            super().__init__()
            self.which = which

        def act(self, turns):
            return np.array([np.flatnonzero(mask)[self.which] for mask in turns.action_mask])

    config = tiny(imitation={"decisions": 2000})
    lesson = Classroom(config, config.imitation, 2000, 1).teach(Taking(0), Taking(again))
    assert len(lesson.same) > 20
    assert (lesson.same == same).all()


def test_lessons_end_by_the_clock(tmp_path):
    lessons = {"imitation": {"decisions": 10_000_000, "lesson": 512, "minutes": 0.02, "epochs": 1}}
    train(tiny(**lessons, steps=512), tmp_path / "run", tell=quiet)
    lines = [json.loads(line) for line in (tmp_path / "run" / "evaluations.jsonl").read_text().splitlines()]
    assert 512 <= lines[-1]["taught"] < 10_000_000


def test_two_teachers_follow_each_other(tmp_path):
    lessons = {"imitation": {"decisions": 2048}, "refinement": {"decisions": 1024, "player": "mc:4:cut=5"}}
    train(tiny(**lessons, steps=512), tmp_path / "run", tell=quiet)
    lines = [json.loads(line) for line in (tmp_path / "run" / "evaluations.jsonl").read_text().splitlines()]
    assert [(line["taught"], line["steps"]) for line in lines] == [(0, 0), (2048, 0), (3072, 0), (3072, 512)]


def test_what_a_decision_was_worth_is_known_once_the_game_ends():
    seats = np.array([[0], [1], [0], [1], [0]])
    paid = np.array([[[0, 0]], [[0, 0]], [[1, -1]], [[0, 0]], [[0, 0]]])
    ends = np.array([[False], [False], [True], [False], [False]])
    values = worth_of(seats, paid, ends)[:, 0]
    assert values[:3].tolist() == [1, -1, 1]
    assert np.isnan(values[3:]).all()  # this game goes on
