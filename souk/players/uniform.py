"""The player that takes any legal action, each as likely as the others."""

from souk.engine.state import State
from souk.players.player import Player


class Uniform(Player):
    """Plays at random."""

    name = "random"

    def think(self, state: State, actions: list[int]) -> int:
        return self.random.choice(actions)
