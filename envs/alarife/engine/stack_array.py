"""Arrays that live as long as the rule that asks for them.

Compiled rules get them on the stack: nothing is allocated, and no references are counted, which would take longer than
many of the loops that use them. So a rule may hand such an array to rules that it calls, but never return it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import lower_builtin, type_callable
from numba.np.arrayobj import make_array, populate_array


def stack_array(dtype: Any, *shape: int) -> Callable[[], Any]:
    """A function without parameters that gives an array of that shape, whose numbers are anything."""

    def make() -> Any:
        return np.empty(shape, dtype)

    item = numba.from_dtype(np.dtype(dtype))
    kind = types.Array(item, len(shape), "C")
    size = np.dtype(dtype).itemsize
    strides = [size * math.prod(shape[i + 1 :]) for i in range(len(shape))]

    @type_callable(make)  # type: ignore[untyped-decorator]
    def _type(_context: Any) -> Any:
        return lambda: kind

    @lower_builtin(make)  # type: ignore[untyped-decorator]
    def _lower(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        def number(value: int) -> Any:
            return ir.Constant(context.get_value_type(types.intp), value)

        data = cgutils.alloca_once(builder, context.get_data_type(item), size=math.prod(shape))
        made = make_array(kind)(context, builder)
        populate_array(made, data, [number(n) for n in shape], [number(n) for n in strides], number(size), None)
        return made._getvalue()

    return make
