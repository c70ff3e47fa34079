"""OpenSpiel's own search on our states."""

import sys
import time
from math import inf
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from souk import Game, State
from souk.players import Player


class Mcts(Player):
    """OpenSpiel's own Monte-Carlo tree search with random games, on our states as they are."""

    name = "mcts"
    usual_seconds = 1.0

    def __init__(self, game: Game, **limits: Any) -> None:
        super().__init__(game, **limits)
        draw = np.random.RandomState(self.random.getrandbits(32))
        rollouts = mcts.RandomRolloutEvaluator(1, draw)
        asked = SimpleNamespace(  # all that the bot wants to know of a game
            get_type=lambda: SimpleNamespace(
                reward_model=pyspiel.GameType.RewardModel.TERMINAL,
                dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            ),
            max_utility=lambda: 1.0,
            num_players=game.num_players,
        )
        self._limit = inf if self.nodes else self.seconds or self.usual_seconds
        most = self.nodes or sys.maxsize
        self._bot = _ByTheClock(asked, 1.4, most, rollouts, random_state=draw)

    def think(self, state: State, _actions: list[int]) -> int:
        """The action that was tried most."""
        self._bot.end = time.perf_counter() + self._limit
        return self._bot.step(state)


class _ByTheClock(mcts.MCTSBot):
    """OpenSpiel's search, which counts simulations, with an end by the clock."""

    end = inf

    def mcts_search(self, state: State) -> mcts.SearchNode:
        try:
            return super().mcts_search(state)
        except _TimeIsUp as time_is_up:
            return time_is_up.root

    def _apply_tree_policy(self, root: mcts.SearchNode, state: State) -> Any:
        """What every simulation begins with; actions to choose from are there after the second."""
        if root.explore_count > 1 and time.perf_counter() > self.end:
            raise _TimeIsUp(root)
        return super()._apply_tree_policy(root, state)


class _TimeIsUp(Exception):
    def __init__(self, root: mcts.SearchNode) -> None:
        self.root = root
