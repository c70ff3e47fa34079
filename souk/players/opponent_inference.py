"""Infer from the moves of a game what kind of player each opponent is.

The kinds are the opponent models, then a player who searches. Each kind makes some moves likely and
others not (see `expectimax`). The probability that a seat is of each kind is inferred from the
moves it has made by Bayes' rule.
"""

from collections.abc import Callable, Sequence
from math import exp, log

from souk.engine.state import CHANCE, State

RECENT = 150  # actions of the history that are read; older ones say little about what comes
SLIP = 0.1  # how often any player takes a random action
LEAST_PROBABILITY = 0.1  # models below it are dropped: they would cost time

ActionValues = list[list[float]]  # of every action, per kind
Probabilities = list[float]  # per kind


class OpponentInference:
    """Infers the kinds of opponents; remembers what it has read of a game.

    `action_values` returns the values of legal actions to each kind. A kind chooses by a softmax of
    them with its temperature; its prior is how likely an unknown player is of this kind.
    """

    def __init__(
        self,
        action_values: Callable[[State, Sequence[int]], ActionValues],
        temperatures: Sequence[float],
        priors: Sequence[float],
    ) -> None:
        self._action_values = action_values
        self._temperatures = temperatures
        self._priors = priors
        self._start: Sequence[int] = ()  # the first position of the game that was read
        self._history: list[int] = []
        self._read: dict[int, tuple[int, list[float]]] = {}  # seat and likelihoods, by place

    def beliefs(
        self, state: State, is_late: Callable[[], bool] = lambda: False
    ) -> list[Probabilities]:
        """Return the probabilities of each kind for every seat, read until it is late.

        The moves of the player to move are not read: they know themselves.
        """
        self._read_history(state, is_late)
        oldest = len(self._history) - RECENT
        logs = [[log(prior) for prior in self._priors] for _ in range(state.game.num_players())]
        for place in sorted(self._read):  # in one order, so that the sums are always the same
            seat, likelihoods = self._read[place]
            if place >= oldest and seat != state.current_player():
                logs[seat] = [one + more for one, more in zip(logs[seat], likelihoods, strict=True)]
        return [_probabilities(one) for one in logs]

    def _read_history(self, state: State, is_late: Callable[[], bool]) -> None:
        """Read the actions that are new, the latest first."""
        history, steps = state.history(), state.steps()
        start = list(steps[0][0] if steps else state.buffer)
        if start != self._start or history[: len(self._history)] != self._history:
            self._read = {}  # another game, or some of it was undone
        self._start, self._history = start, history
        earlier = state.clone()
        for place in reversed(range(max(0, len(history) - RECENT), len(history))):
            earlier.undo_action()
            seat = earlier.current_player()
            if seat not in (CHANCE, state.current_player()) and place not in self._read:
                if is_late():
                    return
                self._read[place] = (seat, self._log_likelihoods(earlier, history[place]))

    def _log_likelihoods(self, before: State, action: int) -> list[float]:
        """Return the logarithm of the probability of an action by each kind."""
        actions = before.legal_actions()
        if len(actions) == 1:
            return [0.0] * len(self._priors)
        chosen = actions.index(action)
        likelihoods = []
        all_values = self._action_values(before, actions)
        for values, temperature in zip(all_values, self._temperatures, strict=True):
            best = max(values)
            parts = [exp(max(-50.0, (value - best) / temperature)) for value in values]
            probability = parts[chosen] / sum(parts)
            likelihoods.append(log(SLIP / len(actions) + (1 - SLIP) * probability))
        return likelihoods


def _probabilities(logs: Sequence[float]) -> Probabilities:
    """Return probabilities from unnormalised logarithms; unlikely ones are dropped.

    >>> _probabilities([0.0, 0.0, -9.0])
    [0.5, 0.5, 0.0]
    """
    parts = [exp(one - max(logs)) for one in logs]
    parts = [one if one > LEAST_PROBABILITY * sum(parts) else 0.0 for one in parts]
    return [one / sum(parts) for one in parts]
