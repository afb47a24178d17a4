"""A disk cache of compiled kernels, keyed by the code that they were compiled from.

Numba's own ``cache=True`` looks at one source file only, so an edited callee goes unnoticed, and it never hits for
closures over other compiled functions. Here an entry's name holds a digest of the kernel and of everything that it may
call or read, as it is in memory (`alarife.engine.fingerprint`); an entry is one sealed file, written aside and renamed
into place.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from numba.core import caching, compiler, serialize

from .cache_folder import NotOurs, cache_root, read_own, say, write_own
from .fingerprint import Part, Survey, toolchain

if TYPE_CHECKING:
    from alarife.engine.game import Game

_SEAL = 32  # bytes of the digest that an entry begins with


@lru_cache
def _tools() -> str:
    return toolchain(Survey())


@lru_cache(maxsize=64)
def _survey_of(game: Game) -> Survey:
    """The functions of a game as they were when its first kernel was asked for."""
    return Survey()


def fingerprint(function: Callable[..., Any], survey: Survey) -> str:
    """Digest of a kernel, of the tools and of the settings that change code."""
    return hashlib.sha256((_tools() + survey.digest(function)).encode()).hexdigest()


class KernelCache(caching.NullCache):  # type: ignore[misc]
    """Numba's cache protocol over one file for each kernel, signature and processor."""

    def __init__(self, game: Game, function: Callable[..., Any]) -> None:
        self._game, self._function = game, function

    @property
    def cache_path(self) -> str:
        """The folder of the entries."""
        root = cache_root()
        return "" if root is None else str(root / self._game.name)

    def _entry(self, signature: Any, codegen: Any, survey: Survey) -> str:
        words = fingerprint(self._function, survey), signature, codegen.magic_tuple()
        return f"{self._function.__name__}-{hashlib.sha256(repr(words).encode()).hexdigest()[:24]}.bin"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel, or None where there is no sound entry."""
        target_context.refresh()
        root, survey = cache_root(), _survey_of(self._game)
        content = b""
        if root is not None:
            try:
                content = read_own(root, self._game.name, self._entry(sig, target_context.codegen(), survey))
            except NotOurs as refusal:
                say(f"compiled kernels are neither loaded nor kept: {refusal}.")
        seal, payload = content[:_SEAL], content[_SEAL:]
        if hashlib.sha256(payload).digest() == seal:
            with suppress(ImportError):  # the same rules lay in a module of another name then
                return compiler.CompileResult._rebuild(target_context, *pickle.loads(payload))  # noqa: S301 - see cache_folder
        tell_of_compiling(self._game)
        _note_compiled(survey.parts_of(self._function))
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write an entry; a folder that cannot be written is no reason to stop."""
        if data.library.has_dynamic_globals or (root := cache_root()) is None:
            return
        now = Survey()
        entry = self._entry(sig, data.codegen, now)
        if not _is_as_compiled(now.parts_of(self._function)) or entry != self._entry(
            sig, data.codegen, _survey_of(self._game)
        ):
            say(f"rules of {self._game.name} have changed since this process compiled them; its kernels are not kept.")
            return
        payload = serialize.dumps(data._reduce())
        try:
            write_own(root, self._game.name, entry, hashlib.sha256(payload).digest() + payload)
        except NotOurs as refusal:
            say(f"compiled kernels are neither loaded nor kept: {refusal}.")
        except OSError as error:
            say(f"compiled kernels cannot be kept in {root}: {error.strerror or error}.")


# --- rules that change in a running process -----------------------------------------------------------

_compiled: dict[int, Part] = {}


def _note_compiled(parts: list[Part]) -> None:
    """Numba compiles a rule once in a process, however often what it reads changes: keep what it was then."""
    for part in parts:
        _compiled.setdefault(id(part.thing), part)


def _is_as_compiled(parts: list[Part]) -> bool:
    """Whether these are still what they were when they were compiled."""
    return all(_same(part, _compiled.get(id(part.thing), part)) for part in parts)


def _same(part: Part, before: Part) -> bool:
    leads_to = [id(thing) for thing in part.leads_to]
    return part.digest == before.digest and leads_to == [id(thing) for thing in before.leads_to]


# --- what is said ---------------------------------------------------------------------------------------


_told: set[str] = set()


def tell_of_compiling(game: Game, is_told: bool = False) -> None:
    """Say what is being done and how long it may take, once; `is_told` where somebody has said so already."""
    from .estimate import seconds_to_start

    if game.name in _told:
        return
    _told.add(game.name)
    if not is_told:
        seconds = seconds_to_start(game)
        say(f"compiling {game.name} for this machine, about {seconds:.0f} s for a table or a batch, more for searches "
            f"(alarife compile {game.name} says how much); later starts load it at once.")  # fmt: skip
