"""Measure random games on an NVIDIA GPU, beside a CUDA C program of the same rules."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import souk
from bench.report import Figure
from souk.engine.kernel import targets
from souk.engine.kernel.cuda_target import (
    compiler_options,
    cuda_kernel,
    cuda_source,
    fixed_knobs,
    load_cupy,
)
from souk.engine.kernel.source import Kernel
from souk.engine.observation import batch_driver
from souk.games import game_class
from souk.games.marrakech import board

CHECKED = 300  # games compared with plain Python
GAMES = 2**22
ROUNDS = 9
THREADS = 128
MOST_SECONDS = 5.0  # that a kernel compiles, once
CUDA_SOURCE = Path(__file__).with_name("marrakech.cu")


def figures() -> list[Figure]:
    """Return all figures: the time of the kernels alone, and with the results in NumPy arrays."""
    try:
        cupy = load_cupy("this part")
    except souk.SoukError as error:
        print(f"  ({error})")
        return []
    three, cash = souk.load_game("marrakech(players=3)"), souk.load_game("marracash")
    by_hand, ours = hand_written(cupy), generated(cupy, three)
    assert (by_hand(GAMES) == ours(GAMES)).all(), "the CUDA C program plays other games"
    for game in [game for name in souk.games() for game in game_class(name).common_games()]:
        few = souk.playouts(game, CHECKED, device="cuda")
        same = souk.playouts(game, CHECKED, target="python")
        assert (few.scores == same.scores).all() and (few.turns == same.turns).all()
    jobs: dict[str, Callable[[int], Any]] = {
        "by hand": by_hand,
        "Marrakech": ours,
        "two": generated(cupy, souk.load_game("marrakech(players=2)")),
        "MarraCash": generated(cupy, cash),
        "in NumPy": lambda games: souk.playouts(three, games, device="cuda"),
    }
    mega = {name: rate / 1e6 for name, rate in fastest(cupy, jobs).items()}
    turns = float(ours(GAMES)[:, 0].mean()) / 1e3
    unit, c = "M games/s", mega["by hand"]
    return [
        Figure("CUDA C, Marrakech, 3 players", c * turns, "G turns/s"),
        Figure("CUDA C, Marrakech, 3 players", c, unit),
        Figure("Marrakech, 3 players", mega["Marrakech"], unit, "CUDA C", c, 0.85),
        Figure("Marrakech, 3 players, with NumPy arrays", mega["in NumPy"], unit, "CUDA C", c),
        Figure("Marrakech, 2 players, two colours", mega["two"], unit, "CUDA C", c),
        Figure("MarraCash, 4 players", mega["MarraCash"], unit, floor=40),
        *(compiling(cupy, game) for game in (three, cash)),
        *(compiling(cupy, game, "batches") for game in (three, cash)),
    ]


def compiling(cupy: Any, game: souk.Game, use: str = "random games") -> Figure:
    """Return the seconds that a kernel takes before it is used for the first time."""
    driver: Kernel = batch_driver(game) if use == "batches" else targets.PLAYOUT_LOOP
    constants = game.constants()
    began = time.perf_counter()
    fixed = dict(fixed_knobs(game.kernel, constants, driver, game.initial_buffer()))
    text, _ = cuda_source(game.kernel, constants, driver, fixed)
    text += f"// {time.time_ns()}"  # a text that is not in CuPy's cache
    cupy.RawModule(code=text, options=compiler_options(game.kernel, constants)).compile()
    seconds = time.perf_counter() - began
    return Figure(f"Compiling {game.title}, {use}", seconds, "s", at_most=MOST_SECONDS)


def generated(cupy: Any, game: souk.Game) -> Callable[[int], Any]:
    """Return a function that plays games with the kernel and returns their results."""
    buffer = game.initial_buffer()
    kernel = cuda_kernel(game.kernel, game.constants(), targets.PLAYOUT_LOOP, buffer)
    start = cupy.array(buffer)
    rows = cupy.empty((GAMES, 1 + 2 * game.num_players()), cupy.int64)

    def play(games: int) -> Any:
        kernel.play_game(games, start, 1, 0, 1, rows)
        return rows[:games]

    return play


def hand_written(cupy: Any) -> Callable[[int], Any]:
    """Return the same for the CUDA C program."""
    code = cupy.RawModule(code=CUDA_SOURCE.read_text("utf-8")).get_function("play_games")
    walk = cupy.array(board.WALK, "uint8")
    beside = [cupy.array(one) for one in (board.BESIDE_ALONG_RANK, board.BESIDE_ALONG_FILE)]
    rows = cupy.empty((GAMES, 7), "int32")

    def play(games: int) -> Any:
        seed, first = np.uint64(1), np.uint64(0)
        given = (walk, *beside, seed, first, np.int32(games), rows)
        code((-(-games // THREADS),), (THREADS,), given)
        return rows[:games]

    return play


def fastest(cupy: Any, jobs: dict[str, Callable[[int], Any]]) -> dict[str, float]:
    """Return the best games a second of each job over several rounds of all of them."""
    best = dict.fromkeys(jobs, 0.0)
    for _ in range(ROUNDS):
        for name, job in jobs.items():
            begin, end = cupy.cuda.Event(), cupy.cuda.Event()
            begin.record()
            job(GAMES)
            end.record()
            end.synchronize()
            milliseconds = cupy.cuda.get_elapsed_time(begin, end)
            best[name] = max(best[name], GAMES / milliseconds * 1e3)
    return best
