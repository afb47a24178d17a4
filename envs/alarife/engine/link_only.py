"""Rules are compiled for linking only: they are optimised once, inside the kernels that use them.

Numba optimises and assembles every function on its own *and* again inside each of its callers, which makes the time
grow with the depth of the call graph. `rule_compiler` leaves a rule as unoptimised intermediate code.

A rule that stays a call of its own hands its result over in memory, has its errors tested by the caller, and knows
nothing of its arguments. Numba lets other modules call every function, and LLVM thinks most of them too large to be
taken in where they are called. So small rules always are taken in, and to a kernel (`kernel_compiler`) all its rules
are private, as static functions are in C: one called from a single place, such as `observe`, becomes part of it.

All this leans on private names of Numba; where one of them is missing the two functions return None, and the code is
compiled the ordinary way: the same results, more slowly.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from typing import Any

#: Rules with fewer instructions than this, those of the rules they call included and all before any optimisation.
ALWAYS_INLINE_BELOW = 2500


@lru_cache
def rule_compiler() -> Any:
    """The compiler class for rules, or None for Numba's ordinary one."""
    return _unless_missing(_link_only_library)


@lru_cache
def kernel_compiler() -> Any:
    """The compiler class for kernels, or None for Numba's ordinary one."""
    return _unless_missing(_kernel_library)


def _unless_missing(library: Callable[[], Any]) -> Any:
    if os.environ.get("ALARIFE_PLAIN_COMPILE", "0") not in ("", "0"):
        return None
    try:
        return _compiler_into(library())
    except (ImportError, AttributeError, TypeError):
        return None


def _compiler_into(library: Any) -> Any:
    """Numba's compiler, with functions put into libraries of that class."""
    from numba.core import compiler, typed_passes
    from numba.core.compiler_machinery import FunctionPass, register_pass

    @register_pass(mutates_CFG=False, analysis_only=True)
    class UseLibrary(FunctionPass):  # type: ignore[misc]
        _name = f"use_{library.__name__}"

        def __init__(self) -> None:
            FunctionPass.__init__(self)

        def run_pass(self, state: Any) -> bool:
            state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            return False

    class Compiler(compiler.CompilerBase):  # type: ignore[misc]
        def define_pipelines(self) -> list[Any]:
            pipeline = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
            pipeline.add_pass_after(UseLibrary, typed_passes.NopythonTypeInference)
            pipeline.finalize()
            return [pipeline]

    return Compiler


def _kernel_library() -> Any:
    from llvmlite.binding import Linkage
    from numba.core import codegen

    getattr(codegen.JITCodeLibrary, "_optimize_final_module")  # noqa: B009 - to notice if it is gone

    class KernelLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
        def _optimize_final_module(self) -> None:
            for function in self._final_module.functions:
                linked = not function.is_declaration and function.linkage is Linkage.linkonce_odr
                if linked and not function.name.startswith("NRT_"):  # counting of references is known by its name
                    function.linkage = Linkage.internal
            super()._optimize_final_module()

    return KernelLibrary


def _link_only_library() -> Any:
    from numba import njit
    from numba.core import codegen

    for name in ("_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals"):
        getattr(codegen.JITCodeLibrary, name)

    @lru_cache
    def refusal() -> Any:
        """Address of a wrapper that refuses arguments: a rule called by mistake raises instead of crashing."""

        @njit  # type: ignore[untyped-decorator]
        def rule_called_outside_a_kernel() -> None:
            pass

        rule_called_outside_a_kernel()
        (compiled,) = rule_called_outside_a_kernel.overloads.values()
        return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cpython_wrapper_name)

    class UnloadedCodegen:
        """The code generator of a library that is never loaded by itself."""

        def __init__(self, generator: Any) -> None:
            self._generator = generator

        def __getattr__(self, name: str) -> Any:
            return getattr(self._generator, name)

        def set_env(self, name: str, env: Any) -> None:
            pass

    class LinkOnlyLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
        def add_ir_module(self, module: Any) -> None:
            self.names = [function.name for function in module.functions if not function.is_declaration]
            self.size = self._size_with_callees(module)
            if self.size < ALWAYS_INLINE_BELOW:
                for function in module.functions:
                    if not function.is_declaration and "noinline" not in function.attributes:
                        function.attributes.add("alwaysinline")
            super().add_ir_module(module)

        def _size_with_callees(self, module: Any) -> int:
            text = str(module)
            size = sum(len(block.instructions) for function in module.functions for block in function.blocks)
            for rule in self._linking_libraries:
                for name in getattr(rule, "names", ()):
                    size += rule.size * text.count(f'call i32 @"{name}"(')
            return size

        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> Any:
            return refusal()

        @property
        def codegen(self) -> Any:
            return UnloadedCodegen(self._codegen)

    return LinkOnlyLibrary
