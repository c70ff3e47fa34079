"""Game records: one game as a text file that a person can read and edit.

Knows games only through the contract. Imports the engine and the list of games.
"""

from souk.records.reading import RecordError, read
from souk.records.record import Record, Seat
from souk.records.writing import write

__all__ = ["Record", "RecordError", "Seat", "read", "write"]
