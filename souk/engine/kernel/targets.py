"""Turns a game's kernel into something that runs: plain Python or compiled with Numba.

A kernel is one or more modules in the compilable subset, read as if they were one. It is
*specialised* by setting some top-level constants of its first module anew, and its text is then
run as it is (`python`) or written as one file, together with kernel modules that drive it, and
compiled (`numba`). Both targets run the same text, so they play the same games. What drives it is
the loop of random games, unless another is named: each is a bundle of its own, compiled apart.

The compiled file lies in a folder named by a hash of every source that went into it, of the
constants and of the versions of Python, NumPy and Numba, and Numba's own cache lies beside it.
So a cached kernel can never be stale: an edit leads to another folder. Plain Python is kept in
the same way, as code that is ready to run: making it takes longer than most commands.
"""

import ast
import atexit
import hashlib
import importlib.util
import logging
import marshal
import os
import platform
import re
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, MutableSequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from souk.engine import paths
from souk.engine.kernel import unroll as unrolling

Kernel = tuple[str, ...]  # the names of its modules; the first has the constants
Constants = Mapping[str, int | tuple[int, ...]]  # what a specialisation sets anew
Settings = tuple[tuple[str, int | tuple[int, ...]], ...]  # the same, to be remembered

TARGETS = ("numba", "python")
# Kernel modules put before and after a game's kernel in the compiled file. The last of them names
# in ENTRIES the functions that are called from Python.
BEFORE = ("souk.engine.kernel.philox",)
AFTER = ("souk.engine.kernel.playout_loop",)
PLAIN, MACHINE = (
    "souk.engine.kernel.primitives",
    "souk.engine.kernel.numba_primitives",
)  # the same names, per target

# The functions that a State calls at every step, which `unroll` makes faster in plain Python.
EVERY_STEP = ("mover", "is_legal", "legal_actions", "apply", "score")

# The modules of ours that a text imports from.
_IMPORTED = re.compile(r"^\s*from (souk\.\S+) import", re.MULTILINE)

log = logging.getLogger("souk")
_compile_lock = threading.Lock()


def python_kernel(kernel: Kernel, constants: Constants, after: Kernel = AFTER) -> ModuleType:
    """Return a kernel specialised in plain Python, as a module of its functions and constants."""
    return _python_kernel(kernel, tuple(sorted(constants.items())), after)


@cache
def _python_kernel(kernel: Kernel, constants: Settings, after: Kernel) -> ModuleType:
    specialised = ModuleType(kernel[0])
    for code in _kept_code(kernel, constants, after):
        exec(code, vars(specialised))
    return specialised


def _kept_code(kernel: Kernel, constants: Settings, after: Kernel) -> list[CodeType]:
    """What makes a kernel in plain Python when it is run: from the disk, if it was made before."""
    texts: dict[str, str] = {}
    for name in (*kernel, *after, PLAIN, unrolling.__name__, __name__):
        _sources(name, texts)
    place = str(_path(kernel[0]))  # which errors point to
    name = _named_by(kernel, sorted(texts.items()), constants, sys.version, place)
    file = paths.cache_folder() / "plain" / name
    with suppress(OSError, ValueError, EOFError, TypeError):
        kept = marshal.loads(file.read_bytes())
        if isinstance(kept, list):
            return kept
    made = _plain_code(kernel, dict(constants), after)
    with suppress(OSError):  # then it is made again every time
        _write(file, marshal.dumps(made))
    return made


def _plain_code(kernel: Kernel, constants: Constants, after: Kernel) -> list[CodeType]:
    """The modules of a kernel, then the functions of every step anew, made straight."""
    texts = _joined((*kernel, *after), constants)
    codes = [compile(text, str(_path(name)), "exec") for name, text in texts.items()]
    names: dict[str, Any] = {"__name__": kernel[0]}
    for code in codes:
        exec(code, names)
    integers = {name: value for name, value in names.items() if _is_constant(name, value)}
    sources = [_path(PLAIN).read_text("utf-8"), texts[kernel[0]]]
    straight = unrolling.unroll(EVERY_STEP, [ast.parse(text) for text in sources], integers)
    return [*codes, compile(straight, str(_path(kernel[0])), "exec")]


def _is_constant(name: str, value: object) -> bool:
    return name.isupper() and isinstance(value, int)


def is_table(name: str, value: object) -> bool:
    """Whether a name of a kernel is a table that it reads."""
    if not name.isupper() or not isinstance(value, tuple):
        return False
    return all(isinstance(entry, int) for entry in value)


def _joined(modules: Kernel, constants: Constants) -> dict[str, str]:
    """The texts of modules that will share one namespace: they no longer import each other.

    The constants are set anew in whichever module has them, so nothing would be gained, and the
    specialised value lost, by importing it.
    """
    texts: dict[str, str] = {}
    defined: dict[str, str] = {}
    waiting = dict(constants)
    for name in modules:
        text = _path(name).read_text("utf-8")
        own = {one for node in ast.parse(text).body for one in _names_defined(node)}
        for one in own:
            if defined.setdefault(one, name) != name:
                raise LookupError(f"{defined[one]} and {name} both define {one}: rename one")
        here = {key: waiting.pop(key) for key in own & waiting.keys()}
        lines = specialise(text, here).splitlines(keepends=True)
        for node in ast.parse(text).body:
            if isinstance(node, ast.ImportFrom) and node.module in modules:
                for line in range(node.lineno - 1, node.end_lineno or node.lineno):
                    lines[line] = "\n"
        texts[name] = "".join(lines)
    if waiting:
        raise LookupError(f"the kernel has no top-level constant {', '.join(sorted(waiting))}")
    return texts


def sources(modules: Kernel, constants: Constants) -> tuple[ModuleType, dict[str, ast.FunctionDef]]:
    """A kernel specialised, for whoever writes it in another language: its names, its functions."""
    specialised = ModuleType(modules[0])
    functions: dict[str, ast.FunctionDef] = {}
    for name, text in _joined(modules, constants).items():
        tree = ast.parse(text)
        exec(compile(tree, str(_path(name)), "exec"), vars(specialised))
        functions |= {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)}
    return specialised, functions


def specialise(text: str, constants: Constants) -> str:
    r"""A module's text with some of its top-level constants set anew, line for line.

    >>> specialise("PLAYERS = 3  # how many\nSEATS = PLAYERS\n", {"PLAYERS": 4})
    'PLAYERS = 4\nSEATS = PLAYERS\n'
    """
    lines = text.splitlines(keepends=True)
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name in constants:
                lines[node.lineno - 1] = f"{name} = {constants[name]!r}\n"
    return "".join(lines)


def numba_kernel(kernel: Kernel, constants: Constants, after: Kernel = AFTER) -> ModuleType:
    """A kernel compiled with Numba. Compiles what the cache on disk does not have, and says so."""
    with _compile_lock:
        return _numba_kernel(kernel, tuple(sorted(constants.items())), after)


def is_prepared(kernel: Kernel, constants: Constants, after: Kernel = AFTER) -> bool:
    """Whether the compiled kernel is on disk, so that using it will not compile anything."""
    return _ready_mark(_folder(kernel, constants, after)).exists()


@cache
def _numba_kernel(modules: Kernel, constants: Settings, after: Kernel) -> ModuleType:
    folder = _writable(_folder(modules, dict(constants), after))
    source = folder / "kernel.py"
    if not source.exists():
        texts = _joined((*BEFORE, *modules, *after), dict(constants))
        text = "\n".join(map(_code_only, texts.values())).replace(
            f"from {PLAIN} ", f"from {MACHINE} "
        )
        _write(source, text.encode())
    spec = importlib.util.spec_from_file_location(f"souk_kernel_{folder.name}", source)
    assert spec is not None and spec.loader is not None
    kernel = importlib.util.module_from_spec(spec)
    sys.modules[kernel.__name__] = kernel  # where Numba's cache looks for what it stored
    spec.loader.exec_module(kernel)
    mark = _ready_mark(folder)
    with nullcontext() if mark.exists() else _one_process_at_a_time(folder):
        if not mark.exists():
            numbers = [f"{name} {value}" for name, value in constants if isinstance(value, int)]
            log.warning(
                "souk: compiling %s for %s, once; this takes some seconds",
                modules[0] if after == AFTER else after[-1],
                ", ".join(numbers),
            )
        compiled = _compile(kernel)
        mark.touch()
    return compiled


@contextmanager
def _one_process_at_a_time(folder: Path) -> Iterator[None]:
    """Let the first process compile a kernel; whoever comes meanwhile waits for it.

    Where files cannot be locked nobody waits, and some may compile the same.
    """
    with ExitStack() as stack:
        with suppress(ImportError, OSError):
            import fcntl  # not on Windows

            file = stack.enter_context((folder / "lock").open("w"))
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                log.warning("souk: another process is compiling %s; waiting for it", folder.name)
                fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _names_defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    if isinstance(node, ast.Assign):
        names = [name for name in ast.walk(node) if isinstance(name, ast.Name)]
        return [name.id for name in names if isinstance(name.ctx, ast.Store)]
    return []


def _compile(kernel: ModuleType) -> ModuleType:
    """Put compiled functions and tables in the place of the plain ones; entries are ready to run.

    An entry is compiled, or loaded from the cache, for the types that it says it takes. Where what
    drives the kernel says FUSED, any other function becomes part of its callers, unless the
    kernel's APART names it; otherwise the compiler decides, and takes less time. Only the kernel
    itself can call those others, so they are not among the names returned: a way into each of
    them from Python would take a fifth of the time.
    """
    # Numba takes half a second to load, so it is loaded only when something is to be compiled.
    import numba
    import numpy as np

    names = vars(kernel)
    options: dict[str, Any] = {"error_model": "numpy", "nogil": True, "no_cfunc_wrapper": True}
    entries = {name: names[name] for name in names["ENTRIES"]}
    inner: set[str] = set()
    apart = names.get("APART", ()) if names.get("FUSED") else names
    for name, value in list(names.items()):
        if isinstance(value, FunctionType) and value.__module__ == kernel.__name__:
            if name not in entries:
                how = {"forceinline": name not in apart, "no_cpython_wrapper": True, **options}
                names[name] = numba.njit(**how)(value)
                inner.add(name)
        elif is_table(name, value):
            names[name] = np.array(value, dtype=np.int64)
    for name, function in entries.items():
        names[name] = numba.njit(_signature(function), cache=True, **options)(function)
    compiled = ModuleType(kernel.__name__)
    vars(compiled).update({name: value for name, value in names.items() if name not in inner})
    return compiled


def _signature(function: FunctionType) -> Any:
    """What an entry takes, in Numba's words."""
    from numba import types

    known = {
        int: types.int64,
        float: types.float64,
        MutableSequence[int]: types.int64[::1],
        MutableSequence[float]: types.float32[::1],
    }
    takes = [kind for name, kind in function.__annotations__.items() if name != "return"]
    return tuple(known[kind] for kind in takes)


def _path(module: str) -> Path:
    spec = importlib.util.find_spec(module)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin)


def _sources(module: str, seen: dict[str, str]) -> dict[str, str]:
    """The texts of a module and of every module of ours that it imports, however far away."""
    if module not in seen:
        seen[module] = _path(module).read_text("utf-8")
        for name in _IMPORTED.findall(seen[module]):
            _sources(name, seen)
    return seen


def _code_only(text: str) -> str:
    """Return a module's text without comments and docstrings, which do not affect its code."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        match node:
            case ast.Module() | ast.FunctionDef() | ast.ClassDef() if ast.get_docstring(node):
                node.body[:1] = [ast.Pass()]
    return ast.unparse(tree)


def _named_by(kernel: Kernel, *parts: object) -> str:
    """A name for what was made of a kernel, by everything that it depends on."""
    digest = hashlib.sha256(repr(parts).encode()).hexdigest()[:20]
    return f"{kernel[0].split('.')[-2]}-{digest}"


def _folder(kernel: Kernel, constants: Constants, after: Kernel) -> Path:
    """Where a compiled kernel is kept, named by everything that it depends on."""
    texts: dict[str, str] = {}
    for name in (*kernel, __name__, MACHINE, *BEFORE, *after):
        _sources(name, texts)
    versions = {name: version(name) for name in ("numba", "llvmlite", "numpy")}
    code = sorted((name, _code_only(text)) for name, text in texts.items())
    known = (code, sorted(constants.items()), versions, sys.version, _processor())
    return cache_folder() / _named_by(kernel, *known)


def _ready_mark(folder: Path) -> Path:
    return folder / "ready"


def cache_folder() -> Path:
    """The folder for compiled kernels."""
    return paths.cache_folder() / "kernels"


def _writable(folder: Path) -> Path:
    """The folder itself, or a copy of this process's own where it cannot be written.

    Numba keeps its cache only where it may write. A copy of a prepared kernel needs no compiling;
    an empty one does, but it works.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        own = tempfile.TemporaryDirectory(prefix="souk-")
        atexit.register(own.cleanup)
        copy = Path(own.name) / folder.name
        if folder.is_dir():
            shutil.copytree(folder, copy)
        else:
            log.warning("souk: compiled kernels cannot be kept in %s: %s", folder, error.strerror)
            copy.mkdir()
        return copy


def _processor() -> str:
    """What compiled code depends on: the processor and what Numba was told of it."""
    told = [os.environ.get(name, "") for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")]
    try:
        facts = Path("/proc/cpuinfo").read_text("utf-8").split("\n\n")[0].splitlines()
        lasting = [line for line in facts if line.startswith(("model name", "flags", "Features"))]
    except OSError:
        lasting = [platform.processor()]
    return repr([platform.machine(), *told, *lasting])


def _write(path: Path, data: bytes) -> None:
    """Write a file so that another process sees all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix="write-", delete=False) as file:
        file.write(data)
    Path(file.name).replace(path)
