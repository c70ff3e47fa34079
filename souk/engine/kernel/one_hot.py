"""Write a number as a field of an observation, in the kernel subset."""

from collections.abc import MutableSequence


def one_hot(value: int, size: int, out: MutableSequence[float], at: int) -> int:
    """Write 1 at the place of a value, else 0; return where the next field begins."""
    for place in range(size):
        out[at + place] = 1.0 if place == value else 0.0
    return at + size
