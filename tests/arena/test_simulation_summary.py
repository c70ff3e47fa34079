"""The summary of a simulation."""

import math

import numpy as np
import pytest

from souk.arena.simulation_summary import SimulationSummary
from souk.engine.intervals import wilson_interval
from souk.engine.playouts import Playouts


def batch(scores: list[list[int]]) -> Playouts:
    rows = np.array(scores, np.int64)
    best = rows == rows.max(axis=1, keepdims=True)
    return Playouts(rows, best / best.sum(axis=1, keepdims=True), np.full(len(rows), 9, np.int64))


def test_batches_add_up_to_the_whole() -> None:
    scores = np.random.default_rng(1).integers(0, 90, (500, 3)).tolist()
    whole, parts = SimulationSummary(3), SimulationSummary(3)
    whole.add(batch(scores))
    for start in range(0, 500, 7):
        parts.add(batch(scores[start : start + 7]))
    for one, other in zip(whole.seats(), parts.seats(), strict=True):
        assert vars(one) == pytest.approx(vars(other))
    columns = np.array(scores)
    for number, seat in enumerate(whole.seats()):
        column = columns[:, number]
        assert seat.score == pytest.approx(column.mean())
        error = 1.959964 * column.std(ddof=1) / math.sqrt(500)
        assert seat.score_error == pytest.approx(error)
        assert (seat.score_min, seat.score_max) == (column.min(), column.max())


def test_a_share_of_all_or_nothing_still_has_an_interval() -> None:
    assert wilson_interval(0, 10) == pytest.approx((0, 0.2775), abs=1e-3)
    assert wilson_interval(1, 10) == pytest.approx((0.7225, 1), abs=1e-3)
    assert wilson_interval(0, 0) == (0, 1)


def test_a_summary_without_games_has_no_seats() -> None:
    assert SimulationSummary(2).to_dict()["seats"] == []
