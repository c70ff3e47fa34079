"""The programs written by hand that benchmarks compare with: they play the very same games."""

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import souk
from bench.gpu import CUDA_SOURCE
from bench.speed import compile_c
from souk.games.marrakech import board

GAMES = 2_000
COMPILER = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
# What CUDA adds to C++, for one thread on a CPU.
CUDA = """
#include <algorithm>
#define __global__
#define __launch_bounds__(threads)
#define __restrict__
using std::max;
using std::min;
struct Place { int x; } blockIdx{0}, blockDim{1}, threadIdx{0};
int __ffs(unsigned bits) { return __builtin_ffs((int)bits); }
int __popcll(unsigned long long bits) { return __builtin_popcountll(bits); }
unsigned __umulhi(unsigned a, unsigned b) { return (unsigned long long)a * b >> 32; }
template <class Number> Number __ldg(const Number *at) { return *at; }
"""
ALL_GAMES = """
extern "C" void play_all(const unsigned char *walk, const u64 *rank, const u64 *file, int games,
                         int *results) {
  for (threadIdx.x = 0; threadIdx.x < games; threadIdx.x++)
    play_games(walk, rank, file, 1, 0, games, results);
}
"""


@pytest.fixture(scope="module")
def expected() -> Any:
    played = souk.playouts(souk.load_game("marrakech(players=3)"), GAMES, seed=1)
    return np.column_stack([played.turns, played.scores, played.returns * 60])


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc here")
def test_the_c_program_plays_the_same_games(expected: Any) -> None:
    play = compile_c()
    assert play is not None and (play(GAMES) == expected).all()


@pytest.mark.skipif(COMPILER is None, reason="there is no C++ compiler here")
def test_the_cuda_program_plays_the_same_games(expected: Any, tmp_path: Path) -> None:
    (tmp_path / "games.cpp").write_text(CUDA + CUDA_SOURCE.read_text("utf-8") + ALL_GAMES)
    options = ["-O1", "-shared", "-fPIC", "-o", "games.so", "games.cpp"]
    subprocess.run([str(COMPILER), *options], check=True, cwd=tmp_path)
    program = ctypes.CDLL(str(tmp_path / "games.so"))
    tables = [np.array(board.WALK, np.uint8)]
    tables += [np.array(one) for one in (board.BESIDE_ALONG_RANK, board.BESIDE_ALONG_FILE)]
    results = np.zeros((GAMES, 7), np.int32)
    pointers = [ctypes.c_void_p(one.ctypes.data) for one in (*tables, results)]
    program.play_all(*pointers[:3], GAMES, pointers[3])
    assert (results == expected).all()
