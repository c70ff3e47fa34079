"""Compile the functions that only other compiled functions call.

Numba optimises every function and emits machine code for it, then links it into its callers and
does both again for them. An inner function of a kernel runs only as part of an entry, so no
machine code is emitted for it. A function that is always inlined is not optimised by itself
either. This takes a seventh off the time to compile a search and a third off that of playouts,
and both run as fast. (A search whose inner functions are not optimised is a tenth slower.)

This changes parts of Numba that are not public, so it is limited to versions it was tested with.
"""

from types import SimpleNamespace
from typing import Any

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

TESTED = ("0.68.",)


def inner_options(*, is_inlined: bool) -> dict[str, Any]:
    """Return the options of `numba.njit` for an inner function; none for an untested Numba."""
    if not numba.__version__.startswith(TESTED):
        return {}
    return {"pipeline_class": InlinedCompiler if is_inlined else InnerCompiler}


class LinkedLibrary(JITCodeLibrary):
    """The code of an inner function and of all that it calls, for linking only."""

    optimises = True

    def finalize(self) -> None:
        """Link what the function calls and optimise it, without emitting machine code."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        if self.optimises:
            self._optimize_final_module()
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        """Return 0: there is no machine code."""
        return 0

    @property
    def codegen(self) -> SimpleNamespace:
        """Return an object that sets no environment: there is no machine code to read it."""
        return SimpleNamespace(set_env=lambda _name, _environment: None)


class InlinedLibrary(LinkedLibrary):
    """The code of a function that is always inlined: its callers optimise it."""

    optimises = False


class InnerCompiler(Compiler):
    """Numba's compiler for a function whose machine code is never called by itself."""

    library = LinkedLibrary

    def define_pipelines(self) -> list[object]:
        """Return Numba's own passes, after choosing where the function's code goes."""
        generator = self.state.targetctx.codegen()
        self.state.library = self.library(generator, self.state.func_id.func_qualname)
        passes: list[object] = super().define_pipelines()
        return passes


class InlinedCompiler(InnerCompiler):
    """Numba's compiler for a function that is always inlined."""

    library = InlinedLibrary
