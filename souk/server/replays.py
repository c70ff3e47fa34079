"""A game step by step, for viewers who know no rules; and whether its dice were fair."""

from typing import Annotated

from msgspec import Meta, Raw, Struct

from souk.engine.events import Event


class Frame(Struct, frozen=True):
    """The start of a game, or what one action or chance outcome made of it."""

    seat: int | None  # who acted; None for chance, and at the start
    action: str | None  # None at the start
    events: list[Event]
    position: Annotated[Raw, Meta(extra_json_schema={"type": "object"})]  # as `to_dict` has it
    scores: list[int]
    mover: int | None  # who acts next; None for chance, and at the end
    legal: list[str]


class ReplaySeat(Struct, frozen=True):
    """Who sat where."""

    seat: int
    name: str
    level: str | None  # of a computer player


class Replay(Struct, frozen=True):
    """A whole game, from its start to where it ended or is by now."""

    game: str  # with its knobs
    name: str  # of the game alone
    seats: list[ReplaySeat]
    headers: dict[str, str]  # of the record: date, commitment, secret and whatever else it has
    over: bool
    result: str | None  # in words, as in a record
    returns: list[float]  # share of the win, by seat; all 0 before the end
    frames: list[Frame]


class Verified(Struct, frozen=True):
    """What came of checking a record's dice."""

    fair: bool
    draws: int  # chance steps that were worked out again
    problems: list[str]  # in words; nothing if the dice were fair
