"""Measure decisions a second of batches with random legal actions, beside other environments."""

import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import souk
from bench.report import Figure
from souk.engine.errors import SoukError
from souk.engine.kernel.cuda_target import load_cupy

ROUNDS = 7
ROWS = {"cpu": 4096, "cuda": 1 << 20}
STEPS = {"cpu": 60, "cuda": 60}
BANDWIDTH = 4.8e12  # bytes a second of an H200's memory
GAMES = {"Marrakech, 3 players": "marrakech(players=3)", "MarraCash, 4 players": "marracash"}
FLOORS = {  # M decisions/s that we promise for Marrakech, without and with observations
    ("cpu", False): 5.0,
    ("cpu", True): 1.0,
    ("cuda", False): 1000.0,
    ("cuda", True): 200.0,
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
    jobs: dict[tuple[str, ...], Callable[[], float]] = {}
    if "cpu" in devices and find_spec("pyspiel"):
        jobs["OpenSpiel",] = open_spiel
    for device in devices:
        for name, text in GAMES.items():
            for seen in (False, True):
                batch = souk.batch(
                    souk.load_game(text),
                    ROWS[device],
                    device=device,
                    observations=seen,
                    threads=1 if device == "cpu" else None,
                )
                label = f"{name}, {device}{', observations' if seen else ''}"
                jobs[label, device, name, str(seen)] = lambda batch=batch: decisions(batch)  # type: ignore[misc]
    best = dict.fromkeys(jobs, 0.0)
    for _ in range(ROUNDS):
        for key, job in jobs.items():
            best[key] = max(best[key], job() / 1e6)
    reference = best.pop(("OpenSpiel",), 0.0)
    found = [Figure("OpenSpiel, backgammon, Python", reference, "M actions/s")] if reference else []
    for (label, device, name, seen), rate in best.items():
        floor = FLOORS[device, seen == "True"] if name.startswith("Marrakech") else None
        beside = ("OpenSpiel", reference) if device == "cpu" else ("", 0.0)
        found.append(Figure(label, rate, "M decisions/s", *beside, floor=floor))
        if device == "cuda":
            found.append(Figure("  of the memory's bandwidth", bandwidth(name, seen, rate), "%"))
    return found


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


def bandwidth(name: str, seen: str, rate: float) -> float:
    """Return the share of the memory's bandwidth that reading and writing every row once takes."""
    game: Any = souk.load_game(GAMES[name])
    row = 8 * (game.rules.SIZE + 8)
    written = row + game.num_distinct_actions() + 4 * game.num_players() + 13
    written += 4 * game.observation_tensor_shape()[0] if seen == "True" else 0
    read = 3 * row + 16  # to sample, to check and to step
    return 100 * rate * 1e6 * (read + written) / BANDWIDTH


def open_spiel() -> float:
    """Return the actions a second of OpenSpiel's backgammon through its Python API."""
    import pyspiel

    from bench.facade import actions_per_second

    return actions_per_second(pyspiel.load_game("backgammon"))
