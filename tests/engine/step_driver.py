"""A driver for tests that plays on in a copy of a buffer, as the drivers for GPUs do."""

from collections.abc import MutableSequence
from typing import TYPE_CHECKING

from souk.engine.kernel.primitives import ints

if TYPE_CHECKING:  # defined by the kernel
    PLAYERS = SIZE = MOST_LEGAL = 0

    def mover(state: MutableSequence[int]) -> int: ...
    def legal_actions(state: MutableSequence[int], out: MutableSequence[int]) -> int: ...
    def apply(state: MutableSequence[int], action: int) -> None: ...
    def score(state: MutableSequence[int], seat: int) -> int: ...
    def win_in_sixtieths(state: MutableSequence[int], seat: int) -> int: ...
    def chance_weight(state: MutableSequence[int], action: int) -> int: ...


ENTRIES = PER_ITEM = ("step", "legal_in_copy", "weight", "results")


def step(buffer: MutableSequence[int], action: int) -> int:
    """Apply an action; return who acts next."""
    state = ints(SIZE)
    for slot in range(SIZE):
        state[slot] = buffer[slot]
    apply(state, action)
    for slot in range(SIZE):
        buffer[slot] = state[slot]
    return mover(state)


def legal_in_copy(buffer: MutableSequence[int], out: MutableSequence[int]) -> int:
    """Write the legal actions; return their number."""
    state = ints(SIZE)
    for slot in range(SIZE):
        state[slot] = buffer[slot]
    return legal_actions(state, out)


def weight(buffer: MutableSequence[int], action: int) -> int:
    """Return the weight of a chance outcome."""
    state = ints(SIZE)
    for slot in range(SIZE):
        state[slot] = buffer[slot]
    return chance_weight(state, action)


def results(buffer: MutableSequence[int], out: MutableSequence[int]) -> int:
    """Write the score of each seat, then sixtieths of the win."""
    state = ints(SIZE)
    for slot in range(SIZE):
        state[slot] = buffer[slot]
    for seat in range(PLAYERS):
        out[seat] = score(state, seat)
        out[PLAYERS + seat] = win_in_sixtieths(state, seat)
    return PLAYERS
