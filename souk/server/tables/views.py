"""What clients are told: a table, a position, an event. Plain structs, encoded once for everybody.

Nothing here depends on a table's secret before the game is over, nor on who is asking: what is
sent is the same for all, so there is nothing to leak.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct

from souk.engine import events as story
from souk.engine.state import State
from souk.records.fairness import commitment
from souk.records.record import format_result
from souk.server.tables import entries as e
from souk.server.tables.commands import Code
from souk.server.tables.table import Kind, Status, Table

PROTOCOL = 2  # grows when a field or a word changes its name or meaning

encode = msgspec.json.Encoder().encode


class SeatView(Struct, frozen=True):
    """A seat as everybody sees it."""

    seat: int
    kind: Kind
    name: str
    person: str | None  # the public name of an identity; compare it with your own
    level: str | None  # of a computer player
    words: str  # added to the draw
    away: bool  # nobody is connected for it
    takeover: e.TakeoverReason | None  # why the computer plays on for its owner
    resigned: bool


class Line(Struct, frozen=True):
    """A line of chat."""

    at: int
    person: str | None  # whose it is: names can be alike
    name: str
    text: str


class ResultView(Struct, frozen=True):
    """How a game ended."""

    how: Literal["played", "drawn", "resigned"]  # drawn: nobody wins
    ranking: list[list[int]]  # seats best first, ties grouped, those who resigned last
    returns: list[float]  # share of the win, by seat
    scores: list[int]
    text: str  # as in a record, and who resigned


class TableView(Struct, frozen=True):
    """A table without its position."""

    id: str
    game: str  # with its knobs
    name: str  # of the game alone
    host: str
    deputy: str | None  # who may do the host's part before the start, as the host is not there
    public: bool
    seconds: int | None  # time for a turn
    absent: e.AbsencePolicy
    grace: int
    status: Status
    seats: list[SeatView]
    chat_open: bool
    commitment: str
    secret: str | None  # told when the game is over
    created: int
    started: int | None
    ended: int | None
    result: ResultView | None
    rematch: str | None  # the id of the next table


class PositionView(Struct, frozen=True, gc=False):
    """The position, and what may be done."""

    version: int
    position: Annotated[Raw, Meta(extra_json_schema={"type": "object"})]  # as `to_dict` has it
    mover: int | None  # the seat that must act
    legal: list[str]
    scores: list[int]
    deadline: int | None  # when the mover's time is up


class Step(Struct, frozen=True, gc=False):
    """One action or chance outcome and what it caused."""

    seat: int | None  # None for chance
    action: str
    events: list[story.Event]


class EventView(Struct, frozen=True, omit_defaults=True, gc=False):
    """Something that happened at a table, numbered."""

    n: int
    kind: str
    at: int
    seat: int | None = None
    computer: bool = False
    why: e.TakeoverReason | None = None
    line: Line | None = None
    steps: list[Step] = []
    table: str | None = None  # of a rematch


class Events(Struct, frozen=True, tag_field="type", tag="events", omit_defaults=True, gc=False):
    """Events, with whatever they changed as it is after the last of them."""

    events: list[Any]
    now: int
    table: TableView | None = None
    position: PositionView | None = None


class Welcome(Struct, frozen=True, tag_field="type", tag="welcome"):
    """Everything there is to know about a table."""

    protocol: int  # the version of this protocol
    n: int
    now: int
    table: TableView
    position: PositionView | None
    chat: list[Line]


class Ack(Struct, frozen=True, tag_field="type", tag="ack", gc=False):
    """A command was carried out, and is kept."""

    request: str
    n: int
    version: int


class Refused(Struct, frozen=True, tag_field="type", tag="refused"):
    """A command was not carried out; the position is what it would have been about."""

    request: str | None
    code: Code
    message: str
    n: int
    position: PositionView | None


class PreviewReply(Struct, frozen=True, tag_field="type", tag="preview"):
    """What an action would cause."""

    request: str
    version: int
    preview: dict[str, Any]


class Option(Struct, frozen=True):
    """An action, and what the computer expects of it."""

    action: str
    share: float  # of the win, for whoever is to play: 0 to 1


class HintReply(Struct, frozen=True, tag_field="type", tag="hint"):
    """What a computer player would do: the best actions, the best of them first."""

    request: str
    version: int
    level: str
    options: list[Option]


class Pong(Struct, frozen=True, tag_field="type", tag="pong"):
    """The line is alive."""

    now: int


class Goodbye(Struct, frozen=True, tag_field="type", tag="goodbye"):
    """The server is about to close the socket."""

    reason: str
    reconnect: bool  # whether the client should connect again


def table_view(table: Table) -> TableView:
    """A table as everybody sees it."""
    config = table.config
    over = table.status == "over"
    return TableView(
        id=config.id,
        game=str(table.game),
        name=table.game.name,
        host=config.host,
        deputy=table.deputy,
        public=config.public,
        seconds=config.seconds,
        absent=config.absent,
        grace=config.grace,
        status=table.status,
        seats=[
            SeatView(
                seat=number,
                kind=seat.kind,
                name=seat.name,
                person=seat.person,
                level=seat.level,
                words=seat.words,
                away=seat.away_since is not None,
                takeover=seat.takeover,
                resigned=seat.resigned,
            )
            for number, seat in enumerate(table.seats)
        ],
        chat_open=table.chat_open,
        commitment=commitment(config.secret),
        secret=config.secret if over else None,
        created=config.created,
        started=table.started,
        ended=table.ended,
        result=result_view(table) if over else None,
        rematch=table.rematch,
    )


def result_view(table: Table) -> ResultView:
    """How a finished game ended."""
    state = table.state
    assert state is not None
    left = table.active_seats()
    gone = [seat for seat in range(len(table.seats)) if seat not in left]
    if not state.is_terminal():
        ranking = [group for group in (left, gone) if group]
        text = resigned_text(table)
        return ResultView("resigned", ranking, _shares(table, left), state.scores(), text)
    if not gone:
        return result_by_rules(state)
    ranking = [kept for group in state.ranking() if (kept := [s for s in group if s in left])]
    best = ranking[0]
    if len(best) > 1 and state.game.is_draw(state):
        text = f"draw, {resigned_text(table)}"
        return ResultView("drawn", [*ranking, gone], _shares(table, left), state.scores(), text)
    told = f"{_seats(best)} {'wins' if len(best) == 1 else 'share the win'}"
    text = f"{told}, {resigned_text(table)}"
    return ResultView("played", [*ranking, gone], _shares(table, best), state.scores(), text)


def result_by_rules(state: State) -> ResultView:
    """How a game ended that was played to its end, as the rules say it."""
    how: Literal["played", "drawn"] = "drawn" if state.game.is_draw(state) else "played"
    return ResultView(how, state.ranking(), state.returns(), state.scores(), format_result(state))


def _shares(table: Table, best: list[int]) -> list[float]:
    """The win, shared by the best."""
    return [1 / len(best) if seat in best else 0.0 for seat in range(len(table.seats))]


def resigned_text(table: Table) -> str:
    """Who resigned, in words; empty if nobody did."""
    gone = [number for number, seat in enumerate(table.seats) if seat.resigned]
    return f"{_seats(gone)} resigned" if gone else ""


def _seats(numbers: list[int]) -> str:
    return f"seat{'s' if len(numbers) > 1 else ''} {' and '.join(map(str, numbers))}"


def position_view(table: Table) -> PositionView | None:
    """The position of a table, once there is one."""
    state = table.state
    if state is None:
        return None
    legal = state.legal_actions() if table.status == "playing" else []
    texts = table.game.action_texts
    return PositionView(
        version=table.version,
        position=table.encoder.encode(state.buffer),
        mover=table.mover,
        legal=[texts[action] for action in legal],
        scores=state.scores(),
        deadline=table.deadline(),
    )


def welcome(table: Table, now: int) -> Welcome:
    """Everything about a table."""
    chat = [line_view(said) for said in table.chat]
    return Welcome(PROTOCOL, table.n, now, table_view(table), position_view(table), chat)


def line_view(said: e.Said) -> Line:
    """A line of chat as everybody sees it."""
    return Line(said.at, said.by, said.name, said.text)


def event_view(table: Table, entry: e.AnyEntry) -> EventView:
    """The entry that a table has just taken in."""
    if isinstance(entry, e.Acted):  # by far the most frequent
        n, seat, is_computer = table.n, entry.seat, entry.computer
        return EventView(n, "acted", entry.at, seat, is_computer, steps=_steps(table, seat))
    return EventView(
        n=table.n,
        kind=entry.kind(),
        at=entry.at,
        seat=getattr(entry, "seat", None),
        computer=getattr(entry, "computer", False),
        why=getattr(entry, "why", None),
        line=line_view(entry) if isinstance(entry, e.Said) else None,
        steps=_steps(table, None) if isinstance(entry, e.Started) else [],
        table=entry.table if isinstance(entry, e.Rematched) else None,
    )


def _steps(table: Table, seat: int | None) -> list[Step]:
    """The actions of the last entry that acted: the first was a seat's or chance's, then chance."""
    state = table.state
    assert state is not None
    game, texts = table.game, table.game.action_texts
    steps = []
    for before, action, after in state.steps():
        steps.append(Step(seat, texts[action], game.events(before, action, after)))
        seat = None
    return steps
