"""Estimate each player's winning chances in a position."""

from collections.abc import Sequence

from souk.engine.state import CHANCE, State
from souk.players import Analysis, Player
from souk.players.base import position_after

MOST_FORCED = 4  # actions in a row that are followed: dice may force them again and again

Shares = tuple[float, ...]  # winning chances by seat: expected shares of the win


class WinningChances:
    """The winning chances in positions, each position evaluated only once.

    A decision has the value of its best option. A chance step has the mean value of its outcomes,
    weighted by probability; nothing is sampled. The end of the game is exact.
    """

    def __init__(self, player: Player) -> None:
        self._player = player
        self._shares: dict[tuple[int, ...], Shares] = {}
        self._options: dict[tuple[int, ...], list[Analysis]] = {}
        self._forced = 0  # the number of forced actions that are being followed

    def of(self, state: State) -> Shares:
        """Return each seat's winning chances in a position."""
        key = tuple(state.buffer)
        if key not in self._shares:
            self._shares[key] = self._evaluate(state)
        return self._shares[key]

    def options(self, state: State) -> list[Analysis]:
        """Return all actions of the player to move with their values, best first."""
        key = tuple(state.buffer)
        if key not in self._options:
            self._options[key] = self._player.analyse(state)
        return self._options[key]

    def outcomes(self, state: State) -> list[tuple[int, float, Shares]]:
        """Return all chance outcomes: the action, its probability and the value after it."""
        return [
            (action, probability, self.of(position_after(state, action)))
            for action, probability in state.chance_outcomes()
        ]

    def _evaluate(self, state: State) -> Shares:
        if state.is_terminal():
            return tuple(state.returns())
        if state.current_player() == CHANCE:
            outcomes = self.outcomes(state)
            return weighted_mean([(probability, shares) for _, probability, shares in outcomes])
        actions = state.legal_actions()
        if len(actions) == 1 and self._forced < MOST_FORCED:  # no decision
            self._forced += 1
            shares = self.of(position_after(state, actions[0]))
            self._forced -= 1
            return shares
        return self.options(state)[0].shares


def weighted_mean(weighted: Sequence[tuple[float, Shares]]) -> Shares:
    """Return the weighted mean of shares.

    >>> weighted_mean([(0.25, (1.0, 0.0)), (0.75, (0.0, 1.0))])
    (0.25, 0.75)
    """
    seats = range(len(weighted[0][1]))
    return tuple(sum(weight * shares[seat] for weight, shares in weighted) for seat in seats)
