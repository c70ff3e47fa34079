"""What opponents at a table of three or four may have in mind: a part of the kernel.

With two players, whatever the other does worse than expected is one's own gain. With more it may
be a third one's, so it pays to reckon with those who do not play as well as the judgement says.
"""

from collections.abc import MutableSequence

from souk.engine.kernel.primitives import floats
from souk.games.marrakech.ai.position_values import judge_by_hand
from souk.games.marrakech.ai.two_ply import look_farther
from souk.games.marrakech.rules import OVER, PHASE, PLAYERS, TO_MOVE, score

# The judgement of the search, the one made by hand, the score as it stands, and the judgement made
# by hand after the next turn too: the kinds of players that the net has heard of.
MINDS = 4
BELIEFS = (0.4, 0.2, 0.2, 0.2)  # how likely a stranger has each
SLACK = (0.003, 0.003, 0.2, 0.003)  # how much less than the best each may take for good enough
ROUGHLY = (0, 1, 2, 1)  # the mind that thinks likewise, and quickly
EFFORT = (0, 0, 0, 10)  # nodes that could be judged while a mind thinks about a position


def whose(S: MutableSequence[int]) -> int:
    """The seat whose turn it is."""
    return S[TO_MOVE]


def worth_to(
    S: MutableSequence[int], seat: int, mind: int, shares: MutableSequence[float]
) -> float:
    """What the end of a turn is worth to a mind but the first; `shares` if the game is over."""
    if mind == 2:
        total = 0
        for other in range(PLAYERS):
            total += score(S, other)
        return PLAYERS * score(S, seat) - total
    if S[PHASE] == OVER:
        return shares[seat]
    V = floats(PLAYERS)
    if mind == 1:
        judge_by_hand(S, V)
    else:
        look_farther(S, V)
    return V[seat]
