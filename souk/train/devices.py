"""Where training runs: the processor with NumPy and Numba, or a GPU with CuPy.

Both run the same kernels, one from Numba's compiler, the other from their C text, and both offer
arrays in NumPy's words as `xp`. So what follows is written once.
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
    """What training needs of a machine."""

    xp: Any  # NumPy, or what has its words
    in_columns: bool  # whether a table of inputs has a column for every position

    def load(self, kernel: Kernel, constants: Constants) -> None:
        """Make the entries of a kernel's last module ready."""

    def run(self, name: str, items: int, *given: Any) -> None:
        """Do an entry's work for so many items."""


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
        """Do an entry's work for so many items, on all cores."""
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
        """Compile a kernel's C text with CUDA's own compiler."""
        names, functions = parse_kernel(kernel, constants)
        wanted = [name.removesuffix("_all") for name in names.ENTRIES]
        takes = {name: [one.arg for one in functions[name].args.args] for name in wanted}
        text = c_source(kernel, constants, wanted) + "".join(
            _launched(name, functions[name].args.args, takes[name]) for name in wanted
        )
        module = self.xp.RawModule(code=text, options=("--std=c++14",))
        self._entries |= {name: module.get_function(f"all_{name}") for name in wanted}

    def run(self, name: str, items: int, *given: Any) -> None:
        """Do an entry's work, an item in every thread."""
        numbers = [self.xp.int64(one) if isinstance(one, int) else one for one in given]
        blocks = -(-items // THREADS)
        self._entries[name]((blocks,), (THREADS,), (*numbers, self.xp.int64(items)))


def _launched(name: str, parameters: Sequence[Any], takes: Sequence[str]) -> str:
    """The C text that does one item in every thread."""
    kinds: Mapping[str, str] = {
        "int": "long long",
        "MutableSequence[int]": "long long *",
        "MutableSequence[float]": "float *",
    }
    given = [f"{kinds[ast.unparse(one.annotation)]} {one.arg}" for one in parameters[:-1]]
    return f"""
extern "C" __global__ void all_{name}({", ".join(given)}, long long items) {{
  long long item = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (item < items) {name}({", ".join([*takes[:-1], "item"])});
}}
"""


MACHINES: dict[str, type[Processor] | type[Gpu]] = {"cpu": Processor, "gpu": Gpu}


def machine(name: str) -> Machine:
    """A machine by its name."""
    if name not in MACHINES:
        raise SoukError(f"training runs on {one_of(MACHINES)}, not on {name!r}")
    return MACHINES[name]()
