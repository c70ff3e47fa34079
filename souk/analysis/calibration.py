"""Compare predicted shares of the win with the results of games: reliability tables.

Predictions of one game share its result, so games are the units of all intervals (clusters).
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import pi, sqrt

from souk.engine.intervals import Z, wilson_interval

BINS = 10


@dataclass(frozen=True)
class Prediction:
    """A predicted share of the win, and what came of it."""

    game: int  # its number: predictions of the same game are not independent
    predicted: float
    result: float
    is_mover: bool  # whether it is of the player to move


@dataclass(frozen=True)
class Bin:
    """The predictions between two shares."""

    above: float
    below: float
    count: int
    predicted: float  # mean
    result: float  # mean
    low: float  # the 95% interval of the mean result
    high: float


@dataclass(frozen=True)
class Reliability:
    """How well predictions agree with results."""

    games: int
    bins: tuple[Bin, ...]  # those with predictions
    error: float  # mean distance of predicted and result over the bins, weighted by predictions
    by_chance: float  # about what this distance is if all predictions are right
    mover: float  # mean of predicted less result for the player to move
    mover_error: float  # half the width of its 95% interval


def reliability(predictions: Sequence[Prediction], bins: int = BINS) -> Reliability:
    """Return how well predictions agree with results.

    >>> even = [Prediction(game, 0.5, game % 2, True) for game in range(100)]
    >>> found = reliability(even)
    >>> found.error, found.bins[0].low < 0.5 < found.bins[0].high
    (0.0, True)
    """
    groups: dict[int, list[Prediction]] = defaultdict(list)
    for one in predictions:
        groups[max(0, min(bins - 1, int(one.predicted * bins)))].append(one)
    found = tuple(_bin(number / bins, 1 / bins, groups[number]) for number in sorted(groups))
    movers = [one for one in predictions if one.is_mover]
    mover, variance = _clustered_mean((one.game, one.predicted - one.result) for one in movers)
    count = len(predictions)
    return Reliability(
        games=len({one.game for one in predictions}),
        bins=found,
        error=sum(one.count * abs(one.predicted - one.result) for one in found) / count,
        by_chance=sum(one.count * _mean_distance(one) for one in found) / count,
        mover=mover,
        mover_error=Z * sqrt(variance),
    )


def _bin(above: float, width: float, group: Sequence[Prediction]) -> Bin:
    result, variance = _clustered_mean((one.game, one.result) for one in group)
    games = len({one.game for one in group})
    spread = result * (1 - result)
    # As many independent results as are as exact; where all are the same, one for each game.
    independent = spread / variance if variance > 0 and spread > 0 else games
    low, high = wilson_interval(result, min(independent, len(group)))
    predicted = sum(one.predicted for one in group) / len(group)
    return Bin(above, above + width, len(group), predicted, result, low, high)


def _mean_distance(one: Bin) -> float:
    """Return the mean distance of a normally distributed result from its expectation."""
    return (one.high - one.low) / (2 * Z) * sqrt(2 / pi)


def _clustered_mean(values: Iterable[tuple[int, float]]) -> tuple[float, float]:
    """Return the mean of values with their clusters, and its variance."""
    clusters: dict[int, list[float]] = defaultdict(list)
    for cluster, value in values:
        clusters[cluster].append(value)
    count, total = sum(map(len, clusters.values())), sum(map(sum, clusters.values()))
    mean = total / count
    squares = sum((sum(one) - mean * len(one)) ** 2 for one in clusters.values())
    correction = len(clusters) / max(1, len(clusters) - 1)
    return mean, correction * squares / count**2
