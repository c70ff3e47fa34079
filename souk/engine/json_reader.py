"""Read plain JSON and collect every problem instead of stopping at the first.

Each method returns None for a value that cannot be used, after it has reported why. A missing
field is reported once, by `read_fields`, so other methods accept MISSING silently.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from souk.engine.errors import BadPosition, as_int, brief, one_of

if TYPE_CHECKING:
    from souk.engine.game import Game

MISSING = object()


class Reader:
    """Reads values of plain JSON and collects `problems`."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def report(self, where: str, problem: str) -> None:
        """Add a problem, with the path of the value."""
        self.problems.append(f"{where}: {problem}")

    def read_fields(
        self, where: str, value: object, keys: Sequence[str], optional: Sequence[str] = ()
    ) -> dict[str, Any]:
        """Return the fields of an object, MISSING where a key is; report missing and unknown keys.

        >>> reader = Reader()
        >>> reader.read_fields("assam", {"square": "d4"}, ("square", "facing"))["square"]
        'd4'
        >>> reader.problems
        ['assam: facing is missing']
        """
        fields = dict.fromkeys((*keys, *optional), MISSING)
        if value is MISSING:
            return fields
        if not isinstance(value, Mapping):
            self.report(where, f"must be an object with {', '.join(keys)}, not {brief(value)}")
            return fields
        for key in keys:
            if key not in value:
                self.report(where, f"{key} is missing")
        for key, field in value.items():
            if key in fields:
                fields[key] = field
            else:
                known = ", ".join([*keys, *optional])
                self.report(where, f"{brief(key)} is not known here; known: {known}")
        return fields

    def read_choice(self, where: str, value: object, accepted: Sequence[str]) -> int | None:
        """Return the index of a text among the accepted ones."""
        if isinstance(value, str) and value in accepted:
            return accepted.index(value)
        if value is not MISSING:
            self.report(where, f"must be {one_of(accepted)}, not {brief(value)}")
        return None

    def read_int(self, where: str, value: object, low: int, high: int) -> int | None:
        """Return an integer between two limits, both included."""
        number = as_int(value)
        if number is not None and low <= number <= high:
            return number
        if value is not MISSING:
            self.report(where, f"must be a whole number from {low} to {high}, not {brief(value)}")
        return None

    def read_bool(self, where: str, value: object) -> bool | None:
        """Return a bool."""
        if isinstance(value, bool):
            return value
        if value is not MISSING:
            self.report(where, f"must be true or false, not {brief(value)}")
        return None

    def read_items(self, where: str, value: object, what: str) -> list[tuple[str, Any]]:
        """Return the items of an object with any keys."""
        if isinstance(value, Mapping):
            return list(value.items())
        if value is not MISSING:
            self.report(where, f"must be an object {what}, not {brief(value)}")
        return []

    def read_list(
        self, where: str, value: object, what: str, count: int | None = None
    ) -> Sequence[Any]:
        """Return a list, of a given length if `count` is not None."""
        if value is MISSING:
            return []
        expected = what if count is None else f"{count} {what}"
        if not isinstance(value, Sequence) or isinstance(value, str | bytes):
            self.report(where, f"must be a list of {expected}, not {brief(value)}")
            return []
        if count is not None and len(value) != count:
            self.report(where, f"must be a list of {expected}, not of {len(value)}")
        return value[:count]


class PositionReader(Reader):
    """Reads a position into a buffer. A subclass implements `read_pieces`."""

    keys: tuple[str, ...]  # of a position, without "game"
    optional: tuple[str, ...] = ()

    def __init__(self, game: "Game") -> None:
        super().__init__()
        self.k = game.rules
        self.S = game.empty_buffer()
        self.seats = game.num_players()

    def read(self, game: "Game", position: object) -> list[int]:
        """Return the buffer of a position; raise BadPosition with every problem."""
        fields = self.read_fields("position", position, ("game", *self.keys), self.optional)
        named = fields.pop("game")
        if named is not MISSING and not (isinstance(named, str) and game.is_named_by(named)):
            self.report("game", f"{brief(named)} is not the game it is loaded into, {game}")
        self.read_pieces(fields)
        if self.problems:
            raise BadPosition(self.problems)
        return self.S

    def read_pieces(self, fields: Mapping[str, Any]) -> None:
        """Read the fields of a position into the buffer."""
        raise NotImplementedError

    def set_slot(self, slot: str, value: int | None, offset: int = 0) -> None:
        """Set a slot of the buffer, unless the value is None."""
        if value is not None:
            self.S[getattr(self.k, slot) + offset] = value

    def get_slots(self, name: str, count: int) -> list[int]:
        """Return adjacent slots of the buffer."""
        first = getattr(self.k, name)
        return self.S[first : first + count]

    def read_seat(self, where: str, value: object) -> int | None:
        """Return a seat."""
        return self.read_int(where, value, 0, self.seats - 1)
