"""Positions in parts: each says which slots of the buffer it is written from.

So whoever writes one position after another need not write again what has not changed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from msgspec import to_builtins


@dataclass(frozen=True)
class Part:
    """Some fields of a position, as plain JSON or as frozen structs that stand for it."""

    slots: Callable[[Sequence[int]], Any]  # everything in a buffer that the fields depend on
    write: Callable[[Sequence[int]], dict[str, Any]]  # the fields, from a whole buffer


def slots(*spans: tuple[int, int]) -> Callable[[Sequence[int]], Any]:
    """What takes some spans of slots, each from a first to before a last, out of a buffer.

    >>> slots((0, 2), (4, 5))([10, 11, 12, 13, 14])
    ([10, 11], [14])
    """
    return itemgetter(*(slice(first, end) for first, end in spans))


def whole(parts: Sequence[Part], buffer: Sequence[int]) -> dict[str, Any]:
    """The fields of all parts as plain JSON, which the caller may change."""
    position: dict[str, Any] = {}
    for part in parts:
        position.update(to_builtins(part.write(buffer)))
    return position
