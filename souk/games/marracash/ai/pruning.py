"""The pruning of MarraCash: of all bids search only the lowest. A kernel module.

An auction goes up step by step, and a player who would bid more can do so when they are asked
again. A higher bid gives away what the others might not have been ready to pay.
"""

from collections.abc import MutableSequence

from souk.games.marracash.rules import BIDDING, PASS, PHASE


def prune(S: MutableSequence[int], actions: MutableSequence[int], count: int) -> int:
    """Move the actions to search to the front; return their number."""
    if S[PHASE] != BIDDING:
        return count
    return min(count, 2) if actions[0] == PASS else 1
