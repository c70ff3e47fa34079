"""The position of a table as JSON, of which only what has changed is written anew."""

from collections.abc import Sequence

from msgspec import Raw

from souk.engine.game import Game
from souk.engine.position_encoder import fields


class Written:
    """The JSON of one position after another: always that of `State.to_dict`."""

    def __init__(self, game: Game) -> None:
        self._parts = [
            (number, part.slots, part.write) for number, part in enumerate(game.parts, start=1)
        ]
        # The slots of each part, and what was written from them; before it what never changes.
        self._seen: list[object] = [None for _ in range(len(self._parts) + 1)]
        self._texts = [b"{" + fields({"game": str(game)}), *(b"" for _ in self._parts), b"}"]

    def position(self, buffer: Sequence[int]) -> Raw:
        """The JSON of the position that a buffer holds."""
        seen, texts = self._seen, self._texts
        for number, slots_of, write in self._parts:
            slots = slots_of(buffer)
            if slots != seen[number]:
                text = write(buffer)
                texts[number] = b"," + text if text else b""
                seen[number] = slots
        return Raw(b"".join(texts))
