"""Kernels as C text: compiled by a C compiler, they play the same games as in plain Python."""

import ctypes
import random
import shutil
import subprocess

import numpy as np
import pytest

import souk
from souk.engine.kernel.c_source import c_source
from souk.engine.kernel.cuda_target import _launcher, check_ranges
from souk.engine.kernel.source import parse_kernel
from souk.engine.kernel.value_ranges import unwritten_slots

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
STEP_DRIVER = "tests.engine.step_driver"
RANDOM = "souk.engine.kernel.philox"
LOOP = "souk.engine.kernel.playout_loop"
OUTSIDE = """
long long c_step(long long *S, long long action) { return step(S, action); }
long long c_legal(long long *S, long long *out) { return legal_in_copy(S, out); }
long long c_weight(long long *S, long long a) { return weight(S, a); }
long long c_results(long long *S, long long *out) { return results(S, out); }
void c_play(long long *start, long long deals, long long *out, long long games) {
  for (long long item = 0; item < games; item++) play_game(start, 1, 5, deals, out, item);
}
"""
GAMES = (
    "marrakech(players=2)",
    "marrakech(players=2,edition=pergioco,turn_last=True)",
    "marrakech(players=3,turn_last=True)",
    "marrakech(players=4,edition=gigamic-57,cover_own=True)",
    "marracash(players=3)",
    "marracash(players=4,souvenirs=True)",
    "marracash(players=3,commission=once,souvenirs=True)",
)


def compile_c(game, folder):
    modules = (RANDOM, *game.kernel, STEP_DRIVER)
    names = ["step", "legal_in_copy", "weight", "results"]
    text = c_source(modules, game.constants(), names) + OUTSIDE.partition("void")[0]
    return compile_text(text, folder / "steps")


def compile_text(text, file):
    """Compile C source; return the library."""
    source, library = file.with_suffix(".c"), file.with_suffix(".so")
    source.write_text(text)
    options = ["-O1", "-shared", "-fPIC", "-o", str(library), str(source), "-lm"]
    subprocess.run([COMPILER, *options], check=True, capture_output=True, text=True)
    kernel = ctypes.CDLL(str(library))
    for name in ("c_step", "c_legal", "c_weight", "c_results"):
        if hasattr(kernel, name):
            getattr(kernel, name).restype = ctypes.c_longlong
    return kernel


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler here")
@pytest.mark.parametrize("text", GAMES)
def test_c_plays_the_same_games(text, tmp_path):
    compare_with_c(text, tmp_path)


def compare_with_c(text, folder):
    """Play random games of the kernel in C beside those of plain Python."""
    game = souk.load_game(text)
    kernel = compile_c(game, folder)
    choose = random.Random(text)
    c_int = ctypes.c_longlong
    for seed in range(3):
        state = game.new_initial_state(seed)
        buffer = (c_int * len(state.buffer))(*state.buffer)
        out = (c_int * game.rules.MOST_LEGAL)()
        while not state.is_terminal():
            legal = state.legal_actions()
            assert list(out[: kernel.c_legal(buffer, out)]) == legal
            if state.is_chance_node():
                weights = [kernel.c_weight(buffer, c_int(action)) for action in legal]
                assert list(zip(legal, weights, strict=True)) == state.chance_weights()
            action = choose.choice(legal)
            state.apply_action(action)
            assert kernel.c_step(buffer, c_int(action)) == state.current_player()
            assert list(buffer) == list(state.buffer), state.action_to_string(action)
        results = (c_int * (2 * game.num_players()))()
        kernel.c_results(buffer, results)
        scores, shares = results[: game.num_players()], results[game.num_players() :]
        assert scores == state.scores()
        assert [share / 60 for share in shares] == state.returns()


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler here")
@pytest.mark.parametrize("text", GAMES)
@pytest.mark.parametrize("are_fixed", [False, True])
def test_c_plays_the_same_random_games(text, are_fixed, tmp_path):
    game = souk.load_game(text)
    modules = (RANDOM, *game.kernel, LOOP)
    kernel, functions = parse_kernel(modules, game.constants())
    knobs = unwritten_slots(vars(kernel), functions) if are_fixed else []
    fixed = {name: game.initial_buffer()[getattr(kernel, name)] for name in knobs}
    assert not are_fixed or {"COVER_OWN", "SOUVENIRS"} & fixed.keys()
    source = c_source(modules, game.constants(), ["play_game"], fixed)
    kernel = compile_text(source + OUTSIDE[OUTSIDE.index("void") :], tmp_path / "games")
    expected = souk.playouts(game, games=30, first=5, seed=1, target="python")
    start = game.initial_buffer()
    rows = np.zeros((30, 1 + 2 * game.num_players()), np.int64)
    buffer = (ctypes.c_longlong * len(start))(*start)
    kernel.c_play(buffer, ctypes.c_longlong(1), rows.ctypes.data_as(ctypes.c_void_p), 30)
    assert (rows[:, 0] == expected.turns).all()
    assert (rows[:, 1 : 1 + game.num_players()] == expected.scores).all()
    assert (rows[:, 1 + game.num_players() :] / 60 == expected.returns).all()


class CheckedSlots(list):
    """A buffer that checks each value that is written against the declared ranges."""

    def __init__(self, values, ranges):
        super().__init__(values)
        self.ranges = ranges

    def __setitem__(self, slot, value):
        low, high = self.ranges[slot]
        assert low <= value <= high, f"slot {slot} holds {low} to {high}, not {value}"
        super().__setitem__(slot, value)


@pytest.mark.parametrize("text", GAMES)
def test_slots_stay_in_their_declared_ranges(text):
    game = souk.load_game(text)
    rules = game.rules
    starts = {getattr(rules, name): range for name, range in rules.RANGES.items()}
    ranges = [starts[max(one for one in starts if one <= slot)] for slot in range(rules.SIZE)]
    choose = random.Random(text)
    for seed in range(20):
        state = game.new_initial_state(seed)
        buffer = CheckedSlots(state.buffer, ranges)
        for slot, value in enumerate(buffer):
            buffer[slot] = value
        out = [0] * rules.MOST_LEGAL
        while rules.mover(buffer) != souk.TERMINAL:
            rules.apply(buffer, choose.choice(out[: rules.legal_actions(buffer, out)]))


def test_only_what_is_reached_is_written_and_constants_are_spelled_out():
    game = souk.load_game("marrakech(players=3)")
    text = c_source(game.kernel, game.constants(), ["score"])
    assert "long long score(long long * S, long long seat)" in text
    assert "popcount64(S[(0 + colour)])" in text
    assert "lay_at_random" not in text and "WALK" not in text


def test_a_word_of_c_is_no_name():
    game = souk.load_game("marrakech(players=2)")
    text = c_source(game.kernel, game.constants(), ["free_along_rank"])
    assert "protected_(" in text  # a function of the rules, a word of C++


def test_constructs_without_a_translation_to_c_are_named():
    node = "souk.engine.kernel.primitives"
    with pytest.raises(NotImplementedError, match=r"bit_count"):
        c_source((node,), {}, ["popcount"])
    assert parse_kernel((node,), {})[1]["popcount"].name == "popcount"


def test_a_gpu_refuses_positions_outside_the_declared_ranges():
    game = souk.load_game("marrakech(players=2)")
    buffer = game.initial_buffer()
    check_ranges(game.rules, buffer)
    buffer[game.rules.DIRHAMS + 1] = 2**40
    with pytest.raises(souk.SoukError, match=r"a DIRHAMS from 0 to 268435456, not 1099511627776"):
        check_ranges(game.rules, buffer)


def test_numbers_are_passed_to_a_gpu_as_its_source_declares_them():
    launches = []
    launch = _launcher(np, lambda *one: launches.append(one))
    launch(200, np.zeros(1), 0.5, 3)
    launch(0, np.zeros(1), 0.5, 3)
    ((blocks, threads, (_, *numbers)),) = launches
    assert (blocks, threads) == ((2,), (128,))
    assert numbers == [0.5, 3, 200]
    assert [type(one) for one in numbers] == [np.float32, np.int64, np.int64]
