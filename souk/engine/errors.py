"""The exceptions of the package, and helpers for their messages.

Every exception is a ValueError; its message says what is wrong and what is accepted.
"""

import operator
import reprlib
import traceback
from collections.abc import Iterable, Sequence
from pathlib import Path

_short = reprlib.Repr()
_short.maxstring = _short.maxother = _short.maxlong = 42

MOST_LISTED = 20  # problems of a position in one message


class SoukError(ValueError):
    """The base class of the package's exceptions."""


class IllegalAction(SoukError):
    """An action is not legal now. The state has not changed."""


class BadKnob(SoukError):
    """A game or a knob does not exist, or a knob does not accept a value."""


class BadPosition(SoukError):
    """A position makes no sense. `problems` lists everything that is wrong with it.

    >>> str(BadPosition(["assam.square: 'h9' is not a square"]))
    "this position cannot be loaded: assam.square: 'h9' is not a square"
    """

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = list(problems)
        if len(self.problems) == 1:
            message = f"this position cannot be loaded: {self.problems[0]}"
        else:
            lines = [f"\n- {problem}" for problem in self.problems[:MOST_LISTED]]
            if len(self.problems) > MOST_LISTED:
                lines.append("\n- …")
            message = f"this position cannot be loaded, {len(self.problems)} problems:"
            message += "".join(lines)
        super().__init__(message)


def as_int(value: object) -> int | None:
    """Return an integer, also one of NumPy's, as an int; None for anything else, bools included.

    >>> as_int(3), as_int(3.0), as_int(True)
    (3, None, None)
    """
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]  # raises for other types
    except TypeError:
        return None


def brief(value: object) -> str:
    """Return the repr of a value for an error message, shortened if it is long or deep.

    >>> brief("x" * 99)
    "'xxxxxxxxxxxxxxxxxx...xxxxxxxxxxxxxxxxxxx'"
    """
    try:
        return _short.repr(value)
    except ValueError:  # Python refuses to convert integers of thousands of digits
        return "a very long number"


def reason(error: Exception) -> str:
    """Return the system's message for an error, such as `no such file or directory`."""
    return (getattr(error, "strerror", None) or str(error)).lower()


def raised_at(error: BaseException) -> str:
    """Return where an error was raised, such as `game.py, line 12, in sentence`."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(frame.filename).name}, line {frame.lineno}, in {frame.name}"


def one_of(values: Iterable[object]) -> str:
    """Join choices for an error message: `a, b or c`.

    >>> one_of(["open", "face-down"])
    'open or face-down'
    """
    return _join(values, " or ")


def all_of(values: Iterable[object]) -> str:
    """Join values for a sentence: `a, b and c`.

    >>> all_of(["Ada", "Bo", "Cy"])
    'Ada, Bo and Cy'
    """
    return _join(values, " and ")


def _join(values: Iterable[object], word: str) -> str:
    texts = [str(value) for value in values]
    return word.join(filter(None, (", ".join(texts[:-1]), *texts[-1:])))
