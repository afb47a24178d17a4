"""How rules become native code."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.extending import intrinsic, overload, register_jitable

from .link_only import kernel_compiler, rule_compiler

Function = TypeVar("Function", bound=Callable[..., Any])

#: True where no kernel is compiled: every rule runs as plain Python, slowly and debuggably.
INTERPRETED = bool(numba.config.DISABLE_JIT) or os.environ.get("ALARIFE_INTERPRETED", "0") not in ("", "0")

#: Bounds checks cost nothing measurable and turn a wrong index into an IndexError.
KERNEL_SETTINGS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": True}
RULE_SETTINGS: dict[str, Any] = {**KERNEL_SETTINGS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}

for _settings, _compiler in ((KERNEL_SETTINGS, kernel_compiler()), (RULE_SETTINGS, rule_compiler())):
    if _compiler is not None:
        _settings["pipeline_class"] = _compiler


def rule(function: Function) -> Function:
    """A rule: the Python function itself when Python calls it, native code inside a kernel."""
    marked: Function = register_jitable(**RULE_SETTINGS)(function)
    return marked


@intrinsic  # type: ignore[untyped-decorator]
def _uncounted(_typing: Any, array: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        seen = context.make_array(array)(context, builder, args[0])
        seen.meminfo = seen.meminfo.type(None)
        return seen._getvalue()

    return array(array), generate


def row(array: Any, i: Any) -> Any:
    """Row i of an array that the kernel was given, to be handed to rules.

    Numba counts references to an array at every call that passes it on, which takes longer than most rules; the array
    of a kernel outlives the call anyway, so that its rows need no counting.
    """
    return array[i]


@overload(row, jit_options=RULE_SETTINGS, strict=False)  # type: ignore[untyped-decorator]
def _row(array: Any, i: Any) -> Any:
    return lambda array, i: _uncounted(array)[i]
