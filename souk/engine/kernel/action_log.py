"""The driver that plays the same random games as the playout loop and stores their actions.

It is a driver of its own, since storing actions would slow down the playouts that need none: there
`log_action` does nothing, and the compiler removes it. The log follows the random stream in one
buffer, R, which `playout` passes on.
"""

from collections.abc import MutableSequence
from typing import TYPE_CHECKING

from souk.engine.kernel.philox import STREAM_SIZE, start_stream
from souk.engine.kernel.primitives import ints

ENTRIES = ("log_games",)
LOG_CAPACITY = STREAM_SIZE  # the slot with the size of the buffer
LOG_END = LOG_CAPACITY + 1  # the slot with the place of the next action
FIRST_LOGGED = LOG_END + 1

if TYPE_CHECKING:  # defined by the kernel
    SIZE = 0

    def deal(S: MutableSequence[int], R: MutableSequence[int]) -> None: ...
    def playout(S: MutableSequence[int], R: MutableSequence[int]) -> None: ...


def log_action(R: MutableSequence[int], action: int) -> None:
    """Store an action. If the buffer is full, only count it."""
    if R[LOG_END] < R[LOG_CAPACITY]:
        R[R[LOG_END]] = action
    R[LOG_END] += 1


def log_games(
    start: MutableSequence[int],
    seed: int,
    first: int,
    games: int,
    from_deal: int,
    setups: MutableSequence[int],
    ends: MutableSequence[int],
    R: MutableSequence[int],
) -> None:
    """Play games as `play_games` does; write the setup of each, and where its actions end in R."""
    S = ints(SIZE)
    R[LOG_END] = FIRST_LOGGED
    for number in range(games):
        start_stream(R, seed, first + number)
        for slot in range(SIZE):
            S[slot] = start[slot]
        if from_deal:
            deal(S, R)
        for slot in range(SIZE):
            setups[number * SIZE + slot] = S[slot]
        playout(S, R)
        ends[number] = R[LOG_END]
