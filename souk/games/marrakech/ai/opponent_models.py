"""The opponent models for tables of three or four players. A kernel module.

With two players, whatever the opponent does worse than expected is one's own gain. With more it
may be a third player's, so it pays to predict players who are weaker than the search. The models
are the kinds of players that the net has inputs for.
"""

from collections.abc import MutableSequence

from souk.engine.kernel.primitives import floats
from souk.games.marrakech.ai.heuristic import evaluate_heuristic
from souk.games.marrakech.ai.opponent_kinds import GREEDY, HEURISTIC, KINDS, NET
from souk.games.marrakech.ai.two_ply import evaluate_two_ply
from souk.games.marrakech.rules import OVER, PHASE, PLAYERS, TO_MOVE, score

# Tables by kind, as `no_opponent_models` explains them.
MODELS = KINDS
# Players whose moves say nothing yet count as equals: in decision sets, a search that gives each
# weaker model a few percent loses more.
PRIORS = (0.91, 0.03, 0.03, 0.03)
TEMPERATURES = (0.003, 0.003, 0.2, 0.003)
SEARCHER_TEMPERATURE = 0.005  # of the choices of players who search
SEARCHER_PRIOR = 0.75  # how many of those who follow model 0 look beyond the end of their turn
QUICK_MODELS = (NET, HEURISTIC, GREEDY, HEURISTIC)
NODE_COSTS = (0, 0, 0, 10)


def seat_in_turn(S: MutableSequence[int]) -> int:
    """Return the seat whose turn it is."""
    return S[TO_MOVE]


def model_value(
    S: MutableSequence[int], seat: int, model: int, shares: MutableSequence[float]
) -> float:
    """Return the value of the end of a turn to a model; `shares` is read if the game is over."""
    if model == GREEDY:
        total = 0
        for other in range(PLAYERS):
            total += score(S, other)
        return PLAYERS * score(S, seat) - total
    if S[PHASE] == OVER:
        return shares[seat]
    V = floats(PLAYERS)
    if model == HEURISTIC:
        evaluate_heuristic(S, V)
    else:
        evaluate_two_ply(S, V)
    return V[seat]
