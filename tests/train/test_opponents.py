"""Opponents in practice games play as they do in the arena."""

import ctypes
import random
import shutil
import subprocess

import numpy as np
import pytest

import souk
from bench.rivals.souk_rivals.by_hand import TwoPlies
from souk.engine.kernel.c_source import c_source
from souk.games.marrakech.ai.self_play import ENDS, NO_END, OVER_END, PLACES
from souk.games.marrakech.ai.training_games import DIE, OPPONENTS
from souk.games.marrakech.ai.training_opponents import BY_HAND, GREEDY, TWO_PLIES
from souk.train.devices import Processor
from tests.train.turns import a_turn, spread_out

POSITIONS = 36
GAMES = (
    "marrakech(players=3)",
    "marrakech(players=3,turn_last=True)",
    "marrakech(players=3,dirhams=12)",  # many are soon out
    "marrakech(players=3,edition=pergioco)",
)  # of one kernel: it takes a minute to compile
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
OUTSIDE = f"""
void c_weigh(long long *ends, long long *known, long long *kinds, float *values, long long items) {{
  for (long long item = 0; item < items; item++) weigh(ends, known, kinds, {ENDS}, values, item);
}}
"""


@pytest.mark.parametrize("text", GAMES)
def test_two_plies_expects_what_it_expects_in_the_arena(text):
    game = souk.load_game(text)
    player = TwoPlies(game, seed=1)
    choose = random.Random(7)
    states = [a_turn(game, number, choose) for number in range(POSITIONS)]
    turnings_compared = places_compared = 0
    for state, is_end, shares in zip(states, *weighed(game, states), strict=True):
        me = state.buffer[game.rules.TO_MOVE]
        mine = np.where(is_end, shares[..., me], -1)
        if not state.buffer[game.rules.TURN_LAST]:
            expected = mine.max(2) @ np.array(DIE)
            told = {one.action: one.shares[me] for one in player.analyse(state)}
            assert [told[turning] for turning in range(3)] == pytest.approx(expected, abs=1e-4)
            assert told[int(expected.argmax())] == pytest.approx(max(told.values()), abs=1e-4)
            turnings_compared += 1
        turning, die = choose.randrange(3), choose.randrange(4)
        rolled = state.clone()
        if not state.buffer[game.rules.TURN_LAST]:
            rolled.apply_action(turning)
        rolled.apply_action(game.rules.DIE + die)
        if rolled.buffer[game.rules.PHASE] == game.rules.LAY:
            told = {one.action: one.shares for one in player.analyse(rolled)}
            for place, action in enumerate(rolled.legal_actions()):
                if state.buffer[game.rules.TURN_LAST]:
                    turning = int(mine[:, die, place].argmax())
                assert shares[turning, die, place] == pytest.approx(told[action], abs=1e-4)
                places_compared += 1
    assert turnings_compared == (0 if "turn_last" in text else POSITIONS)
    assert places_compared > 5 * POSITIONS


def weighed(game, states):
    """By turning, roll and place: which ends there are, and what two plies expect of them."""
    practice, games = spread_out(Processor(), game, states), len(states)
    known, kinds = practice.known, np.full(games, TWO_PLIES)
    practice.machine.run("weigh", games * ENDS, practice.ends, known, kinds, ENDS, practice.others)
    shares = np.where(known[:, :1] == OVER_END, practice.shares, practice.others)
    by_path = (games, 3, 4, PLACES)
    return (known[:, 0] != NO_END).reshape(by_path), shares.reshape(*by_path, practice.seats)


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler here")
@pytest.mark.parametrize("text", ["marrakech(players=3,dirhams=12)", "marrakech(players=2)"])
def test_a_gpu_is_given_a_text_that_weighs_the_same(text, tmp_path):
    game = souk.load_game(text)
    choose = random.Random(8)
    practice = spread_out(Processor(), game, [a_turn(game, number, choose) for number in range(4)])
    kinds = np.array([TWO_PLIES, BY_HAND, GREEDY, TWO_PLIES])
    practice.machine.run(
        "weigh", 4 * ENDS, practice.ends, practice.known, kinds, ENDS, practice.others
    )
    source, library = tmp_path / "weigh.c", tmp_path / "weigh.so"
    source.write_text(c_source(OPPONENTS, game.constants(), ["weigh"]) + OUTSIDE)
    options = ["-O1", "-shared", "-fPIC", "-o", str(library), str(source), "-lm"]
    subprocess.run([COMPILER, *options], check=True, capture_output=True, text=True)
    values = np.zeros_like(practice.others)
    given = [one.ctypes.data_as(ctypes.c_void_p) for one in (practice.ends, practice.known, kinds)]
    into = values.ctypes.data_as(ctypes.c_void_p)
    ctypes.CDLL(str(library)).c_weigh(*given, into, ctypes.c_longlong(4 * ENDS))
    assert values == pytest.approx(practice.others, abs=1e-4)
    assert values[-ENDS:].any()
