"""Encode positions as JSON, part by part.

A position consists of parts, each of which names the slots of the buffer that it is encoded from.
So an encoder of many positions of one game encodes only the parts that have changed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from souk.engine.game import Game

_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True)
class PositionPart:
    """Some fields of a position, and the slots that they depend on."""

    slots: Callable[[Sequence[int]], Any]  # selects these slots from a buffer
    encode: Callable[[Sequence[int]], bytes]  # returns JSON fields without braces, maybe empty


def select_slots(*spans: tuple[int, int]) -> Callable[[Sequence[int]], Any]:
    """Return a function that selects spans of slots, each from a first to before an end.

    >>> select_slots((0, 2), (4, 5))([10, 11, 12, 13, 14])
    ([10, 11], [14])
    """
    return itemgetter(*(slice(first, end) for first, end in spans))


def encode_fields(fields: dict[str, Any]) -> bytes:
    """Return the JSON of some fields without the braces around them.

    >>> encode_fields({"phase": "turn", "to_move": 0})
    b'"phase":"turn","to_move":0'
    """
    return _encode(fields)[1:-1]


def position_dict(parts: Sequence[PositionPart], buffer: Sequence[int]) -> dict[str, Any]:
    """Return the fields of all parts as plain data."""
    texts = [part.encode(buffer) for part in parts]
    position: dict[str, Any] = msgspec.json.decode(b"{%b}" % b",".join(filter(None, texts)))
    return position


class IncrementalEncoder:
    """Encode positions of one game, reusing the parts that have not changed since the last.

    The JSON of a position is always that of `State.to_dict`.
    """

    def __init__(self, game: "Game") -> None:
        self._parts = [
            (number, part.slots, part.encode)
            for number, part in enumerate(game.position_parts, start=1)
        ]
        self._last_slots: list[object] = [None for _ in range(len(self._parts) + 1)]
        head = b"{" + encode_fields({"game": str(game)})
        self._texts = [head, *(b"" for _ in self._parts), b"}"]

    def encode(self, buffer: Sequence[int]) -> msgspec.Raw:
        """Return the JSON of the position in a buffer."""
        last_slots, texts = self._last_slots, self._texts
        for number, select, encode in self._parts:
            slots = select(buffer)
            if slots != last_slots[number]:
                text = encode(buffer)
                texts[number] = b"," + text if text else b""
                last_slots[number] = slots
        return msgspec.Raw(b"".join(texts))
