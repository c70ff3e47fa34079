"""The stored form of a table: its configuration and a log of entries, numbered from 1.

The configuration is fixed at creation. Everything that anybody can see of a table follows from the
two. An entry is one atomic step: a player's action carries the chance outcomes that followed it.
"""

import re
from collections.abc import Callable
from typing import Literal

import msgspec
from msgspec import Struct

TABLE_ID = "^[A-Za-z0-9_-]{22}$"  # what a table's id looks like
AbsencePolicy = Literal["at-once", "grace", "never"]
TakeoverReason = Literal["left", "away", "time", "stalled"]
ProposalKind = Literal["draw", "pause", "resume", "abort"]


class ComputerSeat(
    Struct, frozen=True, tag_field="kind", tag="computer", forbid_unknown_fields=True
):
    """A seat for a computer player."""

    level: str


class OpenSeat(Struct, frozen=True, tag_field="kind", tag="open", forbid_unknown_fields=True):
    """A seat that anybody with a link to the table may take."""


class TableConfig(Struct, frozen=True):
    """The options of a table. The secret stays on the server until the game is over."""

    id: str
    game: str
    host: str  # the person who created it
    seats: tuple[ComputerSeat | OpenSeat, ...]
    public: bool
    seconds: int | None  # time for a turn
    absent: AbsencePolicy  # when the computer takes over for a player who is away or out of time
    grace: int  # seconds, for absent == "grace"
    secret: str
    created: int  # like all times: milliseconds since 1970
    rematch_of: str | None = None
    hints: bool | None = None  # None: only while no two people play
    patience: int | None = None  # seconds until others may act against a stalled turn
    undo: bool = False  # whether players may undo their own actions
    request_digest: str | None = msgspec.field(default=None, name="wanted")  # of a named request
    rules: int = 1  # the version of the game's rules


def _tag(name: str) -> str:
    """Return the tag of a class: `TakenOver` is stored as `taken-over`."""
    return re.sub("(?<!^)(?=[A-Z])", "-", name).lower()


class Entry(
    Struct,
    frozen=True,
    tag_field="entry",
    tag=_tag,
    kw_only=True,
    omit_defaults=True,
    gc=False,
):
    """One step of a table."""

    at: int
    by: str | None = None  # the person who requested it; None if the server did it by itself
    request: str | None = None  # that person's name for the request, which makes it idempotent

    @classmethod
    def kind(cls) -> str:
        """Return the name of such entries in the log and in events."""
        return str(cls.__struct_config__.tag)


class Sat(Entry, frozen=True):
    """A person or a bot took a seat."""

    seat: int
    person: str
    name: str
    bot: bool = False


class Left(Entry, frozen=True):
    """A person left a seat before the start."""

    seat: int


class Assigned(Entry, frozen=True):
    """The host assigned a seat to a computer player, or opened it."""

    seat: int
    level: str | None


class WordsAdded(Entry, frozen=True):
    """A player added words to the dice."""

    seat: int
    words: str


class Started(Entry, frozen=True):
    """The game started; seed and first chance outcomes follow from the secret and the words."""

    seed: int
    chance: tuple[str, ...] = ()


class Acted(Entry, frozen=True):
    """An action, with the chance outcomes that followed before a player had to act."""

    seat: int
    action: str
    chance: tuple[str, ...] = ()
    computer: bool = False


class Undone(Entry, frozen=True):
    """A player took back their last action, which no chance outcome or other player followed."""

    seat: int
    version: int  # of the position that was left


class Away(Entry, frozen=True):
    """The person of a seat is no longer connected."""

    seat: int


class Here(Entry, frozen=True):
    """The person of a seat is connected again."""

    seat: int


class TakenOver(Entry, frozen=True):
    """The computer took over a seat; `stalled`: as another player requested."""

    seat: int
    why: TakeoverReason


class TakenBack(Entry, frozen=True):
    """The owner of a seat took it back from the computer."""

    seat: int


class Resigned(Entry, frozen=True):
    """A player resigned."""

    seat: int


class Forfeited(Entry, frozen=True):
    """A seat lost the game because its player stalled, as another player claimed."""

    seat: int


class Aborted(Entry, frozen=True):
    """A player ended the game without a result."""

    seat: int


class Proposed(Entry, frozen=True):
    """A player proposed something that needs everybody's agreement."""

    seat: int
    what: ProposalKind


class Answered(Entry, frozen=True):
    """A player agreed to a proposal, declined it, or withdrew their own."""

    seat: int
    proposal: int  # the number of its entry
    agree: bool


class Hinted(Entry, frozen=True):
    """A player asked for a hint."""

    seat: int


class Deputised(Entry, frozen=True):
    """The player of a seat acts as host, as the host is absent."""

    seat: int


class Interrupted(Entry, frozen=True):
    """The server was unavailable for a time; players get the time back, and some more."""

    since: int
    until: int
    extra: int = 0  # milliseconds, to reconnect


class Said(Entry, frozen=True):
    """A line of chat."""

    name: str
    text: str
    removed: bool = False  # its text is gone from the log


class Chat(Entry, frozen=True):
    """The host switched the chat on or off."""

    open: bool


class Muted(Entry, frozen=True):
    """The host stopped a person from writing in the chat, or allowed it again."""

    person: str
    name: str
    muted: bool


class Kicked(Entry, frozen=True):
    """The host removed a person from the table; with `ban`, for good."""

    person: str
    name: str
    ban: bool = False


class Unbanned(Entry, frozen=True):
    """The host let a person return."""

    person: str
    name: str


class LineRemoved(Entry, frozen=True):
    """The operator removed a line of chat, given by the number of its entry."""

    line: int


class Renamed(Entry, frozen=True):
    """A person got another name at this table; if `erased`, they are gone with their lines."""

    person: str
    name: str
    erased: bool = False


class Rematched(Entry, frozen=True):
    """A rematch was set up at another table."""

    table: str


AnyEntry = (
    Sat
    | Left
    | Assigned
    | WordsAdded
    | Started
    | Acted
    | Undone
    | Away
    | Here
    | TakenOver
    | TakenBack
    | Resigned
    | Forfeited
    | Aborted
    | Proposed
    | Answered
    | Hinted
    | Deputised
    | Interrupted
    | Said
    | Chat
    | Muted
    | Kicked
    | Unbanned
    | LineRemoved
    | Renamed
    | Rematched
)

# Tags of entries stored before schema 2, and the tags of today. The log itself is never rewritten.
_OLD_TAGS = {
    b"stood": b"left",
    b"placed": b"assigned",
    b"worded": b"words-added",
    b"taken": b"taken-over",
    b"returned": b"taken-back",
}
_OLD_START = re.compile(rb'\{"entry":"(%s)"' % b"|".join(_OLD_TAGS))

encode = msgspec.json.Encoder().encode
_decode_entry: Callable[[bytes], AnyEntry] = msgspec.json.Decoder(AnyEntry).decode


def decode_entry(raw: bytes) -> AnyEntry:
    """Return a stored entry, of this schema or of an older one.

    >>> decode_entry(b'{"entry":"stood","at":5,"seat":1}')
    Left(seat=1, at=5, by=None, request=None)
    """
    return _decode_entry(_OLD_START.sub(_new_start, raw, count=1) if _OLD_START.match(raw) else raw)


def _new_start(old: re.Match[bytes]) -> bytes:
    return b'{"entry":"%s"' % _OLD_TAGS[old[1]]


decode_config = msgspec.json.Decoder(TableConfig).decode
