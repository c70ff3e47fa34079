"""The bit primitives as machine instructions, for compiled kernels. The only room that loads Numba.

Numba compiles Python's `int.bit_count` to a loop; LLVM has an instruction for each of these.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def popcount(_typing: Any, _word: Any) -> Any:
    """How many bits are set."""

    def emit(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), emit


@intrinsic
def lowest(_typing: Any, _word: Any) -> Any:
    """The number of the lowest set bit of a word that has one."""

    def emit(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        never_zero = ir.Constant(ir.IntType(1), 1)
        return builder.cttz(arguments[0], never_zero)

    return types.int64(types.int64), emit
