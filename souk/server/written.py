"""The position of a table as JSON, of which only what has changed is written anew."""

from collections.abc import Sequence

import msgspec
from msgspec import Raw

from souk.engine.game import Game

_encode = msgspec.json.Encoder().encode


class Written:
    """The JSON of one position after another: always that of `State.to_dict`."""

    def __init__(self, game: Game) -> None:
        self._parts = game.parts
        self._game = _fields({"game": str(game)})
        self._seen: list[object] = [None for _ in self._parts]  # the slots of each part
        self._texts = [b"" for _ in self._parts]  # and what was written from them

    def position(self, buffer: Sequence[int]) -> Raw:
        """The JSON of the position that a buffer holds."""
        for number, part in enumerate(self._parts):
            slots = part.slots(buffer)
            if slots != self._seen[number]:
                self._texts[number] = _fields(part.write(buffer))
                self._seen[number] = slots
        return Raw(b"{%b}" % b",".join(filter(None, (self._game, *self._texts))))


def _fields(some: dict[str, object]) -> bytes:
    """The JSON of some fields without the braces around them."""
    return _encode(some)[1:-1]
