"""Log the writes to a buffer, for notes that depend on their order: a part of the kernel.

`source.log_writes` replaces writes to the slots that a driver names in LOGGED by calls of
`logged_write`. The log stands after the slots of the position.
"""

from collections.abc import MutableSequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # defined by the kernel
    SIZE = 0

MOST_WRITES = 1000  # of one action; more are not logged
LOG_SIZE = 1 + 3 * MOST_WRITES  # their number, then slot, value before and value after of each


def logged_write(S: MutableSequence[int], slot: int, value: int) -> None:
    """Write to a slot and log it."""
    if S[SIZE] < MOST_WRITES:
        at = SIZE + 1 + 3 * S[SIZE]
        S[at] = slot
        S[at + 1] = S[slot]
        S[at + 2] = value
        S[SIZE] += 1
    S[slot] = value
