"""Make a package callable, so that a name can be both a package and a function of its parent."""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


def make_callable(module: str, function: Callable[..., Any]) -> None:
    """Let calls of a module run a function.

    `souk.players("…")` lists names, and `import souk.players` still is the package.
    """

    class CallableModule(ModuleType):
        __call__ = staticmethod(function)

    sys.modules[module].__class__ = CallableModule
