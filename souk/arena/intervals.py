"""How sure a share is: intervals from setups as units, and intervals that hold whenever one stops.

The games of a setup have the same dice in every rotation of the seats, so they are no independent
samples; their mean over the rotations is, from setup to setup. All intervals here are made from
these means. Sums are exact, so that it does not matter in which order games ended.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Z = 1.959964  # 95 %
FEW = {
    1: 12.706205,
    2: 4.302653,
    3: 3.182446,
    4: 2.776445,
}  # Student's t, where the expansion is poor
MOST_GAIN = 4.0  # rotations are never believed to be worth more than so many games each
TRUNCATION = 0.5  # of what may be staked in one bet
PRECISION = 1e-5  # of the ends of an interval


@dataclass(frozen=True)
class Interval:
    """A share with the ends of its interval."""

    share: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half of the interval's width."""
        return (self.high - self.low) / 2


def student(freedom: int) -> float:
    """The 97.5 % point of Student's t, to within 0.1 %.

    >>> round(student(4), 2), round(student(5), 2), round(student(30), 3)
    (2.78, 2.57, 2.042)
    """
    if freedom in FEW:
        return FEW[freedom]
    z, v = Z, freedom
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    )


def interval(means: Sequence[float], games: int) -> Interval:
    """The 95 % interval of a share after a number of setups that was fixed beforehand.

    Wilson's interval for as many independent games as would be as exact as these setups are, with
    Student's t for the normal quantile. `means` has the mean share of every setup, `games` is how
    many games they are in all. Where all setups came out alike each counts as one game.

    >>> found = interval([1.0] * 50, 100)
    >>> found.share, round(found.low, 3), found.high
    (1.0, 0.925, 1.0)
    """
    count = len(means)
    share = math.fsum(means) / count if count else 0.5
    if count < 2:
        return Interval(share, 0.0, 1.0)
    variance = math.fsum((mean - share) ** 2 for mean in means) / (count - 1) / count
    spread = share * (1 - share)
    if variance > 1e-12 and spread > 1e-12:
        worth = min(spread / variance, MOST_GAIN * games)
    else:
        worth = float(count)
    t = student(count - 1)
    scale = 1 + t * t / worth
    centre = (share + t * t / (2 * worth)) / scale
    half = t * math.sqrt(spread / worth + t * t / (4 * worth * worth)) / scale
    return Interval(share, max(0.0, centre - half), min(1.0, centre + half))


def gain(means: Sequence[float], singles: Sequence[float]) -> float | None:
    """How many independent games one game is worth, thanks to rotations with the same dice.

    The variance of the mean if all single games were independent, over what the setups show.
    """
    if len(means) < 2 or len(singles) < 2:
        return None
    shown = _variance(means) / len(means)
    return _variance(singles) / len(singles) / shown if shown > 1e-12 else None


def mean_and_error(values: Sequence[float]) -> tuple[float, float | None]:
    """A mean and half of its 95 % interval, which one value alone does not have."""
    mean = math.fsum(values) / len(values)
    if len(values) < 2:
        return mean, None
    return mean, student(len(values) - 1) * math.sqrt(_variance(values) / len(values))


def _variance(values: Sequence[float]) -> float:
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)


# ---- whenever one stops --------------------------------------------------------------------------


class Wager:
    """A test by betting: holds however often one looks, and whenever one stops.

    Somebody bets on every setup, with stakes from what was seen before it, that the share is above
    a value, and somebody that it is below. If the share is that value, neither is ever expected to
    have more than at the start; that one of the two ever has 2/α times as much has a probability
    of at most α (Ville's inequality). Nothing is assumed about shares but that they lie between 0
    and 1. This is the hedged capital of Waudby-Smith and Ramdas, "Estimating means of bounded
    random variables by betting", 2024.
    """

    def __init__(self, means: Sequence[float], error: float = 0.05) -> None:
        import numpy as np

        self.error = error
        self._means: NDArray[np.float64] = np.asarray(means, float)
        self._stakes = _stakes(self._means, error)

    def is_above(self, value: float) -> bool:
        """Whether the share is shown to be above a value."""
        return self._above(value) >= math.log(2 / self.error)

    def is_below(self, value: float) -> bool:
        """Whether the share is shown to be below a value."""
        return self._below(value) >= math.log(2 / self.error)

    def interval(self) -> Interval:
        """All values that the share is not shown to differ from."""
        count = len(self._means)
        share = float(self._means.mean()) if count else 0.5
        low, high = 0.0, share
        while high - low > PRECISION:  # the bettor gains the less, the higher the value is
            middle = (low + high) / 2
            low, high = (middle, high) if self.is_above(middle) else (low, middle)
        below = low
        low, high = share, 1.0
        while high - low > PRECISION:
            middle = (low + high) / 2
            low, high = (low, middle) if self.is_below(middle) else (middle, high)
        return Interval(share, below, high)

    def _above(self, value: float) -> float:
        """The logarithm of what betting on more has come to."""
        import numpy as np

        stakes = np.minimum(self._stakes, TRUNCATION / max(value, 1e-9))
        return float(np.log1p(stakes * (self._means - value)).sum())

    def _below(self, value: float) -> float:
        import numpy as np

        stakes = np.minimum(self._stakes, TRUNCATION / max(1 - value, 1e-9))
        return float(np.log1p(-stakes * (self._means - value)).sum())


def _stakes(means: "NDArray[np.float64]", error: float) -> "NDArray[np.float64]":
    """What is staked on each setup: the less, the more the ones before it differed."""
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
