"""What a search takes others to have in mind, unless a game knows better. A part of the kernel."""

from collections.abc import MutableSequence

MINDS = 1  # everybody plays as well as the judgement says
BELIEFS = (1.0,)
SLACK = (0.01,)
ROUGHLY = (0,)
EFFORT = (0,)


def whose(_position: MutableSequence[int]) -> int:
    """The seat whose turn it is: of no interest, since all are of one mind."""
    return 0


def worth_to(
    _position: MutableSequence[int], _seat: int, _mind: int, _shares: MutableSequence[float]
) -> float:
    """What a position is worth to a mind but the first: there is none."""
    return 0.0
