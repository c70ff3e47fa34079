"""The primitives of the kernels, in plain Python.

These are the only functions with one implementation per target: `machine` has the same names as
machine instructions, and `targets` imports those when it compiles a kernel. Boards are held in
signed 64-bit words, so a kernel keeps bit 63 free.
"""


def popcount(word: int) -> int:
    """How many bits are set.

    >>> popcount(0b1011)
    3
    """
    return word.bit_count()


def lowest(word: int) -> int:
    """The number of the lowest set bit of a word that has one.

    >>> lowest(0b1000)
    3
    """
    return (word & -word).bit_length() - 1


def room(size: int) -> list[int]:
    """A buffer to work in. The size is a constant of the kernel."""
    return [0] * size


def reals(size: int) -> list[float]:
    """A buffer for fractions to work in."""
    return [0.0] * size
