"""What is kept of a table: its terms, fixed at creation, and a log of entries, numbered from 1.

Everything that anybody can see of a table follows from these two. An entry is one atomic step: a
player's action carries the chance outcomes that followed it. Only what is here is ever stored.
"""

from typing import Literal

import msgspec
from msgspec import Struct

TABLE_ID = "^[A-Za-z0-9_-]{22}$"  # what a table's id looks like
Absent = Literal["at-once", "grace", "never"]
Reason = Literal["left", "away", "time"]


class ComputerSeat(
    Struct, frozen=True, tag_field="kind", tag="computer", forbid_unknown_fields=True
):
    """A seat for a computer player."""

    level: str


class OpenSeat(Struct, frozen=True, tag_field="kind", tag="open", forbid_unknown_fields=True):
    """A seat that anybody who reaches the table may take."""


class Terms(Struct, frozen=True):
    """What a table was created with. The secret never leaves the server before the game is over."""

    id: str
    game: str
    host: str  # the person who created it
    seats: tuple[ComputerSeat | OpenSeat, ...]
    public: bool
    seconds: int | None  # time for a turn
    absent: Absent  # when the computer plays on for somebody who is away or late
    grace: int  # seconds, for absent == "grace"
    secret: str
    created: int  # as all times: milliseconds since 1970
    rematch_of: str | None = None
    wanted: str | None = None  # a digest of what was asked for, if that can be asked for again


class Entry(
    Struct,
    frozen=True,
    tag_field="entry",
    tag=str.lower,
    kw_only=True,
    omit_defaults=True,
    gc=False,
):
    """One step in the life of a table."""

    at: int
    by: str | None = None  # the person who asked for it; nobody if the server did it by itself
    request: str | None = None  # that person's own name for it, so that asking twice acts once


class Sat(Entry, frozen=True):
    """A person or a bot took a seat."""

    seat: int
    person: str
    name: str
    bot: bool = False


class Stood(Entry, frozen=True):
    """Somebody left a seat before the start."""

    seat: int


class Placed(Entry, frozen=True):
    """The host gave a seat to a computer player, or opened it."""

    seat: int
    level: str | None


class Worded(Entry, frozen=True):
    """A player added words to the draw."""

    seat: int
    words: str


class Started(Entry, frozen=True):
    """The game began; the seed and the first chance outcomes follow from secret and words."""

    seed: int
    chance: tuple[str, ...] = ()


class Acted(Entry, frozen=True):
    """An action, with the chance outcomes that came before anybody else could act."""

    seat: int
    action: str
    chance: tuple[str, ...] = ()
    computer: bool = False


class Away(Entry, frozen=True):
    """Nobody is connected for a seat any more."""

    seat: int


class Here(Entry, frozen=True):
    """The person of a seat is connected again."""

    seat: int


class Taken(Entry, frozen=True):
    """The computer plays on for a seat."""

    seat: int
    why: Reason


class Returned(Entry, frozen=True):
    """The owner of a seat plays again."""

    seat: int


class Resigned(Entry, frozen=True):
    """A player gave up."""

    seat: int


class Said(Entry, frozen=True):
    """A line of chat."""

    name: str
    text: str


class Chat(Entry, frozen=True):
    """The host switched the chat on or off."""

    open: bool


class Rematched(Entry, frozen=True):
    """A new table with the same terms was set up."""

    table: str


AnyEntry = (
    Sat
    | Stood
    | Placed
    | Worded
    | Started
    | Acted
    | Away
    | Here
    | Taken
    | Returned
    | Resigned
    | Said
    | Chat
    | Rematched
)

encode = msgspec.json.Encoder().encode
decode_entry = msgspec.json.Decoder(AnyEntry).decode
decode_terms = msgspec.json.Decoder(Terms).decode
