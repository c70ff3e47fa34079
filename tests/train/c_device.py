"""A training device that runs the C source of kernels as a GPU does, compiled by a C compiler."""

import ctypes
import shutil
import subprocess

import numpy as np

from souk.engine.kernel.c_source import c_name, c_source, c_type
from souk.engine.kernel.source import parse_kernel

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


class CDevice:
    """One core, in C."""

    xp = np
    in_columns = True

    def __init__(self, folder):
        self.folder = folder
        self._entries = {}

    def load(self, kernel, constants):
        """Compile the functions of a kernel that handle one item."""
        kernel = ("souk.engine.kernel.philox", *kernel)  # as `cuda_target` does
        values, functions = parse_kernel(kernel, constants)
        text = c_source(kernel, constants, values.PER_ITEM)
        for name in values.PER_ITEM:
            given = functions[name].args.args[:-1]
            parameters = [f"{c_type(one.annotation)} {c_name(one.arg)}" for one in given]
            arguments = ", ".join([*(c_name(one.arg) for one in given), "item"])
            text += f"\nvoid all_{name}({', '.join([*parameters, 'long long items'])}) {{"
            text += f"  for (long long item = 0; item < items; item++) {name}({arguments}); }}"
        file = self.folder / f"{values.PER_ITEM[0]}.c"
        file.write_text(text)
        options = ["-O1", "-shared", "-fPIC", "-o", file.with_suffix(".so"), file, "-lm"]
        subprocess.run([COMPILER, *options], check=True, capture_output=True, text=True)
        library = ctypes.CDLL(str(file.with_suffix(".so")))
        self._entries |= {name: getattr(library, f"all_{name}") for name in values.PER_ITEM}

    def run(self, name, items, *given):
        """Run a function for a number of items."""
        assert all(one.flags.c_contiguous for one in given if hasattr(one, "flags"))
        arrays = [
            one.ctypes.data_as(ctypes.c_void_p) if isinstance(one, np.ndarray) else one
            for one in given
        ]
        arguments = [ctypes.c_longlong(one) if isinstance(one, int) else one for one in arrays]
        self._entries[name](*arguments, ctypes.c_longlong(items))
