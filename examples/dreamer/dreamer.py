"""A player that plays random games after every action and takes the action that wins most."""

import time

import souk
from souk.players import Player


class Dreamer(Player):
    """Plays every game."""

    name = "dreamer"

    def think(self, state: souk.State, actions: list[int]) -> int:
        """Return the action after which random games were won most often."""
        mover = state.current_player()
        wins = dict.fromkeys(actions, 0.0)
        start = time.perf_counter()
        seed = self.random.getrandbits(62)  # never `import random`: a seed must repeat the play
        games = 0
        while not self._is_enough(games * len(actions), start):
            for action in actions:
                after = state.clone()
                after.apply_action(action)
                # The same random numbers for each action, so that luck cancels out.
                result = souk.playouts(after, games=50, seed=seed, first=games, threads=1)
                wins[action] += result.returns[:, mover].sum()
            games += 50
        return max(actions, key=wins.__getitem__)

    def _is_enough(self, games: int, start: float) -> bool:
        """Return whether time or nodes are used up, or the player was stopped; a node is a game."""
        if self.is_stopped and games:
            return True
        if self.seconds is not None:
            return games > 0 and time.perf_counter() - start > 0.9 * self.seconds
        return games >= (self.nodes or 2000)
