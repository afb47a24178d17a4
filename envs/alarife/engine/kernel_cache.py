"""A disk cache of compiled kernels, keyed by the sources they were compiled from.

Numba's own ``cache=True`` looks at one source file only, so an edited callee goes unnoticed, and it never hits for
closures over other compiled functions. Here the folder's name is a digest of every source that a kernel may have
used; an entry is one sealed file, written aside and renamed into place.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import os
import pickle
import shutil
import sys
import time
import uuid
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import llvmlite
import numba
import numpy as np
from numba.core import caching, compiler, serialize
from numba.misc.appdirs import user_cache_dir

from .jit import KERNEL_SETTINGS, RULE_SETTINGS

if TYPE_CHECKING:
    from alarife.engine.game import Game

_SETTINGS = "BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT", "CPU_NAME"
_ENGINE = Path(__file__).resolve().parent
_SOURCES = ".py", ".toml", ".json", ".csv", ".npz"
RECORDS = ("facts.json", "ladder.json", "agent.json")  # in a game's folder, but no source: what playing it gave
_KEEP_SECONDS = 30 * 24 * 3600


def cache_root() -> Path:
    """Where compiled kernels lie; the variable ALARIFE_CACHE_DIR moves it."""
    return Path(os.environ.get("ALARIFE_CACHE_DIR") or user_cache_dir("alarife", appauthor=False))


def digest_of(folder: Path, leave_out: tuple[str, ...] = ()) -> str:
    """Digest of every source file below a folder, but for those names."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.suffix in _SOURCES and path.is_file() and path.name not in leave_out:
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@lru_cache
def _toolchain() -> str:
    versions = sys.version, numba.__version__, llvmlite.__version__, np.__version__
    settings = [getattr(numba.config, name, None) for name in _SETTINGS]
    own = sorted((name, str(value)) for name, value in {**KERNEL_SETTINGS, **RULE_SETTINGS}.items())
    return repr((versions, settings, own)) + digest_of(_ENGINE)


@lru_cache
def fingerprint(folder: Path, rules: tuple[Callable[..., Any], ...]) -> str:
    """Digest of the engine, of a game's folder and rules, of the tools and of the settings that change code."""
    digest = hashlib.sha256((_toolchain() + digest_of(folder, RECORDS)).encode())
    for rule in rules:
        digest.update(f"{rule.__module__}.{rule.__qualname__}".encode())
        file = Path(inspect.getfile(rule)).resolve()
        if folder not in file.parents:
            digest.update(file.read_bytes())
    return digest.hexdigest()[:20]


class KernelCache(caching.NullCache):  # type: ignore[misc]
    """Numba's cache protocol over one file for each kernel, signature and processor."""

    def __init__(self, game: Game, kernel: str) -> None:
        self._game, self._kernel = game.name, kernel
        self._folder = cache_root() / f"{game.name}-{fingerprint(game.folder, game.rules)}"

    @property
    def cache_path(self) -> str:
        """The folder of the entries."""
        return str(self._folder)

    def _entry(self, signature: Any, codegen: Any) -> Path:
        key = hashlib.sha256(repr((signature, codegen.magic_tuple())).encode()).hexdigest()[:20]
        return self._folder / f"{self._kernel}-{key}.bin"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel, or None where there is no sound entry."""
        target_context.refresh()
        try:
            content = self._entry(sig, target_context.codegen()).read_bytes()
        except OSError:
            content = b""
        seal, payload = content[:32], content[32:]
        if hashlib.sha256(payload).digest() != seal:
            _say_once(self._game)
            return None
        return compiler.CompileResult._rebuild(target_context, *pickle.loads(payload))  # noqa: S301 - sealed, our own

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write an entry; a folder that cannot be written is no reason to stop."""
        if data.library.has_dynamic_globals:
            return
        entry = self._entry(sig, data.codegen)
        draft = entry.with_suffix(f".{uuid.uuid4().hex[:12]}")
        try:
            if not entry.parent.exists():
                _prune(self._game)
            entry.parent.mkdir(parents=True, exist_ok=True)
            payload = serialize.dumps(data._reduce())
            draft.write_bytes(hashlib.sha256(payload).digest() + payload)
            os.replace(draft, entry)
        except OSError:
            with contextlib.suppress(OSError):
                draft.unlink()


@lru_cache
def _say_once(game: str) -> None:
    if os.environ.get("ALARIFE_QUIET", "0") in ("", "0"):
        print(f"alarife: compiling {game} for this machine; later starts load it at once.", file=sys.stderr)


def _prune(game: str) -> None:
    """Drop the folders of this game that nobody has written to for a month."""
    for folder in cache_root().glob(f"{game}-*"):
        try:
            if time.time() - folder.stat().st_mtime > _KEEP_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue
