"""An unrolled kernel does what the plain one does."""

import ast
import importlib
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

import souk
from souk.engine.kernel.source import specialise
from souk.engine.kernel.unroll import unroll
from tests.games.marrakech.positions import TABLES, mixed_knobs
from tests.games.marrakech.reference import EDITIONS


def plain_kernel(game):
    """The kernel's own text, specialised and otherwise untouched."""
    source = Path(importlib.import_module(game.kernel[0]).__file__).read_text("utf-8")
    kernel = ModuleType("plain")
    exec(specialise(source, game.constants()), vars(kernel))
    return kernel


@pytest.mark.parametrize("table", TABLES)
def test_the_unrolled_kernel_does_what_the_plain_one_does(table):
    rng = Random(f"unrolled {table}")
    for _ in range(25):
        knobs = mixed_knobs(rng, rng.choice(list(EDITIONS)), table)
        game = souk.load_game("marrakech", **knobs)
        plain, unrolled = plain_kernel(game), game.rules
        buffer = list(game.new_initial_state().buffer)
        while True:
            assert unrolled.mover(buffer) == plain.mover(buffer)
            legal_of = [[0] * unrolled.MOST_LEGAL for _ in range(2)]
            counts = [
                kernel.legal_actions(buffer, out)
                for kernel, out in zip((plain, unrolled), legal_of, strict=True)
            ]
            assert counts[0] == counts[1] and legal_of[0] == legal_of[1]
            legal = legal_of[0][: counts[0]]
            for action in range(unrolled.ACTIONS):
                is_legal = unrolled.is_legal(buffer, action)
                assert bool(is_legal) == bool(plain.is_legal(buffer, action)) == (action in legal)
            if not legal:
                break
            action = rng.choice(legal)
            after = [list(buffer), list(buffer)]
            plain.apply(after[0], action)
            unrolled.apply(after[1], action)
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
    result = S[k & 3] + k
    return result

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
    result = add(S, total)
    total += add(S, result)
    total = add(S, total)
    return total * 100 + result

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
def test_unrolling_does_not_change_what_a_program_does(name):
    constants = {"N": 3, "ZERO": 0}
    tree = ast.parse(PROGRAMS[name])
    plain, unrolled = dict(constants), dict(constants)
    exec(compile(tree, "plain", "exec"), plain)
    exec(compile(tree, "unrolled", "exec"), unrolled)
    exec(compile(unroll(["f"], [tree], constants), "unrolled", "exec"), unrolled)
    rng = Random(name)
    for _ in range(200):
        buffer, argument = [rng.randrange(8) for _ in range(4)], rng.randrange(8)
        one, other = list(buffer), list(buffer)
        assert unrolled["f"](one, argument) == plain["f"](other, argument)
        assert one == other


def test_rules_that_call_themselves_are_refused():
    text = """
def apply(S):
    sell(S)

def sell(S):
    S[0] += 1
    apply(S)
"""
    with pytest.raises(
        souk.SoukError, match="not call themselves, but apply calls sell calls apply"
    ):
        unroll(["apply"], [ast.parse(text)], {})


def test_a_function_without_statements_can_be_called():
    text = """
def apply(S):
    nothing(S)
    S[0] = 1

def nothing(S):
    'Do nothing.'
"""
    names = {}
    exec(compile(unroll(["apply"], [ast.parse(text)], {}), "", "exec"), names)
    buffer = [0]
    names["apply"](buffer)
    assert buffer == [1]
