"""Rules are compiled for linking only: they are optimised once, inside the kernels that use them.

Numba optimises and assembles every function on its own *and* again inside each of its callers, which makes the time
grow with the depth of the call graph. The pipeline below leaves a rule as unoptimised intermediate code. It leans on
private names of Numba; where one of them is missing, `rule_compiler` returns None and rules are compiled the ordinary
way: the same results, more slowly.

A rule that stays a call of its own hands its result over in memory and has its errors tested by the caller, and LLVM
thinks most rules too large to be taken in where they are called. So rules up to a certain size always are.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any

#: Rules with fewer instructions than this, those of the rules they call included and all before any optimisation.
ALWAYS_INLINE_BELOW = 2000


@lru_cache
def rule_compiler() -> Any:
    """The compiler class for rules, or None for Numba's ordinary one."""
    if os.environ.get("ALARIFE_PLAIN_COMPILE", "0") not in ("", "0"):
        return None
    try:
        return _link_only_compiler()
    except (ImportError, AttributeError, TypeError):
        return None


def _link_only_compiler() -> Any:
    from numba import njit
    from numba.core import codegen, compiler, typed_passes
    from numba.core.compiler_machinery import FunctionPass, register_pass

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

    @register_pass(mutates_CFG=False, analysis_only=True)
    class UseLinkOnlyLibrary(FunctionPass):  # type: ignore[misc]
        _name = "use_link_only_library"

        def __init__(self) -> None:
            FunctionPass.__init__(self)

        def run_pass(self, state: Any) -> bool:
            state.library = LinkOnlyLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            return False

    class RuleCompiler(compiler.CompilerBase):  # type: ignore[misc]
        def define_pipelines(self) -> list[Any]:
            pipeline = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
            pipeline.add_pass_after(UseLinkOnlyLibrary, typed_passes.NopythonTypeInference)
            pipeline.finalize()
            return [pipeline]

    return RuleCompiler
