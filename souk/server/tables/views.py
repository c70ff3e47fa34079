"""The messages to clients: tables, positions, events. Plain structs, encoded once for all clients.

Nothing here depends on the recipient, nor on a table's secret before the game is over: everybody
receives the same, so nothing can leak.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Raw, Struct

from souk.engine import events as story
from souk.engine.state import State
from souk.records.fairness import commitment
from souk.records.record import format_result, format_seats
from souk.server.tables import entries as e
from souk.server.tables.commands import Code
from souk.server.tables.table import Kind, Status, Table

PROTOCOL = 2  # grows when a field or a word changes its name or meaning

encode = msgspec.json.Encoder().encode


class SeatView(Struct, frozen=True):
    """A seat."""

    seat: int
    kind: Kind
    name: str
    person: str | None  # a public id; compare it with your own
    level: str | None  # of a computer player
    words: str  # added to the dice
    away: bool  # whether its person is not connected
    takeover: e.TakeoverReason | None  # why the computer plays for its owner
    resigned: bool
    hints: int  # that its player asked for


class ProposalView(Struct, frozen=True):
    """A proposal that every player must agree to."""

    n: int  # its number, for the answer
    what: e.ProposalKind
    seat: int  # of the player who made it
    agreed: list[int]  # seats of players who agreed
    until: int  # when it lapses


class ChatLine(Struct, frozen=True):
    """A line of chat."""

    n: int  # the number of its event
    at: int
    person: str | None  # the author: names are not unique
    name: str
    text: str


class ResultView(Struct, frozen=True):
    """The result of a game."""

    how: Literal["played", "drawn", "resigned", "aborted"]  # drawn: no winner; aborted: no result
    ranking: list[list[int]]  # seats best first, ties grouped, resigned seats last
    returns: list[float]  # share of the win, by seat
    scores: list[int]
    text: str  # as in a record, with the seats that resigned


class NamedPerson(Struct, frozen=True):
    """A person, with the name that they had at this table."""

    person: str
    name: str


class TableView(Struct, frozen=True):
    """A table without its position."""

    id: str
    game: str  # with its knobs
    name: str  # of the game, without knobs
    host: str
    deputy: str | None  # who acts as host before the start while the host is absent
    public: bool
    seconds: int | None  # time for a turn
    absent: e.AbsencePolicy
    grace: int
    status: Status
    seats: list[SeatView]
    chat_open: bool
    muted: list[NamedPerson]  # who may not write in the chat
    banned: list[NamedPerson]  # who may not return
    commitment: str
    secret: str | None  # null until the game is over
    created: int
    started: int | None
    ended: int | None
    result: ResultView | None
    rematch: str | None  # the id of the next table
    hints: bool  # whether players may ask for hints
    undo: bool  # whether players may undo their own actions
    draws: bool  # whether players may agree on a draw
    patience: int  # seconds of a turn without a time limit until others may act
    paused: int | None  # since when the game is paused
    proposal: ProposalView | None


class PositionView(Struct, frozen=True, omit_defaults=True, gc=False):
    """A position and its legal actions."""

    version: int
    position: Annotated[
        Raw, Meta(extra_json_schema={"type": "object"})
    ]  # as `State.to_dict` returns it
    mover: int | None  # the seat to move
    legal: list[str]
    scores: list[int]
    deadline: int | None  # when the mover runs out of time
    history_hash: str  # of the words and all actions so far; note it to prove them later
    stalls: int | None = None  # when others may replace the mover, claim or abort
    abortable: bool = False  # whether any player may abort: not everybody has played yet
    undo: int | None = None  # the seat whose player may undo the last action
    undone: int = 0  # the version minus the number of actions so far


class Step(Struct, frozen=True, gc=False):
    """An action or a chance outcome, and the events it caused."""

    seat: int | None  # None for chance
    action: str
    events: list[story.Event]


class EventView(Struct, frozen=True, omit_defaults=True, gc=False):
    """An entry of the table's log as clients see it."""

    n: int
    kind: str
    at: int
    seat: int | None = None
    computer: bool = False
    why: e.TakeoverReason | None = None
    what: e.ProposalKind | None = None  # was proposed
    agree: bool | None = None  # of an answer to a proposal
    line: ChatLine | None = None
    steps: list[Step] = []
    table: str | None = None  # of a rematch
    person: str | None = None  # who was muted, removed, let back or renamed
    name: str | None = None  # their name
    muted: bool | None = None  # whether they may no longer write
    ban: bool | None = None  # whether they were removed for good
    erased: bool | None = None  # whether the person's lines are gone
    removed: int | None = None  # the number of a line that was removed


class Events(Struct, frozen=True, tag_field="type", tag="events", omit_defaults=True, gc=False):
    """Events, with the table and the position after them where these changed."""

    events: list[Any]
    now: int
    table: TableView | None = None
    position: PositionView | None = None


class Welcome(Struct, frozen=True, tag_field="type", tag="welcome"):
    """The whole state of a table."""

    protocol: int  # the version of this protocol
    n: int
    now: int
    table: TableView
    position: PositionView | None
    chat: list[ChatLine]


class Ack(Struct, frozen=True, tag_field="type", tag="ack", gc=False):
    """A command was carried out and is stored."""

    request: str
    n: int
    version: int


class Refused(Struct, frozen=True, tag_field="type", tag="refused"):
    """A command was not carried out."""

    request: str | None
    code: Code
    message: str
    n: int
    position: PositionView | None


class PreviewReply(Struct, frozen=True, tag_field="type", tag="preview"):
    """The effects an action would have."""

    request: str
    version: int
    preview: dict[str, Any]


class Option(Struct, frozen=True):
    """An action, and its expected share of the win."""

    action: str
    share: float  # of the win, for the player to move: 0 to 1


class HintReply(Struct, frozen=True, tag_field="type", tag="hint"):
    """The best actions by the strongest computer player, best first."""

    request: str
    version: int
    level: str
    options: list[Option]


class Pong(Struct, frozen=True, tag_field="type", tag="pong"):
    """The answer to a ping."""

    now: int


class Goodbye(Struct, frozen=True, tag_field="type", tag="goodbye"):
    """The server is about to close the socket."""

    reason: str
    reconnect: bool  # whether the client should connect again


def table_view(table: Table) -> TableView:
    """Return the view of a table."""
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
                hints=seat.hints,
            )
            for number, seat in enumerate(table.seats)
        ],
        chat_open=table.chat_open,
        muted=[NamedPerson(*one) for one in table.muted.items()],
        banned=[NamedPerson(*one) for one in table.banned.items()],
        commitment=commitment(config.secret),
        secret=config.secret if over else None,
        created=config.created,
        started=table.started,
        ended=table.ended,
        result=result_view(table) if over else None,
        rematch=table.rematch,
        hints=table.are_hints_allowed,
        undo=config.undo,
        draws=table.game.has_draws(),
        patience=table.patience,
        paused=table.paused_since,
        proposal=_proposal_view(table),
    )


def _proposal_view(table: Table) -> ProposalView | None:
    proposal = table.proposal
    if proposal is None:
        return None
    agreed = [number for number, seat in enumerate(table.seats) if seat.person in proposal.agreed]
    return ProposalView(proposal.n, proposal.what, proposal.seat, agreed, proposal.until)


def result_view(table: Table) -> ResultView:
    """Return the result of a finished game."""
    state = table.state
    assert state is not None
    active = table.active_seats()
    gone = [seat for seat in range(len(table.seats)) if seat not in active]
    if table.ended_by == "abort":
        everybody = list(range(len(table.seats)))
        return ResultView("aborted", [everybody], _shares(table, []), state.scores(), "aborted")
    if table.ended_by == "draw":
        ranking = [group for group in (active, gone) if group]
        text = ", ".join(filter(None, ("draw by agreement", resigned_text(table))))
        return ResultView("drawn", ranking, _shares(table, active), state.scores(), text)
    if not state.is_terminal():
        ranking = [group for group in (active, gone) if group]
        text = resigned_text(table)
        return ResultView("resigned", ranking, _shares(table, active), state.scores(), text)
    if not gone:
        return result_by_rules(state)
    groups = ([seat for seat in group if seat in active] for group in state.ranking())
    ranking = [group for group in groups if group]
    best = ranking[0]
    if len(best) > 1 and state.game.has_draws():
        text = f"draw, {resigned_text(table)}"
        return ResultView("drawn", [*ranking, gone], _shares(table, best), state.scores(), text)
    text = f"{format_seats(best)} {'wins' if len(best) == 1 else 'share the win'}"
    text = f"{text}, {resigned_text(table)}"
    return ResultView("played", [*ranking, gone], _shares(table, best), state.scores(), text)


def result_by_rules(state: State) -> ResultView:
    """Return the result of a game that was played to its end."""
    how: Literal["played", "drawn"] = "drawn" if state.game.is_draw(state) else "played"
    return ResultView(how, state.ranking(), state.returns(), state.scores(), format_result(state))


def _shares(table: Table, best: list[int]) -> list[float]:
    """Return the win, split among the best seats."""
    return [1 / len(best) if seat in best else 0.0 for seat in range(len(table.seats))]


def resigned_text(table: Table) -> str:
    """Return which seats resigned, in words; empty if none did."""
    gone = [number for number, seat in enumerate(table.seats) if seat.resigned]
    return f"{format_seats(gone)} resigned" if gone else ""


def position_view(table: Table) -> PositionView | None:
    """Return the view of a table's position; None before the start."""
    state = table.state
    if state is None:
        return None
    is_running = table.status == "playing" and table.paused_since is None
    legal = state.legal_actions() if is_running else []
    texts = table.game.action_texts
    return PositionView(
        version=table.version,
        position=table.encoder.encode(state.buffer),
        mover=table.mover,
        legal=[texts[action] for action in legal],
        scores=state.scores(),
        deadline=table.deadline(),
        history_hash=table.history_hash,
        stalls=table.stalls_at(),
        abortable=table.is_abortable,
        undo=table.undo_seat,
        undone=table.undone,
    )


def welcome(table: Table, now: int) -> Welcome:
    """Return the whole state of a table."""
    chat = [line_view(n, said) for n, said in table.chat]
    return Welcome(PROTOCOL, table.n, now, table_view(table), position_view(table), chat)


def line_view(n: int, said: e.Said) -> ChatLine:
    """Return the view of a line of chat."""
    return ChatLine(n, said.at, said.by, said.name, said.text)


def event_view(table: Table, entry: e.AnyEntry) -> EventView:
    """Return the event of the last entry of a table."""
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
        what=getattr(entry, "what", None),
        agree=getattr(entry, "agree", None),
        line=line_view(table.n, entry) if isinstance(entry, e.Said) else None,
        steps=_steps(table, None) if isinstance(entry, e.Started) else [],
        table=entry.table if isinstance(entry, e.Rematched) else None,
        removed=entry.line if isinstance(entry, e.LineRemoved) else None,
        **_moderation(entry),
    )


def _moderation(entry: e.AnyEntry) -> dict[str, Any]:
    """Return the fields of an event about a person who was muted, removed or renamed."""
    if not isinstance(entry, e.Muted | e.Kicked | e.Unbanned | e.Renamed):
        return {}
    return {
        "person": entry.person,
        "name": entry.name,
        "muted": getattr(entry, "muted", None),
        "ban": getattr(entry, "ban", None),
        "erased": getattr(entry, "erased", None),
    }


def _steps(table: Table, seat: int | None) -> list[Step]:
    """Return the steps of the last entry: an action of a seat or of chance, then chance."""
    state = table.state
    assert state is not None
    game, texts = table.game, table.game.action_texts
    steps = []
    for before, action, after in state.steps():
        steps.append(Step(seat, texts[action], game.events(before, action, after)))
        seat = None
    return steps
