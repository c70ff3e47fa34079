"""Which actions a search of MarraCash tries: a part of the kernel.

An auction goes up step by step, and whoever would bid more can do so when it is his turn again. So
of all bids only the least is tried. A higher one gives away what the others are ready to pay.
"""

from collections.abc import MutableSequence

from souk.games.marracash.rules import BIDDING, PASS, PHASE


def worth_trying(S: MutableSequence[int], actions: MutableSequence[int], count: int) -> int:
    """Keep the actions that are worth trying at the front; how many they are."""
    if S[PHASE] != BIDDING:
        return count
    return min(count, 2) if actions[0] == PASS else 1
