"""Name costly decisions: inaccuracies, mistakes and blunders."""

from typing import Literal

from msgspec import Struct

Mistake = Literal["inaccuracy", "mistake", "blunder"]
SYMBOLS: dict[Mistake, str] = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}


class Thresholds(Struct, frozen=True):
    """The least cost, in winning chances, of an inaccuracy, a mistake and a blunder."""

    inaccuracy: float = 0.02
    mistake: float = 0.05
    blunder: float = 0.10


THRESHOLDS = Thresholds()


def mistake_of(cost: float) -> Mistake | None:
    """Return the name of a decision with this cost, or None.

    >>> mistake_of(0.019), mistake_of(0.02), mistake_of(0.05), mistake_of(0.4)
    (None, 'inaccuracy', 'mistake', 'blunder')
    """
    if cost >= THRESHOLDS.blunder:
        return "blunder"
    if cost >= THRESHOLDS.mistake:
        return "mistake"
    return "inaccuracy" if cost >= THRESHOLDS.inaccuracy else None
