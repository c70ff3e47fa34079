"""The evaluation of the level `greedy` for rollouts: leads by the quick value. A kernel module.

Leads are scaled down, so that the end of the game, which counts by shares of the win, matters more.
They are no shares of the win: rollouts choose by them, but neither subtract luck nor truncate.
"""

from collections.abc import MutableSequence
from typing import TYPE_CHECKING

LEAD_SCALE = 1e-6

if TYPE_CHECKING or "PLAYERS" not in globals():  # imported as a module, not joined with a kernel
    PLAYERS = CHANCE = 0

    def mover(S: MutableSequence[int]) -> int: ...
    def quick_value(S: MutableSequence[int], seat: int) -> float: ...


def can_evaluate(S: MutableSequence[int]) -> bool:
    """Return whether chance has acted: `greedy` averages over one chance step."""
    return mover(S) != CHANCE


def evaluate(
    S: MutableSequence[int], _W: MutableSequence[float], V: MutableSequence[float]
) -> None:
    """Write the lead of every seat over the mean of the others."""
    total = 0.0
    for seat in range(PLAYERS):
        V[seat] = LEAD_SCALE * quick_value(S, seat)
        total += V[seat]
    for seat in range(PLAYERS):
        V[seat] -= (total - V[seat]) / (PLAYERS - 1)
