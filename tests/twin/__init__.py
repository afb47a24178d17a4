"""VIVA once more, in C: an oracle for results, and the measure for speed.

`viva.c` is compiled with gcc over the very records that Python declares, so both can work on the same arrays and must
leave the same bytes. `kernels` gives its functions under the names and with the arguments of the compiled kernels.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from alarife.engine import board
from alarife.engine.batch import Batch
from alarife.engine.moves import moves_record
from alarife.engine.random import Stream
from alarife.engine.result import Result
from alarife.games.viva import GAME
from alarife.games.viva.state import State

SOURCE = Path(__file__).with_name("viva.c")
KERNELS = "begin", "step", "look", "view", "sample", "rollout"
WORDS = "SAMPLE", "CHECK", "STEP", "DONE"
C_NAMES = {"i1": "int8_t", "i2": "int16_t", "i4": "int32_t", "i8": "int64_t", "u1": "uint8_t", "u8": "uint64_t",
           "f4": "float", "f8": "double"}  # fmt: skip


def gcc() -> str | None:
    """The compiler, or None where there is none."""
    return shutil.which("gcc")


@lru_cache
def kernels(*flags: str) -> SimpleNamespace:
    """The compiled C functions; `flags` are gcc's, by default ``-O3``."""
    library = _compile(flags or ("-O3",))
    return SimpleNamespace(**{name: _caller(getattr(library, name)) for name in KERNELS})


class TwinBatch(Batch):
    """A batch of VIVA whose games are played by C, compiled with `flags`."""

    flags: tuple[str, ...] = ()

    def kernels(self) -> SimpleNamespace:
        """The functions of C, and the engine's where C has none."""
        return SimpleNamespace(**vars(super().kernels()) | vars(kernels(*self.flags)))


def twin_batch(*arguments: Any, flags: tuple[str, ...] = (), **settings: Any) -> Batch:
    """A batch of VIVA whose games are played by C, compiled with `flags`."""
    return type("FlaggedTwin", (TwinBatch,), {"flags": flags})(GAME, *arguments, **settings)


# --- compiling ------------------------------------------------------------------------------------


def _compile(flags: tuple[str, ...]) -> ctypes.CDLL:
    # -ffp-contract=off: a fused multiply-add would round differently.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "layout.h").write_text(layout_header())
        library = Path(folder, "viva.so")
        command = [str(gcc()), *flags, "-std=c11", "-ffp-contract=off", "-shared", "-fPIC", "-I", folder, "-o",
                   str(library), str(SOURCE)]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"gcc could not compile {SOURCE.name}:\n{done.stderr}")
        return ctypes.CDLL(str(library))


def layout_header() -> str:
    """The records of Python as C structs, their offsets asserted, and what can be wished of a batch."""
    records = {
        "Options": State.fields["options"].dtype,
        "State": State.dtype,
        "Moves": moves_record(GAME.actions.size).dtype,
        "Stream": Stream.dtype,
        "Result": Result.dtype,
    }
    names = {dtype: name for name, dtype in records.items()}
    structs = [_struct(name, dtype, names) for name, dtype in records.items()]
    words = [f"#define {name} {getattr(board, name)}" for name in WORDS]
    return "\n".join(["#include <stddef.h>", *words, *structs])


def _struct(name: str, dtype: np.dtype[Any], names: dict[Any, str]) -> str:
    lines = [f"typedef struct {name} {{"]
    checks = [f'_Static_assert(sizeof({name}) == {dtype.itemsize}, "size of {name}");']
    for field in dtype.names or ():
        part, offset = dtype.fields[field][:2]  # type: ignore[index]
        kind = names.get(part.base) or C_NAMES[part.base.str[1:]]
        lines.append(f"    {kind} {field}{''.join(f'[{n}]' for n in part.shape)};")
        checks.append(f'_Static_assert(offsetof({name}, {field}) == {offset}, "{name}.{field}");')
    return "\n".join([*lines, f"}} {name};", *checks])


# --- calling --------------------------------------------------------------------------------------


def _caller(function: Any) -> Callable[..., Any]:
    """Call a C kernel as a compiled one is called; ``prepare(...)`` gives a call without arguments, to be repeated."""
    function.restype = ctypes.c_int64

    def prepare(*args: Any) -> Callable[[], int]:
        passed = [part for arg in args for part in _passed(arg)]

        def call(kept: Any = args) -> int:
            return int(function(*passed))

        return call

    def run(*args: Any) -> int:
        return prepare(*args)()

    run.prepare = prepare  # type: ignore[attr-defined]
    return run


def _passed(arg: Any) -> list[Any]:
    if isinstance(arg, np.ndarray):
        assert arg.flags.c_contiguous
        return [ctypes.c_void_p(arg.ctypes.data), ctypes.c_int64(len(arg))]
    return [ctypes.c_uint64(int(arg) % 2**64)]
