"""Game records: text files with games, which people can read and edit."""

from souk.records.errors import FileError, RecordError
from souk.records.export import export_games
from souk.records.file_reading import read_games
from souk.records.file_writing import append_games, write_games
from souk.records.reading import read
from souk.records.record import Outcome, Record, Seat, Variation
from souk.records.selection import select
from souk.records.writing import write, write_all

__all__ = [
    "FileError",
    "Outcome",
    "Record",
    "RecordError",
    "Seat",
    "Variation",
    "append_games",
    "export_games",
    "read",
    "read_games",
    "select",
    "write",
    "write_all",
    "write_games",
]
