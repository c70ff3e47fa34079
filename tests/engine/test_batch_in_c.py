"""Batches as C text, as a GPU runs them: compiled by a C compiler, they step the same rows."""

import ctypes
import inspect
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import souk
from souk.engine.kernel.c_source import c_source
from souk.engine.kernel.cuda_target import cuda_source, fixed_knobs
from souk.engine.kernel.philox import STREAM_SIZE
from souk.engine.observation import batch_driver

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
ROWS, SEED = 16, 11
# What every thread of a GPU does, one row after the other.
OUTSIDE = """
void c_start(long long *settings, long long *start, long long *buffers, unsigned char *chosen) {
  for (long long row = 0; row < settings[1]; row++)
    start_row(settings, start, buffers, 1, chosen, row);
}
void c_step(long long *settings, long long *start, long long *buffers, long long *actions,
            unsigned char *illegal, float *rewards, int *players, unsigned char *terminated,
            unsigned char *mask, float *observations) {
  for (long long row = 0; row < settings[1]; row++) {
    sample_row(settings, buffers, actions[row], actions, row);
    check_row(settings, buffers, actions, illegal, row);
    step_row(settings, start, buffers, actions, rewards, players, terminated, mask, observations,
             row);
  }
}
"""


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler here")
@pytest.mark.parametrize(
    "text", ["marrakech(players=2)", "marrakech(players=3)", "marracash(players=3,souvenirs=True)"]
)
def test_c_steps_the_same_rows(text: str, tmp_path: Path) -> None:
    game = souk.load_game(text)
    driver = batch_driver(game)
    fixed = fixed_knobs(game.kernel, game.constants(), driver, game.initial_buffer())
    modules = ("souk.engine.kernel.philox", *game.kernel, *driver)
    source = c_source(
        modules, game.constants(), ["start_row", "sample_row", "check_row", "step_row"], dict(fixed)
    )
    (tmp_path / "batch.c").write_text(source + OUTSIDE)
    options = ["-O1", "-shared", "-fPIC", "-o", "batch.so", "batch.c", "-lm"]
    subprocess.run([str(COMPILER), *options], check=True, cwd=tmp_path)
    kernel = ctypes.CDLL(str(tmp_path / "batch.so"))

    def pointer(array: Any) -> Any:
        return array.ctypes.data_as(ctypes.c_void_p)

    batch = souk.batch(game, ROWS, seed=SEED, threads=1)
    arrays = [batch.rewards, batch.current_player, batch.terminated, batch.legal_actions_mask]
    arrays.append(batch.observation)
    copies = [np.zeros_like(one, order="F") for one in arrays]
    settings = np.array([SEED, ROWS, 1, 0, batch.observation.shape[1]])
    start = np.array(game.initial_buffer())
    buffers = np.zeros((ROWS, game.rules.SIZE + STREAM_SIZE), np.int64, order="F")
    game_arrays = [pointer(one) for one in (settings, start, buffers)]
    kernel.c_start(*game_arrays, pointer(np.ones(ROWS, np.uint8)))
    chosen, illegal = np.zeros(ROWS, np.int64), np.ones(ROWS, np.bool_)
    for step in range(250):
        chosen[:] = (1 << 62) + step * ROWS  # the streams of sampled actions
        kernel.c_step(*game_arrays, pointer(chosen), pointer(illegal), *map(pointer, copies))
        actions = batch.sample_actions()
        assert (chosen == actions).all() and not illegal.any()
        batch.step(actions)
        for one, other in zip(arrays, copies, strict=True):
            assert (one == other).all()
        for row in range(ROWS):
            assert buffers[row, : game.rules.SIZE].tolist() == batch.state(row).buffer


def test_a_gpu_compiles_what_a_batch_calls_and_nothing_else() -> None:
    game = souk.load_game("marracash")
    _, names = cuda_source(game.kernel, game.constants(), batch_driver(game), {})
    called = re.findall(r'_run\("(\w+)"', inspect.getsource(souk.Batch))
    assert sorted(names) == sorted({*called})
