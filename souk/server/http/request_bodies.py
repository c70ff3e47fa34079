"""The bodies of HTTP requests and answers. Part of OpenAPI."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, model_validator

from souk.server.proof_of_work import MAX_CHALLENGE, MAX_SOLUTION
from souk.server.tables.commands import MAX_NAME
from souk.server.tables.entries import TABLE_ID
from souk.server.tables.table_request import Strict

PERSON_ID = "^[A-Za-z0-9_-]{1,40}$"
MAX_STUDY_ACTIONS = 3000
MAX_PREVIEWS = 100
MAX_SEAT_NAME = 100  # longer than a name may be: a record's may
ActionText = Annotated[str, Field(min_length=1, max_length=60)]
SeatName = Annotated[str, Field(min_length=1, max_length=MAX_SEAT_NAME)]


class ProblemBody(BaseModel):
    """An error: a code for programs, a sentence for people."""

    code: str
    message: str


class ProofBody(Strict):
    """A solved challenge, as `proof-needed` asks for it."""

    challenge: str = Field(min_length=1, max_length=MAX_CHALLENGE)
    solution: str = Field(min_length=1, max_length=MAX_SOLUTION)


class NameBody(Strict):
    """A display name."""

    name: str = Field(min_length=1, max_length=MAX_NAME)
    proof: ProofBody | None = None  # for a new identity under load


class MeBody(BaseModel):
    """An identity."""

    id: str
    name: str
    bot: bool


class BotBody(MeBody):
    """A new identity for a program, with its token."""

    token: str


class LinkBody(BaseModel):
    """A code that moves an identity to another device."""

    code: str
    expires: int


class ClaimBody(Strict):
    """A code from another device."""

    code: str = Field(min_length=1, max_length=100)


class LogoutBody(Strict):
    """Where to log out."""

    where: Literal["here", "elsewhere", "everywhere"] = "here"


class TokenBody(BaseModel):
    """A new token."""

    token: str


class PersonBody(BaseModel):
    """Somebody else."""

    person: str
    name: str


class WatchersBody(BaseModel):
    """Who watches a table."""

    people: list[PersonBody] = Field(description="At most 20, without those who have a seat.")
    others: int = Field(description="How many more there are, most of them without a name.")


class ReportBody(Strict):
    """A report of somebody to the operator of the server."""

    person: str = Field(pattern=PERSON_ID)
    table: str | None = Field(default=None, pattern=TABLE_ID, description="Where you met.")
    reason: Literal["name", "chat", "cheating", "stalling", "other"]
    text: str = Field(default="", max_length=1000, description="In your own words.")


class ServerBody(BaseModel):
    """What the operator says about this server; empty where nothing is said."""

    terms: str
    contact: str


class NetworkBody(BaseModel):
    """How others reach this server."""

    origins: list[str] = Field(description="Best first; empty if only this computer reaches it.")
    can_switch: bool = Field(
        description="Whether you may open it to the local network: only at this computer."
    )


class LanBody(Strict):
    """Whether the local network can reach this server."""

    lan: bool


class RecordBody(Strict):
    """A game record."""

    record: str = Field(min_length=1)


class VerifyBody(RecordBody):
    """A record that is to be verified."""

    commitment: str | None = Field(
        default=None, max_length=100, description="As noted before the game."
    )
    history_hash: str | None = Field(
        default=None, max_length=100, description="As noted during the game."
    )


class PositionBody(Strict):
    """A position, as `State.to_dict` returns it."""

    position: dict[str, Any]


class StudyBody(Strict):
    """A position, or a game that is to begin, and the actions to try from there."""

    position: dict[str, Any] | None = None
    game: str | None = Field(default=None, max_length=300, description="Without a position.")
    actions: list[ActionText] = Field(default=[], max_length=MAX_STUDY_ACTIONS)

    @model_validator(mode="after")
    def _check(self) -> "StudyBody":
        if (self.position is None) == (self.game is None):
            raise ValueError("send either a position or a game")
        return self


class PreviewsBody(PositionBody):
    """Actions in a position."""

    actions: list[ActionText] = Field(max_length=MAX_PREVIEWS)


class DescriptionBody(PositionBody):
    """A position, and what was played from there."""

    actions: list[ActionText] = Field(default=[], max_length=MAX_STUDY_ACTIONS)
    names: list[SeatName] | None = Field(default=None, description="Of the seats.")
    theme: Literal["light", "dark"] = "light"


class ActionsBody(PreviewsBody):
    """Actions in a position that are to be described."""

    names: list[SeatName] | None = Field(default=None, description="Of the seats.")


class EvaluationBody(PositionBody):
    """A position that is to be evaluated, at first quickly."""

    refined: bool = False


class KeyBody(BaseModel):
    """The public key that verifies the records of this server, and those for older records."""

    algorithm: Literal["ed25519"]
    key: str
    previous: list[str]
