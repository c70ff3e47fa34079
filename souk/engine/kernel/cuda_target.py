"""Load kernels for CUDA: the C source of a kernel, compiled by CUDA's own compiler through CuPy.

A driver lists in PER_ITEM the functions that handle one item of a batch. Their last parameter is
the item's number; on a GPU every item has a thread of its own. CuPy stores what it compiled in its
cache folder.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

from souk.engine.errors import SoukError
from souk.engine.extras import needs_extra
from souk.engine.kernel.c_source import c_name, c_source, c_type
from souk.engine.kernel.source import Constants, Kernel, parse_kernel
from souk.engine.kernel.value_ranges import ANY, unwritten_slots

THREADS = 128  # of a block
OPTIONS = ("--std=c++14",)
_RANDOM = ("souk.engine.kernel.philox",)
_Settings = tuple[tuple[str, Any], ...]  # constants, hashable


@cache
def load_cupy(what: str) -> Any:
    """Return CuPy; raise a SoukError that says what needs it, if it or a GPU is missing."""
    with needs_extra("gpu", what):
        import cupy
    try:
        devices = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError:  # there is no driver
        devices = 0
    if not devices:
        raise SoukError(f"{what} needs an NVIDIA GPU, and there is none here: use the cpu")
    return cupy


def cuda_kernel(
    kernel: Kernel, constants: Constants, driver: Kernel, start: Sequence[int] | None = None
) -> Any:
    """Return an object with CuPy as `cupy` and the PER_ITEM functions of a driver as methods.

    Each is called with the number of items and the function's other arguments: CuPy arrays of
    int64 or float32 for buffers, and integers. It returns before the GPU has finished. With the
    buffer of a position, `start`, all positions have the knobs of that one, which is faster.
    """
    fixed = () if start is None else fixed_knobs(kernel, constants, driver, start)
    return _cuda_kernel(kernel, tuple(sorted(constants.items())), driver, fixed)


def fixed_knobs(
    kernel: Kernel, constants: Constants, driver: Kernel, start: Sequence[int]
) -> tuple[tuple[str, int], ...]:
    """Return the slots that no function writes, by name, with their values in a buffer."""
    knobs = _knobs(kernel, tuple(sorted(constants.items())), driver)
    return tuple((name, start[slot]) for name, slot in knobs)


@cache
def _knobs(kernel: Kernel, constants: _Settings, driver: Kernel) -> list[tuple[str, int]]:
    """Return the slots that no function writes."""
    values, functions = parse_kernel(_modules(kernel, driver), dict(constants))
    names = unwritten_slots(vars(values), functions)
    return [(name, getattr(values, name)) for name in names]


@cache
def _cuda_kernel(
    kernel: Kernel, constants: _Settings, driver: Kernel, fixed: tuple[tuple[str, int], ...]
) -> Any:
    cupy = load_cupy('device="cuda"')
    text, names = cuda_source(kernel, dict(constants), driver, dict(fixed))
    options = compiler_options(_modules(kernel, driver), dict(constants))
    module = cupy.RawModule(code=text, options=options)
    functions = {name: module.get_function(f"all_{name}") for name in names}
    more = extra_stack(_modules(kernel, driver), dict(constants))
    if more:
        runtime = cupy.cuda.runtime
        stack = more + max(one.local_size_bytes for one in functions.values())
        if runtime.deviceGetLimit(runtime.cudaLimitStackSize) < stack:
            runtime.deviceSetLimit(runtime.cudaLimitStackSize, stack)
    launchers = {name: _launcher(cupy, one) for name, one in functions.items()}
    return SimpleNamespace(cupy=cupy, **launchers)


def _launcher(cupy: Any, function: Any) -> Callable[..., None]:
    def launch(items: int, *arguments: Any) -> None:
        types = {int: cupy.int64, float: cupy.float32}  # as in the C source
        numbers = [types[type(one)](one) if type(one) in types else one for one in arguments]
        blocks = -(-items // THREADS)
        if blocks:
            function((blocks,), (THREADS,), (*numbers, cupy.int64(items)))

    return launch


def check_ranges(rules: Any, buffer: Sequence[int]) -> None:
    """Raise a SoukError for a position with a value outside the ranges that a kernel declares."""
    ranges = getattr(rules, "RANGES", {})
    starts = {getattr(rules, name): name for name in ranges}
    name = ""
    for slot, value in enumerate(buffer):
        name = starts.get(slot, name)
        low, high = ranges.get(name, ANY)
        if not low <= value <= high:
            raise SoukError(
                f"a GPU plays from positions with a {name} from {low} to {high}, not {value}"
            )


def to_host(array: Any) -> Any:
    """Return a NumPy array with the numbers of a CuPy array.

    It is in page-locked memory, which a GPU writes several times as fast.
    """
    import cupy
    import cupyx

    host = cupyx.empty_pinned(array.shape, array.dtype)
    return cupy.ascontiguousarray(array).get(out=host) if array.size else host


def cuda_source(
    kernel: Kernel, constants: Constants, driver: Kernel, fixed: Mapping[str, int]
) -> tuple[str, list[str]]:
    """Return the CUDA source of a driver's PER_ITEM functions, and their names."""
    modules = _modules(kernel, driver)
    values, functions = parse_kernel(modules, constants)
    names = list(values.PER_ITEM)
    text = c_source(modules, constants, names, fixed)
    return text + "".join(_entry(functions[name]) for name in names), names


def compiler_options(kernel: Kernel, constants: Constants) -> tuple[str, ...]:
    """Return the compiler's options: ours, and those that a kernel lists in CUDA_OPTIONS."""
    values, _ = parse_kernel(kernel, constants)
    return (*OPTIONS, *getattr(values, "CUDA_OPTIONS", ()))


def extra_stack(kernel: Kernel, constants: Constants) -> int:
    """Return the bytes of stack in a thread for functions that call themselves: CUDA_STACK.

    The compiler does not know how often they do, so its own figure leaves them out.
    """
    values, _ = parse_kernel(kernel, constants)
    return int(getattr(values, "CUDA_STACK", 0))


def _modules(kernel: Kernel, driver: Kernel) -> Kernel:
    return (*_RANDOM, *(name for name in kernel if name not in _RANDOM), *driver)


def _entry(function: ast.FunctionDef) -> str:
    """Return the C source of a CUDA kernel that runs a function for one item per thread."""
    given = function.args.args[:-1]
    parameters = [f"{c_type(one.annotation)} {c_name(one.arg)}" for one in given]
    arguments = [c_name(one.arg) for one in given]
    return f"""
extern "C" __global__ void all_{function.name}({", ".join([*parameters, "long long threads"])}) {{
  long long item = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (item < threads) {c_name(function.name)}({", ".join([*arguments, "item"])});
}}
"""
