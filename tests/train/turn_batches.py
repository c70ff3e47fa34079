"""Positions where a turn is about to begin, and batches with all ends of such turns."""

from souk.games.marrakech.ai.self_play import ENDS
from souk.games.marrakech.ai.training_games import SelfPlay


def random_turn(game, seed, choose):
    """Return a position of a random game where a turn is about to begin."""
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


def expand_turns(machine, game, states):
    """Return a batch of self-play with all ends of a turn from some positions."""
    games = len(states)
    batch = SelfPlay(machine, games, game)
    batch.G[:] = machine.xp.array([state.buffer for state in states])
    random_words = machine.xp.zeros((games, 4), "i8")
    given = (batch.G, random_words, batch.ends, batch.status, batch.shares)
    machine.run("expand", games * ENDS, *given)
    return batch
