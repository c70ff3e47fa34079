"""The driver that chooses the actions of the level `greedy`, in the kernel subset.

It uses `quick_value(S, seat)`, a rough value of a seat's position. By default this is the score; a
game whose rules do not define it may name the modules that do in `Game.quick_value_kernel`.
"""

from collections.abc import MutableSequence
from typing import TYPE_CHECKING

from souk.engine.kernel.primitives import ints

ENTRIES = ("best_actions",)
INLINE_ALL = True
BILLION = 1e9

if TYPE_CHECKING:  # defined by the kernel
    ACTIONS = CHANCE = PLAYER_ACTIONS = PLAYERS = SIZE = 0

    def apply(S: MutableSequence[int], action: int) -> None: ...
    def chance_weight(S: MutableSequence[int], action: int) -> int: ...
    def is_legal(S: MutableSequence[int], action: int) -> bool: ...
    def mover(S: MutableSequence[int]) -> int: ...
    def quick_value(S: MutableSequence[int], seat: int) -> float: ...


def best_actions(S: MutableSequence[int], actions: MutableSequence[int], count: int) -> int:
    """Keep the legal actions that lead to the largest expected lead; return their number.

    The first `count` slots of `actions` are the actions to compare. Those that are kept move to the
    front, in the same order.
    """
    after = ints(SIZE)
    seat = mover(S)
    best = 0.0
    kept = 0
    for number in range(count):
        action = actions[number]
        apply_to_copy(S, action, after)
        value = expected_lead(after, seat)
        if kept == 0 or value > best:
            best = value
            kept = 0
        if value == best:
            actions[kept] = action
            kept += 1
    return kept


def apply_to_copy(S: MutableSequence[int], action: int, after: MutableSequence[int]) -> None:
    """Write the position after an action to `after`."""
    for slot in range(SIZE):
        after[slot] = S[slot]
    apply(after, action)


def expected_lead(S: MutableSequence[int], seat: int) -> float:
    """Return the lead of a seat; at a chance node, the mean over the outcomes."""
    if mover(S) != CHANCE:
        return lead(S, seat)
    after = ints(SIZE)
    total = 0
    expected = 0.0
    for outcome in range(PLAYER_ACTIONS, ACTIONS):
        if is_legal(S, outcome):
            apply_to_copy(S, outcome, after)
            expected += chance_weight(S, outcome) * lead(after, seat)
            total += chance_weight(S, outcome)
    return rounded(expected / total)  # equal sums of sixths differ in the last digit


def rounded(value: float) -> float:
    """Return a number below a billion with nine digits after the point."""
    return int(value * BILLION + (0.5 if value > 0 else -0.5)) / BILLION


def lead(S: MutableSequence[int], seat: int) -> float:
    """Return the quick value of a seat over the mean of the others'."""
    own = 0.0
    total = 0.0
    for other in range(PLAYERS):
        value = quick_value(S, other)
        total += value
        if other == seat:
            own = float(value)
    return own - (total - own) / (PLAYERS - 1)
