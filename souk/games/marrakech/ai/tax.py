"""The tax rule as evaluations use it. A kernel module."""

from collections.abc import MutableSequence

from souk.engine.kernel.primitives import popcount
from souk.games.marrakech.rules import BOARD, COLOURS, OUT, UNKNOWN, connected, owner_of


def tax_at(S: MutableSequence[int], square: int, payer: int) -> int:
    """Return the same as `rules.tax_on`, in one loop.

    Two loops take half as long again in evaluations; one loop makes playouts slower by a quarter.
    """
    taxed = UNKNOWN
    colour_squares = 0
    for colour in range(COLOURS):
        if S[BOARD + colour] >> square & 1:
            owner = owner_of(colour)
            if owner != payer and S[OUT + owner] == 0:
                taxed = colour
                colour_squares = S[BOARD + colour]
    return 0 if taxed == UNKNOWN else popcount(connected(colour_squares, square)) << 3 | taxed
