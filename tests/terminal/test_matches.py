"""Many games between computer players."""

from typing import Any

import souk
from souk.terminal.matches import Match, in_flight, match_of


class Pool:
    """Counts what it was given and has not been asked for."""

    def __init__(self) -> None:
        self.waiting = self.most = 0

    def apply_async(self, _: object, parts: tuple[Match]) -> "Result":
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        return Result(self, parts[0].first)


class Result:
    def __init__(self, pool: Pool, first: int) -> None:
        self.pool = pool
        self.first = first

    def get(self) -> int:
        self.pool.waiting -= 1
        return self.first


def test_a_million_million_games_are_taken_a_few_at_a_time() -> None:
    match = match_of(souk.load_game("marrakech"), ["greedy"], seed=1, games=10**12)
    pool: Any = Pool()
    results = in_flight(pool, (match.part(first, 1) for first in range(10**12)), 6)
    assert [next(results) for _ in range(100)] == list(range(100))
    assert pool.most <= 6


def test_all_results_come_in_their_order() -> None:
    match = match_of(souk.load_game("marrakech"), ["greedy"], seed=1, games=5)
    pool: Any = Pool()
    assert list(in_flight(pool, (match.part(first, 1) for first in range(5)), 3)) == list(range(5))
