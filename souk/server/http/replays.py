"""Replay a game step by step, for viewers without rules; verify its dice.

This takes a while: callers run it in a worker process.
"""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta, Raw, Struct

from souk import records
from souk.engine.errors import SoukError
from souk.engine.position_encoder import IncrementalEncoder
from souk.engine.state import CHANCE, TERMINAL, State
from souk.records import Record, RecordError, fairness, signatures
from souk.records.record import PERSON
from souk.server.http.record_export import record_of
from souk.server.store import StoredTable
from souk.server.tables.commands import Refusal
from souk.server.tables.hosted_games import hosted_game
from souk.server.tables.views import ResultView, result_by_rules, result_view

MAX_STEPS = 3000  # of a game: 5 MB; a long one has 650
MAX_ERROR_TEXT = 500  # characters: an error may quote the record


class Frame(Struct, frozen=True):
    """The position at the start, or after an action or chance outcome."""

    seat: int | None  # who acted; None for chance, and at the start
    action: str | None  # None at the start
    events: list[Any]  # of the game, as in the steps of a table's events
    position: Annotated[
        Raw, Meta(extra_json_schema={"type": "object"})
    ]  # as `State.to_dict` returns it
    scores: list[int]
    mover: int | None  # the seat to move; None for chance, and at the end
    legal: list[str]  # actions of the mover


class ReplaySeat(Struct, frozen=True):
    """A player of the game."""

    seat: int
    name: str
    level: str | None  # of a computer player


class Replay(Struct, frozen=True):
    """A whole game so far."""

    game: str  # with its knobs
    name: str  # of the game, without knobs
    seats: list[ReplaySeat]
    headers: dict[str, str]  # of the record: date, commitment, secret …
    result: ResultView | None  # null until the game is over
    frames: list[Frame]  # empty if the game has not started


class FindingView(Struct, frozen=True):
    """What is proven of one part of a record, or why nothing is."""

    subject: fairness.Subject
    status: fairness.Status
    text: str


class Verification(Struct, frozen=True):
    """The result of verifying a record."""

    fair: bool  # whether nothing is wrong
    proven: bool  # whether this game was played, with these words and moves
    draws: int  # chance steps that were recomputed
    problems: list[str]  # in words; empty if nothing is wrong
    findings: list[FindingView]


def acted_entries(stored: StoredTable) -> int:
    """Return the number of a table's actions, chance excluded, without reading the entries."""
    return sum(entry.startswith(b'{"entry":"acted"') for entry in stored.entries)


def replay_of_table(stored: StoredTable) -> Replay:
    """Return the replay of a table's game so far."""
    table, record = record_of(stored)
    if table.state is None:
        return _replay(record, [], None)
    if len(record.actions) > MAX_STEPS:  # the rules of MarraCash set no limit to the turns
        sentence = f"Only games of at most {MAX_STEPS} actions can be replayed."
        raise Refusal("not-possible", sentence)
    result = result_view(table) if table.status == "over" else None
    return _replay(record, frames(record), result)


def replay_of_record(record: Record) -> Replay:
    """Return the replay of a record."""
    final = record.replay()
    result = result_by_rules(final) if final.is_terminal() else None
    return _replay(record, frames(record), result)


def verify(
    text: str, commitment: str | None, history_hash: str | None, keys: Sequence[str]
) -> Verification:
    """Verify a record; `keys` are the public keys of this server."""
    try:
        record = record_in(text)
        signer = record.extra.get(signatures.KEY)
        verdict = fairness.verify(
            record,
            commitment,
            history_hashes=[] if history_hash is None else [history_hash],
            # The signature of another server proves nothing.
            key=signer if signer in keys else None,
        )
    except SoukError as error:
        raise _bad(error) from None
    findings = [FindingView(one.subject, one.status, one.text) for one in verdict.findings]
    problems = list(verdict.problems)
    return Verification(verdict.is_fair, verdict.is_proven, verdict.draws, problems, findings)


def frames(record: Record) -> list[Frame]:
    """Return the position at the start and after every action."""
    state, encoder = record.initial_state(), IncrementalEncoder(record.game)
    frame_list = [frame(state, encoder, None, None)]
    for action in record.actions:
        mover = state.current_player()
        state.apply_action(action)
        seat = None if mover == CHANCE else mover
        frame_list.append(frame(state, encoder, seat, state.action_to_string(action)))
    return frame_list


def frame(state: State, encoder: IncrementalEncoder, seat: int | None, action: str | None) -> Frame:
    """Return the frame of a state; seat and action are None at the start."""
    mover = state.current_player()
    is_player = mover not in (CHANCE, TERMINAL)
    texts = state.game.action_texts
    return Frame(
        seat=seat,
        action=action,
        events=state.events(),
        position=encoder.encode(state.buffer),
        scores=state.scores(),
        mover=mover if is_player else None,
        legal=[texts[one] for one in state.legal_actions()] if is_player else [],
    )


def _replay(record: Record, frame_list: list[Frame], result: ResultView | None) -> Replay:
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
        frames=frame_list,
    )


def record_in(text: str) -> Record:
    """Return the record that a client sends; refuse knobs that would read a file of the server."""
    try:
        return records.read(text, load=hosted_game, max_actions=MAX_STEPS)
    except RecordError as error:
        raise _bad(error) from None


def _bad(error: SoukError) -> Refusal:
    return Refusal("bad-record", f"{str(error)[:MAX_ERROR_TEXT]}.")
