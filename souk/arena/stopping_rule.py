"""Decide when a tournament has played enough games."""

from collections.abc import Sequence
from dataclasses import dataclass

from souk.arena.intervals import AdjustedTest, SequentialTest
from souk.engine.errors import SoukError, brief


@dataclass(frozen=True)
class StoppingRule:
    """The condition on every share of the win that stops a tournament.

    >>> StoppingRule.parse("share=0.86")
    StoppingRule(kind='share', value=0.86)
    """

    kind: str  # decided, share or width
    value: float | None = None

    @classmethod
    def parse(cls, text: str) -> "StoppingRule":
        """Parse a rule: decided, share=S or width=W."""
        kind, equals, value = text.partition("=")
        try:
            if text == "decided":
                return cls("decided")
            if kind in ("share", "width") and equals and 0 < float(value) < 1:
                return cls(kind, float(value))
        except ValueError:
            pass
        raise SoukError(
            "a stopping rule is decided, share=0.6 (known to be above or below) or width=0.04 (of "
            f"the intervals), with a number between 0 and 1, not {brief(text)}"
        )

    def __str__(self) -> str:
        return self.kind if self.value is None else f"{self.kind}={self.value:g}"

    def answer(
        self, means: Sequence[float], fair: float, error: float, *, is_adjusted: bool = False
    ) -> str | None:
        """Return what the setups so far show: above, below or known; None if nothing yet.

        `means` has the mean share of each setup, less luck if `is_adjusted`.
        """
        test = (AdjustedTest if is_adjusted else SequentialTest)(means, error)
        if self.kind == "width":
            interval = test.interval()
            assert self.value is not None
            return "known" if interval.high - interval.low <= self.value else None
        value = fair if self.value is None else self.value
        if test.is_above(value):
            return "above"
        return "below" if test.is_below(value) else None
