"""OpenSpiel's own search on our states."""

import time
from types import SimpleNamespace

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from souk import Game, State
from souk.players import Player


class Mcts(Player):
    """OpenSpiel's own Monte-Carlo tree search with random games, on our states as they are."""

    name = "mcts"
    usual_seconds = 1.0
    trial = 50  # simulations of the first search, which tells how many fit into the time

    def __init__(
        self,
        game: Game,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        seed: int | None = None,
    ) -> None:
        super().__init__(game, seconds=seconds, nodes=nodes, seed=seed)
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
        self._bot = mcts.MCTSBot(asked, 1.4, nodes or self.trial, rollouts, random_state=draw)
        self._limit = None if nodes else seconds or self.usual_seconds

    def think(self, state: State, _actions: list[int]) -> int:
        """The action that was tried most; time is kept by how many simulations fitted before."""
        start = time.perf_counter()
        chosen = self._bot.step(state)
        if self._limit is not None:
            a_simulation = (time.perf_counter() - start) / self._bot.max_simulations
            self._bot.max_simulations = max(self.trial, round(self._limit / a_simulation))
        return chosen
