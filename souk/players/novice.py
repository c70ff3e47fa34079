"""The novice level: miss what people miss in their first games."""

from souk.engine.state import State
from souk.players.base import Player


class Novice(Player):
    """Takes what looks best for itself here and now (`Game.novice_value`).

    It considers neither the other players nor chance. Ties are broken at random.
    """

    name = "novice"

    def think(self, state: State, actions: list[int]) -> int:
        values = {action: self.game.novice_value(state, action) for action in actions}
        best = max(values.values())
        return self.random.choice([action for action in actions if values[action] == best])
