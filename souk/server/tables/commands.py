"""The commands that clients send over a socket, and how they are refused.

Every command but `ping` carries `request`, the client's own name for it; the answer repeats it.
Requests are idempotent: repeating one acts once, and its name is refused for any other command.
"""

import unicodedata
from collections.abc import Callable
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from souk.server.tables.entries import ProposalKind

MAX_REQUEST = 64
RequestName = Annotated[str, Meta(min_length=1, max_length=MAX_REQUEST)]
SeatNumber = Annotated[int, Meta(ge=0, le=31)]
PersonId = Annotated[str, Meta(min_length=1, max_length=40)]
ActionText = Annotated[str, Meta(min_length=1, max_length=60)]

MAX_NAME = 24
MAX_WORDS = 80
MAX_CHAT = 300


class Command(Struct, frozen=True, tag_field="type", tag=str.lower, forbid_unknown_fields=True):
    """A command of somebody at the table."""

    request: RequestName


class Act(Command, frozen=True):
    """Play an action, given by its text and the version of the position it was chosen for."""

    version: int
    action: ActionText


class Undo(Command, frozen=True):
    """Undo your last action, until chance or another player acts."""

    version: int


class Preview(Command, frozen=True):
    """Ask what an action would cause."""

    action: ActionText


class Hint(Command, frozen=True):
    """Ask what the strongest computer player would do; everybody sees that you asked."""


class Sit(Command, frozen=True):
    """Take an open seat, under your own name or another (several may share a screen)."""

    seat: SeatNumber
    name: Annotated[str, Meta(max_length=MAX_NAME)] | None = None


class Leave(Command, frozen=True):
    """Leave a seat; during a game the computer takes over."""

    seat: SeatNumber


class Assign(Command, frozen=True):
    """Assign a seat to a computer player, or open it; for the host.

    A person there loses it, unless a deputy acts as host.
    """

    seat: SeatNumber
    level: Annotated[str, Meta(max_length=60)] | None


class Words(Command, frozen=True):
    """Add words of your own to the dice."""

    seat: SeatNumber
    words: Annotated[str, Meta(max_length=MAX_WORDS)]


class Start(Command, frozen=True):
    """Start the game; for the host."""


class TakeBack(Command, frozen=True, tag="take-back"):
    """Take your seat back from the computer."""

    seat: SeatNumber


class Resign(Command, frozen=True):
    """Resign."""

    seat: SeatNumber


class Propose(Command, frozen=True):
    """Propose a draw, a pause, to resume, or to abort the game: every player must agree."""

    what: ProposalKind


class Answer(Command, frozen=True):
    """Agree to a proposal, decline it, or withdraw your own."""

    proposal: int
    agree: bool


class Abort(Command, frozen=True):
    """End the game without a result: while not everybody has played, or if somebody stalls."""


class Replace(Command, frozen=True):
    """Let the computer take over for a player who stalls."""

    seat: SeatNumber


class Claim(Command, frozen=True):
    """Claim that a player who stalls loses, at a table where the computer never takes over."""

    seat: SeatNumber


class Say(Command, frozen=True):
    """Write a line of chat."""

    text: Annotated[str, Meta(min_length=1, max_length=MAX_CHAT)]


class Chat(Command, frozen=True):
    """Switch the chat on or off; for the host."""

    open: bool


class Mute(Command, frozen=True):
    """Stop a person from writing in the chat, or allow it again; for the host."""

    person: PersonId
    muted: bool


class Kick(Command, frozen=True):
    """Remove a person who is not playing from the table, for good if `ban`; for the host."""

    person: PersonId
    ban: bool = False


class Unban(Command, frozen=True):
    """Let a person return to the table; for the host."""

    person: PersonId


class Ping(Struct, frozen=True, tag_field="type", tag="ping", forbid_unknown_fields=True):
    """Ask for a `pong`, to see whether the connection is alive."""


AnyCommand = (
    Act
    | Undo
    | Preview
    | Hint
    | Sit
    | Leave
    | Assign
    | Words
    | Start
    | TakeBack
    | Resign
    | Propose
    | Answer
    | Abort
    | Replace
    | Claim
    | Say
    | Chat
    | Mute
    | Kick
    | Unban
    | Ping
)
decode: Callable[[str | bytes], AnyCommand] = msgspec.json.Decoder(AnyCommand).decode

Code = Literal[
    "bad-message",
    "stale",
    "illegal",
    "not-your-turn",
    "not-your-seat",
    "not-the-host",
    "no-such-seat",
    "seat-not-free",
    "seats-open",
    "not-started",
    "already-started",
    "over",
    "not-possible",
    "chat-off",
    "muted",
    "removed",
    "bad-name",
    "name-taken",
    "paused",
    "hints-off",
    "request-used",
    "too-fast",
    "not-saved",
    "bad-game",
    "bad-table",
    "bad-record",
    "bad-position",
    "no-identity",
    "proof-needed",
    "no-such-table",
    "unreadable",
    "no-such-link",
    "not-at-table",
    "not-over",
    "no-such-person",
    "banned",
    "not-local",
    "no-network",
]


class Refusal(Exception):
    """A command that is not carried out, with the reason for programs and for people."""

    def __init__(self, code: Code, sentence: str, details: dict[str, object] | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.details = details or {}  # for programs

    def __reduce__(self) -> tuple[type["Refusal"], tuple[object, ...]]:
        """Return how to make a copy in another process."""
        return type(self), (self.code, self.sentence, self.details)


def clean(text: str, max_length: int) -> str:
    r"""Return a text that people typed on one line and without invisible characters.

    >>> clean("  Ada \u202e\n Lovelace ", 24)
    'Ada Lovelace'
    """
    printable = "".join(
        character if character.isprintable() else " "
        for character in unicodedata.normalize("NFC", text)
    )
    return " ".join(printable.split())[:max_length].strip()
