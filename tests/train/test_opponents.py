"""Training opponents play as they do in the arena."""

import ctypes
import random
import shutil
import subprocess

import numpy as np
import pytest

import souk
from bench.rivals.souk_rivals.two_plies import TwoPlies
from souk.engine.kernel.c_source import c_source
from souk.games.marrakech.ai.opponent_kinds import GREEDY, HEURISTIC, TWO_PLY
from souk.games.marrakech.ai.self_play import ENDS, NO_END, OVER_END, PLACES
from souk.games.marrakech.ai.training_games import DIE, OPPONENTS
from souk.train.devices import Processor
from tests.train.python_device import PythonDevice
from tests.train.turn_batches import expand_turns, random_turn

POSITIONS = 36
GAMES = (
    "marrakech(players=3)",
    "marrakech(players=3,turn_last=True)",
    "marrakech(players=3,dirhams=12)",  # many are soon out
    "marrakech(players=3,edition=pergioco)",
)  # of one kernel
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
OUTSIDE = f"""
void c_rate_end(
    long long *ends, long long *status, long long *kinds, float *values, long long items
) {{
  for (long long item = 0; item < items; item++)
    rate_end(ends, status, kinds, {ENDS}, values, item);
}}
"""


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


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler here")
@pytest.mark.parametrize(
    ("text", "device"),
    [("marrakech(players=3,dirhams=12)", Processor), ("marrakech(players=2)", PythonDevice)],
)
def test_the_c_source_for_gpus_rates_ends_the_same(text, device, tmp_path):
    game = souk.load_game(text)
    choose = random.Random(8)
    batch = expand_turns(device(), game, [random_turn(game, number, choose) for number in range(4)])
    kinds = np.array([TWO_PLY, HEURISTIC, GREEDY, TWO_PLY])
    batch.machine.run("rate_end", 4 * ENDS, batch.ends, batch.status, kinds, ENDS, batch.others)
    source, library = tmp_path / "rate_end.c", tmp_path / "rate_end.so"
    source.write_text(c_source(OPPONENTS, game.constants(), ["rate_end"]) + OUTSIDE)
    options = ["-O1", "-shared", "-fPIC", "-o", str(library), str(source), "-lm"]
    subprocess.run([COMPILER, *options], check=True, capture_output=True, text=True)
    values = np.zeros_like(batch.others)
    given = [one.ctypes.data_as(ctypes.c_void_p) for one in (batch.ends, batch.status, kinds)]
    into = values.ctypes.data_as(ctypes.c_void_p)
    ctypes.CDLL(str(library)).c_rate_end(*given, into, ctypes.c_longlong(4 * ENDS))
    assert values == pytest.approx(batch.others, abs=1e-4)
    assert values[-ENDS:].any()
