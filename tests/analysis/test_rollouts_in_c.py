"""The source of rollouts for a GPU: compiled by a C compiler, it plays the same games."""

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import souk
from souk.analysis.rollouts import Job, RolloutRunner
from souk.engine.kernel.cuda_target import cuda_source

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
# What CUDA defines: here one thread after the other.
BEFORE = "typedef struct { long long x; } place; static place blockIdx, blockDim, threadIdx;\n"
AFTER = """
void run(long long *starts, long long *seeds, long long *items, float *W, float temperature,
         long long truncate, float *results, long long threads) {
  for (threadIdx.x = 0; threadIdx.x < threads; threadIdx.x++)
    all_roll_out(starts, seeds, items, W, temperature, truncate, results, threads);
}
"""


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler here")
@pytest.mark.parametrize(
    ("text", "player", "truncate"),
    [
        ("marrakech(players=2,two_player=one-colour,rugs=3)", "expert", 0),
        ("marracash(players=3)", "trader", 2),
    ],
)
def test_c_plays_the_same_games(text: str, player: str, truncate: int, tmp_path: Path) -> None:
    """The players look ahead by a function that calls itself."""
    game = souk.load_game(text)
    state = game.new_initial_state(3)
    runner = RolloutRunner(state, player, truncate=truncate, temperature=0.01)
    source, names = cuda_source(
        game.kernel, game.constants(), game.rollout_modules(runner.evaluation), {}
    )
    assert names == ["roll_out"]
    source = source.replace('extern "C" __global__', "")
    (tmp_path / "rollouts.c").write_text(BEFORE + source + AFTER)
    options = ["-O1", "-shared", "-fPIC", "-o", "rollouts.so", "rollouts.c", "-lm"]
    subprocess.run([str(COMPILER), *options], check=True, cwd=tmp_path)
    kernel = ctypes.CDLL(str(tmp_path / "rollouts.so"))

    job = Job(state.buffer, 5, state.legal_actions()[:2], 0, 8)
    items = job.items(0)
    arrays = [np.array(job.buffer, np.int64), np.array([job.seed]), items, runner.weights]
    results = np.zeros((len(items), 2, game.num_players()), np.float32)

    def pointer(array: Any) -> Any:
        return array.ctypes.data_as(ctypes.c_void_p)

    kernel.run(
        *map(pointer, arrays),
        ctypes.c_float(0.01),
        ctypes.c_longlong(truncate),
        pointer(results),
        ctypes.c_longlong(len(items)),
    )
    shares, luck = runner.play_many([job])[0]
    rows = results.reshape(job.games, len(job.actions), 2, -1)
    assert np.allclose(rows[:, :, 0], shares, atol=1e-3)
    assert np.allclose(rows[:, :, 1], luck, atol=1e-3)
