"""The context of a command: who sends it, when, and at which table; what many commands require."""

from collections import Counter
from dataclasses import dataclass
from typing import TypedDict

from msgspec import Struct

from souk.server.tables.commands import Refusal
from souk.server.tables.table import Seat, Table

# Entries of a person at a table other than play and chat: nobody uses up what others need.
MAX_ENTRIES = 300
REMOVED = "The host has removed you from this table."


@dataclass(frozen=True)
class Person:
    """Somebody with an identity: a person, or a program with a token."""

    id: str
    name: str
    is_bot: bool = False


class Stamp(TypedDict):
    """The origin of an entry."""

    at: int
    by: str
    request: str


class Request(Struct, frozen=True):
    """A command's context: the table, the sender and the time."""

    table: Table
    person: Person
    now: int

    def stamp(self, request: str) -> Stamp:
        """Return the fields that say where an entry came from."""
        return {"at": self.now, "by": self.person.id, "request": request}

    def seat(self, number: int) -> Seat:
        """Return a seat by its number."""
        if number >= len(self.table.seats):
            last = len(self.table.seats)
            raise Refusal("no-such-seat", f"This table has seats 1 to {last}, not {number + 1}.")
        return self.table.seats[number]

    def own_seat(self, number: int) -> Seat:
        """Return a seat that must belong to the sender."""
        seat = self.seat(number)
        if seat.person != self.person.id:
            raise Refusal("not-your-seat", f"Seat {number + 1} is not yours.")
        return seat

    def player_seat(self) -> int:
        """Return the first seat that the sender plays themselves."""
        for number, seat in enumerate(self.table.seats):
            if seat.person == self.person.id and not seat.is_played_by_computer:
                return number
        raise Refusal("not-your-seat", "Only players of this game can do that.")

    def waits_for_another(self) -> bool:
        """Return whether a player other than the sender stalls."""
        stalls_at, mover = self.table.stalls_at(), self.table.mover
        if stalls_at is None or mover is None or self.now < stalls_at:
            return False
        return self.table.seats[mover].person != self.person.id

    def require_stalled(self, number: int) -> None:
        """Refuse unless a seat is to move and its player, not the sender, stalls."""
        seat, stalls_at = self.seat(number), self.table.stalls_at()
        if seat.person == self.person.id:
            raise Refusal("not-possible", "This seat is your own.")
        if self.table.mover != number:
            raise Refusal("not-possible", f"The game does not wait for {seat.name}.")
        if stalls_at is None:
            raise Refusal("not-possible", "The clock of the table decides here.")
        if self.now < stalls_at:
            left = -(-(stalls_at - self.now) // 1000)
            raise Refusal("not-possible", f"{seat.name} has {left} seconds left to move.")

    def require_host(self) -> None:
        """Refuse unless the sender is the host or acts as host."""
        if self.person.id not in (self.table.config.host, self.table.deputy):
            raise Refusal("not-the-host", "Only the host of the table can do that.")

    def require_waiting(self) -> None:
        """Refuse unless the game has not started."""
        if self.table.status != "waiting":
            raise Refusal("already-started", "The game has started.")

    def require_playing(self) -> None:
        """Refuse unless the game is in progress."""
        if self.table.status == "waiting":
            raise Refusal("not-started", "The game has not started yet.")
        if self.table.status == "over":
            raise Refusal("over", "The game is over.")

    def require_few_entries(self) -> None:
        """Refuse when entries of the sender other than play and chat would fill the log.

        Leaving a seat and taking one back are always possible: another entry preceded them.
        """
        if self.table.other_entries[self.person.id] >= MAX_ENTRIES:
            raise Refusal(
                "not-possible",
                "You have reached your limit of changes at this table; the game itself goes on.",
            )

    def require_few(self, counts: Counter[str], most: int, sentence: str) -> None:
        """Refuse a guest without a seat when the entries of all guests would fill the log."""
        host, person = self.table.config.host, self.person.id
        if person == host or any(seat.person == person for seat in self.table.seats):
            return
        if counts.total() - counts[host] >= most:
            raise Refusal("not-possible", sentence)

    def names_of_others(self) -> list[str]:
        """Return the names at the table, without those of the sender."""
        seats = self.table.seats
        return [s.name for s in seats if s.kind != "open" and s.person != self.person.id]
