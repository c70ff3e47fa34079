"""The random level: play at random, as playouts do."""

from souk.engine.state import State
from souk.players.base import Player


class Uniform(Player):
    """Plays at random."""

    name = "random"

    def think(self, state: State, actions: list[int]) -> int:
        return self.game.random_action(state, self.random)
