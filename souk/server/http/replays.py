"""A game step by step, for viewers who know no rules; and whether its dice were fair.

All of it is plain work that takes a while: whoever asks does it beside the event loop.
"""

from typing import Annotated, Any

from msgspec import Meta, Raw, Struct

from souk import records
from souk.engine.errors import SoukError
from souk.engine.position_encoder import IncrementalEncoder
from souk.engine.state import CHANCE, TERMINAL, State
from souk.records import Record, RecordError, fairness
from souk.records.record import PERSON
from souk.server.http.record_export import record_of
from souk.server.store import StoredTable
from souk.server.tables.commands import Refusal
from souk.server.tables.hosted_games import hosted_game
from souk.server.tables.views import ResultView, result_by_rules, result_view

MAX_STEPS = 3000  # of a record that somebody sends; a long game has 500
MAX_ERROR_TEXT = 500  # characters about what is wrong with one: it may repeat what was sent


class Frame(Struct, frozen=True):
    """The start of a game, or what one action or chance outcome made of it."""

    seat: int | None  # who acted; None for chance, and at the start
    action: str | None  # None at the start
    events: list[Any]  # of the game, as in the steps of a table's events
    position: Annotated[Raw, Meta(extra_json_schema={"type": "object"})]  # as `to_dict` has it
    scores: list[int]
    mover: int | None  # who acts next; None for chance, and at the end
    legal: list[str]  # what the mover may do


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
    result: ResultView | None  # once it is over
    frames: list[Frame]  # none if the game has not begun


class Verification(Struct, frozen=True):
    """What came of checking a record's dice."""

    fair: bool
    draws: int  # chance steps that were worked out again
    problems: list[str]  # in words; nothing if the dice were fair


def replay_of_table(kept: StoredTable) -> Replay:
    """A table's game so far, as the record would tell it."""
    table, record = record_of(kept)
    if table.state is None:
        return _replay(record, [], None)
    result = result_view(table) if table.status == "over" else None
    return _replay(record, frames(record), result)


def replay_of_text(text: str) -> Replay:
    """A game as a record tells it."""
    record = record_in(text)
    final = record.replay()
    result = result_by_rules(final) if final.is_terminal() else None
    return _replay(record, frames(record), result)


def verified(text: str, commitment: str | None) -> Verification:
    """Whether a record's dice were fair."""
    try:
        verdict = fairness.verify(record_in(text), commitment)
    except SoukError as error:
        raise _bad(error) from None
    return Verification(verdict.is_fair, verdict.draws, list(verdict.problems))


def frames(record: Record) -> list[Frame]:
    """The start, and the position after every action."""
    state, encoder = record.initial_state(), IncrementalEncoder(record.game)
    told = [_frame(state, encoder, None, None)]
    for action in record.actions:
        mover = state.current_player()
        state.apply_action(action)
        seat = None if mover == CHANCE else mover
        told.append(_frame(state, encoder, seat, state.action_to_string(action)))
    return told


def _frame(
    state: State, encoder: IncrementalEncoder, seat: int | None, action: str | None
) -> Frame:
    mover = state.current_player()
    is_somebody = mover not in (CHANCE, TERMINAL)
    texts = state.game.action_texts
    return Frame(
        seat=seat,
        action=action,
        events=state.events(),
        position=encoder.encode(state.buffer),
        scores=state.scores(),
        mover=mover if is_somebody else None,
        legal=[texts[one] for one in state.legal_actions()] if is_somebody else [],
    )


def _replay(record: Record, told: list[Frame], result: ResultView | None) -> Replay:
    levels = [None if seat.plays == PERSON else seat.plays for seat in record.seats]
    names = record.names()
    dated = {"date": record.date.isoformat()} if record.date else {}
    return Replay(
        game=str(record.game),
        name=record.game.name,
        seats=[
            ReplaySeat(seat, name, level)
            for seat, (name, level) in enumerate(
                zip(names, levels or [None for _ in names], strict=True)
            )
        ],
        headers={**dated, **record.extra},
        result=result,
        frames=told,
    )


def record_in(text: str) -> Record:
    """The record that a stranger sends: nothing in it may name a file of the server's."""
    try:
        record = records.read(text, load=hosted_game)
    except RecordError as error:
        raise _bad(error) from None
    if len(record.actions) > MAX_STEPS:
        raise Refusal("bad-record", f"A record has at most {MAX_STEPS} actions here.")
    return record


def _bad(error: SoukError) -> Refusal:
    return Refusal("bad-record", f"{str(error)[:MAX_ERROR_TEXT]}.")
