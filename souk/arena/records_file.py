"""Keep games as records: many in one file, each once, with a blank line between them.

A game is known by its moves and by the lines of its header that name the game, the event, the round
and the players. So the same tournament or simulation, run again or continued, adds only what is
missing.
"""

import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from souk.arena.append_file import AppendFile
from souk.arena.entrants import Entrant
from souk.arena.game_runner import GameResult, setup_seed
from souk.arena.report import quantity
from souk.arena.tournament import Tournament
from souk.engine.errors import SoukError
from souk.engine.game import Game
from souk.records import Record, RecordError, Seat, read
from souk.records.splitting import split_games

_IDENTITY = (b"game:", b"event:", b"round:", b"seat ")  # beginnings of header lines
_LABEL = re.compile(rb"^([( \t]*)(?:[0-9]{1,9}\.[^:\n]*|deal):", re.MULTILINE)
_NOTES = re.compile(rb";[^\n]*")
_VARIATION = re.compile(rb"\([^()]*\)")  # without others in it
_OUR_EVENT = b"\nevent: souk "
_OUTCOME = re.compile(r"^(?:result|scores):.*\n", re.MULTILINE)


def make_record(
    game: Game,
    players: Sequence[str],
    actions: Iterable[int],
    *,
    event: str,
    round: int,
    seed: int | None = None,
    start: Mapping[str, Any] | None = None,
    date: datetime.date | None = None,
) -> Record:
    """Return the record of a game between entrants; `event` and `round` are as in PGN."""
    seats = tuple(Seat(text, Entrant.parse(text).name) for text in players)
    extra = {"event": f"souk {event}", "round": str(round)}
    return Record(game, tuple(actions), seed, seats, date, start, extra)


def tournament_record(tournament: Tournament, result: GameResult) -> Record:
    """Return the record of a game of a tournament."""
    return make_record(
        tournament.game,
        result.players,
        result.actions,
        event=f"arena, seed {tournament.seed}",
        round=result.setup + 1,
        seed=setup_seed(tournament.seed, result.setup),
        date=datetime.date.fromisoformat(result.date),
    )


class RecordsFile:
    """A file that records are added to. A context manager that closes it."""

    def __init__(self, path: Path) -> None:
        """Open a file; drop an incomplete record of ours that a killed process left at its end."""
        _check_path(path)
        self.path = path
        self._file = AppendFile(path)
        self.added = 0
        self._known: set[int] = set()  # identities
        self._separator = b""  # before the next record
        try:
            self._read(path)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> "RecordsFile":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, texts: Iterable[str]) -> None:
        """Add the texts of records, without those that the file has."""
        encoded = (text.encode() for text in texts)
        new = {key: data for data in encoded if (key := _identity(data)) not in self._known}
        if new:
            self._file.append(self._separator + b"\n".join(new.values()))
            self._separator = b"\n"
            self._known |= new.keys()
            self.added += len(new)

    def report(self) -> str:
        """Return a sentence that says how many records were added."""
        return f"{quantity(self.added, 'record')} added to {self.path}."

    def _read(self, path: Path) -> None:
        before = last = b""
        size = 0
        with path.open("rb") as file:
            for _, data in split_games(iter(partial(file.read, 1 << 20), b""), str(path)):
                before, last = last, data
                size += len(data)
                self._known.add(_identity(data))
        if last and (problem := _problem(last, path.parent)):
            if not _is_cut(last, path.parent):
                raise SoukError(
                    f"the last record in {path} cannot be read ({problem}); correct it, or name "
                    "another file"
                )
            self._known.discard(_identity(last))
            self._file.truncate(size - len(last))
            last = before
        newlines = len(last) - len(last.rstrip(b"\n"))
        self._separator = b"\n" * (2 - newlines) if last else b""


def _check_path(path: Path) -> None:
    if path.suffix == ".gz":
        problem = "it is compressed"
    elif str(path) == "-" or (path.exists() and not path.is_file()):
        problem = "it is not a plain file"
    else:
        return
    raise SoukError(f"cannot add records to {path}: {problem}; name one such as games.souk")


def _problem(data: bytes, folder: Path) -> str | None:
    """Return what is wrong with a record."""
    try:
        read(data.decode(), folder)
    except (RecordError, UnicodeDecodeError) as error:
        return str(error)
    return None


def _is_cut(data: bytes, folder: Path) -> bool:
    """Return whether a record that cannot be read is the beginning of one of ours.

    Then its whole lines can be read, nobody has annotated them, and the game is not over, although
    the header has a result.
    """
    if _OUR_EVENT not in data or b"\nresult: unfinished" in data:
        return False
    record = _read_moves(data[: data.rindex(b"\n") + 1], folder)
    if record is None or record.comment or record.comments or record.variations:
        return False
    return not (_read_moves(data, folder) or record).outcome.is_finished


def _read_moves(data: bytes, folder: Path) -> Record | None:
    """Return a record whatever its header says of the result, if its moves can be read."""
    try:
        return read(_OUTCOME.sub("", data.decode()), folder)
    except (RecordError, UnicodeDecodeError):
        return None


def _identity(data: bytes) -> int:
    """Return a hash of what tells a record from others, which annotating it does not change."""
    header, _, moves = data.replace(b"\r", b"").lstrip().partition(b"\n\n")
    lines = [line for line in header.splitlines() if line.startswith(_IDENTITY)]
    moves = _LABEL.sub(rb"\1", _NOTES.sub(b"", moves))
    count = 1
    while count:
        moves, count = _VARIATION.subn(b"", moves)
    words = [stripped for word in re.split(b"[,\n]", moves) if (stripped := word.strip())]
    return hash((*lines, *words))
