"""What the judgement made by hand thinks of the possible ends of turns: for opponents in practice.

Read together with the rules and that judgement; one item of a batch at a time, like `practice`.
"""

from collections.abc import MutableSequence

from souk.engine.primitives import reals, room
from souk.games.marrakech.hand import judge
from souk.games.marrakech.rules import PLAYERS, SIZE

ENTRIES = ("weigh_all",)


def weigh(
    ends: MutableSequence[int],
    known: MutableSequence[int],
    shares: MutableSequence[float],
    item: int,
) -> None:
    """The shares of the win by hand, where a possible end is a position."""
    if known[2 * item] == 1:
        S = room(SIZE)
        V = reals(PLAYERS)
        for slot in range(SIZE):
            S[slot] = ends[item * SIZE + slot]
        judge(S, V, V)
        for seat in range(PLAYERS):
            shares[item * PLAYERS + seat] = V[seat]


def weigh_all(
    ends: MutableSequence[int],
    known: MutableSequence[int],
    shares: MutableSequence[float],
    first: int,
    end: int,
) -> None:
    """`weigh` for some possible ends."""
    for item in range(first, end):
        weigh(ends, known, shares, item)
