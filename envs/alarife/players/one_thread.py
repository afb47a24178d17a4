"""NumPy's products of matrices, computed by one thread.

The OpenBLAS that NumPy brings along spreads a product over all cores, and its threads wait for each other without rest:
where other programs want the cores, too, a policy's products take many times the processor (``docs/speed.md``). How
many threads it takes is one number of the whole process. So the number is 1 while a product of ours is under way, and
then again what it was. Other libraries are left alone, and so is an OpenBLAS on OpenMP, whose number others share.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import product
from pathlib import Path

import numpy as np

PLAIN_THREADS = 1  # what an OpenBLAS says of itself that has threads of its own
NAMES = [f"{before}openblas_{{}}{behind}" for before, behind in product(("scipy_", ""), ("64_", ""))]


class OneThread:
    """A context in which products are computed by one thread, for any number of callers at once."""

    def __init__(self, threads: Callable[[], int], take: Callable[[int], object]) -> None:
        self._threads, self._take = threads, take
        self._lock, self._inside, self._before = threading.Lock(), 0, 1

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._before = self._threads()
                if self._before > 1:
                    self._take(1)
            self._inside += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._give_back()

    def _give_back(self) -> None:
        """Set the number back, unless somebody else has set it meanwhile."""
        if self._before > 1 and self._threads() == 1:
            self._take(self._before)

    def after_fork(self) -> None:
        """In a new process nobody is inside: it has only the thread that forked it."""
        was_inside, self._inside, self._lock = self._inside, 0, threading.Lock()
        if was_inside:
            self._give_back()


def openblas(libraries: Iterable[str]) -> tuple[Callable[[], int], Callable[[int], object]]:
    """How the first OpenBLAS in or behind these libraries that has threads of its own tells and takes their number."""
    for library in libraries:
        with suppress(OSError):
            found = ctypes.CDLL(library)
            for name in NAMES:
                with suppress(AttributeError):
                    kind, threads, take = (
                        getattr(found, name.format(word))
                        for word in ("get_parallel", "get_num_threads", "set_num_threads")
                    )
                    if kind() == PLAIN_THREADS:
                        return threads, take
    return lambda: 1, lambda number: None


def numpy_libraries() -> list[str]:
    """The module that leads to NumPy's BLAS, and the BLAS that was packed with it: Windows asks each file by itself."""
    module = getattr(sys.modules.get("numpy._core._multiarray_umath"), "__file__", None)
    packed = Path(np.__file__).parent.with_name("numpy.libs").glob("*openblas*")
    return [*([module] if module else []), *map(str, sorted(packed))]


one_thread = OneThread(*openblas(numpy_libraries()))
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=one_thread.after_fork)
