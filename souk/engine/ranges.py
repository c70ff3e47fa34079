"""How long lists of action texts are told in few words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

SHORTEST_RUN = 4  # numbers in a row that are worth a dash


@dataclass(frozen=True)
class Run:
    """Texts that differ in the number at their end, which grows evenly; or a single text."""

    texts: tuple[str, ...]

    @property
    def step(self) -> int | None:
        """How far apart the numbers are; None for a single text."""
        if len(self.texts) == 1:
            return None
        first, second = (_split(text)[1] for text in self.texts[:2])
        assert first is not None and second is not None
        return second - first

    def __str__(self) -> str:
        if self.step is None:
            return self.texts[0]
        second, last = (_split(text)[1] for text in (self.texts[1], self.texts[-1]))
        return f"{self.texts[0]}, {second} … {last}"


def group_runs(texts: Sequence[str]) -> list[Run]:
    """The texts in their order, long rows of numbers as one run each."""
    found: list[Run] = []
    at = 0
    while at < len(texts):
        end = _run_end(texts, at)
        if end - at < SHORTEST_RUN:
            end = at + 1
        found.append(Run(tuple(texts[at:end])))
        at = end
    return found


def condense(texts: Sequence[str]) -> list[str]:
    """The texts with long rows of numbers drawn together.

    >>> condense(["bid 25", "bid 50", "bid 75", "bid 100", "bid 125", "pass"])
    ['bid 25, 50 … 125', 'pass']
    """
    return [str(run) for run in group_runs(texts)]


def _run_end(texts: Sequence[str], first: int) -> int:
    """Where the row of evenly spaced numbers that begins at a text ends."""
    words, number = _split(texts[first])
    end, step = first + 1, None
    while number is not None and end < len(texts):
        others, following = _split(texts[end])
        if others != words or following is None or step not in (None, following - number):
            break
        step, number = following - number, following
        end += 1
    return end


def _split(text: str) -> tuple[str, int | None]:
    """The words of a text and the number at its end, if there is one."""
    found = re.fullmatch(r"(.*?\D )(\d{1,18})", text)
    return (found[1], int(found[2])) if found else (text, None)
