"""Compute confidence intervals of a share of the win, and test it sequentially.

The games of a setup have the same dice in every rotation of the seats, so they are not independent
samples; the means over the rotations of a setup are. All intervals are computed from these means.
Sums are exact, so that the order in which games ended does not matter.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from souk.engine.intervals import Z

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EXACT_T = {1: 12.706205, 2: 4.302653, 3: 3.182446, 4: 2.776445}  # the expansion is poor here
MAX_EFFICIENCY = 4.0  # a game is never taken to be worth more independent games than this
MAX_ADJUSTED_EFFICIENCY = 100.0  # the same if luck is subtracted
FEWEST_SETUPS = 30  # before an adjusted share is tested: the test holds for many setups
TIGHTEST_AT = 100  # setups: where its interval is narrowest compared with others
MAX_STAKE = 0.5  # of the capital in one bet
PRECISION = 1e-5  # of the ends of an interval


@dataclass(frozen=True)
class Interval:
    """A share with its confidence interval."""

    share: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def student_t(freedom: int) -> float:
    """Return the 97.5% quantile of Student's t, to within 0.1%.

    >>> round(student_t(4), 2), round(student_t(5), 2), round(student_t(30), 3)
    (2.78, 2.57, 2.042)
    """
    if freedom in EXACT_T:
        return EXACT_T[freedom]
    z, v = Z, freedom
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    )


def confidence_interval(
    means: Sequence[float], games: int, max_efficiency: float = MAX_EFFICIENCY
) -> Interval:
    """Return the 95% interval of a share after a number of setups that was fixed beforehand.

    This is Wilson's interval for the effective number of games: as many independent games as
    would be as exact as these setups, with Student's t in place of the normal quantile. `means`
    has the mean share of every setup, `games` is the total number of games. Where all setups have
    the same result, each counts as one game. Shares less luck may lie outside of 0 to 1; then
    their mean is moved to the nearest of the two.

    >>> interval = confidence_interval([1.0] * 50, 100)
    >>> interval.share, round(interval.low, 3), interval.high
    (1.0, 0.925, 1.0)
    """
    count = len(means)
    share = _clip(math.fsum(means) / count) if count else 0.5
    if count < 2:
        return Interval(share, 0.0, 1.0)
    variance = _variance(means) / count
    spread = share * (1 - share)
    if variance > 1e-12 and spread > 1e-12:
        effective = min(spread / variance, max_efficiency * games)
    else:
        effective = float(count)
    t = student_t(count - 1)
    scale = 1 + t * t / effective
    centre = (share + t * t / (2 * effective)) / scale
    half = t * math.sqrt(spread / effective + t * t / (4 * effective * effective)) / scale
    return Interval(share, max(0.0, centre - half), min(1.0, centre + half))


def _clip(share: float) -> float:
    return min(1.0, max(0.0, share))


def game_efficiency(means: Sequence[float], games: Sequence[float]) -> float | None:
    """Return how many independent games one game is worth, thanks to rotations and adjustment.

    This is the variance of the mean if all games were independent, over that of the setups.
    """
    if len(means) < 2 or len(games) < 2:
        return None
    observed, single = _variance(means) / len(means), _variance(games) / len(games)
    return single / observed if min(observed, single) > 1e-12 else None


def mean_and_error(values: Sequence[float]) -> tuple[float, float | None]:
    """Return a mean and half the width of its 95% interval; None for a single value."""
    mean = math.fsum(values) / len(values)
    if len(values) < 2:
        return mean, None
    return mean, student_t(len(values) - 1) * math.sqrt(_variance(values) / len(values))


def _variance(values: Sequence[float]) -> float:
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)


# ---- valid at any stopping time ------------------------------------------------------------------


class SequentialTest:
    """A test by betting, valid however often one looks and whenever one stops.

    One gambler bets on every setup that the share is above a value, another that it is below, with
    stakes that depend on the setups before it. If the share equals the value, neither is expected
    to gain; the probability that either ever reaches 2/α times the initial capital is at most α
    (Ville's inequality). The only assumption is that shares lie between 0 and 1. This is the hedged
    capital process of Waudby-Smith and Ramdas, "Estimating means of bounded random variables by
    betting", 2024.
    """

    def __init__(self, means: Sequence[float], error: float = 0.05) -> None:
        import numpy as np

        self.error = error
        self._means: NDArray[np.float64] = np.asarray(means, float)
        self._stakes = _stakes(self._means, error)

    def is_above(self, value: float) -> bool:
        """Return whether the share is shown to be above a value."""
        return self._log_capital_above(value) >= math.log(2 / self.error)

    def is_below(self, value: float) -> bool:
        """Return whether the share is shown to be below a value."""
        return self._log_capital_below(value) >= math.log(2 / self.error)

    def interval(self) -> Interval:
        """Return the interval of all values that the share is not shown to differ from."""
        count = len(self._means)
        share = float(self._means.mean()) if count else 0.5
        low, high = 0.0, share
        while high - low > PRECISION:  # the capital falls as the value rises
            middle = (low + high) / 2
            low, high = (middle, high) if self.is_above(middle) else (low, middle)
        below = low
        low, high = share, 1.0
        while high - low > PRECISION:
            middle = (low + high) / 2
            low, high = (low, middle) if self.is_below(middle) else (middle, high)
        return Interval(share, below, high)

    def _log_capital_above(self, value: float) -> float:
        import numpy as np

        stakes = np.minimum(self._stakes, MAX_STAKE / max(value, 1e-9))
        return float(np.log1p(stakes * (self._means - value)).sum())

    def _log_capital_below(self, value: float) -> float:
        import numpy as np

        stakes = np.minimum(self._stakes, MAX_STAKE / max(1 - value, 1e-9))
        return float(np.log1p(-stakes * (self._means - value)).sum())


class AdjustedTest:
    """A test of shares less luck, which have no bounds, at any time after FEWEST_SETUPS.

    Its interval covers the share at all these times with a probability of 1 - `error`, as far as
    the mean of FEWEST_SETUPS is normally distributed. This is the asymptotic confidence sequence of
    Waudby-Smith and others, "Time-uniform central limit theory and asymptotic confidence
    sequences", 2024.
    """

    def __init__(self, means: Sequence[float], error: float = 0.05) -> None:
        count = len(means)
        self._mean = math.fsum(means) / count if count else 0.5
        self._half = math.inf
        if count >= FEWEST_SETUPS:
            twice_log = -2 * math.log(error)
            scale = 1 + count / TIGHTEST_AT * (twice_log + math.log(twice_log) + 1)
            bound = scale / (scale - 1) * 2 * math.log(math.sqrt(scale) / error)
            self._half = math.sqrt(bound * _variance(means) / count)

    def is_above(self, value: float) -> bool:
        """Return whether the share is shown to be above a value."""
        return self._mean - self._half > value

    def is_below(self, value: float) -> bool:
        """Return whether the share is shown to be below a value."""
        return self._mean + self._half < value

    def interval(self) -> Interval:
        """Return the interval of all values that the share is not shown to differ from."""
        ends = (_clip(self._mean - self._half), _clip(self._mean + self._half))
        return Interval(_clip(self._mean), *ends)


def _stakes(means: "NDArray[np.float64]", error: float) -> "NDArray[np.float64]":
    """Return the stake on each setup: the more the setups before it varied, the smaller."""
    import numpy as np

    count = len(means)
    numbers = np.arange(1, count + 1)
    mean = (0.5 + np.cumsum(means)) / (numbers + 1)
    variance = (0.25 + np.cumsum((means - mean) ** 2)) / (numbers + 1)
    before = np.concatenate(([0.25], variance[:-1])) if count else variance
    stakes: NDArray[np.float64] = np.sqrt(
        2 * math.log(2 / error) / (before * numbers * np.log(numbers + 1))
    )
    return stakes
