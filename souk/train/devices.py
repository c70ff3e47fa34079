"""The machines that training runs on: the CPU with NumPy and Numba, or a GPU with CuPy.

Both run the same kernels, compiled by Numba or from their C source, and offer arrays with NumPy's
interface as `xp`, so training code is written once.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from souk.engine.errors import SoukError, one_of
from souk.engine.kernel import targets
from souk.engine.kernel.cuda_target import cuda_kernel, load_cupy
from souk.engine.kernel.source import Constants, Kernel
from souk.engine.playouts import cores


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
        self.xp: Any = load_cupy("training on a GPU")
        self._entries: dict[str, Any] = {}

    def load(self, kernel: Kernel, constants: Constants) -> None:
        """Compile a kernel's C source with CUDA's own compiler."""
        self._entries |= vars(cuda_kernel(kernel[:-1], constants, kernel[-1:]))

    def run(self, name: str, items: int, *given: Any) -> None:
        """Run an entry, one item per thread."""
        self._entries[name](items, *given)


MACHINES: dict[str, type[Processor] | type[Gpu]] = {"cpu": Processor, "gpu": Gpu}


def machine(name: str) -> Machine:
    """Return a machine by its name."""
    if name not in MACHINES:
        raise SoukError(f"training runs on {one_of(MACHINES)}, not on {name!r}")
    return MACHINES[name]()
