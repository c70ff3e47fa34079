"""OpenSpiel's Monte-Carlo tree search on our states."""

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
    """Chooses by OpenSpiel's Monte-Carlo tree search with random rollouts."""

    name = "mcts"
    usual_seconds = 1.0

    def __init__(self, game: Game, **limits: Any) -> None:
        super().__init__(game, **limits)
        draw = np.random.RandomState(self.random.getrandbits(32))
        rollouts = mcts.RandomRolloutEvaluator(1, draw)
        game_facts = SimpleNamespace(  # all that the bot reads of a game
            get_type=lambda: SimpleNamespace(
                reward_model=pyspiel.GameType.RewardModel.TERMINAL,
                dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            ),
            max_utility=lambda: 1.0,
            num_players=game.num_players,
        )
        self._seconds = inf if self.nodes else self.seconds or self.usual_seconds
        most = self.nodes or sys.maxsize
        self._bot = _TimedMcts(game_facts, 1.4, most, rollouts, random_state=draw)

    def think(self, state: State, _actions: list[int]) -> int:
        """Return the action that was tried most."""
        self._bot.deadline = time.perf_counter() + self._seconds
        return self._bot.step(state)


class _TimedMcts(mcts.MCTSBot):
    """OpenSpiel's search, which counts simulations, with a time limit."""

    deadline = inf

    def mcts_search(self, state: State) -> mcts.SearchNode:
        try:
            return super().mcts_search(state)
        except _OutOfTime as out_of_time:
            return out_of_time.root

    def _apply_tree_policy(self, root: mcts.SearchNode, state: State) -> Any:
        """Stop when time is up; before the second simulation there is no action to choose."""
        if root.explore_count > 1 and time.perf_counter() > self.deadline:
            raise _OutOfTime(root)
        return super()._apply_tree_policy(root, state)


class _OutOfTime(Exception):
    def __init__(self, root: mcts.SearchNode) -> None:
        self.root = root
