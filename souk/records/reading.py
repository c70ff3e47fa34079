"""Read records. Every move is checked; an error holds what was read before it."""

import datetime
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from souk.engine.errors import SoukError
from souk.engine.game import Game, check_seed
from souk.engine.state import State
from souk.games import FIRST, load_game
from souk.records.file_paths import convert_position, resolve_paths
from souk.records.record import PERSON, Record, Seat, format_result

_KEY = re.compile(r"[A-Za-z][\w -]*")  # of a header line
_TURN = re.compile(r"(?:([0-9]{1,9})\.[^:]*|deal):")
_SEAT = re.compile(r"seat ([0-9]{1,9})")


class RecordError(SoukError):
    """A record cannot be read to its end. `record` holds what was read before the error."""

    def __init__(self, line: int, move: int | None, reason: str, record: Record | None) -> None:
        self.line = line  # of the file, from 1
        self.move = move  # of the game, from 1; None if the error is in the header
        self.reason = reason
        self.record = record
        where = f"line {line}" if move is None else f"line {line}, move {move}"
        super().__init__(f"{where}: {reason}")


def read(
    text: str,
    folder: Path | None = None,
    *,
    load: Callable[[str], Game] = load_game,
    max_actions: int | None = None,
) -> Record:
    r"""Return the record in a text. Paths in it are relative to `folder`.

    For an untrusted record, pass a `load` that refuses to open files, and a number of actions
    after which reading stops with an error.

    >>> read("game: marrakech(players=3,edition=gigamic)\n\n1. Leila: left, 3").texts()
    ['left', '3']
    """
    header = _Header()
    turns: list[tuple[int, str]] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        line = line.strip()
        if line.startswith(";"):
            continue  # a comment
        key, colon, value = line.partition(":")
        key = key.rstrip()
        if colon and not turns and not _TURN.match(line) and _KEY.fullmatch(key):
            header.add(number, key, value.lstrip())
        elif line:
            turns.append((number, line))
    return _read_turns(*header.finish(folder, load), turns, header, max_actions)


@dataclass
class _Header:
    """The header lines, each with its line number."""

    fields: dict[str, tuple[int, str]] = field(default_factory=dict)

    @property
    def first_seats(self) -> list[int]:
        """Return the numbers that the first seat may have: old records count seats from 0."""
        if "seat 0" in self.fields:
            return [0]
        return [1] if any(map(_SEAT.fullmatch, self.fields)) else [1, 0]

    def add(self, number: int, key: str, value: str) -> None:
        if key in self.fields:
            raise RecordError(number, None, f"{key!r} is given twice", None)
        self.fields[key] = (number, value)

    def finish(self, folder: Path | None, load: Callable[[str], Game]) -> tuple[Record, State]:
        """Return the record without its moves, and its initial state."""
        fields = dict(self.fields)
        if "game" not in fields:
            form = f"game: {load_game(FIRST)}"
            raise RecordError(1, None, f"the header needs a line like '{form}'", None)
        line, text = fields.pop("game")
        with _at(line):
            record = Record(load(resolve_paths(text, folder)))
        if "seed" in fields:
            line, text = fields.pop("seed")
            with _at(line):
                record = replace(record, seed=_seed(text))
        if "position" in fields:
            line, text = fields.pop("position")
            with _at(line):
                position = convert_position(_json(text), resolve_paths, folder)
                record = replace(record, start=position)
        with _at(line):
            state = record.initial_state()
        record = replace(record, seats=self._seats(fields, state.game.num_players()))
        if self.first_seats == [0] and "ended" in fields:
            line, text = fields["ended"]
            fields["ended"] = line, re.sub(r"\d{1,9}", lambda seat: str(int(seat[0]) + 1), text)
        if "date" in fields:
            line, text = fields.pop("date")
            record = replace(record, date=_date(line, text))
        extra = {key: text for key, (_, text) in fields.items() if key not in ("result", "scores")}
        return replace(record, extra=extra), state

    def _seats(self, fields: dict[str, tuple[int, str]], players: int) -> tuple[Seat, ...]:
        seats: dict[int, Seat] = {}
        first = self.first_seats[0]
        for key in list(fields):
            match = _SEAT.fullmatch(key)
            if match:
                line, text = fields.pop(key)
                seat = int(match[1]) - first
                if not 0 <= seat < players:
                    last = players - 1 + first
                    reason = f"the header has lines seat {first} to seat {last}, not {key}"
                    raise RecordError(line, None, reason, None)
                name, _, plays = text.rpartition(",")
                seats[seat] = Seat(name.strip() or text, plays.strip() if name else PERSON)
        if not seats:
            return ()
        return tuple(seats.get(seat, Seat(f"Seat {seat + 1}")) for seat in range(players))


@contextmanager
def _at(line: int) -> Iterator[None]:
    """Convert a SoukError to a RecordError at a line of the header."""
    try:
        yield
    except SoukError as error:
        raise RecordError(line, None, str(error), None) from error


def _seed(text: str) -> int:
    seed: Any = int(text) if re.fullmatch("[0-9]{1,99}", text) else text
    return check_seed(seed)


def _json(text: str) -> dict[str, Any]:
    try:
        position = json.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: not JSON, or absurd numbers
        raise SoukError(f"the position is not JSON: {error}") from None
    if not isinstance(position, dict):
        raise SoukError("the position is not a JSON object")
    return position


def _date(line: int, text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        reason = f"the date is written like 2026-11-15, not {text!r}"
        raise RecordError(line, None, reason, None) from None


def _read_turns(
    record: Record,
    state: State,
    turns: list[tuple[int, str]],
    header: _Header,
    max_actions: int | None,
) -> Record:
    def error_at(line: int, move: int, reason: str) -> RecordError:
        return RecordError(line, move, reason, replace(record, actions=tuple(state.history())))

    move = 1  # the number of the next one
    for number, line in turns:
        text = line.partition(";")[0]  # the rest is a comment
        label = _TURN.match(text)
        turn = record.game.turn_number(state.buffer)
        if label and label[1] and int(label[1]) != turn:
            reason = f"this line says turn {label[1]}, but turn {turn} comes next"
            raise error_at(number, move, reason)
        for word in filter(None, map(str.strip, text[label.end() if label else 0 :].split(","))):
            if max_actions is not None and move > max_actions:
                raise error_at(number, move, f"a record has at most {max_actions} actions here")
            try:
                state.apply_action(state.string_to_action(word))
            except SoukError as error:
                raise error_at(number, move, str(error)) from None
            move += 1
    finished = replace(record, actions=tuple(state.history()))
    results = [format_result(state, first_seat) for first_seat in header.first_seats]
    expected = {"result": results, "scores": [" ".join(map(str, state.scores()))]}
    for key, accepted in expected.items():
        line_number, text = header.fields.get(key, (0, accepted[0]))
        if text.split() not in [one.split() for one in accepted]:
            reason = f"the header says {key} {text!r}, but the moves give {accepted[0]!r}"
            raise RecordError(line_number, None, reason, finished)
    return finished
