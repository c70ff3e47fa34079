"""Positions in parts: each says which slots of the buffer it is written from.

So whoever writes one position after another need not write again what has not changed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import msgspec

_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True)
class Part:
    """Some fields of a position. What is written here is all there is: `to_dict` reads it."""

    slots: Callable[[Sequence[int]], Any]  # everything in a buffer that the fields depend on
    write: Callable[[Sequence[int]], bytes]  # from a whole buffer, JSON without the braces


def slots(*spans: tuple[int, int]) -> Callable[[Sequence[int]], Any]:
    """What takes some spans of slots, each from a first to before a last, out of a buffer.

    >>> slots((0, 2), (4, 5))([10, 11, 12, 13, 14])
    ([10, 11], [14])
    """
    return itemgetter(*(slice(first, end) for first, end in spans))


def fields(some: dict[str, Any]) -> bytes:
    """The JSON of some fields without the braces around them.

    >>> fields({"phase": "turn", "to_move": 0})
    b'"phase":"turn","to_move":0'
    """
    return _encode(some)[1:-1]


def whole(parts: Sequence[Part], buffer: Sequence[int]) -> dict[str, Any]:
    """The fields of all parts as plain data, which the caller may change."""
    texts = [part.write(buffer) for part in parts]
    position: dict[str, Any] = msgspec.json.decode(b"{%b}" % b",".join(filter(None, texts)))
    return position
