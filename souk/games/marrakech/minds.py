"""What opponents at a table of three or four may have in mind: a part of the kernel.

With two players, whatever the other does worse than expected is one's own gain. With more it may
be a third one's, so it pays to reckon with those who do not play as well as the judgement says.
"""

from collections.abc import MutableSequence

from souk.engine.primitives import reals
from souk.games.marrakech.rules import OVER, PHASE, PLAYERS, TO_MOVE, score
from souk.games.marrakech.worths import judge_by_hand

MINDS = 3  # the judgement of the search, the one made by hand, the score as it stands
BELIEFS = (0.5, 0.25, 0.25)  # how likely a stranger has each
SLACK = (0.01, 0.01, 0.5)  # how much less than the best each may take for good enough


def whose(S: MutableSequence[int]) -> int:
    """The seat whose turn it is."""
    return S[TO_MOVE]


def worth_to(
    S: MutableSequence[int], seat: int, mind: int, shares: MutableSequence[float]
) -> float:
    """What the end of a turn is worth to a mind but the first; `shares` if the game is over."""
    if mind == 1:
        if S[PHASE] == OVER:
            return shares[seat]
        V = reals(PLAYERS)
        judge_by_hand(S, V)
        return V[seat]
    total = 0
    for other in range(PLAYERS):
        total += score(S, other)
    return PLAYERS * score(S, seat) - total
