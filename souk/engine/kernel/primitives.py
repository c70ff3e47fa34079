"""The primitives of the kernels, in plain Python.

These are the only functions with one implementation per target: `numba_primitives` defines the
same names, and `targets` imports those when it compiles a kernel; `c_source` uses the C compiler's.
Words are signed and have 64 bits, so a kernel never sets bit 63, except by `wrapping_product`.
"""

from collections.abc import MutableSequence
from typing import Any, TypeVar

Buffer = TypeVar("Buffer", bound=MutableSequence[Any])


class Int32s(MutableSequence[int]):
    """The type of a buffer whose integers have 32 bits where kernels are compiled."""


def popcount(word: int) -> int:
    """Return the number of bits that are set.

    >>> popcount(0b1011)
    3
    """
    return word.bit_count()


def lowest_bit(word: int) -> int:
    """Return the index of the lowest bit that is set; the word is not 0.

    >>> lowest_bit(0b1000)
    3
    """
    return (word & -word).bit_length() - 1


def wrapping_product(a: int, b: int) -> int:
    """Return a product that may need more than 63 bits; only the low 64 are meaningful.

    `*` must not overflow: compilers conclude that a product of positive numbers is positive.

    >>> wrapping_product(3, 5)
    15
    """
    return a * b


def ints(size: int) -> list[int]:
    """Return a new buffer of integers. The size is a constant of the kernel."""
    return [0] * size


def floats(size: int) -> list[float]:
    """Return a new buffer of floats. The size is a constant of the kernel."""
    return [0.0] * size


def row_of(buffer: Buffer, row: int, size: int, rows: int) -> Buffer:  # noqa: ARG001
    """Return one of the rows of a buffer, which must be a memory view, as a buffer.

    Rows follow each other. In C, for a GPU, their first numbers follow each other, then their
    second numbers …: threads that process neighbouring rows read and write memory side by side.
    """
    return buffer[row * size : (row + 1) * size]  # type: ignore[return-value]
