"""Ranges of values hold every value that the operations on numbers give."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from souk.engine.errors import SoukError
from souk.engine.kernel.value_ranges import Analysis, binary, unwritten_slots, widened

SYMBOLS = ("+", "-", "*", "//", "%", "<<", ">>", "&", "|", "^")
NOT_NEGATIVE = ("//", "%")  # in the kernel subset
BOUNDS = st.integers(-(2**20), 2**20)


@st.composite
def number_in_range(draw, bounds):
    low, number, high = sorted(draw(st.tuples(bounds, bounds, bounds)))
    return number, (low, high)


@given(st.sampled_from(SYMBOLS), st.data())
def test_the_range_of_an_operation_holds_its_results(symbol, data):
    low = 0 if symbol in NOT_NEGATIVE else -(2**20)
    left, left_range = data.draw(number_in_range(st.integers(low, 2**20)))
    least, most = {"<<": (0, 40), ">>": (0, 63), "//": (1, 99), "%": (1, 99)}.get(
        symbol, (-(2**20), 2**20)
    )
    right, right_range = data.draw(number_in_range(st.integers(least, most)))
    op = ast.parse(f"a {symbol} b", mode="eval").body.op
    first, last = binary(op, left_range, right_range)
    assert first <= eval(f"({left}) {symbol} ({right})") <= last


@given(BOUNDS, BOUNDS, BOUNDS, BOUNDS)
def test_a_widened_range_holds_the_range(low, high, more_low, more_high):
    before = (min(low, high), max(low, high))
    now = (min(before[0], more_low), max(before[1], more_high))
    first, last = widened(before, now)
    assert first <= now[0] and now[1] <= last


def analyse(text, names=("f",), fixed=None, **values):
    """Return the analysis of functions in a text."""
    body = ast.parse(text).body
    return Analysis(values, {one.name: one for one in body}, names, fixed or {})


LOOP = """
def f(x: int) -> int:
    count = 0
    sum = 0
    for one in range(5):
        if x > one:
            count += 2
    while sum < x:
        sum += count
    return g(count)
def g(y: int) -> int:
    return y + 1
"""


def test_loops_and_calls_are_followed():
    found = analyse(LOOP).entries[0]
    assert found.variables["count"] == (0, 10)
    assert found.variables["one"] == (0, 5)  # the end, too: C counts up to it
    assert found.variables["sum"][1] == 2**63 - 1  # no limit is known
    assert found.result == (1, 11)


RECORD = """
def f(start: MutableSequence[int]) -> int:
    S = ints(SIZE)
    for slot in range(SIZE):
        S[slot] = start[slot]
    S[A] = 3
    return S[A + 1] if S[KNOB] else 7
"""
VALUES = {"SIZE": 3, "A": 0, "KNOB": 2, "RANGES": {"A": (0, 9), "KNOB": (0, 1)}}


def test_slots_have_the_declared_ranges_and_knobs_their_value():
    assert analyse(RECORD, **VALUES).entries[0].result == (0, 9)
    assert analyse(RECORD, fixed={"KNOB": 0}, **VALUES).entries[0].result == (7, 7)
    body = ast.parse(RECORD).body
    assert unwritten_slots(VALUES, {one.name: one for one in body}) == ["KNOB"]


def test_an_index_without_the_name_of_a_slot_is_refused():
    text = "def f(x: int) -> int:\n    S = ints(SIZE)\n    return S[x + A]\n"
    with pytest.raises(SoukError, match=r"S\[x \+ A\] does not begin with the name of a slot"):
        analyse(text, **VALUES)


def test_values_beyond_64_bits_have_any_value():
    found = analyse("def f(x: int) -> int:\n    return abs(-x)\n").entries[0]
    assert found.result == (-(2**63), 2**63 - 1)
