"""The greedy level: maximise the lead one step ahead."""

from souk.engine.state import State
from souk.players.base import Player


class Greedy(Player):
    """Maximises its lead after the action and the chance step that may follow.

    The lead is the quick value of its position over the mean of the others'. So it moves where it
    expects to pay least, takes what gains most, and buys what is cheap. Ties are broken at random.
    """

    name = "greedy"

    def think(self, state: State, actions: list[int]) -> int:
        seat = state.current_player()
        leads = {action: self._lead_after(state, action, seat) for action in actions}
        best = max(leads.values())
        return self.random.choice([action for action in actions if leads[action] == best])

    def _lead_after(self, state: State, action: int, seat: int) -> float:
        after = state.clone()
        after.apply_action(action)
        if not after.is_chance_node():
            return _lead(after, seat)
        expected = 0.0
        for outcome, probability in after.chance_outcomes():
            after.apply_action(outcome)
            expected += probability * _lead(after, seat)
            after.undo_action()
        return round(expected, 9)  # sums of sixths differ in the last digit


def _lead(state: State, seat: int) -> float:
    seats = range(state.game.num_players())
    values = [state.game.quick_value(state.buffer, one) for one in seats]
    others = sum(values) - values[seat]
    return values[seat] - others / (len(values) - 1)
