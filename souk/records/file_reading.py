"""Read files with many games, one after the other, with an empty line between them.

Files are read piece by piece, and the games of a piece are checked together. A file whose name
ends with .gz is compressed.
"""

import gzip
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import IO, cast

from souk.engine.errors import SoukError
from souk.engine.game import Game
from souk.records.errors import FileError, RecordError
from souk.records.reading import Draft, PlainDraft, game_loader, parse, parse_plain
from souk.records.record import Record
from souk.records.replay import Replay, replay, replay_all
from souk.records.splitting import split_games

Source = str | Path | IO[bytes]
_PIECE = 1 << 20  # bytes that are read at once
_EXPORTS = (b'{"number":', b"PAR1")  # how files of `export_games` begin


@dataclass(frozen=True)
class Entry:
    """A game in a file: its record, or why it cannot be read."""

    file: str
    number: int  # of the game in the file, from 1
    record: Record | None
    error: SoukError | None = None  # a RecordError, or a FileError, which ends the file


class SeveralGames(SoukError):
    """One game is wanted from a file that has several."""


def read_games(
    *sources: Source, on_error: Callable[[SoukError], object] | None = None
) -> Iterator[Record]:
    """Yield the records of all games in files, given by their paths or open for reading bytes.

    Games are read as they are needed. A game that cannot be read raises RecordError, which names
    the file, the game, the line and the move, and holds what was read of it. With `on_error`,
    the error is passed to that function instead, and reading continues with the next game.
    """
    for entry in read_entries(sources):
        if entry.record is not None:
            yield entry.record
        elif entry.error is not None:
            if on_error is None:
                raise entry.error
            on_error(entry.error)


def read_game(source: Source, number: int | None = None) -> Record:
    """Return the record of one game in a file: the only one, or that with a number, from 1.

    Raise RecordError if it cannot be read, and SoukError if there is no such game.
    """
    name, folder = _name_and_folder(source)
    games = split_games(_pieces(source, name), name)
    if number is not None and number < 1:
        raise SoukError(f"the games of a file are numbered from 1; there is no game {number}")
    # Only as much of the file is read as the answer needs.
    found = [*islice(games, 2 if number is None else min(number, sys.maxsize))]
    if not found:
        raise FileError(f"{name} has no game")
    if number is None and len(found) > 1:
        raise SeveralGames(f"{name} has several games")
    if number is not None and number != len(found):
        raise SoukError(f"{name} has games 1 to {len(found)}, not {number}")
    line, data = found[-1]
    try:
        text = data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise FileError(f"{name} is not a text file") from None
    draft = parse(text, game_loader(folder), folder, first_line=line)
    return draft.finish(replay(draft.job))


def read_entries(sources: Iterable[Source]) -> Iterator[Entry]:
    """Yield every game in files, those that cannot be read included."""
    waiting: list[_Game] = []
    size = 0
    loaders: dict[Path | None, Callable[[str], Game]] = {}
    for source in sources:
        name, folder = _name_and_folder(source)
        load = loaders.setdefault(folder, lru_cache(256)(game_loader(folder)))
        number = 0
        try:
            for number, (line, data) in enumerate(
                split_games(_pieces(source, name), name), start=1
            ):
                waiting.append(_Game(name, number, line, data, load, folder))
                size += len(data)
                if size >= _PIECE:
                    yield from _check(waiting, more_follow=True)
                    waiting.clear()
                    size = 0
            if number == 0:
                raise FileError(f"{name} has no game")
        except FileError as error:
            yield from _check(waiting, more_follow=False)
            waiting.clear()
            yield Entry(name, number + 1, None, error)
    yield from _check(waiting, more_follow=False)


def _name_and_folder(source: Source) -> tuple[str, Path | None]:
    if isinstance(source, str | Path):
        return str(source), Path(source).parent
    name = str(getattr(source, "name", "the input"))
    return "standard input" if name == "<stdin>" else name, None


def _pieces(source: Source, name: str) -> Iterator[bytes]:
    """Yield the content of a file piece by piece."""
    try:
        with _open(source) as file:
            piece = file.read(_PIECE)
            if piece.startswith(_EXPORTS):
                raise FileError(f"{name} is an export, not a file of records; it is not read back")
            while piece:
                yield piece
                piece = file.read(_PIECE)
    except FileError:
        raise
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise FileError.reading(name, error) from None


@contextmanager
def _open(source: Source) -> Iterator[IO[bytes]]:
    if not isinstance(source, str | Path):
        yield source
    elif str(source).endswith(".gz"):
        with gzip.open(source, "rb") as compressed:
            yield cast(IO[bytes], compressed)
    else:
        with Path(source).open("rb") as file:
            yield file


class _Game:
    """A game in a file that is parsed and waits to be checked together with others."""

    __slots__ = ("_parse", "draft", "error", "file", "number")

    def __init__(
        self,
        file: str,
        number: int,
        line: int,
        data: bytes,
        load: Callable[[str], Game],
        folder: Path | None,
    ) -> None:
        self.file = file
        self.number = number
        self.draft: PlainDraft | Draft | None = None
        self.error: RecordError | None = None
        try:
            text = data.decode("utf-8")
            if "\r" in text:
                text = text.replace("\r\n", "\n")
            self._parse = partial(parse, text, load, folder, first_line=line)
            self.draft = parse_plain(text, load, folder, line) or self._parse()
        except UnicodeDecodeError as error:
            bad_line = line + data.count(b"\n", 0, error.start)
            self.error = RecordError(bad_line, None, "this is not text in UTF-8", None)
        except RecordError as error:
            self.error = error

    def entry(self, replayed: Replay | None) -> Entry:
        """Return the entry of the game from its replay, if it has a draft."""
        record, error = None, self.error
        try:
            if self.draft is not None and replayed is not None:
                record = self.draft.finish(replayed)
                if record is None:
                    draft = self._parse()
                    record = draft.finish(replay(draft.job))
        except RecordError as problem:
            error = problem
        if error is not None:
            error = error.at(f"{self.file}, game {self.number}")
        return Entry(self.file, self.number, record, error)


def _check(games: list[_Game], *, more_follow: bool) -> Iterator[Entry]:
    """Replay all games together; yield them in their order."""
    jobs = [game.draft.job for game in games if game.draft is not None]
    replays = iter(replay_all(jobs, more_follow=more_follow))
    for game in games:
        yield game.entry(next(replays) if game.draft is not None else None)
