"""The pruning of a game that defines none: search every legal action. A kernel module."""

from collections.abc import MutableSequence


def prune(_S: MutableSequence[int], _actions: MutableSequence[int], count: int) -> int:
    """Leave the legal actions as they are; return their number."""
    return count
