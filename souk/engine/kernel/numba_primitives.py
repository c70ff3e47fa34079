"""The primitives of the kernels as machine instructions. The only room that loads Numba."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import RequireLiteralValue
from numba.extending import intrinsic
from numba.np import arrayobj


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


@intrinsic
def room(_typing: Any, size: Any) -> Any:
    """A buffer on the stack, with anything in it.

    The compiler can take such a buffer apart and keep its slots in registers, which it may not do
    with an array on the heap: random games run 1.2 times as fast. It lives until its function
    returns, so it must not be handed out.
    """
    return _on_stack(types.int64, ir.IntType(64), size)


@intrinsic
def reals(_typing: Any, size: Any) -> Any:
    """The same for fractions."""
    return _on_stack(types.float32, ir.FloatType(), size)


def _on_stack(kind: Any, machine_kind: Any, size: Any) -> Any:
    if not isinstance(size, types.IntegerLiteral):
        raise RequireLiteralValue("the size of a room is a constant")
    slots = size.literal_value
    buffer = types.Array(kind, 1, "C")

    def emit(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        memory = cgutils.alloca_once(builder, ir.ArrayType(machine_kind, slots))
        array = arrayobj.make_array(buffer)(context, builder)
        width = context.get_constant(types.intp, kind.bitwidth // 8)
        arrayobj.populate_array(
            array,
            data=builder.bitcast(memory, machine_kind.as_pointer()),
            shape=[context.get_constant(types.intp, slots)],
            strides=[width],
            itemsize=width,
            meminfo=None,
        )
        return array._getvalue()

    return buffer(size), emit
