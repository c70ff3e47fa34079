"""The batches of a simulation."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import souk
from souk.arena.simulation import Simulation, _start_pool, in_order


class Pool:
    """A pool that counts the batches submitted and not collected."""

    def __init__(self) -> None:
        self.waiting = self.most = 0

    def submit(self, _: object, batch: Simulation) -> "Result":
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        return Result(self, batch.first)


class Result:
    def __init__(self, pool: Pool, first: int) -> None:
        self.pool = pool
        self.first = first

    def result(self) -> int:
        self.pool.waiting -= 1
        return self.first


def test_only_a_few_batches_are_submitted_at_a_time() -> None:
    simulation = Simulation.of(souk.load_game("marrakech"), ["greedy"] * 3, seed=1, games=10**12)
    pool: Any = Pool()
    results = in_order(pool, (simulation.batch(first, 1) for first in range(10**12)), 6)
    assert [next(results) for _ in range(100)] == list(range(100))
    assert pool.most <= 6


def test_results_come_in_order() -> None:
    simulation = Simulation.of(souk.load_game("marrakech"), ["greedy"] * 3, seed=1, games=5)
    pool: Any = Pool()
    assert list(in_order(pool, (simulation.batch(first, 1) for first in range(5)), 3)) == list(
        range(5)
    )


def send_half_a_result(mark: Path) -> None:
    """Begin to send a result, in a process of a pool, and be stopped while doing so."""
    frame = sys._getframe()
    while "result_queue" not in frame.f_locals:
        assert frame.f_back is not None
        frame = frame.f_back
    length = (1000).to_bytes(4, "big")
    os.write(frame.f_locals["result_queue"]._writer.fileno(), length + b"half")
    mark.touch()
    time.sleep(60)


def stop_in_the_middle_of_a_result(mark: Path) -> None:
    with _start_pool(1) as pool:
        pool.submit(send_half_a_result, mark)
        while not mark.exists():
            time.sleep(0.01)


def test_a_pool_stops_while_a_process_sends_a_result(tmp_path: Path) -> None:
    code = (
        f"from {__name__} import *; stop_in_the_middle_of_a_result(Path({str(tmp_path / 'a')!r}))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=40)
