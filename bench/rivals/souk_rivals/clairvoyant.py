"""A player that knows what `previous` will choose: the limit of what predictions can gain."""

from typing import Any

from souk import Game, State
from souk.players import Player
from souk.players.levels import Expert
from souk.players.searcher import Searcher
from souk_rivals.previous import Previous

CANDIDATES = 4  # own actions that are compared, the best after two plies


class _NextTurn(Searcher):
    """Searches the rest of this turn and the next one in full, with the best evaluation."""

    most_plies = 2
    follows_all = True


class Clairvoyant(Player):
    """Asks `previous`, with the same limits, what it would choose in the next player's turn."""

    name = "clairvoyant"

    def __init__(self, game: Game, **limits: Any) -> None:
        super().__init__(game, **limits)
        self._opponents = [Previous(game, **limits) for _ in range(game.num_players())]
        self._searcher = _NextTurn(game, nodes=10**9, seed=1)
        self._expert = Expert(game, seed=1)

    def think(self, state: State, actions: list[int]) -> int:
        self._me, self._made = state.current_player(), len(state.history())
        self._turn = self.game.turn_number(state.buffer)
        best = [one.action for one in self._searcher.analyse(state) if one.action in actions]
        return max(best[:CANDIDATES], key=lambda action: self._share_after(state, action))

    def _share_after(self, state: State, action: int) -> float:
        """Return the own share after an action and the turn of the next player."""
        after = state.clone()
        after.apply_action(action)
        if after.is_terminal():
            return after.returns()[self._me]
        if after.is_chance_node():
            outcomes = after.chance_outcomes()
            return sum(odds * self._share_after(after, one) for one, odds in outcomes)
        turns = self.game.turn_number(after.buffer) - self._turn
        if turns == 0:
            choice = self._searcher.analyse(after)[0].action
        elif turns == 1:
            choice = self._opponents[after.current_player()].answer(after, self._made)
        else:
            return self._expert.analyse(after)[0].shares[self._me]
        return self._share_after(after, choice)
