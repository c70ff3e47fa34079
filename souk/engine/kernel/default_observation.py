"""The default observation of a player, in the kernel subset: every slot of the buffer.

A game with a better one names its module in `Game.observation_kernel`.
"""

from collections.abc import MutableSequence
from typing import TYPE_CHECKING

if TYPE_CHECKING or "SIZE" not in globals():  # imported as a module, not joined with a kernel
    PLAYERS = SIZE = 0

# The fields in the order in which `observe` writes them: name, shape, meaning.
LAYOUT = (
    ("buffer", (SIZE,), "the slots of the position's buffer, which the rules describe"),
    ("observer", (PLAYERS,), "1 at the seat of the observer"),
)


def observe(S: MutableSequence[int], seat: int, out: MutableSequence[float], at: int) -> None:
    """Write what a seat sees from `out[at]` on."""
    for slot in range(SIZE):
        out[at + slot] = float(S[slot])
    for other in range(PLAYERS):
        out[at + SIZE + other] = 1.0 if other == seat else 0.0
