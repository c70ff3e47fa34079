"""The opponent models of a game that defines none: everybody plays as the search does.

A kernel module. Other opponent-model modules define the same names.
"""

from collections.abc import MutableSequence

MODELS = 1  # model 0 is the search itself
PRIORS = (1.0,)  # how likely an unknown player follows each model
TEMPERATURES = (0.01,)  # of the softmax by which a player with each model chooses
SEARCHER_TEMPERATURE = 0.01  # of the choices of players who search
SEARCHER_PRIOR = 0.0  # how many of those who follow model 0 look beyond the end of their turn
QUICK_MODELS = (0,)  # the model that stands in for each where many options are compared
NODE_COSTS = (0,)  # nodes that evaluating a position by each model counts for


def seat_in_turn(_S: MutableSequence[int]) -> int:
    """Return the seat whose turn it is: any will do, since all follow the same model."""
    return 0


def model_value(
    _S: MutableSequence[int], _seat: int, _model: int, _V: MutableSequence[float]
) -> float:
    """Return a position's value to a model other than 0: there is none."""
    return 0.0
