"""What a client may send over a socket: commands, checked to the letter when they are read.

Every command but `ping` has the client's own name for it, `request`; the answer repeats it. Asking
twice under one name acts once; asking for something else under it is refused.
"""

import unicodedata
from collections.abc import Callable
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

MAX_REQUEST = 64
Request = Annotated[str, Meta(min_length=1, max_length=MAX_REQUEST)]
SeatNumber = Annotated[int, Meta(ge=0, le=31)]
ActionText = Annotated[str, Meta(min_length=1, max_length=60)]

MAX_NAME = 24
MAX_WORDS = 80
MAX_CHAT = 300


class Command(Struct, frozen=True, tag_field="type", tag=str.lower, forbid_unknown_fields=True):
    """What somebody at the table wants."""

    request: Request


class Act(Command, frozen=True):
    """Play: the action's text, and the version of the position that it was chosen for."""

    version: int
    action: ActionText


class Preview(Command, frozen=True):
    """Ask what an action would cause."""

    action: ActionText


class Hint(Command, frozen=True):
    """Ask what the strongest computer player would do in one's place."""


class Sit(Command, frozen=True):
    """Take an open seat, under one's own name or another (several may share a screen)."""

    seat: SeatNumber
    name: Annotated[str, Meta(max_length=MAX_NAME)] | None = None


class Leave(Command, frozen=True):
    """Leave a seat; in the middle of a game the computer plays on."""

    seat: SeatNumber


class Assign(Command, frozen=True):
    """The host gives a seat to a computer player, or opens it: whoever sat there has to get up."""

    seat: SeatNumber
    level: Annotated[str, Meta(max_length=60)] | None


class Words(Command, frozen=True):
    """Add words of one's own to the draw."""

    seat: SeatNumber
    words: Annotated[str, Meta(max_length=MAX_WORDS)]


class Start(Command, frozen=True):
    """The host starts the game."""


class TakeBack(Command, frozen=True, tag="take-back"):
    """The owner of a seat plays on himself."""

    seat: SeatNumber


class Resign(Command, frozen=True):
    """Give up."""

    seat: SeatNumber


class Say(Command, frozen=True):
    """A line of chat."""

    text: Annotated[str, Meta(min_length=1, max_length=MAX_CHAT)]


class Chat(Command, frozen=True):
    """The host switches the chat on or off."""

    open: bool


class Ping(Struct, frozen=True, tag_field="type", tag="ping", forbid_unknown_fields=True):
    """Ask for a `pong`, to see whether the line is alive."""


AnyCommand = (
    Act
    | Preview
    | Hint
    | Sit
    | Leave
    | Assign
    | Words
    | Start
    | TakeBack
    | Resign
    | Say
    | Chat
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
    "request-used",
    "too-fast",
    "not-saved",
    "bad-game",
    "bad-table",
    "bad-record",
    "no-identity",
    "no-such-table",
    "no-such-link",
    "not-at-table",
    "not-over",
]


class Refusal(Exception):
    """A command that is not carried out, and why, in words for a person."""

    def __init__(self, code: Code, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


def clean(text: str, most: int) -> str:
    r"""A text that people typed, on one line and without anything that is not to be seen.

    >>> clean("  Ada \u202e\n Lovelace ", 24)
    'Ada Lovelace'
    """
    shown = "".join(
        character if character.isprintable() else " "
        for character in unicodedata.normalize("NFC", text)
    )
    return " ".join(shown.split())[:most].strip()
