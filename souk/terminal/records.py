"""`souk records`: sum up, list, filter, merge and export recorded games."""

import glob
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO

from souk.arena.report import quantity
from souk.engine.errors import SoukError, one_of
from souk.records import Record, append_games, select
from souk.records.export import write_jsonl, write_parquet
from souk.records.file_reading import Entry, Source, read_entries
from souk.records.file_writing import open_to_replace, write_to
from souk.terminal.check import summary
from souk.terminal.files import STREAM, say, source
from souk.terminal.records_summary import RecordsSummary

_SHOWN_ERRORS = 20
_SUFFIXES = ("*.souk", "*.souk.gz")


@dataclass(frozen=True)
class RecordsOptions:
    """The options of `souk records`."""

    game: str | None
    players: Sequence[str]
    winner: str | None
    result: str | None
    turns: str | None
    since: str | None
    until: str | None
    headers: Sequence[str]
    limit: int | None
    output: str | None
    format: str | None
    append: bool
    positions: bool
    list_games: bool


class _Games:
    """The games of files that are selected; counts what was read."""

    def __init__(self, files: Sequence[str], options: RecordsOptions) -> None:
        self.files = len(files)
        self.read = 0
        self.unread = 0
        self._entries = read_entries([*_sources(files)])
        self._accepts = select(
            game=options.game,
            players=options.players,
            winner=options.winner,
            result=options.result,
            turns=options.turns,
            since=options.since,
            until=options.until,
            headers=dict(map(_header, options.headers)),
        )

    def entries(self) -> Iterator[tuple[Entry, Record]]:
        """Yield the selected games."""
        for entry in self._entries:
            self.read += 1
            if entry.record is None:
                self.unread += 1
                if self.unread <= _SHOWN_ERRORS:
                    say(str(entry.error), sys.stderr)
            elif self._accepts(entry.record):
                yield entry, entry.record

    def report_errors(self) -> int:
        """Say how many more games could not be read; return the exit code."""
        more = self.unread - _SHOWN_ERRORS
        if more > 0:
            say(
                f"{quantity(more, 'more game')} could not be read; souk check lists them",
                sys.stderr,
            )
        return 1 if self.unread else 0


def records(files: Sequence[str], options: RecordsOptions) -> int:
    """Do what the options say; return the exit code."""
    games = _Games(files, options)
    chosen = games.entries()
    if options.limit is not None:
        chosen = islice(chosen, min(options.limit, sys.maxsize))
    if options.output is not None:
        _write(options, games, (record for _, record in chosen))
    elif options.append:
        raise SoukError("--append needs --output: the file to append to")
    elif options.list_games:
        for entry, record in chosen:
            date = f"{record.date}, " if record.date else ""
            say(f"{entry.file}, game {entry.number}: {record.game}, {date}{summary(record)}")
    else:
        totals = RecordsSummary()
        for _, record in chosen:
            totals.add(record)
        say(totals.text(games.read - games.unread, games.unread))
    return games.report_errors()


def _write(options: RecordsOptions, games: _Games, chosen: Iterator[Record]) -> None:
    """Write the chosen games to the output."""
    output = options.output or STREAM
    kind = options.format or _format(output)
    if kind not in _FORMATS:
        raise SoukError(f"a format is {one_of(_FORMATS)}, not {kind!r}")
    if options.append and (kind != TEXT or output == STREAM):
        raise SoukError("--append is for files of records: .souk, and not standard output")
    if options.append:
        count = append_games(output, chosen)
    elif output == STREAM:
        _FORMATS[kind](sys.stdout.buffer, chosen, options)
        return
    else:
        with open_to_replace(output) as file:
            count = _FORMATS[kind](file, chosen, options)
            if games.unread and games.read == games.unread:
                raise SoukError(f"no game could be read, so {output} is left as it was")
            if not count and Path(output).exists():
                raise SoukError(f"no game is as the options say, so {output} is left as it was")
    say(f"{quantity(count, 'game')} in {output}")


def _format(output: str) -> str:
    """Return the format that the name of a file stands for."""
    suffix = Path(output.removesuffix(".gz")).suffix[1:]
    if suffix in _FORMATS or output == STREAM:
        return suffix or TEXT
    kinds = one_of(f".{kind}" for kind in _FORMATS)
    raise SoukError(f"the output {output} ends with none of {kinds}: choose a --format")


def _write_text(file: IO[bytes], chosen: Iterator[Record], options: RecordsOptions) -> int:
    folder = None if options.output in (None, STREAM) else Path(options.output or "").parent
    return write_to(file, chosen, folder)


def _write_jsonl(file: IO[bytes], chosen: Iterator[Record], options: RecordsOptions) -> int:
    return write_jsonl(file, chosen, positions=options.positions)


def _write_parquet(file: IO[bytes], chosen: Iterator[Record], options: RecordsOptions) -> int:
    return write_parquet(file, chosen, positions=options.positions)


TEXT = "souk"
_FORMATS = {TEXT: _write_text, "jsonl": _write_jsonl, "parquet": _write_parquet}


def _header(text: str) -> tuple[str, str]:
    key, equals, pattern = text.partition("=")
    if not equals:
        raise SoukError(f"a header line is given as KEY=VALUE, not {text!r}")
    return key.strip(), pattern.strip()


def _sources(names: Sequence[str]) -> Iterator[Source]:
    """Yield the files of names, patterns and folders."""
    for name in names:
        if name != STREAM and Path(name).is_dir():
            files = sorted({file for suffix in _SUFFIXES for file in Path(name).rglob(suffix)})
            if not files:
                raise SoukError(f"the folder {name} has no files that end with .souk or .souk.gz")
            yield from files
        elif name != STREAM and glob.has_magic(name) and not Path(name).exists():
            matching = sorted(glob.glob(name, recursive=True))  # noqa: PTH207  # a Path has no absolute patterns
            if not matching:
                raise SoukError(f"no file matches {name}")
            yield from matching
        else:
            yield source(name)
