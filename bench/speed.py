"""Turns a second of random games: compiled kernel, C, plain Python, and two threads."""

import ctypes
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import souk
from bench.report import Figure
from souk.games.marrakech import board

GAMES = 60_000
ROUNDS = 9
C_SOURCE = Path(__file__).with_name("marrakech.c")


def figures() -> list[Figure]:
    """All figures of this file, measured in turns so that noise hits everyone alike."""
    three = souk.load_game("marrakech", players=3)
    two = souk.load_game("marrakech", players=2)
    four = souk.load_game("marrakech", players=4)
    in_c = compile_c()
    check_same_games(three, in_c)
    best = fastest(
        {
            "c": lambda: in_c(GAMES)[:, 0].sum(),
            "three": lambda: turns(three, GAMES, 1),
            "three, two threads": lambda: turns(three, GAMES, 2),
            "two": lambda: turns(two, GAMES, 1),
            "four": lambda: turns(four, GAMES, 1),
            "plain": lambda: turns(three, 40, 1, target="python"),
        }
    )
    mega = {name: rate / 1e6 for name, rate in best.items()}
    return [
        Figure("C, fused, 3 players, one thread", mega["c"], "M turns/s"),
        Figure("3 players, one thread", mega["three"], "M turns/s", "C", mega["c"], 0.70),
        Figure("2 players, two colours each", mega["two"], "M turns/s", "C", mega["c"], 0.50),
        Figure("4 players", mega["four"], "M turns/s", "C", mega["c"]),
        Figure(
            "3 players, two threads",
            mega["three, two threads"],
            "M turns/s",
            "one thread",
            mega["three"],
            1.3,
        ),
        Figure("3 players, plain Python", mega["plain"], "M turns/s", "compiled", mega["three"]),
    ]


def turns(game: souk.Game, games: int, threads: int, target: str = "numba") -> int:
    return int(souk.playouts(game, games=games, threads=threads, target=target).turns.sum())


def fastest(jobs: dict[str, Callable[[], int]]) -> dict[str, float]:
    """The best turns a second of each job over several rounds of all of them."""
    best = dict.fromkeys(jobs, 0.0)
    for _ in range(ROUNDS):
        for name, job in jobs.items():
            began = time.perf_counter()
            count = job()
            best[name] = max(best[name], count / (time.perf_counter() - began))
    return best


def compile_c() -> Callable[[int], np.ndarray]:
    """The C program as a function from a number of games to their results."""
    compiler = shutil.which("gcc")
    if compiler is None:
        raise SystemExit("make bench compares with C and needs gcc: install the package gcc")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "marrakech.so"
        flags = ["-O3", "-march=native", "-shared", "-fPIC"]
        subprocess.run([compiler, *flags, "-o", library, C_SOURCE], check=True)
        code = ctypes.CDLL(str(library))
    (ctypes.c_uint8 * 784).in_dll(code, "walk_to")[:] = board.WALK
    (ctypes.c_uint64 * 49).in_dll(code, "beside_rank")[:] = board.BESIDE_ALONG_RANK
    (ctypes.c_uint64 * 49).in_dll(code, "beside_file")[:] = board.BESIDE_ALONG_FILE
    whole = ctypes.c_int64
    code.play_games.argtypes = [ctypes.c_uint64, whole, whole, ctypes.c_void_p]

    def play(games: int) -> np.ndarray:
        results = np.zeros((games, 7), np.int32)
        code.play_games(1, 0, games, results.ctypes.data)
        return results

    return play


def check_same_games(game: souk.Game, in_c: Callable[[int], np.ndarray]) -> None:
    """A comparison counts only between programs that do the same."""
    ours, theirs = souk.playouts(game, games=GAMES, seed=1), in_c(GAMES)
    rows = np.column_stack([ours.turns, ours.scores, ours.returns * 12])
    assert (rows == theirs).all(), "the C program plays other games"
