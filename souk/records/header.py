"""Read the header of a record."""

import datetime
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from souk.engine.errors import SoukError
from souk.engine.game import Game, check_seed
from souk.games import FIRST, load_game
from souk.records.errors import RecordError
from souk.records.file_paths import convert_position, resolve_paths
from souk.records.record import PERSON, Record, Seat, format_result
from souk.records.replay import Replay

_KEY = re.compile(r"[A-Za-z][\w -]*")
_SEAT = re.compile(r"seat ([0-9]{1,9})")
_FIELDS = {"game", "position", "seed", "date", "result", "scores"}  # of a record, not extra


def split_line(line: str) -> tuple[str, str] | None:
    """Return key and value of a header line; None if a stripped line is none."""
    key, colon, value = line.partition(":")
    if not colon or key == "deal" or not _KEY.fullmatch(key := key.rstrip()):
        return None
    return key, value.lstrip()


@lru_cache(4096)
def checked_key(key: str) -> str:
    """Return the key of an extra header line. Raise SoukError if it would not be read back."""
    if key in _FIELDS or _SEAT.fullmatch(key):
        raise SoukError(f"an extra header line cannot be {key!r}: it follows from the record")
    if split_line(f"{key}:") != (key, ""):
        accepted = "a letter a to z, then letters, digits, '_', '-' and spaces, but not 'deal'"
        raise SoukError(f"an extra header line cannot be {key!r}; accepted: {accepted}")
    return key


@dataclass
class Header:
    """The header lines, each with its line number."""

    fields: dict[str, tuple[int, str]] = field(default_factory=dict)

    @property
    def first_seats(self) -> list[int]:
        """Return the numbers that the first seat may have: old records count seats from 0."""
        if "seat 0" in self.fields:
            return [0]
        return [1] if any(map(_SEAT.fullmatch, self.fields)) else [1, 0]

    def add(self, number: int, key: str, value: str) -> None:
        """Add a line."""
        if key in self.fields:
            raise RecordError(number, None, f"{key!r} is given twice", None)
        self.fields[key] = (number, value)

    def fields_of_record(
        self, first_line: int, folder: Path | None, load: Callable[[str], Game]
    ) -> dict[str, Any]:
        """Return the fields of a `Record`; `load` makes the game from its string."""
        if "game" not in self.fields:
            reason = f"the header needs a line like 'game: {load_game(FIRST)}'"
            raise RecordError(first_line, None, reason, None)
        rest = dict(self.fields)
        line, text = rest.pop("game")
        seed = start = date = None
        try:
            game = load(text)
            if "seed" in rest:
                line, text = rest.pop("seed")
                seed = _seed(text)
            if "position" in rest:
                line, text = rest.pop("position")
                start = convert_position(_json(text), resolve_paths, folder)
            if start is not None or (seed is None and game.has_random_setup):
                Record(game, seed=seed, start=start).initial_state()  # raises if it is wrong
            if "date" in rest:
                line, text = rest.pop("date")
                date = _date(text)
        except SoukError as error:
            raise RecordError(line, None, str(error), None) from error
        seats = self._seats(rest, game.num_players())
        if "ended" in rest and self.first_seats == [0]:
            line, text = rest["ended"]
            rest["ended"] = line, re.sub(r"\d{1,9}", lambda seat: str(int(seat[0]) + 1), text)
        extra = {key: text for key, (_, text) in rest.items() if key not in ("result", "scores")}
        return {
            "game": game,
            "seed": seed,
            "seats": seats,
            "date": date,
            "start": start,
            "extra": extra,
        }

    def check(self, record: Record, replayed: Replay) -> Record:
        """Return a record, if result and scores of the header are those of its replay."""
        outcome = replayed.outcome
        for key, expected in (("result", outcome.result), ("scores", outcome.scores_text)):
            line, text = self.fields.get(key, (0, expected))
            if text != expected and text.split() != expected.split():
                accepted = [expected]
                if key == "result":
                    final = record.replay()
                    accepted = [format_result(final, first) for first in self.first_seats]
                if text.split() not in [one.split() for one in accepted]:
                    reason = f"the header says {key} {text!r}, but the moves give {accepted[0]!r}"
                    raise RecordError(line, None, reason, record)
        vars(record)["outcome"] = outcome  # a cached property
        return record

    def _seats(self, fields: dict[str, tuple[int, str]], players: int) -> tuple[Seat, ...]:
        first = 0 if "seat 0" in fields else 1
        seats: dict[int, Seat] = {}
        for key in [key for key in fields if key.startswith("seat")]:
            match = _SEAT.fullmatch(key)
            if match:
                line, text = fields.pop(key)
                seat = int(match[1]) - first
                if not 0 <= seat < players:
                    last = players - 1 + first
                    reason = f"the header has lines seat {first} to seat {last}, not {key}"
                    raise RecordError(line, None, reason, None)
                seats[seat] = _seat(text)
        if not seats:
            return ()
        return tuple(seats.get(seat) or Seat(f"Seat {seat + 1}") for seat in range(players))


@lru_cache(4096)
def _seat(text: str) -> Seat:
    name, _, plays = text.rpartition(",")
    return Seat(name.strip() or text, plays.strip() if name else PERSON)


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


def _date(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise SoukError(f"the date is written like 2026-11-15, not {text!r}") from None
