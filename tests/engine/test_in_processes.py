"""Work in child processes: results in order, errors, and no more work than is asked for."""

import os
from collections.abc import Iterator
from contextlib import closing

import pytest

from souk.engine.processes import WAITING, in_processes


def _square(number: int) -> tuple[int, int]:
    if number < 0:
        raise ValueError(f"{number} is negative")
    return number * number, os.getpid()


@pytest.mark.parametrize("processes", [1, 2])
def test_results_come_in_order_and_items_are_taken_as_needed(processes: int) -> None:
    taken = []

    def items() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    with closing(in_processes(_square, items(), processes)) as results:
        found = [next(results) for _ in range(20)]
    assert [one for one, _ in found] == [number * number for number in range(20)]
    assert (os.getpid() in {process for _, process in found}) == (processes == 1)
    assert len(taken) <= 20 + WAITING * processes


@pytest.mark.parametrize("processes", [1, 2])
def test_an_error_is_raised_here(processes: int) -> None:
    with pytest.raises(ValueError, match="-1 is negative"):
        list(in_processes(_square, [2, -1], processes))
