"""Measure the error rate of players: what their choices lose on average in a decision set."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import nan, sqrt

from souk.analysis.decisions import Decision
from souk.players import Player

Z = 1.96  # of an interval of 95%


@dataclass(frozen=True)
class ErrorRate:
    """The mean loss of the share of the win in a decision, times 1000, with its 95% interval."""

    decisions: int
    rate: float
    error: float  # half the width of the interval; nan for a single decision

    def __str__(self) -> str:
        return f"{self.rate:.1f} ± {self.error:.1f}"


def losses(chooser: Player, decisions: Iterable[Decision]) -> list[float]:
    """Return what a player loses in each of some decisions by its choice."""
    result = []
    for one in decisions:
        state = one.state()
        text = state.action_to_string(chooser.choose(state))
        result.append(one.losses[one.actions.index(text)])
    return result


def error_rate(lost: Sequence[float]) -> ErrorRate:
    """Return the error rate of some losses.

    >>> str(error_rate([0.0, 0.01, 0.02, 0.01]))
    '10.0 ± 8.0'
    """
    count = len(lost)
    mean = sum(lost) / count
    variance = sum((one - mean) ** 2 for one in lost) / (count - 1) if count > 1 else nan
    return ErrorRate(count, 1000 * mean, 1000 * Z * sqrt(variance / count))
