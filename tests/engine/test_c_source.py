"""Kernels as C text: compiled by a C compiler, they play the same games as in plain Python."""

import ctypes
import random
import shutil
import subprocess

import pytest

import souk
from souk.engine.kernel.c_source import c_source
from souk.engine.kernel.source import parse_kernel

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
FUNCTIONS = ("mover", "legal_actions", "apply", "score", "win_in_twelfths", "chance_weight")
OUTSIDE = """
long long c_mover(long long *S) { return mover(S); }
long long c_legal_actions(long long *S, long long *out) { return legal_actions(S, out); }
void c_apply(long long *S, long long action) { apply(S, action); }
long long c_score(long long *S, long long seat) { return score(S, seat); }
long long c_win_in_twelfths(long long *S, long long seat) { return win_in_twelfths(S, seat); }
long long c_chance_weight(long long *S, long long a) { return chance_weight(S, a); }
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
    text = c_source(game.kernel, game.constants(), FUNCTIONS) + OUTSIDE
    source, library = folder / "kernel.c", folder / "kernel.so"
    source.write_text(text)
    options = ["-O1", "-shared", "-fPIC", "-o", str(library), str(source), "-lm"]
    subprocess.run([COMPILER, *options], check=True, capture_output=True, text=True)
    kernel = ctypes.CDLL(str(library))
    for name in FUNCTIONS:
        getattr(kernel, f"c_{name}").restype = ctypes.c_longlong
    return kernel


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler here")
@pytest.mark.parametrize("text", GAMES)
def test_c_plays_the_same_games(text, tmp_path):
    game = souk.load_game(text)
    kernel = compile_c(game, tmp_path)
    choose = random.Random(text)
    c_int = ctypes.c_longlong
    for seed in range(3):
        state = game.new_initial_state(seed)
        buffer = (c_int * len(state.buffer))(*state.buffer)
        out = (c_int * game.rules.MOST_LEGAL)()
        while not state.is_terminal():
            legal = state.legal_actions()
            assert kernel.c_mover(buffer) == state.current_player()
            assert list(out[: kernel.c_legal_actions(buffer, out)]) == legal
            if state.is_chance_node():
                weights = [kernel.c_chance_weight(buffer, c_int(action)) for action in legal]
                assert list(zip(legal, weights, strict=True)) == state.chance_weights()
            action = choose.choice(legal)
            state.apply_action(action)
            kernel.c_apply(buffer, c_int(action))
            assert list(buffer) == list(state.buffer), state.action_to_string(action)
        assert kernel.c_mover(buffer) == souk.TERMINAL
        seats = range(game.num_players())
        assert [kernel.c_score(buffer, c_int(seat)) for seat in seats] == state.scores()
        shares = [kernel.c_win_in_twelfths(buffer, c_int(seat)) / 12 for seat in seats]
        assert shares == state.returns()


def test_only_what_is_reached_is_written_and_constants_are_spelled_out():
    game = souk.load_game("marrakech(players=3)")
    text = c_source(game.kernel, game.constants(), ["score"])
    assert "long long score(long long * S, long long seat)" in text
    assert "popcount(S[(0LL + colour)])" in text
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
