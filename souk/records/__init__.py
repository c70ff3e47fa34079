"""Game records: text files with one game each, which people can read and edit."""

from souk.records.reading import RecordError, read
from souk.records.record import Record, Seat
from souk.records.writing import write

__all__ = ["Record", "RecordError", "Seat", "read", "write"]
