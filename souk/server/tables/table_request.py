"""The request for a new table, as clients send it. Part of OpenAPI."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from souk.games import FIRST
from souk.server.tables.commands import MAX_NAME, MAX_REQUEST
from souk.server.tables.entries import AbsencePolicy


class Strict(BaseModel):
    """A body with no unknown fields and no `true` for 1."""

    model_config = ConfigDict(strict=True, extra="forbid")


class MySeat(Strict):
    """A seat for the person who creates the table."""

    kind: Literal["me"]
    name: str | None = Field(default=None, max_length=MAX_NAME)


class OpenSeat(Strict):
    """A seat that anybody may take."""

    kind: Literal["open"]


class ComputerSeat(Strict):
    """A seat for a computer player; an easy one if no level is given."""

    kind: Literal["computer"]
    level: str | None = Field(default=None, max_length=60)


AnySeat = Annotated[MySeat | OpenSeat | ComputerSeat, Field(discriminator="kind")]


class NewTable(Strict):
    """A table to be created."""

    request: str | None = Field(
        default=None,
        min_length=1,
        max_length=MAX_REQUEST,
        description="Your own name for this request; repeating it returns the same table.",
    )
    game: str = Field(min_length=1, max_length=300, examples=[f"{FIRST}(players=3)"])
    seats: list[AnySeat] | None = Field(
        default=None, max_length=32, description="By default: you, and computer players."
    )
    public: bool = Field(
        default=False, description="Whether it is listed; otherwise only its id leads to it."
    )
    seconds: int | None = Field(
        default=None, ge=5, le=86_400, description="Time for a turn; no limit by default."
    )
    absent: AbsencePolicy = Field(
        default="grace",
        description="When the computer takes over for a player who is away or out of time.",
    )
    grace: int = Field(default=60, ge=1, le=86_400, description="Seconds, if absent is grace.")
    hints: bool | None = Field(
        default=None,
        description="Whether hints are allowed; by default only while no two people play.",
    )
    undo: bool = Field(
        default=False,
        description="Whether players may undo their own actions until chance or another player "
        "acts; computer players then wait two seconds before they follow a person.",
    )
    patience: int | None = Field(
        default=None,
        ge=60,
        le=604_800,
        description="Seconds of a turn without a time limit after which the others may replace its "
        "player, claim or abort; by default 300, and a day if absent is never.",
    )
    start: bool = Field(default=False, description="Start at once; every seat must be taken.")
