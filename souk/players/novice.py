"""The player that misses things, as people do in their first games."""

from souk.engine.state import State
from souk.players.player import Player


class Novice(Player):
    """Takes what looks best at a glance: its own gain, here and now.

    It never does what it sees to be bad. But it counts with nobody else, reckons with no chance,
    and sees of the board what a beginner sees (`Game.glance`).
    """

    name = "novice"

    def think(self, state: State, actions: list[int]) -> int:
        looks = {action: self.game.glance(state, action) for action in actions}
        best = max(looks.values())
        return self.random.choice([action for action in actions if looks[action] == best])
