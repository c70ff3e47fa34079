"""A stand-in for CuPy on machines without an NVIDIA GPU, used by the fixture `gpu`.

It compiles the CUDA source of a kernel with the C++ compiler and runs one thread after the other.
It has NumPy's functions, with a class of arrays of its own. As with a GPU, NumPy's arrays must be
copied before they are combined with these or passed to a kernel. Stricter than CuPy, it refuses
arguments of other types than the source declares.
"""

import ctypes
import re
import shutil
import subprocess
import tempfile
from functools import wraps
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy

from souk import SoukError
from souk.engine.kernel.cuda_target import load_cupy

try:
    load_cupy("a test")
    HAS_GPU = True
except SoukError:
    HAS_GPU = False
COMPILER = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
# What CUDA adds to C++.
CUDA = """
#include <algorithm>
#include <math.h>
#define __CUDACC__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __device__
#define __forceinline__ inline
#define __global__
#define __launch_bounds__(threads)
#define __noinline__ __attribute__((noinline))
#define __restrict__
using std::max;
using std::min;
static struct { int x; } blockIdx{0}, blockDim{1}, threadIdx{0};
static int __ffs(int bits) { return __builtin_ffs(bits); }
static int __ffsll(long long bits) { return __builtin_ffsll(bits); }
static int __popc(unsigned bits) { return __builtin_popcount(bits); }
static int __popcll(unsigned long long bits) { return __builtin_popcountll(bits); }
static unsigned __umulhi(unsigned a, unsigned b) { return (unsigned long long)a * b >> 32; }
template <class Number> Number __ldg(const Number *at) { return *at; }
"""
LAUNCH = """
extern "C" void launch_{name}(int launched, {parameters}) {{
  for (threadIdx.x = 0; threadIdx.x < launched; threadIdx.x++) {name}({arguments});
}}
"""
ENTRY = re.compile(r'extern "C" __global__ void(?: __launch_bounds__\(\d+\))?\s+(\w+)\(([^)]*)\)')
TYPES = {"float": "f4", "int": "i4", "long long": "i8", "u64": "i8", "unsigned char": "i1"}
COPYING = ("array", "asarray", "ascontiguousarray")


class ndarray(numpy.ndarray):  # noqa: N801
    """An array on the GPU."""

    def get(self, out: Any = None) -> Any:
        """Return an array of NumPy with the same numbers."""
        if out is None:
            return numpy.array(self)
        out[...] = self
        return out

    def __array_ufunc__(self, ufunc: Any, method: str, *given: Any, **options: Any) -> Any:
        """Return the result of an operation, which accepts no arrays of NumPy."""
        return on_gpu(getattr(ufunc, method)(*plain(given), **plain(options)))


def plain(value: Any) -> Any:
    """Return arguments for NumPy. Raise TypeError if one is not on the GPU."""
    if isinstance(value, list | tuple):
        return type(value)(map(plain, value))
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if type(value) is numpy.ndarray:
        raise TypeError("an array of NumPy is not on the GPU")
    return value.view(numpy.ndarray) if isinstance(value, ndarray) else value


def on_gpu(value: Any) -> Any:
    """Return what NumPy has or returns in the form that this module offers."""
    if isinstance(value, numpy.ndarray):
        return value.view(ndarray)
    if isinstance(value, ModuleType | numpy.random.Generator):
        return Wrapped(value)
    if isinstance(value, type) or not callable(value):
        return value

    @wraps(value)
    def call(*given: Any, **options: Any) -> Any:
        first, *others = given or [None]
        if value.__name__ in COPYING and type(first) is numpy.ndarray:
            given = (on_gpu(first.copy()), *others)
        return on_gpu(value(*plain(given), **plain(options)))

    return call


class Wrapped:
    """A module or a generator of NumPy whose functions return arrays on the GPU."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return on_gpu(getattr(self._inner, name))


def __getattr__(name: str) -> Any:
    return on_gpu(getattr(numpy, name))


class RawModule:
    """A CUDA source."""

    def __init__(self, code: str, options: Any = ()) -> None:  # noqa: ARG002
        self.code = code
        self._library: Any = None
        self._types: dict[str, list[str]] = {}

    def compile(self) -> None:
        """Compile the source, once."""
        if self._library is not None:
            return
        launchers = []
        for name, parameters in ENTRY.findall(self.code):
            parts = [one.strip().rpartition(" ") for one in parameters.split(",")]
            arguments = ", ".join(last.lstrip("*") for _, _, last in parts)
            launchers.append(LAUNCH.format(name=name, parameters=parameters, arguments=arguments))
            self._types[name] = [first + "*" * last.count("*") for first, _, last in parts]
        with tempfile.TemporaryDirectory() as folder:
            source, library = Path(folder, "kernel.cpp"), Path(folder, "kernel.so")
            source.write_text(CUDA + self.code + "".join(launchers))
            options = ["-std=c++14", "-O1", "-w", "-shared", "-fPIC", "-o", library, source]
            subprocess.run([str(COMPILER), *options], check=True)
            self._library = ctypes.CDLL(str(library))

    def get_function(self, name: str) -> "Function":
        """Return a kernel of the source."""
        self.compile()
        return Function(getattr(self._library, f"launch_{name}"), self._types[name])


class Function:
    """A kernel that runs for a number of threads."""

    local_size_bytes = 0

    def __init__(self, launch: Any, types: list[str]) -> None:
        self._launch = launch
        self._types = types

    def __call__(self, blocks: tuple[int], threads: tuple[int], given: tuple[Any, ...]) -> None:
        """Run all threads of some blocks, as one block."""
        values = [argument(*one) for one in zip(given, self._types, strict=True)]
        self._launch(blocks[0] * threads[0], *values)


def argument(value: Any, declared: str) -> Any:
    """Return an argument for ctypes. Raise TypeError if it is not of its declared type."""
    is_array = isinstance(value, ndarray)
    kind = "f" if value.dtype.kind == "f" else "i"  # whatever its sign
    name = re.sub(r"const |\*.*", "", declared).strip()
    if f"{kind}{value.dtype.itemsize}" != TYPES[name] or is_array != ("*" in declared):
        raise TypeError(f"{declared} does not accept {type(value)} of {value.dtype}")
    if is_array:
        return ctypes.c_void_p(value.ctypes.data)
    return numpy.ctypeslib.as_ctypes_type(value.dtype)(value.item())


def empty_pinned(shape: Any, dtype: Any) -> Any:
    """Return an array of NumPy, as CuPy's package `cupyx` does."""
    return numpy.empty(shape, dtype)


cuda = SimpleNamespace(
    memory=SimpleNamespace(OutOfMemoryError=MemoryError),
    runtime=SimpleNamespace(
        CUDARuntimeError=RuntimeError,
        cudaLimitStackSize=0,
        deviceGetLimit=lambda _: 1 << 30,
        getDeviceCount=lambda: 1,
    ),
)
