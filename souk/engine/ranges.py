"""Shorten lists of action texts: `bid 25, 50 … 125`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

SHORTEST_RUN = 4  # texts that are worth shortening


@dataclass(frozen=True)
class Run:
    """A single text, or texts that end in evenly spaced numbers and are otherwise equal."""

    texts: tuple[str, ...]

    @property
    def step(self) -> int | None:
        """The difference between neighbouring numbers; None for a single text."""
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
    """Return the texts in their order, grouped into runs."""
    runs: list[Run] = []
    at = 0
    while at < len(texts):
        end = _run_end(texts, at)
        if end - at < SHORTEST_RUN:
            end = at + 1
        runs.append(Run(tuple(texts[at:end])))
        at = end
    return runs


def condense(texts: Sequence[str]) -> list[str]:
    """Return the texts with each run as one text.

    >>> condense(["bid 25", "bid 50", "bid 75", "bid 100", "bid 125", "pass"])
    ['bid 25, 50 … 125', 'pass']
    """
    return [str(run) for run in group_runs(texts)]


def _run_end(texts: Sequence[str], first: int) -> int:
    """Return the end of the longest run that starts at a text."""
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
    """Return a text without the number at its end, and that number or None."""
    match = re.fullmatch(r"(.*?\D )(\d{1,18})", text)
    return (match[1], int(match[2])) if match else (text, None)
