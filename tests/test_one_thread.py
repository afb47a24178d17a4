"""A policy computes with one thread of NumPy's BLAS, and the number of threads is then what it was."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest
import threadpoolctl

from alarife.engine.registry import find_game
from alarife.players.one_thread import OneThread, numpy_libraries, one_thread, openblas
from alarife.players.policy import NetworkPlayer, Policy, shapes_of

VIVA = find_game("viva")


def numbers():
    """How many threads NumPy's OpenBLAS would take, told by another library."""
    return {pool["num_threads"] for pool in threadpoolctl.threadpool_info()
            if pool["internal_api"] == "openblas" and pool["filepath"] in PACKED}  # fmt: skip


PACKED = {os.path.realpath(path) for path in numpy_libraries()}
needs_openblas = pytest.mark.skipif(not numbers(), reason="this NumPy has brought no OpenBLAS along")


@pytest.fixture
def three():
    with threadpoolctl.threadpool_limits(3, "blas"):
        yield


class Watched(np.ndarray):
    """An array that notes how many threads there are whenever it is multiplied."""

    seen: list

    def __array_ufunc__(self, ufunc, method, *inputs, **how):
        if ufunc is np.matmul:
            Watched.seen.append(numbers())
        return getattr(ufunc, method)(*(np.asarray(one) for one in inputs), **how)


def watched(hidden):
    random = np.random.default_rng(0)
    tensors = {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes_of(VIVA, hidden).items()}
    player = NetworkPlayer(Policy(VIVA, {"hidden": hidden}, tensors | {
        "value.weight": tensors["value.weight"].view(Watched)}))  # fmt: skip
    player._layers = [(weight.view(Watched), bias) for weight, bias in player._layers]
    Watched.seen = []
    return player


class Seen:
    """As much of turns as a value asks for."""

    def __init__(self, rows):
        self.rows = rows

    def seen_in(self, game):
        return np.ones((self.rows, game.features.size), game.features.dtype)


@needs_openblas
@pytest.mark.parametrize("rows", [1, 10, 300])
@pytest.mark.parametrize("hidden", [[], [8], [512, 256]])
def test_scores_and_values_are_computed_by_one_thread(three, hidden, rows):
    player = watched(hidden)
    player.logits(Seen(rows).seen_in(VIVA))
    assert Watched.seen == [{1}] * (len(hidden) + 1)
    player.values(Seen(rows))
    assert Watched.seen == [{1}] * (2 * len(hidden) + 2)
    assert numbers() == {3}


@needs_openblas
@pytest.mark.parametrize("rows", [1, 2, 10, 300])
def test_scores_are_the_same_to_the_last_bit_however_many_threads_there_are(rows):
    """Several threads add up in another order. Layers are as wide as the largest agent's, so that they would."""
    game, random = find_game("lisboa"), np.random.default_rng(0)
    tensors = {name: random.normal(size=shape).astype(np.float32)
               for name, shape in shapes_of(game, [512, 256]).items()}  # fmt: skip
    player = NetworkPlayer(Policy(game, {"hidden": [512, 256]}, tensors))
    seen = random.random((rows, game.features.size), np.float32)
    scores = []
    for number in (1, 2, 3):
        with threadpoolctl.threadpool_limits(number, "blas"):
            scores.append(player.logits(seen).tobytes())
    assert scores[0] == scores[1] == scores[2]


@needs_openblas
def test_the_number_is_given_back_after_an_error(three):
    with pytest.raises(ValueError, match="could not be broadcast"):
        watched([8]).logits(np.ones((4, VIVA.features.size + 1), np.float32)[:, :-2])
    assert numbers() == {3}


@needs_openblas
def test_the_last_of_several_callers_gives_the_number_back(three):
    entered, leave = threading.Event(), threading.Event()

    def other():
        with one_thread:
            entered.set()
            leave.wait(60)

    caller = threading.Thread(target=other)
    with one_thread:
        caller.start()
        assert entered.wait(60)
    assert numbers() == {1}
    leave.set()
    caller.join()
    assert numbers() == {3}


@needs_openblas
def test_what_somebody_else_sets_meanwhile_stays(three):
    with one_thread:
        threadpoolctl.threadpool_limits(2, "blas")
    assert numbers() == {2}


@needs_openblas
def test_who_computes_with_one_thread_anyway_is_left_alone():
    taken = []
    with OneThread(lambda: 1, taken.append):
        pass
    assert taken == []


@needs_openblas
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_process_that_is_forked_meanwhile_has_the_number_that_was_set():
    code = """if True:
        import os, threading, threadpoolctl
        from alarife.players.one_thread import one_thread
        numbers = lambda: {pool["num_threads"] for pool in threadpoolctl.threadpool_info()}
        threadpoolctl.threadpool_limits(3, "blas")
        entered, leave = threading.Event(), threading.Event()
        def other():
            with one_thread:
                entered.set()
                leave.wait(60)
        caller = threading.Thread(target=other)
        caller.start()
        entered.wait(60)
        inside = numbers()
        child = os.fork()
        if child == 0:
            before = numbers()
            with one_thread:
                meanwhile = numbers()
            os._exit(0 if (before, meanwhile, numbers()) == ({3}, {1}, {3}) else 1)
        status = os.waitpid(child, 0)[1]
        leave.set()
        caller.join()
        print(inside, status, numbers())
    """
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "{1} 0 {3}\n"


@pytest.mark.parametrize("libraries", [[], ["no such file"], [sys.modules["_ctypes"].__file__]])
def test_without_an_openblas_nothing_is_set(libraries):
    with OneThread(*openblas(libraries)):
        assert np.array_equal(np.eye(2) @ np.eye(2), np.eye(2))


@needs_openblas
def test_each_way_to_the_blas_leads_there():
    """A module that is linked with it, and its own file, as Windows asks each file by itself."""
    with threadpoolctl.threadpool_limits(3, "blas"):
        assert [openblas([library])[0]() for library in numpy_libraries()] == [3] * len(numpy_libraries())
