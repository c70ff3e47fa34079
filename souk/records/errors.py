"""The exceptions for records and files that cannot be read."""

from typing import TYPE_CHECKING

from souk.engine.errors import SoukError, reason

if TYPE_CHECKING:
    from souk.records.record import Record


class FileError(SoukError):
    """A file cannot be read or written."""

    @classmethod
    def reading(cls, name: str, error: Exception) -> "FileError":
        """Return the error for a file that cannot be read."""
        return cls(f"cannot read {name}: {reason(error)}")

    @classmethod
    def writing(cls, name: str, error: Exception) -> "FileError":
        """Return the error for a file that cannot be written."""
        return cls(f"cannot write {name}: {reason(error)}")


class RecordError(SoukError):
    """A record cannot be read to its end. `record` holds what was read before the error."""

    def __init__(
        self, line: int, move: int | None, reason: str, record: "Record | None", place: str = ""
    ) -> None:
        self.line = line  # of the file, from 1
        self.move = move  # of the game, from 1; None if the error is in the header
        self.reason = reason
        self.record = record
        self.place = place  # the file and the number of the game in it, if they are known
        where = f"line {line}" if move is None else f"line {line}, move {move}"
        super().__init__(f"{place}{', ' if place else ''}{where}: {reason}")

    def with_record(self, record: "Record") -> "RecordError":
        """Return the same error with what was read before it."""
        return RecordError(self.line, self.move, self.reason, record, self.place)

    def at(self, place: str) -> "RecordError":
        """Return the same error with the place where the game is."""
        return RecordError(self.line, self.move, self.reason, self.record, place)
