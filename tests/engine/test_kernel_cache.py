"""Kernels are cached on disk, never stale, and Numba is loaded only when it is needed."""

import json
import marshal
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import souk
from souk.engine.kernel import targets
from souk.engine.kernel.cache import read_sources
from souk.engine.kernel.unroll import unroll

PACKAGE = Path(souk.__file__).parent


def run(code, **environment):
    """Run code in a fresh interpreter; the JSON it prints."""
    return json.loads(run_code(code, **environment).stdout)


def run_code(code, **environment):
    """Code that has run in a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        cwd=environment.get("PYTHONPATH", "."),
    )
    assert done.returncode == 0, done.stderr
    return done


def test_importing_souk_and_playing_a_game_loads_neither_numba_nor_numpy():
    loaded = run(
        """
import json, sys
import souk
at_import = set(sys.modules)
state = souk.load_game("marrakech", players=2).new_initial_state(seed=1)
while not state.is_terminal():
    state.apply_action(state.legal_actions()[-1])
state.game.state_from_dict(state.to_dict())
print(json.dumps([sorted(at_import), sorted(sys.modules)]))
"""
    )
    for modules in loaded:
        assert "souk" in modules
        assert not {"numba", "llvmlite", "numpy"} & set(modules)


def test_a_kernel_of_another_package_depends_on_the_modules_that_it_imports(tmp_path, monkeypatch):
    (tmp_path / "lots").mkdir()
    (tmp_path / "lots" / "__init__.py").touch()
    (tmp_path / "lots" / "table.py").write_text("from math import pi\n")
    (tmp_path / "lots" / "rules.py").write_text("from lots.table import STEPS\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert read_sources(["lots.rules"]).keys() == {"lots.rules", "lots.table"}
    sys.modules.pop("lots")


TOY = {
    "__init__.py": "",
    "table.py": "STEPS = (3, 5, 7)\n",
    "rules.py": '''
"""A toy: draw until the sum is high enough."""
from souk.engine.kernel.philox import random_below
from souk.games.toy.table import STEPS

PLAYERS = 2
SIZE = 3
TURNS = 2


def deal(S, R):
    S[0] += random_below(R, 50)


def playout(S, R):
    while S[0] < 100:
        S[0] += STEPS[random_below(R, 3)]
        S[TURNS] += 1


def mover(S):
    return -1 if S[0] < 100 else -4


def is_legal(S, action):
    return S[0] < 100


def legal_actions(S, out):
    for step in range(3):
        out[step] = step
    return 3


def apply(S, action):
    S[0] += STEPS[action]
    S[TURNS] += 1


def score(S, seat):
    return S[0] + seat


def win_in_sixtieths(S, seat):
    return 60 // PLAYERS
''',
}
RUN_TOY = """
import json
import numpy as np
from souk.engine.kernel import cache, targets
name, constants = ("souk.games.toy.rules",), {"PLAYERS": 2}
was_prepared = targets.is_prepared(name, constants)
results = np.zeros(25, np.int64)
start = np.zeros(3, np.int64)
targets.numba_kernel(name, constants).play_games(start, 1, 0, 5, 1, results)
plain = [0] * 25
targets.python_kernel(name, constants).play_games([0, 0, 0], 1, 0, 5, 1, plain)
folders = sorted(path.name for path in cache.compiled_folder().iterdir())
print(json.dumps([was_prepared, results.tolist(), plain, folders]))
"""
IS_TOY_PREPARED = """
import json
from souk.engine.kernel import targets
print(json.dumps(targets.is_prepared(("souk.games.toy.rules",), {"PLAYERS": 2})))
"""


def test_an_edit_of_any_source_of_a_kernel_leads_to_a_new_one_and_no_other_run_compiles(tmp_path):
    copied = tmp_path / "copy"
    shutil.copytree(PACKAGE, copied / "souk", ignore=shutil.ignore_patterns("__pycache__"))
    toy = copied / "souk" / "games" / "toy"
    kernel = copied / "souk" / "engine" / "kernel"
    toy.mkdir()
    for name, text in TOY.items():
        (toy / name).write_text(text, "utf-8")
    where = {"PYTHONPATH": str(copied), "SOUK_CACHE_DIR": str(tmp_path / "cache")}

    with ThreadPoolExecutor() as pool:
        at_once = list(pool.map(lambda _: run_code(RUN_TOY, **where), range(2)))
    both = "".join(one.stderr for one in at_once)
    assert both.count("souk: compiling") == 1, "one of two that start at once waits for the other"
    (was_prepared, *output), (other_was, *other_output) = (
        json.loads(one.stdout) for one in at_once
    )
    assert output == other_output and not (was_prepared and other_was)
    first, plain, folders = output
    assert len(folders) == 1
    assert first == plain and any(first)
    assert run(RUN_TOY, **where) == [True, first, plain, folders], "the second run finds it there"

    (toy / "table.py").write_text(TOY["table.py"].replace("7", "8"), "utf-8")
    was_prepared, second, plain, now = run(RUN_TOY, **where)
    assert not was_prepared and len(now) == 2
    assert second == plain, "compiled is what stands in the source now"
    assert second != first

    for path in (
        toy / "rules.py",
        kernel / "philox.py",
        kernel / "playout_loop.py",
        kernel / "numba_primitives.py",
        kernel / "source.py",
        kernel / "targets.py",
    ):
        text = path.read_text("utf-8")
        path.write_text(text + "\nEDITED = 1\n", "utf-8")
        assert run(IS_TOY_PREPARED, **where) is False
        path.write_text(text + "\n# A comment does not affect the code.\n", "utf-8")
        assert run(IS_TOY_PREPARED, **where) is True
        path.write_text(text, "utf-8")
    assert run(IS_TOY_PREPARED, **where) is True, "as it was, it is there still"


def test_bytecode_is_stored_and_made_again_if_the_file_is_damaged(tmp_path, monkeypatch):
    monkeypatch.setenv("SOUK_CACHE_DIR", str(tmp_path / "cache"))
    game = souk.load_game("marrakech", players=3)
    made = []

    def unroll_and_count(*arguments):
        made.append(arguments[0])
        return unroll(*arguments)

    def played():
        """What the kernel says, made as in a new process."""
        rules = targets.python_kernel(game.kernel, game.constants())
        return [rules.score(game.initial_buffer(), seat) for seat in range(3)]

    # Nothing is remembered within the process.
    monkeypatch.setattr(targets, "_python_kernel", targets._python_kernel.__wrapped__)

    monkeypatch.setattr("souk.engine.kernel.unroll.unroll", unroll_and_count)
    first = played()
    assert played() == first and len(made) == 1, "the second time it comes from the disk"
    (file,) = (tmp_path / "cache" / "plain").iterdir()
    for damaged in (b"", b"nonsense", marshal.dumps({})):
        file.write_bytes(damaged)
        before = len(made)
        assert played() == first and len(made) == before + 1
        assert played() == first and len(made) == before + 1, "and it was stored again"
    monkeypatch.setenv("SOUK_CACHE_DIR", str(file / "no folder"))
    assert played() == first, "without a cache folder it works all the same"


def test_a_kernel_compiled_for_one_processor_is_not_used_on_another():
    """A cache folder may be shared by machines, and Numba may be set to leave features out."""
    is_prepared = """
import json
import souk
from souk.engine.kernel import targets
game = souk.load_game("marrakech")
print(json.dumps(targets.is_prepared(game.kernel, game.constants())))
"""
    souk.playouts(souk.load_game("marrakech"), 1, threads=1)
    assert run(is_prepared) is True
    assert run(is_prepared, NUMBA_CPU_NAME="generic") is False


def test_the_cache_lies_where_the_environment_says_and_an_empty_one_has_nothing(tmp_path):
    folder, prepared = run(
        """
import json
import souk
from souk.engine.kernel import cache
games = [souk.load_game("marrakech", players=players) for players in (2, 3, 4)]
print(json.dumps([str(cache.compiled_folder()), [game.is_prepared() for game in games]]))
""",
        SOUK_CACHE_DIR=str(tmp_path),
    )
    assert Path(folder).is_relative_to(tmp_path)
    assert not any(prepared)
