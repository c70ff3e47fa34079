"""Measure playouts in turns a second: compiled kernels, C, plain Python, and two threads."""

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
    """Return all figures, measured in turn so that noise affects all of them alike."""
    games = {
        "Marrakech, 3 players": souk.load_game("marrakech", players=3),
        "Marrakech, 2 players, two colours each": souk.load_game("marrakech", players=2),
        "Marrakech, 4 players": souk.load_game("marrakech", players=4),
        "MarraCash, 4 players": souk.load_game("marracash", players=4),
        "MarraCash, 4 players, souvenirs": souk.load_game("marracash", souvenirs=True),
    }
    three, cash = games["Marrakech, 3 players"], games["MarraCash, 4 players"]
    jobs: dict[str, Callable[[], int]] = {
        name: lambda game=game: turns(game, GAMES, 1) for name, game in games.items()
    }
    jobs["two threads"] = lambda: turns(three, GAMES, 2)
    jobs["Marrakech, plain Python"] = lambda: turns(three, 40, 1, target="python")
    jobs["MarraCash, plain Python"] = lambda: turns(cash, 40, 1, target="python")
    in_c = compile_c()
    if in_c:
        check_same_games(three, in_c)
        jobs["C"] = lambda: int(in_c(GAMES)[:, 0].sum())
    mega = {name: rate / 1e6 for name, rate in fastest(jobs).items()}
    per_game = souk.playouts(cash, games=2_000).turns.mean()
    unit = "M turns/s"
    fast, c = mega["Marrakech, 3 players"], mega.get("C", 0.0)
    two = mega["Marrakech, 2 players, two colours each"]
    figures = [
        Figure("Marrakech, 3 players, one thread", fast, unit, "C", c, 0.70 if c else None),
        Figure("Marrakech, 2 players, two colours", two, unit, "C", c, 0.50 if c else None),
        *(Figure(name, mega[name], unit, "Marrakech's 3", fast) for name in list(games)[2:]),
        Figure("Marrakech, 3 players, two threads", mega["two threads"], unit, "one", fast, 1.3),
        Figure("Marrakech, plain Python", mega["Marrakech, plain Python"], unit, "compiled", fast),
        Figure(
            "MarraCash, plain Python",
            mega["MarraCash, plain Python"],
            unit,
            "compiled",
            mega["MarraCash, 4 players"],
        ),
        Figure(
            "MarraCash, 4 players, one thread",
            mega["MarraCash, 4 players"] * 1e3 / per_game,
            "k games/s",
            floor=25,
        ),
    ]
    if c:
        figures.insert(0, Figure("C, fused, 3 players, one thread", c, unit))
    return figures


def turns(game: souk.Game, games: int, threads: int, target: str = "numba") -> int:
    return int(souk.playouts(game, games=games, threads=threads, target=target).turns.sum())


def fastest(jobs: dict[str, Callable[[], int]]) -> dict[str, float]:
    """Return the best turns a second of each job over several rounds of all of them."""
    best = dict.fromkeys(jobs, 0.0)
    for _ in range(ROUNDS):
        for name, job in jobs.items():
            began = time.perf_counter()
            count = job()
            best[name] = max(best[name], count / (time.perf_counter() - began))
    return best


def compile_c() -> Callable[[int], np.ndarray] | None:
    """Compile the C program; return a function from a number of games to their results."""
    compiler = shutil.which("gcc")
    if compiler is None:
        print("  (gcc is not there: no comparison with C)")
        return None
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
    """Check that the C program plays the same games: only then is the comparison fair."""
    ours, theirs = souk.playouts(game, games=GAMES, seed=1), in_c(GAMES)
    rows = np.column_stack([ours.turns, ours.scores, ours.returns * 60])
    assert (rows == theirs).all(), "the C program plays other games"
