"""Compile the functions that only other compiled functions call.

Numba optimises every function and emits machine code for it, then links it into its callers and
does both again for them. An inner function of a kernel runs only as part of an entry, so it is
lowered and linked, and the rest is left to the entry: this takes a third off the time to compile,
and playouts and searches run as fast.
"""

from types import SimpleNamespace

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class LinkedLibrary(JITCodeLibrary):
    """The code of an inner function and of all that it calls, for linking only."""

    def finalize(self) -> None:
        """Link what the function calls, without optimising or emitting machine code."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        """Return 0: there is no machine code."""
        return 0

    @property
    def codegen(self) -> SimpleNamespace:
        """Return an object that sets no environment: there is no machine code to read it."""
        return SimpleNamespace(set_env=lambda _name, _environment: None)


class InnerCompiler(Compiler):
    """Numba's compiler for a function whose machine code is never called by itself."""

    def define_pipelines(self) -> list[object]:
        """Return Numba's own passes, after choosing where the function's code goes."""
        generator = self.state.targetctx.codegen()
        self.state.library = LinkedLibrary(generator, self.state.func_id.func_qualname)
        passes: list[object] = super().define_pipelines()
        return passes
