"""Export records for data analysis: JSON Lines and Parquet, a row per game.

docs/records.md describes the columns. Both formats have the same ones; only positions differ: they
are objects in JSON, and their JSON texts in Parquet.
"""

import datetime
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec
from msgspec import Raw, Struct

from souk.engine.errors import SoukError
from souk.engine.extras import needs_extra
from souk.engine.position_encoder import IncrementalEncoder
from souk.engine.state import CHANCE
from souk.records.file_writing import open_to_replace
from souk.records.record import Record

if TYPE_CHECKING:
    import pyarrow

NULL = Raw(b"null")
_GAMES_PER_GROUP = 200  # of a Parquet file: that many are in memory at once


class Chance(Struct, frozen=True):
    """An outcome that was possible at a chance step."""

    action: str
    probability: float


class Step(Struct, frozen=True):
    """An action or a chance outcome."""

    turn: int  # from 1; 0 while chance deals the setup
    seat: int | None  # who acted, from 0; null for chance
    action: str
    action_number: int
    chances: list[Chance]  # all outcomes of a chance step; empty for a player's action
    position: Raw  # before it, as `State.to_dict` returns it; null if left out
    comment: str | None  # after it


class Player(Struct, frozen=True):
    """The player of a seat."""

    name: str
    plays: str | None  # person, or the name of a computer player; null if unknown


class Row(Struct, frozen=True):
    """A game."""

    number: int  # among those exported, from 1
    game: str
    seed: int | None
    players: list[Player]
    date: str | None  # such as 2026-11-15
    headers: dict[str, str]  # other lines of the header
    comment: str | None
    result: str
    scores: list[int]
    returns: list[float]  # every seat's share of the win; zeros in an unfinished game
    turns: int
    steps: list[Step]
    final_position: Raw


def rows(records: Iterable[Record], *, positions: bool = True) -> Iterator[Row]:
    """Yield the rows of records, without variations."""
    for number, record in enumerate(records, start=1):
        kinds: list[str | None] = [seat.plays for seat in record.seats]
        unknown = [None for _ in record.names()]
        outcome = record.outcome
        encoder = IncrementalEncoder(record.game) if positions else None
        steps, final = _steps(record, encoder)
        yield Row(
            number,
            str(record.game),
            record.seed,
            [
                Player(name, kind)
                for name, kind in zip(record.names(), kinds or unknown, strict=True)
            ],
            record.date.isoformat() if record.date else None,
            dict(record.extra),
            record.comment or record.comments.get(0) or None,
            outcome.result,
            [*outcome.scores],
            [*outcome.returns],
            outcome.turns,
            steps,
            final,
        )


def _steps(record: Record, encoder: IncrementalEncoder | None) -> tuple[list[Step], Raw]:
    """Return the steps of a record and its final position."""
    state, game = record.initial_state(), record.game
    steps = []
    for number, action in enumerate(record.actions, start=1):
        mover = state.current_player()
        chances = state.chance_outcomes() if mover == CHANCE else []
        steps.append(
            Step(
                game.turn_number(state.buffer),
                None if mover == CHANCE else mover,
                game.action_to_string(action),
                action,
                [Chance(game.action_to_string(one), share) for one, share in chances],
                encoder.encode(state.buffer) if encoder else NULL,
                record.comments.get(number),
            )
        )
        state.apply_action(action)
    return steps, encoder.encode(state.buffer) if encoder else NULL


def export_games(path: str | Path, records: Iterable[Record], *, positions: bool = True) -> int:
    """Write records to a file as the end of its name says; return how many.

    That is .parquet, .jsonl or .jsonl.gz. Without `positions`, files are much smaller.
    """
    name = str(path)
    if name.endswith(".parquet"):
        write = write_parquet
    elif name.endswith((".jsonl", ".jsonl.gz")):
        write = write_jsonl
    else:
        raise SoukError(f"an export ends with .jsonl, .jsonl.gz or .parquet, not {path}")
    with open_to_replace(path) as file:
        return write(file, records, positions=positions)


def write_jsonl(file: IO[bytes], records: Iterable[Record], *, positions: bool = True) -> int:
    """Write records as JSON Lines to a file that is open for bytes; return how many."""
    encode, count = msgspec.json.Encoder().encode, 0
    for row in rows(records, positions=positions):
        file.write(encode(row) + b"\n")
        count = row.number
    return count


def write_parquet(file: IO[bytes], records: Iterable[Record], *, positions: bool = True) -> int:
    """Write records as Parquet to a file that is open for bytes; return how many."""
    with needs_extra("parquet", "Parquet"):
        import pyarrow as pa
        from pyarrow import parquet
    schema, count = parquet_schema(), 0
    iterator = rows(records, positions=positions)
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while group := [*map(_plain, islice(iterator, _GAMES_PER_GROUP))]:
            writer.write_table(pa.Table.from_pylist(group, schema))
            count += len(group)
    return count


def parquet_schema() -> "pyarrow.Schema":
    """Return the columns of Parquet files."""
    with needs_extra("parquet", "Parquet"):
        import pyarrow as pa
    text, share = pa.string(), pa.float64()
    chance = pa.struct({"action": text, "probability": share})
    step = pa.struct(
        {
            "turn": pa.int32(),
            "seat": pa.int8(),
            "action": text,
            "action_number": pa.int32(),
            "chances": pa.list_(chance),
            "position": text,
            "comment": text,
        }
    )
    return pa.schema(
        {
            "number": pa.int64(),
            "game": text,
            "seed": pa.int64(),
            "players": pa.list_(pa.struct({"name": text, "plays": text})),
            "date": pa.date32(),
            "headers": pa.map_(text, text),
            "comment": text,
            "result": text,
            "scores": pa.list_(pa.int32()),
            "returns": pa.list_(share),
            "turns": pa.int32(),
            "steps": pa.list_(step),
            "final_position": text,
        }
    )


def _plain(row: Row) -> dict[str, Any]:
    """Return a row as pyarrow reads it."""
    plain = msgspec.structs.asdict(row)
    plain["players"] = [msgspec.structs.asdict(player) for player in row.players]
    plain["date"] = row.date and datetime.date.fromisoformat(row.date)
    plain["headers"] = [*row.headers.items()]
    plain["final_position"] = _json_text(row.final_position)
    plain["steps"] = [
        {
            **msgspec.structs.asdict(step),
            "chances": [msgspec.structs.asdict(chance) for chance in step.chances],
            "position": _json_text(step.position),
        }
        for step in row.steps
    ]
    return plain


def _json_text(position: Raw) -> str | None:
    return None if position is NULL else bytes(position).decode()
