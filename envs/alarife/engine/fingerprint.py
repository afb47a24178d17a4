"""A digest of a kernel as it is in memory: its own code, and that of everything it may call or read.

What Numba compiles is the code object that was imported, not the file it came from, which may have been edited since.
So nothing here reads a file. From a function the walk goes on to the functions, tables and constants that its closure
and its global names hold, and to what Numba compiles in place of them (`overload`). Docstrings, line numbers and paths
do not count, and nothing depends on the process: sets are sorted, and no address enters.

Tools (Python's library, NumPy, Numba) are known by name here and by version in `toolchain`.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import sys
from collections.abc import Callable, Iterable
from functools import cached_property
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

import llvmlite
import numba
import numpy as np
from numba.core.typing.templates import builtin_registry

from . import link_only
from .jit import KERNEL_SETTINGS, RULE_SETTINGS

_TOOLS = {*sys.stdlib_module_names, "numpy", "numba", "llvmlite"} - {"__main__"}
_SETTINGS = (
    "BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT", "CPU_NAME", "USING_SVML",
)  # fmt: skip
_HAS_DOCSTRING = 0x4000000  # flag of code objects from Python 3.13 on
_ABSENT = object()


class Part(NamedTuple):
    """A function, class or other object that is known by what it holds."""

    thing: Any  # kept alive: parts are found by their address
    digest: bytes  # of what it holds itself
    leads_to: tuple[Any, ...]  # objects that are parts of their own
    size: int  # bytes of code


class Survey:
    """What was found on walks that began at some kernels. It sees each object once: make a new one to look again."""

    def __init__(self) -> None:
        self._parts: dict[int, Part] = {}

    def parts_of(self, function: Callable[..., Any]) -> list[Part]:
        """The function and everything it leads to, in an order that is the same in every process."""
        return self._walk(function)[0]

    def digest(self, function: Callable[..., Any]) -> str:
        """The digest of a function and everything it leads to."""
        parts, edges = self._walk(function)
        digest = hashlib.sha256()
        for part, leads_to in zip(parts, edges, strict=True):
            digest.update(part.digest + repr(leads_to).encode())
        return digest.hexdigest()

    def _walk(self, function: Callable[..., Any]) -> tuple[list[Part], list[list[int]]]:
        places, queue, edges = {id(function): 0}, [self._part(function)], []
        for part in queue:  # which grows meanwhile
            for thing in part.leads_to:
                if places.setdefault(id(thing), len(queue)) == len(queue):
                    queue.append(self._part(thing))
            edges.append([places[id(thing)] for thing in part.leads_to])
        return queue, edges

    def _part(self, thing: Any) -> Part:
        if id(thing) not in self._parts:
            self._parts[id(thing)] = _Writer().part(thing)
        return self._parts[id(thing)]


class _Writer:
    """Writes down what one object holds."""

    def __init__(self) -> None:
        self._words: list[bytes] = []
        self._leads_to: list[Any] = []
        self._size = 0

    def part(self, thing: Any) -> Part:
        if isinstance(thing, FunctionType):
            self._function(thing)
        elif isinstance(thing, type):
            self._class(thing)
        else:
            self._object(thing)
        digest = hashlib.sha256()
        for word in self._words:
            digest.update(len(word).to_bytes(8, "little") + word)
        return Part(thing, digest.digest(), tuple(self._leads_to), self._size)

    def _say(self, *words: object) -> None:
        self._words.append(" ".join(map(str, words)).encode("utf-8", "surrogatepass"))

    # --- what is a part of its own ----------------------------------------------------------------

    def _function(self, function: FunctionType) -> None:
        stands_in = _overloads(function)
        is_itself = not stands_in
        for factory, options in stands_in:
            self._say("compiled as", *sorted(f"{name}={_name_of(value)}" for name, value in options.items()))
            if any(held is function for held in _held(factory)):
                is_itself = True
            else:
                self._value(factory)
        if is_itself:
            self._body(function)

    def _body(self, function: FunctionType) -> None:
        self._code(function.__code__, function.__globals__)
        for held in _held(function):
            self._value(held)
        self._value(function.__defaults__)
        self._value(function.__kwdefaults__)

    def _code(self, code: CodeType, names: dict[str, Any]) -> None:
        self._size += len(code.co_code)
        self._say("code", code.co_name, code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount,
                  code.co_flags, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)  # fmt: skip
        self._words += [code.co_code, getattr(code, "co_exceptiontable", b"")]
        for at, constant in enumerate(code.co_consts):
            if isinstance(constant, CodeType):
                self._code(constant, names)
            elif at > 0 or not _has_docstring(code):
                self._value(constant)
        for name in code.co_names:
            self._global(name, names.get(name, _ABSENT), code.co_names, 0)

    def _global(self, name: str, value: Any, names: tuple[str, ...], depth: int) -> None:
        """A name of the module, if it is one; of a module behind it, the names that the code speaks of."""
        if value is _ABSENT:
            return
        self._say("name", name)
        if not isinstance(value, ModuleType) or _is_tool(value.__name__) or depth > len(names):
            self._value(value)
            return
        for inner in names:
            self._global(inner, vars(value).get(inner, _ABSENT), names, depth + 1)

    def _class(self, kind: type) -> None:
        self._say("class", kind.__qualname__)
        for base in kind.__bases__:
            self._value(base)
        self._items((name, value) for name, value in vars(kind).items() if not name.startswith("__"))

    def _object(self, thing: Any) -> None:
        self._say("object of")
        self._value(type(thing))
        kept = {name for kind in type(thing).__mro__ for name, value in vars(kind).items()
                if isinstance(value, cached_property)}  # fmt: skip
        self._items((name, value) for name, value in vars(thing).items() if name not in kept)

    def _items(self, items: Iterable[tuple[str, Any]]) -> None:
        for name, value in sorted(items, key=lambda item: item[0]):
            self._say("item", name)
            self._value(value)

    # --- values -----------------------------------------------------------------------------------

    def _value(self, value: Any) -> None:
        if isinstance(value, enum.Enum):
            self._say("member", type(value).__qualname__, value.name)
            self._value(value.value)
        elif value is None or value is Ellipsis or isinstance(value, (bool, int, float, complex, str, bytes)):
            self._say(type(value).__name__, repr(value))
        elif isinstance(value, np.ndarray):
            self._array(value)
        elif isinstance(value, np.generic):
            self._say("number", value.dtype)
            self._words.append(value.tobytes())
        elif isinstance(value, (tuple, list)):
            self._say(type(value).__name__, len(value), getattr(value, "_fields", ""))
            if all(type(item) is int for item in value):  # as in large layouts: quicker at once
                self._say(tuple(value).__repr__())
                return
            for item in value:
                self._value(item)
        elif isinstance(value, (set, frozenset)):
            self._say("set", *sorted(_alone(item) for item in value))
        elif isinstance(value, dict):
            self._say("dict", *sorted(f"{_alone(name)} {_alone(item)}" for name, item in value.items()))
        elif isinstance(value, type) and issubclass(value, enum.Enum):
            self._say("names", value.__qualname__)
            for member in value.__members__.items():
                self._value((member[0], member[1].value))
        elif isinstance(value, ModuleType):
            self._say("module", value.__name__)
        else:
            self._thing(value)

    def _array(self, array: Any) -> None:
        layout = ("C" if array.flags.c_contiguous else "", "F" if array.flags.f_contiguous else "")
        self._say("array", repr(array.dtype), array.shape, layout, array.flags.writeable)
        if array.dtype.hasobject:
            self._value(array.tolist())
        else:
            self._words.append(array.tobytes())

    def _thing(self, value: Any) -> None:
        """What can be called, and what else a closure may hold."""
        if isinstance(value, functools.partial):
            self._say("partial")
            self._value((value.func, value.args, value.keywords))
        elif isinstance(value, MethodType):
            self._say("method")
            self._value((value.__func__, value.__self__))
        elif isinstance(value, (staticmethod, classmethod)) or hasattr(value, "cache_info"):
            self._value(value.__wrapped__)
        elif isinstance(value, property):
            self._value((value.fget, value.fset))
        elif isinstance(getattr(value, "py_func", None), FunctionType):  # compiled by somebody's own njit
            self._say("compiled", *sorted(f"{k}={_name_of(v)}" for k, v in getattr(value, "targetoptions", {}).items()))
            self._lead(value.py_func)
        elif isinstance(getattr(value, "_defn", None), FunctionType):  # an intrinsic
            self._say("intrinsic")
            self._lead(value._defn)
        elif isinstance(value, FunctionType):
            if _is_tool(value.__module__) and not _overloads(value):
                self._tool(value)
                for held in _held(value):  # such as what Numba's own factories stand for
                    self._value(held)
            else:
                self._lead(value)
        elif _is_tool(value.__module__ if isinstance(value, type) else type(value).__module__):
            self._tool(value)
        elif hasattr(value, "__dict__"):
            self._lead(value)
        else:
            self._say("object of", type(value).__qualname__)
            self._items((name, getattr(value, name, None)) for name in _slots(type(value)))

    def _lead(self, value: Any) -> None:
        self._say("part")
        self._leads_to.append(value)

    def _tool(self, value: Any) -> None:
        """Something of a tool, by name or by what it says of itself."""
        if isinstance(value, (type, FunctionType, BuiltinFunctionType)):
            self._say("tool", value.__module__, value.__qualname__)
            return
        told = repr(value)
        self._say("tool", type(value).__module__, type(value).__qualname__, "" if " at 0x" in told else told)


def _alone(value: Any) -> str:
    """A value in a set or a dictionary, whose order is not to count; functions in one are told by their own code."""
    writer = _Writer()
    writer._value(value)
    for thing in writer._leads_to:
        writer._words.append(_Writer().part(thing).digest)
    return hashlib.sha256(b"\0".join(writer._words)).hexdigest()


def _has_docstring(code: CodeType) -> bool:
    if sys.version_info >= (3, 13):
        return bool(code.co_flags & _HAS_DOCSTRING)
    return not code.co_name.startswith("<") and bool(code.co_consts) and isinstance(code.co_consts[0], str)


def _held(function: Any) -> list[Any]:
    """What the closure of a function holds."""
    held = []
    for cell in function.__closure__ or ():
        try:
            held.append(cell.cell_contents)
        except ValueError:  # nothing yet
            held.append("empty")
    return held


def _slots(kind: type) -> list[str]:
    return [name for each in kind.__mro__ for name in getattr(each, "__slots__", ())]


def _is_tool(module: str | None) -> bool:
    return module is not None and module.partition(".")[0] in _TOOLS


def _name_of(value: Any) -> str:
    return value.__qualname__ if isinstance(value, type) else repr(value)


# --- what Numba compiles in place of functions --------------------------------------------------------

_found: dict[int, list[tuple[Any, dict[str, Any]]]] = {}
_looked_at = 0


def _overloads(function: Any) -> list[tuple[Any, dict[str, Any]]]:
    """The makers of what Numba compiles for a function, and their settings; none for one that it does not know."""
    global _looked_at
    known = builtin_registry.globals
    for thing, kind in known[_looked_at:]:
        for template in getattr(kind, "templates", ()):
            if maker := getattr(template, "_overload_func", None):
                _found.setdefault(id(thing), []).append((maker, getattr(template, "_jit_options", {})))
    _looked_at = len(known)
    return _found.get(id(function), [])


def _strange_methods() -> list[Any]:
    """Makers of methods and attributes that others than Numba have added: they apply wherever the type occurs."""
    makers = {template._overload_func for template in builtin_registry.attributes
              if not _is_tool(getattr(getattr(template, "_overload_func", None), "__module__", "numba"))}  # fmt: skip
    return sorted(makers, key=lambda maker: (maker.__module__, maker.__qualname__))


def toolchain(survey: Survey) -> str:
    """The versions and settings that change code, and our own part of the compiler."""
    versions = sys.version, numba.__version__, llvmlite.__version__, np.__version__
    settings = [getattr(numba.config, name, None) for name in _SETTINGS]
    own = [sorted((name, _name_of(value)) for name, value in kind.items()) for kind in (KERNEL_SETTINGS, RULE_SETTINGS)]
    parts = [value for value in vars(link_only).values() if getattr(value, "__module__", "") == link_only.__name__]
    digests = [survey.digest(getattr(part, "__wrapped__", part)) for part in [*parts, *_strange_methods()]]
    return repr((versions, settings, own, link_only.ALWAYS_INLINE_BELOW, digests))


__all__ = ["Part", "Survey", "toolchain"]
