"""The threads of a batch: they wait for what is wished of them, and each does it for a share of the rows.

The calling thread takes the first share. The others are called by a native word (`alarife.engine.board`), for which
they look out for a moment after each task; then they sleep until a bell rings. They hold the arrays of the batch but
not the batch: when it is forgotten or closed, they end. After a fork the child begins threads of its own.
"""

from __future__ import annotations

import os
import time
import weakref
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Lock, Thread

import numpy as np

from .arrays import BatchArrays, same_bytes
from .board import ANSWERED, BAD, CALLED, LINE, LOW, UNDER_WAY
from .numbers import Array
from .result import Result

PATIENCE = 2000  # looks at the board, some 0.1 ms: as long as a hand-over by the system takes
NAP = 50e-6  # seconds that the calling thread sleeps when others take long

Failure = tuple[int, bytes, Exception]  # the row, its state before the step, what the rule raised


class Desk:
    """What one thread works with; those rows where a rule fails stay as they were, and the others go on."""

    def __init__(self, arrays: BatchArrays, me: int = 0, patience: int = 0) -> None:
        self.arrays, self.me = arrays, me
        self.line = arrays.board[me * LINE : (me + 1) * LINE]
        self.done = np.zeros(LINE, np.int64)  # see the kernel `step`
        self.kept = arrays.game.state.zeros(2)
        self.verdict = Result.zeros(1)
        self.step = partial(arrays.step, self.done, self.kept, self.verdict, me, patience)
        self.failures: list[Failure] = []
        self.stray: BaseException | None = None  # what came from elsewhere than a rule

    def failed(self, error: BaseException) -> None:
        """Undo the row that was under way. A rule's failure is noted; anything else ends the share."""
        at, is_under_way = int(self.done[0]), self.done[1] > self.done[0]
        if is_under_way:
            row = int(self.arrays.rows_wanted[self.line[LOW] + at])
            same_bytes(self.arrays.states[row : row + 1], self.kept[:1])
            self.arrays.look(np.array([row]))
        if is_under_way and isinstance(error, Exception):
            self.failures.append((row, self.kept[:1].tobytes(), error))
            self.done[0] += 1
        else:
            self.stray = error
            self.done[:2] = 0
            self.line[BAD] = 0  # nothing that is still wished is begun
            self.line[ANSWERED] = self.line[CALLED]


class Hand:
    """A thread that helps, and its bell."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.is_dismissed = desk, False
        self.bell: SimpleQueue[None] = SimpleQueue()
        self.thread = Thread(target=self._serve, name=f"{desk.arrays.game.id}-{desk.me}", daemon=True)
        self.thread.start()

    @property
    def is_at_work(self) -> bool:
        """Whether the thread has been called and has not answered."""
        return bool(self.desk.line[CALLED] != self.desk.line[ANSWERED])

    def ring(self) -> None:
        """Wake the thread, if it sleeps."""
        if self.bell.empty():
            self.bell.put(None)

    def dismiss(self) -> None:
        """Let the thread end."""
        self.is_dismissed = True
        self.bell.put(None)

    def _serve(self) -> None:
        while True:
            self.bell.get()
            if self.is_dismissed:
                return
            self._attend()

    def _attend(self) -> None:
        """Do what is wished until nothing has been wished for a moment."""
        while True:
            try:
                self.desk.step(0, 0)
                return
            except BaseException as error:  # the calling thread raises it
                self.desk.failed(error)
                if self.desk.stray is not None:
                    return


def _dismiss(hands: list[Hand]) -> None:
    for hand in hands:
        hand.dismiss()


class Crew:
    """All threads of a batch; those that help begin with the first task."""

    def __init__(self, arrays: BatchArrays, threads: int) -> None:
        self.arrays, self.threads = arrays, threads
        self.hands: list[Hand] = []
        self._process, self._turn = os.getpid(), Lock()
        self._patience = 0 if threads == 1 else PATIENCE if threads <= cores() else PATIENCE // 20
        self.desk = Desk(arrays, 0, self._patience)
        self._desks = [self.desk]

    def __enter__(self) -> None:
        """Take the turn: one caller at a time gives threads something to do, and reads what came of it."""
        if self._process != os.getpid():  # a fork has this memory and none of the threads
            self.hands, self._process, self._turn = [], os.getpid(), Lock()
        self._turn.acquire()

    def __exit__(self, *_: object) -> None:
        self._turn.release()

    def do(self, wish: int, rows: Array) -> int:
        """Do something for some rows; returns the first whose action is not legal, or -1. `failures` tells the rest."""
        if self.threads > 1 and not self.hands:
            self._begin()
        count = len(rows)
        self.arrays.rows_wanted[:count] = rows
        called = self.hands[: max(count, 1) - 1]
        for hand in called:
            hand.ring()
        desk, told = self.desk, UNDER_WAY
        while told == UNDER_WAY and desk.stray is None:
            try:
                told = desk.step(wish, count)
                if told == UNDER_WAY:
                    self._wait(called)
            except BaseException as error:  # raised below, when the others have come to rest
                desk.failed(error)
            wish = 0
        while any(hand.is_at_work for hand in called):
            with suppress(KeyboardInterrupt):  # of which there has been one
                self._wait(called)
        self._raise_strays()
        return int(told)

    def _wait(self, called: list[Hand]) -> None:
        """Let others use the processor; who has fallen asleep before being called is woken."""
        time.sleep(NAP)
        for hand in called:
            hand.ring()

    def _raise_strays(self) -> None:
        """Raise what came from elsewhere than a rule."""
        strays = [desk.stray for desk in self._desks if desk.stray is not None]
        if strays:
            self.failures()
            for desk in self._desks:
                desk.stray = None
            raise strays[0]

    def failures(self) -> list[Failure]:
        """The rows in which a rule failed; told once."""
        failures = [failure for desk in self._desks for failure in desk.failures]
        if failures:
            for desk in self._desks:
                desk.failures.clear()
        return failures

    def _begin(self) -> None:
        """Begin the threads, after the kernel has been compiled here, where it can be interrupted."""
        self.arrays.board[:] = 0
        self.desk.step(0, 0)
        self.hands = [Hand(Desk(self.arrays, me, self._patience)) for me in range(1, self.threads)]
        self._desks = [self.desk, *(hand.desk for hand in self.hands)]
        weakref.finalize(self, _dismiss, self.hands)

    def close(self) -> None:
        """End the threads; another task begins new ones."""
        with self:
            hands, self.hands = self.hands, []
            _dismiss(hands)
            for hand in hands:
                hand.thread.join()


def cores() -> int:
    """How many cores this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
