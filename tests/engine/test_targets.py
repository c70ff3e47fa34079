"""Both targets run one text: the same games compiled and plain, and never a stale cache."""

import ast
import importlib
import json
import marshal
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from types import ModuleType

import numpy as np
import pytest

import souk
from souk.engine.kernel import targets
from souk.engine.kernel.source import specialise
from souk.engine.kernel.unroll import unroll
from tests.games.marrakech.reference import EDITIONS
from tests.games.marrakech.tables import TABLES, all_knobs, mixed_knobs, plain_knobs

PACKAGE = Path(souk.__file__).parent
every_table = pytest.mark.parametrize("table", TABLES)


def load(knobs):
    return souk.load_game("marrakech", **knobs)


def assert_same(one, other):
    assert np.array_equal(one.scores, other.scores)
    assert np.array_equal(one.returns, other.returns)
    assert np.array_equal(one.turns, other.turns)


def somewhere(game, rng, steps):
    """A state some random steps into a game, or at its end."""
    state = game.new_initial_state()
    for _ in range(steps):
        if not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return state


# ---- the same games ------------------------------------------------------------------------------


@every_table
def test_both_targets_play_the_same_games_with_every_knob(table):
    for edition in EDITIONS:
        for knobs in all_knobs(edition, table):
            game = load(knobs)
            plain = souk.playouts(game, games=6, seed=3, target="python")
            assert_same(souk.playouts(game, games=6, seed=3), plain)


@every_table
def test_both_targets_play_the_same_short_games_with_any_mix_of_knobs(table):
    rng = Random(f"targets {table}")
    for _ in range(40):
        game = load(mixed_knobs(rng, rng.choice(list(EDITIONS)), table))
        plain = souk.playouts(game, games=8, seed=5, target="python")
        assert_same(souk.playouts(game, games=8, seed=5), plain)


@every_table
def test_both_targets_go_on_alike_from_anywhere_in_a_game(table):
    rng = Random(f"middle {table}")
    for _ in range(25):
        game = load(mixed_knobs(rng, rng.choice(list(EDITIONS)), table))
        state = somewhere(game, rng, rng.randrange(60))
        plain = souk.playouts(state, games=5, seed=8, target="python")
        assert_same(souk.playouts(state, games=5, seed=8), plain)


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**32 - 1, 2**32, 2**53 + 1, 2**63 - 1])
def test_both_targets_agree_on_every_size_of_seed(seed):
    game = load({"players": 2, "rugs": 3})
    assert_same(
        souk.playouts(game, games=5, seed=seed),
        souk.playouts(game, games=5, seed=seed, target="python"),
    )


@pytest.mark.parametrize("name", souk.games())
def test_both_targets_agree_for_every_game_there_is(name):
    game = souk.load_game(name)
    assert_same(
        souk.playouts(game, games=5, seed=2), souk.playouts(game, games=5, seed=2, target="python")
    )


@pytest.mark.parametrize("games", [0, 1, 2, 7, 40, 41, 1000])
def test_the_number_of_threads_changes_nothing(games):
    game = load({"players": 2, "edition": "pergioco"})
    one = souk.playouts(game, games=games, seed=4, threads=1)
    assert one.scores.shape == one.returns.shape == (games, 2) and one.turns.shape == (games,)
    for threads in (2, 5, None):
        assert_same(souk.playouts(game, games=games, seed=4, threads=threads), one)


@pytest.mark.parametrize("target", targets.TARGETS)
def test_a_game_does_not_depend_on_how_many_are_played(target):
    game = load({"players": 4, "rugs": 5})
    all_of_them = souk.playouts(game, games=90, seed=6, target=target)
    for games in (1, 33, 89):
        some = souk.playouts(game, games=games, seed=6, target=target)
        assert np.array_equal(some.scores, all_of_them.scores[:games])
        assert np.array_equal(some.turns, all_of_them.turns[:games])


@pytest.mark.parametrize("target", targets.TARGETS)
def test_a_part_of_the_games_can_be_played_by_itself(target):
    game = load({"players": 2, "rugs": 4})
    all_of_them = souk.playouts(game, games=60, seed=6, target=target)
    part = souk.playouts(game, games=25, seed=6, first=20, target=target)
    assert np.array_equal(part.scores, all_of_them.scores[20:45])
    assert np.array_equal(part.turns, all_of_them.turns[20:45])
    far = [
        souk.playouts(game, games=3, seed=6, first=2**62, target=name) for name in ("numba", target)
    ]
    assert_same(*far)


def test_numpys_whole_numbers_count_and_seed_like_any_other():
    game = load({"players": 2, "rugs": 2})
    plain = souk.playouts(game, games=4, seed=2**32 + 7, threads=2)
    for target in targets.TARGETS:
        numbers = {"games": np.int32(4), "seed": np.int64(2**32 + 7), "threads": np.uint8(2)}
        assert_same(souk.playouts(game, **numbers, target=target), plain)


def test_other_seeds_give_other_games():
    game = load({"players": 3})
    played = [souk.playouts(game, games=50, seed=seed).scores.tobytes() for seed in range(20)]
    assert len(set(played)) == 20
    scores = souk.playouts(game, games=2000, seed=1).scores
    assert len(np.unique(scores, axis=0)) > 1500, "and games of one seed differ"


@every_table
def test_every_game_ends_with_one_win_shared_out(table):
    result = souk.playouts(load(plain_knobs("gigamic", table)), games=3000, seed=9)
    assert np.allclose(result.returns.sum(axis=1), 1)
    assert (result.scores >= 0).all()
    assert (result.returns >= 0).all()
    players, one_colour = TABLES[table]
    rugs = {2: 30 if one_colour else 48, 3: 45, 4: 48}[players]
    assert result.turns.max() == rugs
    assert (result.turns >= players).all()


def test_playouts_leave_the_state_as_it_was():
    state = somewhere(load({"players": 3}), Random(3), 31)
    before, history = state.to_dict(), state.history()
    souk.playouts(state, games=20, seed=1)
    souk.playouts(state, games=20, seed=1, target="python")
    assert (state.to_dict(), state.history()) == (before, history)


@pytest.mark.parametrize("target", targets.TARGETS)
def test_from_the_end_of_a_game_there_is_nothing_left_to_play(target):
    state = somewhere(load({"players": 3, "rugs": 2}), Random(4), 1000)
    result = souk.playouts(state, games=3, seed=1, target=target)
    assert result.turns.tolist() == [0, 0, 0]
    assert result.scores.tolist() == [state.scores()] * 3
    assert result.returns.tolist() == [state.returns()] * 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"games": -1}, "games is a whole number from 0"),
        ({"games": 1.5}, "games is a whole number"),
        ({"games": "10"}, "games is a whole number"),
        ({"games": True}, "games is a whole number"),
        ({"seed": -1}, "a seed is a whole number"),
        ({"seed": 2**63}, "a seed is a whole number"),
        ({"seed": None}, "a seed is a whole number"),
        ({"threads": 0}, "threads is a whole number from 1"),
        ({"threads": -2}, "threads is a whole number from 1"),
        ({"first": -1}, "first is a whole number from 0"),
        ({"target": "c"}, "target accepts numba or python, not 'c'"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments, words):
    with pytest.raises(souk.SoukError, match=words):
        souk.playouts(load({}), **{"games": 1, **arguments})


def test_playouts_start_from_a_game_or_a_state():
    with pytest.raises(souk.SoukError, match="a game or a state"):
        souk.playouts("marrakech")


# ---- the straightened kernel ---------------------------------------------------------------------


def plain_kernel(game):
    """The kernel's own text, specialised and otherwise untouched."""
    source = Path(importlib.import_module(game.kernel[0]).__file__).read_text("utf-8")
    kernel = ModuleType("plain")
    exec(specialise(source, game.constants()), vars(kernel))
    return kernel


@every_table
def test_the_straightened_kernel_does_what_the_plain_one_does(table):
    rng = Random(f"straight {table}")
    for _ in range(25):
        game = load(mixed_knobs(rng, rng.choice(list(EDITIONS)), table))
        plain, straight = plain_kernel(game), game.rules
        buffer = list(game.new_initial_state().buffer)
        while True:
            assert straight.mover(buffer) == plain.mover(buffer)
            found = [[0] * straight.MOST_LEGAL for _ in range(2)]
            counts = [
                kernel.legal_actions(buffer, out)
                for kernel, out in zip((plain, straight), found, strict=True)
            ]
            assert counts[0] == counts[1] and found[0] == found[1]
            legal = found[0][: counts[0]]
            for action in range(straight.ACTIONS):
                is_legal = straight.is_legal(buffer, action)
                assert bool(is_legal) == bool(plain.is_legal(buffer, action)) == (action in legal)
            if not legal:
                break
            action = rng.choice(legal)
            after = [list(buffer), list(buffer)]
            plain.apply(after[0], action)
            straight.apply(after[1], action)
            assert after[0] == after[1]
            buffer = after[0]


PROGRAMS = {
    "a loop over a constant range": """
def f(S, a):
    for i in range(N):
        S[i] += i * a
    return S[0]
""",
    "a range that starts and steps": """
def f(S, a):
    total = 0
    for i in range(1, N + 3, 2):
        total = total * 3 + i + a
    return total
""",
    "an empty range": """
def f(S, a):
    for i in range(ZERO):
        S[0] = 99
    return a
""",
    "a loop too long to unroll": """
def f(S, a):
    for i in range(100):
        a += i & 3
    return a
""",
    "a loop that is cut short": """
def f(S, a):
    for i in range(N):
        if S[i] > a:
            break
        a += 1
    return a
""",
    "a return out of a loop": """
def f(S, a):
    for i in range(N):
        if S[i] > a:
            return i
    return -1
""",
    "a condition that is known": """
def f(S, a):
    if N > 2:
        S[0] = a
    else:
        S[1] = a
    if ZERO:
        S[2] = 7
    elif a > 2:
        S[2] = 8
    else:
        S[2] = 9
    return S[2]
""",
    "known parts of a condition": """
def f(S, a):
    if a > 3 and N == 3 or ZERO:
        return 1
    if N == 3 and (ZERO or a == 2):
        return 2
    if not ZERO and a < 0 or N < 0:
        return 3
    return 4 if N == 3 else 5
""",
    "functions written out where they are called": """
def f(S, a):
    b = second(S, a + 1)
    poke(S, b)
    c = second(S, b) + second(S, N)
    return twice(c) + twice(a) + twice(S[1])

def second(S, k):
    k += 1
    found = S[k & 3] + k
    return found

def twice(x):
    return x + x

def poke(S, b):
    for i in range(N):
        if i == b & 3:
            S[i] += b
""",
    "local names that are alike": """
def f(S, a):
    total = a
    found = add(S, total)
    total += add(S, found)
    total = add(S, total)
    return total * 100 + found

def add(S, a):
    total = 0
    for i in range(N):
        total += inner(S, i) + a
    return total

def inner(S, total):
    a = S[total]
    return a + 1
""",
    "a name given to itself": """
def f(S, a):
    b = a
    a = shuffle(b, a)
    b = shuffle(a, b)
    a = shuffle(a, a)
    return a * 1000 + b

def shuffle(a, b):
    c = a * 3 + b
    a = b
    return c + a
""",
    "procedures within procedures": """
def f(S, a):
    outer(S, a)
    outer(S, S[2])
    return S[0] * 10000 + S[1] * 100 + S[2]

def outer(S, a):
    if a > 2:
        step(S, a)
        step(S, a + N)
    else:
        step(S, ZERO)

def step(S, by):
    by = by & 7
    S[by & 3] += by
    if by > 3:
        mark(S)

def mark(S):
    S[1] += 1
""",
    "an early return is left alone": """
def f(S, a):
    b = clamp(a)
    stop(S, a)
    return b + clamp(S[0])

def clamp(a):
    if a > 3:
        return 3
    return a

def stop(S, a):
    if a > 4:
        return
    S[0] += a
""",
    "a while loop": """
def f(S, a):
    count = 0
    while a != 0:
        a &= a - 1
        count += one(count)
    return count

def one(x):
    return 1 if x < N else 2
""",
    "nested loops": """
def f(S, a):
    total = 0
    for i in range(N):
        for j in range(i, N):
            if i != j and S[i] < S[j]:
                total += (i + 1) * (j + a)
    return total
""",
    "an argument that changes a buffer, which is not looked at": """
def f(S, a):
    return a + first(S[1], change(S))

def first(x, y):
    return x

def change(S):
    S[1] += 1
    return S[1]
""",
    "an argument that changes a buffer, which is looked at later": """
def f(S, a):
    return difference(change(S), S[1])

def difference(x, y):
    return y - x

def change(S):
    S[1] += 1
    return S[1]
""",
    "an argument that is read before a buffer changes": """
def f(S, a):
    return after(S, S[1]) + a

def after(S, x):
    return change(S) * 10 + x

def change(S):
    S[1] += 1
    return S[1]
""",
    "a value that changes after it was passed": """
def f(S, a):
    b = keep(S, a)
    a += 5
    return a * 100 + b

def keep(S, x):
    before = x
    S[0] += 1
    return before + x + S[0]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_straightening_keeps_what_a_program_does(name):
    constants = {"N": 3, "ZERO": 0}
    tree = ast.parse(PROGRAMS[name])
    plain, straight = dict(constants), dict(constants)
    exec(compile(tree, "plain", "exec"), plain)
    exec(compile(tree, "straight", "exec"), straight)
    exec(compile(unroll(["f"], [tree], constants), "straight", "exec"), straight)
    rng = Random(name)
    for _ in range(200):
        buffer, argument = [rng.randrange(8) for _ in range(4)], rng.randrange(8)
        one, other = list(buffer), list(buffer)
        assert straight["f"](one, argument) == plain["f"](other, argument)
        assert one == other


# ---- what is loaded and what is kept -------------------------------------------------------------


def run(code, **environment):
    """Run code in a fresh interpreter; the JSON it prints."""
    return json.loads(ran(code, **environment).stdout)


def ran(code, **environment):
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


def test_importing_souk_and_playing_a_game_by_hand_loads_neither_numba_nor_numpy():
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


def win_in_twelfths(S, seat):
    return 12 // PLAYERS
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
        at_once = list(pool.map(lambda _: ran(RUN_TOY, **where), range(2)))
    both = "".join(one.stderr for one in at_once)
    assert both.count("souk: compiling") == 1, "one of two that start at once waits for the other"
    (was_prepared, *told), (other_was, *other_told) = (json.loads(one.stdout) for one in at_once)
    assert told == other_told and not (was_prepared and other_was)
    first, plain, folders = told
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


def test_plain_python_is_made_once_and_again_if_what_was_kept_is_spoilt(tmp_path, monkeypatch):
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
    (kept,) = (tmp_path / "cache" / "plain").iterdir()
    for spoilt in (b"", b"nonsense", marshal.dumps({})):
        kept.write_bytes(spoilt)
        before = len(made)
        assert played() == first and len(made) == before + 1
        assert played() == first and len(made) == before + 1, "and it was kept again"
    monkeypatch.setenv("SOUK_CACHE_DIR", str(kept / "no folder"))
    assert played() == first, "where nothing can be kept it works all the same"


def test_a_kernel_compiled_for_one_processor_is_not_used_on_another():
    """A cache folder may be shared by machines, and Numba may be told to leave features out."""
    is_prepared = """
import json
import souk
print(json.dumps(souk.load_game("marrakech").is_prepared()))
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
