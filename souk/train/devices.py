"""The machines that training runs on: the CPU with NumPy and Numba, or a GPU with CuPy.

Both run the same kernels, compiled by Numba or from their C source, and offer arrays with NumPy's
interface as `xp`, so training code is written once.
"""

import ast
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from souk.engine.errors import SoukError, one_of
from souk.engine.kernel import targets
from souk.engine.kernel.c_source import c_source
from souk.engine.kernel.source import Constants, Kernel, parse_kernel
from souk.engine.playouts import cores

THREADS = 128  # of a block on a GPU


class Machine(Protocol):
    """The operations that training needs of a machine."""

    xp: Any  # NumPy, or a module with its interface
    in_columns: bool  # whether a table of inputs has a column instead of a row per position

    def load(self, kernel: Kernel, constants: Constants) -> None:
        """Compile the entries of a kernel's last module."""

    def run(self, name: str, items: int, *given: Any) -> None:
        """Run an entry for a number of items."""


class Processor:
    """All cores of this computer."""

    in_columns = False

    def __init__(self) -> None:
        import numpy

        self.xp: Any = numpy
        self._entries: dict[str, Any] = {}
        self._pool = ThreadPoolExecutor(cores())

    def load(self, kernel: Kernel, constants: Constants) -> None:
        """Compile a kernel with Numba."""
        compiled = targets.numba_kernel(kernel[:-1], constants, kernel[-1:])
        self._entries |= {name: getattr(compiled, name) for name in compiled.ENTRIES}

    def run(self, name: str, items: int, *given: Any) -> None:
        """Run an entry for a number of items, on all cores."""
        entry = self._entries[f"{name}_all"]
        flat = [one.reshape(-1) if hasattr(one, "reshape") else one for one in given]
        size = max(1, -(-items // (4 * cores())))
        parts = [(first, min(first + size, items)) for first in range(0, items, size)]
        list(self._pool.map(lambda part: entry(*flat, *part), parts))


class Gpu:
    """An NVIDIA GPU, through CuPy."""

    in_columns = True

    def __init__(self) -> None:
        try:
            import cupy
        except ImportError:
            raise SoukError("training on a GPU needs CuPy: install souk[train]") from None
        if not cupy.cuda.runtime.getDeviceCount():
            raise SoukError("there is no GPU here; train on the cpu")
        self.xp: Any = cupy
        self._entries: dict[str, Any] = {}

    def load(self, kernel: Kernel, constants: Constants) -> None:
        """Compile a kernel's C source with CUDA's own compiler."""
        names, functions = parse_kernel(kernel, constants)
        entries = [name.removesuffix("_all") for name in names.ENTRIES]
        arguments = {name: [one.arg for one in functions[name].args.args] for name in entries}
        text = c_source(kernel, constants, entries) + "".join(
            _cuda_kernel(name, functions[name].args.args, arguments[name]) for name in entries
        )
        module = self.xp.RawModule(code=text, options=("--std=c++14",))
        self._entries |= {name: module.get_function(f"all_{name}") for name in entries}

    def run(self, name: str, items: int, *given: Any) -> None:
        """Run an entry, one item per thread."""
        numbers = [self.xp.int64(one) if isinstance(one, int) else one for one in given]
        blocks = -(-items // THREADS)
        self._entries[name]((blocks,), (THREADS,), (*numbers, self.xp.int64(items)))


def _cuda_kernel(name: str, parameters: Sequence[Any], arguments: Sequence[str]) -> str:
    """Return the C source of a CUDA kernel that runs a function for one item per thread."""
    kinds: Mapping[str, str] = {
        "int": "long long",
        "MutableSequence[int]": "long long *",
        "MutableSequence[float]": "float *",
    }
    given = [f"{kinds[ast.unparse(one.annotation)]} {one.arg}" for one in parameters[:-1]]
    return f"""
extern "C" __global__ void all_{name}({", ".join(given)}, long long items) {{
  long long item = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (item < items) {name}({", ".join([*arguments[:-1], "item"])});
}}
"""


MACHINES: dict[str, type[Processor] | type[Gpu]] = {"cpu": Processor, "gpu": Gpu}


def machine(name: str) -> Machine:
    """Return a machine by its name."""
    if name not in MACHINES:
        raise SoukError(f"training runs on {one_of(MACHINES)}, not on {name!r}")
    return MACHINES[name]()
