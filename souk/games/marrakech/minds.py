"""What opponents at a table of three or four may have in mind: a part of the kernel.

With two players, whatever the other does worse than expected is one's own gain. With more it may
be a third one's, so it pays to reckon with those who do not play as well as the judgement says.

One kind of player has more in mind than a search can follow: it looks a turn farther, with the
judgement made by hand. It is told from the others by its moves, and the net knows what to expect
of it; a search follows what it would do without looking so far.
"""

from collections.abc import MutableSequence

from souk.engine.primitives import reals
from souk.games.marrakech.rules import OVER, PHASE, PLAYERS, TO_MOVE, score
from souk.games.marrakech.worths import judge_by_hand

MINDS = 3  # the judgement of the search, the one made by hand, the score as it stands
MIND_OF = (0, 1, 2, 1)  # that a search follows, of every kind of player; the last looks farther
BELIEFS = (0.4, 0.2, 0.2, 0.2)  # how likely a stranger is of each kind
SLACK = (0.003, 0.003, 0.2, 0.003)  # how much less than the best each may take for good enough


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
