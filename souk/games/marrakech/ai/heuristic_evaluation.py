"""The heuristic as an evaluation for the search. A kernel module, joined with `heuristic`."""

from collections.abc import MutableSequence

from souk.games.marrakech.ai.heuristic import evaluate_heuristic
from souk.games.marrakech.rules import PHASE, ROLL, TURN, TURN_LAST


def is_ply_start(S: MutableSequence[int]) -> bool:
    """Return whether a turn is about to begin."""
    return S[PHASE] == TURN or (S[PHASE] == ROLL and S[TURN_LAST] != 0)


def can_evaluate(S: MutableSequence[int]) -> bool:
    """Return whether the position can be evaluated."""
    return is_ply_start(S)


def evaluate(
    S: MutableSequence[int], _W: MutableSequence[float], V: MutableSequence[float]
) -> None:
    """Write the expected share of the win of every seat."""
    evaluate_heuristic(S, V)
