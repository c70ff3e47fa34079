"""The batches of a simulation."""

from typing import Any

import souk
from souk.arena.simulation import Simulation, in_order


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
