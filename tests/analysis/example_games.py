"""Records to analyse, and a player that evaluates them exactly."""

import random

import souk
from souk.engine.state import State
from souk.players import Analysis, Player
from souk.records import Record, Seat


def random_record(text: str, seed: int = 1, moves: int | None = None) -> Record:
    """Return the record of a game of random choices and fair chance."""
    game, pick = souk.load_game(text), random.Random(seed)
    state = game.new_initial_state(seed)
    while not state.is_terminal() and (moves is None or len(state.history()) < moves):
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(pick.choices(outcomes, weights)[0])
        else:
            state.apply_action(game.random_action(state, pick))
    names = ("Leila", "Karim", "Zineb", "Omar")[: game.num_players()]
    return Record.from_state(state, seed=seed, seats=[Seat(name, "random") for name in names])


class ExactPlayer(Player):
    """A player that searches to the end of the game: its values are exact."""

    name = "exact"

    def think(self, state: State, actions: list[int]) -> int:
        best = self.analyse(state)[0].action
        assert best in actions
        return best

    def analyse(self, state: State) -> list[Analysis]:
        mover = state.current_player()
        analyses = [
            Analysis(
                action, state.action_to_string(action), self._value(self._after(state, action))
            )
            for action in self._actions(state)
        ]
        return sorted(analyses, key=lambda one: -one.shares[mover])

    def _after(self, state: State, action: int) -> State:
        after = state.clone()
        after.apply_action(action)
        return after

    def _value(self, state: State) -> tuple[float, ...]:
        if state.is_terminal():
            return tuple(state.returns())
        if not state.is_chance_node():
            return self.analyse(state)[0].shares
        values = [(p, self._value(self._after(state, a))) for a, p in state.chance_outcomes()]
        seats = range(state.game.num_players())
        return tuple(sum(p * value[seat] for p, value in values) for seat in seats)
