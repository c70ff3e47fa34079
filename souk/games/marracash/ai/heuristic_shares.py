"""The evaluation by the heuristic alone: shares of the win from predicted money. A kernel module.

Its weights are a person's estimates (`weights/heuristic.json`).
"""

from collections.abc import MutableSequence

from souk.engine.kernel.primitives import ints
from souk.games.marracash.ai.heuristic import (
    evaluate_auction,
    finish_walk,
    predict_money,
    to_shares,
)
from souk.games.marracash.rules import BIDDING, PHASE, SIZE


def evaluate(S: MutableSequence[int], W: MutableSequence[float], V: MutableSequence[float]) -> None:
    """Write the expected share of the win of every seat, in any position but the end."""
    if S[PHASE] == BIDDING:
        evaluate_auction(S, W, V)
    else:
        after = ints(SIZE)
        finish_walk(S, after)
        predict_money(after, W, V)
    to_shares(S, W, V)
