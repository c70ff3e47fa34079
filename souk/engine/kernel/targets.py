"""Load kernels for a target: plain Python, or compiled with Numba.

A kernel is joined with the modules that drive it and specialised (see `source`). The Python
target runs that text, with the functions of every step unrolled. The Numba target compiles it as
one file. Both run the same text, so both play the same games. The usual driver is the playout
loop; each driver is compiled with its kernel separately.

Both targets are cached on disk (see `cache`): Numba's machine code, and the Python target's
bytecode, since unrolling takes longer than most commands.
"""

import ast
import importlib.util
import logging
import marshal
import sys
import threading
import time
from collections.abc import Iterator, MutableSequence
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from souk.engine.kernel import cache as disk
from souk.engine.kernel import source
from souk.engine.kernel import unroll as unrolling
from souk.engine.kernel.primitives import Int32s
from souk.engine.kernel.source import Constants, Kernel

TARGETS = ("numba", "python")
PLAYOUT_LOOP = ("souk.engine.kernel.playout_loop",)  # the usual driver
ACTION_LOG = ("souk.engine.kernel.action_log",)  # the driver that stores the actions of playouts
BATCH_LOOP = ("souk.engine.kernel.batch_loop",)  # the driver that steps batches of games
GREEDY_CHOICE = ("souk.engine.kernel.greedy_choice",)  # the driver of the level `greedy`
REPLAY_LOOP = ("souk.engine.kernel.replay_loop",)  # the driver that replays records
ROLLOUT_LOOP = ("souk.engine.kernel.rollout_loop",)  # the driver that plays on with an evaluation
# The last module of a driver lists in ENTRIES the functions that are called from Python.

_RANDOM = ("souk.engine.kernel.philox",)  # compiled in front of every kernel
_PRIMITIVES = "souk.engine.kernel.primitives"
_NUMBA_PRIMITIVES = "souk.engine.kernel.numba_primitives"  # defines the same names
_NUMBA_PIPELINE = "souk.engine.kernel.numba_pipeline"
_EVERY_STEP = ("mover", "is_legal", "legal_actions", "apply", "score")  # what a State calls

_Settings = tuple[tuple[str, int | tuple[int, ...]], ...]  # constants, hashable

log = logging.getLogger("souk")
_thread_lock = threading.Lock()


# ---- plain Python --------------------------------------------------------------------------------


def python_kernel(
    kernel: Kernel, constants: Constants, driver: Kernel = PLAYOUT_LOOP
) -> ModuleType:
    """Return a specialised kernel in plain Python, as a module of its functions and constants."""
    return _python_kernel(kernel, tuple(sorted(constants.items())), driver)


@cache
def _python_kernel(kernel: Kernel, constants: _Settings, driver: Kernel) -> ModuleType:
    module = ModuleType(kernel[0])
    for code in _load_bytecode(kernel, constants, driver):
        exec(code, vars(module))
    return module


def _load_bytecode(kernel: Kernel, constants: _Settings, driver: Kernel) -> list[CodeType]:
    """Return the code objects of a kernel, from the disk if they are there."""
    sources = disk.read_sources(
        (*kernel, *driver, _PRIMITIVES, unrolling.__name__, source.__name__, __name__)
    )
    origin = str(source.module_path(kernel[0]))  # which tracebacks show
    settings = (kernel, driver, constants, sys.version, origin)
    name = disk.cache_name(kernel, sorted(sources.items()), *settings)
    file = disk.bytecode_folder() / name
    with suppress(OSError, ValueError, EOFError, TypeError):
        stored = marshal.loads(file.read_bytes())
        if isinstance(stored, list):
            return stored
    codes = _make_bytecode(kernel, dict(constants), driver)
    with suppress(OSError):  # without a cache the code is made every time
        disk.write_atomically(file, marshal.dumps(codes))
    return codes


def _make_bytecode(kernel: Kernel, constants: Constants, driver: Kernel) -> list[CodeType]:
    """Compile a kernel's modules, then the functions of every step once more, unrolled."""
    texts = source.join_modules((*kernel, *driver), constants)
    codes = [compile(text, str(source.module_path(name)), "exec") for name, text in texts.items()]
    names: dict[str, Any] = {"__name__": kernel[0]}
    for code in codes:
        exec(code, names)
    values = {name: value for name, value in names.items() if source.is_int_constant(name, value)}
    primitives = source.module_path(_PRIMITIVES).read_text("utf-8")
    trees = [ast.parse(text) for text in (primitives, *(texts[module] for module in kernel))]
    steps = [name for name in _EVERY_STEP if name in names]  # `Game.rules` reports missing names
    unrolled = unrolling.unroll(steps, trees, values)
    return [*codes, compile(unrolled, str(source.module_path(kernel[0])), "exec")]


# ---- Numba ---------------------------------------------------------------------------------------


def numba_kernel(kernel: Kernel, constants: Constants, driver: Kernel = PLAYOUT_LOOP) -> ModuleType:
    """Return a specialised kernel compiled with Numba.

    A kernel that is not in the disk cache is compiled, and a log message says so.
    """
    with _thread_lock, _without_scipy():
        return _numba_kernel(kernel, tuple(sorted(constants.items())), driver)


def is_prepared(kernel: Kernel, constants: Constants, driver: Kernel = PLAYOUT_LOOP) -> bool:
    """Return whether the compiled kernel is in the disk cache; without Numba, none is."""
    if importlib.util.find_spec("numba") is None:
        return False
    return _ready_mark(_folder(kernel, constants, driver)).exists()


@cache
def _numba_kernel(kernel: Kernel, constants: _Settings, driver: Kernel) -> ModuleType:
    folder = disk.make_writable(_folder(kernel, dict(constants), driver))
    file = folder / "kernel.py"
    if not file.exists():
        texts = source.join_modules((*_RANDOM, *kernel, *driver), dict(constants))
        texts = source.log_writes(texts)
        text = "\n".join(map(source.strip_comments, texts.values()))
        text = text.replace(f"from {_PRIMITIVES} ", f"from {_NUMBA_PRIMITIVES} ")
        disk.write_atomically(file, text.encode())
    spec = importlib.util.spec_from_file_location(f"souk_kernel_{folder.name}", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module  # where Numba's cache looks for what it stored
    spec.loader.exec_module(module)
    mark = _ready_mark(folder)
    with nullcontext() if mark.exists() else disk.compile_lock(folder):
        if not mark.exists():
            numbers = [f"{name} {value}" for name, value in constants if isinstance(value, int)]
            log.warning(
                "souk: compiling %s for %s, once; this takes some seconds",
                kernel[0] if driver == PLAYOUT_LOOP else driver[-1],
                ", ".join(numbers),
            )
        started = time.perf_counter()
        compiled = _compile(module)
        if not mark.exists():
            mark.write_text(f"{time.perf_counter() - started:.1f} s\n", "utf-8")
    return compiled


def _compile(module: ModuleType) -> ModuleType:
    """Return a module with a kernel's compiled entry functions, its tables and constants.

    An entry is compiled, or loaded from Numba's cache, for the types of its annotations. Where the
    driver sets INLINE_ALL, every other function is inlined into its callers, unless the kernel
    lists it in NOT_INLINED; otherwise the compiler decides, and takes less time. Only the kernel
    calls these other functions, so they are left out: making them callable from Python would
    take a fifth of the time.
    """
    # Numba takes half a second to load, so it is loaded only when something is to be compiled.
    import numba
    import numpy as np

    from souk.engine.kernel.numba_pipeline import inner_options

    names = vars(module)
    options: dict[str, Any] = {
        "error_model": "numpy",
        "nogil": True,
        "no_cfunc_wrapper": True,
        "_nrt": False,  # no reference counts: they cost more than a step of a game
    }
    entries = {name: names[name] for name in names["ENTRIES"]}
    inner: set[str] = set()
    not_inlined = names.get("NOT_INLINED", ()) if names.get("INLINE_ALL") else names
    for name, value in list(names.items()):
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            if name not in entries:
                how = {
                    "forceinline": name not in not_inlined,
                    "no_cpython_wrapper": True,
                    **inner_options(is_inlined=bool(names.get("INLINE_ALL"))),
                    **options,
                }
                names[name] = numba.njit(**how)(value)
                inner.add(name)
        elif source.is_table(name, value):
            names[name] = np.array(value, dtype=np.int64)
    for name, function in entries.items():
        names[name] = numba.njit(_signature(function), cache=True, **options)(function)
    compiled = ModuleType(module.__name__)
    vars(compiled).update({name: value for name, value in names.items() if name not in inner})
    return compiled


@contextmanager
def _without_scipy() -> Iterator[None]:
    """Keep Numba from importing SciPy: it takes half a second, and no kernel uses it.

    Another thread might import SciPy meanwhile: then Numba may, too.
    """
    if "scipy" in sys.modules or threading.active_count() > 1:
        yield
        return
    sys.modules["scipy"] = None  # type: ignore[assignment]  # importing it fails
    try:
        yield
    finally:
        del sys.modules["scipy"]
        arraymath: Any = sys.modules.get("numba.np.arraymath")
        if arraymath:  # other Numba code of this process may use SciPy
            arraymath._HAVE_BLAS = importlib.util.find_spec("scipy") is not None


def _signature(function: FunctionType) -> Any:
    """Return the Numba types of a function's parameters, from their annotations."""
    from numba import types

    numba_types = {
        int: types.int64,
        float: types.float64,
        MutableSequence[int]: types.int64[::1],
        MutableSequence[float]: types.float32[::1],
        MutableSequence[bool]: types.boolean[::1],
        Int32s: types.int32[::1],
    }
    parameters = [kind for name, kind in function.__annotations__.items() if name != "return"]
    return tuple(numba_types[kind] for kind in parameters)


def _folder(kernel: Kernel, constants: Constants, driver: Kernel) -> Path:
    """Return the cache folder of a compiled kernel."""
    return disk.compiled_folder() / _cache_name(kernel, tuple(sorted(constants.items())), driver)


@cache  # reading and hashing the sources takes a tenth of a second
def _cache_name(kernel: Kernel, constants: _Settings, driver: Kernel) -> str:
    own = (__name__, source.__name__, _NUMBA_PRIMITIVES, _NUMBA_PIPELINE)
    sources = disk.read_sources((*kernel, *own, *_RANDOM, *driver))
    code = sorted((name, source.strip_comments(text)) for name, text in sources.items())
    versions = {name: version(name) for name in ("numba", "llvmlite", "numpy")}
    processor = disk.describe_processor()
    settings = (kernel, driver, constants, versions, sys.version, processor)
    return disk.cache_name(kernel, code, *settings)


def _ready_mark(folder: Path) -> Path:
    return folder / "ready"
