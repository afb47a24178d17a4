"""Players that do all they can to a process, for worker processes to import."""

import ctypes
import os
import signal
import sys
import time

import numpy as np

from alarife.players import RandomPlayer


class ExitsWhenMade(RandomPlayer):
    def __init__(self, seed=None):
        os._exit(3)


class CrashesWhenMade(RandomPlayer):
    def __init__(self, seed=None):
        os.kill(os.getpid(), signal.SIGSEGV)


class HangsWhenMade(RandomPlayer):
    def __init__(self, seed=None):
        while True:
            pass


class ClosesFilesWhenMade(RandomPlayer):
    def __init__(self, seed=None):
        super().__init__(seed)
        os.closerange(0, 256)


class ClosesFiles(RandomPlayer):
    def act(self, turns):
        os.closerange(0, 256)
        return super().act(turns)


class SleepsInC(RandomPlayer):
    """Holds the interpreter all the while."""

    def act(self, turns):
        ctypes.PyDLL(None).sleep(1000)
        return super().act(turns)


class Spins(RandomPlayer):
    def act(self, turns):
        while True:
            pass


class ForksAndBothAnswer(RandomPlayer):
    def act(self, turns):
        os.fork()
        return super().act(turns)


class ForksAndLeavesOne(RandomPlayer):
    def act(self, turns):
        if os.fork() == 0:
            time.sleep(1000)
        return super().act(turns)


class FillsMemory(RandomPlayer):
    def act(self, turns):
        held = []
        while True:
            held.append(np.zeros(2**25))


class Prints(RandomPlayer):
    def act(self, turns):
        print("NOISE", flush=True)
        os.write(1, b"NOISE\n")
        sys.__stdout__.write("NOISE\n")
        return super().act(turns)


class KillsItsParent(RandomPlayer):
    def act(self, turns):
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(1000)


class KillsItsGroup(RandomPlayer):
    def act(self, turns):
        os.killpg(0, signal.SIGKILL)


class Interrupts(RandomPlayer):
    def act(self, turns):
        raise GeneratorExit
