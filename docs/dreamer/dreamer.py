"""A player that dreams: it tries every action in random games and takes the one that won most."""

import time

import souk
from souk.players import Player


class Dreamer(Player):
    """Plays any game there is."""

    name = "dreamer"

    def think(self, state: souk.State, actions: list[int]) -> int:
        """The action after which random games were won most often."""
        mover = state.current_player()
        wins = dict.fromkeys(actions, 0.0)
        start = time.perf_counter()
        seed = self.random.getrandbits(62)  # never `import random`: a seed must repeat the play
        dreamt = 0
        while not self._is_enough(dreamt * len(actions), start):
            for action in actions:
                after = state.clone()
                after.apply_action(action)
                # The same luck for each action, so that luck decides less.
                dreams = souk.playouts(after, games=50, seed=seed, first=dreamt, threads=1)
                wins[action] += dreams.returns[:, mover].sum()
            dreamt += 50
        return max(actions, key=wins.__getitem__)

    def _is_enough(self, games: int, start: float) -> bool:
        """Whether time or nodes are used up, or somebody wants an answer now; a node is a game."""
        if self.is_stopped and games:
            return True
        if self.seconds is not None:
            return games > 0 and time.perf_counter() - start > 0.9 * self.seconds
        return games >= (self.nodes or 2000)
