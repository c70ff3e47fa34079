"""The checker of the kernel subset: what it reports, and that every kernel passes."""

from pathlib import Path

import pytest

import souk
from souk.engine.kernel.subset import check_file
from tools.check_kernels import kernel_modules, main

HEAD = """\
from collections.abc import MutableSequence
from math import exp, floor
from typing import TYPE_CHECKING

from souk.engine.kernel.primitives import floats, ints, popcount

SIZE = len("any expression")
TABLE = tuple(number for number in range(3))
if TYPE_CHECKING:
    PLAYERS = 0

    def score(S: MutableSequence[int], seat: int) -> int: ...


def f(S: MutableSequence[int], V: MutableSequence[float], a: int, x: float, on: bool) -> int:
    \"\"\"Return something.\"\"\"
"""
FIRST = HEAD.count("\n") + 1  # the line of a function's first statement

ALLOWED = """
T = ints(SIZE + 2)
W = floats(SIZE)
first, second = a, S[0]
for number in range(PLAYERS):
    S[number] += score(S, number) << 2
for number in range(1, 9, 4):
    if number == 5 or not on:
        break
while a > 0 and S[a] != -1:
    a -= 1
    V[0] = exp(x / 2) if a % 2 else max(x, 0.5)
T[0] = popcount(~a & TABLE[1] ^ 3 | second)
W[0] = float(first)
score(V[1:3], int(x))
if a <= len(S) // 2:
    pass
return T[0]
"""

# A statement outside the subset, and what the message calls the construct.
FORBIDDEN = {
    "b = [1, 2]": "a list",
    "b = (1, 2)": "a tuple",
    "b = {1: 2}": "a dict",
    "b = {1, 2}": "a set",
    "b = [c for c in range(3)]": "a comprehension",
    "b = {c for c in range(3)}": "a comprehension",
    "b = {c: c for c in range(3)}": "a comprehension",
    "b = sum(c for c in range(3))": "a comprehension",
    "b = lambda: 3": "lambda",
    "b = 'text'": "a string",
    "b = f'{a}'": "a string",
    "b = None": "None",
    "b = a ** 2": "**",
    "b = a @ a": "@",
    "b = +a": "unary +",
    "b = a in S": "in",
    "b = a not in S": "not in",
    "b = a is on": "is",
    "b = a is not on": "is not",
    "b = S.count": "attribute access",
    "b = a.bit_count()": "attribute access",
    "b = (c := 3)": ":=",
    "b = score(S, seat=0)": "a keyword argument",
    "b = score(*S)": "*",
    "b = print(a)": "print(…)",
    "b = floor(x)": "floor(…)",
    "b = unknown": "the name unknown",
    "b = UNKNOWN": "the name UNKNOWN",
    "b = ints(a)": "a buffer of variable size",
    "b = a + ints(SIZE)": "ints(…) in an expression",
    "b = score(S, a)[0]": "a slot of an expression",
    "b: int = 3": "an annotated variable",
    "b = c = 3": "a = b = …",
    "b, c = score(S, a)": "unpacking",
    "b, c = a, b": "reading b as it is assigned",
    "S[0], b = a, a": "a slot in a tuple assignment",
    "S[0:2] = S": "assignment to a slice",
    "BIG = 3": "BIG = …",
    "S.x = 3": "attribute access",
    "del a": "del",
    "assert a": "assert",
    "raise ValueError": "raise",
    "import math": "import",
    "from math import pi": "an import in a function",
    "global SIZE": "global",
    "yield a": "yield",
    "for c in S: pass": "for … in S",
    "for b, c in range(3): pass": "for … in range(3)",
    "for c in range(3): c += 1": "assignment to loop variable c",
    "for c in range(3): pass\n    S[0] = c": "loop variable c after its loop",
    "for c in range(3): pass\n    else: pass": "else after a loop",
    "while a: a -= 1\n    else: pass": "else after a loop",
    "while a: continue": "continue",
    "try: pass\n    except ValueError: pass": "try",
    "with a: pass": "with",
    "match a:\n        case 1: pass": "match",
    "def g() -> None: ...": "a nested function",
    "class C: ...": "a class",
    "async def g() -> None: ...": "an async function",
}

# The same for what stands at the top level of a module.
FORBIDDEN_MODULES = {
    "import math\n": "import",
    "from .board import SIZE\n": "a relative import",
    "size = 3\n": "size = …",
    "SIZE: int = 3\n": "an annotated variable",
    "class C: ...\n": "a class",
    "for SEAT in range(3): ...\n": "For",
    "@cache\ndef f(a: int) -> int:\n    return a\n": "a decorator",
    "def f(a: int = 3) -> int:\n    return a\n": "a default argument",
    "def f(*a: int) -> int:\n    return 1\n": "parameter a",
    "def f(*, a: int) -> int:\n    return a\n": "parameter a",
    "def f(a) -> int:\n    return a\n": "a without an annotation",
    "def f(a: str) -> int:\n    return 1\n": "a: str",
    "def f(a: int):\n    return a\n": "the result without an annotation",
    "def f(a: int) -> list[int]:\n    return a\n": "the result: list[int]",
}

FLOATS = {
    "b = 0.5": "0.5 in rules",
    "b = a / 2": "/ in rules",
    "a /= 2": "/ in rules",
    "b = exp(a)": "exp(…) in rules",
    "b = float(a)": "float(…) in rules",
}


def problems_of(text, tmp_path, **options):
    """The problems of a file as (line, construct); every message has the form that is promised."""
    file = tmp_path / "rules.py"
    file.write_text(text, "utf-8")
    problems = []
    for problem in check_file(file, **options):
        where, _, what = problem.partition(": ")
        path, _, line = where.rpartition(":")
        construct, _, instead = what.partition(" is not in the kernel subset: ")
        assert path == str(file) and instead
        problems.append((int(line), construct))
    return problems


def test_what_the_subset_has_is_accepted(tmp_path):
    body = "".join(f"    {line}\n" for line in ALLOWED.strip().split("\n"))
    assert problems_of(HEAD + body, tmp_path) == []


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_a_construct_outside_the_subset_is_named_with_its_line(statement, tmp_path):
    problems = problems_of(f"{HEAD}    a = 1\n    {statement}\n", tmp_path)
    lines = range(FIRST + 1, FIRST + 2 + statement.count("\n"))
    assert FORBIDDEN[statement] in [construct for line, construct in problems if line in lines]
    assert all(line in lines for line, _ in problems)


@pytest.mark.parametrize("text", FORBIDDEN_MODULES)
def test_a_construct_outside_the_subset_is_named_at_the_top_level(text, tmp_path):
    assert (1, FORBIDDEN_MODULES[text]) in problems_of(text, tmp_path)


@pytest.mark.parametrize("statement", FLOATS)
def test_rules_compute_with_integers_only(statement, tmp_path):
    text = f"{HEAD}    {statement}\n"
    assert problems_of(text, tmp_path) == []
    assert problems_of(text, tmp_path, ints_only=True) == [(FIRST, FLOATS[statement])]


def test_all_kernels_are_in_the_subset(capsys):
    assert main([]) == 0, capsys.readouterr().out


def test_a_problem_is_printed_and_fails_the_check(tmp_path, capsys):
    file = tmp_path / "rules.py"
    file.write_text("import math\n", "utf-8")
    assert main([str(file)]) == 1
    assert capsys.readouterr().out == (
        f"{file}:1: import is not in the kernel subset: use from … import at the top level\n"
    )


def test_every_module_that_uses_kernel_primitives_is_checked():
    package = Path(souk.__file__).parent
    using = {
        ".".join(("souk", *path.relative_to(package).with_suffix("").parts))
        for path in package.rglob("*.py")
        if "from souk.engine.kernel.primitives import" in path.read_text("utf-8")
    } - {"souk.engine.kernel.targets", "souk.engine.kernel.numba_primitives"}
    assert using and using <= set(kernel_modules())
