"""Measure decisions a second of batches with random legal actions, beside other environments.

Peers play backgammon, which has two players, dice and about as many actions.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import souk
from bench import pgx_backgammon
from bench.report import Figure
from souk.engine.errors import SoukError
from souk.engine.kernel.cuda_target import load_cupy
from souk.engine.kernel.philox import STREAM_SIZE

ROUNDS = 7
ROWS = {"cpu": 4096, "cuda": 1 << 20}
STEPS = {"cpu": 60, "cuda": 60}
BANDWIDTH = 4.8e12  # bytes a second of an H200's memory
GAMES = {"Marrakech, 3 players": "marrakech(players=3)", "MarraCash, 4 players": "marracash"}
# What we promise for Marrakech, by device and with or without observations: how many times as fast
# as a peer, and M decisions/s.
PROMISES = {
    ("cpu", False): (50.0, 5.0),
    ("cpu", True): (20.0, 1.0),
    ("cuda", False): (10.0, 1000.0),
    ("cuda", True): (10.0, 200.0),
}


def figures() -> list[Figure]:
    """Return the figures of the CPU, and those of a GPU where there is one."""
    try:
        load_cupy("this measurement")
        devices = ["cpu", "cuda"]
    except SoukError as error:
        print(f"  without a GPU: {error}")
        devices = ["cpu"]
    if find_spec("numba") is None:  # on machines that only have CuPy
        devices.remove("cpu")
    with one_core():
        return [figure for device in devices for figure in figures_of(device)]


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process, and the threads that it starts meanwhile, on one core."""
    if not hasattr(os, "sched_setaffinity"):  # only Linux has it
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def figures_of(device: str) -> list[Figure]:
    """Return the figures of one device, measured in turn so that noise affects all of them."""
    ours = {(name, seen): games(name, device, seen) for name in GAMES for seen in (False, True)}
    peers = {"pgx": pgx_backgammon.rates(device)}
    peers["OpenSpiel"] = [open_spiel] if device == "cpu" and find_spec("pyspiel") else []
    jobs: list[tuple[Any, Callable[[], float]]] = list(ours.items())
    jobs += [(name, job) for name, some in peers.items() for job in some]
    best = dict.fromkeys((*ours, *peers), 0.0)
    for _ in range(ROUNDS):
        for key, job in jobs:
            best[key] = max(best[key], job() / 1e6)
    found = [
        Figure(f"{name}, backgammon, {device}", best[name], "M decisions/s")
        for name in peers
        if peers[name]
    ]
    for name, seen in ours:
        # pgx writes observations, too; OpenSpiel's API does not.
        peer = "pgx" if seen or device == "cuda" else "OpenSpiel"
        label = f"{name}, {device}{', observations' if seen else ''}"
        ratio, floor = PROMISES[device, seen] if name.startswith("Marrakech") else (None, None)
        at_least = ratio if peers[peer] else None
        found.append(
            Figure(label, best[name, seen], "M decisions/s", peer, best[peer], at_least, floor)
        )
        if device == "cuda":
            share = bandwidth(name, seen, best[name, seen])
            found.append(Figure("  of the memory's bandwidth, at least", share, "%"))
    return found


def games(name: str, device: str, seen: bool) -> Callable[[], float]:
    """Return a function that measures a batch."""
    threads = 1 if device == "cpu" else None
    game = souk.load_game(GAMES[name])
    batch = souk.batch(game, ROWS[device], device=device, observations=seen, threads=threads)
    return lambda: decisions(batch)


def decisions(batch: souk.Batch) -> float:
    """Return the decisions a second with random legal actions."""
    steps = STEPS[batch.device]
    for _ in range(2):
        batch.step(batch.sample_actions())
    finish(batch)
    began = time.perf_counter()
    for _ in range(steps):
        batch.step(batch.sample_actions())
    finish(batch)
    return steps * len(batch) / (time.perf_counter() - began)


def finish(batch: souk.Batch) -> None:
    """Wait for the GPU."""
    if batch.device == "cuda":
        load_cupy("this measurement").cuda.Device().synchronize()


def bandwidth(name: str, seen: bool, rate: float) -> float:
    """Return the share of the memory's bandwidth that the bytes which must move take.

    Each row and action is read and written once, and each output is written once. The kernels read
    more: choosing, checking and stepping are three of them.
    """
    game: Any = souk.load_game(GAMES[name])
    moved = 2 * 8 * (game.rules.SIZE + STREAM_SIZE + 1)
    moved += game.num_distinct_actions() + 4 * game.num_players() + 5  # mask, rewards, mover, end
    moved += 4 * game.observation_tensor_shape()[0] if seen else 0
    return 100 * rate * 1e6 * moved / BANDWIDTH


def open_spiel() -> float:
    """Return the actions a second of OpenSpiel's backgammon through its Python API."""
    import pyspiel

    from bench.facade import actions_per_second

    return actions_per_second(pyspiel.load_game("backgammon"))
