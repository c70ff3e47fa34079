"""What share of the win each seat may expect in a position, by a computer player's judgement."""

from collections.abc import Sequence

from souk.engine.state import CHANCE, State
from souk.players import Analysis, Player

Shares = tuple[float, ...]  # of the win, by seat


class Values:
    """Values of positions: each is worked out once, so a number means the same wherever it is used.

    A decision is worth what its best option brings. A chance step is worth the mean of what its
    outcomes are worth, each by its probability: nothing is sampled. The end of the game is exact.
    """

    def __init__(self, player: Player) -> None:
        self._player = player
        self._values: dict[tuple[int, ...], Shares] = {}
        self._options: dict[tuple[int, ...], list[Analysis]] = {}

    def of(self, state: State) -> Shares:
        """What a position is worth to each seat."""
        key = tuple(state.buffer)
        if key not in self._values:
            self._values[key] = self._worked_out(state)
        return self._values[key]

    def options(self, state: State) -> list[Analysis]:
        """All that the player to move can do and what it is expected to bring, best first."""
        key = tuple(state.buffer)
        if key not in self._options:
            self._options[key] = self._player.analyse(state)
        return self._options[key]

    def outcomes(self, state: State) -> list[tuple[int, float, Shares]]:
        """All that chance can bring here: the action, how likely it is, and what it is worth."""
        return [
            (action, probability, self.of(after(state, action)))
            for action, probability in state.chance_outcomes()
        ]

    def _worked_out(self, state: State) -> Shares:
        if state.is_terminal():
            return tuple(state.returns())
        if state.current_player() == CHANCE:
            outcomes = self.outcomes(state)
            return mean([(probability, shares) for _, probability, shares in outcomes])
        actions = state.legal_actions()
        if len(actions) == 1:  # no decision at all: there is nothing to think about
            return self.of(after(state, actions[0]))
        return self.options(state)[0].shares


def after(state: State, action: int) -> State:
    """The position after an action."""
    then = state.clone()
    then.apply_action(action)
    return then


def mean(weighted: Sequence[tuple[float, Shares]]) -> Shares:
    """The mean of shares by their weights.

    >>> mean([(0.25, (1.0, 0.0)), (0.75, (0.0, 1.0))])
    (0.25, 0.75)
    """
    seats = range(len(weighted[0][1]))
    return tuple(sum(weight * shares[seat] for weight, shares in weighted) for seat in seats)
