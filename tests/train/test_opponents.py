"""Training opponents play as they do in the arena."""

import random

import numpy as np
import pytest

import souk
from bench.rivals.souk_rivals.two_plies import TwoPlies
from souk.engine.kernel.source import parse_kernel
from souk.games.marrakech.ai.opponent_kinds import GREEDY, HEURISTIC, TWO_PLY
from souk.games.marrakech.ai.self_play import ENDS, NO_END, OVER_END, PLACES
from souk.games.marrakech.ai.training_games import DIE, SELF_PLAY
from souk.train.devices import Gpu, Processor
from tests.train.python_device import PythonDevice
from tests.train.turn_batches import expand_turns, random_turn

POSITIONS = 36
GAMES = (
    "marrakech(players=3)",
    "marrakech(players=3,turn_last=True)",
    "marrakech(players=3,dirhams=12)",  # many are soon out
    "marrakech(players=3,edition=pergioco)",
)  # of one kernel


@pytest.mark.parametrize("text", GAMES)
def test_two_plies_expects_the_same_as_in_the_arena(text):
    game = souk.load_game(text)
    player = TwoPlies(game, seed=1)
    choose = random.Random(7)
    states = [random_turn(game, number, choose) for number in range(POSITIONS)]
    turnings_compared = places_compared = 0
    for state, is_end, shares in zip(states, *rate_ends(game, states), strict=True):
        me = state.buffer[game.rules.TO_MOVE]
        mine = np.where(is_end, shares[..., me], -1)
        if not state.buffer[game.rules.TURN_LAST]:
            expected = mine.max(2) @ np.array(DIE)
            message = {one.action: one.shares[me] for one in player.analyse(state)}
            assert [message[turning] for turning in range(3)] == pytest.approx(expected, abs=1e-4)
            assert message[int(expected.argmax())] == pytest.approx(max(message.values()), abs=1e-4)
            turnings_compared += 1
        turning, die = choose.randrange(3), choose.randrange(4)
        rolled = state.clone()
        if not state.buffer[game.rules.TURN_LAST]:
            rolled.apply_action(turning)
        rolled.apply_action(game.rules.DIE + die)
        if rolled.buffer[game.rules.PHASE] == game.rules.LAY:
            message = {one.action: one.shares for one in player.analyse(rolled)}
            for place, action in enumerate(rolled.legal_actions()):
                if state.buffer[game.rules.TURN_LAST]:
                    turning = int(mine[:, die, place].argmax())
                assert shares[turning, die, place] == pytest.approx(message[action], abs=1e-4)
                places_compared += 1
    assert turnings_compared == (0 if "turn_last" in text else POSITIONS)
    assert places_compared > 5 * POSITIONS


def rate_ends(game, states):
    """Return by turning, roll and place: which ends there are, and their shares by two plies."""
    batch, games = expand_turns(Processor(), game, states), len(states)
    status, kinds = batch.status, np.full(games, TWO_PLY)
    batch.machine.run("rate_end", games * ENDS, batch.ends, status, kinds, ENDS, batch.others)
    shares = np.where(status[:, :1] == OVER_END, batch.shares, batch.others)
    by_path = (games, 3, 4, PLACES)
    return (status[:, 0] != NO_END).reshape(by_path), shares.reshape(*by_path, batch.seats)


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize(
    ("text", "device"),
    [("marrakech(players=3,dirhams=12)", Processor), ("marrakech(players=2)", PythonDevice)],
)
def test_a_gpu_expands_and_rates_the_same(text, device):
    game = souk.load_game(text)
    choose = random.Random(8)
    states = [random_turn(game, number, choose) for number in range(4)]
    width = parse_kernel(SELF_PLAY, game.constants())[0].INPUTS
    results = []
    for machine in (device(), Gpu()):
        batch = expand_turns(machine, game, states)
        kinds = machine.xp.array([TWO_PLY, HEURISTIC, GREEDY, TWO_PLY])
        machine.run("rate_end", 4 * ENDS, batch.ends, batch.status, kinds, ENDS, batch.others)
        inputs = machine.xp.zeros((4 * ENDS, width), "f4")
        machine.run("write_inputs", 4 * ENDS, batch.ends, batch.status, inputs, 1)
        results.append((batch.ends, batch.status, batch.shares, batch.others, inputs))
    for expected, found in zip(*results, strict=True):
        assert found.get() == pytest.approx(expected, abs=1e-4)
    assert batch.others[-ENDS:].any() and inputs.any()
