"""Where the threads of a batch tell each other what is to be done, in native code and without the interpreter's lock.

A board is a row of whole numbers, one line for each thread, and far enough apart that no two lie in one line of a
processor's cache. Line 0 is the calling thread's. It calls the others by counting up their `CALLED`; a thread has
answered when its `ANSWERED` says the same. What is wished is done in stages: all threads have drawn and looked through
their actions before any of them steps.
"""

from __future__ import annotations

import platform
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from .jit import RULE_SETTINGS, rule
from .numbers import Array

LINE = 16  # numbers: 128 bytes, as processors fetch two lines of 64 at once
#: The words of a line.
CALLED, ANSWERED, TASK, LOW, HIGH, BAD = range(6)
#: More words of line 0: what is still wished, whether it is under way, for how many rows, and how many threads share.
WISH, OPEN, ROWS, SHARES = range(6, 10)
#: What the calling thread is told: others are still at work, or all is done; else the first row of an illegal action.
UNDER_WAY, DONE = -2, -1
#: What can be wished of a batch: random actions, whether the actions are legal, a step.
SAMPLE, CHECK, STEP = 1, 2, 4


def board_for(threads: int) -> Array:
    """A blank board that begins with a line of the cache."""
    room = np.zeros((threads + 1) * LINE, np.int64)
    skipped = -(room.ctypes.data // 8) % LINE
    return room[skipped : skipped + threads * LINE]


# --- words that another thread writes ---------------------------------------------------------------


@intrinsic  # type: ignore[untyped-decorator]
def _load(_typing: Any, array: Any, i: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(_word(context, builder, signature, args), "acquire", 8)

    return array.dtype(array, types.intp), generate


@intrinsic  # type: ignore[untyped-decorator]
def _store(_typing: Any, array: Any, i: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store_atomic(args[2], _word(context, builder, signature, args), "release", 8)
        return context.get_dummy_value()

    return types.void(array, types.intp, array.dtype), generate


def _word(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    array = context.make_array(signature.args[0])(context, builder, args[0])
    return cgutils.get_item_pointer(context, builder, signature.args[0], array, [args[1]])


@intrinsic  # type: ignore[untyped-decorator]
def _breathe(_typing: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
        number = ir.IntType(32)
        if platform.machine() in ("x86_64", "AMD64"):
            name, kinds, words = "llvm.x86.sse2.pause", [], []
        elif platform.machine() in ("aarch64", "arm64"):
            name, kinds, words = "llvm.aarch64.hint", [number], [number(1)]
        else:
            return context.get_dummy_value()
        signature = ir.FunctionType(ir.VoidType(), kinds)
        builder.call(cgutils.get_or_insert_function(builder.module, signature, name), words)
        return context.get_dummy_value()

    return types.void(), generate


def told(board: Any, i: Any) -> Any:
    """A word that another thread may write; what it wrote before is seen from now on."""
    return board[i]


def tell(board: Any, i: Any, value: Any) -> None:
    """Write a word that another thread waits for: it then sees all that was written before."""
    board[i] = value


def breathe() -> None:
    """Wait for a moment that is shorter than any call of the system."""


@overload(told, jit_options=RULE_SETTINGS, strict=False)  # type: ignore[untyped-decorator]
def _told(board: Any, i: Any) -> Any:
    return lambda board, i: _load(board, i)


@overload(tell, jit_options=RULE_SETTINGS, strict=False)  # type: ignore[untyped-decorator]
def _tell(board: Any, i: Any, value: Any) -> Any:
    return lambda board, i, value: _store(board, i, value)


@overload(breathe, jit_options=RULE_SETTINGS, strict=False)  # type: ignore[untyped-decorator]
def _breathes() -> Any:
    return lambda: _breathe()


# --- calling and answering ----------------------------------------------------------------------------


@rule
def has_answered(board: Any, me: Any) -> Any:
    """Whether a thread is through with what it was last called for."""
    return told(board, me * LINE + ANSWERED) == told(board, me * LINE + CALLED)


@rule
def has_answer_in_time(board: Any, me: Any, is_wanted: Any, patience: Any) -> Any:
    """Wait, but not for long, until a thread has answered, or until it has been called."""
    for _ in range(patience):
        if has_answered(board, me) == is_wanted:
            return True
        breathe()
    return has_answered(board, me) == is_wanted


@rule
def next_stage(wish: Any) -> Any:
    """What of a wish is done first: actions are drawn and looked through together, and stepped afterwards."""
    before = wish & (SAMPLE | CHECK)
    return before if before else wish


@rule
def call_all(board: Any, task: Any) -> None:
    """Give every thread that takes part its share of a task."""
    rows, shares = board[ROWS], board[SHARES]
    for k in range(shares):
        line = k * LINE
        board[line + TASK] = task
        board[line + LOW] = rows * k // shares
        board[line + HIGH] = rows * (k + 1) // shares
        tell(board, line + CALLED, board[line + CALLED] + 1)


@rule
def begin_wish(board: Any, wish: Any, rows: Any) -> None:
    """Put down what is wished for so many rows."""
    board[WISH], board[OPEN], board[ROWS] = wish, 1, rows
    board[SHARES] = max(1, min(rows, board.size // LINE))
    for k in range(board[SHARES]):
        board[k * LINE + BAD] = -1


@rule
def first_bad(board: Any) -> Any:
    """The first row whose action was found not to be legal, or -1."""
    for k in range(board[SHARES]):
        if board[k * LINE + BAD] >= 0:
            return board[k * LINE + BAD]
    return -1


@rule
def outcome(board: Any) -> Any:
    """What the calling thread is told."""
    return UNDER_WAY if board[OPEN] else first_bad(board)


@rule
def next_task(board: Any, me: Any, patience: Any) -> Any:
    """What a thread is to do now; 0 if there is nothing, or it takes long: then the interpreter may wait."""
    if not has_answered(board, me):
        return board[me * LINE + TASK]
    if me > 0:
        return board[me * LINE + TASK] if has_answer_in_time(board, me, False, patience) else 0
    for k in range(1, board.size // LINE):
        if not has_answer_in_time(board, k, True, patience):
            return 0
    if board[WISH] == 0 or first_bad(board) >= 0:
        board[OPEN] = 0
        return 0
    task = next_stage(board[WISH])
    board[WISH] -= task
    call_all(board, task)
    return task


@rule
def answer(board: Any, me: Any) -> None:
    """Say that a task is done."""
    tell(board, me * LINE + ANSWERED, board[me * LINE + CALLED])
