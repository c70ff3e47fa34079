"""The primitives of the kernels, in plain Python.

These are the only functions with one implementation per target: `numba_primitives` defines the
same names, and `targets` imports those when it compiles a kernel; `c_source` uses the C compiler's.
Words are signed and have 64 bits, so a kernel never sets bit 63.
"""


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


def ints(size: int) -> list[int]:
    """Return a new buffer of integers. The size is a constant of the kernel."""
    return [0] * size


def floats(size: int) -> list[float]:
    """Return a new buffer of floats. The size is a constant of the kernel."""
    return [0.0] * size
