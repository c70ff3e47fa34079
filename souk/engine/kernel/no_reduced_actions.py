"""The reduced actions of games that have none, in the kernel subset."""

from collections.abc import MutableSequence

REDUCED_ACTIONS = 0


def full_action(_S: MutableSequence[int], reduced: int) -> int:
    """Return the action that a reduced action stands for."""
    return reduced
