"""The settling of a game that defines none: an analysis plays every step. A kernel module."""

from collections.abc import MutableSequence

MOST_ANALYSED_PLIES = 10**6  # of an analysis: no limit


def is_within_turn(_S: MutableSequence[int]) -> bool:
    """Return whether a turn is in progress where the search of a player may end: nowhere."""
    return False


def settle(_S: MutableSequence[int], _W: MutableSequence[float]) -> int:
    """Leave the position as it is; return the number of positions evaluated."""
    return 0
