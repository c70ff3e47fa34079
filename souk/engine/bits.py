"""Bit primitives of the kernels: the plain Python versions.

These are the only functions with one implementation per target: `targets` puts machine
instructions in their place when it compiles a kernel. Boards are held in signed 64-bit words,
so a kernel keeps bit 63 free.
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
