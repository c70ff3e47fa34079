"""The position of a table as JSON, of which only what has changed is written anew."""

from collections.abc import Sequence

from msgspec import Raw

from souk.engine.game import Game
from souk.engine.parts import fields, joined


class Written:
    """The JSON of one position after another: always that of `State.to_dict`."""

    def __init__(self, game: Game) -> None:
        self._parts = game.parts
        self._seen: list[object] = [None for _ in self._parts]  # the slots of each part
        # What was written from them, after what never changes.
        self._texts = [fields({"game": str(game)}), *(b"" for _ in self._parts)]

    def position(self, buffer: Sequence[int]) -> Raw:
        """The JSON of the position that a buffer holds."""
        seen = self._seen
        for number, part in enumerate(self._parts):
            slots = part.slots(buffer)
            if slots != seen[number]:
                self._texts[number + 1] = part.write(buffer)
                seen[number] = slots
        return Raw(joined(self._texts))
