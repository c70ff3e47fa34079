"""Measure each seat's luck in the chance steps of a game, so that results can be adjusted for it.

The luck of a chance step is each seat's expected share of the win after the outcome, less the mean
over all outcomes. It is measured by a search that knows the position and who sits where, but not
the outcome; so its mean is 0, however good the search is, and subtracting it changes no mean.
"""

from collections.abc import Sequence
from functools import cache

from souk.arena.entrants import Entrant
from souk.engine.game import Game
from souk.engine.state import State
from souk.players.levels import Expert, Master

# Plies that are searched, and the standard deviation of a share between the outcomes that leads to
# a further ply: chance steps that decide much are worth more time.
QUICK = ((1, 0.15), (2, 1.0))
THOROUGH = ((1, 0.05), (2, 1.0))
SLOW_SECONDS, SLOW_NODES = 0.01, 1_000  # limits at which a player takes longer than measuring luck


class LuckMeter:
    """Adds up the luck of every seat in a game; it stays 0 if the game has no evaluation."""

    def __init__(self, game: Game, entrants: Sequence[Entrant]) -> None:
        self._evaluator = _evaluator(game)
        self._players = tuple(entrant.name for entrant in entrants)
        self._rounds = THOROUGH if any(map(_is_slow, entrants)) else QUICK
        self.luck = [0.0] * game.num_players()

    def add(self, state: State, outcome: int) -> None:
        """Add the luck of an outcome at a state's chance node."""
        if self._evaluator is None:
            return
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        for plies, spread in self._rounds:
            shares = self._evaluator.outcome_shares(state, self._players, plies)
            mean = weights @ shares
            if max(weights @ (shares - mean) ** 2) < spread**2:
                break
        luck = shares[outcomes.index(outcome)] - mean
        self.luck = [total + float(one) for total, one in zip(self.luck, luck, strict=True)]


def _is_slow(entrant: Entrant) -> bool:
    if entrant.seconds or entrant.nodes:
        return (entrant.seconds or 0) >= SLOW_SECONDS or (entrant.nodes or 0) >= SLOW_NODES
    return entrant.name == Master.name


@cache
def _evaluator(game: Game) -> Expert | None:
    return Expert(game) if game.available_evaluations() else None
