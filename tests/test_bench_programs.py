"""The programs written by hand that benchmarks compare with: they play the very same games."""

import shutil
from typing import Any

import numpy as np
import pytest

import souk
from bench.gpu import hand_written
from bench.speed import compile_c
from souk.engine.kernel.cuda_target import load_cupy

GAMES = 2_000


@pytest.fixture(scope="module")
def expected() -> Any:
    played = souk.playouts(souk.load_game("marrakech(players=3)"), GAMES, seed=1)
    return np.column_stack([played.turns, played.scores, played.returns * 60])


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc here")
def test_the_c_program_plays_the_same_games(expected: Any) -> None:
    play = compile_c()
    assert play is not None and (play(GAMES) == expected).all()


@pytest.mark.usefixtures("gpu")
def test_the_cuda_program_plays_the_same_games(expected: Any) -> None:
    play = hand_written(load_cupy("this test"))
    assert (play(GAMES).get() == expected).all()
