"""The disk cache of kernels: file names, locks and atomic writes.

Every cached file or folder is named by a hash of all sources and settings that it depends on, so
a cached kernel is never stale: an edit leads to another name.
"""

import atexit
import hashlib
import logging
import os
import platform
import re
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from souk.engine import paths
from souk.engine.file_system import try_lock
from souk.engine.kernel.source import Kernel, module_path

LOCK_SECONDS = 0.05  # between two attempts to get a lock

_IMPORTED_MODULE = re.compile(r"^\s*from ([\w.]+) import", re.MULTILINE)

log = logging.getLogger("souk")


def compiled_folder() -> Path:
    """Return the folder of compiled kernels."""
    return paths.cache_folder() / "kernels"


def bytecode_folder() -> Path:
    """Return the folder of kernels in plain Python, stored as bytecode."""
    return paths.cache_folder() / "plain"


def cache_name(kernel: Kernel, *dependencies: object) -> str:
    """Return a name for a kernel and everything that it depends on."""
    digest = hashlib.sha256(repr(dependencies).encode()).hexdigest()[:20]
    return f"{kernel[0].split('.')[-2:][0]}-{digest}"  # the name of the game's package


def read_sources(modules: Iterable[str]) -> dict[str, str]:
    """Return the texts of modules and of all modules of their packages that they import."""
    texts: dict[str, str] = {}
    waiting = list(modules)
    packages = {"souk", *(module.split(".")[0] for module in waiting)}
    while waiting:
        module = waiting.pop()
        if module not in texts:
            texts[module] = module_path(module).read_text("utf-8")
            imported = _IMPORTED_MODULE.findall(texts[module])
            waiting += [one for one in imported if one.split(".")[0] in packages]
    return texts


def describe_processor() -> str:
    """Return what compiled code depends on: the processor, and Numba's settings for it."""
    settings = [os.environ.get(name, "") for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")]
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").split("\n\n")[0].splitlines()
        facts = [line for line in lines if line.startswith(("model name", "flags", "Features"))]
    except OSError:
        facts = [platform.processor()]
    return repr([platform.machine(), *settings, *facts])


def make_writable(folder: Path) -> Path:
    """Create a folder and return it, or a copy for this process where it is not writable.

    Numba writes its cache only to a writable folder. A copy of a compiled kernel needs no
    compiling.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        temporary = tempfile.TemporaryDirectory(prefix="souk-")
        atexit.register(temporary.cleanup)
        copy = Path(temporary.name) / folder.name
        if folder.is_dir():
            shutil.copytree(folder, copy)
        else:
            log.warning("souk: compiled kernels cannot be stored in %s: %s", folder, error.strerror)
            copy.mkdir()
        return copy


@contextmanager
def compile_lock(folder: Path) -> Iterator[None]:
    """Let one process at a time compile the kernel in a folder; others wait.

    Where files cannot be locked, several processes may compile the same kernel.
    """
    with ExitStack() as stack:
        with suppress(OSError):
            file = stack.enter_context((folder / "lock").open("w"))
            if not try_lock(file.fileno()):
                log.warning("souk: another process is compiling %s; waiting for it", folder.name)
                while not try_lock(file.fileno()):
                    time.sleep(LOCK_SECONDS)
        yield


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that other processes see all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix="write-", delete=False) as file:
        file.write(data)
    Path(file.name).replace(path)
