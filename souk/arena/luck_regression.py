"""Estimate how much luck counts: the control variate's coefficient."""

SURE_SAMPLES = 10  # in which luck counts in full, before those that were added


class LuckRegression:
    """Regression of shares of the win on luck, updated sample by sample.

    >>> regression = LuckRegression()
    >>> for luck in (0.2, -0.2) * 5000:
    ...     regression.add(0.5 + luck / 2, luck)
    >>> regression.has_luck, round(regression.coefficient(), 2)
    (True, 0.5)
    """

    def __init__(self) -> None:
        self._count = 0
        self._share = self._luck = self._squares = self._products = 0.0  # sums

    def add(self, share: float, luck: float) -> None:
        """Add a sample."""
        self._count += 1
        self._share += share
        self._luck += luck
        self._squares += luck * luck
        self._products += luck * share

    @property
    def has_luck(self) -> bool:
        """True if some luck was measured."""
        return self._squares > 0

    def coefficient(self) -> float:
        """Return the slope of shares on luck; it is near 1 until there are many samples."""
        if not self.has_luck:
            return 1.0
        slope = (self._products - self._share * self._luck / self._count) / self._squares
        return (self._count * slope + SURE_SAMPLES) / (self._count + SURE_SAMPLES)
