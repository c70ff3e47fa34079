"""The reduced actions of MarraCash, in the kernel subset: few bids, relative to the current one.

Reduced actions below BID_OF are the actions themselves. The others are bids: the least legal one,
and raises above it that about double from one to the next.
"""

from collections.abc import MutableSequence

from souk.games.marracash.amounts import STEP
from souk.games.marracash.rules import (
    BID_OF,
    LEAST_STEPS,
    NOBODY,
    PLAYER_ACTIONS,
    is_legal,
    least_bid,
)

RAISES = (0, 1, 3, 7, 15, 31)  # in steps above the least bid
REDUCED_ACTIONS = BID_OF + len(RAISES)


def full_action(S: MutableSequence[int], reduced: int) -> int:
    """Return the action that a reduced action stands for now, or NOBODY if it is not legal."""
    action = reduced
    if reduced >= BID_OF:
        action = BID_OF + least_bid(S) // STEP - LEAST_STEPS + RAISES[reduced - BID_OF]
    return action if action < PLAYER_ACTIONS and is_legal(S, action) else NOBODY
