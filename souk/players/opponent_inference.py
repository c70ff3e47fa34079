"""Reading the others: what the moves of a game say about who is which kind of player.

What a player has in mind makes some moves likely and others not (see `expectimax`). How
likely every seat is of each kind follows from the moves it has made, by Bayes' rule.
"""

from collections.abc import Callable, Sequence
from math import exp, log

from souk.engine.state import CHANCE, State

RECENT = 90  # actions of the history that are read; older ones say little about what comes
SLIP = 0.1  # how often anybody does just anything
LEAST_BELIEF = 0.04  # what is less likely is not reckoned with: it would cost time

Worths = list[list[float]]  # for every kind of player, of every action
Belief = list[float]  # how likely each kind is


class Reader:
    """Reads games, one after the other; what it has read of a game it need not read again.

    `worths` tells what the legal actions are worth to each kind of player, `slack` how much less
    than the best each may take for good enough, `stranger` how likely a stranger is of each kind.
    """

    def __init__(
        self,
        worths: Callable[[State, Sequence[int]], Worths],
        slack: Sequence[float],
        stranger: Sequence[float],
    ) -> None:
        self._worths = worths
        self._slack = slack
        self._stranger = stranger
        self._start: Sequence[int] = ()  # the position that the game which was read began with
        self._history: list[int] = []
        self._read: dict[int, tuple[int, list[float]]] = {}  # by place in the history

    def beliefs(self, state: State, is_late: Callable[[], bool] = lambda: False) -> list[Belief]:
        """How likely every other seat is of each kind, by what can be read until it is late.

        Of whoever is to move nothing is read: he knows himself.
        """
        self._read_on(state, is_late)
        oldest = len(self._history) - RECENT
        logs = [[log(one) for one in self._stranger] for _ in range(state.game.num_players())]
        for place in sorted(self._read):  # in one order, so that sums come out alike
            seat, said = self._read[place]
            if place >= oldest and seat != state.current_player():
                logs[seat] = [one + more for one, more in zip(logs[seat], said, strict=True)]
        return [_shared_out(one) for one in logs]

    def _read_on(self, state: State, is_late: Callable[[], bool]) -> None:
        """Read the actions that are new, the latest first."""
        history, steps = state.history(), state.steps()
        start = list(steps[0][0] if steps else state.buffer)
        if start != self._start or history[: len(self._history)] != self._history:
            self._read = {}  # another game, or some of it was taken back
        self._start, self._history = start, history
        earlier = state.clone()
        for place in reversed(range(max(0, len(history) - RECENT), len(history))):
            earlier.undo_action()
            seat = earlier.current_player()
            if seat not in (CHANCE, state.current_player()) and place not in self._read:
                if is_late():
                    return
                self._read[place] = (seat, self._said(earlier, history[place]))

    def _said(self, before: State, action: int) -> list[float]:
        """How likely each kind of player would have done this, as logarithms."""
        actions = before.legal_actions()
        if len(actions) == 1:
            return [0.0] * len(self._stranger)
        chosen = actions.index(action)
        found = []
        for worths, slack in zip(self._worths(before, actions), self._slack, strict=True):
            best = max(worths)
            likely = [exp(max(-50.0, (one - best) / slack)) for one in worths]
            part = likely[chosen] / sum(likely)
            found.append(log(SLIP / len(actions) + (1 - SLIP) * part))
        return found


def _shared_out(logs: Sequence[float]) -> Belief:
    """Probabilities from their logarithms; what is hardly likely is left out.

    >>> _shared_out([0.0, 0.0, -9.0])
    [0.5, 0.5, 0.0]
    """
    parts = [exp(one - max(logs)) for one in logs]
    parts = [one if one > LEAST_BELIEF * sum(parts) else 0.0 for one in parts]
    return [one / sum(parts) for one in parts]
