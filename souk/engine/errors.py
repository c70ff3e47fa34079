"""The errors a user of the package can meet: each a ValueError with a sentence to act on."""

import operator
import reprlib
from collections.abc import Iterable, Sequence

_short = reprlib.Repr()
_short.maxstring = _short.maxother = _short.maxlong = 42

MOST_TOLD = 20  # problems of a position in one message


class SoukError(ValueError):
    """Something given to souk cannot be used; the message says what would be."""


class IllegalAction(SoukError):
    """An action that is not legal now. The state it was tried on has not changed."""


class BadKnob(SoukError):
    """A game name or knob that does not exist, or a value that it does not take."""


class BadPosition(SoukError):
    """A position whose pieces make no sense. `problems` lists everything that is wrong with it.

    >>> str(BadPosition(["assam.square: 'h9' is not a square"]))
    "this position cannot be loaded: assam.square: 'h9' is not a square"
    """

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = list(problems)
        if len(self.problems) == 1:
            message = f"this position cannot be loaded: {self.problems[0]}"
        else:
            lines = [f"\n- {problem}" for problem in self.problems[:MOST_TOLD]]
            if len(self.problems) > MOST_TOLD:
                lines.append("\n- …")
            message = f"this position cannot be loaded, {len(self.problems)} problems:"
            message += "".join(lines)
        super().__init__(message)


def as_int(value: object) -> int | None:
    """A whole number as a plain int, NumPy's included; None for anything else, True and False too.

    >>> as_int(3), as_int(3.0), as_int(True)
    (3, None, None)
    """
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]  # it says what is no number
    except TypeError:
        return None


def brief(value: object) -> str:
    """A value in an error message, cut short if it is long or deep.

    >>> brief("x" * 99)
    "'xxxxxxxxxxxxxxxxxx...xxxxxxxxxxxxxxxxxxx'"
    """
    try:
        return _short.repr(value)
    except ValueError:  # Python refuses to write numbers of thousands of digits
        return "a very long number"


def one_of(values: Iterable[object]) -> str:
    """The choices of an error message: `a, b or c`.

    >>> one_of(["open", "face-down"])
    'open or face-down'
    """
    texts = [str(value) for value in values]
    if len(texts) < 2:
        return "".join(texts)
    return ", ".join(texts[:-1]) + " or " + texts[-1]
