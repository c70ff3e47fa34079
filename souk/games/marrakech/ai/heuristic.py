"""The judgement made by hand: a part of the kernel, read together with the rules and `worths`."""

from collections.abc import MutableSequence

from souk.games.marrakech.ai.position_values import judge_by_hand
from souk.games.marrakech.rules import PHASE, ROLL, TURN, TURN_LAST


def is_quiet(S: MutableSequence[int]) -> bool:
    """Whether a turn is about to begin."""
    return S[PHASE] == TURN or (S[PHASE] == ROLL and S[TURN_LAST] != 0)


def can_judge(S: MutableSequence[int]) -> bool:
    """Whether the position can be judged."""
    return is_quiet(S)


def judge(S: MutableSequence[int], _W: MutableSequence[float], V: MutableSequence[float]) -> None:
    """Write the expected share of the win of every seat."""
    judge_by_hand(S, V)
