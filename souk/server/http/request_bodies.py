"""What requests over HTTP may hold, and what answers do: checked to the letter, part of OpenAPI."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from souk.server.tables.commands import MAX_NAME, MAX_REQUEST
from souk.server.tables.entries import AbsencePolicy


class Strict(BaseModel):
    """A body with no unknown fields and no `true` for 1."""

    model_config = ConfigDict(strict=True, extra="forbid")


class ProblemBody(BaseModel):
    """What is wrong: a code for programs, a sentence for people."""

    code: str
    message: str


class NameBody(Strict):
    """A name to be shown."""

    name: str = Field(min_length=1, max_length=MAX_NAME)


class MeBody(BaseModel):
    """Who somebody is."""

    id: str
    name: str
    bot: bool


class BotBody(MeBody):
    """A new identity for a program, with the token that proves it."""

    token: str


class LinkBody(BaseModel):
    """A code that moves an identity to another device."""

    code: str
    expires: int


class ClaimBody(Strict):
    """A code from another device."""

    code: str = Field(min_length=1, max_length=100)


class MySeat(Strict):
    """A seat for whoever creates the table."""

    kind: Literal["me"]
    name: str | None = Field(default=None, max_length=MAX_NAME)


class OpenSeat(Strict):
    """A seat for whoever comes."""

    kind: Literal["open"]


class ComputerSeat(Strict):
    """A seat for a computer player; a friendly one if no level is given."""

    kind: Literal["computer"]
    level: str | None = Field(default=None, max_length=60)


AnySeat = Annotated[MySeat | OpenSeat | ComputerSeat, Field(discriminator="kind")]


class NewTable(Strict):
    """A table to be created."""

    request: str | None = Field(
        default=None,
        min_length=1,
        max_length=MAX_REQUEST,
        description="Your own name for this; asking again under it gives the same table.",
    )
    game: str = Field(min_length=1, max_length=300, examples=["marrakech(players=3)"])
    seats: list[AnySeat] | None = Field(
        default=None, max_length=32, description="By default: me, and computers."
    )
    public: bool = Field(default=False, description="Listed; otherwise reached by its id alone.")
    seconds: int | None = Field(
        default=None, ge=5, le=86_400, description="Time for a turn; no limit by default."
    )
    absent: AbsencePolicy = Field(
        default="grace",
        description="When the computer plays on for somebody who is away or late.",
    )
    grace: int = Field(default=60, ge=1, le=86_400, description="Seconds, if absent is grace.")
    start: bool = Field(default=False, description="Start at once; every seat must be taken.")


class RecordBody(Strict):
    """A game as a record tells it."""

    record: str = Field(min_length=1)


class VerifyBody(RecordBody):
    """A record whose dice are to be checked."""

    commitment: str | None = Field(
        default=None, max_length=100, description="What was noted before the game."
    )
