"""Games between mixed players, and the evaluation of positions in them without any search."""

from collections.abc import Mapping
from random import Random

from souk.analysis.decisions import MIX, mixed_game
from souk.engine.game import Game
from souk.engine.state import State
from souk.players.levels import Expert


def play_mixed(game: Game, random: Random, mix: Mapping[str, int] = MIX) -> tuple[State, list[int]]:
    """Play a game; return its end, and how many actions came before each turn but the first."""
    starts: list[int] = []
    turn = 1
    for state in mixed_game(game, random, mix):
        now = game.turn_number(state.buffer)
        if now > turn and not state.is_terminal():
            starts.append(len(state.history()))
        turn = now
    return state, starts


def static_shares(evaluator: Expert, state: State) -> tuple[float, ...]:
    """Return each seat's share of the win at the start of a turn, by the evaluation alone.

    The search evaluates positions after an action, so the state must have a history.
    """
    before = state.clone()
    action = before.history()[-1]
    before.undo_action()
    everybody = (evaluator.name,) * state.game.num_players()
    shares = evaluator.outcome_shares(before, everybody)
    return tuple(map(float, shares[before.legal_actions().index(action)]))
