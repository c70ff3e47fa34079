"""A training device that runs kernels in plain Python: slow, but nothing is compiled."""

import numpy as np

from souk.engine.kernel import targets


class PythonDevice:
    """One core, in plain Python."""

    xp = np
    in_columns = False

    def __init__(self):
        self._entries = {}

    def load(self, kernel, constants):
        """Load the entries of a kernel."""
        module = targets.python_kernel(kernel[:-1], constants, kernel[-1:])
        self._entries |= {name: getattr(module, name) for name in module.ENTRIES}

    def run(self, name, items, *given):
        """Run an entry for a number of items."""
        lists = [one.reshape(-1).tolist() if hasattr(one, "reshape") else one for one in given]
        self._entries[f"{name}_all"](*lists, 0, items)
        for array, values in zip(given, lists, strict=True):
            if hasattr(array, "reshape"):
                array.reshape(-1)[:] = values
