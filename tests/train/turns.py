"""Positions where a turn is about to begin, and practice with all the ends it may have."""

import numpy as np

from souk.games.marrakech.ai.self_play import ENDS
from souk.games.marrakech.ai.training_games import Practice


def a_turn(game, seed, choose):
    """A position of a random game where a turn is about to begin."""
    state = game.new_initial_state(seed)
    while choose.random() < 0.97 or not is_turn(game, state):
        state.apply_action(choose.choice(state.legal_actions()))
        if state.is_terminal():
            state = game.new_initial_state(seed)
    return state


def is_turn(game, state):
    turn_last = state.buffer[game.rules.TURN_LAST]
    phase = state.buffer[game.rules.PHASE]
    return phase == (game.rules.ROLL if turn_last else game.rules.TURN)


def spread_out(machine, game, states):
    """Practice with all ends of a turn from some positions."""
    games = len(states)
    practice = Practice(machine, games, game)
    practice.G[:] = [state.buffer for state in states]
    luck = np.zeros((games, 4), "i8")
    given = (practice.G, luck, practice.ends, practice.known, practice.shares)
    machine.run("spread", games * ENDS, *given)
    return practice
